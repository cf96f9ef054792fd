/* SPDX-License-Identifier: GPL-2.0-only */
/* The trees of a call graph in the making. */
#ifndef SINK_GRAPH_GRAPH_H
#define SINK_GRAPH_GRAPH_H

#include "ktrace/graph.h"
#include "sink/value.h"

#define NO_CALL UINT32_MAX
#define COMM_SIZE 16

/* How a call ended. */
enum call_end {
	CALL_OPEN,     /* it hasn't */
	CALL_RETURNED,
	/* by a jump to a function that isn't followed: when that returned isn't known */
	CALL_JUMPED,
	CALL_PASSED,   /* by a jump to one that is, when that one returned */
	CALL_INLINED,  /* its end can't be seen */
	CALL_UNSEEN,   /* its returns aren't probed, and it is over */
	CALL_LEFT,     /* it is over, but no return was seen */
};

/* A part of the tree's text. */
struct piece_of {
	uint32_t at;
	uint32_t length;
};

/* A call that is shown, in the order of beginnings. */
struct call {
	uint64_t begin;
	uint64_t end; /* ns; of CALL_RETURNED, CALL_JUMPED, CALL_PASSED */
	uint32_t function;
	uint32_t parent; /* the call that is shown around it; of the root NO_CALL */
	uint32_t depth; /* 0: the root */
	enum call_end how;
	uint32_t by; /* CALL_PASSED: the function that returned */
	struct piece_of values;   /* as the sink writes them, at its beginning */
	struct piece_of returned; /* and at its return */
	struct piece_of via;      /* the name of what called it, where that isn't shown */
	bool is_elsewhere;        /* that has no name: it is in another file */
	uint32_t dropped;         /* calls in it for which there was no room */
};

/* A call that hasn't ended. */
struct frame_open {
	uint64_t cfa;
	uint64_t return_ip;
	uint32_t function;
	uint32_t call;   /* its own, or NO_CALL: it is too deep to be shown */
	uint32_t parent; /* the call that is shown around it, or its own */
	/* the inlined copy in it that was entered last and may not be over, or NO_COPY */
	unsigned copy;
	uint32_t copy_call; /* its call */
	unsigned level;  /* as far as is known; 1: the root */
	bool has_jumped; /* to another followed function, which has its frame now */
};

/* A root's call, and what it calls. */
struct tree {
	struct tree *next;  /* of the same chain */
	struct tree *older; /* of all trees */
	struct tree *newer;
	int pid;
	unsigned context; /* struct event's: each has a stack of its own */
	size_t probe; /* of the plan: the root's entry */
	int cpu;
	int process;
	char comm[COMM_SIZE];
	uint64_t bias; /* how far the file is from its own addresses */
	const char *cut; /* why it is shown before it has ended, or NULL */
	struct call *calls;
	uint32_t ncalls, size;
	struct frame_open *open; /* a stack */
	unsigned nopen, open_size;
	struct strbuf text;
};

#define CHAINS 4096u
#define CALLERS 1024u

/* What is known of a return address that is in none of the functions. */
struct caller {
	uint64_t address; /* 0: none */
	uint64_t bias;
	bool is_unknown;
};

struct graphs {
	const struct graph *graph;
	const struct plan *plan;
	const struct sink_context *context;
	struct graph_options options;
	struct tree *chains[CHAINS]; /* by thread */
	struct tree *oldest;
	struct tree *newest;
	unsigned ntrees;
	size_t bytes; /* of all trees */
	unsigned losses;
	struct caller callers[CALLERS];
	struct graph_counts counts;
	uint64_t shown; /* trees that were printed */
};

/* tree.c */
struct tree *tree_new(struct graphs *graphs, const struct event *event);
void tree_free(struct graphs *graphs, struct tree *tree);
/* The tree that a frame of the thread is in: that of the nearest root above it, or NULL. */
struct tree *tree_of(const struct graphs *graphs, const struct event *event);
/* Whether another tree may begin. */
bool tree_has_room(const struct graphs *graphs);
struct frame_open *tree_top(struct tree *tree);
/* Opens a call. Returns its frame, or NULL when there is no memory. */
struct frame_open *tree_push(struct graphs *graphs, struct tree *tree,
			     const struct frame_open *frame);
/* Adds a call that is shown. Returns NO_CALL, and counts it, where there is no room. */
uint32_t tree_add(struct graphs *graphs, struct tree *tree, const struct call *call,
		  uint32_t parent);
/* Accounts for what was appended to the tree's text since it was `before` bytes long. */
struct piece_of tree_text(struct graphs *graphs, struct tree *tree, size_t before);

/* caller.c: whether a call with the frame of the innermost open one was jumped to by that one. */
bool call_is_tail(const struct graphs *graphs, const struct tree *tree, const struct event *event);
/* Whether the call is made in the code of the innermost open one; *parent: the call that is shown
 * around it. */
bool call_is_direct(const struct graphs *graphs, struct tree *tree, const struct event *event,
		    unsigned function, uint32_t *parent);
/* Whether it is made in the code of a function that the kernel lets no one probe. */
bool call_is_of_hidden(const struct graphs *graphs, const struct tree *tree,
		       const struct event *event);

/* tree_text.c, tree_json.c: the values of an event, and a whole tree. */
void graph_text_values(struct strbuf *out, const struct event *event,
		       const struct sink_context *context);
void graph_text_tree(struct strbuf *out, const struct graphs *graphs, const struct tree *tree);
void graph_json_values(struct strbuf *out, const struct event *event,
		       const struct sink_context *context);
void graph_json_tree(struct strbuf *out, const struct graphs *graphs, const struct tree *tree);

#endif
