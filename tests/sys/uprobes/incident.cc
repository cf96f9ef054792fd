// SPDX-License-Identifier: GPL-2.0-only
// Says what it does, for tests/sys/uprobes/incident: calls by functions with C++ names, a struct of which the compiler keeps
// some members only, a namespace whose name the lane changes into one with a dot.
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))

namespace shop_cart {

struct Cart {
	int n;
	NOINLINE int add(int item, long price);
	NOINLINE int fill(int count);
	NOINLINE int operator+(int count);
	template <typename T> NOINLINE int many(T count);
};

int Cart::add(int item, long price)
{
	int extra = item * 3;

	n += item;
	asm volatile("" : "+r"(extra));
	printf("add item=%d price=%ld extra=%d\n", item, price, extra);
	return n + (int)price + extra;
}

int Cart::fill(int count)
{
	return add(count, count * 10L) + 1;
}

int Cart::operator+(int count)
{
	return add(count, count * 20L) + 2;
}

template <typename T> int Cart::many(T count)
{
	return add(count, count * 30L) + 3;
}

} // namespace shop_cart

struct parts {
	char a;
	long b; /* behind bytes that are nobody's */
	int c;
	struct { int d, e; } in;
};

NOINLINE void use(long x)
{
	asm volatile("" ::"r"(x) : "memory");
}

NOINLINE long some(int n)
{
	parts p;

	p.a = (char)(n + 1);
	p.b = n * 7L;
	p.in.e = n * 5;
	use(p.a + p.b + p.in.e);
	printf("some a=%d b=%ld in.e=%d\n", p.a, p.b, p.in.e); /* HERE some */
	p.c = n * 11;
	use(p.c + p.b + p.a + p.in.e);
	return p.c + p.b;
}

int main(int argc, char **argv)
{
	shop_cart::Cart cart = {0};
	int rounds = argc > 1 ? atoi(argv[1]) : 3;
	long sum = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	for (int i = 1; i <= rounds; i++) {
		sum += cart.fill(i) + (cart + i) + cart.many(i) + some(i);
		if (argc > 2)
			usleep(10000);
	}
	printf("sum=%ld\n", sum);
	return 0;
}
