/* SPDX-License-Identifier: GPL-2.0-only */
/* OpenMP: each region is a function of its own, which is declared nowhere. */
#include <stdio.h>

static long total;

int work(int n)
{
	long sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(2)
	for (int i = 0; i < n; i++)
		sum += i; /* loop */
#pragma omp parallel num_threads(2)
	{
#pragma omp critical
		total += n; /* region */
	}
	total += sum;
	return n;
}

int main(void)
{
	printf("%d %ld\n", work(4), total);
	return 0;
}
