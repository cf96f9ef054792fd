// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the running kernel says of its functions, for `ktrace funcs`: their names, where there is no debug
 * information, and which it refuses to probe. What it doesn't say is not known: then nothing is marked.
 */
#include <stdlib.h>
#include <string.h>

#include "base/glob.h"
#include "base/kallsyms.h"
#include "cmd/funcs.h"

/* The rest of each line of a file behind its first `separator`, up to white space. */
static void each_name(const char *path, const char *separator, void (*each)(void *cookie, char *name),
		      void *cookie)
{
	FILE *file = fopen(path, "re");
	char line[512];

	while (file && fgets(line, sizeof(line), file)) {
		char *name = separator ? strpbrk(line, separator) : line;

		if (!name)
			continue;
		name += !!separator;
		name[strcspn(name, " \t\n")] = '\0';
		each(cookie, name);
	}
	if (file)
		fclose(file);
}

static struct entry *find(struct table *table, const char *name)
{
	const struct entry key = {.name = name};

	return bsearch(&key, table->entries, table->count, sizeof(*table->entries), entry_compare);
}

static void mark_blacklisted(void *cookie, char *name)
{
	struct entry *entry = find(cookie, name);

	if (entry)
		entry->is_blacklisted = true;
}

static void mark_traceable(void *cookie, char *name)
{
	struct table *table = cookie;
	struct entry *entry = find(table, name);

	table->has_traceable = true;
	if (entry)
		entry->is_traceable = true;
}

void mark_running(struct table *table)
{
	static const char *const lists[] = {"/sys/kernel/tracing/available_filter_functions",
					    "/sys/kernel/debug/tracing/available_filter_functions"};

	/* "0xffff...-0xffff...\tname" */
	each_name("/sys/kernel/debug/kprobes/blacklist", "\t", mark_blacklisted, table);
	for (size_t i = 0; i < 2 && !table->has_traceable; i++)
		each_name(lists[i], NULL, mark_traceable, table);
}

/* Of the kernel itself. __pfx_ is the padding before a function's entry. */
static bool is_function(const struct ksym *symbol)
{
	return strchr("tTwW", symbol->type) && !symbol->module && symbol->name[0] != '$' &&
	       strncmp(symbol->name, "__pfx_", 6);
}

bool list_running(struct table *table, const char *glob)
{
	const char *at = kallsyms_read(table->arena) ?: "";
	size_t before = table->count;
	struct ksym symbol;

	while (kallsyms_next(&at, &symbol)) {
		const char *name;

		if (!is_function(&symbol))
			continue;
		name = arena_strndup(table->arena, symbol.name, symbol.length);
		if (!glob || glob_matches(glob, name))
			add_entry(table, &(struct entry){.name = name, .symbols = 1, .has_code = true});
	}
	return table->count > before;
}
