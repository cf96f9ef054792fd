// SPDX-License-Identifier: GPL-2.0-only
/* A struct that -fdebug-types-section leaves in DWARF 4's section of types alone. */
#include <stdio.h>

struct hidden {
	int first;
	long second;
};

__attribute__((noinline)) int hit(void *p)
{
	struct hidden *h = p;

	return printf("hit %d %ld\n", h->first, h->second);
}

int main(void)
{
	for (int i = 1; i < 4; i++)
		hit(&(struct hidden){i, -i});
	return 0;
}
