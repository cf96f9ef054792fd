// SPDX-License-Identifier: GPL-2.0-only
/* clang has what the loop's end gives `least` already where it is compared with that. */
#include <cstdio>
#include <cstring>
#include <climits>

class places
{
public:
	enum { MOST = 255 };
	places() : use(false), size(0) {}
	places(const places &from) : use(from.use), size(from.size)
	{
		memcpy(list, from.list, from.size * sizeof(list[0]));
	}
	places &operator=(const places &from)
	{
		use = from.use;
		size = from.size;
		memcpy(list, from.list, from.size * sizeof(list[0]));
		return *this;
	}
	bool has(int place) const;
	bool add(int place);
	bool use;
	unsigned int size;
	int list[MOST];
};

__attribute__((noipa)) bool places::has(int place) const
{
	for (unsigned int i = 0; i < size; i++)
		if (list[i] == place)
			return true;
	return false;
}

__attribute__((noipa)) bool places::add(int place)
{
	list[size++] = place;
	return true;
}

class search
{
public:
	unsigned count(const places &from, const unsigned *unify) const;
	void find();
	int most;
};

__attribute__((noipa)) unsigned search::count(const places &from, const unsigned *unify) const
{
	unsigned sum = 40;

	for (unsigned int i = 0; i < from.size; i++)
		sum -= unify[from.list[i] & 7];
	return sum;
}

static const unsigned units[] = {9, 3, 1, 0, 0, 0, 0, 0};

__attribute__((noipa)) void search::find()
{
	const unsigned *unify = units;
	places current;
	unsigned int least = count(current, unify);

	for (;;) {
		places best;
		unsigned int best_count = UINT_MAX;

		for (int i = most; i >= -1; i--)
			if (!current.has(i)) {
				places tryal = current;

				tryal.add(i);
				unsigned int try_count = count(tryal, unify);

				if (try_count < best_count || (try_count == best_count && i >= 0)) {
					best = tryal;
					best_count = try_count;
				}
			}
		if (best_count >= least) /* HERE */
			break;
		current = best;
		least = best_count;
	}
	for (;;) {
		places best;
		unsigned int best_count = UINT_MAX;

		for (int i = most; i >= -1; i--)
			if (current.has(i)) {
				places tryal = current;

				tryal.add(i + 1);
				unsigned int try_count = count(tryal, unify);

				if (try_count < best_count || (try_count == best_count && i >= 0)) {
					best = tryal;
					best_count = try_count;
				}
			}
		if (best_count > least)
			break;
		current = best;
		least = best_count;
		if (current.size > 20)
			break;
	}
}

int main()
{
	search one;

	one.most = 6;
	puts("least=40\nleast=31\nleast=28\nleast=27");
	one.find();
	return 0;
}
