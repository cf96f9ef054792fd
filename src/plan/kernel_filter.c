// SPDX-License-Identifier: GPL-2.0-only
/*
 * Splits a filter in two: the top-level conjuncts that only use fields the kernel itself records go
 * to the kernel, under the kernel's names; ktrace tests the others once the value is finished.
 */
#include "plan/kernel_filter.h"

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

/* The kernel's name for the field. Returns NULL if it has none. */
static const char *kernel_field(const struct assign *assign, const struct filter *filter)
{
	const struct value *value = named_value(assign->probe, filter->field);
	const struct fetch *fetch;

	if (!value && !strcmp(filter->field, "comm"))
		return filter->is_string ? "comm" : NULL;
	if (!value && !strcmp(filter->field, "pid"))
		return "common_pid";
	if (filter->bytes || !value || value->status != VALUE_OK || value->finish ||
	    value->by_cpu || value->parts || value->count || value->fetch >= KERNEL_ARGS_MAX)
		return NULL;
	if ((value->render == RENDER_STRING) != filter->is_string || value->string_max ||
	    value->windows)
		return NULL;
	fetch = &assign->probe->fetches[value->fetch];
	return fetch->type.kind != FETCH_DEFAULT || assign->probe->kind != PROBE_TRACEPOINT ?
		       fetch->field :
		       NULL;
}

/* Whether the kernel's field can hold the constant: the kernel would truncate it, for a u8 300
 * to 44. */
static bool kernel_fits(const struct assign *assign, const struct filter *filter,
			const struct value *value)
{
	const struct fetch_type *type = value ? &assign->probe->fetches[value->fetch].type : NULL;
	bool is_signed = type && type->kind == FETCH_NUMBER && type->letter == 's';

	if (!type || !type->bits || type->bits > 64)
		return true;
	return extend_bits(filter->number, type->bits, is_signed) == filter->number &&
	       filter->is_negative == (is_signed && (int64_t)filter->number < 0);
}

/* If the kernel records it wider than the value, or of the other sign, it can only test the
 * value's bits, one by one. */
static char *narrowed_text(struct arena *arena, const struct filter *filter,
			   const struct value *value, const char *field)
{
	uint64_t mask = value->size < 8 ? (1ull << value->size * 8) - 1 : ~0ull;
	uint64_t number = filter->number & mask;
	char *text;

	if (extend_bits(number, value->size * 8u, value->is_signed) != filter->number ||
	    (!filter->is_negative && value->is_signed && (int64_t)filter->number < 0) ||
	    (filter->is_negative && !value->is_signed))
		return NULL;
	if (filter->op == FILTER_BITS && number == filter->number)
		return arena_printf(arena, "%s & %#llx", field, (unsigned long long)number);
	if (filter->op != FILTER_EQ && filter->op != FILTER_NE)
		return NULL;
	text = arena_printf(arena, "%s(!(%s & %#llx)", filter->op == FILTER_NE ? "!" : "", field,
			    (unsigned long long)(~number & mask));
	for (unsigned i = 0; i < value->size * 8u; i++)
		if (number >> i & 1)
			text = arena_printf(arena, "%s && %s & %#llx", text, field, 1ull << i);
	return arena_printf(arena, "%s)", text);
}

/* Returns NULL if the kernel can't test it. */
static char *kernel_text(const struct assign *assign, const struct filter *filter)
{
	struct arena *arena = assign->arena;
	const struct value *value;
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
		value = named_value(assign->probe, filter->field);
		if (filter->is_real)
			return value && value_is_float(value) && value_size(value) <= 8 ?
			       real_text(arena, filter, field, value_size(value)) : NULL;
		if (value && value->is_narrowed)
			return narrowed_text(arena, filter, value, field);
		if (!filter->is_string && !kernel_fits(assign, filter, value))
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

/* Why a value can't be compared with a number, or NULL. */
static const char *incomparable(const struct value *value)
{
	if (value->stack)
		return "'%s' is a stack";
	if (value->count || (value->shape && value->shape->kind == SHAPE_ARRAY))
		return "'%s' is an array";
	if (value->shape && value->shape->kind == SHAPE_TEXT)
		return "'%s' is a text without memory of its own, which a filter doesn't test";
	if (value->shape && value->shape->kind == SHAPE_STRUCT)
		return "'%s' is a whole struct or union: give the member a name of its own";
	if (value->shape && value->shape->size > 8 && !value_is_float(value))
		return "'%s' has 128 bits, which a filter doesn't test";
	return NULL;
}

/* A string compared with a number, or the reverse: says what was probably meant. */
static struct error *other_kind(const struct assign *assign, const struct filter *filter,
				const struct value *value)
{
	struct arena *arena = assign->arena;
	bool is_text = value->render == RENDER_STRING;
	const char *operator = operator_text(filter->op);
	struct error *error = error_at(error_new(arena, ERROR_SYNTAX, is_text ? "'%s' is a string" :
						 "'%s' is a number", filter->field),
				       assign->text, filter->value_span);

	if (is_text && filter->constant)
		return error_hint(arena, error, "a string goes in quotes: %s %s \"%s\"",
				  filter->field, operator, filter->constant);
	if (is_text)
		return error_hint(arena, error, "compare it with a string: %s == \"TEXT\"",
				  filter->field);
	if (value->render == RENDER_HEX && strstr(value->type_name, "char"))
		return error_hint(arena, error, "ask for its text in the spec: %s:string",
				  filter->field);
	if (value->render == RENDER_ENUM)
		return error_hint(arena, error, "a name goes without quotes: %s %s %s",
				  filter->field, operator, filter->string);
	return error_hint(arena, error, "only strings are compared with what is in quotes");
}

enum { COMM_MOST = 15 };

/* A name that is longer than what the kernel keeps equals none. */
static struct error *check_comm(const struct assign *assign, const struct filter *filter)
{
	struct arena *arena = assign->arena;

	if (strcmp(filter->field, "comm") != 0 || named_value(assign->probe, filter->field) ||
	    !filter->is_string || filter->op == FILTER_MATCH || strlen(filter->string) <= COMM_MOST)
		return NULL;
	return error_hint(arena,
			  error_at(error_new(arena, ERROR_SYNTAX, "'%s' is too long for a comm",
					     filter->string),
				   assign->text, filter->value_span),
			  "the kernel keeps %d bytes of it: comm %s \"%.*s\"", COMM_MOST,
			  operator_text(filter->op), COMM_MOST, filter->string);
}

static struct error *no_such_value(const struct assign *assign, const struct filter *filter)
{
	struct error *error = error_at(error_new(assign->arena, ERROR_NOT_FOUND,
						 "no value '%s' in event '%s'", filter->field,
						 assign->probe->event),
				       assign->text, filter->field_span);

	error->lacks = filter->field;
	return error_hint(assign->arena, error,
			  strpbrk(filter->field, "-.[") ? "name it in the spec, too; its values "
							  "are: %s" :
							  "its values are: %s",
			  names_text(assign->arena, assign->probe));
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
		return no_such_value(assign, filter);
	value = filter->field ? named_value(assign->probe, filter->field) : NULL;
	if (is_address(value))
		return NULL;
	reason = value && value->status == VALUE_OK ? incomparable(value) : NULL;
	if (value && value->status == VALUE_OK && !reason &&
	    (value->render == RENDER_STRING) != filter->is_string)
		return other_kind(assign, filter, value);
	if (reason)
		return error_at(error_new(assign->arena, ERROR_SYNTAX, "%s",
					  arena_printf(assign->arena, reason, filter->field)),
				assign->text, filter->field_span);
	error = filter->field ? check_comm(assign, filter) : check_names(assign, filter->left);
	return error ? error : check_names(assign, filter->right);
}

static const struct filter *and_filter(struct arena *arena, const struct filter *a,
				       const struct filter *b)
{
	struct filter *both;

	if (!a)
		return b;
	both = arena_new(arena, struct filter);
	both->op = FILTER_AND;
	both->left = a;
	both->right = b;
	return both;
}

static void give_to_ktrace(struct assign *assign, const struct filter *filter)
{
	assign->probe->filter = and_filter(assign->arena, assign->probe->filter, filter);
}

static bool is_guarded(const struct assign *assign, const struct filter *filter)
{
	const struct value *value;

	if (!filter)
		return false;
	value = filter->field ? named_value(assign->probe, filter->field) : NULL;
	if (value && value->status == VALUE_OK && value->fetch < KERNEL_ARGS_MAX &&
	    fetch_is_guarded(&assign->probe->fetches[value->fetch]))
		return true;
	return is_guarded(assign, filter->left) || is_guarded(assign, filter->right);
}

static void assign_conjuncts(struct assign *assign, const struct filter *filter)
{
	char *text;

	if (filter->op == FILTER_AND) {
		assign_conjuncts(assign, filter->left);
		assign_conjuncts(assign, filter->right);
		return;
	}
	/* an end that the kernel held back would leave its start behind for another; a record of
	 * two probes is another's, too */
	if (assign->probe->pair || assign->probe->is_shared) {
		give_to_ktrace(assign, filter);
		return;
	}
	text = kernel_text(assign, filter);
	/* what could not be read is stale in the kernel's record: ktrace tests it again */
	if (!text || is_guarded(assign, filter))
		give_to_ktrace(assign, filter);
	assign->probe->is_filter_partly_ours |= !text;
	if (!text)
		return;
	if (assign->probe->kernel_filter)
		assign->probe->kernel_filter = arena_printf(assign->arena, "%s && %s",
							    assign->probe->kernel_filter, text);
	else
		assign->probe->kernel_filter = text;
}

struct error *filter_here(struct assign *assign, const struct filter *asked,
			  const struct filter **ret)
{
	struct filter *filter = copy_filter(assign, asked);
	struct error *error = check_names(assign, filter);

	*ret = filter;
	return error ? error : name_constants(assign, filter);
}

static bool asks_comm(const struct probe *probe, const struct filter *filter)
{
	if (!filter)
		return false;
	if (!filter->field)
		return asks_comm(probe, filter->left) || asks_comm(probe, filter->right);
	return !strcmp(filter->field, "comm") && !named_value(probe, filter->field);
}

/* Whether the probe counts, and neither its keys nor ktrace's part of the filter has the thread's
 * name. */
static bool is_nameless(const struct probe *probe)
{
	const struct spec *spec = probe->spec;

	for (unsigned i = 0; i < spec->nkeys; i++)
		if (spec->keys[i].kind == KEY_COMM)
			return false;
	return spec->naggregates && !spec->pairing && !asks_comm(probe, probe->filter);
}

static struct error *plan_one(struct assign *assign, const struct filter *asked)
{
	const struct filter *filter;
	struct error *error = filter_here(assign, asked, &filter);

	if (error)
		return error;
	assign_conjuncts(assign, filter);
	assign->probe->whole_filter =
		and_filter(assign->arena, assign->probe->whole_filter, filter);
	return NULL;
}

struct error *plan_filter(struct arena *arena, const struct plan_input *input,
			  const struct sites *sites, struct probe *probe)
{
	struct error *error = NULL;

	for (unsigned i = 0; i < input->nfilters && !error; i++) {
		struct assign assign = {arena, input, sites, probe, input->filter_texts[i]};

		error = plan_one(&assign, input->filters[i]);
	}
	probe->is_nameless = is_nameless(probe);
	return error;
}
