// SPDX-License-Identifier: GPL-2.0-only
/*
 * Says which processes run a file that has been replaced since they mapped it, as by an upgrade of
 * its package. A uprobe lies in the file that has the path now, so what they run is never hit, and
 * nothing else would tell.
 */
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/live/live.h"
#include "cmd/options.h"

#define DELETED " (deleted)" /* fs/d_path.c appends it to the path of what has no name any more */

/* "7f9b0386d000-7f9b039c3000 r-xp 00026000 fe:00 332835      /usr/lib/libc.so.6 (deleted)": whether
 * it is code of that path. *ret: of the file that had the path once; range: where it is mapped. */
static bool is_code_of(const char *line, const char *path, bool *ret, char range[40])
{
	size_t length = strlen(path);
	char rights[5];
	int start = 0;

	if (sscanf(line, "%39s %4s %*s %*s %*s %n", range, rights, &start) < 2 || !start ||
	    rights[2] != 'x' || strncmp(line + start, path, length) != 0)
		return false;
	*ret = !strcmp(line + start + length, DELETED "\n");
	return *ret || !strcmp(line + start + length, "\n");
}

/* Elsewhere a path means another file. */
static bool has_our_mounts(const char *pid)
{
	struct stat ours, theirs;
	char name[64];

	snprintf(name, sizeof(name), "/proc/%s/ns/mnt", pid);
	return !stat(name, &theirs) && !stat("/proc/self/ns/mnt", &ours) &&
	       ours.st_ino == theirs.st_ino;
}

/* Whether the process runs the file that had the path before, not the one that has it now. */
static bool runs_replaced(const char *pid, const char *path, char range[40])
{
	bool is_old = false, has_old = false, has_new = false;
	char name[64], found[40], *line = NULL;
	size_t size = 0;
	FILE *file;

	snprintf(name, sizeof(name), "/proc/%s/maps", pid);
	file = has_our_mounts(pid) ? fopen(name, "re") : NULL;
	while (file && !has_new && getline(&line, &size, file) > 0) {
		if (!is_code_of(line, path, &is_old, found))
			continue;
		has_new = !is_old;
		if (is_old && !has_old)
			memcpy(range, found, sizeof(found));
		has_old |= is_old;
	}
	free(line);
	if (file)
		fclose(file);
	return has_old && !has_new;
}

/* The path that -x needs for the file that the process runs. */
static const char *path_of_old(const char *pid, const char *path, const char *range, char room[128])
{
	char link[64], target[4096];
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/%s/exe", pid);
	length = readlink(link, target, sizeof(target) - 1);
	target[length < 0 ? 0 : length] = 0;
	if (!strncmp(target, path, strlen(path)) && !strcmp(target + strlen(path), DELETED))
		snprintf(room, 128, "%s", link);
	else
		snprintf(room, 128, "/proc/%s/map_files/%s", pid, range);
	return room;
}

static void say(struct strbuf *out, const char *pid, unsigned others, const char *path,
		const char *range)
{
	char room[128];

	strbuf_printf(out, "ktrace: process %s ", pid);
	if (others)
		strbuf_printf(out, "and %u more run", others);
	else
		strbuf_puts(out, "runs");
	strbuf_printf(out,
		      " the file that was '%s' before it was replaced: probes in the new one don't "
		      "see it; to probe the old one: -x %s\n",
		      path, path_of_old(pid, path, range, room));
}

void say_replaced(struct strbuf *out, const struct watch *watch, const struct pid_list *pids)
{
	for (unsigned i = 0; i < watch->count; i++)
		for (unsigned j = 0; j < pids->count; j++) {
			char pid[24], range[40];

			snprintf(pid, sizeof(pid), "%lld", (long long)pids->numbers[j]);
			if (runs_replaced(pid, watch->files[i].path, range))
				say(out, pid, 0, watch->files[i].path, range);
			else
				say_not_mapped(out, &watch->files[i], pid);
		}
}

static void say_all_of(struct strbuf *out, const char *path)
{
	char first[24] = "", first_range[40], range[40];
	const struct dirent *entry;
	unsigned others = 0;
	DIR *proc = opendir("/proc");

	while (proc && (entry = readdir(proc))) {
		if (!isdigit((unsigned char)entry->d_name[0]) ||
		    strlen(entry->d_name) >= sizeof(first) ||
		    !runs_replaced(entry->d_name, path, range))
			continue;
		others += *first != 0;
		if (!*first) {
			memcpy(first, entry->d_name, strlen(entry->d_name) + 1);
			memcpy(first_range, range, sizeof(range));
		}
	}
	if (proc)
		closedir(proc);
	if (*first)
		say(out, first, others, path, first_range);
}

void say_all_replaced(struct strbuf *out, const struct watch *watch)
{
	for (unsigned i = 0; i < watch->count; i++)
		say_all_of(out, watch->files[i].path);
}

/* A file of a lower layer, whatever is changed of it, is copied to the upper one first. */
static bool may_be_copied(const struct watched *file, const struct stat *now)
{
	return file->is_overlay && (now->st_ctim.tv_sec != file->changed.tv_sec ||
				    now->st_ctim.tv_nsec != file->changed.tv_nsec);
}

void say_just_replaced(struct strbuf *out, const struct watch *watch)
{
	for (unsigned i = 0; i < watch->count; i++) {
		const struct watched *file = &watch->files[i];
		struct stat now;

		if (stat(file->path, &now))
			continue;
		if (now.st_dev != file->device || now.st_ino != file->inode)
			strbuf_printf(out,
				      "ktrace: '%s' was replaced while it was traced: processes "
				      "started since then run another file\n", file->path);
		else if (may_be_copied(file, &now))
			strbuf_printf(out,
				      "ktrace: '%s' was changed while it was traced: if the "
				      "overlay file system copied it to its upper layer for that, "
				      "processes started since then run the copy, which has no "
				      "probes\n", file->path);
	}
}
