/* SPDX-License-Identifier: GPL-2.0-only */
/* flow/reach.c: whether one instruction of a flow leads to another one. */
#ifndef RESOLVE_REACH_H
#define RESOLVE_REACH_H

#include <stdbool.h>

struct flow;

/* Forgets what is known: the ways have changed. */
void reach_init(struct flow *flow);

enum reach_answer {
	REACH_UNKNOWN, /* a search has to tell */
	REACH_NO,
	REACH_YES,
};
/* Whether a way of at least one step leads from one node to the other. */
enum reach_answer reach_ask(const struct flow *flow, int from, int to);
/* Whether two different nodes lead to each other. */
bool reach_shares_loop(const struct flow *flow, int one, int other);

#endif
