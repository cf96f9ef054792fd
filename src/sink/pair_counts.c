// SPDX-License-Identifier: GPL-2.0-only
/* Prints the counts of pairs' starts and ends, in words and in JSON, and reads that JSON. */
#include <stddef.h>
#include <string.h>

#include "base/json.h"
#include "base/json_tree.h"
#include "sink/pair_counts.h"

static const struct {
	const char *name;
	size_t offset;
} members[] = {
	{"starts", offsetof(struct pair_counts, starts)},
	{"ends", offsetof(struct pair_counts, ends)},
	{"pairs", offsetof(struct pair_counts, pairs)},
	{"unpaired_starts", offsetof(struct pair_counts, unpaired_starts)},
	{"unpaired_ends", offsetof(struct pair_counts, unpaired_ends)},
	{"evicted", offsetof(struct pair_counts, evicted)},
	{"forgotten", offsetof(struct pair_counts, forgotten)},
	{"open", offsetof(struct pair_counts, open)},
};

#define NMEMBERS (sizeof(members) / sizeof(*members))

static uint64_t *member_of(struct pair_counts *counts, unsigned i)
{
	return (uint64_t *)(void *)((char *)counts + members[i].offset);
}

static void put_count(struct strbuf *out, uint64_t count, const char *what)
{
	if (count)
		strbuf_printf(out, ", %llu %s", (unsigned long long)count, what);
}

void pairs_text(struct strbuf *out, const char *before, const struct pair_counts *pairs,
		unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		const struct pair_counts *of = &pairs[i];

		if (of->pairs == of->starts && of->pairs == of->ends)
			continue;
		strbuf_printf(out, "%s%s: %llu pair%s of %llu start%s and %llu end%s", before,
			      of->title, (unsigned long long)of->pairs, of->pairs == 1 ? "" : "s",
			      (unsigned long long)of->starts, of->starts == 1 ? "" : "s",
			      (unsigned long long)of->ends, of->ends == 1 ? "" : "s");
		put_count(out, of->unpaired_starts,
			  "starts unpaired: another came before their end");
		put_count(out, of->unpaired_ends, "ends unpaired: no start waited for them");
		put_count(out, of->open, "starts still open");
		put_count(out, of->evicted,
			  "starts given up, as there was no room: --open allows more");
		put_count(out, of->forgotten, "starts given up as events were lost");
		strbuf_putc(out, '\n');
	}
}

void pairs_json(struct strbuf *out, const struct pair_counts *pairs, unsigned count)
{
	if (!count)
		return;
	json_array(out, "pairs");
	for (unsigned i = 0; i < count; i++) {
		struct pair_counts of = pairs[i];

		json_object(out, NULL);
		json_text(out, "pair", of.title);
		for (unsigned j = 0; j < NMEMBERS; j++)
			json_number(out, members[j].name, *member_of(&of, j));
		json_object_end(out);
	}
	json_array_end(out);
}

/* Adds up what has the same title. */
static bool read_pair(struct arena *arena, const struct json *json, struct pair_counts **pairs,
		      unsigned *count)
{
	const struct json *title = json_member(json, "pair");
	unsigned at = 0;

	if (!title || title->kind != JSON_TEXT)
		return false;
	while (at < *count && strcmp((*pairs)[at].title, title->text) != 0)
		at++;
	if (at == *count)
		arena_append(arena, *pairs, *count) =
			(struct pair_counts){.title = arena_strdup(arena, title->text)};
	for (unsigned i = 0; i < NMEMBERS; i++) {
		uint64_t number, *sum = member_of(&(*pairs)[at], i);

		if (!json_counter(json_member(json, members[i].name), &number) ||
		    __builtin_add_overflow(*sum, number, sum))
			return false;
	}
	return true;
}

bool pairs_read(struct arena *arena, const struct json *array, struct pair_counts **pairs,
		unsigned *count)
{
	if (!array)
		return true;
	if (array->kind != JSON_ARRAY)
		return false;
	for (const struct json *json = array->first; json; json = json->next)
		if (!read_pair(arena, json, pairs, count))
			return false;
	return true;
}
