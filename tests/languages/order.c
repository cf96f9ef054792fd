// SPDX-License-Identifier: GPL-2.0-only
/* A struct whose bytes are in the other order. */
enum color { RED = 1, GREEN = 2, BLUE = 0x100 };
struct __attribute__((scalar_storage_order("big-endian"))) other {
	int number;
	enum color color, colors[2];
	unsigned bits : 12;
	enum color few : 12;
};
struct plain {
	int number;
	enum color color, colors[2];
};

__attribute__((noinline)) int f(struct other *o, struct plain *p)
{
	return o->number + p->number;
}

int main(void)
{
	struct other o = {1, BLUE, {RED, GREEN}, 3, GREEN};
	struct plain p = {1, BLUE, {RED, GREEN}};

	return f(&o, &p) != 2;
}
