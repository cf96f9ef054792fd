/* SPDX-License-Identifier: GPL-2.0-only */
/* A table that the kernel keeps of a probe's hits: how it is asked for, and a row of it. */
#ifndef KTRACE_COUNTED_H
#define KTRACE_COUNTED_H

#include <stdbool.h>
#include <stdint.h>

#define COUNTED_KEYS_MAX   3 /* TRACING_MAP_KEYS_MAX */
#define COUNTED_VALUES_MAX 2 /* TRACING_MAP_VALS_MAX less the hits */

enum counted_kind {
	COUNTED_VALUE, /* index: of the probe's values */
	COUNTED_COMM,
	COUNTED_TID,
	COUNTED_CPU,
	COUNTED_BUCKET, /* index: of the spec's aggregates */
};

struct counted_key {
	enum counted_kind kind;
	const char *field; /* of the event */
	unsigned index;
	bool is_text;
	uint64_t step; /* BUCKET: its width; 0: powers of two, rounded up */
};

struct counted_value {
	unsigned want; /* of the spec's wants */
	const char *field;
};

/* No keys: the kernel's are CPUs, whose rows are one. */
struct counting {
	struct counted_key keys[COUNTED_KEYS_MAX]; /* in the kernel's order */
	unsigned nkeys;
	struct counted_value values[COUNTED_VALUES_MAX];
	unsigned nvalues;
};

struct counted_row {
	uint64_t numbers[COUNTED_KEYS_MAX]; /* of keys[i], unless it is a text; BUCKET: its first
					     * number, of powers of two its exponent */
	const char *text; /* of the key that is one, without trailing blanks; or NULL */
	uint64_t hits;
	uint64_t sums[COUNTED_VALUES_MAX]; /* of values[i], modulo 2^64 */
};

/* All rows of a probe's. */
struct counted {
	struct counted_row *rows;
	unsigned nrows;
	uint64_t dropped; /* hits for which there was no room */
};

#endif
