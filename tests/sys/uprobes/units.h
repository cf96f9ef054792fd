/* SPDX-License-Identifier: GPL-2.0-only */
struct item {
	int x;
	const char *name;
};

#define SEEN __attribute__((noinline))
int first(struct item *item, int k);
int second(struct item *item, int k);
int small(int v);
