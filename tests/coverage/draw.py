# SPDX-License-Identifier: GPL-2.0-only
"""Sites of a kernel, each (copy of a function, line) pair as likely as any other.

Reading the whole kernel's DWARF would take minutes, so a unit is drawn by the length of its line
program, and a draw of a pair thrown away again so often as the unit has fewer pairs for that length
than the richest unit could have: what remains is uniform over all pairs. Reading a unit is the work,
so each that is drawn has a few draws. Start-up code, which is freed, has no sites.

Functions of headers have copies in thousands, and asking for one asks for all. Only one in four of
their sites is kept, and counts four times."""
import bisect
import collections
import random
import struct

from sites import C_LANGUAGES, functions

PAIRS_PER_BYTE = 0.15  # no unit has more; asserted
KEPT = 0.40  # of the draws, about
DRAWS = 4  # in each unit that is drawn
HEADER_WEIGHT = 4


class Site:
    def __init__(self, unit, copy, line):
        function = copy.function
        self.unit, self.copy, self.line = unit, copy, line
        file = function.file[2:] if function.file.startswith('./') else function.file
        self.place = '%s@%s:%d' % (function.name, file, line)
        self.is_header = not file.endswith('.c')
        self.weight = HEADER_WEIGHT if self.is_header else 1
        self.asks_perf = False


def pairs(kernel, unit):
    """[(copy, line relative to the function)] with a row of the line table inside the copy."""
    rows = sorted((row for row in unit.rows() if not row.end), key=lambda row: row.address)
    addresses = [row.address for row in rows]
    found = []
    for function in functions(unit).values():
        if not function.file:
            continue
        for copy in function.instances:
            if not copy.is_split and not kernel.is_gone(copy.entry):
                found += [(copy, line) for line in lines_of(copy, unit, rows, addresses)
                          if line or not is_second_half(kernel, copy)]
    return found


def is_second_half(kernel, copy):
    """gcc splits a function: what its head doesn't do has a symbol of its own, whose beginning is no call's."""
    return any('.part.' in symbol.name for symbol in kernel.elf.functions_at(copy.entry))


def lines_of(copy, unit, rows, addresses):
    function, lines = copy.function, set()
    for low, high in copy.ranges:
        for at in range(bisect.bisect_left(addresses, low), bisect.bisect_left(addresses, high)):
            row = rows[at]
            if function.line <= row.line < function.end and unit.file(row.file) == function.file:
                lines.add(row.line - function.line)
    return sorted(lines)


def program_lengths(kernel):
    """{unit: length of its line program} of the units in C."""
    lengths = {}
    for unit in kernel.dwarf.units:
        head = unit.header().attrs
        if head.get('language') in C_LANGUAGES and 'stmt_list' in head:
            lengths[unit], = struct.unpack_from('<I', kernel.dwarf.line, head['stmt_list'])
    return lengths


def draw(kernel, count, seed, perf_count):
    """Yields the sites of one unit at a time, until there are `count`; perf is asked at about
    perf_count of them. Who takes them unloads the unit."""
    rng = random.Random(seed)
    lengths = program_lengths(kernel)
    units, total = list(lengths), 0
    while total < count:
        more = int((count - total) / KEPT / DRAWS) + 2
        drawn = collections.Counter(u.offset for u in rng.choices(units, lengths.values(), k=more))
        for offset in sorted(drawn):
            unit = kernel.dwarf.by_offset[offset]
            sites = draw_in(rng, kernel, unit, drawn[offset] * DRAWS, PAIRS_PER_BYTE * lengths[unit])
            for site in sites:
                site.asks_perf = rng.random() < perf_count / count
            total += len(sites)
            if sites:
                yield sites
            else:
                unit.unload()


def draw_in(rng, kernel, unit, times, most):
    found = pairs(kernel, unit)
    if len(found) > most:
        raise ValueError('%s has %d pairs, more than %d' % (unit.root.name, len(found), most))
    sites = [Site(unit, *rng.choice(found)) for _ in range(times)
             if rng.random() < len(found) / most]
    return [site for site in sites if rng.random() < 1 / site.weight]
