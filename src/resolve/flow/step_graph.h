/* SPDX-License-Identifier: GPL-2.0-only */
/* flow/step_graph.c: a function's control flow as numbers, for questions about whole loops. */
#ifndef RESOLVE_STEP_GRAPH_H
#define RESOLVE_STEP_GRAPH_H

#define WAYS 3

/* A function's instructions by number, as flow_step() has them, and what is found out about one
 * line of it. */
struct step_graph {
	unsigned count;
	int *next;             /* WAYS for each */
	/* of those that lead to each: where they begin in `before`; one more than there are */
	unsigned *first_before;
	int *before;
	/* in an order in which ways lead to later ones, but for those back in a loop; UINT_MAX:
	 * nothing known leads there from the entry */
	unsigned *place;
	const struct instance *instance; /* whose lines these are: */
	const struct row *rows;
	unsigned nrows;
	unsigned *kinds;
	bool *is_vector;
	struct loop {
		unsigned first, end;
		bool is_plain; /* entered at its beginning, without another loop in it */
		unsigned copies; /* of the source's round; 0: not counted yet */
	} *loops;
	unsigned nloops;
	unsigned *lines; /* 0: not the instance's own */
	bool *has_event;
	bool *is_early; /* can run before any of the line's events */
	bool *ahead, *behind;
	int *queue;
	struct arena *arena; /* it lives there */
	struct next_call *next_calls; /* what values/next_call.c has found out */
	unsigned nnext_calls;
};

/* Lives as long as the function's flow. *entry: the number of the function's first instruction.
 * Returns NULL when the code can't be decoded. */
struct step_graph *step_graph_of(struct resolver *resolver, const struct instance *instance,
				 int *entry);
/* Sets the lines of the instance's instructions. */
struct line_code;
void step_graph_lines(struct step_graph *graph, const struct line_code *of);
/* Marks what the first `count` of the queue lead to, without those that are marked already. */
void step_graph_spread(struct step_graph *graph, bool *marks, unsigned count);
/* The same for what leads to them. */
void step_graph_spread_back(struct step_graph *graph, bool *marks, unsigned count);

#endif
