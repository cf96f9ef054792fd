// SPDX-License-Identifier: GPL-2.0-only
/* The command line, against what ktrace(1) says of it: what each option means, and what is misuse. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>

#include "cmd/cmd.h"
#include "arena_state.h"

/* Splits at blanks. A word may hold '~' for a blank, and be "''", the empty one. */
static struct error *parse(struct arena *arena, const char *line, struct options *ret)
{
	char *words[32] = {"ktrace"}, *at = arena_strdup(arena, line);
	int count = 1;

	for (char *word; (word = strsep(&at, " "));) {
		for (char *c = word; *c; c++)
			*c = *c == '~' ? ' ' : *c;
		words[count++] = strcmp(word, "''") ? word : word + 2;
	}
	*ret = (struct options){0};
	/* what is kept of argv outlives this function */
	return options_parse(arena, count, arena_grow(arena, words, sizeof(words), sizeof(words) + 1), ret);
}

static void good(struct arena *arena, const char *line, struct options *ret)
{
	struct error *error = parse(arena, line, ret);

	if (error)
		fail_msg("%s: %s", line, error->message);
}

static void verbs_by_name_letter_and_default(void **state)
{
	static const char *const lines[][2] = {
		{"probe f", "probe"}, {"-n f", "probe"}, {"lines f", "lines"}, {"-L f", "lines"},
		{"vars f", "vars"}, {"-V f", "vars"}, {"funcs", "funcs"}, {"-F", "funcs"}, {"list", "list"},
		{"-l", "list"}, {"clean", "clean"}, {"-L -L f", "lines"}, {"lines -L f", "lines"},
	};
	struct options options;

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		good(*state, lines[i][0], &options);
		assert_string_equal(options.verb->name, lines[i][1]);
	}
}

static void unknown_options_name_a_near_one(void **state)
{
	static const char *const lines[][2] = {
		{"probe --fliter f", "did you mean: --filter"}, {"probe --intervall=3 f", "did you mean: --interval"},
		{"probe --xyzzy f", "see ktrace --help"}, {"probe -Z f", "see ktrace --help"},
		{"probe --max-probes=3 f", "there is no such limit: leave it out"},
	};
	struct options options;

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		struct error *error = parse(*state, lines[i][0], &options);

		assert_non_null(error);
		assert_string_equal(error->hint, lines[i][1]);
	}
}

static void units_of_sizes(void **state)
{
	static const struct {
		const char *text;
		unsigned long kib; /* 0: refused */
	} cases[] = {
		{"1", 1}, {"512K", 512}, {"512k", 512}, {"8M", 8 << 10}, {"8m", 8 << 10}, {"2G", 2 << 20},
		{"1024G", 1 << 30}, {"1025G", 0}, {"1048577M", 0}, {"0", 0}, {"0M", 0}, {"-1", 0}, {"M", 0}, {"1T", 0},
		{"1MB", 0}, {"1.5M", 0}, {"99999999999999999999", 0}, {"+1", 0}, {"''", 0},
	};
	struct options options;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct error *error = parse(*state, arena_printf(*state, "probe -b %s f", cases[i].text), &options);

		if (!error != !!cases[i].kib || (!error && options.buffer_kb != cases[i].kib))
			fail_msg("-b %s: %s, %lu KiB", cases[i].text, error ? error->message : "taken",
				 options.buffer_kb);
	}
}

static void units_of_times(void **state)
{
	static const struct {
		const char *text;
		double seconds; /* 0: refused */
	} cases[] = {
		{"10", 10}, {"0.5", 0.5}, {"10s", 10}, {"2m", 120}, {"1.5h", 5400}, {"0", 0}, {"-1", 0}, {"nan", 0},
		{"inf", 0}, {"2d", 0}, {"2ms", 0}, {"''", 0}, {"1e10", 0}, {"s", 0},
	};
	struct options options;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct error *error = parse(*state, arena_printf(*state, "probe -t %s f", cases[i].text), &options);

		if (!error != (cases[i].seconds > 0) || (!error && options.seconds != cases[i].seconds))
			fail_msg("-t %s: %s, %f s", cases[i].text, error ? error->message : "taken",
				 options.seconds);
	}
}

static void pids_and_lists_add_up(void **state)
{
	struct options options;

	good(*state, "probe -p 1,22 -p 333 --comm a --comm b --filter n>1 --filter m<2 -e a:b -e c:d", &options);
	assert_int_equal(options.pids.count, 3);
	assert_true(options.pids.numbers[0] == 1 && options.pids.numbers[1] == 22 && options.pids.numbers[2] == 333);
	assert_int_equal(options.comms.count, 2);
	assert_string_equal(options.comms.texts[1], "b");
	assert_string_equal(options.filters.texts[1], "m<2");
	assert_string_equal(options.events.texts[0], "a:b");
	assert_int_equal(options.noperands, 0);
}

/* perf's filters are for the event before them, these for all. */
static void filters_in_turn_with_events(void **state)
{
	static const char *const fine[] = {
		"probe -e a:b --filter n>1 -e c:d", "probe -e a:b -e c:d --filter n>1 --filter m>1",
		"probe --filter n>1 -e a:b --filter m>1 -e c:d",
	};
	struct options options;
	struct error *error;

	for (size_t i = 0; i < sizeof(fine) / sizeof(*fine); i++)
		good(*state, fine[i], &options);
	error = parse(*state, "probe -e a:b --filter n>1 -e c:d --filter m>1", &options);
	assert_non_null(error);
	assert_non_null(strstr(error->message, "'c:d' has none of its own"));
}

static void a_command_is_behind_two_dashes(void **state)
{
	struct options options;

	good(*state, "probe f~x g -- dd -n --json", &options);
	assert_int_equal(options.noperands, 2);
	assert_string_equal(options.operands[0], "f x");
	assert_string_equal(options.command[0], "dd");
	assert_string_equal(options.command[2], "--json");
	assert_false(options.dry_run);
	assert_false(options.json);
}

/* Status 2 in main.c. */
static void misuse(void **state)
{
	static const char *const lines[] = {
		"nosuchverb", "--nosuch", "-z", "probe", "probe -n", "lines", "vars", "list x", "clean x", "-L -V f", "lines -V f",
		"probe f --", "probe -n f -- true", "probe -D f -- true", "lines f -- true", "probe -a -p 1 f",
		"probe -q -v f", "probe -x a -k b f", "probe -x a -m b f", "probe -x '' f", "probe --cpus 2 f",
		"lines -n f", "vars -c 1 f", "funcs -b 1M", "list -x a", "clean -p 1", "probe -c 0 f", "probe -c -1 f",
		"probe -c 1x f", "probe -c", "probe -p 0 f", "probe -p 1, f", "probe -p ,1 f", "probe -p 2147483648 f",
		"probe -n --cpus 2147483648 f", "probe -c 1 -c 2 f", "probe -t 1 --time 2 f", "probe -o a -o b f",
		"probe -b 1M -b 1M f", "probe -k a -k b f", "probe -x a --exec b f", "lines --externs f",
	};
	struct options options;

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		struct error *error = parse(*state, lines[i], &options);

		if (!error || error->code != ERROR_USAGE)
			fail_msg("%s: %s", lines[i], error ? error->message : "taken");
	}
}

static void no_misuse(void **state)
{
	static const char *const lines[] = {
		"probe -c 18446744073709551615 f", "probe -n -n f", "probe -v -v f", "probe -e a:b", "-e a:b", "funcs x",
		"vars --externs --json f", "probe -D --cpus 4 f", "-x a f", "lines -s d f", "--help", "--version", "probe --help",
		"help lines", "help", "probe -p 2147483647 f",
	};
	struct options options;

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		good(*state, lines[i], &options);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(verbs_by_name_letter_and_default), TEST(unknown_options_name_a_near_one), TEST(units_of_sizes),
		TEST(units_of_times),
		TEST(pids_and_lists_add_up), TEST(filters_in_turn_with_events),
		TEST(a_command_is_behind_two_dashes), TEST(misuse), TEST(no_misuse),
	};
	int total = sizeof(tests) / sizeof(*tests);
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	fflush(stderr);
	printf("%d passed, %d failed\n", total - failed, failed);
	return failed != 0;
}
