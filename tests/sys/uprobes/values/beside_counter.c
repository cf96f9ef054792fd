// SPDX-License-Identifier: GPL-2.0-only
/* A copy's parameter is 0, as the loop's counter is in the first round. */
#include <stdio.h>

__attribute__((weak)) int attach(const char *driver, unsigned index, long device, const void *data)
{
	if (!data)
		printf("index=%u device=%ld\n", index, device);
	return !*driver - !!data;
}

int add(const char *driver, unsigned index, long device)
{
	return attach(driver, index, device, NULL); /* HERE */
}

__attribute__((weak)) int add_all(const char *driver, unsigned count)
{
	unsigned i;
	int error = attach(driver, count, 0, driver);

	if (error > 0)
		return error;
	for (i = 0; i < count; i++) {
		error = add(driver, i, 0);
		if (error)
			break;
	}
	return error;
}

int main(void)
{
	return add_all("driver", 5) + add("other", 7, 3) > 1;
}
