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
	struct probe *probes[PART_COUNT]; /* [PART_OWN] is the one to show; the others are NULL
					   * until needed */
	enum part part;        /* the part at whose instruction registers and memory are read */
	const char *sums[SUMS_MAX]; /* over field names: "frags_0+frags_1" */
	unsigned nsums;
	bool is_term[KERNEL_ARGS_MAX]; /* by fetch of the shown probe: it is used in a sum */
	bool is_per_cpu;    /* the current value is a per-CPU one */
	bool has_unguarded;
	struct probe *host;  /* whose event is this one's, too; or NULL */
	unsigned nhosted;    /* the first so many fetches are the host's */
	unsigned number; /* for companions' names: different for each probe of a plan */
	const struct want *want; /* the current one */
	const char *name;        /* the current value's */
	const struct pair *pair; /* or NULL */
	const struct capture *capture; /* the current one; NULL: a frame, which has no statics */
};

struct fetch_text;

/* bounded_string.c: a string as bytes. Returns NULL, or the reason why it is unavailable. */
const char *text_value(struct work *work, const struct capture *capture, struct value *ret);
/* The same for a raw argument. Returns false if its body is no memory. */
bool raw_text_value(struct work *work, const struct fetch_text *text, bool is_user,
		    struct value *ret);

/* sum_chain.c: the chain's probes, to be put after the shown one; returns how many, at most 4. */
unsigned sum_probes(struct work *work, struct probe *ret);

/* captured_value.c: turns one capture into one value; its fetches are added to the probes. */
struct error *plan_value(struct work *work, const struct capture *capture,
			 struct value *ret) must_check;

/* one_argument.c: the same for a capture whose expression has no EXPR_CPU. Returns NULL, or the
 * reason why the value is unavailable. */
const char *plan_expression(struct work *work, const struct capture *capture, struct value *ret);
/* finish.c: arguments and a finish over them. Returns NULL, or the reason why the value is
 * unavailable. */
const char *split_value(struct work *work, const struct expr *expr, struct value *ret);
/* The same for an object in parts: each has a finish; the bytes of all make the object. */
const char *parts_value(struct work *work, const struct capture *capture, struct value *ret);
const char *finish_print(struct work *work, const struct value *value, const struct expr *finish);
/* Sets both probes' frames. Returns false if they can't be recorded. */
bool plan_frames(struct work *work, const struct site *site);

/* percpu.c: captures of per-CPU objects. */
const char *plan_by_cpu(struct work *work, const struct capture *capture, struct value *ret);
const struct expr *at_cpu(struct arena *arena, const struct capture *capture,
			  const struct expr *expr, unsigned cpu);

/* static_addresses.c: puts the addresses that only a running kernel knows into the finishes of a
 * live run. */
void plan_running(struct arena *arena, struct probe *probe);
void values_running(struct arena *arena, const struct capture *captures, struct value *values,
		    unsigned count);
/* The static object at an address, or the array whose per-CPU entry lies there. Returns NULL if
 * none. */
const struct static_place *find_static(const struct capture *capture, uint64_t address);

/* limits.c: more than one probe may have is an error. */
struct error *check_limits(struct arena *arena, const struct plan_input *input,
			   const struct probe *probe) must_check;

/* plan.c: makes room for `count` more probes. */
void plan_make_room(struct plan *plan, unsigned count);

/* tracepoint_value.c: an event's field: what the kernel has recorded, the type's name, "int[4]",
 * and the value that is fetch `number`. */
struct fetch_type kernel_type(const struct tracepoint_field *field);
const char *type_name(struct arena *arena, const struct tracepoint_field *field);
void field_value(struct arena *arena, const struct tracepoint_field *field, unsigned number,
		 struct value *ret);

/* field_type.c: shows the value of an event's field by `:TYPE`. Returns NULL, or why that can't
 * be. */
const char *cast_field(struct arena *arena, const struct tracepoint_field *field, const char *type,
		       struct value *value);

/* stack_copy.c */
void stack_value(struct work *work, const struct capture *capture, struct value *ret);

/* raw_value.c */
void raw_value(struct work *work, const struct capture *capture, struct value *ret);

/* hosted.c: a probe whose hits are an earlier probe's. hosted_begin() finds that one, the host, if
 * there is any, and begins with its fetches; hosted_end() gives it what was added to them. */
void hosted_begin(struct work *work, const struct plan *plan);
void hosted_end(const struct work *work);

/* following.c: sets the probe's frame, by which its hits are told from other calls'. */
struct error *plan_followed(struct work *work, const struct site *site) must_check;
/* Sets probe->watched. */
struct error *plan_watched(struct arena *arena, const struct plan_input *input,
			   const struct sites *sites, struct following *following,
			   struct probe *probe) must_check;

/* finish.c: the canonical frame address over a part's fetches. Returns NULL if it can't be
 * recorded. */
const struct expr *cut_frame(struct work *work, enum part part, const struct expr *frame);

/* kernel_filter.c: which half tests what. */
/* sites: the probe's; NULL: it is a tracepoint's. */
struct error *plan_filter(struct arena *arena, const struct plan_input *input,
			  const struct sites *sites, struct probe *probe) must_check;

/* counting.c: if the input says so, the probe's table is the kernel's to keep; else does
 * nothing. */
struct error *plan_counting(struct arena *arena, const struct plan_input *input,
			    struct probe *probe) must_check;

#endif
