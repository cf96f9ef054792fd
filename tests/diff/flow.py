# SPDX-License-Identifier: GPL-2.0-only
"""The order of execution in a function, from objdump's text and the kernel's own tables.

ktrace decodes with another disassembler and knows less: here the jumps that a running kernel adds
(jump labels, exception fix-ups, the code behind static_cpu_has) are edges too."""
import re
import struct
import subprocess

LINE = re.compile(r'^([0-9a-f]+):\t([a-z0-9,. ]*?)(?:\s+(.*))?$')
PREFIXES = {'bnd', 'notrack', 'lock', 'rep', 'repz', 'repnz', 'data16', 'cs', 'ds', 'es', 'addr32'}


def relative_table(elf, name, words):
    """[(address, address)] of a table whose rows begin with two self-relative words."""
    pairs = []
    first, last = elf.by_name.get('__start_' + name), elf.by_name.get('__stop_' + name)
    if not first or not last:
        return pairs
    start, stop = first[0].address, last[0].address
    data = elf.read(start, stop - start)
    for at in range(0, len(data), words * 4):
        one, two = struct.unpack_from('<ii', data, at)
        pairs.append((start + at + one, start + at + 4 + two))
    return pairs


class Node:
    __slots__ = ('next', 'exits')

    def __init__(self):
        self.next, self.exits = set(), False


class Code:
    """Disassembles parts of one file."""

    def __init__(self, elf):
        self.elf = elf
        self.added = {}
        for source, target in relative_table(elf, '__jump_table', 4) + \
                relative_table(elf, '__ex_table', 3):
            self.added.setdefault(source, set()).add(target)
        aux = elf.section_range('.altinstr_aux')
        self.aux = self.decode(aux.start, aux.stop) if aux else {}

    def decode(self, start, stop):
        """{address: (next address, mnemonic, operands)}"""
        text = subprocess.run(['objdump', '-d', '--no-show-raw-insn', '--start-address=%#x' % start,
                               '--stop-address=%#x' % stop, self.elf.path], check=True,
                              capture_output=True, text=True).stdout
        found = []
        for line in text.splitlines():
            match = LINE.match(line)
            if match:
                words = ((match.group(2) or '') + ' ' + (match.group(3) or '')).split()
                while len(words) > 1 and words[0] in PREFIXES:
                    words.pop(0)
                found.append((int(match.group(1), 16), words[0] if words else '(bad)',
                              ' '.join(words[1:])))
        ends = [f[0] for f in found[1:]] + [stop]
        return {f[0]: (end, f[1], f[2]) for f, end in zip(found, ends)}

    def flow(self, ranges, entry):
        insns = {}
        for low, high in ranges:
            insns.update(self.decode(low, high))
        return Flow(self, insns, entry)


class Flow:
    def __init__(self, code, insns, entry):
        self.insns = insns
        self.nodes = {}
        waiting = list(insns)
        while waiting:
            address = waiting.pop()
            if address in self.nodes:
                continue
            self.nodes[address] = node = self.node(code, address)
            waiting += [a for a in node.next if a in code.aux]
        preceded = {a for node in self.nodes.values() for a in node.next}
        self.roots = {a for a in insns if a not in preceded} | {entry}

    def node(self, code, address):
        node = Node()
        end, mnemonic, operands = self.insns.get(address) or code.aux[address]
        name = mnemonic.split(',')[0]
        targets, falls = set(), True
        if name.startswith('j') or name.startswith('loop') or name == 'xbegin':
            falls = not name.startswith('jmp')
            match = re.match(r'([0-9a-f]+)\b', operands)
            if match and not operands.startswith('*'):
                targets.add(int(match.group(1), 16))
            else:
                node.exits = True
        elif name.startswith(('ret', 'iret', 'sysret', 'sysexit', 'hlt', 'int3', 'ljmp')):
            falls, node.exits = False, True
        if falls:
            targets.add(end)
        targets |= code.added.get(address, set())
        for target in targets:
            if target in self.insns or target in code.aux:
                node.next.add(target)
            else:
                node.exits = True
        return node

    def reach(self, starts, stop):
        """All that is met from starts on, without going beyond what is in stop."""
        seen, waiting = set(), list(starts)
        while waiting:
            address = waiting.pop()
            if address in seen:
                continue
            seen.add(address)
            if address not in stop:
                waiting += self.nodes[address].next
        return seen

    def after(self, address, stop):
        return self.reach(self.nodes[address].next, stop)

    def misses(self, probes, address):
        """Whether a pass through address can go by without a hit of a probe that belongs to it:
        none since the last pass, and none before the next or the end."""
        probes = set(probes)
        if address in probes:
            return False
        fresh = address in self.reach(self.roots, probes) or \
            address in self.after(address, probes)
        if not fresh:
            return False
        later = self.after(address, probes)
        return address in later or any(self.nodes[a].exits and a not in probes for a in later) or \
            self.nodes[address].exits

    def doubles(self, probes, address):
        """Whether the probe at address only ever hits behind another one."""
        others = set(probes) - {address}
        return address not in self.reach(self.roots, others) and \
            address not in self.after(address, others)
