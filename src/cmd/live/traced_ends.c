// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells when the processes of -p have ended, by pidfds: nothing is asked again and again.
 *
 * The surprise: /proc may show the numbers of another pid namespace than ours, and -p means
 * those. What a pidfd really is of is in its fdinfo, which /proc numbers likewise.
 */
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/arena.h"
#include "cmd/live/live.h"

/* A number in a file of /proc, behind "NAME:\t"; -1: it isn't known. */
static long proc_number(const char *path, const char *name)
{
	FILE *file = fopen(path, "re");
	char line[128];
	size_t length = strlen(name);
	long ret = -1;

	while (file && ret < 0 && fgets(line, sizeof(line), file))
		if (!strncmp(line, name, length) && line[length] == ':')
			sscanf(line + length + 1, "%ld", &ret);
	if (file)
		fclose(file);
	return ret;
}

/* A pidfd of the process that a thread belongs to; -1: there is none. */
static int open_process(struct arena *arena, pid_t pid)
{
	long process = proc_number(arena_printf(arena, "/proc/%d/status", (int)pid), "Tgid");
	int fd = process < 0 ? -1 : (int)syscall(SYS_pidfd_open, (pid_t)process, 0);

	if (fd < 0 || proc_number(arena_printf(arena, "/proc/self/fdinfo/%d", fd), "Pid") ==
			      process)
		return fd;
	close(fd);
	return -1;
}

void traced_open(struct traced *traced, struct arena *arena, const struct pid_list *pids)
{
	*traced = (struct traced){.fd = pids->count ? epoll_create1(EPOLL_CLOEXEC) : -1};
	if (traced->fd < 0)
		return;
	traced->fds = arena_array(arena, int, pids->count);
	for (unsigned i = 0; i < pids->count; i++) {
		int fd = open_process(arena, pids->numbers[i]);
		struct epoll_event event = {.events = EPOLLIN, .data.u32 = i};

		traced->fds[traced->count++] = fd;
		/* one that can't be watched counts as there: the trace goes on */
		if (fd >= 0)
			epoll_ctl(traced->fd, EPOLL_CTL_ADD, fd, &event);
	}
	traced->left = traced->count;
}

bool traced_have_ended(struct traced *traced)
{
	struct epoll_event event;

	while (traced->left && epoll_wait(traced->fd, &event, 1, 0) == 1) {
		int *fd = &traced->fds[event.data.u32];

		epoll_ctl(traced->fd, EPOLL_CTL_DEL, *fd, NULL);
		close(*fd);
		*fd = -1;
		traced->left--;
	}
	return traced->count && !traced->left;
}

void traced_close(struct traced *traced)
{
	for (unsigned i = 0; i < traced->count; i++)
		if (traced->fds[i] >= 0)
			close(traced->fds[i]);
	if (traced->fd >= 0)
		close(traced->fd);
	*traced = (struct traced){.fd = -1};
}

void say_traced_ended(struct strbuf *out, const struct pid_list *pids, const char *command)
{
	bool is_one = pids->count == 1;

	if (is_one)
		strbuf_printf(out, "ktrace: process %d has ended", (int)pids->numbers[0]);
	else
		strbuf_printf(out, "ktrace: all %u processes of -p have ended", pids->count);
	if (command)
		strbuf_printf(out, "; the trace ends when '%s' does\n", command);
	else
		strbuf_printf(out, ", so the trace ends\n");
}
