/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds the addresses that a place in a spec means. What the rest of resolve/ asks this
 * room; its own files share points/kinds.h as well. */
#ifndef RESOLVE_POINTS_H
#define RESOLVE_POINTS_H

#include "resolve/internal.h"

struct points {
	struct point *list;
	unsigned count;
	unsigned size; /* points that there is room for */
};

/* points/returns.c: replaces each point of a program's functions by the points where the
 * function returns. A point that stays as it was takes the kernel's return probe. */
struct error *return_exits(struct resolver *resolver, const struct spec *spec, struct sites *sites,
			   struct point **points, unsigned *count) must_check;
/* Marks what isn't known at the point; makes $retval, where the function ends, the register that
 * holds it. */
void exit_captures(struct resolver *resolver, const struct spec *spec, const struct point *point,
		   struct site *site);

/* points/line_addresses.c */
struct error *line_points(struct resolver *resolver, const struct instance *instance,
			  unsigned line, bool all, struct points *points) must_check;
/* points/line_range.c: the points of each line that has code, of those that the place names. */
struct error *range_points(struct resolver *resolver, const struct instance *instance,
			   const struct place *place, bool every, struct points *points) must_check;

/* points/line_addresses.c: the addresses of line_points(); false: an error. */
struct candidates;
bool line_addresses(struct resolver *resolver, const struct instance *instance, unsigned line,
		    struct candidates *ret);

/* points/program_offset.c: checks for programs only, which the kernel doesn't make. */
struct error *program_check_boundary(struct resolver *resolver, const struct spec *spec,
				     const struct instance *instance,
				     uint64_t address) must_check;
struct error *program_check_raw(struct resolver *resolver, const struct spec *spec,
				const struct want *want) must_check;
/* points/function.c */
/* Where the instances are entered, as a place that is a function's name means it. */
struct error *entry_points(struct resolver *resolver, struct instance *const *instances,
			   unsigned count, struct points *points) must_check;
/* Whether the instance is the second half of a function that gcc has split and not inlined back:
 * the first half calls it, so the function has been entered before. */
bool is_part(const struct resolver *resolver, const struct instance *instance);
/* points/identical_code.c */
/* Prepares for folded_functions() of all these points. */
void folded_expect(struct resolver *resolver, const struct point *points, unsigned count);
/* The other functions that are this out-of-line instance's code, in quotes, as a text; NULL where
 * there are none. address: in the instance. */
const char *folded_functions(struct resolver *resolver, const struct instance *instance,
			     uint64_t address);

/* The function that the debug information has where the symbol of that name is, or NULL. */
const char *folded_into(const struct resolver *resolver, const char *name);

/* points/thunks.c: warnings about calls without an event, since a thunk has the function's code.
 * Returns how many. */
unsigned thunk_texts(struct resolver *resolver, const struct point *points, unsigned count,
		     const char ***ret);

/* points/file_line.c */
struct error *unknown_file(struct resolver *resolver, const struct spec *spec);

/* points/address.c */
/* The instance of the symbol that has code at the address, or NULL. */
const struct instance *instance_around(struct resolver *resolver, const struct symbol *symbol,
				       uint64_t address);
/* points/alias.c */
/* Specs to try in place of the spec, as its name may stand for something else; best first.
 * Returns how many. */
enum { ALIASES_MAX = 2 };
unsigned alias_specs(struct resolver *resolver, const struct spec *spec,
		     const struct spec *ret[ALIASES_MAX]);

/* points/points.c */
/* Where the kernel is told to probe an address. */
struct error *place_site(struct resolver *resolver, const struct point *point, uint64_t address,
			 struct site *site) must_check;

/* points/instances.c: one of the copies that share the name of a program's own function and that
 * the place doesn't mean, and their number; NULL: none. */
const struct instance *left_out_copies(struct resolver *resolver, const struct place *place,
				       unsigned *count);

#endif
