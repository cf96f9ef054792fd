/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The interface of plan/: turns sites into the kernel's own text, and into what is left to finish.
 * A pure function: it reads no file and asks no kernel.
 */
#ifndef PLAN_PLAN_H
#define PLAN_PLAN_H

#include "base/arena.h"
#include "base/strbuf.h"
#include "ktrace/arch.h"
#include "ktrace/plan.h"
#include "ktrace/tracepoint.h"

/* Where the running kernel has a function; several may have one name. */
struct code {
	const char *name;
	uint64_t start;
	uint64_t end;
};

struct plan_input {
	const struct caps *caps;
	unsigned ncpus; /* CPUs that the kernel can have; 0: unknown, and per-CPU variables are
			 * refused */
	/* For a live run: the offset that guards subtract (guard.c), and how many bytes of a
	 * string of unknown length are recorded. 0: no guards; strings recorded by the kernel. */
	uint64_t guard_offset;
	unsigned text_bytes;
	bool has_own_event;    /* the probe has no host, whatever is at its address */
	unsigned stack_pieces; /* of 512 bytes of a stack that are recorded, at most; 0: as usual */
	const struct code *code; /* the functions that filters compare with */
	unsigned ncode;
	const struct filter *const *filters; /* --filter: all must hold */
	const char *const *filter_texts; /* of each, for carets */
	unsigned nfilters;
	bool counts_in_kernel; /* the kernel keeps the tables */
	bool needs_trigger; /* it must not be a program */
	const char *no_program; /* NULL, or why no BPF program may do it */
	bool needs_program; /* and nothing else */
	unsigned counted_rows; /* most rows of each of them; 0: the default */
};

/* Appends the probes of one spec. A value that neither the kernel nor a finish can compute is
 * VALUE_UNAVAILABLE; that is an error only if it is so at every site. Over a kernel limit:
 * ERROR_LIMIT. */
struct error *plan_add(struct arena *arena, const struct plan_input *input,
		       const struct sites *sites, struct plan *plan) must_check;

/* Appends the probes of a pair, whose halves were resolved apart: as plan_add() for each. It is an
 * error if the two can't be joined. */
struct error *plan_pair(struct arena *arena, const struct plan_input *input,
			const struct half *starts, const struct half *ends,
			struct plan *plan) must_check;
struct error *plan_tracepoint_pair(struct arena *arena, const struct plan_input *input,
				   const struct tracepoints *starts, const struct tracepoints *ends,
				   struct plan *plan) must_check;
/* How a pair is joined, in words. */
char *pair_text(struct arena *arena, const struct pair *pair);

/* Copies all its texts that are shown, so that no file need stay open. */
void plan_keep(struct plan *plan);

/* Removes the probes, which were dealt with; their names stay taken. */
void plan_forget(struct plan *plan);

/* Appends existing events, with all their fields as values, except those that the plan has
 * already. */
struct error *plan_tracepoints(struct arena *arena, const struct plan_input *input,
			       const struct spec *spec, const struct tracepoint *tracepoints,
			       unsigned count, struct plan *plan) must_check;

/* ":u64", as it stands after a fetch's body; nothing if it has no type. */
void fetch_type_print(struct strbuf *out, const struct fetch_type *type);

/* The fetch that a number in a value's fetches[] stands for. */
const struct fetch *plan_fetch(const struct plan *plan, const struct probe *probe, unsigned number);

/* Why a capture can't be recorded, although debug information describes it; NULL: it can. For
 * resolve/, which asks before there is a plan. */
const char *plan_obstacle(struct arena *arena, const struct caps *caps, const struct arch *arch,
			  const struct capture *capture);

/* The caps of every kernel since 5.4: for a dry run. */
struct caps caps_assumed(void);

#endif
