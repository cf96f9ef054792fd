/* SPDX-License-Identifier: GPL-2.0-only */
/* What: from an argument of a spec to a capture at one position, for the files of resolve/. */
#ifndef RESOLVE_VALUES_H
#define RESOLVE_VALUES_H

#include "resolve/internal.h"

/* values/value_names.c: what each want's value is called. */
struct error *name_wants(struct resolver *resolver, const struct spec *spec,
			 const char ***ret) must_check;

/* values/raw.c: instance: the function, or NULL. */
struct error *capture_raw(struct resolver *resolver, const struct spec *spec,
			  const struct instance *instance, const struct want *want,
			  struct capture *ret) must_check;
/* Whether the want is a $retval that is what a reference refers to: then it is captured as a variable. */
bool returns_reference(struct resolver *resolver, const struct instance *instance,
		       const struct want *want);
/* The kernel resolves the symbol; ktrace only passes it on. */
struct error *resolve_raw(struct resolver *resolver, const struct spec *spec,
			  const char *const *names, struct sites *sites) must_check;

/* What the walk has in hand. */
struct object {
	const struct type *type;
	bool in_memory;
	const struct expr *expr; /* in_memory: its address; else its value */
	unsigned bit_offset;     /* of a bit-field; from the byte at the address, or in the value */
	unsigned bit_size;       /* 0: no bit-field */
	bool is_user;            /* its memory is user space */
	const struct piece *pieces; /* where npieces: neither memory nor a value, but these */
	unsigned npieces;
	uint64_t piece_offset;      /* of the object in them */
	uint64_t pointee;           /* not 0: a pointer to that object of the debug information's */
	int64_t pointee_offset;
};

/* values/pieces.c: the object's bytes in one place or as one value, where they can be; size: how many. A
 * reason, or NULL: then npieces is 0, or the object is no number and lies in several places. */
const char *pieces_settle(struct arena *arena, struct object *object, uint64_t size, bool is_number);

/* All of it, as values of up to 8 bytes. A reason, or NULL. */
const char *pieces_parts(struct arena *arena, const struct object *object, uint64_t size,
			 const struct part_value **ret, unsigned *count);

/* values/capture.c: one want at one position. */
struct error *resolve_capture(struct resolver *resolver, const struct point *point,
			      struct position at, const struct spec *spec, const struct want *want,
			      struct capture *ret) must_check;

/* Refuses a $retval anywhere but at a return. */
struct error *check_return_value(struct resolver *resolver, const struct spec *spec,
				 const struct want *want) must_check;

/* values/shape.c */
bool is_number_type(const struct resolver *resolver, const struct type *type);
enum render type_render(const struct type *type);
/* What ":x", ":sym"... is; false: something else. */
bool render_named(const char *as, enum render *ret);
/* as: how all numbers in it are shown, or NULL. type->size is not 0. */
struct error *make_shape(struct resolver *resolver, const struct type *type, const char *as,
			 const struct shape **ret) must_check;
/* What the references in an object refer to. The shape has these bytes behind the object's own. */
enum { REFERENTS_MAX = 16, REFERENT_BYTES_MAX = 128 };
struct referents {
	struct referent {
		uint32_t reference; /* where in the object the address is */
		uint32_t size;
	} list[REFERENTS_MAX];
	unsigned count;
};
struct error *make_whole_shape(struct resolver *resolver, const struct type *type, const char *as,
			       struct referents *referents, const struct shape **ret) must_check;
/* values/cast.c: the type of a cast; *resolver becomes the one that knows it. */
struct error *resolve_type(struct resolver **resolver, const struct instance *instance,
			   const char *text, const struct type **ret) must_check;
const struct type *pointer_to(struct arena *arena, const struct type *target);

/* Why what is at that location is nothing yet, or NULL: at its function's beginning, a local in memory
 * is what was there before. */
const char *resolve_uninitialised(const struct point *point, const struct variable *variable);
/* values/obstacle.c: why no plan can make that value, or NULL. */
const char *capture_obstacle(struct resolver *resolver, const struct capture *capture);

/* values/expand.c: the spec with variables in the place of its $params and $vars; *ret is the spec itself where
 * it has none. */
bool has_all(const struct spec *spec);
struct error *expand_spec(struct resolver *resolver, const struct point *points, unsigned count,
			  struct sites *sites, const struct spec **ret) must_check;

/* Warns of locals that are asked for at their function's beginning. */
void check_initialised(struct resolver *resolver, const struct spec *spec,
		       const struct point *points, unsigned count, struct sites *sites);

/* values/statics.c: fills in the capture's statics. */
void name_statics(struct resolver *resolver, struct capture *capture);
/* The variable that a name means at a position; NULL: none. Only CURRENT_TASK needs no
 * instance. */
struct error *resolve_variable(struct resolver *resolver, const struct instance *instance,
			       struct position at, const char *name,
			       struct variable **ret) must_check;

#endif
