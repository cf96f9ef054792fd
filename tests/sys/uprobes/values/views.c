/* Two statements at one instruction: before "offset = -offset" it is what "said" says, behind it isn't. */
#include <stdio.h>

struct code {
	int list[64];
};

static void fix(struct code *code, int pc, int dest, int back)
{
	int *jump = &code->list[pc];
	int offset = dest - (pc + 1);

	if (back)
		offset = -offset; /* HERE */
	if (offset > 1000)
		puts("too long");
	*jump = (*jump & 127) | offset << 7;
}

__attribute__((noinline)) static int enter(struct code *code, int pc)
{
	__asm__ volatile("" : : "r"(code) : "memory");
	return pc + 3;
}

__attribute__((noinline)) static int loop(struct code *code, int base)
{
	int prepare = enter(code, base), end;

	fix(code, prepare, base + 9, 0);
	end = enter(code, prepare + 2);
	fix(code, end, prepare + 1, 1);
	return end;
}

int main(void)
{
	static struct code code;

	for (int i = 0; i < 5; i++) {
		int prepare = i + 3, end = loop(&code, i);

		printf("offset=%d\n", prepare + 1 - (end + 1));
	}
	return 0;
}
