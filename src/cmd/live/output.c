// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes text to standard output, standard error or the file of -o, without ever blocking: its
 * reader may never read again, and signals only reach us in the main loop. A reader that is gone is
 * not an error, but the end of the trace.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/live/output.h"

#define OUTPUT_BLOCK ((size_t)1 << 17) /* what a page cache keeps in one piece, where it can */

static struct error *cant_write(const struct output *output)
{
	return error_errno(output->arena, errno, "can't write to '%s'", output->name);
}

/* A pipe or terminal is shared with others: O_NONBLOCK may only be set on an open file of our
 * own. */
static void open_standard(struct output *output, int fd)
{
	const char *path = arena_printf(output->arena, "/proc/self/fd/%d", fd);
	struct stat status;

	output->fd = fd;
	if (fstat(fd, &status) || !(S_ISFIFO(status.st_mode) || isatty(fd))) {
		output->is_socket = S_ISSOCK(status.st_mode);
		return;
	}
	output->own = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	output->must_ask = output->own < 0;
	if (output->own >= 0)
		output->fd = output->own;
}

void output_init(struct output *output, struct arena *arena, int fd, const char *name)
{
	*output = (struct output){.arena = arena, .name = name, .fd = -1, .own = -1};
	if (fd >= 0)
		open_standard(output, fd);
}

/* A FIFO without a reader is waited for, as a shell does; signals still end the process. */
static int open_patiently(const char *path, bool quiet)
{
	int flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY;
	int fd = open(path, flags | O_NONBLOCK, 0644);
	struct stat status;

	if (fd >= 0 || errno != ENXIO || stat(path, &status) || !S_ISFIFO(status.st_mode))
		return fd;
	if (!quiet)
		tell("ktrace: waiting for a reader of '%s'... Ctrl-C ends it\n", path);
	fd = open(path, flags, 0644);
	if (fd >= 0)
		fcntl(fd, F_SETFL, O_WRONLY | O_NONBLOCK);
	return fd;
}

struct error *output_open(struct output *output, const char *option,
			  const char *const *precious, bool quiet)
{
	struct error *error = precious_check(output->arena, option, output->name, precious);
	struct stat status;

	if (error)
		return error;
	/* the file is truncated only once the trace is live: a failure before keeps it */
	output->fd = output->own = open_patiently(output->name, quiet);
	output->is_own_file =
		output->fd >= 0 && !fstat(output->fd, &status) && S_ISREG(status.st_mode);
	return output->fd < 0 ? cant_write(output) : NULL;
}

struct error *output_begin(const struct output *output)
{
	/* EINVAL: a pipe or a device */
	if (output->own >= 0 && ftruncate(output->own, 0) && errno != EINVAL)
		return cant_write(output);
	return NULL;
}

static ssize_t write_some(const struct output *output, const char *data, size_t length)
{
	struct pollfd fd = {.fd = output->fd, .events = POLLOUT};

	if (output->is_socket)
		return send(output->fd, data, length, MSG_DONTWAIT | MSG_NOSIGNAL);
	if (!output->must_ask)
		return write(output->fd, data, length);
	if (poll(&fd, 1, 0) == 1)
		return write(output->fd, data, length < PIPE_BUF ? length : PIPE_BUF);
	errno = EAGAIN;
	return -1;
}

struct error *output_write(struct output *output, struct strbuf *text)
{
	while (output->at < text->length && !output->gone) {
		ssize_t written = write_some(output, text->data + output->at,
					     text->length - output->at);

		if (written >= 0) {
			output->at += (size_t)written;
		} else if (errno == EAGAIN) {
			return NULL;
		} else if (errno == EPIPE || errno == ECONNRESET) {
			output->gone = true;
		} else if (errno != EINTR) {
			output->failed = output->at;
			output->at = text->length = 0;
			return cant_write(output);
		}
	}
	output->at = text->length = 0;
	return NULL;
}

size_t output_blocks(const struct output *output, size_t length)
{
	off_t at = output->is_own_file ? lseek(output->fd, 0, SEEK_CUR) : -1;
	size_t rest = at < 0 ? 0 : ((size_t)at + length) % OUTPUT_BLOCK;

	return rest < length ? length - rest : length;
}

struct error *output_close(struct output *output)
{
	if (output->own >= 0 && close(output->own))
		return cant_write(output);
	output->own = -1;
	return NULL;
}
