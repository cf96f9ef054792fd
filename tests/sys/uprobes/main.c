/* SPDX-License-Identifier: GPL-2.0-only */
void fixture(void);

int main(void)
{
	fixture();
	return 0;
}
