// SPDX-License-Identifier: GPL-2.0-only
/* Members in which two printed values differ. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sink/follow/follow.h"

/* "NAME: WAS -> IS; ..." of those that are kept, and how many there are. */
static const char *told(const char *was, const char *is, unsigned *count)
{
	static char text[512];
	struct differences differences;
	struct change change = {"v", (char *)was, (char *)is, false};

	differences_find(&change, &differences);
	text[0] = '\0';
	for (unsigned i = 0; i < differences.count && i < DIFFERENCES_MOST; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s: %s -> %s", i ? "; " : "",
			 differences.list[i].name, differences.list[i].was, differences.list[i].is);
	*count = differences.count;
	differences_free(&differences);
	return text;
}

static void members_that_differ(void **state)
{
	static const struct {
		const char *was, *is, *told;
		unsigned count;
	} cases[] = {
		{"{.a=1, .b=2}", "{.a=1, .b=3}", "v.b: 2 -> 3", 1},
		{"{.a={.x=1, .y=2}, .b=2}", "{.a={.x=1, .y=5}, .b=3}", "v.a.y: 2 -> 5; v.b: 2 -> 3", 2},
		{"{1, 2, 3}", "{1, 7, 3}", "v[1]: 2 -> 7", 1},
		{"{{.a=1}, {.a=2}}", "{{.a=1}, {.a=3}}", "v[1].a: 2 -> 3", 1},
		{"{.s=\"a, .b=2}\", .b=1}", "{.s=\"x\\\", {\", .b=1}", "v.s: \"a, .b=2}\" -> \"x\\\", {\"", 1},
		{"{.c=',', .d=1}", "{.c='}', .d=2}", "v.c: ',' -> '}'; v.d: 1 -> 2", 2},
		{"{.a=1}", "{.a=1, .b=2}", "v: {.a=1} -> {.a=1, .b=2}", 1},
		{"{.a=1}", "{.b=1}", "v: {.a=1} -> {.b=1}", 1},
		{"{1, 2, ...}", "{1, 3, ...}", "v[1]: 2 -> 3", 1},
		{"{.p=&{.a=1}}", "{.p=&{.a=2}}", "v.p: &{.a=1} -> &{.a=2}", 1},
		{"{.a=(fault)}", "{.a=1}", "v.a: (fault) -> 1", 1},
		{"{}", "{}", "", 0},
		{"1", "2", "v: 1 -> 2", 1},
		{"{1, 1, 1, 1, 1, 1}", "{2, 2, 2, 2, 2, 2}", "v[0]: 1 -> 2; v[1]: 1 -> 2; v[2]: 1 -> 2; v[3]: 1 -> 2", 6},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		unsigned count;

		assert_string_equal(told(cases[i].was, cases[i].is, &count), cases[i].told);
		assert_int_equal(count, cases[i].count);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members_that_differ),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	printf("%d passed, %d failed\n", (int)(sizeof(tests) / sizeof(tests[0])) - failed, failed);
	return failed != 0;
}
