// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads a kernel's symbols from the text of /proc/kallsyms or a System.map, which has neither their
 * sizes nor their kinds.
 *
 * The surprise: the linker's marks (_stext, __sched_text_start) are listed like functions, at the
 * address of one.
 */
#include <stdlib.h>
#include <string.h>

#include "base/kallsyms.h"
#include "target/internal.h"
#include "target/stock.h"
#include "target/symtab.h"

static bool ends_with(const char *name, const char *end)
{
	size_t length = strlen(name), tail = strlen(end);

	return length >= tail && !strcmp(name + length - tail, end);
}

static bool is_mark(const char *name)
{
	static const char *const marks[] = {"_text", "_stext", "_etext", "_sinittext",
					    "_einittext"};
	static const char *const ends[] = {"text_start", "text_end", "text_begin", "thunk_start",
					   "thunk_end"};

	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++)
		if (!strcmp(name, marks[i]))
			return true;
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		if (ends_with(name, ends[i]))
			return true;
	return false;
}

static int by_address(const void *left, const void *right)
{
	const struct made_symbol *a = left, *b = right;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return strcmp(a->name, b->name);
}

static void note_bound(struct kernel_names *names, const struct made_symbol *symbol)
{
	const struct {
		const char *name;
		uint64_t *bound;
	} bounds[] = {
		{"_stext", &names->start},
		{"_etext", &names->end},
		{"_sinittext", &names->init_start},
		{"_einittext", &names->init_end},
		{"_end", &names->last},
	};

	for (size_t i = 0; i < sizeof(bounds) / sizeof(*bounds); i++)
		if (!strcmp(symbol->name, bounds[i].name))
			*bounds[i].bound = symbol->address;
}

static bool is_of(const struct ksym *found, const char *module)
{
	return module ? found->module && found->module_length == strlen(module) &&
			!memcmp(found->module, module, found->module_length) : !found->module;
}

/* Returns false when the name doesn't count. */
static bool make_symbol(struct arena *arena, const struct ksym *found, struct made_symbol *ret)
{
	*ret = (struct made_symbol){.name = arena_strndup(arena, found->name, found->length),
				    .address = found->address};
	ret->is_function = strchr("tTwW", found->type) && !is_mark(ret->name);
	ret->is_global = strchr("TDBRVWA", found->type);
	return is_named(ret->name, 0);
}

void read_module_names(struct arena *arena, const char *text, const char *module,
		       struct made_symbol **list, size_t *count)
{
	struct made_symbol symbol;
	struct ksym found;

	*list = NULL;
	*count = 0;
	while (kallsyms_next(&text, &found))
		if (is_of(&found, module) && found.address && make_symbol(arena, &found, &symbol))
			arena_append(arena, *list, *count) = symbol;
	if (*count)
		qsort(*list, *count, sizeof(**list), by_address);
}

void read_kernel_names(struct arena *arena, const char *text, struct kernel_names *ret)
{
	const char *at = text;
	struct ksym found;

	*ret = (struct kernel_names){0};
	while (kallsyms_next(&at, &found)) {
		struct made_symbol symbol;

		if (!is_of(&found, NULL) || !make_symbol(arena, &found, &symbol))
			continue;
		note_bound(ret, &symbol);
		arena_append(arena, ret->list, ret->count) = symbol;
	}
	if (!ret->count)
		return;
	qsort(ret->list, ret->count, sizeof(*ret->list), by_address);
	if (!ret->last) /* without CONFIG_KALLSYMS_ALL */
		ret->last = ret->list[ret->count - 1].address + 1;
}
