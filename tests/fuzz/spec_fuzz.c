// SPDX-License-Identifier: GPL-2.0-only
/*
 * Texts made by a seeded generator in (spec_fuzz [CASES [SEED]]), the texts that broke a promise
 * out: no crash, every span inside the text, every error whole, and what is printed parses to the
 * same. Half the texts are seeds with a few bytes changed, half are tokens in random order, so
 * that both the nearly right and the wholly wrong come up.
 */
#include <stdlib.h>

#include "spec_same.h"

struct dice {
	uint64_t state;
};

struct count {
	unsigned cases;
	unsigned good;
	unsigned failed;
};

static const char *const seeds[] = {
	"vfs_read:4 count pos",
	"grp/ev=tcp_sendmsg@net/ipv4/tcp.c:2 size",
	"xen_netfront:xennet_start_xmit+0x11b size=%di:u64",
	"core.c:300 x",
	"foo%return@a.c $retval:s32",
	"p:probe/x mod:f+283 size=%di:u64",
	"r10:probe/y f+4 a=$retval b=+8(+0(%di)):string",
	"memcpy\\@\\@GLIBC_2.14:3 'n=a->b.c[2]:string@user'",
	"'foo<a b>::c:3' a:b4@2/32 x=\\\"t=x\" \\-42:s8 @sym-8:x8[16]",
	"std::vector<int>::push_back a[0][1]@user:u8",
	"f* [a-z]:x",
	"size > 1000 && (pages == 3 || !name ~ \"vm*\")",
	"0x10 & flags || comm == 'sshd' && c != 'x'",
	"a >= -9223372036854775808 && b == 18446744073709551615",
	"a == 1 && (b == 2 && c == 3) || (d == 4 || !(e == 5))",
	"vfs_read@fs/read_write.c:10-20",
	"core.c:3+10",
	"vfs_read;ret=*(file, buf, count, pos); size",
	"fs/read_write.c;*\"a b\"*",
	"'foo;a = b*' x='y'",
	"0xffffffff8134cc50%return $retval",
	"x='foo<a b>'::c@'my dir/a.c':010 y",
	"a.c@*:3 x",
	"f (struct tcp_sock *)sk->x ((struct tcp_sock *)sk)->snd_cwnd:u32",
	"f *p &x->y **(u64 *)&(*a.b)[1][-2] v=(const char __user *)p:string",
	"f size count() sum(size) hist(lat->x[1]:u64@user, 10ms) by comm (pid) $line key=a->b:string",
	"f n=a->b min(n) max((struct x *)n) avg(m=*p) by n m $function $tid cpu",
	"sched:sched_switch prev_comm p=prev_pid:s count() by p $comm",
	"a > 10ms && b < 4k || c == 0x1G",
	"f a[0..7] b->c[-1..3]@user $params $vars (unsigned  long)(x)",
};

static const char *const tokens[] = {
	"f", "foo.isra.0", "a.c", "a/b", "mod", "p", "r", "r10", "::", ":", "+", "-", "->", ".",
	"[", "]", "(", ")", "%", "%di", "%return", "$", "$retval", "$vars", "@", "@user", "=", "==",
	"!=", "<", ">=", "&", "&&", "||", "!", "~", ";", "\\", "'", "\"", " ", " ", "\t", "0", "3",
	"007",
	"0x10", "4294967296", "18446744073709551615", "99999999999999999999", "u8", "string",
	"b4@2/32", "x8[4]", "name=", "/", "*", "?", ",", "$stack3", "\\42", "+8(", "-u0(", "and",
	"count()", "sum(", "hist(x,4k)", "avg(x)", " by ", " -> ", " on ", "->", "on", "by", "comm", "$line", ",", "10ms", "$comm",
	"common_x=", "\xc3\xa4", "\x80", "(u8)", "(struct a *)", "[0..3]",
	"@*", ";", "0xff", "$params", "\x01", "size", "'a'", "\"b\"", "-1", "..",
};

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* xorshift64*: the same texts on every machine. */
static unsigned roll(struct dice *dice, size_t sides)
{
	dice->state ^= dice->state >> 12;
	dice->state ^= dice->state << 25;
	dice->state ^= dice->state >> 27;
	return (unsigned)((dice->state * 2685821657736338717ull >> 33) % sides);
}

static void text_append(char *text, size_t size, const char *more)
{
	size_t length = strlen(text);

	snprintf(text + length, size - length, "%s", more);
}

static void text_mutate(struct dice *dice, char *text, size_t size)
{
	size_t length = strlen(text), at = roll(dice, length + 1);
	char rest[256];

	switch (roll(dice, 5)) {
	case 0: /* a byte goes */
		if (at < length)
			memmove(text + at, text + at + 1, length - at);
		break;
	case 1: /* a byte changes */
		if (at < length)
			text[at] = (char)(1 + roll(dice, 255));
		break;
	case 2: /* a token comes */
		snprintf(rest, sizeof(rest), "%s", text + at);
		text[at] = '\0';
		text_append(text, size, tokens[roll(dice, COUNT(tokens))]);
		text_append(text, size, rest);
		break;
	case 3: /* the rest is another seed's */
		text[at] = '\0';
		snprintf(rest, sizeof(rest), "%s", seeds[roll(dice, COUNT(seeds))]);
		text_append(text, size, rest + roll(dice, strlen(rest)));
		break;
	default: /* the end goes */
		text[at] = '\0';
	}
}

static void text_make(struct dice *dice, char *text, size_t size)
{
	unsigned n = 1 + roll(dice, 8);

	*text = '\0';
	if (roll(dice, 2)) {
		text_append(text, size, seeds[roll(dice, COUNT(seeds))]);
		for (n = roll(dice, 4); n; n--)
			text_mutate(dice, text, size);
		return;
	}
	while (n--)
		text_append(text, size, tokens[roll(dice, COUNT(tokens))]);
}

static bool try_spec(struct arena *arena, const char *text, bool is_place, unsigned *good)
{
	struct spec *spec = NULL, *again = NULL;
	struct error *error = is_place ? spec_parse_place(arena, text, &spec) :
			      spec_parse(arena, text, &spec);

	if (error)
		return error_holds(error, text);
	++*good;
	if (!spec_spans_hold(spec, strlen(text)))
		return false;
	error = spec_parse(arena, spec_print(arena, spec), &again);
	return !error && same_spec(spec, again) &&
	       !strcmp(spec_print(arena, spec), spec_print(arena, again));
}

static bool try_event(struct arena *arena, const char *text, unsigned *good)
{
	struct spec *spec = NULL, *again = NULL;
	struct error *error = spec_parse_event(arena, text, &spec);

	if (error)
		return error_holds(error, text);
	++*good;
	if (!spec_spans_hold(spec, strlen(text)))
		return false;
	error = spec_parse_event(arena, spec_print(arena, spec), &again);
	return !error && same_spec(spec, again) &&
	       !strcmp(spec_print(arena, spec), spec_print(arena, again));
}

static bool try_filter(struct arena *arena, const char *text, unsigned *good)
{
	const struct filter *filter = NULL, *again = NULL;
	struct error *error = filter_parse(arena, text, &filter);

	if (error)
		return error_holds(error, text);
	++*good;
	if (!filter_spans_hold(filter, strlen(text)))
		return false;
	error = filter_parse(arena, filter_print(arena, filter), &again);
	return !error && same_filter(filter, again);
}

static bool try_range(struct arena *arena, const char *text, unsigned *good)
{
	struct line_range *range = NULL;
	struct error *error = spec_parse_range(arena, text, &range);

	if (error)
		return error_holds(error, text);
	++*good;
	return span_holds(range->function_span, range->function, strlen(text)) &&
	       span_holds(range->file_span, range->file, strlen(text)) &&
	       (range->function || range->file) && range->first <= range->last &&
	       span_inside(range->range_span, strlen(text));
}

static void fail(struct count *count, const char *what, const char *text)
{
	count->failed++;
	printf("%s: ", what);
	for (; *text; text++)
		printf(*text >= ' ' && *text < 0x7f ? "%c" : "\\x%02x", (unsigned char)*text);
	putchar('\n');
}

static void try_all(struct count *count, const char *text)
{
	struct arena arena;

	arena_init(&arena);
	if (!try_spec(&arena, text, false, &count->good))
		fail(count, "spec", text);
	if (!try_spec(&arena, text, true, &count->good))
		fail(count, "place", text);
	if (!try_event(&arena, text, &count->good))
		fail(count, "event", text);
	if (!try_range(&arena, text, &count->good))
		fail(count, "range", text);
	if (!try_filter(&arena, text, &count->good))
		fail(count, "filter", text);
	arena_deinit(&arena);
	count->cases++;
}

int main(int argc, char **argv)
{
	unsigned cases = argc > 1 ? (unsigned)atoi(argv[1]) : 200000;
	struct dice dice = {argc > 2 ? (uint64_t)atoll(argv[2]) : 20260101};
	struct count count = {0};

	while (count.cases < cases && count.failed < 20) {
		/* On the heap and of its own size, so that a byte too far is seen. */
		char text[256], *copy;

		text_make(&dice, text, sizeof(text));
		copy = strdup(text);
		try_all(&count, copy);
		free(copy);
	}
	printf("%u texts, %u times one was good\n", count.cases, count.good);
	/* A fuzzer whose texts are all refused tests nothing but the first error. */
	if (count.good < count.cases / 4)
		fail(&count, "too few texts are good", "");
	printf("%u passed, %u failed\n", !count.failed, count.failed);
	return count.failed > 0;
}
