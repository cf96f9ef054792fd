/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the files of resolve/. */
#ifndef RESOLVE_INTERNAL_H
#define RESOLVE_INTERNAL_H

#include <string.h>

#include "base/error.h"
#include "base/expr.h"
#include "resolve/resolve.h"

/* flow.c: which instruction leads to which, in one function. */
struct flow;
struct flow *flow_build(struct resolver *resolver, const struct range *ranges, unsigned count,
			uint64_t entry);
/* The same of the function out of line that the copy is part of; NULL: it has no code. */
struct flow *outer_flow(struct resolver *resolver, const struct instance *instance);
bool flow_has(const struct flow *flow, uint64_t address);
/* Whether only the instruction before it leads there. */
bool flow_is_straight(const struct flow *flow, uint64_t address);
/* Whether an execution can reach `to` from the function's start, or again after one of `from`, without
 * passing one of the others. */
bool flow_reaches(const struct flow *flow, uint64_t to, const uint64_t *others, unsigned count);
bool flow_reaches_from(const struct flow *flow, const uint64_t *from, unsigned nfrom, uint64_t to,
		       const uint64_t *others, unsigned count);
/* Which instructions can run, once the function is entered; from_anywhere: or what nothing seen leads to. */
const bool *flow_runs(const struct flow *flow, bool from_anywhere);
bool flow_marked(const struct flow *flow, const bool *marks, uint64_t address);
/* Whether every way on from an address meets one of the goals before it meets a stop, the address itself
 * again or the function's end. */
bool flow_always_meets(const struct flow *flow, uint64_t from, const uint64_t *goals, unsigned ngoals,
		       const uint64_t *stops, unsigned nstops);
/* Whether both are executed equally often, `later` after `address` each time. */
bool flow_equivalent(const struct flow *flow, uint64_t address, uint64_t later);

struct points {
	struct point *list;
	unsigned count;
	unsigned size; /* there is room for */
};

/* For a glob's 200,000 points at once: a list that doubles leaves as much again behind. */
static inline void points_make_room(struct resolver *resolver, struct points *points, unsigned size)
{
	points->list = arena_grow(resolver->arena, points->list,
				  points->count * sizeof(*points->list), size * sizeof(*points->list));
	points->size = size;
}

static inline void points_add(struct resolver *resolver, struct points *points,
			      const struct instance *instance, struct position at, unsigned line)
{
	if (points->count == points->size)
		points_make_room(resolver, points, points->size ? 2 * points->size : 1);
	points->list[points->count++] = (struct point){
		.instance = instance,
		.at = at,
		.line = line,
	};
}

static inline struct position entry_of(const struct instance *instance)
{
	return (struct position){
		.address = instance->entry,
		.view = instance->entry_view,
		.is_entry = true,
	};
}

/* returns.c: of a program's functions, in the place of each point those where it returns. Where it is
 * one point still, the kernel's return probe is to be used. */
struct error *return_exits(struct resolver *resolver, const struct spec *spec, struct sites *sites,
			   struct point **points, unsigned *count) must_check;
/* What isn't known at the point is so marked, and $retval, where the function ends, is the register that
 * it is in. */
void exit_captures(struct resolver *resolver, const struct spec *spec, const struct point *point,
		   struct site *site);

/* exits.c: a function's exits, by its code. */
struct exits {
	struct exit {
		uint64_t address;
		bool is_jump; /* to another function, which returns in its place */
	} *list;
	unsigned count;
	unsigned njumps;
	bool has_calls;
	const char *unknown; /* why there may be more, or NULL */
	bool is_unsized; /* so it is start-up code or assembly */
};
void exits_find(struct resolver *resolver, const struct point *point, struct exits *ret);

/* lines.c */
struct error *line_points(struct resolver *resolver, const struct instance *instance,
			  unsigned line, bool all, struct points *points) must_check;
/* Of a place's line, in each of the copies; never none. */
struct error *lines_of(struct resolver *resolver, const struct spec *spec,
		       struct instance *const *instances, unsigned count, bool every,
		       struct points *points) must_check;

/* prologue.c: in a program, which stack slots the entry's code has filled. is_entry: only with what
 * the caller passed; else with anything. */
struct prologue;
struct prologue *prologue_read(struct resolver *resolver, const struct instance *instance,
			       bool is_entry);
/* The addresses after the entry that are passed as often as the entry is. */
unsigned prologue_addresses(struct resolver *resolver, const struct prologue *prologue,
			    const struct position **ret);
/* Whether the value would be read from a slot that is still to be filled at the address. size: expr
 * is an address, and so many bytes there are read; 0: expr is the value. */
bool prologue_is_unwritten(const struct prologue *prologue, uint64_t address,
			   const struct expr *expr, unsigned size);

/* program.c: what is checked of a program only, since the kernel does not. */
struct error *program_check_boundary(struct resolver *resolver, const struct spec *spec,
				     const struct instance *instance,
				     uint64_t address) must_check;
struct error *program_check_raw(struct resolver *resolver, const struct spec *spec,
				const struct want *want) must_check;
struct error *program_place(struct resolver *resolver, const struct point *point,
			    uint64_t address, struct site *site) must_check;

/* resolve.c: the sites at points that were found. */
struct error *resolve_at(struct resolver *resolver, const struct spec *spec, struct point *points,
			 unsigned count, struct sites *sites) must_check;

/* function.c */
struct error *function_points(struct resolver *resolver, const struct spec *spec, bool every,
			      struct points *points) must_check;

/* file.c */
struct error *file_points(struct resolver *resolver, const struct spec *spec, bool every,
			  struct points *points) must_check;
/* Refuses a name that is several files'. */
struct error *one_file(struct resolver *resolver, const struct spec *spec,
		       struct instance *const *instances, unsigned count) must_check;
struct error *unknown_file(struct resolver *resolver, const struct spec *spec);

/* address.c */
struct error *address_points(struct resolver *resolver, const struct spec *spec,
			     struct points *points) must_check;
struct error *offset_points(struct resolver *resolver, const struct spec *spec,
			    struct instance *const *instances, unsigned count,
			    struct points *points) must_check;
/* size: the function's. */
struct error *offset_outside(struct resolver *resolver, const struct spec *spec, uint64_t size);

/* clone.c: the copy, out of line, with code at the address, of the function that the symbol is named
 * after; NULL: none. */
const struct instance *clone_instance(struct resolver *resolver, const char *name, uint64_t address);
/* Those of the symbols of exactly that name; with clone_ranges() only their part in the symbol. */
void clone_instances(struct resolver *resolver, const char *name, struct instance ***ret,
		     unsigned *count);
void clone_ranges(struct resolver *resolver, const char *name, struct instance ***ret,
		  unsigned *count);

/* generic.c: copies of what has that name before its <..>, of a template or a generic function. */
struct error *generic_instances(struct resolver *resolver, const char *name, struct instance ***ret,
				unsigned *count) must_check;

/* symbol.c: functions that only the symbol table knows by that name. */
struct error *symbol_points(struct resolver *resolver, const struct spec *spec, const char *name,
			    struct points *points) must_check;
struct error *glob_symbols(struct resolver *resolver, const char *glob, bool is_return,
			   struct points *points) must_check;

/* pattern.c */
struct error *pattern_points(struct resolver *resolver, const struct spec *spec, bool every,
			     struct points *points) must_check;

/* alias.c */
bool is_syscall_body(const char *name);
/* What else a name may stand for: the specs to try in its place, best first; 0: nothing. */
enum { ALIASES_MAX = 2 };
unsigned alias_specs(struct resolver *resolver, const struct spec *spec,
		     const struct spec *ret[ALIASES_MAX]);

/* The bodies of the system call of that name, which is no function's. */
void alias_instances(struct resolver *resolver, const char *name, struct instance ***ret,
		     unsigned *count);

/* instances.c: copies by name; in a program also those a symbol of the name leads to. */
struct error *named_instances(struct resolver *resolver, const char *name, struct instance ***ret,
			      unsigned *count) must_check;
/* Of these, where there are none, of other names that it may be, those in the file (NULL: any). */
struct error *choose_instances(struct resolver *resolver, const char *function, const char *file,
			       const char *text, struct span span, struct instance ***ret,
			       unsigned *count) must_check;

/* name.c: what each want's value is called. */
struct error *name_wants(struct resolver *resolver, const struct spec *spec,
			 const char ***ret) must_check;

/* raw.c: instance: the function, or NULL. */
struct error *capture_raw(struct resolver *resolver, const struct spec *spec,
			  const struct instance *instance, const struct want *want,
			  struct capture *ret) must_check;
/* Whether the want is a $retval that is what a reference refers to: then it is captured as a variable. */
bool returns_reference(struct resolver *resolver, const struct instance *instance,
		       const struct want *want);
/* The kernel resolves the symbol; ktrace only passes it on. */
struct error *resolve_raw(struct resolver *resolver, const struct spec *spec,
			  const char *const *names, struct sites *sites) must_check;

/* entry.c: what is only known at the function's entry. */
bool capture_is_plain(const struct capture *capture);
bool site_needs_entry(const struct site *site);
/* Sets the site's entry and frames; or the reason why it can't. address: of a line, its own; of a
 * return, where the captures were made. */
const char *resolve_entry(struct resolver *resolver, const struct point *point, uint64_t address,
			  struct site *site);
void drop_entry_captures(struct site *site, const char *reason);

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

/* pieces.c: the object's bytes in one place or as one value, where they can be; size: how many. A
 * reason, or NULL: then npieces is 0, or the object is no number and lies in several places. */
const char *pieces_settle(struct arena *arena, struct object *object, uint64_t size, bool is_number);

/* All of it, as values of up to 8 bytes. A reason, or NULL. */
const char *pieces_parts(struct arena *arena, const struct object *object, uint64_t size,
			 const struct part_value **ret, unsigned *count);

/* capture.c: one want at one position. */
struct error *resolve_capture(struct resolver *resolver, const struct point *point,
			      struct position at, const struct spec *spec, const struct want *want,
			      struct capture *ret) must_check;

/* Refuses a $retval anywhere but at a return. */
struct error *check_return_value(struct resolver *resolver, const struct spec *spec,
				 const struct want *want) must_check;

/* shape.c */
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
/* cast.c: the type of a cast; *resolver becomes the one that knows it. */
struct error *resolve_type(struct resolver **resolver, const struct instance *instance,
			   const char *text, const struct type **ret) must_check;
const struct type *pointer_to(struct arena *arena, const struct type *target);

/* all.c: the spec with variables in the place of its $params and $vars; *ret is the spec itself where
 * it has none. */
bool has_all(const struct spec *spec);
struct error *expand_spec(struct resolver *resolver, const struct point *points, unsigned count,
			  struct sites *sites, const struct spec **ret) must_check;

/* Warns of locals that are asked for at their function's beginning. */
void check_initialised(struct resolver *resolver, const struct spec *spec,
		       const struct point *points, unsigned count, struct sites *sites);

/* missing.c: of one want, over all places. */
enum { MISSING_REASONS = 3 };
struct missing_reason {
	struct error *error; /* the first */
	unsigned places;
	bool is_many; /* with other names in it elsewhere */
};
struct missing {
	bool found;
	unsigned places;
	struct missing_reason reasons[MISSING_REASONS];
	unsigned nreasons;
};
/* error: of one more place; NULL: it has the value. */
void missing_note(struct missing *missing, struct error *error);
/* NULL: some place has it. */
struct error *missing_error(struct arena *arena, const struct missing *missing);

/* site.c: a point's. missing: of each want. */
struct error *make_site(struct resolver *resolver, const struct spec *spec,
			const struct point *point, const char *const *names, struct site *site,
			struct missing *missing) must_check;
/* Where the kernel is told to probe an address. */
struct error *place_site(struct resolver *resolver, const struct point *point, uint64_t address,
			 struct site *site) must_check;

/* statics.c: the variable that a name means at a position; NULL: none. Only CURRENT_TASK needs no
 * instance. */
struct error *resolve_variable(struct resolver *resolver, const struct instance *instance,
			       struct position at, const char *name,
			       struct variable **ret) must_check;

/* suggest.c: errors that say what there is instead */
struct error *no_member(struct resolver *resolver, const struct type *type, const char *name,
			const char *text, struct span span);
struct error *hint_members(struct resolver *resolver, const struct type *type, const char *path,
			   const char *step, struct error *error);
struct error *unknown_function(struct resolver *resolver, const char *name, const char *text,
			       struct span span);
struct error *unknown_variable(struct resolver *resolver, const struct instance *instance,
			       struct position at, const struct spec *spec,
			       const struct want *want);
/* Where some of the debug information can't be read, says so in the error's hint. */
struct error *blame_missing(struct resolver *resolver, struct error *error);
struct error *missing_value(struct resolver *resolver, const struct instance *instance,
			    const struct spec *spec, const struct want *want, const char *reason);

#endif
