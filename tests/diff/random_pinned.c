int use(long value);
int get(int *place);
void end(void);
unsigned next(void);
void note(const void *at, unsigned long size);
extern int table[32];
extern unsigned char text[64];
extern unsigned grid[8][8];
extern struct item *chain;
struct item { int key, weight; struct item *next; };
static long total;

/* gcc -Os stores it behind the loop only */
static int moved(int count)
{
	int sum;
	int *at;

	get(&sum);
	at = table + 3;             //@ sum
	while (at < table + 3 + count) {
		sum ^= *at;         //@ sum
		at++;               //@ sum
	}
	use(sum);                   //@ sum
	return sum;
}

/* gcc -O2 has the subtraction before its marker, in the code of the inner loop */
static int early(int number, int other)
{
	int left = (number & 7) + 1;
	unsigned i;

	get(&left);
	left = (left & 7) + 1;
	do {
		number = (number & 255) << 4;   //@ left
		use(9);                         //@ left
		for (i = 0; i < 5; i++) {
			other = number * 3 % 1000;
			number &= table[i & 31];
		}
		left--;                         //@ left
	} while (left != 0);
	use(other);                             //@ left
	return left;
}

/* gcc has an argument that nobody passes */
static unsigned passed(int first, unsigned short second, int third)
{
	int list = third - first;

	list = table[first & 31];
	second ^= 100;
	get(&list);                 //@ second
	use(list);                  //@ second
	return list & 3;            //@ second
}

/* gcc drops the store of count's first value to its slot, and goes on naming the slot */
static inline long dropped(unsigned char other, int count)
{
	unsigned long best = 6000 % 1000;       //@ count
	count /= 7;                             //@ count
	switch (count & 3) {
	case 0: {
		int *at = table + 2;

		other -= other;
		while (at < table + 6) {
			count = *at;
			other = -(other % 1000);
			use(table[count & 31]);
			at++;
		}
	}
		break;
	case 1:
		count = (text[5] / 3) % 10000;
		other = table[best & 31] / 2;
		break;
	case 2:
		get(&count);
		best = count;
		break;
	default:
		best -= other;
	}
	other >>= 3;
	int list[4] = {10, text[21], count, (int)best};
	count = list[best & 3] % 10000;
	use(count);
	note(&list, sizeof(list));
	return best;
}

static int mixed(int number)
{
	unsigned long wide = (int)((unsigned)(number) >> 5) - number;
	use(((wide) & 255) << 3);
	wide = wide * 31 + wide;
	total ^= wide;
	return (number == wide ? wide : number);
}

/* gcc has the value before the loop in each round */
static long first_round(long number, int other)
{
	int i;
	signed char byte = number;
	number &= number;
	if (number < byte)
		number = byte;
	if (1 != number) {
		int added = byte + (int)grid[other & 7][other & 7];
		for (i = 0; i < 4; i++) {
			other = (10) % 10000;   //@ byte
			byte = mixed((4 - added));      //@ byte
		}
		use(added);
	}
	other -= other;
	if ((number & 3)) {
		unsigned bits = ((((number) ^ number)) & other);
		total ^= bits;
	} else {
		number = ((int)((unsigned)(other) >> 3) + 2) % 10000;
	}
	struct item *at = chain;
	while (at) {
		number += at->key;
		use((int)((unsigned)(table[other & 31]) >> 5));
		at = at->next;
	}
	use(number + 1);
	use(other + 1);
	use(byte);
	return (number - table[number & 31]);
}

/* gcc divides on 64 bits, and with a sign, what the program divides on 32 and without */
static unsigned divided(unsigned number, int other)
{
	unsigned rest = (number / 3) % 7;

	if (other != number) {          //@ rest
		number = next();        //@ rest
		total += other;
	}
	if (rest == number)
		use(rest);
	return number + number;
}

/* clang takes the stack's address of `was` for its value */
static unsigned spilled_in(int p0, long p1, unsigned short p2)
{
	int w1 = (p2 != p1 ? p2 : 1) - p1;

	for (int i = 0; i < 3; i++) {
		long k3 = p2 == p0 ? table[i & 31] : w1;

		p1 = -(p1 % 1000);
		use(k3);
		p0 += p1 & 7;
	}
	return p0 + next();
}

static long spilled(unsigned p0, long p1, int p2)
{
	unsigned long was;
	long bits;
	signed char n4 = (p0 & 1) ? p2 : p1;

	was = p2;
	int n5 = (int)(p1 & 7);
	while (n5 > 0) {                //@ was
		const unsigned char *at = text + 15;
		while (at < text + 24) {        //@ was
			n4 = *at;
			int x7[4] = {p2, (unsigned)p1, n4};
			note(&x7, sizeof(x7));  //@ was
			at++;
		}
		if (n4 & 2)
			goto out;
		p2 |= was;
		if (n5 < text[23] && p2 >= n5)  //@ was
			break;
		p2 = spilled_in((table[p1 & 31] & 255) << 3, p2 - p0, p2);
		bits = spilled_in(p0 - p0, n4 >= p0 ? n5 : p0, was - n5);
		n5--;
	}
out:
	use(n4);
	return p2 % 8;
}

/* clang reads `table` behind the beginning of the line below */
static int read_late(int number, int other)
{
	int quotient;
	int at = (number - number) + other;
	at = table[other & 31];
	quotient = (at) / 10;
	quotient = -(quotient % 1000);
	use(other);                     //@ at
	use(quotient);
	total ^= at;
	return (2 + other);
}

/* -flto's addition is behind the beginning of the line below */
__attribute__((noinline)) static int summed(long sum, unsigned char limit)
{
	struct item *at;

	while (limit-- > 1) {
		sum = -(sum % 1000);
		at = chain;
		while (at) {
			sum += at->key;
			at = at->next;          //@ sum
		}
		if (sum <= text[51])
			break;
		use(sum);
	}
	use(sum + 1);
	return 4;
}

/* gcc has what a loop before left, and the loop's jump back leads there with another value */
__attribute__((noinline)) static int left_before(int number, int other)
{
	int left = 6, sum = 0, three = 0, wide = number * 60 % 1000 - table[number & 31];

	number = 10 + number;
	if (table[wide & 31] < table[number & 31]) {
		int value = 6;

		while (value > 0) {
			for (int count = 0; count < 5; count++) {
				wide -= value;
				sum = value - number;
			}
			value--;
		}
		sum = number + value;
		left = 4;
		while (left > 0) {
			three = (left - number) - sum;  //@ value
			value = (left + number) + left; //@ value
			use((int)((unsigned)(three) >> 1));
			left--;
		}
		wide = (sum + value) + left;
		total ^= left;
	}
	use(wide + 1);
	return sum + other;
}

__attribute__((noinline, noipa)) static int kind(int at)
{
	return use(at) & 3;
}

/* gcc counts by `at` alone, and describes `left` by what both were before the loop */
__attribute__((noinline)) static int lockstep(long first, long second, int at)
{
	int left = kind(first) + 5 - at;
	int status = 1;

	for (; left--; at++) {
		if (kind(at) == 3) {            //@ left
			int length = kind(at) ? use(second + use(first)) : use(second);

			status = status && length > 0;          //@ left
		} else {
			int place;
			int some = get(&place);         //@ left

			status = status && use(place + some) == second; //@ left
		}
	}
	if (__builtin_expect(status, 1))
		return 1;
	return use(status);
}

int main(void)
{
	int round;

	for (round = 1; round < 5; round++) {
		use(moved(round));
		use(early(round, 3));
		use(passed(17 - round, round * 3, 5));
		use(dropped(table[round], (int)next() % 50));
		use(mixed((int)next() % 50));
		use(first_round(round * 3, (int)next() % 50));
		use(divided(-round, (int)next() % 50));
		use(read_late(round, (int)next() % 50));
		use(summed(round, 5));
		use(spilled(round, round * 3, (int)next() % 50));
		use(left_before(round + 20, 1));
		use(left_before((int)next() % 50, round));
		use(lockstep(round, next(), 1));
		use(lockstep(round, 7, round & 1));
	}
	use(total);
	end();
	return 0;
}
