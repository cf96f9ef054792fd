// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells whether the bytes of a section are mapped from a file, and which; faults in their pages and
 * gives them back. libelf maps a file and closes it, so /proc/self/maps has to tell.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "debuginfo/search/search.h"

/* Kernels before 5.14 refuse this: then each page is faulted in by itself. */
#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#endif

static uintptr_t page_size(void)
{
	return (uintptr_t)sysconf(_SC_PAGESIZE);
}

void take_pages(const void *from, const void *to)
{
	uintptr_t start = (uintptr_t)from & ~(page_size() - 1);

	madvise((void *)start, (uintptr_t)to - start, MADV_POPULATE_READ);
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

int open_mapped_file(const void *bytes, size_t size, off_t *offset)
{
	struct mapping mapping;
	struct stat file;
	int fd;

	if (!find_mapping(bytes, size, &mapping) || !mapping.inode)
		return -1;
	fd = open(mapping.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return -1;
	/* another file may have that name by now */
	if (fstat(fd, &file) || file.st_ino != mapping.inode ||
	    file.st_dev != makedev(mapping.major, mapping.minor)) {
		close(fd);
		return -1;
	}
	*offset = (off_t)((uintptr_t)bytes - mapping.start + mapping.offset);
	return fd;
}
