/* SPDX-License-Identifier: GPL-2.0-only */
/* The lists that the verbs lines, vars and funcs print. Results are in the resolver's arena. */
#ifndef RESOLVE_LISTING_H
#define RESOLVE_LISTING_H

#include "resolve/resolve.h"

struct listed_place {
	const struct instance *instance;
	uint64_t address;
};

struct listed_line {
	struct listed_place *places;
	uint64_t highest; /* of their addresses */
	unsigned count; /* 0: the line has no code */
	unsigned owner; /* where its function is declared: the last before it that has code of it */
	bool has_more;  /* the optimiser merged it: more events than passes are possible */
	bool has_fewer;
};

struct line_list {
	struct resolver *resolver;
	struct arena *arena; /* of the list itself */
	const struct line_range *range;
	const char *title; /* the function, or the file */
	const char *file;
	const char *directory; /* what a relative file is relative to */
	unsigned base;  /* line of the file that is shown as 0 */
	unsigned first; /* of the file */
	unsigned last;
	struct listed_line *lines; /* [line - first] */
	unsigned unprobed;         /* lines without places because of what is... */
	const char *why_unprobed;  /* ...at them: "an instruction ..."; NULL if there are none */
};
struct error *resolve_lines(struct resolver *resolver, const struct line_range *range,
			    struct line_list *ret) must_check;

/* lines_merged.c: sets has_more and has_fewer; instances: those of the list. */
struct spare;
void mark_merged(struct line_list *list, struct instance *const *instances, unsigned count,
		 struct spare *spare);

/* lines_unprobed.c: leaves out places, and lines, at which the kernel takes no uprobe. */
void drop_unprobed_lines(struct line_list *list, struct spare *spare);

/* Why the kernel takes no uprobe at the point: "an instruction ..."; NULL: it does. */
const char *resolve_unprobed(struct resolver *resolver, const struct point *point);

/* All variables in scope at a point that has an instance, inner before outer. externs: the
 * unit's externs, too. */
struct error *resolve_variables(struct resolver *resolver, const struct point *point, bool externs,
				struct variable **ret, unsigned *count) must_check;
/* What a pointer that was optimised away (LOC_IMPLICIT) points to, with a location. */
const struct variable *resolve_pointee(struct resolver *resolver, const struct point *point,
				       const struct variable *pointer);
/* Why a variable that is found at a point can't be shown by its name alone, or NULL. */
const char *resolve_obstacle(struct resolver *resolver, const struct point *point,
			     const struct variable *variable);
/* "register di", "*(u32 *)(dx + 4)": what a person reads. */
char *resolve_loc_text(struct resolver *resolver, const struct loc *loc);

/* A function's name, and what has that name. */
struct listed_function {
	const char *name;
	unsigned symbols; /* with code */
	bool has_code;
	bool inlined;
	bool is_init;
	bool is_blacklisted; /* by the kernel's image: see enum kprobe_limit */
	bool is_notrace;
	bool is_linkage; /* a linkage name; the source's name is listed, too */
};
struct function_list {
	struct listed_function *list;
	size_t count;
};
/* Sorted by name, each name once. glob: NULL for all. */
struct error *resolve_functions(struct resolver *resolver, const char *glob,
				struct function_list *ret) must_check;
/* The same for the running kernel, from /proc/kallsyms alone. */
void running_functions(struct arena *arena, const char *glob, struct function_list *ret);

#endif
