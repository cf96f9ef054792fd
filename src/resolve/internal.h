/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions that the files of resolve/ share. */
#ifndef RESOLVE_INTERNAL_H
#define RESOLVE_INTERNAL_H

#include <string.h>

#include "base/error.h"
#include "expr/expr.h"
#include "resolve/resolve.h"

static inline bool is_inside(const struct instance *instance, uint64_t address)
{
	for (unsigned i = 0; i < instance->nranges; i++)
		if (address >= instance->ranges[i].start && address < instance->ranges[i].end)
			return true;
	return false;
}

/* Bytes of code. */
static inline uint64_t instance_size(const struct instance *instance)
{
	uint64_t size = 0;

	for (unsigned i = 0; i < instance->nranges; i++)
		size += instance->ranges[i].end - instance->ranges[i].start;
	return size;
}

/* Whether calls begin there, at the entry or where else they do. */
static inline bool is_begun_at(const struct instance *instance, uint64_t address)
{
	for (unsigned i = 0; i < instance->nother_entries; i++)
		if (address == instance->other_entries[i])
			return true;
	return address == instance->entry;
}

/* resolve.c: every site of a spec. */
struct error *resolve_spec(struct resolver *resolver, const struct spec *spec,
			   struct sites **ret) must_check;
/* The sites at points that were found. */
struct error *resolve_at(struct resolver *resolver, const struct spec *spec, struct point *points,
			 unsigned count, struct sites *sites) must_check;

/* Why the code at a point isn't in memory, so that no probe of it is hit; NULL: it may be. */
const char *dead_reason(struct resolver *resolver, const struct point *point);

/* warnings.c */
void sites_warn(struct resolver *resolver, struct sites *sites, const char *text);
void warn_of_points(struct resolver *resolver, struct sites *sites, const struct point *points,
		    unsigned count);

/* spare.c: has the resolver and its debug information answer in the arena; what they keep of the
 * last answers is forgotten. */
void resolver_use(struct resolver *resolver, struct arena *arena);
/* An arena for answers that nothing needs for long, of which there are many. */
struct spare {
	struct arena *kept; /* the resolver's own */
	struct arena own;
};
void spare_begin(struct spare *spare, struct resolver *resolver);
/* Between two answers: forgets them once they take much memory. Returns whether it did. */
bool spare_tidy(struct spare *spare, struct resolver *resolver);
/* Returns the error, moved to the resolver's own arena. */
struct error *spare_end(struct spare *spare, struct resolver *resolver,
			struct error *error) must_check;

/* entry.c: values that are only known at the function's entry. */
bool capture_is_plain(const struct capture *capture);
bool site_needs_entry(const struct site *site);
/* Refuses to join by call or thread what the target may move to another stack or thread. */
struct error *check_calls(const struct resolver *resolver, const struct spec *spec);
/* Sets the site's entry and frames. Returns NULL, or the reason why it can't. address: for a
 * line, its own; for a return, where the captures were made. */
const char *resolve_entry(struct resolver *resolver, const struct point *point, uint64_t address,
			  struct site *site);
/* For a pair that is joined by calls: sets the site's frame, if it is known, and of an end the
 * entry, which tells whether a start was in the same call. A start at the entry itself tells that
 * too. */
void resolve_call(struct resolver *resolver, const struct spec *spec, const struct point *point,
		  uint64_t address, struct site *site);
/* Sets the site's frame, as far as it is known. */
void resolve_frame(struct resolver *resolver, const struct point *point, uint64_t address,
		   struct site *site);
void drop_entry_captures(struct site *site, const char *reason);

/* source_line.c: the text of a line of the function's file, which ends in a newline or NUL; NULL:
 * the source isn't here, or isn't what was compiled. */
const char *source_line(struct resolver *resolver, const struct instance *instance, unsigned line);
/* All lines, which has none if there is no such source; valid until the next question. line: of the
 * instance's function, where it is judged whether the source is what was compiled. */
struct known_source *known_source_of(struct resolver *resolver, const struct instance *instance,
			       unsigned line);

/* followed.c: whether the spec is a function's lines (FUNC:*), each a probe. */
bool is_function_range(const struct spec *spec);
/* Marks the points of followed lines, or of the first copy of such a range, whose code also runs
 * where the line isn't passed, and those of lines that may be passed without an event. */
void resolve_perhaps(struct resolver *resolver, const struct spec *spec, struct point *points,
		     unsigned count);
/* Sets what identifies the hits of one call, and their order. */
void resolve_followed(struct resolver *resolver, const struct spec *spec, const struct point *point,
		      struct position at, struct site *site);

/* missing.c: why a want has no value, collected over all places. */
enum { MISSING_REASONS = 3 };
struct missing_reason {
	struct error *error; /* the first */
	unsigned places;
	bool is_many; /* with other names in it at other places */
};
struct missing {
	bool found;
	unsigned places;
	struct missing_reason reasons[MISSING_REASONS];
	unsigned nreasons;
};
/* error: of one more place; NULL: the want has a value there. */
void missing_note(struct missing *missing, struct error *error);
/* Returns NULL if some place has the value. */
struct error *missing_error(struct arena *arena, const struct missing *missing);

/* suggest.c: errors that say what exists instead */
struct error *no_member(struct resolver *resolver, const struct type *type, const char *name,
			const char *text, struct span span);
struct error *hint_members(struct resolver *resolver, const struct type *type, const char *path,
			   const char *step, struct error *error);
struct error *unknown_function(struct resolver *resolver, const char *name, const char *text,
			       struct span span);
/* points/line_addresses.c: why lines of a function can't be named: it has none, or no first one. */
struct error *no_line_table(struct resolver *resolver, const char *name, struct error *error);
struct error *undeclared(struct resolver *resolver, const struct instance *instance,
			 const char *text, struct span span);
/* What an assembler or the compiler itself made has lines, but none that it is declared at. */
bool is_declared(const struct instance *instance);
/* points/file_line.c: names the nearest lines of the file with code, or says that it has none. */
struct error *hint_nearest(struct resolver *resolver, const char *file, unsigned line,
			   struct error *error);
struct error *unknown_variable(struct resolver *resolver, const struct instance *instance,
			       struct position at, const struct spec *spec,
			       const struct want *want);
/* The error for a place, or a range to be listed, that needs lines when none are known. */
struct error *check_lines_known(struct resolver *resolver, const char *text, struct span span);
/* suggest_lines.c: adds as a hint the lines of the instance where the want has a value. Returns
 * NULL if it has none at any. */
struct error *hint_lines(struct resolver *resolver, const struct instance *instance,
			 const struct spec *spec, const struct want *want, struct error *error);
/* suggest_functions.c: adds the source files with a name like that to the error, which says that
 * there is none of it; otherwise how names are matched. */
struct error *hint_files(struct resolver *resolver, const char *name, struct error *error);
/* Adds to the error's hint that some debug information can't be read, if so. */
struct error *blame_missing(struct resolver *resolver, struct error *error);
struct error *missing_value(struct resolver *resolver, const struct instance *instance,
			    const struct spec *spec, const struct want *want, const char *reason);

/* What is wanted at each point of a spec, with the names of the values and what becomes of them:
 * one of each for a want. */
struct wanted {
	const struct spec *spec;
	const char **names;
	struct missing *missing;
};
/* site.c: the site of one point. */
struct error *make_site(struct resolver *resolver, const struct wanted *wanted,
			const struct point *point, struct site *site) must_check;

/* The capture of $line or $function: a text. The site must have its place already. */
struct error *capture_place(struct resolver *resolver, const struct spec *spec,
			    const struct want *want, const struct site *site,
			    struct capture *ret) must_check;

#endif
