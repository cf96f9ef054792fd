// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes the shape by which sink/ shows a type's bytes: enums with their names, structs with their
 * members down to the numbers. `as`, which the user wrote after ':', applies to every number in it.
 */

#include "base/shape_check.h"
#include "debuginfo/debuginfo.h"
#include "resolve/values/values.h"

#define SHAPE_DEPTH 32
#define SHAPES_MAX  65536 /* a struct that holds itself twice has 2^32 at that depth */

struct shaping {
	struct resolver *resolver;
	unsigned count; /* shapes made so far */
	const char *as; /* "x", "u", "s", "c", "sym", "errno"; NULL: by type */
	unsigned depth;
	/* For an object whose references are followed; NULL for others, and inside arrays and
	 * unions. */
	struct referents *referents;
	uint32_t at;  /* offset of the current object in the outermost one */
	uint32_t end; /* the end of all bytes so far */
};

static struct error *shape_of(struct shaping *in, const struct type *type, struct shape *ret);

static bool is_x87(const struct resolver *resolver)
{
	return resolver->arch && resolver->arch->has_x87;
}

static bool is_number_size(uint64_t size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

bool is_number_type(const struct resolver *resolver, const struct type *type)
{
	switch (type->kind) {
	case TYPE_INT:
	case TYPE_ENUM:
		return is_number_size(type->size) || type->size == 16;
	case TYPE_BOOL:
	case TYPE_CHAR:
	case TYPE_POINTER:
		return is_number_size(type->size);
	case TYPE_FLOAT:
		return type->size == 4 || type->size == 8 ||
		       (type->size == 16 && is_x87(resolver));
	default:
		return false;
	}
}

enum render type_render(const struct type *type)
{
	switch (type->kind) {
	case TYPE_BOOL: return RENDER_BOOL;
	case TYPE_CHAR: return RENDER_CHAR;
	case TYPE_ENUM: return RENDER_ENUM;
	case TYPE_FLOAT: return RENDER_FLOAT;
	case TYPE_POINTER:
		return type_is_reference(type) ? RENDER_REFERENCE :
		       type->target->kind == TYPE_FUNCTION ? RENDER_SYMBOL : RENDER_HEX;
	default: return type->is_signed ? RENDER_SIGNED : RENDER_UNSIGNED;
	}
}

bool render_named(const char *as, enum render *ret)
{
	static const struct {
		const char *name;
		enum render render;
	} names[] = {
		{"x", RENDER_HEX}, {"u", RENDER_UNSIGNED}, {"s", RENDER_SIGNED}, {"c", RENDER_CHAR},
		{"char", RENDER_CHAR}, {"sym", RENDER_SYMBOL}, {"symbol", RENDER_SYMBOL},
		{"symstr", RENDER_SYMBOL}, {"errno", RENDER_ERRNO}, {"dev", RENDER_DEV},
		{"syscall", RENDER_SYSCALL}, {"time", RENDER_TIME},
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (strcmp(names[i].name, as))
			continue;
		*ret = names[i].render;
		return true;
	}
	return false;
}

/* Whether the enumerators are 0 and single bits; among many single bits also ORs of them. 1, 2,
 * 3 is a sequence. */
static bool is_flags(const struct shape *shape)
{
	uint64_t bits = 0;
	unsigned singles = 0, unions = 0;

	for (unsigned i = 0; i < shape->nenumerators; i++) {
		uint64_t number = shape->enumerators[i].number;

		if (number && !(number & (number - 1)) && !(bits & number)) {
			bits |= number;
			singles++;
		}
	}
	for (unsigned i = 0; i < shape->nenumerators; i++) {
		uint64_t number = shape->enumerators[i].number;

		if (number & ~bits)
			return false;
		unions += !!(number & (number - 1)) && number;
	}
	return singles > 1 && (!unions || (singles > 3 && unions < singles));
}

static struct error *shape_number(struct shaping *in, const struct type *type, struct shape *ret)
{
	struct resolver *resolver = in->resolver;
	struct enumerator *list = NULL;
	struct error *error = NULL;

	ret->kind = SHAPE_NUMBER;
	ret->render = type_render(type);
	ret->is_signed = type->is_signed;
	if (in->as && render_named(in->as, &ret->render)) {
		ret->is_signed = ret->render == RENDER_SIGNED ||
				 ((ret->render == RENDER_ERRNO || ret->render == RENDER_CHAR ||
				   ret->render == RENDER_TIME) && type->is_signed);
		return NULL;
	}
	if (type->kind == TYPE_ENUM)
		error = debuginfo_enumerators(resolver->info, type, &list, &ret->nenumerators);
	ret->enumerators = list;
	ret->is_flags = type->kind == TYPE_ENUM && is_flags(ret);
	return error;
}

/* An array whose elements have no known meaning: bytes. */
static void shape_bytes(struct shaping *in, struct shape *ret)
{
	struct shape *byte = arena_new(in->resolver->arena, struct shape);

	*byte = (struct shape){.kind = SHAPE_NUMBER, .name = "u8", .size = 1, .render = RENDER_HEX};
	ret->kind = SHAPE_ARRAY;
	ret->element = byte;
	ret->count = ret->size;
}

static struct error *shape_array(struct shaping *in, const struct type *type, struct shape *ret)
{
	struct shape *element = arena_new(in->resolver->arena, struct shape);

	if (type->target->kind == TYPE_CHAR && type->target->size == 1 && !in->as &&
	    type_stride(type) == 1) {
		ret->kind = SHAPE_TEXT;
		return NULL;
	}
	ret->kind = SHAPE_ARRAY;
	ret->count = (uint32_t)type->count;
	ret->stride = (uint32_t)type->stride;
	ret->element = element;
	return shape_of(in, type->target, element);
}

/* Whether `length` bytes from `offset` on lie within `size` bytes. */
static bool is_within(uint64_t offset, uint64_t length, uint64_t size)
{
	return offset <= size && length <= size - offset;
}

static uint64_t member_bytes(const struct member *member)
{
	return member->bit_size ? (member->bit_offset + member->bit_size + 7) / 8 :
				  member->type->size;
}

/* What a reference refers to gets bytes of its own, after those of the object. Returns false if
 * there is no room. */
static bool has_room(const struct shaping *in, const struct type *type)
{
	const struct type *target = type->target;

	return in->referents && in->referents->count < REFERENTS_MAX && target->size &&
	       target->size <= REFERENT_BYTES_MAX &&
	       (is_number_type(in->resolver, target) || target->kind == TYPE_ARRAY ||
		target->kind == TYPE_STRUCT);
}

static struct error *shape_referent(struct shaping *in, const struct type *type,
				    const struct member *member, struct shape_member *ret)
{
	struct shaping inner = {.resolver = in->resolver, .as = in->as, .depth = in->depth,
				.count = in->count};
	struct shape *shape = arena_new(in->resolver->arena, struct shape);
	struct error *error = shape_of(&inner, type->target, shape);

	in->referents->list[in->referents->count++] = (struct referent){
		in->at + (uint32_t)member->offset, (uint32_t)type->target->size};
	*ret = (struct shape_member){
		.name = member->name, .shape = shape, .offset = in->end - in->at};
	in->end += (uint32_t)type->target->size;
	in->count = inner.count;
	return error;
}

static struct error *shape_member(struct shaping *in, const struct member *member,
				  struct shape_member *ret)
{
	struct shape *shape = arena_new(in->resolver->arena, struct shape);
	uint32_t at = in->at;
	struct error *error;

	if (type_is_reference(member->type) && has_room(in, member->type))
		return shape_referent(in, member->type, member, ret);
	*ret = (struct shape_member){
		.name = member->name,
		.shape = shape,
		.offset = (uint32_t)member->offset,
		.bit_offset = (uint8_t)member->bit_offset,
		.bit_size = (uint8_t)member->bit_size,
	};
	in->at += (uint32_t)member->offset;
	error = shape_of(in, member->type, shape);
	in->at = at;
	return error;
}

static struct error *damaged(const struct resolver *resolver, const struct type *type)
{
	return error_new(resolver->arena, ERROR_NO_DEBUGINFO,
			 "damaged debug information in '%s': '%s' has a "
			 "member that isn't inside it",
			 resolver->target->path, type->name);
}

static struct error *strange_bits(const struct resolver *resolver, const struct type *type,
				  const struct member *member)
{
	return error_new(resolver->arena, ERROR_INEXPRESSIBLE,
			 "'%s' has '%s', some bits of a '%s', which ktrace can't show",
			 type->name, member->name ?: "", member->type->name);
}

static struct error *strange_member(const struct resolver *resolver, const struct type *type,
				    const struct member *member)
{
	return error_new(resolver->arena, ERROR_INEXPRESSIBLE,
			 "'%s' has '%s', a '%s', which ktrace can't show", type->name,
			 member->name ?: "", member->type->name);
}

/* Members without a size (flexible arrays, empty structs) have no bytes to show. */
static struct error *shape_struct(struct shaping *in, const struct type *type, struct shape *ret)
{
	struct resolver *resolver = in->resolver;
	struct shape_member *list;
	struct member *members;
	unsigned count;
	struct error *error = debuginfo_members(resolver->info, type, &members, &count);

	if (error)
		return error;
	ret->kind = SHAPE_STRUCT;
	list = arena_array(resolver->arena, struct shape_member, count + 1);
	for (unsigned i = 0; i < count && !error; i++) {
		const struct member *member = &members[i];

		if (!member->type->size && member->type->kind == TYPE_OTHER)
			return strange_member(resolver, type, member);
		if (!member->type->size)
			continue;
		if (!is_within(member->offset, member_bytes(member), type->size))
			return damaged(resolver, type);
		if (member->bit_size && !is_number_type(resolver, member->type))
			return strange_bits(resolver, type, member);
		error = shape_member(in, member, &list[ret->nmembers++]);
	}
	ret->members = list;
	return error;
}

static struct error *shape_of(struct shaping *in, const struct type *type, struct shape *ret)
{
	struct referents *referents = in->referents;
	struct error *error = NULL;

	if (type->size > UINT32_MAX || in->count++ == SHAPES_MAX)
		return error_new(in->resolver->arena, ERROR_LIMIT,
				 "'%s' has too many members to be shown", type->name);
	if (type->kind != TYPE_STRUCT)
		in->referents = NULL;
	ret->name = type->name;
	ret->size = (uint32_t)type->size;
	in->depth++;
	if (is_number_type(in->resolver, type))
		error = shape_number(in, type, ret);
	else if (type->kind == TYPE_ARRAY && in->depth < SHAPE_DEPTH)
		error = shape_array(in, type, ret);
	else if ((type->kind == TYPE_STRUCT || type->kind == TYPE_UNION) && in->depth < SHAPE_DEPTH)
		error = shape_struct(in, type, ret);
	else
		shape_bytes(in, ret);
	in->depth--;
	in->referents = referents;
	return error;
}

struct error *make_shape(struct resolver *resolver, const struct type *type, const char *as,
			 const struct shape **ret)
{
	return make_whole_shape(resolver, type, as, NULL, ret);
}

struct error *make_whole_shape(struct resolver *resolver, const struct type *type, const char *as,
			       struct referents *referents, const struct shape **ret)
{
	struct shaping in = {.resolver = resolver, .as = as, .referents = referents,
			     .end = (uint32_t)type->size};
	struct shape *shape = arena_new(resolver->arena, struct shape);
	struct error *error = shape_of(&in, type, shape);

	shape->size = in.end;
	*ret = shape;
	return error ? error : shape_is_sound(shape) ? NULL : damaged(resolver, type);
}
