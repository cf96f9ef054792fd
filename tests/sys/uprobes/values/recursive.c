// SPDX-License-Identifier: GPL-2.0-only
/* gcc inlines the function into itself: a copy's last line begins in the next outer copy. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arg {
	int name, is_var;
	struct arg *next;
};

static char said[512];

__attribute__((noipa)) void *allocate(size_t size)
{
	sprintf(said + strlen(said), "len=%d\n", (int)size);
	return malloc(size);
}

static char *space(int size)
{
	char *text = allocate(size);

	if (!text)
		exit(1);
	return text;
}

static char *join(struct arg *args, int len)
{
	char *text, value[30];

	if (args != NULL) {
		text = join(args->next, len + 12);
	} else {
		text = space(len);
		*text = 0;
		return text; /* HERE */
	}
	if (args->is_var)
		if (len != 1)
			snprintf(value, sizeof(value), "*%d,", args->name);
		else
			snprintf(value, sizeof(value), "*%d", args->name);
	else
		if (len != 1)
			snprintf(value, sizeof(value), "%d,", args->name);
		else
			snprintf(value, sizeof(value), "%d", args->name);
	return strcat(text, value);
}

static char *first, *second;

__attribute__((noipa)) void keep(struct arg *args)
{
	if (second)
		free(second);
	second = first;
	first = join(args, 1);
}

int main(void)
{
	struct arg args[5];

	for (int i = 0; i < 5; i++)
		args[i] = (struct arg){i, i & 1, i < 4 ? &args[i + 1] : NULL};
	for (int i = 0; i < 5; i++)
		keep(&args[4 - i]);
	keep(NULL);
	fputs(said, stdout);
	return 0;
}
