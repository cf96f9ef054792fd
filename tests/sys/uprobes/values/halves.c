/* gcc splits init() in two (-fpartial-inlining) and inlines the second half back: what the half changes,
 * the first half's description of it doesn't know. The program says what N is at "p++". */
#include <stdio.h>
#include <stdlib.h>

struct slot {
	void *db;
	unsigned short flags;
	int size;
	long pad[4];
};

static void init(struct slot *p, int N, void *db, unsigned short flags)
{
	if (N > 0) {
		do {
			p->flags = flags;
			p->db = db;
			p->size = 0;
			p++; /* HERE */
		} while (--N > 0);
	}
}

static struct slot *volatile keep;

__attribute__((noinline)) static void one(int n)
{
	struct slot *slots = malloc(n * sizeof(*slots));

	init(slots, n, slots, 1);
	keep = slots;
}

__attribute__((noinline)) static void two(int n, struct slot *slots)
{
	init(slots, n, slots + 1, 2);
	init(slots + n, n / 2, slots, 3);
	keep = slots;
}

int main(void)
{
	struct slot *slots = malloc(100 * sizeof(*slots));
	static const int calls[] = {5, 4, 2, 6, 3};

	one(5);
	two(4, slots);
	two(6, slots);
	for (int i = 0; i < 5; i++)
		for (int n = calls[i]; n > 0; n--)
			printf("N=%d\n", n);
	return 0;
}
