// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each open, write and mkdir of a session fails once, with EIO, EBUSY and ENOMEM, on a tree of plain files: the tree
 * is as before, and what failed is named; or the session was what it is without a failure. The last line is
 * `N passed, N failed`.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "driver.h"
#include "session/session.h"
#include "tracefs.h"

static const char plan_text[] =
	"p probe/one f+0 f+4 ?n>3 n=%di:s32\n"
	"p probe/two f+8 mod:f+8 n=%di:s32 text=+0(%si):string\n"
	"r probe/back f+0 f ret=$retval:s32\n"
	"p probe/own - /bin/x:0x10 n=%di:s32\n";

struct run {
	struct arena arena;
	char *live;          /* the tree while events flow, or NULL */
	const char *words;   /* of the first error, or NULL */
};

static struct error *begin(struct run *run, const struct plan *plan, const struct session_options *options,
			   struct session **session)
{
	const struct buffers *buffers;
	struct probe_hits *hits;
	struct error *error = session_open(&run->arena, plan, options, session);

	if (!error)
		error = session_buffers(*session, &buffers);
	if (!error)
		error = session_enable(*session);
	if (!error)
		error = session_follow(*session);
	if (!error)
		error = session_record(*session);
	if (!error)
		run->live = fake_state();
	if (!error)
		error = session_hits(*session, &hits);
	if (!error)
		error = session_stop(*session);
	return error ? error : session_quiet(*session);
}

static void run_one(struct run *run, const char *text, unsigned n, int err)
{
	const pid_t pids[] = {getpid()};
	const struct session_options follow = {.buffer_kb = 64, .follows = true};
	const struct session_options listed = {.buffer_kb = 64, .pids = pids, .npids = 1};
	struct session *session = NULL;
	struct error *error, *undone = NULL;
	struct plan plan;

	*run = (struct run){0};
	arena_init(&run->arena);
	error = plan_read(&run->arena, text, &plan);
	fake_fail(n, err);
	if (!error)
		error = begin(run, &plan, err == EBUSY ? &listed : &follow, &session);
	if (session)
		undone = session_close(session);
	run->words = error ? error->message : undone ? undone->message : NULL;
}

static void run_free(struct run *run)
{
	free(run->live);
	arena_deinit(&run->arena);
}

static unsigned passed, failed;

static void judge(bool is_good, const char *what, const char *operation, int err, const char *words)
{
	passed += is_good;
	failed += !is_good;
	if (!is_good)
		printf("not ok %s: %s with %s: %s\n", what, operation, strerrorname_np(err), words ? words : "no words");
}

/* By its reason, or by the file. */
static bool is_named(const char *words, const char *operation, int err)
{
	const char *file = strrchr(operation, '/') ? strrchr(operation, '/') + 1 : strchr(operation, ' ') + 1;

	return words && (strstr(words, strerror(err)) || strstr(words, file));
}

/* false: there is no n-th operation. */
static bool try(unsigned n, int err, const char *before, const char *live)
{
	struct run run;
	char *after;

	run_one(&run, plan_text, n, err);
	after = fake_state();
	if (fake_failed()) {
		judge(!strcmp(before, after), "the tree is as before", fake_failed(), err, run.words);
		judge(run.words ? is_named(run.words, fake_failed(), err) : run.live && !strcmp(run.live, live),
		      "what failed is named, or nothing is amiss", fake_failed(), err, run.words);
	}
	free(after);
	run_free(&run);
	return fake_failed();
}

/* A reader of the instance's files, such as another tool's, goes a moment after the trace has ended: 20 attempts at
 * removing it are refused, the next one isn't. One whose reader stays is left, with a reason. */
static void judge_busy(void)
{
	static const struct {
		unsigned refused;
		const char *what;
	} cases[] = {{20, "an instance that is busy for a moment is removed"},
		     {1000, "an instance that stays busy is named"}};

	for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char *before = fake_state(), *after;
		bool is_left = cases[i].refused > 100;
		struct run run;

		fake_busy(cases[i].refused);
		run_one(&run, plan_text, 0, EIO);
		after = fake_state();
		judge(!strcmp(before, after) != is_left && !run.words != is_left, cases[i].what, "rmdir", EBUSY,
		      run.words);
		fake_busy(0);
		run_free(&run);
		free(before);
		free(after);
	}
}

/* While the page of a mark is moved, as into a huge page, the kernel records other words, here of more than a read of
 * trace_pipe gives at a time; and somebody may have it print symbols with offsets and addresses. */
static void judge_moved(void)
{
	char *before = fake_state(), *after;
	struct run run;

	fake_move(100);
	run_one(&run, plan_text, 0, EIO);
	after = fake_state();
	judge(!run.words && run.live && strstr(run.live, "<faulted>"), "a mark that can't be read is written again",
	      "write", EFAULT, run.words);
	judge(!strcmp(before, after), "the tree is as before", "write", EFAULT, run.words);
	run_free(&run);
	free(before);
	free(after);
}

/* What the kernel accepts is what its README says, each part of it: without one a chain of sums would be refused
 * only once it is written. */
static void judge_caps(const char *root)
{
	static const char *const words[] = {"onmatch(matching.event)", "trace(<synthetic_event>",
					    "<attached-group>.<attached-event>", "\\imm-value"};

	for (unsigned left_out = 0; left_out <= 4; left_out++) {
		struct error *error;
		struct arena arena;
		struct caps caps;
		FILE *readme;

		arena_init(&arena);
		readme = fopen(arena_printf(&arena, "%s/README", root), "w");
		for (unsigned i = 0; i < 4; i++)
			fprintf(readme, "\t %s\n", i == left_out ? "" : words[i]);
		fclose(readme);
		error = caps_read(&arena, &caps);
		judge(!error && caps.has_sums == (left_out > 2) && caps.has_immediate == (left_out != 3),
		      "caps are what README says", left_out < 4 ? words[left_out] : "all", 0,
		      error ? error->message : NULL);
		unlink(arena_printf(&arena, "%s/README", root));
		arena_deinit(&arena);
	}
}

static void make(const char *root, const char *path, bool is_file)
{
	char whole[PATH_MAX];
	FILE *file = NULL;

	snprintf(whole, sizeof(whole), "%s/%s", root, path);
	if (is_file ? !(file = fopen(whole, "w")) : mkdirat(AT_FDCWD, whole, 0700)) /* mkdir() makes an instance */
		perror(whole), abort();
	if (file && (fputs("a format", file) < 0 || fclose(file)))
		perror(whole), abort();
}

/* Another tool may remove its events between the list and a look at what is on it: not an error, but any other
 * reason is one. */
static void judge_vanished(const char *root)
{
	static const char *const paths[] = {
		"events/other/", "events/other/here/", "events/other/here/enable", "events/other/here/format",
		"events/other/gone/", "events/other/gone/enable", "events/other/odd/", "events/other/odd/enable",
		"events/other/odd/format/"}; /* which can be opened, and not read */
	const unsigned npaths = sizeof(paths) / sizeof(*paths);
	struct tracepoint here = {.system = "other", .event = "here"}, gone = {.system = "other", .event = "gone"};
	struct tracepoint odd = {.system = "other", .event = "odd"};
	char whole[PATH_MAX];
	const char **names;
	struct arena arena;
	unsigned count;

	arena_init(&arena);
	for (unsigned i = 0; i < npaths; i++)
		make(root, paths[i], paths[i][strlen(paths[i]) - 1] != '/');
	judge(!tracepoint_names(&arena, "other", &names, &count) && count == 3, "events that are there", "all", 0, NULL);
	judge(!tracepoint_names(&arena, "nobody", &names, &count) && !count, "a system that is gone has none", "all", 0,
	      NULL);
	judge(!tracepoint_format(&arena, &here) && here.format, "an event that is there has a format", "all", 0, NULL);
	judge(!tracepoint_format(&arena, &gone) && !gone.format, "an event that is gone has none", "all", 0, NULL);
	judge(tracepoint_format(&arena, &odd), "a format that can't be read is an error", "all", 0, NULL);
	for (unsigned i = npaths; i > 0; i--) {
		snprintf(whole, sizeof(whole), "%s/%s", root, paths[i - 1]);
		if (remove(whole))
			perror(whole), abort();
	}
	arena_deinit(&arena);
}

static unsigned count_of(const char *text, const char *word)
{
	unsigned ret = 0;

	for (; (text = strstr(text, word)); text++)
		ret++;
	return ret;
}

/* Lines that share an event: it is there once, and what it missed each of them has missed. */
static void judge_hosted(void)
{
	static const char text[] = "p probe/one f+0 f n=%di:s32\np probe/two f+0 f n=%di:s32\n"
				   "p probe/three f+8 f n=%di:s32\n";
	const struct session_options options = {.buffer_kb = 64};
	const struct buffers *buffers = NULL;
	struct probe_hits *hits = NULL;
	struct session *session = NULL;
	struct error *error;
	struct arena arena;
	struct plan plan;
	char *live;

	arena_init(&arena);
	error = plan_read(&arena, text, &plan);
	if (!error) {
		plan.probes[1].host = 1;
		error = session_open(&arena, &plan, &options, &session);
	}
	live = fake_state();
	if (!error)
		error = session_buffers(session, &buffers);
	if (!error)
		error = session_hits(session, &hits);
	judge(!error && count_of(live, "/one ") && count_of(live, "/one ") == count_of(live, "/three ") &&
		      !strstr(live, "/two"),
	      "a hosted probe has no event of its own", "all", 0, error ? error->message : live);
	judge(!error && buffers->events[1].id == buffers->events[0].id && buffers->events[1].format,
	      "its records are its host's", "all", 0, NULL);
	judge(!error && hits[1].hits == hits[0].hits && hits[1].misses == hits[0].misses && hits[0].misses &&
		      hits[2].misses != hits[0].misses,
	      "it has missed what its host has", "all", 0, NULL);
	error = session ? session_close(session) : NULL;
	judge(!error, "it goes", "all", 0, error ? error->message : NULL);
	free(live);
	arena_deinit(&arena);
}

static unsigned operations_of(unsigned nprobes)
{
	char text[1024] = "";
	struct run run;

	for (unsigned i = 0; i < nprobes; i++)
		sprintf(text + strlen(text), "p probe/e%u f+%u f+%u n=%%di:s32\n", i, 4 * i, 4 * i);
	run_one(&run, text, UINT_MAX, EIO);
	judge(!run.words, "it comes and goes", "no operation", EIO, run.words);
	run_free(&run);
	return fake_operations();
}

/* All lines of a function are hundreds of probes. To define one, to read its format and to remove it takes an open
 * each, and two writes; they are enabled together. */
static void judge_many(void)
{
	enum { MORE = 10, EACH = 5 };

	judge(operations_of(1 + MORE) - operations_of(1) == MORE * EACH, "a probe more is five operations", "all", 0,
	      NULL);
}

int main(void)
{
	static const int errors[] = {EIO, EBUSY, ENOMEM};
	char root[] = "/tmp/ktrace-fake.XXXXXX";
	unsigned count = 0;

	if (!mkdtemp(root))
		return 1;
	fake_make(root);
	judge_caps(root);
	judge_vanished(root);
	judge_many();
	judge_hosted();
	for (unsigned i = 0; i < sizeof(errors) / sizeof(*errors); i++) {
		char *before = fake_state(), *after;
		struct run whole;

		run_one(&whole, plan_text, 0, errors[i]);
		after = fake_state();
		judge(!whole.words && whole.live && strcmp(whole.live, before) && !strcmp(before, after),
		      "a session comes and goes", "no operation", errors[i], whole.words);
		judge(whole.live && strstr(whole.live, "n>3"), "the kernel has the filter", "no operation", errors[i],
		      whole.words);
		for (unsigned n = 1; whole.live && try(n, errors[i], before, whole.live); n++)
			count++;
		run_free(&whole);
		free(before);
		free(after);
	}
	judge(count > 150, "there are operations", "all", 0, NULL);
	judge_moved();
	judge_busy();
	fake_remove();
	printf("%u operations failed\n%u passed, %u failed\n", count, passed, failed);
	return failed != 0;
}
