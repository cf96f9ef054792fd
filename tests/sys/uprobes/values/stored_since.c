// SPDX-License-Identifier: GPL-2.0-only
/* clang goes on saying that `offset` is -1, as it begins, where `find`, which it has inlined, has stored to its slot. */
#include <stdio.h>
#include <string.h>

struct option {
	const char *name;
	int value, unused;
};

struct extra {
	int flags, length, unused;
};

struct options {
	struct option *list;
	struct extra *extra;
	int count, index, argc, sub;
	char **argv;
};

__attribute__((weak)) int complain(struct options *of, int error)
{
	of->index++;
	return error - 100;
}

static int find(struct options *of, int is_long, const char *start, int length, int *error, int *offset)
{
	int matches = 0, last = 0;

	*error = 0;
	*offset = -1;
	if (!start)
		return 0;
	for (int i = 0; i < of->count; i++) {
		const char *name = of->list[i].name + (is_long ? 2 : 1);

		if (is_long && of->extra[i].flags & 8) {
			if (length > of->extra[i].length)
				continue;
			if (!strncmp(name, start, (size_t)length)) {
				matches++;
				*offset = i;
				if (last && last == of->list[i].value)
					matches--;
				last = of->list[i].value;
			}
		} else if (!is_long && !(of->extra[i].flags & 8)) {
			if (name[0] == start[0]) {
				matches++;
				*offset = i;
			}
		}
	}
	if (!matches) {
		*error = 2;
		*offset = -1;
	} else if (matches > 1) {
		*error = 3;
		*offset = -1;
	}
	return !*error;
}

__attribute__((weak)) int next(struct options *of)
{
	char *name = NULL, *argument = NULL, *start;
	int length = 0, error = 0, has_next, offset = -1, is_short = 0;
	struct option *option;
	struct extra *extra;

	if (of->index >= of->argc)
		return 0;
	start = of->argv[of->index] + of->sub;
	if (of->sub == 0 && start[0] == '-' && start[1] == '-') {
		name = start + 2;
		length = (int)strcspn(name, "=");
		if (!find(of, 1, name, length, &error, &offset))
			return complain(of, error);
	} else {
		name = start + 1;
		is_short = 1;
		length = 1;
		if (!find(of, 0, name, 1, &error, &offset))
			return complain(of, error);
		argument = name + 1; /* HERE */
		if (!*argument)
			argument = NULL;
	}
	/* so that it is in a slot */
	__asm__ volatile("" : : : "rax", "rbx", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15");
	has_next = of->index + 1 < of->argc && strcmp("--", of->argv[of->index + 1]);
	option = of->list + offset;
	extra = of->extra + offset;
	of->index++;
	if (extra->flags & 1) {
		if (argument && !is_short)
			return -1;
		return option->value;
	}
	if (extra->flags & 2 && (argument || has_next)) {
		of->index += !argument;
		return option->value + length;
	}
	return option->value + has_next;
}

int main(void)
{
	static struct option list[] = {{"-a", 1}, {"--all", 2}, {"-b", 3}, {"--bits", 4}, {"-c", 5}};
	static struct extra extra[] = {{1, 1}, {8, 3}, {1, 1}, {10, 4}, {2, 1}};
	static char *argv[] = {"-b", "--all", "-c", "x", "-a", "-z", "--bits", "-cx", "-b"};
	static const int offsets[] = {2, 4, 0, 2};
	struct options of = {list, extra, 5, 0, sizeof(argv) / sizeof(*argv), 0, argv};
	int sum = 0;

	for (unsigned i = 0; i < sizeof(offsets) / sizeof(*offsets); i++)
		printf("offset=%d\n", offsets[i]);
	while (of.index < of.argc)
		sum += next(&of);
	return sum == 12345;
}
