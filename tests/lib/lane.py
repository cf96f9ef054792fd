# SPDX-License-Identifier: GPL-2.0-only
"""What the lanes in Python share: tests by name, their sums, the program under test, tracefs for one lane at a
time. ONLY in the environment is what `tests/run -k LANE/ONLY` gives: a pattern of test names, or a part of the
lane. A lane ends with lane_ends(), whose line is what tests/run counts."""
import atexit
import fcntl
import fnmatch
import gc
import glob
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time

top = os.path.realpath(os.path.join(os.path.dirname(__file__), "../.."))
ktrace = os.path.realpath(os.environ.get("KTRACE", f"{top}/build/ktrace"))
tracefs = "/sys/kernel/tracing"
ONLY = os.environ.get("ONLY", "")
SHOWN = 2000  # characters of why a test failed
gc.set_threshold(500_000, 50, 1000)  # a kernel's BTF as JSON has millions of objects and no cycles
_sums = {"passed": 0, "failed": 0, "skipped": 0}
_open = []
_clang, _clang_lock = [], threading.Lock()


def wanted(name):
    return not ONLY or fnmatch.fnmatchcase(name, ONLY) or fnmatch.fnmatchcase(name, f"*{ONLY}*")


def check(good, name, why=""):
    """A test: `ok NAME`, or `not ok NAME` and why."""
    if not wanted(name):
        return
    _sums["passed" if good else "failed"] += 1
    print(f"ok {name}" if good else f"not ok {name}\n  {str(why)[:SHOWN]}", flush=not good)


def skip(name, reason):
    if wanted(name):
        _sums["skipped"] += 1
        print(f"skip {name}: {reason}", flush=True)


def parts(*functions):
    """Those to run: where ONLY means parts by their names, these with all their tests."""
    global ONLY
    chosen = [function for function in functions if wanted(function.__name__)]
    if chosen:
        ONLY = ""
    return chosen or functions


def add(printed, status=0):
    """Counts the tests of another lane's program by its last line, or, with ONLY, by its lines `ok NAME`. One
    that died has failed."""
    *shown, last = printed.splitlines() or [""]
    told = re.fullmatch(r"(\d+) passed, (\d+) failed(?:, (\d+) skipped)?", last)
    if not told or ((status != 0) != (told[2] != "0") and not ONLY):
        print(printed)
        _sums["failed"] += 1
        print(f"not ok the program's end: status {status}, '{last}'")
        return
    told = told.groups()
    if not ONLY and not sum(int(number or 0) for number in told):
        _sums["failed"] += 1
        print("not ok the program tested nothing")
        return
    if ONLY:
        shown = [line for line in shown if re.match("(ok|not ok|skip) ", line) and wanted(line)]
        told = [sum(line.startswith(word) for line in shown) for word in ("ok ", "not ok ", "skip ")]
    print("\n".join(shown), flush=True)
    for what, number in zip(_sums, told):
        _sums[what] += int(number or 0)


def lane_ends():
    """Leaves, with the sums. A lane that tested nothing has failed."""
    text = "{passed} passed, {failed} failed".format(**_sums)
    print(text + (f", {_sums['skipped']} skipped" if _sums["skipped"] else ""), flush=True)
    sys.exit(_sums["failed"] != 0 or not _sums["passed"] + _sums["skipped"])


class Clang:
    """A clang that has started, for all of a lane's commands of it (tests/lib/clang_serves.c)."""
    def __init__(self):
        source, library = f"{top}/tests/lib/clang_serves.c", f"{top}/build/clang_serves.so"
        if not os.path.exists(library) or os.path.getmtime(library) < os.path.getmtime(source):
            os.makedirs(f"{top}/build", exist_ok=True)
            subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-o", f"{library}.{os.getpid()}", source], check=True)
            os.rename(f"{library}.{os.getpid()}", library)
        self.address = f"\0ktrace-clang-{os.getpid()}"
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
            listener.bind(self.address)
            listener.listen(64)
            self.child = subprocess.Popen(["clang"], stdin=subprocess.PIPE, pass_fds=[listener.fileno()], env={
                **os.environ, "LD_PRELOAD": library, "CLANG_SERVES": str(listener.fileno())})
        atexit.register(self.child.communicate)  # which ends it, and waits

    def __call__(self, words, cwd):
        """What subprocess.run() gives."""
        with open(os.memfd_create("out"), "rb") as out, open(os.memfd_create("err"), "rb") as err, \
             socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as server:
            server.connect(self.address)
            socket.send_fds(server, ["\0".join([os.path.abspath(cwd or "."), *words]).encode()], [out.fileno(), err.fileno()])
            status = server.recv(4)
            if not status:
                raise ConnectionError("no answer")
            for file in (out, err):
                file.seek(0)
            return subprocess.CompletedProcess(words, int.from_bytes(status, "little", signed=True),
                                               out.read().decode(errors="replace"), err.read().decode(errors="replace"))


def clang(words, cwd=None, check=False):
    with _clang_lock:
        if not _clang:
            _clang.append(Clang())
    try:
        done = _clang[0](words, cwd)
    except ConnectionError:  # a clang that can't be served so
        done = subprocess.run(words, cwd=cwd, capture_output=True, text=True)
    if check:
        done.check_returncode()
    return done


def run(*words, **more):
    if words[0] in ("clang", "clang++") and more.keys() <= {"cwd", "check"}:
        return clang(words, **more)
    return subprocess.run(words, **{"capture_output": True, "text": True, "timeout": 900, **more})


def draw_environment(number):
    """Of one random draw's program under sanitizers: each tenth looks for leaks at its end, which takes three times as long as
    all that a small one does."""
    return {**os.environ, "ASAN_OPTIONS": f"detect_leaks={int(number % 10 == 0)}"}


def bounded(seconds, *words, **more):
    """Its status, None if it didn't end within so much CPU time, and its usage. Waiting for ever is ended, too, but by the
    clock, so much later that no other work of the machine matters."""
    child = subprocess.Popen(["prlimit", f"--cpu={seconds}", *words], **more)
    clock = threading.Timer(20 * seconds, child.kill)
    clock.start()
    _, code, usage = os.wait4(child.pid, 0)
    clock.cancel()
    child.returncode = os.waitstatus_to_exitcode(code)
    return None if child.returncode == -signal.SIGKILL else child.returncode, usage


def until(condition, what):
    """Waits for it, far longer than it can take."""
    end = time.monotonic() + 120
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(what)
        time.sleep(0.01)


def is_live(group, event=None):
    """Whether a ktrace's instance records: its own probes, or an event that is there already."""
    def is_on(name):
        with open(f"{tracefs}/instances/{group}/{name}") as file:
            return file.read().startswith("1")

    enable = f"events/{event or group}/enable"
    try:  # to lengthen the top buffer an event is enabled for a moment, with the instance off
        return is_on(enable) and is_on("tracing_on") and is_on(enable)
    except OSError:
        return False


def live(child, event=None):
    """Waits for a ktrace to trace."""
    until(lambda: is_live(f"ktrace_{child.pid}", event) or child.poll() is not None, "a live trace")


def jsons(text):
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


def kernel(line):
    """Where the files of Debian's kernel of that line are."""
    return subprocess.run([f"{top}/tests/vm/kernel", line], stdout=subprocess.PIPE, text=True,
                          check=True).stdout.split("\n")[-2]


def vmlinux(line):
    return glob.glob(f"{kernel(line)}/usr/lib/debug/boot/vmlinux-*")[0]


def gdb_words(*first):
    """The command, and what it does before it reads a program. A kernel's names take it half a minute of a processor: it
    keeps its own index of them, by build-id, and a directory of its own for each gdb."""
    version = run("gdb", "--version").stdout.split("\n")[0].split()[-1]
    kept = os.path.expanduser(f"~/.cache/ktrace/gdb-{version}")
    return ["gdb", "-q", "-nx", *(word for command in (
        f"set index-cache directory {kept}", "set index-cache enabled on", *first) for word in ("-iex", command))]


class Gdb:
    """One gdb for many questions about a program."""
    def __init__(self, program):
        words = gdb_words("set prompt", "set pagination off", "set confirm off", "set width 0")
        self.child = subprocess.Popen([*words, program], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                      stderr=subprocess.DEVNULL, text=True)
        atexit.register(self.child.communicate)  # which ends it, and waits
        self("echo")  # what it says as it starts

    def __call__(self, *commands):
        """What they print; an error ends none of those behind it."""
        self.child.stdin.write("".join(f"{command}\n" for command in commands) + "echo \\n@@@\\n\n")
        self.child.stdin.flush()
        said = []
        for row in self.child.stdout:
            if row == "@@@\n":
                return "".join(said)
            said.append(row)
        return "gdb has ended"


def needs_uprobes():
    """Ends a lane that can test nothing here."""
    if os.geteuid() or not os.path.exists(f"{tracefs}/uprobe_events"):
        skip(ONLY or "all", "no root, or no uprobe_events here")
        lane_ends()


def hold_tracefs():
    """Until the lane ends: the other lanes that trace on this host look at its files too."""
    if not _open:  # a second lock would wait for the first
        _open.append(open(f"{tracefs}/README"))
        fcntl.flock(_open[-1], fcntl.LOCK_EX)
