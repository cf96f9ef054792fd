// SPDX-License-Identifier: GPL-2.0-only
/* Reads the source text of the lines that `ktrace follow` probes. A file that isn't found is looked
 * for once, not for each line. */
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/follow.h"
#include "ktrace/debuginfo.h"

struct source_file {
	struct source_lines lines; /* all that are probed in it */
	const char *text; /* or NULL */
};

struct source_files {
	struct sources *sources;
	struct source_file *list;
	unsigned count;
};

static struct source_file *file_of(const struct source_files *files, const struct site *site)
{
	for (unsigned i = 0; i < files->count; i++)
		if (!strcmp(files->list[i].lines.file, site->file) &&
		    !strcmp(files->list[i].lines.directory, site->directory))
			return &files->list[i];
	return NULL;
}

static bool has_line(const struct probe *probe)
{
	return probe->role == ROLE_SHOWN && probe->site->file && probe->site->line;
}

static void add_line(struct source_files *files, const struct site *site)
{
	struct source_file *file = file_of(files, site);

	if (!file) {
		arena_append(files->sources->arena, files->list, files->count) =
			(struct source_file){.lines = {site->directory, site->file, site->address,
						       site->line, site->line, false}};
		return;
	}
	if (site->line < file->lines.first)
		file->lines.first = site->line;
	if (site->line > file->lines.last)
		file->lines.last = site->line;
}

static void read_file(struct source_files *files, const struct resolver *resolver,
		      struct source_file *file)
{
	const struct options *options = files->sources->options;
	const char *refused;

	file->text = source_text(resolver, options->source_dir, &file->lines, &refused);
	if (refused && !options->quiet)
		tell("ktrace: lines are shown without text: '%s' %s; name the right one's "
		     "directory: -s DIR\n", file->lines.file, refused);
}

static const char *line_text(const struct source_files *files, const struct site *site)
{
	const char *text = file_of(files, site)->text;

	for (unsigned line = 1; text && line < site->line; line++) {
		text = strchr(text, '\n');
		text += !!text;
	}
	return text ? arena_strndup(files->sources->arena, text, strcspn(text, "\n")) : NULL;
}

void follow_read_texts(struct sources *sources, const struct resolver *resolver, struct plan *plan)
{
	struct source_files files = {.sources = sources};
	const char **texts = arena_array(sources->arena, const char *, plan->nprobes + 1);

	for (unsigned i = 0; i < plan->nprobes; i++)
		if (has_line(&plan->probes[i]))
			add_line(&files, plan->probes[i].site);
	for (unsigned i = 0; i < files.count; i++)
		read_file(&files, resolver, &files.list[i]);
	for (unsigned i = 0; i < plan->nprobes; i++)
		if (has_line(&plan->probes[i]))
			texts[i] = line_text(&files, plan->probes[i].site);
	plan->following->texts = texts;
}
