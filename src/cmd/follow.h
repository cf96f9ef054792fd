/* SPDX-License-Identifier: GPL-2.0-only */
/* `ktrace follow`: a function becomes several specs, whose hits are assembled into calls. */
#ifndef CMD_FOLLOW_H
#define CMD_FOLLOW_H

#include "base/strbuf.h"
#include "cmd/sources.h"
#include "ktrace/plan.h"

/* The specs that the operands stand for, in the order in which they are to be planned. Sets
 * plan->following. */
struct error *follow_specs(struct arena *arena, const struct options *options, struct plan *plan,
			   struct spec ***ret, unsigned *count) must_check;
/* The one that says where calls begin. */
const struct spec *follow_begin(struct spec *const *specs, unsigned count);
/* Leaves out places that *heads, of the specs before, has already. Returns false when none is
 * left. */
bool follow_needs(struct sites *sites, const struct sites **heads);
/* What follows if a spec can't be planned: without returns, calls are followed all the same. */
struct error *follow_without(const struct options *options, const struct spec *spec,
			     struct error *error) must_check;
/* Appends what a call costs, for a dry run. */
struct error *follow_cost(struct resolver *resolver, const struct spec *begin,
			  const struct plan *plan, struct strbuf *out) must_check;
/* follow_texts.c */
void follow_read_texts(struct sources *sources, const struct resolver *resolver, struct plan *plan);
/* Once all are planned: checks that --calls can be answered, and reads the lines' texts for a live
 * run. */
struct dry_run;
struct error *follow_check(struct sources *sources, struct resolver *resolver,
			   const struct dry_run *dry, struct plan *plan) must_check;

#endif
