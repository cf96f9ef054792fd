/* SPDX-License-Identifier: GPL-2.0-only */
/* What the three files share that make a capture of a want: capture.c finds the variable, walk.c goes
 * on from it, and capture_type.c says how it is shown. */
#ifndef RESOLVE_WALK_H
#define RESOLVE_WALK_H

#include "resolve/points/points.h"
#include "resolve/values/values.h"

struct walk {
	struct resolver *resolver;
	const struct resolver *home; /* the instance's */
	const struct instance *instance;
	const struct spec *spec;
	const struct want *want;
	struct object at;
	char *path; /* what was walked so far, for messages */
	struct position position;
	uint64_t probed; /* the instruction at which what is everywhere is read */
	bool is_referent; /* the object in hand was reached by a reference */
	unsigned depth; /* implicit pointers followed */
};

struct error *walk_error(struct walk *walk, struct span span, enum error_code code,
			 const char *message) must_check;
/* Of an object in pieces, the member in hand is in one of them, or a number made of several. */
struct error *walk_settle(struct walk *walk, struct span span) must_check;
/* To what the pointer in hand points to. */
struct error *walk_follow(struct walk *walk) must_check;
/* To a variable, at the walk's position. */
struct error *walk_enter(struct walk *walk, struct variable *variable) must_check;
/* To what an implicit pointer in hand points to: its object has a value, though no address. */
struct error *walk_enter_pointee(struct walk *walk) must_check;
/* From a reference to what it refers to. */
struct error *walk_refer(struct walk *walk) must_check;
struct error *walk_steps(struct walk *walk) must_check;
bool is_user_marked(const struct walk *walk);

/* The value of a scalar, extended to 64 bits by its type. */
const struct expr *object_value(struct arena *arena, const struct object *object);
bool type_is_struct(const struct type *type);
/* The whole of a want but for its name and type. */
struct span expression_span(const struct want *want);
/* The expression so far, for something to stand behind it. */
const char *operand_path(const struct walk *walk);

/* Why a variable isn't where it is to be stored yet, at the point, or NULL. */
const char *variable_unwritten(const struct point *point, const struct variable *variable);

/* The bytes that a capture of memory reads there; 0: it is a value. */
unsigned capture_bytes(const struct capture *capture);

/* values/doubt.c: whether clang has an address of the stack for what is stored there. */
bool is_lost_slot(const struct resolver *resolver, const struct variable *variable);
/* Why the value is an older one than the source has at the point, or NULL. */
const char *capture_outdated(struct walk *walk, const struct point *point, struct position at,
			     const struct capture *capture);

/* Fills in how the object in hand is recorded and shown. */
struct error *capture_shape(struct walk *walk, struct capture *ret) must_check;

#endif
