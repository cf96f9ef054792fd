// SPDX-License-Identifier: GPL-2.0-only
/*
 * Property: whoever asks a source of debug information that can tell nothing has an answer to
 * each question: there is no such function, or the reason why nothing is known; and never a number
 * or a pointer of before.
 */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "debuginfo/debuginfo.h"

static unsigned passed, failed;

static void check(const char *question, bool holds)
{
	printf("%s a source without answers: %s\n", holds ? "ok" : "not ok", question);
	passed += holds;
	failed += !holds;
}

static char somewhere;
#define LEFTOVER ((void *)&somewhere)

static void ask_for_functions(struct debuginfo *info)
{
	struct instance **instances = LEFTOVER;
	unsigned count = 7;
	bool known = true;

	check("instances", !debuginfo_instances(info, "f", &instances, &count) && !instances &&
			!count);
	count = 7;
	check("function_at", !debuginfo_function_at(info, 0, &instances, &count) && !count);
	check("functions", !debuginfo_functions(info, NULL, NULL, NULL));
	count = 7;
	instances = LEFTOVER;
	check("instances_at_lines",
	      debuginfo_instances_at_lines(info, (struct file_lines){"f.c", 1, 2}, &instances, &count,
					   &known) == info->absent &&
	      !instances && !count && !known);
}

static void ask_inside(struct debuginfo *info)
{
	struct variable *variables = LEFTOVER;
	struct row *rows = LEFTOVER;
	struct position at = {0};
	struct frame frame = {.cfa = LEFTOVER};
	unsigned nrows = 7, nvariables = 7;

	check("rows", debuginfo_rows(info, NULL, &rows, &nrows) == info->absent && !rows && !nrows);
	check("frame", debuginfo_frame(info, NULL, 0, &frame) == info->absent && frame.reason &&
			!frame.cfa);
	check("variables", debuginfo_variables(info, NULL, at, true, &variables, &nvariables) ==
	      info->absent && !variables && !nvariables);
	variables = LEFTOVER;
	check("variable", debuginfo_variable(info, NULL, at, "v", true,
			&variables) == info->absent && !variables);
	variables = LEFTOVER;
	check("object", debuginfo_object(info, NULL, at, 1, NULL, &variables) == info->absent &&
			!variables);
	variables = LEFTOVER;
	check("global", debuginfo_global(info, "v", &variables) == info->absent && !variables);
}

static void ask_for_types(struct debuginfo *info)
{
	const struct type *type = LEFTOVER;
	struct member *members = LEFTOVER;
	struct enumerator *enumerators = LEFTOVER;
	uint64_t numbers[2];
	unsigned count = 7;

	check("type_named", debuginfo_type_named(info, NULL, "u32", &type) == info->absent &&
			!type);
	type = LEFTOVER;
	check("return_type", debuginfo_return_type(info, NULL, &type) == info->absent && !type);
	check("member", debuginfo_member(info, NULL, "m", &members) == info->absent && !members);
	members = LEFTOVER;
	check("members", debuginfo_members(info, NULL, &members, &count) == info->absent &&
	      !members && !count);
	count = 7;
	check("enumerators", debuginfo_enumerators(info, NULL, &enumerators,
			&count) == info->absent &&
	      !enumerators && !count);
	count = 7;
	check("constant", !debuginfo_constant(info, "C", numbers, &count) && !count);
}

int main(void)
{
	struct arena arena;
	struct debuginfo *info;

	arena_init(&arena);
	info = debuginfo_symbols(&arena, NULL, error_new(&arena, ERROR_NO_DEBUGINFO,
			"nothing is known"));
	check("has functions", !debuginfo_has_functions(info) && info->absent);
	ask_for_functions(info);
	ask_inside(info);
	ask_for_types(info);
	debuginfo_answer_in(info, &arena);
	debuginfo_close(info);
	arena_deinit(&arena);
	printf("%u passed, %u failed\n", passed, failed);
	return failed != 0;
}
