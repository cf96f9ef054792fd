// SPDX-License-Identifier: GPL-2.0-only
/* clang computes a sum again where a coroutine goes on, by code of the line that made it. */
#include <coroutine>
#include <cstdio>
struct gen {
	struct promise_type {
		int cur = 0;

		gen get_return_object() { return gen{std::coroutine_handle<promise_type>::from_promise(*this)}; }
		std::suspend_always initial_suspend() { return {}; }
		std::suspend_always final_suspend() noexcept { return {}; }
		std::suspend_always yield_value(int v) { cur = v; return {}; }
		void return_void() {}
		void unhandled_exception() {}
	};
	std::coroutine_handle<promise_type> h;
	bool next() { h.resume(); return !h.done(); }
	int value() { return h.promise().cur; }
};
gen count(int from, int to)
{
	int sum = 0;
	for (int i = from; i < to; i++) {
		int sq = i * i;
		sum += sq; // MADE AGAIN
		printf("made %d\n", sum);
		co_yield sum;
	}
	printf("end sum=%d\n", sum);
}
int main(int argc, char **)
{
	gen a = count(1, 3 + argc), b = count(10, 12);

	while (a.next())
		if (b.next())
			printf("%d %d\n", a.value(), b.value());
}
