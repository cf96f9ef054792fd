// SPDX-License-Identifier: GPL-2.0-only
/*
 * A want and a position in, a capture out: the variable's location, walked along `->m.n[2]` and shaped by
 * its type or the `:TYPE` the user gave. The walk is on neutral types and expressions; debug
 * information is only asked where a name is and what a member's offset is.
 */
#include <stdlib.h>

#include "ktrace/caps.h"
#include "resolve/internal.h"
#include "target/target.h"

#define OBJECT_MAX (KERNEL_RECORD_MAX - 4) /* the task's name is recorded with it */

struct walk {
	struct resolver *resolver;
	const struct resolver *home; /* the instance's */
	const struct instance *instance;
	const struct spec *spec;
	const struct want *want;
	struct object at;
	char *path; /* what was walked so far, for messages */
	struct position position;
	unsigned depth; /* implicit pointers followed */
};

static struct error *wrong(struct walk *walk, struct span span, enum error_code code,
			   const char *message)
{
	return error_at(error_new(walk->resolver->arena, code, "%s", message), walk->spec->text, span);
}

static bool is_scalar(const struct type *type)
{
	return type->kind == TYPE_INT || type->kind == TYPE_BOOL || type->kind == TYPE_CHAR ||
	       type->kind == TYPE_ENUM || type->kind == TYPE_POINTER;
}

static bool is_struct(const struct type *type)
{
	return type->kind == TYPE_STRUCT || type->kind == TYPE_UNION;
}

/* Bytes to load for a bit-field: the fewest from its first byte on that hold it. */
static unsigned bit_unit(const struct object *object)
{
	unsigned size = 1;

	while (size < 8 && object->bit_offset + object->bit_size > size * 8)
		size *= 2;
	return size;
}

/* The value of a scalar, extended to 64 bits by its type. */
static const struct expr *object_value(struct arena *arena, const struct object *object)
{
	const struct expr *value = object->expr;
	bool is_signed = object->type->is_signed;
	unsigned size = object->bit_size ? bit_unit(object) : (unsigned)object->type->size;

	if (object->in_memory)
		value = expr_load(arena, value, size, is_signed && !object->bit_size,
				  object->is_user);
	if (!object->bit_size)
		return expr_extend(arena, value, size * 8, is_signed);
	value = expr_binary(arena, EXPR_SHR, value, expr_const(arena, object->bit_offset));
	return expr_extend(arena, value, object->bit_size, is_signed);
}

/* Of an object in pieces, the member in hand is in one of them, or a number made of several. */
static struct error *settle(struct walk *walk, struct span span)
{
	struct object *at = &walk->at;
	const char *reason;

	if (!at->npieces)
		return NULL;
	reason = pieces_settle(walk->resolver->arena, at,
			       at->bit_size ? (at->bit_offset + at->bit_size + 7) / 8 : at->type->size,
			       at->bit_size || is_number_type(walk->resolver, at->type));
	return reason ? wrong(walk, span, ERROR_INEXPRESSIBLE,
			      arena_printf(walk->resolver->arena, "'%s' can't be had: %s", walk->path,
					   reason)) : NULL;
}

static struct error *step_member(struct walk *walk, const struct step *step)
{
	struct resolver *resolver = walk->resolver;
	struct arena *arena = resolver->arena;
	struct member *member;
	struct error *error;

	error = resolver->info->ops->member(resolver->info, walk->at.type, step->name, &member);
	if (error)
		return error;
	if (!member)
		return no_member(resolver, walk->at.type, step->name, walk->spec->text, step->span);
	walk->at.type = member->type;
	walk->at.bit_size = member->bit_size;
	if (walk->at.npieces) {
		walk->at.piece_offset += member->offset;
		walk->at.bit_offset = member->bit_offset;
		return settle(walk, step->span);
	}
	if (walk->at.in_memory) {
		walk->at.expr = expr_offset(arena, walk->at.expr, (int64_t)member->offset);
		walk->at.bit_offset = member->bit_offset;
		return NULL;
	}
	if (member->offset + (member->bit_size ? 1 : member->type->size) > 8)
		return wrong(walk, step->span, ERROR_INEXPRESSIBLE,
			     "the struct lies in registers, and this member in a further one");
	walk->at.expr = expr_binary(arena, EXPR_SHR, walk->at.expr,
				    expr_const(arena, member->offset * 8));
	walk->at.bit_offset = member->bit_offset;
	return NULL;
}

/* All memory of a program is user memory: the mark changes nothing there. */
static bool is_user_marked(const struct walk *walk)
{
	return walk->want->user && walk->resolver->target->kind != TARGET_PROGRAM;
}

static struct error *enter_pointee(struct walk *walk);

static struct error *follow_pointer(struct walk *walk)
{
	struct object *at = &walk->at;

	if (at->pointee)
		return enter_pointee(walk);
	at->expr = object_value(walk->resolver->arena, at);
	at->in_memory = true;
	at->bit_size = at->bit_offset = 0;
	at->type = at->type->target;
	at->is_user = is_user_marked(walk);
	return NULL;
}

static struct error *step_arrow(struct walk *walk, const struct step *step)
{
	const struct type *type = walk->at.type;
	struct error *error;

	if (type->kind == TYPE_POINTER && is_struct(type->target)) {
		error = follow_pointer(walk);
		return error ? error : step_member(walk, step);
	}
	error = wrong(walk, step->span, ERROR_NOT_FOUND,
		      arena_printf(walk->resolver->arena, "'%s' is %s'%s', no pointer to a struct",
				   walk->path, is_struct(type) ? "a struct, " : "", type->name));
	if (is_struct(type))
		return error_hint(walk->resolver->arena, error, "write %s.%s", walk->path,
				  step->name);
	return error;
}

static struct error *step_dot(struct walk *walk, const struct step *step)
{
	const struct type *type = walk->at.type;
	struct error *error;

	if (is_struct(type))
		return step_member(walk, step);
	error = wrong(walk, step->span, ERROR_NOT_FOUND,
		      arena_printf(walk->resolver->arena, "'%s' is of type '%s', no struct",
				   walk->path, type->name));
	if (type->kind == TYPE_POINTER && is_struct(type->target))
		return error_hint(walk->resolver->arena, error, "write %s->%s", walk->path,
				  step->name);
	return error;
}

static struct error *step_index(struct walk *walk, const struct step *step)
{
	struct arena *arena = walk->resolver->arena;
	const struct type *type = walk->at.type;

	if (type->kind != TYPE_ARRAY && type->kind != TYPE_POINTER)
		return wrong(walk, step->span, ERROR_NOT_FOUND,
			     arena_printf(arena, "'%s' is of type '%s', no array", walk->path,
					  type->name));
	if (!type->target->size)
		return wrong(walk, step->span, ERROR_NOT_FOUND,
			     arena_printf(arena, "the size of what '%s' points to ('%s') is unknown",
					  walk->path, type->target->name));
	if (type->kind == TYPE_POINTER) {
		struct error *error = follow_pointer(walk);

		if (error)
			return error;
		if (!walk->at.in_memory && step->index)
			return wrong(walk, step->span, ERROR_INEXPRESSIBLE,
				     "what it points to is not in memory here");
		if (!walk->at.in_memory)
			return NULL;
	} else {
		if (step->index < 0 || (type->count && (uint64_t)step->index >= type->count))
			return wrong(walk, step->span, ERROR_NOT_FOUND,
				     arena_printf(arena, "'%s' is '%s': its last index is %llu",
						  walk->path, type->name,
						  (unsigned long long)type->count - 1));
		if (!walk->at.in_memory)
			return wrong(walk, step->span, ERROR_INEXPRESSIBLE,
				     "this array is not in memory here");
		walk->at.type = type->target;
	}
	walk->at.expr = expr_offset(arena, walk->at.expr,
				    step->index * (int64_t)walk->at.type->size);
	return NULL;
}

/* [FIRST..LAST]: an array of its own. */
static struct error *step_slice(struct walk *walk, const struct step *step)
{
	struct arena *arena = walk->resolver->arena;
	const struct type *whole = walk->at.type;
	struct type *type = arena_new(arena, struct type);
	struct error *error = step_index(walk, step);

	if (error)
		return error;
	if (whole->kind == TYPE_ARRAY && whole->count && (uint64_t)step->last >= whole->count)
		return wrong(walk, step->span, ERROR_NOT_FOUND,
			     arena_printf(arena, "'%s' is '%s': its last index is %llu", walk->path,
					  whole->name, (unsigned long long)whole->count - 1));
	type->kind = TYPE_ARRAY;
	type->target = walk->at.type;
	type->count = (uint64_t)(step->last - step->index) + 1;
	type->size = type->count * type->target->size;
	type->name = arena_printf(arena, "%s[%llu]", type->target->name,
				  (unsigned long long)type->count);
	walk->at.type = type;
	return NULL;
}

static struct error *step_deref(struct walk *walk, const struct step *step)
{
	struct arena *arena = walk->resolver->arena;
	const struct type *type = walk->at.type;

	if (type->kind == TYPE_ARRAY)
		return step_index(walk, &(struct step){.kind = STEP_INDEX, .span = step->span});
	if (type->kind != TYPE_POINTER)
		return wrong(walk, step->span, ERROR_NOT_FOUND,
			     arena_printf(arena, "'%s' is of type '%s', no pointer", walk->path,
					  type->name));
	if (type->target->kind == TYPE_VOID || type->target->kind == TYPE_FUNCTION)
		return error_hint(arena, wrong(walk, step->span, ERROR_NOT_FOUND,
			     arena_printf(arena, "'%s' points to no object: it is '%s'", walk->path,
					  type->name)), "say to what: *(u64 *)%s", walk->path);
	return follow_pointer(walk);
}

static struct error *step_address(struct walk *walk, const struct step *step)
{
	struct arena *arena = walk->resolver->arena;

	if (walk->at.bit_size)
		return wrong(walk, step->span, ERROR_INEXPRESSIBLE, "a bit-field has no address");
	if (!walk->at.in_memory)
		return wrong(walk, step->span, ERROR_INEXPRESSIBLE,
			     arena_printf(arena, "'%s' has no address here: it is not in memory",
					  walk->path));
	walk->at = (struct object){
		.type = pointer_to(arena, walk->at.type),
		.expr = walk->at.expr,
	};
	return NULL;
}

/* The value, of another type from now on; an array's is its address, as in C. */
static struct error *step_cast(struct walk *walk, const struct step *step)
{
	struct arena *arena = walk->resolver->arena;
	const struct type *from = walk->at.type, *type;
	bool is_address = from->kind == TYPE_ARRAY && walk->at.in_memory;
	const struct expr *value;
	struct error *error;

	if (walk->at.pointee)
		return wrong(walk, step->span, ERROR_NO_VALUE,
			     arena_printf(arena, "'%s' is nowhere; only what it points to has a value",
					  walk->path));
	/* the kernel's debug information knows nothing of a module's function */
	error = resolve_type(&walk->resolver, walk->resolver == walk->home ? walk->instance : NULL,
			     step->name, &type);
	if (error)
		return error_at(error, walk->spec->text, step->span);
	if (!is_scalar(type) || type->size > 8)
		return error_hint(arena, wrong(walk, step->span, ERROR_NOT_FOUND,
			     arena_printf(arena, "a value can't be cast to '%s'", type->name)),
				  "cast its address: *(%s *)&%s", type->name, walk->path);
	if (!is_address && (!is_scalar(from) || !from->size || from->size > 8))
		return error_hint(arena, wrong(walk, step->span, ERROR_NOT_FOUND,
			     arena_printf(arena, "'%s' is of type '%s', which can't be cast", walk->path,
					  from->name)),
				  "cast its address: *(%s *)&%s", type->name, walk->path);
	value = is_address ? walk->at.expr : object_value(arena, &walk->at);
	if (type->kind == TYPE_BOOL)
		value = expr_binary(arena, EXPR_NE, value, expr_const(arena, 0));
	walk->at = (struct object){.type = type, .expr = value};
	return NULL;
}

/* The expression so far, for something to stand behind it. */
static const char *operand_path(const struct walk *walk)
{
	if (!strchr("*&(", *walk->path) ||
	    !step_is_prefix(walk->want->steps[walk->want->nsteps - 1].kind))
		return walk->path;
	return arena_printf(walk->resolver->arena, "(%s)", walk->path);
}

/* The expression so far, as C writes it. */
static char *step_path(const struct walk *walk, unsigned index)
{
	struct arena *arena = walk->resolver->arena;
	const struct step *step = &walk->want->steps[index];
	bool in_brackets = index && step_is_prefix(walk->want->steps[index - 1].kind);

	if (step->kind == STEP_CAST)
		return arena_printf(arena, "(%s)%s", step->name, walk->path);
	if (step_is_prefix(step->kind))
		return arena_printf(arena, "%c%s", step->kind == STEP_DEREF ? '*' : '&', walk->path);
	return arena_printf(arena, "%s%s%s%.*s", in_brackets ? "(" : "", walk->path,
			    in_brackets ? ")" : "", (int)(step->span.end - step->span.start),
			    walk->spec->text + step->span.start);
}

static struct error *walk_step(struct walk *walk, const struct step *step)
{
	switch (step->kind) {
	case STEP_ARROW:
		return step_arrow(walk, step);
	case STEP_DOT:
		return step_dot(walk, step);
	case STEP_INDEX:
		return step_index(walk, step);
	case STEP_SLICE:
		return step_slice(walk, step);
	case STEP_DEREF:
		return step_deref(walk, step);
	case STEP_ADDRESS:
		return step_address(walk, step);
	case STEP_CAST:
		return step_cast(walk, step);
	}
	return NULL;
}

static struct error *walk_steps(struct walk *walk)
{
	for (unsigned i = 0; i < walk->want->nsteps; i++) {
		struct error *error = walk_step(walk, &walk->want->steps[i]);

		if (error)
			return error;
		walk->path = step_path(walk, i);
	}
	return NULL;
}

/* From the first to the last byte of the variable and its steps. */
static struct span expression_span(const struct want *want)
{
	struct span span = want->base_span;

	for (unsigned i = 0; i < want->nsteps; i++) {
		const struct span *step = &want->steps[i].span;

		span.start = step->start < span.start ? step->start : span.start;
		span.end = step->end > span.end ? step->end : span.end;
	}
	return span;
}

/* u32, s8, x64; false: no such type. */
static bool sized_type(const char *text, char *letter, unsigned *bits)
{
	char *end;

	if (!text || !strchr("usx", text[0]) || !text[1])
		return false;
	*letter = text[0];
	*bits = (unsigned)strtoul(text + 1, &end, 10);
	return !*end && (*bits == 8 || *bits == 16 || *bits == 32 || *bits == 64);
}

static enum render letter_render(char letter)
{
	return letter == 'u' ? RENDER_UNSIGNED : letter == 's' ? RENDER_SIGNED : RENDER_HEX;
}

/* One number that a register can hold. */
static bool is_number(const struct walk *walk)
{
	return is_number_type(walk->resolver, walk->at.type) && walk->at.type->size <= 8;
}

static bool is_char_like(const struct type *type)
{
	return type->size == 1 && (type->kind == TYPE_CHAR || type->kind == TYPE_INT);
}

static void capture_value(struct walk *walk, struct capture *ret)
{
	const struct type *type = walk->at.type;

	ret->kind = CAPTURE_VALUE;
	ret->expr = object_value(walk->resolver->arena, &walk->at);
	ret->size = (uint8_t)type->size;
	ret->is_signed = type->is_signed;
	ret->render = type_render(type);
}

/* The address of a string: what a pointer holds, or where an array lies. */
static struct error *capture_string(struct walk *walk, struct span span, bool is_user,
				    struct capture *ret)
{
	const struct type *type = walk->at.type;
	bool is_text = type->target && (is_char_like(type->target) ||
					type->target->kind == TYPE_VOID);

	if ((type->kind != TYPE_POINTER && type->kind != TYPE_ARRAY) || !is_text)
		return wrong(walk, span, ERROR_NOT_FOUND,
			     arena_printf(walk->resolver->arena, "'%s' is of type '%s', no string",
					  walk->path, type->name));
	if (type->kind == TYPE_ARRAY && !walk->at.in_memory)
		return wrong(walk, span, ERROR_INEXPRESSIBLE, "this array is not in memory here");
	ret->kind = CAPTURE_STRING;
	ret->render = RENDER_STRING;
	ret->size = 1;
	is_user &= walk->resolver->target->kind != TARGET_PROGRAM;
	ret->is_user = is_user || is_user_marked(walk);
	ret->expr = type->kind == TYPE_ARRAY ? walk->at.expr :
		    object_value(walk->resolver->arena, &walk->at);
	ret->count = type->kind == TYPE_ARRAY ? (uint32_t)type->count : 0;
	if (type->kind == TYPE_ARRAY)
		ret->is_user = is_user || walk->at.is_user;
	return NULL;
}

static struct error *capture_array(struct walk *walk, const struct type *element, uint64_t count,
				   enum render render, struct capture *ret)
{
	struct arena *arena = walk->resolver->arena;
	struct span span = walk->want->type ? walk->want->type_span : walk->want->base_span;

	if (!walk->at.in_memory)
		return wrong(walk, span, ERROR_INEXPRESSIBLE, "this array is not in memory here");
	if (count < 1 || count > 64)
		return error_hint(arena, wrong(walk, span, ERROR_LIMIT,
				  arena_printf(arena, "'%s' has %llu elements; the kernel records "
					       "1 to 64", walk->path, (unsigned long long)count)),
				  "name one: %s[0], or the first few: %s:u%llu[16]", walk->path,
				  walk->path, (unsigned long long)element->size * 8);
	ret->kind = CAPTURE_ARRAY;
	ret->render = render;
	ret->expr = walk->at.expr;
	ret->size = (uint8_t)element->size;
	ret->is_signed = render == RENDER_SIGNED;
	ret->is_user = walk->at.is_user;
	ret->count = (uint32_t)count;
	return NULL;
}

/* x8[16]: that many elements at the array or struct, or where the pointer points. */
static struct error *capture_typed_array(struct walk *walk, const char *type,
					 const char *bracket, struct capture *ret)
{
	struct arena *arena = walk->resolver->arena;
	struct type element = {.kind = TYPE_INT};
	unsigned bits;
	char letter;

	if (!sized_type(arena_strndup(arena, type, (size_t)(bracket - type)), &letter, &bits))
		return wrong(walk, walk->want->type_span, ERROR_NOT_FOUND,
			     "only arrays of numbers are recorded as arrays");
	element.size = bits / 8;
	if (walk->at.type->kind == TYPE_POINTER) {
		struct error *error = follow_pointer(walk);

		if (error)
			return error;
	}
	return capture_array(walk, &element, strtoul(bracket + 1, NULL, 10), letter_render(letter),
			     ret);
}

static struct error *need_scalar(struct walk *walk)
{
	const struct type *type = walk->at.type;
	struct arena *arena = walk->resolver->arena;

	if (is_number(walk))
		return NULL;
	return wrong(walk, expression_span(walk->want), ERROR_INEXPRESSIBLE,
		     arena_printf(arena, "'%s' is of type '%s', which can't be shown as a number",
				  walk->path, type->name));
}

/* b4@2/32: bits of the value. The container's width says nothing that the value doesn't. */
static struct error *capture_bits(struct walk *walk, struct capture *ret)
{
	struct arena *arena = walk->resolver->arena;
	unsigned width, offset, container;
	struct error *error = need_scalar(walk);

	if (error)
		return error;
	if (sscanf(walk->want->type, "b%u@%u/%u", &width, &offset, &container) != 3 || !width ||
	    width + offset > 64)
		return wrong(walk, walk->want->type_span, ERROR_NOT_FOUND, "no such bit-field");
	capture_value(walk, ret);
	ret->expr = expr_extend(arena, expr_binary(arena, EXPR_SHR, ret->expr,
						   expr_const(arena, offset)), width, false);
	ret->render = RENDER_UNSIGNED;
	ret->is_signed = false;
	return NULL;
}

static struct error *capture_number(struct walk *walk, struct capture *ret)
{
	const char *type = walk->want->type;
	struct error *error = need_scalar(walk);
	unsigned bits;
	char letter;

	if (error)
		return error;
	capture_value(walk, ret);
	if (render_named(type, &ret->render) &&
	    (ret->render == RENDER_SYMBOL || ret->render == RENDER_ERRNO))
		return NULL;
	if (!strcmp(type, "c") || !strcmp(type, "char")) {
		ret->expr = expr_extend(walk->resolver->arena, ret->expr, 8, true);
		ret->size = 1;
		ret->is_signed = true;
		ret->render = RENDER_CHAR;
		return NULL;
	}
	if (!type[1] && strchr("usx", type[0])) {
		letter = type[0];
		bits = ret->size * 8u;
	} else if (!sized_type(type, &letter, &bits)) {
		return wrong(walk, walk->want->type_span, ERROR_NOT_FOUND, "no such type");
	}
	ret->expr = expr_extend(walk->resolver->arena, ret->expr, bits, letter == 's');
	ret->size = (uint8_t)(bits / 8);
	ret->is_signed = letter == 's';
	ret->render = letter_render(letter);
	return NULL;
}

static const struct shape *flat_element(const struct shape *shape, uint32_t *count)
{
	for (*count = 1; shape->kind == SHAPE_ARRAY; shape = shape->element)
		*count *= shape->count;
	return shape;
}

/* Why its bytes can't be shown, or NULL. */
static struct error *check_object(struct walk *walk)
{
	const struct type *type = walk->at.type;
	struct arena *arena = walk->resolver->arena;
	struct span span = expression_span(walk->want);
	const char *message = NULL;

	if (type->kind != TYPE_STRUCT && type->kind != TYPE_UNION && type->kind != TYPE_ARRAY &&
	    !is_number_type(walk->resolver, type))
		message = "'%s' is of type '%s', which ktrace can't show";
	else if (!type->size)
		message = is_struct(type) ? "the inside of '%s', a '%s', is not described here" :
					    "how many elements '%s', a '%s', has is not known";
	else if (!walk->at.in_memory && type->size > 8)
		message = "'%s', a '%s', has more than the 8 bytes that are known of it";
	if (message) {
		struct error *error = wrong(walk, span, ERROR_INEXPRESSIBLE,
					    arena_printf(arena, message, walk->path, type->name));

		return type->kind == TYPE_ARRAY && !type->size ?
		       error_hint(arena, error, "name one: %s[0]", walk->path) : error;
	}
	if (type->size <= OBJECT_MAX)
		return NULL;
	return wrong(walk, span, ERROR_LIMIT,
		     arena_printf(arena, "'%s', a '%s', has %llu bytes; a record has room for %d",
				  walk->path, type->name, (unsigned long long)type->size, OBJECT_MAX));
}

/* A struct, array or wide number by its bytes. as: see make_shape(). */
static struct error *capture_object(struct walk *walk, const char *as, struct capture *ret)
{
	const struct type *type = walk->at.type;
	const struct shape *element;
	struct error *error = check_object(walk);
	uint32_t count;

	if (error && is_struct(type) && type->size)
		return hint_members(walk->resolver, type, operand_path(walk), ".", error);
	if (error && type->kind == TYPE_ARRAY && type->size)
		return error_hint(walk->resolver->arena, error, "name one: %s[0]", walk->path);
	if (!error)
		error = make_shape(walk->resolver, type, as, &ret->shape);
	if (error)
		return error;
	element = flat_element(ret->shape, &count);
	ret->kind = !walk->at.in_memory ? CAPTURE_VALUE : type->kind == TYPE_ARRAY &&
		    element->kind == SHAPE_NUMBER && element->size <= 8 &&
		    count <= KERNEL_ARRAY_MAX ? CAPTURE_ARRAY : CAPTURE_OBJECT;
	ret->expr = walk->at.expr;
	ret->is_user = walk->at.is_user;
	ret->render = ret->kind == CAPTURE_ARRAY ? element->render : RENDER_HEX;
	ret->is_signed = ret->kind == CAPTURE_ARRAY && element->is_signed;
	ret->size = ret->kind == CAPTURE_ARRAY ? (uint8_t)element->size : 8;
	ret->count = ret->kind == CAPTURE_ARRAY ? count : 0;
	return NULL;
}

static struct error *shape_as_asked(struct walk *walk, struct capture *ret)
{
	const char *type = walk->want->type;
	const char *bracket = strchr(type, '[');
	enum render render;

	if (!strcmp(type, "string") || !strcmp(type, "ustring"))
		return capture_string(walk, walk->want->type_span, type[0] == 'u', ret);
	if (bracket)
		return capture_typed_array(walk, type, bracket, ret);
	if (type[0] == 'b')
		return capture_bits(walk, ret);
	if (!is_number(walk) && render_named(type, &render))
		return capture_object(walk, type, ret);
	return capture_number(walk, ret);
}

static struct error *shape_by_type(struct walk *walk, struct capture *ret)
{
	const struct type *type = walk->at.type;

	if (type->kind == TYPE_ARRAY && type->target->kind == TYPE_CHAR &&
	    type->target->size == 1 && walk->at.in_memory)
		return capture_string(walk, walk->want->base_span, false, ret);
	if (!is_number(walk))
		return capture_object(walk, NULL, ret);
	capture_value(walk, ret);
	return type->kind == TYPE_ENUM ? make_shape(walk->resolver, type, NULL, &ret->shape) : NULL;
}

/* Whether it is the same wherever the CPU is: it doesn't go with the function's frame. */
static bool is_everywhere(const struct loc *loc)
{
	return loc->kind == LOC_MEMORY && loc->expr->op == EXPR_STATIC;
}

/* The walk goes on at a variable. */
static struct error *enter(struct walk *walk, struct variable *variable)
{
	struct resolver *resolver = walk->resolver;
	const struct want *want = walk->want;
	struct loc *loc = &variable->loc;
	const char *reason;

	if (loc->kind == LOC_ABSENT || loc->kind == LOC_REFUSED)
		return missing_value(resolver, walk->instance, walk->spec, want, loc->reason);
	reason = resolve_statics(resolver, walk->position.address, loc);
	if (reason)
		return wrong(walk, want->base_span, ERROR_INEXPRESSIBLE,
			     arena_printf(resolver->arena, "'%s' can't be had: %s", want->base,
					  reason));
	walk->at = (struct object){
		.type = variable->type,
		.in_memory = loc->kind == LOC_MEMORY,
		.expr = loc->expr,
		.pieces = loc->pieces,
		.npieces = loc->npieces,
		.pointee = loc->target,
		.pointee_offset = loc->offset,
	};
	return settle(walk, want->base_span);
}

/* The object that an implicit pointer leads to: it has a value, though no address. */
static struct error *enter_pointee(struct walk *walk)
{
	struct debuginfo *info = walk->resolver->info;
	int64_t offset = walk->at.pointee_offset;
	struct variable *variable;
	struct error *error;

	if (walk->depth++ > 8)
		return wrong(walk, walk->want->base_span, ERROR_INEXPRESSIBLE,
			     "implicit pointers that lead to one another");
	error = info->ops->object(info, walk->instance, walk->position, walk->at.pointee, &variable);
	if (!error && !variable)
		error = wrong(walk, walk->want->base_span, ERROR_NO_VALUE,
			      "what it points to was optimised out");
	if (!error)
		error = enter(walk, variable);
	if (error || !offset)
		return error;
	if (walk->at.npieces)
		walk->at.piece_offset += (uint64_t)offset;
	else if (walk->at.in_memory)
		walk->at.expr = expr_offset(walk->resolver->arena, walk->at.expr, offset);
	else
		return wrong(walk, walk->want->base_span, ERROR_INEXPRESSIBLE,
			     "it points into the middle of a value");
	return NULL;
}

/* $retval with steps: the register it is in, of the type that debug information says. */
static struct error *start_at_return_value(struct walk *walk, const struct instance *instance)
{
	struct resolver *resolver = walk->resolver;
	const struct type *type;
	struct error *error;

	if (walk->spec->place.kind != PLACE_RETURN)
		return error_hint(resolver->arena,
				  wrong(walk, walk->want->base_span, ERROR_NOT_FOUND,
					"only a return has a return value"),
				  "probe %s%%return", instance->function->name);
	error = resolver->info->ops->return_type(resolver->info, instance->function, &type);
	if (error)
		return error;
	if (type->kind == TYPE_VOID)
		return wrong(walk, walk->want->base_span, ERROR_NO_VALUE,
			     arena_printf(resolver->arena, "'%s' returns nothing",
					  instance->function->name));
	walk->at = (struct object){
		.type = type,
		.expr = expr_leaf(resolver->arena, EXPR_REG, resolver->arch->return_register),
	};
	return NULL;
}

static struct error *start(struct walk *walk, const struct instance *instance, struct position at,
			   struct capture *ret)
{
	struct resolver *resolver = walk->resolver;
	const struct want *want = walk->want;
	const struct spec *spec = walk->spec;
	struct variable *variable;
	struct error *error;

	if (!strcmp(want->base, RETURN_VALUE))
		return start_at_return_value(walk, instance);
	error = resolve_variable(resolver, instance, at, want->base, &variable);
	if (error)
		return error;
	if (!variable && !strcmp(want->base, CURRENT_TASK))
		return wrong(walk, want->base_span, ERROR_NO_DEBUGINFO, "the kernel's debug information "
			     "has no current_task, nor a pcpu_hot with one");
	if (!variable)
		return unknown_variable(resolver, instance, at, spec, want);
	/* a return's variables are the entry's: by then they are gone */
	ret->at_entry = spec->place.kind == PLACE_RETURN && !is_everywhere(&variable->loc);
	walk->instance = instance;
	walk->position = at;
	return enter(walk, variable);
}

/* What $current is, a module's debug information hardly ever says. */
static struct error *enter_kernel(struct walk *walk)
{
	struct resolver *resolver = walk->resolver;

	if (strcmp(walk->want->base, CURRENT_TASK) != 0 || !resolver->target->module)
		return NULL;
	if (!resolver->open_kernel)
		return error_hint(resolver->arena,
				  wrong(walk, walk->want->base_span, ERROR_NO_DEBUGINFO, "the kernel "
					"defines it, and its debug information isn't at hand"),
				  "name the kernel too: -k VMLINUX");
	return resolver->open_kernel(resolver->cookie, &walk->resolver);
}

static const char unwritten_reason[] =
	"it is still to be stored at this address, the beginning of the function";

static const char *unwritten(const struct point *point, const struct variable *variable)
{
	const struct loc *loc = &variable->loc;
	unsigned size = variable->type->size ? (unsigned)variable->type->size : 1;

	if ((loc->kind != LOC_MEMORY && loc->kind != LOC_VALUE) ||
	    !prologue_is_unwritten(point->prologue, point->at.address, loc->expr,
				   loc->kind == LOC_MEMORY ? size : 0))
		return NULL;
	return unwritten_reason;
}

static unsigned bytes_read(const struct capture *capture)
{
	switch (capture->kind) {
	case CAPTURE_STRING: return capture->count ? capture->count : 1;
	case CAPTURE_ARRAY: return capture->size * capture->count;
	case CAPTURE_OBJECT: return capture->shape->size;
	default: return 0;
	}
}

static struct error *finish_capture(struct walk *walk, const struct point *point,
				    struct position at, struct capture *ret)
{
	ret->type_name = walk->at.type->name;
	if (prologue_is_unwritten(point->prologue, at.address, ret->expr, bytes_read(ret)))
		return missing_value(walk->resolver, point->instance, walk->spec, walk->want,
				     unwritten_reason);
	return NULL;
}

/* Of a pointer that is nowhere, what it points to. */
static struct error *shape_of(struct walk *walk, struct capture *ret)
{
	struct error *error = NULL;

	if (walk->at.pointee) {
		ret->is_pointee = true;
		error = enter_pointee(walk);
	}
	/* a small struct is a number to its shape */
	if (!error && walk->at.npieces &&
	    pieces_settle(walk->resolver->arena, &walk->at, walk->at.type->size, true))
		error = wrong(walk, walk->want->base_span, ERROR_NO_VALUE,
			      arena_printf(walk->resolver->arena, "a part of '%s' was optimised out",
					   walk->path));
	if (!error && walk->at.npieces)
		error = wrong(walk, walk->want->base_span, ERROR_INEXPRESSIBLE,
			      arena_printf(walk->resolver->arena, "'%s' is a '%s' that lies in several "
					   "registers or places", walk->path, walk->at.type->name));
	if (error)
		return error;
	return walk->want->type ? shape_as_asked(walk, ret) : shape_by_type(walk, ret);
}

struct error *resolve_capture(struct resolver *resolver, const struct point *point,
			      struct position at, const struct spec *spec,
			      const struct want *want, struct capture *ret)
{
	struct walk walk = {
		.resolver = resolver,
		.home = resolver,
		.instance = point->instance,
		.spec = spec,
		.want = want,
	};
	struct error *error = enter_kernel(&walk);

	walk.path = arena_strdup(resolver->arena, want->base);
	if (!error)
		error = start(&walk, point->instance, at, ret);
	if (error)
		return error;
	error = walk_steps(&walk);
	if (!error)
		error = shape_of(&walk, ret);
	if (!error)
		return finish_capture(&walk, point, at, ret);
	ret->type_name = walk.at.type->name;
	return error;
}

const char *resolve_shown(struct resolver *resolver, const struct point *point,
			  const struct variable *variable, struct capture *ret)
{
	const struct want want = {.base = variable->name};
	const struct spec spec = {.text = ""};
	struct walk walk = {.resolver = resolver, .spec = &spec, .want = &want,
			    .home = resolver, .instance = point->instance, .position = point->at};
	struct variable copy = *variable;
	const char *reason = variable->loc.reason;
	struct error *error;

	if (variable->loc.kind == LOC_ABSENT || variable->loc.kind == LOC_REFUSED)
		return reason;
	reason = resolve_uninitialised(point, variable);
	if (!reason)
		reason = unwritten(point, variable);
	if (reason)
		return reason;
	walk.path = arena_strdup(resolver->arena, variable->name);
	*ret = (struct capture){.name = variable->name, .type_name = variable->type->name};
	error = enter(&walk, &copy);
	if (!error)
		error = shape_of(&walk, ret);
	return error ? error->message : NULL;
}
