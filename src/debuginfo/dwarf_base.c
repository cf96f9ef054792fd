// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds a base class, and a member by name, in base classes as well, as C++ looks it up: the
 * class's own name hides those of its bases, and a name that several bases have is ambiguous unless
 * a base is named before it (A::x).
 *
 * The surprise: DWARF lists bases before members, so that the first of a name is often the hidden
 * one.
 */
#include <string.h>

#include "debuginfo/die_walk.h"
#include "debuginfo/members.h"
#include "debuginfo/questions.h"

static bool is_base(Dwarf_Die *die)
{
	return dwarf_tag(die) == DW_TAG_inheritance;
}

static bool base_class(struct dwarf_info *info, Dwarf_Die *inheritance, Dwarf_Die *ret)
{
	const struct type *type = dwarf_type_of(info, inheritance);

	return type->source && handle_die(info, type->source, ret) && type_definition(info, ret);
}

static const char *without_arguments(struct arena *arena, const char *name)
{
	const char *bracket = strchr(name, '<');

	return bracket ? arena_strndup(arena, name, (size_t)(bracket - name)) : name;
}

static const char *class_name(struct dwarf_info *info, Dwarf_Die *inheritance)
{
	Dwarf_Die class;

	return base_class(info, inheritance, &class) ? dwarf_diename(&class) ?: "?" : "?";
}

const char *base_name(struct dwarf_info *info, Dwarf_Die *parent, Dwarf_Die *inheritance)
{
	const char *whole = class_name(info, inheritance),
		   *name = without_arguments(info->arena, whole);
	unsigned same = 0;
	Dwarf_Die die;

	if (name == whole || die_child(info, parent, &die))
		return whole;
	do {
		same += is_base(&die) &&
			!strcmp(without_arguments(info->arena, class_name(info, &die)), name);
	} while (!die_sibling(info, &die, &die));
	return same > 1 ? whole : name;
}

const char *base_path(const struct member_search *search, Dwarf_Die *parent, Dwarf_Die *inheritance,
		      const char *path)
{
	return arena_printf(search->info->arena, "%s%s::", path,
			    base_name(search->info, parent, inheritance));
}

/* Where a name is looked for. */
struct inherited {
	Dwarf_Die class;
	uint64_t bits; /* from the start of the struct asked about */
	bool is_moving; /* a virtual base, or in one */
	const char *path;
	unsigned depth;
};

static bool scope_of_base(struct member_search *search, const struct inherited *scope,
			  Dwarf_Die *inheritance, struct inherited *ret)
{
	Dwarf_Die class = scope->class;
	struct member member;

	*ret = (struct inherited){.depth = scope->depth + 1};
	ret->is_moving = !read_member(search->info, inheritance, scope->bits, &member,
				      &search->is_damaged) ||
			 scope->is_moving;
	ret->bits = ret->is_moving ? 0 : member.offset * 8;
	ret->path = base_path(search, &class, inheritance, scope->path);
	return ret->depth <= MEMBER_DEPTH && base_class(search->info, inheritance, &ret->class);
}

static void found(struct member_search *search, struct inherited *scope, struct member *member)
{
	if (scope->is_moving)
		search->moving = member->name;
	add_member(search, &scope->class, scope->path, member);
}

/* Returns whether the class itself has the name: for a member, or for what hides its bases'
 * members. */
static bool find_own(struct member_search *search, struct inherited *scope, const char *name)
{
	struct dwarf_info *info = search->info;
	struct member member;
	Dwarf_Die die;

	if (scope->depth > MEMBER_DEPTH || die_child(info, &scope->class, &die))
		return false;
	do {
		int tag = dwarf_tag(&die);
		const char *its = dwarf_diename(&die);
		struct inherited inner = *scope;

		search->has_variants |= tag == DW_TAG_variant_part;
		if (its && !strcmp(its, name) &&
		    (tag == DW_TAG_variable || tag == DW_TAG_subprogram ||
		     (tag == DW_TAG_member && dwarf_hasattr(&die, DW_AT_declaration))))
			return true; /* a static member lies elsewhere */
		if (tag != DW_TAG_member || (its && strcmp(its, name)))
			continue;
		if (!read_member(info, &die, scope->bits, &member, &search->is_damaged)) {
			search->moving = its ?: search->moving;
			if (its)
				return true;
			continue;
		}
		if (its) {
			found(search, scope, &member);
			return true;
		}
		inner.bits = member.offset * 8;
		inner.depth++;
		if (handle_die(info, member.type->source, &inner.class) &&
		    find_own(search, &inner, name))
			return true;
	} while (!die_sibling(info, &die, &die));
	return false;
}

/* The bases of a class, one after the other. */
struct each_base {
	struct member_search *search;
	const struct inherited *scope;
	Dwarf_Die die; /* the DW_TAG_inheritance */
	bool has_begun;
};

static bool next_base(struct each_base *each, struct inherited *ret)
{
	struct dwarf_info *info = each->search->info;
	Dwarf_Die class = each->scope->class;

	while (!(each->has_begun ? die_sibling(info, &each->die, &each->die) :
				   die_child(info, &class, &each->die))) {
		each->has_begun = true;
		if (is_base(&each->die) &&
		    scope_of_base(each->search, each->scope, &each->die, ret))
			return true;
	}
	return false;
}

static void find_named(struct member_search *search, struct inherited *scope, const char *name)
{
	struct each_base each = {.search = search, .scope = scope};
	struct inherited base;

	if (find_own(search, scope, name))
		return;
	while (next_base(&each, &base))
		find_named(search, &base, name);
}

bool is_meant(const struct member_search *search, Dwarf_Die *class, const struct member *member)
{
	struct member_search named = {.info = search->info};
	struct inherited scope = {.class = *class, .path = ""};

	find_named(&named, &scope, member->name);
	return named.count == 1 && named.list->offset == member->offset &&
	       named.list->bit_offset == member->bit_offset;
}

static bool is_called(struct member_search *search, Dwarf_Die *inheritance, const char *name)
{
	const char *whole = class_name(search->info, inheritance);

	return !strcmp(whole, name) || !strcmp(without_arguments(search->info->arena, whole), name);
}

/* Adds the direct bases of that name; if there are none, those of the bases. */
static void find_bases(struct member_search *search, struct inherited *scope, const char *name,
		       struct inherited **list, unsigned *count)
{
	struct each_base direct = {.search = search, .scope = scope}, each = direct;
	struct inherited base;
	bool is_direct = false;

	while (next_base(&direct, &base)) {
		if (!is_called(search, &direct.die, name))
			continue;
		arena_append(search->info->arena, *list, *count) = base;
		is_direct = true;
	}
	while (!is_direct && next_base(&each, &base))
		find_bases(search, &base, name, list, count);
}

static struct error *ambiguous(struct member_search *search, const struct type *type,
			       const char *name)
{
	struct arena *arena = search->info->arena;
	const char *text = "";

	for (unsigned i = 0; i < search->count; i++)
		text = arena_printf(arena, "%s%s%s%s", text, i ? ", " : "", search->paths[i],
				    search->list[i].name);
	return error_hint(arena,
			  error_new(arena, ERROR_AMBIGUOUS,
				    "several bases of '%s' have a member '%s'", type->name, name),
			  "name the base: %s", text);
}

/* The first "::" that is in no template's arguments, or NULL. */
static const char *end_of_class(const char *name)
{
	unsigned depth = 0;

	for (; *name; name++) {
		if (*name == '<' || *name == '>')
			depth += *name == '<' ? 1 : -1u;
		if (!depth && !strncmp(name, "::", 2))
			return name;
	}
	return NULL;
}

/* name: the member's, behind the bases that were named. */
static void find_qualified(struct member_search *search, struct inherited *scope, const char *name)
{
	const char *colons = end_of_class(name);
	struct inherited *bases = NULL;
	unsigned count = 0;

	if (!colons) {
		find_named(search, scope, name);
		return;
	}
	find_bases(search, scope, arena_strndup(search->info->arena, name, (size_t)(colons - name)),
		   &bases, &count);
	for (unsigned i = 0; i < count; i++)
		find_qualified(search, &bases[i], colons + 2);
}

struct error *dwarf_member(struct debuginfo *base, const struct type *type, const char *name,
			   struct member **ret)
{
	struct member_search search = {.info = dwarf_info(base)};
	struct inherited scope = {.path = ""};
	struct error *error = NULL;

	*ret = NULL;
	if (type->kind != TYPE_STRUCT && type->kind != TYPE_UNION)
		return NULL;
	if (!handle_die(search.info, type->source, &scope.class))
		return dwarf_error(search.info, "type");
	if (type_definition(search.info, &scope.class))
		find_qualified(&search, &scope, name);
	if (!search.count || search.moving)
		error = members_end(&search, type);
	if (!error && search.count > 1)
		error = ambiguous(&search, type, name);
	*ret = search.count && !error ? search.list : NULL;
	return error;
}

/* The same class in several units has several DIEs. */
static bool is_same_class(const Dwarf_Die *a, Dwarf_Die *b)
{
	Dwarf_Die left = *a;
	const char *mine = dwarf_diename(&left), *its = dwarf_diename(b);

	return left.addr == b->addr ||
	       (mine && its && !strcmp(mine, its) && dwarf_bytesize(&left) == dwarf_bytesize(b));
}

static void find_class(struct member_search *search, struct inherited *scope,
		       const Dwarf_Die *wanted, struct inherited **list, unsigned *count)
{
	struct each_base each = {.search = search, .scope = scope};
	struct inherited base;

	while (next_base(&each, &base))
		if (is_same_class(wanted, &base.class))
			arena_append(search->info->arena, *list, *count) = base;
		else
			find_class(search, &base, wanted, list, count);
}

/* "A::B" of a base's path "A::B::". */
static const char *without_end(struct arena *arena, const char *path)
{
	return arena_strndup(arena, path, strlen(path) - 2);
}

struct error *dwarf_base(struct debuginfo *info, const struct type *type, const struct type *base,
			 bool *found, uint64_t *offset)
{
	struct member_search search = {.info = dwarf_info(info)};
	struct inherited scope = {.path = ""}, *list = NULL;
	struct arena *arena = search.info->arena;
	unsigned count = 0;
	Dwarf_Die wanted;

	*found = false;
	if (!handle_die(search.info, type->source, &scope.class) ||
	    !type_definition(search.info, &scope.class) ||
	    !handle_die(search.info, base->source, &wanted) ||
	    !type_definition(search.info, &wanted))
		return NULL;
	find_class(&search, &scope, &wanted, &list, &count);
	for (unsigned i = 0; i < count; i++)
		if (list[i].is_moving)
			return error_new(arena, ERROR_INEXPRESSIBLE,
					 "'%s' is a virtual base of '%s': where it lies depends "
					 "on the object",
					 base->name, type->name);
	if (count > 1)
		return error_hint(arena,
				  error_new(arena, ERROR_AMBIGUOUS,
					    "'%s' is a base of '%s' in several ways: %s and %s",
					    base->name, type->name,
					    without_end(arena, list[0].path),
					    without_end(arena, list[1].path)),
				  "cast to the class between them first");
	*found = count;
	*offset = count ? list->bits / 8 : 0;
	return NULL;
}
