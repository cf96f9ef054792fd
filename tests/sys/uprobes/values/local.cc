// Behind a class or a lambda in a function, the function goes on.
#include <algorithm>
#include <cstdio>
#include <vector>

struct base {
	virtual ~base() {}
	virtual void go(int) = 0;
};

static int total;

static inline __attribute__((always_inline)) int add(int a, int b)
{
	int c = a * 3 + b;

	total += c;
	return c;
}

__attribute__((noinline)) static void use(base *it, int n)
{
	it->go(n);
}

__attribute__((noinline)) static int outer(int n, std::vector<int> &v)
{
	struct local : base {
		int sum;
		void go(int q) override { sum += q; }
	} it;

	it.sum = n;
	use(&it, v[0]);
	std::sort(v.begin(), v.end(), [&n](int a, int b) { n++; return a > b; });
	std::printf("a=%d b=%d\n", it.sum, v[1]);
	return add(it.sum, v[1]);
}

int main(int argc, char **argv)
{
	std::vector<int> v = {argc, argc + 5, 3, 9, -1};
	int sum = 0;

	(void)argv;
	for (int i = 0; i < 3; i++)
		sum += outer(i, v);
	return sum & 0;
}
