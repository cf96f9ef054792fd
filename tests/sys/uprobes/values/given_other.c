// SPDX-License-Identifier: GPL-2.0-only
/* clang has what the line gives `most` where the line begins: it needs no instruction for that. */
#include <stdio.h>

enum { COUNT = 6 };

struct heap {
	int length;
	int list[COUNT + 1];
	unsigned char depth[COUNT];
};

static const unsigned short seed[] = {3, 0, 5, 7, 0, 1};

__attribute__((weak)) int fill(struct heap *heap, unsigned short (*tree)[2], int count)
{
	int n, most = -1;

	heap->length = 0;
	for (n = 0; n < count; n++) {
		if (tree[n][0] != 0) {
			heap->list[++(heap->length)] = most = n; /* HERE */
			heap->depth[n] = 0;
		} else {
			tree[n][1] = 0;
		}
	}
	while (heap->length < 2)
		heap->list[++(heap->length)] = (most < 2 ? ++most : 0);
	return most;
}

int main(void)
{
	unsigned short tree[COUNT][2];
	struct heap heap;

	for (int i = 0; i < COUNT; i++) {
		tree[i][0] = seed[i];
		tree[i][1] = 1;
	}
	puts("most=-1\nmost=0\nmost=2\nmost=3");
	return fill(&heap, tree, COUNT) != 5;
}
