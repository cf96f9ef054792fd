// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lists what a unit says of a source file by which the file that was compiled can be told from
 * others of its name: its checksum (clang's, DWARF 5), the names that are declared in it, and its
 * lines with code.
 *
 * The surprise: names that the compiler makes up are declared at lines, too.
 */
#include <ctype.h>
#include <string.h>

#include "debuginfo/die.h"
#include "debuginfo/die_walk.h"
#include "debuginfo/questions.h"
#include "debuginfo/scope.h"
#include "debuginfo/section_bytes.h"

#define NESTED_MAX 64u

struct marking {
	struct dwarf_info *info;
	const struct source_lines *asked;
	struct source_marks *marks;
	const char *last_name; /* of a file, and whether it is the one that was asked for */
	bool is_last_same;
	unsigned depth, nfunctions; /* around the DIE */
};

/* Whether names are written in the source as debug information has them. */
static bool has_plain_names(Dwarf_Die *unit)
{
	switch (dwarf_srclang(unit)) {
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_03:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
	case DW_LANG_Rust:
		return true;
	default:
		return is_c(unit);
	}
}

static bool is_in_file(struct marking *marking, Dwarf_Die *die)
{
	const char *name = declared_file(marking->info, die);

	if (!name)
		return false;
	if (name != marking->last_name) {
		marking->last_name = name;
		marking->is_last_same = same_file(directory_of(declaring_unit(die)), name,
						  marking->asked->directory, marking->asked->file);
	}
	return marking->is_last_same;
}

static bool is_word(const char *name)
{
	size_t length = 0;

	while (isalnum((unsigned char)name[length]) || name[length] == '_')
		length++;
	return length && !name[length] && !isdigit((unsigned char)*name);
}

static void mark_name(struct marking *marking, Dwarf_Die *die)
{
	struct source_marks *marks = marking->marks;
	const char *name = dwarf_diename(die);
	bool is_local = marking->nfunctions && dwarf_tag(die) == DW_TAG_variable;
	int line;

	if (name && is_word(name) && !dwarf_decl_line(die, &line) && line > 0 &&
	    !is_flagged(die, DW_AT_artificial))
		arena_append(marking->info->arena, marks->names, marks->nnames) =
			(struct source_name){(unsigned)line, name, is_local};
}

static bool is_named(int tag)
{
	return tag == DW_TAG_subprogram || tag == DW_TAG_variable || tag == DW_TAG_member ||
	       tag == DW_TAG_formal_parameter || tag == DW_TAG_structure_type ||
	       tag == DW_TAG_union_type || tag == DW_TAG_enumeration_type ||
	       tag == DW_TAG_class_type || tag == DW_TAG_typedef;
}

/* What is inlined is declared where its own function is. */
static void mark_below(struct marking *marking, Dwarf_Die *parent)
{
	Dwarf_Die die;

	if (marking->depth == NESTED_MAX || die_child(marking->info, parent, &die))
		return;
	marking->depth++;
	marking->nfunctions += dwarf_tag(parent) == DW_TAG_subprogram;
	do {
		int tag = dwarf_tag(&die);
		bool is_scope = tag == DW_TAG_namespace || tag == DW_TAG_module ||
				tag == DW_TAG_lexical_block;

		if (is_named(tag) && is_in_file(marking, &die)) {
			mark_name(marking, &die);
			is_scope = may_hold_functions(tag);
		}
		if (is_scope && dwarf_haschildren(&die) > 0)
			mark_below(marking, &die);
	} while (!die_sibling(marking->info, &die, &die));
	marking->nfunctions -= dwarf_tag(parent) == DW_TAG_subprogram;
	marking->depth--;
}

static void mark_lines(struct marking *marking, Dwarf_Die *unit)
{
	struct source_marks *marks = marking->marks;
	struct line_rows *rows = unit_rows(marking->info, unit);
	unsigned last = 0;

	for (size_t i = 0; rows && i < rows->count; i++) {
		const char *file;

		if (rows->list[i].is_end || !rows->list[i].line || rows->list[i].line == last)
			continue;
		last = 0;
		file = row_file(rows, &rows->list[i]);
		if (!file || strcmp(file, marking->asked->file) != 0)
			continue;
		last = rows->list[i].line;
		arena_append(marking->info->arena, marks->lines, marks->nlines) = last;
	}
}

struct error *dwarf_source_marks(struct debuginfo *base, const struct source_lines *lines,
				 struct source_marks *ret)
{
	struct marking marking = {.info = dwarf_info(base), .asked = lines, .marks = ret};
	Dwarf_Die unit;

	if (!unit_at(marking.info, lines->address, &unit))
		return NULL;
	ret->md5 = file_checksum(marking.info, &unit, lines->file);
	if (ret->md5)
		return NULL;
	if (has_plain_names(&unit))
		mark_below(&marking, &unit);
	mark_lines(&marking, &unit);
	return NULL;
}
