/* SPDX-License-Identifier: GPL-2.0-only */
/* Which units can mention a name: the units, the search for names in .debug_info, and the index of
 * what was found. */
#ifndef DEBUGINFO_SEARCH_H
#define DEBUGINFO_SEARCH_H

#include "debuginfo/internal.h"

/* search/names.c: a name that was searched for, and the units that can mention it. */
struct searched {
	struct searched *next;
	const char *name;
	const char *prefix; /* of a glob's names; NULL: it is a whole name */
	bool *is_candidate; /* by unit */
	bool is_recalled;   /* the index had the answer */
	bool is_wide;	    /* a glob of too many names */
	bool is_narrowed;   /* another searched name says which of these units will be read */
};

/* search/name_cache.c. Returns NULL when directory or the target's build-id is NULL. */
struct index *index_open(struct arena *arena, const char *directory, const struct target *target,
			 size_t info_size);
/* Returns false when it has none. */
bool index_units(const struct index *index, struct arena *arena, struct unit **ret, size_t *count);
/* Says of each unit whether it can mention the name; NULL when the index doesn't know. */
bool *index_recall(const struct index *index, struct arena *arena, const char *name);
/* Adds what was searched for; a failure is silent. */
void index_write(struct dwarf_info *info);

/* search/unit.c */
struct error *list_units(struct dwarf_info *info) must_check;
/* The unit that holds an offset of .debug_info, or a handle; NULL when none does. */
struct unit *unit_of(struct dwarf_info *info, Dwarf_Off offset);
/* Makes libdw read the headers of the units up to that one, except those that no name was found in,
 * without keeping their pages. Returns false when out of memory. */
bool read_units(struct dwarf_info *info, size_t last);
/* For a caller that walks all units: none is skipped from now on. Returns false when out of
 * memory. */
bool read_all_units(struct dwarf_info *info);
/* Whether some unit holds instances of functions that another unit describes; such a unit may not
 * mention the name. */
bool has_far_units(struct dwarf_info *info);
/* Tells that the unit was read: gives pages back, many at once. */
void pass_unit(struct dwarf_info *info, const struct unit *unit);
#define UNITS_KEPT 64 /* a shorter walk will soon read its units again */
/* Gives back the pages of a part of .debug_info, if it is mapped from a file. */
void give_back_info(struct dwarf_info *info, Dwarf_Off from, Dwarf_Off to);
/* Does the same with all sections that were asked for. */
void give_back_sections(struct dwarf_info *info);

/* search/byte_scan.c: finds patterns of four bytes in a section. */
struct pattern {
	uint32_t word;
	const char *text; /* NULL, or a text whose last four bytes are the word */
	size_t length;    /* of the text, including its NUL, if that belongs to it: 4 or more */
	const struct searched *searched;
};

struct scan {
	const uint8_t *bytes;
	size_t size;
	bool is_mapped; /* the bytes are mapped from a file, unchanged */
	const struct pattern *patterns; /* sorted by word */
	size_t npatterns;
	/* Called from several threads. at: offset of the text's first byte, or of the word's. */
	void (*hit)(void *cookie, const struct pattern *pattern, size_t at);
	void *cookie;
};
void scan_run(const struct scan *scan);

/* search/scan_hits.c: what scans found; free(3) the list. */
struct hits {
	struct hit {
		const struct searched *searched; /* the pattern's */
		size_t offset;
	} *list;
	size_t count;
	size_t size;
	bool is_short; /* out of memory: some are missing */
};
/* Sorts the patterns, and adds where the section has them. */
void find_hits(const Elf_Data *where, bool is_mapped, struct pattern *patterns, size_t count,
	       struct hits *hits);
#define TEXT_LEAST 3 /* characters: a shorter name is found everywhere */
struct pattern text_pattern(const char *text, bool ends /* there, with a NUL */);
/* search/names.c: searches for all the names at once, in a thread of its own; candidate_units()
 * waits for it. */
void expect_names(struct dwarf_info *info, const char *const *names, unsigned count);
/* Waits for the search and takes over its results; the units must be listed. */
void finish_search(struct dwarf_info *info);
/* Marks the units that can mention the name, and never misses one. NULL, or a glob that begins with
 * a wildcard: marks all. */
void candidate_units(struct dwarf_info *info, const char *name);
/* What is known of a name; NULL: nothing yet. A file is known under its last component with a slash
 * before it, so that it is no name. */
struct searched *recall_searched(const struct dwarf_info *info, const char *name);
struct searched *add_searched(struct dwarf_info *info, const char *name, bool *is_candidate,
			      bool is_recalled);
/* A pack knows which units have a name, or a file. */
struct searched *ask_pack(struct dwarf_info *info, const char *name,
			  bool (*mark)(struct pack_image *image, const char *name,
				       bool *is_candidate));

/* search/files.c: says of each unit whether its lines can be of a file that ends so; NULL: all
 * can. */
const bool *units_with_file(struct dwarf_info *info, const char *file);

/* Also marks the units that can hold an instance of a function of that name. */
void candidate_copies(struct dwarf_info *info, const char *name);
/* Does the same, but marks only those units that define a function of the name or glob, which has
 * no scope. Returns false, and marks all, when that isn't recorded. kind: what asks, as each means
 * something else by defining; no name ends so. */
#define HAS_INSTANCES "()"
#define HAS_LISTED    "(listed)"
bool candidate_definers(struct dwarf_info *info, const char *name, const char *kind);
/* Records for the index which units do, if that spares a later question something. */
void record_definers(struct dwarf_info *info, const char *name, const char *kind,
		     const bool *is_definer);
/* Whether the index has it that no unit is far; and records that. */
bool recall_none_far(struct dwarf_info *info);
void record_none_far(struct dwarf_info *info);
/* The marked units, then the alt file's, one by one; *next is 0 at first. Returns false when there
 * are no more. */
bool next_candidate(struct dwarf_info *info, size_t *next, Dwarf_Die *unit);

#endif
