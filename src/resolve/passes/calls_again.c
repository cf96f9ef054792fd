// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells that an execution makes one call of the source twice between two probed addresses: an
 * unrolled loop, whose rounds the compiler doesn't tell apart.
 *
 * The surprise: calls are the only instructions to go by. Others are moved and split, so that a
 * statement's code begins again where no pass does.
 */
#include "arch/arch.h"
#include "resolve/flow/flow.h"
#include "resolve/flow/function_code.h"
#include "resolve/flow/line_code.h"
#include "resolve/passes/merged.h"
#include "target/code.h"
#include "target/target.h"

struct source_call {
	uint64_t address;
	uint64_t callee; /* 0: by a pointer */
	unsigned line, column;
};

static unsigned find_calls(const struct line_code *of, struct source_call **ret)
{
	struct resolver *resolver = of->resolver;
	struct decoder *decoder = decoder_open(resolver->arch);
	unsigned count = 0;

	*ret = NULL;
	for (unsigned i = 0; decoder && i < of->nrows; i++) {
		const struct row *row = &of->rows[i];
		bool is_wanted = has_instruction(row) &&
				 (of->line ? is_of_line(of->instance, row, of->line) :
					     is_own_row(of->instance, row));
		struct insn insn = {.length = 1};
		size_t length = 0;
		const uint8_t *code =
			is_wanted ? target_bytes(resolver->target, row->address, &length) : NULL;

		for (uint64_t at = row->address;
		     code && insn.length && at < row->end && at - row->address < length;
		     at += insn.length) {
			decoder_next(decoder, code + (at - row->address),
				     length - (at - row->address), at, &insn);
			if (insn.length && insn.is_call)
				arena_append(resolver->arena, *ret, count) = (struct source_call){
					at, insn.callee, row->line, row->column};
		}
	}
	decoder_close(decoder);
	return count;
}

/* Whether the compiler puts calls of the function in by itself, several for one operation of the
 * source (-fsanitize). */
static bool is_check(const char *name)
{
	static const char *const prefixes[] = {"__asan_", "__hwasan_", "__msan_",
					       "__tsan_", "__ubsan_",  "__sanitizer_"};

	for (unsigned i = 0; name && i < sizeof(prefixes) / sizeof(*prefixes); i++)
		if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
			return true;
	return false;
}

static bool has_check(struct resolver *resolver, const struct source_call *calls, unsigned count)
{
	struct decoder *decoder = decoder_open(resolver->arch);
	bool found = false;

	for (unsigned i = 0; decoder && i < count && !found; i++)
		found = calls[i].callee &&
			is_check(code_callee(resolver, decoder, calls[i].callee));
	decoder_close(decoder);
	return found;
}

bool calls_checks(const struct line_code *of)
{
	struct source_call *calls;
	unsigned count = find_calls(of, &calls);

	return has_check(of->resolver, calls, count);
}

static bool is_same(const struct source_call *a, const struct source_call *b)
{
	return a->line == b->line && a->column == b->column && a->callee == b->callee;
}

bool calls_again(const struct line_code *of, const struct candidates *list)
{
	enum { MOST = 256 };
	struct source_call *calls;
	unsigned count = of->flow ? find_calls(of, &calls) : 0;

	for (unsigned i = 0; i < count && count <= MOST; i++)
		for (unsigned j = 0; j < count; j++)
			if (i != j && is_same(&calls[i], &calls[j]) &&
			    flow_reaches_from(of->flow, &calls[i].address, 1, calls[j].address,
					      list->addresses, list->count) &&
			    !has_check(of->resolver, &calls[i], 1))
				return true;
	return false;
}
