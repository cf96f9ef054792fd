// SPDX-License-Identifier: GPL-2.0-only
// A condition on two lines in a template: an argument decides the second one, which leaves no code in that copy.
#include <cstdio>

template <typename Value> static inline bool fits(const Value *list, int i, Value most, bool any)
{
	return (i & 1) == 0 &&
	       (any || list[i] <= most); // HERE
}

__attribute__((noinline)) int narrow(const int *list, int count, int most)
{
	int found = 0;

	for (int i = 0; i < count; i++)
		if (fits(list, i, most, false))
			found += list[i];
	return found;
}

__attribute__((noinline)) long wide(const long *list, int count, long most)
{
	long found = 0;

	for (int i = 0; i < count; i++)
		if (fits(list, i, most, true))
			found += list[i] ^ most;
	return found;
}

int main()
{
	static const int words[] = {4, 8, 1, 9, 2, 5, 3, 7};
	static const long longs[] = {5, 3, 9, 1, 6, 2};

	std::printf("%d %ld\n", narrow(words, 8, 6), wide(longs, 6, 5));
	return 0;
}
