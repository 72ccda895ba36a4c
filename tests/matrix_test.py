#!/usr/bin/env python3
"""tools/cluster_matrix without a cluster: its forked interpreters, its words and its table."""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
sys.path.insert(0, os.path.join(ROOT, "tools"))
from zygote import Zygote

SCRIPT = """
import os, sys, time
print(os.getpid(), os.getcwd(), os.environ["MARK"], sys.argv[1], "fractions" in sys.modules, flush=True)
print("to stderr", file=sys.stderr, flush=True)
exec(sys.stdin.read())
"""


class Fork:
    """The script in a fork of the zygote, with |code| as its standard input."""

    def __init__(self, zygote, folder, code, **env):
        self.child = subprocess.Popen(
            [zygote.executable, folder + "/script.py", "a b"], cwd=folder, text=True,
            env=dict(os.environ, MARK="m", **env), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE)
        self.child.stdin.write(code)
        self.child.stdin.close()
        self.words = self.child.stdout.readline().split(" ")

    def gone(self):
        for _ in range(500):
            if not os.path.exists("/proc/" + self.words[0]):
                return True
            time.sleep(0.01)
        return False


def forks_are_processes(zygote, folder):
    fork = Fork(zygote, folder, "sys.exit(7)")
    assert fork.child.wait(10) == 7
    assert fork.words[1:] == [folder, "m", "a", "b", "True\n"], fork.words
    assert fork.child.stderr.read() == "to stderr\n"
    assert Fork(zygote, folder, "raise ValueError").child.wait(10) == 1
    assert Fork(zygote, folder, "os.kill(os.getpid(), 11)").child.wait(10) == -11
    fork = Fork(zygote, folder, "", ZYGOTE_STDERR=folder + "/err")
    assert fork.child.wait(10) == 0 and fork.child.stderr.read() == ""
    assert open(folder + "/err").read() == "to stderr\n"
    done = subprocess.run([zygote.executable, "-c", "print(5)"], capture_output=True, text=True)
    assert done.stdout == "5\n"


def forks_end_with_who_asked(zygote, folder):
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGKILL):
        fork = Fork(zygote, folder, "import signal; signal.signal(2, signal.SIG_DFL)\n"
                    "print('asleep', flush=True); time.sleep(600)")
        assert fork.child.stdout.readline() == "asleep\n"
        fork.child.send_signal(number)
        assert fork.child.wait(10) == -number and fork.gone(), number
    fork = Fork(zygote, folder, "time.sleep(600)")
    zygote.close()
    assert fork.child.wait(10) == os.EX_SOFTWARE and fork.gone()


def threads_are_refused(folder):
    with open(folder + "/threaded.py", "w") as f:
        f.write("import threading, time\nthreading.Thread(target=time.sleep, args=[9], daemon=True).start()\n")
    os.environ["PYTHONPATH"] = folder
    os.mkdir(folder + "/second")
    try:
        Zygote(folder + "/second", ["threaded"])
    except RuntimeError as e:
        assert "2 threads" in str(e), e
    else:
        raise AssertionError("a zygote with threads")


def tables_and_words(folder):
    tool = [sys.executable, os.path.join(ROOT, "tools", "cluster_matrix"), "--results", folder + "/r.jsonl"]
    row = dict(model="logreg", mode="sync", ps=1, workers=2, servers="weir", steps=100, ok=True, at=0.0,
               wall_s=1.0, last_loss=10.0)
    with open(folder + "/r.jsonl", "w") as f:
        for change in ({}, {"last_loss": 10.3}, {"servers": "tensorflow"}, {"ok": False}, {"steps": 7}):
            f.write(json.dumps({**row, **change}) + "\n")
    done = subprocess.run(tool + ["--table"], capture_output=True, text=True)
    cells = [c.strip() for c in done.stdout.splitlines()[2].strip("|").split("|")]
    assert cells == ["logreg", "sync", "1", "-", "2/3", "-", "-", "-", "10..10.3", "1 of 2", "10", "1/1"], cells
    assert done.returncode == 1 and "2 passed, 1 failed" in done.stdout, done
    done = subprocess.run(tool + ["--plan", "--only", "logreg,sync,ps1,w2,w3"], capture_output=True, text=True)
    assert "38 runs" in done.stderr, done
    done = subprocess.run(tool + ["--only", "logrge"], capture_output=True, text=True)
    assert done.returncode == 1 and "no such word: logrge" in done.stderr, done


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = os.path.realpath(folder)
        with open(folder + "/script.py", "w") as f:
            f.write(SCRIPT)
        zygote = Zygote(folder, ["fractions"])
        forks_are_processes(zygote, folder)
        forks_end_with_who_asked(zygote, folder)
        threads_are_refused(folder)
        tables_and_words(folder)
    print("matrix: 4 passed, 0 failed")


if __name__ == "__main__":
    main()
