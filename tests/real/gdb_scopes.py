# SPDX-License-Identifier: GPL-2.0-only
"""Runs inside gdb, on a program that isn't started: which variables are in scope at lines (JSON,
$KTRACE_JOB: `scopes`, [file, line]), in the function that has the line, and where each is declared. A line of
JSON a line."""
import json
import os

import gdb

with open(os.environ["KTRACE_JOB"]) as file:
    job = json.load(file)


def names_at(pc):
    names, block = {}, gdb.block_for_pc(pc)
    while block and not block.is_global and not block.is_static:
        for symbol in block:
            if symbol.is_variable or symbol.is_argument:
                names.setdefault(symbol.name, symbol.line)
        if block.function:
            break
        block = block.superblock
    return names


gdb.execute("set debuginfod enabled off")
with open(job["output"], "w") as out:
    for file, line in job["scopes"]:
        try:
            found = [s for s in gdb.decode_line("%s:%d" % (file, line))[1] or () if s.line == line]
        except gdb.error:
            continue
        for location in found[:1]:
            out.write(json.dumps({"line": [file, line], "names": names_at(location.pc)}) + "\n")
