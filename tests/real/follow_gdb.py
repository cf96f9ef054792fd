# SPDX-License-Identifier: GPL-2.0-only
"""Runs inside gdb, for tests/real/follow: breakpoints where the calls of functions begin, at their lines and where they
end. A line of JSON for each of the first hits: the function, the address, the frame, and the variables as gdb has them."""
import json
import os
import sys

import gdb

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "../diff"))
os.environ.setdefault("KTRACE_JOB", os.devnull)
with open(os.environ["KTRACE_JOB"]) as file:
    job = json.load(file)
with open(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../diff/gdb_hits.py")) as file:
    shared = file.read().split("\nfor command in ")[0]
exec(compile(shared, "gdb_hits.py", "exec"))  # what is there is told as there


def declared(pc, function):
    """The line of each variable's declaration."""
    lines = {}
    for block in own_blocks(pc, function):
        for symbol in block:
            lines.setdefault(symbol.name, symbol.line)
    return lines


class Hit(gdb.Breakpoint):
    left = {}

    def __init__(self, function, address, is_line):
        super().__init__(f"*{base + address:#x}", internal=True)
        self.silent, self.function, self.place, self.is_line = True, function, address, is_line

    def stop(self):
        if Hit.left[self.function] <= 0:
            self.enabled = False
            return False
        Hit.left[self.function] -= 1
        frame = gdb.newest_frame()
        while frame.type() == gdb.INLINE_FRAME:
            frame = frame.older()
        older = frame.older()
        told = {"function": self.function, "address": self.place,
                "frame": int(older.read_register("rsp")) if older else 0, "sp": int(frame.read_register("rsp"))}
        if self.is_line:
            told["values"] = variables(gdb.newest_frame(), base + self.place, self.function)
            told["declared"] = declared(base + self.place, self.function)
        out.write(json.dumps(told) + "\n")
        out.flush()
        return False


for command in ("set pagination off", "set confirm off", "set disable-randomization on", "set exec-wrapper env -i",
                "set print elements 0", "set print repeats 0", "set print symbol off", "set debuginfod enabled off",
                "set width 0"):
    gdb.execute(command, to_string=True)
gdb.execute(f"starti {job['start']}", to_string=True)
with open(f"/proc/{gdb.selected_inferior().pid}/maps") as maps:
    base = min(int(line.split("-")[0], 16) for line in maps if line.endswith(f" {job['program']}\n")) - job["first"]
with open(job["output"], "w") as out:
    for name, places in job["functions"].items():
        Hit.left[name] = job["most"]
        for address, is_line in places:
            Hit(name, address, is_line)
    gdb.execute("continue", to_string=True)
