// SPDX-License-Identifier: GPL-2.0-only
/*
 * The wall time of events, over clocks made here: two that drift apart, that are set, and whose reading takes a while.
 * What is told of its error must be true of each event, and no event's time may go back.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <time.h>

#include "cmd/live/origin.h"

#define SECOND 1000000000ull

/* The world: true time, how fast the trace's clock goes, and where the wall clock is. */
static struct {
	uint64_t now;      /* ns, the true time */
	double rate;       /* of the trace's clock */
	int64_t wall;      /* ns, wall clock less true time */
	uint64_t reading;  /* ns: how long it takes to read the trace's clock */
	bool is_silent;    /* the kernel doesn't tell it */
} world;

static uint64_t trace_now(void)
{
	return SECOND + (uint64_t)((double)world.now * world.rate);
}

static uint64_t wall_now(void)
{
	return (uint64_t)((int64_t)world.now + world.wall);
}

static int fake_gettime(clockid_t clock, struct timespec *time)
{
	uint64_t now = clock == CLOCK_REALTIME ? wall_now() : world.now;

	*time = (struct timespec){(time_t)(now / SECOND), (long)(now % SECOND)};
	return 0;
}

static uint64_t fake_now(struct stream *stream)
{
	uint64_t ret;

	(void)stream;
	world.now += world.reading / 3;
	ret = trace_now() / 1000 * 1000;
	world.now += world.reading - world.reading / 3;
	return world.is_silent ? 0 : ret;
}

#define clock_gettime fake_gettime
#define stream_now fake_now
#include "../../src/cmd/live/origin.c"

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

/* Events every 0.7 s for two minutes, each read 0.3 s after it happened, and 50 us behind each another one, which is
 * read after the clocks were compared. `set`: the clock is set by so much at half of it. Returns the largest error of
 * an event. */
static uint64_t follow(double ppm, int64_t set, uint64_t *told)
{
	struct clock_keeper keeper = {0};
	uint64_t worst = 0, before = 0;

	world.now = 5000 * SECOND;
	world.rate = 1 + ppm / 1e6;
	world.wall = (int64_t)(1763822466 * SECOND);
	world.reading = 20000;
	origin_begin(&keeper, NULL);
	for (unsigned i = 0; i < 170; i++) {
		uint64_t trace = trace_now(), wall = wall_now(), given, late;

		world.now += SECOND / 20000;
		late = trace_now();
		world.now += 3 * SECOND / 10;
		given = wall_at(&keeper.clock, trace);
		assert_true(given >= before);
		before = given;
		if (distance(given, wall) > worst)
			worst = distance(given, wall);
		world.now += 4 * SECOND / 10;
		if (i == 85)
			world.wall += set;
		origin_follow(&keeper, NULL);
		given = wall_at(&keeper.clock, late);
		assert_true(given >= before);
		before = given;
	}
	keeper.next = 0;
	origin_follow(&keeper, NULL);
	*told = keeper.origin.within;
	return worst;
}

static void drift_is_followed(void **state)
{
	static const double ppm[] = {0, 1, -1, 50, -50, 400, -400};

	(void)state;
	for (unsigned i = 0; i < sizeof(ppm) / sizeof(*ppm); i++) {
		double size = ppm[i] < 0 ? -ppm[i] : ppm[i];
		uint64_t told, worst = follow(ppm[i], 0, &told);

		/* what ten seconds of drift are, and how exactly the clocks can be read */
		assert_true((double)worst <= 11e3 * size + 30000);
		/* between two comparisons it may be a little more than at them */
		assert_true((double)worst <= (double)told * 1.1 + 1000);
	}
}

static void steps_are_told(void **state)
{
	static const int64_t sets[] = {3600 * (int64_t)SECOND, -3600 * (int64_t)SECOND, SECOND / 2, -(int64_t)SECOND / 2};

	(void)state;
	for (unsigned i = 0; i < sizeof(sets) / sizeof(*sets); i++) {
		uint64_t told, size = (uint64_t)(sets[i] < 0 ? -sets[i] : sets[i]);

		follow(20, sets[i], &told);
		assert_in_range(told, size - size / 100, size + size / 100);
	}
}

static void without_a_clock_there_is_no_time(void **state)
{
	struct clock_keeper keeper = {0};

	(void)state;
	world.is_silent = true;
	origin_begin(&keeper, NULL);
	origin_follow(&keeper, NULL);
	origin_end(&keeper, NULL);
	world.is_silent = false;
	assert_null(keeper.origin.clock);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(drift_is_followed),
		cmocka_unit_test(steps_are_told),
		cmocka_unit_test(without_a_clock_there_is_no_time),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	printf("%d passed, %d failed\n", (int)(sizeof(tests) / sizeof(*tests)) - failed, failed);
	return failed != 0;
}
