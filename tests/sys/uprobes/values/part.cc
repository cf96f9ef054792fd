// SPDX-License-Identifier: GPL-2.0-only
/* gcc splits the function and inlines both halves: behind the head it has `n` as the head was given
 * it. */
#include <cstdio>

struct state {
	int low[64], mid[64], high[64], *at;
	unsigned range;

	__attribute__((noinline)) void shift() { range <<= 8; at = low; }
	void put_bit(int &bit, bool is)
	{
		unsigned bound = (range >> 11) * bit;

		if (!is) {
			range = bound;
			bit += (2048 - bit) >> 5;
		} else {
			range -= bound;
			bit -= bit >> 5;
		}
		if (range < 1 << 24)
			shift();
	}
	void put_three(int *table, int n)
	{
		put_bit(table[1], n >> 2 & 1);
		put_bit(table[2 | (n >> 2 & 1)], n >> 1 & 1);
		put_bit(table[4 | (n >> 1 & 3)], n & 1);
	}
	void put_eight(int *table, int n)
	{
		int model = 1;

		for (int i = 7; i >= 0; i--) {
			bool is = n >> i & 1;

			put_bit(table[model & 63], is);
			model = model << 1 | is;
		}
	}
	void put(int *choice, int n, int which)
	{
		bool is = (n -= 2) >= 8;

		put_bit(choice[0], is);
		if (!is)
			put_three(low + which, n);
		else {
			is = (n -= 8) >= 8; /* HERE */
			put_bit(choice[1], is);
			if (!is)
				put_three(mid + which, n);
			else
				put_eight(high, n - 8);
		}
	}
};

__attribute__((weak)) int next(int i) { return i; }

__attribute__((weak)) int work(struct state *s, const int *list, int count)
{
	int choice[4] = {1024, 1024, 1024, 1024};

	for (int i = 0; i < count; i++) {
		int len = list[i];

		if (next(i) & 1) {
			s->put(choice, len, i);
			s->put_bit(choice[3], len & 1);
		} else {
			if (s->at == s->low)
				s->put_bit(choice[3], 1);
			s->put(choice + 1, len, i);
			s->put_bit(choice[2], len & 1);
		}
		next(len);
	}
	return choice[0];
}

int main()
{
	static struct state s;
	static const int list[] = {3, 11, 20, 4, 12, 30, 9, 40};

	s.range = -1;
	s.at = s.mid;
	for (int n : list)
		if (n >= 10)
			std::printf("n=%d\n", n - 2);
	work(&s, list, 8);
}
