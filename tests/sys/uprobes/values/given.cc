/* clang goes on saying what a variable was before a call that is given its address, if the call may throw. */
#include <stdio.h>

struct holder {
	int kept;

	explicit holder(int n) : kept(n) { keep(); }
	~holder() { keep(); }
	__attribute__((noinline)) void keep() { asm volatile("" ::: "memory"); }
};

static int fill(int n, bool *flag)
{
	if (n > 100)
		throw n;
	*flag = n & 1;
	return n + 1;
}

static int (*volatile filler)(int, bool *) = fill; /* what it does is not known */

__attribute__((noinline)) static void use(int n)
{
	asm volatile("" : : "r"(n) : "memory");
}

__attribute__((noinline)) static int given(int n)
{
	holder held(n);
	bool flag = false;
	int got = filler(n, &flag);

	if (got > 1)
		use(got + n); /* HERE */
	return flag + got;
}

int main()
{
	for (int i = 0; i < 6; i++) {
		if (i > 0)
			printf("flag=%d\n", i & 1);
		given(i);
	}
	return 0;
}
