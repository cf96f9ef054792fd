// SPDX-License-Identifier: GPL-2.0-only
/* Names as C++ means them: members in methods, before what is declared outside; lambdas, methods of local
 * classes, and lines behind them in the function around. It says what its variables hold, a line for each
 * place marked HERE. */
#include <cstdio>
#include <vector>

int count = 1000, total = 100;
static int hidden = 2000;

struct base { int inherited = 7; };
struct part { int x, y; };

struct counter : base {
	int count = 3, hidden = 4;
	part inner{1, 2};
	part *other = &inner;
	int run(int n);
	static int shared(int n);
};

__attribute__((noinline)) int counter::shared(int n)
{
	std::printf("shared count=%d n=%d\n", ::count, n); /* HERE shared */
	return n;
}

__attribute__((noinline)) int counter::run(int n)
{
	int x = n * 2;
	count++;
	inherited = n + 40;
	auto scale = [=, this](int q) { int z = q + x + count;
		std::printf("lambda q=%d z=%d count=%d x=%d\n", q, z, count, x); /* HERE lambda */
		return z;
	};
	std::printf("run x=%d count=%d hidden=%d inner_y=%d other_x=%d inherited=%d total=%d\n", x, count, hidden, inner.y, other->x, inherited, total); /* HERE run */
	struct local {
		int factor;
		__attribute__((noinline)) int twice(int w) const
		{
			int r = factor * w;
			std::printf("local factor=%d w=%d r=%d\n", factor, w, r); /* HERE local */
			return r;
		}
	};
	local one{x};
	int sum = scale(n) + one.twice(n + 1);
	std::printf("behind x=%d sum=%d\n", x, sum); /* HERE behind */
	return sum + shared(n);
}

struct left { int tag, lone, held; };
struct right { int tag; };
struct both : left, right { int mine; };
struct hiding : left { int tag; static int held; };
template <int n> struct numbered { int tag = n; };
struct counted : numbered<1>, numbered<2> { };
struct one_side : left { };
struct other_side : left { };
struct joint : one_side, other_side { };
int hiding::held = 3;

__attribute__((noinline)) int inherited(const hiding *h, const both *b, const counted *c, const joint *j)
{
	std::printf("bases own=%d below=%d lone=%d first=%d second=%d mine=%d other=%d up=%d down=%d\n", h->tag, h->left::tag, h->lone, b->left::tag, b->right::tag, b->mine, c->numbered<2>::tag, b->right::tag, b->mine); /* HERE bases */
	return h->left::held + j->one_side::tag;
}

namespace last {
static int added(int n)
{
	int twice = counter::shared(n) + n; /* HERE added */
	return twice;
}
}

int main()
{
	hiding h;
	both b;
	counted two;
	joint ends{};
	counter c;
	int sum = 0;

	for (int i = 0; i < 5; i++)
		sum += c.run(i) + last::added(i); /* HERE main */
	for (int i = 0; i < 3; i++) {
		h.tag = i + 100;
		h.left::tag = i + 200;
		h.lone = i + 300;
		h.left::held = i + 700;
		b.left::tag = i + 400;
		b.right::tag = i + 500;
		b.mine = i + 600;
		sum += inherited(&h, &b, &two, &ends);
	}
	return sum == -1 ? ::hidden : 0;
}
