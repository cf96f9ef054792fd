/* The first statement of add() is begun where its argument is still computed: the inlined copy has an entry outside
 * of its ranges, which are the one instruction of the asm. */
#include <stdio.h>

struct packet {
	unsigned short head, parts;
	unsigned char *data;
};

static inline void add(int i, int *counter)
{
	__asm__ volatile("addl %1, %0" : "+m"(*counter) : "er"(i)); /* HERE */
}

static inline int parts_of(const struct packet *p)
{
	return p->parts > 1 ? p->parts : 1;
}

struct queue {
	long pad[4];
	int drops, other;
};

__attribute__((noinline)) static void drop(struct queue *q, const struct packet *p)
{
	q->other++;
	add(parts_of(p), &q->drops);
	q->pad[0] = (long)p->data;
}

int main(void)
{
	struct queue q = {{0}, 0, 0};

	for (int n = 0; n < 5; n++) {
		struct packet p = {0, n, NULL};

		__asm__ volatile("" : : "r"(&p) : "memory");
		printf("i=%d\n", n > 1 ? n : 1);
		drop(&q, &p);
	}
	return q.drops < 0;
}
