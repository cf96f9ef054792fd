/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Variables of every kind of type, and the program's own word for them: report() prints, for each name
 * of a line with KTRACE, the JSON that ktrace must print for it. Nothing here is shared with ktrace.
 */
#include <complex.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define noinline __attribute__((noinline))

enum color { RED, GREEN = 5, BLUE = -3 };
enum mode { MODE_NONE, MODE_READ = 1, MODE_WRITE = 2, MODE_SYNC = 0x80 };
enum order { FIRST = 1, SECOND, THIRD, FOURTH };
typedef enum order order_t;

union word {
	int32_t number;
	float real;
	uint8_t bytes[4];
};
struct point {
	short x;
	int y;
};
struct mixed {
	char name[8];
	enum color color;
	unsigned int low : 3;
	int middle : 5;
	enum mode mode : 9;
	bool flag : 1;
	uint64_t far : 50;
	bool ok;
	char letter;
	unsigned char raw[3];
	struct point points[2];
	int grid[2][3];
	union word word;
	int (*call)(int);
	const struct mixed *next;
	struct {
		int inner;
		union {
			short half[2];
			int whole;
		};
	};
	float real;
	double wide;
	long double extended;
	__int128 huge;
	unsigned __int128 unsigned_huge;
	double few[3];
	double _Complex turn;
	float _Complex turns[2];
	struct { } empty;
	int flexible[];
};
struct large {
	uint32_t words[300];
	char text[5];
};

static char texts[64][4096];
static unsigned next_text;

static __attribute__((format(printf, 1, 2))) const char *f(const char *format, ...)
{
	char *text = texts[next_text++ % 64];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(texts[0]), format, args);
	va_end(args);
	return text;
}

static const char *b(bool value)
{
	return value ? "true" : "false";
}

static const char *color(int value)
{
	return value == RED ? "\"RED\"" : value == GREEN ? "\"GREEN\"" : value == BLUE ? "\"BLUE\"" :
	       f("%d", value);
}

static const char *mode(unsigned value)
{
	const char *rest = value & ~0x83u ? f("%s%#x", value & 0x83 ? "|" : "", value & ~0x83u) : "";

	return !value ? "\"MODE_NONE\"" : f("\"%s%s%s%s%s%s\"", value & 1 ? "MODE_READ" : "",
		value & 1 && value & 2 ? "|" : "", value & 2 ? "MODE_WRITE" : "",
		value & 3 && value & 0x80 ? "|" : "", value & 0x80 ? "MODE_SYNC" : "", rest);
}

static const char *order(unsigned value)
{
	static const char *const names[] = {"0", "\"FIRST\"", "\"SECOND\"", "\"THIRD\"", "\"FOURTH\""};

	return value < 5 ? names[value] : f("%u", value);
}

static const char *letter(char value)
{
	if (value == '"' || value == '\\')
		return f("\"\\%c\"", value);
	return value >= ' ' && value <= '~' ? f("\"%c\"", value) : f("%d", value);
}

static const char *real(double value)
{
	return isnan(value) ? value < 0 || signbit(value) ? "\"-nan\"" : "\"nan\"" :
	       isinf(value) ? value < 0 ? "\"-inf\"" : "\"inf\"" : f("%.17g", value);
}

static const char *parts(double _Complex value)
{
	return f("[%s,%s]", real(creal(value)), real(cimag(value)));
}

static const char *huge(unsigned __int128 value, bool is_signed)
{
	char digits[50];
	char *p = digits + 49;
	bool minus = is_signed && (__int128)value < 0;

	*p = '\0';
	if (minus)
		value = -value;
	do {
		*--p = (char)('0' + (int)(value % 10));
		value /= 10;
	} while (value);
	return f("\"%s%s\"", minus ? "-" : "", p);
}

static const char *point(const struct point *p)
{
	return f("{\"x\":%d,\"y\":%d}", p->x, p->y);
}

static const char *grid(const int g[2][3])
{
	return f("[[%d,%d,%d],[%d,%d,%d]]", g[0][0], g[0][1], g[0][2], g[1][0], g[1][1], g[1][2]);
}

static const char *word(const union word *w)
{
	return f("{\"number\":%d,\"real\":%s,\"bytes\":[%u,%u,%u,%u]}", w->number,
		 f("%.9g", (double)w->real), w->bytes[0], w->bytes[1], w->bytes[2], w->bytes[3]);
}

static int fails(int round);

static const char *function(int (*pointer)(int))
{
	return pointer == fails ? "\"fails+0x0\"" : f("\"0x%lx\"", (unsigned long)pointer);
}

static const char *mixed(const struct mixed *m)
{
	return f("{\"name\":\"%.8s\",\"color\":%s,\"low\":%u,\"middle\":%d,\"mode\":%s,\"flag\":%s,"
		 "\"far\":%llu,\"ok\":%s,\"letter\":%s,\"raw\":[%u,%u,%u],\"points\":[%s,%s],"
		 "\"grid\":%s,\"word\":%s,\"call\":%s,\"next\":\"0x%lx\",\"inner\":%d,"
		 "\"half\":[%d,%d],\"whole\":%d,\"real\":%s,\"wide\":%s,\"extended\":%.18Lg,"
		 "\"huge\":%s,\"unsigned_huge\":%s,\"few\":[%s,%s,%s],\"turn\":%s,\"turns\":[%s,%s]}", m->name, color(m->color),
		 m->low, m->middle, mode(m->mode), b(m->flag), (unsigned long long)m->far, b(m->ok),
		 letter(m->letter), m->raw[0], m->raw[1], m->raw[2], point(&m->points[0]),
		 point(&m->points[1]), grid(m->grid), word(&m->word), function(m->call),
		 (unsigned long)m->next, m->inner, m->half[0], m->half[1], m->whole,
		 f("%g", (double)m->real), real(m->wide), m->extended,
		 huge((unsigned __int128)m->huge, true), huge(m->unsigned_huge, false), real(m->few[0]),
		 real(m->few[1]), real(m->few[2]), parts(m->turn), parts((double _Complex)m->turns[0]),
		 parts((double _Complex)m->turns[1]));
}

static const char *large(const struct large *l)
{
	size_t used = 0;
	char *text = texts[next_text++ % 64];

	used += (size_t)sprintf(text, "{\"words\":");
	for (int i = 0; i < 300; i++)
		used += (size_t)sprintf(text + used, "%c%u", i ? ',' : '[', l->words[i]);
	sprintf(text + used, "],\"text\":\"%.5s\"}", l->text);
	return text;
}

static const char *begun;

static noinline void begin(const char *tag)
{
	printf("{\"tag\":\"%s\",\"values\":", tag);
	begun = "{";
}

static noinline void say(const char *name, const char *json)
{
	printf("%s\"%s\":%s", begun, name, json);
	begun = ",";
}

static noinline void end(void)
{
	puts("}}");
}

static noinline void keep(const void *object)
{
	__asm__ volatile("" : : "r"(object) : "memory");
}

static noinline int scalars(enum color c, enum mode m, order_t o, bool ok, char l, unsigned char u,
			    signed char s)
{
	begin("scalars");
	say("c", color(c));
	say("m", mode(m));
	say("o", order(o));
	say("ok", b(ok));
	say("l", letter(l));
	say("u", f("%u", u));
	say("s", f("%d", s));
	say("c_s", f("%d", c));
	say("m_x", f("\"0x%x\"", m));
	say("u_c", letter((char)u));
	end();
	keep(&ok); /* HERE scalars */
	return (int)c + (int)m + (int)o + ok + l + u + s;
}

static noinline void say_members(const struct mixed *m, const struct large *big)
{
	const union word *w = &m->word;

	begin("members");
	say("name", f("\"%.8s\"", m->name));
	say("color", color(m->color));
	say("low", f("%u", m->low));
	say("middle", f("%d", m->middle));
	say("mode", mode(m->mode));
	say("flag", b(m->flag));
	say("far", f("%llu", (unsigned long long)m->far));
	say("ok", b(m->ok));
	say("letter", letter(m->letter));
	say("raw", f("[%u,%u,%u]", m->raw[0], m->raw[1], m->raw[2]));
	say("points", f("[%s,%s]", point(&m->points[0]), point(&m->points[1])));
	say("point", point(&m->points[1]));
	say("grid", grid(m->grid));
	say("row", f("[%d,%d,%d]", m->grid[1][0], m->grid[1][1], m->grid[1][2]));
	say("word", word(w));
	say("real", f("%g", (double)m->real));
	say("wide", real(m->wide));
	say("extended", f("%.18Lg", m->extended));
	say("huge", huge((unsigned __int128)m->huge, true));
	say("uhuge", huge(m->unsigned_huge, false));
	say("few", f("[%s,%s,%s]", real(m->few[0]), real(m->few[1]), real(m->few[2])));
	say("turn", parts(m->turn));
	say("turns", f("[%s,%s]", parts((double _Complex)m->turns[0]), parts((double _Complex)m->turns[1])));
	say("turned", real(cimag((double _Complex)m->turns[1])));
	say("half", f("[%d,%d]", m->half[0], m->half[1]));
	say("call", function(m->call));
	say("call_x", f("\"0x%lx\"", (unsigned long)m->call));
	say("raw_x", f("[\"0x%x\",\"0x%x\",\"0x%x\"]", m->raw[0], m->raw[1], m->raw[2]));
	say("word_x", f("{\"number\":\"0x%x\",\"real\":\"0x%x\",\"bytes\":[\"0x%x\",\"0x%x\",\"0x%x\","
			"\"0x%x\"]}", (unsigned)w->number, (unsigned)w->number, w->bytes[0], w->bytes[1],
			w->bytes[2], w->bytes[3]));
	say("large", large(big));
	say("text", f("\"%.5s\"", big->text));
	end();
}

static noinline int members(const struct mixed *m, const struct large *big)
{
	const struct mixed *next = m->next;

	say_members(m, big);
	keep(next); /* HERE members */
	return next ? m->inner + (int)big->words[0] : 0;
}

static noinline int objects(const struct mixed *from, int round)
{
	struct mixed whole = *from;
	struct point small = {(short)round, -round};
	union word word_ = {.number = round * 1000};
	int grid_[2][3] = {{round, 2, 3}, {4, -round, 6}};
	double list[3] = {round / 8.0, -1e300 * round, 0.1};
	float near = (float)round / 4;
	double far = round * 1e-7;
	__int128 huge_ = (__int128)round << 70;
	long double extended = round / 3.0L;
	enum color colors[4] = {RED, GREEN, BLUE, (enum color)round};
	bool flags[3] = {true, round & 1, false};

	keep(&whole);
	keep(&small);
	keep(&word_);
	keep(grid_);
	keep(list);
	keep(&near);
	keep(&far);
	keep(&huge_);
	keep(&extended);
	keep(colors);
	keep(flags);
	begin("objects");
	say("whole", mixed(&whole));
	say("small", point(&small));
	say("word", word(&word_));
	say("grid", grid((const int (*)[3])grid_));
	say("list", f("[%s,%s,%s]", real(list[0]), real(list[1]), real(list[2])));
	say("near", f("%g", (double)near));
	say("far", real(far));
	say("huge", huge((unsigned __int128)huge_, true));
	say("extended", f("%.21Lg", extended));
	say("colors", f("[%s,%s,%s,%s]", color(colors[0]), color(colors[1]), color(colors[2]),
			color(colors[3])));
	say("flags", f("[%s,%s,%s]", b(flags[0]), b(flags[1]), b(flags[2])));
	end();
	keep(&whole); /* HERE objects */
	keep(&small);
	keep(&word_);
	keep(grid_);
	keep(list);
	keep(&near);
	keep(&far);
	keep(&huge_);
	keep(&extended);
	keep(colors);
	keep(flags);
	return small.y + grid_[1][2];
}

/* Structs in registers, where the optimiser leaves them one. */
static noinline int by_value(struct point p, union word w)
{
	begin("by_value");
	say("p", point(&p));
	say("w", word(&w));
	end();
	return p.x - p.y + (int)w.bytes[1]; /* HERE by_value */
}

/* A struct on the stack of which its function reads one number, at the function's beginning: its caller says what it is. */
struct passed {
	int few[3];
	long far, farther;
};
int on_stack(struct passed s, int n);
noinline int on_stack(struct passed s, int n)
{
	asm volatile("" ::: "memory");
	return n + s.few[1];
}

static noinline int passes(int n)
{
	struct passed s = {{n, n + 1, n + 2}, n * 1000L, -n};

	begin("on_stack");
	say("s", f("{\"few\":[%d,%d,%d],\"far\":%ld,\"farther\":%ld}", n, n + 1, n + 2, s.far, s.farther));
	say("farther", f("%ld", s.farther));
	end();
	return on_stack(s, n);
}

static noinline int fails(int round)
{
	int result = round & 1 ? -ENOENT : round & 2 ? round : -9999;

	begin("fails");
	say("result", round & 1 ? "\"-ENOENT\"" : f("%d", result));
	say("status", round & 1 ? "\"-ENOENT\"" : f("%d", result));
	end();
	return result; /* HERE fails */
}

int main(void)
{
	static const enum color all[] = {RED, GREEN, BLUE, 7};
	static const double odd[] = {0.1, INFINITY, -INFINITY, NAN, 1e22, 5e-324, -0.0};
	static struct large big;
	struct mixed other = {.name = "other"};
	long sum = 0;

	for (int i = 0; i < 300; i++)
		big.words[i] = (uint32_t)i * 2654435761u;
	memcpy(big.text, "fiver", 5);
	for (int round = 0; round < 7; round++) {
		struct mixed m = {
			.name = "eight", .color = all[round % 4], .low = (unsigned)round & 7,
			.middle = -round, .mode = (enum mode)(round & 3) | (round & 4 ? MODE_SYNC : 0),
			.flag = round & 2, .far = (1ull << 50) - 1 - (unsigned)round, .ok = round & 1,
			.letter = (char)(round == 3 ? '"' : 'w' + 3 * round), .raw = {1, (uint8_t)round, 255},
			.points = {{-1, round}, {(short)(round * 100), -100000}},
			.grid = {{round, -1, 2}, {3, 4, -round}}, .call = round & 1 ? fails : round == 2 ? NULL : (int (*)(int))0x123456789, .next = &other,
			.inner = round, .whole = 0x10001 * round, .real = 0.1f * (float)(round + 1),
			.wide = odd[round], .extended = round * 0.125L,
			.huge = -((__int128)round << 90), .unsigned_huge = ~(unsigned __int128)round,
			.few = {1.0 / 3, round, 1e-9 * round},
			.turn = odd[round] + 0.1 * round * I, .turns = {0.25F - 0.5F * I, (float)round * I},
		};

		if (round == 5)
			memcpy(m.name, "eightful", 8);
		m.real = (float)round * 0.25f;
		m.word.number = 0x40490fdb + (round << 16);
		big.words[299] = (uint32_t)round;
		sum += scalars(all[round % 4], m.mode + (round == 6 ? 0x40 : 0), (order_t)round, round & 1,
			       (char)('a' - 40 * round), (uint8_t)(round * 50), (signed char)(-20 * round));
		sum += members(&m, &big);
		sum += objects(&m, round);
		sum += by_value(m.points[1], m.word);
		sum += passes(round);
		sum += fails(round);
	}
	return sum == 1;
}
