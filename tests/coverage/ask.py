# SPDX-License-Identifier: GPL-2.0-only
"""Asks ktrace, many specs a process, and perf, one spec a process.

One bad spec ends a process of either. ktrace shows it, with a caret below the word: the word is
taken out, what ktrace said of it is kept, and the rest is asked again."""
import json
import os
import re
import subprocess
import tempfile

from whole import CPUS

HERE = os.path.dirname(os.path.abspath(__file__))
KTRACE = os.environ.get('KTRACE', os.path.join(HERE, '../../build/ktrace'))
TIMEOUT = 300
BATCH = 12
VERBS = {'-n': ['--cpus', str(CPUS), '-n'], '-V': ['-V']}


def run(command, **more):
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, **more)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, -1, '', 'no answer in %d s' % TIMEOUT)


class Question:
    """A place and names of variables. refused: why there is no answer at all; dropped: {name: why}
    of those that were taken out; answers: ktrace's objects, one a point."""

    def __init__(self, place, names=()):
        self.place, self.names = place, list(names)
        self.dropped, self.refused, self.answers = {}, None, None

    def text(self):
        return ' '.join([self.place] + self.names)

    def blame(self, message):
        """ktrace has refused it: what to leave out."""
        lines = message.splitlines()
        at = next((i for i, line in enumerate(lines) if line == '  ' + self.text()), None)
        reason = next((line for line in reversed(lines[:at]) if line.startswith('ktrace: ')
                       and 'left out' not in line), message)[8:]
        column = re.search(r'\^', lines[at + 1]).start() - 2 if at is not None and \
            at + 1 < len(lines) and '^' in lines[at + 1] else 0
        index = self.text()[:column + 1].count(' ')
        if index == 0:
            self.refused = reason
        else:
            self.dropped[self.names.pop(index - 1)] = reason


class Ktrace:
    """Functions of headers have copies by the thousand: a question about one has a process of its
    own, so that no other's failure asks again, and its answer is kept for the next such site."""

    def __init__(self, kernel):
        self.kernel, self.kept = kernel, {}

    def ask(self, questions, verb='-n'):
        """Fills in the questions."""
        many = [q for q in questions if '.c:' in q.place]
        batches = [many[at:at + BATCH] for at in range(0, len(many), BATCH)]
        batches += [[q] for q in questions if '.c:' not in q.place]
        while batches:
            batch = batches.pop()
            done = self.run(verb, list(dict.fromkeys(q.text() for q in batch)))
            if done.returncode == 0:
                fill(batch, done.stdout, 'place' if verb == '-V' else 'spec')
                continue
            shown = done.stderr.splitlines()
            blamed = [q for q in batch if '  ' + q.text() in shown] or batch[:1]
            rest = [q for q in batch if q not in blamed]
            for question in blamed:
                question.blame(done.stderr)
                if question.refused is None:
                    batches.append([question])
            if rest:
                batches.append(rest)

    def run(self, verb, texts):
        key = (verb, texts[0]) if len(texts) == 1 and '.c:' not in texts[0] else None
        if key not in self.kept:
            done = run([KTRACE, '-k', self.kernel.path, '--json'] + VERBS[verb] + texts)
            if key is None:
                return done
            self.kept[key] = done
        return self.kept[key]


def fill(questions, output, key):
    by_text = {}
    for line in output.splitlines():
        answer = json.loads(line)
        for argument in answer.get('args', ()):
            argument.update({key: answer[key] for key in ('definition', 'companions')})
        by_text.setdefault(answer[key], []).append(answer)
    for question in questions:
        question.answers = by_text.get(question.text(), [])


class Perf:
    """perf probe -D, with a home of its own: it would find older answers in its cache."""

    def __init__(self, kernel):
        self.kernel = kernel
        self.home = tempfile.TemporaryDirectory()

    def ask(self, spec):
        """([(symbol, offset, {name: fetch})] or None, message)"""
        done = run(['perf', 'probe', '-k', self.kernel.path, '-D', spec],
                   env=dict(os.environ, HOME=self.home.name))
        if done.returncode:
            return None, done.stderr
        points = []
        for line in done.stdout.splitlines():
            words = line.split()
            if words and words[0].startswith('p:'):
                symbol, _, offset = words[1].rpartition('+')
                arguments = {}
                for word in words[2:]:
                    name, _, text = word.partition('=')
                    arguments.setdefault(name, text)
                points.append((symbol, int(offset), arguments))
        return points, done.stderr

    def site(self, place):
        """(accepted, points with all the variables that perf can have there, message)"""
        points, message = self.ask(place + ' $vars')
        if points is not None:
            return True, points, message
        if 'sharing the address' in message or 'not found' in message or 'Too many' in message:
            return False, [], message
        points, second = self.ask(place)
        return points is not None, points or [], message if points is not None else second
