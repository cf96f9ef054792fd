// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a live run knows and a dry one doesn't: where static objects are, and how many CPUs there can
 * be. An address that can't be known makes its value unavailable, with the reason.
 */
#include <string.h>

#include "base/kallsyms.h"
#include "expr/expr.h"
#include "cmd/cmd.h"
#include "ktrace/plan.h"
#include "target/target.h"

struct relocation {
	struct resolver *resolver;
	const char *reason;
};

static const struct expr *relocate(struct relocation *relocation, const struct expr *expr)
{
	struct arena *arena = relocation->resolver->arena;
	struct expr *copy;
	uint64_t address = 0;

	if (!expr || (!expr->a && expr->op != EXPR_STATIC))
		return expr;
	if (expr->op == EXPR_STATIC) {
		const char *reason = target_running_address(arena, relocation->resolver->target,
							    expr->value, &address);

		relocation->reason = relocation->reason ?: reason;
		return expr_const(arena, address);
	}
	copy = arena_new(arena, struct expr);
	*copy = *expr;
	copy->a = relocate(relocation, expr->a);
	copy->b = relocate(relocation, expr->b);
	return copy;
}

static void relocate_value(struct resolver *resolver, struct value *value)
{
	struct relocation relocation = {.resolver = resolver};
	const struct expr **all = arena_array(resolver->arena, const struct expr *,
					      value->ncpus + 1);
	struct part_value *parts = arena_array(resolver->arena, struct part_value, value->nparts + 1);

	value->finish = relocate(&relocation, value->finish);
	for (unsigned i = 0; i < value->nparts; i++)
		parts[i] = (struct part_value){value->parts[i].size,
					       relocate(&relocation, value->parts[i].expr)};
	if (value->parts)
		value->parts = parts;
	for (unsigned i = 0; i < value->ncpus; i++)
		all[i] = relocate(&relocation, value->by_cpu[i]);
	if (value->by_cpu)
		value->by_cpu = all;
	if (!relocation.reason)
		return;
	value->status = VALUE_UNAVAILABLE;
	value->reason = relocation.reason;
}

void relocate_values(struct resolver *resolver, struct plan *plan, unsigned first)
{
	for (unsigned i = first; i < plan->nprobes && resolver->target; i++)
		for (unsigned j = 0; j < plan->probes[i].nvalues; j++)
			if (plan->probes[i].values[j].status == VALUE_OK)
				relocate_value(resolver, &plan->probes[i].values[j]);
}

/* A function ends where the next symbol is; one of no other address is the last, with a page. */
static uint64_t code_end(const char *symbols, uint64_t start)
{
	uint64_t end = start + 4096;
	bool is_last = true;
	struct ksym symbol;

	while (kallsyms_next(&symbols, &symbol)) {
		if (symbol.address <= start || (!is_last && symbol.address >= end))
			continue;
		end = symbol.address;
		is_last = false;
	}
	return end;
}

unsigned function_code(struct arena *arena, const char *name, uint64_t (**ret)[2])
{
	const char *symbols = kallsyms_read(arena), *at = symbols;
	struct ksym symbol;
	unsigned count = 0;

	*ret = NULL;
	while (symbols && kallsyms_next_named(symbols, &at, name, &symbol)) {
		if (!symbol.address)
			continue; /* hidden */
		*ret = arena_grow(arena, *ret, count * sizeof(**ret), (count + 1) * sizeof(**ret));
		(*ret)[count][0] = symbol.address;
		(*ret)[count++][1] = code_end(symbols, symbol.address);
	}
	return count;
}

/* "0-3", "0,2-5": the kernel's tables go up to the last. */
unsigned possible_cpus(void)
{
	FILE *file = fopen("/sys/devices/system/cpu/possible", "re");
	unsigned first, last = 0, count = 0;
	char between;

	while (file && fscanf(file, "%u", &first) == 1) {
		last = first;
		if (fscanf(file, "%c", &between) == 1 && between == '-' &&
		    fscanf(file, "%u%c", &last, &between) < 1)
			break;
		count = last + 1;
	}
	if (file)
		fclose(file);
	return count;
}
