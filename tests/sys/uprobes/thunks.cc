// SPDX-License-Identifier: GPL-2.0-only
// Virtual functions that are called for a second base class and for a virtual one, through thunks. It says each call.
#include <stdio.h>

struct first {
	int a = 1;
	virtual int one(int x) { return a + x; }
};

struct second {
	int b = 2;
	virtual int two(int x) { return b - x; }
};

struct both : first, second {
	int c = 3;
	int two(int x) override
	{
		return b * c + x; /* HERE two */
	}
};

struct low {
	int v = 5;
	virtual int get(int x) { return v + x; }
};

struct high : virtual low {
	int w = 6;
	int get(int x) override
	{
		return v * w + x; /* HERE get */
	}
};

int main()
{
	both object;
	high shared;
	both *volatile own = &object;
	second *volatile side = &object;
	low *volatile base = &shared;

	for (int i = 0; i < 5; i++)
		printf("two %d\n", side->two(i));
	for (int i = 0; i < 3; i++)
		printf("two %d\n", own->two(i));
	for (int i = 0; i < 4; i++)
		printf("get %d\n", base->get(i));
	return 0;
}
