# SPDX-License-Identifier: GPL-2.0-only
"""DWARF as trees in Python: a DIE and its children in, assembly around a small program out. Nothing is checked:
what it is for is what no compiler would write."""

FORMS = {'string': 0x08, 'data1': 0x0b, 'data2': 0x05, 'data4': 0x06, 'data8': 0x07, 'udata': 0x0f, 'ref4': 0x13,
         'block': 0x18, 'addr': 0x01, 'offset': 0x17, 'strp': 0x0e}
TAGS = {'array': 0x01, 'enum': 0x04, 'parameter': 0x05, 'block': 0x0b, 'member': 0x0d, 'pointer': 0x0f, 'unit': 0x11,
        'struct': 0x13, 'typedef': 0x16, 'inlined': 0x1d, 'range': 0x21, 'base': 0x24, 'constant': 0x28,
        'function': 0x2e, 'variable': 0x34, 'namespace': 0x39, 'import': 0x3d}
NAMES = {'sibling': 0x01, 'location': 0x02, 'name': 0x03, 'size': 0x0b, 'bit_size': 0x0d, 'lines': 0x10, 'low': 0x11,
         'high': 0x12, 'language': 0x13, 'imports': 0x18, 'inline': 0x20, 'producer': 0x25, 'origin': 0x31,
         'count': 0x37, 'at': 0x38, 'declaration': 0x3c, 'encoding': 0x3e, 'file': 0x3a, 'line': 0x3b,
         'external': 0x3f, 'frame_base': 0x40, 'type': 0x49, 'ranges': 0x55, 'call_line': 0x59, 'bit_offset': 0x6b}

PROGRAM = '''
#include <string.h>
struct text { char *at; long length; };
__attribute__((noinline)) long hit(void *p, long n) { __asm__ volatile("nop" : : "r"(p) : "memory"); return n + 1; }
__attribute__((noinline)) long behind(void) { return 1; }
int main(void)
{
	char bytes[400];
	long sum = 0;

	memset(bytes, 'A', sizeof(bytes));
	for (int i = 0; i < 3; i++)
		sum += hit(bytes, i);
	return sum + behind() == 100;
}
'''


class Die:
    """Attributes are (form, value) pairs; a reference's value is another Die, a block's is bytes. times: so often
    it stands there, if it has no children and nothing refers to it."""

    made, times = 0, 1

    def __init__(self, tag, *children, **attributes):
        Die.made += 1
        self.tag, self.children, self.attributes = tag, list(children), attributes
        self.label = '.Ldie%d' % Die.made

    def add(self, *children):
        self.children += children
        return self


def number(size, value):
    return ('data%d' % size, value)


def text(value):
    return ('string', value)


def to(die):
    return ('ref4', die)


def base(name, size, encoding):
    return Die('base', name=text(name), size=number(1, size), encoding=number(1, encoding))


def pointer(target):
    return Die('pointer', type=to(target), size=number(1, 8))


def parameter(name, type_, location=b'\x55'):
    return Die('parameter', name=text(name), type=to(type_), location=('block', location))


def write_value(form, value):
    if form == 'string':
        return '.string "%s"' % value
    if form == 'ref4':
        return '.long %s-.Lunit' % value.label
    if form == 'udata':
        return '.uleb128 %s' % value
    if form == 'block' and len(set(value)) == 1:  # megabytes, some of them
        return '.uleb128 %d\n.fill %d,1,%d' % (len(value), len(value), value[0])
    if form == 'block':
        lines = ['.uleb128 %d' % len(value)]
        lines += ['.byte ' + ','.join(map(str, value[i:i + 64])) for i in range(0, len(value), 64)]
        return '\n'.join(lines)
    size = {'data1': 'byte', 'data2': 'value', 'data8': 'quad', 'addr': 'quad'}.get(form, 'long')
    return '.%s %s' % (size, value)


def write_tree(root):
    """Lines of .debug_info and .debug_abbrev. Without recursion: trees may be deep."""
    abbreviations, lines, todo = {}, [], [root]
    while todo:
        die = todo.pop()
        if die is None:
            lines.append('.byte 0')
            continue
        shape = (die.tag, tuple((name, form) for name, (form, _) in die.attributes.items()), bool(die.children))
        code = abbreviations.setdefault(shape, len(abbreviations) + 1)
        lines.append('.rept %d' % die.times if die.times > 1 else die.label + ':')
        lines.append('.uleb128 %d' % code)
        lines += [write_value(*pair) for pair in die.attributes.values()]
        lines += ['.endr'] * (die.times > 1)
        if die.children:
            todo.append(None)
            todo += reversed(die.children)
    declared = []
    for (tag, attributes, has_children), code in abbreviations.items():
        declared.append('.uleb128 %d,%d\n.byte %d' % (code, TAGS[tag], has_children))
        declared += ['.uleb128 %d,%d' % (NAMES[name], FORMS[form]) for name, form in attributes]
        declared.append('.byte 0,0')
    return lines, declared + ['.byte 0']


def function(*children, frame_base=b'\x9c', **attributes):
    return Die('function', *children, external=number(1, 1), name=text('hit'), line=number(1, 4), file=number(1, 1),
               low=('addr', 'hit'), high=number(8, 'behind-hit'), frame_base=('block', frame_base), **attributes)


def unit(*children, language=0x1d):
    return Die('unit', *children, producer=text('GNU C17 12.2.0 -O2'), language=number(1, language),
               name=text('x.c'), lines=('offset', '.Lline'), low=('addr', 'hit'), high=number(8, 'behind-hit'))


LINES = '''.section .debug_line,"",@progbits
.Lline: .long .Lline_end-.Lline_start
.Lline_start: .value 5
.byte 8,0
.long .Lprogram-.Lheader
.Lheader: .byte 1,1,1,-5,14,13
.byte 0,1,1,1,1,0,0,0,1,0,0,1
.byte 1
.uleb128 1,8
.uleb128 1
.string "/"
.byte 2
.uleb128 1,8,2,11
.uleb128 2
.string "x.c"
.byte 0
.string "x.c"
.byte 0
.Lprogram: .byte 0,9,2
.quad hit
.byte 3,3,1
.byte 2
.uleb128 4
.byte 3,1,1
.byte 2
.uleb128 behind-hit-4
.byte 0,1,1
.Lline_end:
'''


def assembly(root, code, padding=0, behind='', more='', lines=LINES):
    """padding: bytes at the unit's end; behind: what follows it in .debug_info; more: further sections."""
    info, abbreviations = write_tree(root)
    return '\n'.join([code, '.section .debug_info,"",@progbits', '.Lunit: .long .Lend-.Lstart',
                      '.Lstart: .value 5', '.byte 1,8', '.long .Labbreviations', *info,
                      *(['.zero %d' % padding] if padding else []), '.Lend:', behind,
                      '.section .debug_abbrev,"",@progbits', '.Labbreviations:', *abbreviations, more, lines, ''])
