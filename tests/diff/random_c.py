# SPDX-License-Identifier: GPL-2.0-only
"""Writes random C programs, each twice: as it is traced, and with a call of P() before each line that tells what the
line's variables are there. Lines are the same in both. A program is deterministic; whether it is free of undefined
behaviour is for sanitizers to say, of the second text."""
import os
import random
import re

INTEGERS = ["int"] * 8 + ["unsigned"] * 4 + ["long"] * 3 + ["unsigned long"] * 2 + [
    "short", "unsigned short", "unsigned char", "signed char"]
EXTERNAL = """int use(long value);
int get(int *place);
int fill(int *list, int count);
unsigned next(void);
void note(const void *at, unsigned long size);
"""
HEADER = """struct item { int key, weight; struct item *next; };
struct pair { int a; unsigned b; long c; };
extern unsigned char text[64];
extern int table[32];
extern unsigned grid[8][8];
extern struct item *chain;
static long total;
"""
# what a program's own unit can't see into
SUPPORT = """#include <stdio.h>
#include <stdarg.h>
unsigned char text[64] = "it was 42 degrees, and 1300 people had 7 words for: snow, (ice); rain";
int table[32] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4, 6, 2, 6, 4, 3, 3, 8, 3, 2, 7, 9, 5};
unsigned grid[8][8] = {{1, 5, 7, 1}, {2, 9, 0, 3}, {7, 7, 1, 0}, {0, 4, 4, 2}, {6, 1, 2, 9}, {3, 3, 8, 0}};
struct item { int key, weight; struct item *next; };
static struct item items[6] = {{4, 2, items + 1}, {9, -1, items + 2}, {0, 7, items + 3}, {-3, 3, items + 4},
	{12, 5, items + 5}, {6, -8, 0}};
struct item *chain = items;
static unsigned state = 7, sum;
int use(long value) { sum = sum * 31 + (unsigned)value; return (int)(sum >> 28); }
unsigned next(void) { state = state * 1103515245u + 12345u; return state >> 16 & 0xff; }
int get(int *place) { *place = (int)(next() & 31) - 8; return *place > 4; }
int fill(int *list, int count) { int i; for (i = 0; i < count; i++) list[i] = (int)(next() & 15); return count / 2; }
void note(const void *at, unsigned long size) { const unsigned char *p = at; while (size--) sum = sum * 33 + *p++; }
void P(int line, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	printf("@%d ", line);
	vprintf(format, list);
	putchar('\\n');
	va_end(list);
}
void end(void) { printf("end %u\\n", sum); }
"""
# of programs whose values are structs, which registers have
STRUCTS = """struct duo { int a, b; };
struct pair turn(struct pair p);
struct duo swap(struct duo d);
int weigh(struct pair p);
int sum_of(struct duo d);
"""
STRUCTS_SUPPORT = """struct pair { int a; unsigned b; long c; };
struct duo { int a, b; };
struct pair turn(struct pair p) { return (struct pair){(int)(p.b & 1023) - 7, (unsigned)p.a + 3, p.c / 2 + p.a % 100}; }
struct duo swap(struct duo d) { return (struct duo){d.b % 1000 + 1, d.a % 1000 - 1}; }
int weigh(struct pair p) { return use(p.a % 1000 + (long)p.b % 1000 + p.c % 1000); }
int sum_of(struct duo d) { return use(d.a % 1000 * 3 + d.b % 1000); }
"""
MEMBERS = {"pair": "abc", "duo": "ab"}


class Shape:
    """A struct's, union's or array's scalars: (how C reaches it, its first bit, how many, whether it has a sign, what may be
    stored to it)."""

    def __init__(self, type, *scalars):
        self.type, self.scalars = type, [(path, at, bits, sign, {"": "(%s)", "long": "(%s) %% 1000", "int": "(int)(%s) %% 1000",
                                                               "enum": "(enum color)((%s) & 7)", "bool": "(%s) > 2"}[to])
                                         for path, at, bits, sign, to in scalars]

    def paths(self):
        return [scalar[0] for scalar in self.scalars]

    def size(self):
        return max(at + bits for _, at, bits, _, _ in self.scalars) + 7 >> 3

    def members(self, data):
        """Of its bytes."""
        whole = int.from_bytes(data, "little")
        values = [(whole >> at & (1 << bits) - 1, bits, sign) for _, at, bits, sign, _ in self.scalars]
        return [value - (1 << bits) if sign and value >> bits - 1 else value for value, bits, sign in values]


SHAPES = {
    "bits": Shape("struct bits", (".low", 0, 5, True, ""), (".mid", 5, 9, False, ""), (".neg", 14, 11, True, ""),
                  (".flag", 25, 1, False, ""), (".tail", 32, 16, True, "")),
    "small": Shape("struct small", (".c", 0, 8, False, ""), (".h", 16, 16, True, ""), (".on", 32, 8, False, "bool"),
                   (".s", 40, 8, True, "")),
    "nest": Shape("struct nest", (".in.c", 0, 8, False, ""), (".in.h", 16, 16, True, ""), (".in.on", 32, 8, False, "bool"),
                  (".in.s", 40, 8, True, ""), (".k", 64, 32, True, "int"), (".d.a", 96, 32, True, "int"),
                  (".d.b", 128, 32, True, "int")),
    "both": Shape("union both", (".i", 0, 32, True, "int"), (".u", 0, 32, False, ""), (".h[0]", 0, 16, False, ""),
                  (".h[1]", 16, 16, False, ""), (".c[1]", 8, 8, False, ""), (".c[3]", 24, 8, False, "")),
    "mixed": Shape("struct mixed", (".w", 0, 64, True, "long"), (".e", 64, 32, False, "enum"), (".u.i", 96, 32, True, "int"),
                   (".u.h[1]", 112, 16, False, "")),
    "hold": Shape("struct hold", (".n", 0, 32, True, "int"), (".a[0]", 32, 16, True, ""), (".a[1]", 48, 16, True, ""),
                  (".c[0]", 64, 8, False, ""), (".c[1]", 72, 8, False, ""), (".c[2]", 80, 8, False, ""),
                  (".c[3]", 88, 8, False, "")),
    "shorts": Shape("short", *(("[%d]" % i, 16 * i, 16, True, "") for i in range(4))),
    "ints": Shape("int", *(("[%d]" % i, 32 * i, 32, True, "int") for i in range(3))),
}
SHAPED = """struct duo { int a, b; };
enum color { RED, GREEN = 5, BLUE = 9 };
struct bits { int low : 5; unsigned mid : 9; int neg : 11; unsigned flag : 1; short tail; };
struct small { unsigned char c; short h; _Bool on; signed char s; };
struct nest { struct small in; int k; struct duo d; };
union both { int i; unsigned u; unsigned short h[2]; unsigned char c[4]; };
struct mixed { long w; enum color e; union both u; };
struct hold { int n; short a[2]; unsigned char c[4]; };
"""
OWN = [kind for kind in SHAPES if SHAPES[kind].type not in INTEGERS]  # those that functions take and return
GLOBALS = {"bits": "static struct bits all_bits", "small": "static struct small all_small", "nest": "struct nest all_nest",
           "both": "static union both all_both", "mixed": "static struct mixed all_mixed", "hold": "struct hold all_hold",
           "shorts": "static short all_shorts[4]", "ints": "int all_ints[3]"}


def shaped_declarations():
    text = ""
    for kind in OWN:
        of = {"type": SHAPES[kind].type, "kind": kind}
        text += "%(type)s turn_%(kind)s(%(type)s v);\nint weigh_%(kind)s(%(type)s v);\n" % of
        text += "void touch_%(kind)s(%(type)s *at);\nint look_%(kind)s(const %(type)s *at);\n" % of
    return text


def shaped_support():
    text = SHAPED
    for kind in OWN:
        of = {"type": SHAPES[kind].type, "kind": kind}
        paths = SHAPES[kind].scalars
        of["sum"] = " + ".join("(v%s & 1023) * %d" % (path, 2 * i + 1) for i, (path, *_) in enumerate(paths))
        of["turn"] = " ".join("v%s = %s;" % (path, to % ("use(v%s & 255) + %d" % (paths[(i + 1) % len(paths)][0], i + 1)))
                              for i, (path, _, _, _, to) in enumerate(paths))
        text += """int weigh_%(kind)s(%(type)s v) { return use(%(sum)s); }
%(type)s turn_%(kind)s(%(type)s v) { %(turn)s return v; }
void touch_%(kind)s(%(type)s *at) { *at = turn_%(kind)s(*at); }
int look_%(kind)s(const %(type)s *at) { return weigh_%(kind)s(*at); }
""" % of
    return text


class Variable:
    def __init__(self, name, kind, is_set, is_fixed=False):
        self.name, self.kind, self.is_set, self.is_fixed = name, kind, is_set, is_fixed

    def is_number(self):
        return self.kind in INTEGERS

    def shape(self):
        """Its own, or that of what it points to."""
        return SHAPES.get(self.kind.split()[0])

    def places(self):
        """How C reaches its scalars."""
        if self.kind == "int *":
            return ["*" + self.name]
        paths = self.shape().paths() if self.shape() else []
        return ["%s->%s" % (self.name, path[1:]) if "*" in self.kind else self.name + path for path in paths]

    def told(self):
        """A format and its arguments."""
        name = self.name
        if self.places():
            return ";".join("%s=%%ld" % place for place in self.places()), ["(long)%s" % place for place in self.places()]
        if self.is_number():
            return "%s=%%ld" % name, ["(long)%s" % name]
        if self.kind in MEMBERS:
            format = {"pair": "%s={%%d,%%u,%%ld}", "duo": "%s={%%d,%%d}"}[self.kind]
            return format % name, ["%s.%s" % (name, m) for m in MEMBERS[self.kind]]
        if self.kind == "list":
            return "%s=[%%d,%%d,%%d,%%d]" % name, ["%s[%d]" % (name, i) for i in range(4)]
        what = {"text": "text", "table": "table", "item": "items"}[self.kind]
        return "%s=%s%%+ld" % (name, what), ["%s ? (long)((char *)%s - (char *)%s) : -9999" % (
            name, name, "head" if self.kind == "item" else what)]


def type_of(kind):
    if kind.split()[0] in SHAPES:
        return SHAPES[kind.split()[0]].type + kind[len(kind.split()[0]):]
    return "struct " + kind if kind in MEMBERS else kind


class Function:
    """One function's text. Statements know which variables have a value on all ways."""

    def __init__(self, program, name, is_leaf):
        self.program, self.choice, self.name, self.is_leaf = program, program.choice, name, is_leaf
        self.scopes, self.names, self.loops, self.depth = [[]], 0, [], 1
        self.fixed = set()  # loops count on them
        self.kind = self.choice.choice(["int", "int", "long", "unsigned"])
        self.parameters = []
        self.labels = 0
        self.has_exit = False
        self.fuel = self.choice.randint(10, 26)

    # --- text
    def raw(self, plain, told=None):
        tabs = "\t" * self.depth
        self.program.plain.append(tabs + plain)
        self.program.told.append(tabs + (plain if told is None else told))

    def visible(self):
        return [v for scope in self.scopes for v in scope]

    def call(self):
        known = [v for v in self.visible() if v.is_set]
        line = len(self.program.plain) + 1
        if not known:
            return "(void)0"
        formats, arguments = zip(*(v.told() for v in known))
        self.program.lines[line] = [name for v in known for name in v.places() or [v.name]]
        self.program.wholes[line] = {v.name: v.places() for v in known if v.kind in SHAPES}
        return 'P(%d, "%s", %s)' % (line, ";".join(formats), ", ".join(sum(arguments, [])))

    def line(self, text):
        """A statement, all of it on its line."""
        self.raw(text, self.call() + "; " + text)

    def only(self, text):
        """A branch's only statement."""
        self.depth += 1
        self.raw(text, "{ %s; %s }" % (self.call(), text))
        self.depth -= 1

    def head(self, before, condition, behind):
        """A loop's head: told at each evaluation of its condition."""
        self.raw(before + condition + behind, "%s(%s, %s)%s" % (before, self.call(), condition, behind))

    # --- parts of statements
    def fresh(self, kind, is_set, is_fixed=False):
        self.names += 1
        stem = self.choice.choice(["n", "i", "len", "count", "x", "y", "bits", "acc", "best", "left", "k", "v", "w"])
        variable = Variable("%s%d" % (stem, self.names), kind, is_set, is_fixed)
        self.scopes[-1].append(variable)
        return variable

    def numbers(self, is_set=True):
        return [v for v in self.visible() if v.is_number() and (v.is_set or not is_set)]

    def targets(self):
        return [v for v in self.numbers(False) if not v.is_fixed]

    def atom(self):
        choice = self.choice
        known = self.numbers()
        if known and choice.random() < .72:
            return choice.choice(known).name
        others = [v for v in self.visible() if v.is_set and not v.is_number()]
        if others and choice.random() < .5:
            variable = choice.choice(others)
            if variable.kind in MEMBERS:
                return "%s.%s" % (variable.name, choice.choice(MEMBERS[variable.kind]))
            if variable.kind == "list":
                return "%s[%s]" % (variable.name, self.index(3))
        what = choice.random()
        if what < .3 and known:
            return "table[%s]" % self.index(31)
        if what < .4 and known:
            return "(int)grid[%s][%s]" % (self.index(7), self.index(7))
        if what < .5:
            return "text[%d]" % choice.randint(0, 63)
        return str(choice.choice([0, 1, 1, 2, 3, 4, 7, 10, 16, 31, 100]))

    def index(self, mask):
        known = [v for v in self.numbers()]
        return "%s & %d" % (self.choice.choice(known).name, mask) if known else str(self.choice.randint(0, mask))

    def expression(self, depth=0):
        choice = self.choice
        what = choice.random()
        if depth > 1 or what < .3:
            return self.atom()
        one, other = self.expression(depth + 1), self.atom()
        if what < .62:
            return "%s %s %s" % (one, choice.choice("+-"), other) if depth == 0 else "(%s %s %s)" % (
                one, choice.choice("+-"), other)
        if what < .68:
            return "(%s) * %d %% 1000" % (one, choice.choice([2, 3, 5, 7, 10, 60]))
        if what < .73:
            return "(%s) / %d" % (one, choice.choice([2, 3, 4, 8, 10]))
        if what < .78:
            return "(%s) %% %d" % (one, choice.choice([2, 3, 7, 8, 10]))
        if what < .83:
            return "(int)((unsigned)(%s) >> %d)" % (one, choice.randint(1, 5))
        if what < .87:
            return "((%s) & 255) << %d" % (one, choice.randint(1, 4))
        if what < .93:
            return "((%s) %s %s)" % (one, choice.choice("&|^"), other)
        return "(%s ? %s : %s)" % (self.condition(1), one, other)

    def condition(self, depth=0):
        choice = self.choice
        if depth == 0 and choice.random() < .2:
            return "%s %s %s" % (self.condition(1), choice.choice(["&&", "||"]), self.condition(1))
        known = self.numbers()
        if known and choice.random() < .2:
            return "(%s & %d)" % (choice.choice(known).name, choice.choice([1, 2, 3, 4, 8]))
        return "%s %s %s" % (self.atom(), choice.choice(["<", ">", "==", "!=", "<=", ">="]), self.atom())

    # --- statements
    def assign(self):
        choice, targets = self.choice, self.targets()
        if not targets:
            return self.declare()
        variable = choice.choice(targets)
        name, what = variable.name, choice.random()
        if not variable.is_set or what < .35:
            text = self.expression()
            wide = variable.kind in ("int", "long", "short", "signed char") and "*" not in text
            self.line("%s = %s;" % (name, "(%s) %% 10000" % text if wide and choice.random() < .3 else text))
            variable.is_set = True
        elif what < .55:
            self.line("%s %s= %s;" % (name, choice.choice("+-+-^|&"), self.atom()))
        elif what < .75:
            self.line("%s%s;" % (name, choice.choice(["++", "--"])))
        elif what < .82:
            self.line("%s %s= %d;" % (name, choice.choice("/%"), choice.choice([2, 3, 7, 10])))
        elif what < .9 and variable.kind.startswith("unsigned"):
            self.line("%s %s= %d;" % (name, choice.choice(["<<", ">>"]), choice.randint(1, 3)))
        elif what < .95 and variable.kind.startswith("unsigned"):
            self.line("%s = %s * 31 + %s;" % (name, name, self.atom()))
        else:
            self.line("%s = -(%s %% 1000);" % (name, name))

    def declare(self, kind=None, is_fixed=False):
        kind = kind or self.choice.choice(INTEGERS)
        text = self.expression()
        call = self.call()
        variable = self.fresh(kind, True, is_fixed)
        plain = "%s %s = %s;" % (kind, variable.name, text)
        self.raw(plain, call + "; " + plain)
        return variable

    def compound(self):
        choice = self.choice
        known = [v for v in self.visible() if v.kind in ("pair", "list")]
        if not known or choice.random() < .3:
            kind = choice.choice(["pair", "list"])
            text = "{%s, %s, %s}" % (self.atom(), "(unsigned)(%s)" % self.atom(), self.atom())
            if kind == "list":
                text = "{%s, %s, %s, %s}" % tuple("(int)(%s)" % self.atom() for _ in range(4))
            call = self.call()
            variable = self.fresh(kind, True)
            text = ("struct pair %s = %s;" if kind == "pair" else "int %s[4] = %s;") % (variable.name, text)
            return self.raw(text, call + "; " + text)
        variable = choice.choice(known)
        if choice.random() < .15:
            return self.line("note(&%s, sizeof(%s));" % (variable.name, variable.name))
        if variable.kind == "list" and choice.random() < .15:
            return self.line("%sfill(%s, 4);" % (
                choice.choice(["total += ", "use(", ""]).replace("use(", ""), variable.name))
        part = "%s.%s" % (variable.name, choice.choice("abc")) if variable.kind == "pair" else "%s[%s]" % (
            variable.name, self.index(3))
        self.line("%s %s %s;" % (part, choice.choice(["=", "=", "+=", "^="]), self.expression(1)))

    def effect(self):
        choice, targets = self.choice, self.targets()
        what = choice.random()
        integers = [v for v in targets if v.kind == "int"]
        if what < .2 and integers:
            variable = choice.choice(integers)
            self.line("get(&%s);" % variable.name)
            variable.is_set = True
        elif what < .4 and targets and self.program.functions and not self.is_leaf:
            variable = choice.choice(targets)
            self.line("%s = %s;" % (variable.name, self.called()))
            variable.is_set = True
        elif what < .5 and targets:
            variable = choice.choice(targets)
            self.line("%s = next();" % variable.name)
            variable.is_set = True
        elif what < .6:
            self.line("table[%s] = %s;" % (self.index(31), self.expression(1)))
        elif what < .7:
            self.line("total += %s;" % self.atom())
        elif what < .75:
            self.line("grid[%s][%s] ^= %s;" % (self.index(7), self.index(7), self.atom()))
        else:
            self.line("use(%s);" % self.expression(1))

    def called(self):
        function = self.choice.choice(self.program.functions)
        return "%s(%s)" % (function.name, ", ".join(self.argument(v) for v in function.parameters))

    def argument(self, parameter):
        return "%s" % self.expression(1)

    def consume(self, variables):
        """Reads most of them once more, as programs do: few of their statements are in vain."""
        for variable in variables:
            if variable.is_set and variable.is_number() and self.choice.random() < .85:
                self.line(self.choice.choice(["use(%s);", "total += %s;", "total ^= %s;", "use(%s + 1);"]) % variable.name)
            elif variable.is_set and variable.kind in ("pair", "list") and self.choice.random() < .7:
                self.line("note(&%s, sizeof(%s));" % (variable.name, variable.name))

    def block(self, count=None):
        """The statements inside braces."""
        self.scopes.append([])
        self.depth += 1
        for _ in range(count or self.choice.randint(1, 4)):
            self.statement()
        self.consume(self.scopes[-1])
        self.depth -= 1
        self.scopes.pop()

    def known(self):
        return {v for v in self.visible() if v.is_set}

    def restore(self, known):
        for variable in self.visible():
            variable.is_set = variable in known

    def branch(self):
        before = self.known()
        self.line("if (%s) {" % self.condition())
        self.block()
        one = self.known()
        self.restore(before)
        if self.choice.random() < .4:
            self.raw("} else {")
            self.block()
        other = self.known()
        self.raw("}")
        self.restore(one & other)

    def clamp(self):
        targets = [v for v in self.targets() if v.is_set]
        if not targets:
            return self.assign()
        variable = self.choice.choice(targets)
        other = self.atom()
        self.line("if (%s %s %s)" % (variable.name, self.choice.choice("<>"), other))
        self.only("%s = %s;" % (variable.name, other if self.choice.random() < .7 else self.expression(1)))

    def body(self, step=None, count=None):
        """A loop's, which may be left early."""
        self.loops.append(True)
        before = self.known()
        self.scopes.append([])
        self.depth += 1
        for _ in range(count or self.choice.randint(1, 4)):
            self.statement()
            if self.choice.random() < .12:
                self.leave()
        self.consume(self.scopes[-1])
        if step:
            self.line(step)
        self.depth -= 1
        self.scopes.pop()
        self.loops.pop()
        self.restore(before)

    def leave(self):
        self.line("if (%s)" % self.condition())
        what = self.choice.random()
        self.has_exit |= what >= .85
        self.only("break;" if what < .55 else "return %s;" % self.result() if what < .85 else "goto out;")

    def loop(self):
        choice = self.choice
        what = choice.random()
        rounds = choice.choice(["3", "4", "5", "6", "8"])
        known = [v.name for v in self.numbers()]
        if known and choice.random() < .4:
            rounds = "(%s)(%s & 7)" % ("int", choice.choice(known))
        if what < .45:
            self.for_loop(rounds)
        elif what < .65:
            left = self.declare_as("int", rounds)
            self.head("while (", "%s > 0" % left.name, ") {")
            self.body("%s--;" % left.name)
            self.raw("}")
            left.is_fixed = choice.random() < .5
        elif what < .75:
            left = self.declare_as(choice.choice(["int", "unsigned", "long"]), "%s + 1" % rounds)
            self.raw("do {")
            self.body("%s--;" % left.name)
            self.head("} while (", "%s != 0" % left.name, ");")
            left.is_fixed = False
        elif what < .88:
            self.scan()
        else:
            call = self.call()
            at = self.fresh("item", True, True)
            text = "struct item *%s = chain;" % at.name
            self.raw(text, call + "; " + text)
            self.head("while (", at.name, ") {")
            self.loops.append(True)
            variable = [v for v in self.targets() if v.is_set]
            self.depth += 1
            if variable:
                self.line("%s += %s->%s;" % (choice.choice(variable).name, at.name, choice.choice(["key", "weight"])))
            self.depth -= 1
            self.loops.pop()
            self.body("%s = %s->next;" % (at.name, at.name), 1)
            self.raw("}")

    def declare_as(self, kind, text):
        call = self.call()
        variable = self.fresh(kind, True, True)
        plain = "%s %s = %s;" % (kind, variable.name, text)
        self.raw(plain, call + "; " + plain)
        return variable

    def for_loop(self, rounds):
        choice = self.choice
        call = self.call()
        unset = [v for v in self.numbers(False) if not v.is_set and not v.is_fixed and v.kind in ("int", "unsigned")]
        if unset and choice.random() < .6:
            counter, begin = choice.choice(unset), "%s = 0"
            was = counter
        else:
            self.scopes.append([])
            counter, begin = self.fresh(choice.choice(["int", "int", "unsigned", "long"]), True, True), None
            begin = counter.kind + " %s = 0"
            was = None
        counter.is_set, counter.is_fixed = True, True
        begin %= counter.name
        condition = "%s < %s" % (counter.name, rounds if counter.kind != "unsigned" else "(unsigned)" + rounds)
        if "&" in rounds:  # the bound may change
            condition = "%s < 8 && %s" % (counter.name, condition)
        del call
        self.head("for (%s; " % begin, condition, "; %s++) {" % counter.name)
        self.program.heads[len(self.program.plain)] = counter.name
        self.body()
        self.raw("}")
        counter.is_fixed = False
        if was is None:
            self.scopes.pop()

    def scan(self):
        """A pointer that walks."""
        choice = self.choice
        kind = choice.choice(["text", "table"])
        start = choice.randint(0, 20)
        call = self.call()
        pointer = self.fresh(kind, True, True)
        plain = "%s *%s = %s + %d;" % ({"text": "const unsigned char", "table": "int"}[kind], pointer.name, kind, start)
        self.raw(plain, call + "; " + plain)
        self.head("while (", "%s < %s + %d" % (pointer.name, kind, start + choice.randint(3, 9)), ") {")
        targets = [v for v in self.targets() if v.is_set]
        self.depth += 1
        if targets:
            self.line("%s %s *%s;" % (choice.choice(targets).name, choice.choice(["+=", "=", "^="]), pointer.name))
        self.depth -= 1
        self.body("%s++;" % pointer.name, choice.randint(1, 2))
        self.raw("}")

    def switch(self):
        self.line("switch (%s & 3) {" % self.atom().replace("(int)", ""))
        before = self.known()
        for value in sorted(self.choice.sample(range(4), self.choice.randint(2, 3))):
            self.raw("case %d: {" % value)
            self.restore(before)
            self.block(self.choice.randint(1, 2))
            self.raw("}")
            if self.choice.random() < .85:
                self.depth += 1
                self.line("break;")
                self.depth -= 1
        if self.choice.random() < .6:
            self.raw("default: {")
            self.restore(before)
            self.block(1)
            self.raw("}")
        self.restore(before)
        self.raw("}")

    def statement(self):
        self.fuel -= 1
        what = self.choice.random()
        deep = len(self.loops) >= 2 or self.depth > 4 or self.fuel < 0
        if what < .36:
            self.assign()
        elif what < .44:
            self.declare()
        elif what < .5:
            self.compound()
        elif what < .62:
            self.effect()
        elif what < .68:
            self.clamp()
        elif deep:
            self.assign()
        elif what < .8:
            self.branch()
        elif what < .95:
            self.loop()
        elif self.loops:
            self.assign()  # a `break` would be the loop's
        else:
            self.switch()

    def parameter_kind(self):
        return self.choice.choice(INTEGERS)

    def result(self):
        return self.expression(1)

    def write(self):
        choice = self.choice
        self.parameters = [Variable("p%d" % i, self.parameter_kind(), True) for i in range(choice.randint(1, 3))]
        self.scopes[0] += self.parameters
        how = choice.choice(["static ", "static ", "static inline ", "__attribute__((noinline)) static ", ""])
        self.depth = 0
        self.raw("%s%s %s(%s)" % (how, type_of(self.kind), self.name,
                                  ", ".join("%s %s" % (type_of(v.kind), v.name) for v in self.parameters)))
        self.raw("{", "{ void *head = chain; (void)head;")
        self.depth = 1
        for _ in range(choice.randint(0, 3)):
            variable = self.fresh(choice.choice(INTEGERS), False)
            self.raw("%s %s;" % (variable.kind, variable.name))
        result = self.declare()
        before = self.known()
        for _ in range(choice.randint(2, 6) if not self.is_leaf else choice.randint(1, 3)):
            self.statement()
        if self.has_exit:
            self.depth = 0
            self.raw("out:")
            self.depth = 1
            self.restore(before & self.known())
            self.scopes = self.scopes[:1]
            self.scopes[0] = [v for v in self.scopes[0] if v in before]
            self.line("use(%s);" % result.name)
        else:
            self.consume(self.scopes[0])
        self.line("return %s;" % self.result())
        self.depth = 0
        self.raw("}")
        self.raw("")


class StructFunction(Function):
    """Its values are structs that are given to functions and come from them, and have no address."""

    def parameter_kind(self):
        return self.choice.choice(["pair", "duo", "pair", "duo", *INTEGERS[:3]])

    def structs(self, kind):
        return [v.name for v in self.visible() if v.kind == kind and v.is_set]

    def struct_value(self, kind):
        known, what = self.structs(kind), self.choice.random()
        if known and what < .6:
            return "%s(%s)" % ({"pair": "turn", "duo": "swap"}[kind], self.choice.choice(known))
        if known and what < .75:
            return self.choice.choice(known)
        return {"pair": "(struct pair){%s, (unsigned)(%s), %s}", "duo": "(struct duo){%s, (int)(%s)}"}[kind] % tuple(
            ("(int)(%s)" if not i else "%s") % self.atom() for i in range(len(MEMBERS[kind])))

    def argument(self, parameter):
        return self.struct_value(parameter.kind) if parameter.kind in MEMBERS else super().argument(parameter)

    def compound(self):
        choice = self.choice
        known = [v for v in self.visible() if v.kind in MEMBERS]
        what = choice.random()
        if not known or what < .2:
            kind = choice.choice(list(MEMBERS))
            call, text = self.call(), self.struct_value(kind)
            text = "struct %s %s = %s;" % (kind, self.fresh(kind, True).name, text)
            return self.raw(text, call + "; " + text)
        variable = choice.choice(known)
        if what < .55:
            return self.line("%s = %s;" % (variable.name, self.struct_value(variable.kind)))
        if what < .75:
            return self.weighed(variable)
        self.line("%s.%s %s (%s) %% 1000;" % (variable.name, choice.choice(MEMBERS[variable.kind]),
                                            choice.choice(["=", "+=", "^="]), self.expression(1)))

    def weighed(self, variable):
        self.line("%s(%s);" % ({"pair": "weigh", "duo": "sum_of"}[variable.kind], variable.name))

    def assign(self):
        return self.compound() if self.choice.random() < .5 else super().assign()

    def consume(self, variables):
        super().consume([v for v in variables if v.kind not in MEMBERS])
        for variable in variables:
            if variable.kind in MEMBERS and self.choice.random() < .6:
                self.weighed(variable)


class MemberFunction(Function):
    """Its values are the members of structs and unions, and elements of arrays: of its own, of its caller's and global ones."""

    def __init__(self, program, name, is_leaf):
        super().__init__(program, name, is_leaf)
        if self.choice.random() < .4:
            self.kind = self.choice.choice(OWN)
        self.globals = [Variable("all_" + kind, kind, True) for kind in program.global_kinds]
        self.scopes[0] += self.globals

    def parameter_kind(self):
        kind = self.choice.choice(OWN + OWN + INTEGERS[:6] + [kind + " *" for kind in OWN])
        return kind

    def objects(self, test=lambda variable: True):
        return [v for v in self.visible() if v.is_set and v.places() and test(v)]

    def atom(self):
        objects = self.objects()
        if objects and self.choice.random() < .4:
            return self.element(self.choice.choice(objects))
        return super().atom()

    def element(self, variable):
        """One of its scalars, of an array sometimes by a variable."""
        place = self.choice.choice(variable.places())
        if place.endswith("]") and self.choice.random() < .35:
            most = {"shorts": 3, "hold": 3 if ".c" in place or ">c" in place else 1, "both": 3 if "c[" in place else 1}.get(
                variable.kind.split()[0], 1)
            place = "%s[%s]" % (place[:place.rindex("[")], self.index(most))
        return place

    def object_of(self, kind):
        return [v.name if v.kind == kind else "*" + v.name for v in self.objects() if v.kind in (kind, kind + " *")]

    def value(self, kind):
        """Of a struct or a union."""
        known, what = self.object_of(kind), self.choice.random()
        calls = [f for f in self.program.functions if f.kind == kind]
        if calls and not self.is_leaf and what < .25:
            return self.called(self.choice.choice(calls))
        if known and what < .6:
            return "turn_%s(%s)" % (kind, self.choice.choice(known))
        if known and what < .75:
            return self.choice.choice(known)
        return self.literal(kind)

    def literal(self, kind):
        scalars = SHAPES[kind].scalars[:1] if kind == "both" else [
            scalar for scalar in SHAPES[kind].scalars if scalar[0] != ".u.h[1]"]
        body = ", ".join("%s = %s" % (path if path[0] in ".[" else "." + path, to % self.atom()) for path, _, _, _, to in scalars)
        return "{%s}" % body if SHAPES[kind].type in INTEGERS else "(%s){%s}" % (SHAPES[kind].type, body)

    def compound(self):
        choice, objects, what = self.choice, self.objects(), self.choice.random()
        if not objects or what < .16:
            kind = choice.choice(list(SHAPES))
            is_array = SHAPES[kind].type in INTEGERS
            call, text = self.call(), self.literal(kind) if is_array else self.value(kind)
            name = self.fresh(kind, True).name
            text = "%s %s%s = %s;" % (SHAPES[kind].type, name, "[%d]" % len(SHAPES[kind].scalars) if is_array else "", text)
            return self.raw(text, call + "; " + text)
        if what < .28:
            return self.point()
        variable = choice.choice(objects)
        kind = variable.kind.split()[0]
        if what < .4 and kind in OWN:
            return self.line("%s%s = %s;" % ("*" if "*" in variable.kind else "", variable.name, self.value(kind)))
        if what < .55 and kind in OWN:
            return self.weighed(variable)
        self.store(variable)

    def point(self):
        """A pointer to what lives as long."""
        choice = self.choice
        kind = choice.choice(OWN + ["int", "int"])
        if kind == "int":
            where = [place for v in self.objects(lambda v: v.kind in ("ints", "nest", "hold", "both"))
                     for place in v.places() if re.search(r"(?<!u)(\.[kiabn]|ints\[.\])$", place) or v.kind == "ints"]
            where += [v.name for v in self.numbers() if v.kind == "int" and not v.is_fixed]
        else:
            where = [v.name for v in self.objects(lambda v: v.kind == kind)]
        if not where:
            return self.assign()
        text = "&" + choice.choice(where)
        if choice.random() < .3:
            text = "(%s) ? %s : &%s" % (self.condition(1), text, choice.choice(where))
        call = self.call()
        pointer = self.fresh(kind + " *", True)
        text = "%s%s = %s;" % (type_of(pointer.kind), pointer.name, text)
        self.raw(text, call + "; " + text)

    def store(self, variable):
        choice = self.choice
        place = self.element(variable)
        if variable.kind == "int *":
            return self.line("%s %s (%s) %% 1000;" % (place, choice.choice(["=", "+=", "^="]), self.expression(1)))
        path = re.sub(r"\[[^\]]*&[^\]]*\]$", "[1]", place)
        to = variable.shape().scalars[variable.places().index(path)][4]
        if to in ("(%s) > 2", "(enum color)((%s) & 7)"):
            return self.line("%s = %s;" % (place, to % self.expression(1)))
        if choice.random() < .25 and "%%" not in to:
            return self.line("%s%s;" % (place, choice.choice(["++", "--"])))
        self.line("%s %s %s;" % (place, choice.choice(["=", "=", "+=", "^=", "-="]), to % self.expression(1)))

    def weighed(self, variable):
        kind, star = variable.kind.split()[0], "*" in variable.kind
        if self.choice.random() < .65:
            return self.line("weigh_%s(%s%s);" % (kind, "*" if star else "", variable.name))
        self.line("%s_%s(%s%s);" % (self.choice.choice(["touch", "look"]), kind, "" if star else "&", variable.name))

    def assign(self):
        return self.compound() if self.choice.random() < .55 else super().assign()

    def called(self, function=None):
        numbers = [f for f in self.program.functions if f.kind in INTEGERS]
        function = function or (self.choice.choice(numbers) if numbers else None)
        return "%s(%s)" % (function.name, ", ".join(self.argument(v) for v in function.parameters)) if function else "next()"

    def argument(self, parameter):
        if "*" in parameter.kind:
            kind = parameter.kind.split()[0]
            known = [v.name if "*" in v.kind else "&" + v.name for v in self.objects(lambda v: v.kind.split()[0] == kind)]
            return self.choice.choice(known or ["&all_" + kind])
        if parameter.kind in SHAPES:  # no call: the order of arguments isn't defined
            known = self.object_of(parameter.kind)
            return self.choice.choice(known) if known and self.choice.random() < .7 else self.literal(parameter.kind)
        return super().argument(parameter)

    def result(self):
        return self.value(self.kind) if self.kind in SHAPES else super().result()

    def consume(self, variables):
        variables = [v for v in variables if v not in self.globals]
        super().consume([v for v in variables if not v.places()])
        for variable in variables:
            if not variable.places() or self.choice.random() < .2:
                continue
            if variable.kind in OWN and self.choice.random() < .6:
                self.weighed(variable)
            else:
                self.line("use(%s);" % self.element(variable))


class Program:
    function, header, support = Function, HEADER, SUPPORT

    def __init__(self, seed):
        self.choice = random.Random(seed)
        self.plain, self.told = EXTERNAL.split("\n")[:-1], EXTERNAL.split("\n")[:-1]
        self.told[0] += " void P(int line, const char *format, ...);"
        self.plain += self.header.split("\n")
        self.told += self.header.split("\n")
        self.lines, self.heads, self.wholes, self.functions = {}, {}, {}, []
        for number in range(self.choice.randint(4, 7)):
            function = self.function(self, "f%d" % number, number < 2)
            begin = len(self.plain)
            function.write()
            function.lines = begin + 1, len(self.plain) + 1
            self.functions.append(function)
        self.main()

    def main(self):
        text = ["void end(void);", "int main(void)", "{", "\tint round;", "",
                "\tfor (round = 0; round < %d; round++) {" % self.choice.randint(2, 5)]
        for function in self.functions:
            arguments = [self.argument(v) for v in function.parameters[:-1]]
            last = function.parameters[-1]
            arguments.append(self.argument(last) if last.shape() else {
                "pair": "(struct pair){(int)next() % 50, 3, round}", "duo": "(struct duo){round, (int)next() % 50}"}.get(
                    last.kind, "(int)next() % 50"))  # their order isn't defined
            text.append("\t\tuse(%s);" % self.call_of(function, ", ".join(arguments)))
        text += ["\t}", "\tuse(total);", "\tend();", "\treturn 0;", "}"]
        self.plain += text
        self.told += text

    def members(self):
        """{function: {a word: what it stands for}}: what is asked of all lines of the function."""
        return {}

    def call_of(self, function, arguments):
        return "%s(%s)" % (function.name, arguments)

    def argument(self, parameter):
        return self.choice.choice(["round", "round * 3", "table[round]", "5", "-round", "17 - round", "1"])

    def text(self, is_told):
        return "\n".join(self.told if is_told else self.plain) + "\n"


class StructProgram(Program):
    function, header, support = StructFunction, HEADER + STRUCTS, SUPPORT + STRUCTS_SUPPORT

    def argument(self, parameter):
        number = super().argument(parameter)
        return {"pair": "(struct pair){%s, 7, 2 - round}", "duo": "(struct duo){3 - round, %s}"}.get(
            parameter.kind, "%s") % number


class MemberProgram(Program):
    function, header, support = MemberFunction, HEADER + SHAPED + shaped_declarations(), SUPPORT + shaped_support()

    def __init__(self, seed):
        self.global_kinds = random.Random(seed).sample(list(GLOBALS), 3)
        self.header = self.header + "".join("%s;\n" % text for text in GLOBALS.values())
        super().__init__(seed)

    def members(self):
        asked, words = {}, {}
        for function in self.functions:
            names = {name for line in range(*function.lines) for name in self.lines.get(line, ()) if not name.isidentifier()}
            asked[function.name] = {words.setdefault(name, "e%d" % len(words)): name for name in sorted(names)}
        return {function: names for function, names in asked.items() if names}

    def call_of(self, function, arguments):
        shape = SHAPES.get(function.kind)
        return "%s(%s)%s" % (function.name, arguments, shape.paths()[0] if shape else "")

    def argument(self, parameter):
        number, kind = super().argument(parameter), parameter.kind.split()[0]
        if "*" in parameter.kind:
            return "&all_" + kind
        if kind == "both":
            return "(union both){%s}" % number
        return "(%s){%s, 2}" % (SHAPES[kind].type, number) if kind in SHAPES else number


class Pinned:
    """A program that is always asked (random_pinned.c): `//@ NAME...` behind a statement tells those of that line."""
    support = SUPPORT

    @staticmethod
    def members():
        return {}

    functions = ()

    def __init__(self):
        with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "random_pinned.c")) as file:
            self.plain = file.read().split("\n")
        self.told, self.lines, self.heads, self.wholes = list(self.plain), {}, {}, {}
        self.told[0] += " void P(int line, const char *format, ...);"
        for number, line in enumerate(self.plain, 1):
            found = re.match(r"(\s*)(.*?)\s*//@ (.*)", line)
            if not found:
                continue
            names = self.lines[number] = found[3].split()
            self.plain[number - 1] = found[1] + found[2]
            self.told[number - 1] = '%sP(%d, "%s", %s); %s' % (
                found[1], number, ";".join("%s=%%ld" % name for name in names),
                ", ".join("(long)" + name for name in names), found[2])

    def text(self, is_told):
        return "\n".join(self.told if is_told else self.plain) + "\n"
