/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A call graph as it is followed: the functions whose calls are probed, and all calls in their
 * code. Addresses are the file's (struct site).
 */
#ifndef KTRACE_GRAPH_H
#define KTRACE_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

struct spec;

#define NO_COPY UINT32_MAX

/* A function, or an inlined copy of one. */
struct graph_function {
	const char *name;
	const struct spec *spec; /* that names its values, or NULL */
	uint64_t entry;
	unsigned level;      /* 1: a root's, whose calls begin a tree */
	bool is_anywhere;    /* it is shown at any depth, whatever calls it */
	/* it may end in a jump to another function, which then has its frame */
	bool may_jump;
	/* the kernel lets no one probe it: what it calls is a level deeper than what calls it */
	bool is_hidden;
	bool is_inlined;
	unsigned copy;       /* of an inlined copy: the first of its entries */
	unsigned host;       /* of an inlined copy: the copy that it is inlined in, or NO_COPY */
	bool has_values; /* at its return */
	const char *unseen;  /* why its returns aren't probed, or NULL */
	const char *left_out; /* why its calls can't be shown; else NULL */
};

/* A call instruction in one of the functions. */
struct graph_call {
	uint64_t address; /* behind it: the return address */
	unsigned function;
	unsigned copy; /* the inlined copy that it is in, of those that are followed; or NO_COPY */
};

/* What a probe's hit is to the graph. */
enum graph_part {
	GRAPH_ENTRY,
	GRAPH_INLINED, /* the entry of an inlined copy: its end isn't probed */
	GRAPH_RETURN,
	GRAPH_JUMP,    /* the function ends in a jump to another one that is followed */
	GRAPH_LEAVE,   /* the same to one that isn't */
};

struct graph_probe {
	unsigned function;
	enum graph_part part;
};

struct graph {
	unsigned depth; /* levels that are shown */
	struct graph_function *functions;
	unsigned nfunctions;
	struct graph_call *calls; /* by address */
	unsigned ncalls;
	struct graph_probe *probes; /* of the plan's probes[i] */
	unsigned nprobes;
	/* Calls that aren't followed, in functions above the last level: */
	unsigned nindirect; /* by a pointer */
	unsigned nforeign;  /* to other files */
	/* followed, but to what the file says: the kernel changes these calls */
	unsigned nstatic;
	const char **indirect; /* where they are, "vfs_read+0x12c" */
	const char *undecoded; /* a function whose calls aren't known, and why; or NULL */
};

/* What a trace of calls has seen. */
struct graph_counts {
	uint64_t trees;
	uint64_t open;    /* calls of a root that had not ended */
	/* returns whose call isn't known: it began before the trace, or its entry was lost */
	uint64_t strays;
	uint64_t lost;    /* trees that were cut off, as events were lost */
	uint64_t evicted; /* trees that were cut because there was no room */
	uint64_t dropped; /* calls that were left out because there was no room */
	uint64_t unknown; /* hits whose frame isn't known */
	/* calls that were left out, as what called them can't be told: it may be in the tree */
	uint64_t unplaced;
};

#endif
