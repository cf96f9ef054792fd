# SPDX-License-Identifier: GPL-2.0-only
"""Reads ELF and DWARF 5 with nothing but Python's own library.

In: an ELF file that is fully linked. Out: symbols, units, DIEs, ranges, locations, line rows, the
canonical frame address. It shares no code with libdw, on which both ktrace and perf stand: what all
three say of a place is as good as known. A form or an operation that it doesn't know raises."""
import bisect
import mmap
import struct
import zlib

TAG = {0x01: 'array', 0x04: 'enum', 0x05: 'parameter', 0x0b: 'block', 0x0d: 'member',
       0x0f: 'pointer', 0x11: 'unit', 0x13: 'struct', 0x15: 'subroutine', 0x16: 'typedef',
       0x17: 'union', 0x1d: 'inlined', 0x21: 'subrange', 0x24: 'base', 0x26: 'const',
       0x2e: 'subprogram', 0x34: 'variable', 0x35: 'volatile', 0x37: 'restrict',
       0x47: 'atomic', 0x48: 'call_site'}
AT = {0x01: 'sibling', 0x02: 'location', 0x03: 'name', 0x0b: 'byte_size', 0x0d: 'bit_size',
      0x10: 'stmt_list', 0x11: 'low_pc', 0x12: 'high_pc', 0x13: 'language', 0x1b: 'comp_dir',
      0x1c: 'const_value', 0x20: 'inline', 0x22: 'upper_bound', 0x25: 'producer',
      0x27: 'prototyped', 0x2f: 'upper_bound', 0x31: 'abstract_origin', 0x37: 'count',
      0x38: 'data_member_location',
      0x39: 'decl_column', 0x3a: 'decl_file', 0x3b: 'decl_line', 0x3c: 'declaration',
      0x3e: 'encoding', 0x3f: 'external', 0x40: 'frame_base', 0x47: 'specification', 0x49: 'type',
      0x52: 'entry_pc', 0x55: 'ranges', 0x57: 'call_column', 0x58: 'call_file', 0x59: 'call_line',
      0x6b: 'data_bit_offset', 0x2137: 'locviews', 0x2138: 'entry_view'}


def uleb(data, at):
    result = shift = 0
    while True:
        byte = data[at]
        at += 1
        result |= (byte & 0x7f) << shift
        shift += 7
        if byte < 0x80:
            return result, at


def sleb(data, at):
    result = shift = 0
    while True:
        byte = data[at]
        at += 1
        result |= (byte & 0x7f) << shift
        shift += 7
        if byte < 0x80:
            return result - (1 << shift) if byte & 0x40 else result, at


def cstring(data, at):
    end = data.find(b'\0', at)
    return bytes(data[at:end]).decode('utf-8', 'replace')


class Symbol:
    __slots__ = ('name', 'address', 'size', 'kind', 'section')

    def __init__(self, name, address, size, kind, section):
        self.name, self.address, self.size = name, address, size
        self.kind, self.section = kind, section


class Elf:
    def __init__(self, path):
        self.path = path
        with open(path, 'rb') as file:
            self.map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        if self.map[:6] != b'\x7fELF\x02\x01':
            raise ValueError(path + ': no little-endian 64-bit ELF')
        shoff, = struct.unpack_from('<Q', self.map, 0x28)
        shentsize, shnum, shstrndx = struct.unpack_from('<HHH', self.map, 0x3a)
        self.headers = [struct.unpack_from('<IIQQQQIIQQ', self.map, shoff + i * shentsize)
                        for i in range(shnum)]
        names = self.headers[shstrndx]
        self.names = [cstring(self.map, names[4] + h[0]) for h in self.headers]
        self.cache = {}
        self.symbols = self.read_symbols()
        self.by_name = {}
        for symbol in self.symbols:
            self.by_name.setdefault(symbol.name, []).append(symbol)
        self.addresses = [s.address for s in self.symbols]

    def section(self, name):
        if name not in self.cache:
            self.cache[name] = b''
            if name in self.names:
                header = self.headers[self.names.index(name)]
                data = self.map[header[4]:header[4] + header[5]]
                if header[2] & 0x800:  # SHF_COMPRESSED
                    data = zlib.decompress(data[24:])
                self.cache[name] = data
        return self.cache[name]

    def section_range(self, name):
        if name not in self.names:
            return range(0)
        header = self.headers[self.names.index(name)]
        return range(header[3], header[3] + header[5])

    def read(self, address, size):
        for header in self.headers:
            if header[1] == 1 and header[2] & 2 and header[3] <= address < header[3] + header[5]:
                at = header[4] + address - header[3]
                return self.map[at:at + size]
        raise KeyError(hex(address))

    def read_symbols(self):
        symbols = []
        for header in self.headers:
            if header[1] != 2:  # SHT_SYMTAB
                continue
            strings = self.headers[header[6]][4]
            for at in range(header[4], header[4] + header[5], 24):
                name, info, _, section, value, size = struct.unpack_from('<IBBHQQ', self.map, at)
                if section and info & 15 not in (3, 4):  # neither section nor file
                    symbols.append(Symbol(cstring(self.map, strings + name), value, size,
                                          info & 15, section))
        return sorted(symbols, key=lambda s: s.address)

    def functions_at(self, address):
        """The function symbols that cover the address."""
        found = []
        at = bisect.bisect_right(self.addresses, address)
        for symbol in self.symbols[max(0, at - 64):at]:
            if symbol.kind == 2 and symbol.address <= address < symbol.address + symbol.size:
                found.append(symbol)
        return found


class Die:
    __slots__ = ('unit', 'offset', 'tag', 'attrs', 'children', 'parent')

    def __init__(self, unit, offset, tag, attrs, parent):
        self.unit, self.offset, self.tag, self.attrs = unit, offset, tag, attrs
        self.parent, self.children = parent, []

    def get(self, name, default=None):
        """An attribute, of the DIE or of the one it stands for."""
        die = self
        for _ in range(8):
            if name in die.attrs:
                return die.attrs[name]
            origin = die.attrs.get('abstract_origin') or die.attrs.get('specification')
            if origin is None:
                return default
            die = die.unit.die(origin)
        return default

    @property
    def name(self):
        return self.get('name')

    def origin(self):
        die = self
        for _ in range(8):
            next_one = die.attrs.get('abstract_origin') or die.attrs.get('specification')
            if next_one is None:
                break
            die = die.unit.die(next_one)
        return die

    def type(self):
        """The type, without typedefs and qualifiers; None: void."""
        offset = self.get('type')
        while offset is not None:
            die = self.unit.die(offset)
            if die.tag not in ('typedef', 'const', 'volatile', 'restrict', 'atomic'):
                return die
            offset = die.attrs.get('type')
        return None

    def ranges(self):
        if 'ranges' in self.attrs:
            return self.unit.rnglist(self.attrs['ranges'])
        if 'low_pc' in self.attrs and 'high_pc' in self.attrs:
            low, high = self.attrs['low_pc'], self.attrs['high_pc']
            if self.attrs['high_pc_is_offset']:
                high += low
            return [(low, high)] if high > low else []
        return []

    def entry(self):
        ranges = self.ranges()
        if 'entry_pc' in self.attrs:
            entry = self.attrs['entry_pc']
            if not self.attrs['entry_pc_is_offset']:
                return entry
            return entry + self.attrs.get('low_pc', ranges[0][0] if ranges else 0)
        if 'low_pc' in self.attrs:
            return self.attrs['low_pc']
        if 'ranges' in self.attrs:  # the first one's start, be that one empty (DWARF 5, 2.18)
            ranges = self.unit.rnglist(self.attrs['ranges'], True)
        return ranges[0][0] if ranges else None

    def walk(self):
        yield self
        for child in self.children:
            yield from child.walk()


def holds(ranges, address):
    return any(low <= address < high for low, high in ranges)


class Unit:
    def __init__(self, dwarf, offset, start, end, abbrevs):
        self.dwarf, self.offset, self.start, self.end = dwarf, offset, start, end
        self.abbrev_offset = abbrevs
        self.dies = None
        self.line_cache = self.rows_by_line = None

    def header(self):
        """The unit's own DIE, without its children."""
        return self.read_die(self.start, self.dwarf.abbrevs(self.abbrev_offset), None)[0]

    def read_die(self, at, abbrevs, parent):
        data = self.dwarf.info
        offset = at
        code, at = uleb(data, at)
        if not code:
            return None, at, False
        tag, has_children, forms = abbrevs[code]
        attrs = {}
        for name, form, constant in forms:
            value, at = self.read_form(data, at, form, constant)
            if name is None:
                continue
            if name in ('high_pc', 'entry_pc'):
                attrs[name + '_is_offset'] = form != 0x01
            attrs[name] = value
            if name in ('location', 'frame_base', 'const_value'):
                attrs[name + '_form'] = form
        return Die(self, offset, tag, attrs, parent), at, has_children

    def read_form(self, data, at, form, constant):
        if form == 0x13:
            return self.offset + int.from_bytes(data[at:at + 4], 'little'), at + 4
        if form in (0x0b, 0x0c):  # data1, flag
            return data[at], at + 1
        if form == 0x0e:
            at4 = int.from_bytes(data[at:at + 4], 'little')
            return cstring(self.dwarf.strings, at4), at + 4
        if form == 0x1f:
            at4 = int.from_bytes(data[at:at + 4], 'little')
            return cstring(self.dwarf.line_strings, at4), at + 4
        if form == 0x05:
            return int.from_bytes(data[at:at + 2], 'little'), at + 2
        if form in (0x06, 0x17, 0x10):  # data4, sec_offset, ref_addr
            return int.from_bytes(data[at:at + 4], 'little'), at + 4
        if form in (0x01, 0x07):  # addr, data8
            return int.from_bytes(data[at:at + 8], 'little'), at + 8
        if form == 0x1e:
            return bytes(data[at:at + 16]), at + 16
        if form == 0x19:
            return True, at
        if form == 0x21:
            return constant, at
        if form == 0x0d:
            return sleb(data, at)
        if form == 0x0f:
            return uleb(data, at)
        if form == 0x08:
            text = cstring(data, at)
            return text, data.find(b'\0', at) + 1
        if form == 0x18:
            length, at = uleb(data, at)
            return bytes(data[at:at + length]), at + length
        if form in (0x0a, 0x03, 0x04):  # block1, block2, block4
            size = {0x0a: 1, 0x03: 2, 0x04: 4}[form]
            length, at = int.from_bytes(data[at:at + size], 'little'), at + size
            return bytes(data[at:at + length]), at + length
        if form == 0x15:
            value, at = uleb(data, at)
            return self.offset + value, at
        raise ValueError('form %#x' % form)

    def load(self):
        if self.dies is not None:
            return
        abbrevs = self.dwarf.abbrevs(self.abbrev_offset)
        self.dies = {}
        at, parent = self.start, None
        while at < self.end:
            die, at, has_children = self.read_die(at, abbrevs, parent)
            if die is None:
                parent = parent.parent
                if parent is None:
                    break
                continue
            self.dies[die.offset] = die
            if parent is None:
                self.root = die
            else:
                parent.children.append(die)
            if has_children:
                parent = die

    def unload(self):
        self.dies = self.root = self.line_cache = self.rows_by_line = None

    def die(self, offset):
        self.load()
        return self.dies[offset]

    def low_pc(self):
        return self.root.attrs.get('low_pc', 0)

    def rnglist(self, at, with_empty=False):
        data, base, found = self.dwarf.rnglists, self.low_pc(), []
        while True:
            kind = data[at]
            at += 1
            if kind == 0:
                return found
            if kind == 4:
                low, at = uleb(data, at)
                high, at = uleb(data, at)
                low, high = low + base, high + base
            elif kind == 5:
                base, at = int.from_bytes(data[at:at + 8], 'little'), at + 8
                continue
            elif kind == 6:
                low, high = struct.unpack_from('<QQ', data, at)
                at += 16
            elif kind == 7:
                low = int.from_bytes(data[at:at + 8], 'little')
                size, at = uleb(data, at + 8)
                high = low + size
            else:
                raise ValueError('range list entry %d' % kind)
            if high > low or with_empty:
                found.append((low, high))

    def loclist(self, at):
        """[(low, high, expression)]"""
        data, base, found = self.dwarf.loclists, self.low_pc(), []
        while True:
            kind = data[at]
            at += 1
            if kind == 0:
                return found
            if kind == 4:
                low, at = uleb(data, at)
                high, at = uleb(data, at)
                low, high = low + base, high + base
            elif kind == 5:
                low, high = 0, 1 << 64
            elif kind == 6:
                base, at = int.from_bytes(data[at:at + 8], 'little'), at + 8
                continue
            elif kind == 7:
                low, high = struct.unpack_from('<QQ', data, at)
                at += 16
            elif kind == 8:
                low = int.from_bytes(data[at:at + 8], 'little')
                size, at = uleb(data, at + 8)
                high = low + size
            else:
                raise ValueError('location list entry %d' % kind)
            length, at = uleb(data, at)
            found.append((low, high, bytes(data[at:at + length])))
            at += length

    def locations(self, die):
        """[(low, high, expression)] of a variable; [] where it has none."""
        form = die.get('location_form')
        if form is None:
            return []
        value = die.get('location')
        if form == 0x18:
            return [(0, 1 << 64, value)]
        return self.loclist(value)

    def location_at(self, die, pc):
        """As one who knows nothing of views reads it."""
        for low, high, expression in self.locations(die):
            if low <= pc < high and expression:
                return expression
        return None

    def locations_at(self, die, pc, view, is_entry=False):
        """[(expression, certain)] at the view of an address. gcc puts many statements at one
        address; a location may begin or end between two of them. What holds at the view is certain,
        unless it comes from before and ends here: then it holds for who falls through, perhaps not
        for who jumps to it. What begins at a later view of the address is what a statement between
        makes of the variable, but at the entry of a copy, where it is what the copy is given, and before
        the statement that declares it."""
        is_unborn = any(row.view == view and row.line <= die.get('decl_line', 0)
                        for row in self.rows_at(pc))
        found = []
        views = die.get('locviews')
        for low, high, expression in self.locations(die):
            start = end = 0
            if views is not None:
                start, views = uleb(self.dwarf.loclists, views)
                end, views = uleb(self.dwarf.loclists, views)
            if not expression:
                continue
            if (low, start) <= (pc, view) < (high, end):
                found.append((expression, low == pc or high > pc))
            elif low == pc and view < start and (is_unborn or is_entry and start == view + 1):
                found.append((expression, False))
        return found

    def lines(self):
        if self.line_cache is None:
            self.load()
            self.line_cache = read_lines(self.dwarf, self.root.attrs['stmt_list'])
        return self.line_cache

    def file(self, index):
        return self.lines()[0][index]

    def rows(self):
        return self.lines()[1]

    def rows_of(self, line):
        """The rows of a line of any file."""
        self.index_rows()
        return self.rows_by_line.get(line, [])

    def rows_at(self, address):
        """The rows of an address, each a view of it."""
        self.index_rows()
        return self.rows_by_address.get(address, [])

    def index_rows(self):
        if self.rows_by_line is not None:
            return
        self.rows_by_line, self.rows_by_address = {}, {}
        for row in self.rows():
            self.rows_by_line.setdefault(row.line, []).append(row)
            self.rows_by_address.setdefault(row.address, []).append(row)


class Row:
    __slots__ = ('address', 'file', 'line', 'column', 'is_stmt', 'end', 'view')

    def __init__(self, address, file, line, column, is_stmt, end):
        self.address, self.file, self.line, self.column = address, file, line, column
        self.is_stmt, self.end, self.view = is_stmt, end, 0


def number_views(rows):
    """Rows of one address are its views, counted from 0; a sequence begins anew."""
    before = None
    for row in rows:
        if before is not None and not before.end and before.address == row.address:
            row.view = before.view + 1
        before = row


def entry_table(dwarf, data, at):
    count = data[at]
    at += 1
    formats = []
    for _ in range(count):
        content, at = uleb(data, at)
        form, at = uleb(data, at)
        formats.append((content, form))
    number, at = uleb(data, at)
    entries = []
    for _ in range(number):
        entry = {}
        for content, form in formats:
            if form == 0x1f:
                offset = int.from_bytes(data[at:at + 4], 'little')
                entry[content], at = cstring(dwarf.line_strings, offset), at + 4
            elif form == 0x0e:
                offset = int.from_bytes(data[at:at + 4], 'little')
                entry[content], at = cstring(dwarf.strings, offset), at + 4
            elif form == 0x08:
                entry[content] = cstring(data, at)
                at = data.find(b'\0', at) + 1
            elif form == 0x0f:
                entry[content], at = uleb(data, at)
            elif form == 0x0b:
                entry[content], at = data[at], at + 1
            elif form == 0x1e:
                at += 16
            else:
                raise ValueError('line table form %#x' % form)
        entries.append(entry)
    return entries, at


def read_lines(dwarf, at):
    """([file name by index], [Row]); a name is its directory and itself."""
    data = dwarf.line
    length, = struct.unpack_from('<I', data, at)
    end = at + 4 + length
    version, address_size = struct.unpack_from('<HB', data, at + 4)
    if version != 5:
        raise ValueError('line table version %d' % version)
    header_length, = struct.unpack_from('<I', data, at + 8)
    program = at + 12 + header_length
    min_length, _, default_stmt, line_base, line_range, opcode_base = \
        struct.unpack_from('<BBBbBB', data, at + 12)
    lengths = data[at + 18:at + 18 + opcode_base - 1]
    at += 18 + opcode_base - 1
    directories, at = entry_table(dwarf, data, at)
    names, at = entry_table(dwarf, data, at)
    files = []
    for name in names:
        path = name[1]
        directory = directories[name.get(2, 0)][1]
        if not path.startswith('/') and name.get(2, 0):
            path = directory + '/' + path
        files.append(path)
    rows = []
    address, file, line, column, is_stmt = 0, 1, 1, 0, bool(default_stmt)
    at = program
    while at < end:
        opcode = data[at]
        at += 1
        if opcode >= opcode_base:
            opcode -= opcode_base
            address += opcode // line_range * min_length
            line += line_base + opcode % line_range
            rows.append(Row(address, file, line, column, is_stmt, False))
        elif opcode == 0:
            size, at = uleb(data, at)
            sub = data[at]
            if sub == 1:
                rows.append(Row(address, file, line, column, is_stmt, True))
                address, file, line, column, is_stmt = 0, 1, 1, 0, bool(default_stmt)
            elif sub == 2:
                address = int.from_bytes(data[at + 1:at + size], 'little')
            at += size
        elif opcode == 1:
            rows.append(Row(address, file, line, column, is_stmt, False))
        elif opcode == 2:
            delta, at = uleb(data, at)
            address += delta * min_length
        elif opcode == 3:
            delta, at = sleb(data, at)
            line += delta
        elif opcode == 4:
            file, at = uleb(data, at)
        elif opcode == 5:
            column, at = uleb(data, at)
        elif opcode == 6:
            is_stmt = not is_stmt
        elif opcode == 8:
            address += (255 - opcode_base) // line_range * min_length
        elif opcode == 9:
            address += int.from_bytes(data[at:at + 2], 'little')
            at += 2
        else:
            for _ in range(lengths[opcode - 1]):
                _, at = uleb(data, at)
    number_views(rows)
    return files, rows


class Dwarf:
    def __init__(self, elf):
        self.elf = elf
        self.info = elf.section('.debug_info')
        self.strings = elf.section('.debug_str')
        self.line_strings = elf.section('.debug_line_str')
        self.line = elf.section('.debug_line')
        self.loclists = elf.section('.debug_loclists')
        self.rnglists = elf.section('.debug_rnglists')
        self.abbrev = elf.section('.debug_abbrev')
        self.abbrev_cache = {}
        self.units = self.read_units()
        self.by_offset = {unit.offset: unit for unit in self.units}
        self.read_aranges()
        self.frames = None

    def read_units(self):
        units, at = [], 0
        while at < len(self.info):
            length, version, kind, address_size, abbrevs = \
                struct.unpack_from('<IHBBI', self.info, at)
            if version != 5 or kind != 1:
                raise ValueError('unit version %d kind %d' % (version, kind))
            units.append(Unit(self, at, at + 12, at + 4 + length, abbrevs))
            at += 4 + length
        return units

    def abbrevs(self, offset):
        if offset in self.abbrev_cache:
            return self.abbrev_cache[offset]
        data, at, table = self.abbrev, offset, {}
        while True:
            code, at = uleb(data, at)
            if not code:
                break
            tag, at = uleb(data, at)
            has_children = data[at]
            at += 1
            forms = []
            while True:
                name, at = uleb(data, at)
                form, at = uleb(data, at)
                constant = None
                if form == 0x21:
                    constant, at = sleb(data, at)
                if not name and not form:
                    break
                forms.append((AT.get(name), form, constant))
            table[code] = (TAG.get(tag, tag), bool(has_children), forms)
        if len(self.abbrev_cache) > 64:
            self.abbrev_cache.clear()
        self.abbrev_cache[offset] = table
        return table

    def read_aranges(self):
        data, at, found = self.elf.section('.debug_aranges'), 0, []
        while at < len(data):
            length, version, info, size, _ = struct.unpack_from('<IHIBB', data, at)
            end = at + 4 + length
            at += 16
            while at < end:
                low, size = struct.unpack_from('<QQ', data, at)
                at += 16
                if size:
                    found.append((low, low + size, info))
        found.sort()
        self.aranges = found
        self.arange_starts = [a[0] for a in found]

    def unit_at(self, address):
        at = bisect.bisect_right(self.arange_starts, address) - 1
        if at >= 0 and address < self.aranges[at][1]:
            return self.by_offset[self.aranges[at][2]]
        return None

    def read_frames(self):
        """FDEs of .debug_frame by address."""
        data, at = self.elf.section('.debug_frame'), 0
        cies, self.frames = {}, []
        while at < len(data):
            start = at
            length, cie = struct.unpack_from('<II', data, at)
            end = at + 4 + length
            if cie == 0xffffffff:
                version = data[at + 8]
                augmentation = cstring(data, at + 9)
                if augmentation or version not in (1, 3, 4):
                    raise ValueError('CIE version %d "%s"' % (version, augmentation))
                at += 10 + (2 if version == 4 else 0)
                code, at = uleb(data, at)
                factor, at = sleb(data, at)
                _, at = uleb(data, at) if version > 1 else (0, at + 1)
                cies[start] = (code, factor, bytes(data[at:end]))
            else:
                low, size = struct.unpack_from('<QQ', data, at + 8)
                self.frames.append((low, low + size, cie, at + 24, end))
            at = end
        self.cies = cies
        self.frames.sort()
        self.frame_starts = [f[0] for f in self.frames]

    def cfa(self, pc):
        """('reg', number, offset) or ('expr', bytes)."""
        if self.frames is None:
            self.read_frames()
        at = bisect.bisect_right(self.frame_starts, pc) - 1
        if at < 0 or pc >= self.frames[at][1]:
            return None
        low, _, cie, start, end = self.frames[at]
        code, factor, program = self.cies[cie]
        data = self.elf.section('.debug_frame')
        state = {'rule': None}
        run_cfi(program, low, None, code, factor, state)
        run_cfi(bytes(data[start:end]), low, pc, code, factor, state)
        return state['rule']


def run_cfi(data, address, pc, code, factor, state):
    at, saved = 0, []
    while at < len(data):
        op = data[at]
        at += 1
        high, low = op & 0xc0, op & 0x3f
        step = 0
        if high == 0x40:
            step = low
        elif high == 0x80:
            _, at = uleb(data, at)
        elif high == 0xc0 or op == 0:
            pass
        elif op in (2, 3, 4):
            size = 1 << (op - 2)
            step, at = int.from_bytes(data[at:at + size], 'little'), at + size
        elif op in (5, 0x14, 9):
            _, at = uleb(data, at)
            _, at = uleb(data, at)
        elif op == 0x11:
            _, at = uleb(data, at)
            _, at = sleb(data, at)
        elif op in (6, 7, 8, 0x2e):
            _, at = uleb(data, at)
        elif op == 0x0a:
            saved.append(state['rule'])
        elif op == 0x0b:
            state['rule'] = saved.pop()
        elif op == 0x0c:
            register, at = uleb(data, at)
            offset, at = uleb(data, at)
            state['rule'] = ('reg', register, offset)
        elif op == 0x0d:
            register, at = uleb(data, at)
            state['rule'] = ('reg', register, state['rule'][2])
        elif op == 0x0e:
            offset, at = uleb(data, at)
            state['rule'] = ('reg', state['rule'][1], offset)
        elif op == 0x0f:
            length, at = uleb(data, at)
            state['rule'] = ('expr', bytes(data[at:at + length]))
            at += length
        elif op in (0x10, 0x16):
            _, at = uleb(data, at)
            length, at = uleb(data, at)
            at += length
        else:
            raise ValueError('call frame operation %#x' % op)
        if step:
            address += step * code
            if pc is not None and pc < address:
                return
