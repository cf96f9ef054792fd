// SPDX-License-Identifier: GPL-2.0-only
/* clang keeps `all` in a slot of the stack and says of `config` that it is the slot's address and 24, not what is in the
 * slot and 24. */
#include <stdio.h>

struct config {
	int rate, size;
};
struct all {
	long parts[3];
	struct config config;
	long sums[8];
};

static int step(int number)
{
	return number * 5 + 1;
}

static int (*volatile next)(int) = step;

static long add(struct all *all, const int *from, const int *to, long factor)
{
	const struct config *const config = &all->config;
	int one = next(from[0]), two = next(from[1]), three = next(from[2]), four = next(to[0]), five = next(to[1]);
	long sum = 0;

	for (int i = 0; i < config->size; i++) {
		for (int j = 0; j < 3; j++) {
			one += next(two + j);
			two += next(three - i);
			three += next(four);
			four += next(five);
			five += next(one);
			sum += one * factor + from[j] - to[j]; /* HERE */
		}
		all->sums[i] += sum + two + three + four;
	}
	return sum + config->rate + one + two + three + four + five;
}

static long (*volatile added)(struct all *, const int *, const int *, long) = add;

int main(void)
{
	static const int from[] = {1, 2, 3}, to[] = {4, 5, 6};
	static struct all all = {{1, 2, 3}, {44100, 2}, {0}};

	for (int i = 0; i < 6; i++)
		printf("rate=%d\n", all.config.rate);
	fprintf(stderr, "%ld\n", added(&all, from, to, 7));
	return 0;
}
