// SPDX-License-Identifier: GPL-2.0-only
/* gcc describes `!to_output`, a bool, as all bits of a register turned: of those it means the lowest. */
#include <stdbool.h>
#include <stdio.h>

static bool to_output;
static int opened;

__attribute__((noipa)) static int open_it(int name, int flags)
{
	opened += name + flags;
	return name % 5;
}

__attribute__((noipa)) static int open_source(int name)
{
	bool follow = to_output;
	const bool only_files = !to_output;
	int flags = 0x100;

	flags |= 0x800; /* HERE */
	if (!follow)
		flags |= 0x1000;
	name = open_it(name, flags);
	if (name == 3)
		return -1;
	return only_files ? name : 2 * name;
}

int main(void)
{
	int sum = 0;

	for (int i = 0; i < 8; i++) {
		to_output = i % 3 == 1;
		printf("only=%d\n", !to_output);
		sum += open_source(i);
	}
	return sum == 12345;
}
