// SPDX-License-Identifier: GPL-2.0-only
/* A process that waits for a byte, then starts threads, their threads, and children with threads of their own.
 * Each prints who it is and what it passes to work(). */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROUNDS 7

volatile int sink;

__attribute__((noinline)) void work(int what)
{
	sink += what;
}

static void say(const char *who, int what)
{
	printf("%s %d %d\n", who, (int)gettid(), what);
	fflush(stdout);
	work(what);
}

static void *inner(void *who)
{
	say(who, 2);
	return NULL;
}

static void *outer(void *who)
{
	pthread_t thread;

	say(who, 1);
	pthread_create(&thread, NULL, inner, who);
	pthread_join(thread, NULL);
	return NULL;
}

static void *early(void *who)
{
	char c;

	if (read(STDIN_FILENO, &c, 1) == 1)
		say(who, 3);
	return NULL;
}

static void run_thread(char *who)
{
	pthread_t thread;

	pthread_create(&thread, NULL, outer, who);
	pthread_join(thread, NULL);
}

int main(void)
{
	pthread_t before;
	char c;

	pthread_create(&before, NULL, early, "own");
	if (read(STDIN_FILENO, &c, 1) != 1)
		return 1;
	for (int i = 0; i < ROUNDS; i++) {
		say("own", 0);
		run_thread("own");
		if (!fork()) {
			say("child", 10);
			run_thread("child");
			_exit(0);
		}
		wait(NULL);
	}
	pthread_join(before, NULL);
	return 0;
}
