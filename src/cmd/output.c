// SPDX-License-Identifier: GPL-2.0-only
/*
 * A live run's text in, written to standard output or to the file of -o. A reader that has gone is no
 * error, but the end.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "cmd/live.h"

static struct error *cant_write(const struct output *output)
{
	return error_errno(output->arena, errno, "can't write '%s'", output->path);
}

struct error *output_open(struct output *output)
{
	output->fd = STDOUT_FILENO;
	if (!output->path)
		return NULL;
	/* what is there is only cut off once the trace is live: a failure keeps it */
	output->fd = open(output->path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	return output->fd < 0 ? cant_write(output) : NULL;
}

struct error *output_begin(const struct output *output)
{
	/* EINVAL: a pipe or a device */
	if (output->path && ftruncate(output->fd, 0) && errno != EINVAL)
		return cant_write(output);
	return NULL;
}

struct error *output_write(struct output *output, struct strbuf *text)
{
	size_t at = 0;

	while (at < text->length && !output->gone) {
		ssize_t written = write(output->fd, text->data + at, text->length - at);

		if (written >= 0) {
			at += (size_t)written;
		} else if (errno == EPIPE) {
			output->gone = true;
		} else if (errno != EINTR) {
			text->length = 0;
			return error_errno(output->arena, errno, "can't write to '%s'",
					   output->path ? output->path : "standard output");
		}
	}
	text->length = 0;
	return NULL;
}

struct error *output_close(struct output *output)
{
	if (output->path && output->fd >= 0 && close(output->fd))
		return cant_write(output);
	return NULL;
}
