// SPDX-License-Identifier: GPL-2.0-only
/*
 * A function that is given good and bad pointers by turns, and says what of them can be read:
 * NAME=VALUE, or FAULT. The good ones fill the ring buffer with bytes that would pass for values.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

struct inner {
	unsigned char tag;
	unsigned long long wide;
};

struct outer {
	unsigned a;
	unsigned low : 3;
	unsigned mid : 11;
	long long b;
	struct inner *in;
	short list[4];
	char name[8];
};

static volatile long sink;

/* Reads nothing: what it is given may be anything. */
__attribute__((noinline, noclone)) void look(struct outer *o, int n)
{
	sink += n;
	__asm__ volatile("" : : "r"(o));
}

#define PAGE 4096

int main(int argc, char **argv)
{
	int rounds = atoi(argv[1]);
	struct inner in = {7, 0x7777777777777777};
	struct outer good = {7, 7, 7, 7, &in, {7, 7, 7, 7}, "seven"};
	char *pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct outer *cut = (struct outer *)(pages + PAGE - 16); /* a, low, mid and b are on the page */
	struct outer hollow = good;

	(void)argc;
	cut->a = 7;
	cut->low = 7;
	cut->mid = 7;
	cut->b = 7;
	munmap(pages + PAGE, PAGE);
	for (int i = 0; i < rounds; i++) {
		struct outer *bad[] = {NULL, (struct outer *)0x1234567812345678,
				       (struct outer *)(pages + PAGE), (struct outer *)8};
		struct inner *bad_in[] = {NULL, (struct inner *)0xdeadbeefdeadbeef,
					  (struct inner *)(pages + PAGE)};

		for (int j = 0; j < 3; j++) {
			printf("n=%d a=7 low=7 mid=7 b=7 tag=7 wide=8608480567731124087 third=7 next=8 name=seven\n",
			       i);
			look(&good, i);
		}
		printf("n=%d a=FAULT low=FAULT mid=FAULT b=FAULT tag=FAULT wide=FAULT third=FAULT next=FAULT "
		       "name=FAULT\n", i);
		look(bad[i % 4], i);
		hollow.in = bad_in[i % 3];
		printf("n=%d a=7 low=7 mid=7 b=7 tag=FAULT wide=FAULT third=7 next=8 name=seven\n", i);
		look(&hollow, i);
		printf("n=%d a=7 low=7 mid=7 b=7 tag=FAULT wide=FAULT third=FAULT next=8 name=FAULT\n", i);
		look(cut, i);
	}
	return 0;
}
