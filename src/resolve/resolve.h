/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The interface of resolve/: turns specs into sites, with the help of a source of debug
 * information. It combines the source's answers; it reads no DWARF and no tracefs itself.
 */
#ifndef RESOLVE_RESOLVE_H
#define RESOLVE_RESOLVE_H

#include "base/arena.h"
#include "ktrace/arch.h"
#include "ktrace/debuginfo.h"
#include "ktrace/graph.h"
#include "ktrace/site.h"
#include "ktrace/target.h"
#include "ktrace/tracepoint.h"

enum { FLOWS_KEPT = 32, CALLEES_KEPT = 8192, DEPARTURES_KEPT = 1024, DEPARTURES_MOST = 6,
       EFFECTS_KEPT = 1024, SOURCES_KEPT = 4 };

struct resolver {
	struct arena *arena;
	struct target *target;        /* NULL: no target was found; only raw specs resolve */
	struct debuginfo *info;       /* NULL: symbols only */
	const struct arch *arch;
	/* For a module: opens its kernel's resolver. NULL if there is no way to one */
	struct error *(*open_kernel)(void *cookie, struct resolver **ret) must_check;
	void *cookie;
	struct flow *flow; /* the last one built: instances in one function ask for the same */
	struct kept_flow {
		struct flow *flow; /* NULL: none. It and all that is kept of it is in its arena */
		struct arena arena;
		uint64_t size, used; /* bytes of code; of flow_uses */
	} kept_flows[FLOWS_KEPT]; /* flow/kept_flows.c */
	uint64_t flow_uses;
	/* points/function.c: inlined copies of the returns found last, until they are named */
	const struct instance **returnless;
	unsigned nreturnless;
	/* passes/called_copies.c: of the instance that was asked about last */
	struct inner_copies {
		uint64_t source;
		struct instance **list;
		unsigned count;
	} inner_copies;
	struct callee { /* by a hash of the address; 0: none */
		uint64_t address;
		bool comes_back;
	} callees[CALLEES_KEPT]; /* what flow/noreturn.c found out last */
	struct known_effect *effects; /* flow/code.c: by a hash of the address; NULL: none yet */
	/* by a hash of the variable and of its place: what values/joins.c found out last */
	struct departures {
		uint64_t source, instance, start, end;
		unsigned view, count; /* count of more than DEPARTURES_MOST: not all are listed */
		uint64_t to[DEPARTURES_MOST];
	} departures[DEPARTURES_KEPT];
	/* what one line's addresses are chosen by, or one value is made of; emptied at the next */
	struct arena scratch;
	/* Returns the text of the lines' whole file; NULL if it isn't here, or may not be shown:
	 * *refused says why */
	const char *(*read_source)(struct resolver *resolver, const struct source_lines *lines,
				   const char **refused);
	/* source_line.c: the files that were asked about last */
	struct known_source {
		struct arena arena;
		unsigned used; /* more than those used before it */
		const char *directory;
		const char *file; /* NULL: none was */
		const char **lines; /* each ends in a newline, or the last one in NUL */
		unsigned count; /* 0: it isn't here */
		/* passes/source_jumps.c: of each line what it says of jumps, and the next `return`
		 * and 1; the jumping lines up to each of the first `ncounted` */
		uint8_t *jumps;
		unsigned *returns;
		unsigned *jumping;
		unsigned ncounted;
	} known_sources[SOURCES_KEPT];
	unsigned source_uses;
};

/* Frees what it keeps outside of .arena. */
void resolver_deinit(struct resolver *resolver);

/* The sites of a spec, in batches: one per matched function where each has variables of its own
 * ($params of a glob), else one. own: arena of the current batch and of what the resolver makes
 * for it, emptied before the next batch; NULL: all batches stay. */
struct batches *resolve_open(struct resolver *resolver, const struct spec *spec, struct arena *own);
/* Sets *ret to NULL after the last batch. Fails only if nothing can be probed, or if a wanted
 * value is unavailable at every site; what one site lacks is a capture of kind CAPTURE_NONE
 * there. Not to be called again after an error. */
struct error *resolve_next(struct batches *batches, struct sites **ret) must_check;
/* Must be called last. Returns the error, a batch's or one in what was made of it, moved to an
 * arena that stays. */
struct error *resolve_close(struct batches *batches, struct error *error) must_check;

/* Finds the functions that are inlined into the function of a FOLLOWED_BEGIN spec: for each inlined
 * copy, the sites where it begins and, if has_lines, those of its lines. Copies that can't be
 * probed are left out. */
struct error *resolve_inner(struct resolver *resolver, const struct spec *spec, bool has_lines,
			    struct sites ***ret, unsigned *count) must_check;
/* How many of the probes at these offsets from its entry a call hits at least; 0 where that isn't
 * known: of an inlined copy, and of several functions. */
struct error *resolve_least(struct resolver *resolver, const struct spec *spec,
			    const uint64_t *offsets, unsigned count, unsigned *ret) must_check;

/* Looks up what the words of the filters mean to the sites' captures, since plan/ has no debug
 * information. */
struct error *resolve_constants(struct resolver *resolver, const struct filter *const *filters,
				unsigned count, struct sites *sites) must_check;

/* graph_functions.c: the functions of a call graph. *graph belongs to *ret, and lives in the
 * resolver's arena. */
struct graph_wanted {
	/* [0] is the root; the others are followed wherever they are called */
	const struct spec *const *specs;
	unsigned nspecs;
	unsigned depth;
	bool has_inlined; /* also what is inlined into functions above the last level */
	/* Functions that the running kernel forbids to probe, as far as known. Neither they nor
	 * those of which the image says it count as a level. Sorted. */
	const char *const *blacklisted;
	unsigned nblacklisted;
	const char *const *traceable; /* no other function can be probed; NULL: not known */
	unsigned ntraceable;
};
struct graphing;
struct error *graph_resolve(struct resolver *resolver, const struct graph_wanted *wanted,
			    struct graphing **ret, struct graph **graph) must_check;
/* The sites where its functions[index] is entered, or returns. */
struct error *graph_sites(struct graphing *graphing, unsigned index, bool is_return,
			  struct sites **ret) must_check;

/* Whether the kernel needs nothing but the spec's own words: a symbol, an offset, raw arguments. */
bool spec_is_raw(const struct spec *spec);

/* Whether a program's function of that name returns twice or walks the stack: a return probe of the
 * kernel's would break it. */
bool resolve_is_stack_magic(const char *name);

/* An address of a place, without arguments: for -V. */
struct point {
	const struct instance *instance; /* NULL: a symbol without debug information */
	const char *symbol; /* its name then */
	/* of a line: the instance whose line it is, though the address be outside its code */
	const struct instance *line_of;
	struct position at;
	unsigned line; /* in the file; 0: unknown */
	unsigned asked_line; /* of a pattern or several lines: the number as a place writes it */
	unsigned marks; /* of the line at its address: that many copies can be there */
	const struct position *alternatives; /* other addresses with the same hits, ascending */
	const struct prologue *prologue; /* for a program's function; or NULL */
	const struct writes *pending;    /* writes of statements before the line that come behind
					  * its address; or NULL */
	const struct early *early;       /* writes of statements behind the line that come before
					  * its address; or NULL */
	const struct exit *exit; /* for a return that is probed where the function ends; or NULL */
	const char *note;        /* how the return is probed, or NULL */
	unsigned nalternatives;
	bool is_perhaps; /* of a followed line: its code also runs where the line isn't passed */
	bool may_lack;   /* of a followed line: it can be passed without an event */
	unsigned exit_number;    /* 0: the first of the function's */
};
/* The error for variables asked for at a point without an instance. */
struct error *symbol_only(struct resolver *resolver, const struct spec *spec, struct span span);

/* What a probe of an indirect function, such as libc's memcpy, doesn't see. */
char *indirect_text(struct arena *arena, const char *name);
struct error *resolve_points(struct resolver *resolver, const struct spec *spec,
			     struct point **ret, unsigned *count) must_check;
/* The same, with all of a line's addresses, chosen or not. */
struct error *resolve_all_points(struct resolver *resolver, const struct spec *spec,
				 struct point **ret, unsigned *count) must_check;

/* A function, as the user named it. */
struct named_function {
	const char *name;
	const char *file; /* NULL: any */
	const char *text; /* the user's, for errors */
	struct span span; /* the name's in it */
};
/* The instances of the function that a place or range names; at least one. */
struct error *resolve_instances(struct resolver *resolver, const struct named_function *named,
				struct instance ***ret, unsigned *count) must_check;

/* ERROR_AMBIGUOUS if the instances, which have lines of `file`, lie in several files of that
 * name. */
struct error *resolve_one_file(struct resolver *resolver, const char *file,
			       struct instance *const *instances, unsigned count) must_check;

/* Rewrites the static addresses in a location: to ones that the kernel can be told by name; in a
 * program that may be loaded anywhere, to ones relative to the probe at `address`; a per-CPU
 * object's to that of the hit's CPU. Returns NULL, or the reason why it can't. */
const char *resolve_statics(struct resolver *resolver, uint64_t address, struct loc *loc);

/* Lists all systems (if system is NULL) or a system's events, sorted. */
typedef struct error *(*tracepoint_lister)(struct arena *arena, const char *system,
					   const char ***ret, unsigned *count);
/* The events that the spec of an -e matches; at least one. Only their names are set. */
struct error *resolve_tracepoints(struct arena *arena, const struct spec *spec,
				  tracepoint_lister list, struct tracepoint **ret,
				  unsigned *count) must_check;

/* Those of the `count` names that are nearest to name, joined for a hint; NULL if none is near. */
char *suggest_names(struct arena *arena, const char *name, const char *const *names,
		    unsigned count);

#endif
