/* An optimiser may sink `round++` behind the statements that follow it: `old` is then the next round's already. */
#include <stdio.h>

struct state {
	unsigned char picks[64], moves[64];
};

__attribute__((noinline)) static void rank(struct state *s, int count)
{
	unsigned char list[6], wanted, now, old = 9;
	int i, round;

	for (i = 0; i < 6; i++)
		list[i] = (unsigned char)i;
	for (i = 0; i < count; i++) {
		wanted = s->picks[i];
		round = 0;
		now = list[round];
		while (wanted != now) {
			round++; /* HERE */
			old = now;
			now = list[round];
			list[round] = old;
		}
		list[0] = now;
		s->moves[i] = (unsigned char)round;
	}
}

int main(void)
{
	struct state s = {.picks = {3, 1, 4, 1, 5, 2, 0, 5}};
	int list[6] = {0, 1, 2, 3, 4, 5}, old = 9;

	rank(&s, 8);
	for (int i = 0; i < 8; i++) {
		int now = list[0], at = 0;

		for (; now != s.picks[i]; list[at] = old) {
			printf("old=%d\n", old);
			at++;
			old = now;
			now = list[at];
		}
		list[0] = now;
	}
	return 0;
}
