/* SPDX-License-Identifier: GPL-2.0-only */
/* A dry run: what plans would do, as text. */
#ifndef CMD_DRY_H
#define CMD_DRY_H

#include "base/strbuf.h"
#include "cmd/options.h"
#include "ktrace/plan.h"

/* All zero but for the options. */
struct dry_run {
	const struct options *options;
	struct strbuf text; /* what isn't in the file */
	FILE *file;         /* the text before it, or NULL */
	size_t written;     /* how much that is */
	bool is_full;       /* no more goes into it */
};
/* Empties the plan. */
void dry_run_print(struct dry_run *run, struct plan *plan);
/* All of it on standard output, unless there is an error; that, or one of its own. */
struct error *dry_run_end(struct dry_run *run, struct arena *arena,
			  struct error *error) must_check;

#endif
