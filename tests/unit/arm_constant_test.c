// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whether the source contradicts a constant that debug information has: of each text a variable `n` is said to be the
 * constant at the line with `HERE`; what the rules of C say it may be there tells the answer, the line that contradicts it
 * (`SETS`), or none. The source and debug information are played here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "debuginfo/debuginfo.h"
#include "expr/expr.h"
#include "resolve/flow/line_code.h"
#include "resolve/values/doubts.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

enum { LINES_MOST = 40 };

static const char *lines[LINES_MOST];
static unsigned nlines, here;
static bool has_copy; /* code of the line elsewhere */

const char *source_line(struct resolver *resolver, const struct instance *instance, unsigned line)
{
	(void)resolver;
	(void)instance;
	return line && line <= nlines ? lines[line - 1] : NULL;
}

static struct expr constant = {.op = EXPR_CONST}, in_register = {.op = EXPR_REG, .value = 3},
		   folded = {.op = EXPR_CONST, .value = 9};
static struct type integer = {.kind = TYPE_INT, .name = "int", .size = 4, .is_signed = true},
		   byte = {.kind = TYPE_INT, .name = "unsigned char", .size = 1},
		   pointer = {.kind = TYPE_POINTER, .name = "char *", .size = 8},
		   number = {.kind = TYPE_FLOAT, .name = "float", .size = 4},
		   kind = {.kind = TYPE_ENUM, .name = "enum kind", .size = 4};
static struct variable variables[] = {
	{.name = "n", .source = 1, .loc = {.kind = LOC_VALUE, .expr = &constant}, .holds = {0x100, 0x200}},
	{.name = "a", .type = &integer, .source = 2, .loc = {.kind = LOC_VALUE, .expr = &in_register}},
	{.name = "b", .type = &integer, .source = 3, .loc = {.kind = LOC_VALUE, .expr = &in_register}},
	{.name = "nine", .type = &integer, .source = 4, .loc = {.kind = LOC_VALUE, .expr = &folded}},
	{.name = "p", .type = &pointer, .source = 5, .loc = {.kind = LOC_VALUE, .expr = &in_register}},
};

struct error *debuginfo_variables(struct debuginfo *info, const struct instance *instance, struct position at, bool all,
				  struct variable **ret, unsigned *count)
{
	(void)info;
	(void)instance;
	(void)at;
	(void)all;
	*ret = variables;
	*count = COUNT(variables);
	return NULL;
}

static struct enumerator kinds[] = {{"NONE", 0}, {"NAME", 1}, {"NUMBER", 2}};

struct error *debuginfo_enumerators(struct debuginfo *info, const struct type *type, struct enumerator **ret, unsigned *count)
{
	(void)info;
	(void)type;
	*ret = kinds;
	*count = COUNT(kinds);
	return NULL;
}

static struct function function = {.name = "f", .file = "f.c", .line = 1};
static struct row rows[2];

struct error *debuginfo_rows(struct debuginfo *info, const struct instance *instance, struct row **ret, unsigned *count)
{
	(void)info;
	(void)instance;
	rows[0] = (struct row){.address = 0x110, .file = "f.c", .line = here};
	rows[1] = (struct row){.address = 0x300, .file = "f.c", .line = here};
	*ret = rows;
	*count = 1 + has_copy;
	return NULL;
}

static const struct example {
	const char *text; /* of lines */
	int64_t constant;
	struct type *type;
	const char *how;  /* g: by gcc, i: inlined, c: the line has a copy elsewhere, u: one number for all of its scope */
} examples[] = {
	/* conditions that the line is in, or behind */
	{"\tif (n) { SETS\n\t\tuse(1); HERE\n", 0, &integer, ""},
	{"\tif (n) { SETS\n\t\tuse(1); HERE\n", 0, &integer, "g"},
	{"\tif (n) { SETS\n\t\tuse(1); HERE\n", 0, &integer, "ic"},
	{"\tif (n) {\n\t\tuse(1); HERE\n", 1, &integer, ""},
	{"\tif (!n) {\n\t\tuse(1); HERE\n", 0, &integer, ""},
	{"\tif (!n) { SETS\n\t\tuse(1); HERE\n", 7, &integer, ""},
	{"\tif (n) {\n\t\tuse(1);\n\t} else {\n\t\tuse(2); HERE\n", 0, &integer, ""},
	{"\tif (!n) { SETS\n\t\tuse(1);\n\t} else {\n\t\tuse(2); HERE\n", 0, &integer, ""},
	{"\tif (!n) SETS\n\t\treturn 1;\n\tuse(2); HERE\n", 0, &integer, ""},
	{"\tif (!n)\n\t\treturned = 1;\n\tuse(2); HERE\n", 0, &integer, ""},
	{"\tif (!n)\n\t\tuse(1); /* or return */\n\tuse(2); HERE\n", 0, &integer, ""},
	{"\tif (!n) {\n\t\t/* we could\n\t\t   return */\n\t\tuse(1);\n\t}\n\tuse(2); HERE\n", 0, &integer, ""},
	{"\tif (!n) { SETS\n\t\tuse(1);\n\t\treturn 1;\n\t}\n\tuse(2); HERE\n", 0, &integer, ""},
	{"\tif (!n) return 1; /* SETS */\n\tuse(2); HERE\n", 0, &integer, ""},
	{"\tif (n != 3) { SETS\n\t\tuse(1); HERE\n", 3, &integer, ""},
	{"\tif (n != MOST) {\n\t\tuse(1); HERE\n", 3, &integer, ""},
	{"\tif (n >= 0) { SETS\n\t\tuse(1); HERE\n", -1, &integer, ""},
	{"\tif (n >= 0) {\n\t\tuse(1); HERE\n", 255, &byte, ""},
	{"\tif (n > 3 && a) { SETS\n\t\tuse(1); HERE\n", 3, &integer, ""},
	{"\tif (n > 3 || a) {\n\t\tuse(1); HERE\n", 3, &integer, ""},
	{"\tif (n < 0 || a) { SETS\n\t\treturn 1;\n\t}\n\tuse(1); HERE\n", -3, &integer, ""},
	{"\tif (n < 0 && a) {\n\t\treturn 1;\n\t}\n\tuse(1); HERE\n", -3, &integer, ""},
	{"\tif (!(a || n)) {\n\t\tuse(1);\n\t} else {\n\t\tuse(2); HERE\n", 1, &integer, ""},
	{"\tif (a == (n > 2)) {\n\t\tuse(1); HERE\n", 0, &integer, ""},
	{"\tif ((n > 2) == a) {\n\t\tuse(1); HERE\n", 0, &integer, ""},
	{"\tif ((n > 2) && a) { SETS\n\t\tuse(1); HERE\n", 0, &integer, ""},
	{"\tif (a && (n > 2)) { SETS\n\t\tuse(1); HERE\n", 0, &integer, ""},
	{"\tif (n > 2) *p = 1;\n\tuse(1); HERE\n", 0, &integer, ""},
	{"\tif (x.n) {\n\t\tuse(1); HERE\n", 0, &integer, ""},
	{"\tif (x->n) {\n\t\tuse(1); HERE\n", 0, &integer, ""},
	{"\tif (serif(n)) {\n\t\tuse(1); HERE\n", 0, &integer, ""},
	{"\tif (is(n)) {\n\t\tuse(1); HERE\n", 0, &integer, ""},
	{"\tif (n == NUMBER) { SETS\n\t\tuse(1); HERE\n", 1, &kind, ""},
	{"\tif (n) { SETS\n\t\tif (a)\n\t\t\tuse(1); HERE\n", 0, &pointer, ""},
	{"\twhile (n > 2) { SETS\n\t\tuse(1); HERE\n", 2, &integer, ""},
	{"\twhile (n > 2) {\n\t\tif (a)\n\t\t\tn = 2;\n\t\tuse(1); HERE\n", 2, &integer, "c"},
	{"\twhile (n > 2)\n\t\tn--;\n\tuse(1); HERE\n", 3, &integer, ""},
	{"\tif (n == 0) {\n\t\tget(&n);\n\t\tuse(1); HERE\n", 5, &integer, ""},
	{"\tif (n) { SETS\n\t\tuse(1); HERE\n", 0, &integer, "u"},
	/* the statement before */
	{"\tn = 1; /* SETS */\n\tuse(1); HERE\n", 0, &integer, ""},
	{"\tn = 1; /* SETS */\n\tuse(1); HERE\n", 0, &integer, "c"},
	{"\tn = 1;\n\tuse(1); HERE\n", 0, &integer, "g"},
	{"\tn = 1;\n\tuse(1); HERE\n", 0, &integer, "u"},
	{"\tn = 1;\n\tuse(1); HERE\n", 0, &integer, "i"},
	{"\tn = 1;\n\tuse(1); HERE\n", 1, &integer, ""},
	{"\tn = 1;\n\tuse(1); HERE\n", 0, &number, ""},
	{"\tn = 256;\n\tuse(1); HERE\n", 0, &byte, ""},
	{"\tn = NUMBER; /* SETS */\n\tuse(1); HERE\n", 1, &kind, ""},
	{"\tn = NUMBER;\n\tuse(1); HERE\n", 1, &integer, ""},
	{"\tn = NULL; /* SETS */\n\tuse(1); HERE\n", 8, &pointer, ""},
	{"\tn = 1;\nagain:\n\tuse(1); HERE\n", 0, &integer, ""},
	{"\tn = 1;\n#if A\n\tn = 0;\n#endif\n\tuse(1); HERE\n", 0, &integer, ""},
	{"\tn = 1;\n\tSET(0);\n\tuse(1); HERE\n", 0, &integer, ""},
	{"\tn = 1;\n\tuse(1,\n\t    2); HERE\n", 1, &integer, ""},
	{"\tn =\n\t    a + b +\n\t    nine; HERE\n", 0, &integer, ""},
	{"\tif (a == 2) n = 1;\n\tuse(1); HERE\n", 0, &integer, "c"},
	{"\tn = 0;\n\tif (a == 2) n = 1; /* SETS */\n\tuse(1); HERE\n", 0, &integer, ""},
	/* its address is given away */
	{"\tn = 0;\n\tget(&n); /* SETS */\n\tuse(1); HERE\n", 0, &integer, ""},
	{"\tn = 0;\n\tget(&n);\n\tuse(1); HERE\n", 0, &integer, "c"},
	{"\tn = 0;\n\tget(&n);\n\tuse(1); HERE\n", 0, &integer, "i"},
	{"\tn = 0;\n\tget(a &&n);\n\tuse(1); HERE\n", 0, &integer, ""},
	{"\tn = 1;\n\tget(&n);\n\tuse(1); HERE\n", 0, &integer, "c"},
	{"\tn = 0;\n\tif (a) {\n\t\tp = &n; /* SETS */\n\t}\n\tuse(1); HERE\n", 0, &integer, ""},
	/* a computed one */
	{"\tn = a + b; /* SETS */\n\tuse(1); HERE\n", 3, &integer, ""},
	{"\tn = a + b; /* SETS */\n\tuse(1); HERE\n", 3, &integer, "ic"},
	{"\tn = a + b;\n\tb = 2;\n\tuse(1); HERE\n", 3, &integer, ""},
	{"\tn = a = b = 0;\n\tuse(1); HERE\n", 0, &integer, ""},
	{"\ta = n = 4; /* SETS */\n\tuse(1); HERE\n", 3, &integer, ""},
	{"\tn = a - a;\n\tuse(1); HERE\n", 0, &integer, ""},
	{"\tn = nine;\n\tuse(1); HERE\n", 9, &integer, ""},
	{"\tn = a ? 1 : 2; /* SETS */\n\tuse(1); HERE\n", 1, &integer, ""},
	{"\tn = f(a);\n\tuse(1); HERE\n", 1, &integer, ""},
	{"\tn = p[1];\n\tuse(1); HERE\n", 1, &integer, ""},
	{"\tn = *p;\n\tuse(1); HERE\n", 1, &integer, ""},
	{"\tn = sizeof a;\n\tuse(1); HERE\n", 4, &integer, ""},
	{"\tn = p->a;\n\tuse(1); HERE\n", 4, &integer, ""},
	/* arms */
	{"\tn = 0;\n\tif (a) {\n\t\tn = 1; /* SETS */\n\t}\n\tuse(1); HERE\n", 0, &integer, ""},
	{"\tn = 0;\n\tif (a) {\n\t\tn = 1;\n\t}\n\tuse(1); HERE\n", 0, &integer, "c"},
	{"\tn = 0;\n\tif (a) {\n\t\tn = 1;\n\t\treturn 2;\n\t}\n\tuse(1); HERE\n", 0, &integer, ""},
	{"\tn = 0;\n\tif (a) {\n\t\tn = 1;\n\t} else {\n\t\tuse(1); HERE\n", 0, &integer, ""},
	{"\tn = -1;\n\tif (a < b)\n\t\tn = a; /* SETS */\n\tuse(1); HERE\n", -1, &integer, ""},
	{"\tn = -1;\n\tif (a < b)\n\t\tn = a;\n\tuse(1); HERE\n", -1, &integer, "c"},
	{"\tif (a)\n\t\tn = 0;\n\telse\n\t\tn = 1;\n\tif (n) {\n\t\tuse(1); HERE\n", 1, &integer, ""},
	{"\tswitch (n) {\n\tcase 1:\n\t\tn = 2;\n\t\tbreak;\n\tcase 3:\n\t\tuse(1); HERE\n", 3, &integer, ""},
	{"\tn = 0; /* SETS */\n\tswitch (a) {\n\tcase 1:\n\t\tn = 5;\n\t\tbreak;\n\t}\n\tuse(1); HERE\n", 5, &integer, ""},
	{"\tn = 0;\n\tswitch (a) {\n\tcase 1:\n\t\tn = 5;\n\t\tbreak;\n\t}\n\tuse(1); HERE\n", 5, &integer, "c"},
	{"\tn = 0;\n\tswitch (a) {\n\tcase 1:\n\t\tn = 5;\n\tcase 2:\n\t\tuse(2);\n\t\tbreak;\n\tcase 3:\n\t\tuse(1); HERE\n", 0,
	 &integer, ""},
	{"\tn = 0;\n\tswitch (a) {\n\tcase 1:\n\t\tn = 5; /* SETS */\n\tcase 3:\n\t\tuse(1); HERE\n", 0, &integer, ""},
	{"\tn = 0;\n\tif (a) {\n\t\tn = 5;\n\t\tif (b)\n\t\t\treturn 1;\n\t\tuse(2);\n\t\treturn 2;\n\t}\n\tuse(1); HERE\n", 0,
	 &integer, ""},
	/* loops */
	{"\tn = 0;\n\tfor (p = 0; p; n = a, p++)\n\t\tif (b)\n\t\t\tuse(1); HERE\n", 0, &integer, ""},
	{"\tn = 1;\n\twhile (a) {\n\t\tuse(1); HERE\n\t\tn = 0;\n\t}\n", 0, &integer, ""},
	{"\tn = 1; /* SETS */\n\twhile (a) {\n\t\tuse(1); HERE\n\t\tif (b) {\n\t\t\tn = 0;\n\t\t\tbreak;\n\t\t}\n\t}\n", 0, &integer, ""},
	{"\tn = 1;\n\twhile (a) {\n\t\tif (b) {\n\t\t\tn = 0;\n\t\t\tcontinue;\n\t\t}\n\t\tuse(1); HERE\n\t}\n", 0, &integer, ""},
	{"\tn = 1;\n\twhile (a) {\n\t\tuse(1); HERE\n\t\tget(&n);\n\t}\n", 0, &integer, ""},
	{"\tn = a + b;\n\tdo {\n\t\tuse(1); HERE\n\t\tn = 0;\n\t} while (a);\n", 0, &integer, ""},
	{"\tn = 1;\n\twhile (n <= 3 &&\n\t       p[n] == 'a') { HERE\n\t\tn++;\n\t}\n", 2, &integer, ""},
	{"\tfor (n = 0; n < 3; n++) {\n\t\tuse(1); HERE\n\t}\n", 2, &integer, ""},
};

/* Returns the line that contradicts the constant; 0: none. */
static unsigned read_example(const struct example *example)
{
	unsigned sets = 0;

	lines[0] = "int f(int a, int b)\n";
	nlines = 1;
	here = 0;
	for (const char *text = example->text; *text; text = strchr(text, '\n') + 1) {
		size_t length = strcspn(text, "\n");

		lines[nlines++] = text;
		here = memmem(text, length, "HERE", 4) ? nlines : here;
		sets = memmem(text, length, "SETS", 4) ? nlines : sets;
	}
	return sets;
}

static void the_source_contradicts_a_constant(void **state)
{
	(void)state;
	for (unsigned i = 0; i < COUNT(examples); i++) {
		const struct example *example = &examples[i];
		unsigned sets = read_example(example), found;
		struct instance instance = {
			.function = &function,
			.inlined = strchr(example->how, 'i'),
			.is_by_gcc = strchr(example->how, 'g'),
			.is_by_llvm = !strchr(example->how, 'g'),
		};
		struct resolver resolver = {0};
		struct walk walk = {.resolver = &resolver, .instance = &instance, .variable = variables};

		variables[0].type = example->type;
		constant.value = (uint64_t)example->constant;
		variables[0].holds.end = strchr(example->how, 'u') ? 0 : 0x200;
		has_copy = strchr(example->how, 'c');
		found = find_arm_constant(&walk, (struct position){.address = 0x110, .line = here});
		if (found != sets)
			print_error("constant %d, %s:\n%s", (int)example->constant, example->how, example->text);
		assert_int_equal(found, sets);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_source_contradicts_a_constant),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	printf("%d passed, %d failed\n", (int)COUNT(tests) - failed, failed);
	return failed != 0;
}
