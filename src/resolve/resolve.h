/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The door of resolve/: specs and a source of debug information to sites. Composes the source's
 * small answers; reads no DWARF and no tracefs itself.
 */
#ifndef RESOLVE_RESOLVE_H
#define RESOLVE_RESOLVE_H

#include "base/arena.h"
#include "ktrace/arch.h"
#include "ktrace/debuginfo.h"
#include "ktrace/site.h"
#include "ktrace/target.h"
#include "ktrace/tracepoint.h"

struct resolver {
	struct arena *arena;
	struct target *target;        /* NULL: none was found; only raw specs resolve */
	struct debuginfo *info;       /* NULL: symbols only */
	const struct arch *arch;
	/* of a module: the resolver of its kernel; NULL: there is no way to one */
	struct error *(*open_kernel)(void *cookie, struct resolver **ret) must_check;
	void *cookie;
	struct flow *flow; /* the last one built: copies in one function ask for the same */
	/* the text of a source file, as the compiler was told its name; NULL: it isn't here */
	const char *(*read_source)(struct resolver *resolver, const char *file);
};

/* The sites of a spec, in batches: one for each matched function where each has variables of its own ($params
 * of a glob), else one. own: of the batch in hand and of what is made of it in the resolver's arena, emptied
 * before the next one; NULL: all batches stay. */
struct batches *resolve_open(struct resolver *resolver, const struct spec *spec, struct arena *own);
/* *ret is NULL behind the last. Fails only where nothing can be probed, or where a wanted value is to be
 * had at no site; what one site lacks is a capture of kind CAPTURE_NONE there. After an error there is no
 * next one. */
struct error *resolve_next(struct batches *batches, struct sites **ret) must_check;
/* To be called in the end; returns the error, of a batch or of what was made of it, as one that stays. */
struct error *resolve_close(struct batches *batches, struct error *error) must_check;

/* Finds out what words of the filters mean to the sites' captures: plan/ asks nobody. */
void resolve_constants(struct resolver *resolver, const struct filter *const *filters, unsigned count,
		       struct sites *sites);

/* Whether the spec says all the kernel needs: a symbol, an offset, raw arguments. */
bool spec_is_raw(const struct spec *spec);

/* A place's addresses, without arguments: for -V. */
struct point {
	const struct instance *instance; /* NULL: a symbol without debug information */
	const char *symbol; /* its name then */
	struct position at;
	unsigned line; /* in the file; 0: unknown */
	unsigned asked_line; /* of a pattern: the line's number as a place has it */
	const struct position *alternatives; /* others with the same hits, in order */
	unsigned nalternatives;
	const struct prologue *prologue; /* of a program's function; or NULL */
	const struct pending *pending;   /* what statements before the line have still to do; or NULL */
	const struct exit *exit; /* of a return that is probed where the function ends; or NULL */
	unsigned exit_number;    /* 0: the first of the function's */
	const char *note;        /* how the return is probed, or NULL */
};
/* For who asks for variables at a point without an instance. */
struct error *symbol_only(struct resolver *resolver, const struct spec *spec, struct span span);
struct error *resolve_points(struct resolver *resolver, const struct spec *spec,
			     struct point **ret, unsigned *count) must_check;
/* The same with all of a line's addresses, chosen or not. */
struct error *resolve_all_points(struct resolver *resolver, const struct spec *spec,
				 struct point **ret, unsigned *count) must_check;

/* The copies of the function that a place or range names; never none. span: in text, for errors. */
struct error *resolve_instances(struct resolver *resolver, const char *function, const char *file,
				const char *text, struct span span, struct instance ***ret,
				unsigned *count) must_check;

/* ERROR_AMBIGUOUS where the copies, which lines of `file` belong to, are in several files of that name. */
struct error *resolve_one_file(struct resolver *resolver, const char *file,
			       struct instance *const *instances, unsigned count) must_check;

/* Makes the addresses of static objects in a location ones that the kernel can be told by name, or of a
 * program's that the probe at `address` knows, and a per-CPU object that of the hit's CPU. NULL, or the
 * reason why it can't be had. */
const char *resolve_statics(struct resolver *resolver, uint64_t address, struct loc *loc);

/* The systems (NULL) or events that there are, sorted. */
typedef struct error *(*tracepoint_lister)(struct arena *arena, const char *system,
					   const char ***ret, unsigned *count);
/* Those that the spec of an -e means; never none. Only their names are set. */
struct error *resolve_tracepoints(struct arena *arena, const struct spec *spec,
				  tracepoint_lister list, struct tracepoint **ret,
				  unsigned *count) must_check;

/* Names of `count` that are nearest to name, joined for a hint; NULL: none is near. */
char *suggest_names(struct arena *arena, const char *name, const char *const *names,
		    unsigned count);

#endif
