# SPDX-License-Identifier: GPL-2.0-only
"""DWARF made by hand: random location expressions, and a program around them.

Expressions are well-formed by construction (operands of one type, branches to operations);
what odd ones there are is written out in tests/fuzz/dwarf."""
import struct

TYPES = [('s8', 1, 5), ('u8', 1, 7), ('s16', 2, 5), ('u16', 2, 7), ('s32', 4, 5), ('u32', 4, 7),
         ('s64', 8, 5), ('u64', 8, 7), ('char', 1, 6), ('bool', 1, 2), ('float', 4, 4),
         ('double', 8, 4), ('complex', 8, 3)]
INTEGERS = TYPES[:8]
# (name, size, [(member, type, byte or (bit, width))])
STRUCTS = [
    ('pair', 8, [('a', 's32', 0), ('b', 'u16', 4), ('c', 's8', 6), ('d', 'u8', 7)]),
    ('bits', 8, [('x', 'u32', (0, 3)), ('y', 's32', (3, 11)), ('z', 'u32', (14, 18)),
                 ('w', 's32', 4)]),
    ('small', 4, [('h', 's16', 0), ('k', 'u8', 2)]),
    ('wide', 16, [('p', 'u64', 0), ('q', 's32', 8), ('r', 'u16', 12), ('t', 's8', 15)]),
]
# DWARF 4 has the typed operations as GNU's
GNU = {0xa3: 0xf3, 0xa4: 0xf4, 0xa5: 0xf5, 0xa6: 0xf6, 0xa8: 0xf7, 0xa9: 0xf9}


def uleb(value, pad=0):
    out = []
    while True:
        out.append(value & 127 | 128)
        value >>= 7
        if not value:
            break
    out += [128] * min(pad, 10 - len(out))  # libdw reads no more than 10 bytes
    out[-1] &= 127
    return bytes(out)


def sleb(value):
    out = []
    while True:
        byte, value = value & 127, value >> 7
        if value == (-1 if byte & 64 else 0):
            return bytes(out + [byte])
        out.append(byte | 128)


class Info:
    """.debug_info of one unit: bytes, and (symbol, size) where the linker fills in."""

    def __init__(self, version):
        self.version, self.parts, self.types = version, [], {}
        self.size = 12 if version == 5 else 11
        self.offsets = {}
        self.unit()

    def add(self, data):
        self.parts.append(data)
        self.size += len(data) if isinstance(data, bytes) else data[1]

    def text(self, string):
        self.add(string.encode() + b'\0')

    def unit(self):
        self.add(b'\1')
        self.text('fuzz.c')
        self.add(('.Lline', 4))
        self.text('/')
        self.add(('f', 8))
        self.add(('.Lend-f', 8))
        self.add(b'\x0c')
        for name, size, encoding in TYPES:
            self.offsets[name] = self.size
            self.types[self.size] = (size, encoding)
            self.add(b'\2')
            self.text(name)
            self.add(bytes([size, encoding]))
        for name, base, values in (('color', 'u32', (0, 1, 2, 5)), ('sign', 's8', (-1, 0, 1))):
            self.offsets[name] = self.size
            self.add(b'\3')
            self.text(name)
            self.add(bytes([dict((t[0], t[1]) for t in TYPES)[base]]))
            self.reference(base)
            for value in values:
                self.add(b'\4')
                self.text('%s_%s' % (name.upper(), value if value >= 0 else 'MINUS'))
                self.add(sleb(value))
            self.add(b'\0')
        self.offsets['pointer'] = self.size
        self.add(b'\5\x08')
        self.reference('u32')
        for name, size, members in STRUCTS:
            self.offsets[name] = self.size
            self.add(b'\6')
            self.text(name)
            self.add(bytes([size]))
            for member, kind, place in members:
                self.add(b'\x07' if isinstance(place, int) else b'\x0b')
                self.text(member)
                self.reference(kind)
                self.add(bytes([place] if isinstance(place, int) else place))
            self.add(b'\0')

    def reference(self, name):
        self.add(struct.pack('<I', self.offsets[name]))

    def function(self, base):
        self.add(b'\x08')
        self.text('f')
        self.add(b'\1\x0a')
        self.add(('f', 8))
        self.add(('.Lend-f', 8))
        self.add(uleb(len(base)) + base)

    def variable(self, name, kind, location):
        """location: an expression, or the label of a list."""
        self.add(b'\x09' if isinstance(location, bytes) else b'\x0a')
        self.text(name)
        self.reference(kind)
        if isinstance(location, bytes):
            self.add(uleb(len(location)) + location)
        else:
            self.add((location, 4))

    def assembly(self):
        out = ['.section .debug_info,"",@progbits', '.long .Linfo_end-.Linfo', '.Linfo:',
               '.short %d' % self.version]
        out += ['.byte 1,8', '.long .Labbrev'] if self.version == 5 else \
               ['.long .Labbrev', '.byte 8']
        for part in self.parts:
            if isinstance(part, bytes):
                out.append('.byte ' + ','.join(map(str, part)))
            else:
                out.append('.%s %s' % ('quad' if part[1] == 8 else 'long', part[0]))
        return '\n'.join(out + ['.byte 0,0', '.Linfo_end:', ''])


ABBREVIATIONS = [
    (1, 0x11, 1, [(3, 8), (0x10, 0x17), (0x1b, 8), (0x11, 1), (0x12, 7), (0x13, 0x0b)]),
    (2, 0x24, 0, [(3, 8), (0x0b, 0x0b), (0x3e, 0x0b)]),
    (3, 0x04, 1, [(3, 8), (0x0b, 0x0b), (0x49, 0x13)]),
    (4, 0x28, 0, [(3, 8), (0x1c, 0x0d)]),
    (5, 0x0f, 0, [(0x0b, 0x0b), (0x49, 0x13)]),
    (6, 0x13, 1, [(3, 8), (0x0b, 0x0b)]),
    (7, 0x0d, 0, [(3, 8), (0x49, 0x13), (0x38, 0x0b)]),
    (8, 0x2e, 1, [(3, 8), (0x3a, 0x0b), (0x3b, 0x0b), (0x11, 1), (0x12, 7), (0x40, 0x18)]),
    (9, 0x34, 0, [(3, 8), (0x49, 0x13), (2, 0x18)]),
    (10, 0x34, 0, [(3, 8), (0x49, 0x13), (2, 0x17)]),
    (11, 0x0d, 0, [(3, 8), (0x49, 0x13), (0x6b, 0x0b), (0x0d, 0x0b)]),
]


def program(info, cfi, lists=''):
    """Assembly. cfi: the directive that says where the frame is from the line f:1 on. A jump
    before it ends what ktrace can tell of the stack since the entry, where slots are unwritten."""
    abbreviations = b''.join(
        uleb(code) + uleb(tag) + bytes([children]) +
        b''.join(uleb(a) + uleb(form) for a, form in attributes) + b'\0\0'
        for code, tag, children, attributes in ABBREVIATIONS) + b'\0'
    return '''.file "fuzz.c"
.section .debug_line,"",@progbits
.Lline:
.text
.file 1 "/fuzz.c"
.globl f
.type f,@function
f: .loc 1 10 0
.cfi_startproc
nop
jmp 1f
1: %s
.loc 1 11 0
.Lprobed: nop
.Lafter: .loc 1 12 0
ret
.cfi_endproc
.Lend: .size f,.-f
.globl _start
.type _start,@function
_start: call f
hlt
.size _start,.-_start
%s
.section .debug_abbrev,"",@progbits
.Labbrev: .byte %s
%s
''' % (cfi, info.assembly(), ','.join(map(str, abbreviations)), lists)


class Generator:
    """One expression. stack: the types of what it has pushed, None for the generic one."""

    def __init__(self, rng, info):
        self.rng, self.info, self.out, self.stack = rng, info, bytearray(), []
        self.is_block = False

    def op(self, code, *operands):
        self.out.append(GNU.get(code, code) if self.info.version == 4 else code)
        for operand in operands:
            self.out += operand

    def small(self):
        return self.rng.choice((0, 1, 2, 3, 4, 5, 7, 8, 12, 16, 24, 31, 32, 33, 48, 56, 63, 64, 65,
                                255))

    def offset(self):
        return self.rng.choice((0, 0, 4, 8, -8, -4, 16, 100, -128, 1 << 20, -(1 << 31), 1 << 33,
                                -(1 << 62)) if self.rng.random() < .9 else (-(1 << 63),))

    def push(self, kind=None):
        self.stack.append(kind)

    def register(self, offset=True):
        number = self.rng.randrange(16)
        value = sleb(self.offset() if offset else 0)
        if self.rng.random() < .2:
            self.op(0x92, uleb(number, self.rng.randrange(3)), value)
        else:
            self.op(0x70 + number, value)
        self.push()

    def constant(self):
        rng = self.rng
        value = rng.choice((0, 1, 2, 3, 5, 8, 31, 63, 64, 0x7f, 0x80, 0xff, 0xfff, 0x7fff, 0xffff,
                            0x7fffffff, 0xffffffff, 1 << 31, 1 << 63, (1 << 64) - 1, (1 << 63) - 1,
                            rng.getrandbits(64), rng.getrandbits(20)))
        fits = [(code, size) for code, size in ((8, 1), (0x0a, 2), (0x0c, 4), (0x0e, 8))
                if value < 1 << 8 * size]
        choice = rng.randrange(4)
        if value < 32 and choice == 0:
            self.op(0x30 + value)
        elif choice == 1:
            self.op(0x10, uleb(value, rng.choice((0, 0, 2))))
        elif choice == 2:
            self.op(0x11, sleb(value - (1 << 64) if value >> 63 else value))
        else:
            code, size = rng.choice(fits)
            self.op(code + rng.randrange(2), value.to_bytes(size, 'little'))
        self.push()

    def address(self, depth=0):
        """One that a probe event can follow, most often."""
        rng = self.rng
        choice = rng.random()
        if choice < .5 or depth > 2:
            self.register()
        elif choice < .65:
            self.op(0x91, sleb(self.offset()))
            self.push()
        elif choice < .7:
            self.op(0x9c)
            self.push()
        elif choice < .73:
            self.constant()
        else:
            self.address(depth + 1)
            self.op(0x06)
        if rng.random() < .3:
            self.op(0x23, uleb(rng.choice((0, 8, 24, 4096))))

    def typed(self):
        """A typed value."""
        name, size, _ = self.rng.choice(INTEGERS + INTEGERS[6:])
        kind = uleb(self.info.offsets[name])
        choice = self.rng.randrange(3)
        if choice == 0:
            self.op(0xa5, uleb(self.rng.randrange(16)), kind)
        elif choice == 1:
            self.address()
            self.stack.pop()
            self.op(0xa6, bytes([size]), kind)
        else:
            value = self.rng.choice((0, 1, 255, 1 << 7, (1 << 64) - 1, 1 << 63,
                                     self.rng.getrandbits(64))) & ((1 << 8 * size) - 1)
            self.op(0xa4, kind, bytes([size]), value.to_bytes(size, 'little'))
        self.push(name)

    def entry(self):
        inner = Generator(self.rng, self.info)
        if self.rng.random() < .6:
            inner.out.append(0x50 + self.rng.randrange(16))
        else:
            inner.address()
            if self.rng.random() < .3:
                inner.op(0x06)
        self.op(0xa3, uleb(len(inner.out)), inner.out)
        self.push()

    def fresh(self):
        choice = self.rng.random()
        if choice < .3:
            self.register()
        elif choice < .5:
            self.constant()
        elif choice < .75:
            self.address()
            self.op(*self.rng.choice(((0x06,), (0x94, b'\1'), (0x94, b'\2'), (0x94, b'\4'),
                                      (0x94, b'\4'), (0x94, b'\x08')) if self.rng.random() < .98
                                     else ((0x94, b'\3'),)))
        elif choice < .9:
            self.typed()
        elif choice < .95:
            self.entry()
        else:
            self.address()

    def type_of(self, name):
        return uleb(self.info.offsets[name] if name else 0)

    def convert(self, name):
        self.op(0xa8, self.type_of(name))
        self.stack[-1] = name

    def binary(self):
        rng = self.rng
        if len(self.stack) < 2 or rng.random() < .3:
            if self.stack[-1] is None:
                self.constant()
            else:
                self.typed()
        code = rng.choice((0x1a, 0x1b, 0x1b, 0x1c, 0x1d, 0x1d, 0x1e, 0x21, 0x22, 0x22, 0x24, 0x25,
                           0x26, 0x27, 0x29, 0x2a, 0x2b, 0x2c, 0x2d, 0x2e))
        if code in (0x24, 0x25, 0x26) and rng.random() < .8:
            self.op(0x08, bytes([self.small()]))  # a count may be of any type
            self.push()
        elif self.stack[-1] != self.stack[-2]:
            self.convert(self.stack[-2])
        self.op(code)
        self.stack.pop()
        if 0x29 <= code <= 0x2e:
            self.stack[-1] = None

    def shuffle(self):
        depth = len(self.stack)
        choice = self.rng.randrange(6)
        if choice == 0:
            self.op(0x12)
            self.push(self.stack[-1])
        elif choice == 1 and depth > 1:
            self.op(0x13)
            self.stack.pop()
        elif choice == 2 and depth > 1:
            self.op(0x14)
            self.push(self.stack[-2])
        elif choice == 3:
            index = self.rng.randrange(depth)
            self.op(0x15, bytes([index]))
            self.push(self.stack[-1 - index])
        elif choice == 4 and depth > 1:
            self.op(0x16)
            self.stack[-2:] = self.stack[:-3:-1]
        elif choice == 5 and depth > 2:
            self.op(0x17)
            self.stack[-3:] = [self.stack[-1]] + self.stack[-3:-1]

    def retype(self):
        top = self.stack[-1]
        sizes = {name: size for name, size, _ in TYPES}
        if self.rng.random() < .3:
            same = [n for n, size, _ in INTEGERS if size == (sizes[top] if top else 8)]
            name = self.rng.choice(same + ([None] if not top or sizes[top] == 8 else []))
            self.op(0xa9, self.type_of(name))
            self.stack[-1] = name
        elif self.rng.random() < .02:
            self.convert(self.rng.choice(('float', 'double', 'complex')))
            self.convert(None)
        else:
            self.convert(self.rng.choice([n for n, _, _ in INTEGERS] + [None, 'char']))

    def block(self):
        """One generic value, by itself."""
        inner = Generator(self.rng, self.info)
        inner.is_block = True
        inner.steps(self.rng.randrange(1, 4))
        inner.only_generic()
        return bytes(inner.out)

    def branch(self):
        there, here = self.block(), self.block()
        if self.rng.random() < .3:  # a condition that is known
            self.op(0x30 + self.rng.randrange(2))
            self.push()
        self.op(0x28, struct.pack('<h', len(here) + 3))
        self.stack.pop()
        self.out += here
        self.op(0x2f, struct.pack('<h', len(there)))
        self.out += there
        self.push()

    def loop(self):
        """Over the value and a counter that is known."""
        self.only_generic_top()
        self.op(0x30 + self.rng.randrange(1, 6))
        start = len(self.out)
        self.out += bytes([0x16, 0x33, self.rng.choice((0x22, 0x1e, 0x27, 0x24)), 0x16, 0x31, 0x1c,
                           0x12])
        self.op(0x28, struct.pack('<h', start - len(self.out) - 3))
        self.op(0x13)

    def only_generic_top(self):
        if self.stack[-1]:
            self.convert(None)

    def only_generic(self):
        while len(self.stack) > 1:
            self.op(0x13)
            self.stack.pop()
        self.only_generic_top()

    def steps(self, count):
        self.fresh()
        for _ in range(count):
            choice = self.rng.random()
            if choice < .2 and len(self.stack) < 20:
                self.fresh()
            elif choice < .6:
                self.binary()
            elif choice < .7:
                self.op(self.rng.choice((0x19, 0x1f, 0x20)))
            elif choice < .8:
                self.shuffle()
            elif choice < .9:
                self.retype()
            elif choice < .93 and self.stack[-1] is None:
                self.op(0x23, uleb(self.rng.choice((0, 1, 8, 1 << 40, (1 << 64) - 1))))
            elif choice < .94:
                self.op(0x96)
            elif choice < .96 and not self.is_block:
                self.branch()
            elif choice < .98 and not self.is_block:
                self.loop()

    def end(self, may_be_memory, size):
        """What it describes."""
        choice = self.rng.random()
        if choice < .1:
            number = self.rng.randrange(16)
            self.op(*((0x50 + number,) if self.rng.random() < .8 else (0x90, uleb(number))))
        elif choice < .14:
            self.op(0x9e, uleb(size), self.rng.randbytes(size))
        elif choice < .35 and may_be_memory:
            self.address()
        elif choice < .38 and may_be_memory:
            self.steps(self.rng.randrange(4))
            self.only_generic_top()
        else:
            self.steps(self.rng.choice((0, 1, 2, 3, 4, 5, 8, 12, 30)))
            self.only_generic_top()
            self.op(0x9f)

    def pieces(self, size):
        done = 0
        while done < size:
            step = min(self.rng.choice((1, 2, 3, 4, 4, 8)), size - done)
            if self.rng.random() < .97:
                self.end(True, step)
            self.stack.clear()
            if self.rng.random() < .2:
                self.op(0x9d, uleb(step * 8), b'\0')
            else:
                self.op(0x93, uleb(step))
            done += step


def expression(rng, info, size):
    generator = Generator(rng, info)
    if rng.random() < .15:
        generator.pieces(size)
    else:
        generator.end(True, min(size, 8))
    return bytes(generator.out)


def cfi(rng):
    """(directive, the frame address at the probed line as an expression)"""
    if rng.random() < .3:
        rule = bytes([0x70 + rng.randrange(16)]) + sleb(8) + rng.choice(
            (b'', b'\x06', b'\x31\x1c', b'\x09\xf0\x1a', b'\x12\x06\x22'))
        return '.cfi_escape ' + ','.join(map(str, b'\x0f' + uleb(len(rule)) + rule)), rule
    register, offset = rng.randrange(16), rng.randrange(0, 400, 8)
    return '.cfi_def_cfa %d, %d' % (register, offset), bytes([0x70 + register]) + sleb(offset)
