# SPDX-License-Identifier: GPL-2.0-only
"""What a location of DWARF, and what a fetch argument with ktrace's finish, are worth.

Both are evaluated over the same made-up machine: random registers, and memory whose every byte is a
function of its address. Two descriptions that agree on several such machines are the same; nobody's
text is compared with anybody's text."""
import hashlib
import re
import struct

from dwarf import sleb, uleb

MASK = (1 << 64) - 1
REGISTERS = ['ax', 'dx', 'cx', 'bx', 'si', 'di', 'bp', 'sp', 'r8', 'r9', 'r10', 'r11', 'r12',
             'r13', 'r14', 'r15', 'ip']
OPS = {0x03: 'addr', 0x06: 'deref', 0x12: 'dup', 0x13: 'drop', 0x14: 'over', 0x15: 'pick',
       0x16: 'swap', 0x17: 'rot', 0x19: 'abs', 0x1a: 'and', 0x1b: 'div', 0x1c: 'minus', 0x1d: 'mod',
       0x1e: 'mul', 0x1f: 'neg', 0x20: 'not', 0x21: 'or', 0x22: 'plus', 0x23: 'plus_uconst',
       0x24: 'shl', 0x25: 'shr', 0x26: 'shra', 0x27: 'xor', 0x28: 'bra', 0x29: 'eq', 0x2a: 'ge',
       0x2b: 'gt', 0x2c: 'le', 0x2d: 'lt', 0x2e: 'ne', 0x2f: 'skip', 0x90: 'regx', 0x91: 'fbreg',
       0x92: 'bregx', 0x93: 'piece', 0x94: 'deref_size', 0x96: 'nop', 0x9c: 'call_frame_cfa',
       0x9d: 'bit_piece', 0x9e: 'implicit_value', 0x9f: 'stack_value', 0xa0: 'implicit_pointer',
       0xa3: 'entry_value', 0xa4: 'const_type', 0xa5: 'regval_type', 0xa6: 'deref_type',
       0xa8: 'convert', 0xa9: 'reinterpret', 0xf3: 'entry_value', 0xf2: 'implicit_pointer',
       0xf4: 'const_type', 0xf5: 'regval_type', 0xf6: 'deref_type', 0xf7: 'convert',
       0xf9: 'reinterpret', 0xfa: 'parameter_ref', 0xfd: 'variable_value'}
CONSTS = {0x08: '<B', 0x09: '<b', 0x0a: '<H', 0x0b: '<h', 0x0c: '<I', 0x0d: '<i', 0x0e: '<Q',
          0x0f: '<q'}


class NoValue(Exception):
    """Described by something that has no value here; the text says which operation."""


def signed(value, bits=64):
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def decode(data, starts=None):
    """An expression as [(name, operands...)]; starts: a list that gets the offset of each."""
    at, ops = 0, []
    while at < len(data):
        if starts is not None:
            starts.append(at)
        op = data[at]
        at += 1
        if op in CONSTS:
            size = struct.calcsize(CONSTS[op])
            ops.append(('const', struct.unpack_from(CONSTS[op], data, at)[0]))
            at += size
        elif op == 0x10:
            value, at = uleb(data, at)
            ops.append(('const', value))
        elif op == 0x11:
            value, at = sleb(data, at)
            ops.append(('const', value))
        elif 0x30 <= op <= 0x4f:
            ops.append(('lit', op - 0x30))
        elif 0x50 <= op <= 0x6f:
            ops.append(('reg', op - 0x50))
        elif 0x70 <= op <= 0x8f:
            value, at = sleb(data, at)
            ops.append(('breg', op - 0x70, value))
        else:
            name = OPS.get(op, '%#x' % op)
            if name == 'addr':
                ops.append((name, struct.unpack_from('<Q', data, at)[0]))
                at += 8
            elif name in ('plus_uconst', 'regx', 'piece', 'convert', 'reinterpret'):
                value, at = uleb(data, at)
                ops.append((name, value))
            elif name == 'fbreg':
                value, at = sleb(data, at)
                ops.append((name, value))
            elif name == 'bregx':
                register, at = uleb(data, at)
                value, at = sleb(data, at)
                ops.append((name, register, value))
            elif name in ('pick', 'deref_size'):
                ops.append((name, data[at]))
                at += 1
            elif name in ('bra', 'skip'):
                ops.append((name, struct.unpack_from('<h', data, at)[0]))
                at += 2
            elif name == 'bit_piece':
                size, at = uleb(data, at)
                value, at = uleb(data, at)
                ops.append((name, size, value))
            elif name in ('implicit_value', 'entry_value'):
                length, at = uleb(data, at)
                ops.append((name, data[at:at + length]))
                at += length
            elif name == 'implicit_pointer':
                target = int.from_bytes(data[at:at + 4], 'little')
                value, at = sleb(data, at + 4)
                ops.append((name, value, target))
            elif name in ('parameter_ref', 'variable_value'):
                ops.append((name,))
                at += 4
            elif name == 'const_type':
                kind, at = uleb(data, at)
                ops.append((name, kind, data[at + 1:at + 1 + data[at]]))
                at += 1 + data[at]
            elif name == 'regval_type':
                register, at = uleb(data, at)
                kind, at = uleb(data, at)
                ops.append((name, register, kind))
            elif name == 'deref_type':
                kind, end = uleb(data, at + 1)
                ops.append((name, data[at], kind))
                at = end
            else:
                ops.append((name,))
    return ops


class Machine:
    """Registers and memory that nobody chose. The stack pointer is aligned as a real one."""

    def __init__(self, seed):
        self.seed = str(seed).encode()
        self.registers = [self.word(b'reg%d' % i) for i in range(17)]
        self.registers[7] &= ~15

    def word(self, what):
        digest = hashlib.blake2b(what, key=self.seed, digest_size=8).digest()
        return int.from_bytes(digest, 'little')

    def load(self, address, size):
        data = bytes(self.word(b'mem%d' % ((address + i) & MASK)) & 0xff for i in range(size))
        return int.from_bytes(data, 'little')


class Slot:
    __slots__ = ('value', 'bits', 'is_signed')

    def __init__(self, value, bits=0, is_signed=False):
        self.bits, self.is_signed = bits, is_signed
        self.value = value & ((1 << bits) - 1 if bits else MASK)

    def number(self):
        """As comparisons and divisions see it: the generic type is signed there."""
        if self.bits:
            return signed(self.value, self.bits) if self.is_signed else self.value
        return signed(self.value)


class Expression:
    """Runs DWARF on a machine. frame: the DIE whose DW_AT_frame_base counts."""

    def __init__(self, dwarf, unit, machine, pc, frame):
        self.dwarf, self.unit, self.machine = dwarf, unit, machine
        self.pc, self.frame = pc, frame

    def run(self, data):
        """('memory', address) or ('value', number)."""
        stack, ops, at = [], decode(data), 0
        for index, op in enumerate(ops):
            name = op[0]
            if name in ('reg', 'regx'):
                if len(ops) > 1:
                    raise NoValue(ops[index + 1][0] if index + 1 < len(ops) else name)
                if op[1] > 16:
                    raise NoValue('register %d' % op[1])
                return 'value', self.machine.registers[op[1]]
            if name == 'implicit_value':
                if index + 1 < len(ops) or len(op[1]) > 8:
                    raise NoValue('implicit_value')
                return 'value', int.from_bytes(op[1], 'little')
            if name == 'stack_value':
                if index + 1 < len(ops):
                    raise NoValue(ops[index + 1][0])
                top = stack[-1]
                return 'value', (signed(top.value, top.bits) & MASK if top.bits and top.is_signed
                                 else top.value)
            self.step(stack, op)
        return 'memory', stack[-1].value

    def base_type(self, offset):
        if not offset:
            return 0, False
        die = self.unit.die(self.unit.offset + offset)
        encoding, size = die.attrs.get('encoding'), die.attrs['byte_size']
        if encoding == 4 or size > 8:
            raise NoValue('arithmetic on type %s' % die.name)
        return size * 8, encoding in (5, 6)

    def frame_base(self):
        data = self.frame.get('frame_base')
        kind, value = self.run(data)
        return value  # a register's value, or the address computed

    def cfa(self):
        rule = self.dwarf.cfa(self.pc)
        if rule is None:
            raise NoValue('call_frame_cfa')
        if rule[0] == 'reg':
            return self.machine.registers[rule[1]] + rule[2]
        return self.run(rule[1])[1]

    def convert(self, slot, bits, is_signed):
        value = slot.value
        if slot.bits and slot.is_signed:
            value = signed(value, slot.bits)
        return Slot(value, bits, is_signed)

    def step(self, stack, op):
        name = op[0]
        if name in ('lit', 'const', 'addr'):
            stack.append(Slot(op[1]))
        elif name in ('breg', 'bregx'):
            if op[1] > 16:
                raise NoValue('register %d' % op[1])
            stack.append(Slot(self.machine.registers[op[1]] + op[2]))
        elif name == 'fbreg':
            stack.append(Slot(self.frame_base() + op[1]))
        elif name == 'call_frame_cfa':
            stack.append(Slot(self.cfa()))
        elif name == 'deref':
            stack.append(Slot(self.machine.load(stack.pop().value, 8)))
        elif name == 'deref_size':
            stack.append(Slot(self.machine.load(stack.pop().value, op[1])))
        elif name == 'deref_type':
            stack.append(Slot(self.machine.load(stack.pop().value, op[1]), *self.base_type(op[2])))
        elif name == 'regval_type':
            if op[1] > 16:
                raise NoValue('register %d' % op[1])
            stack.append(Slot(self.machine.registers[op[1]], *self.base_type(op[2])))
        elif name == 'const_type':
            stack.append(Slot(int.from_bytes(op[2], 'little'), *self.base_type(op[1])))
        elif name in ('convert', 'reinterpret'):
            stack.append(self.convert(stack.pop(), *self.base_type(op[1])))
        elif name == 'dup':
            stack.append(stack[-1])
        elif name == 'drop':
            stack.pop()
        elif name == 'over':
            stack.append(stack[-2])
        elif name == 'pick':
            stack.append(stack[-1 - op[1]])
        elif name == 'swap':
            stack[-1], stack[-2] = stack[-2], stack[-1]
        elif name == 'rot':
            stack[-3:] = [stack[-1], stack[-3], stack[-2]]
        elif name == 'plus_uconst':
            stack[-1] = Slot(stack[-1].value + op[1], stack[-1].bits, stack[-1].is_signed)
        elif name in ('neg', 'not', 'abs'):
            top = stack.pop()
            value = {'neg': -top.value, 'not': ~top.value, 'abs': abs(top.number())}[name]
            stack.append(Slot(value, top.bits, top.is_signed))
        elif name == 'nop':
            pass
        elif name in BINARY:
            b, a = stack.pop(), stack.pop()
            value = BINARY[name](a, b)
            if name in ('eq', 'ne', 'lt', 'le', 'gt', 'ge'):
                stack.append(Slot(int(value)))
            else:
                stack.append(Slot(value, a.bits, a.is_signed))
        else:
            raise NoValue(name)


def divide(a, b):
    if not b.value:
        raise ZeroDivisionError
    quotient = abs(a.number()) // abs(b.number())
    return quotient if (a.number() < 0) == (b.number() < 0) else -quotient


def modulo(a, b):
    if not b.value:
        raise ZeroDivisionError
    return a.value % b.value


BINARY = {
    'plus': lambda a, b: a.value + b.value, 'minus': lambda a, b: a.value - b.value,
    'mul': lambda a, b: a.value * b.value, 'div': divide, 'mod': modulo,
    'and': lambda a, b: a.value & b.value, 'or': lambda a, b: a.value | b.value,
    'xor': lambda a, b: a.value ^ b.value,
    'shl': lambda a, b: a.value << b.value if b.value < 64 else 0,
    'shr': lambda a, b: a.value >> b.value if b.value < 64 else 0,
    'shra': lambda a, b: (signed(a.value, a.bits or 64) >> min(b.value, 63)),
    'eq': lambda a, b: a.value == b.value, 'ne': lambda a, b: a.value != b.value,
    'lt': lambda a, b: a.number() < b.number(), 'le': lambda a, b: a.number() <= b.number(),
    'gt': lambda a, b: a.number() > b.number(), 'ge': lambda a, b: a.number() >= b.number(),
}


def symbol_address(elf, text):
    """Of SYMBOL+OFFSET, where the name has one address; or a number."""
    match = re.fullmatch(r'(0x[0-9a-f]+|[^+-]+(?:-[^0-9][^+-]*)*)([+-]\d+)?', text)
    name, offset = match.group(1), int(match.group(2) or 0)
    if name.startswith('0x'):
        return int(name, 16) + offset
    found = {s.address for s in elf.by_name.get(name, [])}
    if len(found) != 1:
        raise KeyError(name)
    return found.pop() + offset


class Fetch:
    """A kernel fetch argument, "+8(%di):u32", on a machine. sums: {"$s0": Sum} that a companion's
    may begin with."""

    def __init__(self, text, elf, sums=None):
        self.elf, self.sums = elf, sums or {}
        self.body, self.type = text, None
        at = text.rfind(':')
        if at > 0 and not text[:at].endswith(':'):
            self.body, self.type = text[:at], text[at + 1:]

    def place(self, machine, body):
        """('memory', address) or ('value', number)"""
        if body.startswith('%'):
            return 'value', machine.registers[REGISTERS.index(body[1:])]
        if body.startswith('@'):
            return 'memory', symbol_address(self.elf, body[1:])
        if body.startswith('$s'):
            return 'value', self.sums[body].value(machine)
        if body.startswith('\\'):
            return 'value', int(body[1:], 0) & MASK
        match = re.fullmatch(r'([+-])u?(\d+)\((.*)\)', body)
        if not match:
            raise ValueError('fetch %s' % body)
        kind, base = self.place(machine, match.group(3))
        if kind == 'memory':
            base = machine.load(base, 8)
        offset = int(match.group(2))
        return 'memory', (base + (offset if match.group(1) == '+' else -offset)) & MASK

    def value(self, machine):
        """What the kernel records, extended to 64 bits; of strings and arrays, the address."""
        kind, value = self.place(machine, self.body)
        kernel_type = self.type or 'x64'
        if kernel_type in ('string', 'ustring') or '[' in kernel_type:
            if kind != 'memory':
                raise ValueError('%s of no memory' % kernel_type)
            return value
        match = re.fullmatch(r'b(\d+)@(\d+)/(\d+)', kernel_type)
        if match:
            width, offset, size = (int(group) for group in match.groups())
            if kind == 'memory':
                value = machine.load(value, size // 8)
            return value >> offset & ((1 << width) - 1)
        match = re.fullmatch(r'([usx])(\d+)', kernel_type)
        bits = int(match.group(2))
        if kind == 'memory':
            value = machine.load(value, bits // 8)
        value &= (1 << bits) - 1
        return signed(value, bits) & MASK if match.group(1) == 's' else value

    def length(self):
        """In bytes; 0: a string, which has as many as it has."""
        match = re.fullmatch(r'[usx](\d+)(?:\[(\d+)\])?', self.type or 'x64')
        return int(match.group(1)) // 8 * int(match.group(2) or 1) if match else 0


class Sum:
    """What a histogram adds, "frag_1+frag_0*8": operands are fetches of the same instruction, named
    as in the definition of the event that the histogram is of."""

    def __init__(self, text, definition, elf):
        fetches = dict(word.split('=', 1) for word in definition.split()[2:])
        self.terms = []
        for sign, name, factor in re.findall(r'([+-]?)(\w+)(?:\*(\d+))?', text):
            self.terms.append((-1 if sign == '-' else 1, Fetch(fetches[name], elf),
                               int(factor or 1)))

    def value(self, machine):
        return sum(sign * fetch.value(machine) * factor
                   for sign, fetch, factor in self.terms) & MASK


TOKEN = re.compile(r'\s*(&[A-Za-z_][\w.$]*(?:[+-]\d+)?|>>>|<<|>>|<=|>=|==|!=|/u|0x[0-9a-f]+|\d+|'
                   r'f\d+|[us]\d+|abs|unavailable|\S)')


class Finish:
    """ktrace's finish text, as ktrace prints it: brackets around every operator but the last."""

    def __init__(self, text, elf=None):
        self.tokens, self.elf = TOKEN.findall(text), elf
        self.at = 0

    def next(self, want=None):
        token = self.tokens[self.at] if self.at < len(self.tokens) else ''
        if want is not None and token != want:
            raise ValueError('%s: %s, not %s' % (self.tokens, token, want))
        self.at += 1
        return token

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ''

    def value(self, fetched):
        self.at = 0
        result = self.binary(fetched)
        if self.at != len(self.tokens):
            raise ValueError('%s: more at %d' % (self.tokens, self.at))
        return result & MASK

    def binary(self, fetched):
        left = self.unary(fetched)
        operator = self.peek()
        if operator == '?':
            self.next()
            one = self.unary(fetched)
            self.next(':')
            other = self.unary(fetched)
            return one if left & MASK else other
        if operator not in FINISH_OPS:
            return left
        self.next()
        return FINISH_OPS[operator](left & MASK, self.unary(fetched) & MASK) & MASK

    def unary(self, fetched):
        token = self.next()
        if token == '-':
            return -self.unary(fetched)
        if token == '~':
            return ~self.unary(fetched)
        if token == 'unavailable':
            raise ZeroDivisionError(token)
        if token == 'abs':
            self.next('(')
            value = self.binary(fetched)
            self.next(')')
            return abs(signed(value))
        if token == '(':
            match = re.fullmatch(r'([us])(\d+)', self.peek())
            if match:
                self.next()
                self.next(')')
                bits = int(match.group(2))
                value = self.unary(fetched) & ((1 << bits) - 1)
                return signed(value, bits) if match.group(1) == 's' else value
            value = self.binary(fetched)
            self.next(')')
            return value
        if token.startswith('&'):
            return symbol_address(self.elf, token[1:])
        if token.startswith('f'):
            return fetched[int(token[1:])]
        return int(token, 0)


def finish_divide(a, b):
    return divide(Slot(a), Slot(b))


FINISH_OPS = {
    '+': lambda a, b: a + b, '-': lambda a, b: a - b, '*': lambda a, b: a * b,
    '/': finish_divide, '/u': lambda a, b: a // b, '%': lambda a, b: a % b, '&': lambda a, b: a & b,
    '|': lambda a, b: a | b, '^': lambda a, b: a ^ b,
    '<<': lambda a, b: a << b if b < 64 else 0, '>>': lambda a, b: a >> b if b < 64 else 0,
    '>>>': lambda a, b: signed(a) >> min(b, 63), '==': lambda a, b: int(a == b),
    '!=': lambda a, b: int(a != b), '<': lambda a, b: int(signed(a) < signed(b)),
    '<=': lambda a, b: int(signed(a) <= signed(b)), '>': lambda a, b: int(signed(a) > signed(b)),
    '>=': lambda a, b: int(signed(a) >= signed(b)),
}
