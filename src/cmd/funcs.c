// SPDX-License-Identifier: GPL-2.0-only
/*
 * `ktrace funcs`: lists the functions that match a glob. Marks inlined ones, ambiguous ones (one
 * name, several functions), start-up code, and those that the kernel takes no probe in.
 */
#include <string.h>

#include "base/json.h"
#include "base/strbuf.h"
#include "cmd/cmd.h"
#include "cmd/funcs.h"
#include "cmd/sources.h"

static struct table make_table(struct arena *arena, const struct function_list *functions)
{
	struct table table = {.count = functions->count};

	table.entries = arena_array(arena, struct entry, table.count + 1);
	for (size_t i = 0; i < table.count; i++)
		table.entries[i] = (struct entry){
			.function = functions->list[i],
			.is_blacklisted = functions->list[i].is_blacklisted,
		};
	return table;
}

/* The kernel refuses functions that ftrace can't trace, unless it was built to probe them, which an
 * image tells. */
static bool is_notrace(const struct table *table, const struct entry *entry)
{
	if (!entry->function.has_code || entry->function.is_init)
		return false;
	return table->has_traceable ? !entry->is_traceable : entry->function.is_notrace;
}

static void print_json(struct strbuf *out, const struct table *table, const struct entry *entry)
{
	json_object(out, NULL);
	json_text(out, "name", entry->function.name);
	json_bool(out, "code", entry->function.has_code);
	json_bool(out, "inlined", entry->function.inlined);
	json_number(out, "symbols", entry->function.symbols);
	json_bool(out, "ambiguous", entry->function.symbols > 1);
	json_bool(out, "init", entry->function.is_init);
	json_bool(out, "blacklisted", entry->is_blacklisted);
	json_bool(out, "notrace", is_notrace(table, entry));
	json_object_end(out);
	strbuf_putc(out, '\n');
}

static void print_text(struct strbuf *out, const struct table *table, const struct entry *entry)
{
	const char *gap = "  ";

	strbuf_printf(out, "%s", entry->function.name);
	if (entry->function.inlined) {
		strbuf_printf(out, "%s[inlined%s]", gap,
			      entry->function.has_code ? ", and out of line" : "");
		gap = " ";
	}
	if (entry->function.symbols > 1) {
		strbuf_printf(out, "%s[ambiguous: %u functions]", gap, entry->function.symbols);
		gap = " ";
	}
	if (entry->function.is_init) {
		strbuf_printf(out, "%s[start-up code]", gap);
		gap = " ";
	}
	if (entry->is_blacklisted || is_notrace(table, entry))
		strbuf_printf(out, "%s[%s]", gap,
			      entry->is_blacklisted ? "blacklisted" : "notrace");
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

		if ((!entry->function.has_code && !entry->function.inlined) ||
		    entry->function.is_linkage)
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

static struct error *print_found(struct arena *arena, const struct options *options,
				 const struct function_list *found, const char *glob)
{
	struct table table = make_table(arena, found);

	if (!options->vmlinux && !options->program)
		mark_running(arena, &table);
	return print(arena, options, &table, glob);
}

/* Adds a hint: list the functions that have the word in their name, or else all. */
static struct error *hint_wider(struct resolver *resolver, const char *glob, struct error *error)
{
	struct arena *arena = resolver->arena;
	struct function_list found = {0};
	const char *wider = arena_printf(arena, "*%s*", glob);
	struct error *failed = resolve_functions(resolver, wider, &found);

	return failed || !found.count ? error_command(arena, error, "funcs", NULL, "list all") :
					error_command(arena, error, "funcs", wider,
						      "list the names that contain it");
}

/* Without the kernel's debug information, /proc/kallsyms has the names. */
static struct error *print_running(struct arena *arena, const struct options *options,
				   const char *glob, struct error *error)
{
	struct function_list all, found;
	struct table table;

	if (error->code != ERROR_NO_DEBUGINFO || options->vmlinux || options->module ||
	    options->program)
		return error;
	running_functions(arena, NULL, &all);
	if (!all.count)
		return error;
	running_functions(arena, glob, &found);
	table = make_table(arena, &found);
	mark_running(arena, &table);
	if (!options->quiet)
		tell("ktrace: %s: these are the names in /proc/kallsyms, inlined functions not "
		     "among them\n",
		     error->message);
	return print(arena, options, &table, glob);
}

struct error *cmd_funcs(struct arena *arena, const struct options *options)
{
	const char *glob = options->noperands ? options->operands[0] : NULL;
	struct function_list found;
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
		error = resolve_functions(resolver, glob, &found);
		if (!error)
			error = print_found(arena, options, &found, glob);
		if (error && error->code == ERROR_NOT_FOUND)
			error = hint_wider(resolver, glob, error);
	}
	sources_deinit(&sources);
	return error;
}
