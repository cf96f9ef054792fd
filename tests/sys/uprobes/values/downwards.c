/* gcc counts the loop down by the node's address, and divides its way by a node's size, without a sign. */
#include <stdio.h>

struct node {
	long a, b, c;
};

struct table {
	unsigned char size;
	struct node *nodes;
};

static int used(const struct table *t, int *sum)
{
	int total = 0, i = 1 << t->size;

	while (i--) {
		struct node *n = &t->nodes[i];

		asm volatile("" ::: "rdx", "rsi", "r8", "r9", "r10", "r11", "r12", "r13"); /* no other code uses what it has here */
		if (n->a & 15) {
			if (n->b == 3) /* HERE */
				*sum += n->c;
			total++;
		}
	}
	return total;
}

static struct node nodes[8];

__attribute__((noinline)) int grow(struct table *t, int by)
{
	int sum = by, total = used(t, &sum);

	t->size = (unsigned char)(t->size - 1);
	t->nodes += 1;
	return sum + total;
}

int main(void)
{
	struct table t = {3, nodes};
	int sum = 0;

	for (int i = 0; i < 8; i++)
		nodes[i] = (struct node){1, 3, i};
	for (int n = 3; n > 1; n--) {
		for (int i = (1 << n) - 1; i >= 0; i--)
			printf("i=%d\n", i);
		sum += grow(&t, n);
	}
	return sum == 1;
}
