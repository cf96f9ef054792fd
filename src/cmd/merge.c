// SPDX-License-Identifier: GPL-2.0-only
/*
 * `ktrace merge`: puts together what several runs, of this host or of many, printed as JSON: tables
 * are added up, events are merged by their time. A host that has no trace, or half of one, is named
 * at the end.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/json_tree.h"
#include "base/open_files.h"
#include "cmd/cmd.h"
#include "cmd/live/live.h"
#include "cmd/live/output.h"
#include "cmd/options.h"
#include "sink/hosts/hosts.h"

struct merge {
	struct arena *arena;
	const struct options *options;
	struct hosts hosts;
	struct host_input *inputs;
	enum host_lines *kinds;
	unsigned count;
};

static struct error *open_input(struct merge *merge, const char *name, struct host_input *input)
{
	struct stat status;

	input->name = strcmp(name, "-") != 0 ? name : "standard input";
	input->file = strcmp(name, "-") != 0 ? fopen(name, "re") : stdin;
	if (!input->file)
		return error_errno(merge->arena, errno, "can't read '%s'", name);
	input->is_file = !fstat(fileno(input->file), &status) && S_ISREG(status.st_mode);
	if (!fstat(fileno(input->file), &status) && S_ISDIR(status.st_mode))
		return error_errno(merge->arena, EISDIR, "can't read '%s'", name);
	return NULL;
}

static struct error *open_inputs(struct merge *merge)
{
	struct error *error = NULL;

	merge->count = merge->options->noperands;
	merge->inputs = arena_array(merge->arena, struct host_input, merge->count);
	merge->kinds = arena_array(merge->arena, enum host_lines, merge->count);
	open_files_allow(); /* a fleet may have more hosts */
	for (unsigned i = 0; i < merge->count && !error; i++)
		error = open_input(merge, merge->options->operands[i], &merge->inputs[i]);
	for (unsigned i = 0; i < merge->count && !error; i++)
		merge->kinds[i] = input_peek(&merge->inputs[i]);
	return error;
}

static void close_inputs(struct merge *merge)
{
	for (unsigned i = 0; i < merge->count; i++) {
		if (merge->inputs[i].file && merge->inputs[i].file != stdin)
			fclose(merge->inputs[i].file);
		free(merge->inputs[i].line);
	}
}

/* What all of them have lines of. */
static struct error *common_kind(const struct merge *merge, enum host_lines *ret)
{
	unsigned first = 0;

	*ret = LINES_NONE;
	for (unsigned i = 0; i < merge->count; i++) {
		if (merge->kinds[i] == LINES_NONE)
			continue;
		if (*ret != LINES_NONE && merge->kinds[i] != *ret)
			return error_new(merge->arena, ERROR_SYNTAX,
					 "'%s' has %s and '%s' %s: merge them separately",
					 merge->inputs[first].name,
					 *ret == LINES_TABLE ? "tables" : "events",
					 merge->inputs[i].name,
					 *ret == LINES_TABLE ? "events" : "tables");
		*ret = merge->kinds[i];
		first = i;
	}
	return NULL;
}

/* The line that says how the file's trace ended. */
static void take_last(struct merge *merge, const struct host_input *input, const char *text)
{
	size_t length = strlen(text), start;
	struct arena arena;
	bool is_one;

	while (length && strchr("\r\n", text[length - 1]))
		length--;
	for (start = length; start && text[start - 1] != '\n'; start--)
		;
	arena_init(&arena);
	if (!length || !hosts_take(&merge->hosts, json_read(&arena, text + start, length - start),
				   input->name, &is_one))
		hosts_find(&merge->hosts, NULL, input->name);
	arena_deinit(&arena);
}

static struct error *read_tables(struct merge *merge, struct table_list *list,
				 struct table_end *end)
{
	struct error *error = NULL;

	for (unsigned i = 0; i < merge->count && !error; i++) {
		struct strbuf text = input_rest(&merge->inputs[i]);
		const char *name = merge->inputs[i].name;

		if (merge->kinds[i] == LINES_TABLE && strlen(text.data) != text.length)
			error = error_new(merge->arena, ERROR_SYNTAX, "'%s' has a NUL byte", name);
		else if (merge->kinds[i] == LINES_TABLE)
			error = table_list_read(list, name, text.data, end);
		take_last(merge, &merge->inputs[i], text.data);
		strbuf_deinit(&text);
	}
	for (unsigned i = 0; i < merge->hosts.count; i++)
		merge->hosts.list[i]->is_table = true;
	return error;
}

static struct error *write_flame(struct arena *arena, struct table_list *list, const char *path,
				 const struct table_end *end)
{
	struct strbuf out = {0};
	FILE *file = fopen(path, "we");
	struct error *error = NULL;
	bool is_written;

	table_list_show(list, &out, TABLE_FLAME, end);
	is_written = file && fwrite(out.data, 1, out.length, file) == out.length;
	if (!file || (fclose(file) || !is_written))
		error = error_errno(arena, errno, "can't write to '%s'", path);
	strbuf_deinit(&out);
	return error;
}

static struct error *merge_tables(struct merge *merge)
{
	const struct options *options = merge->options;
	struct table_end end = {.is_final = true};
	struct table_options settings;
	struct table_list *list;
	struct strbuf out = {0};
	struct error *error;

	table_settings(options, isatty(STDOUT_FILENO), &settings);
	if (!options->keys)
		settings.keys = UINT_MAX; /* each run had its own limit */
	list = table_list_new(merge->arena, &settings);
	error = read_tables(merge, list, &end);
	if (!error)
		error = table_list_check(list);
	if (!error && options->flame)
		error = write_flame(merge->arena, list, options->flame, &end);
	if (error)
		return error;
	end.hosts = hosts_json(&merge->hosts);
	table_list_show(list, &out, table_form(options), &end);
	if (options->json)
		sink_json.end(&out, &end);
	fwrite(out.data, 1, out.length, stdout);
	strbuf_deinit(&out);
	return NULL;
}

/* Options that are for tables alone. */
static struct error *refuse_for_events(const struct merge *merge)
{
	const struct options *options = merge->options;
	const char *name = options->flame  ? "flame" :
			   options->folded ? "folded" :
			   options->top	   ? "top" :
			   options->sort   ? "sort" :
			   options->keys   ? "keys" :
					     NULL;

	return name ? error_new(merge->arena, ERROR_USAGE,
				"--%s is for tables, and '%s' has events", name,
				merge->inputs[0].name) :
		      NULL;
}

static struct error *merge_events(struct merge *merge)
{
	struct table_end end = {.is_final = true};
	struct error *error = refuse_for_events(merge);
	struct strbuf out = {0};

	if (!error)
		error = hosts_merge(&merge->hosts, merge->inputs, merge->count,
				    merge->options->json, stdout);
	if (error)
		return error;
	hosts_sum(&merge->hosts, &end);
	end.hosts = hosts_json(&merge->hosts);
	if (merge->options->json)
		sink_json.end(&out, &end);
	fwrite(out.data ? out.data : "", 1, out.length, stdout);
	strbuf_deinit(&out);
	return NULL;
}

static struct error *no_trace(struct merge *merge)
{
	for (unsigned i = 0; i < merge->count; i++) {
		struct strbuf text = input_rest(&merge->inputs[i]);

		take_last(merge, &merge->inputs[i], text.data);
		strbuf_deinit(&text);
	}
	for (unsigned i = 0; i < merge->hosts.count; i++)
		if (merge->hosts.list[i]->refused)
			return NULL;
	return error_new(merge->arena, ERROR_SYNTAX, "'%s' has no table and no events",
			 merge->inputs[0].name);
}

/* Those whose events are not all there make the status 1. */
static void say_hosts(struct merge *merge)
{
	struct strbuf out = {0};

	hosts_text(&merge->hosts, &out, merge->options->quiet);
	fflush(stdout);
	fputs(out.data ? out.data : "", stderr);
	strbuf_deinit(&out);
	*merge->options->status = hosts_lack(&merge->hosts);
}

struct error *cmd_merge(struct arena *arena, const struct options *options)
{
	struct merge merge = {.arena = arena, .options = options};
	enum host_lines kind = LINES_NONE;
	struct error *error;

	hosts_init(&merge.hosts, arena);
	error = open_inputs(&merge);
	if (!error && options->flame)
		error = precious_check(arena, "--flame", options->flame,
				       precious_files(arena, options, NULL, 0));
	if (!error)
		error = common_kind(&merge, &kind);
	if (!error)
		error = kind == LINES_TABLE  ? merge_tables(&merge) :
			kind == LINES_EVENTS ? merge_events(&merge) :
					       no_trace(&merge);
	close_inputs(&merge);
	if (!error && (merge.hosts.has_names || kind == LINES_EVENTS))
		say_hosts(&merge);
	return error;
}
