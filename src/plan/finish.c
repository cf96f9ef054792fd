// SPDX-License-Identifier: GPL-2.0-only
/*
 * Splits an expression that no single argument can hold: the largest parts that the kernel can
 * fetch become arguments, and the finish computes the rest from them. A part that several values
 * share is recorded once; one that is only known at the function's entry becomes an argument of the
 * companion there.
 */
#include "plan/fetch.h"
#include "plan/fetch_type.h"
#include "plan/internal.h"

/* The parts cut out for the kernel; the finish refers to them by number. */
struct split {
	struct work *work;
	unsigned list[KERNEL_ARGS_MAX];
	unsigned count;
	const char *reason;
};

static const struct expr *use_fetch(struct split *split, const struct fetch_text *text,
				    const struct fetch_type *type, unsigned size)
{
	struct arena *arena = split->work->arena;
	unsigned number;

	if (!text->body) {
		split->reason = text->reason;
		return NULL;
	}
	number = work_fetch_once(split->work, text,
				 arena_printf(arena, "%s_%u", split->work->name, split->count),
				 type);
	guard_fetch(split->work, number, text, size);
	for (unsigned i = 0; i < split->count; i++)
		if (split->list[i] == number)
			return expr_leaf(arena, EXPR_FETCH, number);
	if (split->count < KERNEL_ARGS_MAX)
		split->list[split->count++] = number;
	return expr_leaf(arena, EXPR_FETCH, number);
}

static const struct expr *cut(struct split *split, const struct expr *expr);

/* What the companion at the entry records. */
static const struct expr *cut_entry(struct split *split, const struct expr *expr)
{
	enum part part = split->work->part;
	const struct expr *ret;

	split->work->part = PART_ENTRY;
	ret = cut(split, expr);
	split->work->part = part;
	return ret;
}

static const struct expr *cut(struct split *split, const struct expr *expr)
{
	struct arena *arena = split->work->arena;
	const struct expr *a, *b;
	struct fetch_type type = number_type('u', 64);
	struct fetch_text text;

	switch (expr->op) {
	case EXPR_CONST:
		return expr;
	case EXPR_REG:
		text = fetch_register(split->work, expr);
		return use_fetch(split, &text, &type, 0);
	case EXPR_LOAD:
		text = fetch_memory(split->work, expr->a, expr->is_user);
		if (!text.body && expr_uses(expr->a, EXPR_ENTRY))
			text.reason =
				"it is memory behind a pointer that is known only at the "
				"function's entry";
		type = number_type(expr->is_signed ? 's' : 'u', expr->size * 8u);
		return use_fetch(split, &text, &type, expr->size);
	case EXPR_STATIC:
		/* the running kernel says where it is when the trace begins */
		return static_name(split->work, expr->value, &split->reason) ? expr : NULL;
	case EXPR_ENTRY:
		return cut_entry(split, expr->a);
	case EXPR_CPU:
	case EXPR_FETCH:
		split->reason = "it is computed from values that only the kernel has";
		return NULL;
	case EXPR_EXTEND:
		a = cut(split, expr->a);
		return a ? expr_extend(arena, a, expr->size, expr->is_signed) : NULL;
	case EXPR_NEG:
	case EXPR_NOT:
	case EXPR_ABS:
		a = cut(split, expr->a);
		return a ? expr_unary(arena, expr->op, a) : NULL;
	default:
		a = cut(split, expr->a);
		b = a ? cut(split, expr->b) : NULL;
		return b ? expr_binary(arena, expr->op, a, b) : NULL;
	}
}

struct finish_names {
	const struct work *work;
	const struct value *value;
};

static const char *finish_leaf(void *cookie, struct arena *arena, const struct expr *leaf)
{
	const struct finish_names *names = cookie;
	const struct value *value = names->value;
	const char *reason;

	if (leaf->op == EXPR_STATIC)
		return arena_printf(arena, "&%s", static_name(names->work, leaf->value, &reason));
	for (unsigned i = 0; i < value->nfetches; i++)
		if (value->fetches[i] == leaf->value)
			return arena_printf(arena, "f%u", i);
	return NULL;
}

const char *finish_print(struct work *work, const struct value *value, const struct expr *finish)
{
	struct finish_names names = {work, value};

	return expr_print(work->arena, finish, finish_leaf, &names);
}

const char *split_value(struct work *work, const struct expr *expr, struct value *ret)
{
	struct split split = {.work = work};

	ret->finish = cut(&split, expr);
	if (!ret->finish)
		return split.reason;
	set_fetches(work->arena, ret, split.list, split.count);
	ret->finish_text = finish_print(work, ret, ret->finish);
	return NULL;
}

/* "{f0 : 8, f1 >> 32 : 4, ? : 4}": each part's lowest bytes. */
static const char *parts_text(struct work *work, const struct value *value)
{
	const char *text = "{";

	for (unsigned i = 0; i < value->nparts; i++)
		text = arena_printf(work->arena, "%s%s%s : %u", text, i ? ", " : "",
				    value->parts[i].is_lost ?
					    "?" :
					    finish_print(work, value, value->parts[i].expr),
				    value->parts[i].size);
	return arena_printf(work->arena, "%s}", text);
}

const char *parts_value(struct work *work, const struct capture *capture, struct value *ret)
{
	struct part_value *parts = arena_array(work->arena, struct part_value, capture->nparts + 1);
	struct split split = {.work = work};

	for (unsigned i = 0; i < capture->nparts; i++) {
		parts[i].size = capture->parts[i].size;
		parts[i].is_lost = capture->parts[i].is_lost;
		parts[i].expr = cut(&split, capture->parts[i].expr);
		if (!parts[i].expr)
			return split.reason;
	}
	ret->parts = parts;
	ret->nparts = capture->nparts;
	set_fetches(work->arena, ret, split.list, split.count);
	ret->finish_text = parts_text(work, ret);
	return NULL;
}

const struct expr *cut_frame(struct work *work, enum part part, const struct expr *frame)
{
	struct split split = {.work = work};
	const struct expr *ret;

	work->part = part;
	work->name = "__frame";
	ret = cut(&split, frame);
	work->part = PART_OWN;
	return ret;
}

bool plan_frames(struct work *work, const struct site *site)
{
	struct probe *own = work->probes[PART_OWN], *entry = work_probe(work, PART_ENTRY);

	own->frame = cut_frame(work, PART_OWN, site->frame);
	entry->frame = cut_frame(work, PART_ENTRY, site->entry_frame);
	return own->frame && entry->frame;
}
