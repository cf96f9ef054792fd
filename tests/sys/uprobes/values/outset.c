/* `i` has no value where the function begins, whatever the compiler has done by then. */
#include <stdio.h>

struct table {
	const char *names[8];
	long kept;
};

__attribute__((noinline)) static const char *keep(struct table *t, const char *name)
{
	__asm__ volatile("" : : "r"(t), "r"(name) : "memory");
	return name;
}

__attribute__((noinline)) void fill(struct table *t)
{
	static const char *const names[] = {
		"index", "newindex", "gc", "mode", "len", "eq",
	};
	int i;

	for (i = 0; i < 6; i++) {
		t->names[i] = keep(t, names[i]);
		keep(t, t->names[i]);
	}
}

int main(void)
{
	struct table t = {.kept = 0};

	fill(&t);
	puts("none=-1");
	return 0;
}
