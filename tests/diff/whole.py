# SPDX-License-Identifier: GPL-2.0-only
"""What a variable is worth where DWARF describes it by more than value.py follows:
pieces, entry values, branches, implicit pointers (of which the value is what they point to), per-CPU
objects. Also the class of a location, and the judgement of an answer.

An entry value is evaluated on a machine of its own, the one that the function was called with."""
import re

from sites import Truth, find_variable, is_scalar, is_signed, type_size
from value import (MASK, Expression, Fetch, Finish, Machine, NoValue, Slot, Sum, decode, signed,
                   symbol_address)

STEPS_MAX = 2000
CPUS = 2  # of the machines: ktrace records a per-CPU object of each
CLASSES = ('register', 'memory', 'computed value', 'computed address', 'constant', 'entry value',
           'pieces', 'implicit pointer', 'static', 'per-CPU', 'float', 'other operation',
           'lost pointee', 'lost piece', 'ends here', 'out of range', 'no location')
# 'lost pointee': an implicit pointer to what has no value; 'lost piece': a part of it is nowhere.
# 'ends here': the location comes from before, and ends between two statements of this address; who
# jumps here may have something else there. ktrace shows it only where nobody can jump to.
UNDESCRIBED = ('lost pointee', 'lost piece', 'ends here', 'out of range', 'no location')


class Run(Machine):
    """A machine at the hit, on one of the CPUs, and the one at the function's entry."""

    def __init__(self, seed):
        super().__init__(seed)
        self.entry, self.cpu = Machine('entry of %s' % seed), seed % CPUS


class Even(Run):
    """Where random numbers would always differ: all registers, and all of memory, are the same."""

    def __init__(self, seed):
        super().__init__(seed)
        for machine in (self, self.entry):
            machine.registers = [64] * 17
            machine.load = lambda address, size: 0


LOST_PIECE = 'a piece is missing'
RUNS = [Run(seed) for seed in range(3)] + [Even(3)]


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
    """A Truth that is evaluated whole. view: the statement among those of the address; as_type,
    shift: of what an implicit pointer leads to, the pointer's idea of it."""

    def __init__(self, elf, dwarf, instance, place, choice, as_type=None, shift=0):
        self.view, self.as_type, self.shift = place[1], as_type, shift
        self.pointees, self.percpu = [], None
        super().__init__(elf, dwarf, instance, place[0], choice[0].name or '', *choice)

    def locate(self):
        if self.as_type is not None:
            self.type = self.as_type
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
        if len(self.ops) == 1 and self.ops[0][0] == 'addr' and \
                self.ops[0][1] in self.elf.section_range('.data..percpu'):
            self.percpu = self.ops[0][1]
            return 'value'
        if len(self.ops) == 1 and self.ops[0][0] == 'implicit_pointer':
            return self.find_pointees(*self.ops[0][1:])
        try:
            self.number(RUNS[0])
        except NoValue as error:
            self.why = str(error)
            if self.why == LOST_PIECE:
                self.location = 'lost piece'
            return 'operation'
        except ZeroDivisionError:
            pass
        return 'value'

    def find_pointees(self, shift, target):
        self.why = 'it points to nothing that has a value'
        try:
            pointee = self.variable.unit.die(target)
        except KeyError:
            self.why = 'its pointee is in another unit'
            return 'operation'
        kind = self.type.type() if self.type is not None else None
        found = [Known(self.elf, self.dwarf, self.instance, (self.pc, self.view), choice, kind,
                       shift) for choice in choices(self.instance, pointee, self.pc, self.view)]
        self.pointees = [k for k in found if k.kind in ('value', 'aggregate') and not k.pointees]
        if self.pointees:
            return 'pointer'
        self.location = 'lost pointee'
        return 'operation'

    def ends_here(self):
        return self.variable.unit.location_at(self.variable, self.pc) != self.expression

    def run(self, machine):
        """As Whole.run()."""
        if self.constant is not None:
            result = 'value', self.constant & MASK
        elif self.percpu is not None:
            area = symbol_address(self.elf, '__per_cpu_offset') + 8 * machine.cpu
            result = 'memory', machine.load(area, 8) + self.percpu & MASK
        else:
            result = Whole(self.dwarf, self.variable.unit, machine, self.pc,
                           self.instance.outer).run(self.without_piece())
        if not self.shift:
            return result
        if result[0] == 'memory':
            return 'memory', result[1] + self.shift & MASK
        return result[:1] + tuple(part >> 8 * self.shift for part in result[1:])

    def without_piece(self):
        """One piece that is all of it is no piece."""
        starts, size = [], whole_size(self.variable.type())
        ops = decode(self.expression, starts)
        if size and ops[-1] == ('piece', size) and \
                not any(op[0] in ('piece', 'bit_piece') for op in ops[:-1]) and len(ops) > 1:
            return self.expression[:starts[-1]]
        return self.expression

    def is_negation(self):
        """gcc has bools of one bit: `!flag` is DW_OP_not of the flag's register, of which that bit is the bool. The same
        program at -O0 says so."""
        ops = [op for op in decode(self.expression or b'') if op[0] != 'stack_value']
        return bool(ops) and ops[-1][0] == 'not' and self.type.attrs.get('encoding') == 2  # DW_ATE_boolean

    def number(self, machine):
        """Extended to 64 bits by its type; of what is no scalar, its address or all its bits."""
        result = self.run(machine)
        kind, value = result[:2]
        bits = whole_size(self.type) * 8
        ones = (1 << bits) - 1
        if kind == 'pieces' and result[2] & ones != ones:
            raise NoValue(LOST_PIECE)
        if not is_scalar(self.type):
            return value
        if self.is_negation():
            ones = 1
        if kind == 'memory':
            value = machine.load(value, bits // 8)
        return signed(value, bits) & MASK if is_signed(self.type) else value & ones

    def fault(self, answer):
        """Why ktrace's answer is not this; None: it is. Raises Unjudged."""
        if self.pointees:
            faults = [pointee.fault_of(answer) for pointee in self.pointees]
            return None if answer.get('pointee') and None in faults else \
                faults[0] or 'not said to be what it points to'
        if answer.get('pointee'):
            return 'said to be what it points to, but DWARF: %s' % self.location
        return self.fault_of(answer)

    def fault_of(self, answer):
        if self.kind not in ('value', 'aggregate'):
            return 'a value, but DWARF: %s %s' % (self.kind, self.why)
        for machine in RUNS:
            try:
                mine = Answer(answer, self.elf, self.instance)
                found = self.aggregate_fault(mine, machine) if self.kind == 'aggregate' else \
                    self.scalar_fault(mine, machine)
            except ZeroDivisionError:
                continue
            except (KeyError, ValueError, TypeError, IndexError) as error:
                raise Unjudged('%s: %s' % (type(error).__name__, error)) from error
            if found:
                return found
        return None

    def scalar_fault(self, answer, machine):
        got, expected = answer.value(machine), self.number(machine)
        if got != expected:
            return '%#x, DWARF says %#x' % (got, expected)
        return None

    def aggregate_fault(self, answer, machine):
        """All its bytes, side by side; or a string that begins there."""
        result = self.run(machine)
        size = whole_size(self.type)
        if result[0] != 'memory':
            return self.bits_fault(answer, machine, result, size)
        at = result[1]
        for what, address, length in answer.parts(machine):
            if what != 'memory' or address != at:
                return '%s at %#x, DWARF says memory at %#x' % (what, address, at)
            at += length or size
        if at != result[1] + size and size:
            return '%d of %d bytes' % (at - result[1], size)
        return None

    def bits_fault(self, answer, machine, result, size):
        """A struct in a register, or whose pieces are."""
        ones = (1 << 8 * size) - 1
        if not size or (size > 8 and result[0] != 'pieces'):
            raise Unjudged('an aggregate of %d bytes in %s' % (size, result[0]))
        bits = answer.bits(machine)
        if bits & ones != result[1] & ones:
            return '%#x, DWARF says %#x' % (bits & ones, result[1] & ones)
        return None


class Answer:
    """ktrace's, on a machine. Its companions must be where they say something of this hit: the one at
    the entry at the function's, the one that adds at the same place."""

    def __init__(self, answer, elf, instance):
        self.elf = elf
        self.entry = answer.get('entry') or [False] * len(answer['fetch'])
        self.finish = '' if answer['finish'] == answer['type'] else answer['finish']
        companions = {c['role']: c for c in answer.get('companions', ())}
        sums = self.sums(companions['sum']) if 'sum' in companions else {}
        if 'sum' in companions and place_of(companions['sum']['definition']) != \
                place_of(answer['definition']):
            raise ValueError('it is added elsewhere')
        if any(self.entry):
            entry = symbol_address(elf, place_of(companions['entry']['definition']))
            if entry != instance.outer.entry():
                raise ValueError('the entry is not %#x' % entry)
        self.fetches = [Fetch(text, elf, sums) for text in answer['fetch']]

    def sums(self, companion):
        """{"$s0": Sum} of "...hist:keys=common_cpu:s0=a+b*8:s1=..."."""
        found = re.findall(r':(s\d+)=([^:]*)', companion['trigger'])
        return {'$' + name: Sum(text, companion['definition'], self.elf) for name, text in found}

    def value(self, machine):
        fetched, finish = self.fetched(machine), self.finish_on(machine)
        return Finish(finish, self.elf).value(fetched) if finish else fetched[0]

    def fetched(self, machine):
        return [fetch.value(machine.entry if at_entry else machine)
                for fetch, at_entry in zip(self.fetches, self.entry)]

    def bits(self, machine):
        """Of an object: "{f0 : 8, f1 >> 32 : 4}" is of parts, of so many bytes each."""
        if self.finish and self.finish[0] != '{':
            return self.value(machine)
        bits = at = 0
        if self.finish:
            fetched = self.fetched(machine)
            # the bytes of a member that is nowhere are 0
            parts = [(0 if text == '?' else Finish(text, self.elf).value(fetched), int(size)) for text, _, size in
                     (part.rpartition(' : ') for part in self.finish[1:-1].split(', '))]
        else:
            parts = [(machine.load(where, size) if what == 'memory' else where, size)
                     for what, where, size in self.parts(machine)]
        for value, size in parts:
            bits |= (value & (1 << 8 * size) - 1) << at
            at += 8 * size
        return bits

    def finish_on(self, machine):
        """Of "(f0, f1)[cpu]" that of the machine's CPU."""
        if not self.finish.endswith('[cpu]'):
            return self.finish
        return self.finish[1:-len(')[cpu]')].split(', ')[machine.cpu]

    def parts(self, machine):
        """[(memory or value, where, bytes; 0: a string)] of a whole object."""
        which = self.finish_on(machine)
        if re.fullmatch(r'f\d+', which):
            chosen = [int(which[1:])]
        elif which:
            raise ValueError('an object with a finish')
        else:
            chosen = range(len(self.fetches))
        found = []
        for index in chosen:
            fetch = self.fetches[index]
            at = machine.entry if self.entry[index] else machine
            found.append(fetch.place(at, fetch.body) + (fetch.length(),))
        return found


def place_of(definition):
    return definition.split()[1]


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


def choices(copy, variable, pc, view):
    """[(variable, expression, certain)] at one position; no expression: a constant, or nothing."""
    if variable.get('const_value') is not None:
        return [(variable, None, True)]
    return [(variable,) + place for place in
            variable.unit.locations_at(variable, pc, view, copy.is_entry(pc, view))] or \
        [(variable, None, False)]


def knowns(kernel, copy, pc, view, name, line=0):
    """All that a variable may rightly be at one position of a copy, the certain ones first."""
    found = [Known(kernel.elf, kernel.dwarf, copy, (pc, view), choice)
             for variable in find_variable(copy, pc, name, line)
             for choice in choices(copy, variable, pc, view)]
    return sorted(found, key=lambda known: not known.certain)
