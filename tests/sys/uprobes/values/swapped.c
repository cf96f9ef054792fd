// SPDX-License-Identifier: GPL-2.0-only
/* gcc has the code of `open` in front of `state`'s, without markers; `state` has no place behind
 * that until the loop's head has it there again. */
#include <stdio.h>

enum { OTHER, NAME, VALUE };

struct attribute {
	const char *name, *value, *end;
	char normalized;
};

static const unsigned char kinds[256] = {
	['"'] = 12, ['\''] = 13, [' '] = 21, ['>'] = 11,
	['&'] = 3, ['a'] = 24, ['b'] = 24, ['c'] = 24,
};

__attribute__((weak)) int parse(const unsigned char *types, const char *ptr, int most,
					struct attribute *list)
{
	unsigned state = NAME;
	int count = 0, open = 0;

	for (ptr++;; ptr++) {
		switch (types[(unsigned char)*ptr]) {
		case 24:
			if (state == OTHER) {
				if (count < most) {
					list[count].name = ptr;
					list[count].normalized = 1;
				}
				state = NAME;
			}
			break;
		case 12:
			if (state != VALUE) {
				if (count < most)
					list[count].value = ptr + 1;
				state = VALUE;
				open = 12; /* HERE */
			} else if (open == 12) {
				state = OTHER;
				if (count < most)
					list[count].end = ptr;
				count++;
			}
			break;
		case 13:
			if (state != VALUE) {
				if (count < most)
					list[count].value = ptr + 1;
				state = VALUE;
				open = 13;
			} else if (open == 13) {
				state = OTHER;
				if (count < most)
					list[count].end = ptr;
				count++;
			}
			break;
		case 3:
			if (count < most)
				list[count].normalized = 0;
			break;
		case 21:
			if (state == NAME)
				state = OTHER;
			else if (state == VALUE && count < most && list[count].normalized &&
				 (ptr == list[count].value || *ptr != ' ' || ptr[1] == ' ' ||
				  types[(unsigned char)ptr[1]] == open))
				list[count].normalized = 0;
			break;
		case 11:
			if (state != VALUE)
				return count;
			break;
		}
	}
}

int main(void)
{
	static struct attribute list[8];

	for (int i = 0; i < 3; i++)
		puts("state=2");
	parse(kinds, "<a b=\"c'\" b='a' c=\"a b\" a=\"b\">", 8, list);
	return 0;
}
