/* SPDX-License-Identifier: GPL-2.0-only */
/* gcc makes a struct of two pointers by an instruction for vectors, in a loop that has each of its rounds; of
 * another loop one round makes four numbers. */
#include <stdio.h>
#include <stdlib.h>

struct item {
	struct item *next;
	int number;
};
struct list {
	struct item *first, *last;
};
static unsigned char bytes[64];
static int numbers[64];

__attribute__((noipa)) static void count(struct list *list)
{
	list->first->number += list->last->number;
}

__attribute__((noipa)) static int walk(struct item *at)
{
	int rounds = 0;

	for (; at; at = at->next) {
		struct list one = {at, at}; /* HERE */

		count(&one);
		rounds++;
	}
	return rounds;
}

__attribute__((noipa)) static void widen(void)
{
	for (int i = 0; i < 64; i++)
		numbers[i] = bytes[i]; /* THERE */
}

int main(void)
{
	struct item *all = NULL;

	for (int i = 0; i < 7; i++) {
		struct item *item = calloc(1, sizeof(*item));

		item->next = all;
		all = item;
	}
	bytes[3] = 3;
	widen();
	printf("%d %d\n", walk(all), numbers[3]);
	return 0;
}
