// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds statements of which clang left a load on one way alone, as a register has the value on the
 * others: their passes have no event.
 *
 * The surprise: the same load of another line tells, into the register that the line's own value is
 * in where the ways join. What `if (changed) n = *p;` skips has another value there.
 */
#include "arch/arch.h"
#include "resolve/flow/flow.h"
#include "resolve/flow/function_code.h"
#include "resolve/flow/line_code.h"
#include "resolve/passes/merged.h"

/* A value in memory, and the registers that have it. */
struct value {
	int base;
	int64_t offset;
	unsigned size;
	uint64_t registers;
};

static bool has_value(const struct value *value, int number)
{
	return number >= 0 && number < 64 && value->registers >> number & 1;
}

static bool is_jump(const struct insn *insn)
{
	return insn->is_branch && !insn->falls_through && insn->target;
}

/* Whether the row has no more than the load at the address and a jump. */
static bool is_no_more(const struct line_code *of, const struct row *row, uint64_t address)
{
	struct insn insn = {.length = 1};
	struct effect effect;

	for (uint64_t at = row->address; at < row->end; at += insn.length)
		if (!code_effect(of->resolver, at, &insn, &effect) ||
		    (at == address ? !effect.load_size : !is_jump(&insn)))
			return false;
	return true;
}

/* The only instruction of the line but for jumps, if it is a load. */
static bool find_load(const struct line_code *of, uint64_t address, struct value *ret)
{
	struct effect effect;
	struct insn insn;

	for (unsigned i = 0; i < of->nrows; i++)
		if (is_of_line(of->instance, &of->rows[i], of->line) &&
		    !is_no_more(of, &of->rows[i], address))
			return false;
	if (!code_effect(of->resolver, address, &insn, &effect) || !effect.load_size ||
	    effect.copy_to >= 64)
		return false;
	*ret = (struct value){effect.load_base, effect.load_offset, effect.load_size,
			      UINT64_C(1) << effect.copy_to};
	return true;
}

static void keep_copies(struct value *value, const struct effect *effect)
{
	bool is_copy = !effect->load_size && has_value(value, effect->copy_from);

	value->registers &= ~effect->written;
	if (is_copy && effect->copy_to >= 0 && effect->copy_to < 64)
		value->registers |= UINT64_C(1) << effect->copy_to;
}

/* Follows the value from the load to where other ways join. Returns that address; 0: there is none,
 * or the value is lost. */
static uint64_t follow(const struct line_code *of, uint64_t load, struct value *value)
{
	enum { MOST = 32 }; /* instructions */
	struct effect effect;
	struct insn insn;
	uint64_t at = load;

	for (unsigned i = 0; i < MOST; i++) {
		if (!code_effect(of->resolver, at, &insn, &effect) || insn.is_call ||
		    (insn.is_branch && !is_jump(&insn)))
			return 0;
		if (at != load)
			keep_copies(value, &effect);
		at = is_jump(&insn) ? insn.target : at + insn.length;
		if (!value->registers || !flow_has(of->flow, at))
			return 0;
		if (!flow_is_straight(of->flow, at))
			return at;
	}
	return 0;
}

static bool is_loaded_by(const struct effect *effect, const struct value *value)
{
	return effect->load_size == value->size && effect->load_base == value->base &&
	       effect->load_offset == value->offset && has_value(value, effect->copy_to);
}

/* The line's load, and where the register may become something else. */
static void collect_stops(const struct line_code *of, uint64_t address, int number, uint64_t but,
			  struct candidates *ret)
{
	uint32_t preserved = of->resolver->arch->preserved;
	struct effect effect;
	struct insn insn;

	ret->addresses = arena_array(&of->resolver->scratch, uint64_t, flow_count(of->flow) + 1);
	ret->addresses[0] = address;
	ret->count = 1;
	for (unsigned i = 0; i < flow_count(of->flow); i++) {
		uint64_t at = flow_step(of->flow, i).address;

		if (at != but && at != address && code_effect(of->resolver, at, &insn, &effect) &&
		    (effect.written >> number & 1 ||
		     (insn.is_call && !(preserved >> number & 1))))
			ret->addresses[ret->count++] = at;
	}
}

static bool is_kept_to(const struct line_code *of, uint64_t address, uint64_t load, int number,
		       uint64_t join)
{
	struct candidates stops;

	if (!flow_reaches_from(of->flow, &load, 1, join, &address, 1))
		return false;
	collect_stops(of, address, number, load, &stops);
	return flow_reaches_from(of->flow, &load, 1, join, stops.addresses, stops.count);
}

/* The line above with such a load that leads to the join past the line, with the value in the
 * register; 0: there is none. */
static unsigned line_of_load(const struct line_code *of, uint64_t address, uint64_t join,
			     const struct value *value)
{
	for (unsigned i = 0; i < of->nrows; i++) {
		const struct row *row = &of->rows[i];
		struct insn insn = {.length = 1};
		struct effect effect;

		if (!is_own_row(of->instance, row) || row->line >= of->line)
			continue;
		for (uint64_t at = row->address; at < row->end; at += insn.length) {
			if (!code_effect(of->resolver, at, &insn, &effect))
				break;
			if (is_loaded_by(&effect, value) &&
			    is_kept_to(of, address, at, effect.copy_to, join))
				return row->line;
		}
	}
	return 0;
}

unsigned partial_load(const struct line_code *of, const struct candidates *list)
{
	struct value value;
	uint64_t join;

	if (!of->flow || list->count != 1 || !find_load(of, list->addresses[0], &value))
		return 0;
	join = follow(of, list->addresses[0], &value);
	return join ? line_of_load(of, list->addresses[0], join, &value) : 0;
}
