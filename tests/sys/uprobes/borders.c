// SPDX-License-Identifier: GPL-2.0-only
/* For faults: objects at each place around the borders of pages of which some can't be read, aligned or not, and
 * between them good ones, whose bytes would pass for theirs. Prints for each call what can be read of it: OK or
 * FAULT. Then, with an argument, pointers that lie 1 GB to 2 GB above a text without an end. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096
#define STEP (2l << 20)
#define FAR (3l << 30)

struct wide {
	long a;
	long b;
	int c;
} __attribute__((packed, aligned(4)));

struct odd {
	char a;
	long b;
	int c;
} __attribute__((packed));

struct holder {
	const char *before;
	const char *pointer;
	const char *after[2];
};

__attribute__((noipa)) void look(const long *eight, const struct wide *wide, const struct odd *odd,
				 const short *two, int n)
{
	asm volatile("" :: "r"(eight), "r"(wide), "r"(odd), "r"(two), "r"(n) : "memory");
}

__attribute__((noipa)) void hold(const struct holder *h, int n)
{
	asm volatile("" :: "r"(h), "r"(n) : "memory");
}

static char *pages; /* none, two that can be read, none, one, none */

static int is_there(const char *p)
{
	long page = (p - pages) / PAGE;

	return page == 1 || page == 2 || page == 4;
}

static const char *word(const char *p, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (!is_there(p + i))
			return "FAULT";
	return "OK";
}

static void at(const char *p, int n)
{
	static char good[64];

	memset(good, 7, sizeof(good));
	printf("n=%d eight=OK wide=OK odd=OK two=OK\n", n);
	look((void *)good, (void *)good, (void *)good, (void *)good, n);
	printf("n=%d eight=%s wide=%s odd=%s two=%s\n", n + 1, word(p, 8), word(p, sizeof(struct wide)),
	       word(p, sizeof(struct odd)), word(p, 2));
	look((void *)p, (void *)p, (void *)p, (void *)p, n + 1);
}

/* 3 GB of text, of one file of 2 MB. */
static char *far_text(void)
{
	char *text = mmap(NULL, FAR, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	int fd = memfd_create("text", 0);

	if (ftruncate(fd, STEP))
		return NULL;
	for (long i = 0; i < FAR; i += STEP)
		mmap(text + i, STEP, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0);
	memset(text, 'x', STEP);
	return text + FAR;
}

int main(int argc, char **argv)
{
	int n = 0;

	(void)argv;
	pages = mmap(NULL, 6 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memset(pages, 7, 6 * PAGE);
	for (int i = 0; i < 6; i++)
		if (!is_there(pages + i * PAGE))
			mprotect(pages + i * PAGE, PAGE, PROT_NONE);
	for (int border = 1; argc < 2 && border < 6; border++)
		for (int i = -32; i <= 16; i++, n += 2)
			at(pages + border * PAGE + i, n);
	if (argc > 1) {
		const char *top = far_text();
		struct holder h = {top - 8, top - 16, {top - 24, top - 40}};

		for (n = 0; n < 100; n++)
			hold(&h, n);
	}
	return 0;
}
