// SPDX-License-Identifier: GPL-2.0-only
/* For accounts: accounts N. Two threads, each on a CPU of its own where there are two, call hit N times
 * with 1, 2, ... N and their own number; in the middle they say so and wait for a line. What was called is printed. */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned long count;
static unsigned long done[2];
static pthread_barrier_t middle;

__attribute__((noipa)) unsigned long hit(unsigned long i, unsigned long thread)
{
	done[thread]++;
	return i + thread;
}

static void *calls(void *argument)
{
	unsigned long thread = (unsigned long)argument;
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(thread, &cpus);
	sched_setaffinity(0, sizeof(cpus), &cpus);
	for (unsigned long i = 1; i <= count; i++) {
		hit(i, thread);
		if (i == count / 2) {
			pthread_barrier_wait(&middle);
			pthread_barrier_wait(&middle);
		}
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[2];

	count = argc > 1 ? strtoul(argv[1], NULL, 10) : 2;
	pthread_barrier_init(&middle, NULL, 3);
	for (unsigned long i = 0; i < 2; i++)
		if (pthread_create(&threads[i], NULL, calls, (void *)i))
			return 1;
	pthread_barrier_wait(&middle);
	puts("half");
	fflush(stdout);
	getchar();
	pthread_barrier_wait(&middle);
	for (unsigned long i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	printf("%lu\n", done[0] + done[1]);
	return 0;
}
