#include "declared.h"

struct B {
	long q;
	int x;
};
struct C {
	long l;
	int u;
};
namespace M {
struct C {
	char s[40];
	int u;
};
}
namespace N {
struct A::B {
	int x, y;
};
union U {
	int i;
	float f;
};
class C {
public:
	int v, u;
};
template <class T> struct V<T>::I {
	T a, b;
};
}
B global_b;
C global_c;
M::C other_c;

N::A *make_a(int c) { return new N::A{new N::A::B{c + 1, c + 2}, c}; }
N::U *make_u(int c) { return new N::U{c + 3}; }
N::C *make_c(int c)
{
	N::C *made = new N::C;

	made->v = c + 4;
	made->u = c + 5;
	return made;
}
N::V<int> *make_v(int c) { return new N::V<int>{c, new N::V<int>::I{c + 6, c + 7}}; }
