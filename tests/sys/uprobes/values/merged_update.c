// SPDX-License-Identifier: GPL-2.0-only
/* Compilers make one subtraction of 2 of two `--level;` in a row: at the second memory has what it was before the
 * first. A subtraction of 2 that the source has is told. */
#include <stdio.h>

static int level, left = 100;
static char said[8192];
static int nsaid;

__attribute__((weak)) void put(const char *text)
{
	said[nsaid++ % sizeof(said)] = (char)(*text + level + left);
}

__attribute__((weak)) void table(void)
{
	++level;
	put("if (c == 10)");
	++level;
	put("count_line();");
	--level;
	--level; /* HERE */
	put("}");
	left -= 2; /* THERE */
	put("");
}

int main(void)
{
	for (int i = 0; i < 12; i++) {
		if (i % 4 == 1)
			++level;
		printf("level=%d left=%d\n", level + 1, left);
		table();
	}
	return 0;
}
