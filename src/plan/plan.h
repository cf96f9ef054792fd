/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The door of plan/: sites to the kernel's own text, and to what is left to finish. A pure
 * function: reads no file and asks no kernel.
 */
#ifndef PLAN_PLAN_H
#define PLAN_PLAN_H

#include "base/arena.h"
#include "base/strbuf.h"
#include "ktrace/arch.h"
#include "ktrace/plan.h"
#include "ktrace/tracepoint.h"

/* Where the running kernel has a function; of one name there may be several. */
struct code {
	const char *name;
	uint64_t start;
	uint64_t end;
};

struct plan_input {
	const struct caps *caps;
	unsigned ncpus; /* that the kernel can have; 0: unknown, and per-CPU variables are refused */
	/* For a live run: what guards take off what they read (guard.c), and how many bytes of a string of
	 * unknown length are recorded. 0: no guards; the kernel's own string. */
	uint64_t guard_offset;
	unsigned text_bytes;
	const struct code *code; /* of the functions that filters compare with */
	unsigned ncode;
	const struct filter *const *filters; /* --filter: all must hold */
	const char *const *filter_texts; /* of each, for carets */
	unsigned nfilters;
};

/* Appends the probes of one spec. A value that neither half can express is VALUE_UNAVAILABLE; an
 * error only where it is so at every site. Limits of the kernel: ERROR_LIMIT. */
struct error *plan_add(struct arena *arena, const struct plan_input *input,
		       const struct sites *sites, struct plan *plan) must_check;

/* Copies all that is shown of it: no file need be open any more. */
void plan_keep(struct plan *plan);

/* Empties the plan of probes that were dealt with; their names stay taken. */
void plan_forget(struct plan *plan);

/* Appends events that are there already, all their fields as values, but for those that the plan has. */
struct error *plan_tracepoints(struct arena *arena, const struct plan_input *input,
			       const struct spec *spec, const struct tracepoint *tracepoints,
			       unsigned count, struct plan *plan) must_check;

/* ":u64", as it stands behind a fetch's body; nothing where it has no type. */
void fetch_type_print(struct strbuf *out, const struct fetch_type *type);

/* What a number of a value's fetches[] stands for. */
const struct fetch *plan_fetch(const struct plan *plan, const struct probe *probe, unsigned number);

/* Why a capture can't be recorded, although debug information describes it; NULL: it can. A question of
 * resolve/'s, which needs no plan. */
const char *plan_obstacle(struct arena *arena, const struct caps *caps, const struct arch *arch,
			  const struct capture *capture);

/* The caps of every kernel since 5.4: for a dry run. */
struct caps caps_assumed(void);

#endif
