// SPDX-License-Identifier: GPL-2.0-only
/* A program's own err() comes back, unlike libc's: the marked line is passed 0+1+2+3 times. */
static volatile int sink;

__attribute__((noinline)) void err(int a)
{
	if (a > 1000)
		__builtin_trap();
	sink = a;
}

static __attribute__((noinline)) int work(int n)
{
	int k = 0;

	for (int i = 0; i < n; i++) {
		err(i);
		k += i * 3;
		if (k & 1)
			err(k);
		k ^= n; /* HERE */
		sink = k;
	}
	return k;
}

int main(void)
{
	int sum = 0;

	for (int i = 0; i < 4; i++)
		sum += work(i);
	sink = sum;
	return 0;
}
