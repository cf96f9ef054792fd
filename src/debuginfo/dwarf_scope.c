// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names a function with the namespaces and classes around it, as a C++ or Rust programmer writes
 * it: debug information has the words, so that no demangler is needed. A definition stands outside
 * its class and refers to the declaration inside, so the origin's place counts.
 */
#include <string.h>

#include "base/search.h"
#include "debuginfo/die.h"
#include "debuginfo/search/search.h"

struct scoped {
	Dwarf_Off offset;
	const char *name;
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

static void add_scoped(struct dwarf_info *info, struct scopes *scopes, Dwarf_Die *die,
		       const char *prefix)
{
	const char *name = dwarf_diename(die);

	if (!name)
		return;
	arena_append(info->kept, scopes->list, scopes->count) = (struct scoped){
		.offset = die_handle(info, die),
		.name = arena_printf(info->kept, "%s%s", prefix, name),
	};
}

static void collect(struct dwarf_info *info, struct scopes *scopes, Dwarf_Die *parent,
		    const char *prefix)
{
	Dwarf_Die die;

	if (die_child(info, parent, &die))
		return;
	do {
		int tag = dwarf_tag(&die);

		if (tag == DW_TAG_subprogram && *prefix)
			add_scoped(info, scopes, &die, prefix);
		else if (holds_functions(tag) && dwarf_haschildren(&die))
			collect(info, scopes, &die,
				arena_printf(info->arena, "%s%s::", prefix,
					     dwarf_diename(&die) ?: "(anonymous)"));
	} while (!die_sibling(info, &die, &die));
}

static struct scopes *unit_scopes(struct dwarf_info *info, struct unit *unit)
{
	Dwarf_Die die;

	if (unit->scopes)
		return unit->scopes;
	unit->scopes = arena_new(info->kept, struct scopes);
	if (die_at(info, unit->die, &die))
		collect(info, unit->scopes, &die, "");
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

const char *scoped_name(struct dwarf_info *info, Dwarf_Die *die)
{
	Dwarf_Off origin = origin_handle(info, die);
	const char *name = dwarf_diename(die);
	Dwarf_Die declared;
	/* the instance's unit may be of another language */
	struct unit *unit = origin & HANDLE_ALT || !handle_die(info, origin, &declared) ||
			    !has_scopes(&declared) ? NULL : unit_of(info, origin);
	const struct scopes *scopes = unit ? unit_scopes(info, unit) : NULL;
	size_t count = scopes ? scopes->count : 0;
	size_t at = partition_point(count, i, scopes->list[i].offset < origin);

	return at < count && scopes->list[at].offset == origin ? scopes->list[at].name : name;
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
