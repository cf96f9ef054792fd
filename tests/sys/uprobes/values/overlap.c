/* clang unrolls the loop and lets its rounds overlap: behind line THERE of the first it has state1 of the second. */
#include <stdio.h>

#ifdef __OPTIMIZE__
#define ROUNDS 16 /* of which line HERE has one event */
#else
#define ROUNDS 1
#endif

typedef unsigned long word;

static word rotl(word x, int n)
{
	return x << n | x >> (64 - n);
}

static word next(word *state)
{
	word state0 = state[0];
	word state1 = state[1];
	word state2 = state[2] ^ state0; /* THERE */
	word state3 = state[3] ^ state1;
	word result = rotl(state1 * 5, 7) * 9;

	state[0] = state0 ^ state3;
	state[1] = state1 ^ state2; /* HERE */
	state[2] = state2 ^ (state1 << 17);
	state[3] = rotl(state3, 45);
	return result;
}

__attribute__((noinline)) void seed(word *state, word first, word second)
{
	int i;

	state[0] = first;
	state[1] = 0xff;
	state[2] = second;
	state[3] = 0;
	for (i = 0; i < ROUNDS; i++)
		next(state);
}

int main(void)
{
	word state[4];
	int i;

	for (i = 1; i < 4; i++) {
		printf("state1=255\n");
		seed(state, (word)i << 32, 7);
	}
	return state[0] == 1;
}
