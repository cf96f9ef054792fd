// SPDX-License-Identifier: GPL-2.0-only
// References of every kind, and floating-point numbers behind them. What ktrace must show of each place
// marked HERE, the program says itself, in JSON.
#include <cmath>
#include <cstdio>
#include <limits>

enum Color { RED, GREEN = 5 };

struct Point {
	int x;
	long y;
};

struct Holder {
	int &n;
	Point &p;
	short k;
	Point *&pp;
	double &d;
};

struct Deep {
	Holder &h;
	char tag;
};

typedef int &intref;

static int global_number = 40;
int &global_reference = global_number;

#define HERE asm volatile("nop" ::: "memory")
#define KEEP(x) asm volatile("" : : "r"(&(x)) : "memory")

static const void *address_of(const volatile void *p)
{
	return const_cast<const void *>(p);
}

__attribute__((noinline)) static void arguments(int &n, const int &c, int &&m, const int (&a)[3], Point *&pp,
						Point &p, double &d, Color &e, char (&text)[8], bool &&b,
						void (&call)(int &))
{
	HERE; /* HERE arguments */
	printf("{\"tag\": \"arguments\", \"values\": {\"n\": %d, \"c\": %d, \"m\": %d, \"a\": [%d,%d,%d], "
	       "\"second\": %d, \"pp_x\": %d, \"pp_y\": %ld, \"p\": {\"x\": %d, \"y\": %ld}, \"p_y\": %ld, "
	       "\"d\": %.17g, \"e\": \"%s\", \"text\": \"%s\", \"b\": %s, \"at\": \"%p\", \"at_p\": \"%p\", "
	       "\"low\": %d, \"back\": %d, \"hex\": \"%#x\", \"pp\": \"%p\", "
	       "\"half\": %d, \"of_p\": %d}}\n", n, c, m, a[0], a[1], a[2], a[1], pp->x,
	       pp->y, p.x, p.y, p.y, d, e == RED ? "RED" : "GREEN", text, b ? "true" : "false", address_of(&n),
	       address_of(&p), (unsigned char)n, *&n, n, address_of(pp), (short &)n,
	       (unsigned char &)p.y);
	call(n);
}

__attribute__((noinline)) static void members(Holder &h, Holder *q, Deep deep)
{
	HERE; /* HERE members */
	printf("{\"tag\": \"members\", \"values\": {\"n\": %d, \"p_x\": %d, \"pp_x\": %d, \"d\": %.17g, \"q_n\": %d, "
	       "\"at\": \"%p\", \"deep_n\": %d, \"h\": {\"n\": %d, \"p\": {\"x\": %d, \"y\": %ld}, \"k\": %d, "
	       "\"pp\": \"%p\", \"d\": %.17g}, \"tag\": \"%c\"}}\n", h.n, h.p.x, h.pp->x, h.d, q->n, address_of(&h.n),
	       deep.h.n, h.n, h.p.x, h.p.y, h.k, address_of(h.pp), h.d, deep.tag);
}

template <class T> __attribute__((noinline)) static void generic(T &&value, intref other)
{
	HERE; /* HERE generic */
	printf("{\"tag\": \"generic\", \"values\": {\"value\": %ld, \"other\": %d, \"g\": %d}}\n", (long)value, other,
	       global_reference);
}

__attribute__((always_inline)) static inline int inlined(int &n, Point &p)
{
	HERE; /* HERE inlined */
	printf("{\"tag\": \"inlined\", \"values\": {\"n\": %d, \"x\": %d}}\n", n, p.x);
	return n + p.x;
}

__attribute__((noinline)) static int &pick(int (&list)[4], unsigned i)
{
	KEEP(i);
	return list[i % 4];
}

__attribute__((noinline)) static Point &pick_point(Point &p)
{
	KEEP(p);
	return p;
}

// What a comparison says, by the filter that says the same.
#define SAY(expression) printf(", \"%s\": %s", #expression, (expression) ? "true" : "false")
#define SAY_ALL(name, constant) \
	SAY(name == constant); SAY(name != constant); SAY(name < constant); SAY(name <= constant); \
	SAY(name > constant); SAY(name >= constant)

__attribute__((noinline)) static void floats(float f, double &d, const long double &l, int n)
{
	const float inf = HUGE_VALF;

	KEEP(f);
	HERE; /* HERE floats */
	printf("{\"tag\": \"floats\", \"values\": {\"n\": %d, \"f\": \"%a\", \"d\": \"%a\"", n, (double)f, d);
	SAY_ALL(f, 0.1f); SAY_ALL(f, 0); SAY_ALL(f, -0.0); SAY_ALL(f, 1); SAY_ALL(f, inf); SAY_ALL(f, -2.5f);
	SAY_ALL(d, 0.1); SAY_ALL(d, 0); SAY_ALL(d, 1e300); SAY_ALL(d, 5e-324); SAY_ALL(d, -inf); SAY_ALL(d, -0.5);
	SAY_ALL(d, 0.5); SAY_ALL(d, 1); SAY_ALL(d, -2.5);
	SAY_ALL(l, 0.1L); SAY_ALL(l, 0.1000000000000000065L); SAY_ALL(l, 1); SAY_ALL(l, -inf); SAY_ALL(l, 0x1p-1L);
	SAY_ALL(n, 254.5); SAY_ALL(n, 2.53e2); SAY_ALL(n, -1.5);
	SAY(!(d <= inf)); SAY(d > -1.0 && d < 1 || n == 255); SAY(!(f == 0.1f) && l >= 0);
	printf("}}\n");
	KEEP(f);
}

static void bump(int &n)
{
	n++;
}

int main()
{
	static const double doubles[] = {0.5, -0.0, 0.0, 1.0, 0.1, std::nan(""), HUGE_VAL, -HUGE_VAL, 1e300, 5e-324, -0.5, -2.5, -3.0};
	int list[4] = {3, 1, 4, 1}, sum = 0;
	Point points[2] = {{1, 10}, {2, 20}}, *pp = points;
	char text[8] = "abc";

	for (int i = 0; i < 13; i++) {
		int n = i + 300;
		const int three[3] = {i, 2 * i, 3 * i};
		double d = doubles[i];
		float f = (float)d;
		long double l = (long double)d + (i == 4 ? 1e-18L : 0);
		double plain = i + 0.25;
		Color e = i % 2 ? RED : GREEN;
		Holder holder = {n, points[i % 2], (short)i, pp, plain};
		Deep deep = {holder, (char)('a' + i)};
		auto lambda = [&](int more) __attribute__((noinline)) {
			HERE; /* HERE lambda */
			printf("{\"tag\": \"lambda\", \"values\": {\"n\": %d, \"more\": %d}}\n", n, more);
		};

		pp = &points[i % 2];
		text[0] = (char)('a' + i);
		arguments(n, i, i * 7, three, pp, points[(i + 1) % 2], plain, e, text, i % 3 == 0, bump);
		members(holder, &holder, deep);
		generic(n, list[i % 4]);
		generic((long)i << 33, list[i % 4]);
		sum += inlined(n, points[i % 2]);
#ifdef __clang__
#pragma clang loop unroll(disable)
#endif
		for (int &each : list) {
			HERE; /* HERE range */
			printf("{\"tag\": \"range\", \"values\": {\"each\": %d}}\n", each);
			each++;
		}
		int &picked = pick(list, (unsigned)i);
		Point &point = pick_point(points[i % 2]);
		printf("{\"tag\": \"pick\", \"values\": {\"retval\": %d, \"at\": \"%p\"}}\n", picked, address_of(&picked));
		printf("{\"tag\": \"pick_point\", \"values\": {\"retval\": {\"x\": %d, \"y\": %ld}, \"x\": %d}}\n", point.x,
		       point.y, point.x);
		floats(f, d, l, 250 + i);
		lambda(i);
		point.x += 2;
	}
	return sum == 0;
}
