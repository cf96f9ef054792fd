// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hits that the program itself has written down, for tests/sys/uprobes/tables:
 *
 *	tables COUNT THREADS PROCESSES
 *
 * Each thread of each process calls step() COUNT times, with numbers of all sizes. What it was given is in the
 * thread's own list, and goes to standard output when all is over: a line for each call.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct box {
	int number;
};

struct call {
	long size;
	int sign;
	unsigned char kind;
	const char *name;
	long inner; /* ns between step()'s first and last statement */
	long outer; /* ns around the call */
};

static const char *const names[] = {"one", "two", "three\n", "", "a name that is rather long"};
static int count;

static long now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000 + time.tv_nsec;
}

__attribute__((noipa)) int step(long size, int sign, unsigned char kind, const char *name, struct box *box,
				struct call *call)
{
	long start = now();

	for (volatile int i = 0; i < kind; i++)
		;
	call->inner = now() - start;
	(void)name;
	(void)box;
	return sign / 2 + (size < 0);
}

static void *work(void *cookie)
{
	unsigned long number = (unsigned long)(size_t)cookie * 7919 + (unsigned long)getpid();
	struct call *calls = calloc((size_t)count, sizeof(*calls));
	struct box box;
	char comm[16];

	snprintf(comm, sizeof(comm), "worker %d", (int)(size_t)cookie);
	prctl(PR_SET_NAME, comm);
	for (int i = 0; i < count; i++) {
		struct call *call = &calls[i];
		long start;

		number = number * 6364136223846793005u + 1442695040888963407u;
		call->size = (long)(number >> 1) >> (number >> 8) % 63;
		call->sign = (int)(number >> 32) >> (number >> 16) % 32;
		call->kind = (unsigned char)(number >> 24);
		call->name = names[(number >> 40) % 5];
		box.number = call->sign;
		start = now();
		step(call->size, call->sign, call->kind, call->name, call->kind % 4 ? &box : NULL, call);
		call->outer = now() - start;
	}
	flockfile(stdout);
	for (int i = 0; i < count; i++)
		printf("%d %ld %s %ld %d %u %zu %ld %ld\n", getpid(), syscall(SYS_gettid), strchr(comm, ' ') + 1,
		       calls[i].size, calls[i].sign, calls[i].kind, strlen(calls[i].name), calls[i].inner,
		       calls[i].outer);
	fflush(stdout);
	funlockfile(stdout);
	return NULL;
}

int main(int argc, char **argv)
{
	int nthreads = argc > 2 ? atoi(argv[2]) : 1, nprocesses = argc > 3 ? atoi(argv[3]) : 1;
	pthread_t threads[16];

	setvbuf(stdout, NULL, _IOLBF, 0); /* a line is one write, whole among those of other processes */
	count = argc > 1 ? atoi(argv[1]) : 1000;
	for (int process = 1; process < nprocesses; process++)
		if (!fork())
			break;
	for (int i = 0; i < nthreads; i++)
		pthread_create(&threads[i], NULL, work, (void *)(size_t)(i + 1));
	for (int i = 0; i < nthreads; i++)
		pthread_join(threads[i], NULL);
	while (wait(NULL) > 0)
		;
	return 0;
}
