// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds a library's path as the dynamic linker would: $LD_LIBRARY_PATH, then /etc/ld.so.cache. The
 * cache's layout is glibc's (sysdeps/generic/dl-cache.h); an older layout may stand in front of it,
 * and is skipped by searching for the magic.
 */
#include "target/library.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

#define CACHE_MAGIC "glibc-ld.so.cache1.1"

struct cache_header {
	char magic[20];
	uint32_t count;
	uint32_t strings;
	uint32_t unused[5];
};

struct cache_entry {
	int32_t flags;
	uint32_t name; /* offsets of both from the header's start */
	uint32_t path;
	uint32_t os;
	uint64_t hardware;
};

#define FLAGS_X86_64 0x0303 /* libc6, x86-64 */

/* "libc" for libc.so.6, but not for libc.so (a linker script) nor libcap.so.2. */
static bool is_short_for(const char *name, const char *wanted)
{
	size_t length = strlen(wanted);

	return !strncmp(name, wanted, length) && !strncmp(name + length, ".so.", 4);
}

/* The string at an offset; "" when it isn't terminated. */
static const char *text_at(const char *cache, size_t size, uint32_t offset)
{
	return offset < size && memchr(cache + offset, '\0', size - offset) ? cache + offset : "";
}

static const char *search_cache(const char *cache, size_t size, const char *name)
{
	struct cache_header header;
	const char *found = NULL;

	if (size < sizeof(header))
		return NULL;
	memcpy(&header, cache, sizeof(header));
	for (uint32_t i = 0; i < header.count; i++) {
		size_t at = sizeof(header) + i * sizeof(struct cache_entry);
		struct cache_entry entry;
		const char *text;

		if (at + sizeof(entry) > size)
			break;
		memcpy(&entry, cache + at, sizeof(entry));
		text = text_at(cache, size, entry.name);
		if (entry.flags != FLAGS_X86_64 || access(text_at(cache, size, entry.path), R_OK))
			continue;
		if (!strcmp(text, name))
			return text_at(cache, size, entry.path);
		if (is_short_for(text, name) && !found)
			found = text_at(cache, size, entry.path);
	}
	return found;
}

static char *read_cache(struct arena *arena, size_t *size)
{
	int fd = open("/etc/ld.so.cache", O_RDONLY | O_CLOEXEC);
	struct stat status;
	char *data = NULL;

	*size = 0;
	if (fd >= 0 && !fstat(fd, &status) && status.st_size > 0)
		data = file_read_most(arena, fd, (size_t)status.st_size, size);
	if (fd >= 0)
		close(fd);
	return data;
}

static const char *search_environment(struct arena *arena, const char *name)
{
	const char *path = getenv("LD_LIBRARY_PATH") ?: "";

	while (*path) {
		size_t length = strcspn(path, ":");
		const char *file = arena_printf(arena, "%.*s/%s", (int)length, path, name);

		if (length && !access(file, R_OK))
			return file;
		path += length + (path[length] == ':');
	}
	return NULL;
}

const char *library_find(struct arena *arena, const char *name)
{
	const char *found = search_environment(arena, name);
	const char *start;
	size_t size;
	char *cache;

	if (found)
		return found;
	cache = read_cache(arena, &size);
	start = size ? memmem(cache, size, CACHE_MAGIC, strlen(CACHE_MAGIC)) : NULL;
	if (!start)
		return NULL;
	return search_cache(start, size - (size_t)(start - cache), name);
}
