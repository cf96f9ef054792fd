/* clang folds `found = 1; break;` into where the branch leads, and has 0 in all of found's scope. */
#include <stdio.h>

struct item {
	struct item *next;
	int kind, number, is_hidden;
};

__attribute__((weak)) void show(const char *text, int number)
{
	__asm__ volatile("" : : "r"(text), "r"(number) : "memory");
}

static void list(struct item *p, int omitted)
{
	int found;
	struct item *q;

	found = 0;
	for (q = p; q; q = q->next) {
		if (q->kind == 2 && q->is_hidden < 2) {
			found = 1;
			break;
		}
	}
	if (found == 0)
		show("none", 0);
	else {
		for (; p; p = p->next)
			if (p->kind == 2 && p->number != omitted) /* HERE */
				show("one", p->number - 2);
		if (omitted > 0)
			show("but", omitted - 2);
	}
}

__attribute__((weak)) void all(struct item **lists, int count)
{
	for (int i = 0; i < count; i++)
		list(lists[i], i);
}

int main(void)
{
	struct item second = {NULL, 2, 5, 0}, first = {&second, 1, 4, 0}, hidden = {NULL, 2, 3, 2};
	struct item *lists[] = {&first, &hidden, &second};

	all(lists, 3);
	puts("found=1\nfound=1\nfound=1");
	return 0;
}
