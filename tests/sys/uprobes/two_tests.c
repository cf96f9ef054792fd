/* SPDX-License-Identifier: GPL-2.0-only */
/* Behind the first test gcc knows the results of the next two on one way, and goes on at an `else if`, which stands further
 * right than other statements of its block. */
#include <stdio.h>
#include <string.h>

__attribute__((noipa)) static int is_option(const char *text, char letter, const char *name, int *letters)
{
	if (text[0] != '-' || text[1] == '-')
		*letters = 0;
	if (text[0] != '-') return 0; /* HERE */

	if (text[1] == '-' && !strcmp(text + 2, name)) return 1;
	else if (text[1] == '-') return 0;

	if (!letter) return 0;
	if (strchr(text, letter) != NULL) {
		(*letters)++;
		return 1;
	}
	return 0;
}

int main(void)
{
	static const char *const words[] = {"-a", "-b", "--all", "-ba", "-c", "-ca", "word", "-a"};
	int letters = 0, found = 0;

	for (unsigned i = 0; i < sizeof(words) / sizeof(*words); i++)
		found += is_option(words[i], 'a', "all", &letters);
	printf("%d %d\n", found, letters);
	return 0;
}
