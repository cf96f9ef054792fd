# SPDX-License-Identifier: GPL-2.0-only
"""Runs inside gdb, for tests/real/follow: the first calls of functions, each stepped by `next` from its first instruction
until its frame is gone. A line of JSON for each: the function, which call of it, and the addresses and lines where gdb
stopped, and whether that is in an inlined function. What is called meanwhile is counted, not stepped."""
import json
import os

import gdb

with open(os.environ["KTRACE_JOB"]) as file:
    job = json.load(file)


class Begin(gdb.Breakpoint):
    """A function's first instruction."""
    stepping = None

    def __init__(self, function, address):
        super().__init__(f"*{base + address:#x}", internal=True)
        self.silent, self.function, self.calls, self.stepped = True, function, 0, 0

    def stop(self):
        self.calls += 1
        if self.stepped == job["calls"] or self.calls > job["most"]:
            self.enabled = False
            return False
        if Begin.stepping:
            return False
        self.stepped, self.which = self.stepped + 1, self.calls
        Begin.stepping = self
        return True


def own_frame():
    frame = gdb.newest_frame()
    while frame.type() == gdb.INLINE_FRAME:
        frame = frame.older()
    return frame


def caller_sp(frame):
    older = frame.older()
    return int(older.read_register("rsp")) if older else 0


def steps(begin):
    stops, place = [], caller_sp(own_frame())
    while len(stops) < job["steps"]:
        frame = gdb.newest_frame()
        stops.append((frame.pc() - base, frame.find_sal().line, frame.type() == gdb.INLINE_FRAME))
        gdb.execute("next", to_string=True)
        if not gdb.selected_inferior().pid:
            return stops, False
        frame = own_frame()
        if frame.name() != begin.function or caller_sp(frame) != place:
            return stops, True
    return stops, False


for command in ("set pagination off", "set confirm off", "set disable-randomization on", "set exec-wrapper env -i",
                "set debuginfod enabled off", "set width 0"):
    gdb.execute(command, to_string=True)
gdb.execute(f"starti {job['start']}", to_string=True)
with open(f"/proc/{gdb.selected_inferior().pid}/maps") as maps:
    base = min(int(line.split("-")[0], 16) for line in maps if line.endswith(f" {job['program']}\n")) - job["first"]
begins = [Begin(name, address) for name, address in job["functions"].items()]
with open(job["output"], "w") as out:
    while True:
        gdb.execute("continue", to_string=True)
        if not gdb.selected_inferior().pid:
            break
        if Begin.stepping:
            found, is_whole = steps(Begin.stepping)
            out.write(json.dumps({"function": Begin.stepping.function, "call": Begin.stepping.which if is_whole else 0,
                                  "stops": found}) + "\n")
            out.flush()
            Begin.stepping = None
            if not gdb.selected_inferior().pid:
                break
