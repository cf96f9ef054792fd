/* clang begins the loop in its middle, with the first round's front before it, and doesn't count that round. */
#include <stdio.h>

struct part {
	unsigned char kind;
	unsigned flags;
	struct part *prior, *next;
	void *order, *limit;
};

static volatile int most = 3;

__attribute__((noinline)) void told(const char *format, ...)
{
	fprintf(stderr, "%s\n", format);
}

static const char *name_of(int kind)
{
	switch (kind) {
	case 1:
		return "all";
	case 2:
		return "both";
	case 3:
		return "except";
	default:
		return "union";
	}
}

__attribute__((noinline)) static void chain(struct part *p)
{
	if (p->prior) {
		struct part *next = NULL, *loop = p;
		int limit, count = 1;

		while (1) {
			loop->next = next; /* HERE */
			loop->flags |= 1;
			next = loop;
			loop = loop->prior;
			if (!loop)
				break;
			count++;
			if (loop->order || loop->limit) {
				told("%s behind %s", loop->order ? "order" : "limit", name_of(next->kind));
				break;
			}
		}
		if (!(p->flags & 4) && (limit = most) > 0 && count > limit)
			told("too many");
	}
}

int main(void)
{
	struct part parts[5] = {{0}};

	for (int i = 1; i < 5; i++)
		parts[i].prior = &parts[i - 1];
	for (int i = 1; i < 5; i++) {
		for (int n = 1; n < i + 2; n++)
			printf("count=%d\n", n);
		chain(&parts[i]);
	}
	return 0;
}
