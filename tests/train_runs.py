"""What the tests of `weir train` share: data, finished commands, and processes that are watched while they run.

The data are pictures made here: each class is a bar at a height of its own, in noise.
"""
import json
import os
import random
import re
import signal
import struct
import subprocess
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))

# ---- data ------------------------------------------------------------------------------------------

def write_idx(folder, stem, count, seed):
    r = random.Random(seed)
    labels = bytes(r.randrange(10) for _ in range(count))
    pictures = bytearray()
    for label in labels:
        rows = [r.randbytes(28) if r.random() < 0.2 else bytes(28) for _ in range(28)]
        rows[2 + 2 * label] = rows[3 + 2 * label] = b"\xff" * 28
        pictures += b"".join(rows)
    with open(os.path.join(folder, stem + "-images-idx3-ubyte"), "wb") as f:
        f.write(struct.pack(">IIII", 0x803, count, 28, 28) + pictures)
    with open(os.path.join(folder, stem + "-labels-idx1-ubyte"), "wb") as f:
        f.write(struct.pack(">II", 0x801, count) + labels)


def make_data(folder):
    os.makedirs(folder)
    write_idx(folder, "train", 2000, 1)
    write_idx(folder, "t10k", 500, 2)
    return folder


# ---- running ---------------------------------------------------------------------------------------

class Run:
    """A finished command: its status, what it printed, and its events when that was JSON."""

    def __init__(self, words, code, out, err):
        self.words, self.code, self.out, self.err = words, code, out, err

    @property
    def events(self):
        return [json.loads(line) for line in self.out.splitlines()]

    def of(self, kind):
        return [e for e in self.events if e["event"] == kind]

    @property
    def summary(self):
        (summary,) = self.of("summary")
        end = self.events[-1]
        assert end["event"] == "end" and end["status"] == self.code, "the end comes last"
        assert self.events[-2] == summary, "the summary comes before it"
        return summary

    def __str__(self):
        return "weir %s: exit %s\n%s\n%s" % (" ".join(self.words), self.code, self.out[-1500:],
                                             self.err[-1500:])


class Bench:
    """What a test gets: the command, data, and a folder of its own."""

    def __init__(self, weir, data, folder):
        self.weir, self.data, self.folder = weir, data, folder

    def path(self, name):
        return os.path.join(self.folder, name)

    def start(self, *words, env=None, **options):
        return subprocess.Popen([self.weir, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                text=True, cwd=self.folder, env={**os.environ, **(env or {})},
                                **options)

    def end(self, process, words=(), timeout=60):
        try:
            out, err = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            raise AssertionError("did not end\n%s\n%s" % (out[-1500:], err[-1500:]))
        return Run(words, process.returncode, out, err)

    def run(self, want, *words, **options):
        done = self.end(self.start(*words, **options), words)
        assert done.code == want, "not %d: %s" % (want, done)
        return done

    def train(self, *words, want=0):
        return self.run(want, "train", *words, "-o", "json")


def alive(pid):
    try:
        with open("/proc/%d/stat" % pid) as f:
            return f.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_for(what, seconds=20):
    until = time.time() + seconds
    while not what():
        assert time.time() < until, "waited in vain"
        time.sleep(0.02)


def caught(pid, number):
    """Whether the process has a handler for this signal."""
    with open("/proc/%d/status" % pid) as f:
        return int(re.search(r"SigCgt:\s+(\w+)", f.read()).group(1), 16) >> number - 1 & 1


def children(pid):
    with open("/proc/%d/task/%d/children" % (pid, pid)) as f:
        return [int(p) for p in f.read().split()]


def task(launcher, job, index):
    """The process of a task that |launcher| has started."""
    for pid in children(launcher.pid):
        with open("/proc/%d/cmdline" % pid, "rb") as f:
            words = f.read().decode().split("\0")
        if "--job_name" in words and words[words.index("--job_name") + 1] == job and (
                words[words.index("--task_index") + 1] == str(index)):
            return pid
    return None


def read_until(process, kind, count=1):
    """Events of |process| until |count| of |kind| have come."""
    seen = []
    while sum(e["event"] == kind for e in seen) < count:
        line = process.stdout.readline()
        assert line, "ended before %s: %s" % (kind, process.stderr.read())
        seen.append(json.loads(line))
    return seen


# ---- the runner ------------------------------------------------------------------------------------

def main(cases):
    """Runs them on data made once; the status to exit with."""
    with tempfile.TemporaryDirectory(prefix="weir-train-") as root:
        data = make_data(os.path.join(root, "data"))
        return cases.main(os.path.join(HERE, "..", "build", "release", "weir"), lambda weir: None,
                          lambda args, folder: [Bench(os.path.abspath(args.weir), data, folder)])
