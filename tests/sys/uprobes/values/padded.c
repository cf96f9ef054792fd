/* `wrap = 2` is aligned, by padding; what views tell of its beginning is told of the padding's address. */
#include <stdio.h>

struct stream {
	int wrap, bits, level;
	char window[32];
};

__attribute__((noinline)) static int fill(struct stream *s)
{
	__asm__ volatile("" : : "r"(s) : "memory");
	return s->level;
}

__attribute__((noinline)) static int start(struct stream *s, int level, int bits, int memory)
{
	int wrap = 1;

	if (!s)
		return -2;
	if (level == -1)
		level = 6;
	if (bits < 0) {
		wrap = 0; /* THERE */
		if (bits < -15)
			return -2;
		bits = -bits;
	} else if (bits > 15) {
		wrap = 2; /* HERE */
		bits -= 16;
	}
	if (memory < 1 || memory > 9 || bits < 8 || bits > 15 || level < 0 || level > 9 || (bits == 8 && wrap != 1))
		return -2;
	if (bits == 8)
		bits = 9;
	s->level = level;
	if (fill(s) < 0)
		return -4;
	s->wrap = wrap;
	s->bits = bits;
	return fill(s);
}

int main(void)
{
	struct stream s;

	for (int i = 0; i < 4; i++) {
		start(&s, i, 25 + i, 8);
		puts("wrap=1");
		start(&s, i, -9 - i, 8);
		start(&s, i, 9 + i, 8);
	}
	return 0;
}
