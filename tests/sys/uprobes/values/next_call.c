// SPDX-License-Identifier: GPL-2.0-only
/* gcc makes loops of the calls of themselves that `look_up` and `mark` end with: in front of the last lines of a round
 * `high` has the next call's argument, or is said to be the first call's, as `state` is. */
#include <stdio.h>

enum { ENTRIES = 200 };

static struct entry {
	int name, value;
} entries[ENTRIES];

__attribute__((noipa)) static int compare(int name, int other)
{
	return (name > other) - (name < other);
}

static int look_up(int i, int low, int high, int name)
{
	int j;
	int order = compare(name, entries[i].name);

	if (order == 0 && entries[i].value) {
		return entries[i].value;
	} else if (order <= 0 && i > low) {
		j = i - ((i - low) / 2);
		if (j == i) /* HERE */
			j -= 1;
		return look_up(j, low, i - 1, name);
	} else if (order > 0 && i < high) {
		j = i + ((high - i) / 2);
		if (j == i)
			j += 1;
		return look_up(j, i + 1, high, name);
	} else {
		return -1;
	}
}

#ifdef GIVEN
#define FIRST_HIGH last
#else
#define FIRST_HIGH (ENTRIES - 1)
#endif

__attribute__((noipa)) int value_of(int name, int last)
{
	(void)last;
	return look_up(ENTRIES / 2, 0, FIRST_HIGH, name);
}

/* Says what `high` is at the line. */
static void expect_high(int name)
{
	int i = ENTRIES / 2, low = 0, high = ENTRIES - 1;

	while (name != entries[i].name && (name < entries[i].name ? i > low : i < high)) {
		int at = i;

		if (name < entries[at].name) {
			printf("high=%d\n", high);
			i -= (i - low) / 2 ?: 1;
			high = at - 1;
		} else {
			i += (high - i) / 2 ?: 1;
			low = at + 1;
		}
	}
}

enum { STATES = 40 };
static int *kinds, *links, *left, *right;

__attribute__((noipa)) static void complain(const char *text)
{
	(void)text;
}

__attribute__((noipa)) void mark(int state)
{
	switch (kinds[state]) {
	case 1:
		return;

	case 2:
		kinds[state] = 1;

		if (links[state] == 257) {
			if (left[state] != 0)
				mark(left[state]);

			if (right[state] != 0) /* THERE */
				mark(right[state]);
		}
		break;

	default:
		complain("a state of a bad kind");
		break;
	}
}

/* Says what `state` is at the line. */
static void expect_state(int *seen, int state)
{
	if (seen[state] || links[state] != 257)
		return;
	seen[state] = 1;
	if (left[state])
		expect_state(seen, left[state]);
	printf("state=%d\n", state);
	if (right[state])
		expect_state(seen, right[state]);
}

int main(void)
{
	static int numbers[5][STATES];

	for (int i = 0; i < ENTRIES; i++)
		entries[i] = (struct entry){2 * i, i + 1};
	kinds = numbers[0], links = numbers[1], left = numbers[2], right = numbers[3];
	for (int i = 1; i < STATES; i++) {
		kinds[i] = 2, links[i] = i % 5 ? 257 : 3;
		left[i] = i % 3 && 2 * i < STATES ? 2 * i : 0;
		right[i] = i % 7 && 2 * i + 1 < STATES ? 2 * i + 1 : 0;
	}
#ifdef MARK
	expect_state(numbers[4], 1);
	mark(1);
#else
	for (int i = 7; i < 2 * ENTRIES; i += 30) {
		expect_high(i);
		value_of(i, ENTRIES - 1);
	}
#endif
	return 0;
}
