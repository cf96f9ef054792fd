// SPDX-License-Identifier: GPL-2.0-only
/*
 * Says that a process of -p has no code of the probed file, so that nothing of it is hit: it runs a
 * copy, the file of that path in its container, or another program. A uprobe belongs to an inode,
 * so a path tells nothing.
 *
 * The surprise: on overlayfs two inodes may be one below, which stat(2) doesn't tell; only files of
 * different sizes are certainly different there.
 */
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "cmd/live/live.h"

#define RANGE 40 /* bytes of a mapping's two addresses, as in /proc/PID/map_files */

static bool is_on_overlay(const char *path)
{
	struct statfs status;

	return statfs(path, &status) || status.f_type == OVERLAYFS_SUPER_MAGIC;
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Whether a mapping is of the file, as far as can be told. */
static bool may_be_of(const char *mapping, const struct watched *file, const struct stat *status)
{
	struct stat mapped;

	if (stat(mapping, &mapped))
		return true; /* unknown */
	if (mapped.st_dev == file->device && mapped.st_ino == file->inode)
		return true;
	return mapped.st_size == status->st_size && (file->is_overlay || is_on_overlay(mapping));
}

/* Whether the process may have code of the file. same_name: a mapping of another file of that
 * name. */
static bool may_map(const char *pid, const struct watched *file, const struct stat *status,
		    char same_name[RANGE])
{
	char name[64], mapping[128], range[RANGE], rights[5], *line = NULL;
	bool may = false;
	size_t size = 0;
	int start;
	FILE *maps;

	snprintf(name, sizeof(name), "/proc/%s/maps", pid);
	maps = fopen(name, "re");
	if (!maps)
		return true;
	while (!may && getline(&line, &size, maps) > 0) {
		start = 0;
		if (sscanf(line, "%39s %4s %*s %*s %*s %n", range, rights, &start) < 2 || !start ||
		    rights[2] != 'x' || line[start] != '/')
			continue;
		snprintf(mapping, sizeof(mapping), "/proc/%s/map_files/%s", pid, range);
		may = may_be_of(mapping, file, status);
		line[strcspn(line, "\n")] = 0;
		if (!*same_name && !strcmp(last_part(line + start), last_part(file->path)))
			memcpy(same_name, range, RANGE);
	}
	free(line);
	fclose(maps);
	return may;
}

void say_not_mapped(struct strbuf *out, const struct watched *file, const char *pid)
{
	char link[64], target[4096], same_name[RANGE] = "";
	struct stat status, exe;
	ssize_t length;

	if (stat(file->path, &status) || may_map(pid, file, &status, same_name))
		return;
	snprintf(link, sizeof(link), "/proc/%s/exe", pid);
	length = readlink(link, target, sizeof(target) - 1);
	if (length < 0 || stat(link, &exe))
		return; /* the kernel's, or it ends */
	target[length] = 0;
	strbuf_printf(out,
		      "ktrace: process %s has no code of '%s', so far: probes there don't see it",
		      pid, file->path);
	if (*same_name && strcmp(last_part(target), last_part(file->path)) != 0)
		strbuf_printf(out, "; its own file of that name: -x /proc/%s/map_files/%s\n", pid,
			      same_name);
	else
		strbuf_printf(out, "; it runs %s'%s': -x %s\n",
			      *same_name ? "another file of that name, " : "", target, link);
}
