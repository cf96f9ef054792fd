/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A table that the kernel keeps of a probe's hits, by a BPF program or by a histogram trigger: how
 * it is asked for, and a row of it.
 */
#ifndef KTRACE_COUNTED_H
#define KTRACE_COUNTED_H

#include <stdbool.h>
#include <stdint.h>

#define COUNTED_KEYS_ROOM   12
#define COUNTED_VALUES_ROOM 8

enum counted_kind {
	COUNTED_VALUE, /* index: of the probe's values */
	COUNTED_COMM,
	COUNTED_TID,
	COUNTED_PID,
	COUNTED_CPU,
	COUNTED_BUCKET, /* index: of the spec's aggregates */
	COUNTED_STEP,   /* the same; a program's bucket of a linear histogram */
	COUNTED_FAULTS, /* bit `used` of each key that could not be read */
};

/* A program's number of a histogram's bucket: (e << 5) + (number >> e), with the smallest e that
 * leaves less than 64 of the number; below 0 of -1 - number, and COUNTED_BELOW more. */
#define COUNTED_BELOW     4096
#define COUNTED_NO_BUCKET 8192 /* the number could not be read */

struct counted_key {
	enum counted_kind kind;
	const char *field; /* of the event; a trigger's */
	unsigned index;
	unsigned used; /* a program's number of the value */
	bool is_text;
	uint64_t step; /* a bucket's width; 0: powers of two, which a trigger rounds up */
};

struct counted_value {
	unsigned want; /* of the spec's wants */
	const char *field;
	unsigned used;
};

/* A trigger has no keys: the kernel's are CPUs, whose rows are one. */
struct counting {
	bool by_program;
	bool may_fault; /* a key that a program reads */
	unsigned ninsns; /* of the program */
	const char *no_program; /* why it is by a trigger */
	struct counted_key keys[COUNTED_KEYS_ROOM]; /* in the kernel's order */
	unsigned nkeys;
	struct counted_value values[COUNTED_VALUES_ROOM];
	unsigned nvalues;
	unsigned rows; /* most rows that a program keeps */
};

/* What a program has of a value's numbers. */
struct counted_cell {
	uint64_t n;
	__int128 sum;
	__int128 min; /* if n */
	__int128 max;
};

struct counted_row {
	/* of keys[i], unless it is a text; a trigger's BUCKET: its first number, of powers of two
	 * its exponent */
	uint64_t numbers[COUNTED_KEYS_ROOM];
	const char *text; /* of the key that is one, without trailing blanks; or NULL */
	uint64_t hits;
	uint64_t sums[COUNTED_VALUES_ROOM]; /* of values[i], modulo 2^64; a trigger's */
	struct counted_cell *cells;         /* of values[i]; a program's */
};

/* All rows of a probe's. */
struct counted {
	struct counted_row *rows;
	unsigned nrows;
	uint64_t dropped; /* hits for which there was no room */
};

#endif
