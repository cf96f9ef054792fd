# SPDX-License-Identifier: GPL-2.0-only
"""Runs inside gdb: breakpoints at the addresses of a job (JSON, $KTRACE_JOB), and at each hit the
variables of the functions that are asked for, all or by name, as gdb has them. A line of JSON a hit.
Where gdb has no value of an argument, what the argument was at the entry of the same call is told
beside. Or breakpoints at lines, as gdb sets them. `most`: so many hits of each are told. `fetches`: what
ktrace's definitions are worth there is told as well.

The program may be started through others (`shell`): what they execute in the end is traced."""
import json
import os
import shlex
import sys

import gdb

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
from value import REGISTERS, Fetch, Finish, signed  # noqa: E402

with open(os.environ["KTRACE_JOB"]) as file:
    job = json.load(file)
COMPOUND = (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION, gdb.TYPE_CODE_ARRAY)
entered = {}  # the arguments of calls that are under way, by thread and frame


def struct_of(value, kind):
    members = {}
    for field in kind.fields():
        if not field.type.sizeof or not hasattr(field, "bitpos"):
            continue  # ktrace doesn't show what has no bytes in it, nor does DWARF place a class's statics
        if field.is_base_class and not field.type.fields():
            continue
        part = shown(value[field], False)
        members.update({field.name: part} if field.name else part.get("struct", {}))
    return {"struct": members}


def pointer(value, is_whole):
    """gdb 13 aborts when it is asked what a member that is such a pointer points to."""
    if "synthetic pointer" in value.format_string():
        return {"implied": shown(value.dereference())} if is_whole else {"none": "a synthetic pointer"}
    return {"pointer": int(value)}


def wide(value, kind):
    """16 bytes, which gdb's int() can't take."""
    number = int(value.format_string(format="x"), 16)
    return number - (number >> 127 << 128) if kind.is_signed else number


def is_guard(value):
    """The C library's stack guard, left where nothing was stored yet: random, another one in each run."""
    kind = value.type.strip_typedefs()
    text = kind.code == gdb.TYPE_CODE_ARRAY and kind.target().sizeof == 1
    if not value.address or kind.code in COMPOUND and not text:
        return False
    base = int(gdb.parse_and_eval("$fs_base"))
    memory = gdb.selected_inferior().read_memory
    guard = memory(base + 0x28, 8).tobytes() if base else bytes(8)
    held = memory(int(value.address), kind.sizeof).tobytes()
    return any(guard) and (guard[1:4] in held or guard[4:8] in held)


def shown(value, is_whole=True):
    """A value with its kind, which says how it may be written. is_whole: it is no part of another one."""
    if value.is_optimized_out:
        return {"none": "optimised out"}
    if is_guard(value):
        return {"none": "the stack's guard"}
    try:
        value.fetch_lazy()
        kind = value.type.strip_typedefs()
        code = kind.code
        if kind.name == "__jmp_buf_tag":
            return {"none": "glibc mangles it by a number of each run"}
        if code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
            return struct_of(value, kind)
        if code == gdb.TYPE_CODE_ARRAY:
            low, high = kind.range()
            return {"array": [shown(value[i], False) for i in range(low, high + 1)]}
        if code == gdb.TYPE_CODE_COMPLEX:
            gdb.set_convenience_variable("ktrace_complex", value)
            return {"array": [shown(gdb.parse_and_eval(f"$_c{part}($ktrace_complex)"), False) for part in ("real", "imag")]}
        if code == gdb.TYPE_CODE_PTR:
            return pointer(value, is_whole)
        if code == gdb.TYPE_CODE_FLT:
            text = value.format_string()
            return {"none": text} if text.startswith("<") else {"real": text}  # 80 bits have invalid ones
        if code == gdb.TYPE_CODE_ENUM:
            return {"enum": int(value), "names": {f.name: f.enumval for f in kind.fields()}}
        if code == gdb.TYPE_CODE_BOOL:
            return {"bool": int(value)}
        if kind.sizeof == 1:
            return {"char": int(value)}
        return {"number": int(value) if kind.sizeof <= 8 else wide(value, kind)}
    except gdb.error as error:
        return {"none": str(error)}


def plain(name):
    """A function's name without its parameters."""
    depth, end = 0, len(name)
    if not name.endswith((")", ") const")):
        return name
    for at in range(len(name) - 1, -1, -1):
        depth += (name[at] == ")") - (name[at] == "(")
        if name[at] == "(" and not depth:
            end = at
            break
    return name[:end]


def own_blocks(pc, function):
    """Of the innermost copy of a function at an address, from its innermost block out."""
    blocks, block = [], gdb.block_for_pc(pc)
    while block and not block.is_global and not block.is_static:
        blocks.append(block)
        if block.function:
            if function is None or plain(block.function.name) == function:
                return blocks
            blocks = []
        block = block.superblock
    return []


def variables(frame, pc, function, names=None):
    seen, blocks = {}, own_blocks(pc, function)
    for block in blocks:
        for symbol in block:
            if (symbol.is_variable or symbol.is_argument) and symbol.name not in seen and (
                    names is None or symbol.name in names):
                try:
                    seen[symbol.name] = shown(symbol.value(frame))
                except gdb.error as error:
                    seen[symbol.name] = {"none": str(error)}
    if blocks and not blocks[-1].superblock.function:  # no inlined copy
        call = entered.get(frame_of(frame), {})
        for name, value in seen.items():
            if "none" in value and name in call:
                value["entry"] = call[name]
    return seen


def frame_of(frame):
    while frame.type() == gdb.INLINE_FRAME:
        frame = frame.older()
    return gdb.selected_thread().num, int(frame.older().read_register("rsp")) if frame.older() else 0


class Live:
    """The stopped program, as a machine that fetch arguments are evaluated on."""

    def __init__(self, frame):
        self.registers = [int(frame.read_register(name if name[1].isdigit() else "r" + name)) & (1 << 64) - 1
                          for name in REGISTERS]

    def load(self, address, size):
        return int.from_bytes(gdb.selected_inferior().read_memory(address, size).tobytes(), "little")


def worth(frame, pc, function, told):
    """What one definition is worth, as ktrace's JSON has it; None: that can't be told."""
    kinds = [symbol.type.strip_typedefs() for block in own_blocks(pc, function) for symbol in block
             if symbol.name == told["name"]]
    whole = (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_CHAR, gdb.TYPE_CODE_BOOL, gdb.TYPE_CODE_ENUM, gdb.TYPE_CODE_PTR)
    if not kinds or kinds[0].code not in whole or kinds[0].sizeof > 8:
        return None
    kind, machine = kinds[0], Live(frame)
    try:
        fetched = [Fetch(text, None).value(machine) for text in told["fetch"]]
        number = Finish(told["finish"]).value(fetched) if told["finish"] else fetched[0]
    except (gdb.error, KeyError, TypeError, ValueError, ZeroDivisionError):
        return None
    number &= (1 << 8 * kind.sizeof) - 1
    if kind.code == gdb.TYPE_CODE_PTR:
        return hex(number)
    if kind.code == gdb.TYPE_CODE_BOOL:
        return bool(number)
    number = signed(number, 8 * kind.sizeof) if kind.is_signed else number
    if kind.code == gdb.TYPE_CODE_ENUM:
        return {field.enumval: field.name for field in kind.fields()}.get(number, number)
    return number


class Told(gdb.Breakpoint):
    """One whose hits are told, the first of them."""

    def __init__(self, where):
        super().__init__(where, internal=True)
        self.silent, self.left = True, job.get("most")

    def stop(self):
        if self.left is not None:
            self.left -= 1
            self.enabled = self.left > 0
        out.write(json.dumps({"thread": gdb.selected_thread().num, **self.tell(gdb.newest_frame())}) + "\n")
        return False


class Place(Told):
    def __init__(self, address, functions):
        super().__init__(f"*{base + address:#x}")
        self.place, self.functions = address, functions
        self.fetches = job.get("fetches", {}).get(str(address), [])
        self.told = 0

    def tell(self, frame):
        pc = base + self.place
        self.told += 1
        if self.fetches and self.told > job["full"]:
            return {"address": self.place}
        hit = {"address": self.place,
               "values": {f: variables(frame, pc, f, names) for f, names in self.functions.items()}}
        if self.fetches:
            hit["worth"] = {told["event"]: worth(frame, pc, told["function"], told) for told in self.fetches}
        return hit


class Line(Told):
    """A line of a file, and the names of variables."""

    def __init__(self, place, names):
        super().__init__(place)
        self.place, self.names = place, names

    def tell(self, frame):
        return {"line": self.place, "address": frame.pc() - base,
                "values": variables(frame, frame.pc(), None, self.names)}


class Entry(gdb.Breakpoint):
    def __init__(self, address, function):
        super().__init__(f"*{base + address:#x}", internal=True)
        self.silent, self.function = True, function

    def stop(self):
        frame = gdb.newest_frame()
        call = gdb.selected_thread().num, int(frame.read_register("rsp")) + 8
        entered[call] = {}
        for symbol in gdb.block_for_pc(frame.pc()) or ():
            if symbol.is_argument and symbol.line:
                entered[call][symbol.name] = shown(symbol.value(frame))
        return False


def begin():
    """Stops in the program that is meant, before its first instruction."""
    if "shell" not in job:
        gdb.execute(f"starti {job['start']}", to_string=True)
        return
    gdb.execute("set follow-exec-mode same")
    gdb.execute("set startup-with-shell off")
    gdb.execute("file " + job["shell"][0], to_string=True)
    gdb.execute("catch exec", to_string=True)
    gdb.execute("set args " + " ".join(map(shlex.quote, job["shell"][1:])))
    gdb.execute("run", to_string=True)
    while os.readlink(f"/proc/{gdb.selected_inferior().pid}/exe") != job["program"]:
        gdb.execute("continue", to_string=True)
    gdb.execute("delete", to_string=True)


for command in ("set pagination off", "set confirm off", "set disable-randomization on",
                "set exec-wrapper env -i", "set print elements 0", "set print repeats 0",
                "set print symbol off", "set debuginfod enabled off", "set width 0"):
    gdb.execute(command, to_string=True)
begin()
with open(f"/proc/{gdb.selected_inferior().pid}/maps") as maps:
    base = min(int(line.split("-")[0], 16) for line in maps
               if line.endswith(f" {job['program']}\n")) - job["first"]
with open(job["output"], "w") as out:
    entries = [Entry(address, name) for name, address in job.get("entries", {}).items()]
    places = [Place(int(address), functions) for address, functions in job.get("places", {}).items()]
    lines = [Line(place, names) for place, names in job.get("lines", {}).items()]
    out.write(json.dumps({"base": base}) + "\n")
    gdb.execute("continue", to_string=True)
