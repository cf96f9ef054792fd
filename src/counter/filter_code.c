// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests a filter in a program. What a comparison with a value that could not be read gives is
 * unknown, as in stream/test_filter.c, and an event whose filter isn't known to hold isn't counted.
 * So once ! is moved down to the comparisons, an unknown one is one that doesn't hold.
 */
#include <limits.h>
#include <string.h>

#include "counter/assemble.h"

static unsigned find_want(const struct probe *probe, const char *name)
{
	for (unsigned i = 0; i < probe->nvalues; i++)
		if (!strcmp(probe->values[i].name, name))
			return i;
	return UINT_MAX;
}

static struct error *refuse(struct code *code, const char *name, const char *reason)
{
	return error_new(code->arena, ERROR_INEXPRESSIBLE,
			 "the kernel can't test '%s' of the filter: %s", name, reason);
}

/* What the comparison is of; UINT_MAX: the comm. */
static unsigned operand(struct code *code, const struct filter *filter, const char **obstacle)
{
	unsigned want = find_want(code->probe, filter->field);
	bool may_fault = false;

	*obstacle = NULL;
	if (want == UINT_MAX && !strcmp(filter->field, "comm"))
		return UINT_MAX;
	if (want == UINT_MAX)
		return use(code, strcmp(filter->field, "pid") ? USED_CPU : USED_TID, 0, false);
	*obstacle =
		fetch_obstacle(code->arena, code->probe, &code->probe->values[want], &may_fault);
	return use(code, USED_VALUE, want, may_fault);
}

struct error *filter_use(struct code *code, const struct filter *filter)
{
	const char *obstacle;
	struct error *error;
	unsigned index;

	if (!filter)
		return NULL;
	if (!filter->field) {
		error = filter_use(code, filter->left);
		return error ? error : filter_use(code, filter->right);
	}
	index = operand(code, filter, &obstacle);
	if (obstacle)
		return refuse(code, filter->field, obstacle);
	if (index == UINT_MAX && filter->is_string &&
	    (filter->op == FILTER_EQ || filter->op == FILTER_NE)) {
		code->uses_comm = true;
		return NULL;
	}
	if (filter->is_string || filter->bytes || index == UINT_MAX)
		return refuse(code, filter->field, "it is a text");
	return filter->is_real ? refuse(code, filter->field, "it is compared with a fraction") :
				 NULL;
}

/* A jump that the verifier takes for a condition: it refuses what can't be reached. */
static void go_always(struct code *code, unsigned label)
{
	set(code, BPF_REG_0, 0);
	go_if_number(code, BPF_JEQ, BPF_REG_0, 0, label);
}

void comm_test(struct code *code, const char *text, bool is_equal, unsigned label)
{
	unsigned differs = is_equal ? new_label(code) : label;
	uint64_t words[2] = {0};

	if (strlen(text) > 15) { /* no comm is that */
		if (!is_equal)
			go_always(code, label);
		return;
	}
	memcpy(words, text, strlen(text));
	for (int i = 0; i < 2; i++) {
		set(code, BPF_REG_1, words[i]);
		load(code, BPF_DW, BPF_REG_2, FRAME, COMM + 8 * i);
		go_if(code, BPF_JNE, BPF_REG_2, BPF_REG_1, differs);
	}
	if (is_equal) {
		go(code, label);
		place(code, differs);
	}
}

/* The jump for a comparison that holds (or doesn't); -1: it always, -2: it never does. Signs as in
 * exact arithmetic: an unsigned number is above every negative one. */
static int jump_op(const struct filter *filter, bool is_signed, bool holds)
{
	static const enum filter_op opposites[] = {
		[FILTER_EQ] = FILTER_NE, [FILTER_NE] = FILTER_EQ, [FILTER_LT] = FILTER_GE,
		[FILTER_LE] = FILTER_GT, [FILTER_GT] = FILTER_LE, [FILTER_GE] = FILTER_LT,
	};
	enum filter_op op = holds ? filter->op : opposites[filter->op];
	bool is_above = !is_signed && filter->is_negative; /* every value is above the constant */
	bool is_below = is_signed && !filter->is_negative && (int64_t)filter->number < 0;

	if (is_above)
		return op == FILTER_NE || op == FILTER_GT || op == FILTER_GE ? -1 : -2;
	if (is_below)
		return op == FILTER_NE || op == FILTER_LT || op == FILTER_LE ? -1 : -2;
	switch (op) {
	case FILTER_EQ: return BPF_JEQ;
	case FILTER_NE: return BPF_JNE;
	case FILTER_LT: return is_signed ? BPF_JSLT : BPF_JLT;
	case FILTER_LE: return is_signed ? BPF_JSLE : BPF_JLE;
	case FILTER_GT: return is_signed ? BPF_JSGT : BPF_JGT;
	default: return is_signed ? BPF_JSGE : BPF_JGE;
	}
}

/* Goes to `label` if a bit of the constant is set, or if none is. */
static void test_bits(struct code *code, uint64_t number, bool holds, unsigned label)
{
	set(code, BPF_REG_2, number);
	alu(code, BPF_AND, BPF_REG_1, BPF_REG_2);
	go_if_number(code, holds ? BPF_JNE : BPF_JEQ, BPF_REG_1, 0, label);
}

/* Goes to `label` if the comparison is known to hold (with is_not: known not to), when `when` is
 * true; else unless it is. */
static void test_one(struct code *code, const struct filter *filter, bool is_not, bool when,
		     unsigned label)
{
	unsigned want = find_want(code->probe, filter->field), skip = new_label(code), index;
	const char *obstacle;
	int op;

	index = operand(code, filter, &obstacle);
	if (index == UINT_MAX) {
		comm_test(code, filter->string, ((filter->op == FILTER_EQ) != is_not) == when,
			  label);
		return;
	}
	load_used(code, index);
	if (code->used[index].may_fault) {
		move(code, BPF_REG_1, FAULTS);
		alu_number(code, BPF_AND, BPF_REG_1, 1 << index);
		go_if_number(code, BPF_JNE, BPF_REG_1, 0, when ? skip : label);
	}
	load(code, BPF_DW, BPF_REG_1, FRAME, SLOT(index));
	if (filter->op == FILTER_BITS) {
		test_bits(code, filter->number, when != is_not, label);
		place(code, skip);
		return;
	}
	op = jump_op(filter,
		     code->used[index].kind == USED_VALUE && code->probe->values[want].is_signed,
		     when != is_not);
	if (op == -1)
		go_always(code, label);
	if (op >= 0) {
		set(code, BPF_REG_2, filter->number);
		go_if(code, op, BPF_REG_1, BPF_REG_2, label);
	}
	place(code, skip);
}

static void test(struct code *code, const struct filter *filter, bool is_not, bool when,
		 unsigned label)
{
	bool is_and = (filter->op == FILTER_AND) != is_not;
	unsigned skip = new_label(code);

	if (filter->op == FILTER_NOT) {
		test(code, filter->left, !is_not, when, label);
	} else if (filter->field) {
		test_one(code, filter, is_not, when, label);
	} else if (is_and != when) { /* either half decides */
		test(code, filter->left, is_not, when, label);
		test(code, filter->right, is_not, when, label);
	} else {
		test(code, filter->left, is_not, !when, skip);
		test(code, filter->right, is_not, when, label);
	}
	place(code, skip);
}

void filter_test(struct code *code, const struct filter *filter, unsigned label)
{
	test(code, filter, false, false, label);
}
