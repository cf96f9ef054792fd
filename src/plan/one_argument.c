// SPDX-License-Identifier: GPL-2.0-only
/*
 * Turns an expression into a value of one argument, if one can hold it: it is then typed in the
 * kernel's own definition and needs no finish. A number that can't be written so is for finish.c;
 * memory can't be finished, so a large object is several arguments that lie side by side.
 */
#include "plan/fetch.h"
#include "plan/fetch_type.h"
#include "plan/internal.h"

static char sign_letter(const struct value *value)
{
	switch (value->render) {
	case RENDER_HEX:
	case RENDER_FLOAT:
	case RENDER_SYMBOL: return 'x';
	default: return value->is_signed ? 's' : 'u';
	}
}

void set_fetches(struct arena *arena, struct value *value, const unsigned *list, unsigned count)
{
	value->fetches = arena_grow(arena, list, count * sizeof(*list),
				    (count + 1) * sizeof(*list));
	value->nfetches = count;
}

void direct_value(struct work *work, const struct fetch_text *text, const struct fetch_type *type,
		  unsigned size, struct value *ret)
{
	ret->fetch = work_fetch_hosted(work, text, ret->name, type);
	guard_fetch(work, ret->fetch, text, size);
	ret->finish_text = "";
	set_fetches(work->arena, ret, &ret->fetch, 1);
}

struct fetch_text fetch_bits(struct work *work, const struct expr *expr, struct fetch_type *type)
{
	const struct expr *container = expr->a;
	unsigned shift = 0, bits;

	if (expr->op != EXPR_EXTEND || expr->is_signed)
		return (struct fetch_text){.part = work->part};
	if (container->op == EXPR_SHR && container->b->op == EXPR_CONST &&
	    container->b->value < 64) {
		shift = (unsigned)container->b->value;
		container = container->a;
	}
	bits = container->op == EXPR_LOAD ? container->size * 8u : 64;
	if ((container->op != EXPR_LOAD && container->op != EXPR_REG) || shift + expr->size > bits)
		return (struct fetch_text){.part = work->part};
	*type = (struct fetch_type){
		.kind = FETCH_BITS, .width = expr->size, .shift = (uint8_t)shift, .bits = bits};
	return container->op == EXPR_REG ? fetch_register(work, container) :
	       fetch_memory(work, container->a, container->is_user);
}

/* One argument that is the value; body is NULL if there is none. */
static struct fetch_text direct_text(struct work *work, const struct expr *expr,
				     const struct value *value, struct fetch_type *type)
{
	struct arena *arena = work->arena;
	struct fetch_text none = {.part = work->part};
	unsigned bits = value->size * 8u;

	/* a narrower load of the same sign is the same number */
	if (expr->op == EXPR_LOAD && expr->size < value->size &&
	    expr->is_signed == value->is_signed)
		bits = expr->size * 8u;
	*type = number_type(sign_letter(value), bits);
	if (expr->op == EXPR_CONST && work->input->caps->has_immediate) {
		none.way = number_way(work, expr->value);
		none.body = value->is_signed ?
			arena_printf(arena, "\\%lld", (long long)expr->value) :
			arena_printf(arena, expr->value < 65536 ? "\\%llu" : "\\%#llx",
				     (unsigned long long)expr->value);
		return none;
	}
	if (expr->op == EXPR_REG && bits == 64)
		return fetch_register(work, expr);
	if (expr->op == EXPR_EXTEND && expr->a->op == EXPR_REG && expr->size == bits &&
	    expr->is_signed == value->is_signed)
		return fetch_register(work, expr->a);
	if (expr->op == EXPR_LOAD && expr->size * 8u == bits &&
	    (expr->size == 8 || expr->is_signed == value->is_signed))
		return fetch_memory(work, expr->a, expr->is_user);
	if (!value->is_signed)
		return fetch_bits(work, expr, type);
	return none;
}

/* Drops the u of "+u": the kernel refuses it for an array ("String accepts only memory
 * argument"), and a plain read does the same where user addresses are never the kernel's
 * (CONFIG_ARCH_HAS_NON_OVERLAPPING_ADDRESS_SPACE). */
static const char *array_body(struct arena *arena, const char *body)
{
	return body[0] != '@' && body[1] == 'u' ? arena_printf(arena, "%c%s", body[0], body + 2) :
						  body;
}

static const char *memory_value(struct work *work, const struct capture *capture, struct value *ret)
{
	struct fetch_text text = fetch_memory(work, capture->expr, capture->is_user);
	struct fetch_type type = {.kind = FETCH_STRING};

	if (!text.body)
		return text.reason;
	if (capture->kind == CAPTURE_STRING) {
		/* ustring says itself that the last step is user memory */
		if (capture->is_user)
			text = fetch_memory(work, capture->expr, false);
		type.kind = capture->is_user ? FETCH_USTRING : FETCH_STRING;
		ret->string_max = capture->count;
	} else {
		type = array_type(sign_letter(ret), capture->size * 8u, capture->count);
		ret->count = capture->count;
		text.body = array_body(work->arena, text.body);
		text.way = NULL;
	}
	direct_value(work, &text, &type,
		     capture->kind == CAPTURE_STRING ? 0 : capture->size * capture->count, ret);
	return NULL;
}

/* The widest elements with which one argument holds all bytes; 0: it takes several arguments. */
static unsigned object_element(uint32_t size)
{
	for (unsigned element = 8; element; element /= 2)
		if (size % element == 0 && size / element <= KERNEL_ARRAY_MAX)
			return element;
	return 0;
}

unsigned fetch_bytes(struct work *work, const struct fetch_text *text, uint32_t size,
		     bool is_guarded, const char *name, unsigned list[KERNEL_ARGS_MAX])
{
	struct arena *arena = work->arena;
	unsigned count = 0, element = object_element(size);

	for (uint32_t done = 0, n; done < size; done += n) {
		struct fetch_text piece = *text;
		struct fetch_type type;
		unsigned width = element ? element : size - done < 8 ? 1 : 8;

		piece.body = array_body(arena, fetch_offset(arena, text->body, done));
		piece.way = NULL;
		n = (size - done) / width;
		n = width * (n < KERNEL_ARRAY_MAX ? n : KERNEL_ARRAY_MAX);
		type = array_type('x', width * 8, n / width);
		/* those of several must lie side by side */
		list[count] = (n == size ? work_fetch_hosted : work_fetch)(work, &piece, count ?
					 arena_printf(arena, "%s_%u", name, count) : name, &type);
		if (is_guarded)
			guard_fetch(work, list[count], &piece, n);
		count++;
	}
	return count;
}

static const char *object_value(struct work *work, const struct capture *capture, struct value *ret)
{
	struct fetch_text text =
		fetch_object(work, capture->expr, capture->is_user, capture->shape->size);
	unsigned list[KERNEL_ARGS_MAX], count;

	if (!text.body)
		return text.reason;
	count = fetch_bytes(work, &text, capture->shape->size, true, ret->name, list);
	ret->fetch = list[0];
	ret->finish_text = capture->shape->name;
	set_fetches(work->arena, ret, list, count);
	return NULL;
}

static const char *number_value(struct work *work, const struct capture *capture,
				struct value *ret)
{
	struct fetch_type type;
	struct fetch_text text = direct_text(work, capture->expr, ret, &type);

	if (!text.body)
		return split_value(work, capture->expr, ret);
	direct_value(work, &text, &type, type.bits / 8, ret);
	if (ret->render == RENDER_FLOAT || (capture->shape && capture->shape->kind != SHAPE_NUMBER))
		ret->finish_text = capture->type_name;
	return NULL;
}

const char *plan_expression(struct work *work, const struct capture *capture, struct value *ret)
{
	switch (capture->kind) {
	case CAPTURE_VALUE: return number_value(work, capture, ret);
	case CAPTURE_OBJECT: return object_value(work, capture, ret);
	case CAPTURE_PARTS: return parts_value(work, capture, ret);
	case CAPTURE_STRING:
		return work->input->text_bytes ? text_value(work, capture, ret) :
						 memory_value(work, capture, ret);
	default: return memory_value(work, capture, ret);
	}
}
