/* An optimiser may begin a call's inlined code before the statement in front of it ends: `length -= 8` is done by then in debug information. */
#include <stdio.h>

struct coder {
	unsigned range, low;
	int mid;
};

__attribute__((noinline)) static void shift(struct coder *c)
{
	c->low = c->low << 8 | c->range >> 24;
}

static inline void encode(struct coder *c, int *bit_model, int bit)
{
	unsigned bound = (c->range >> 11) * (unsigned)*bit_model;

	if (!bit) {
		c->range = bound;
		*bit_model += (2048 - *bit_model) >> 5;
	} else {
		c->low += bound;
		c->range -= bound;
		*bit_model -= *bit_model >> 5;
	}
	if (c->range <= 0xffffff) {
		c->range <<= 8;
		shift(c);
	}
}

__attribute__((noinline)) static void tree(struct coder *c, int *model, int symbol)
{
	for (int i = 2; i >= 0; i--)
		encode(c, &model[i], symbol >> i & 1);
}

__attribute__((noinline)) static void encode_length(struct coder *c, int *model, int length)
{
	int bit = (length -= 2) >= 8;

	encode(c, &model[0], bit);
	if (!bit) {
		tree(c, model + 2, length);
	} else {
		bit = (length -= 8) >= 8; /* HERE */
		encode(c, &model[1], bit);
		if (!bit)
			tree(c, model + 5, length);
		else
			tree(c, model + 8, length - 8);
	}
}

int main(void)
{
	struct coder c = {.range = 0xffffffff};
	int model[16];

	for (int i = 0; i < 16; i++)
		model[i] = 1024;
	for (int i = 3; i < 40; i += 4) {
		if (i - 2 >= 8)
			printf("length=%d\n", i - 2);
		encode_length(&c, model, i);
	}
	return c.low == 1;
}
