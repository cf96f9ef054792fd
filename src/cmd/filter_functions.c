// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the addresses of functions that filters compare code addresses with. /proc/kallsyms, which
 * is long, is read only if there is such a comparison.
 */
#include <string.h>

#include "base/kallsyms.h"
#include "cmd/cmd.h"
#include "plan/plan.h"
#include "spec/spec.h"

struct search {
	struct arena *arena;
	const struct spec *spec;
	const struct tracepoint *tracepoints;
	unsigned ntracepoints;
	const char *symbols; /* NULL until they are read */
	struct code *code;
	unsigned ncode;
};

static bool has_code(const struct tracepoint *tracepoint, const char *name)
{
	for (unsigned i = 0; i < tracepoint->nfields; i++) {
		const struct tracepoint_field *field = &tracepoint->fields[i];

		if (!strcmp(field->name, name))
			return field->shape && field->shape->render == RENDER_SYMBOL;
	}
	return false;
}

/* Whether `name` is a code address: the spec has a :sym value, or an event's print fmt says so. */
static bool is_code(const struct search *search, const char *name)
{
	for (unsigned i = 0; i < search->spec->nwants; i++) {
		const char *type = search->spec->wants[i].type;

		if (type && !strncmp(type, "sym", 3))
			return true;
	}
	for (unsigned i = 0; i < search->ntracepoints; i++)
		if (has_code(&search->tracepoints[i], name))
			return true;
	return false;
}

/* A function ends where the next symbol begins; the last one is taken to be a page long. */
static uint64_t code_end(const char *symbols, uint64_t start)
{
	uint64_t end = UINT64_MAX;
	struct ksym symbol;

	while (kallsyms_next(&symbols, &symbol))
		if (symbol.address > start && symbol.address < end)
			end = symbol.address;
	return end == UINT64_MAX ? start + 4096 : end;
}

static void find_name(struct search *search, const char *name)
{
	const char *at;
	struct ksym symbol;

	if (!search->symbols)
		search->symbols = kallsyms_read(search->arena) ?: "";
	for (at = search->symbols; kallsyms_next_named(search->symbols, &at, name, &symbol);)
		if (symbol.address) /* 0: hidden */
			arena_append(search->arena, search->code, search->ncode) = (struct code){
				name, symbol.address, code_end(search->symbols, symbol.address)};
}

static void find_each(struct search *search, const struct filter *filter)
{
	if (!filter)
		return;
	find_each(search, filter->left);
	find_each(search, filter->right);
	/* the constant may be on the left */
	if (filter->constant &&
	    (is_code(search, filter->field) || is_code(search, filter->constant)))
		find_name(search,
			  is_code(search, filter->field) ? filter->constant : filter->field);
}

void find_code(struct arena *arena, const struct spec *spec, const struct tracepoint *tracepoints,
	       unsigned count, struct plan_input *input)
{
	struct search search = {
		.arena = arena, .spec = spec, .tracepoints = tracepoints, .ntracepoints = count};

	for (unsigned i = 0; i < input->nfilters; i++)
		find_each(&search, input->filters[i]);
	input->code = search.code;
	input->ncode = search.ncode;
}
