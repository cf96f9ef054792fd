// SPDX-License-Identifier: GPL-2.0-only
/* put() is inlined, and gcc leaves its store of the length to behind where the next statement begins. */
#include <cstdio>

struct text {
	char bytes[64];
	unsigned long length;

	void flush();
	void put(char c)
	{
		unsigned long at = length;

		if (at > sizeof(bytes) - 1) {
			flush();
			at = 0;
		}
		bytes[at] = c;
		length = at + 1;
	}
	void put(char a, char b)
	{
		unsigned long at = length;

		if (at > sizeof(bytes) - 2) {
			flush();
			at = 0;
		}
		bytes[at] = a;
		bytes[at + 1] = b;
		length = at + 2;
	}
};

void text::flush()
{
	fwrite(bytes, 1, length, stderr);
	length = 0;
}

static void end(text &out, bool is_raw)
{
	if (!is_raw)
		out.put(' ');
	out.put('/', '>'); /* HERE */
}

static void (*volatile ends)(text &, bool) = end;

int main()
{
	static text out;
	unsigned long length = 0;

	for (int i = 0; i < 5; i++) {
		length += i & 1 ? 0 : 1;
		printf("length=%lu\n", length);
		length += 2;
	}
	for (int i = 0; i < 5; i++)
		ends(out, i & 1);
	out.flush();
	return 0;
}
