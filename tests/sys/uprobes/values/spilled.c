// SPDX-License-Identifier: GPL-2.0-only
/* gcc stores `appended` behind the beginning of the next line, where its list has the place already. */
#include <stdio.h>

enum { ROUNDS = 5 };

static int last;
static const char *open_line;

__attribute__((noipa)) int last_line(void)
{
	return last;
}

__attribute__((noipa)) const char *line_at(int at)
{
	return "abcdefg" + at;
}

__attribute__((noipa)) int say(int at, int *more)
{
	*more += at;
	return at + *more;
}

static _Bool is_open(void)
{
	return open_line && open_line == line_at(last_line());
}

static int add(int at, const char *text)
{
	const char *from = line_at(at);
	int total = 0, size = 0;
	const int begun = last_line();
	const int appended = at == last_line();
	const _Bool was_open = is_open(); /* HERE */
	_Bool is_new = 0;

	last = at;
	while (text[size]) {
		int more = at;

		total += say(*from, &more);
		if (!more)
			return -1;
		if (more > 100)
			is_new = 1;
		say(size++, &total);
		from += say(total, &more) & 1;
	}
	if (at && appended && total && was_open)
		say(total, &last);
	else if (is_new && (!appended || !last_line()))
		say(begun, &last);
	if (!appended && last_line() && !begun && is_new)
		total++;
	if (appended && last_line() && (is_new || !total))
		open_line = line_at(last_line());
	return total;
}

__attribute__((noipa)) int read_text(const char *text, int at)
{
	int ret = text[0] == '!' ? say(at, &last) : at;

	if (ret < 0)
		return -1;
	return add(at, text) + ret;
}

int main(void)
{
	int sum = 0;

	for (int i = 0; i < ROUNDS; i++) {
		open_line = i & 2 ? line_at(i) : NULL;
		last = i == 3 ? 1 : i;
		printf("appended=%d\n", i == last);
		sum += read_text("text", i);
	}
	return sum == 1000;
}
