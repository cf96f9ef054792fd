// SPDX-License-Identifier: GPL-2.0-only
/*
 * The traced program: it says what it does, so that the tracer's word can be compared with its
 * own. Each call of hit() prints one line, `I SIZE NAME SUM COMM`, in the order of the calls.
 *
 *	fixture seq N       N calls from one thread
 *	fixture both N      two threads on two CPUs that take turns
 *	fixture storm N     as seq, but silent
 *	fixture fault N     every third name is an address of nothing
 *	fixture renamed N   the thread changes its name before each call
 *	fixture children N  each call in a child of its own that is gone at once
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct bytes {
	uint8_t low[4];
	int16_t high[2];
};

/* i, size, name and bytes are in %edi, %rsi, %rdx and %rcx at its first instruction */
__attribute__((noipa)) long hit(int i, unsigned long size, const char *name,
				const struct bytes *bytes)
{
	__asm__ volatile("" : : "r"(name), "r"(bytes) : "memory");
	return i * 2l + (long)size;
}

static int silent;

static void call(int i)
{
	static const char *const names[] = {"plain", "", "quote\" tab\t", "\303\251t\303\251"};
	const struct bytes bytes = {{(uint8_t)i, 2, 3, 255}, {(int16_t)-i, 7}};
	unsigned long size = (unsigned long)i * 0x100000001ul;
	const char *name = names[i % 4];
	char comm[16] = "";

	hit(i % 2 ? i : -i, size, name, &bytes);
	if (silent)
		return;
	prctl(PR_GET_NAME, comm);
	printf("%d %lu %s %s\n", i % 2 ? i : -i, size, i % 4 == 2 ? "QUOTE" : name, comm);
	fflush(stdout);
}

static atomic_int turn;
static int total;

static void *take_turns(void *argument)
{
	int me = (int)(intptr_t)argument;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(me, &set);
	sched_setaffinity(0, sizeof(set), &set);
	for (;;) {
		int now = atomic_load(&turn);

		if (now >= total)
			return NULL;
		if (now % 2 != me) {
			sched_yield();
			continue;
		}
		call(now);
		atomic_store(&turn, now + 1);
	}
}

static void both(void)
{
	pthread_t other;

	pthread_create(&other, NULL, take_turns, (void *)1);
	take_turns(NULL);
	pthread_join(other, NULL);
}

static void renamed(int i)
{
	char name[16];

	snprintf(name, sizeof(name), "name %d", i);
	prctl(PR_SET_NAME, name);
	call(i);
}

static void child(int i)
{
	pid_t pid = fork();

	if (!pid) {
		renamed(i);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

static void fault(int i)
{
	hit(i, 1, i % 3 ? "there" : (const char *)8, NULL);
	printf("%d %s\n", i, i % 3 ? "there" : "FAULT");
}

int main(int argc, char **argv)
{
	const char *mode = argc == 3 ? argv[1] : "";

	total = argc == 3 ? atoi(argv[2]) : 0;
	silent = !strcmp(mode, "storm");
	if (!strcmp(mode, "both")) {
		both();
		return 0;
	}
	for (int i = 0; i < total; i++) {
		if (!strcmp(mode, "renamed"))
			renamed(i);
		else if (!strcmp(mode, "children"))
			child(i);
		else if (!strcmp(mode, "fault"))
			fault(i);
		else
			call(i);
	}
	return 0;
}
