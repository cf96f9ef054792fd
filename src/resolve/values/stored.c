// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells whether a variable's place in memory is ahead of the source, or behind it. gcc moves
 * `subl $1, n` to before the marker of `n--`; and it keeps n in a register for a whole loop, which
 * it stores behind the loop.
 *
 * The surprise: of a variable in a register debug information follows such moves, of a static, and
 * of one whose address is taken, it has the place in memory alone.
 */
#include "arch/arch.h"
#include "base/search.h"
#include "debuginfo/debuginfo.h"
#include "expr/expr.h"
#include "resolve/flow/flow.h"
#include "resolve/flow/function_code.h"
#include "resolve/flow/line_search.h"
#include "resolve/flow/slots.h"
#include "resolve/flow/static_bases.h"
#include "resolve/flow/written.h"
#include "resolve/values/doubts.h"

bool is_of_static(const struct walk *walk)
{
	const struct variable *variable = walk->variable;
	const struct expr *place = variable->loc.expr;

	if (variable->loc.kind != LOC_MEMORY || variable->holds.end)
		return false;
	if (place->op == EXPR_ADD && place->b->op == EXPR_CONST)
		place = place->a;
	return place->op == EXPR_STATIC || place->op == EXPR_CONST ||
	       (place->op == EXPR_REG && place->value == walk->resolver->arch->ip_register);
}

static bool is_marked_in(const struct search *search, unsigned line, uint64_t from, uint64_t to)
{
	const struct row *rows = search->of->rows;
	unsigned count = search->of->nrows;
	size_t first = partition_point(count, i, rows[i].address < from);

	for (size_t i = first; i < count && rows[i].address <= to; i++)
		if (rows[i].is_mark && is_of_line(search->of->instance, &rows[i], line))
			return true;
	return false;
}

static unsigned line_of(const struct search *search, uint64_t address)
{
	const struct row *row = row_around(search->of, address);

	return row && is_own_row(search->of->instance, row) ? row->line : 0;
}

/* The line of the instruction, if that is the position's or a later one, and its statement doesn't
 * begin between the start of the straight-line code and the instruction; else 0. */
static unsigned line_ahead(const struct search *search, uint64_t start, uint64_t address)
{
	unsigned line = line_of(search, address);

	return line >= search->at.line && !is_marked_in(search, line, start, address) ? line : 0;
}

bool stores_to(struct walk *walk, struct effect effect, const struct capture *capture)
{
	struct writes writes = {0};

	effect.written = 0; /* of registers, that is */
	writes_add(walk->resolver, &effect, 0, 0, 0, &writes);
	return write_changes(&writes.list[0], capture->expr, capture_bytes(capture), walk->probed,
			     false);
}

/* The line ahead that may have changed the place last. A function that is called may have the
 * address of a place on the stack; most change no static. Where the stack pointer changes, places
 * on the stack aren't comparable. */
static unsigned find_store(struct walk *walk, const struct search *search, uint64_t start,
			   const struct capture *capture)
{
	struct resolver *resolver = walk->resolver;
	bool is_static = is_of_static(walk);
	unsigned line = 0;
	struct effect effect;
	struct insn insn;

	for (uint64_t at = start; at < search->at.address; at += insn.length) {
		if (!code_effect(resolver, at, &insn, &effect) || !insn.length)
			return 0;
		if ((insn.is_call && !is_static) || stores_to(walk, effect, capture))
			line = line_ahead(search, start, at);
		else if (effect.written >> resolver->arch->stack_register & 1 && !is_static)
			line = 0;
	}
	return line;
}

/* A store to the place, and the markers of its statement. */
struct store {
	uint64_t address;
	unsigned line;
	uint64_t *marks;
	unsigned nmarks;
};

/* Returns false where the store is beside its statement's marker, in the same straight-line code,
 * or there is none. */
static bool find_marks(struct walk *walk, const struct search *search, const struct flow *flow,
		       struct store *store)
{
	uint64_t start = flow_straight_start(flow, store->address),
		 end = flow_straight_end(flow, store->address);

	if (is_marked_in(search, store->line, start, end - 1))
		return false;
	store->marks = arena_array(&walk->resolver->scratch, uint64_t, search->of->nrows + 1);
	store->nmarks = 0;
	for (unsigned i = 0; i < search->of->nrows; i++)
		if (search->of->rows[i].is_mark &&
		    is_of_line(search->of->instance, &search->of->rows[i], store->line))
			store->marks[store->nmarks++] = search->of->rows[i].address;
	return store->nmarks;
}

/* Whether the position may come between the statement and its store, in one execution of the
 * copy. Of a static, in one of the statement as well: `*next ? *next++ : fill()` may store nothing,
 * and store the next time. */
static bool is_pending(const struct search *search, const struct flow *flow,
		       const struct store *store, bool is_static)
{
	const uint64_t others[] = {search->of->instance->entry, store->address};
	uint64_t at = search->at.address;

	return at != others[0] &&
	       flow_reaches_from(flow, store->marks, store->nmarks, at, others, 2) &&
	       (at == store->address ||
		flow_reaches_from(flow, &at, 1, store->address,
				  is_static ? store->marks : others,
				  is_static ? store->nmarks : 1)) &&
	       !(is_static && is_marked_in(search, store->line, at, at));
}

static unsigned static_stores(struct walk *walk, const struct flow *flow,
			      const struct capture *capture, uint64_t **ret)
{
	unsigned count = 0;
	const struct static_bases *bases = static_bases_of(walk->resolver, walk->instance);
	struct effect effect;
	struct insn insn;

	*ret = arena_array(&walk->resolver->scratch, uint64_t, flow_count(flow) + 1);
	for (unsigned i = 0; i < flow_count(flow); i++) {
		uint64_t address = flow_step(flow, i).address;

		if (!code_effect(walk->resolver, address, &insn, &effect))
			continue;
		static_bases_name(bases, &effect);
		if (effect.static_size && stores_to(walk, effect, capture))
			(*ret)[count++] = address;
	}
	return count;
}

static unsigned list_stores(struct walk *walk, const struct search *search, const struct flow *flow,
			    const struct capture *capture, uint64_t **ret)
{
	const struct expr *value = capture->expr;
	bool is_load = value && value->op == EXPR_LOAD;

	if (!value)
		return 0;
	if (is_of_static(walk))
		return static_stores(walk, flow, capture, ret);
	return slot_stores(walk->resolver, walk->instance, search->at.address,
			   is_load ? value->a : value,
			   is_load ? value->size : capture_bytes(capture), ret);
}

static unsigned find_pending(struct walk *walk, const struct search *search,
			     const struct flow *flow, const uint64_t *stores, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		struct store store = {
			.address = stores[i], .line = line_of(search, stores[i]),
		};

		if (store.line && find_marks(walk, search, flow, &store) &&
		    is_pending(search, flow, &store, is_of_static(walk)))
			return store.line;
	}
	return 0;
}

const char *find_stored(struct walk *walk, const struct flow *flow, struct position at,
			const struct capture *capture)
{
	struct line_code of;
	struct search search;
	uint64_t *stores;
	unsigned line, count;

	if (!walk->instance || !at.line || walk->variable->loc.kind != LOC_MEMORY ||
	    line_code_read(walk->resolver, walk->instance, 0, &of))
		return NULL;
	search = search_around(&of, at);
	count = list_stores(walk, &search, flow, capture, &stores);
	if (!search.has_marks)
		return find_disorder(walk, &search, flow, stores, count);
	line = find_store(walk, &search, flow_straight_start(flow, at.address), capture);
	if (line == at.line)
		return "this line's statement has changed it already";
	if (line)
		return arena_printf(walk->resolver->arena,
				    "line %u, which the source has behind this one, has "
				    "changed it already", line);
	line = find_pending(walk, &search, flow, stores, count);
	return line ? arena_printf(walk->resolver->arena,
				   "what line %u makes of it is stored only behind this address",
				   line) : NULL;
}

/* Whether the variable's list has it in a slot of the stack that nothing reads before it is written
 * anew, by that part of the code itself, and no store to the slot is one of this variable before:
 * gcc drops the store that a register was spilled by, once nothing needs it, and the list stays. */
bool is_spill_dropped(const struct walk *walk, const struct flow *flow, struct position at)
{
	const struct variable *variable = walk->variable;
	const struct range *holds = &variable->holds;
	const struct slot_object object = {
		.address = variable->loc.expr,
		.size = (unsigned)variable->type->size,
		.is_aggregate = true,
	};
	uint64_t *stores;
	unsigned count, overwriting = 0;

	if (variable->loc.kind != LOC_MEMORY || !object.size || object.size > 8 ||
	    !slot_is_unread(walk->resolver, walk->instance, at.address, &object, object.address,
			    object.size))
		return false;
	count = slot_stores(walk->resolver, walk->instance, at.address, object.address, object.size,
			    &stores);
	for (unsigned i = 0; i < count; i++) {
		unsigned next = (unsigned)flow_number(flow, stores[i]) + 1;
		uint64_t end = next < flow_count(flow) ? flow_step(flow, next).address : 0;

		if (stores[i] >= at.address && stores[i] < holds->end)
			overwriting++;
		else if (end == holds->start ||
			 variable_at(walk, (struct position){.address = stores[i],
							     .view = VIEW_LAST}))
			return false;
	}
	return overwriting;
}

static bool stores_slot(const struct walk *walk, const struct effect *effect)
{
	return effect->memory == MEMORY_WRITTEN && effect->store_base != NO_REGISTER &&
	       effect->store_size >= walk->variable->type->size &&
	       is_at(walk->variable->loc.expr, effect->store_base, effect->store_offset);
}

/* Whether straight-line code between the addresses stores to the variable's slot. */
static bool is_stored_between(const struct walk *walk, const struct flow *flow, uint64_t start,
			      uint64_t end)
{
	struct effect effect;
	struct insn insn;

	for (int i = flow_number(flow, start); i >= 0 && (unsigned)i < flow_count(flow); i++) {
		uint64_t at = flow_step(flow, (unsigned)i).address;

		if (at >= end)
			return false;
		if (code_effect(walk->resolver, at, &insn, &effect) && !insn.is_call &&
		    stores_slot(walk, &effect))
			return true;
	}
	return false;
}

/* Whether the instruction may read the variable's slot, or change what its address is. Memory that
 * isn't on the stack, as of a copy of `list->top`, is the variable's until it is stored to. */
static bool may_use_slot(const struct walk *walk, const struct effect *effect)
{
	const struct arch *arch = walk->resolver->arch;
	const struct expr *place = walk->variable->loc.expr;
	uint64_t base = place->op == EXPR_ADD ? place->a->value : place->value;

	return (base != arch->stack_register && base != arch->frame_register) ||
	       effect->written >> arch->stack_register & 1 ||
	       (effect->memory == MEMORY_READ && (uint64_t)effect->memory_base == base);
}

/* Whether straight-line code from the address on stores to the variable's slot, before anything
 * that may read it. */
static bool is_stored_next(const struct walk *walk, const struct flow *flow, uint64_t address)
{
	uint64_t end = flow_straight_end(flow, address);
	struct effect effect;
	struct insn insn;

	for (uint64_t at = address; at < end; at += insn.length) {
		if (!code_effect(walk->resolver, at, &insn, &effect) || insn.is_call)
			return false;
		if (stores_slot(walk, &effect))
			return true;
		if (may_use_slot(walk, &effect))
			return false;
	}
	return false;
}

/* Whether the part of the list that has the variable in a slot of the stack begins at the position,
 * and the code there is still to store it: the slot has something else here. Where ways join,
 * another one may have stored it before. */
bool is_stored_here(const struct walk *walk, const struct flow *flow, struct position at)
{
	const struct variable *variable = walk->variable, *prior;

	if (variable->holds.start != at.address || !flow_is_straight(flow, at.address) ||
	    !is_stored_next(walk, flow, at.address) ||
	    is_stored_between(walk, flow, flow_straight_start(flow, at.address), at.address))
		return false;
	prior = variable_at(walk, (struct position){.address = at.address - 1, .view = VIEW_LAST});
	return !prior || prior->loc.kind != LOC_MEMORY;
}
