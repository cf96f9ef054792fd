// SPDX-License-Identifier: GPL-2.0-only
/*
 * A capture in, a value out: the hinge between the two halves. What one fetch argument can hold is
 * typed in the kernel's own definition and needs no finish; otherwise the largest parts that the
 * kernel can fetch become arguments of their own, and the rest is the finish over them.
 */
#include <stdlib.h>

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

const char *fetch_type(struct arena *arena, char letter, unsigned bits)
{
	return arena_printf(arena, "%c%u", letter, bits);
}

static void set_fetches(struct arena *arena, struct value *value, const unsigned *list,
			unsigned count)
{
	value->fetches = arena_grow(arena, list, count * sizeof(*list),
				    (count + 1) * sizeof(*list));
	value->nfetches = count;
}

/* size: bytes that are read, for a guard; 0: a string is its own. */
static void direct(struct work *work, const struct fetch_text *text, const char *type, unsigned size,
		   struct value *ret)
{
	ret->fetch = work_fetch(work, text, ret->name, type);
	guard_fetch(work, ret->fetch, text, size);
	ret->finish_text = "";
	set_fetches(work->arena, ret, &ret->fetch, 1);
}

struct fetch_text fetch_bits(struct work *work, const struct expr *expr, const char **type,
			     unsigned *size)
{
	const struct expr *container = expr->a;
	unsigned shift = 0;

	if (expr->op != EXPR_EXTEND || expr->is_signed)
		return (struct fetch_text){.part = work->part};
	if (container->op == EXPR_SHR && container->b->op == EXPR_CONST && container->b->value < 64) {
		shift = (unsigned)container->b->value;
		container = container->a;
	}
	*size = container->op == EXPR_LOAD ? container->size : 8;
	if ((container->op != EXPR_LOAD && container->op != EXPR_REG) ||
	    shift + expr->size > *size * 8u)
		return (struct fetch_text){.part = work->part};
	*type = arena_printf(work->arena, "b%u@%u/%u", expr->size, shift, *size * 8u);
	return container->op == EXPR_REG ? fetch_register(work, container) :
	       fetch_memory(work, container->a, container->is_user);
}

/* One argument that is the value; body is NULL: there is none. */
static struct fetch_text direct_text(struct work *work, const struct expr *expr,
				     const struct value *value, const char **type)
{
	struct arena *arena = work->arena;
	struct fetch_text none = {.part = work->part};
	unsigned size, bits = value->size * 8u;
	char letter = sign_letter(value);

	/* a narrower load of the same sign is the same number */
	if (expr->op == EXPR_LOAD && expr->size < value->size && expr->is_signed == value->is_signed)
		bits = expr->size * 8u;
	*type = fetch_type(arena, letter, bits);
	if (expr->op == EXPR_CONST && work->input->caps->has_immediate) {
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
		return fetch_bits(work, expr, type, &size);
	return none;
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
	struct work *work;
	unsigned list[KERNEL_ARGS_MAX];
	unsigned count;
	const char *reason;
};

static const struct expr *use_fetch(struct split *split, const struct fetch_text *text,
				    const char *type, unsigned size)
{
	struct arena *arena = split->work->arena;
	unsigned number;

	if (!text->body) {
		split->reason = text->reason;
		return NULL;
	}
	number = work_fetch_once(split->work, text,
				 arena_printf(arena, "%s_%u", split->work->name, split->count), type);
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
	struct fetch_text text;

	switch (expr->op) {
	case EXPR_CONST:
		return expr;
	case EXPR_REG:
		text = fetch_register(split->work, expr);
		return use_fetch(split, &text, "u64", 0);
	case EXPR_LOAD:
		text = fetch_memory(split->work, expr->a, expr->is_user);
		if (!text.body && expr_uses(expr->a, EXPR_ENTRY))
			text.reason = "it is memory behind what only the function's entry knows";
		return use_fetch(split, &text, fetch_type(arena, expr->is_signed ? 's' : 'u',
							  expr->size * 8u), expr->size);
	case EXPR_STATIC:
		/* where it is, the running kernel says when the trace begins */
		return name_of(arena, split->work->input, expr, &split->reason) ? expr : NULL;
	case EXPR_ENTRY:
		return cut_entry(split, expr->a);
	case EXPR_CPU:
	case EXPR_FETCH:
		split->reason = "it is computed from what only the kernel knows";
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

const char *finish_print(struct work *work, const struct value *value, const struct expr *finish)
{
	struct finish_names names = {work->input, value};

	return expr_print(work->arena, finish, finish_leaf, &names);
}

static const char *split_value(struct work *work, const struct expr *expr, struct value *ret)
{
	struct split split = {.work = work};

	ret->finish = cut(&split, expr);
	if (!ret->finish)
		return split.reason;
	set_fetches(work->arena, ret, split.list, split.count);
	ret->finish_text = finish_print(work, ret, ret->finish);
	return NULL;
}

static const char *memory_value(struct work *work, const struct capture *capture, struct value *ret)
{
	struct fetch_text text = fetch_memory(work, capture->expr, capture->is_user);
	const char *type;

	if (!text.body)
		return text.reason;
	if (capture->kind == CAPTURE_STRING) {
		/* ustring says itself that the last step is user memory */
		if (capture->is_user)
			text = fetch_memory(work, capture->expr, false);
		type = capture->is_user ? "ustring" : "string";
		ret->string_max = capture->count;
	} else {
		type = arena_printf(work->arena, "%s[%u]",
				    fetch_type(work->arena, sign_letter(ret), capture->size * 8u),
				    capture->count);
		ret->count = capture->count;
	}
	direct(work, &text, type, capture->kind == CAPTURE_STRING ? 0 : capture->size * capture->count,
	       ret);
	return NULL;
}

/* Of "u32", or the container of "b3@4/32". */
static unsigned bytes_of(const char *type)
{
	const char *slash = strchr(type, '/');

	return (unsigned)strtoul(slash ? slash + 1 : type + 1, NULL, 10) / 8;
}

/* The widest elements that one argument can hold them all of; 0: it takes several arguments. */
static unsigned object_element(uint32_t size)
{
	for (unsigned element = 8; element; element /= 2)
		if (size % element == 0 && size / element <= KERNEL_ARRAY_MAX)
			return element;
	return 0;
}

/* The bytes of an object, in as few arguments as there may be, which lie side by side. */
static const char *object_value(struct work *work, const struct capture *capture, struct value *ret)
{
	struct arena *arena = work->arena;
	uint32_t size = capture->shape->size;
	unsigned list[KERNEL_ARGS_MAX], count = 0, element = object_element(size);

	for (uint32_t done = 0, n; done < size; done += n) {
		const struct expr *at = expr_offset(arena, capture->expr, done);
		struct fetch_text text = fetch_memory(work, at, capture->is_user);
		unsigned width = element ? element : size - done < 8 ? 1 : 8;

		if (!text.body)
			return text.reason;
		n = (size - done) / width;
		n = width * (n < KERNEL_ARRAY_MAX ? n : KERNEL_ARRAY_MAX);
		list[count] = work_fetch(work, &text, count ?
					 arena_printf(arena, "%s_%u", ret->name, count) : ret->name,
					 arena_printf(arena, "x%u[%u]", width * 8, n / width));
		guard_fetch(work, list[count], &text, n);
		count++;
	}
	ret->fetch = list[0];
	ret->finish_text = capture->shape->name;
	set_fetches(arena, ret, list, count);
	return NULL;
}

static const char *number_value(struct work *work, const struct capture *capture,
				struct value *ret)
{
	const char *type;
	struct fetch_text text = direct_text(work, capture->expr, ret, &type);

	if (!text.body)
		return split_value(work, capture->expr, ret);
	direct(work, &text, type, bytes_of(type), ret);
	if (ret->render == RENDER_FLOAT || (capture->shape && capture->shape->kind != SHAPE_NUMBER))
		ret->finish_text = capture->type_name;
	return NULL;
}

/* "{f0 : 8, f1 >> 32 : 4}": each part's lowest bytes. */
static const char *parts_text(struct work *work, const struct value *value)
{
	const char *text = "{";

	for (unsigned i = 0; i < value->nparts; i++)
		text = arena_printf(work->arena, "%s%s%s : %u", text, i ? ", " : "",
				    finish_print(work, value, value->parts[i].expr),
				    value->parts[i].size);
	return arena_printf(work->arena, "%s}", text);
}

/* Each part has its finish; the bytes of all make the object. */
static const char *parts_value(struct work *work, const struct capture *capture, struct value *ret)
{
	struct part_value *parts = arena_array(work->arena, struct part_value, capture->nparts + 1);
	struct split split = {.work = work};

	for (unsigned i = 0; i < capture->nparts; i++) {
		parts[i].size = capture->parts[i].size;
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

const char *plan_expression(struct work *work, const struct capture *capture, struct value *ret)
{
	switch (capture->kind) {
	case CAPTURE_VALUE: return number_value(work, capture, ret);
	case CAPTURE_OBJECT: return object_value(work, capture, ret);
	case CAPTURE_PARTS: return parts_value(work, capture, ret);
	default: return memory_value(work, capture, ret);
	}
}

static const struct expr *cut_frame(struct work *work, enum part part, const struct expr *frame)
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

static struct error *check_lengths(struct work *work, const unsigned *before)
{
	struct error *error = NULL;

	for (enum part part = 0; part < PART_COUNT && !error; part++)
		if (work->probes[part])
			error = check_length(work->arena, work->probes[part], work->want,
					     before[part]);
	return error;
}

/* What was tried for a value that can't be had. */
static void take_back(struct work *work, const unsigned *fetches, unsigned sums)
{
	for (enum part part = 0; part < PART_COUNT; part++)
		if (work->probes[part])
			work->probes[part]->nfetches = fetches[part];
	work->nsums = work->probes[PART_OWN]->nsums = sums;
}

struct error *plan_value(struct work *work, const struct capture *capture, struct value *ret)
{
	const char *reason = NULL, *type;
	struct fetch_text text = {.part = PART_OWN};
	unsigned before[PART_COUNT], sums = work->nsums;
	struct error *error;

	for (enum part part = 0; part < PART_COUNT; part++)
		before[part] = work->probes[part] ? work->probes[part]->nfetches : 0;
	work->name = capture->name;
	work->part = capture->at_entry ? PART_ENTRY : PART_OWN;
	ret->name = capture->name;
	ret->type_name = capture->type_name ? capture->type_name : "";
	ret->render = capture->render;
	ret->shape = capture->shape;
	ret->size = capture->size;
	ret->is_signed = capture->is_signed;
	ret->is_pointee = capture->is_pointee;
	ret->finish_text = "";
	switch (capture->kind) {
	case CAPTURE_VALUE:
	case CAPTURE_STRING:
	case CAPTURE_ARRAY:
	case CAPTURE_PARTS:
	case CAPTURE_OBJECT:
		if (expr_uses(capture->expr, EXPR_CPU)) {
			error = check_cpus(work);
			if (error)
				return error;
			reason = plan_by_cpu(work, capture, ret);
		} else {
			reason = plan_expression(work, capture, ret);
		}
		break;
	case CAPTURE_DURATION:
		ret->is_duration = true;
		ret->fetches = arena_new(work->arena, unsigned);
		*(unsigned *)ret->fetches = fetch_number(PART_ENTRY, 0);
		ret->nfetches = 1;
		work_probe(work, PART_ENTRY);
		break;
	case CAPTURE_RAW:
		raw_shape(work->arena, capture, ret, &type);
		if (capture->shape)
			ret->render = capture->render;
		text.body = arena_strdup(work->arena, capture->text);
		direct(work, &text, type, 0, ret);
		guard_raw(work, ret->fetch, text.body, type);
		if (capture->shape && capture->shape->kind != SHAPE_NUMBER)
			ret->finish_text = capture->shape->name;
		break;
	case CAPTURE_NONE:
		reason = capture->reason;
		break;
	}
	ret->status = reason ? VALUE_UNAVAILABLE : VALUE_OK;
	ret->reason = reason;
	work->part = PART_OWN;
	if (reason)
		take_back(work, before, sums);
	return check_lengths(work, before);
}

/* Tried on a probe that is thrown away. */
const char *plan_obstacle(struct arena *arena, const struct plan_input *input,
			  const struct capture *capture)
{
	const struct spec spec = {.text = ""};
	struct probe probe = {.spec = &spec};
	const struct want want = {0};
	struct work work = {.arena = arena, .input = input, .probes = {&probe}, .want = &want};
	struct capture first = *capture;
	struct value value = {0};
	struct error *error;

	/* what is each CPU's own can be had if one CPU's can */
	first.expr = first.expr ? at_cpu(arena, first.expr, 0) : NULL;
	first.name = first.name ? first.name : "value";
	error = plan_value(&work, &first, &value);
	return error ? error->message : value.reason;
}
