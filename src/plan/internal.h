/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the files of plan/. */
#ifndef PLAN_INTERNAL_H
#define PLAN_INTERNAL_H

#include <string.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "expr/expr.h"
#include "plan/plan.h"

#define SUMS_MAX 8 /* of one probe; the kernel has room for 16 variables */

/* A probe in the making, with its companions. */
struct work {
	struct arena *arena;
	const struct plan_input *input;
	const struct arch *arch;
	struct probe *probes[PART_COUNT]; /* [PART_OWN] is the one to show; others NULL until needed */
	enum part part;        /* whose instruction it is: registers and memory are read there */
	const char *sums[SUMS_MAX]; /* over field names: "frags_0+frags_1" */
	unsigned nsums;
	bool is_term[KERNEL_ARGS_MAX]; /* of the shown probe's fetches: used in a sum */
	bool is_per_cpu;    /* in hand: a value of each CPU's own */
	bool has_unguarded;
	unsigned number; /* for companions' names: no two probes of a plan have the same */
	const struct want *want; /* in hand */
	const char *name;        /* of the value in hand */
	const struct capture *capture; /* in hand; NULL: a frame, which has no statics */
};

struct fetch_text;

/* text.c: a string as bytes that are bounded. NULL, or the reason why it can't be had. */
const char *text_value(struct work *work, const struct capture *capture, struct value *ret);
/* The same of a raw argument. false: its body is no memory. */
bool raw_text_value(struct work *work, const struct fetch_text *text, bool is_user, struct value *ret);

/* sum_chain.c: the probes along the chain, to be put behind the shown one; returns how many, at most 4. */
unsigned sum_probes(struct work *work, struct probe *ret);

/* value.c: one capture to one value, its fetches added to the probes. */
struct error *plan_value(struct work *work, const struct capture *capture,
			 struct value *ret) must_check;

/* expression.c: the same of one whose expression has no EXPR_CPU; NULL, or the reason why it can't be
 * had. */
const char *plan_expression(struct work *work, const struct capture *capture, struct value *ret);
/* finish.c: arguments and a finish over them. NULL, or the reason why it can't be had. */
const char *split_value(struct work *work, const struct expr *expr, struct value *ret);
/* The same of an object in parts: each has its finish; the bytes of all make the object. */
const char *parts_value(struct work *work, const struct capture *capture, struct value *ret);
const char *finish_print(struct work *work, const struct value *value, const struct expr *finish);
/* Sets both probes' frame; false: it can't be recorded. */
bool plan_frames(struct work *work, const struct site *site);

/* percpu.c: captures of each CPU's own. */
const char *plan_by_cpu(struct work *work, const struct capture *capture, struct value *ret);
const struct expr *at_cpu(struct arena *arena, const struct expr *expr, unsigned cpu);

/* running.c: a live run's half, the addresses that only the running kernel knows, in the finishes. */
void plan_running(struct arena *arena, struct probe *probe);
/* Of a static address, or of a CPU's own entry of an array. */
const struct static_place *find_static(const struct capture *capture, uint64_t address);

/* plan.c: for so many probes more. */
void plan_make_room(struct plan *plan, unsigned count);

/* field_type.c: the value of an event's field as `:TYPE` has it. Why it can't be, or NULL. */
const char *cast_field(struct arena *arena, const struct tracepoint_field *field, const char *type,
		       struct value *value);

/* raw.c */
void raw_value(struct work *work, const struct capture *capture, struct value *ret);

/* filter.c: which half tests what. */
/* sites: the probe's; NULL: of a tracepoint. */
struct error *plan_filter(struct arena *arena, const struct plan_input *input, const struct sites *sites,
			  struct probe *probe) must_check;

#endif
