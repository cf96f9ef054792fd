// SPDX-License-Identifier: GPL-2.0-only
/* Structs that the probed function's own file only declares. -DPART=1 and 2 define them: one
 * struct in one way, the other in two. The program prints what the probed function sees. */
#include <stdio.h>

#ifdef __cplusplus
namespace far {
#endif
struct held;
struct twofold;
struct held *make(int i);
struct twofold *one_way(int i);
struct twofold *other_way(int i);
void tell(struct held *held);

#if PART == 0
int total;
__attribute__((noinline)) int user(struct held *h, struct twofold *t, int n)
{
	total += n + !h;
	return t ? total : -total;
}
#else
struct held {
	int first;
	short second;
	char name[6];
	struct {
		int inner;
	} in;
};
#endif

#if PART == 1
struct twofold {
	int x, y;
};

static struct twofold one;

struct twofold *one_way(int i)
{
	one.x = i;
	return &one;
}

struct held *make(int i)
{
	static struct held made[2];

	made[0].first = i + 100;
	made[1].first = i + 200;
	made[0].second = (short)-i;
	made[0].name[0] = (char)('a' + i);
	made[0].in.inner = i * 3;
	return made;
}
#elif PART == 2
struct twofold {
	int y, x;
};

static struct twofold other;

struct twofold *other_way(int i)
{
	other.x = i;
	return &other;
}

void tell(struct held *h)
{
	printf("user first=%d second=%d inner=%d next=%d\n", h->first, h->second, h->in.inner,
	       h[1].first);
}
#endif
#ifdef __cplusplus
}
using namespace far;
#endif

#if PART == 0
int main(void)
{
	for (int i = 0; i < 3; i++) {
		tell(make(i));
		user(make(i), i & 1 ? one_way(i) : other_way(i), i);
	}
	return 0;
}
#endif
