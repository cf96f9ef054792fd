/* clang lets the way on which find() comes to NONE lead past `kind != NONE`, and says of the others that it is NONE. */
#include <stdio.h>

enum { MINUS, FLIP, NOT, LENGTH, NONE };

int sink;

__attribute__((noinline)) static int next(int *token)
{
	sink += *token;
	return token[1];
}

__attribute__((noinline)) static void prefix(int kind, int operand, int line)
{
	sink += kind * 3 + operand - line;
}

__attribute__((noinline)) static void simple(int token)
{
	sink -= token;
}

static int find(int token)
{
	switch (token) {
	case 270:
		return NOT;
	case '-':
		return MINUS;
	case '~':
		return FLIP;
	case '#':
		return LENGTH;
	default:
		return NONE;
	}
}

__attribute__((noinline)) static int parse(int *token, int limit)
{
	int kind;

	kind = find(*token);
	if (kind != NONE) {
		int line = token[1];
		int operand = next(token); /* HERE */

		prefix(kind, operand, line);
	} else {
		switch (*token) {
		case 289:
			sink += 5;
			break;
		case 262:
			sink ^= 77;
			break;
		case 275:
			sink |= 3;
			break;
		case 123:
			sink *= limit;
			break;
		default:
			simple(*token);
		}
	}
	return sink;
}

int main(void)
{
	static int tokens[] = {'-', '#', 270, 123, '~', 262, 'x'};
	int sum = 0;

	for (unsigned i = 0; i < sizeof(tokens) / sizeof(*tokens); i++) {
		int token[2] = {tokens[i], 4};

		if (find(tokens[i]) != NONE)
			printf("kind=%d\n", find(tokens[i]));
		sum += parse(token, 12);
	}
	return sum == 0;
}
