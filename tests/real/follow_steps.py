# SPDX-License-Identifier: GPL-2.0-only
"""Runs inside gdb, for tests/real/follow: the first calls of functions, each taken instruction by instruction from its first
one until its frame is gone, and the rows of the lines as gdb has read them (`maint info line-table`). So no heuristics of
gdb's `step` have a say. A line of JSON for each call: the function, which call of it, and the addresses; what is called
meanwhile is run at once. Of each function a line with its lines: {address: [lines of rows that begin a statement]}."""
import collections
import json
import os
import re

import gdb

with open(os.environ["KTRACE_JOB"]) as file:
    job = json.load(file)


class Begin(gdb.Breakpoint):
    """A function's first instruction."""
    stepping = None

    def __init__(self, function, places):
        super().__init__(f"*{base + places[0][0]:#x}", internal=True)
        self.silent, self.function, self.calls, self.stepped = True, function, 0, 0
        self.places = [(base + low, base + high) for low, high in places]
        self.wanted = job["wanted"].get(function, range(1, job["most"] + 1))

    def stop(self):
        self.calls += 1
        if self.stepped == job["calls"] or self.calls > job["most"]:
            self.enabled = False
            return False
        if Begin.stepping or self.calls not in self.wanted:
            return False
        self.stepped, self.which = self.stepped + 1, self.calls
        Begin.stepping = self
        return True


def register(name):
    return int(gdb.selected_frame().read_register(name)) & (1 << 64) - 1


def steps(begin):
    """Addresses, and whether the call was seen to its end. A tail call is the end."""
    found, entry = [], register("rsp")
    while len(found) < job["steps"]:
        pc = register("rip")
        found.append(pc - base)
        gdb.execute("nexti", to_string=True)
        if not gdb.selected_inferior().pid:
            return found, False
        pc, sp = register("rip"), register("rsp")
        if sp > entry or (pc == begin.places[0][0] and sp == entry and found[-1] + base not in range(*begin.places[0])):
            return found, True
        if not any(low <= pc < high for low, high in begin.places):
            return found, sp == entry
    return found, False


def first_line(symbol):
    """A function's. gdb 13 keeps 16 bits of it; a row of the entry is near."""
    row = gdb.find_pc_line(int(symbol.value().address)).line
    return symbol.line + (row - symbol.line + 0x8000 >> 16 << 16)


def extents(unit):
    """{file: [the line where each function of a unit begins]}"""
    lines = collections.defaultdict(set)
    for block in (unit.static_block(), unit.global_block()):
        for symbol in block:
            if symbol.is_function:
                lines[symbol.symtab.filename].add(first_line(symbol))
    return lines


def rows_of(functions):
    """{function: {address: lines}, and its first line and the next function's}: of the function itself."""
    tables, found = {}, {}
    for name, places in functions.items():
        block = gdb.block_for_pc(places[0][0])
        while block and not (block.function and not block.superblock.function):
            block = block.superblock
        if not block:
            continue
        symbol = block.function
        file = symbol.symtab.filename
        if file not in tables:
            tables[file] = table(symbol.symtab), sorted(extents(symbol.symtab)[file])
        rows, starts = tables[file]
        first = first_line(symbol)
        end = min([line for line in starts if line > first], default=1 << 31)
        mine = collections.defaultdict(list)
        for line, address in rows:
            if any(low <= address < high for low, high in places) and first <= line < end and line not in mine[address]:
                mine[address].append(line)
        found[name] = {"rows": {address: lines for address, lines in mine.items() if lines}, "first": first, "end": end}
    return found


def table(symtab):
    told = gdb.execute(f"maint info line-table {re.escape(os.path.basename(symtab.filename))}$", to_string=True)
    rows, wanted = [], False
    for line in told.splitlines():
        if line.startswith("symtab: "):
            wanted = line.split(" ((")[0] == f"symtab: {symtab.fullname()}"
        its = re.match(r"\d+ +(\d+) +0x(\w+) Y", line)
        if wanted and its:
            rows.append((int(its[1]), int(its[2], 16)))
    return rows


for command in ("set pagination off", "set confirm off", "set disable-randomization on", "set exec-wrapper env -i",
                "set debuginfod enabled off", "set width 0"):
    gdb.execute(command, to_string=True)
with open(job["output"], "w") as out:
    for name, rows in rows_of(job["functions"]).items():
        out.write(json.dumps({"function": name, **rows}) + "\n")
    gdb.execute(f"starti {job['start']}", to_string=True)
    with open(f"/proc/{gdb.selected_inferior().pid}/maps") as maps:
        base = min(int(line.split("-")[0], 16) for line in maps if line.endswith(f" {job['program']}\n")) - job["first"]
    begins = [Begin(name, places) for name, places in job["functions"].items()]
    while True:
        gdb.execute("continue", to_string=True)
        if not gdb.selected_inferior().pid:
            break
        if Begin.stepping:
            begin = Begin.stepping
            found, is_whole = steps(begin)
            out.write(json.dumps({"function": begin.function, "call": begin.which, "whole": is_whole, "steps": found}) + "\n")
            out.flush()
            Begin.stepping = None
            if not gdb.selected_inferior().pid:
                break
