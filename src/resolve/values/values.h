/* SPDX-License-Identifier: GPL-2.0-only */
/* Turns an argument of a spec into a capture at one position. For the files of resolve/. */
#ifndef RESOLVE_VALUES_H
#define RESOLVE_VALUES_H

#include "resolve/internal.h"

/* values/value_names.c: the name of each want's value. */
struct error *name_wants(struct resolver *resolver, const struct spec *spec,
			 const char ***ret) must_check;

/* values/raw_capture.c: whether the want of a pair's end is what its start recorded, or the time
 * since: nothing is resolved for it. */
bool capture_of_pair(const struct spec *spec, const struct want *want, struct capture *ret);
/* instance: the function, or NULL. */
struct error *capture_raw(struct resolver *resolver, const struct spec *spec,
			  const struct instance *instance, const struct want *want,
			  struct capture *ret) must_check;
/* Whether the want is the $retval of a function that returns a reference: what it refers to is
 * then captured, like a variable. */
bool returns_reference(struct resolver *resolver, const struct instance *instance,
		       const struct want *want);
/* For raw specs: the kernel resolves the symbol; ktrace only passes it on. */
struct error *resolve_raw(struct resolver *resolver, const struct spec *spec,
			  const char *const *names, struct sites *sites) must_check;

/* The object that a walk has reached. */
struct object {
	const struct type *type;
	bool in_memory;
	const struct expr *expr; /* in_memory: its address; else its value */
	unsigned bit_offset;     /* of a bit-field: from the byte at the address, or in the value */
	unsigned bit_size;       /* 0: not a bit-field */
	bool is_user;            /* its memory is user space */
	const struct piece *pieces; /* if npieces: the object is neither in memory nor a value,
				     * but these */
	unsigned npieces;
	uint64_t piece_offset;      /* of the object in the pieces */
	uint64_t pointee;           /* not 0: this is a pointer to an object; see loc.target */
	int64_t pointee_offset;
};

/* values/pieces.c: puts the object's `size` bytes in one place or into one value, if possible.
 * Returns the reason why not, or NULL: then npieces is 0, or the object is no number and stays
 * in several places. */
/* Whether a whole piece lies behind the object's last byte, as Go's debug information may have
 * it. */
bool pieces_overrun(const struct object *object);
const char *pieces_settle(struct arena *arena, struct object *object, uint64_t size,
			  bool is_number);

/* The whole object as values of up to 8 bytes. Returns NULL, or the reason why not. lost: `size`
 * bytes, set to true for each that is nowhere, whose value is 0; NULL: none may be. */
const char *pieces_parts(struct arena *arena, const struct object *object, uint64_t size,
			 uint8_t *lost, const struct part_value **ret, unsigned *count);
/* values/lost_members.c: the shape, with SHAPE_LOST for what has a lost byte. */
const struct shape *mark_lost(struct arena *arena, const struct shape *shape, const uint8_t *lost);

/* values/capture_stack.c */
struct error *capture_stack(struct resolver *resolver, const struct spec *spec,
			    const struct want *want, struct capture *ret) must_check;

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
/* The meaning of ":x", ":sym"...; false if it is none of these. */
bool render_named(const char *as, enum render *ret);
/* as: how all numbers in it are shown, or NULL. type->size must not be 0. */
struct error *make_shape(struct resolver *resolver, const struct type *type, const char *as,
			 const struct shape **ret) must_check;
/* What the references in an object refer to; the shape has those bytes after the object's own. */
enum { REFERENTS_MAX = 16, REFERENT_BYTES_MAX = 128 };
struct referents {
	struct referent {
		uint32_t reference; /* offset in the object of the address */
		uint32_t size;
	} list[REFERENTS_MAX];
	unsigned count;
};
struct error *make_whole_shape(struct resolver *resolver, const struct type *type, const char *as,
			       struct referents *referents, const struct shape **ret) must_check;
/* values/cast_type.c: the type of a cast; *resolver becomes the one that knows it. */
struct error *resolve_type(struct resolver **resolver, const struct instance *instance,
			   const char *text, const struct type **ret) must_check;
const struct type *pointer_to(struct arena *arena, const struct type *target);

/* Returns NULL, or why the location has no meaningful value yet: at its function's beginning, a
 * local in memory still holds what was there before. */
const char *resolve_uninitialised(const struct point *point, const struct variable *variable);
/* values/obstacle.c: why no plan can make that value, or NULL. */
const char *capture_obstacle(struct resolver *resolver, const struct capture *capture);

/* values/expand.c: the spec with variables in place of its $params and $vars; *ret is the spec
 * itself if it has none. */
bool has_all(const struct spec *spec);
struct error *expand_spec(struct resolver *resolver, const struct point *points, unsigned count,
			  struct sites *sites, const struct spec **ret) must_check;

/* Warns about locals that are asked for at their function's beginning. */
void check_initialised(struct resolver *resolver, const struct spec *spec,
		       const struct point *points, unsigned count, struct sites *sites);

/* values/statics.c: fills in the capture's statics. */
void name_statics(struct resolver *resolver, struct capture *capture);
/* The variable that a name means at a position; *ret is NULL if none. Only CURRENT_TASK needs no
 * instance. */
struct error *resolve_variable(struct resolver *resolver, const struct instance *instance,
			       struct position at, const char *name,
			       struct variable **ret) must_check;
/* The same of the function's own alone; local_at() returns NULL if there is none, and what it finds
 * is no copy. */
const struct variable *local_at(struct resolver *resolver, const struct instance *instance,
				struct position at, const char *name);
struct error *resolve_local(struct resolver *resolver, const struct instance *instance,
			    struct position at, const char *name,
			    struct variable **ret) must_check;

#endif
