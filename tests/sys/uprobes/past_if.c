/* SPDX-License-Identifier: GPL-2.0-only */
/* A body's last statement, whose mark gcc leaves behind the body, where the if leads past it. */
#include <stdio.h>
#include <stdlib.h>

struct entry {
	unsigned char flags;
	int offset;
};

static __attribute__((noinline)) int parse(struct entry *entry, const char *text)
{
	char *end;

	if (*text == '(') {
		++text;
		entry->flags |= 1;
	}
	if (*text == '-') {
		++text;
		entry->flags |= 0x80; /* HERE */
	}
	entry->offset = (int)strtol(text, &end, 0);
	if (text == end)
		return -1;
	text = end;
	return *text == ')';
}

int main(void)
{
	static const char *const texts[] = {"12", "-3", "(4)", "-x", "7", "(-8)", "9", "10"};
	struct entry entry = {0, 0};
	int sum = 0;

	for (int i = 0; i < 8; i++)
		sum += parse(&entry, texts[i]) + entry.offset + entry.flags;
	printf("%d\n", sum);
	return 0;
}
