# SPDX-License-Identifier: GPL-2.0-only
"""Functions, their copies, and what is in scope in them, from DWARF as dwarf.py reads it."""
from dwarf import holds
from value import MASK, Expression, Machine, NoValue, decode, signed

C_LANGUAGES = {0x01, 0x02, 0x0c, 0x1d, 0x2c}
SCALARS = ('base', 'enum', 'pointer')


class Instance:
    """One copy of a function: out of line or inlined."""

    def __init__(self, function, die, outer):
        self.function, self.die, self.outer = function, die, outer
        self.inlined = die.tag == 'inlined'
        self.ranges, self.entry = die.ranges(), die.entry()
        self.view = die.attrs.get('entry_view', 0)
        self.is_split = self.inlined and is_own_part(die, function.die.offset)

    def is_entry(self, pc, view):
        return (pc, view) == (self.entry, self.view)

    def inner_calls(self):
        """Copies of the same function inlined into this one by real recursion."""
        return [die for die in self.die.walk()
                if die is not self.die and die.tag == 'inlined' and
                die.origin().offset == self.function.die.offset and
                not is_own_part(die, self.function.die.offset)]


def is_own_part(die, function):
    """gcc splits a function and inlines the part again: a copy straight in a copy of itself, called
    on the line of its declaration. No call was ever there."""
    parent = die.parent
    while parent.tag not in ('inlined', 'subprogram'):
        parent = parent.parent
    return die.tag == 'inlined' and die.origin().offset == function == parent.origin().offset and \
        die.attrs.get('call_line') == die.get('decl_line')


class Function:
    def __init__(self, die):
        self.die, self.unit, self.name = die, die.unit, die.name
        self.line, self.instances = die.get('decl_line', 0), []
        self.file = die.unit.file(die.get('decl_file', 0)) if die.get('decl_file') else ''


def functions(unit):
    """{offset of the abstract or only DIE: Function} of a unit; declarations left out."""
    unit.load()
    found = {}

    def visit(die, outer):
        for child in die.children:
            if child.tag == 'subprogram':
                if child.attrs.get('declaration') or not child.name:
                    continue
                if child.ranges():
                    add(child, child)
                    visit(child, child)
            elif child.tag == 'inlined':
                add(child, outer)
                visit(child, outer)
            elif child.tag == 'block':
                visit(child, outer)

    def add(die, outer):
        origin = die.origin()
        if origin.offset not in found:
            found[origin.offset] = Function(origin)
        if die.entry() is not None:
            found[origin.offset].instances.append(Instance(found[origin.offset], die, outer))

    visit(unit.root, None)
    set_ends(found.values())
    return found


def set_ends(all_functions):
    """A function's lines end where the next one of its file is declared."""
    by_file = {}
    for function in all_functions:
        by_file.setdefault(function.file, set()).add(function.line)
    for function in all_functions:
        later = [line for line in by_file[function.file] if line > function.line]
        function.end = min(later) if later else 1 << 30


def is_c(unit):
    return unit.root.attrs.get('language') in C_LANGUAGES


def scope(instance, pc, line=0):
    """Variables in scope at pc as [DIE], inner before outer; hidden ones are left out. line: of the function
    (1 is the one behind its declaration), whose statement begins there: what is declared behind it hides
    nothing yet. 0: none."""
    found, names = [], set()
    for die in all_in_scope(instance, pc, line):
        if die.name not in names:
            names.add(die.name)
            found.append(die)
    return found


def is_later(die, instance, line):
    """A variable of the function that the source declares behind a line."""
    return line and die.tag == 'variable' and die.get('decl_line', 0) > instance.function.line + line and \
        die.origin().unit.file(die.get('decl_file', 0)) == instance.function.file


def all_in_scope(instance, pc, line):
    """Inner before outer. A split half describes the function's variables once more; one that it has
    lost isn't described in it at all."""
    found = []

    def visit(die):
        for child in die.children:
            if (child.tag == 'block' or is_own_part(child, instance.function.die.offset)) and \
                    holds(child.ranges(), pc):
                visit(child)
        for child in die.children:
            if child.tag in ('parameter', 'variable') and child.name and \
                    not child.get('declaration'):
                found.append(child)
        if die is not instance.die and is_own_part(die, instance.function.die.offset):
            found.extend(lost(die))

    visit(instance.die)
    return sorted(found, key=lambda die: bool(is_later(die, instance, line)))


def lost(copy):
    """The function's own variables that a copy of it has no DIE for."""
    kept = {child.attrs.get('abstract_origin') for child in copy.children}
    return [die for die in copy.origin().children if die.tag in ('parameter', 'variable') and
            die.name and not die.get('declaration') and die.offset not in kept]


def find_variable(instance, pc, name, line=0):
    """[DIE] of what the name means at pc: the innermost one, in the split half if pc is in one."""
    for die in scope(instance, pc, line):
        if die.name == name:
            return [die]
    for die in instance.die.origin().children:  # a copy may have lost it
        if die.tag in ('parameter', 'variable') and die.name == name:
            return [die]
    for die in instance.die.unit.root.children:
        if die.tag == 'variable' and die.name == name and not die.get('declaration'):
            return [die]
    return []


def type_size(die):
    while die is not None and 'byte_size' not in die.attrs:
        if die.tag == 'pointer':
            return 8
        die = die.type()
    return die.attrs['byte_size'] if die is not None else 0


def is_signed(die):
    if die.tag == 'enum':
        if 'encoding' in die.attrs:
            return die.attrs['encoding'] in (5, 6)
        under = die.type()
        return under is not None and under.attrs.get('encoding') in (5, 6)
    return die.tag == 'base' and die.attrs.get('encoding') in (5, 6)


def is_scalar(die):
    return die is not None and die.tag in SCALARS and type_size(die) in (1, 2, 4, 8) and \
        die.attrs.get('encoding') != 4


def find_member(struct, name, base=0):
    """(member DIE, byte offset of the struct it stands in), anonymous members included."""
    for child in struct.children:
        if child.tag != 'member':
            continue
        offset = base + child.attrs.get('data_member_location', 0)
        if child.attrs.get('name') == name:
            return child, base
        if 'name' not in child.attrs and child.type().tag in ('struct', 'union'):
            found = find_member(child.type(), name, offset)
            if found:
                return found
    return None


def members(struct):
    for child in struct.children:
        if child.tag == 'member' and 'name' in child.attrs:
            yield child
        elif child.tag == 'member' and child.type().tag in ('struct', 'union'):
            yield from members(child.type())


def truths(elf, dwarf, instance, pc, view, argument, line=0):
    """All that one argument may rightly be at one position of one copy, the certain ones first."""
    choices = []
    variables = find_variable(instance, pc, argument.partition('->')[0], line)
    for variable in variables:
        if variable.get('const_value') is not None:
            choices.append((variable, None, True))
        choices += [(variable,) + found for found in
                    variable.unit.locations_at(variable, pc, view, instance.is_entry(pc, view))]
    choices.sort(key=lambda choice: not choice[2])
    if not choices:
        choices = [(variables[0] if variables else None, None, True)]
    found = [Truth(elf, dwarf, instance, pc, argument, *choice) for choice in choices]
    for truth in found:
        truth.view = view
    return found


class Truth:
    """What one argument is, as DWARF has it.

    kind: 'value' (number() tells), 'absent' (DWARF gives it no value here), 'operation' (an
    operation that gives no value, named by `why`), 'aggregate', 'percpu'."""

    def __init__(self, elf, dwarf, instance, pc, argument, variable, expression, certain):
        self.elf, self.dwarf, self.instance, self.pc = elf, dwarf, instance, pc
        self.argument, self.member = argument, argument.partition('->')[2]
        self.variable, self.expression, self.certain = variable, expression, certain
        self.why, self.constant, self.found, self.type, self.ops = '', None, None, None, []
        self.kind = self.classify()

    def classify(self):
        if self.variable is None:
            self.why = 'no such variable in scope'
            return 'absent'
        self.type = self.variable.type()
        if self.member:
            is_pointer = self.type is not None and self.type.tag == 'pointer'
            target = self.type.type() if is_pointer else None
            self.found = find_member(target, self.member) if target is not None else None
            if self.found is None:  # another function of the name, another struct of the tag
                self.why = 'no such member'
                return 'absent'
            self.type = self.found[0].type()
        kind = self.locate()
        if kind == 'value' and not is_scalar(self.type):
            self.why = 'type %s' % (self.type.tag if self.type else 'void')
            return 'aggregate'
        return kind

    def locate(self):
        constant = self.variable.get('const_value')
        if constant is not None:
            if isinstance(constant, bytes):
                if len(constant) > 8:
                    self.why = 'constant of %d bytes' % len(constant)
                    return 'operation'
                constant = int.from_bytes(constant, 'little')
            self.constant = constant
            return 'value'
        if self.expression is None:
            self.why = 'no location at %#x' % self.pc
            return 'absent'
        self.ops = decode(self.expression)
        for op in self.ops:
            if op[0] == 'entry_value':
                self.why = 'entry_value'
                return 'operation'
            if op[0] == 'addr' and op[1] in self.elf.section_range('.data..percpu'):
                return 'percpu'
        try:
            self.number(Machine(0))
        except NoValue as error:
            self.why = str(error)
            return 'operation'
        except ZeroDivisionError:
            pass
        return 'value'

    def place(self, machine):
        """('memory', address) or ('value', number) of the variable itself."""
        if self.constant is not None:
            return 'value', self.constant & MASK
        run = Expression(self.dwarf, self.variable.unit, machine, self.pc, self.instance.outer)
        return run.run(self.expression)

    def number(self, machine):
        """Extended to 64 bits by its type; of an array, its address."""
        kind, value = self.place(machine)
        if self.member:
            pointer = machine.load(value, 8) if kind == 'memory' else value
            return self.read_member(machine, pointer)
        if self.type is None or not is_scalar(self.type):
            return value
        bits = type_size(self.type) * 8
        if kind == 'memory':
            value = machine.load(value, bits // 8)
        return signed(value, bits) & MASK if is_signed(self.type) else value & ((1 << bits) - 1)

    def read_member(self, machine, pointer):
        member, base = self.found
        if 'bit_size' in member.attrs:
            bits, at = member.attrs['bit_size'], member.attrs['data_bit_offset']
            value = machine.load((pointer + base + at // 8) & MASK, 9) >> at % 8
        else:
            address = pointer + base + member.attrs.get('data_member_location', 0)
            if not is_scalar(self.type):
                return address & MASK
            bits = type_size(self.type) * 8
            value = machine.load(address & MASK, bits // 8)
        value &= (1 << bits) - 1
        return signed(value, bits) & MASK if is_signed(self.type) else value

    def is_bit_field(self):
        return bool(self.member) and bool(self.found) and 'bit_size' in self.found[0].attrs

    def is_single(self):
        """Whether the location is its first operation: what perf can read rightly."""
        return self.constant is None and len(self.ops) == 1

    def in_reach(self):
        """Whether kernel and finish together can have it: each address that is read must be a
        register or a loaded pointer and a constant, and no static address may be a value."""
        shape = Shape(self.dwarf, self.variable.unit, self.pc, self.instance.outer)
        if self.constant is not None:
            return True
        try:
            kind, value = shape.run(self.expression)
        except NoValue:
            return False
        if self.member:
            pointer = shape.load(value) if kind == 'memory' else value
            return shape.fine and shape.readable(pointer)
        if kind == 'memory':
            return shape.fine and shape.readable(value)
        return shape.fine and value[0] != 'static'


class Shape(Expression):
    """Runs an expression on shapes: ('const'|'static'|'base'|'computed', offset)."""

    def __init__(self, dwarf, unit, pc, frame):
        super().__init__(dwarf, unit, None, pc, frame)
        self.fine = True

    def readable(self, shape):
        return shape[0] != 'computed'

    def load(self, shape):
        if not self.readable(shape):
            self.fine = False
        return ('base', 0)

    def run(self, data):
        stack = []
        for op in decode(data):
            if op[0] in ('reg', 'regx'):
                if op[1] > 16:
                    raise NoValue('register')
                return 'value', ('base', 0)
            if op[0] == 'implicit_value':
                return 'value', ('const', 0)
            if op[0] == 'stack_value':
                return 'value', stack[-1]
            self.step(stack, op)
        return 'memory', stack[-1]

    def step(self, stack, op):
        name = op[0]
        if name in ('lit', 'const', 'const_type'):
            stack.append(('const', 0))
        elif name == 'addr':
            stack.append(('static', 0))
        elif name in ('breg', 'bregx'):
            stack.append(('base', 0))
        elif name in ('fbreg', 'call_frame_cfa'):
            rule = self.dwarf.cfa(self.pc)
            stack.append(('base', 0) if rule and rule[0] == 'reg' else ('computed', 0))
        elif name == 'regval_type':
            stack.append(('computed', 0))
        elif name in ('deref', 'deref_size', 'deref_type'):
            loaded = self.load(stack.pop())
            full = name == 'deref' or (name == 'deref_size' and op[1] == 8)
            stack.append(loaded if full else ('computed', 0))
        elif name in ('dup', 'drop', 'over', 'pick', 'swap', 'rot', 'nop'):
            super().step(stack, op)
        elif name == 'plus_uconst':
            pass
        elif name in ('plus', 'minus'):
            b, a = stack.pop(), stack.pop()
            if b[0] == 'const':
                stack.append(a)
            elif a[0] == 'const' and name == 'plus':
                stack.append(b)
            else:
                self.check_static(a, b)
                stack.append(('computed', 0))
        elif name in ('convert', 'reinterpret', 'neg', 'not', 'abs'):
            a = stack.pop()
            self.check_static(a)
            stack.append(a if a[0] == 'const' else ('computed', 0))
        else:
            b, a = stack.pop(), stack.pop()
            self.check_static(a, b)
            both = a[0] == b[0] == 'const'
            stack.append(('const', 0) if both else ('computed', 0))

    def check_static(self, *shapes):
        if any(shape[0] == 'static' for shape in shapes):
            self.fine = False
