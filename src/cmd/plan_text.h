/* SPDX-License-Identifier: GPL-2.0-only */
/* Writes a plan file while specs are planned in a dry run. */
#ifndef CMD_PLAN_TEXT_H
#define CMD_PLAN_TEXT_H

#include "base/strbuf.h"
#include "cmd/sources.h"
#include "plan/plan.h"
#include "planfile/planfile.h"

struct plan_text {
	struct arena *arena;
	const struct sources *sources;
	const struct plan_input *input;
	struct strbuf *out;
	struct strbuf own;     /* if the plan file isn't the output itself */
	struct strbuf builds;  /* the rows of builds, and of the machine, written so far */
	bool has_machine;
	const char **ids;      /* their build-ids */
	unsigned nids;
	struct plan again;     /* what the written text makes */
	const char *why_not;   /* why there is no command, or NULL */
};
/* Writes the beginning. out: NULL for a command only. */
void plan_text_begin(struct plan_text *text, struct arena *arena, const struct sources *sources,
		     const struct plan_input *input, struct strbuf *out);
/* Writes what the plan is of, and reads it again: what was written must make the same plan. */
struct error *plan_text_add(struct plan_text *text, const struct planned *planned,
			    const struct plan *plan) must_check;
/* Writes the rows that belong to no spec. */
void plan_text_end(struct plan_text *text);
/* Appends the command that runs the plan, or a comment that says why there is none. */
void plan_text_command(struct plan_text *text, struct strbuf *out);
void plan_text_deinit(struct plan_text *text);

/* Plans the sites of a plan file. */
struct error *plan_planned(struct arena *arena, const struct plan_input *input,
			   const struct planned *planned, struct plan *plan) must_check;

#endif
