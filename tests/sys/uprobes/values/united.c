// SPDX-License-Identifier: GPL-2.0-only
/* Where ways meet, gcc says of a struct in registers what one of them brings: `where` is in a register once the list isn't empty,
 * of `word` a part is changed on one way. */
#include <stdio.h>

struct where { int start, end; };
struct item { struct item *next; void *kept; struct where where; };
struct word { unsigned long kind; const char *text; };

__attribute__((noinline)) static void *keep(void *file)
{
	__asm__ volatile("" ::: "memory", "r8", "rcx", "rdx", "rsi");
	return file;
}

__attribute__((weak)) struct item *locate(struct where where, void *file, struct item *list)
{
	for (struct item *i = list; i; i = i->next)
		if (i->where.start == -1 && i->where.end == -1) {
			i->where = where;
			i->kept = keep(file);
		}
	return list; /* HERE */
}

__attribute__((noinline)) static unsigned long kind_of(struct word word)
{
	__asm__ volatile("" ::: "memory");
	return word.kind;
}

__attribute__((noinline)) static struct word double_of(struct word word)
{
	__asm__ volatile("" ::: "memory");
	return (struct word){word.kind * 2, word.text + 1};
}

__attribute__((noinline)) static int length(struct word word, char *to)
{
	to[0] = word.text[0];
	return to[0];
}

__attribute__((weak)) int number(void *file, struct word word, struct word other)
{
	char room[8];

	if (kind_of(word) == 4)
		word = double_of(word);
	else if (kind_of(word) != 6)
		return kind_of(other);
	else if (kind_of(other) != 5)
		return keep(file) != NULL;
	if (!length(word, room)) /* THERE */
		return kind_of(other);
	return room[0];
}

int main(void)
{
	struct item second = {NULL, NULL, {-1, -1}}, first = {&second, NULL, {-1, -1}};
	struct word words[] = {{6, "abc"}, {4, "bcd"}, {6, "cde"}, {4, "def"}}, other = {5, "x"};
	int sum = 0;

	puts("start=1 end=2 kind=6 letter=97\nstart=3 end=4 kind=8 letter=99\nstart=5 end=6 kind=6 letter=99\n"
	     "start=7 end=8 kind=8 letter=101");
	for (int i = 0; i < 4; i++) {
		locate((struct where){2 * i + 1, 2 * i + 2}, &sum, i == 2 ? &first : NULL);
		sum += number(&sum, words[i], other);
	}
	return !sum;
}
