/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions that end in every way C knows. Each says "NAME n=N retval=R" just before it returns; one that is
 * left in another way says nothing. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#define SEEN __attribute__((noinline, noclone))

static jmp_buf out;
static int depth;
int counter;

SEEN int early(int n)
{
	if (n % 5 == 0) {
		printf("early n=%d retval=%d\n", n, -n);
		return -n;
	}
	if (n % 7 == 3) {
		printf("early n=%d retval=%d\n", n, 7 * n);
		return 7 * n;
	}
	for (int i = 0; i < n; i++)
		depth += i;
	printf("early n=%d retval=%d\n", n, depth);
	return depth;
}

/* A table of cases. */
SEEN int cases(int n)
{
	int r = n;

	switch (n) {
	case 0: r += early(1); break;
	case 1: printf("cases n=1 retval=11\n"); return 11;
	case 2: r *= 31; break;
	case 3: depth++; break;
	case 4: r -= 400; break;
	case 5: printf("cases n=5 retval=55\n"); return 55;
	case 6: r ^= 0x66; break;
	case 7: depth += 2; /* fall through */
	case 8: r += 88; break;
	case 9: r = early(9) - 1; break;
	default: break;
	}
	printf("cases n=%d retval=%d\n", n, r);
	return r;
}

/* Jumps to labels by their addresses, in a function that may have no frame. */
SEEN int labels(int n)
{
	static const void *const to[] = {&&one, &&two, &&three};
	int r = n;

	goto *to[n % 3];
one:
	r += 1;
	goto *to[1];
two:
	r += 10;
	goto end;
three:
	r += 100;
end:
	return r;
}

SEEN int recurse(int n)
{
	int r = n <= 1 ? 1 : n + recurse(n - 1);

	printf("recurse n=%d retval=%d\n", n, r);
	return r;
}

SEEN int leaf(int n)
{
	if (n % 3 == 2)
		longjmp(out, n + 1);
	printf("leaf n=%d retval=%d\n", n, n / 2);
	return n / 2;
}

SEEN int through(int n)
{
	int r = leaf(n) + 1;

	printf("through n=%d retval=%d\n", n, r);
	return r;
}

SEEN int jumped(int n)
{
	volatile int r = 0;
	int j = setjmp(out);

	r = j ? -j : through(n);
	printf("jumped n=%d retval=%d\n", n, r);
	return r;
}

SEEN int last(int n)
{
	counter += n;
	printf("last n=%d retval=%d\n", n, counter);
	return counter;
}

/* A jump to another function, where the compiler makes one. */
SEEN int tail(int n)
{
	counter++;
	return last(2 * n);
}

SEEN int stops(int n)
{
	if (n > 1000)
		abort();
	printf("stops n=%d retval=%d\n", n, n + 3);
	if (n < 1000)
		return n + 3;
	exit(9);
}

static ucontext_t home, other;
static char stack[65536];

SEEN int yields(int n)
{
	swapcontext(&other, &home);
	printf("yields n=%d retval=%d\n", n, n * 2);
	return n * 2;
}

static void coroutine(void)
{
	for (int i = 0; i < 3; i++)
		yields(i + 20);
}

int main(int argc, char **argv)
{
	printf("main argc=%d %s\n", argc, argc > 1 ? argv[1] : "none");
	for (int i = 0; i < 12; i++) {
		early(i);
		cases(i);
		jumped(i);
		tail(i);
		stops(i);
		printf("labels n=%d retval=%d\n", i, labels(i));
	}
	recurse(5);
	getcontext(&other);
	other.uc_stack.ss_sp = stack;
	other.uc_stack.ss_size = sizeof(stack);
	other.uc_link = &home;
	makecontext(&other, coroutine, 0);
	for (int i = 0; i < 4; i++) {
		swapcontext(&home, &other);
		printf("home %d\n", i);
	}
	printf("counter %d depth %d\n", counter, depth);
	return argc + 40;
}
