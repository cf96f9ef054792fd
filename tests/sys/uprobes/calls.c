// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls that say what they were called with and what they return, in the order in which a tracer sees
 * the marked places: arguments that are dead by then, recursion, several threads, structs behind what
 * is returned. Lines: TAG NAME=VALUE...
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct point {
	int x;
	long y;
	char name[8];
};

static volatile long sink;
static struct point points[3] = {{1, -2, "a"}, {-3, 4, "bb"}, {5, 6, "ccc"}};

static __attribute__((noinline, noclone)) long outside(long v)
{
	sink += v;
	return v * 2;
}

/* The argument `tag` has no place of its own once it was used; each depth has another. */
static __attribute__((noinline, noclone)) long recurse(int depth, long tag, struct point *p)
{
	long r = outside(depth);

	if (depth > 0)
		r += recurse(depth - 1, tag * 3 + 1, p);
	r += outside(r);
	printf("inner depth=%d tag=%ld p=%p\n", depth, tag, (void *)p);
	sink += 1; /* INNER */
	return r;
}

static __attribute__((noinline, noclone)) struct point *find(struct point *p, unsigned n,
							       const char *name)
{
	sink += outside((long)strlen(name));
	return p + n % 3;
}

static __attribute__((noinline, noclone)) void no_value(short s)
{
	sink += s;
}

static void *thread(void *argument)
{
	unsigned count = (unsigned)(long)argument;

	for (unsigned i = 0; i < count; i++) {
		char name[16];
		struct point *q;
		long r;

		snprintf(name, sizeof(name), "n%u", i);
		q = find(points, i, name);
		printf("found n=%u name=%s x=%d y=%ld label=%s\n", i, name, q->x, q->y, q->name);
		r = recurse((int)(i % 5), i, q);
		printf("outer depth=%u tag=%u retval=%ld\n", i % 5, i, r);
		no_value((short)-i);
		printf("nothing s=%d\n", (short)-i);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t other;

	if (argc > 2) { /* one after the other: the order of the report is that of the hits */
		pthread_create(&other, NULL, thread, (void *)7L);
		pthread_join(other, NULL);
	}
	thread((void *)(long)atoi(argv[1]));
	return 0;
}
