// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the units that can mention each of some names, without parsing any: searches .debug_info as
 * bytes for the names' offsets in .debug_str, and for the names themselves (DW_FORM_string). It
 * sometimes finds too many units, never too few: those with strings behind .debug_str_offsets
 * (DW_FORM_strx, clang) are always candidates. Several names cost one search.
 */
#include <ctype.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/glob.h"
#include "debuginfo/die.h"
#include "debuginfo/questions.h"
#include "debuginfo/scope.h"
#include "debuginfo/search/search.h"
#include "debuginfo/section_bytes.h"
#include "pack/pack.h"

/* One search, which runs beside the caller. All it needs is prepared before, and what it finds is
 * looked at after; in between it touches neither libdw nor the arena. */
struct search {
	struct searched *first;
	struct searched *last;
	Elf_Data *where;
	Elf_Data *strings;
	bool is_mapped;
	struct pattern *texts;
	size_t ntexts;
	struct hits words; /* offsets in .debug_str */
	struct hits places;
	pthread_t thread;
	bool is_running;
};

/* Globs of many names are left out: walking all units costs less than to search for them. */
static void drop_wide(struct search *search)
{
	enum { FEW_WORDS = 24 };
	size_t kept = 0;

	if (search->words.count <= FEW_WORDS)
		return;
	for (struct searched *at = search->first; at; at = at->next)
		at->is_wide = at->prefix;
	for (size_t i = 0; i < search->words.count; i++)
		if (!search->words.list[i].searched->is_wide)
			search->words.list[kept++] = search->words.list[i];
	search->words.count = kept;
	kept = 0;
	for (size_t i = 0; i < search->ntexts; i++)
		if (!search->texts[i].searched->is_wide)
			search->texts[kept++] = search->texts[i];
	search->ntexts = kept;
}

static void *run_search(void *argument)
{
	struct search *search = argument;
	struct pattern *patterns;
	size_t count;

	/* the name may be the tail of a string: the linker merges "read" into "vfs_read" */
	if (search->strings && search->strings->d_buf)
		find_hits(search->strings, false, search->texts, search->ntexts, &search->words);
	drop_wide(search);
	count = search->ntexts;
	if (!count)
		return NULL;
	patterns = malloc((count + search->words.count) * sizeof(*patterns));
	search->places.is_short = !patterns || search->words.is_short;
	if (search->places.is_short) {
		free(patterns);
		return NULL;
	}
	memcpy(patterns, search->texts, count * sizeof(*patterns));
	for (size_t i = 0; i < search->words.count; i++)
		patterns[count++] = (struct pattern){
			.word = (uint32_t)search->words.list[i].offset,
			.searched = search->words.list[i].searched,
		};
	find_hits(search->where, search->is_mapped, patterns, count, &search->places);
	free(patterns);
	return NULL;
}

/* A name this short is found everywhere. */
static bool is_short(const struct searched *searched)
{
	return strlen(searched->name) < TEXT_LEAST;
}

static struct pattern pattern_of(const struct searched *searched)
{
	struct pattern pattern = searched->prefix ? text_pattern(searched->prefix, false) :
						    text_pattern(searched->name, true);

	pattern.searched = searched;
	return pattern;
}

static void begin_search(struct dwarf_info *info, struct searched *first, struct searched *last)
{
	struct search *search = arena_new(info->kept, struct search);
	size_t count = 0;

	search->first = first;
	search->last = last;
	search->where = section_data(info, ".debug_info");
	search->strings = section_data(info, ".debug_str");
	search->is_mapped = info->is_mapped;
	for (const struct searched *at = first; at; at = at->next)
		count++;
	search->texts = arena_array(info->kept, struct pattern, count);
	for (const struct searched *at = first; at; at = at->next)
		if (search->where && search->where->d_buf && !is_short(at))
			search->texts[search->ntexts++] = pattern_of(at);
	info->search = search;
	if (!search->ntexts)
		return;
	search->is_running = !pthread_create(&search->thread, NULL, run_search, search);
	if (!search->is_running)
		run_search(search);
}

static bool is_indirect(struct dwarf_info *info, const struct unit *unit)
{
	Dwarf_Die die;

	return unit->version >= 5 && (!die_at(info, unit->die, &die) ||
				      dwarf_hasattr(&die, DW_AT_str_offsets_base));
}

static void mark_indirect(struct dwarf_info *info, const struct searched *first)
{
	if (!section_data(info, ".debug_str_offsets") || !read_all_units(info))
		return;
	for (size_t i = 0; i < info->nunits; i++)
		if (is_indirect(info, &info->units[i]))
			for (const struct searched *at = first; at; at = at->next)
				at->is_candidate[i] = true;
}

static void mark_hits(struct dwarf_info *info, const struct search *search)
{
	for (struct searched *at = search->first; at; at = at->next) {
		at->is_candidate = arena_array(info->kept, bool, info->nunits + 1);
		if (info->is_shared || !search->ntexts || is_short(at) || at->is_wide ||
		    search->places.is_short)
			memset(at->is_candidate, true, info->nunits);
	}
	for (size_t i = 0; i < search->places.count; i++) {
		const struct hit *hit = &search->places.list[i];
		const struct unit *unit = unit_of(info, hit->offset);

		if (unit)
			hit->searched->is_candidate[unit - info->units] = true;
	}
	for (size_t i = 0; i < info->nunits; i++)
		for (struct searched *at = search->first; at && info->units[i].is_split;
		     at = at->next)
			at->is_candidate[i] = true;
	mark_indirect(info, search->first);
}

void finish_search(struct dwarf_info *info)
{
	struct search *search = info->search;

	if (!search)
		return;
	info->search = NULL;
	if (search->is_running)
		pthread_join(search->thread, NULL);
	mark_hits(info, search);
	search->last->next = info->searched;
	info->searched = search->first;
	free(search->words.list);
	free(search->places.list);
}

struct searched *recall_searched(const struct dwarf_info *info, const char *name)
{
	struct searched *known = info->searched;

	while (known && strcmp(known->name, name))
		known = known->next;
	return known;
}

/* What stands before the first wildcard of a glob: each name that it matches begins so, or that of
 * a scope around it does. NULL: too little to search for. */
static const char *glob_prefix(struct dwarf_info *info, const char *glob)
{
	enum { LEAST = 4 };
	size_t length = 0;

	while (isalnum((unsigned char)glob[length]) || glob[length] == '_')
		length++;
	return length < LEAST ? NULL : arena_strndup(info->kept, glob, length);
}

/* Whether there is something to search for, which a pack doesn't do for globs. */
static bool is_searchable(struct dwarf_info *info, const char *name)
{
	return !is_glob(name) || (!info->pack && glob_prefix(info, name));
}

static bool is_listed(const struct searched *list, const char *name)
{
	while (list && strcmp(list->name, name))
		list = list->next;
	return list;
}

struct searched *add_searched(struct dwarf_info *info, const char *name, bool *is_candidate,
			      bool is_recalled)
{
	struct searched *searched = arena_new(info->kept, struct searched);

	searched->name = arena_strdup(info->kept, name);
	searched->is_candidate = is_candidate;
	searched->is_recalled = is_recalled;
	searched->next = info->searched;
	info->searched = searched;
	return searched;
}

struct searched *ask_pack(struct dwarf_info *info, const char *name,
			  bool (*mark)(struct pack_image *image, const char *name,
				       bool *is_candidate))
{
	struct searched *searched =
		add_searched(info, name, arena_array(info->kept, bool, info->nunits + 1), true);

	if (!mark(info->pack, name[0] == '/' ? name + 1 : name, searched->is_candidate)) {
		info->is_pack_damaged = true;
		memset(searched->is_candidate, true, info->nunits);
	}
	return searched;
}

void expect_names(struct dwarf_info *info, const char *const *names, unsigned count)
{
	struct searched *first = NULL, *last = NULL;

	if (info->pack) {
		for (unsigned i = 0; info->nunits && i < count; i++) {
			const char *name = last_component(names[i]);

			if (!is_glob(name) && !recall_searched(info, name))
				ask_pack(info, name, pack_mark);
		}
		return;
	}
	finish_search(info);
	for (unsigned i = 0; i < count; i++) {
		const char *name = last_component(names[i]);
		struct searched *searched;

		if (!is_searchable(info, name) || recall_searched(info, name) ||
		    is_listed(first, name))
			continue;
		searched = arena_new(info->kept, struct searched);
		searched->name = arena_strdup(info->kept, name);
		searched->prefix = is_glob(name) ? glob_prefix(info, name) : NULL;
		searched->is_candidate = index_recall(info->index, info->kept, name);
		searched->is_recalled = searched->is_candidate;
		searched->next = searched->is_recalled ? info->searched : first;
		if (searched->is_recalled) {
			info->searched = searched;
			continue;
		}
		first = searched;
		last = last ? last : searched;
	}
	if (first)
		begin_search(info, first, last);
}

void dwarf_expect(struct debuginfo *base, const char *const *names, unsigned count)
{
	expect_names(dwarf_info(base), names, count);
	/* the next question reads headers of units, and bridges some */
	finish_search(dwarf_info(base));
}

static void mark_units(struct dwarf_info *info, const char *name)
{
	const struct searched *known = NULL;

	note_named(info, name ?: "*");
	if (name && is_searchable(info, last_component(name))) {
		expect_names(info, &name, 1);
		finish_search(info);
		known = recall_searched(info, last_component(name));
	} else {
		read_all_units(info);
	}
	for (size_t i = 0; i < info->nunits; i++)
		info->units[i].is_candidate = !known || known->is_candidate[i];
}

static void read_marked(struct dwarf_info *info)
{
	size_t last = 0;

	for (size_t i = 0; i < info->nunits; i++)
		last = info->units[i].is_candidate ? i : last;
	read_units(info, last);
}

void candidate_units(struct dwarf_info *info, const char *name)
{
	mark_units(info, name);
	read_marked(info);
}

#define OTHERS_MIN 8 /* units; to walk fewer in vain is no loss */

static const char *definers_name(struct dwarf_info *info, const char *name, const char *kind)
{
	return arena_printf(info->kept, "%s%s", name, kind);
}

/* With far or shared functions, a unit may matter that defines none. A split unit's file may change
 * when the index doesn't. */
static bool can_narrow(const struct dwarf_info *info)
{
	return !info->pack && !info->is_shared && !info->has_far && !info->nalt_units;
}

static bool narrow_to_definers(struct dwarf_info *info, const char *name, const char *kind)
{
	const char *key = definers_name(info, name, kind);
	const struct searched *known = can_narrow(info) ? recall_searched(info, key) : NULL;
	struct searched *plain = recall_searched(info, name);
	bool *is_candidate =
		known || !can_narrow(info) ? NULL : index_recall(info->index, info->kept, key);

	if (is_candidate)
		known = add_searched(info, key, is_candidate, true);
	for (size_t i = 0; known && i < info->nunits; i++)
		info->units[i].is_candidate &= known->is_candidate[i] || info->units[i].is_split;
	if (known && plain)
		plain->is_narrowed = true;
	return known;
}

void record_definers(struct dwarf_info *info, const char *name, const char *kind,
		     const bool *is_definer)
{
	unsigned others = 0;

	if (!info->index || !can_narrow(info) || info->budget.is_spent)
		return;
	for (size_t i = 0; i < info->nunits; i++)
		others += info->units[i].is_candidate && !is_definer[i];
	if (others >= OTHERS_MIN)
		add_searched(info, definers_name(info, name, kind),
			     arena_grow(info->kept, is_definer, info->nunits, info->nunits + 1),
			     false);
}

static void mark_copies(struct dwarf_info *info, const char *name)
{
	bool has_far = has_far_units(info);

	mark_units(info, name);
	for (size_t i = 0; has_far && i < info->nunits; i++)
		info->units[i].is_candidate |= info->units[i].is_far;
}

void candidate_copies(struct dwarf_info *info, const char *name)
{
	mark_copies(info, name);
	read_marked(info);
}

bool candidate_definers(struct dwarf_info *info, const char *name, const char *kind)
{
	bool ret;

	mark_copies(info, name);
	ret = info->index && narrow_to_definers(info, name, kind);
	read_marked(info);
	return ret;
}

/* No name looks so: recorded under it is that no unit is far. */
static const char none_far[] = "(far)";

bool recall_none_far(struct dwarf_info *info)
{
	return index_recall(info->index, info->kept, none_far);
}

void record_none_far(struct dwarf_info *info)
{
	if (info->index)
		add_searched(info, none_far, arena_array(info->kept, bool, info->nunits + 1),
			     false);
}

bool next_candidate(struct dwarf_info *info, size_t *next, Dwarf_Die *unit)
{
	while (*next < info->nunits + info->nalt_units) {
		size_t i = (*next)++;

		if (i >= info->nunits) {
			if (dwarf_offdie(info->alt, info->alt_units[i - info->nunits], unit))
				return true;
		} else if (info->units[i].is_candidate &&
			   die_at(info, info->units[i].die, unit)) {
			return true;
		}
	}
	return false;
}
