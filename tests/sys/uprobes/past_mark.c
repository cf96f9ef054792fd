/* SPDX-License-Identifier: GPL-2.0-only */
/* A statement that gcc copies for what is known of a variable: a way into its end has no mark. */
#include <stdio.h>

struct block {
	int flags, depth, most;
	int *options;
};

static volatile int sink;

static __attribute__((noinline)) unsigned char *compile(struct block *block, unsigned char *code,
							const unsigned *text, int utf)
{
	for (; *text; text++) {
		unsigned c = *text;

		if (c > 5 && c < 20)
			sink = 1;
		if (block->depth > 0 && c == 3 && (*block->options & 0x40) == 0)
			return 0;
		if (c == 14)
			block->flags |= 0x400000;
		if ((c == 5 || c == 4 || c == 1) && block->most == 0)
			block->most = 1;
		*code++ = (!utf && c == 14) ? 13 : c; /* HERE */
	}
	return code;
}

int main(void)
{
	static const unsigned text[] = {7, 14, 5, 2, 9, 3, 4, 1, 14, 8, 2, 0};
	unsigned char code[16];
	int options = 0x40;
	struct block block = {0, 1, 0, &options};

	printf("%d\n", (int)(compile(&block, code, text, 0) - code));
	return 0;
}
