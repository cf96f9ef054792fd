/* SPDX-License-Identifier: GPL-2.0-only */
/* Names with scopes; what is printed is what each call was given. */
#include <cstdio>

namespace shapes {
class Box {
public:
	Box(int w, int h) : width(w), height(h) {}
	int area(int scale) const;

private:
	int width, height;
};

__attribute__((noinline)) int Box::area(int scale) const
{
	std::printf("Box::area %d %d\n", scale, width);
	return width * height * scale;
}

template <typename T> struct Holder {
	T value;
	__attribute__((noinline)) T get(T more)
	{
		std::printf("Holder::get %d %d\n", (int)more, (int)value);
		return value++ + more;
	}
};
}

struct Other {
	int own;
	__attribute__((noinline)) int area(int scale)
	{
		std::printf("Other::area %d %d\n", scale, own);
		return own -= scale;
	}
};

namespace {
struct Adder {
	int base;
	__attribute__((noinline)) int operator()(const Other &other, int more) const
	{
		std::printf("Adder::call %d %d %d\n", more, base, other.own);
		return base + more + other.own;
	}
};
}

template <typename T> __attribute__((noinline)) T larger(T a, T b)
{
	std::printf("larger %d %d\n", (int)a, (int)b);
	return a > b ? a : b;
}

int main()
{
	shapes::Box box(2, 3);
	shapes::Holder<short> holder{40};
	Other other{100};
	Adder adder{-7};
	int sum = 0;

	for (int i = 0; i < 7; i++)
		sum += box.area(i - 3) + holder.get((short)(i * i)) + other.area(i) +
		       adder(other, i * 3) + larger(i, 3) + larger((short)(i - 9), (short)-5);
	return sum == 1;
}
