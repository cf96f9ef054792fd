// SPDX-License-Identifier: GPL-2.0-only
/*
 * What stream/ knows from other records than an event's own: values at a call's entry, names, members. Referee: a
 * table in here of what was recorded, asked by thread and frame. And how long it waits: poll(2) is this file's.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include "expr/expr.h"
#include "arena_state.h"
#include "pages.h"

enum { SHOWN_ID = 77, ENTRY_ID, NEWTASK_ID, RENAME_ID };
#define NO_PID 4194399 /* beyond the most that Linux gives out: /proc knows none of these */

#define FORMAT(id, fields) \
	"name: a\nID: " #id "\nformat:\n" \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n" fields "\nprint fmt: \"\"\n"
#define NUMBERS \
	"\tfield:u64 frame;\toffset:8;\tsize:8;\tsigned:0;\n" \
	"\tfield:u64 v;\toffset:16;\tsize:8;\tsigned:0;\n"

static const struct live_event events[] = {{.id = SHOWN_ID, .format = FORMAT(77, NUMBERS)},
					   {.id = ENTRY_ID, .format = FORMAT(78, NUMBERS)}};
static const struct live_event newtask = {.id = NEWTASK_ID, .format = FORMAT(79,
	"\tfield:pid_t pid;\toffset:8;\tsize:4;\tsigned:1;\n"
	"\tfield:char comm[16];\toffset:12;\tsize:16;\tsigned:0;\n"
	"\tfield:unsigned long clone_flags;\toffset:32;\tsize:8;\tsigned:0;\n")};
static const struct live_event rename_event = {.id = RENAME_ID, .format = FORMAT(80,
	"\tfield:pid_t pid;\toffset:8;\tsize:4;\tsigned:1;\n"
	"\tfield:char newcomm[16];\toffset:12;\tsize:16;\tsigned:0;\n")};

/* Pages of one CPU, which are filled one after the other. */
struct tape {
	struct arena *arena;
	struct writer *pages;
	unsigned npages;
	unsigned room;
	uint64_t time;
};

static struct tape tape_new(struct arena *arena, unsigned room)
{
	return (struct tape){arena, arena_array(arena, struct writer, room), 0, room, 1000};
}

static void new_page(struct tape *tape, bool is_behind_a_loss)
{
	struct writer *page = &tape->pages[tape->npages++];

	assert_true(tape->npages <= tape->room);
	begin_page(page, tape->time);
	put_word(page, 29 | 1 << 5); /* discarded: the count of bytes is there, and so is the mark */
	put_word(page, 4);
	page->page[11] |= is_behind_a_loss ? 0x80 : 0;
}

static void put_record(struct tape *tape, const void *record, unsigned size)
{
	struct writer *page = &tape->pages[tape->npages - 1];
	bool is_marked;
	uint32_t word;

	if (!tape->npages || page->used + size + 4 > PAGE - 16) {
		new_page(tape, false);
		page = &tape->pages[tape->npages - 1];
	}
	is_marked = page->page[11] & 0x80;
	tape->time++;
	put_word(page, size / 4 | 1 << 5);
	for (unsigned at = 0; at < size; at += 4) {
		memcpy(&word, (const char *)record + at, 4);
		put_word(page, word);
	}
	page->page[11] |= is_marked ? 0x80 : 0;
}

static void put_numbers(struct tape *tape, uint16_t id, int pid, uint64_t frame, uint64_t v)
{
	uint32_t record[6] = {id, (uint32_t)pid, (uint32_t)frame, (uint32_t)(frame >> 32), (uint32_t)v,
			      (uint32_t)(v >> 32)};

	put_record(tape, record, sizeof(record));
}

static void put_name(struct tape *tape, uint16_t id, int by, int pid, const char *comm, uint32_t flags)
{
	uint32_t record[10] = {id, (uint32_t)by, (uint32_t)pid};

	strncpy((char *)(record + 3), comm, 15);
	record[8] = flags;
	put_record(tape, record, sizeof(record));
}

/* Number 0: the CPU 0 with the tape's pages. */
static struct recording recording_of(const struct tape *tape)
{
	return (struct recording){recording_source(1), .pages = {tape->pages}, .npages = {tape->npages}};
}

/* A line or a return that shows what its call's entry recorded. */
static struct plan entry_plan(struct arena *arena, bool is_return)
{
	struct probe *probes = arena_array(arena, struct probe, 2);
	unsigned *number = arena_array(arena, unsigned, 1);

	*number = fetch_number(PART_ENTRY, 1);
	for (unsigned i = 0; i < 2; i++) {
		probes[i].kind = i || !is_return ? PROBE_HIT : PROBE_RETURN;
		probes[i].role = i ? ROLE_ENTRY : ROLE_SHOWN;
		probes[i].event = i ? "entry" : "shown";
		probes[i].nfetches = 2;
		probes[i].fetches = arena_array(arena, struct fetch, 2);
		probes[i].fetches[0].field = "frame";
		probes[i].fetches[1].field = "v";
		probes[i].frame = expr_leaf(arena, EXPR_FETCH, fetch_number(i ? PART_ENTRY : PART_OWN, 0));
	}
	probes->is_return = is_return;
	probes->companions[PART_ENTRY] = 1;
	probes->nvalues = 1;
	probes->values = arena_new(arena, struct value);
	*probes->values = (struct value){.name = "v", .size = 8, .fetch = *number, .fetches = number, .nfetches = 1};
	return (struct plan){.probes = probes, .nprobes = 2};
}

/* Pairs by v: of event 78 the starts, of 77 the ends. */
static struct plan pair_plan(struct arena *arena)
{
	struct plan plan = entry_plan(arena, false);
	struct pairing *pairing = arena_new(arena, struct pairing);
	struct pair *pair = arena_new(arena, struct pair);
	unsigned *number = arena_array(arena, unsigned, 1);

	*number = fetch_number(PART_OWN, 1);
	for (unsigned i = 0; i < 2; i++) {
		plan.probes[i].role = i ? ROLE_START : ROLE_SHOWN;
		plan.probes[i].pair = 1;
		plan.probes[i].frame = NULL;
		plan.probes[i].companions[PART_ENTRY] = 0;
		plan.probes[i].nvalues = 1;
		plan.probes[i].values = arena_new(arena, struct value);
		*plan.probes[i].values = (struct value){.name = "v", .size = 8, .fetch = *number, .fetches = number,
							.nfetches = 1};
	}
	pairing->joins = arena_new(arena, struct join);
	pairing->njoins = 1;
	*pair = (struct pair){.pairing = pairing, .title = "a -> b", .by = PAIR_BY_VALUES,
			      .values = plan.probes[1].values, .nvalues = 1};
	plan.pairs = pair;
	plan.npairs = 1;
	return plan;
}

/* What ends may be among the lost ones is no pair's start any more, the last record before the loss too; but
 * an end before it is one. */
static void pairs_over_a_loss(void **state)
{
	struct plan plan = pair_plan(*state);
	struct tape tape = tape_new(*state, 4);
	const struct buffers buffers = {.events = events, .cpu_bytes = 1 << 20};
	static const struct { uint16_t id; uint64_t v; bool is_behind_a_loss; } records[] = {
		{ENTRY_ID, 7, false}, {ENTRY_ID, 5, false}, {SHOWN_ID, 5, true}, {SHOWN_ID, 7, false},
		{ENTRY_ID, 6, false}, {SHOWN_ID, 6, false}, {ENTRY_ID, 8, false}, {SHOWN_ID, 8, false},
		{SHOWN_ID, 9, true},
	};
	static const uint64_t pairs[] = {6, 8};
	struct recording recording;
	struct stream *stream;
	const struct event *event;

	for (unsigned i = 0; i < sizeof(records) / sizeof(*records); i++) {
		if (records[i].is_behind_a_loss)
			new_page(&tape, true);
		put_numbers(&tape, records[i].id, 100, 0, records[i].v);
	}
	recording = recording_of(&tape);
	assert_null(stream_over(*state, &plan, &buffers, &recording.source, NULL, &stream));
	assert_null(stream_pairs(stream, 16));
	assert_null(stream_read(stream, true));
	for (unsigned i = 0; i < 2; i++) {
		event = stream_next(stream);
		assert_non_null(event);
		assert_int_equal(event->values->number, pairs[i]);
	}
	assert_null(stream_next(stream));
	stream_close(stream);
}

static uint32_t random_next(uint32_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 17;
	*seed ^= *seed << 5;
	return *seed;
}

enum { CALLS = 1600, DEEP = 3, STEPS = 30000 };

/* The calls of one thread and frame that are under way, the last one on top. */
struct calls {
	uint64_t entries[DEEP];
	unsigned count;
};

/* Random entries, hits and losses, over so many calls at a time that some share a place in the keeper's table. */
static void entries_of_many_calls(void **state, unsigned nthreads, unsigned ncalls, bool is_return)
{
	struct plan plan = entry_plan(*state, is_return);
	struct tape tape = tape_new(*state, STEPS / 100);
	struct calls *calls = arena_array(*state, struct calls, CALLS);
	uint64_t *expected = arena_array(*state, uint64_t, STEPS); /* 0: not known */
	const struct buffers buffers = {.events = events, .cpu_bytes = 1 << 20};
	uint64_t *frames = arena_array(*state, uint64_t, CALLS);
	unsigned nexpected = 0, known = 0, could_know = 0;
	const struct event *event;
	struct recording recording;
	struct stream *stream;
	uint32_t seed = 5;

	for (unsigned i = 0; i < CALLS; i++)
		frames[i] = 0x7ffc00000000 + random_next(&seed) / 16 * 16;
	for (uint64_t step = 1; step < STEPS; step++) {
		unsigned thread = random_next(&seed) % nthreads;
		unsigned frame = random_next(&seed) % (ncalls / nthreads);
		struct calls *call = &calls[frame * nthreads + thread];
		int pid = 100 + (int)thread;

		if (step % 4001 == 0) { /* a loss: what is known may be wrong */
			new_page(&tape, true);
			memset(calls, 0, CALLS * sizeof(*calls));
		}
		if (random_next(&seed) % 2) {
			if (is_return && call->count == DEEP)
				continue;
			call->count -= !is_return && call->count;
			call->entries[call->count++] = step;
			put_numbers(&tape, ENTRY_ID, pid, frames[frame], step);
			continue;
		}
		expected[nexpected++] = call->count ? call->entries[call->count - 1] : 0;
		call->count -= is_return && call->count;
		put_numbers(&tape, SHOWN_ID, pid, frames[frame], 0);
	}
	recording = recording_of(&tape);
	assert_null(stream_over(*state, &plan, &buffers, &recording.source, NULL, &stream));
	assert_null(stream_read(stream, true));
	for (unsigned i = 0; i < nexpected; i++) {
		event = stream_next(stream);
		assert_non_null(event);
		could_know += expected[i] != 0;
		if (event->values->kind == DATUM_NONE) /* its place in the table was needed by another call */
			continue;
		assert_int_equal(event->values->kind, DATUM_INT);
		assert_int_equal(event->values->number, expected[i]);
		known++;
	}
	assert_null(stream_next(stream));
	assert_true(could_know > nexpected / 8 && could_know < nexpected);
	assert_true(known > could_know * 9 / 10);
	stream_close(stream);
}

static void a_line_knows_its_own_call(void **state)
{
	entries_of_many_calls(state, 4, CALLS, false);
	entries_of_many_calls(state, 80, CALLS / 2, false);
}

static void a_return_ends_its_own_call(void **state)
{
	entries_of_many_calls(state, 4, CALLS / 2, true);
	entries_of_many_calls(state, 80, CALLS / 4, true);
}

/* Names that were told hold until a record may have been lost; then /proc is asked, which knows nobody of these. */
static void names_over_a_loss(void **state)
{
	struct probe probe = {.kind = PROBE_TRACEPOINT, .event = "e"};
	struct plan plan = {.probes = &probe, .nprobes = 1};
	const struct buffers buffers = {.events = events, .cpu_bytes = 1 << 20, .newtask = newtask,
					.rename = rename_event};
	struct tape own = tape_new(*state, 4), names = tape_new(*state, 4);
	static const char *const expected[] = {"<...>", "first", "second", "<...>", "other"};
	struct recording of_own, of_names;
	struct stream *stream;

	own.time = 1000;
	put_numbers(&own, SHOWN_ID, NO_PID, 0, 0);
	names.time = 2000;
	put_name(&names, NEWTASK_ID, 1, NO_PID, "first", 0);
	own.time = 3000;
	new_page(&own, false);
	put_numbers(&own, SHOWN_ID, NO_PID, 0, 0);
	names.time = 4000;
	new_page(&names, false);
	put_name(&names, RENAME_ID, NO_PID, NO_PID, "second", 0);
	own.time = 5000;
	new_page(&own, false);
	put_numbers(&own, SHOWN_ID, NO_PID, 0, 0);
	names.time = 6000;
	new_page(&names, true);
	put_name(&names, RENAME_ID, NO_PID + 1, NO_PID + 1, "other", 0);
	own.time = 7000;
	new_page(&own, false);
	put_numbers(&own, SHOWN_ID, NO_PID, 0, 0);
	put_numbers(&own, SHOWN_ID, NO_PID + 1, 0, 0);
	of_own = recording_of(&own);
	of_names = recording_of(&names);
	assert_null(stream_over(*state, &plan, &buffers, &of_own.source, &of_names.source, &stream));
	assert_null(stream_read(stream, true));
	for (unsigned i = 0; i < sizeof(expected) / sizeof(*expected); i++) {
		const struct event *event = stream_next(stream);

		assert_non_null(event);
		assert_string_equal(event->comm, expected[i]);
	}
	stream_close(stream);
}

/* A thread of a process that was asked for is shown, its child process isn't; after a loss neither is known, and what
 * isn't shown for that is counted. */
static void members_over_a_loss(void **state)
{
	struct probe probe = {.kind = PROBE_TRACEPOINT, .event = "e"};
	struct plan plan = {.probes = &probe, .nprobes = 1};
	const struct buffers buffers = {.events = events, .cpu_bytes = 1 << 20, .newtask = newtask,
					.rename = rename_event};
	struct tape own = tape_new(*state, 4), names = tape_new(*state, 4);
	const int me = getpid(), shown[] = {me, NO_PID, me};
	struct recording of_own, of_names;
	struct stream_counts counts;
	struct stream *stream;

	names.time = 1000;
	put_name(&names, NEWTASK_ID, me, NO_PID, "thread", CLONE_THREAD);
	put_name(&names, NEWTASK_ID, me, NO_PID + 1, "process", 0);
	own.time = 2000;
	new_page(&own, false);
	put_numbers(&own, SHOWN_ID, me, 0, 0);
	put_numbers(&own, SHOWN_ID, NO_PID, 0, 0);
	put_numbers(&own, SHOWN_ID, NO_PID + 1, 0, 0);
	names.time = 3000;
	new_page(&names, true);
	put_name(&names, RENAME_ID, 1, 1, "init", 0);
	own.time = 4000;
	new_page(&own, false);
	put_numbers(&own, SHOWN_ID, me, 0, 0);
	put_numbers(&own, SHOWN_ID, NO_PID, 0, 0);
	of_own = recording_of(&own);
	of_names = recording_of(&names);
	assert_null(stream_over(*state, &plan, &buffers, &of_own.source, &of_names.source, &stream));
	assert_null(stream_only(stream, &me, 1));
	assert_null(stream_read(stream, true));
	for (unsigned i = 0; i < sizeof(shown) / sizeof(*shown); i++) {
		const struct event *event = stream_next(stream);

		assert_non_null(event);
		assert_int_equal(event->pid, shown[i]);
	}
	assert_null(stream_next(stream));
	assert_null(stream_counts(stream, &counts));
	assert_int_equal(counts.unknown, 1);
	stream_close(stream);
}

/* What the last poll(2) was asked. */
static struct {
	nfds_t nfds;
	int timeout;
	short revents; /* what it answers for the last file */
} polled;

int poll(struct pollfd *fds, nfds_t nfds, int timeout)
{
	polled.nfds = nfds;
	polled.timeout = timeout;
	for (nfds_t i = 0; i < nfds; i++)
		fds[i].revents = 0;
	if (nfds)
		fds[nfds - 1].revents = polled.revents;
	return polled.revents && nfds;
}

/* A round that found nothing, and the wait behind it; ms. */
static int quiet_round(struct stream *stream)
{
	struct pollfd fd = {.fd = 0, .events = POLLIN};

	assert_null(stream_read(stream, false));
	assert_null(stream_next(stream));
	stream_wait(stream, &fd, 1, -1);
	return polled.timeout;
}

/* The pause is shorter than a buffer takes to become half full; after some quiet rounds the CPUs' files are waited
 * for, until one is ready. */
static void how_long_it_waits(void **state)
{
	static const struct { size_t bytes; int ms; } cases[] = {
		{64 << 10, 2}, {1 << 20, 3}, {2 << 20, 6}, {16 << 20, 10},
	};
	struct probe probe = {.kind = PROBE_HIT, .event = "e"};
	struct plan plan = {.probes = &probe, .nprobes = 1};

	for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct buffers buffers = {.events = events, .cpu_bytes = cases[i].bytes};
		struct tape tape = tape_new(*state, 1);
		struct recording recording = recording_of(&tape);
		struct stream *stream;
		unsigned rounds;

		polled.revents = 0;
		assert_null(stream_over(*state, &plan, &buffers, &recording.source, NULL, &stream));
		for (rounds = 0; quiet_round(stream) < 1000; rounds++) {
			assert_int_equal(polled.timeout, cases[i].ms);
			assert_int_equal(polled.nfds, 1);
			assert_true(rounds < 100);
		}
		assert_true(rounds > 1);
		assert_int_equal(polled.nfds, 2); /* the CPU's file too */
		polled.revents = POLLIN;
		assert_int_equal(quiet_round(stream), 1000);
		polled.revents = 0;
		assert_int_equal(quiet_round(stream), 2); /* somebody waits for what woke it */
		assert_int_equal(quiet_round(stream), cases[i].ms);
		stream_close(stream);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_line_knows_its_own_call, setup, teardown),
		cmocka_unit_test_setup_teardown(a_return_ends_its_own_call, setup, teardown),
		cmocka_unit_test_setup_teardown(pairs_over_a_loss, setup, teardown),
		cmocka_unit_test_setup_teardown(names_over_a_loss, setup, teardown),
		cmocka_unit_test_setup_teardown(members_over_a_loss, setup, teardown),
		cmocka_unit_test_setup_teardown(how_long_it_waits, setup, teardown),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	printf("%d passed, %d failed\n", (int)(sizeof(tests) / sizeof(tests[0])) - failed, failed);
	return failed != 0;
}
