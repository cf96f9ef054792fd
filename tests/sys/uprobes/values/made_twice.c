// SPDX-License-Identifier: GPL-2.0-only
/* gcc leaves out what a line makes of a variable on the way where it makes nothing of it, and says
 * behind the place where the ways meet that it is still to be made. */
#include <stdio.h>

#ifndef OP
#define OP +=
#endif

enum { COUNT = 6 };

struct word {
	int key;
	struct word *next;
	char text[16];
};

static struct word words[COUNT];

static inline int weight(const struct word *word, int by)
{
	int weight = 0;

	for (const char *p = word->text; *p; p++)
		weight += *p * by;
	return weight;
}

__attribute__((noinline)) static int sum(struct word *first, int by)
{
	int total = 3;

	for (struct word *word = first; word; word = word->next) {
		int part = weight(word, by);
		total OP part;
		if (word->key == 3) /* HERE */
			fprintf(stderr, "%d\n", part);
		printf("total=%d\n", total);
	}
	return total;
}

int main(int argc, char **argv)
{
	(void)argv;
	for (int i = 0; i < COUNT; i++) {
		words[i].key = i;
		words[i].next = i < COUNT - 1 ? &words[i + 1] : NULL;
		snprintf(words[i].text, sizeof(words[i].text), i == 2 ? "" : "node%d", i);
	}
	return sum(words, argc + 1) == 12345;
}
