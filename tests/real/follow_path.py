# SPDX-License-Identifier: GPL-2.0-only
"""For tests/real/follow: whether a call's lines are those that gdb's steps pass, and whose the difference is.

A visit is a line that is come to from another one. gdb's visits are the lines of all rows that begin a statement where an
instruction of the call was; the unoptimised build's are those of the same call at -O0, which is what the source says."""


def visits(lines):
    return [line for at, line in enumerate(lines) if not at or lines[at - 1] != line]


def visits_of(steps, rows):
    return visits([line for address in steps for line in rows.get(str(address), ())])


def pairs(one, other):
    """[(index, index)] of a longest common subsequence."""
    head = 0
    while head < min(len(one), len(other)) and one[head] == other[head]:
        head += 1
    rest, others = one[head:], other[head:]
    best = [[0] * (len(others) + 1)]
    for line in reversed(rest):
        below, row = best[-1], [0] * (len(others) + 1)
        for at in range(len(others) - 1, -1, -1):
            row[at] = below[at + 1] + 1 if line == others[at] else max(below[at], row[at + 1])
        best.append(row)
    best.reverse()
    found, at, place = [(index, index) for index in range(head)], 0, 0
    while at < len(rest) and place < len(others):
        if rest[at] == others[place]:
            found.append((head + at, head + place))
            at, place = at + 1, place + 1
        elif best[at + 1][place] >= best[at][place + 1]:
            at += 1
        else:
            place += 1
    return found


def judged(shown, stepped, source):
    """[(verdict, index in shown or None, index in stepped or None)]; source: None where the call isn't known at -O0."""
    alike = pairs(shown, stepped)
    of_shown, of_stepped = dict(alike), {theirs: mine for mine, theirs in alike}
    found = [("path: equal", mine, theirs) for mine, theirs in alike]
    true = dict(pairs(shown, source)) if source is not None else {}
    true_steps = dict(pairs(stepped, source)) if source is not None else {}
    taken = set(true.values())
    for at, line in enumerate(shown):
        if at not in of_shown:
            found.append(("path: not in gdb's steps" + (", -O0 unknown" if source is None else ", -O0 has it" if at in true else
                                                  ", -O0 has it elsewhere" if line in source else ", -O0 hasn't it"), at, None))
    for at, line in enumerate(stepped):
        if at not in of_stepped:
            found.append(("path: only in gdb's steps" + (", -O0 unknown" if source is None else
                                                   ", -O0 has it" if true_steps.get(at, -1) in set(range(len(source))) - taken else
                                                   ", -O0 hasn't it"), None, at))
    return found
