/* SPDX-License-Identifier: GPL-2.0-only */
/* A length that gcc sets to 0 before it tests for it, in code behind the function's main way, to which the test leads back. */
#include <stdio.h>
#include <string.h>

static volatile int sum;

static __attribute__((noinline)) void add(const char *text, long most)
{
	size_t length;

	if (__builtin_expect(most != -1, 1))
		length = (size_t)most;
	else if (*text == '\0')
		length = 0; /* HERE */
	else
		length = strlen(text);
	sum += (int)length;
	sum += *text;
}

int main(void)
{
	static const char *const texts[] = {"one", "", "three"};

	for (int i = 0; i < 12; i++)
		add(texts[i % 3], i % 2 ? -1 : i);
	printf("%d\n", sum);
	return 0;
}
