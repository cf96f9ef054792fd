# SPDX-License-Identifier: GPL-2.0-only
"""What tests/real/follow knows of programs without ktrace, libdw and gdb: the rows of their lines with columns and views,
and at which of the moments that share an address gdb reads a variable (by tests/diff/dwarf.py)."""
import bisect
import collections
import functools
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "../diff"))
from dwarf import Dwarf, Elf, holds, read_lines, uleb  # noqa: E402

Sections = collections.namedtuple("Sections", "line line_strings strings")


class Program:
    """One build of a program."""

    def __init__(self, path):
        self.path, self.elf = path, Elf(path)
        self.at = collections.defaultdict(list)
        sections = Sections(*map(self.elf.section, (".debug_line", ".debug_line_str", ".debug_str")))
        at = 0
        while at < len(sections.line):
            files, rows = read_lines(sections, at)
            at += 4 + int.from_bytes(sections.line[at:at + 4], "little")
            for row in rows:
                if not row.end and row.line:
                    row.file = os.path.basename(files[row.file])
                    self.at[row.address].append(row)
        self.addresses = sorted(self.at)
        self.first = min(int(at, 16) for at in re.findall(
            r"LOAD +0x\w+ (0x\w+)", subprocess.run(["readelf", "-lW", path], capture_output=True, text=True).stdout))

    def row(self, address, file, line):
        """The first of the line's rows at an address, a statement's beginning before another."""
        rows = [row for row in self.at.get(address, ()) if row.line == line and row.file == os.path.basename(file)]
        return min(rows, key=lambda row: (not row.is_stmt, row.view), default=None)

    def function(self, name):
        """(low, high) of a function."""
        for symbol in self.elf.by_name.get(name, ()):
            if symbol.kind == 2 and symbol.size:
                return symbol.address, symbol.address + symbol.size
        return 0, 0

    def size(self, name):
        low, high = self.function(name)
        return high - low

    def parts(self, name):
        """[(low, high)] of what the compiler has taken out of a function."""
        return [(symbol.address, symbol.address + symbol.size) for symbol in self.elf.symbols
                if symbol.name.startswith((f"{name}.cold", f"{name}.part"))]

    def jumps_to(self, function, address):
        """Whether a jump in a function leads to an address."""
        low, high = self.function(function)
        code = subprocess.run(["objdump", "-d", f"--start-address={low}", f"--stop-address={high}", self.path],
                              capture_output=True, text=True).stdout
        return bool(re.search(rf"\tj\w+ +{address:x} <", code))

    def statements(self, function):
        """address: [(file, line, column)] of a function's rows that begin a statement."""
        low, high = self.function(function)
        return {address: list(dict.fromkeys((row.file, row.line, row.column) for row in rows if row.is_stmt))
                for address, rows in self.at.items() if low <= address < high and any(row.is_stmt for row in rows)}

    @functools.cached_property
    def dwarf(self):
        try:
            return Dwarf(self.elf)
        except ValueError:  # not the one format that the reader knows
            return None

    @functools.lru_cache(maxsize=None)
    def variables(self, function, address, name):
        """The DIEs of a function's variables of a name in the blocks around an address, the innermost last."""
        unit = self.dwarf and self.dwarf.unit_at(address)
        found = []
        if not unit:
            return found
        unit.load()

        def look(die):
            for child in die.children:
                if child.tag in ("variable", "parameter") and child.name == name:
                    found.append(child)
            for child in die.children:
                if child.tag == "block" and holds(child.ranges(), address):
                    look(child)

        for die in unit.root.children:
            if die.tag == "subprogram" and die.name == function and holds(die.ranges(), address):
                look(die)
        return found

    def is_other_moment(self, function, address, row, name):
        """Whether gdb, which knows no views, reads the variable at an address by another location than the one that holds
        where the row is: at a later moment of the same address, when a statement between has been executed. gcc's views
        say that, not ktrace; what the variable is at the row is -O0's to say."""
        dies = self.variables(function, address, name)
        return bool(dies and row) and dies[-1].unit.location_at(dies[-1], address) != self.location(dies[-1], address, row.view)

    def location(self, die, address, view):
        """What holds at the view of an address. A border that lies where no row is, in the padding before an aligned
        address, is meant at that address: gcc counts the views of the instruction behind."""
        def moved(at):
            return address if at < address <= at + 63 and not any(a in self.at for a in range(at, address)) else at

        views = die.get("locviews")
        for low, high, expression in die.unit.locations(die):
            start = end = 0
            if views is not None:
                start, views = uleb(self.dwarf.loclists, views)
                end, views = uleb(self.dwarf.loclists, views)
            if expression and (moved(low), start) <= (address, view) < (moved(high), end):
                return expression
        return None
