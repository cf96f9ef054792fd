// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keeps what functions and variables of some names need, for a small pack: the nodes with the
 * functions' code, those with code that they are inlined into, all that these refer to; and the
 * rows of that code. Units with nothing of it are left out. Beside such a function or definition
 * all variables outside functions are kept that the unit knows, so that a name means there what it
 * means by the whole.
 */
#include <stdlib.h>

#include "base/last.h"
#include "base/syscall_name.h"
#include "pack/build.h"

struct keeping {
	struct build *build;
	const struct pack_writing *writing;
	bool *is_found; /* by glob: it matches a name */
	uint32_t base;  /* the unit's first node */
	enum match {
		MATCH_NONE,
		MATCH_BESIDE, /* another variable outside functions: kept beside what matches */
		MATCH_DECLARED, /* such a variable's declaration: likewise */
		MATCH_WHOLE,	/* such a function, a copy of one, or such a variable */
	} *matches; /* by DIE of the unit */
	size_t die;     /* the next one */
	size_t nmatches;
	uint32_t *work; /* nodes whose references are to be followed */
	size_t nwork;
};

static bool is_function(const struct source_abbrev *abbrev)
{
	return abbrev->tag == DW_TAG_subprogram || abbrev->tag == DW_TAG_inlined_subroutine;
}

static bool has_name(const struct keeping *keeping, const struct source_attribute *attribute,
		     const struct value *value)
{
	bool ret = false;

	if (attribute->name != DW_AT_name && attribute->name != DW_AT_linkage_name)
		return false;
	for (unsigned i = 0; attribute->code == CODE_TEXT && i < keeping->writing->nonly; i++)
		if (syscall_glob_matches(keeping->writing->only[i], (const char *)value->bytes)) {
			keeping->is_found[i] = true;
			ret = true;
		}
	return ret;
}

static bool may_match(const struct source_abbrev *abbrev, unsigned depth)
{
	return is_function(abbrev) || (abbrev->tag == DW_TAG_variable && depth == 1);
}

static bool find_name(struct build *build, const struct source_unit *unit,
		      const struct visit *visit, void *cookie)
{
	struct keeping *keeping = cookie;
	const struct source_abbrev *abbrev = visit->die->abbrev;

	(void)build;
	(void)unit;
	if (!abbrev || !visit->depth || !may_match(abbrev, visit->depth))
		return true;
	for (unsigned i = 0; i < abbrev->nattributes; i++)
		keeping->nmatches +=
			has_name(keeping, &abbrev->attributes[i], &visit->die->values[i]);
	return true;
}

/* A copy that has no name itself is in the unit of what it is a copy of. */
bool choose_units(struct build *build, const struct pack_writing *writing)
{
	struct keeping keeping = {
		.build = build, .writing = writing, .is_found = build->file->output->is_found};
	size_t units = 0;

	for (size_t i = 0; i < build->nunits; i++) {
		say_progress(build->file, "choosing", (unsigned)(i * 100 / build->nunits));
		keeping.nmatches = 0;
		arena_reset(&build->unit_arena);
		if (!open_source_unit(&build->source, &build->units[i]) ||
		    !walk_unit(build, &build->units[i], find_name, &keeping))
			return false;
		if (keeping.nmatches)
			build->units[units++] = build->units[i];
	}
	build->nunits = units;
	return true;
}

static bool is_copy(const struct keeping *keeping, const struct source_unit *unit,
		    const struct source_attribute *attribute, const struct value *value)
{
	const struct die_place *place;

	if (attribute->code != CODE_REF ||
	    (attribute->name != DW_AT_abstract_origin && attribute->name != DW_AT_specification))
		return false;
	place = die_place(keeping->build, unit->start + value->number);
	return place && keeping->matches[place - keeping->build->dies] >= MATCH_DECLARED;
}

static bool match_die(struct build *build, const struct source_unit *unit,
		      const struct visit *visit, void *cookie)
{
	struct keeping *keeping = cookie;
	const struct source_abbrev *abbrev = visit->die->abbrev;
	size_t number = keeping->die;
	bool is_named = false, is_defined = false;

	(void)build;
	if (!abbrev || !visit->depth)
		return true;
	keeping->die++;
	if (!may_match(abbrev, visit->depth))
		return true;
	for (unsigned i = 0; i < abbrev->nattributes; i++) {
		is_defined |= abbrev->attributes[i].name == DW_AT_location;
		is_named |= has_name(keeping, &abbrev->attributes[i], &visit->die->values[i]) ||
			    is_copy(keeping, unit, &abbrev->attributes[i], &visit->die->values[i]);
	}
	keeping->nmatches += is_named && keeping->matches[number] < MATCH_DECLARED;
	if (is_named)
		keeping->matches[number] =
			is_function(abbrev) || is_defined ? MATCH_WHOLE : MATCH_DECLARED;
	else if (abbrev->tag == DW_TAG_variable)
		keeping->matches[number] = MATCH_BESIDE;
	return true;
}

static void keep_node(struct keeping *keeping, uint32_t number)
{
	struct node *node = &keeping->build->nodes[number];

	if (node->is_kept)
		return;
	node->is_kept = true;
	keeping->work[keeping->nwork++] = number;
}

static void follow(struct keeping *keeping)
{
	const struct build *build = keeping->build;

	while (keeping->nwork) {
		const struct node *node = &build->nodes[keeping->work[--keeping->nwork]];

		for (uint32_t i = 0; i < node->nrefs; i++)
			keep_node(keeping, build->refs[node->first_ref + i]);
	}
}

static void add_range(struct build *build, uint64_t start, uint64_t end)
{
	arena_append(build->arena, build->kept_code, build->nkept_code) =
		(struct code_range){start, end};
}

/* The code of functions that are kept. */
static bool note_code(struct build *build, const struct source_unit *unit,
		      const struct visit *visit, void *cookie)
{
	struct keeping *keeping = cookie;
	const struct source_abbrev *abbrev = visit->die->abbrev;
	uint64_t start = 0, size = 0;
	struct list list = {0};
	bool is_good = true;

	if (!abbrev || !visit->depth || abbrev->tag != DW_TAG_subprogram ||
	    !build->nodes[keeping->base + visit->node].is_kept)
		return true;
	for (unsigned i = 0; i < abbrev->nattributes && is_good; i++) {
		const struct source_attribute *attribute = &abbrev->attributes[i];
		uint64_t number = visit->die->values[i].number;

		if (attribute->name == DW_AT_low_pc)
			start = attribute->form == DW_FORM_addr ? number :
				source_address(&build->source.debug, unit, number, &is_good);
		else if (attribute->name == DW_AT_high_pc)
			size = attribute->form == DW_FORM_addr ? number - start : number;
		else if (attribute->name == DW_AT_ranges)
			is_good = read_ranges(&build->source.debug, unit, attribute->form, number,
					      &list);
	}
	if (size)
		add_range(build, start, start + size);
	for (size_t i = 0; i < list.count; i++)
		add_range(build, list.entries[i].start, list.entries[i].end);
	free(list.entries);
	return is_good;
}

/* A copy may refer to a copy, which may come behind it, so it takes a few rounds. */
static bool keep_of_unit(struct keeping *keeping, struct source_unit *unit)
{
	struct build *build = keeping->build;
	bool is_used = false;
	size_t before;

	if (!list_dies(build, unit))
		return false;
	keeping->matches = arena_array(&build->unit_arena, enum match, build->ndies + 1);
	keeping->nmatches = 0;
	do {
		before = keeping->nmatches;
		keeping->die = 0;
		if (!walk_unit(build, unit, match_die, keeping))
			return false;
	} while (keeping->nmatches > before);
	for (size_t i = 0; i < build->ndies; i++)
		is_used |= keeping->matches[i] == MATCH_WHOLE;
	for (size_t i = 0; i < build->ndies && is_used; i++)
		if (keeping->matches[i])
			keep_node(keeping, keeping->base + build->dies[i].node);
	follow(keeping);
	return walk_unit(build, unit, note_code, keeping);
}

/* Moves what is kept to the beginning. References between nodes have been followed, and are not
 * read again. */
static void drop_units(struct build *build)
{
	size_t units = 0, nodes = 0;

	for (size_t i = 0; i < build->nunits; i++) {
		uint32_t first = build->first_node[i], end = build->first_node[i + 1];
		bool is_kept = false;

		for (uint32_t j = first; j < end; j++)
			is_kept |= build->nodes[j].is_kept;
		if (!is_kept)
			continue;
		build->units[units] = build->units[i];
		build->first_node[units++] = (uint32_t)nodes;
		for (uint32_t j = first; j < end; j++)
			build->nodes[nodes++] = build->nodes[j];
	}
	build->nunits = units;
	build->first_node[units] = (uint32_t)nodes;
}

bool keep_only(struct build *build, const struct pack_writing *writing)
{
	struct keeping keeping = {
		.build = build, .writing = writing, .is_found = build->file->output->is_found};
	bool is_good = true;

	keeping.work = malloc((build->nnodes + 1) * sizeof(*keeping.work));
	if (!keeping.work)
		out_of_memory();
	for (size_t i = 0; i < build->nnodes; i++)
		build->nodes[i].is_kept = false;
	for (size_t i = 0; i < build->nunits && is_good; i++) {
		keeping.base = build->first_node[i];
		is_good = keep_of_unit(&keeping, &build->units[i]);
	}
	free(keeping.work);
	drop_units(build);
	return is_good;
}
