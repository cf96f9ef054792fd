// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lists the functions that match a glob, from debug information and symbols together, or from those
 * of the running kernel alone. Several functions may share a name.
 */
#include <stdlib.h>

#include "base/glob.h"
#include "base/kallsyms.h"
#include "debuginfo/debuginfo.h"
#include "resolve/internal.h"
#include "resolve/listing.h"
#include "target/code.h"
#include "target/target.h"

struct collection {
	struct arena *arena;
	struct function_list functions;
};

static void add(struct collection *all, const struct listed_function *function)
{
	arena_append(all->arena, all->functions.list, all->functions.count) = *function;
}

static void add_function(void *cookie, const char *name, const char *linkage, bool has_code,
			 bool inlined)
{
	add(cookie,
	    &(struct listed_function){.name = name, .has_code = has_code, .inlined = inlined});
	if (linkage)
		add(cookie, &(struct listed_function){.name = linkage, .is_linkage = true});
}

static void add_symbols(struct collection *all, struct target *target, const char *glob)
{
	size_t count;
	const struct symbol *symbols = target_symbols(target, glob, &count);

	for (size_t i = 0; i < count; i++) {
		const struct symbol *symbol = &symbols[i];
		enum kprobe_limit limit;

		if (!symbol->is_function || !symbol->section ||
		    (glob && !glob_matches(glob, symbol->name)))
			continue;
		limit = target_function_limit(target, symbol->address);
		add(all, &(struct listed_function){
			.name = symbol->name,
			.symbols = 1,
			.has_code = true,
			.is_init = target_is_init(target, symbol->address),
			.is_blacklisted = limit == KPROBE_BLACKLISTED,
			.is_notrace = limit == KPROBE_NOTRACE,
		});
	}
}

static int function_compare(const void *left, const void *right)
{
	const struct listed_function *a = left, *b = right;

	return strcmp(a->name, b->name);
}

static void merge(struct function_list *functions)
{
	size_t kept = 0;

	if (functions->count)
		qsort(functions->list, functions->count, sizeof(*functions->list),
		      function_compare);
	for (size_t i = 0; i < functions->count; i++) {
		struct listed_function *one = &functions->list[i];
		struct listed_function *last = kept ? &functions->list[kept - 1] : NULL;

		if (!last || strcmp(last->name, one->name)) {
			functions->list[kept++] = *one;
			continue;
		}
		last->symbols += one->symbols;
		last->has_code |= one->has_code;
		last->inlined |= one->inlined;
		last->is_init |= one->is_init;
		last->is_blacklisted |= one->is_blacklisted;
		last->is_notrace |= one->is_notrace;
		last->is_linkage |= one->is_linkage;
	}
	functions->count = kept;
}

struct error *resolve_functions(struct resolver *resolver, const char *glob,
				struct function_list *ret)
{
	struct collection all = {.arena = resolver->arena};
	struct error *error = debuginfo_functions(resolver->info, glob, add_function, &all);

	if (error)
		return error;
	add_symbols(&all, resolver->target, glob);
	merge(&all.functions);
	*ret = all.functions;
	return NULL;
}

/* Whether it is a function of the kernel itself. __pfx_ marks the padding before a function's
 * entry. */
static bool is_function(const struct ksym *symbol)
{
	return strchr("tTwW", symbol->type) && !symbol->module && symbol->name[0] != '$' &&
	       strncmp(symbol->name, "__pfx_", 6);
}

void running_functions(struct arena *arena, const char *glob, struct function_list *ret)
{
	struct collection all = {.arena = arena};
	const char *at = kallsyms_read(arena) ?: "";
	struct ksym symbol;

	while (kallsyms_next(&at, &symbol)) {
		const char *name;

		if (!is_function(&symbol))
			continue;
		name = arena_strndup(arena, symbol.name, symbol.length);
		if (!glob || glob_matches(glob, name))
			add(&all, &(struct listed_function){
					  .name = name, .symbols = 1, .has_code = true});
	}
	merge(&all.functions);
	*ret = all.functions;
}
