// SPDX-License-Identifier: GPL-2.0-only
/* clang unrolls the loop, and says that `f` goes from 0 to 2 and then to 1. */
#include <stdio.h>
#include <stdlib.h>

struct file {
	long *kept, *real, *equivs;
	long lines, most, pad[30];
};

__attribute__((weak)) void *zeroed(long size)
{
	return calloc(1, size);
}

__attribute__((weak)) long work(struct file *files, long *p, long *q)
{
	long *counts[2], *list;
	int f;

	p = zeroed((files[0].lines + files[1].lines) * 2 * sizeof(*p));
	for (f = 0; f < 2; f++) {
		files[f].kept = p;
		p += files[f].lines;
		files[f].real = p;
		p += files[f].lines;
	}
	list = zeroed(files[0].most * 2 * sizeof(*list));
	counts[0] = list;
	counts[1] = list + files[0].most;
	for (long i = 0; i < files[0].lines; i++)
		++counts[0][files[0].equivs[i]];
	for (long i = 0; i < files[1].lines; i++)
		++counts[1][files[1].equivs[i]];
	q = zeroed(files[0].lines + files[1].lines); /* HERE */
	for (f = 0; f < 2; f++) {
		long *mine = counts[1 - f];

		for (long i = 0; i < files[f].lines; i++)
			if (mine[files[f].equivs[i]])
				q[f] += i;
	}
	return q[0] + q[1];
}

int main(void)
{
	static long equivs[8] = {1, 2, 0, 1, 3, 2, 1, 0};
	struct file files[2] = {{.lines = 8, .most = 4, .equivs = equivs},
				{.lines = 4, .most = 4, .equivs = equivs + 2}};

	printf("f=2\n");
	return work(files, NULL, NULL) < 0;
}
