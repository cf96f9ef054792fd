// SPDX-License-Identifier: GPL-2.0-only
/*
 * A function's code as address ranges, and a walk over its instructions. The compiler moves what
 * rarely runs elsewhere (work.cold): that is the function's code, too.
 */
#include <stdlib.h>

#include "arch/arch.h"
#include "base/hash.h"
#include "base/last.h"
#include "resolve/flow/function_code.h"
#include "target/code.h"
#include "target/target.h"

bool code_has(const struct function_code *code, uint64_t address)
{
	for (unsigned i = 0; i < code->nranges; i++)
		if (address >= code->ranges[i].start && address < code->ranges[i].end)
			return true;
	return false;
}

struct known_effect {
	uint64_t address;
	struct insn insn; /* of length 0: not known */
	struct effect effect;
};

static struct known_effect decode_effect(struct resolver *resolver, uint64_t address)
{
	struct known_effect ret = {.address = address};
	size_t length = 0;
	const uint8_t *bytes = target_bytes(resolver->target, address, &length);
	struct decoder *decoder = bytes ? decoder_open(resolver->arch) : NULL;

	if (!decoder)
		return ret;
	decoder_next(decoder, bytes, length, address, &ret.insn);
	if (ret.insn.length)
		decoder_effect(decoder, &ret.effect);
	decoder_close(decoder);
	return ret;
}

/* Several doubts about a value, and about the next one, go over the same instructions. */
bool code_effect(struct resolver *resolver, uint64_t address, struct insn *insn,
		 struct effect *effect)
{
	struct known_effect *known;

	if (!resolver->effects)
		resolver->effects = calloc(EFFECTS_KEPT, sizeof(*known));
	if (!resolver->effects)
		out_of_memory();
	known = &resolver->effects[number_hash(address) % EFFECTS_KEPT];
	if (known->address != address || !known->insn.length)
		*known = decode_effect(resolver, address);
	*insn = known->insn;
	*effect = known->effect;
	return insn->length;
}

const char *code_callee(struct resolver *resolver, struct decoder *decoder, uint64_t callee)
{
	enum { LONGEST_STUB = 3 };
	const struct symbol *symbol;
	size_t length;
	const uint8_t *code = target_bytes(resolver->target, callee, &length);
	uint64_t at = callee;
	struct insn insn;

	for (unsigned i = 0; code && length && i < LONGEST_STUB; i++) {
		decoder_next(decoder, code, length, at, &insn);
		if (!insn.length || insn.is_call || insn.is_branch || insn.is_return)
			break;
		if (insn.slot)
			return target_slot_import(resolver->target, insn.slot);
		code += insn.length;
		at += insn.length;
		length -= insn.length;
	}
	symbol = target_symbol_at(resolver->target, callee, NULL);
	return symbol && symbol->address == callee ? symbol->name : NULL;
}

static void add_range(struct function_code *code, struct range range)
{
	if (range.start < range.end && !code_has(code, range.start))
		arena_append(code->resolver->arena, code->ranges, code->nranges) = range;
}

static void find_ranges(struct function_code *code, const struct point *point)
{
	const struct instance *instance = point->instance;
	const struct symbol *symbol = target_symbol_at(code->resolver->target, code->entry,
						       point->symbol);
	struct code_part part;

	for (unsigned i = 0; instance && i < instance->nranges; i++)
		add_range(code, instance->ranges[i]);
	if (!code->nranges && symbol && symbol->address == code->entry)
		add_range(code, (struct range){symbol->address, symbol->address + symbol->size});
	if (!code->nranges && target_part_at(code->resolver->target, code->entry, &part) &&
	    part.start == code->entry)
		add_range(code, (struct range){part.start, part.end});
}

/* "work.cold" is a part of "work". */
static bool is_cold_part(const struct function_code *code, const struct symbol *symbol)
{
	const struct symbol *whole = target_symbol_at(code->resolver->target, code->entry, NULL);
	const char *cold = strstr(symbol->name, ".cold");

	return whole && cold &&
	       !strncmp(symbol->name, whole->name, (size_t)(cold - symbol->name)) &&
	       (cold - symbol->name) == (ptrdiff_t)strlen(whole->name);
}

/* Calls `each` with each instruction and the one before it. Returns false if some can't be
 * decoded. */
bool code_each(struct function_code *code, insn_visitor each, void *cookie)
{
	struct resolver *resolver = code->resolver;
	struct decoder *decoder = decoder_open(resolver->arch);
	bool whole = decoder && code->nranges;

	for (unsigned i = 0; whole && i < code->nranges; i++) {
		struct range range = code->ranges[i];
		struct insn insn, before = {.sum_register = NO_REGISTER};
		size_t length;
		const uint8_t *bytes = target_bytes(resolver->target, range.start, &length);

		whole = bytes && length >= range.end - range.start;
		for (uint64_t at = range.start; whole && at < range.end; at += insn.length) {
			decoder_next(decoder, bytes + (at - range.start), range.end - at, at,
				     &insn);
			whole = insn.length;
			if (whole)
				each(cookie, &insn, &before, at);
			before = insn;
		}
	}
	decoder_close(decoder);
	return whole;
}

static void add_cold(void *cookie, const struct insn *insn, const struct insn *before,
		     uint64_t address)
{
	struct function_code *code = cookie;
	struct target *target = code->resolver->target;
	const struct symbol *symbol;
	struct code_part part;

	(void)before;
	if (!insn->is_branch || code_has(code, insn->target))
		return;
	symbol = target_symbol_at(target, insn->target, NULL);
	if (symbol && is_cold_part(code, symbol))
		add_range(code, (struct range){symbol->address, symbol->address + symbol->size});
	/* if there are no symbols: it is entered with this function's frame, so it is a part of
	 * this one */
	else if (target_stack_state(target, address) == STACK_FRAMED &&
		 target_part_at(target, insn->target, &part) &&
		 target_stack_state(target, part.start) == STACK_FRAMED)
		add_range(code, (struct range){part.start, part.end});
}

const char *code_find(struct resolver *resolver, const struct point *point,
		      struct function_code *ret)
{
	unsigned before;

	*ret = (struct function_code){.resolver = resolver, .entry = point->at.address};
	find_ranges(ret, point);
	if (!ret->nranges)
		return "no symbol says how long it is";
	do {
		before = ret->nranges;
		if (!code_each(ret, add_cold, ret))
			return "its code can't be decoded";
	} while (ret->nranges > before);
	return NULL;
}
