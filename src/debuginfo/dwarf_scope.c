// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names a function with the namespaces and classes around it, as a C++ or Rust programmer writes
 * it: debug information has the words, so that no demangler is needed. A definition stands outside
 * its class and refers to the declaration inside, so the origin's place counts.
 */
#include <string.h>

#include "base/search.h"
#include "debuginfo/die.h"
#include "debuginfo/die_walk.h"
#include "debuginfo/scope.h"
#include "debuginfo/search/search.h"

struct scoped {
	Dwarf_Off offset;
	const char *name;
	const char *brief; /* without namespaces that a program needn't name; or the name itself */
	bool is_local; /* declared in a function */
};

struct scopes {
	struct scoped *list; /* by offset, the order of a depth-first walk */
	size_t count;
};

bool holds_functions(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_structure_type ||
	       tag == DW_TAG_class_type || tag == DW_TAG_module || tag == DW_TAG_union_type ||
	       tag == DW_TAG_enumeration_type; /* Rust's enums have methods */
}

bool may_hold_functions(int tag)
{
	return holds_functions(tag) || tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block;
}

/* Where a walk through a unit is. */
struct walk_scope {
	const char *prefix; /* "Foo::", "" */
	const char *brief;
	bool is_local;
};

static void add_scoped(struct dwarf_info *info, struct scopes *scopes, Dwarf_Die *die,
		       const struct walk_scope *scope)
{
	const char *name = dwarf_diename(die);

	struct scoped *scoped;

	if (!name)
		return;
	scoped = &arena_append(info->kept, scopes->list, scopes->count);
	*scoped = (struct scoped){
		.offset = die_handle(info, die),
		.name = arena_printf(info->kept, "%s%s", scope->prefix, name),
		.is_local = scope->is_local,
	};
	scoped->brief = strcmp(scope->prefix, scope->brief) ?
			arena_printf(info->kept, "%s%s", scope->brief, name) : scoped->name;
}

static const struct scoped *listed(const struct scopes *scopes, Dwarf_Off origin)
{
	size_t at = partition_point(scopes->count, i, scopes->list[i].offset < origin);

	return at < scopes->count && scopes->list[at].offset == origin ? &scopes->list[at] : NULL;
}

/* C++ finds what is in an anonymous or inline namespace without its name. */
static bool is_transparent(Dwarf_Die *die)
{
	return dwarf_tag(die) == DW_TAG_namespace &&
	       (!dwarf_diename(die) || is_flagged(die, DW_AT_export_symbols));
}

/* What is in a block is in the function around it; a method's definition, behind its class, is in
 * the class. */
static struct walk_scope scope_in(struct dwarf_info *info, const struct scopes *scopes,
				  Dwarf_Die *die, const struct walk_scope *around)
{
	bool is_function = dwarf_tag(die) == DW_TAG_subprogram;
	const struct scoped *declared =
		is_function ? listed(scopes, origin_handle(info, die)) : NULL;

	const char *name = dwarf_diename(die) ?: "(anonymous)";

	if (dwarf_tag(die) == DW_TAG_lexical_block)
		return *around;
	return (struct walk_scope){
		.prefix = declared ? arena_printf(info->arena, "%s::", declared->name) :
			  arena_printf(info->arena, "%s%s::", around->prefix, name),
		.brief = declared ? arena_printf(info->arena, "%s::", declared->brief) :
			 is_transparent(die) ? around->brief :
			 arena_printf(info->arena, "%s%s::", around->brief, name),
		.is_local = around->is_local || is_function,
	};
}

/* A variable of a namespace, or a static member, which DWARF 4 has as a member. */
static bool is_outside(Dwarf_Die *die, int tag)
{
	return tag == DW_TAG_variable ||
	       (tag == DW_TAG_member && is_flagged(die, DW_AT_external));
}

static void collect(struct dwarf_info *info, struct scopes *scopes, Dwarf_Die *parent,
		    const struct walk_scope *scope)
{
	Dwarf_Die die;

	if (die_child(info, parent, &die))
		return;
	do {
		int tag = dwarf_tag(&die);

		if (*scope->prefix && (tag == DW_TAG_subprogram ||
				       (!scope->is_local && is_outside(&die, tag))))
			add_scoped(info, scopes, &die, scope);
		if (may_hold_functions(tag) && dwarf_haschildren(&die)) {
			struct walk_scope inner = scope_in(info, scopes, &die, scope);

			collect(info, scopes, &die, &inner);
		}
	} while (!die_sibling(info, &die, &die));
}

static struct scopes *unit_scopes(struct dwarf_info *info, struct unit *unit)
{
	Dwarf_Die die;

	if (unit->scopes)
		return unit->scopes;
	unit->scopes = arena_new(info->kept, struct scopes);
	if (die_at(info, unit->die, &die))
		collect(info, unit->scopes, &die, &(struct walk_scope){.prefix = "", .brief = ""});
	return unit->scopes;
}

bool is_c(Dwarf_Die *unit)
{
	switch (dwarf_srclang(unit)) {
	case DW_LANG_C89:
	case DW_LANG_C:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case 0x2c: /* DW_LANG_C17 */
		return true;
	default:
		return false;
	}
}

/* C has no scopes, and its units aren't worth the walk. */
bool has_scopes(Dwarf_Die *die)
{
	Dwarf_Die unit;
	int language;

	if (!dwarf_diecu(die, &unit, NULL, NULL) || is_c(&unit))
		return false;
	language = dwarf_srclang(&unit);
	return language != DW_LANG_Mips_Assembler && language != -1;
}

/* NULL for what isn't in a scope. */
static const struct scoped *find_scoped(struct dwarf_info *info, Dwarf_Die *die)
{
	Dwarf_Off origin = origin_handle(info, die);
	Dwarf_Die declared;
	/* the instance's unit may be of another language */
	struct unit *unit = origin & HANDLE_ALT || !handle_die(info, origin, &declared) ||
			    !has_scopes(&declared) ? NULL : unit_of(info, origin);

	return unit ? listed(unit_scopes(info, unit), origin) : NULL;
}

const char *scoped_name(struct dwarf_info *info, Dwarf_Die *die)
{
	const struct scoped *scoped = find_scoped(info, die);

	return scoped ? scoped->name : dwarf_diename(die);
}

const char *brief_name(struct dwarf_info *info, Dwarf_Die *die)
{
	const struct scoped *scoped = find_scoped(info, die);

	return scoped ? scoped->brief : dwarf_diename(die);
}

bool has_no_nested(struct dwarf_info *info, Dwarf_Die *unit)
{
	return info->base.target->kind != TARGET_PROGRAM && is_c(unit);
}

bool is_local_function(struct dwarf_info *info, Dwarf_Die *die)
{
	const struct scoped *scoped = find_scoped(info, die);

	return scoped && scoped->is_local;
}

const char *last_component(const char *name)
{
	const char *last = name;
	unsigned depth = 0;

	for (const char *p = name; *p; p++) {
		depth += *p == '<';
		depth -= *p == '>' && depth;
		if (!depth && p[0] == ':' && p[1] == ':')
			last = p + 2;
	}
	return last;
}

bool is_scope_tail(const char *name, const char *wanted)
{
	size_t length = strlen(name), tail = strlen(wanted);

	return length >= tail && !strcmp(name + length - tail, wanted) &&
	       (length == tail || name[length - tail - 1] == ':');
}
