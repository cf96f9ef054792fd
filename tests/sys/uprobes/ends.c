// SPDX-License-Identifier: GPL-2.0-only
/* A library that ktrace's ends are tried on; as a program, it calls it COUNT times, 0: for good. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum mode { MODE_FIRST, MODE_SECOND };
struct shop { const char *name; int stock; enum mode mode; };

#ifdef LIBRARY
__attribute__((noinline)) int hit(int n, const char *text, const struct shop *shop)
{
	return n + text[0] + shop->stock;
}

int first_caller(int n, const char *text, const struct shop *shop)
{
	return hit(n, text, shop) + 1;
}
#else
int first_caller(int n, const char *text, const struct shop *shop);

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 0;
	struct shop shop = {"apples", 7, MODE_SECOND};
	char text[201] = "";

	memset(text, 'x', 200);
	for (int i = 0; !count || i < count; i++) {
		first_caller(i, text, &shop);
		if (!count)
			usleep(200);
	}
	return 0;
}
#endif
