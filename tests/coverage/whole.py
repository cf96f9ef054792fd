# SPDX-License-Identifier: GPL-2.0-only
"""What a variable is worth where DWARF describes it by more than tests/diff's reader follows:
pieces, entry values, branches. Also the class of a location, and the judgement of an answer.

An entry value is evaluated on a machine of its own, the one that the function was called with."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../diff'))
from sites import Truth, find_variable, is_scalar, is_signed, type_size  # noqa: E402
from value import (MASK, Expression, Fetch, Finish, Machine, NoValue, Slot, decode,  # noqa: E402
                   signed)

STEPS_MAX = 2000
CLASSES = ('register', 'memory', 'computed value', 'computed address', 'constant', 'entry value',
           'pieces', 'implicit pointer', 'static', 'per-CPU', 'float', 'other operation',
           'ends here', 'out of range', 'no location')
# 'ends here': the location comes from before, and ends between two statements of this address; who
# jumps here may have something else there. ktrace shows it only where nobody can jump to.
UNDESCRIBED = ('ends here', 'out of range', 'no location')


class Run(Machine):
    """A machine at the hit, and the one at the function's entry."""

    def __init__(self, seed):
        super().__init__(seed)
        self.entry = Machine('entry of %s' % seed)


RUNS = [Run(seed) for seed in range(3)]


class Whole(Expression):
    """run() also gives ('pieces', value, mask of the bits that are known)."""

    def run(self, data):
        ops = decode(data)
        names = {op[0] for op in ops}
        if names & {'piece', 'bit_piece'}:
            return self.run_pieces(ops)
        if names & {'bra', 'skip'}:
            return self.run_branches(data)
        return super().run(data)

    def run_branches(self, data):
        starts, stack, at = [], [], 0
        ops = decode(data, starts)
        starts.append(len(data))
        for _ in range(STEPS_MAX):
            if at == len(ops):
                return 'memory', stack[-1].value
            op, at = ops[at], at + 1
            if op[0] == 'stack_value':
                return 'value', stack[-1].value
            if op[0] == 'skip' or (op[0] == 'bra' and stack.pop().value):
                at = starts.index(starts[at] + op[1])
            elif op[0] != 'bra':
                self.step(stack, op)
        raise NoValue('an endless expression')

    def run_pieces(self, ops):
        value = mask = at = 0
        part = []
        for op in ops:
            if op[0] not in ('piece', 'bit_piece'):
                part.append(op)
                continue
            bits = op[1] * 8 if op[0] == 'piece' else op[1]
            ones = (1 << bits) - 1
            found = self.piece(part, bits)
            if op[0] == 'bit_piece' and found is not None:
                found >>= op[2]
            if found is not None:
                value |= (found & ones) << at
                mask |= ones << at
            at, part = at + bits, []
        return 'pieces', value, mask

    def piece(self, part, bits):
        if not part:
            return None
        first, stack = part[0], []
        if first[0] in ('reg', 'regx'):
            if first[1] > 16:
                raise NoValue('register %d' % first[1])
            return self.machine.registers[first[1]]
        if first[0] == 'implicit_value':
            return int.from_bytes(first[1], 'little')
        if first[0] == 'implicit_pointer':
            raise NoValue('implicit_pointer')
        for op in part:
            if op[0] == 'stack_value':
                return stack[-1].value
            self.step(stack, op)
        return self.machine.load(stack[-1].value, (bits + 7) // 8)

    def step(self, stack, op):
        if op[0] != 'entry_value':
            super().step(stack, op)
            return
        at_entry = Whole(self.dwarf, self.unit, self.machine.entry, self.pc, self.frame)
        kind, value = at_entry.run(op[1])[:2]
        stack.append(Slot(value if kind == 'value' else at_entry.machine.load(value, 8)))


def has_entry_value(ops):
    return any(op[0] == 'entry_value' for op in ops)


def location_class(elf, variable, expression):
    """One of CLASSES."""
    kind = variable.type()
    if variable.get('const_value') is not None:
        return 'constant'
    if not expression:
        return 'no location' if variable.get('location') is None else 'out of range'
    ops = decode(expression)
    names = [op[0] for op in ops]
    if has_entry_value(ops):
        return 'entry value'
    if 'implicit_pointer' in names:
        return 'implicit pointer'
    if 'piece' in names or 'bit_piece' in names:
        return 'pieces'
    if any(op[0] == 'addr' and op[1] in elf.section_range('.data..percpu') for op in ops):
        return 'per-CPU'
    if (kind is not None and kind.attrs.get('encoding') == 4) or \
            (names[0] in ('reg', 'regx') and ops[0][1] > 16):
        return 'float'
    if set(names) & {'parameter_ref', 'variable_value'} or any(n.startswith('0x') for n in names):
        return 'other operation'
    if len(names) == 1:
        return {'reg': 'register', 'regx': 'register', 'addr': 'static', 'fbreg': 'memory',
                'implicit_value': 'constant', 'breg': 'memory', 'bregx': 'memory',
                'call_frame_cfa': 'memory'}.get(names[0], 'computed address')
    if names[-1] == 'stack_value':
        return 'constant' if set(names[:-1]) <= {'lit', 'const'} else 'computed value'
    return 'computed address'


class Known(Truth):
    """A Truth that is evaluated whole."""

    def locate(self):
        constant = self.variable.get('const_value')
        self.location = location_class(self.elf, self.variable, self.expression)
        if not self.certain and self.expression and self.ends_here():
            self.location = 'ends here'
        if constant is not None:
            self.constant = int.from_bytes(constant, 'little') if isinstance(constant, bytes) \
                else constant
            return 'value'
        if self.expression is None:
            self.why = 'no location at %#x' % self.pc
            return 'absent'
        self.ops = decode(self.expression)
        if any(op[0] == 'addr' and op[1] in self.elf.section_range('.data..percpu')
               for op in self.ops):
            return 'percpu'
        try:
            self.number(RUNS[0])
        except NoValue as error:
            self.why = str(error)
            return 'operation'
        except ZeroDivisionError:
            pass
        return 'value'

    def ends_here(self):
        return self.variable.unit.location_at(self.variable, self.pc) != self.expression

    def run(self, machine):
        if self.constant is not None:
            return 'value', self.constant & MASK
        return Whole(self.dwarf, self.variable.unit, machine, self.pc,
                     self.instance.outer).run(self.expression)

    def number(self, machine):
        """Extended to 64 bits by its type; of what is no scalar, its address or all its bits."""
        result = self.run(machine)
        kind, value = result[:2]
        if not is_scalar(self.type):
            return value
        bits = type_size(self.type) * 8
        ones = (1 << bits) - 1
        if kind == 'pieces' and result[2] & ones != ones:
            raise NoValue('a piece is missing')
        if kind == 'memory':
            value = machine.load(value, bits // 8)
        return signed(value, bits) & MASK if is_signed(self.type) else value & ones

    def fault(self, answer):
        """Why ktrace's answer is not this; None: it is. Raises Unjudged."""
        if self.kind == 'absent' or self.kind == 'operation':
            return 'a value, but DWARF: %s %s' % (self.kind, self.why)
        if self.kind == 'percpu':
            raise Unjudged('per-CPU')
        for machine in RUNS:
            try:
                found = self.aggregate_fault(answer, machine) if self.kind == 'aggregate' else \
                    self.scalar_fault(answer, machine)
            except ZeroDivisionError:
                continue
            except (KeyError, ValueError, TypeError) as error:
                raise Unjudged('%s: %s' % (type(error).__name__, error)) from error
            if found:
                return found
        return None

    def scalar_fault(self, answer, machine):
        got, expected = self.answered(answer, machine), self.number(machine)
        if got != expected:
            return '%#x, DWARF says %#x' % (got, expected)
        return None

    def answered(self, answer, machine):
        entry = answer.get('entry') or [False] * len(answer['fetch'])
        fetched = [Fetch(text, self.elf).value(machine.entry if at_entry else machine)
                   for text, at_entry in zip(answer['fetch'], entry)]
        return Finish(answer['finish']).value(fetched) if answer['finish'] else fetched[0]

    def aggregate_fault(self, answer, machine):
        """Each part must be memory of the object."""
        kind, start = self.run(machine)[:2]
        size = whole_size(self.type)
        if kind != 'memory' or not answer['fetch']:
            raise Unjudged('an aggregate in %s' % kind)
        for text in answer['fetch']:
            what, address = Fetch(text, self.elf).place(machine, Fetch(text, self.elf).body)
            if what != 'memory' or not start <= address < start + max(size, 1):
                return '%s is not in the %d bytes at %#x' % (text, size, start)
        return None


class Unjudged(Exception):
    """An answer that nobody could tell right from wrong."""


def whole_size(kind):
    """In bytes; arrays too."""
    if kind is None:
        return 0
    if kind.tag != 'array':
        return type_size(kind)
    count = 1
    for child in kind.children:
        if child.tag == 'subrange':
            bound = child.attrs.get('upper_bound')
            count *= child.attrs['count'] if isinstance(child.attrs.get('count'), int) else \
                bound + 1 if isinstance(bound, int) else 0
    return count * whole_size(kind.type())


def knowns(kernel, copy, pc, view, name):
    """All that a variable may rightly be at one position of a copy, the certain ones first."""
    found = []
    for variable in find_variable(copy, pc, name):
        if variable.get('const_value') is not None:
            places = [(None, True)]
        else:
            places = variable.unit.locations_at(variable, pc, view) or [(None, False)]
        found += [Known(kernel.elf, kernel.dwarf, copy, pc, name, variable, *place)
                  for place in places]
    return sorted(found, key=lambda known: not known.certain)
