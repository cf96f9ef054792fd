// SPDX-License-Identifier: GPL-2.0-only
/* gcc says that `is_whole` is in its slot where the code that stores it there is still to come, behind what other
 * statements have left. */
#include <stdbool.h>
#include <stdio.h>

struct coder {
	unsigned long size, position, limit;
	unsigned state, rep[4], mask, length;
};

static bool truths[16];
static int ntruths;

__attribute__((noipa)) static unsigned decode(struct coder *coder, unsigned a, unsigned b, bool c)
{
	coder->position += a + b + c;
	return a ^ b;
}

__attribute__((noipa)) static unsigned run(struct coder *coder, unsigned long limit)
{
	if (decode(coder, 0, 0, 0))
		return 0;

	unsigned state = coder->state, rep0 = coder->rep[0], rep1 = coder->rep[1], rep2 = coder->rep[2],
		 rep3 = coder->rep[3], mask = coder->mask, length = coder->length, sum = 0;
	bool is_whole = coder->size == -1ul;
	bool may_end = false; /* HERE */

	if (coder->size != -1ul && coder->size <= limit - coder->position) {
		limit = coder->position + coder->size;
		may_end = true;
	}
	for (unsigned long i = coder->position; i < limit; i++) {
		/* so that they are in slots */
		__asm__ volatile("" : : : "rax", "rbx", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15");
		sum += decode(coder, state + rep0, rep1, is_whole);
		rep0 = rep1 + (sum & mask);
		rep1 = rep2 ^ length;
		rep2 = rep3 + sum;
		rep3 = state + rep0;
		state = sum % 7;
		if (sum % 5 == 3)
			is_whole = true;
		if (may_end && is_whole)
			break;
		length += state;
	}
	coder->state = state + rep0 + rep1 + rep2 + rep3;
	return sum + may_end;
}

int main(void)
{
	struct coder coder = {.mask = 7, .length = 3};
	unsigned sum = 0;

	for (int i = 0; i < 9; i++) {
		coder.size = i % 3 ? 4u + (unsigned)i : -1ul;
		coder.position = (unsigned)i;
		truths[ntruths++] = !(i % 3);
		sum += run(&coder, 12);
	}
	for (int i = 0; i < ntruths; i++)
		printf("whole=%d\n", truths[i]);
	return sum == 12345;
}
