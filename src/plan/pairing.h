/* SPDX-License-Identifier: GPL-2.0-only */
/* The two halves of a pair: which site belongs to which, and what joins their hits. */
#ifndef PLAN_PAIRING_H
#define PLAN_PAIRING_H

#include "plan/internal.h"

/* The pair that a spec in the making is half of, or NULL. */
struct pair *pair_of(const struct plan *plan, const struct spec *spec);
/* Sets what a probe at a site has as half of work->pair, besides its own values. */
struct error *pair_probe(struct work *work, const struct plan *plan,
			 const struct site *site) must_check;
/* The site, with what its twin needs of the function's entry. */
const struct site *pair_site(struct arena *arena, const struct pair *pair, const struct spec *spec,
			     const struct site *site);
/* Appends a pair without probes to the plan. */
struct pair *pair_begin(struct plan *plan, const struct pairing *pairing);
/* Once all its probes are planned, from `first` on: assigns filters. */
struct error *pair_end(struct arena *arena, const struct plan_input *input,
		       const struct sites *sites, struct plan *plan, unsigned first) must_check;
/* The values by which the end will show what the start records: those of the first probe that has
 * them. */
void pair_values(struct arena *arena, struct plan *plan, struct pair *pair, unsigned first);
void start_value(const struct pair *pair, unsigned start, struct value *ret);

#endif
