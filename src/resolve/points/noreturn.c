// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells whether a called function comes back: behind a call of exit() or of the program's own fail()
 * lies other code, to which that call doesn't lead.
 *
 * The surprise: debug information says it of few functions, and stripped programs have none. So the
 * function's code is read; whatever is too long or leads to unknown places is taken to come back.
 */
#include "arch/arch.h"
#include "base/hash.h"
#include "resolve/points/flow.h"
#include "resolve/points/points.h"
#include "target/code.h"
#include "target/target.h"

enum {
	MOST_BYTES = 2048, /* of a function that is read */
	MOST_WAYS = 64,    /* open at a time */
	DEEPEST = 4,       /* calls within calls */
};

struct reading {
	struct resolver *resolver;
	struct decoder *decoder;
	const uint8_t *code;
	uint64_t start;
	uint64_t size;
	uint8_t seen[MOST_BYTES / 8];
	uint64_t open[MOST_WAYS];
	unsigned nopen;
	unsigned depth;
};

static bool is_known(const char *name)
{
	static const char *const names[] = {
		"_Exit", "_ZSt9terminatev", "__assert", "__assert_fail", "__assert_perror_fail",
		"__chk_fail", "__cxa_rethrow", "__cxa_throw", "__fortify_fail", "__longjmp_chk",
		"__stack_chk_fail", "_exit", "_longjmp", "_Unwind_Resume", "abort", "err", "errx",
		"exit", "longjmp", "pthread_exit", "quick_exit", "siglongjmp", "verr", "verrx",
	};

	for (size_t i = 0; name && i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return name && !strncmp(name, "_ZSt", 4) && strstr(name, "__throw_");
}

/* Returns false if that is more than is read. */
static bool add_way(struct reading *reading, uint64_t address)
{
	uint64_t at = address - reading->start;

	if (reading->seen[at / 8] >> at % 8 & 1)
		return true;
	if (reading->nopen == MOST_WAYS)
		return false;
	reading->seen[at / 8] |= (uint8_t)(1 << at % 8);
	reading->open[reading->nopen++] = address;
	return true;
}

static bool comes_back(struct resolver *resolver, struct decoder *decoder, uint64_t function,
		       unsigned depth);

/* Whether the instruction may lead back to the caller, or to where that can't be told. Otherwise
 * the ways from it are added. */
static bool leads_back(struct reading *reading, const struct insn *insn, uint64_t address)
{
	bool goes_on = insn->falls_through;

	if (!insn->length || insn->is_return || insn->is_indirect)
		return true;
	if (insn->is_branch && insn->target - reading->start >= reading->size) {
		if (comes_back(reading->resolver, reading->decoder, insn->target,
			       reading->depth + 1))
			return true;
	} else if (insn->is_branch && !add_way(reading, insn->target)) {
		return true;
	}
	if (insn->is_call)
		goes_on = goes_on && (!insn->callee ||
				      comes_back(reading->resolver, reading->decoder, insn->callee,
						 reading->depth + 1));
	address += insn->length;
	return goes_on && (address - reading->start >= reading->size || !add_way(reading, address));
}

static bool read_function(struct reading *reading)
{
	if (!add_way(reading, reading->start))
		return true;
	while (reading->nopen) {
		uint64_t address = reading->open[--reading->nopen];
		uint64_t at = address - reading->start;
		struct insn insn;

		decoder_next(reading->decoder, reading->code + at, reading->size - at, address,
			     &insn);
		if (leads_back(reading, &insn, address))
			return true;
	}
	return false;
}

static bool comes_back(struct resolver *resolver, struct decoder *decoder, uint64_t function,
		       unsigned depth)
{
	const struct symbol *symbol = target_symbol_at(resolver->target, function, NULL);
	struct reading reading = {resolver, decoder, .start = function, .depth = depth};
	size_t length;

	if (is_known(code_callee(resolver, decoder, function)))
		return false;
	if (depth > DEEPEST || !symbol || symbol->address != function || !symbol->size ||
	    symbol->size > MOST_BYTES)
		return true;
	reading.size = symbol->size;
	reading.code = target_bytes(resolver->target, function, &length);
	return !reading.code || length < reading.size || read_function(&reading);
}

bool call_comes_back(struct resolver *resolver, struct decoder *decoder, uint64_t callee)
{
	enum { KEPT = sizeof(resolver->callees) / sizeof(*resolver->callees) };
	struct callee *kept = &resolver->callees[number_hash(callee) % KEPT];

	if (!callee || resolver->target->is_relocatable)
		return true;
	if (kept->address != callee)
		*kept = (struct callee){callee, comes_back(resolver, decoder, callee, 0)};
	return kept->comes_back;
}
