// SPDX-License-Identifier: GPL-2.0-only
/* Collects what a scan finds, which runs in several threads. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "debuginfo/search/search.h"

struct collecting {
	pthread_mutex_t lock;
	struct hits *hits;
};

static int pattern_compare(const void *left, const void *right)
{
	const struct pattern *a = left, *b = right;

	return (a->word > b->word) - (a->word < b->word);
}

static void add_hit(void *cookie, const struct pattern *pattern, size_t offset)
{
	struct collecting *collecting = cookie;
	struct hits *hits = collecting->hits;

	pthread_mutex_lock(&collecting->lock);
	if (hits->count == hits->size) {
		size_t size = hits->size ? hits->size * 2 : 1024;
		struct hit *list = realloc(hits->list, size * sizeof(*list));

		hits->is_short |= !list;
		if (list) {
			hits->list = list;
			hits->size = size;
		}
	}
	if (hits->count < hits->size)
		hits->list[hits->count++] = (struct hit){pattern->searched, offset};
	pthread_mutex_unlock(&collecting->lock);
}

void find_hits(const Elf_Data *where, bool is_mapped, struct pattern *patterns, size_t count,
	       struct hits *hits)
{
	struct collecting collecting = {.lock = PTHREAD_MUTEX_INITIALIZER, .hits = hits};

	qsort(patterns, count, sizeof(*patterns), pattern_compare);
	scan_run(&(struct scan){
		.bytes = where->d_buf,
		.size = where->d_size,
		.is_mapped = is_mapped,
		.patterns = patterns,
		.npatterns = count,
		.hit = add_hit,
		.cookie = &collecting,
	});
	pthread_mutex_destroy(&collecting.lock);
}

/* The last four bytes are searched for, then the rest is compared. */
struct pattern text_pattern(const char *text, bool ends)
{
	size_t length = strlen(text) + ends;
	struct pattern pattern = {.text = text, .length = length};

	memcpy(&pattern.word, text + length - sizeof(pattern.word), sizeof(pattern.word));
	return pattern;
}
