// SPDX-License-Identifier: GPL-2.0-only
/* Members in which two printed values differ; columns of a call that is printed, against wcwidth(3). */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <wchar.h>
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

#define LINES 6u /* of a call */

/* A call of lines with these texts, each of which changes n. *out: freed by the caller. */
static void print_call(const char *const *texts, const char *was, const char *is, uint64_t step,
		       unsigned columns, struct strbuf *out)
{
	struct site sites[LINES] = {{.function = "f", .file = "f.c", .line = 1}};
	struct change changes[LINES];
	struct row rows[LINES];
	struct probe probes[LINES] = {{.site = NULL}};
	struct followed_probe its[LINES] = {{.nlines = LINES}};
	struct following following = {.texts = texts};
	struct plan plan = {.probes = probes, .nprobes = LINES, .following = &following};
	struct thread thread = {.tid = 1};
	struct call call = {.thread = &thread, .probe = probes, .is_whole = true, .rows = rows, .nrows = LINES,
			    .ended = (LINES - 1) * step};
	struct follow follow = {
		.plan = &plan, .probes = its, .out = out, .options = {.is_utf8 = true, .columns = columns}};

	for (unsigned i = 0; i < LINES; i++) {
		sites[i] = (struct site){.function = "f", .file = "f.c", .line = i + 1};
		probes[i].site = &sites[i];
		changes[i] = (struct change){"\346\225\260", (char *)was, (char *)is, false};
		rows[i] = (struct row){.time = i * step, .probe = &probes[i], .changes = {&changes[i], 1}};
	}
	call_text(&follow, &call);
}

/* Columns of a line up to `end`; -1: a character isn't whole. */
static int on_terminal(const char *line, const char *end)
{
	int columns = 0;

	while (line < end) {
		wchar_t c;
		int length = mbtowc(&c, line, (size_t)(end - line));

		if (length <= 0 || wcwidth(c) < 0)
			return -1;
		columns += wcwidth(c);
		line += length;
	}
	return columns;
}

static void columns_of_a_terminal(void **state)
{
	static const char *const texts[LINES] = {
		"\tint sum = 0;",
		"\tsum = 0; /* \345\210\235\346\234\237\345\200\244\343\201\257\351\233\266 */", /* CJK */
		"\tsum++; /* e\314\201 \360\237\232\200 */", /* combining; emoji */
		"\tputs(\"\355\225\234\352\270\200\"); /* \377 */", /* Hangul; no UTF-8 */
		"\ta\tb;",
		"\t/* \346\274\242\345\255\227\346\274\242\345\255\227\346\274\242\345\255\227\346\274\242\345\255\227"
		"\346\274\242\345\255\227\346\274\242\345\255\227\346\274\242\345\255\227\346\274\242\345\255\227\346\274\242\345\255\227"
		"\346\274\242\345\255\227\346\274\242\345\255\227\346\274\242\345\255\227\346\274\242\345\255\227\346\274\242\345\255\227"
		"\346\274\242\345\255\227 */",
	};

	(void)state;
	assert_non_null(setlocale(LC_CTYPE, "C.UTF-8"));
	for (unsigned columns = 76; columns <= 87; columns++) {
		struct strbuf out = {0};
		unsigned shown = 0;

		print_call(texts, "3", "5", 100, columns, &out);
		assert_true(strstr(out.data, "\342\200\246\n")); /* the last line is cut */
		for (char *at = strtok(out.data, "\n"); at; at = strtok(NULL, "\n")) {
			const char *change = strstr(at, "\346\225\260: 3 -> 5");

			assert_in_range(on_terminal(at, at + strlen(at)), 1, columns);
			if (change)
				assert_int_equal(on_terminal(at, change), 18 + 29 + 3);
			shown += change != NULL;
		}
		assert_int_equal(shown, LINES);
		strbuf_deinit(&out);
	}
}

/* A call with two lines of calls: an inlined one and a nested one, with arguments of such values. */
static void print_calls(const char *const *values, unsigned nvalues, unsigned columns, enum call_end end,
			struct strbuf *out)
{
	struct site site = {.function = "a_function_with_a_name_that_is_rather_long", .file = "file.c", .line = 7,
			    .shown_symbol = "the_function_that_has_it"};
	struct change args[8];
	struct probe probe = {.site = &site};
	struct followed_probe its = {.nlines = 24};
	struct following following = {.texts = NULL};
	struct plan plan = {.probes = &probe, .nprobes = 1, .following = &following};
	struct thread thread = {.tid = 123456};
	struct row rows[2] = {{.time = 100, .probe = &probe, .kind = ROW_INNER, .changes = {args, nvalues}},
			      {.time = 200, .probe = &probe, .kind = ROW_CALL, .changes = {args, nvalues}, .number = 12,
			       .duration = 3100, .result = (char *)"0x7ffe12345678"}};
	struct call call = {.thread = &thread, .probe = &probe, .is_whole = true, .rows = rows, .nrows = 2, .ended = 300,
			    .end = end, .number = 11, .parent = 10, .is_inlined = true, .args = {args, nvalues}, .npassed = 12,
			    .result = (char *)"\"a text of 46 columns, which leaves little room\""};
	struct follow follow = {.plan = &plan, .probes = &its, .out = out,
				.options = {.is_utf8 = true, .columns = columns, .is_whole = !columns}};

	for (unsigned i = 0; i < nvalues; i++)
		args[i] = (struct change){.name = "argument", .is = (char *)values[i]};
	call_text(&follow, &call);
}

/* Takes the lines of a terminal, which go on more to the right, for one. */
static void join_lines(char *text)
{
	char *to = text;

	for (char *at = text; *at; at++) {
		if (*at == '\n' || (*at == ' ' && to > text && to[-1] == ' '))
			continue;
		*to++ = *at;
	}
	*to = '\0';
}

static void calls_on_a_terminal(void **state)
{
	static const char *const values[] = {
		"1", "0x7ffe12345678", "\"text with blanks\"", "{first=1, second=2, third=3, fourth=4, fifth=5}",
		"-5", "\346\225\260\346\225\260", "0xffff888003a51c00",
	};

	(void)state;
	assert_non_null(setlocale(LC_CTYPE, "C.UTF-8"));
	for (unsigned columns = 80; columns <= 240; columns++)
		for (unsigned count = 0; count <= sizeof(values) / sizeof(*values); count++) {
			enum call_end end_of = (enum call_end)(columns % (END_EVICTED + 1));
			struct strbuf out = {0}, whole = {0};

			print_calls(values, count, columns, end_of, &out);
			print_calls(values, count, 0, end_of, &whole);
			join_lines(whole.data);
			for (const char *at = out.data, *end; *at; at = end + 1) {
				end = strchr(at, '\n');
				assert_non_null(end);
				assert_in_range(on_terminal(at, end), 0, columns);
				assert_true(end == at || end[-1] != ' ');
			}
			if (count < 4 || columns > 100) { /* nothing is cut */
				for (char *at = out.data; (at = strchr(at, '\n')); at++)
					if (at[1] == ' ')
						*at = ' ';
				join_lines(out.data);
				assert_string_equal(out.data, whole.data);
			}
			strbuf_deinit(&out);
			strbuf_deinit(&whole);
		}
}

/* A value that is cut ends with a whole character or escape, and has so many columns. */
static void values_that_are_cut(void **state)
{
	static const char *const texts[LINES] = {"a;", "b;", "c;", "d;", "e;", "f;"};
	static const struct {
		const char *is, *shown;
	} cases[] = {
		{"\"\\346\\346\\346\\346\\346\\346\\346\\346\\346\\346\\346\\346\\346\"",
		 "\"\\346\\346\\346\\346\\346\\346\\346\\346\\346\\346\\346\342\200\246"},
		{"\"\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\"",
		 "\"\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\342\200\246"},
		/* 24 characters of two columns */
		{"\346\225\260\346\225\260\346\225\260\346\225\260\346\225\260\346\225\260\346\225\260\346\225\260"
		 "\346\225\260\346\225\260\346\225\260\346\225\260\346\225\260\346\225\260\346\225\260\346\225\260"
		 "\346\225\260\346\225\260\346\225\260\346\225\260\346\225\260\346\225\260\346\225\260\346\225\260x",
		 "\346\225\260\346\225\260\346\225\260\346\225\260\346\225\260\346\225\260\346\225\260\346\225\260"
		 "\346\225\260\346\225\260\346\225\260\346\225\260\346\225\260\346\225\260\346\225\260\346\225\260"
		 "\346\225\260\346\225\260\346\225\260\346\225\260\346\225\260\346\225\260\346\225\260\346\225\260\342\200\246"},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct strbuf out = {0}, want = {0};

		strbuf_join(&want, "\346\225\260=", cases[i].shown, "\n", NULL);
		print_call(texts, NULL, cases[i].is, 100, 0, &out);
		assert_non_null(strstr(out.data, want.data));
		strbuf_deinit(&out);
		strbuf_deinit(&want);
	}
}

/* Long calls: times stay in their column. */
static void seconds(void **state)
{
	static const struct {
		uint64_t step; /* ns, between lines */
		const char *last, *all;
	} cases[] = {
		{199999990, "\n+999999.9      6", "  returns   999999.9us   "},
		{200000000, "\n+1.00000s      6", "  returns   1.000000s   "},
		{1224963001, "\n+6.12481s      6", "  returns   6.124815s   "},
		{12249630010, "\n+61.2481s      6", "  returns   61.248150s   "},
	};
	static const char *const texts[LINES] = {"a;", "b;", "c;", "d;", "e;", "f;"};

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct strbuf out = {0};

		print_call(texts, "1", "2", cases[i].step, 0, &out);
		assert_non_null(strstr(out.data, cases[i].last));
		assert_non_null(strstr(out.data, cases[i].all));
		strbuf_deinit(&out);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members_that_differ),
		cmocka_unit_test(columns_of_a_terminal),
		cmocka_unit_test(calls_on_a_terminal),
		cmocka_unit_test(values_that_are_cut),
		cmocka_unit_test(seconds),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	printf("%d passed, %d failed\n", (int)(sizeof(tests) / sizeof(tests[0])) - failed, failed);
	return failed != 0;
}
