// SPDX-License-Identifier: GPL-2.0-only
/*
 * measure OUT COMMAND [ARG...]: runs it, and appends to OUT the line
 * `WALL CPU MAXRSS STATUS`: seconds, seconds, KB, the exit status (128 + signal).
 * measure -f TEXT OUT COMMAND [ARG...]: runs it on a terminal of its own; WALL is the time until a
 * line with TEXT is on it (-1: never), when the command gets the Ctrl-C of a terminal.
 *
 * In: a command. Out: what it and the children it waited for cost. The surprise: a child's MAXRSS
 * starts with what its parent had at the fork, so a small parent has to do it, not Python.
 */
#include <errno.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

static double seconds(struct timeval tv)
{
	return tv.tv_sec + tv.tv_usec / 1e6;
}

static void run(char **argv)
{
	execvp(argv[0], argv);
	perror(argv[0]);
	_exit(127);
}

/* The time at which TEXT was there; the rest is read too, or the command would never end. */
static double await_text(int terminal, const char *text)
{
	char seen[1 << 16];
	size_t used = 0;
	double found = -1;
	ssize_t n;

	while ((n = read(terminal, seen + used, sizeof(seen) - 1 - used)) > 0) {
		char *at;

		used += n;
		seen[used] = '\0';
		at = strstr(seen, text);
		if (found < 0 && at && strchr(at, '\n')) {
			found = now();
			if (write(terminal, "\003", 1) != 1)
				break;
		}
		if (found >= 0 || used == sizeof(seen) - 1)
			used = 0;
	}
	return found;
}

int main(int argc, char **argv)
{
	const char *text = NULL;
	double start, end = -1;
	struct rusage usage;
	int status, terminal = -1;
	pid_t pid;
	FILE *out;

	if (argc > 3 && !strcmp(argv[1], "-f")) {
		text = argv[2];
		argv += 2, argc -= 2;
	}
	if (argc < 3)
		return fprintf(stderr, "usage: measure [-f TEXT] OUT COMMAND [ARG...]\n"), 2;
	start = now();
	pid = text ? forkpty(&terminal, NULL, NULL, NULL) : fork();
	if (pid < 0)
		return perror("measure"), 2;
	if (!pid)
		run(argv + 2);
	if (text)
		end = await_text(terminal, text);
	while (wait4(pid, &status, 0, &usage) < 0 && errno == EINTR)
		;
	if (!text)
		end = now();
	status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	out = fopen(argv[1], "a");
	if (!out)
		return perror(argv[1]), 2;
	fprintf(out, "%.6f %.6f %ld %d\n", end < 0 ? -1 : end - start,
		seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_maxrss, status);
	return fclose(out) ? 2 : 0;
}
