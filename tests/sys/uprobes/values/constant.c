// SPDX-License-Identifier: GPL-2.0-only
/* gcc leaves one instruction of `least = 32`, without a marker, and says that it is 32 in front of it. */
#include <stdio.h>

enum { GROUPS = 6, SIZE = 20 };

struct state {
	int pad[100];
	unsigned char len[GROUPS][SIZE];
	int code[GROUPS][SIZE];
};

__attribute__((weak)) void give(int *code, const unsigned char *len, int least, int most, int size)
{
	for (int i = 0; i < size; i++)
		code[i] = len[i] + least + most;
}

__attribute__((weak)) void fail(int n) { printf("fail %d\n", n); }

static void assign(struct state *s, int groups, int size)
{
	int least = 5, most;

	for (int t = 0; t < groups; t++) {
		least = 32; /* HERE */
		most = 0;
		for (int i = 0; i < size; i++) {
			if (s->len[t][i] > most)
				most = s->len[t][i];
			if (s->len[t][i] < least)
				least = s->len[t][i];
		}
		if (most > 17)
			fail(most);
		if (least < 1)
			fail(least);
		give(s->code[t], s->len[t], least, most, size);
	}
}

__attribute__((weak)) void run(struct state *s, int groups, int size)
{
	assign(s, groups, size);
}

int main(void)
{
	static struct state s;

	for (int t = 0; t < GROUPS; t++)
		for (int i = 0; i < SIZE; i++)
			s.len[t][i] = 1 + (t + i) % 16;
	for (int t = 0; t < GROUPS; t++)
		printf("least=%d\n", t ? 1 : 5);
	run(&s, GROUPS, SIZE);
	return 0;
}
