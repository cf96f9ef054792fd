// SPDX-License-Identifier: GPL-2.0-only
/* /proc/kallsyms in, names of run-time addresses out. Read once, when a name is first wanted. */
#include "target/kallsyms.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ksym {
	uint64_t address;
	const char *name;
};

struct kallsyms {
	struct ksym *symbols;
	size_t count;
	char text[256];
};

static int ksym_compare(const void *left, const void *right)
{
	const struct ksym *a = left, *b = right;

	return a->address < b->address ? -1 : a->address > b->address;
}

static bool read_line(struct arena *arena, const char *line, struct ksym *ret)
{
	char name[128], type;
	unsigned long long address;

	if (sscanf(line, "%llx %c %127s", &address, &type, name) != 3 || !address ||
	    !strchr("tTwW", type))
		return false;
	ret->address = address;
	ret->name = arena_strdup(arena, name);
	return true;
}

struct kallsyms *kallsyms_open(struct arena *arena)
{
	FILE *file = fopen("/proc/kallsyms", "re");
	struct kallsyms *kallsyms = arena_new(arena, struct kallsyms);
	size_t size = 0;
	char line[512];
	struct ksym symbol;

	while (file && fgets(line, sizeof(line), file)) {
		if (!read_line(arena, line, &symbol))
			continue;
		if (kallsyms->count == size) {
			size = size ? size * 2 : 16384;
			kallsyms->symbols = arena_grow(arena, kallsyms->symbols,
						       kallsyms->count * sizeof(symbol),
						       size * sizeof(symbol));
		}
		kallsyms->symbols[kallsyms->count++] = symbol;
	}
	if (file)
		fclose(file);
	if (!kallsyms->count)
		return NULL;
	qsort(kallsyms->symbols, kallsyms->count, sizeof(*kallsyms->symbols), ksym_compare);
	return kallsyms;
}

const char *kallsyms_name(struct kallsyms *kallsyms, uint64_t address)
{
	size_t low = 0, high = kallsyms->count;
	const struct ksym *symbol;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (kallsyms->symbols[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || (low == kallsyms->count && address - kallsyms->symbols[low - 1].address > 65536))
		return NULL;
	symbol = &kallsyms->symbols[low - 1];
	snprintf(kallsyms->text, sizeof(kallsyms->text), "%s+%#llx", symbol->name,
		 (unsigned long long)(address - symbol->address));
	return kallsyms->text;
}
