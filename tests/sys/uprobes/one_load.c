/* SPDX-License-Identifier: GPL-2.0-only */
/* A load that clang leaves behind a call alone, as a register has the value on the other ways. */
#include <stdio.h>

struct block {
	unsigned options, more;
};

static volatile int sink;

__attribute__((noinline)) void start(struct block *block, unsigned options)
{
	block->options = options;
	block->more = 0;
}

__attribute__((noinline)) int check(struct block *block)
{
	block->more++;
	return block->more > 1;
}

__attribute__((noinline)) int compile(unsigned options, int newline)
{
	struct block block;
	int utf, ucp, error = 0;

	start(&block, options);
	utf = (block.options & 0x80000) != 0;
	if (utf) {
		if (options & 0x1000) {
			error = 74;
			goto failed;
		}
		if (!(options & 0x40000000) && (error = check(&block)) != 0)
			goto failed;
	}

	ucp = (block.options & 0x20000) != 0; /* HERE */
	if (ucp && (block.options & 0x800) != 0) {
		error = 75;
		goto failed;
	}
	sink = newline;
	start(&block, newline);
	if (utf && sink)
		check(&block);
	return utf + 2 * ucp;
failed:
	sink = error;
	return -error;
}

int main(void)
{
	static const unsigned options[] = {0, 0x80000, 0x20000, 0xa0000, 0x800, 0x20800, 0x40080000, 0x81000};
	int sum = 0;

	for (int i = 0; i < 8; i++)
		sum += compile(options[i], i);
	printf("%d\n", sum);
	return 0;
}
