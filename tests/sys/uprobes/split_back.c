/* SPDX-License-Identifier: GPL-2.0-only */
/* gcc splits complain() and inlines the second half back into the first: debug information calls it inlined, but no call
 * of it ever was. */
#include <stdio.h>
#include <string.h>

static char text[200];

int complain(const char *name, int at)
{
	if (at < 3) /* HERE */
		return 0;
	snprintf(text, sizeof(text), "%s at %d", name, at);
	fputs(name, stdout);
	fputs(text, stdout);
	return (int)strlen(text); /* BEHIND */
}

int (*volatile called)(const char *, int) = complain;

int main(int argc, char **argv)
{
	int sum = 0;

	for (int i = 0; i < 5; i++)
		sum += called(argv[0], i + argc);
	sum += called(argv[0], argc);
	return !sum;
}
