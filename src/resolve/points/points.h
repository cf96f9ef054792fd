/* SPDX-License-Identifier: GPL-2.0-only */
/* Where: from a place of a spec to the addresses that mean it, for the files of resolve/. */
#ifndef RESOLVE_POINTS_H
#define RESOLVE_POINTS_H

#include "resolve/internal.h"

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

/* points/returns.c: of a program's functions, in the place of each point those where it returns. Where it is
 * one point still, the kernel's return probe is to be used. */
struct error *return_exits(struct resolver *resolver, const struct spec *spec, struct sites *sites,
			   struct point **points, unsigned *count) must_check;
/* What isn't known at the point is so marked, and $retval, where the function ends, is the register that
 * it is in. */
void exit_captures(struct resolver *resolver, const struct spec *spec, const struct point *point,
		   struct site *site);

/* points/lines.c */
struct error *line_points(struct resolver *resolver, const struct instance *instance,
			  unsigned line, bool all, struct points *points) must_check;
/* Of a place's line, in each of the copies; never none. */
struct error *lines_of(struct resolver *resolver, const struct spec *spec,
		       struct instance *const *instances, unsigned count, bool every,
		       struct points *points) must_check;

/* points/passes.c: of a line's addresses in a copy, those where one hit is one pass. */
struct candidates {
	uint64_t *addresses; /* ascending, with room for one more */
	unsigned count;
};

static inline bool is_of_line(const struct instance *instance, const struct row *row, unsigned line)
{
	return row->line == line && !strcmp(row->file, instance->function->file);
}

/* Else the one at its address is a later row's. */
static inline bool has_instruction(const struct row *row)
{
	return row->end > row->address;
}

static inline bool has_address(const struct candidates *list, uint64_t address)
{
	for (unsigned i = 0; i < list->count; i++)
		if (list->addresses[i] == address)
			return true;
	return false;
}

void passes_keep(struct resolver *resolver, const struct instance *instance, unsigned line,
		 const struct row *rows, unsigned nrows, const struct flow *flow, struct candidates *list);
/* Of the addresses of its declaration's marks, those where an inlined copy is entered. */
void passes_entries(struct resolver *resolver, const struct instance *instance, const struct row *rows,
		    unsigned nrows, const struct flow *flow, struct candidates *list);
/* Without the code itself: addresses with no other line of the function between them are one. */
void passes_keep_blind(const struct instance *instance, unsigned line, const struct row *rows,
		       unsigned nrows, struct candidates *list);

/* points/program.c: what is checked of a program only, since the kernel does not. */
struct error *program_check_boundary(struct resolver *resolver, const struct spec *spec,
				     const struct instance *instance,
				     uint64_t address) must_check;
struct error *program_check_raw(struct resolver *resolver, const struct spec *spec,
				const struct want *want) must_check;
struct error *program_place(struct resolver *resolver, const struct point *point,
			    uint64_t address, struct site *site) must_check;

/* points/function.c */
/* The second half of a function that gcc has split, where it is not inlined back: the first half calls it, and was
 * entered before. */
bool is_part(const struct resolver *resolver, const struct instance *instance);
struct error *function_points(struct resolver *resolver, const struct spec *spec, bool every,
			      struct points *points) must_check;

/* points/file.c */
struct error *file_points(struct resolver *resolver, const struct spec *spec, bool every,
			  struct points *points) must_check;
/* Refuses a name that is several files'. */
struct error *one_file(struct resolver *resolver, const struct spec *spec,
		       struct instance *const *instances, unsigned count) must_check;
struct error *unknown_file(struct resolver *resolver, const struct spec *spec);

/* points/address.c */
struct error *address_points(struct resolver *resolver, const struct spec *spec,
			     struct points *points) must_check;
struct error *offset_points(struct resolver *resolver, const struct spec *spec,
			    struct instance *const *instances, unsigned count,
			    struct points *points) must_check;
/* size: the function's. */
struct error *offset_outside(struct resolver *resolver, const struct spec *spec, uint64_t size);

/* points/clone.c: the copy, out of line, with code at the address, of the function that the symbol is named
 * after; NULL: none. */
const struct instance *clone_instance(struct resolver *resolver, const char *name, uint64_t address);
/* Those of the symbols of exactly that name; with clone_ranges() only their part in the symbol. */
void clone_instances(struct resolver *resolver, const char *name, struct instance ***ret,
		     unsigned *count);
void clone_ranges(struct resolver *resolver, const char *name, struct instance ***ret,
		  unsigned *count);

/* points/generic.c: copies of what has that name before its <..>, of a template or a generic function. */
struct error *generic_instances(struct resolver *resolver, const char *name, struct instance ***ret,
				unsigned *count) must_check;

/* points/symbol.c: functions that only the symbol table knows by that name. */
struct error *symbol_points(struct resolver *resolver, const struct spec *spec, const char *name,
			    struct points *points) must_check;
struct error *glob_symbols(struct resolver *resolver, const char *glob, bool is_return,
			   struct points *points) must_check;

/* points/pattern.c */
struct error *pattern_points(struct resolver *resolver, const struct spec *spec, bool every,
			     struct points *points) must_check;

/* points/alias.c */
bool is_syscall_body(const char *name);
/* What else a name may stand for: the specs to try in its place, best first; 0: nothing. */
enum { ALIASES_MAX = 2 };
unsigned alias_specs(struct resolver *resolver, const struct spec *spec,
		     const struct spec *ret[ALIASES_MAX]);

/* The bodies of the system call of that name, which is no function's. */
void alias_instances(struct resolver *resolver, const char *name, struct instance ***ret,
		     unsigned *count);

/* points/instances.c: copies by name; in a program also those a symbol of the name leads to. */
struct error *named_instances(struct resolver *resolver, const char *name, struct instance ***ret,
			      unsigned *count) must_check;
/* Of these, where there are none, of other names that it may be, those in the file (NULL: any). */
struct error *choose_instances(struct resolver *resolver, const char *function, const char *file,
			       const char *text, struct span span, struct instance ***ret,
			       unsigned *count) must_check;

/* place.c */
/* Where the kernel is told to probe an address. */
struct error *place_site(struct resolver *resolver, const struct point *point, uint64_t address,
			 struct site *site) must_check;

#endif
