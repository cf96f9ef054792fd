# SPDX-License-Identifier: GPL-2.0-only
"""What the judges of `ktrace follow` share: what code notes of its own path and values, and what was followed, compared
call by call."""
import collections
import re


def noted(path):
    """By call: its lines with values, and what it returned."""
    calls, results = collections.defaultdict(list), {}
    with open(path) as file:
        for line in file:
            number, rest = line.rstrip("\n").split(" ", 1)
            if rest.startswith("= "):
                results[int(number)] = int(rest[2:])
                continue
            where, *values = rest.split(" ")
            calls[int(number)].append((int(where), dict((v.split("=")[0], int(v.split("=")[1])) for v in values)))
    return calls, results


def noting_lines(source):
    with open(source) as file:
        return {n for n, text in enumerate(file, 1) if re.match(r"\t+AT\(", text)}


def lines_of(source, function):
    """The lines of the function's definition."""
    with open(source) as file:
        text = file.read().split("\n")
    first = next(n for n, line in enumerate(text, 1) if re.search(rf"\b(long|void) {function}\(", line))
    return range(first, first + text[first:].index("}") + 2)


def lacking(probes):
    """By line, the names that have no value at some of its places; of `follow -n --json`."""
    names = collections.defaultdict(set)
    for probe in probes:
        for value in probe.get("args", ()):
            if value["status"] != "ok":
                names[probe["line"]].add(value["name"])
    return names


def states(call):
    """Each line that a call passed, with the values before it."""
    state = dict(call["args"])
    for row in call["lines"]:
        if "line" in row:
            first = [change for change in row["changes"] if "was" not in change]
            if row is call["lines"][0]:  # what was known when the first line was reached
                state.update((change["name"], change["is"]) for change in first)
            yield row["line"], dict(state)
            state.update((change["name"], change["is"]) for change in row["changes"])


def differences(calls, notes, source, function, lacks):
    """What is followed otherwise than it was noted: paths, values; and how many values were compared."""
    all_notes, results = notes
    lines, own = noting_lines(source), lines_of(source, function)
    due = {number: path for number, path in all_notes.items() if path[0][0] in own}
    got, wrong, compared = {}, [], 0
    for call in calls:
        number = call["args"].get("id", call["lines"][0]["changes"] and
                                  dict((c["name"], c["is"]) for c in call["lines"][0]["changes"]).get("id"))
        path = [(line, state) for line, state in states(call) if line in lines]
        got[number] = [line for line, _ in path]
        for (line, state), (_, truth) in zip(path, due.get(number, [])):
            for variable, value in truth.items():
                if variable in lacks[line] or variable not in state:
                    continue
                compared += 1
                if state[variable] != value:
                    wrong.append((number, line, variable, state[variable], value))
        if call["end"] == "returned" and "retval" in call and results.get(number) != call["retval"]:
            wrong.append((number, "retval", call["retval"], results.get(number)))
    paths = {number: [line for line, _ in path] for number, path in due.items()}
    other = [(n, got.get(n), paths.get(n)) for n in sorted(set(got) | set(paths), key=str) if got.get(n) != paths.get(n)]
    return len(paths), other, wrong, compared


def inlined_in(calls, notes, source, inner, lacks):
    """What is inlined into calls, by its number: its lines in order, as it noted them, with the values of its last note;
    and the numbers that were noted."""
    rows, wrong = collections.defaultdict(list), []
    for call in calls:
        number = None
        for row in call["lines"]:
            if row.get("inlines") == inner:
                number = row["args"].get("id", "unknown")
                rows[number] = []
            elif row.get("inlined") == inner:
                rows[number].append(row)
    due = {number: path for number, path in notes.items() if path[0][0] in lines_of(source, inner)}
    for number, own in rows.items():
        truth = due.get(number, [])
        path = [row["line"] for row in own if row["line"] in noting_lines(source)]
        if own and path != [line for line, _ in truth]:
            wrong.append((number, path, truth))
        seen = {change["name"]: change["is"] for row in own for change in row["changes"]}
        wrong += [(number, name, seen[name], value) for line, values in truth[-1:] for name, value in values.items()
                  if name in seen and name not in lacks[line] and seen[name] != value]
    return rows, due, wrong
