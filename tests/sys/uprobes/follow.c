// SPDX-License-Identifier: GPL-2.0-only
/*
 * Notes its own path and values, for tests/sys/uprobes/follow:
 *
 *	follow OUTPUT ROUNDS
 *
 * Each call of a function has a number, `id`, and before each statement a note of the line and of what its variables
 * hold there: a line `ID LINE NAME=VALUE...` in OUTPUT, and at the end `ID = VALUE`.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

static char *notes;
static unsigned long used;
static int calls;
#define ROOM (64ul << 20)

__attribute__((noipa)) static void note(int id, int line, const char *format, ...)
{
	char text[200];
	int length = snprintf(text, sizeof(text), "%d %d", id, line);
	va_list args;

	va_start(args, format);
	length += vsnprintf(text + length, sizeof(text) - (size_t)length, format, args);
	va_end(args);
	text[length++] = '\n';
	memcpy(notes + __atomic_fetch_add(&used, (unsigned long)length, __ATOMIC_RELAXED), text, (size_t)length);
}

__attribute__((noipa)) static long ends(int id, long value)
{
	char text[80];
	int length = snprintf(text, sizeof(text), "%d = %ld\n", id, value);

	memcpy(notes + __atomic_fetch_add(&used, (unsigned long)length, __ATOMIC_RELAXED), text, (size_t)length);
	return value;
}

#define NEXT __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED)
/* The barrier is an instruction of the line's own, which no optimiser merges with another line's. */
#define AT(...) do { \
	__asm__ volatile("nop # %0" : : "i"(__LINE__)); \
	note(id, __LINE__, __VA_ARGS__); } while (0)

__attribute__((noipa)) long loops(int id, int count)
{
	long sum = 0;
	int i;

	for (i = 0; i < count; i++) {
		AT(" sum=%ld i=%d count=%d", sum, i, count); sum += i;
		if (i % 3 == 1)
			continue;
		AT(" sum=%ld i=%d", sum, i); sum *= 2;
	}
	while (sum > 100) {
		AT(" sum=%ld", sum); sum /= 3;
	}
	do {
		AT(" sum=%ld", sum); sum++;
	} while (sum % 5);
	AT(" sum=%ld", sum);
	return ends(id, sum);
}

__attribute__((noipa)) long branches(int id, int kind)
{
	long value = kind * 10;

	AT(" value=%ld kind=%d", value, kind);
	switch (kind) {
	case 0:
		AT(" value=%ld", value); value = 7;
		break;
	case 1:
		AT(" value=%ld", value); value += 1; /* falls through */
	case 2:
		AT(" value=%ld", value); value += 2;
		break;
	case 3:
		AT(" value=%ld", value);
		return ends(id, -1);
	case 4:
		AT(" value=%ld", value);
		goto out;
	default:
		AT(" value=%ld", value); value = -value;
	}
	AT(" value=%ld", value); value++;
out:
	AT(" value=%ld", value);
	return ends(id, value);
}

__attribute__((noipa)) long recurse(int id, int depth)
{
	long below = 0;

	AT(" depth=%d", depth);
	if (depth > 0) {
		AT(" depth=%d", depth); below = recurse(NEXT, depth - 1);
		AT(" below=%ld depth=%d", below, depth); below += depth;
	}
	AT(" below=%ld", below);
	if (depth == 3) {
		AT(" below=%ld", below); below += recurse(NEXT, 0);
	}
	AT(" below=%ld", below);
	return ends(id, below);
}

static inline __attribute__((always_inline)) long inlined(int id, long given)
{
	long twice = given * 2;

	AT(" given=%ld twice=%ld", given, twice);
	if (twice > 10) {
		AT(" twice=%ld", twice); twice = 10;
	}
	AT(" twice=%ld", twice);
	return twice;
}

__attribute__((noipa)) long around(int id, int count)
{
	long all = 0;

	for (int i = 0; i < count; i++) {
		AT(" all=%ld", all); all += inlined(NEXT, i);
	}
	AT(" all=%ld", all); all += inlined(NEXT, 9);
	AT(" all=%ld", all);
	return ends(id, all);
}

static jmp_buf away;

__attribute__((noipa)) long leaves(int id, int depth)
{
	AT(" depth=%d", depth);
	if (depth == 0) {
		AT(" depth=%d", depth); longjmp(away, 1);
	}
	AT(" depth=%d", depth);
	return ends(id, leaves(NEXT, depth - 1));
}

static volatile int in_handler;

__attribute__((noipa)) long signalled(int id, int depth)
{
	long got = depth;

	AT(" got=%ld depth=%d", got, depth);
	if (depth) {
		AT(" got=%ld", got); raise(SIGUSR1);
		AT(" got=%ld", got); got += in_handler;
	}
	AT(" got=%ld", got);
	return ends(id, got);
}

static void handler(int signal)
{
	(void)signal;
	in_handler = (int)signalled(NEXT, 0) + 5;
}

static ucontext_t outside, inside[2];

__attribute__((noipa)) long switches(int id, int which)
{
	long round = which;

	for (int i = 0; i < 3; i++) {
		AT(" round=%ld which=%d i=%d", round, which, i); swapcontext(&inside[which], &outside);
		AT(" round=%ld", round); round += 10;
	}
	AT(" round=%ld", round);
	return ends(id, round);
}

static void run_inside(int which)
{
	switches(NEXT, which);
	swapcontext(&inside[which], &outside);
}

static void coroutines(void)
{
	static char stacks[2][65536];

	for (int i = 0; i < 2; i++) {
		getcontext(&inside[i]);
		inside[i].uc_stack.ss_sp = stacks[i];
		inside[i].uc_stack.ss_size = sizeof(stacks[i]);
		makecontext(&inside[i], (void (*)(void))run_inside, 1, i);
	}
	for (int round = 0; round < 4; round++)
		for (int i = 0; i < 2; i++)
			swapcontext(&outside, &inside[(i + round) % 2]);
}

static void *thread(void *rounds)
{
	for (int i = 0; i < *(int *)rounds; i++) {
		loops(NEXT, i % 7);
		branches(NEXT, i % 6);
		recurse(NEXT, i % 5);
		around(NEXT, i % 4);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	int rounds = argc > 2 ? atoi(argv[2]) : 5;
	pthread_t threads[3];
	FILE *output;

	notes = malloc(ROOM);
	signal(SIGUSR1, handler);
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, thread, &rounds);
	thread(&rounds);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < rounds; i++)
		if (!setjmp(away))
			leaves(NEXT, i % 3);
	for (int i = 0; i < rounds; i++)
		signalled(NEXT, i % 2);
	coroutines();
	output = fopen(argv[1], "w");
	return !output || fwrite(notes, 1, used, output) != used || fclose(output);
}
