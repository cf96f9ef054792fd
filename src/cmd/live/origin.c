// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compares the trace's clock with the wall clock, at the start, every ten seconds and at the end.
 * The surprise: the two drift apart, and a wall clock may be set. A difference that is found is
 * made up for during the next ten seconds, so that no event's wall time goes back; the largest one
 * is told.
 */
#include <stdio.h>
#include <string.h>
#include <sys/timex.h>
#include <sys/utsname.h>
#include <time.h>

#include "base/json.h"
#include "cmd/live/origin.h"
#include "target/target.h"

#define COMPARE_EVERY 10000000000u /* ns */
#define TRIES         5u
#define WHOLE_RATE    ((__int128)1 << 32)
#define RATE_MAX      (1000 * (WHOLE_RATE / 1000000)) /* 1000 ppm: NTP slews by half of that */
#define STATS_TICK    1000u /* ns: the kernel tells its clock in us */

static uint64_t now_of(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static const char *host_name(struct arena *arena)
{
	struct utsname name;

	return uname(&name) ? "" : arena_strdup(arena, name.nodename);
}

void put_refused(struct arena *arena, const char *reason)
{
	struct strbuf out = {0};

	json_object(&out, NULL);
	json_object(&out, "refused");
	json_text(&out, "host", host_name(arena));
	json_text(&out, "build_id", target_running_id(arena, NULL));
	json_text(&out, "reason", reason);
	json_object_end(&out);
	json_object_end(&out);
	strbuf_putc(&out, '\n');
	fwrite(out.data, 1, out.length, stdout);
	strbuf_deinit(&out);
}

/* The build-id of the code at a probe. */
static const char *build_of(struct arena *arena, const struct plan *plan, unsigned probe,
			    const char *const *before, const char *kernel,
			    const struct target *program)
{
	const struct site *site = plan->probes[probe].site;

	if (site && site->path)
		return program ? program->build_id : NULL;
	if (!site || !site->module)
		return kernel;
	for (unsigned i = 0; i < probe; i++) {
		const struct site *other = plan->probes[i].site;

		if (other && !other->path && other->module && !strcmp(other->module, site->module))
			return before[i];
	}
	return target_running_id(arena, site->module);
}

void origin_init(struct arena *arena, struct clock_keeper *keeper, const struct plan *plan,
		 const struct target *program)
{
	const char **builds = arena_array(arena, const char *, plan->nprobes + 1);

	*keeper = (struct clock_keeper){.origin = {.host = host_name(arena), .builds = builds}};
	keeper->origin.kernel = target_running_id(arena, NULL);
	for (unsigned i = 0; i < plan->nprobes; i++)
		builds[i] = build_of(arena, plan, i, builds, keeper->origin.kernel, program);
}

/* Both clocks at one moment, and how far from each other that may be, ns. */
struct comparison {
	uint64_t trace;
	uint64_t wall;
	uint64_t within;
};

static struct comparison compare(struct stream *stream)
{
	struct comparison ret = {.within = UINT64_MAX};

	for (unsigned i = 0; i < TRIES; i++) {
		uint64_t before = now_of(CLOCK_REALTIME), trace = stream_now(stream),
			 after = now_of(CLOCK_REALTIME);

		if (trace && after >= before && after - before < ret.within)
			ret = (struct comparison){trace, before + (after - before) / 2,
						  after - before};
	}
	if (ret.trace)
		ret.within = ret.within / 2 + STATS_TICK;
	return ret;
}

static int64_t bounded(__int128 rate)
{
	return (int64_t)(rate > RATE_MAX ? RATE_MAX : rate < -RATE_MAX ? -RATE_MAX : rate);
}

/* What wall_at() would return, without changing the clock. */
static uint64_t expected(const struct wall_clock *clock, uint64_t time)
{
	struct wall_clock copy = *clock;

	copy.last = 0;
	return wall_at(&copy, time);
}

/* Takes a comparison in: from now on the line leads to where the wall clock will be at the next. */
static void take(struct clock_keeper *keeper, const struct comparison *found)
{
	struct wall_clock *clock = &keeper->clock;
	uint64_t mine = expected(clock, found->trace);
	int64_t off = (int64_t)(found->wall - mine), since = (int64_t)(found->trace - clock->trace);
	uint64_t away = (uint64_t)(off < 0 ? -off : off) + found->within;
	__int128 drift = since > 0 ? off * WHOLE_RATE / since + clock->rate : 0;

	if (away > keeper->origin.within)
		keeper->origin.within = away;
	clock->trace = found->trace;
	clock->wall = mine;
	clock->rate = bounded(drift + off * WHOLE_RATE / COMPARE_EVERY);
}

void origin_begin(struct clock_keeper *keeper, struct stream *stream)
{
	struct comparison found = compare(stream);

	keeper->clock = (struct wall_clock){.trace = found.trace, .wall = found.wall};
	keeper->origin.within = found.within;
	keeper->origin.clock = found.trace ? &keeper->clock : NULL;
	keeper->next = now_of(CLOCK_MONOTONIC) + COMPARE_EVERY;
}

void origin_follow(struct clock_keeper *keeper, struct stream *stream)
{
	struct comparison found;

	if (!keeper->origin.clock || now_of(CLOCK_MONOTONIC) < keeper->next)
		return;
	found = compare(stream);
	if (found.trace)
		take(keeper, &found);
	keeper->next = now_of(CLOCK_MONOTONIC) + COMPARE_EVERY;
}

void origin_end(struct clock_keeper *keeper, struct stream *stream)
{
	struct timex kernel = {0};
	int state = adjtimex(&kernel);

	keeper->next = 0;
	origin_follow(keeper, stream);
	keeper->origin.is_synchronized =
		state >= 0 && state != TIME_ERROR && !(kernel.status & STA_UNSYNC);
	keeper->origin.off = (uint64_t)kernel.maxerror * 1000;
}
