// SPDX-License-Identifier: GPL-2.0-only
/*
 * Turns a fatal signal into a message and exit(3), which undoes what a live trace has done. The
 * usual cause is outside: a mapped file was truncated by its owner and is read past its end
 * (SIGBUS).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/last.h"
#include "cmd/live/signals.h"

#define STACK_SIZE ((size_t)64 << 10)

/* The file mapped at the address, from /proc/self/maps; "" when there is none. */
static void find_file(const void *address, char *ret, size_t size)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	char line[4096 + 128];
	unsigned long start, end;

	*ret = '\0';
	while (maps && fgets(line, sizeof(line), maps)) {
		const char *path = strchr(line, '/');

		if (path && sscanf(line, "%lx-%lx", &start, &end) == 2 &&
		    (unsigned long)address >= start && (unsigned long)address < end)
			snprintf(ret, size, "%.*s", (int)strcspn(path, "\n"), path);
	}
	if (maps)
		fclose(maps);
}

#define BY_SIGNAL 0x10000 /* added to exit(3)'s status */

/* Called last: raises the signal again, so that our parent sees it and there may be a core. */
static void die_by_signal(int status, void *cookie)
{
	int number = status & 0xff;

	(void)cookie;
	if (!(status & BY_SIGNAL))
		return;
	signal(number, SIG_DFL);
	raise(number);
}

/* With SA_RESETHAND and SA_NODEFER, a fault in here ends the process. */
static void crashed(int number, siginfo_t *info, void *context)
{
	char path[4096], words[4096 + 128];
	int length;

	(void)context;
	*path = '\0';
	if (number == SIGBUS && info->si_code > 0)
		find_file(info->si_addr, path, sizeof(path));
	if (*path)
		length = snprintf(words, sizeof(words),
				  "ktrace: '%s' can't be read any more: it was cut off "
				  "meanwhile, or its disk failed\n",
				  path);
	else
		length = snprintf(words, sizeof(words), "ktrace: signal %d: %s\n", number,
				  strsignal(number));
	last_words(words, (size_t)length);
	exit(*path ? 1 : BY_SIGNAL | number);
}

/* A sanitizer's handler stays: it says more. */
static bool has_handler(int number)
{
	struct sigaction old;

	return !sigaction(number, NULL, &old) && old.sa_handler != SIG_DFL;
}

void crash_init(void)
{
	static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS, SIGTRAP};
	struct sigaction action = {
		.sa_sigaction = crashed,
		.sa_flags = SA_SIGINFO | SA_RESETHAND | SA_NODEFER | SA_ONSTACK,
	};
	stack_t stack = {
		.ss_sp = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			      -1, 0),
		.ss_size = STACK_SIZE,
	};

	if (stack.ss_sp == MAP_FAILED || sigaltstack(&stack, NULL))
		action.sa_flags &= ~SA_ONSTACK;
	on_exit(die_by_signal, NULL);
	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++)
		if (!has_handler(faults[i]))
			sigaction(faults[i], &action, NULL);
}
