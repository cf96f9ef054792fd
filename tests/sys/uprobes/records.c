// SPDX-License-Identifier: GPL-2.0-only
/* For records: calls look() with texts and numbers of all lengths at all places of a page that lies between two
 * which can't be read, and prints what each call must show: the text in hex, and whether it is whole or goes on
 * to the page behind; the numbers. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE 4096

struct odd {
	char tag;
	short two;
	int four;
	long eight;
} __attribute__((packed));

__attribute__((noipa)) void look(const char *text, const int *number, const struct odd *odd, int n)
{
	asm volatile("" :: "r"(text), "r"(number), "r"(odd), "r"(n) : "memory");
}

static char *page;  /* nothing around it can be read */
static char *pages; /* three that can, and nothing around them */

static char *between(size_t size)
{
	char *all = mmap(NULL, size + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	mprotect(all + PAGE, size, PROT_READ | PROT_WRITE);
	return all + PAGE;
}

static void say(const char *text, const char *end, const int *number, const struct odd *odd, int n)
{
	size_t there = (size_t)(end - text), length = strnlen(text, there);

	printf("n=%d text=", n);
	for (size_t i = 0; i < length; i++)
		printf("%02x", text[i]);
	printf(" whole=%d first=%d number=%d tag=%d two=%d four=%d eight=%ld\n", length != there, text[0], *number, odd->tag,
	       odd->two, odd->four, odd->eight);
	look(text, number, odd, n);
}

static void text_at(char *at, char *end, size_t length, int n)
{
	static const int number = 77;
	struct odd *odd = (struct odd *)(page + (size_t)n % (PAGE - sizeof(*odd) + 1));

	*odd = (struct odd){(char)n, (short)(n * 3), n * 1000003, (long)n << 33 | 1};
	memset(at, 'a' + n % 26, length);
	if (at + length < end)
		at[length] = '\0';
	say(at, end, &number, odd, n);
}

int main(void)
{
	static const size_t lengths[] = {0, 1, 3, 4, 7, 8, 9, 254, 255, 256, 257, 511, 512, 3000, 4040, 4079,
					 4080, 4081, 4094, 4095, 4096, 4097, 5000};
	int n = 0;

	page = between(PAGE);
	pages = between(3 * PAGE);
	for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		char *end = pages + 3 * PAGE;

		text_at(pages, end, lengths[i], ++n);                 /* from the first byte on */
		text_at(pages + 3, end, lengths[i], ++n);
		text_at(pages + PAGE - 5, end, lengths[i], ++n);      /* over the end of a page */
		text_at(end - lengths[i] - 1, end, lengths[i], ++n);  /* its NUL is the last byte */
		if (lengths[i])
			text_at(end - lengths[i], end, lengths[i], ++n); /* it has none */
	}
	for (int i = 0; i < PAGE / (int)sizeof(int); i++) { /* each place of the page has a number */
		static const char none[] = "";
		struct odd *odd = (struct odd *)(pages + i);
		int *number = (int *)page + i;

		*number = i - 512;
		*odd = (struct odd){(char)i, (short)-i, i, -i};
		say(none, none + 1, number, odd, ++n);
	}
	for (int i = 0; i < 9; i++) { /* the first bytes of the page, and the last */
		int *first = (int *)(page + i), *last = (int *)(page + PAGE - 4 - i);
		static const char none[] = "";
		struct odd *odd = (struct odd *)(pages + 3 * PAGE - sizeof(*odd));

		*odd = (struct odd){(char)i, (short)-i, i, -i};
		*first = 0;
		say(none, none + 1, first, odd, ++n);
		*last = -1 - i;
		say(none, none + 1, last, odd, ++n);
	}
	return 0;
}
