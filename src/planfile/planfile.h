/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The interface of planfile/: sites as text, and back. A plan file holds what resolve/ found, and
 * the build-ids that it is true for; plan/ makes probes of it where it runs, so what a kernel
 * accepts, how many CPUs it has and the guards of a trace are that kernel's and that trace's.
 */
#ifndef PLANFILE_PLANFILE_H
#define PLANFILE_PLANFILE_H

#include "base/arena.h"
#include "base/strbuf.h"
#include "ktrace/arch.h"
#include "ktrace/plan.h"
#include "ktrace/site.h"
#include "ktrace/target.h"

/* The build that a plan is for: all of a variant's must fit. */
struct build {
	enum target_kind kind;
	const char *name; /* KERNEL: its release, or NULL; MODULE; PROGRAM: the path */
	const char *id;   /* build-id, hex */
};

/* A spec's sites, all batches of a pair's start and end; no pair: one, in ends. */
struct planned {
	struct half starts;
	struct half ends;
	const char **definitions; /* as plan/ makes them of these */
	unsigned ndefinitions;
	unsigned line; /* of the file, for errors */
};

/* What one run of `ktrace plan` wrote. */
struct variant {
	unsigned line;
	struct build *builds;
	unsigned nbuilds;
	const struct arch *arch; /* NULL: no site needs one */
	const char **filters;    /* --filter */
	unsigned nfilters;
	const char **events;     /* -e */
	unsigned nevents;
	struct planned **specs;
	unsigned nspecs;
};

struct planfile {
	const char *name; /* for errors */
	struct variant *variants;
	unsigned nvariants;
};

/* Writers append rows. A row ends with a newline; planfile_join() makes one line of a whole
 * text. */
void planfile_begin(struct strbuf *out);
void planfile_build(struct strbuf *out, const struct build *build);
void planfile_machine(struct strbuf *out, const struct arch *arch);
void planfile_filter(struct strbuf *out, const char *text);
void planfile_event(struct strbuf *out, const char *text);
/* The sites of a spec, and the definitions that `plan` (of these sites alone) has; its own are not
 * looked at. Errors:
 * ERROR_INEXPRESSIBLE for what a plan file can't hold. */
struct error *planfile_add(struct arena *arena, struct strbuf *out, const struct planned *planned,
			   const struct plan *plan) must_check;
/* The rows without comments and definitions, with ';' between. */
char *planfile_join(struct arena *arena, const char *text);

/* Reads all variants. The text isn't trusted: what is read is sound, i.e. safe to hand to plan/ and
 * sink/. Its texts are the file's, but for what plan/ puts into definitions. Errors: ERROR_SYNTAX,
 * with the line. */
struct error *planfile_read(struct arena *arena, const char *name, const char *text,
			    struct planfile *ret) must_check;

#endif
