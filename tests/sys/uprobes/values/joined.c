/* Before a loop `empty` is 1, in all rounds but the first it is 0: two ways to one instruction, with a value each. */
#include <ctype.h>
#include <stdio.h>

static const char *parse(const char *s, long *result)
{
	unsigned long number = 0;
	int empty = 1, negative = 0;

	while (isspace((unsigned char)*s))
		s++;
	if (*s == '-') {
		s++;
		negative = 1;
	}
	if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
		for (s += 2; isxdigit((unsigned char)*s); s++) {
			number = number * 16 + (unsigned long)(isdigit((unsigned char)*s) ? *s - '0' : 10);
			empty = 0;
		}
	} else {
		for (; isdigit((unsigned char)*s); s++) {
			int digit = *s - '0';

			if (number >= 1000000000 && (number > 1000000000 || digit > 7 + negative))
				return NULL;
			number = number * 10 + (unsigned long)digit; /* HERE */
			empty = 0;
		}
	}
	if (empty || *s)
		return NULL;
	*result = (long)(negative ? 0 - number : number);
	return s;
}

__attribute__((noinline)) static long convert(const char *s)
{
	long result = 0;
	const char *end = parse(s, &result);

	return end ? result + (end - s) : -1;
}

int main(void)
{
	static const char *const numbers[] = {"1234", "x", "-77", "0x1f", "90210"};

	for (unsigned i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		const char *s = numbers[i];
		int empty = 1;

		convert(s);
		for (s += *s == '-'; isdigit((unsigned char)*s) && s[1] != 'x'; s++, empty = 0)
			printf("empty=%d\n", empty);
	}
	return 0;
}
