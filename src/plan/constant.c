// SPDX-License-Identifier: GPL-2.0-only
/*
 * Gives the words of a filter their numbers: names of enums, true, NULL, -ENOENT. What a word means
 * depends on the value it is compared with, so every probe has its own copy of the filter.
 */
#include "base/errno_name.h"
#include "plan/kernel_filter.h"

const struct value *named_value(const struct probe *probe, const char *name)
{
	const struct spec *spec = probe->spec;

	for (unsigned i = 0; i < probe->nvalues; i++)
		if (!strcmp(probe->values[i].name, name))
			return &probe->values[i];
	for (unsigned i = 0; spec && i < spec->nwants && i < probe->nvalues; i++)
		if (spec->wants[i].path && !strcmp(spec->wants[i].path, name))
			return &probe->values[i];
	return NULL;
}

bool is_builtin(const char *name)
{
	return !strcmp(name, "comm") || !strcmp(name, "pid") || !strcmp(name, "cpu");
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
				       assign->text, filter->value_span);

	if (value && value->render == RENDER_BOOL)
		return error_hint(assign->arena, error, "'%s' is true or false", filter->field);
	if (value && value->render == RENDER_ENUM && value->shape->nenumerators)
		return error_hint(assign->arena, error, "the names of '%s' are: %s",
				  value->shape->name,
				  enumerators_text(assign->arena, value->shape));
	if (value && is_integer(value) && errno_number(filter->constant))
		return error_hint(assign->arena, error, "the error is negative: -%s",
				  filter->constant);
	if (value && value_is_float(value))
		return error_hint(assign->arena, error,
				  "'%s' is a floating-point number: write one, or inf",
				  filter->field);
	if (value && value->render == RENDER_SYMBOL && assign->probe->kind == PROBE_TRACEPOINT)
		return error_hint(
			assign->arena, error,
			!assign->input->text_bytes ||
					(filter->op != FILTER_EQ && filter->op != FILTER_NE) ?
				"the name of a function is compared in a live run, with == or !=" :
				"/proc/kallsyms has no such name, or hides its addresses");
	if (value && is_integer(value))
		return error_hint(assign->arena, error,
				  "no enum has this name, or several have it with "
				  "different numbers; write the number");
	return error_hint(assign->arena, error,
			  "a string goes in quotes: \"%s\"; two values can't be compared",
			  filter->constant);
}

static bool source_constant(const struct sites *sites, const char *word, uint64_t *ret)
{
	for (unsigned i = 0; sites && i < sites->nconstants; i++) {
		if (strcmp(sites->constants[i].name, word))
			continue;
		*ret = sites->constants[i].number;
		return true;
	}
	return false;
}

/* What a word means to a value. Returns false if nothing. */
static bool constant_number(const struct assign *assign, const struct value *value,
			    const char *word, uint64_t *ret)
{
	const struct shape *shape = value->shape;

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
		return source_constant(assign->sites, word, ret);
	default:
		return false;
	}
}

/* Puts the name on the left: of `RED == color` the parser can't know which is the constant. */
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

struct filter *copy_filter(const struct assign *assign, const struct filter *filter)
{
	struct filter *copy = arena_new(assign->arena, struct filter);
	const struct value *its;

	*copy = *filter;
	if (filter->left)
		copy->left = copy_filter(assign, filter->left);
	if (filter->right)
		copy->right = copy_filter(assign, filter->right);
	orient(assign, copy);
	its = copy->field ? named_value(assign->probe, copy->field) : NULL;
	/* a variable's name lies in a file that is closed before the trace runs */
	copy->field = its ? arena_strdup(assign->arena, its->name) : copy->field;
	return copy;
}

static bool is_word_of_real(const char *word)
{
	word += *word == '-';
	return !strcmp(word, "inf") || !strcmp(word, "nan");
}

/* Whether floating-point numbers are compared. */
static bool is_real(const struct filter *filter, const struct value *value)
{
	bool is_float = value && value->status == VALUE_OK && value_is_float(value);

	return filter->decimal || (is_float && !filter->is_string &&
				   (!filter->constant || is_word_of_real(filter->constant)));
}

struct error *name_constants(const struct assign *assign, struct filter *filter)
{
	struct error *error = NULL;
	const struct value *value;

	if (filter->left)
		error = name_constants(assign, (struct filter *)filter->left);
	if (!error && filter->right)
		error = name_constants(assign, (struct filter *)filter->right);
	if (error || !filter->field)
		return error;
	value = named_value(assign->probe, filter->field);
	if (is_address(value) && value->status == VALUE_OK)
		return address_constant(assign, filter, value);
	if (is_real(filter, value))
		return real_constant(assign, filter, value);
	if (!filter->constant)
		return NULL;
	if (value && value->status != VALUE_OK)
		return NULL; /* this instance has nothing to compare */
	if (value && function_constant(assign, filter, value))
		return NULL;
	if (!value || !constant_number(assign, value, filter->constant, &filter->number))
		return unknown_constant(assign, filter, value);
	filter->is_negative = value->is_signed && (int64_t)filter->number < 0;
	return NULL;
}
