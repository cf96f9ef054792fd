#include <cstdio>
#include "declared.h"

__attribute__((noinline)) void user(N::A *a, N::U *u, N::C *c, N::V<int> *v)
{
	asm volatile("" : : "r"(a), "r"(u), "r"(c), "r"(v) : "memory");
}

int main(int argc, char **)
{
	for (int n = argc; n < 4; n++) {
		user(make_a(n), make_u(n), make_c(n), make_v(n));
		std::printf("x=%d y=%d i=%d u=%d b=%d\n", n + 1, n + 2, n + 3, n + 5, n + 7);
	}
}
