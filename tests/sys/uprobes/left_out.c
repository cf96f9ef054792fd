/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers of a file, of which gcc tests once for all whether their bytes are to be turned round. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct head { uint64_t magic, first, second; uint32_t size, rest; };

static int passes;
static uint32_t order = 0x01020304;

static uint64_t turned8(uint64_t number)
{
	return __builtin_bswap64(number);
}

static uint32_t turned4(uint32_t number)
{
	return __builtin_bswap32(number);
}

#define TO8(number) (order == 0x01020304 ? (number) : turned8(number))
#define TO4(number) (order == 0x01020304 ? (number) : turned4(number))

__attribute__((noinline)) static void turn(struct head *head)
{
	head->magic = TO8(head->magic);
	head->first = TO8(head->first);
	head->second = TO8(head->second); /* HERE */
	head->size = TO4(head->size);
	head->rest = TO4(head->rest) + 1;
}

int main(int argc, char **argv)
{
	struct head head = {1, 2, 3, 4, 5};

	if (argc > 1)
		order = (uint32_t)strtoul(argv[1], NULL, 0);
	for (int i = 0; i < 6; i++) {
		turn(&head);
		passes++;
	}
	printf("%d %u\n", passes, head.rest);
	return 0;
}
