// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves of most inlined copies that no way leads into them but by their entries, without the
 * control flow of the function around them: to decode all of that costs several times as much.
 *
 * The surprise: bytes are searched, not instructions. Wherever an instruction may begin, no jump
 * into the copy is missed; what only looks like one is decoded, from the row before it on.
 */
#include "arch/arch.h"
#include "debuginfo/debuginfo.h"
#include "resolve/flow/flow.h"
#include "resolve/flow/line_code.h"
#include "resolve/points/kinds.h"
#include "target/code.h"
#include "target/target.h"

enum {
	PARTS_MAX = 8,
	GAP_MAX = 64, /* bytes of others' code between two ranges, which belong to one part then */
};

struct closing {
	struct resolver *resolver;
	const struct instance *instance;
	struct range parts[PARTS_MAX]; /* the copy's code, and what lies in its gaps; ascending */
	unsigned nparts;
	const struct flow *flow; /* of the parts alone */
	struct decoder *decoder;
	uint64_t *ways; /* where in the parts an execution may arrive */
	unsigned nways;
};

static void add_range(struct closing *of, const struct range *range)
{
	struct range *last = of->nparts ? &of->parts[of->nparts - 1] : NULL;

	if (last && range->start >= last->end && range->start - last->end <= GAP_MAX)
		last->end = range->end;
	else
		of->parts[of->nparts++] = *range;
}

static bool read_parts(struct closing *of)
{
	struct range ranges[PARTS_MAX];
	unsigned count = of->instance->nranges;

	if (count > PARTS_MAX)
		return false;
	for (unsigned i = 0; i < count; i++)
		ranges[i] = of->instance->ranges[i];
	sort_ranges(ranges, count);
	for (unsigned i = 0; i < count; i++)
		add_range(of, &ranges[i]);
	of->flow = flow_of(of->resolver, &of->resolver->scratch, of->parts, of->nparts);
	return of->flow;
}

static bool is_in_parts(const struct closing *of, uint64_t address)
{
	for (unsigned i = 0; i < of->nparts; i++)
		if (address >= of->parts[i].start && address < of->parts[i].end)
			return true;
	return false;
}

static void add_way(struct closing *of, uint64_t to)
{
	arena_append(&of->resolver->scratch, of->ways, of->nways) = to;
}

/* The instruction that the byte is in, decoded from the row before it on. Returns false if that
 * isn't known. */
static bool insn_around(const struct closing *of, uint64_t address, struct insn *ret)
{
	uint64_t at = debuginfo_row_before(of->resolver->info, of->instance, address);
	const uint8_t *code;
	size_t length;

	if (!at || address - at > GAP_MAX)
		return false;
	do {
		code = target_bytes(of->resolver->target, at, &length);
		if (!code || !length)
			return false;
		decoder_next(of->decoder, code, length, at, ret);
		at += ret->length;
	} while (ret->length && at <= address);
	return ret->length;
}

/* The code in front of a part may run on into it. */
static void add_run(struct closing *of, const struct range *part)
{
	struct insn insn;

	if (!insn_around(of, part->start - 1, &insn) || insn.falls_through)
		add_way(of, part->start);
}

/* from: a byte that looks like a jump, unless it is in an instruction that isn't one. */
static void add_jump(struct closing *of, uint64_t from, uint64_t to)
{
	struct insn insn;

	if (is_in_parts(of, to) && !is_in_parts(of, from) && flow_has(of->flow, to) &&
	    (!insn_around(of, from, &insn) || (insn.is_branch && insn.target == to)))
		add_way(of, to);
}

static bool add_jumps(struct closing *of, const struct range *range)
{
	const struct arch *arch = of->resolver->arch;
	size_t length, size = range->end - range->start;
	const uint8_t *code = target_bytes(of->resolver->target, range->start, &length);
	uint64_t to;

	for (size_t i = 0; code && size <= length && i < size; i++)
		if (arch_jump_at(arch, code + i, size - i, range->start + i, &to))
			add_jump(of, range->start + i, to);
	return code && size <= length;
}

static void add_hidden_jumps(struct closing *of, const struct range *range)
{
	size_t count;
	const struct edge *edges = target_edges(of->resolver->target, &of->resolver->scratch,
						range->start, range->end, &count);

	for (size_t i = 0; i < count; i++)
		if (is_in_parts(of, edges[i].to) && !is_in_parts(of, edges[i].from))
			add_way(of, edges[i].to);
}

static bool find_ways(struct closing *of)
{
	const struct instance *instance = of->instance;

	if (is_in_parts(of, instance->outer_ranges[0].start))
		add_way(of, instance->outer_ranges[0].start);
	for (unsigned i = 0; i < of->nparts; i++)
		add_run(of, &of->parts[i]);
	for (unsigned i = 0; i < instance->nouter_ranges; i++) {
		if (!add_jumps(of, &instance->outer_ranges[i]))
			return false;
		add_hidden_jumps(of, &instance->outer_ranges[i]);
	}
	return true;
}

/* A jump by a table: where it leads isn't known here. */
static bool has_indirect(const struct flow *flow, const bool *marks)
{
	for (unsigned i = 0; i < flow_count(flow); i++)
		if (flow_step(flow, i).is_indirect &&
		    flow_marked(flow, marks, flow_step(flow, i).address))
			return true;
	return false;
}

const bool *code_past_entries(struct resolver *resolver, const struct instance *instance,
			      const struct candidates *entries, const struct flow **ret)
{
	struct closing of = {.resolver = resolver, .instance = instance};
	const bool *marks = NULL;

	if (!read_parts(&of))
		return NULL;
	of.decoder = decoder_open(resolver->arch);
	if (of.decoder && find_ways(&of))
		marks = flow_reached(of.flow, &resolver->scratch, of.ways, of.nways,
				     entries->addresses, entries->count);
	decoder_close(of.decoder);
	*ret = of.flow;
	return marks && !has_indirect(of.flow, marks) ? marks : NULL;
}
