/* SPDX-License-Identifier: GPL-2.0-only */
/* Reaches hit() by many ways: inlined functions, recursion, a library's callback, signal handlers. C and C++.
 * An argument is the number of rounds; "rewrite": a function overwrites its return address's neighbours. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

volatile int sink;
void *volatile kept;

#ifdef __cplusplus
#define EXTERN extern "C"
#else
#define EXTERN
#endif
EXTERN __attribute__((noinline)) int hit(int n);
__attribute__((noinline)) int hit(int n)
{
	sink += n;
	return n;
}

static inline __attribute__((always_inline)) int innermost(int n) { return hit(n) + 1; }
static inline __attribute__((always_inline)) int inner(int n)
{
	int sum = innermost(n);

	return sum + sink;
}

#ifdef __cplusplus
namespace outer {
template <typename T> struct box {
	T value;
	__attribute__((noinline)) int open(int n) { int r = inner(n); sink++; return r + value; }
};
}
__attribute__((noinline)) int mid(int n)
{
	outer::box<int> box = {n};
	int r = box.open(n);

	sink++;
	return r;
}
#else
__attribute__((noinline)) int mid(int n)
{
	int r = inner(n);

	sink++;
	return r;
}
#endif

__attribute__((noinline)) int large(int n)
{
	char room[600];

	memset(room, n, sizeof(room));
	sink += room[sink & 255];
	n = mid(n);
	sink += room[n & 255];
	return n;
}

__attribute__((noinline)) int recurse(int n)
{
	int r = n ? recurse(n - 1) : mid(n);

	sink++;
	return r;
}

__attribute__((noinline, cold)) int rare(int n)
{
	int r = mid(n);

	sink++;
	return r;
}

/* With -O2 the call is in apart.cold, before the function's entry. */
__attribute__((noinline)) int apart(int n)
{
	if (n == 3) {
		n = rare(n);
		sink += n;
	}
	return n + 1;
}

static int compare(const void *a, const void *b)
{
	mid(1);
	return *(const int *)a - *(const int *)b;
}

static void handler(int number)
{
	mid(number);
	sink++;
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1;

	signal(SIGUSR1, handler);
	for (int i = 0; i < rounds; i++) {
		int values[4] = {3, 1, 2, i};

		recurse(i % 5);
		large(i);
		sink += apart(i);
		qsort(values, 4, sizeof(*values), compare);
		raise(SIGUSR1);
		kept = malloc(10 + i % 3);
		free(kept);
	}
	if (argc > 2)
		getchar();
	return 0;
}
