/* SPDX-License-Identifier: GPL-2.0-only */
/* A dry run: prints what plans would do. */
#ifndef CMD_DRY_H
#define CMD_DRY_H

#include "base/strbuf.h"
#include "cmd/options.h"
#include "ktrace/plan.h"

/* All zero but for the options. */
struct dry_run {
	const struct options *options;
	struct strbuf text; /* text not yet in the file */
	struct strbuf command; /* the last line: what runs it elsewhere; or empty */
	FILE *file;         /* the text before that, or NULL */
	size_t written;     /* bytes in the file */
	unsigned nprobes;   /* printed so far, companions included */
	bool is_full;       /* the file can't take more */
	bool has_tables, has_lines, has_pairs; /* of the plans so far */
	bool is_sorted;             /* one of their tables has --sort's column */
	struct error *unsorted;     /* why not, of the first; or NULL */
};
/* Appends what -n, -D and --json print of the plan. */
void dry_run_text(const struct options *options, const struct plan *plan, struct strbuf *out);
/* Prints the plan (unless a plan file is asked for) and empties it. */
void dry_run_print(struct dry_run *run, struct plan *plan);
/* Writes all of it to standard output (or -o), unless `error` is set. Returns that error, or its
 * own. */
struct error *dry_run_end(struct dry_run *run, struct arena *arena,
			  struct error *error) must_check;

#endif
