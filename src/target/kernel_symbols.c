// SPDX-License-Identifier: GPL-2.0-only
/* Names run-time addresses, and tells what a name means to the running kernel, from
 * /proc/kallsyms. */
#include "target/kernel_symbols.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/kallsyms.h"
#include "base/search.h"

struct code_symbol {
	uint64_t address;
	const char *name; /* in the text of /proc/kallsyms */
	const char *module; /* the same; NULL: the kernel's own */
	uint16_t length;
	uint16_t module_length;
};

struct kallsyms {
	struct code_symbol *symbols;
	size_t count;
	uint64_t start; /* _stext */
	char text[256];
};

static int symbol_compare(const void *left, const void *right)
{
	const struct code_symbol *a = left, *b = right;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return a->name < b->name ? -1 : a->name > b->name; /* in the order of the text */
}

struct kallsyms *kallsyms_open(struct arena *arena)
{
	struct kallsyms *kallsyms = arena_new(arena, struct kallsyms);
	const char *at = kallsyms_read(arena) ?: "";
	struct ksym symbol;

	while (kallsyms_next(&at, &symbol)) {
		if (!symbol.address || !strchr("tTwW", symbol.type))
			continue;
		arena_append(arena, kallsyms->symbols, kallsyms->count) = (struct code_symbol){
			symbol.address, symbol.name, symbol.module, (uint16_t)symbol.length,
			(uint16_t)symbol.module_length};
		if (!symbol.module && symbol.length == strlen("_stext") &&
		    !memcmp(symbol.name, "_stext", symbol.length))
			kallsyms->start = symbol.address;
	}
	if (!kallsyms->count)
		return NULL;
	qsort(kallsyms->symbols, kallsyms->count, sizeof(*kallsyms->symbols), symbol_compare);
	return kallsyms;
}

/* The first of several symbols at one address, as the kernel chooses. */
static const struct code_symbol *find(const struct kallsyms *kallsyms, uint64_t address)
{
	const struct code_symbol *symbols = kallsyms->symbols;
	size_t behind = partition_point(kallsyms->count, i, symbols[i].address <= address);

	/* nothing lies between the kernel and its modules, or behind the last of them */
	if (!behind || address - symbols[behind - 1].address > 1 << 20)
		return NULL;
	while (behind > 1 && symbols[behind - 2].address == symbols[behind - 1].address)
		behind--;
	return &symbols[behind - 1];
}

bool kallsyms_find(const struct kallsyms *kallsyms, uint64_t address, struct ksym *ret)
{
	const struct code_symbol *symbol = find(kallsyms, address);

	if (symbol)
		*ret = (struct ksym){
			.address = symbol->address,
			.name = symbol->name,
			.length = symbol->length,
			.module = symbol->module,
			.module_length = symbol->module_length,
		};
	return symbol;
}

uint64_t kallsyms_start(const struct kallsyms *kallsyms)
{
	return kallsyms->start;
}

const char *kallsyms_name(struct kallsyms *kallsyms, uint64_t address)
{
	const struct code_symbol *symbol = find(kallsyms, address);

	if (!symbol)
		return NULL;
	snprintf(kallsyms->text, sizeof(kallsyms->text), "%.*s+0x%llx", (int)symbol->length,
		 symbol->name, (unsigned long long)(address - symbol->address));
	return kallsyms->text;
}

struct kallsyms_names {
	struct arena *arena;
	const char *text; /* NULL: not read yet */
};

struct kallsyms_names *kallsyms_names_new(struct arena *arena)
{
	struct kallsyms_names *names = arena_new(arena, struct kallsyms_names);

	names->arena = arena;
	return names;
}

static bool is_in(const struct ksym *symbol, const char *module)
{
	if (!module || !symbol->module)
		return !module && !symbol->module;
	return strlen(module) == symbol->module_length &&
	       !memcmp(symbol->module, module, symbol->module_length);
}

void kallsyms_mean(struct kallsyms_names *names, const char *name, const char *module,
		   struct kallsyms_meaning *ret)
{
	struct ksym symbol;
	const char *at;

	*ret = (struct kallsyms_meaning){0};
	if (!names->text)
		names->text = kallsyms_read(names->arena) ?: "";
	for (at = names->text; kallsyms_next_named(names->text, &at, name, &symbol);) {
		bool is_inside = is_in(&symbol, module);

		if (is_inside ? !ret->inside : !ret->inside && !ret->outside)
			ret->address = symbol.address;
		*(is_inside ? &ret->inside : &ret->outside) += 1;
	}
}
