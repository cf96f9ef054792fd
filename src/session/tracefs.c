// SPDX-License-Identifier: GPL-2.0-only
/*
 * Paths in, texts and errnos out. Nothing here opens with O_TRUNC: on kprobe_events that would
 * remove everybody's probes. tracefs is looked up in /proc/mounts, because stepping into
 * /sys/kernel/debug/tracing would mount it.
 */
#include "session/tracefs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define USUAL_PLACE "/sys/kernel/tracing"

static int read_all(struct arena *arena, const char *path, char **ret)
{
	size_t size = 4096, length = 0;
	char *text = arena_alloc(arena, size);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int err = fd < 0 ? errno : 0;

	while (!err) {
		ssize_t n = read(fd, text + length, size - length - 1);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			err = errno;
		if (n <= 0)
			break;
		length += (size_t)n;
		if (length + 1 == size) {
			text = arena_grow(arena, text, length, size * 2);
			size *= 2;
		}
	}
	if (fd >= 0)
		close(fd);
	text[length] = '\0';
	*ret = text;
	return err;
}

/* /proc/mounts writes a blank in a path as \040. */
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
	char *filesystems;

	if (!read_all(arena, "/proc/filesystems", &filesystems) &&
	    !strstr(filesystems, "\ttracefs\n"))
		return error_hint(arena, error_new(arena, ERROR_SYSTEM,
						   "this kernel has no tracefs"),
				  "it was built without CONFIG_FTRACE; boot one that has it");
	return error_hint(arena, error_new(arena, ERROR_SYSTEM, "tracefs is not mounted"),
			  "mount -t tracefs tracefs " USUAL_PLACE "%s",
			  geteuid() ? " (as root)" : "");
}

struct error *tracefs_find(struct arena *arena, const char **ret)
{
	const char *found = NULL;
	char *mounts, *line;
	int err = read_all(arena, "/proc/mounts", &mounts);

	if (err)
		return error_errno(arena, err, "cannot read '/proc/mounts'");
	while ((line = text_line(&mounts))) {
		char *place, *type;

		text_word(&line);
		place = text_word(&line);
		type = text_word(&line);
		if (!place || !type || strcmp(type, "tracefs"))
			continue;
		unescape(place);
		if (!found || !strcmp(place, USUAL_PLACE))
			found = place;
	}
	*ret = found;
	return found ? NULL : not_mounted(arena);
}

static bool says(const char *path, const char *word)
{
	char text[4096] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	return n > 0 && strstr(text, word);
}

/* securityfs need not be mounted. */
bool tracefs_locked_down(void)
{
	return says("/sys/kernel/security/lockdown", "[confidentiality]") ||
	       says("/proc/cmdline", "lockdown=confidentiality");
}

struct error *tracefs_error(struct arena *arena, const char *path, const char *verb, int err)
{
	struct error *error = error_errno(arena, err, "cannot %s '%s'", verb, path);

	/* locked down at boot, tracefs has no files; later, they can't be opened */
	if (err != EACCES && err != EPERM && err != ENOENT)
		return error;
	if (tracefs_locked_down())
		return error_hint(arena, error, "the kernel is locked down (confidentiality): "
				  "boot it without lockdown=confidentiality");
	if (err == ENOENT)
		return error;
	if (geteuid())
		return error_hint(arena, error, "run as root: sudo ktrace ...");
	return error_hint(arena, error, "root may not do this here: is this a container?");
}

struct error *tracefs_read(struct arena *arena, const char *path, char **ret)
{
	int err = read_all(arena, path, ret);

	return err ? tracefs_error(arena, path, "read", err) : NULL;
}

int tracefs_write(const char *path, const char *text)
{
	size_t length = strlen(text);
	int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	ssize_t n;
	int err = 0;

	if (fd < 0)
		return errno;
	do
		n = write(fd, text, length);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		err = errno;
	else if ((size_t)n != length)
		err = EIO;
	close(fd);
	return err;
}

struct error *tracefs_set(struct arena *arena, const char *path, const char *text)
{
	int err = tracefs_write(path, text);

	return err ? tracefs_error(arena, path, "write", err) : NULL;
}

bool tracefs_exists(const char *path)
{
	return !access(path, F_OK);
}

struct error *tracefs_look(struct arena *arena, const char *path, bool *ret)
{
	int err = access(path, F_OK) ? errno : 0;

	*ret = !err;
	return err && err != ENOENT && err != ENOTDIR ? tracefs_error(arena, path, "use", err) : NULL;
}

struct error *tracefs_remove(struct arena *arena, const char *path)
{
	const struct timespec pause = {.tv_nsec = 10 * 1000 * 1000};
	int err = rmdir(path) ? errno : 0;

	for (int tries = 0; err == EBUSY && tries < 50; tries++) {
		nanosleep(&pause, NULL);
		err = rmdir(path) ? errno : 0;
	}
	/* ENODEV: somebody else just removed it */
	if (!err || err == ENOENT || err == ENODEV)
		return NULL;
	return error_hint(arena, error_errno(arena, err, "cannot remove '%s'", path),
			  "somebody holds a file of it open; when they are gone: ktrace clean");
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
