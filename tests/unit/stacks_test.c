// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which record of a stack belongs to an event, in pages made by hand: that of the same thread in the same context,
 * whatever an interrupt has recorded in between. Referee: a stack's number, written into its first frame.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "arena_state.h"
#include "pages.h"

enum { EVENT = 77, STACK = 78 };
enum { THREAD = 0, SOFT = 0x10, HARD = 0x08 }; /* common_flags */
#define BETWEEN 256 /* records that may lie between */

static const struct live_event kernel_stack = {.id = STACK, .format =
	"name: kernel_stack\nID: 78\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:int size;\toffset:8;\tsize:4;\tsigned:1;\n"
	"\tfield:unsigned long caller[8];\toffset:16;\tsize:64;\tsigned:0;\n\nprint fmt: \"\"\n"};

struct one {
	uint8_t type, flags, preempted;
	uint32_t pid;
	uint32_t number; /* of a stack: its first frame */
};

static void put(struct writer *w, struct one one)
{
	put_word(w, 6 | 100u << 5);
	put_word(w, one.type | (uint32_t)one.flags << 16 | (uint32_t)one.preempted << 24);
	put_word(w, one.pid);
	put_word(w, 1);
	put_word(w, 0);
	put_word(w, one.number);
	put_word(w, 0);
}

/* The number of the first record's stack; 0: there is none, -1: it may still come. */
static int found(struct arena *arena, const struct one *list, unsigned count, unsigned repeated)
{
	struct writer writer = {0};
	struct recording recording = {.source = recording_source(1), .pages = {&writer}, .npages = {1}};
	const struct buffers buffers = {.kernel_stack = kernel_stack};
	struct cpu cpu = {.source = &recording.source, .pages = arena_alloc(arena, 2 * PAGE)};
	struct stacks stacks = {0};
	uint32_t number = 0;

	put(&writer, list[0]);
	for (unsigned i = 0; i < repeated; i++)
		put_word(&writer, 1), put_word(&writer, EVENT | HARD << 16); /* too short for a thread's number */
	for (unsigned i = 1; i < count; i++)
		put(&writer, list[i]);
	assert_null(stacks_init(&stacks, arena, &buffers));
	assert_null(cpu_read(&cpu, arena, &shape, 1, UINT64_MAX));
	if (!stacks_find(&stacks, &cpu, &shape))
		return -1;
	if (stacks.found[0].data)
		memcpy(&number, stacks.found[0].data + 16, sizeof(number));
	return (int)number;
}

#define FOUND(repeated, ...) \
	found(*state, (const struct one[]){__VA_ARGS__}, \
	      sizeof((struct one[]){__VA_ARGS__}) / sizeof(struct one), repeated)

static void its_own(void **state)
{
	const struct one event = {EVENT, THREAD, 1, 40, 0}, own = {STACK, THREAD, 1, 40, 5};

	assert_int_equal(FOUND(0, event, own), 5);
	assert_int_equal(FOUND(0, event), -1);
	/* the thread has gone on without one */
	assert_int_equal(FOUND(0, event, event, own), 0);
}

static void not_another_context(void **state)
{
	const struct one event = {EVENT, THREAD, 1, 40, 0}, own = {STACK, THREAD, 1, 40, 5};
	const struct one others[][2] = {
		{{EVENT, HARD, 1, 40, 0}, {STACK, HARD, 1, 40, 6}},
		{{EVENT, SOFT, 1, 40, 0}, {STACK, SOFT, 1, 40, 7}},
		{{EVENT, THREAD, 2, 40, 0}, {STACK, THREAD, 2, 40, 8}}, /* nested: preemption is off once more */
		{{EVENT, THREAD, 1, 41, 0}, {STACK, THREAD, 1, 41, 9}},
		{{EVENT, THREAD, 1, 40 + (1 << 24), 0}, {STACK, THREAD, 1, 40 + (1 << 24), 10}},
	};

	for (unsigned i = 0; i < sizeof(others) / sizeof(*others); i++) {
		assert_int_equal(FOUND(0, event, others[i][0], others[i][1], own), 5);
		assert_int_equal(FOUND(0, others[i][0], event, own, others[i][1]), others[i][1].number);
		assert_int_equal(FOUND(0, event, others[i][1]), -1);
	}
}

/* The search has an end: an event whose stack was never recorded would wait for ever. */
static void not_for_ever(void **state)
{
	const struct one event = {EVENT, THREAD, 1, 40, 0}, own = {STACK, THREAD, 1, 40, 5};

	assert_int_equal(FOUND(BETWEEN - 1, event, own), 5);
	assert_int_equal(FOUND(BETWEEN, event, own), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(its_own, setup, teardown),
		cmocka_unit_test_setup_teardown(not_another_context, setup, teardown),
		cmocka_unit_test_setup_teardown(not_for_ever, setup, teardown),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	printf("%d passed, %d failed\n", (int)(sizeof(tests) / sizeof(tests[0])) - failed, failed);
	return failed != 0;
}
