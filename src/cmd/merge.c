// SPDX-License-Identifier: GPL-2.0-only
/* `ktrace merge`: adds up tables that several runs (or hosts) printed as JSON. */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cmd/cmd.h"
#include "cmd/live.h"
#include "cmd/options.h"

#define FILE_ROOM ((size_t)1 << 16)

static struct error *read_file(struct arena *arena, struct table_list *list, const char *path,
			       struct table_end *end)
{
	int failed;
	char *text;

	failed = file_read(arena, path, FILE_ROOM, &text);
	if (failed)
		return error_new(arena, ERROR_SYSTEM, "can't read '%s': %s", path, strerror(failed));
	return table_list_read(list, path, text, end);
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

struct error *cmd_merge(struct arena *arena, const struct options *options)
{
	struct table_end end = {.is_final = true};
	struct table_options settings;
	struct table_list *list;
	struct error *error = NULL;
	struct strbuf out = {0};

	table_settings(options, isatty(STDOUT_FILENO), &settings);
	if (!options->keys)
		settings.keys = UINT_MAX; /* each run had its own limit */
	list = table_list_new(arena, &settings);
	for (unsigned i = 0; i < options->noperands && !error; i++)
		error = read_file(arena, list, options->operands[i], &end);
	if (!error)
		error = table_list_check(list);
	if (error)
		return error;
	if (options->flame)
		error = write_flame(arena, list, options->flame, &end);
	if (error)
		return error;
	table_list_show(list, &out, table_form(options), &end);
	if (options->json)
		sink_json.end(&out, &end);
	fwrite(out.data, 1, out.length, stdout);
	strbuf_deinit(&out);
	return NULL;
}
