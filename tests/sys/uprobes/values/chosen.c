// SPDX-License-Identifier: GPL-2.0-only
/* clang goes on with a constant that the source contradicts: with the failure that an `if` has just excluded, and with the
 * number before a computed one, which nothing needs. */
#include <stdio.h>
#include <stdlib.h>

static long seen;
static int table[8] = {1, 2, 3, 4, 5, 6, 7, 8};

__attribute__((noinline)) static void see(long n)
{
	seen += n;
	__asm__ volatile("" : : : "memory");
}

struct tag {
	int number, flags, status;
};

static int prepare(struct tag *tag)
{
	if (!tag)
		return -1;
	tag->number = 0;
	tag->flags = 0;
	if (tag->status > 1)
		return -2;
	tag->status = 0;
	return 0;
}

__attribute__((noinline)) static struct tag *make_tag(void)
{
	int ret;
	struct tag *tag = calloc(1, sizeof(*tag));

	if (tag == NULL)
		return NULL;
	ret = prepare(tag);
	if (ret != 0) {
		free(tag);
		return NULL;
	}
	tag->number = 1; /* HERE */
	return tag;
}

struct pair {
	int a;
	unsigned b;
	long c;
};

__attribute__((noinline)) static void note(const struct pair *p)
{
	see(p->a + p->b + p->c);
}

__attribute__((noinline)) static int halve(int a, unsigned b, int c)
{
	long half = 31;

	half = (a + c) / 2;
	struct pair pair = {table[c & 7], (unsigned)a, c}; /* THERE */
	half = (int)((unsigned)(b + c) >> 5);
	for (int i = 0; i < 3; i++)
		see(c + i);
	note(&pair);
	see(half);
	return (int)half;
}

int main(int argc, char **argv)
{
	struct tag *tag;

	(void)argv;
	for (int i = 0; i < 3; i++) {
		printf("ret=0 half=%d\n", (4 * argc + i) / 2);
		tag = make_tag();
		halve(3 * argc, 100, i + argc);
		free(tag);
	}
	return seen == 12345;
}
