// SPDX-License-Identifier: GPL-2.0-only
// clang++ does `++count` at the end of the round, behind what sets the others. With -DSPILLED two of them are on
// the stack.
#include <cstdio>
#include <string>

struct Edit {
	bool is_long = false;
	long next = 0;
	std::string name;

	__attribute__((noinline)) void add(long *sum) { *sum += next; }
	__attribute__((noinline)) void decode(const std::string &text)
	{
		name = text + "!";
		is_long = text.size() > 2;
		next = (long)text.size();
	}
};

struct Reader {
	int left;

	__attribute__((noinline)) bool read(std::string *text)
	{
		*text = std::string((size_t)left, 'x');
		return left-- > 0;
	}
};

__attribute__((noinline)) long recover(Reader *reader)
{
	int count = 0;
	bool have_next = false, have_log = false;
	long next = 0, log = 0, sum = 0;
	std::string text;

	while (reader->read(&text)) {
		++count; /* HERE */
		Edit edit;
		edit.decode(text);
#ifdef SPILLED
		edit.add(&sum);
#endif
		if (edit.is_long) {
			next = edit.next;
			have_next = true;
		}
		if (edit.next > 3) {
			log = edit.next;
			have_log = true;
		}
	}
	fprintf(stderr, "%d %d %d %ld %ld %ld\n", count, have_next, have_log, next, log, sum);
	return next;
}

int main(int argc, char **)
{
	Reader reader = {argc + 3};
	long next = 0, log = 0;

	for (int left = argc + 3; left > 0; left--) {
		printf("have_next=%d have_log=%d next=%ld log=%ld count=%d\n", next > 0, log > 0, next, log, argc + 3 - left);
		if (left > 2)
			next = left;
		if (left > 3)
			log = left;
	}
	return recover(&reader) == 77;
}
