/* SPDX-License-Identifier: GPL-2.0-only */
/* Where: from a place in a spec to the addresses it means. For the files of resolve/. */
#ifndef RESOLVE_POINTS_H
#define RESOLVE_POINTS_H

#include "resolve/internal.h"

struct points {
	struct point *list;
	unsigned count;
	unsigned size; /* points that there is room for */
};

/* For a glob's 200,000 points at once: a list that grows by doubling wastes as much again in the
 * arena. */
static inline void points_make_room(struct resolver *resolver, struct points *points, unsigned size)
{
	points->list =
		arena_grow(resolver->arena, points->list, points->count * sizeof(*points->list),
			   size * sizeof(*points->list));
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

static inline bool is_inside(const struct instance *instance, uint64_t address)
{
	for (unsigned i = 0; i < instance->nranges; i++)
		if (address >= instance->ranges[i].start && address < instance->ranges[i].end)
			return true;
	return false;
}

/* points/returns.c: replaces each point of a program's functions by the points where the
 * function returns. A point that stays as it was takes the kernel's return probe. */
struct error *return_exits(struct resolver *resolver, const struct spec *spec, struct sites *sites,
			   struct point **points, unsigned *count) must_check;
/* Marks what isn't known at the point; makes $retval, where the function ends, the register that
 * holds it. */
void exit_captures(struct resolver *resolver, const struct spec *spec, const struct point *point,
		   struct site *site);

/* points/lines.c */
struct error *line_points(struct resolver *resolver, const struct instance *instance,
			  unsigned line, bool all, struct points *points) must_check;
/* points/range.c: the points of each line that has code, of those that the place names. */
struct error *range_points(struct resolver *resolver, const struct instance *instance,
			   const struct place *place, bool every, struct points *points) must_check;
/* The points of a place's lines, in each instance; at least one. */
struct error *lines_of(struct resolver *resolver, const struct spec *spec,
		       struct instance *const *instances, unsigned count, bool every,
		       struct points *points) must_check;

struct candidates;
/* points/lines.c: the addresses of line_points(); false: an error. */
bool line_addresses(struct resolver *resolver, const struct instance *instance, unsigned line,
		    struct candidates *ret);
/* points/program.c: checks for programs only, which the kernel doesn't make. */
struct error *program_check_boundary(struct resolver *resolver, const struct spec *spec,
				     const struct instance *instance,
				     uint64_t address) must_check;
struct error *program_check_raw(struct resolver *resolver, const struct spec *spec,
				const struct want *want) must_check;
struct error *program_place(struct resolver *resolver, const struct point *point,
			    uint64_t address, struct site *site) must_check;

/* points/function.c */
/* Where the instances are entered, as a place that is a function's name means it. */
struct error *entry_points(struct resolver *resolver, struct instance *const *instances,
			   unsigned count, struct points *points) must_check;
/* Whether the instance is the second half of a function that gcc has split and not inlined back:
 * the first half calls it, so the function has been entered before. */
bool is_part(const struct resolver *resolver, const struct instance *instance);
struct error *function_points(struct resolver *resolver, const struct spec *spec, bool every,
			      struct points *points) must_check;

/* points/folded.c */
/* Prepares for folded_functions() of all these points. */
void folded_expect(struct resolver *resolver, const struct point *points, unsigned count);
/* The other functions that are this out-of-line instance's code, in quotes, as a text; NULL where
 * there are none. address: in the instance. */
const char *folded_functions(struct resolver *resolver, const struct instance *instance,
			     uint64_t address);

/* The function that the debug information has where the symbol of that name is, or NULL. */
const char *folded_into(const struct resolver *resolver, const char *name);

/* points/file.c */
struct error *file_points(struct resolver *resolver, const struct spec *spec, bool every,
			  struct points *points) must_check;
/* Refuses a name that several files have. */
struct error *one_file(struct resolver *resolver, const struct spec *spec,
		       struct instance *const *instances, unsigned count) must_check;
struct error *unknown_file(struct resolver *resolver, const struct spec *spec);

/* points/address.c */
/* The instance of the symbol that has code at the address, or NULL. */
const struct instance *instance_around(struct resolver *resolver, const struct symbol *symbol,
				       uint64_t address);
struct error *address_points(struct resolver *resolver, const struct spec *spec,
			     struct points *points) must_check;
struct error *offset_points(struct resolver *resolver, const struct spec *spec,
			    struct instance *const *instances, unsigned count,
			    struct points *points) must_check;
/* size: the function's. */
struct error *offset_outside(struct resolver *resolver, const struct spec *spec, uint64_t size);

/* points/clone.c: the out-of-line instance, with code at the address, of the function that the
 * symbol is named after. Returns NULL if there is none. */
const struct instance *clone_instance(struct resolver *resolver, const char *name,
				      uint64_t address);
/* The instances of the symbols of exactly that name; clone_ranges() cuts them down to the
 * symbol's code. */
void clone_instances(struct resolver *resolver, const char *name, struct instance ***ret,
		     unsigned *count);
void clone_ranges(struct resolver *resolver, const char *name, struct instance ***ret,
		  unsigned *count);

/* points/generic.c: instances of templates and generic functions that have that name before
 * their <..>. */
struct error *generic_instances(struct resolver *resolver, const char *name, struct instance ***ret,
				unsigned *count) must_check;

/* points/symbol.c: functions of that name that only the symbol table knows. */
struct error *symbol_points(struct resolver *resolver, const struct spec *spec, const char *name,
			    struct points *points) must_check;
struct error *glob_symbols(struct resolver *resolver, const char *glob, bool is_return,
			   struct points *points) must_check;

/* points/pattern.c */
struct error *pattern_points(struct resolver *resolver, const struct spec *spec, bool every,
			     struct points *points) must_check;

/* points/alias.c */
bool is_syscall_body(const char *name);
/* Specs to try in place of the spec, as its name may stand for something else; best first.
 * Returns how many. */
enum { ALIASES_MAX = 2 };
unsigned alias_specs(struct resolver *resolver, const struct spec *spec,
		     const struct spec *ret[ALIASES_MAX]);

/* The bodies of the system call of that name, which no function has. */
void alias_instances(struct resolver *resolver, const char *name, struct instance ***ret,
		     unsigned *count);

/* points/instances.c: instances by name; in a program also those that a symbol of the name leads
 * to. */
struct error *named_instances(struct resolver *resolver, const char *name, struct instance ***ret,
			      unsigned *count) must_check;
/* The instances of that name, else of other names it may stand for; only those in file (NULL:
 * any). */
struct error *choose_instances(struct resolver *resolver, const char *function, const char *file,
			       const char *text, struct span span, struct instance ***ret,
			       unsigned *count) must_check;

/* points/beginning.c: sets the entry of an inlined copy whose compiler doesn't say it to where its
 * code is entered, if that is one instruction; marks it when no instruction is known that each call
 * passes once. */
void find_beginning(struct resolver *resolver, struct instance *instance);

/* points/place.c */
/* Where the kernel is told to probe an address. */
struct error *place_site(struct resolver *resolver, const struct point *point, uint64_t address,
			 struct site *site) must_check;

#endif
