// What scopes.cc only declares, defined.cc defines, beside others of the same name.
namespace N {
struct A {
	struct B;
	B *p;
	int k;
};
union U;
class C;
template <class T> struct V {
	struct I;
	T t;
	I *i;
};
}
N::A *make_a(int c);
N::U *make_u(int c);
N::C *make_c(int c);
N::V<int> *make_v(int c);
