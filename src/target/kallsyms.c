// SPDX-License-Identifier: GPL-2.0-only
/* /proc/kallsyms in; names of run-time addresses, and what names mean, out. Read once, when first
 * wanted. */
#include "target/kallsyms.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/search.h"

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
	char line[512];
	struct ksym symbol;

	while (file && fgets(line, sizeof(line), file)) {
		if (!read_line(arena, line, &symbol))
			continue;
		arena_append(arena, kallsyms->symbols, kallsyms->count) = symbol;
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
	size_t behind = partition_point(kallsyms->count, i, kallsyms->symbols[i].address <= address);
	const struct ksym *symbol;

	/* between the kernel and its modules, and behind the last of them, lies nothing */
	if (!behind || address - kallsyms->symbols[behind - 1].address > 1 << 20)
		return NULL;
	symbol = &kallsyms->symbols[behind - 1];
	snprintf(kallsyms->text, sizeof(kallsyms->text), "%s+0x%llx", symbol->name,
		 (unsigned long long)(address - symbol->address));
	return kallsyms->text;
}

struct kallsyms_names {
	struct arena *arena;
	char *text; /* NULL: not read yet */
};

struct kallsyms_names *kallsyms_names_new(struct arena *arena)
{
	struct kallsyms_names *names = arena_new(arena, struct kallsyms_names);

	names->arena = arena;
	return names;
}

/* The file says nothing of its size. */
static char *read_all(struct arena *arena)
{
	FILE *file = fopen("/proc/kallsyms", "re");
	size_t size = (size_t)16 << 20, length = 0, got;
	char *text = arena_alloc(arena, size);

	while (file && (got = fread(text + length, 1, size - 1 - length, file)) > 0) {
		length += got;
		if (length < size - 1)
			continue;
		text = arena_grow(arena, text, size, size * 2);
		size *= 2;
	}
	if (file)
		fclose(file);
	text[length] = '\0';
	return text;
}

/* A line is "ffffffff81000000 T _stext", and "\t[module]" where it is one's. */
static bool is_in(const char *behind, const char *module)
{
	size_t length = module ? strlen(module) : 0;

	if (!module || *behind != '\t')
		return !module && *behind == '\n';
	return !strncmp(behind, "\t[", 2) && !strncmp(behind + 2, module, length) &&
	       behind[2 + length] == ']';
}

void kallsyms_mean(struct kallsyms_names *names, const char *name, const char *module,
		   struct kallsyms_meaning *ret)
{
	size_t length = strlen(name);
	const char *line, *at;

	*ret = (struct kallsyms_meaning){0};
	if (!names->text)
		names->text = read_all(names->arena);
	for (at = strstr(names->text, name); at; at = strstr(at + 1, name)) {
		if (at == names->text || at[-1] != ' ' || (at[length] != '\n' && at[length] != '\t'))
			continue;
		bool is_inside = is_in(at + length, module);

		for (line = at; line > names->text && line[-1] != '\n'; line--)
			;
		if (is_inside ? !ret->inside : !ret->inside && !ret->outside)
			ret->address = strtoull(line, NULL, 16);
		*(is_inside ? &ret->inside : &ret->outside) += 1;
	}
}
