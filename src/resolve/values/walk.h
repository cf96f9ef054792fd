/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the files that turn a want into a capture: capture.c finds the variable, walk.c and
 * walk_steps.c follow the steps from it, capture_type.c and capture_as.c say how the result is
 * shown. */
#ifndef RESOLVE_WALK_H
#define RESOLVE_WALK_H

#include "expr/expr.h"
#include "resolve/points/points.h"
#include "resolve/values/values.h"

struct flow;

struct walk {
	struct resolver *resolver;
	const struct resolver *home; /* the instance's */
	const struct instance *instance;
	const struct spec *spec;
	const struct want *want;
	const struct variable *variable; /* the want's base, or NULL */
	struct object at;
	char *path; /* the steps so far, as text for messages */
	struct position position;
	uint64_t probed; /* the instruction at whose hit static objects are read */
	bool is_referent; /* the object was reached through a reference */
	unsigned depth; /* implicit pointers followed */
};

struct error *walk_error(struct walk *walk, struct span span, enum error_code code,
			 const char *message) must_check;
/* For an object in pieces: finds the member's piece, or makes a number of several. */
struct error *walk_settle(struct walk *walk, struct span span) must_check;
/* Goes to what the pointer points to. */
struct error *walk_follow(struct walk *walk) must_check;
/* Goes to a variable, at the walk's position. */
struct error *walk_enter(struct walk *walk, struct variable *variable) must_check;
/* Goes to what an implicit pointer points to: its object has a value, though no address. */
struct error *walk_enter_pointee(struct walk *walk) must_check;
/* Goes from a reference to what it refers to. */
struct error *walk_refer(struct walk *walk) must_check;
/* walk_steps.c */
struct error *walk_steps(struct walk *walk) must_check;
bool is_user_marked(const struct walk *walk);

/* The value of a scalar, extended to 64 bits by its type. */
const struct expr *object_value(struct arena *arena, const struct object *object);
bool type_is_struct(const struct type *type);
/* The span of a want without its name and type. */
struct span expression_span(const struct want *want);
/* The expression so far, bracketed if needed so that an operator can follow it. */
const char *operand_path(const struct walk *walk);

/* Returns NULL, or why a variable is not yet stored where it will be, at the point. */
const char *variable_unwritten(const struct point *point, const struct variable *variable);

/* The bytes of memory that a capture reads; 0: it is a value. */
unsigned capture_bytes(const struct capture *capture);

/* values/lost_slot.c: whether clang gives a stack address for what is stored at that address. */
bool is_lost_slot(const struct walk *walk, const struct variable *variable);

/* The walk's base variable elsewhere. Returns NULL if it has no location there, or the name means
 * another one. */
const struct variable *variable_at(const struct walk *walk, struct position at);
static inline bool is_constant(const struct variable *variable)
{
	return variable->loc.kind == LOC_VALUE && variable->loc.expr->op == EXPR_CONST;
}

static inline bool is_in_register(const struct variable *variable)
{
	return variable->loc.kind == LOC_VALUE && variable->loc.expr->op == EXPR_REG &&
	       variable->loc.expr->value < 64;
}

/* Without an extension of the lower half. */
static inline const struct expr *without_cut(const struct expr *expr)
{
	return expr->op == EXPR_EXTEND && expr->size == 32 ? expr->a : expr;
}

/* Whether the variable is a number added to what a register has, or, or_entry, had at the
 * function's entry. The upper half of either may be cut off. */
bool is_sum(const struct variable *variable, bool or_entry, uint64_t *reg, uint64_t *number);

/* Whether gcc wrote the code around the position. */
static inline bool is_by_gcc(const struct walk *walk)
{
	return walk->instance && walk->instance->is_by_gcc;
}

/* capture_type.c: fills in how the object reached is recorded and shown. */
struct error *capture_shape(struct walk *walk, struct capture *ret) must_check;
/* Whether it is one number that a register can hold. */
bool is_number(const struct walk *walk);
bool is_char_like(const struct type *type);
/* A number, as its own type shows it. */
void capture_value(struct walk *walk, struct capture *ret);
/* The address of a string: what a pointer holds, or where an array lies. */
struct error *capture_string(struct walk *walk, struct span span, bool is_user,
			     struct capture *ret) must_check;
/* A struct, array or wide number by its bytes. as: see make_shape(). */
struct error *capture_object(struct walk *walk, const char *as, struct capture *ret) must_check;
/* capture_as.c: by want->type, which must not be NULL. */
struct error *capture_as_asked(struct walk *walk, struct capture *ret) must_check;

#endif
