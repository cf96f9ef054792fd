/* gcc may lose where `most = 0` begins as a statement, and have it done where its instruction comes. */
#include <stdio.h>

struct state {
	unsigned char lengths[4][8];
	int codes[4][8];
};

__attribute__((noinline)) static int assign(int *codes, const unsigned char *lengths, int least, int most, int size)
{
	__asm__ volatile("" : : "r"(codes), "r"(lengths) : "memory");
	return least + most + size;
}

__attribute__((noinline)) static int encode(struct state *s, int groups, int size)
{
	int t, i, least = -1, most = -1, sum = 0;

	for (t = 0; t < groups; t++) {
		least = 32;
		most = 0; /* HERE */
		for (i = 0; i < size; i++) {
			if (s->lengths[t][i] > most)
				most = s->lengths[t][i];
			if (s->lengths[t][i] < least)
				least = s->lengths[t][i];
		}
		if (most > 17)
			puts("too long");
		if (least < 1)
			puts("too short");
		sum += assign(s->codes[t], s->lengths[t], least, most, size);
	}
	return sum;
}

int main(void)
{
	struct state s = {.lengths = {{3, 1, 2, 5, 4, 4, 2, 2}, {7, 2, 2, 2, 2, 2, 2, 2}, {1, 1, 1, 1, 1, 1, 1, 3},
				      {2, 2, 2, 2, 2, 2, 2, 9}}};

	encode(&s, 4, 8);
	puts("most=-1\nmost=5\nmost=7\nmost=3");
	return 0;
}
