// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names in, the units that can mention each out, without parsing one of them: a name's offsets in
 * .debug_str are searched for as bytes in .debug_info, and so is the name itself (DW_FORM_string).
 * Finds too much now and then, never too little: units whose strings are reached through
 * .debug_str_offsets (DW_FORM_strx, clang) are always candidates. Several names cost one search.
 */
#include <gelf.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/glob.h"
#include "debuginfo/internal.h"

static Elf_Data *find_section(struct dwarf_info *info, const char *name)
{
	Elf *elf = dwarf_getelf(info->dwarf);
	Elf_Scn *section = NULL;
	size_t strings;

	if (elf_getshdrstrndx(elf, &strings))
		return NULL;
	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		const char *found = gelf_getshdr(section, &header) ?
			elf_strptr(elf, strings, header.sh_name) : NULL;

		if (found && !strcmp(found, name) && header.sh_type != SHT_NOBITS &&
		    !(header.sh_flags & SHF_COMPRESSED))
			return elf_getdata(section, NULL);
	}
	return NULL;
}

Elf_Data *section_data(struct dwarf_info *info, const char *name)
{
	struct known_section *known = info->sections;

	while (known && strcmp(known->name, name))
		known = known->next;
	if (!known) {
		known = arena_new(info->arena, struct known_section);
		*known = (struct known_section){info->sections, name, find_section(info, name)};
		info->sections = known;
	}
	return known->data;
}

struct unit *unit_of(struct dwarf_info *info, Dwarf_Off offset)
{
	size_t low = 0, high = info->nunits;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (info->units[middle].start <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &info->units[low - 1] : NULL;
}

static int pattern_compare(const void *left, const void *right)
{
	const struct pattern *a = left, *b = right;

	return (a->word > b->word) - (a->word < b->word);
}

/* From several threads at once; what they write is the same. */
static void mark_unit(void *cookie, const struct pattern *pattern, size_t offset)
{
	struct dwarf_info *info = cookie;
	const struct unit *unit = unit_of(info, offset);

	if (unit)
		__atomic_store_n(&pattern->searched->is_candidate[unit - info->units], true,
				 __ATOMIC_RELAXED);
}

/* Where a text is in .debug_str, or the tail of one: the linker merges "read" into "vfs_read". */
struct places {
	struct dwarf_info *info;
	pthread_mutex_t lock;
	struct pattern *list;
	size_t count;
	size_t size;
};

static void add_pattern(struct places *places, struct pattern pattern)
{
	if (places->count == places->size) {
		size_t size = places->size * sizeof(*places->list);

		places->size = places->size ? places->size * 2 : 16;
		places->list = arena_grow(places->info->arena, places->list, size,
					  places->size * sizeof(*places->list));
	}
	places->list[places->count++] = pattern;
}

static void add_place(void *cookie, const struct pattern *pattern, size_t offset)
{
	struct places *places = cookie;

	pthread_mutex_lock(&places->lock);
	add_pattern(places, (struct pattern){.word = (uint32_t)offset, .searched = pattern->searched});
	pthread_mutex_unlock(&places->lock);
}

static void scan_section(const Elf_Data *where, struct mapped_file file, struct pattern *patterns,
			 size_t count, void (*hit)(void *, const struct pattern *, size_t), void *cookie)
{
	qsort(patterns, count, sizeof(*patterns), pattern_compare);
	scan_run(&(struct scan){
		.bytes = where->d_buf,
		.size = where->d_size,
		.file = file,
		.patterns = patterns,
		.npatterns = count,
		.hit = hit,
		.cookie = cookie,
	});
}

/* A text ends in its NUL: the four bytes there are searched for, then the rest is compared. */
static struct pattern text_pattern(const struct searched *searched)
{
	size_t length = strlen(searched->name) + 1;
	struct pattern pattern = {.text = searched->name, .length = length, .searched = searched};

	memcpy(&pattern.word, searched->name + length - sizeof(pattern.word), sizeof(pattern.word));
	return pattern;
}

static void mark_all(struct dwarf_info *info, const struct searched *searched)
{
	for (size_t i = 0; i < info->nunits; i++)
		searched->is_candidate[i] = true;
}

static bool is_indirect(struct dwarf_info *info, const struct unit *unit)
{
	Dwarf_Die die;

	return unit->version >= 5 && (!dwarf_offdie(info->dwarf, unit->die, &die) ||
				      dwarf_hasattr(&die, DW_AT_str_offsets_base));
}

static void mark_indirect(struct dwarf_info *info, const struct searched *first)
{
	if (!section_data(info, ".debug_str_offsets"))
		return;
	for (size_t i = 0; i < info->nunits; i++)
		if (is_indirect(info, &info->units[i]))
			for (const struct searched *at = first; at; at = at->next)
				at->is_candidate[i] = true;
}

/* first: a list of names whose units are not known yet. */
static void search(struct dwarf_info *info, const struct searched *first)
{
	const Elf_Data *where = section_data(info, ".debug_info");
	const Elf_Data *strings = section_data(info, ".debug_str");
	struct places texts = {.info = info}, words = {.info = info};

	for (const struct searched *at = first; at; at = at->next)
		if (info->is_shared || !where || !where->d_buf || strlen(at->name) < 3)
			mark_all(info, at); /* a name so short is all over the place */
		else
			add_pattern(&texts, text_pattern(at));
	if (!texts.count)
		return;
	pthread_mutex_init(&words.lock, NULL);
	if (strings && strings->d_buf)
		scan_section(strings, (struct mapped_file){-1, 0}, texts.list, texts.count, add_place,
			     &words);
	pthread_mutex_destroy(&words.lock);
	for (size_t i = 0; i < texts.count; i++)
		add_pattern(&words, texts.list[i]);
	scan_section(where, info->file, words.list, words.count, mark_unit, info);
	mark_indirect(info, first);
}

static const struct searched *recall(const struct dwarf_info *info, const char *name)
{
	const struct searched *known = info->searched;

	while (known && strcmp(known->name, name))
		known = known->next;
	return known;
}

static bool is_listed(const struct searched *list, const char *name)
{
	while (list && strcmp(list->name, name))
		list = list->next;
	return list;
}

void dwarf_expect(struct debuginfo *base, const char *const *names, unsigned count)
{
	struct dwarf_info *info = dwarf_info(base);
	struct searched *first = NULL, *last = NULL;

	for (unsigned i = 0; i < count; i++) {
		const char *name = last_component(names[i]);
		struct searched *searched;

		if (is_glob(name) || recall(info, name) || is_listed(first, name))
			continue;
		searched = arena_new(info->arena, struct searched);
		searched->name = arena_strdup(info->arena, name);
		searched->is_candidate = arena_array(info->arena, bool, info->nunits);
		if (index_recall(info->index, name, searched->is_candidate)) {
			searched->is_recalled = true;
			searched->next = info->searched;
			info->searched = searched;
			continue;
		}
		searched->next = first;
		first = searched;
		last = last ? last : searched;
	}
	if (!first)
		return;
	search(info, first);
	last->next = info->searched;
	info->searched = first;
}

void candidate_units(struct dwarf_info *info, const char *name)
{
	const struct searched *known = NULL;
	size_t last = 0;

	if (name) {
		dwarf_expect(&info->base, &name, 1);
		known = recall(info, last_component(name));
	}
	for (size_t i = 0; i < info->nunits; i++) {
		info->units[i].is_candidate = !known || known->is_candidate[i];
		last = info->units[i].is_candidate ? i : last;
	}
	read_units(info, last);
}
