# SPDX-License-Identifier: GPL-2.0-only
"""Whether a value of ktrace's JSON is the one that gdb_hits.py tells."""
import functools
import operator
import re
import struct


def integer(text):
    try:
        return int(text, 0)
    except (TypeError, ValueError):
        return None


def same_real(mine, theirs):
    mine, theirs = float(mine), float(theirs.split("(")[0])
    return (mine == theirs or mine != mine and theirs != theirs or
            abs(mine) < 3e38 and struct.pack("f", mine) == struct.pack("f", theirs))


def same_enum(mine, number, names):
    names = {name.rpartition('::')[2]: value for name, value in names.items()}  # C++'s have their scope
    if not isinstance(mine, str):
        return mine == number and number not in names.values()
    words = [word.rpartition("::")[2] for word in mine.split("|")]
    rest = int(words.pop(), 16) if words[-1].startswith("0x") else 0 # bits without a name
    return all(w in names for w in words) and functools.reduce(operator.or_, map(names.get, words), rest) == number


def readable(text):
    """JSON has a mark for each byte that is no UTF-8; how many it takes for a sequence of them differs."""
    return re.sub("\ufffd+", "\ufffd", text)


def same_text(mine, theirs, cut):
    theirs = readable(theirs.split(b"\0")[0].decode(errors="replace"))
    mine = readable(mine)
    return mine == theirs or cut and len(mine) > 1 and theirs.startswith(mine.rstrip("\ufffd"))


def members(mine, theirs):
    """gdb has a base class of C++ as a member under its name, ktrace its members beside the class's own."""
    found = {}
    for name, part in theirs.items():
        found.update(members(mine, part["struct"]) if name not in mine and "struct" in part else {name: part})
    return found


def same(mine, theirs, place, cut=False):
    """Whether ktrace's JSON is what gdb has; place: what a symbol is in this run; cut: ktrace says that it has
    not recorded a text to its end."""
    kind, value = next(iter(theirs.items()))
    if kind == "number":
        return mine == value and not isinstance(mine, bool) or integer(mine) == value
    if kind == "bool":
        return mine is (value != 0)
    if kind == "char":
        return mine == value or isinstance(mine, str) and mine == chr(value & 255)
    if kind == "enum":
        return same_enum(mine, value, theirs["names"])
    if kind == "real":
        return same_real(mine, value)
    if kind == "pointer":
        return place(mine) == value
    if kind == "array" and isinstance(mine, str):
        return same_text(mine, bytes(part.get("char", 0) & 255 for part in value), cut)
    if kind == "array":
        return isinstance(mine, list) and len(mine) == len(value) and all(
            same(a, b, place, cut) for a, b in zip(mine, value))
    if kind == "struct":
        value = members(mine, value) if isinstance(mine, dict) else value
        return isinstance(mine, dict) and list(mine) == list(value) and all(
            same(mine[name], value[name], place, cut) for name in mine)
    return False


def lacks(value):
    """gdb has not all of it."""
    if isinstance(value, list):
        return any(map(lacks, value))
    return isinstance(value, dict) and ("none" in value or any(map(lacks, value.values())))
