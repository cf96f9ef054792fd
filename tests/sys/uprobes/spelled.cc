// SPDX-License-Identifier: GPL-2.0-only
/* Functions that may be called by several names (scopes): each says that it was called, and with
 * what. */
#include <cstdio>

#define SAY(tag, n) (std::printf("%s n=%d\n", tag, (int)(n)), (n))

namespace outer {
namespace {
__attribute__((noinline)) int hidden(int n) { return SAY("hidden", n) + 1; }
} // namespace

inline namespace v9 {
struct box {
	int held;
	__attribute__((noinline)) int operator[](int n) const { return SAY("index", n) + held; }
	__attribute__((noinline)) operator char() const { return (char)SAY("convert", held); }
	template <class T> __attribute__((noinline)) T as(int n) const { return (T)SAY("as", n + 0); }
	__attribute__((noinline)) int plain(int n) const { return SAY("plain", n) - held; }
};
template <class T> __attribute__((noinline)) T made(T n) { return SAY("made", n) + 2; }
template <class T> __attribute__((noinline)) T wide(T n) { return SAY("wide", n) + 3; }
template <class T> __attribute__((noinline)) int refer(T n) { return SAY("refer", n) + 4; }
} // namespace v9
} // namespace outer

int main()
{
	int sum = 0;

	for (int i = 1; i < 4; i++) {
		outer::box box = {i};

		sum += outer::hidden(i) + box[i] + (char)box + box.as<unsigned short>(i) + box.plain(i);
		sum += outer::made(i) + (int)outer::wide((unsigned long)i) + outer::refer<int &>(i);
	}
	return sum == 0;
}
