/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the files of plan/. */
#ifndef PLAN_INTERNAL_H
#define PLAN_INTERNAL_H

#include <string.h>

#include "base/error.h"
#include "base/expr.h"
#include "plan/plan.h"

/* fetch.c: kernel fetch syntax. reason is set where NULL is returned. */
char *fetch_register(struct arena *arena, const struct plan_input *input, const struct expr *expr,
		     const char **reason);
/* What reads the memory at an address: "+8(%di)", "@jiffies". */
char *fetch_memory(struct arena *arena, const struct plan_input *input,
		   const struct expr *address, bool is_user, const char **reason);

/* value.c: one capture to one value, its fetches added to the probe. */
struct error *plan_value(struct arena *arena, const struct plan_input *input,
			 struct probe *probe, const struct want *want,
			 const struct capture *capture, struct value *ret) must_check;

/* The same of one whose expression has no EXPR_CPU; NULL, or the reason why it can't be had. */
const char *plan_expression(struct arena *arena, const struct plan_input *input,
			    struct probe *probe, const struct want *want,
			    const struct capture *capture, struct value *ret);
const char *finish_print(struct arena *arena, const struct plan_input *input,
			 const struct value *value, const struct expr *finish);

/* percpu.c: captures of each CPU's own. */
bool is_per_cpu(const struct expr *expr);
struct error *check_cpus(struct arena *arena, const struct plan_input *input,
			 const struct probe *probe, const struct want *want) must_check;
const char *plan_by_cpu(struct arena *arena, const struct plan_input *input,
			struct probe *probe, const struct want *want,
			const struct capture *capture, struct value *ret);
const struct expr *at_cpu(struct arena *arena, const struct expr *expr, unsigned cpu);

/* raw.c: what a raw argument's type says of the value. */
void raw_shape(struct arena *arena, const struct capture *capture, struct value *ret,
	       const char **type);

/* filter.c: which half tests what. */
struct error *plan_filter(struct arena *arena, const struct plan_input *input,
			  struct probe *probe) must_check;

/* name.c */
/* number: the first that may be free for this spec's next copy; starts at 1. */
char *event_name(struct arena *arena, const struct plan *plan, const struct sites *sites,
		 const struct site *site, unsigned *number);
char *field_name(struct arena *arena, const struct probe *probe, const char *wanted);

#endif
