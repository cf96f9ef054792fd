/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Code that says what its variables hold at lines that are traced. A line with KTRACE is probed with
 * the values behind it, in the order of the report's own names; ENTRY FUNC probes the function's entry
 * instead, where the report's values must be what they were there. Each line is passed a prime number
 * of times.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void report(const char *tag, const char *format, ...);
void settle(void); /* what the source has stored by then, the code has too */
void fixture(void);
#define noinline __attribute__((noinline))
#define L(x) ((long)(x))
#define U(x) ((unsigned long)(x))

struct inner {
	unsigned int low : 3;
	int middle : 7;
	unsigned long high : 40;
	short values[5];
};
struct outer {
	char name[12];
	struct inner in;
	struct outer *next;
	const char *text;
};
struct pair {
	int x;
	int y;
};

int counter = 1000;
static long hidden = -5;
const char *banner = "banner text";

static noinline long arguments(int a, long b, unsigned char c, short d, const char *s, bool f, int g,
			       unsigned long h)
{
	report("arguments", "a:d b:d c:u d:d s:s f:d g:d h:u", L(a), b, U(c), L(d), s, L(f), L(g), h); /* ENTRY arguments: a b c d s:string f g h */
	counter += a;
	return a * b - d;
}

/* What is passed on the stack and narrow, gcc without optimisation copies to slots of its own. */
static noinline int stacked(long a, long b, long c, long d, long e, long f, signed char g, short h,
			    unsigned char i, struct pair *j)
{
	report("stacked", "a:d f:d g:d h:d i:u x:d", a, f, L(g), L(h), U(i), L(j->x)); /* ENTRY stacked: a f g h i j->x */
	return (int)(a + b + c + d + e + f) + g + h + i + j->y;
}

static noinline int loop(int n, struct outer *o)
{
	int sum = 0;
	long square = 0;

	for (int i = 0; i < n; i++) {
		square = (long)i * i + n;
		sum += (int)square % 11;
		settle();
		report("loop", "i:d n:d sum:d square:d low:u middle:d high:u v:d name:s", L(i), L(n), L(sum), square, U(o->in.low), L(o->in.middle), U(o->in.high), L(o->in.values[2]), o->name); /* KTRACE i n sum square o->in.low o->in.middle o->in.high o->in.values[2] o->name */
		o->in.low++;
		o->in.middle -= 3;
		o->in.high += 12345678;
	}
	return sum;
}

static inline int twice(int v, const char *who)
{
	int result = 2 * v + counter % 3;

	report("twice", "v:d result:d who:s", L(v), L(result), who); /* KTRACE v result who:string */
	return result;
}

static noinline int factorial(int n)
{
	int below = n > 1 ? factorial(n - 1) : 1;

	report("factorial", "n:d below:d", L(n), L(below)); /* KTRACE n below */
	return n * below;
}

static noinline int statics(int k)
{
	static int calls = 7;
	static char text[16] = "static";

	calls += k;
	hidden *= 3;
	text[k % 6] ^= 1;
	counter++;
	settle();
	report("statics", "k:d calls:d text:s hidden:d counter:d banner:s", L(k), L(calls), text, hidden, L(counter), banner); /* KTRACE k calls text hidden counter banner:string */
	return calls;
}

static noinline int by_value(struct pair p, struct outer o)
{
	int spread = p.x - p.y;

	report("by_value", "x:d y:d spread:d name:s next:d", L(p.x), L(p.y), L(spread), o.name, L(o.next->in.values[0])); /* KTRACE p.x p.y spread o.name o.next->in.values[0] */
	return spread;
}

static noinline int buffers(const char *source, int length)
{
	char copy[24];
	int numbers[6];
	unsigned hash = 5381;

	memset(copy, 0, sizeof(copy));
	for (int i = 0; i < length; i++) {
		copy[i] = source[i];
		hash = hash * 33 + (unsigned char)source[i];
	}
	for (int i = 0; i < 6; i++)
		numbers[i] = i * length - 7;
	settle();
	report("buffers", "copy:s third:d hash:u length:d", copy, L(numbers[3]), U(hash), L(length)); /* KTRACE copy numbers[3] hash length */
	return (int)hash + numbers[length % 6] + copy[0];
}

static noinline void taken(int *where, int by)
{
	*where += by;
	settle();
	report("taken", "where:d by:d", L(*where), L(by)); /* KTRACE where[0] by */
}

static noinline int address(int v, int w)
{
	taken(&v, w);
	taken(&w, v);
	settle();
	report("address", "v:d w:d", L(v), L(w)); /* KTRACE v w */
	return v * w;
}

static noinline unsigned long wide(unsigned long seed)
{
	unsigned long a = seed * 0x9e3779b97f4a7c15ul, b = a ^ a >> 29, c = ~b;
	long minus = -L(seed);
	int s = (int)(c >> 32);
	signed char tiny = (signed char)b;
	unsigned short half = (unsigned short)(a >> 7);

	report("wide", "a:u b:u c:u minus:d s:d tiny:d half:u", a, b, c, minus, L(s), L(tiny), U(half)); /* KTRACE a b c minus s tiny half */
	return a + b + c + (unsigned long)minus + (unsigned long)s + (unsigned long)tiny + half;
}

static noinline int branchy(int n)
{
	int kind = 0;

	if (n & 1)
		kind = 1;
	else if (n & 2)
		kind = 2;
	switch (n) {
	case 0:
	case 4:
		kind += 10;
		break;
	case 1:
		kind += 20;
		break;
	case 2:
		kind += 30;
		break;
	case 3:
		kind += 40;
		break;
	}
	report("branchy", "n:d kind:d", L(n), L(kind)); /* KTRACE n kind */
	return kind;
}

struct grid {
	int m[2][3];
	short tail[8];
	void *opaque;
	char mark[8];
};
typedef struct grid grid_t;

static noinline long expressions(struct grid *g, int **where, int round, long wide)
{
	char begin[4] = {g->mark[0], g->mark[1], g->mark[2]};

	settle();
	report("expressions", "deref:d element:d row:d back:d cast:d u:u i:d b:d address:d short_:d mark:d begin:s first:d twofold:d", L(**where), L(g->m[1][2]), L(*g->m[1]), L((&g->tail[4])[-2]), L(((grid_t *)g->opaque)->m[0][1]), U((unsigned char)round), L((char)wide), L((_Bool)round), (long)&g->tail[3], L(*(short *)&g->tail[5]), L(*g->mark), begin, L((*g).m[0][0]), (long)(short)wide); /* KTRACE **where g->m[1][2] *g->m[1] (&g->tail[4])[-2] ((grid_t*)g->opaque)->m[0][1] (u8)round (int)(char)wide (bool)round (long)&g->tail[3] *(short*)&g->tail[5] (int)*g->mark g->mark[0..2] (*g).m[0][0] (long)(short)wide */
	counter += round;
	return g->m[1][1] + **where + begin[0];
}

noinline void fixture(void)
{
	struct outer second = {.name = "second", .in = {.values = {9, 8, 7, 6, 5}}};
	struct outer first = {.name = "first", .in = {1, -2, 3, {-1, -20, 300}}, .next = &second, .text = "txt"};
	struct grid other = {.m = {{-1, -2, -3}}};
	struct grid grid = {{{1, 2, 3}, {4, 5, 6}}, {10, 11, -12, 13, 14, -15}, &other, "marked"};
	int *where = &counter;
	long result = 0;

	for (int round = 0; round < 5; round++) {
		struct pair p = {round * 3, -round};

		first.name[4] = (char)('a' + round);
		second.in.values[0]++;
		result += stacked(round, 2, 3, 4, 5, -round, (signed char)(-100 - round), (short)(-3000 * round), (unsigned char)(200 + round), &p);
		result += arguments(round - 2, round * 10000000000l, (unsigned char)(250 + round), (short)(-300 * round), first.text, round & 1, round * 7, ~U(round));
		result += twice(round, "one");
		result += statics(round + 1);
		result += by_value(p, first);
		result += buffers(&"some source text"[round], 3 + round);
		result += (long)wide(U(round) + 17);
		result += branchy(round);
		grid.m[1][2] += round;
		other.m[0][1]--;
		result += expressions(&grid, &where, 254 + round, -100000 + 70 * round) & 7;
	}
	result += twice(100, "two");
	result += twice(101, "three");
	for (int round = 0; round < 11; round++)
		result += address(round, round + 5) & 3;
	taken(&counter, 1);
	result += loop(13, &first);
	result += factorial(7);
	report("result", "counter:d", L(counter) + (result == 1));
}
