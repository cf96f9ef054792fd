// SPDX-License-Identifier: GPL-2.0-only
/*
 * `ktrace funcs`: a glob in, the functions of that name out, from debug information and symbols
 * together: inlined, ambiguous (one name, several functions) and start-up code are marked, and on
 * the running kernel what it has blacklisted.
 */
#include <stdlib.h>
#include <string.h>

#include "base/glob.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "cmd/funcs.h"
#include "debuginfo/debuginfo.h"
#include "target/target.h"

static void add_function(void *cookie, const char *name, const char *linkage, bool has_code,
			 bool inlined)
{
	add_entry(cookie, &(struct entry){.name = name, .has_code = has_code, .inlined = inlined});
	if (linkage)
		add_entry(cookie, &(struct entry){.name = linkage, .is_linkage = true});
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
		add_entry(table, &(struct entry){
			.name = symbol->name,
			.symbols = 1,
			.has_code = true,
			.is_init = target_is_init(target, symbol->address),
		});
	}
}

int entry_compare(const void *left, const void *right)
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

/* The kernel refuses what ftrace doesn't know, unless it was built to take it. */
static bool is_notrace(const struct table *table, const struct entry *entry)
{
	return table->has_traceable && entry->has_code && !entry->is_init && !entry->is_traceable;
}

static void print_json(struct strbuf *out, const struct table *table, const struct entry *entry)
{
	json_object(out, NULL);
	json_text(out, "name", entry->name);
	json_bool(out, "code", entry->has_code);
	json_bool(out, "inlined", entry->inlined);
	json_number(out, "symbols", entry->symbols);
	json_bool(out, "ambiguous", entry->symbols > 1);
	json_bool(out, "init", entry->is_init);
	json_bool(out, "blacklisted", entry->is_blacklisted);
	json_bool(out, "notrace", is_notrace(table, entry));
	json_object_end(out);
	strbuf_putc(out, '\n');
}

static void print_text(struct strbuf *out, const struct table *table, const struct entry *entry)
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
	if (entry->is_blacklisted || is_notrace(table, entry))
		strbuf_printf(out, "%s[%s]", gap, entry->is_blacklisted ? "blacklisted" : "notrace");
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
			print_json(&out, table, entry);
		else
			print_text(&out, table, entry);
	}
	fwrite(out.data ? out.data : "", 1, out.length, stdout);
	strbuf_deinit(&out);
	if (shown || !glob)
		return NULL;
	return error_new(arena, ERROR_NOT_FOUND, "no function matches '%s'", glob);
}

/* All that the glob matches, sorted. */
static struct error *collect(struct resolver *resolver, const char *glob, struct table *table)
{
	struct error *error = debuginfo_functions(resolver->info, glob, add_function, table);

	if (error)
		return error;
	add_symbols(table, resolver->target, glob);
	merge(table);
	return NULL;
}

/* Of what was meant: what has the word in it, or all. */
static struct error *hint_wider(struct resolver *resolver, const char *glob, struct error *error)
{
	struct arena *arena = resolver->arena;
	struct table table = {.arena = arena};
	const char *wider = arena_printf(arena, "*%s*", glob);
	struct error *failed = collect(resolver, wider, &table);

	return failed || !table.count ? error_command(arena, error, "funcs", NULL, "list all") :
					error_command(arena, error, "funcs", wider, "list what has it inside");
}

/* Without debug information of the kernel: names are all there is. */
static struct error *print_running(struct arena *arena, const struct options *options,
				   const char *glob, struct error *error)
{
	struct table table = {.arena = arena};

	if (error->code != ERROR_NO_DEBUGINFO || options->vmlinux || options->module ||
	    options->program || !list_running(&table, NULL))
		return error;
	table = (struct table){.arena = arena};
	list_running(&table, glob);
	merge(&table);
	mark_running(&table);
	if (!options->quiet)
		fprintf(stderr, "ktrace: %s: these are the names in /proc/kallsyms, inlined functions not "
			"among them\n", error->message);
	return print(arena, options, &table, glob);
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
	if (error) {
		error = print_running(arena, options, glob, error);
	} else {
		error = collect(resolver, glob, &table);
		if (!error && !options->vmlinux && !options->program)
			mark_running(&table);
		if (!error)
			error = print(arena, options, &table, glob);
		if (error && error->code == ERROR_NOT_FOUND)
			error = hint_wider(resolver, glob, error);
	}
	sources_deinit(&sources);
	return error;
}
