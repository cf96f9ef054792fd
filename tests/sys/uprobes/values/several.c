// SPDX-License-Identifier: GPL-2.0-only
/* clang says of `kind` behind an inlined function that it is what only one of that function's ways returns, TEST, which the first
 * test leads elsewhere. */
#include <stdio.h>
#include <string.h>

enum { INVALID, ADD, REMOVE, REPLACE, MOVE, COPY, TEST };

struct change {
	const char *name, *path;
	int value;
};

static int decode(const struct change *change)
{
	if (!change->name[0])
		return INVALID;
	if (strcmp(change->name, "add") == 0)
		return ADD;
	if (strcmp(change->name, "remove") == 0)
		return REMOVE;
	if (strcmp(change->name, "replace") == 0)
		return REPLACE;
	if (strcmp(change->name, "move") == 0)
		return MOVE;
	if (strcmp(change->name, "copy") == 0)
		return COPY;
	if (strcmp(change->name, "test") == 0)
		return TEST;
	return INVALID;
}

__attribute__((weak)) int look(const char *path, int value)
{
	return path[0] + value;
}

__attribute__((weak)) int drop(const char *path)
{
	return path[0];
}

__attribute__((weak)) int apply(const struct change *change)
{
	int kind = INVALID;
	int status = 0, value = 0;

	if (!change->path)
		return 2;
	kind = decode(change);
	if (kind == INVALID) {
		status = 3;
		goto out;
	} else if (kind == TEST) {
		status = !look(change->path, change->value);
		goto out;
	}
	if (change->path[0] == '\0') {
		if (kind == REMOVE) {
			status = drop("all");
			goto out;
		}
		if (kind == REPLACE || kind == ADD) {
			value = look("root", change->value); /* HERE */
			if (!value)
				status = 7;
			goto out;
		}
	}
	if (kind == REMOVE || kind == REPLACE) {
		if (!drop(change->path)) {
			status = 13;
			goto out;
		}
		if (kind == REMOVE)
			goto out;
	}
	if (kind == MOVE || kind == COPY) {
		value = look("from", change->value);
		if (kind == MOVE)
			value = drop("from");
	} else {
		value = look("value", change->value);
	}
	status = look(change->path, value);
out:
	return status;
}

int main(void)
{
	static const struct change changes[] = {
		{"copy", "c", 1}, {"test", "t", 2}, {"move", "m", 3}, {"remove", "r", 4}, {"none", "n", 5},
		{"add", "", 6}, {"replace", "p", 7}, {"add", "a", 8}, {"replace", "", 9},
	};
	static const int kinds[] = {ADD, REPLACE};

	for (unsigned i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		printf("kind=%d\n", kinds[i]);
	for (unsigned i = 0; i < sizeof(changes) / sizeof(*changes); i++)
		apply(&changes[i]);
	return 0;
}
