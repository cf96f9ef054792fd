/* SPDX-License-Identifier: GPL-2.0-only */
/* Calls that exceptions pass, for the lane `graph`. */
#include <cstdio>
#include <stdexcept>

#define CALL __attribute__((noinline))

static volatile long sink;

CALL static void leaf(int n)
{
	sink += n;
}

CALL static int thrower(int n)
{
	leaf(n);
	if (n > 1)
		throw std::runtime_error("thrown");
	return n;
}

CALL static int between(int n)
{
	int value = thrower(n);

	leaf(value + 100);
	return value;
}

namespace space {
CALL int catcher(int n)
{
	int value = -1;

	try {
		value = between(n);
	} catch (const std::exception &) {
		leaf(n + 1000);
	}
	leaf(value);
	return value;
}
}

int main()
{
	for (int n = 0; n < 4; n++)
		std::printf("%d\n", space::catcher(n));
}
