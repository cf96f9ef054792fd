// SPDX-License-Identifier: GPL-2.0-only
/* The round keeps `order` in registers, and its place on the stack is that of `text` as well, which is read. */
#include <stdio.h>

static volatile int seen, six = 6, ten = 10;
static unsigned char list[] = {3, 1, 4, 1, 5, 2, 0, 3, 5, 4}, moved[sizeof(list)];

__attribute__((noinline)) static int length(const char *text)
{
	int n = 0;

	__asm__ volatile("" : : : "memory");
	while (text[n])
		n++;
	return n;
}

__attribute__((noinline)) static int told(int groups, int count)
{
	int ret = 0;

	{
		unsigned char order[6], wanted, next, first;
		int j;

		for (int i = 0; i < groups; i++)
			order[i] = i;
		for (int i = 0; i < count; i++) {
			wanted = list[i];
			j = 0;
			first = order[j];
			while (wanted != first) {
				j++;
				next = first;
				first = order[j];
				order[j] = next;
			}
			order[0] = first; /* HERE */
			moved[i] = j;
		}
	}
	{
		char text[16];

		for (int i = 0; i < 15; i++)
			text[i] = moved[i % sizeof(moved)] | 0x40;
		text[15] = 0;
		seen = ret += length(text);
	}
	return ret;
}

/* The same with its values printed, for which it keeps them in memory. */
__attribute__((noinline)) static void print(int groups, int count)
{
	volatile unsigned char order[6];
	unsigned char first, next;

	for (int i = 0; i < groups; i++)
		order[i] = i;
	for (int i = 0; i < count; i++) {
		first = order[0];
		for (int j = 1; list[i] != first; j++) {
			next = first;
			first = order[j];
			order[j] = next;
		}
		printf("a=%d b=%d c=%d d=%d e=%d f=%d\n", order[0], order[1], order[2], order[3], order[4], order[5]);
		order[0] = first;
	}
}

int main(void)
{
	print(six, ten);
	return !told(six, ten);
}
