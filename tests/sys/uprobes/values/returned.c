// SPDX-License-Identifier: GPL-2.0-only
/* clang names a slot for `from` where a register has it newer, or where the slot never had it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OLD = 3, NEW = 9, COUNT = 16 };

#ifndef SHARED
#define SHARED static
#endif

SHARED char text[64];
SHARED char *lines[COUNT], kinds[COUNT], **line_list = lines, *kind_list = kinds;
SHARED long sizes[COUNT], *size_list = sizes, most_old = OLD, most_new = NEW, first = -1, last;
static const char *rest = "-a\n b\n+c\n+d\n-e\n+f\n+g\n+h\n";
static volatile int tail;

__attribute__((noipa)) static long next_line(void)
{
	size_t length = strcspn(rest, "\n") + 1;

	if (!*rest)
		return 0;
	memcpy(text, rest, length);
	text[length] = 0;
	rest += length;
	return length;
}

__attribute__((noipa)) static char *kept(const char *from, long size)
{
	char *copy = malloc(size + 1);

	memcpy(copy, from, size);
	copy[size] = 0;
	return copy;
}

__attribute__((noipa)) static void fail(void)
{
	puts("malformed");
	exit(1);
}

static _Bool is_incomplete(void)
{
	int begun = tail;

	if (tail == 7) {
		while (tail != 8 && tail != -1)
			;
		return 1;
	}
	tail = begun;
	return 0;
}

__attribute__((noipa)) int read_lines(void)
{
	long from = 1, to = from + most_old, context = 0, size;
	char kind, *line;

	while (from <= most_old || to <= most_new) {
		size = next_line();
		if (!size) {
			if (to > 100)
				return -1;
			strcpy(text, " \n");
			size = 2;
		}
		if (size == -1) {
			line = 0;
		} else if (*text == '\t' || *text == '\n') {
			kind = ' ';
			line = kept(text, size);
		} else {
			kind = *text;
			line = kept(text + 1, --size);
		}
		if (size && !line) {
			while (--to > most_old)
				free(line_list[to]);
			last = from - 1;
			return -1;
		}
#ifdef CHANGED /* those alone that come to the second place */
		if (kind != ' ')
#endif
			printf("from=%ld\n", from + (kind != '+'));
		switch (kind) {
		case '-':
			if (from > most_old) {
				free(line);
				last = to - 1;
				fail();
			}
			size -= from == most_old && is_incomplete();
			kind_list[from] = kind;
			line_list[from] = line;
			size_list[from++] = size;
			break;
		case '=':
			kind = ' ';
			/* fall through */
		case ' ':
			if (from > most_old) {
				free(line);
				while (--to > most_old)
					free(line_list[to]);
				last = from - 1;
				fail();
			}
			context++;
			size -= from == most_old && is_incomplete();
			kind_list[from] = kind;
			line_list[from] = line;
			size_list[from++] = size;
			line = kept(line, size);
			if (size && !line) {
				while (--to > most_old)
					free(line_list[to]);
				last = from - 1;
				return -1;
			}
			/* fall through */
		case '+':
			if (to > most_new) {
				free(line);
				while (--to > most_old)
					free(line_list[to]);
				last = from - 1;
				fail();
			}
			size -= to == most_new && is_incomplete();
			kind_list[to] = kind;
			line_list[to] = line;
			size_list[to++] = size;
			break;
		default:
			last = to;
			fail();
		}
		if (kind != ' ') { /* HERE */
			if (first == -1) /* THERE */
				first = context;
			context = 0;
		}
	}
	return first + last;
}

int main(void)
{
	return read_lines() == 1000;
}
