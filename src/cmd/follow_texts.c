// SPDX-License-Identifier: GPL-2.0-only
/* Reads the source text of the lines that `ktrace follow` probes. A file that isn't found is looked
 * for once, not for each line. */
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/follow.h"

struct source_file {
	const char *name, *directory;
	const char *text; /* or NULL */
};

struct source_files {
	struct sources *sources;
	struct target *target;
	struct source_file *list;
	unsigned count;
};

static const char *file_text(struct source_files *files, const char *directory, const char *name)
{
	struct arena *arena = files->sources->arena;
	const char *refused;

	for (unsigned i = 0; i < files->count; i++)
		if (!strcmp(files->list[i].name, name) &&
		    !strcmp(files->list[i].directory, directory))
			return files->list[i].text;
	arena_append(arena, files->list, files->count) = (struct source_file){
		name,
		directory,
		source_text(arena, files->target, files->sources->options->source_dir, directory,
			    name, &refused),
	};
	return files->list[files->count - 1].text;
}

static const char *line_text(struct source_files *files, const struct site *site)
{
	const char *text =
		site->file && site->line ? file_text(files, site->directory, site->file) : NULL;

	for (unsigned line = 1; text && line < site->line; line++) {
		text = strchr(text, '\n');
		text += !!text;
	}
	return text ? arena_strndup(files->sources->arena, text, strcspn(text, "\n")) : NULL;
}

void follow_read_texts(struct sources *sources, struct target *target, struct plan *plan)
{
	struct source_files files = {.sources = sources, .target = target};
	const char **texts = arena_array(sources->arena, const char *, plan->nprobes + 1);

	for (unsigned i = 0; i < plan->nprobes; i++)
		if (plan->probes[i].role == ROLE_SHOWN)
			texts[i] = line_text(&files, plan->probes[i].site);
	plan->following->texts = texts;
}
