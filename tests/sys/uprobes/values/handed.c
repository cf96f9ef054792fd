// SPDX-License-Identifier: GPL-2.0-only
/* clang makes a copy of the loop for each `flags`, and says of `len` at the beginning of two of them
 * what the loop's condition makes of it. */
#include <stdio.h>
#include <string.h>

static int columns = 70;

__attribute__((weak)) int width(void) { return columns; }

static void print(const char *text, int len, const int flags)
{
	const char escapes[] = "\a\b\f\n\r\t\v"; /* HERE */
	int column = 0;

	if (flags & 1) {
		fprintf(stderr, "%d\t", width());
		column = 8;
	}
	while (--len >= 0) {
		const unsigned char c = *text++;

		if (!(flags & 2)) {
			putc(c, stderr);
		} else {
			if (++column > width()) {
				column = 1;
				fputs("\\\n", stderr);
			}
			if (c >= 32 && c <= 126) {
				putc(c, stderr);
			} else {
				const char *const at = strchr(escapes, c);

				++column;
				putc('\\', stderr);
				if (c && at)
					putc("abfnrtv"[at - escapes], stderr);
				else
					putc(c >> 6 & 7, stderr);
			}
		}
	}
	if (!width() && (flags & 2))
		putc('$', stderr);
	putc('\n', stderr);
}

struct line {
	struct line *next;
	const char *text;
	int len;
};

__attribute__((weak)) const char *text_of(const struct line *line)
{
	printf("len=%d\n", line->len);
	return line->text;
}

__attribute__((weak)) int print_all(const struct line *line, const int flags)
{
	for (; line; line = line->next) {
		const char *text = text_of(line);

		if (!text)
			return 0;
		print(text, line->len, flags);
	}
	return 1;
}

int main(void)
{
	struct line c = {NULL, "dogs bark", 9}, b = {&c, "lazy", 4}, a = {&b, "the\tquick fox", 13};

	for (int flags = 0; flags < 4; flags++)
		print_all(&a, flags);
	return 0;
}
