// SPDX-License-Identifier: GPL-2.0-only
/*
 * Property: base/glob says of a pattern and a text what fnmatch(3) says; but of several '*' and a text of
 * thousands of characters it says so at once (fnmatch() wouldn't before the machine is scrap).
 */
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/glob.h"

#define CASES 300000

static uint64_t random_state = 88172645463325252u;

static unsigned below(unsigned limit)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (unsigned)(random_state >> 20) % limit;
}

static void add(char *to, const char *piece)
{
	memcpy(to + strlen(to), piece, strlen(piece) + 1);
}

static void draw(char *to, unsigned parts, const char *const *from, unsigned count)
{
	for (*to = '\0'; parts--;)
		add(to, from[below(count)]);
}

static unsigned compare_with_fnmatch(void)
{
	static const char *const patterns[] = {
		"a", "b", "*", "*", "**", "?", "[ab]", "[!a]", "[^ab]", "[a-c]", "[]a]", "[!]]", "[a-]",
		"[[:alpha:]]", "[![:digit:]x]", "[[:nosuch:]]", "[\\]a]", "\\*", "\\\\", "\\a", "[[.a.]-c]",
		"[[=b=]]", ".", "/", "[c-a]", "[*?]", "]", "-", "1", ":", "[[:upper:]0-9]",
	};
	static const char *const texts[] = {
		"a", "b", "c", "ab", "*", "]", "\\", ".", "/", "-", "1", "A", "[", ":", "\xc3\xa9", "?",
	};
	char pattern[256], text[64];

	for (unsigned i = 0; i < CASES; i++) {
		draw(pattern, below(8), patterns, sizeof(patterns) / sizeof(*patterns));
		draw(text, below(9), texts, sizeof(texts) / sizeof(*texts));
		if (glob_matches(pattern, text) != !fnmatch(pattern, text, 0)) {
			printf("not ok '%s' with '%s': fnmatch() says otherwise\n", pattern, text);
			return 1;
		}
	}
	printf("ok %d random patterns and texts as fnmatch() has them\n", CASES);
	return 0;
}

static unsigned check_long(void)
{
	static char text[10000], pattern[200];

	memset(text, 'a', sizeof(text) - 1);
	while (strlen(pattern) < 100)
		add(pattern, "*a*aa");
	add(pattern, "b");
	if (glob_matches(pattern, text))
		return printf("not ok a pattern that ends in another character\n"), 1;
	text[sizeof(text) - 2] = 'b';
	if (!glob_matches(pattern, text))
		return printf("not ok a pattern of many stars\n"), 1;
	printf("ok many stars in a long text\n");
	return 0;
}

static unsigned check_receiver(void)
{
	if (is_glob("main.(*T).Sum") || glob_matches("main.(*T).Sum", "main.(*PT).Sum") ||
	    !glob_matches("main.(*T).Sum", "main.(*T).Sum") || !is_glob("main.(*T).S*") ||
	    !glob_matches("*(*T).S*", "main.(*T).Sum") || glob_matches("*(*T).S*", "main.(*PT).Sum"))
		return printf("not ok a receiver of Go\n"), 1;
	printf("ok a receiver of Go\n");
	return 0;
}

int main(void)
{
	unsigned failed = compare_with_fnmatch() + check_long() + check_receiver();

	printf("%u passed, %u failed\n", 3 - failed, failed);
	return failed != 0;
}
