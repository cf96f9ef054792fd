/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Calls for the lane `graph`. Built with TOLD and -finstrument-functions, it writes down every call, as the hooks
 * that the compiler puts into it see them: "enter THREAD NAME", "leave THREAD NAME" and, by TELL(), the values.
 * Built without, it is the program to be traced: the same calls.
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CALL __attribute__((noipa))
#define QUIET __attribute__((no_instrument_function))
#ifdef __clang__
#undef CALL
#define CALL __attribute__((noinline, optnone))
#endif

#ifdef TOLD
static __thread long thread_number;
static const char *name_of(void *function);
static pthread_mutex_t told = PTHREAD_MUTEX_INITIALIZER;
QUIET static void tell(const char *what, const char *name, long value)
{
	pthread_mutex_lock(&told);
	fprintf(stderr, "%s %ld %s %ld\n", what, thread_number, name, value);
	pthread_mutex_unlock(&told);
}
QUIET void __cyg_profile_func_enter(void *function, void *site)
{
	(void)site;
	tell("enter", name_of(function), 0);
}
QUIET void __cyg_profile_func_exit(void *function, void *site)
{
	(void)site;
	tell("leave", name_of(function), 0);
}
#define TELL(what, value) tell(what, "-", (long)(value))
#define TELL_BACK() tell("back", __func__, 0)
#else
#define TELL_BACK() ((void)0)
#define TELL(what, value) ((void)0)
#endif

static jmp_buf back;
static volatile long sink;

CALL static long leaf(long a)
{
	TELL("arg", a);
	sink += a;
	TELL("ret", a * 3);
	return a * 3;
}

CALL static long chain_end(long a)
{
	return leaf(a + 1) - 1;
}

CALL static long chain(long a) /* the compiler makes a jump of it */
{
	return chain_end(a + 1);
}

CALL static long factorial(long n)
{
	long value;

	TELL("arg", n);
	value = n < 2 ? 1 : n * factorial(n - 1);
	__asm__ volatile("" : "+r"(value)); /* else it becomes a loop */
	TELL("ret", value);
	return value;
}

CALL static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

CALL static void sorted(void)
{
	int numbers[5] = {5, 3, 1, 4, 2};

	qsort(numbers, 5, sizeof(*numbers), compare);
	sink += numbers[0];
}

CALL static void thrower(long depth)
{
	if (depth)
		thrower(depth - 1);
	leaf(depth);
	longjmp(back, 1);
}

CALL static void jumper(void)
{
	if (!setjmp(back))
		thrower(3);
	TELL_BACK();
	leaf(40);
}

static inline __attribute__((always_inline)) long inlined(long a)
{
	__asm__ volatile("nop");
	return leaf(a) + 1;
}

CALL static long around(long a)
{
	return inlined(a) + leaf(7) + inlined(a + 1);
}

CALL static void handler(int signal)
{
	(void)signal;
	leaf(1000);
}

CALL static void interrupted(void)
{
	leaf(1);
	raise(SIGUSR1);
	leaf(2);
}

CALL static long odd(long n);
CALL static long even(long n)
{
	return n ? odd(n - 1) : 1;
}
CALL static long odd(long n)
{
	return n ? even(n - 1) : 0;
}

static long (*volatile pointer)(long) = leaf;

CALL static long by_pointer(long a)
{
	return pointer(a) + pointer(a + 1);
}

CALL static long work(long round)
{
	TELL("arg", round);
	leaf(round);
	chain(round);
	factorial(round % 7 + 2);
	sorted();
	jumper();
	around(round);
	even(5);
	by_pointer(round);
	interrupted();
	TELL("ret", round + 1);
	return round + 1;
}

CALL static long again(long n) /* a root in a root */
{
	long value;

	leaf(n);
	value = n ? again(n - 1) + again(n - 1) : 1;
	__asm__ volatile("" : "+r"(value));
	return value;
}

CALL static void deep(long n)
{
	if (n)
		deep(n - 1);
	sink++;
}

CALL static void leaving(int how)
{
	leaf(how);
	if (how == 1)
		exit(3);
	if (how == 2)
		pthread_exit(NULL);
	if (how == 3) {
		puts("paused");
		fflush(stdout);
		sink += pause();
	}
}

CALL static void waiting(void)
{
	char line[16];

	leaf(5);
	sink += fgets(line, sizeof(line), stdin) != NULL;
}

#ifdef TOLD
QUIET static const char *name_of(void *function)
{
	static const struct {
		void *function;
		const char *name;
	} names[] = {
#define NAME(f) {(void *)f, #f}
		NAME(leaf), NAME(chain), NAME(chain_end), NAME(factorial), NAME(compare), NAME(sorted), NAME(thrower),
		NAME(jumper), NAME(inlined), NAME(around), NAME(handler), NAME(interrupted), NAME(odd), NAME(even),
		NAME(by_pointer), NAME(work), NAME(again), NAME(deep), NAME(leaving),
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (names[i].function == function)
			return names[i].name;
	return "?";
}
#endif

QUIET static void *threads(void *number)
{
#ifdef TOLD
	thread_number = (long)number;
#endif
	for (long i = 0; i < 20; i++)
		again((long)number % 3 + 1);
	return NULL;
}

QUIET static void *leaver(void *how)
{
	leaving((int)(long)how);
	return NULL;
}

QUIET int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "work";
	static char other[1 << 16]; /* a stack for signals, below all others */
	stack_t stack = {.ss_sp = other, .ss_size = sizeof(other)};
	struct sigaction action = {.sa_handler = handler, .sa_flags = strcmp(mode, "altstack") ? 0 : SA_ONSTACK};
	pthread_t thread[6];

	sigaltstack(&stack, NULL);
	sigaction(SIGUSR1, &action, NULL);
	if (!strcmp(mode, "work") || !strcmp(mode, "altstack"))
		for (long i = 0; i < 5; i++)
			sink += work(i); /* else clang returns nothing */
	else if (!strcmp(mode, "threads"))
		for (long i = 0; i < 6; i++)
			pthread_create(&thread[i], NULL, threads, (void *)(i + 1));
	else if (!strcmp(mode, "wait"))
		for (int i = 0; i < 3; i++) {
			puts("ready");
			fflush(stdout);
			waiting();
		}
	else if (!strcmp(mode, "deep"))
		deep(atol(argv[2]));
	else if (!strcmp(mode, "leave"))
		pthread_create(&thread[0], NULL, leaver, (void *)atol(argv[2]));
	if (!strcmp(mode, "threads"))
		for (long i = 0; i < 6; i++)
			pthread_join(thread[i], NULL);
	if (!strcmp(mode, "leave"))
		pthread_join(thread[0], NULL);
	return 0;
}
