// SPDX-License-Identifier: GPL-2.0-only
/*
 * Access to tracefs through libtracefs. Some of its calls are avoided: those that mount
 * (tracefs_tracing_dir() before tfs_find() has set the directory), that truncate (*_file_write(),
 * and *_file_clear() but for the triggers of an instance of ours: on kprobe_events this removes
 * everybody's probes), and that swallow errors (its lists, tracefs_file_exists()).
 */
#include "session/tracefs.h"

#include <dirent.h>
#include <errno.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"

#include <tracefs.h> /* last: libtraceevent makes macros of our enum filter_op's names */

#define USUAL_PLACE "/sys/kernel/tracing"

/* libtracefs gives the path as in /proc/mounts, where a blank is \040. */
static void unescape(char *path)
{
	char *to = path;

	for (char *p = path; *p; to++) {
		if (p[0] == '\\' && p[1] && p[2] && p[3]) {
			*to = (char)((p[1] - '0') << 6 | (p[2] - '0') << 3 | (p[3] - '0'));
			p += 4;
		} else {
			*to = *p++;
		}
	}
	*to = '\0';
}

static struct error *not_mounted(struct arena *arena)
{
	char *filesystems, *mounts;
	int err = file_read(arena, "/proc/mounts", 4096, &mounts);

	if (err)
		return error_errno(arena, err, "can't read '/proc/mounts'");
	if (!file_read(arena, "/proc/filesystems", 4096, &filesystems) &&
	    !strstr(filesystems, "\ttracefs\n"))
		return error_hint(arena, error_new(arena, ERROR_SYSTEM,
						   "this kernel has no tracefs"),
				  "it was built without CONFIG_FTRACE; boot one that has it");
	return error_hint(arena, error_new(arena, ERROR_SYSTEM, "tracefs is not mounted"),
			  "mount -t tracefs tracefs " USUAL_PLACE "%s",
			  geteuid() ? " (as root)" : "");
}

/* Where only debugfs is mounted, libtracefs returns its directory "tracing": accessing anything
 * inside would mount tracefs there. stat(2) on it doesn't. */
static bool would_mount(struct arena *arena, const char *path)
{
	const char *parent = arena_strndup(arena, path, (size_t)(strrchr(path, '/') - path));
	struct stat inner, outer;
	struct statfs files;

	return !statfs(parent, &files) && files.f_type == DEBUGFS_MAGIC && !stat(parent, &outer) &&
	       !stat(path, &inner) && inner.st_dev == outer.st_dev;
}

struct error *tfs_find(struct arena *arena)
{
	const char *found = NULL;
	char *path;

	if (tracefs_tracing_dir_is_mounted(false, &found) <= 0)
		return not_mounted(arena);
	path = arena_strdup(arena, found);
	free((char *)found);
	unescape(path);
	if (would_mount(arena, path))
		return not_mounted(arena);
	return tracefs_set_tracing_dir(path) ? error_errno(arena, ENOMEM, "cannot use '%s'", path) :
					       NULL;
}

static bool says(struct arena *arena, const char *path, const char *word)
{
	char *text;

	return !file_read(arena, path, 4096, &text) && strstr(text, word);
}

/* /proc/cmdline is for systems where securityfs isn't mounted. */
bool is_locked_down(struct arena *arena)
{
	return says(arena, "/sys/kernel/security/lockdown", "[confidentiality]") ||
	       says(arena, "/proc/cmdline", "lockdown=confidentiality");
}

const char *tfs_path(struct arena *arena, struct tracefs_instance *instance, const char *file)
{
	char *path = file ? tracefs_instance_get_file(instance, file) :
			    tracefs_instance_get_dir(instance);
	const char *ret = arena_strdup(arena, path ? path : file ? file : "");

	tracefs_put_tracing_file(path);
	return ret;
}

struct error *tfs_error(struct arena *arena, const char *path, const char *verb, int err)
{
	struct error *error = error_errno(arena, err, "cannot %s '%s'", verb, path);

	if (err == EROFS)
		return error_hint(arena, error, "it is mounted read-only: mount -o remount,rw %s",
				  tfs_path(arena, NULL, NULL));
	/* locked down at boot: tracefs has no files; locked down later: they can't be opened */
	if (err != EACCES && err != EPERM && err != ENOENT)
		return error;
	if (is_locked_down(arena))
		return error_hint(arena, error, "the kernel is locked down (confidentiality): "
				  "boot it without lockdown=confidentiality");
	if (err == ENOENT)
		return error;
	if (geteuid())
		return error_hint(arena, error, "run as root: sudo ktrace ...");
	return error_hint(arena, error, "root may not do this here: is this a container?");
}

/* libtracefs returns NULL for an empty file too; only errno tells that from a failure. */
struct error *tfs_read(struct arena *arena, struct tracefs_instance *instance, const char *file,
		       char **ret)
{
	char *text;
	int err;

	errno = 0;
	text = tracefs_instance_file_read(instance, file, NULL);
	err = text ? 0 : errno;
	*ret = arena_strdup(arena, text ? text : "");
	free(text);
	return err ? tfs_error(arena, tfs_path(arena, instance, file), "read", err) : NULL;
}

int tfs_write(struct tracefs_instance *instance, const char *file, const char *text)
{
	int n = tracefs_instance_file_append(instance, file, text);

	if (n < 0)
		return errno;
	return (size_t)n == strlen(text) ? 0 : EIO;
}

struct error *tfs_set(struct arena *arena, struct tracefs_instance *instance, const char *file,
		      const char *text)
{
	int err = tfs_write(instance, file, text);

	return err ? tfs_error(arena, tfs_path(arena, instance, file), "write", err) : NULL;
}

struct error *tfs_clear(struct arena *arena, struct tracefs_instance *instance, const char *file)
{
	if (!tracefs_instance_file_clear(instance, file))
		return NULL;
	return tfs_error(arena, tfs_path(arena, instance, file), "write", errno);
}

struct error *tfs_look(struct arena *arena, struct tracefs_instance *instance, const char *file,
		       bool *ret)
{
	const char *path = tfs_path(arena, instance, file);
	int err = access(path, F_OK) ? errno : 0;

	*ret = !err;
	return err && err != ENOENT && err != ENOTDIR ? tfs_error(arena, path, "use", err) : NULL;
}

struct error *tfs_list(struct arena *arena, struct tracefs_instance *instance,
		       const char *directory, const char ***ret)
{
	const char *path = tfs_path(arena, instance, directory);
	DIR *stream = opendir(path);
	int err = stream ? 0 : errno;
	struct dirent *entry;
	unsigned count = 0;

	*ret = NULL;
	for (errno = 0; stream && (entry = readdir(stream)); errno = 0)
		if (entry->d_name[0] != '.')
			arena_append(arena, *ret, count) = arena_strdup(arena, entry->d_name);
	if (stream) {
		err = errno;
		closedir(stream);
	}
	arena_append(arena, *ret, count) = NULL;
	return err ? tfs_error(arena, path, "read", err) : NULL;
}

struct error *tfs_create(struct arena *arena, const char *name, struct tracefs_instance **ret)
{
	struct tracefs_instance *instance = tracefs_instance_create(name);
	int err = instance ? EEXIST : errno;

	*ret = NULL;
	if (instance && tracefs_instance_is_new(instance)) {
		*ret = instance;
		return NULL;
	}
	tracefs_instance_free(instance);
	return error_errno(arena, err, "cannot make the instance '%s'",
			   tfs_path(arena, NULL, arena_printf(arena, "instances/%s", name)));
}

struct error *tfs_instance(struct arena *arena, const char *name, struct tracefs_instance **ret)
{
	const char *directory = arena_printf(arena, "instances/%s", name);
	bool exists;
	struct error *error = tfs_look(arena, NULL, directory, &exists);

	*ret = NULL;
	if (error || !exists)
		return error;
	*ret = tracefs_instance_alloc(NULL, name);
	return *ret ? NULL : tfs_error(arena, tfs_path(arena, NULL, directory), "use", errno);
}

struct error *tfs_destroy(struct arena *arena, struct tracefs_instance *instance)
{
	const struct timespec pause = {.tv_nsec = 10 * 1000 * 1000};
	int err = tracefs_instance_destroy(instance) ? errno : 0;

	for (int tries = 0; err == EBUSY && tries < 50; tries++) {
		nanosleep(&pause, NULL);
		err = tracefs_instance_destroy(instance) ? errno : 0;
	}
	/* ENODEV: another process just removed it */
	if (!err || err == ENOENT || err == ENODEV)
		return NULL;
	return error_hint(
		arena,
		error_errno(arena, err, "cannot remove '%s'", tfs_path(arena, instance, NULL)),
		"another program holds a file of it open; when it has ended: ktrace clean");
}

char *text_line(char **text)
{
	char *line = *text;
	char *end;

	if (!line || !*line)
		return NULL;
	end = strchr(line, '\n');
	if (end)
		*end++ = '\0';
	*text = end;
	return line;
}

char *text_word(char **text)
{
	char *word = *text;

	if (!word)
		return NULL;
	word += strspn(word, " \t");
	if (!*word)
		return NULL;
	*text = word + strcspn(word, " \t");
	if (**text)
		*(*text)++ = '\0';
	return word;
}
