// SPDX-License-Identifier: GPL-2.0-only
/*
 * A capture in, a value out: the hinge between the two halves. What one fetch argument can hold is
 * typed in the kernel's own definition and needs no finish; otherwise the largest parts that the
 * kernel can fetch become arguments of their own, and the rest is the finish over them.
 */
#include "plan/internal.h"

static char sign_letter(const struct value *value)
{
	switch (value->render) {
	case RENDER_HEX:
	case RENDER_SYMBOL: return 'x';
	default: return value->is_signed ? 's' : 'u';
	}
}

static const char *type_text(struct arena *arena, char letter, unsigned bits)
{
	return arena_printf(arena, "%c%u", letter, bits);
}

static unsigned add_fetch(struct arena *arena, struct probe *probe, const struct want *want,
			  const char *field, const char *body, const char *type)
{
	struct fetch *fetch;

	probe->fetches = arena_grow(arena, probe->fetches,
				    probe->nfetches * sizeof(*probe->fetches),
				    (probe->nfetches + 1) * sizeof(*probe->fetches));
	fetch = &probe->fetches[probe->nfetches];
	fetch->field = field_name(arena, probe, field);
	fetch->body = body;
	fetch->type = type;
	fetch->want_span = want->span;
	return probe->nfetches++;
}

static void set_fetches(struct arena *arena, struct value *value, const unsigned *list,
			unsigned count)
{
	value->fetches = arena_grow(arena, list, count * sizeof(*list),
				    (count + 1) * sizeof(*list));
	value->nfetches = count;
}

static void direct(struct arena *arena, struct probe *probe, const struct want *want,
		   const char *body, const char *type, struct value *ret)
{
	ret->fetch = add_fetch(arena, probe, want, ret->name, body, type);
	ret->finish_text = "";
	set_fetches(arena, ret, &ret->fetch, 1);
}

/* x as (container >> shift) & mask of a bit-field; false: it has no such form. */
static bool bit_field(const struct expr *expr, const struct expr **container, unsigned *shift)
{
	const struct expr *inner;

	if (expr->op != EXPR_EXTEND || expr->is_signed)
		return false;
	inner = expr->a;
	*shift = 0;
	if (inner->op == EXPR_SHR && inner->b->op == EXPR_CONST) {
		*shift = (unsigned)inner->b->value;
		inner = inner->a;
	}
	*container = inner;
	return inner->op == EXPR_LOAD && *shift + expr->size <= inner->size * 8u;
}

/* One argument that is the value, or NULL. */
static char *direct_body(struct arena *arena, const struct plan_input *input,
			 const struct expr *expr, const struct value *value, const char **type)
{
	const struct expr *container;
	const char *reason;
	unsigned shift, bits = value->size * 8u;
	char letter = sign_letter(value);

	/* a narrower load of the same sign is the same number */
	if (expr->op == EXPR_LOAD && expr->size < value->size && expr->is_signed == value->is_signed)
		bits = expr->size * 8u;
	*type = type_text(arena, letter, bits);
	if (expr->op == EXPR_CONST && input->caps->has_immediate)
		return value->is_signed ?
			arena_printf(arena, "\\%lld", (long long)expr->value) :
			arena_printf(arena, expr->value < 65536 ? "\\%llu" : "\\%#llx",
				     (unsigned long long)expr->value);
	if (expr->op == EXPR_REG && bits == 64)
		return fetch_register(arena, input, expr, &reason);
	if (expr->op == EXPR_EXTEND && expr->a->op == EXPR_REG && expr->size == bits &&
	    expr->is_signed == value->is_signed)
		return fetch_register(arena, input, expr->a, &reason);
	if (expr->op == EXPR_LOAD && expr->size * 8u == bits &&
	    (expr->size == 8 || expr->is_signed == value->is_signed))
		return fetch_memory(arena, input, expr->a, expr->is_user, &reason);
	if (!value->is_signed && bit_field(expr, &container, &shift)) {
		*type = arena_printf(arena, "b%u@%u/%u", expr->size, shift, container->size * 8u);
		return fetch_memory(arena, input, container->a, container->is_user, &reason);
	}
	return NULL;
}

static const char *name_of(struct arena *arena, const struct plan_input *input,
			   const struct expr *leaf, const char **reason)
{
	const char *name = input->name_static ?
		input->name_static(input->cookie, arena, leaf->value) : NULL;

	if (!name)
		*reason = "the kernel has no symbol for its address";
	return name;
}

/* The kernel's half of an expression, cut out; the finish refers to it by number. */
struct split {
	struct arena *arena;
	const struct plan_input *input;
	struct probe *probe;
	const struct want *want;
	const char *name;
	unsigned list[KERNEL_ARGS_MAX];
	unsigned count;
	const char *reason;
};

static const struct expr *use_fetch(struct split *split, const char *body, const char *type)
{
	unsigned index = split->probe->nfetches;

	for (unsigned i = 0; i < split->probe->nfetches; i++) {
		const struct fetch *fetch = &split->probe->fetches[i];

		if (fetch->type && !strcmp(fetch->body, body) && !strcmp(fetch->type, type))
			index = i;
	}
	if (index == split->probe->nfetches)
		add_fetch(split->arena, split->probe, split->want,
			  arena_printf(split->arena, "%s_%u", split->name, split->count), body,
			  type);
	for (unsigned i = 0; i < split->count; i++)
		if (split->list[i] == index)
			return expr_leaf(split->arena, EXPR_FETCH, index);
	if (split->count < KERNEL_ARGS_MAX)
		split->list[split->count++] = index;
	return expr_leaf(split->arena, EXPR_FETCH, index);
}

static const struct expr *cut(struct split *split, const struct expr *expr)
{
	const struct expr *a, *b;
	char *body;

	switch (expr->op) {
	case EXPR_CONST:
		return expr;
	case EXPR_REG:
		body = fetch_register(split->arena, split->input, expr, &split->reason);
		return body ? use_fetch(split, body, "u64") : NULL;
	case EXPR_LOAD:
		body = fetch_memory(split->arena, split->input, expr->a, expr->is_user,
				    &split->reason);
		return body ? use_fetch(split, body,
					type_text(split->arena, expr->is_signed ? 's' : 'u',
						  expr->size * 8u)) : NULL;
	case EXPR_STATIC:
		/* where it is, the running kernel says when the trace begins */
		return name_of(split->arena, split->input, expr, &split->reason) ? expr : NULL;
	case EXPR_CPU:
	case EXPR_FETCH:
		split->reason = "it is computed from what only the kernel knows";
		return NULL;
	case EXPR_EXTEND:
		a = cut(split, expr->a);
		return a ? expr_extend(split->arena, a, expr->size, expr->is_signed) : NULL;
	case EXPR_NEG:
	case EXPR_NOT:
	case EXPR_ABS:
		a = cut(split, expr->a);
		return a ? expr_unary(split->arena, expr->op, a) : NULL;
	default:
		a = cut(split, expr->a);
		b = a ? cut(split, expr->b) : NULL;
		return b ? expr_binary(split->arena, expr->op, a, b) : NULL;
	}
}

struct finish_names {
	const struct plan_input *input;
	const struct value *value;
};

static const char *finish_leaf(void *cookie, struct arena *arena, const struct expr *leaf)
{
	const struct finish_names *names = cookie;
	const struct value *value = names->value;
	const char *reason;

	if (leaf->op == EXPR_STATIC)
		return arena_printf(arena, "&%s", name_of(arena, names->input, leaf, &reason));
	for (unsigned i = 0; i < value->nfetches; i++)
		if (value->fetches[i] == leaf->value)
			return arena_printf(arena, "f%u", i);
	return NULL;
}

const char *finish_print(struct arena *arena, const struct plan_input *input,
			 const struct value *value, const struct expr *finish)
{
	struct finish_names names = {input, value};

	return expr_print(arena, finish, finish_leaf, &names);
}

static const char *split_value(struct arena *arena, const struct plan_input *input,
			       struct probe *probe, const struct want *want,
			       const struct expr *expr, struct value *ret)
{
	struct split split = {arena, input, probe, want, ret->name, {0}, 0, NULL};
	unsigned before = probe->nfetches;

	ret->finish = cut(&split, expr);
	if (!ret->finish) {
		probe->nfetches = before;
		return split.reason;
	}
	set_fetches(arena, ret, split.list, split.count);
	ret->finish_text = finish_print(arena, input, ret, ret->finish);
	return NULL;
}

static const char *memory_value(struct arena *arena, const struct plan_input *input,
				struct probe *probe, const struct want *want,
				const struct capture *capture, struct value *ret)
{
	const char *reason = NULL, *type;
	char *body = fetch_memory(arena, input, capture->expr, capture->is_user, &reason);

	if (!body)
		return reason;
	if (capture->kind == CAPTURE_STRING) {
		/* ustring says itself that the last step is user memory */
		if (capture->is_user)
			body = fetch_memory(arena, input, capture->expr, false, &reason);
		type = capture->is_user ? "ustring" : "string";
		ret->string_max = capture->count;
	} else {
		type = arena_printf(arena, "%s[%u]",
				    type_text(arena, sign_letter(ret), capture->size * 8u),
				    capture->count);
		ret->count = capture->count;
	}
	direct(arena, probe, want, body, type, ret);
	return NULL;
}

static const char *number_value(struct arena *arena, const struct plan_input *input,
				struct probe *probe, const struct want *want,
				const struct capture *capture, struct value *ret)
{
	const char *type;
	char *body = direct_body(arena, input, capture->expr, ret, &type);

	if (!body)
		return split_value(arena, input, probe, want, capture->expr, ret);
	direct(arena, probe, want, body, type, ret);
	return NULL;
}

const char *plan_expression(struct arena *arena, const struct plan_input *input,
			    struct probe *probe, const struct want *want,
			    const struct capture *capture, struct value *ret)
{
	return capture->kind == CAPTURE_VALUE ?
		number_value(arena, input, probe, want, capture, ret) :
		memory_value(arena, input, probe, want, capture, ret);
}

static struct error *check_length(struct arena *arena, const struct probe *probe,
				  const struct want *want, unsigned first)
{
	for (unsigned i = first; i < probe->nfetches; i++) {
		const struct fetch *fetch = &probe->fetches[i];
		size_t length = strlen(fetch->body) + (fetch->type ? strlen(fetch->type) + 1 : 0);

		if (length > KERNEL_ARGUMENT_MAX)
			return error_hint(arena, error_at(
				error_new(arena, ERROR_LIMIT, "'%s' needs a kernel argument of %zu "
					  "characters; the kernel takes 63", fetch->body, length),
				probe->spec->text, want->span),
				"shorten the chain: start at a pointer nearer to the value");
	}
	return NULL;
}

struct error *plan_value(struct arena *arena, const struct plan_input *input,
			 struct probe *probe, const struct want *want,
			 const struct capture *capture, struct value *ret)
{
	const char *reason = NULL, *type;
	unsigned first = probe->nfetches;
	struct error *error;

	ret->name = capture->name;
	ret->type_name = capture->type_name ? capture->type_name : "";
	ret->render = capture->render;
	ret->size = capture->size;
	ret->is_signed = capture->is_signed;
	ret->finish_text = "";
	switch (capture->kind) {
	case CAPTURE_VALUE:
	case CAPTURE_STRING:
	case CAPTURE_ARRAY:
		if (is_per_cpu(capture->expr)) {
			error = check_cpus(arena, input, probe, want);
			if (error)
				return error;
			reason = plan_by_cpu(arena, input, probe, want, capture, ret);
		} else {
			reason = plan_expression(arena, input, probe, want, capture, ret);
		}
		break;
	case CAPTURE_RAW:
		raw_shape(arena, capture, ret, &type);
		direct(arena, probe, want, capture->text, type, ret);
		break;
	case CAPTURE_NONE:
		reason = capture->reason;
		break;
	}
	ret->status = reason ? VALUE_UNAVAILABLE : VALUE_OK;
	ret->reason = reason;
	return check_length(arena, probe, want, first);
}

/* Whether cut() would get through, without a probe to add fetches to. */
static const char *obstacle(struct arena *arena, const struct plan_input *input,
			    const struct expr *expr)
{
	const char *reason = NULL;

	if (!expr)
		return NULL;
	switch (expr->op) {
	case EXPR_REG:
		fetch_register(arena, input, expr, &reason);
		return reason;
	case EXPR_LOAD:
		fetch_memory(arena, input, expr->a, expr->is_user, &reason);
		return reason;
	case EXPR_STATIC:
		name_of(arena, input, expr, &reason);
		return reason;
	default:
		reason = obstacle(arena, input, expr->a);
		return reason ? reason : obstacle(arena, input, expr->b);
	}
}

const char *plan_obstacle(struct arena *arena, const struct plan_input *input,
			  const struct loc *loc)
{
	const struct expr *expr = at_cpu(arena, loc->expr, 0);
	const char *reason = NULL;

	if (loc->kind == LOC_VALUE)
		return obstacle(arena, input, expr);
	if (loc->kind == LOC_MEMORY)
		fetch_memory(arena, input, expr, false, &reason);
	return reason;
}
