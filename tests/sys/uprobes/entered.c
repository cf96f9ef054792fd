// SPDX-License-Identifier: GPL-2.0-only
/* Inlined functions whose copies begin elsewhere, or in more places, than debug information says. Counts their
 * calls itself and prints "NAME COUNT" lines. */
#include <stdio.h>

static volatile long skips, nexts, links, finishes;
static volatile int sink;

/* Its first code is the loop's first round. */
static inline __attribute__((always_inline)) int skip(const char *s)
{
	int i = 0;

	do {
		i++;
	} while (s[i] > 'a');
	return i;
}

static __attribute__((noinline)) int skipping(const char *s)
{
	skips++;
	if (*s != '+')
		return 0;
	return skip(s);
}

struct node {
	struct node *next;
	long v;
};

/* All of it is one line. */
#define SORT(name) \
	static inline struct node *name##_next(const struct node *a) \
	{ \
		return a->next; \
	} \
	static inline void name##_link(struct node *a, struct node *b) \
	{ \
		a->next = b; \
	} \
	static inline struct node *name##_merge(struct node *list, struct node *other) \
	{ \
		struct node *first = list, *end; \
		int left = 1; \
		if (list->v > other->v) { \
			left = 0; \
			SWAP(list, other); \
			first = list; \
		} \
		for (;;) { \
			do { \
				end = list; \
				nexts++; \
				list = name##_next(list); \
				if (!list) { \
					links++; \
					name##_link(end, other); \
					return first; \
				} \
			} while (list->v - other->v < left); \
			links++; \
			name##_link(end, other); \
			left ^= 1; \
			SWAP(list, other); \
		} \
	} \
	static __attribute__((noinline)) struct node *name(struct node *list) \
	{ \
		struct node *ranks[64]; \
		unsigned long n = 0; \
		for (;;) { \
			unsigned long m; \
			int i; \
			struct node *next = name##_next(list); \
			nexts++; \
			if (next) { \
				links++; \
				name##_link(list, NULL); \
			} \
			for (i = 0, m = n;; i++, m >>= 1) { \
				if (m & 1) \
					list = name##_merge(ranks[i], list); \
				else if (next) \
					break; \
				else if (!m) \
					return list; \
			} \
			n++; \
			ranks[i] = list; \
			list = next; \
		} \
	}
#define SWAP(a, b) do { struct node *c = a; a = b; b = c; } while (0)

SORT(sort)

static __attribute__((noinline)) long *take(long n)
{
	static long taken;

	taken = n;
	return n > 2 ? &taken : NULL;
}

static __attribute__((noinline)) void give(long *n)
{
	sink += (int)*n;
}

/* Where something was taken, the test before the call decides the first one. */
static inline __attribute__((always_inline)) void finish(long *n, long m)
{
	if (n)
		give(n);
	if (m & 1)
		sink++;
	if (m & 4)
		sink--;
}

static __attribute__((noinline)) void finishing(long m)
{
	long *n = take(m);

	finishes++;
	if (n) {
		if (*n > 4)
			sink++;
	}
	finish(n, m);
	sink++;
}

int main(void)
{
	struct node nodes[7] = {{&nodes[1], 4}, {&nodes[2], 1}, {&nodes[3], 7}, {&nodes[4], 3},
				{&nodes[5], 2}, {&nodes[6], 9}, {NULL, 5}};

	for (int i = 0; i < 5; i++)
		sink += skipping("+bcdefgha");
	sink += (int)sort(nodes)->v;
	for (int i = 0; i < 11; i++)
		finishing(i);
	printf("skip %ld\nsort_next %ld\nsort_link %ld\nfinish %ld\n", skips, nexts, links,
	       finishes);
	return 0;
}
