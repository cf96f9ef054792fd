// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keeps what was searched for in a file's debug information, so that it needn't be searched for
 * again: in a file of ktrace's own, named after the build-id, with the units and, for each name
 * that was asked for, the units that can mention it.
 *
 * A file can claim any build-id, so the index also records which file it was made from: device,
 * inode, size and times, of which only the kernel sets the last (ctime). An index is used only if
 * all of it checks out; else it is ignored. It may be deleted at any time; of two processes that
 * write it at once, one wins.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/own_file.h"
#include "base/strbuf.h"
#include "debuginfo/search/search.h"

#define MAGIC      "ktrace 2"
#define ANY_MAGIC  "ktrace "
#define FILE_MAX   ((size_t)4 << 20) /* bytes; the oldest names go */
#define FILES_MAX  64                /* the files longest unused go */
#define SUFFIX     ".names"
#define PROGRAM    ".program" /* before the suffix: a kernel and a program never share an index */
#define MOMENT_NS  20000000   /* file times may be off by half of that */

struct header {
	char magic[8];
	uint64_t check;     /* checksum of everything after it */
	uint64_t info_size; /* of .debug_info */
	uint64_t nunits;
	char build_id[64];
	struct file_id file;
};

struct stored_unit {
	uint64_t start;
	uint32_t die; /* from start */
	uint32_t version;
};

/* Followed by the name with its NUL, padded to a multiple of four bytes, and the units' numbers. */
struct stored_name {
	uint32_t size;
	uint32_t nunits;
};

struct index {
	const char *directory;
	const char *name;
	struct header header; /* what the file's must be */
	const uint8_t *data;  /* NULL: no usable index */
	const uint8_t *names;
	const uint8_t *end;
};

static size_t padded(size_t size)
{
	return (size + 3) & ~(size_t)3;
}

static const uint8_t *names_of(const struct header *header, const uint8_t *data)
{
	return data + sizeof(*header) + header->nunits * sizeof(struct stored_unit);
}

/* Reads the name at `at` and returns the next one's place; NULL at the end, or when it isn't a
 * name. */
static const uint8_t *read_name(const uint8_t *at, const uint8_t *end, struct stored_name *ret,
				const char **name)
{
	size_t left = (size_t)(end - at);

	if (left < sizeof(*ret))
		return NULL;
	memcpy(ret, at, sizeof(*ret));
	left -= sizeof(*ret);
	if (!ret->size || ret->size > left || ret->nunits > left / sizeof(uint32_t) ||
	    padded(ret->size) + ret->nunits * sizeof(uint32_t) > left ||
	    at[sizeof(*ret) + ret->size - 1])
		return NULL;
	*name = (const char *)at + sizeof(*ret);
	return at + sizeof(*ret) + padded(ret->size) + ret->nunits * sizeof(uint32_t);
}

static uint32_t unit_at(const uint8_t *next, const struct stored_name *name, uint32_t i)
{
	uint32_t unit;

	memcpy(&unit, next - (name->nunits - i) * sizeof(unit), sizeof(unit));
	return unit;
}

static bool are_units_good(const struct header *header, const uint8_t *data)
{
	uint64_t last = 0;

	for (uint64_t i = 0; i < header->nunits; i++) {
		struct stored_unit unit;

		memcpy(&unit, data + sizeof(*header) + i * sizeof(unit), sizeof(unit));
		if ((i ? unit.start <= last : unit.start) || unit.start >= header->info_size ||
		    !unit.die || unit.die > 64)
			return false;
		last = unit.start;
	}
	return true;
}

static bool are_names_good(const struct header *header, const uint8_t *at, const uint8_t *end)
{
	struct stored_name name;
	const uint8_t *next;
	const char *text;

	for (; at < end; at = next) {
		next = read_name(at, end, &name, &text);
		if (!next)
			return false;
		for (uint32_t i = 0; i < name.nunits; i++)
			if (unit_at(next, &name, i) >= header->nunits)
				return false;
	}
	return true;
}

static uint64_t check_of(const uint8_t *data, size_t size)
{
	size_t start = offsetof(struct header, info_size);

	return bytes_hash(data + start, size - start);
}

/* wanted: every field but nunits and check, which are the file's own. */
static bool is_good(const struct header *wanted, const uint8_t *data, size_t size,
		    struct header *ret)
{
	if (size < sizeof(*ret))
		return false;
	memcpy(ret, data, sizeof(*ret));
	return !memcmp(ret->magic, wanted->magic, sizeof(ret->magic)) &&
	       !memcmp(ret->build_id, wanted->build_id, sizeof(ret->build_id)) &&
	       !memcmp(&ret->file, &wanted->file, sizeof(ret->file)) &&
	       ret->info_size == wanted->info_size && ret->check == check_of(data, size) &&
	       ret->nunits <= (size - sizeof(*ret)) / sizeof(struct stored_unit) &&
	       are_units_good(ret, data) && are_names_good(ret, names_of(ret, data), data + size);
}

static uint8_t *read_file(struct arena *arena, int directory, const char *name, size_t *size)
{
	struct stat status;
	int fd = open_own_file(directory, name, &status);
	uint8_t *data = NULL;

	*size = 0;
	if (fd < 0)
		return NULL;
	if ((size_t)status.st_size <= 2 * FILE_MAX) {
		data = (uint8_t *)file_read_most(arena, fd, (size_t)status.st_size, size);
		futimens(fd, NULL); /* mark as used: the files unused for longest go first */
	}
	close(fd);
	return *size && *size == (size_t)status.st_size ? data : NULL;
}

static void read_index(struct arena *arena, struct index *index)
{
	struct header found;
	int directory = open_own_directory(index->directory);
	size_t size;
	uint8_t *data = directory < 0 ? NULL : read_file(arena, directory, index->name, &size);

	if (directory >= 0)
		close(directory);
	index->data = NULL;
	if (!data || !is_good(&index->header, data, size, &found))
		return;
	index->header = found;
	index->data = data;
	index->names = names_of(&found, data);
	index->end = data + size;
}

/* A file that was written a moment ago may be written again and keep the same times. */
static bool is_settled(const struct file_id *file)
{
	struct timespec now;

	if (clock_gettime(CLOCK_REALTIME, &now))
		return false;
	return (int64_t)now.tv_sec - file->changed[0] > 1 ||
	       ((int64_t)now.tv_sec - file->changed[0]) * 1000000000 + now.tv_nsec -
			       file->changed[1] >
		       MOMENT_NS;
}

struct index *index_open(struct arena *arena, const char *directory, const struct target *target,
			 size_t info_size)
{
	const struct file_id *file = target->debug_file.inode ? &target->debug_file : &target->file;
	struct index *index = arena_new(arena, struct index);
	const char *build_id = target->build_id;

	if (!directory || !build_id || !is_settled(file) ||
	    strlen(build_id) >= sizeof(index->header.build_id))
		return NULL;
	memcpy(index->header.magic, MAGIC, sizeof(index->header.magic));
	memcpy(index->header.build_id, build_id, strlen(build_id));
	index->header.info_size = info_size;
	index->directory = directory;
	index->header.file = *file;
	index->name = arena_printf(arena, "%s%s" SUFFIX, build_id,
				   target->kind == TARGET_PROGRAM ? PROGRAM : "");
	read_index(arena, index);
	return index;
}

bool index_units(const struct index *index, struct arena *arena, struct unit **ret, size_t *count)
{
	if (!index || !index->data)
		return false;
	*count = index->header.nunits;
	*ret = arena_array(arena, struct unit, *count + 1);
	for (size_t i = 0; i < *count; i++) {
		struct stored_unit unit;

		memcpy(&unit, index->data + sizeof(index->header) + i * sizeof(unit), sizeof(unit));
		(*ret)[i].start = unit.start;
		(*ret)[i].die = unit.start + unit.die;
		(*ret)[i].version = (uint8_t)unit.version;
		(*ret)[i].end = index->header.info_size;
		if (i)
			(*ret)[i - 1].end = unit.start;
	}
	return true;
}

bool *index_recall(const struct index *index, struct arena *arena, const char *name)
{
	struct stored_name stored;
	const uint8_t *at, *next;
	const char *text;
	bool *ret;

	if (!index || !index->data)
		return NULL;
	for (at = index->names; (next = read_name(at, index->end, &stored, &text)); at = next) {
		if (strcmp(text, name))
			continue;
		ret = arena_array(arena, bool, index->header.nunits + 1);
		for (uint32_t i = 0; i < stored.nunits; i++)
			ret[unit_at(next, &stored, i)] = true;
		return ret;
	}
	return NULL;
}

static void put_units(struct strbuf *text, const struct unit *units, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct stored_unit unit = {
			.start = units[i].start,
			.die = (uint32_t)(units[i].die - units[i].start),
			.version = units[i].version,
		};

		strbuf_add(text, (const char *)&unit, sizeof(unit));
	}
}

static void put_name(struct strbuf *text, const struct searched *searched, size_t nunits)
{
	struct stored_name name = {.size = (uint32_t)strlen(searched->name) + 1};

	for (size_t i = 0; i < nunits; i++)
		name.nunits += searched->is_candidate[i];
	if (text->length + sizeof(name) + padded(name.size) + name.nunits * sizeof(uint32_t) >
	    FILE_MAX)
		return;
	strbuf_add(text, (const char *)&name, sizeof(name));
	strbuf_add(text, searched->name, name.size);
	strbuf_add(text, "\0\0", padded(name.size) - name.size);
	for (uint32_t i = 0; i < nunits; i++)
		if (searched->is_candidate[i])
			strbuf_add(text, (const char *)&i, sizeof(i));
}

/* Adds the names that the file has now: another process may have written since. */
static void put_old_names(struct strbuf *text, struct arena *arena, struct index *index)
{
	struct stored_name stored;
	const uint8_t *next;
	const char *name;

	read_index(arena, index);
	for (const uint8_t *at = index->data ? index->names : NULL;
	     at && (next = read_name(at, index->end, &stored, &name)); at = next)
		if (text->length + (size_t)(next - at) <= FILE_MAX)
			strbuf_add(text, (const char *)at, (size_t)(next - at));
}

/* Whether a file is surely an index that ktrace wrote for this user. */
static bool is_ours(int directory, const char *name, struct stat *status)
{
	char magic[sizeof(ANY_MAGIC) - 1];
	const char *suffix = strstr(name, SUFFIX);
	bool is_good;
	int fd;

	if (!suffix || suffix[strlen(SUFFIX) + strspn(suffix + strlen(SUFFIX), ".0123456789")])
		return false;
	fd = openat(directory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0)
		return false;
	is_good = !fstat(fd, status) && S_ISREG(status->st_mode) && status->st_uid == geteuid() &&
		  pread(fd, magic, sizeof(magic), 0) == sizeof(magic) &&
		  !memcmp(magic, ANY_MAGIC, sizeof(magic));
	close(fd);
	return is_good;
}

/* Counts this user's index files; oldest: the one unused for longest (a buffer of 256 bytes). */
static unsigned count_files(DIR *dir, char *oldest)
{
	struct timespec when = {0};
	struct dirent *entry;
	unsigned count = 0;

	rewinddir(dir);
	while ((entry = readdir(dir))) {
		struct stat status;

		if (!is_ours(dirfd(dir), entry->d_name, &status))
			continue;
		if (count++ && (status.st_mtim.tv_sec > when.tv_sec ||
				(status.st_mtim.tv_sec == when.tv_sec &&
				 status.st_mtim.tv_nsec >= when.tv_nsec)))
			continue;
		memcpy(oldest, entry->d_name, strlen(entry->d_name) + 1);
		when = status.st_mtim;
	}
	return count;
}

/* Two processes at once may have left more than one file too many. */
static void drop_oldest(int directory)
{
	DIR *dir = fdopendir(directory);
	char oldest[256];

	while (dir && count_files(dir, oldest) > FILES_MAX && !unlinkat(dirfd(dir), oldest, 0))
		;
	if (dir)
		closedir(dir);
	else
		close(directory);
}

void index_write(struct dwarf_info *info)
{
	struct index *index = info->index;
	struct strbuf text;
	bool is_new = false;
	int directory;

	for (const struct searched *at = info->searched; at; at = at->next)
		is_new |= !at->is_recalled && !at->is_wide;
	if (!index || !is_new || make_own_directory(index->directory))
		return;
	directory = open_own_directory(index->directory);
	if (directory < 0)
		return;
	index->header.nunits = info->nunits;
	strbuf_init(&text);
	strbuf_add(&text, (const char *)&index->header, sizeof(index->header));
	put_units(&text, info->units, info->nunits);
	for (const struct searched *at = info->searched; at; at = at->next)
		if (!at->is_recalled && !at->is_wide)
			put_name(&text, at, info->nunits);
	put_old_names(&text, info->arena, index);
	index->header.check = check_of((const uint8_t *)text.data, text.length);
	memcpy(text.data, &index->header, sizeof(index->header));
	replace_own_file(directory, index->name, text.data, text.length);
	drop_oldest(directory);
	strbuf_deinit(&text);
}
