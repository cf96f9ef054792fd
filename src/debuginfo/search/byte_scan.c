// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds where a section holds any of some patterns of four bytes. A hundred megabytes take some ten
 * milliseconds: 32 places are compared at a time, and each thread, one per processor, takes the
 * next window when it is done with one (the caller has other work meanwhile). If the section is
 * mapped from a file, windows are copied by pread(2): to fault their pages in would cost more than
 * the search, several times more on a virtual machine with shadow page tables.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "base/mapping.h"
#include "base/search.h"
#include "debuginfo/search/search.h"

#define WINDOW       ((size_t)128 << 10) /* bytes: its copy stays in a second-level cache */
#define AHEAD        2048 /* bytes: prefetch by hand, as no processor does across a page's end */
#define SHARE_MIN    ((size_t)8 << 20) /* bytes; less isn't worth a thread */
#define THREADS_MAX  4
#define FEW          24 /* up to here, comparing with each is cheaper than the filter */
#define FILTER_BITS  18

#define WIDTH 32
#define BLOCK (4 * WIDTH) /* tested at once: most blocks hold no match */
#define INLINE __attribute__((always_inline)) static inline

typedef uint8_t bytes32 __attribute__((vector_size(WIDTH)));

struct job {
	const struct scan *scan;
	const uint8_t *filter; /* more than FEW patterns: a bit for each word's hash */
	uint8_t top;           /* more than FEW patterns: the highest last byte of any */
	bool has_hollow;       /* some pattern's two middle bytes are 0, as very often there */
	uint8_t first[FEW][WIDTH]; /* up to FEW patterns: first and second byte of each */
	uint8_t second[FEW][WIDTH];
	size_t next;               /* start of the next window that no thread has taken */
	struct mapped_file file;
};

/* The places where a match is looked for; its text may begin before them and its word end after. */
struct window {
	const uint8_t *bytes; /* from the first place on: the section's own, or a copy */
	size_t readable;
	size_t length;
	size_t at; /* of the first place in the section */
};

static uint32_t word_at(const uint8_t *at)
{
	uint32_t word;

	memcpy(&word, at, sizeof(word));
	return word;
}

static uint32_t filter_bit(uint32_t word)
{
	return word * 0x9e3779b1u >> (32 - FILTER_BITS);
}

/* The word matches at `at`; if it ends a text, the rest of the text must match too. */
static void report(const struct scan *scan, const struct pattern *pattern,
		   const struct window *window, size_t at)
{
	size_t before = pattern->text ? pattern->length - sizeof(uint32_t) : 0;
	size_t place = window->at + at;
	const uint8_t *word = before <= at ? window->bytes + at : scan->bytes + place;

	if (place < before || (before && memcmp(word - before, pattern->text, before)))
		return;
	scan->hit(scan->cookie, pattern, place - before);
}

static bool is_in_filter(const struct job *job, const uint8_t *at)
{
	uint32_t bit = filter_bit(word_at(at));

	return !job->filter || job->filter[bit / 8] & 1u << bit % 8;
}

static void try_place(const struct job *job, const struct window *window, size_t at)
{
	const struct scan *scan = job->scan;
	uint32_t word = word_at(window->bytes + at);
	size_t first = partition_point(scan->npatterns, i, scan->patterns[i].word < word);

	for (; first < scan->npatterns && scan->patterns[first].word == word; first++)
		report(scan, &scan->patterns[first], window, at);
}

/* Sets a byte of mask for each of WIDTH places where a pattern may begin. The mask isn't returned
 * by value: not every processor has registers that wide. */
INLINE void likely_places(const struct job *job, size_t npatterns, const uint8_t *at, bytes32 *mask)
{
	bytes32 first, second, likely = {0}, wanted;

	if (npatterns > FEW) {
		memcpy(&first, at + 1, WIDTH);
		memcpy(&second, at + 2, WIDTH);
		memcpy(&likely, at + 3, WIDTH);
		*mask = (bytes32)(likely <= job->top);
		if (!job->has_hollow)
			*mask &= (bytes32)((first | second) != 0);
		return;
	}
	memcpy(&first, at, WIDTH);
	memcpy(&second, at + 1, WIDTH);
	for (size_t i = 0; i < npatterns; i++) {
		bytes32 both;

		memcpy(&wanted, job->first[i], WIDTH);
		both = (bytes32)(first == wanted);
		memcpy(&wanted, job->second[i], WIDTH);
		likely |= both & (bytes32)(second == wanted);
	}
	*mask = likely;
}

INLINE bool is_any(const bytes32 *mask)
{
	uint64_t words[WIDTH / 8];

	memcpy(words, mask, sizeof(words));
	return words[0] | words[1] | words[2] | words[3];
}

INLINE void try_places(const struct job *job, const struct window *window, const bytes32 *mask,
		       size_t at)
{
	uint64_t words[WIDTH / 8];

	memcpy(words, mask, sizeof(words));
	for (unsigned i = 0; i < WIDTH / 8; i++)
		for (; words[i]; words[i] &= ~(0xffull << (__builtin_ctzll(words[i]) & ~7))) {
			size_t place = at + i * 8 + (unsigned)__builtin_ctzll(words[i]) / 8;

			if (is_in_filter(job, window->bytes + place))
				try_place(job, window, place);
		}
}

/* npatterns: the scan's, passed as a constant that the compiler can see. */
INLINE void scan_places(const struct job *job, size_t npatterns, const struct window *window)
{
	const uint8_t *bytes = window->bytes;
	size_t at = 0;

	/* the last pattern of a block reaches 3 bytes beyond it */
	for (; at + BLOCK <= window->length && at + BLOCK + 3 <= window->readable; at += BLOCK) {
		bytes32 masks[BLOCK / WIDTH], any = {0};

		__builtin_prefetch(bytes + at + AHEAD);
		__builtin_prefetch(bytes + at + AHEAD + 64);

		for (unsigned i = 0; i < BLOCK / WIDTH; i++) {
			likely_places(job, npatterns, bytes + at + i * WIDTH, &masks[i]);
			any |= masks[i];
		}
		for (unsigned i = 0; i < BLOCK / WIDTH && is_any(&any); i++)
			try_places(job, window, &masks[i], at + i * WIDTH);
	}
	for (; at < window->length && at + sizeof(uint32_t) <= window->readable; at++)
		try_place(job, window, at);
}

INLINE void scan_any(const struct job *job, const struct window *window)
{
	switch (job->scan->npatterns) {
	case 1: scan_places(job, 1, window); break;
	case 2: scan_places(job, 2, window); break; /* one name, as offset and as text */
	case 3: scan_places(job, 3, window); break;
	default: scan_places(job, job->scan->npatterns, window);
	}
}

#ifdef __x86_64__
__attribute__((target("avx2")))
static void scan_wide(const struct job *job, const struct window *window)
{
	scan_any(job, window);
}
#endif

static void scan_window(const struct job *job, const struct window *window)
{
#ifdef __x86_64__
	if (__builtin_cpu_supports("avx2")) {
		scan_wide(job, window);
		return;
	}
#endif
	scan_any(job, window);
}

static void scan_part(const struct job *job, size_t at, size_t length, uint8_t *copy)
{
	const struct scan *scan = job->scan;
	/* the word at the last place ends 3 bytes behind it */
	size_t readable = length + 3 < scan->size - at ? length + 3 : scan->size - at;
	const uint8_t *bytes = mapped_file_read(&job->file, at, readable, copy);

	scan_window(job, &(struct window){
		.bytes = bytes,
		.readable = readable,
		.length = length,
		.at = at,
	});
	if (scan->is_mapped && bytes != copy)
		give_back(bytes, bytes + length);
}

static void *take_windows(void *argument)
{
	struct job *job = argument;
	size_t size = job->scan->size, at;
	uint8_t *copy = job->file.fd < 0 ? NULL : malloc(WINDOW + 3);

	while ((at = __atomic_fetch_add(&job->next, WINDOW, __ATOMIC_RELAXED)) < size)
		scan_part(job, at, WINDOW < size - at ? WINDOW : size - at, copy);
	free(copy);
	return NULL;
}

static void run_threads(struct job *job, unsigned count)
{
	pthread_t threads[THREADS_MAX];
	unsigned started = 0;

	while (started + 1 < count && !pthread_create(&threads[started], NULL, take_windows, job))
		started++;
	take_windows(job);
	while (started)
		pthread_join(threads[--started], NULL);
}

static void compare_with(struct job *job, size_t index, uint32_t word)
{
	memset(job->first[index], (uint8_t)word, WIDTH);
	memset(job->second[index], (uint8_t)(word >> 8), WIDTH);
}

static unsigned count_threads(size_t size)
{
	size_t count = (size_t)get_nprocs();

	if (count > THREADS_MAX)
		count = THREADS_MAX;
	return (unsigned)(count < size / SHARE_MIN ? count : size / SHARE_MIN);
}

void scan_run(const struct scan *scan)
{
	uint8_t filter[(1 << FILTER_BITS) / 8] = {0};
	struct job job = {.scan = scan, .filter = scan->npatterns > FEW ? filter : NULL};

	if (!scan->npatterns || scan->size < sizeof(uint32_t))
		return;
	for (size_t i = 0; i < scan->npatterns; i++) {
		uint32_t word = scan->patterns[i].word;

		filter[filter_bit(word) / 8] |= (uint8_t)(1u << filter_bit(word) % 8);
		if (word >> 24 > job.top)
			job.top = (uint8_t)(word >> 24);
		job.has_hollow |= !(word & 0xffff00);
		if (scan->npatterns <= FEW)
			compare_with(&job, i, word);
	}
	job.file = scan->is_mapped ? mapped_file_open(scan->bytes, scan->size) :
		(struct mapped_file){.bytes = (const char *)scan->bytes, .fd = -1};
	run_threads(&job, count_threads(scan->size));
	if (job.file.fd >= 0)
		close(job.file.fd);
}
