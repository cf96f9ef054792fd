// SPDX-License-Identifier: GPL-2.0-only
/*
 * A filter in, its two halves out: the top-level conjuncts that only speak of fields the kernel
 * itself records go to the kernel, under the kernel's names; the others are tested by ktrace when
 * the value is finished.
 */
#include "base/errno_name.h"
#include "plan/internal.h"

struct assign {
	struct arena *arena;
	const struct plan_input *input;
	struct probe *probe;
};

static const struct value *named_value(const struct probe *probe, const char *name)
{
	for (unsigned i = 0; i < probe->nvalues; i++)
		if (!strcmp(probe->values[i].name, name))
			return &probe->values[i];
	return NULL;
}

static bool is_builtin(const char *name)
{
	return !strcmp(name, "comm") || !strcmp(name, "pid") || !strcmp(name, "cpu");
}

static const char *operator_text(enum filter_op op)
{
	switch (op) {
	case FILTER_EQ: return "==";
	case FILTER_NE: return "!=";
	case FILTER_LT: return "<";
	case FILTER_LE: return "<=";
	case FILTER_GT: return ">";
	case FILTER_GE: return ">=";
	case FILTER_BITS: return "&";
	case FILTER_MATCH: return "~";
	default: return "";
	}
}

/* The kernel's name for the field; NULL: it has none. */
static const char *kernel_field(const struct assign *assign, const struct filter *filter)
{
	const struct value *value = named_value(assign->probe, filter->field);

	if (!value && !strcmp(filter->field, "comm"))
		return filter->is_string ? "comm" : NULL;
	if (!value && !strcmp(filter->field, "pid"))
		return "common_pid";
	if (!value || value->status != VALUE_OK || value->finish || value->by_cpu ||
	    value->count || value->fetch >= KERNEL_ARGS_MAX)
		return NULL;
	if ((value->render == RENDER_STRING) != filter->is_string || value->string_max)
		return NULL;
	return assign->probe->fetches[value->fetch].field;
}

/* NULL: the kernel can't test it. */
static char *kernel_text(const struct assign *assign, const struct filter *filter)
{
	struct arena *arena = assign->arena;
	const char *field;
	char *left, *right;

	switch (filter->op) {
	case FILTER_AND:
	case FILTER_OR:
		left = kernel_text(assign, filter->left);
		right = left ? kernel_text(assign, filter->right) : NULL;
		return right ? arena_printf(arena, "(%s %s %s)", left,
					    filter->op == FILTER_AND ? "&&" : "||", right) : NULL;
	case FILTER_NOT:
		left = kernel_text(assign, filter->left);
		return left ? arena_printf(arena, "!(%s)", left) : NULL;
	default:
		field = kernel_field(assign, filter);
		if (!field || (filter->is_string && strchr(filter->string, '"')))
			return NULL;
		if (filter->is_string)
			return arena_printf(arena, "%s %s \"%s\"", field, operator_text(filter->op),
					    filter->string);
		if (filter->is_negative)
			return arena_printf(arena, "%s %s %lld", field, operator_text(filter->op),
					    (long long)filter->number);
		return arena_printf(arena, "%s %s %llu", field, operator_text(filter->op),
				    (unsigned long long)filter->number);
	}
}

static char *names_text(struct arena *arena, const struct probe *probe)
{
	char *text = arena_strdup(arena, "");

	for (unsigned i = 0; i < probe->nvalues; i++)
		text = arena_printf(arena, "%s%s ", text, probe->values[i].name);
	return arena_printf(arena, "%scomm pid cpu", text);
}

static char *enumerators_text(struct arena *arena, const struct shape *shape)
{
	enum { MOST = 12 };
	char *text = arena_strdup(arena, "");

	for (unsigned i = 0; i < shape->nenumerators && i < MOST; i++)
		text = arena_printf(arena, "%s%s%s", text, i ? " " : "",
				    shape->enumerators[i].name);
	return shape->nenumerators > MOST ? arena_printf(arena, "%s ...", text) : text;
}

static bool is_integer(const struct value *value)
{
	return value->render == RENDER_SIGNED || value->render == RENDER_UNSIGNED ||
	       value->render == RENDER_ERRNO;
}

static struct error *unknown_constant(const struct assign *assign, const struct filter *filter,
				      const struct value *value)
{
	struct error *error = error_at(error_new(assign->arena, ERROR_SYNTAX,
						 "'%s' is not a constant", filter->constant),
				       assign->input->filter_text, filter->value_span);

	if (value && value->render == RENDER_BOOL)
		return error_hint(assign->arena, error, "'%s' is true or false", filter->field);
	if (value && value->render == RENDER_ENUM && value->shape->nenumerators)
		return error_hint(assign->arena, error, "the names of '%s' are: %s",
				  value->shape->name,
				  enumerators_text(assign->arena, value->shape));
	if (value && is_integer(value))
		return error_hint(assign->arena, error, "no enum has this name, or several have it with "
				  "different numbers; write the number");
	return error_hint(assign->arena, error, "a string goes in quotes: \"%s\"; two values can't be "
			  "compared", filter->constant);
}

/* What a word means to a value. false: nothing. */
static bool constant_number(const struct assign *assign, const struct value *value,
			    const char *word, uint64_t *ret)
{
	const struct plan_input *input = assign->input;
	const struct shape *shape = value->shape;
	uint64_t numbers[2];

	for (unsigned i = 0; shape && i < shape->nenumerators; i++) {
		if (strcmp(shape->enumerators[i].name, word))
			continue;
		*ret = shape->enumerators[i].number;
		return true;
	}
	*ret = 0;
	switch (value->render) {
	case RENDER_BOOL:
		*ret = !strcmp(word, "true");
		return *ret || !strcmp(word, "false");
	case RENDER_HEX:
	case RENDER_SYMBOL:
		return !strcmp(word, "NULL");
	case RENDER_SIGNED:
	case RENDER_UNSIGNED:
	case RENDER_ERRNO:
		if (word[0] == '-') {
			*ret = (uint64_t)-(int64_t)errno_number(word + 1);
			return *ret && value->is_signed;
		}
		/* an int often holds what an enum names */
		if (!input->constant || input->constant(input->cookie, word, numbers) != 1)
			return false;
		*ret = numbers[0];
		return true;
	default:
		return false;
	}
}

/* Of `RED == color` the parser can't know which is the constant. */
static void orient(const struct assign *assign, struct filter *filter)
{
	const char *field = filter->field;
	struct span span = filter->field_span;

	if (!filter->constant || named_value(assign->probe, field) || is_builtin(field) ||
	    !(named_value(assign->probe, filter->constant) || is_builtin(filter->constant)))
		return;
	filter->op = filter->op == FILTER_LT ? FILTER_GT : filter->op == FILTER_LE ? FILTER_GE :
		     filter->op == FILTER_GT ? FILTER_LT : filter->op == FILTER_GE ? FILTER_LE :
		     filter->op;
	filter->field = filter->constant;
	filter->field_span = filter->value_span;
	filter->constant = field;
	filter->value_span = span;
}

/* A filter of this probe's own, to be written to. */
static struct filter *copy_filter(const struct assign *assign, const struct filter *filter)
{
	struct filter *copy = arena_new(assign->arena, struct filter);

	*copy = *filter;
	if (filter->left)
		copy->left = copy_filter(assign, filter->left);
	if (filter->right)
		copy->right = copy_filter(assign, filter->right);
	orient(assign, copy);
	return copy;
}

/* A number for each word, in a copy. */
static struct error *name_constants(const struct assign *assign, struct filter *filter)
{
	struct error *error = NULL;
	const struct value *value;

	if (filter->left)
		error = name_constants(assign, (struct filter *)filter->left);
	if (!error && filter->right)
		error = name_constants(assign, (struct filter *)filter->right);
	if (error || !filter->constant)
		return error;
	value = named_value(assign->probe, filter->field);
	if (value && value->status != VALUE_OK)
		return NULL; /* there is nothing to compare at this copy */
	if (!value || !constant_number(assign, value, filter->constant, &filter->number))
		return unknown_constant(assign, filter, value);
	filter->is_negative = value->is_signed && (int64_t)filter->number < 0;
	return NULL;
}

/* Why a value is nothing that a number could be compared with. */
static const char *incomparable(const struct value *value)
{
	if (value->render == RENDER_FLOAT)
		return "'%s' is a floating-point number, which a filter doesn't test";
	if (value->count || (value->shape && value->shape->kind == SHAPE_ARRAY))
		return "'%s' is an array";
	if (value->shape && value->shape->kind == SHAPE_STRUCT)
		return "'%s' is a whole struct or union: give the member a name of its own";
	if (value->shape && value->shape->size > 8)
		return "'%s' has 128 bits, which a filter doesn't test";
	return NULL;
}

static struct error *check_names(struct assign *assign, const struct filter *filter)
{
	const struct value *value;
	struct error *error;
	const char *reason;

	if (!filter)
		return NULL;
	if (filter->field && !is_builtin(filter->field) &&
	    !named_value(assign->probe, filter->field))
		return error_hint(assign->arena, error_at(
			error_new(assign->arena, ERROR_NOT_FOUND, "no value '%s' in event '%s'",
				  filter->field, assign->probe->event), assign->input->filter_text,
			filter->field_span), "its values are: %s",
			names_text(assign->arena, assign->probe));
	value = filter->field ? named_value(assign->probe, filter->field) : NULL;
	if (value && value->status == VALUE_OK &&
	    (value->render == RENDER_STRING) != filter->is_string)
		return error_at(error_new(assign->arena, ERROR_SYNTAX,
					  value->render == RENDER_STRING ? "'%s' is a string" :
					  "'%s' is a number", filter->field),
				assign->input->filter_text, filter->value_span);
	reason = value && value->status == VALUE_OK ? incomparable(value) : NULL;
	if (reason)
		return error_at(error_new(assign->arena, ERROR_SYNTAX, "%s",
					  arena_printf(assign->arena, reason, filter->field)),
				assign->input->filter_text, filter->field_span);
	error = check_names(assign, filter->left);
	return error ? error : check_names(assign, filter->right);
}

static void give_to_ktrace(struct assign *assign, const struct filter *filter)
{
	struct filter *both;

	if (!assign->probe->filter) {
		assign->probe->filter = filter;
		return;
	}
	both = arena_new(assign->arena, struct filter);
	both->op = FILTER_AND;
	both->left = assign->probe->filter;
	both->right = filter;
	assign->probe->filter = both;
}

static void assign_conjuncts(struct assign *assign, const struct filter *filter)
{
	char *text;

	if (filter->op == FILTER_AND) {
		assign_conjuncts(assign, filter->left);
		assign_conjuncts(assign, filter->right);
		return;
	}
	text = kernel_text(assign, filter);
	if (!text)
		give_to_ktrace(assign, filter);
	else if (assign->probe->kernel_filter)
		assign->probe->kernel_filter = arena_printf(assign->arena, "%s && %s",
							    assign->probe->kernel_filter, text);
	else
		assign->probe->kernel_filter = text;
}

struct error *plan_filter(struct arena *arena, const struct plan_input *input, struct probe *probe)
{
	struct assign assign = {arena, input, probe};
	struct filter *filter;
	struct error *error;

	if (!input->filter)
		return NULL;
	filter = copy_filter(&assign, input->filter);
	error = check_names(&assign, filter);
	if (!error)
		error = name_constants(&assign, filter);
	if (!error)
		assign_conjuncts(&assign, filter);
	return error;
}
