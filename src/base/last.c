// SPDX-License-Identifier: GPL-2.0-only
/* Prints last words if standard error can take them now: nothing here may block or allocate. */
#include "base/last.h"

#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

void last_words(const char *text, size_t length)
{
	struct pollfd fd = {.fd = STDERR_FILENO, .events = POLLOUT};

	/* a pipe that polls writable takes this much without blocking */
	if (length > PIPE_BUF)
		length = PIPE_BUF;
	if (poll(&fd, 1, 0) == 1 && write(STDERR_FILENO, text, length) < 0)
		return;
}

void out_of_memory(void)
{
	static const char words[] = "ktrace: out of memory\n";

	last_words(words, sizeof(words) - 1);
	exit(1);
}
