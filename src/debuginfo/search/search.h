/* SPDX-License-Identifier: GPL-2.0-only */
/* Which units can hold a name: the units, the search for names in .debug_info, and the index of what was found. */
#ifndef DEBUGINFO_SEARCH_H
#define DEBUGINFO_SEARCH_H

#include "debuginfo/internal.h"

/* search/names.c: a name that was asked for, and the units that can mention it. */
struct searched {
	struct searched *next;
	const char *name;
	bool *is_candidate; /* by unit */
	bool is_recalled;   /* the index had it */
};

/* search/index.c. directory, build_id: NULL for none, and then so is the index. */
struct index *index_open(struct arena *arena, const char *directory, const struct target *target,
			 size_t info_size);
/* false: it has none. */
bool index_units(const struct index *index, struct arena *arena, struct unit **ret, size_t *count);
/* By unit: whether it can mention the name; NULL: that isn't known. */
bool *index_recall(const struct index *index, struct arena *arena, const char *name);
/* Adds what was searched for; nothing is said where that can't be done. */
void index_write(struct dwarf_info *info);

/* search/unit.c */
struct error *list_units(struct dwarf_info *info) must_check;
/* The unit that holds an offset of .debug_info, or a handle's; NULL: none. */
struct unit *unit_of(struct dwarf_info *info, Dwarf_Off offset);
/* Has libdw read the headers of the units up to that one, but for those that no name was searched in,
 * without keeping their pages. false: no memory. */
bool read_units(struct dwarf_info *info, size_t last);
/* For who walks through all units: from now on none is left out. false: no memory. */
bool read_all_units(struct dwarf_info *info);
/* Whether a unit has copies of what another unit describes; it may mention none of the names then. */
bool has_far_units(struct dwarf_info *info);
/* The same: gives their pages back, many at once. */
void pass_unit(struct dwarf_info *info, const struct unit *unit);
/* Of .debug_info, where it is a file's. */
void give_back_info(struct dwarf_info *info, Dwarf_Off from, Dwarf_Off to);

/* search/map.c */
/* All at once, for reading. */
void take_pages(const void *from, const void *to);
/* Whole pages between the two: of a file, so that they are read again when they are needed. */
void give_back(const void *from, const void *to);
/* A file's, private and writable. false: they were unpacked or made here, and given back they would be lost. */
bool is_mapped_file(const void *bytes, size_t size);
/* The file that is mapped there, for reading, and where in it; -1: it can't be opened any more. */
int open_mapped_file(const void *bytes, size_t size, off_t *offset);

/* search/scan.c: where patterns of four bytes are in a section. */
struct pattern {
	uint32_t word;
	const char *text; /* NULL, or: the word is the end of this text */
	size_t length;    /* the text's, with its NUL: 4 or more */
	const struct searched *searched;
};

struct scan {
	const uint8_t *bytes;
	size_t size;
	bool is_mapped; /* a file's bytes, unchanged */
	const struct pattern *patterns; /* by word */
	size_t npatterns;
	/* Called from several threads. at: of the text's first byte, or of the word's. */
	void (*hit)(void *cookie, const struct pattern *pattern, size_t at);
	void *cookie;
};
void scan_run(const struct scan *scan);
/* search/names.c: searches for all of them in one go, beside the caller, who may go on;
 * candidate_units() then knows them. */
void expect_names(struct dwarf_info *info, const char *const *names, unsigned count);
/* What the search found is there from now on; the units must be. */
void finish_search(struct dwarf_info *info);
/* Marks the units that can hold the name; never misses one. NULL: all of them. */
void candidate_units(struct dwarf_info *info, const char *name);
/* And those that can have a copy of what has the name. */
void candidate_copies(struct dwarf_info *info, const char *name);
/* The units that were marked, then the alt file's, one by one; *next is 0 at first. false: no more. */
bool next_candidate(struct dwarf_info *info, size_t *next, Dwarf_Die *unit);

#endif
