/* SPDX-License-Identifier: GPL-2.0-only */
/* Returns that gcc copies behind a call, and leaves the mark of at one of the copies. */
#include <stdio.h>
#include <stdlib.h>

static int complaints, passes;

static __attribute__((noinline)) int complain(const int *list, int i)
{
	if (!list)
		abort();
	complaints += i;
	return complaints;
}

static __attribute__((noinline)) const int *find(const int *list, int i)
{
	return i % 4 ? list + i : NULL;
}

static __attribute__((noinline)) const int *checked(const int *list, int i)
{
	const int *found = find(list, i);

	(void)(found || complain(list, i));
	return found; /* HERE */
}

struct text {
	char *bytes;
	long size;
};

static __attribute__((noinline)) struct text append(struct text text, long n)
{
	text.size += n + complaints;
	return text;
}

static __attribute__((noinline)) struct text either(struct text text, int i)
{
	if (i < 9) {
		text = append(text, i);
	} else {
		struct text other = append(text, 2);

		if (other.size < 0) {
			complain(&complaints, 1);
			return other;
		}
		text = append(text, other.size);
		complain(&complaints, i);
	}
	return text; /* ELSE */
}

static __attribute__((noinline)) const int *told(const int *list, int i)
{
	const int *found = find(list, i);

	if (found)
		goto out;
	complain(list, i);
	return found; /* GOTO */
out:
	return found;
}

static __attribute__((noreturn, noinline)) void die(void)
{
	puts("nothing");
	exit(1);
}

static inline const int *needed(const int *found)
{
	if (!found)
		die();
	return found; /* COPY */
}

static __attribute__((noinline)) const int *first(const int *list, int i)
{
	return needed(find(list, i % 3 + 1));
}

static __attribute__((noinline)) int both(const int *list, int i)
{
	const int *one = needed(find(list, i % 2 + 1)), *other;

	other = needed(find(list, i % 2 + 2));
	return one[0] + other[1];
}

int main(void)
{
	static const int list[12] = {1, 2, 3};
	struct text text = {NULL, 0};
	int sum = 0;

	for (int i = 0; i < 12; i++) {
		passes += checked(list, i) != NULL;
		text = either(text, i);
		sum += told(list, i) != NULL;
		sum += *first(list, i) + both(list, i);
	}
	printf("%d %d %ld\n", passes, sum, text.size);
	return 0;
}
