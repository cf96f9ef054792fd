// SPDX-License-Identifier: GPL-2.0-only
// Variables of one name in several namespaces and classes; each function says which one it means.
#include <cstdio>

namespace first {
int level = 1;
static int kept = 10;
__attribute__((noinline)) int look(int n)
{
	printf("first level=%d kept=%d\n", level, kept);
	level += n;
	kept += n;
	return level + kept;
}
}
namespace second {
int level = 200;
namespace {
int kept = 20;
}
__attribute__((noinline)) int look(int n)
{
	printf("second level=%d kept=%d\n", level, kept);
	level += n;
	kept += n;
	return level + kept;
}
}
struct holder {
	static int level;
	int look(int n);
};
int holder::level = 3000;
namespace third {
int lone = 7;
}
__attribute__((noinline)) int holder::look(int n)
{
	printf("holder level=%d\n", level);
	level += n;
	return level;
}
int main()
{
	holder one;
	int sum = third::lone;

	for (int i = 1; i < 4; i++)
		sum += first::look(i) + second::look(i) + one.look(i);
	return sum == 0;
}
