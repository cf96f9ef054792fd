// SPDX-License-Identifier: GPL-2.0-only
/*
 * Patterns of four bytes in, the places of a section that hold one of them out. A hundred megabytes
 * take some ten milliseconds: 32 places at a time, a slice for each processor. What is mapped
 * is read once more instead: page faults cost as much as the search, and each page that was looked at
 * would count as this process's memory.
 */
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "debuginfo/internal.h"

#define WINDOW       ((size_t)256 << 10) /* fits a processor's own cache */
#define SLICE_MIN    ((size_t)8 << 20) /* less is not worth a thread */
#define THREADS_MAX  4
#define FEW          4 /* comparing with each costs less than the filter up to here */
#define FILTER_BITS  18

#define WIDTH 32
#define BLOCK (4 * WIDTH) /* looked at as one: most have nothing */
#define INLINE __attribute__((always_inline)) static inline

typedef uint8_t bytes32 __attribute__((vector_size(WIDTH)));

struct slice {
	const struct scan *scan;
	const uint8_t *filter; /* of more than FEW patterns: a bit for each word's hash */
	uint8_t top;           /* of more than FEW: no pattern's last byte is above it */
	bool has_hollow;       /* some pattern's two bytes in the middle are 0, as so many are there */
	uint8_t first[FEW][WIDTH]; /* of FEW patterns at most: first and second byte of each */
	uint8_t second[FEW][WIDTH];
	size_t from;           /* places where a pattern may begin */
	size_t to;
};

/* Some bytes of the section: bytes[0] is its byte `start`. Places from `from` to `to` are looked at;
 * what is before and after is there for patterns that reach over. */
struct window {
	const uint8_t *bytes;
	size_t start;
	size_t size;
	size_t from;
	size_t to;
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

/* The word is there; where it is a text's end, the rest must be too. */
static void report(const struct scan *scan, const struct window *window,
		   const struct pattern *pattern, size_t at)
{
	size_t before = pattern->text ? pattern->length - sizeof(uint32_t) : 0;

	if (pattern->text && (at < before ||
			      memcmp(window->bytes + at - before, pattern->text, before)))
		return;
	scan->hit(scan->cookie, pattern, window->start + at - before);
}

static bool is_in_filter(const struct slice *slice, const uint8_t *at)
{
	uint32_t bit = filter_bit(word_at(at));

	return !slice->filter || slice->filter[bit / 8] & 1u << bit % 8;
}

static void try_place(const struct slice *slice, const struct window *window, size_t at)
{
	const struct scan *scan = slice->scan;
	uint32_t word = word_at(window->bytes + at);
	size_t low = 0, high = scan->npatterns;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (scan->patterns[middle].word < word)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < scan->npatterns && scan->patterns[low].word == word; low++)
		report(scan, window, &scan->patterns[low], at);
}

/* Sets a byte of mask for each of WIDTH places that may be the beginning of a pattern. Never by
 * value: not every processor has registers that wide. */
INLINE void likely_places(const struct slice *slice, size_t npatterns, const uint8_t *at, bytes32 *mask)
{
	bytes32 first, second, likely = {0}, wanted;

	if (npatterns > FEW) {
		memcpy(&first, at + 1, WIDTH);
		memcpy(&second, at + 2, WIDTH);
		memcpy(&likely, at + 3, WIDTH);
		*mask = (bytes32)(likely <= slice->top);
		if (!slice->has_hollow)
			*mask &= (bytes32)((first | second) != 0);
		return;
	}
	memcpy(&first, at, WIDTH);
	memcpy(&second, at + 1, WIDTH);
	for (size_t i = 0; i < npatterns; i++) {
		bytes32 both;

		memcpy(&wanted, slice->first[i], WIDTH);
		both = (bytes32)(first == wanted);
		memcpy(&wanted, slice->second[i], WIDTH);
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

INLINE void try_places(const struct slice *slice, const struct window *window, const bytes32 *mask,
		       size_t at)
{
	uint64_t words[WIDTH / 8];

	memcpy(words, mask, sizeof(words));
	for (unsigned i = 0; i < WIDTH / 8; i++)
		for (; words[i]; words[i] &= ~(0xffull << (__builtin_ctzll(words[i]) & ~7))) {
			size_t place = at + i * 8 + (unsigned)__builtin_ctzll(words[i]) / 8;

			if (is_in_filter(slice, window->bytes + place))
				try_place(slice, window, place);
		}
}

/* npatterns: the scan's, where the compiler can see it. */
INLINE void scan_places(const struct slice *slice, size_t npatterns, const struct window *window)
{
	size_t at = window->from;

	/* 3: the last of the patterns ends there */
	for (; at + BLOCK <= window->to && at + BLOCK + 3 <= window->size; at += BLOCK) {
		bytes32 masks[BLOCK / WIDTH], any = {0};

		for (unsigned i = 0; i < BLOCK / WIDTH; i++) {
			likely_places(slice, npatterns, window->bytes + at + i * WIDTH, &masks[i]);
			any |= masks[i];
		}
		for (unsigned i = 0; i < BLOCK / WIDTH && is_any(&any); i++)
			try_places(slice, window, &masks[i], at + i * WIDTH);
	}
	for (; at < window->to && at + sizeof(uint32_t) <= window->size; at++)
		try_place(slice, window, at);
}

INLINE void scan_any(const struct slice *slice, const struct window *window)
{
	switch (slice->scan->npatterns) {
	case 1: scan_places(slice, 1, window); break;
	case 2: scan_places(slice, 2, window); break; /* a name, as offset and as text */
	case 3: scan_places(slice, 3, window); break;
	default: scan_places(slice, slice->scan->npatterns, window);
	}
}

#ifdef __x86_64__
__attribute__((target("avx2")))
static void scan_wide(const struct slice *slice, const struct window *window)
{
	scan_any(slice, window);
}
#endif

static void scan_window(const struct slice *slice, const struct window *window)
{
#ifdef __x86_64__
	if (__builtin_cpu_supports("avx2")) {
		scan_wide(slice, window);
		return;
	}
#endif
	scan_any(slice, window);
}

/* false: the file can't be read as it was mapped. */
static bool read_window(const struct scan *scan, size_t start, size_t size, uint8_t *ret)
{
	for (size_t done = 0; done < size;) {
		ssize_t n = pread(scan->file.fd, ret + done, size - done,
				  scan->file.offset + (off_t)(start + done));

		if (n <= 0)
			return false;
		done += (size_t)n;
	}
	return true;
}

static void *scan_slice(void *argument)
{
	const struct slice *slice = argument;
	const struct scan *scan = slice->scan;
	uint8_t *buffer = scan->file.fd < 0 ? NULL : malloc(WINDOW + scan->reach + 3);

	for (size_t at = slice->from; at < slice->to; at += WINDOW) {
		size_t end = at + WINDOW < slice->to ? at + WINDOW : slice->to;
		size_t start = at > scan->reach ? at - scan->reach : 0;
		size_t size = (end + 3 < scan->size ? end + 3 : scan->size) - start;
		bool is_read = buffer && read_window(scan, start, size, buffer);

		scan_window(slice, &(struct window){
			.bytes = is_read ? buffer : scan->bytes + start,
			.start = start,
			.size = size,
			.from = at - start,
			.to = end - start,
		});
	}
	free(buffer);
	return NULL;
}

void give_back(const void *from, const void *to)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t start = ((uintptr_t)from + page - 1) & ~(page - 1), end = (uintptr_t)to & ~(page - 1);

	if (start < end)
		madvise((void *)start, end - start, MADV_DONTNEED);
}

/* The same file still, under the name it was mapped by. */
static bool open_mapped(const char *path, unsigned long inode, struct mapped_file *ret)
{
	struct stat status;

	ret->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (ret->fd < 0)
		return false;
	if (!fstat(ret->fd, &status) && status.st_ino == inode)
		return true;
	close(ret->fd);
	ret->fd = -1;
	return false;
}

bool find_mapped_file(const void *bytes, struct mapped_file *ret)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	unsigned long start, end, offset, inode;
	char line[PATH_MAX + 128];
	bool found = false;
	int path;

	ret->fd = -1;
	while (maps && !found && fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%lx-%lx %*s %lx %*s %lu %n", &start, &end, &offset, &inode,
			   &path) != 4 || (uintptr_t)bytes < start || (uintptr_t)bytes >= end || !inode)
			continue;
		line[strcspn(line, "\n")] = '\0';
		ret->offset = (off_t)(offset + ((uintptr_t)bytes - start));
		found = open_mapped(line + path, inode, ret);
	}
	if (maps)
		fclose(maps);
	return found;
}

static void run_slices(struct slice *slices, unsigned count)
{
	pthread_t threads[THREADS_MAX];
	bool started[THREADS_MAX] = {false};

	for (unsigned i = 1; i < count; i++)
		started[i] = !pthread_create(&threads[i], NULL, scan_slice, &slices[i]);
	for (unsigned i = 0; i < count; i++)
		if (!started[i])
			scan_slice(&slices[i]);
	for (unsigned i = 1; i < count; i++)
		if (started[i])
			pthread_join(threads[i], NULL);
}

static void compare_with(struct slice *slice, size_t index, uint32_t word)
{
	memset(slice->first[index], (uint8_t)word, WIDTH);
	memset(slice->second[index], (uint8_t)(word >> 8), WIDTH);
}

void scan_run(struct scan *scan)
{
	uint8_t filter[(1 << FILTER_BITS) / 8] = {0};
	struct slice slices[THREADS_MAX];
	unsigned count = (unsigned)get_nprocs();
	bool has_hollow = false;
	uint8_t top = 0;

	if (!scan->npatterns || scan->size < sizeof(uint32_t))
		return;
	for (size_t i = 0; i < scan->npatterns; i++) {
		uint32_t word = scan->patterns[i].word;

		if (scan->patterns[i].length > scan->reach)
			scan->reach = scan->patterns[i].length;
		filter[filter_bit(word) / 8] |= (uint8_t)(1u << filter_bit(word) % 8);
		if (word >> 24 > top)
			top = (uint8_t)(word >> 24);
		has_hollow |= !(word & 0xffff00);
	}
	if (count > THREADS_MAX)
		count = THREADS_MAX;
	if (count > scan->size / SLICE_MIN)
		count = (unsigned)(scan->size / SLICE_MIN);
	if (!count)
		count = 1;
	for (unsigned i = 0; i < count; i++)
		slices[i] = (struct slice){
			.scan = scan,
			.filter = scan->npatterns > FEW ? filter : NULL,
			.top = top,
			.has_hollow = has_hollow,
			.from = scan->size / count * i,
			.to = i + 1 < count ? scan->size / count * (i + 1) : scan->size,
		};
	for (unsigned i = 0; i < count && scan->npatterns <= FEW; i++)
		for (size_t j = 0; j < scan->npatterns; j++)
			compare_with(&slices[i], j, scan->patterns[j].word);
	run_slices(slices, count);
}
