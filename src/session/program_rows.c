// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the rows that BPF programs have counted. The surprise: programs add to a row while it is
 * read, so each CPU's part is read again until its number of hits begun is that of hits ended.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <string.h>
#include <time.h>

#include "session/counting_program.h"

#define COPY_TRIES 1000

/* Adds one CPU's row. Returns false when it is not whole: a hit is being added to it. */
static bool add_row(const struct program *program, const volatile uint64_t *from,
		    struct counted_row *row)
{
	const struct counting *counting = program->probe->counting;
	unsigned count = program->layout.row_words;
	uint64_t words[2 + COUNTED_VALUES_ROOM * COUNTER_CELL_WORDS];

	for (unsigned i = 0; i < count; i++)
		words[i] = from[i];
	if (words[0] != words[count - 1])
		return false;
	row->hits += words[0];
	for (unsigned i = 0; i < counting->nvalues; i++) {
		const uint64_t *cell = &words[1 + i * COUNTER_CELL_WORDS];
		struct counted_cell *to = &row->cells[i];
		uint64_t sign =
			program->probe->values[counting->values[i].want].is_signed ? 1ull << 63 : 0;
		__int128 max = sign ? (__int128)(int64_t)(cell[COUNTER_MAX] ^ sign) :
				      (__int128)cell[COUNTER_MAX];
		__int128 min = sign ? (__int128)(int64_t)(~cell[COUNTER_MIN] ^ sign) :
				      (__int128)~cell[COUNTER_MIN];

		if (!cell[COUNTER_N])
			continue;
		to->sum +=
			(__int128)((unsigned __int128)cell[COUNTER_HIGH] << 64 | cell[COUNTER_LOW]);
		to->min = !to->n || min < to->min ? min : to->min;
		to->max = !to->n || max > to->max ? max : to->max;
		to->n += cell[COUNTER_N];
	}
	return true;
}

static bool add_rows(const struct program *program, const volatile uint64_t *from, unsigned stride,
		     unsigned ncpus, struct counted_row *row)
{
	row->hits = 0;
	memset(row->cells, 0, sizeof(*row->cells) * program->probe->counting->nvalues);
	for (unsigned cpu = 0; cpu < ncpus; cpu++)
		if (!add_row(program, from + (size_t)cpu * stride, row))
			return false;
	return true;
}

static void read_key(struct arena *arena, const struct counting *counting, const uint64_t *key,
		     struct counted_row *row)
{
	for (unsigned i = 0; i < counting->nkeys; i++) {
		if (counting->keys[i].is_text) {
			row->text = arena_strndup(arena, (const char *)key,
						  strnlen((const char *)key, 16));
			key += 2;
		} else {
			row->numbers[i] = *key++;
		}
	}
}

/* key: NULL for the only row. */
static struct error *read_row(struct arena *arena, const struct program *program,
			      const uint64_t *key, uint64_t *values, unsigned ncpus,
			      struct counted *ret)
{
	const struct timespec pause = {.tv_nsec = 100 * 1000};
	struct counted_row *row = &arena_append(arena, ret->rows, ret->nrows);
	const struct counting *counting = program->probe->counting;

	row->cells = arena_array(arena, struct counted_cell, counting->nvalues + 1);
	if (key)
		read_key(arena, counting, key, row);
	for (int tries = 0; tries < COPY_TRIES; tries++) {
		if (key && bpf_map_lookup_elem(program->rows, key, values))
			return error_errno(arena, errno,
					   "can't read a row that the kernel has counted");
		if (key ? add_rows(program, values, program->layout.row_words, ncpus, row) :
			  add_rows(program, program->words + COUNTER_WORDS,
				   program->layout.state_size / 8, ncpus, row))
			return NULL;
		if (tries > 100)
			nanosleep(&pause, NULL);
	}
	return error_new(arena, ERROR_SYSTEM,
			 "the kernel was never seen to have finished a row of '%s'",
			 program->probe->event);
}

struct error *program_read(struct session *session, struct arena *arena, unsigned probe,
			   struct counted *ret)
{
	const struct program *program = session->programs[probe];
	unsigned ncpus = (unsigned)libbpf_num_possible_cpus();
	uint64_t *values = arena_array(arena, uint64_t, (size_t)ncpus * program->layout.row_words);
	uint64_t key[2 * COUNTED_KEYS_ROOM];
	struct error *error = NULL;

	*ret = (struct counted){.dropped = state_sum(program, COUNTER_DROPPED)};
	if (state_sum(program, COUNTER_TORN))
		return error_new(
			arena, ERROR_SYSTEM,
			"the bounds of '%s' were not kept: too many hits at once on one CPU",
			program->probe->event);
	if (!program->layout.key_size)
		return read_row(arena, program, NULL, NULL, program->ncpus, ret);
	for (bool more = !bpf_map_get_next_key(program->rows, NULL, key); more && !error;
	     more = !bpf_map_get_next_key(program->rows, key, key))
		error = read_row(arena, program, key, values, ncpus, ret);
	return error;
}
