// SPDX-License-Identifier: GPL-2.0-only
/*
 * `ktrace funcs`: a glob in, the functions of that name out, from debug information and symbols
 * together: inlined, ambiguous (one name, several functions) and start-up code are marked, and on
 * the running kernel what it has blacklisted.
 */
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/glob.h"
#include "cmd/cmd.h"
#include "target/target.h"

struct entry {
	const char *name;
	unsigned symbols;   /* with code */
	bool has_code;
	bool inlined;
	bool is_init;
	bool is_blacklisted;
	bool is_linkage; /* what a compiler made of a name that is listed */
};

struct table {
	struct arena *arena;
	struct entry *entries;
	size_t count;
};

static void add(struct table *table, const struct entry *entry)
{
	arena_append(table->arena, table->entries, table->count) = *entry;
}

static void add_function(void *cookie, const char *name, const char *linkage, bool has_code,
			 bool inlined)
{
	add(cookie, &(struct entry){.name = name, .has_code = has_code, .inlined = inlined});
	if (linkage)
		add(cookie, &(struct entry){.name = linkage, .is_linkage = true});
}

static void add_symbols(struct table *table, const struct target *target, const char *glob)
{
	size_t count;
	const struct symbol *symbols = target_symbols(target, glob, &count);

	for (size_t i = 0; i < count; i++) {
		const struct symbol *symbol = &symbols[i];

		if (!symbol->is_function || !symbol->section ||
		    (glob && !glob_matches(glob, symbol->name)))
			continue;
		add(table, &(struct entry){
			.name = symbol->name,
			.symbols = 1,
			.has_code = true,
			.is_init = target_is_init(target, symbol->address),
		});
	}
}

static int entry_compare(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;

	return strcmp(a->name, b->name);
}

static void merge(struct table *table)
{
	size_t kept = 0;

	if (table->count)
		qsort(table->entries, table->count, sizeof(*table->entries), entry_compare);
	for (size_t i = 0; i < table->count; i++) {
		struct entry *entry = &table->entries[i];
		struct entry *last = kept ? &table->entries[kept - 1] : NULL;

		if (!last || strcmp(last->name, entry->name)) {
			table->entries[kept++] = *entry;
			continue;
		}
		last->symbols += entry->symbols;
		last->has_code |= entry->has_code;
		last->inlined |= entry->inlined;
		last->is_init |= entry->is_init;
		last->is_linkage |= entry->is_linkage;
	}
	table->count = kept;
}

/* kprobes/blacklist: "0xffff...-0xffff...\tname" a line. Debugfs may not be there: then no marks. */
static void mark_blacklist(struct table *table)
{
	FILE *file = fopen("/sys/kernel/debug/kprobes/blacklist", "re");
	char line[512];

	while (file && fgets(line, sizeof(line), file)) {
		struct entry key = {.name = strchr(line, '\t')};
		struct entry *found;

		if (!key.name)
			continue;
		key.name++;
		line[strcspn(line, "\n")] = '\0';
		found = bsearch(&key, table->entries, table->count, sizeof(*table->entries),
				entry_compare);
		if (found)
			found->is_blacklisted = true;
	}
	if (file)
		fclose(file);
}

static void print_json(struct strbuf *out, const struct entry *entry)
{
	strbuf_puts(out, "{\"name\":");
	strbuf_json(out, entry->name, strlen(entry->name));
	strbuf_printf(out, ",\"code\":%s,\"inlined\":%s,\"symbols\":%u,\"ambiguous\":%s,"
		      "\"init\":%s,\"blacklisted\":%s}\n", entry->has_code ? "true" : "false",
		      entry->inlined ? "true" : "false", entry->symbols,
		      entry->symbols > 1 ? "true" : "false", entry->is_init ? "true" : "false",
		      entry->is_blacklisted ? "true" : "false");
}

static void print_text(struct strbuf *out, const struct entry *entry)
{
	const char *gap = "  ";

	strbuf_printf(out, "%s", entry->name);
	if (entry->inlined) {
		strbuf_printf(out, "%s[inlined%s]", gap, entry->has_code ? ", and out of line" : "");
		gap = " ";
	}
	if (entry->symbols > 1) {
		strbuf_printf(out, "%s[ambiguous: %u functions]", gap, entry->symbols);
		gap = " ";
	}
	if (entry->is_init) {
		strbuf_printf(out, "%s[start-up code]", gap);
		gap = " ";
	}
	if (entry->is_blacklisted)
		strbuf_printf(out, "%s[blacklisted]", gap);
	strbuf_putc(out, '\n');
}

static struct error *print(struct arena *arena, const struct options *options,
			   const struct table *table, const char *glob)
{
	struct strbuf out;
	size_t shown = 0;

	strbuf_init(&out);
	for (size_t i = 0; i < table->count; i++) {
		const struct entry *entry = &table->entries[i];

		if ((!entry->has_code && !entry->inlined) || entry->is_linkage)
			continue;
		shown++;
		if (options->json)
			print_json(&out, entry);
		else
			print_text(&out, entry);
	}
	fwrite(out.data ? out.data : "", 1, out.length, stdout);
	strbuf_deinit(&out);
	if (shown || !glob)
		return NULL;
	return error_hint(arena, error_new(arena, ERROR_NOT_FOUND, "no function matches '%s'", glob),
			  "try '*%s*'", glob);
}

struct error *cmd_funcs(struct arena *arena, const struct options *options)
{
	const char *glob = options->noperands ? options->operands[0] : NULL;
	struct table table = {.arena = arena};
	struct resolver *resolver;
	struct sources sources;
	struct error *error;

	if (options->noperands > 1)
		return error_new(arena, ERROR_USAGE, "'funcs' takes one glob");
	sources_init(&sources, arena, options);
	sources_expect(&sources, glob);
	error = sources_get(&sources, NULL, false, &resolver);
	if (!error)
		error = resolver->info->ops->functions(resolver->info, glob, add_function, &table);
	if (!error) {
		add_symbols(&table, resolver->target, glob);
		merge(&table);
		if (!options->vmlinux && !options->program)
			mark_blacklist(&table);
		error = print(arena, options, &table, glob);
	}
	sources_deinit(&sources);
	return error;
}
