// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts signals that would end the process: the trace ends in order, whichever it is. Only SIGKILL
 * and our own faults (crash.c) end it otherwise.
 */
#include "cmd/live/signals.h"

#include <errno.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/error.h"

static const int ending[] = {
	SIGINT, SIGTERM, SIGQUIT, SIGHUP, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM,
	SIGPROF, SIGXCPU, SIGXFSZ, SIGIO, SIGPWR, SIGSTKFLT,
};

static bool is_ignored(int number)
{
	struct sigaction action;

	return !sigaction(number, NULL, &action) && action.sa_handler == SIG_IGN;
}

/* A shell makes its background jobs ignore SIGINT and SIGQUIT; a user that sends one of them
 * still means it. */
static const int meant[] = {SIGINT, SIGQUIT};

static bool is_wanted(int number)
{
	return number == meant[0] || number == meant[1] || !is_ignored(number);
}

void signals_keep(void)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(meant) / sizeof(*meant); i++)
		if (is_ignored(meant[i]))
			sigaddset(&set, meant[i]);
	sigprocmask(SIG_BLOCK, &set, NULL);
}

struct error *signals_take(struct arena *arena, struct signals *ret)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	for (size_t i = 0; i < sizeof(ending) / sizeof(*ending); i++)
		if (is_wanted(ending[i]))
			sigaddset(&set, ending[i]);
	for (int number = SIGRTMIN; number <= SIGRTMAX; number++)
		if (is_wanted(number))
			sigaddset(&set, number);
	sigprocmask(SIG_BLOCK, &set, &ret->old);
	for (size_t i = 0; i < sizeof(meant) / sizeof(*meant); i++)
		if (is_ignored(meant[i])) /* signals_keep() */
			sigdelset(&ret->old, meant[i]);
	ret->fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (ret->fd >= 0)
		return NULL;
	sigprocmask(SIG_SETMASK, &ret->old, NULL);
	return error_errno(arena, errno, "signalfd");
}

unsigned signals_read(const struct signals *signals, bool *child)
{
	struct signalfd_siginfo info;
	unsigned count = 0;

	*child = false;
	while (read(signals->fd, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGCHLD)
			*child = true;
		else
			count++;
	}
	return count;
}

void signals_release(struct signals *signals)
{
	bool child;

	if (signals->fd < 0)
		return;
	signals_read(signals, &child);
	close(signals->fd);
	signals->fd = -1;
	sigprocmask(SIG_SETMASK, &signals->old, NULL);
}
