// SPDX-License-Identifier: GPL-2.0-only
/*
 * Why hits have no record, from the kernel's counters. A hit while a handler runs is in the counter of every probe at
 * that address; a return probe has calls without room in the same one. session/ is played here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cmd/live/live.h"
#include "ktrace/graph.h"

#define PROBES 4

static struct probe_hits profile[PROBES];
static bool skipped[PROBES];
static struct error *switched_off;

struct error *session_check_switches(const struct session *session)
{
	(void)session;
	return switched_off;
}

struct error *session_hits(struct session *session, struct probe_hits **ret)
{
	(void)session;
	*ret = profile;
	return NULL;
}

const struct error *session_skipped(const struct session *session, unsigned probe)
{
	(void)session;
	return skipped[probe] ? (const struct error *)skipped : NULL;
}

bool session_is_settled(const struct session *session, unsigned probe)
{
	(void)session;
	(void)probe;
	return false;
}

static const struct site at_f = {.symbol = "f"}, at_g = {.symbol = "g"}, at_f_of_m = {.symbol = "f", .module = "m"};
static const struct graph graph;

/* What is said of f's entry, f's return, g's return, and the f of a module. */
static char *said(const struct graph *of, bool is_verbose, uint64_t f, uint64_t f_return, uint64_t g_return, uint64_t m,
		  uint64_t *sum)
{
	static char text[1024];
	struct probe probes[PROBES] = {
		{.kind = PROBE_HIT, .site = &at_f, .event = "f"},
		{.kind = PROBE_RETURN, .site = &at_f, .event = "f__return", .is_return = true},
		{.kind = PROBE_RETURN, .site = &at_g, .event = "g__return", .is_return = true},
		{.kind = PROBE_HIT, .site = &at_f_of_m, .event = "f_1"},
	};
	struct plan plan = {.probes = probes, .nprobes = PROBES, .graph = of};
	const struct options options = {.verbose = is_verbose};
	const struct stream_counts counts = {.lost_is_unknown = true};
	struct strbuf out = {0};
	struct missed missed;
	struct arena arena;

	arena_init(&arena);
	profile[0].misses = f;
	profile[1].misses = f_return;
	profile[2].misses = g_return;
	profile[3].misses = m;
	assert_null(count_missed(&arena, &plan, NULL, &counts, &missed));
	*sum = missed_sum(&missed);
	missed_say(&out, &options, &plan, &missed);
	snprintf(text, sizeof(text), "%.*s", (int)out.length, out.data ?: "");
	strbuf_deinit(&out);
	arena_deinit(&arena);
	return text;
}

#define BUSY(n, of) "ktrace: missed " #n ": hits that came while a probe was already busy on that CPU (" of ")\n"
#define ROOM(n) "ktrace: missed " #n ": calls beyond the number of returns that can be waited for at once"

static void both_ends_count_a_busy_probe(void **state)
{
	uint64_t sum;

	(void)state;
	assert_string_equal(said(NULL, false, 5, 5, 0, 0, &sum), BUSY(10, "f 5"));
	assert_int_equal(sum, 10);
	assert_string_equal(said(&graph, false, 5, 5, 0, 0, &sum), BUSY(5, "f 5"));
	assert_int_equal(sum, 5);
}

static void the_rest_had_no_room(void **state)
{
	uint64_t sum;

	(void)state;
	assert_string_equal(said(&graph, false, 5, 7, 0, 0, &sum), BUSY(5, "f 5") ROOM(2) "\n");
	assert_int_equal(sum, 7);
	assert_string_equal(said(NULL, false, 5, 7, 0, 0, &sum), BUSY(10, "f 5") ROOM(2) "\n");
	assert_int_equal(sum, 12);
	/* read one after the other, the return's counter may be behind */
	assert_string_equal(said(&graph, false, 5, 4, 0, 0, &sum), BUSY(5, "f 5"));
	assert_int_equal(sum, 5);
}

static void a_return_alone_does_not_tell(void **state)
{
	uint64_t sum;

	(void)state;
	assert_string_equal(said(NULL, false, 0, 0, 3, 0, &sum), ROOM(3) ", or that came while a probe was busy\n");
	assert_int_equal(sum, 3);
	/* the entry elsewhere is another function's */
	assert_string_equal(said(NULL, false, 0, 3, 0, 3, &sum), BUSY(3, "f_1 3") ROOM(3) "\n");
	skipped[0] = true;
	assert_string_equal(said(NULL, false, 0, 3, 0, 0, &sum), ROOM(3) ", or that came while a probe was busy\n");
	skipped[0] = false;
	assert_string_equal(said(NULL, false, 0, 0, 0, 0, &sum), "");
}

static void most_come_first(void **state)
{
	uint64_t sum;

	(void)state;
	assert_string_equal(said(&graph, true, 2, 2, 0, 9, &sum), BUSY(11, "f_1 9, f 2"));
}

static void what_is_switched_off_is_not_known(void **state)
{
	struct plan plan = {0};
	struct error error = {0};
	struct missed missed;
	struct arena arena;

	(void)state;
	arena_init(&arena);
	switched_off = &error;
	assert_ptr_equal(count_missed(&arena, &plan, NULL, &(struct stream_counts){0}, &missed), &error);
	assert_true(missed.is_unknown);
	switched_off = NULL;
	arena_deinit(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_ends_count_a_busy_probe),
		cmocka_unit_test(the_rest_had_no_room),
		cmocka_unit_test(a_return_alone_does_not_tell),
		cmocka_unit_test(most_come_first),
		cmocka_unit_test(what_is_switched_off_is_not_known),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	printf("%d passed, %d failed\n", (int)(sizeof(tests) / sizeof(tests[0])) - failed, failed);
	return failed != 0;
}
