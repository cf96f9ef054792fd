// SPDX-License-Identifier: GPL-2.0-only
/*
 * Starts and ends that the program itself writes down, for tests/sys/uprobes/pairs. It reads commands, a line each,
 * and does them one after the other:
 *
 *	s THREAD TAG	the thread calls submit(TAG, SERIAL)
 *	e THREAD TAG	the thread calls complete(TAG, SERIAL)
 *	c THREAD SHAPE	the thread calls deep(SHAPE, 0)
 *	o THREAD	the thread calls outer(SERIAL), which calls inner() thrice
 *	r		flushes what was written
 *
 * Each thread runs on a CPU of its own, if there are so many. What was done is a line of output, `KIND TAG SERIAL BEFORE
 * AFTER`, with the times (ns) around it. SERIAL is another number each time.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define THREADS 4

static long serial;
static char line[4096];
static sem_t done, todo[THREADS];
static volatile long sink;

static long now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000 + time.tv_nsec;
}

static void say(const char *kind, long tag, long number, long before)
{
	printf("%s %ld %ld %ld %ld\n", kind, tag, number, before, now());
}

__attribute__((noipa)) void submit(long tag, long number)
{
	sink += tag + number;
}

__attribute__((noipa)) void complete(long tag, long number)
{
	sink += tag - number;
}

/* A digit of the shape for each depth: 1 passes the line A, 2 the line B, 4 calls itself once more. */
__attribute__((noipa)) long deep(const char *shape, long depth)
{
	long own = ++serial, what = *shape - '0', before = now();

	say("call", depth, own, before);
	if (what & 1) {
		before = now();
		sink += own; /* A */
		say("A", depth, own, before);
	}
	if (shape[1])
		sink += deep(shape + 1, depth + 1);
	if (shape[1] && what & 4)
		sink += deep(shape + 1, depth + 1);
	if (what & 2) {
		before = now();
		sink -= own; /* B */
		say("B", depth, own, before);
	}
	before = now();
	say("return", depth, own, before);
	return own;
}

__attribute__((noipa)) void inner(long number, long turn)
{
	sink += number * turn;
}

__attribute__((noipa)) void outer(long number)
{
	sink -= number;
	for (long turn = 0; turn < 3; turn++)
		inner(number, turn); /* turn */
}

static void act(void)
{
	char kind, word[4000];
	int thread;
	long before, number;

	if (sscanf(line, "%c %d %3999s", &kind, &thread, word) < 2)
		exit(2);
	if (kind == 'c') {
		deep(word, 0);
		return;
	}
	number = ++serial;
	before = now();
	if (kind == 's')
		submit(atol(word), number);
	else if (kind == 'e')
		complete(atol(word), number);
	else
		outer(number);
	say(kind == 's' ? "submit" : kind == 'e' ? "complete" : "outer", kind == 'o' ? thread : atol(word), number, before);
}

static void *work(void *cookie)
{
	size_t number = (size_t)cookie;
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(number % (size_t)sysconf(_SC_NPROCESSORS_ONLN), &cpus);
	pthread_setaffinity_np(pthread_self(), sizeof(cpus), &cpus);
	for (;;) {
		sem_wait(&todo[number]);
		act();
		sem_post(&done);
	}
	return NULL;
}

int main(void)
{
	pthread_t thread;

	sem_init(&done, 0, 0);
	for (size_t i = 0; i < THREADS; i++) {
		sem_init(&todo[i], 0, 0);
		pthread_create(&thread, NULL, work, (void *)i);
	}
	printf("ready\n");
	fflush(stdout);
	while (fgets(line, sizeof(line), stdin)) {
		if (*line == 'r') {
			printf("flushed\n");
			fflush(stdout);
			continue;
		}
		sem_post(&todo[atoi(line + 2) % THREADS]);
		sem_wait(&done);
	}
	fflush(stdout);
	_exit(0);
}
