// SPDX-License-Identifier: GPL-2.0-only
/* What a line of a golden file can't say: long texts, other blanks, depths, and who owns what. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "arena_state.h"
#include "base/strbuf.h"
#include "spec_same.h"

static char *repeat(struct arena *arena, const char *head, const char *body, unsigned n,
		    const char *tail)
{
	struct strbuf buf;
	char *text;

	strbuf_init(&buf);
	strbuf_puts(&buf, head);
	for (unsigned i = 0; i < n; i++)
		strbuf_puts(&buf, body);
	strbuf_puts(&buf, tail);
	text = arena_strdup(arena, buf.data);
	strbuf_deinit(&buf);
	return text;
}

static void text_is_kept_by_reference(void **state)
{
	const char *good = "vfs_read count", *bad = "vfs_read count:";
	struct error *error;
	struct spec *spec;

	assert_null(spec_parse(*state, good, &spec));
	assert_ptr_equal(spec->text, good);
	error = spec_parse(*state, bad, &spec);
	assert_non_null(error);
	assert_ptr_equal(error->text, bad);
	assert_int_equal(error->span.start, 14);
	assert_int_equal(error->span.end, 15);
}

static void all_blanks_separate(void **state)
{
	struct spec *spec;

	assert_null(spec_parse(*state, "\tvfs_read\n  count\t\r\npos ", &spec));
	assert_string_equal(spec_print(*state, spec), "vfs_read count pos");
	assert_int_equal(spec->wants[1].span.start, 20);
}

static void control_characters_are_refused(void **state)
{
	struct spec *spec;
	struct error *error = spec_parse(*state, "vfs\001read", &spec);

	assert_non_null(error);
	assert_string_equal(error->message, "byte 0x01 can't be part of a function's name");
	assert_non_null(spec_parse(*state, "a\033/x.c:3", &spec));
	assert_non_null(spec_parse(*state, "f a\177", &spec));
}

static void wants_are_limited(void **state)
{
	struct error *error;
	struct spec *spec;

	assert_null(spec_parse(*state, repeat(*state, "f", " x", 128, ""), &spec));
	assert_int_equal(spec->nwants, 128);
	error = spec_parse(*state, repeat(*state, "f", " x", 129, ""), &spec);
	assert_non_null(error);
	assert_int_equal(error->code, ERROR_LIMIT);
	assert_int_equal(error->span.start, 2 * 129);
}

static void text_is_limited(void **state)
{
	const struct filter *filter;
	struct line_range *range;
	struct error *error;
	struct spec *spec;
	char *text = repeat(*state, "", "f", 65536, "");

	assert_null(spec_parse(*state, text + 1, &spec));
	error = spec_parse(*state, text, &spec);
	assert_non_null(error);
	assert_int_equal(error->code, ERROR_LIMIT);
	assert_non_null(spec_parse_place(*state, text, &spec));
	assert_non_null(spec_parse_range(*state, text, &range));
	assert_non_null(filter_parse(*state, text, &filter));
}

static void deep_nesting_needs_no_stack(void **state)
{
	char *open = repeat(*state, "f ", "+0(", 10000, "%di");
	char *steps = repeat(*state, "f a", "->b[1]", 10000, "");
	struct error *error;
	struct spec *spec;

	assert_null(spec_parse(*state, repeat(*state, open, ")", 10000, ""), &spec));
	error = spec_parse(*state, repeat(*state, open, ")", 9999, ""), &spec);
	assert_non_null(error);
	assert_int_equal(error->span.start, 4);
	assert_null(spec_parse(*state, steps, &spec));
	assert_int_equal(spec->wants[0].nsteps, 20000);
	assert_string_equal(spec_print(*state, spec), steps);
}

static void filters_are_limited(void **state)
{
	const struct filter *filter;
	struct error *error;

	assert_null(filter_parse(*state, repeat(*state, "", "!", 64, "a == 1"), &filter));
	error = filter_parse(*state, repeat(*state, "", "!", 65, "a == 1"), &filter);
	assert_non_null(error);
	assert_int_equal(error->code, ERROR_LIMIT);
	assert_int_equal(error->span.start, 64);
	error = filter_parse(*state, repeat(*state, "", "(", 65, "a == 1"), &filter);
	assert_non_null(error);
	assert_int_equal(error->code, ERROR_LIMIT);
	error = filter_parse(*state, repeat(*state, "a == 1", " && a == 1", 600, ""), &filter);
	assert_non_null(error);
	assert_int_equal(error->code, ERROR_LIMIT);
	assert_null(filter_parse(*state, repeat(*state, "a == 1", " && a == 1", 500, ""), &filter));
}

static void filters_bind_as_said(void **state)
{
	const struct filter *filter;

	assert_null(filter_parse(*state, "!a == 1 && b < -2 || 'x' == c", &filter));
	assert_int_equal(filter->op, FILTER_OR);
	assert_int_equal(filter->left->op, FILTER_AND);
	assert_int_equal(filter->left->left->op, FILTER_NOT);
	assert_int_equal(filter->left->left->left->op, FILTER_EQ);
	assert_int_equal(filter->left->right->op, FILTER_LT);
	assert_true(filter->left->right->is_negative);
	assert_int_equal(filter->left->right->number, (uint64_t)-2);
	assert_int_equal(filter->right->op, FILTER_EQ);
	assert_string_equal(filter->right->field, "c");
	assert_int_equal(filter->right->number, 'x');
	assert_int_equal(filter->right->value_span.start, 21);
	assert_int_equal(filter->right->field_span.start, 28);
}

static void one_want_prints_alone(void **state)
{
	struct spec *spec;

	assert_null(spec_parse(*state, "f a n=skb->len@user:u32 +8(%di):u64", &spec));
	assert_string_equal(spec_print_want(*state, &spec->wants[0]), "a");
	assert_string_equal(spec_print_want(*state, &spec->wants[1]), "n=skb->len:u32@user");
	assert_string_equal(spec_print_want(*state, &spec->wants[2]), "+8(%di):u64");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(text_is_kept_by_reference),
		TEST(all_blanks_separate),
		TEST(control_characters_are_refused),
		TEST(wants_are_limited),
		TEST(text_is_limited),
		TEST(deep_nesting_needs_no_stack),
		TEST(filters_are_limited),
		TEST(filters_bind_as_said),
		TEST(one_want_prints_alone),
	};
	int total = sizeof(tests) / sizeof(*tests);
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	fflush(stderr);
	printf("%d passed, %d failed\n", total - failed, failed);
	return failed != 0;
}
