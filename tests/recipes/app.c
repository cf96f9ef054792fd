// SPDX-License-Identifier: GPL-2.0-only
/* A program that allocates, for docs/recipes.md. Prints what it has asked malloc for: FUNCTION CALLS BYTES. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct word {
	struct word *next;
	char *text;
	unsigned count;
};

static struct {
	unsigned long calls;
	unsigned long bytes;
} copied, added;

static __attribute__((noinline)) char *copy_text(const char *text)
{
	size_t size = strlen(text) + 1;
	char *copy = malloc(size);

	copied.calls++;
	copied.bytes += size;
	return strcpy(copy, text);
}

static __attribute__((noinline)) struct word *add_word(struct word *list, const char *text)
{
	struct word *word = malloc(sizeof(*word));

	added.calls++;
	added.bytes += sizeof(*word);
	*word = (struct word){list, copy_text(text), 1};
	return word;
}

static struct word *count_word(struct word *list, const char *text)
{
	for (struct word *word = list; word; word = word->next)
		if (!strcmp(word->text, text)) {
			word->count++;
			return list;
		}
	return add_word(list, text);
}

int main(void)
{
	struct word *list = NULL;
	char text[16];

	for (unsigned i = 0; i < 1000; i++) {
		snprintf(text, sizeof(text), "word %u", i * i % 503);
		list = count_word(list, text);
	}
	printf("copy_text %lu %lu\nadd_word %lu %lu\n", copied.calls, copied.bytes, added.calls, added.bytes);
	return !list;
}
