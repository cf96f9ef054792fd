# SPDX-License-Identifier: GPL-2.0-only
"""A plain interpreter of DWARF expressions over a made-up machine, straight from DWARF 5, 2.5 and
2.6, and one of what ktrace answers: the kernel's fetch arguments and ktrace's finish.

The two share nothing but the machine. Beside the value, the first notes what stood in the way of
one that only a probe event could read (obstacles), so that a refusal can be held against it."""
import re
import struct

ONES = (1 << 64) - 1
EDGES = [0, 1, 2, 7, 8, 63, 64, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000,
         0xffffffff, 1 << 32, (1 << 63) - 1, 1 << 63, ONES, ONES - 1, ONES ^ 0xffffffff]
FIXED = {0x08: 'B', 0x09: 'b', 0x0a: 'H', 0x0b: 'h', 0x0c: 'I', 0x0d: 'i', 0x0e: 'Q', 0x0f: 'q'}


def extend(value, bits, is_signed):
    value &= (1 << bits) - 1
    return value - (1 << bits) if is_signed and value >> (bits - 1) else value


class Machine:
    def __init__(self, rng):
        self.seed = rng.getrandbits(64)
        self.registers = [rng.choice(EDGES) if rng.random() < .45 else
                          rng.getrandbits(rng.choice((8, 16, 31, 32, 48, 64))) for _ in range(17)]

    def mix(self, x):
        x = (x ^ self.seed) * 0x9e3779b97f4a7c15 & ONES
        x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9 & ONES
        return x ^ x >> 32

    def byte(self, address):
        address &= ONES
        kind = self.mix(address >> 3) & 7  # whole words of zeros, of ones, and any
        return 0 if kind == 0 else 0xff if kind == 1 else self.mix(address) & 0xff

    def load(self, address, size):
        return sum(self.byte(address + i) << 8 * i for i in range(size))


class NoValue(Exception):
    """A division by zero, where it counts: what is computed from it is no value either, and an
    expression has none if that is what it describes or where it branches by it."""


class Refused(Exception):
    """Nothing that an integer machine can do."""


class Slot:
    """kind: None (generic) or (bits, is_signed). shape: what it is as an address: a constant; base,
    what the kernel can start from (a register or a loaded pointer, plus a constant); or other."""
    __slots__ = ('bits', 'kind', 'shape', 'entry', 'none')

    def __init__(self, value, kind=None, shape='other', entry=False, none=False):
        self.none = none
        self.kind, self.shape, self.entry = kind, shape, entry
        self.bits = value & ((1 << kind[0]) - 1 if kind else ONES)

    def number(self, generic_signed=True):
        width, is_signed = self.kind or (64, generic_signed)
        return extend(self.bits, width, is_signed)


class Frame:
    """What an expression is evaluated in. cfa and base: expressions (bytes)."""

    def __init__(self, now, entry, cfa, entry_cfa, base, types):
        self.now, self.entry, self.base, self.types = now, entry, base, types
        self.cfa, self.entry_cfa = cfa, entry_cfa
        self.obstacles = set()


class Plain:
    def __init__(self, frame, at_entry=False, force=None):
        self.frame, self.at_entry, self.force = frame, at_entry, force
        self.machine = frame.entry if at_entry else frame.now

    def uleb(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def sleb(self):
        start = self.at
        value = self.uleb()
        return extend(value, 7 * (self.at - start), True)

    def fixed(self, code):
        value = struct.unpack_from('<' + code, self.data, self.at)[0]
        self.at += struct.calcsize(code)
        return value

    def kind(self, offset):
        if not offset:
            return None
        size, encoding = self.frame.types[offset]
        if encoding in (3, 4):
            self.frame.obstacles.add('float')
            raise Refused
        return size * 8, encoding in (5, 6)

    def evaluate(self, data):
        """[(size or None, how, what)]: how the object's bytes are found; one unless in pieces."""
        self.data, self.at, self.stack, pieces = data, 0, [], []
        self.result, self.branched = None, False
        while self.at < len(self.data):
            op = self.data[self.at]
            self.at += 1
            if op in (0x93, 0x9d):
                bits = self.uleb() * 8 if op == 0x93 else self.uleb()
                skip = self.uleb() if op == 0x9d else 0
                if op == 0x9d and self.result:
                    self.frame.obstacles.add('bit piece of a value')
                if pieces or self.branched:
                    self.frame.obstacles.add('branch in pieces' if self.branched else 'pieces')
                pieces.append((bits // 8, *self.ending(skip // 8)))
                self.stack, self.result = [], None
            else:
                self.step(op)
        if pieces:
            return pieces
        return [(None, *self.ending(0))]

    def ending(self, skip):
        if self.result:
            how, what = self.result
            return how, what if how == 'none' else what >> 8 * skip
        if not self.stack:
            return 'lost', 0
        top = self.stack[-1]
        self.check_address(top)
        if self.branched:  # ktrace makes one formula of both ways
            self.frame.obstacles.add('sum')
        if top.none:
            return 'none', 0
        return 'memory', top.number(False) + skip & ONES

    def check_address(self, slot):
        if slot.entry and not self.at_entry:
            self.frame.obstacles.add('entry memory')
        if slot.shape == 'other':
            self.frame.obstacles.add('sum')

    def load(self, size, kind=None):
        slot = self.stack.pop()
        self.check_address(slot)
        self.frame.obstacles.add('load')
        if size not in (1, 2, 4, 8):
            self.frame.obstacles.add('odd size')
        value = self.machine.load(slot.number(False), size)
        self.stack.append(Slot(value, kind, 'base' if size == 8 else 'other', slot.entry,
                               slot.none))

    def push_register(self, number, offset=0, kind=None):
        if number > 16:
            self.frame.obstacles.add('register')
            raise Refused
        self.stack.append(Slot(self.machine.registers[number] + offset, kind,
                               'base' if not kind or kind[0] == 64 else 'other'))

    def inner(self, data, at_entry=None):
        """One value of another expression."""
        other = Plain(self.frame, self.at_entry if at_entry is None else at_entry)
        other.data, other.at, other.stack, other.result = data, 0, [], None
        while other.at < len(data):
            other.at += 1
            other.step(data[other.at - 1])
        return other.stack[-1] if other.stack else Slot(other.result[1], None, 'base')

    def step(self, op):
        stack = self.stack
        if op in FIXED:
            stack.append(Slot(self.fixed(FIXED[op]), None, 'const'))
        elif 0x30 <= op <= 0x4f:
            stack.append(Slot(op - 0x30, None, 'const'))
        elif 0x50 <= op <= 0x6f or op == 0x90:
            self.push_register(self.uleb() if op == 0x90 else op - 0x50)
            self.result = 'value', stack.pop().bits
        elif 0x70 <= op <= 0x8f:
            self.push_register(op - 0x70, self.sleb())
        elif op in NAMES:
            getattr(self, NAMES[op])()
        elif op in UNARY:
            top = stack.pop()
            stack.append(Slot(UNARY[op](top.number()), top.kind,
                              'const' if top.shape == 'const' else 'other', top.entry, top.none))
        elif op in BINARY:
            self.binary(op)
        else:
            raise AssertionError('operation %#x' % op)

    def binary(self, op):
        b, a = self.stack.pop(), self.stack.pop()
        if op not in (0x24, 0x25, 0x26):
            assert a.kind == b.kind, 'operands of different types'
        elif b.bits >= (a.kind or (64, 0))[0]:
            self.frame.obstacles.add('far shift')
        none = a.none or b.none
        try:
            value = BINARY[op](a, b)
        except NoValue:
            value, none = 0, True
        kind = None if 0x29 <= op <= 0x2e else a.kind
        shape = 'other'
        if a.shape == b.shape == 'const':
            shape = 'const'
        elif op == 0x22 and {a.shape, b.shape} == {'base', 'const'} or \
                op == 0x1c and (a.shape, b.shape) == ('base', 'const'):
            shape = 'base'
        self.stack.append(Slot(value, kind, 'other' if none else shape, a.entry or b.entry,
                               none))

    def op_constu(self):
        self.stack.append(Slot(self.uleb(), None, 'const'))

    def op_consts(self):
        self.stack.append(Slot(self.sleb(), None, 'const'))

    def op_bregx(self):
        number = self.uleb()
        self.push_register(number, self.sleb())

    def op_fbreg(self):
        offset = self.sleb()
        base = self.inner(self.frame.base)
        self.stack.append(Slot(base.bits + offset, None, base.shape, base.entry, base.none))

    def op_cfa(self):
        self.stack.append(self.inner(self.frame.entry_cfa if self.at_entry else self.frame.cfa))

    def op_deref(self):
        self.load(8)

    def op_deref_size(self):
        self.load(self.fixed('B'))

    def op_deref_type(self):
        size = self.fixed('B')
        self.load(size, self.kind(self.uleb()))

    def op_regval_type(self):
        number = self.uleb()
        self.push_register(number, 0, self.kind(self.uleb()))

    def op_const_type(self):
        offset, size = self.uleb(), self.fixed('B')
        self.at += size
        value = int.from_bytes(self.data[self.at - size:self.at], 'little')
        self.stack.append(Slot(value, self.kind(offset), 'const'))

    def op_convert(self):
        kind, top = self.kind(self.uleb()), self.stack.pop()
        shape = 'other' if kind and kind[0] < 64 and top.shape != 'const' else top.shape
        self.stack.append(Slot(top.number(), kind, shape, top.entry, top.none))

    def op_reinterpret(self):
        kind, top = self.kind(self.uleb()), self.stack.pop()
        self.stack.append(Slot(top.bits, kind, top.shape, top.entry, top.none))

    def op_plus_uconst(self):
        top = self.stack.pop()
        self.stack.append(Slot(top.bits + self.uleb(), top.kind, top.shape, top.entry, top.none))

    def op_dup(self):
        self.stack.append(self.stack[-1])

    def op_drop(self):
        self.stack.pop()

    def op_over(self):
        self.stack.append(self.stack[-2])

    def op_pick(self):
        self.stack.append(self.stack[-1 - self.fixed('B')])

    def op_swap(self):
        self.stack[-2:] = self.stack[:-3:-1]

    def op_rot(self):
        a, b, c = self.stack[-3:]  # c was the top
        self.stack[-3:] = c, a, b

    def op_nop(self):
        pass

    def op_skip(self):
        distance = self.fixed('h')
        self.at += distance

    def op_bra(self):
        distance = self.fixed('h')
        condition = self.stack.pop()
        self.branched = True
        if condition.entry and not self.at_entry:
            self.frame.obstacles.add('branch by the entry')
        if condition.none and self.force is None:
            raise NoValue
        if self.force is not None and distance < 0:
            return  # no loops
        if condition.bits if self.force is None else self.force:
            self.at += distance

    def op_implicit_value(self):
        size = self.uleb()
        self.at += size
        self.result = 'value', int.from_bytes(self.data[self.at - size:self.at], 'little')

    def op_stack_value(self):
        top = self.stack[-1]
        self.result = 'none' if top.none else 'value', top.number(False) & ONES

    def op_entry_value(self):
        size = self.uleb()
        self.at += size
        slot = self.inner(self.data[self.at - size:self.at], True)
        self.stack.append(Slot(slot.bits, slot.kind, slot.shape, not self.at_entry, slot.none))


NAMES = {0x06: 'op_deref', 0x10: 'op_constu', 0x11: 'op_consts', 0x12: 'op_dup', 0x13: 'op_drop',
         0x14: 'op_over', 0x15: 'op_pick', 0x16: 'op_swap', 0x17: 'op_rot', 0x23: 'op_plus_uconst',
         0x28: 'op_bra', 0x2f: 'op_skip', 0x91: 'op_fbreg', 0x92: 'op_bregx', 0x94: 'op_deref_size',
         0x96: 'op_nop', 0x9c: 'op_cfa', 0x9e: 'op_implicit_value', 0x9f: 'op_stack_value',
         0xa3: 'op_entry_value', 0xa4: 'op_const_type', 0xa5: 'op_regval_type',
         0xa6: 'op_deref_type', 0xa8: 'op_convert', 0xa9: 'op_reinterpret', 0xf3: 'op_entry_value',
         0xf4: 'op_const_type', 0xf5: 'op_regval_type', 0xf6: 'op_deref_type', 0xf7: 'op_convert',
         0xf9: 'op_reinterpret'}
UNARY = {0x19: abs, 0x1f: lambda x: -x, 0x20: lambda x: ~x}


def quotient(x, y):
    """Towards zero."""
    if not y:
        raise NoValue
    return abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)


def remainder(a, b):
    """Unsigned on the generic type; of a signed type what division leaves."""
    x, y = a.number(False), b.number(False)
    return x - quotient(x, y) * y


def shifted(a, b, direction):
    width, count = (a.kind or (64, 0))[0], b.bits if not b.kind else b.number() & ONES
    count = min(count, 64)
    if direction == 'left':
        return a.bits << count
    return (extend(a.bits, width, direction == 'sign')) >> count


BINARY = {
    0x1a: lambda a, b: a.bits & b.bits, 0x1b: lambda a, b: quotient(a.number(), b.number()),
    0x1c: lambda a, b: a.bits - b.bits, 0x1d: remainder, 0x1e: lambda a, b: a.bits * b.bits,
    0x21: lambda a, b: a.bits | b.bits, 0x22: lambda a, b: a.bits + b.bits,
    0x24: lambda a, b: shifted(a, b, 'left'), 0x25: lambda a, b: shifted(a, b, 'zero'),
    0x26: lambda a, b: shifted(a, b, 'sign'), 0x27: lambda a, b: a.bits ^ b.bits,
    0x29: lambda a, b: a.number() == b.number(), 0x2a: lambda a, b: a.number() >= b.number(),
    0x2b: lambda a, b: a.number() > b.number(), 0x2c: lambda a, b: a.number() <= b.number(),
    0x2d: lambda a, b: a.number() < b.number(), 0x2e: lambda a, b: a.number() != b.number(),
}


def object_bytes(parts, machine, first, end, is_struct=False):
    """An object's bytes up to the end, of which those before the first don't count. None: one that
    does is lost; in a struct, whose other members are shown, it is 0."""
    out = b''
    for length, how, what in parts:
        length = end if length is None else length
        counts = length and len(out) < end and len(out) + length > first
        if how == 'memory':
            out += machine.load(what, length).to_bytes(length, 'little')
        elif how == 'value':
            out += (what & ((1 << 8 * length) - 1)).to_bytes(length, 'little')
        elif not counts:
            out += bytes(length)
        elif how == 'none':
            raise NoValue
        elif is_struct:
            out += bytes(length)
        else:
            return None
    if is_struct:
        out = out.ljust(end, b'\0')
    return out[:end] if len(out) >= end else None


# What ktrace answers.

REGISTERS = 'ax dx cx bx si di bp sp r8 r9 r10 r11 r12 r13 r14 r15 ip'.split()


def fetch_place(text, machine):
    """(whether it is memory, address or number)"""
    if text[0] == '%':
        return False, machine.registers[REGISTERS.index(text[1:])]
    if text[0] == '\\':
        return False, int(text[1:], 0)
    if text[0] == '@':
        return True, int(text[1:], 16)
    offset, inner = re.fullmatch(r'([+-]\d+)\((.*)\)', text).groups()
    assert -1 << 63 <= int(offset) < 1 << 63, text
    is_memory, base = fetch_place(inner, machine)
    return True, (machine.load(base, 8) if is_memory else base) + int(offset) & ONES


def fetch_value(text, machine):
    """What the kernel records of the argument, as its field is read."""
    place, kind = text.rsplit(':', 1)
    is_memory, value = fetch_place(place, machine)
    bit_field = re.fullmatch(r'b(\d+)@(\d+)/(\d+)', kind)
    if bit_field:
        width, offset, container = map(int, bit_field.groups())
        assert width + offset <= container, text
        value = machine.load(value, container // 8) if is_memory else value
        return value >> offset & ((1 << width) - 1)
    letter, bits, _, count = re.fullmatch(r'([usx])(8|16|32|64)(\[(\d+)\])?', kind).groups()
    bits = int(bits)
    if count:
        return machine.load(value, bits // 8 * int(count))
    return extend(machine.load(value, bits // 8) if is_memory else value, bits, letter == 's')


def known(function, *values):
    """None is no value, and nothing can be computed from it."""
    if None in values:
        return None
    try:
        return function(*values)
    except NoValue:
        return None


class Finish:
    """ktrace's text: operators are in brackets but for the last, hence without precedence."""
    TOKEN = re.compile(r'\s*(\([us]\d+\)|abs\(|0x[0-9a-f]+|\d+|f\d+|unavailable|>>>|<<|>>|/u|[<>=!]=|'
                       r'[-+*/%&|^<>()~?:])')

    def __init__(self, text, fetched):
        self.text, self.fetched, self.at = text, fetched, 0

    def value(self):
        result = self.whole()
        assert self.at == len(self.text.rstrip()), self.text[self.at:]
        if result is None:
            raise NoValue
        return result & ONES

    def token(self, peek=False):
        match = self.TOKEN.match(self.text, self.at)
        if not match:
            assert peek, self.text[self.at:]
            return None
        if not peek:
            self.at = match.end()
        return match.group(1)

    def whole(self):
        left = self.unit()
        operator = self.token(peek=True)
        if operator is None or operator in '):':
            return left
        self.token()
        right = self.unit()
        if operator == '?':
            assert self.token() == ':'
            other = self.unit()
            return None if left is None else right if left & ONES else other
        return known(lambda a, b: DO[operator](a & ONES, b & ONES) & ONES, left, right)

    def unit(self):
        token = self.token()
        if token == '(' or token == 'abs(':
            value = self.whole()
            assert self.token() == ')'
            return known(lambda x: abs(extend(x, 64, True)), value) if token == 'abs(' else value
        if token == 'unavailable':
            return None
        if token in '-~':
            return known(UNARY[0x1f if token == '-' else 0x20], self.unit())
        if token[0] == '(':
            return known(lambda x: extend(x, int(token[2:-1]), token[1] == 's'), self.unit())
        return self.fetched[int(token[1:])] if token[0] == 'f' else int(token, 0)


def by_sign(operation):
    return lambda a, b: operation(extend(a, 64, True), extend(b, 64, True))


def unsigned_remainder(a, b):
    if not b:
        raise NoValue
    return a % b


DO = {
    '+': int.__add__, '-': int.__sub__, '*': int.__mul__, '/': by_sign(quotient), '/u': quotient,
    '%': unsigned_remainder, '&': int.__and__, '|': int.__or__, '^': int.__xor__,
    '<<': lambda a, b: a << b if b < 64 else 0, '>>': lambda a, b: a >> b if b < 64 else 0,
    '>>>': lambda a, b: extend(a, 64, True) >> min(b, 63), '==': int.__eq__, '!=': int.__ne__,
    '<': by_sign(int.__lt__), '<=': by_sign(int.__le__), '>': by_sign(int.__gt__),
    '>=': by_sign(int.__ge__),
}
