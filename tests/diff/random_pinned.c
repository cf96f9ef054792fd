int use(long value);
int get(int *place);
void end(void);
extern int table[32];

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

int main(void)
{
	int round;

	for (round = 1; round < 5; round++) {
		use(moved(round));
		use(early(round, 3));
		use(passed(17 - round, round * 3, 5));
	}
	end();
	return 0;
}
