// SPDX-License-Identifier: GPL-2.0-only
/* Both arms of an `if` set `last` to `item`; clang says so in front of the `if`, and in all of the arms. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
	struct item *next, *previous;
	long number, unused[4];
};

struct input {
	void *(*allocate)(size_t size);
	long offset, number;
};

static struct item *new_item(struct input *input)
{
	struct item *item = input->allocate(sizeof(*item));

	if (item)
		memset(item, 0, sizeof(*item));
	return item;
}

__attribute__((weak)) int parse(struct item *item, struct input *input)
{
	item->number = input->number++;
	return item->number < 6;
}

__attribute__((weak)) struct item *list(struct input *input)
{
	struct item *first = NULL, *last = NULL;

	do {
		struct item *item = new_item(input);

		if (!item)
			goto fail;
		if (!first) { /* HERE */
			last = first = item;
		} else {
			last->next = item;
			item->previous = last;
			last = item;
		}
		input->offset++;
		if (!parse(last, input))
			goto fail;
	} while (input->number < 5);
	if (first)
		first->previous = last;
	return first;
fail:
	free(first);
	return NULL;
}

static struct item items[8];

static void *allocate(size_t size)
{
	static unsigned used;

	return size == sizeof(*items) ? &items[used++] : NULL;
}

int main(void)
{
	struct input input = {allocate, 0, 0};

	for (int i = 0; i < 5; i++)
		printf("number=%d\n", i - 1);
	return !list(&input);
}
