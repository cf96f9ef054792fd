// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells whether a called function comes back: a call of exit() or of the program's own fail()
 * doesn't lead to what lies behind it, which is other code.
 *
 * The surprise: no debug information is needed. A compiler that knows of such a function puts no
 * return into it, nor into what always ends in it. So its code is read, up to the first way out; of
 * another library's function there is only the name.
 */
#include "arch/arch.h"
#include "base/hash.h"
#include "resolve/flow/function_code.h"
#include "target/code.h"
#include "target/target.h"

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

static bool is_way_out(const struct insn *insn, const struct symbol *symbol)
{
	return !insn->length || insn->is_return || insn->is_indirect ||
	       (insn->is_branch && insn->target - symbol->address >= symbol->size);
}

static bool comes_back(struct resolver *resolver, struct decoder *decoder, uint64_t callee)
{
	enum { MOST_BYTES = 4096 };
	const struct symbol *symbol = target_symbol_at(resolver->target, callee, NULL);
	size_t length;
	const uint8_t *code = target_bytes(resolver->target, callee, &length);
	struct insn insn;

	/* a program may have an err() of its own */
	if (!symbol || symbol->address != callee || !symbol->size)
		return !is_known(code_callee(resolver, decoder, callee));
	if (!code || symbol->size > length || symbol->size > MOST_BYTES)
		return true;
	for (uint64_t at = 0; at < symbol->size; at += insn.length) {
		decoder_next(decoder, code + at, symbol->size - at, callee + at, &insn);
		if (is_way_out(&insn, symbol))
			return true;
	}
	return false;
}

void calls_expect(struct resolver *resolver, const struct flow_call *calls, unsigned count)
{
	enum { AT_ONCE = 32 };
	bool is_listed[CALLEES_KEPT] = {false}; /* by its place in resolver->callees */
	uint64_t list[AT_ONCE];
	unsigned listed = 0;

	for (unsigned i = 0; i < count && !resolver->target->is_relocatable; i++) {
		uint64_t callee = calls[i].callee;
		uint32_t at = number_hash(callee) % CALLEES_KEPT;

		if (!callee || is_listed[at] || resolver->callees[at].address == callee)
			continue;
		is_listed[at] = true;
		list[listed++] = callee;
		if (listed == AT_ONCE) {
			target_expect_places(resolver->target, list, listed);
			listed = 0;
		}
	}
	target_expect_places(resolver->target, list, listed);
}

bool call_comes_back(struct resolver *resolver, struct decoder *decoder, uint64_t callee)
{
	struct callee *kept = &resolver->callees[number_hash(callee) % CALLEES_KEPT];

	if (!callee || resolver->target->is_relocatable)
		return true;
	if (kept->address != callee)
		*kept = (struct callee){callee, comes_back(resolver, decoder, callee)};
	return kept->comes_back;
}
