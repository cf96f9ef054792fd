/* SPDX-License-Identifier: GPL-2.0-only */
/* A loaded BPF program with its maps, which keeps a probe's table. */
#ifndef SESSION_COUNTING_PROGRAM_H
#define SESSION_COUNTING_PROGRAM_H

#include "counter/counter.h"
#include "session/internal.h"

/* Hits less calls are at least `least` and at most `most`. */
struct bounds {
	int64_t least;
	int64_t most;
};

struct program {
	const struct probe *probe;
	struct counter_layout layout;
	unsigned ncpus; /* that there may be; a power of two */
	int state; /* the two maps */
	int rows;
	int fd;
	int event;
	volatile uint64_t *words; /* of `state`, mapped */
	struct bounds before;
	struct bounds after;
	bool is_stopped;
};

/* A word of the map `state`, summed over the CPUs. */
uint64_t state_sum(const struct program *program, enum counter_word word);

#endif
