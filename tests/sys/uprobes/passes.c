// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loops that the compiler unrolls, and lines that only look so: each marked line counts how often it
 * was executed, and says so at the end. Lines: TAG COUNT.
 */
#include <stdio.h>
#include <stdlib.h>

enum { TWICE, TWICE_NEXT, FOUR, ODD, FIXED, MACRO, TWO, SPREAD, INLINED, PEELED, WHILE, EMPTY,
       ENTRY, PART, STORED, BODY, COLD, CASE, TESTED, LISTED, LAST };

static const char *const names[] = {"TWICE", "TWICE_NEXT", "FOUR", "ODD", "FIXED", "MACRO", "TWO",
				    "SPREAD", "INLINED", "PEELED", "WHILE", "EMPTY", "ENTRY", "PART",
				    "STORED", "BODY", "COLD", "CASE", "TESTED", "LISTED"};
static volatile long passes[LAST], sink;

#define PAIR(which, v) do { passes[which] += 1; sink = (v); sink = (v) + 1; } while (0)

static __attribute__((noinline)) long twice(const long *a, long n)
{
	long s = 0;

#pragma GCC unroll 2
	for (long i = 0; i < n; i++) {
		passes[TWICE] += 1; /* AT TWICE */
		s += a[i] * 3;
		passes[TWICE_NEXT] += 1; /* AT TWICE_NEXT */
	}
	return s;
}

static __attribute__((noinline)) long four(const long *a, long n)
{
	long s = 0;

#pragma GCC unroll 4
	for (long i = 0; i < n; i++) {
		passes[FOUR] += 1; /* AT FOUR */
		if (a[i] & 1)
			continue;
		sink = s;
		passes[ODD] += 1; /* AT ODD */
		s += a[i];
	}
	return s;
}

static __attribute__((noinline)) long fixed(const long *a)
{
	long s = 0;

#pragma GCC unroll 8
	for (int i = 0; i < 5; i++) {
		s ^= a[i];
		passes[FIXED] += 1; /* AT FIXED */
	}
	return s;
}

static __attribute__((noinline)) long macro(const long *a, long n)
{
	long s = 0;

#pragma GCC unroll 2
	for (long i = 0; i < n; i++) {
		s += a[i];
		PAIR(MACRO, s); /* AT MACRO */
		sink = 3;
	}
	return s;
}

static __attribute__((noinline)) long two(long n)
{
#pragma GCC unroll 2
	for (long i = 0; i < n; i++) {
		sink = 4;
		passes[TWO] += 1; sink = i; sink = i + 1; /* AT TWO */
		sink = 5;
	}
	return n;
}

static __attribute__((noinline)) long add(long a, long b)
{
	sink = a;
	return a + b;
}

static __attribute__((noinline)) long spread(const long *a, long n)
{
	long s = 0;

#pragma GCC unroll 2
	for (long i = 0; i < n; i++) {
		s = add(s + (passes[SPREAD] += 1) + /* AT SPREAD */
			add(a[i],
			    s), i) + s;
		sink = s;
	}
	return s;
}

static inline __attribute__((always_inline)) long inlined(const long *a, long n)
{
	long s = 0;

#pragma GCC unroll 2
	for (long i = 0; i < n; i++) {
		passes[INLINED] += 1; /* AT INLINED */
		s += a[i];
		sink = s;
	}
	return s;
}

static __attribute__((noinline)) long both(const long *a, long n)
{
	return inlined(a, n) + inlined(a + 1, n - 1);
}

static __attribute__((noinline)) long peeled(const long *a, long n)
{
	long s = 0, i = 0;

	do {
		s += a[i];
		passes[PEELED] += 1; /* AT PEELED */
		if (s > 100)
			s /= 2;
	} while (++i < n && i < 3);
	return s;
}

/* Entered at its condition: without -O, the jump there is a row of the same line. */
static __attribute__((noinline)) long entered(long n)
{
	long s = 0;

	while (passes[WHILE] += 1, n > 0) { /* AT WHILE */
		s += n * sink;
		n--;
	}
	return s;
}

/* The last semicolon is a statement too, behind the loop. */
static __attribute__((noinline)) long empty(const long *a, long n)
{
	long s = 0;

	for (long i = 0; i < n; i++)
		if (passes[EMPTY] += 1, a[i] > s) { s = a[i]; sink = s; }; /* AT EMPTY */
	return s;
}

static inline __attribute__((always_inline)) long called(long v) /* AT ENTRY */
{
	passes[ENTRY] += 1;
	return v > 3 ? v : sink;
}

/* One inlined copy, which is entered in each of the loop's bodies. */
static __attribute__((noinline)) long calling(const long *a, long n)
{
	long s = 0;

#pragma GCC unroll 2
	for (long i = 0; i < n; i++)
		s += called(a[i]);
	return s;
}

/* What is behind the test becomes a function of its own, and the test is inlined. */
long parts(long n) /* AT PART */
{
	passes[PART] += 1;
	if (n < 2)
		return 0;
	for (long i = 0; i < n; i++) {
		sink = i * 3 + n;
		sink = sink * 5 + (sink >> 2);
		sink = sink * 7 + (sink >> 3);
		printf("%s", sink == 12345678 ? "x" : "");
	}
	return sink;
}

static __attribute__((noinline)) long partly(long n)
{
	return parts(n % 3) + parts(n);
}

/* Two copies that begin at one instruction: the stores become one each. */
static inline __attribute__((always_inline)) void stored(unsigned char *p, unsigned long v)
{
	p[0] = v; /* AT STORED */
	p[1] = v >> 8;
	p[2] = v >> 16;
	p[3] = v >> 24;
	p[4] = v >> 32;
	p[5] = v >> 40;
	p[6] = v >> 48;
	p[7] = v >> 56;
}

static __attribute__((noinline)) void storing(unsigned char *p, unsigned long v, unsigned long w)
{
	passes[STORED] += 2;
	stored(p, v);
	stored(p + 8, w);
}

/* Bodies of a loop that begin at one instruction, as nothing in them has an effect of its own. */
static __attribute__((noinline)) unsigned bodies(const unsigned *t, unsigned long v, unsigned long w)
{
	unsigned x = 0, y = 0;

	passes[BODY] += 7;
#pragma GCC unroll 8
	for (int k = 1; k < 8; k++) {
		x ^= t[k * 32 + (v >> (k << 3) & 15)]; /* AT BODY */
		y ^= t[k * 32 + (w >> (k << 3) & 15)];
	}
	return x + y;
}

static __attribute__((noinline, cold, noreturn)) void die(const char *why)
{
	printf("%s\n", why);
	exit(1);
}

/* With -flto, functions without marks, the cold part of one behind another's. */
struct slot { int next, hash; long key, value; };

static __attribute__((noinline)) struct slot *cold(struct slot *s, int *free, int size, long key)
{
	int i = *free;

	passes[COLD] += 1;
	if (i == size)
		die("full");
	if (i < 0 || i > size)
		die("none");
	*free = i + 1;
	s[i].next = size;
	s[i].hash = (int)key * 31 + i; /* AT COLD */
	s[i].key = key;
	s[i].value = key + i;
	return &s[i];
}

static __attribute__((noinline)) long colder(struct slot *s, long n)
{
	if (s->next != 8)
		die("next");
	if (s->key != n)
		die("key");
	return s->value / (n + 1);
}

#define LEAVE(which, v) passes[which] += 1; return (v); break;

/* A break behind a return: gcc leaves its marker before the next case. */
static __attribute__((noinline)) long cases(long v)
{
	long k = v % 7;
	long w = v / 7;

	sink = w * 3 + k;
	switch (k) {
	case 0: sink = v + 7; return sink * 3; break;
	case 1: sink = v * 3; return sink + 9; break;
	case 2: LEAVE(CASE, sink - 2) /* AT CASE */
	case 3: sink = v ^ 9; return sink * 5; break;
	case 4: sink = v - 1; return sink / 3; break;
	case 5: sink = v | 4; return sink + 1; break;
	}
	return 0;
}

/* A loop that is one line, whose first test is known. */
static __attribute__((noinline)) void tested(volatile long *a)
{
#pragma GCC unroll 1
	for (int i = 0; passes[TESTED] += 1, i < 6; i++) a[i] ^= a[i + 1]; /* AT TESTED */
	sink = a[3];
}

static __attribute__((noinline)) long one(long n)
{
	sink = n;
	return n + 1;
}

/* Its stores have one column, as the rounds of an unrolled loop have. */
static __attribute__((noinline)) long listed(long n)
{
	long list[4] = {one(n), one(n + 1), one(n + 2), passes[LISTED] += 1}; /* AT LISTED */

	return list[n & 3];
}

int main(int argc, char **argv)
{
	long a[64], n = argc > 1 ? atoi(argv[1]) : 7;

	for (long i = 0; i < 64; i++)
		a[i] = i * i + argc;
	sink = twice(a, n) + four(a, n) + fixed(a) + macro(a, n) + two(n) + spread(a, n) + both(a, n) +
	       peeled(a, n) + entered(n) + entered(n % 4) + empty(a, n) + calling(a, n) + partly(n);
	unsigned char bytes[16];
	unsigned table[256];
	struct slot slots[8];
	int free = 0;

	for (int i = 0; i < 256; i++)
		table[i] = i * argc;
	for (long i = 0; i < n; i++) {
		storing(bytes, i * argc, i + argc);
		sink = bytes[i % 16] + bodies(table, i * 0x1234567, sink);
		sink = colder(cold(slots, &free, 8, i), i);
		free = i % 7;
		sink = cases(i) + cases(i + 1) + listed(i);
	}
	tested(a);
	for (int i = 0; i < LAST; i++)
		printf("%s %ld\n", names[i], passes[i]);
	return 0;
}
