// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds functions of which a copy's code may have become one with another call's. LLVM gives such
 * code line 0 and no copy, so that the call leaves nothing in debug information.
 *
 * The surprise: it is known by what it does. Code without a line that stores and calls all that the
 * copies do, in a function that has copies, is taken for theirs.
 */
#include "arch/arch.h"
#include "debuginfo/debuginfo.h"
#include "resolve/flow/function_code.h"
#include "resolve/flow/line_code.h"
#include "resolve/passes/merged.h"
#include "target/target.h"

enum { DEEDS_MOST = 24 };

/* A call of a function, or a store to memory other than the stack. */
struct deed {
	uint64_t at; /* the function, or the static; 0: a member's store */
	int64_t offset; /* of the member */
	unsigned size; /* 0: a call */
};

struct deeds {
	struct deed list[DEEDS_MOST];
	unsigned count;
	bool is_more; /* than fit */
};

/* An out-of-line function, and what is inlined into it. */
struct outer_code {
	struct row *rows;
	unsigned nrows;
	struct instance **inner;
	unsigned ninner;
};

static bool has_deed(const struct deeds *deeds, const struct deed *deed)
{
	for (unsigned i = 0; i < deeds->count; i++)
		if (deeds->list[i].at == deed->at && deeds->list[i].offset == deed->offset &&
		    deeds->list[i].size == deed->size)
			return true;
	return false;
}

static void add_deed(struct deeds *deeds, const struct deed *deed)
{
	if (has_deed(deeds, deed))
		return;
	deeds->is_more |= deeds->count == DEEDS_MOST;
	if (deeds->count < DEEDS_MOST)
		deeds->list[deeds->count++] = *deed;
}

static bool deed_of(struct resolver *resolver, const struct insn *insn,
		    const struct effect *effect, struct deed *ret)
{
	int base = effect->store_base;

	*ret = (struct deed){0};
	if (insn->is_call)
		ret->at = insn->callee;
	else if (effect->static_size && effect->static_at)
		*ret = (struct deed){.at = effect->static_at, .size = effect->static_size};
	else if (effect->store_size && base != NO_REGISTER &&
		 base != (int)resolver->arch->stack_register)
		*ret = (struct deed){.offset = effect->store_offset, .size = effect->store_size};
	return ret->at || ret->size;
}

static void add_deeds(struct resolver *resolver, uint64_t start, uint64_t end, struct deeds *ret)
{
	struct insn insn = {.length = 1};
	struct effect effect;
	struct deed deed;

	for (uint64_t at = start; at < end; at += insn.length) {
		if (!code_effect(resolver, at, &insn, &effect)) {
			ret->is_more = true;
			return;
		}
		if (deed_of(resolver, &insn, &effect, &deed))
			add_deed(ret, &deed);
	}
}

static void deeds_of_copy(struct resolver *resolver, const struct instance *copy,
			  struct deeds *ret)
{
	*ret = (struct deeds){0};
	for (unsigned i = 0; i < copy->nranges; i++)
		add_deeds(resolver, copy->ranges[i].start, copy->ranges[i].end, ret);
}

/* Leaves what both have. */
static void keep_common(struct deeds *deeds, const struct deeds *others)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < deeds->count; i++)
		if (has_deed(others, &deeds->list[i]))
			deeds->list[kept++] = deeds->list[i];
	deeds->count = kept;
}

/* Returns false if the copies have nothing in common by which they could be known. */
static bool common_deeds(struct resolver *resolver, struct instance *const *all, unsigned count,
			 struct deeds *ret)
{
	struct deeds one;
	bool is_first = true;

	for (unsigned i = 0; i < count; i++) {
		if (!all[i]->inlined || !all[i]->nranges)
			continue;
		deeds_of_copy(resolver, all[i], &one);
		if (one.is_more)
			return false;
		if (is_first)
			*ret = one;
		else
			keep_common(ret, &one);
		is_first = false;
	}
	return !is_first && ret->count;
}

static bool is_in_copy(struct instance *const *inner, unsigned count, uint64_t address)
{
	for (unsigned i = 0; i < count; i++)
		if (is_inside(inner[i], address))
			return true;
	return false;
}

/* From one row's end to the next row: code without a line, unless a copy has it. */
static void add_gap(struct resolver *resolver, const struct outer_code *outer, uint64_t start,
		    uint64_t end, struct deeds *ret)
{
	struct insn insn = {.length = 1};
	struct effect effect;

	for (uint64_t at = start; at < end; at += insn.length) {
		struct deed deed;

		if (!code_effect(resolver, at, &insn, &effect))
			return;
		if (!is_in_copy(outer->inner, outer->ninner, at) &&
		    deed_of(resolver, &insn, &effect, &deed))
			add_deed(ret, &deed);
	}
}

static bool outer_of(struct resolver *resolver, const struct instance *copy,
		     struct outer_code *ret)
{
	struct instance **all;
	unsigned count;

	if (debuginfo_instances(resolver->info, copy->outer, &all, &count))
		return false;
	for (unsigned i = 0; i < count; i++)
		if (all[i]->source == copy->outer_source)
			return !debuginfo_rows(resolver->info, all[i], &ret->rows, &ret->nrows) &&
			       !debuginfo_inner(resolver->info, all[i], &ret->inner,
						&ret->ninner);
	return false;
}

/* What code without a line does in the function around the copy. */
static bool lineless_deeds(struct resolver *resolver, const struct instance *copy,
			   struct deeds *ret)
{
	struct outer_code outer;

	*ret = (struct deeds){0};
	if (!outer_of(resolver, copy, &outer))
		return false;
	for (unsigned i = 0; i < copy->nouter_ranges; i++) {
		uint64_t at = copy->outer_ranges[i].start, end = copy->outer_ranges[i].end;

		for (unsigned j = 0; j < outer.nrows; j++) {
			const struct row *row = &outer.rows[j];

			if (row->end <= at || row->address >= end)
				continue;
			add_gap(resolver, &outer, at, row->address, ret);
			at = row->end;
		}
		add_gap(resolver, &outer, at, end, ret);
	}
	return true;
}

static bool has_all(const struct deeds *deeds, const struct deeds *wanted)
{
	for (unsigned i = 0; i < wanted->count; i++)
		if (!has_deed(deeds, &wanted->list[i]))
			return false;
	return true;
}

bool may_be_one_code(struct resolver *resolver, struct instance *const *all, unsigned count)
{
	struct deeds wanted, deeds;
	uint64_t last = 0; /* most copies of a function are side by side */

	if (!common_deeds(resolver, all, count, &wanted))
		return false;
	for (unsigned i = 0; i < count; i++) {
		if (!all[i]->inlined || all[i]->outer_source == last)
			continue;
		last = all[i]->outer_source;
		if (lineless_deeds(resolver, all[i], &deeds) && has_all(&deeds, &wanted))
			return true;
	}
	return false;
}
