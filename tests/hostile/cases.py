# SPDX-License-Identifier: GPL-2.0-only
"""The hostile files: debug information as trees, and programs whose headers were changed. Each function writes
one file, and its first line says what is wrong with it."""
import os
import struct
import subprocess

import tree
from tree import Die, base, function, number, parameter, pointer, text, to, unit


class Made:
    """Assembly of a unit around `hit`."""

    def __init__(self, *dies, **options):
        self.dies, self.options = dies, options

    def write(self, path, code):
        language = self.options.pop('language', 0x1d)
        with open(path + '.s', 'w') as file:
            file.write(tree.assembly(unit(*self.dies, language=language), code, **self.options))
        subprocess.run(['gcc', '-o', path, path + '.s'], check=True)
        os.remove(path + '.s')


def integer():
    return base('int', 4, 5)


def one_struct(size, *members, extra=()):
    """p is a pointer to it, q it itself."""
    whole = Die('struct', *members, name=text('S'), size=number(1, size))
    to_it = pointer(whole)
    return Made(*extra, whole, to_it, function(parameter('p', to_it), parameter('q', whole)))


def bit_field(offset, bits, size=64):
    kind = integer()
    member = Die('member', name=text('evil'), type=to(kind), bit_offset=('udata', offset), bit_size=('udata', bits))
    return one_struct(size, member, extra=[kind])


def held_by_itself(named):
    whole = Die('struct', name=text('S'), size=number(1, 8))
    for name in 'ab':
        whole.add(Die('member', **({'name': text(name)} if named else {}), type=to(whole), at=number(1, 0)))
    to_it = pointer(whole)
    return Made(whole, to_it, function(parameter('p', to_it)))


def wrapping_array(element_size, count, at, size):
    char = base('char', 1, 6)
    element = char if element_size == 1 else Die('struct', Die('member', name=text('c'), type=to(char), at=number(1, 0)),
                                                 name=text('three'), size=number(1, element_size))
    array = Die('array', Die('range', count=number(8, count)), type=to(element))
    return one_struct(size, Die('member', name=text('evil'), type=to(array), at=number(1, at)),
                      extra=[char, array] + ([element] if element is not char else []))


def dimensions(count):
    kind = integer()
    array = Die('array', *(Die('range', count=number(1, 1)) for _ in range(count)), type=to(kind))
    to_it = pointer(array)
    return Made(kind, array, to_it, function(parameter('p', to_it)))


def nested_blocks(count):
    kind = integer()
    inner = outer = Die('block', low=('addr', 'hit'), high=number(1, 2))
    for _ in range(count):
        inner.add(Die('block', low=('addr', 'hit'), high=number(1, 2)))
        inner = inner.children[0]
    return Made(kind, function(parameter('p', kind), outer))


def nested_namespaces(count):
    kind = integer()
    inner = outer = Die('namespace', name=text('n' * 60))
    for _ in range(count):
        inner.add(Die('namespace', name=text('n' * 60)))
        inner = inner.children[0]
    inner.add(Die('function', name=text('inner'), declaration=number(1, 1)))
    return Made(kind, outer, function(parameter('p', kind)), language=0x21)


def namespaces_around_much(depth, count):
    """The end of each list is behind all that is below, and nothing says where."""
    made = nested_namespaces(depth)
    inner = made.dies[1]
    while inner.children and inner.children[0].children:
        inner = inner.children[0]
    inner.add(many := Die('function', name=text('inner'), declaration=number(1, 1)))
    many.times = count
    return made


def imports_itself():
    kind, other = integer(), Die('unit', name=text('z'))
    other.add(*(Die('import', imports=to(other)) for _ in range(60)))
    return Made(kind, other, Die('import', imports=to(other)), function(parameter('p', kind)))


def sibling_before():
    kind = integer()
    first = Die('variable', name=text('first'), type=to(kind))
    return Made(kind, function(first, Die('block', Die('variable', name=text('v'), type=to(kind)), sibling=to(first)),
                               parameter('p', kind)))


def parameters(count, location=b'\x55', kind=None, **frame):
    kind = kind or integer()
    return Made(kind, function(*(parameter('p%d' % i, kind, location) for i in range(count)), **frame))


def expression(*locations, **frame):
    kind = integer()
    return Made(kind, function(*(parameter('p%d' % i, kind, location) for i, location in enumerate(locations)), **frame))


def many_dropped(count):
    """A copy whose children stand for others than the abstract function has."""
    kind = integer()
    abstract = Die('function', *(Die('variable', name=text('a%d' % i), type=to(kind)) for i in range(count)),
                   name=text('hit'), line=number(1, 4), file=number(1, 1), inline=number(1, 1))
    other = [Die('variable', name=text('o'), type=to(kind)) for _ in range(count)]
    concrete = Die('function', *(Die('variable', origin=to(die)) for die in other), origin=to(abstract),
                   low=('addr', 'hit'), high=number(8, 'behind-hit'), frame_base=('block', b'\x9c'))
    return Made(kind, *other, abstract, concrete)


def shared_list(variables, entries):
    kind = integer()
    dies = [Die('variable', name=text('v%d' % i), type=to(kind), location=('offset', '.Llist')) for i in range(variables)]
    more = '.section .debug_loclists,"",@progbits\n.Llist:\n.rept %d\n.byte 4\n.uleb128 0,1,1\n.byte 0x55\n.endr\n.byte 0' % entries
    return Made(kind, function(*dies), more=more)


def shared_ranges(blocks, entries):
    kind = integer()
    dies = [Die('block', Die('variable', name=text('v%d' % i), type=to(kind)), ranges=('offset', '.Lranges')) for i in range(blocks)]
    more = '.section .debug_rnglists,"",@progbits\n.Lranges:\n.rept %d\n.byte 4\n.uleb128 500,501\n.endr\n.byte 0' % entries
    return Made(kind, function(parameter('p', kind), *dies), more=more)


def long_names(count):
    """Variables of pointers to pointers to a type whose name is a megabyte."""
    kind = Die('base', name=('strp', '.Lname'), size=number(1, 4), encoding=number(1, 5))
    last, chain = kind, []
    for _ in range(8):
        last = pointer(last)
        chain.append(last)
    more = '.section .debug_str,"MS",@progbits,1\n.Lname: .fill 1000000,1,97\n.byte 0'
    return Made(kind, *chain, function(*(parameter('p%d' % i, last) for i in range(count))), more=more)


def long_directory(files):
    """Files of the line table, each in a directory whose name is a megabyte."""
    head, tail = tree.LINES.split('.string "/"\n')
    tail = tail.replace('.uleb128 2\n', '.uleb128 %d\n' % (files + 2), 1)
    tail = tail.replace('.Lprogram:', '.rept %d\n.string "y"\n.byte 0\n.endr\n.Lprogram:' % files)
    kind = integer()
    return Made(kind, function(parameter('p', kind)), lines=head + '.fill 1000000,1,97\n.byte 0\n' + tail)


def call_without_function():
    """An inlined call that stands in no function."""
    kind = integer()
    abstract = Die('function', name=text('hit'), line=number(1, 4), file=number(1, 1), inline=number(1, 1))
    call = Die('inlined', Die('variable', name=text('p'), type=to(kind), location=('block', b'\x55')), origin=to(abstract),
               low=('addr', 'hit'), high=number(8, 'behind-hit'), call_line=number(1, 9))
    return Made(kind, abstract, call)


def behind_unit(text_, padding=0):
    kind = integer()
    return Made(kind, function(parameter('p', kind)), behind=text_, padding=padding)


MADE = {
    'bits-255': lambda: bit_field(0, 255),
    'bits-2^32+4': lambda: bit_field(0, 2 ** 32 + 4),
    'bits-at-the-end': lambda: bit_field(2 ** 64 - 8, 7),
    'bits-in-nine-bytes': lambda: bit_field(4, 64),
    'bits-over-the-end': lambda: bit_field(60, 60, 8),
    'struct-of-itself': lambda: held_by_itself(True),
    'struct-of-itself-unnamed': lambda: held_by_itself(False),
    'array-that-wraps': lambda: wrapping_array(3, 0x5555555555555556, 0, 16),
    'text-that-wraps': lambda: wrapping_array(1, 2 ** 64 - 100, 100, 104),
    'dimensions': lambda: dimensions(100000),
    'blocks-in-blocks': lambda: nested_blocks(100000),
    'namespaces-in-namespaces': lambda: nested_namespaces(3000),
    'namespaces-around-much': lambda: namespaces_around_much(6000, 2000000),
    'imports-itself': imports_itself,
    'sibling-before': sibling_before,
    'parameters': lambda: parameters(60000),
    'long-expressions': lambda: parameters(40, b'\x96' * (1 << 20)),
    'piece-in-entry-value': lambda: expression(b'\x75\x00\xa3\x04\x30\x93\x04\x13\x22\x9f', b'\xa3\x03\x93\x04\x13'),
    'no-operand': lambda: expression(b'\x11', b'\x91', b'\x08', b'\xa3\xff\xff\xff\xff\x0f', b'\x9e\xff\x7f'),
    'frame-base-of-itself': lambda: expression(b'\x91\x00', frame_base=b'\x91\x00'),
    'far-slots': lambda: expression(b'\x91' + b'\x80' * 9 + b'\x7f', b'\x77\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00',
                                    frame_base=b'\x57'),
    'entry-values-in-each-other': lambda: expression(nested_entry_values(3000)),
    'dropped-variables': lambda: many_dropped(20000),
    'shared-list': lambda: shared_list(3000, 100000),
    'shared-ranges': lambda: shared_ranges(3000, 100000),
    'long-names': lambda: long_names(300),
    'long-directory': lambda: long_directory(20000),
    'call-without-function': call_without_function,
    'unit-too-long': lambda: behind_unit('.long 0x7fffff00\n.value 5\n.byte 1,8\n.long .Labbreviations\n.zero 64',
                                         5000000),
    'unit-that-wraps': lambda: behind_unit('.long 0xffffffff\n.quad -64\n.value 5\n.byte 1,8\n.quad .Labbreviations\n.zero 64'),
}


def nested_entry_values(count):
    expression_ = b'\x55'
    for _ in range(count):
        size, value = bytearray(), len(expression_)
        while value >= 128:
            size.append(value & 127 | 128)
            value >>= 7
        expression_ = b'\xa3' + bytes(size) + bytes([value]) + expression_
    return expression_ + b'\x9f'


class File:
    """A program's bytes, and its section headers by name."""

    def __init__(self, path):
        with open(path, 'rb') as file:
            self.data = bytearray(file.read())
        self.headers, = struct.unpack_from('<Q', self.data, 0x28)
        count, names = struct.unpack_from('<HH', self.data, 0x3c)
        texts, = struct.unpack_from('<Q', self.data, self.headers + 64 * names + 24)
        self.at = {}
        for i in range(count):
            name, = struct.unpack_from('<I', self.data, self.headers + 64 * i)
            end = self.data.index(0, texts + name)
            self.at[self.data[texts + name:end].decode()] = self.headers + 64 * i

    def get(self, name):
        return struct.unpack_from('<QQ', self.data, self.at[name] + 24)

    def set(self, name, field, value):
        struct.pack_into('<Q', self.data, self.at[name] + field, value & 2 ** 64 - 1)

    def fill(self, name, data):
        start, size = self.get(name)
        self.data[start:start + size] = data[:size].ljust(size, data[-1:])

    def save(self, path):
        with open(path, 'wb') as file:
            file.write(self.data)
        os.chmod(path, 0o755)


def compiled(work, name, source, *flags, compiler='gcc'):
    path = os.path.join(work, name)
    with open(path + '.c', 'w') as file:
        file.write(source)
    subprocess.run([compiler, '-g', '-O1', '-o', path, path + '.c', *flags], check=True)
    return path


HIT = 'long hit(long p, long n) { volatile long a = p; volatile long b = n; %s; return a + b; }\n' \
      'int main(int c, char **v) { return hit(c, 1); }\n'


def symbol_tables(work):
    many = ''.join('int f%d(int x) { return x + %d; }\n' % (i, i) for i in range(5000))
    path = compiled(work, 'many', many + HIT % '', '-rdynamic')
    file = File(path)
    symbols, size = file.get('.symtab')
    count = size // 24
    file.set('.dynsym', 32, 2 ** 61 + 3 - count - 1)
    file.set('.dynsym', 56, 1)
    file.save(path + '-dynsym-that-wraps')
    file = File(path)
    file.set('.dynsym', 32, 2 ** 50)
    file.save(path + '-dynsym-of-2^50')
    for name in ('.strtab', '.dynstr'):
        file = File(path)
        file.fill(name, b'a')
        file.save(path + '-without-end-' + name[1:])
    file = File(path)
    file.fill('.strtab', b'a')
    file.data[sum(file.get('.strtab')) - 1] = 0
    for i in range(count):
        struct.pack_into('<I', file.data, symbols + 24 * i, i % 1000)
    file.save(path + '-names-in-names')
    file = File(path)
    for i in range(count):
        if struct.unpack_from('<B', file.data, symbols + 24 * i + 4)[0] & 15 == 2:
            struct.pack_into('<Q', file.data, symbols + 24 * i + 16, 1 << 63)
    file.save(path + '-symbols-of-2^63')


def versions(work):
    script = os.path.join(work, 'versions')
    with open(script, 'w') as file:
        file.write('V1 { global: hit; };\nV2 { global: main; } V1;\n')
    path = compiled(work, 'versioned', HIT % '', '-fPIC', '-shared', '-Wl,--version-script=' + script)
    for name, at, step in (('first', 0, -20), ('second', 28, -28)):
        file = File(path)
        struct.pack_into('<I', file.data, file.get('.gnu.version_d')[0] + at + 16, step & 2 ** 32 - 1)
        file.save(path + '-back-at-the-' + name)


def frames(work):
    escape = '__asm__ volatile(".cfi_escape %s")'
    remember = '__asm__ volatile(".rept 2000000\\n.cfi_escape 0x0a\\n.endr")'
    compiled(work, 'frame-register', HIT % (escape % '0x0c,0xff,0xff,0xff,0x7f,8'), '-O0')
    compiled(work, 'frame-rule', HIT % (escape % '0x05,0xff,0xff,0xff,0x7f,1'), '-O0')
    compiled(work, 'frame-remembers', HIT % remember, '-O0')


def line_numbers(work):
    compiled(work, 'line-numbers', 'int hit(int n)\n{\n\tn++;\n#line 2147480000\n\tn *= 3;\n\treturn n;\n}\n'
             'int main(int c, char **v) { return hit(c); }\n', '-O0')


def compressed(work):
    path = os.path.join(work, 'bomb')
    with open(path + '.s', 'w') as file:
        file.write('.section .debug_info,"",@progbits\n.zero 500000000\n.section .debug_abbrev,"",@progbits\n'
                   '.byte 0\n.text\n.globl main\nmain: ret\n.globl hit\n.type hit,@function\nhit: nop; ret\n')
    subprocess.run(['gcc', '-Wl,--compress-debug-sections=zlib', '-o', path, path + '.s'], check=True,
                   stderr=subprocess.DEVNULL)


def no_units(work):
    """Sections of some megabytes with no unit in them."""
    for name, fill in (('zeros', 0), ('ones', 255)):
        path = os.path.join(work, 'no-unit-' + name)
        with open(path + '.s', 'w') as file:
            file.write('.section .debug_info,"",@progbits\n.fill 5000000,1,%d\n.section .debug_abbrev,"",@progbits\n'
                       '.byte 0\n.text\n.globl main\nmain: ret\n.globl hit\n.type hit,@function\nhit: nop; ret\n' % fill)
        subprocess.run(['gcc', '-o', path, path + '.s'], check=True, stderr=subprocess.DEVNULL)


def stripped(work):
    path = compiled(work, 'stripped', HIT % '')
    subprocess.run(['strip', '--strip-debug', path], check=True)


def traps(work):
    """Links to debug files that are pipes, which nobody writes to."""
    os.mkfifo(os.path.join(work, 'pipe'), 0o600)
    path = compiled(work, 'link-to-a-pipe', HIT % '')
    with open(os.path.join(work, 'pipe.debug'), 'wb') as file:
        file.write(b'debug')
    subprocess.run(['objcopy', '--strip-debug', '--add-gnu-debuglink=' + work + '/pipe.debug', path], check=True)
    os.remove(os.path.join(work, 'pipe.debug'))
    os.mkfifo(os.path.join(work, 'pipe.debug'), 0o600)
    for name, target in (('near', 'pipe'), ('far', os.path.join(work, 'pipe'))):
        path = compiled(work, 'shared-with-a-pipe-' + name, HIT % '')
        with open(os.path.join(work, 'link'), 'wb') as file:
            file.write(target.encode() + b'\0' + bytes(range(20)))
        subprocess.run(['objcopy', '--add-section', '.gnu_debugaltlink=' + work + '/link', path], check=True)


def long_lines(work):
    """A source with other names than debug information, in lines of a megabyte."""
    names = ', '.join('v%d' % i for i in range(20000))
    path = compiled(work, 'long-lines', 'int hit(int p)\n{\n\tint %s;\n\tv0 = p;\n\treturn v0;\n}\n' % names +
                    'int main(void)\n{\n\treturn hit(1);\n}\n')
    with open(path + '.c', 'w') as file:
        file.write('int hit(int p)\n{\n' + ('\t' + 'x ' * 500000 + '\n') * 3 + '}\n')


MAIN = 'int main(int c, char **v) { int list[4] = {0}; return %s(c, 2, list); }\n'
FEW_THINGS = 'volatile int g[9];\n__attribute__((noipa)) int f(int a) { return a + 1; }\n'


def ways(work):
    """A function of which one line has a thousand addresses, and a statement a thousand ways to it."""
    tests = ''.join('#line 10\n\tif (g[%d])\n\t\tx += f(y);\n' % i for i in range(1000))
    compiled(work, 'thousand-ways', FEW_THINGS + '#line 2\nint hit(int a, int b, int *p)\n{\n'
             '\tint x = a, y = b, i;\n' + tests + '\treturn x + y;\n}\n' + MAIN % 'hit', '-O2')


def rows_of_a_line(work):
    """A line with as many addresses as a line table has rows."""
    compiled(work, 'rows-of-a-line', 'int hit(int a)\n{\n\ta++;\n\t__asm__ volatile(".rept 150000\\n'
             '.loc 1 5 0 is_stmt 1\\nnop\\n.loc 1 6 0 is_stmt 0\\nnop\\n.endr");\n\ta *= 3;\n\ta += 7;\n'
             '\treturn a;\n}\nint main(int c, char **v) { return hit(c); }\n')


def copies(work):
    """A function into which another one is inlined thousands of times."""
    for name, count in (('thousand-copies', 1000), ('thousands-of-copies', 3000)):
        compiled(work, name, FEW_THINGS +
                 'static inline __attribute__((always_inline)) int inner(int v)\n{\n\tint r = g[v & 7];\n'
                 '\tif (r > 3)\n\t\tr = f(r);\n\treturn r * v;\n}\n'
                 'int outer(int a, int b, int *p)\n{\n\tint x = a, y = b, i;\n' +
                 ''.join('\tx += inner(y + %d);\n' % i for i in range(count)) +
                 '\treturn x + y;\n}\n' + MAIN % 'outer', '-O2')


def else_ifs(work):
    """Each of thousands of lines asks about the statements of all."""
    compiled(work, 'thousands-of-else-ifs', FEW_THINGS.replace('noipa', 'noinline') +
             'int hit(int a, int b, int *p)\n{\n\tint x = a, y = b;\n\tif (a == 7)\n\t\tx = f(1);\n' +
             ''.join('\telse if (f(a) == %d)\n\t\tx += f(y + %d);\n' % (3 * i, i) for i in range(3000)) +
             '\treturn x + y;\n}\n' + MAIN % 'hit', '-O2', compiler='clang')


COMPILED = [symbol_tables, versions, frames, line_numbers, compressed, no_units, stripped, traps, long_lines, ways,
            copies, else_ifs, rows_of_a_line]


def write_all(work, only=()):
    """Their paths. only: of those trees, and no programs; none: of all."""
    with open(os.path.join(work, 'code.c'), 'w') as file:
        file.write(tree.PROGRAM)
    subprocess.run(['gcc', '-O1', '-fno-toplevel-reorder', '-S', '-o', work + '/code.s', work + '/code.c'], check=True)
    with open(work + '/code.s') as file:
        code = file.read()
    for name in ('code.c', 'code.s'):
        os.remove(os.path.join(work, name))
    for name, make in MADE.items():
        if not only or name in only:
            make().write(os.path.join(work, name), code)
    for make in COMPILED:
        if not only or make.__name__ in only:
            make(work)
    return sorted(path for path in (os.path.join(work, name) for name in os.listdir(work))
                  if os.access(path, os.X_OK))
