/* clang unrolls the loop, leaves it by cmov alone, and has `n` as the last round makes it. */
#include <stdio.h>

struct item {
	int list[20];
};

struct item *last, *other, store[3];

__attribute__((weak)) int use(struct item *item, const char *text, int flags)
{
	return item->list[0] + text[0] + flags;
}
__attribute__((weak)) int flags(void) { return 3; }

__attribute__((weak)) struct item *choose(const char *text, int more)
{
	struct item *item;
	int n;

	for (n = 0; n < 3; ++n)
		if ((item = &store[n]) != last && item != other)
			break;
	const int all = (flags() ? 1 : 0) | (more ? 2 : 0);
	n = use(item, text, all); /* HERE */
	if (n == 7)
		return NULL;
	last = item;
	return last;
}

int main(void)
{
	choose("a", 0);
	other = last;
	choose("b", 1);
	last = &store[2];
	choose("c", 1);
	puts("n=0\nn=1\nn=1");
	return 0;
}
