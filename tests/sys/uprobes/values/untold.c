// SPDX-License-Identifier: GPL-2.0-only
/* In inlined copies n is a constant, and `while (n--)` is no code: at the address of HERE it has changed, or not. */
#include <stdio.h>
#include <stdlib.h>

struct value {
	long number;
	char tag;
};
struct closure {
	struct closure *next;
	int (*function)(void);
	struct value values[4];
};
static struct value stack[8], *top = stack;
static struct closure *all;

static int nothing(void)
{
	return 0;
}

static void push(int (*function)(void), int n)
{
	if (n == 0) {
		top->number = (long)function;
		top->tag = 1;
		top++;
	} else {
		struct closure *made = malloc(sizeof(*made));

		made->next = all;
		all = made;
		made->function = function; /* HERE */
		top -= n;
		while (n--)
			made->values[n] = top[n];
		top->number = (long)made;
		top->tag = 2;
		top++;
	}
}

int main(void)
{
	top->number = 7;
	top++->tag = 3;
	top->number = 8;
	top++->tag = 3;
	printf("n=1\nn=2\n");
	push(nothing, 1);
	push(nothing, 2);
	push(nothing, 0);
	return !all;
}
