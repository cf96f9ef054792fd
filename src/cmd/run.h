/* SPDX-License-Identifier: GPL-2.0-only */
/* What `ktrace run` checks before a plan becomes probes. */
#ifndef CMD_RUN_H
#define CMD_RUN_H

#include "cmd/options.h"
#include "planfile/planfile.h"
#include "target/target.h"

/* fit.c: the first variant whose builds are what runs here; *program: its program, opened, or NULL.
 * With
 * --force, the first of all where none is. Errors: ERROR_NO_DEBUGINFO, with all build-ids. */
struct error *fit_variant(struct arena *arena, const struct options *options,
			  const struct planfile *file, const struct variant **ret,
			  struct target **program) must_check;

/* site_addresses.c: fills in what only this machine knows: the program's path, and where static
 * objects are now. Where the running kernel doesn't know an object by its name alone, its values
 * become unavailable. */
void place_planned(struct arena *arena, const struct target *program,
		   const struct planned *planned);
/* Refuses what would crash the program: a probe inside an instruction, a return probe of a function
 * that notices it. */
struct error *place_check(struct arena *arena, struct target *program,
			  const struct planned *planned) must_check;

#endif
