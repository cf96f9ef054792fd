/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The interface of counter/: turns a probe's table into a BPF program that keeps it. A pure
 * function; session/ loads the program and reads its maps.
 */
#ifndef COUNTER_COUNTER_H
#define COUNTER_COUNTER_H

#include <linux/bpf.h>
#include <sys/types.h>

#include "base/arena.h"
#include "ktrace/plan.h"

/* What each CPU has in the map `state`, 8 bytes each; the row of a table without keys follows, and
 * then as many zeros: the value of a new row. */
enum counter_word {
	COUNTER_ON,      /* 0: hits aren't counted */
	COUNTER_CALLS,   /* how often the program ran, also while it was off */
	COUNTER_DROPPED, /* hits for which the map `rows` had no room */
	COUNTER_TORN,    /* bounds that could not be stored */
	COUNTER_WORDS,
};

/* A row: COUNTER_HITS, the cells in order, and the number of its hits that have begun: a copy in
 * which that is the hits was made while nothing changed. */
enum counter_cell_word {
	COUNTER_N,
	COUNTER_LOW, /* the sum's 128 bits */
	COUNTER_HIGH,
	/* of the numbers, for signed ones with the sign bit inverted: 0 is below all */
	COUNTER_MAX,
	COUNTER_MIN, /* of the inverted ones: the same */
	COUNTER_CELL_WORDS,
};

struct counter_layout {
	unsigned key_size;   /* of `rows`, bytes; 0: there is no such map */
	unsigned row_words;
	unsigned state_size; /* of one CPU in `state`, bytes; a power of two */
};

static inline struct counter_layout counter_layout(const struct counting *counting)
{
	struct counter_layout layout = {.row_words = 2 + counting->nvalues * COUNTER_CELL_WORDS};

	for (unsigned i = 0; i < counting->nkeys; i++)
		layout.key_size += counting->keys[i].is_text ? 16 : 8;
	for (layout.state_size = 64;
	     layout.state_size < 8 * (COUNTER_WORDS + 2 * layout.row_words);)
		layout.state_size *= 2;
	return layout;
}

/* What only a live run knows. */
struct counter_live {
	int state; /* fds of the maps */
	int rows;
	unsigned ncpus; /* a power of two */
	pid_t own; /* a thread whose hits aren't counted; 0: none */
	const char *const *comms; /* only threads with one of these names; at most 15 bytes each */
	unsigned ncomms;          /* 0: all */
};

/* Whether a program can keep the probe's table: *ret says how. What can't be expressed is an
 * error that names it. */
struct error *counter_plan(struct arena *arena, const struct probe *probe,
			   struct counting **ret) must_check;
/* The program of a table that counter_plan() has planned. Returns its length. */
unsigned counter_program(struct arena *arena, const struct probe *probe,
			 const struct counting *counting, const struct counter_live *live,
			 struct bpf_insn **ret);

#endif
