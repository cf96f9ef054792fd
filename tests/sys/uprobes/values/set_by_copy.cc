// SPDX-License-Identifier: GPL-2.0-only
/* read() and count() are given the variables' addresses, and inlined. clang says of both what they were before, up to where
 * work() reads them itself. */
#include <cstdio>
#include <cstdlib>

static bool read(const char *text, long *ret)
{
	if (!*text)
		return false;
	*ret = strtol(text, nullptr, 10);
	return true;
}

static void count(const char *text, int &ret)
{
	for (; *text; text++)
		ret += *text == '1';
}

static void note(const char *text)
{
	fprintf(stderr, "%s\n", text);
}

static void use(long value, int ones)
{
	fprintf(stderr, "%ld %d\n", value, ones);
}

static void (*volatile notes)(const char *) = note;
static void (*volatile uses)(long, int) = use;

static int work(const char *text)
{
	long value = 0;
	int ones = 0;

	if (!read(text, &value))
		return 1;
	count(text, ones);
	notes(text); /* HERE */
	uses(value, ones);
	return 0;
}

static int (*volatile works)(const char *) = work;

int main()
{
	static const char *const texts[] = {"11", "2", "5", "111", "-1000"};

	printf("value=11 ones=2\nvalue=2 ones=0\nvalue=5 ones=0\nvalue=111 ones=3\nvalue=-1000 ones=1\n");
	for (const char *text : texts)
		works(text);
	return 0;
}
