// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells whether bytes are mapped from a file, and which; gives their pages back. libelf maps a file
 * and closes it, so /proc/self/maps has to tell.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/mapping.h"

static uintptr_t page_size(void)
{
	return (uintptr_t)sysconf(_SC_PAGESIZE);
}

void give_back(const void *from, const void *to)
{
	uintptr_t mask = ~(page_size() - 1);
	uintptr_t start = ((uintptr_t)from + page_size() - 1) & mask, end = (uintptr_t)to & mask;

	if (start < end)
		madvise((void *)start, end - start, MADV_DONTNEED);
}

/* A line of /proc/self/maps, proc_pid_maps(5). */
struct mapping {
	unsigned long start;
	unsigned long end;
	char may[5];
	unsigned long offset; /* in the file */
	unsigned major;
	unsigned minor;
	unsigned long inode; /* 0: not a file */
	char path[PATH_MAX];
};

static bool find_mapping(const void *bytes, size_t size, struct mapping *ret)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	char line[PATH_MAX + 128];
	bool found = false;
	int path;

	while (maps && !found && fgets(line, sizeof(line), maps))
		found = sscanf(line, "%lx-%lx %4s %lx %x:%x %lu %n", &ret->start, &ret->end,
			       ret->may, &ret->offset, &ret->major, &ret->minor, &ret->inode,
			       &path) == 7 &&
			(uintptr_t)bytes >= ret->start && (uintptr_t)bytes + size <= ret->end;
	if (maps)
		fclose(maps);
	if (found)
		snprintf(ret->path, sizeof(ret->path), "%.*s", (int)strcspn(line + path, "\n"),
			 line + path);
	return found;
}

bool is_mapped_file(const void *bytes, size_t size)
{
	struct mapping mapping;

	return find_mapping(bytes, size, &mapping) && mapping.inode && !strcmp(mapping.may, "rw-p");
}

struct mapped_file mapped_file_open(const void *bytes, size_t size)
{
	struct mapped_file ret = {.bytes = bytes, .fd = -1};
	struct mapping mapping;
	struct stat file;

	if (!find_mapping(bytes, size, &mapping) || !mapping.inode)
		return ret;
	ret.offset = (off_t)((uintptr_t)bytes - mapping.start + mapping.offset);
	ret.fd = open(mapping.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	/* another file may have that name by now */
	if (ret.fd >= 0 && (fstat(ret.fd, &file) || file.st_ino != mapping.inode ||
			    file.st_dev != makedev(mapping.major, mapping.minor))) {
		close(ret.fd);
		ret.fd = -1;
	}
	return ret;
}

const void *mapped_file_read(const struct mapped_file *file, size_t at, size_t length, void *copy)
{
	if (copy && file->fd >= 0 &&
	    pread(file->fd, copy, length, file->offset + (off_t)at) == (ssize_t)length)
		return copy;
	return file->bytes + at;
}
