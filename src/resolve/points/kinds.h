/* SPDX-License-Identifier: GPL-2.0-only */
/* Within points/: a function for each kind of place, and what these share. */
#ifndef RESOLVE_KINDS_H
#define RESOLVE_KINDS_H

#include "resolve/points/points.h"

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

/* At its entry and where else calls begin. */
static inline void points_add_entries(struct resolver *resolver, struct points *points,
				      const struct instance *instance)
{
	points_add(resolver, points, instance, entry_of(instance), instance->function->line);
	for (unsigned i = 0; i < instance->nother_entries; i++)
		points_add(resolver, points, instance,
			   (struct position){.address = instance->other_entries[i],
					     .is_entry = true},
			   instance->function->line);
}

/* points/function.c */
struct error *function_points(struct resolver *resolver, const struct spec *spec, bool every,
			      struct points *points) must_check;

/* points/file_line.c */
struct error *file_points(struct resolver *resolver, const struct spec *spec, bool every,
			  struct points *points) must_check;
/* Refuses a name that several files have. */
struct error *one_file(struct resolver *resolver, const struct spec *spec,
		       struct instance *const *instances, unsigned count) must_check;

/* points/address.c */
struct error *address_points(struct resolver *resolver, const struct spec *spec,
			     struct points *points) must_check;
struct error *offset_points(struct resolver *resolver, const struct spec *spec,
			    struct instance *const *instances, unsigned count,
			    struct points *points) must_check;
/* size: the function's. */
struct error *offset_outside(struct resolver *resolver, const struct spec *spec, uint64_t size);

/* points/line_addresses.c */
/* The points of a place's lines, in each instance; at least one. */
struct error *lines_of(struct resolver *resolver, const struct spec *spec,
		       struct instance *const *instances, unsigned count, bool every,
		       struct points *points) must_check;

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
/* The function's name without arguments of templates. */
const char *bare_name(struct arena *arena, const struct function *function);

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
/* The bodies of the system call of that name, which no function has. */
void alias_instances(struct resolver *resolver, const char *name, struct instance ***ret,
		     unsigned *count);

/* points/instances.c: instances by name; in a program also those that a symbol of the name leads
 * to. */
struct error *named_instances(struct resolver *resolver, const struct named_function *named,
			      struct instance ***ret, unsigned *count) must_check;
/* The instances of that name, else of other names it may stand for; only those in its file. */
struct error *choose_instances(struct resolver *resolver, const struct named_function *named,
			       struct instance ***ret, unsigned *count) must_check;

/* points/beginning.c: sets the entry of an inlined copy whose compiler doesn't say it to where its
 * code is entered, if that is one instruction; marks it when no instruction is known that each call
 * passes once. */
void find_beginning(struct resolver *resolver, struct instance *instance);
/* points/entrances.c: the instructions at which calls enter such a copy. */
struct entrances {
	uint64_t *addresses;
	unsigned count; /* 0: none is known, or rounds of a loop pass it as well */
	bool are_met_twice; /* a call may pass two of them */
	bool are_come_back_to; /* further ways lead in, only from where the copy has been */
};
void find_entrances(struct resolver *resolver, const struct flow *flow,
		    const struct instance *instance, struct entrances *ret);
/* points/closed_copy.c: the instructions of a copy that an execution may get to, whatever the code
 * around it does, without passing one of the entries; for flow_marked() of *ret, a flow of the copy
 * alone. Returns NULL when that isn't known. */
struct candidates;
const bool *code_past_entries(struct resolver *resolver, const struct instance *instance,
			      const struct candidates *entries, const struct flow **ret);
/* points/bypassed.c: marks a copy that gcc enters elsewhere than at its entry, too. */
void find_bypass(struct resolver *resolver, struct instance *instance,
		 struct instance *const *all, unsigned count);

/* points/jumps_on.c: drops points that an execution leaves at once for another point of the same
 * line. Returns how many are left. */
unsigned drop_jumps_to_others(struct resolver *resolver, struct point *points, unsigned count);

/* points/program_offset.c: the same as place_site(), of a program. */
struct error *program_place(struct resolver *resolver, const struct point *point,
			    uint64_t address, struct site *site) must_check;

#endif
