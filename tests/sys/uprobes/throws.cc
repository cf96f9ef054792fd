// SPDX-License-Identifier: GPL-2.0-only
// Exceptions through functions: each says "NAME n=N retval=R" just before it returns, and nothing when it is left
// by an exception.
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#define SEEN __attribute__((noinline))

SEEN int thrower(int n)
{
	if (n % 3 == 1)
		throw std::runtime_error("odd");
	printf("thrower n=%d retval=%d\n", n, n * 2);
	return n * 2;
}

struct Guard {
	int n;
	explicit Guard(int n) : n(n) {}
	~Guard() { printf("guard %d\n", n); }
};

SEEN int passed(int n)
{
	Guard guard(n);
	std::string text(n, 'x');
	int r = thrower(n) + (int)text.size();

	printf("passed n=%d retval=%d\n", n, r);
	return r;
}

SEEN int catcher(int n)
{
	int r;

	try {
		r = passed(n);
	} catch (std::exception &e) {
		printf("caught %s\n", e.what());
		r = -n;
	}
	printf("catcher n=%d retval=%d\n", n, r);
	return r;
}

// a part that only throws may become a function of its own
struct Half {
	SEEN int half(int n)
	{
		if (n == 7)
			throw std::runtime_error("half");
		printf("half n=%d retval=%d\n", n, n / 2);
		return n / 2;
	}
};

struct Base {
	virtual int get(int n) = 0;
	virtual ~Base() {}
};

struct Derived : Base {
	int get(int n) override
	{
		if (n == 4)
			throw n;
		printf("get n=%d retval=%d\n", n, n + 1);
		return n + 1;
	}
};

// a jump through the table of virtual functions
SEEN int tailed(Base *base, int n)
{
	return base->get(n);
}

SEEN int nested(int n)
{
	int r = 0;

	if (n > 0) {
		try {
			r = nested(n - 1) + 1;
		} catch (int &x) {
			r = x;
		}
	}
	if (n % 2)
		throw n;
	printf("nested n=%d retval=%d\n", n, r);
	return r;
}

static int compare(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	if (x == 17 || y == 17)
		throw x;
	return x - y;
}

int main(int argc, char **argv)
{
	Derived derived;
	int values[] = {5, 3, 17, 1};

	printf("main argc=%d %s\n", argc, argc > 1 ? argv[1] : "none");
	for (int i = 0; i < 9; i++) {
		catcher(i);
		try {
			Half().half(i);
		} catch (std::runtime_error &) {
			puts("half");
		}
		try {
			printf("tailed %d\n", tailed(&derived, i));
		} catch (int x) {
			printf("int %d\n", x);
		}
	}
	try {
		nested(6);
		nested(5);
	} catch (int x) {
		printf("out %d\n", x);
	}
	try {
		qsort(values, 4, sizeof(int), compare);
	} catch (int) {
		puts("sort");
	}
	try {
		std::stoi("zz");
	} catch (std::invalid_argument &) {
		puts("stoi");
	}
	try {
		std::vector<int>(3).at(argc + 100);
	} catch (std::out_of_range &) {
		puts("range");
	}
	return argc + 20;
}
