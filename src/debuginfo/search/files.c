// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the units whose lines can be of a file, without reading any line table: searches
 * .debug_line as bytes for the file's name (DWARF 4, DW_FORM_string), and for the places of texts
 * that end so in .debug_line_str and .debug_str. It sometimes finds too many units, never too few:
 * linkers merge a text with the end of another one, so a table may name a place in its middle.
 */
#include <stdlib.h>
#include <string.h>

#include "base/search.h"
#include "debuginfo/die.h"
#include "debuginfo/die_walk.h"
#include "debuginfo/search/search.h"
#include "debuginfo/section_bytes.h"
#include "pack/pack.h"

#define PATTERNS_MOST 10000

struct file_search {
	struct dwarf_info *info;
	struct pattern text;
	struct pattern *patterns; /* that a line table can have, which names the file */
	size_t npatterns;
	struct table {
		uint64_t start;
		bool has_file;
	} *tables; /* ascending */
	size_t ntables;
};

/* From each text that ends with the name: its beginning, and all places behind that. */
static bool add_places(struct file_search *search, const char *section)
{
	const Elf_Data *texts = section_data(search->info, section);
	struct hits hits = {0};

	if (!texts || !texts->d_buf)
		return true;
	find_hits(texts, false, &search->text, 1, &hits);
	for (size_t i = 0; i < hits.count && search->npatterns < PATTERNS_MOST; i++) {
		size_t at = hits.list[i].offset + 1;

		do
			arena_append(search->info->arena, search->patterns, search->npatterns) =
				(struct pattern){.word = (uint32_t)--at};
		while (at && ((const char *)texts->d_buf)[at - 1] &&
		       search->npatterns < PATTERNS_MOST);
	}
	free(hits.list);
	return !hits.is_short && search->npatterns < PATTERNS_MOST;
}

static bool list_tables(struct file_search *search, const Elf_Data *lines)
{
	const uint8_t *start = lines->d_buf;
	struct reader in = {start, start + lines->d_size, false};

	while (in.at < in.end) {
		uint64_t at = (uint64_t)(in.at - start), length = read_fixed(&in, 4);

		skip_bytes(&in, length);
		if (in.is_bad) /* or it is 64 bits wide */
			return false;
		arena_append(search->info->arena, search->tables, search->ntables) =
			(struct table){.start = at};
	}
	return true;
}

static bool mark_tables(struct file_search *search)
{
	const Elf_Data *lines = section_data(search->info, ".debug_line");
	struct hits hits = {0};

	if (!lines || !lines->d_buf || !list_tables(search, lines))
		return false;
	find_hits(lines, false, search->patterns, search->npatterns, &hits);
	for (size_t i = 0; i < hits.count; i++) {
		size_t behind = partition_point(search->ntables, j,
						search->tables[j].start <= hits.list[i].offset);

		search->tables[behind - 1].has_file = true;
	}
	free(hits.list);
	return !hits.is_short;
}

/* Without a line table of its own, as a split unit, it can have any. */
static bool may_have(const struct file_search *search, Dwarf_Die *unit)
{
	Dwarf_Word offset;
	size_t at;

	if (!line_table_offset(search->info, unit, &offset))
		return true;
	at = partition_point(search->ntables, i, search->tables[i].start < offset);
	return at == search->ntables || search->tables[at].start != offset ||
	       search->tables[at].has_file;
}

/* Returns NULL when all units can have it, or that can't be told. */
static bool *search_units(struct dwarf_info *info, const char *name)
{
	struct file_search search = {.info = info};
	bool *ret;

	if (!read_all_units(info) || info->is_shared || strlen(name) < TEXT_LEAST)
		return NULL;
	search.text = text_pattern(name, true);
	arena_append(info->arena, search.patterns, search.npatterns) = search.text;
	if (!add_places(&search, ".debug_line_str") || !add_places(&search, ".debug_str") ||
	    !mark_tables(&search))
		return NULL;
	ret = arena_array(info->kept, bool, info->nunits + 1);
	for (size_t i = 0; i < info->nunits; i++) {
		Dwarf_Die unit;

		ret[i] = !die_at(info, info->units[i].die, &unit) || may_have(&search, &unit);
	}
	return ret;
}

const bool *units_with_file(struct dwarf_info *info, const char *file)
{
	const char *base = strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
	const char *key = arena_printf(info->arena, "/%s", base);
	const struct searched *known = recall_searched(info, key);
	bool *found, is_recalled;

	finish_search(info); /* reading units may bridge those that a name is in */
	if (info->pack)
		note_beyond(info, arena_printf(info->arena, "the lines of '%s'", file));
	if (!known && info->pack)
		known = ask_pack(info, key, pack_mark_file);
	if (known)
		return known->is_candidate;
	found = index_recall(info->index, info->kept, key);
	is_recalled = found;
	found = found ?: search_units(info, base);
	return found ? add_searched(info, key, found, is_recalled)->is_candidate : NULL;
}
