// SPDX-License-Identifier: GPL-2.0-only
/* Without markers a line begins where the code of the copy that it calls does: the statement before
 * the line may be unfinished there. */
#include <stdio.h>

struct state {
	long *from, kind, sum;
};

__attribute__((weak)) long *match(struct state *s, long i) { return i % 3 ? s->from + i : NULL; }
__attribute__((weak)) void note(struct state *s, long n) { s->sum += n; }
__attribute__((weak)) long fast(struct state *s, long *at) { return s->sum -= *at; }
__attribute__((weak)) int check(long *at) { return *at > 3; }
__attribute__((weak)) long slow(struct state *s, long *at, long kind) { return s->sum += *at + kind; }

static long add(struct state *s, long *at)
{
	long *from = s->from;
	long kind = s->kind;

	if (kind == 5)
		return slow(s, at, 1);
	if (kind == 6) {
		fast(s, from);
		return 0;
	}
	if (!check(at)) {
		s->sum += *at - *from;
		return 1;
	}
	if (*from > 4)
		return fast(s, at);
	return slow(s, at, 3);
}

__attribute__((weak)) long run(struct state *s, long most)
{
	long n = 0, changed = 0;

	for (long i = 0; n < most; i++) {
		long *at = match(s, i);

		if (at) {
			n++;
			changed = add(s, at) | changed; /* HERE */
		}
		note(s, changed);
	}
	note(s, n);
	return changed;
}

int main(void)
{
	long list[40] = {1, 2, 3};
	struct state s = {list, 4, 0};

	for (int n = 1; n <= 8; n++)
		printf("n=%d\n", n);
	return run(&s, 8) == 77;
}
