#!/usr/bin/env python3
"""What five kinds of users type in a first week, in a terminal, and what they see.

    tests/personas_test.py [--build DIR] [-k PERSONA] [--write] [-v]

Each persona is a file of personas/: tasks with the line that is typed, the exit status, and what must
be on the screen. A task runs in a terminal of 80 columns, those marked "narrow" in one of 40, too. What
the screen shows then is a transcript in docs/transcripts; --write writes them. Otherwise a transcript
must be true but for its numbers. A line that leaves the screen's width, an escape sequence that is left
over, and a Python traceback are failures everywhere.
"""
import argparse
import fcntl
import importlib
import os
import pty
import re
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import termios
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.realpath(os.path.join(HERE, ".."))
PERSONAS = ("newcomer", "tensorflow_owner", "c_programmer", "operator", "researcher")
TASK_SECONDS = 150
ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def interpreter():
    """One without TensorFlow."""
    return os.environ.get("WEIR_PLAIN_PYTHON") or os.path.join(ROOT, ".venv-plain", "bin", "python")


# ---- a terminal ------------------------------------------------------------------------------------

def screen(text):
    """The lines as a terminal leaves them: a carriage return writes over, erasing erases."""
    lines = []
    for line in text.replace("\r\n", "\n").split("\n"):
        shown = ""
        for part in line.split("\r"):
            for piece in re.split(r"(\x1b\[K)", part) if "\x1b[K" in part else [part]:
                if piece == "\x1b[K":
                    shown = shown if part.index(piece) else ""
                    continue
                plain = ESCAPE.sub("", piece)
                shown = plain + ESCAPE.sub("", shown)[len(plain):] if plain else shown
        lines.append(shown.rstrip())
    while lines and not lines[-1]:
        lines.pop()
    return lines


def type_line(line, columns, folder, env):
    """What a shell in a terminal shows for one line, and its status."""
    main, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    child = subprocess.Popen(["bash", "-c", line], stdin=terminal, stdout=terminal, stderr=terminal,
                             cwd=folder, env=env, start_new_session=True)
    os.close(terminal)
    out, until = b"", time.time() + TASK_SECONDS
    while time.time() < until:
        if select.select([main], [], [], 0.1)[0]:
            try:
                got = os.read(main, 65536)
            except OSError:
                break
            if not got:
                break
            out += got
        elif child.poll() is not None:
            break
    try:
        status = child.wait(max(0.1, until - time.time()))
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        status = "no end after %d s" % TASK_SECONDS
        child.wait()
    os.close(main)
    return out.decode("utf8", "replace"), status


# ---- what a transcript keeps -----------------------------------------------------------------------

def tidy(line, folder):
    """Without what belongs to this machine alone."""
    line = line.replace(interpreter(), "python").replace(folder, "~").replace(ROOT, "~/weir")
    line = line.replace(socket.gethostname(), "host")
    return re.sub(r"(grpc|http)://(127\.0\.0\.1|localhost):\d+", r"\1://localhost:2222", line)


def shape(line):
    """A line of a transcript without its numbers, units and blanks."""
    line = re.sub(r"\d[\d.,:]*(e[-+]?\d+)?", "0", line)
    line = re.sub(r"\b0 ?(ms|us|ns|s|B|kB|MB|GB|TB)\b", "0 u", line)
    line = re.sub(r"\bsteps?\b", "steps", line)
    return re.sub(r"[-=>#\s]+", " ", line).strip()


# ---- a persona -------------------------------------------------------------------------------------

class Persona:
    def __init__(self, name, build):
        self.name, self.module = name, importlib.import_module("personas." + name)
        self.folder = tempfile.mkdtemp(prefix="persona_")
        self.env = {k: v for k, v in os.environ.items() if not k.startswith(("WEIR_", "TF_"))}
        python = interpreter()
        self.env.update(
            PATH=os.path.join(ROOT, build) + ":" + os.path.dirname(python) + ":" + os.environ["PATH"],
            TERM="xterm-256color", LANG="C.UTF-8", HOME=self.folder, PYTHONPATH=os.path.join(ROOT, "python"),
            WEIR_PYTHON=python, CPATH=os.path.join(ROOT, "include"),
            LIBRARY_PATH=os.path.join(ROOT, build), LD_LIBRARY_PATH=os.path.join(ROOT, build),
            PAGER="cat", COLUMNS="", EXAMPLES=os.path.join(ROOT, "docs", "examples"))
        self.env.pop("COLUMNS")
        self.failures = []

    def files(self):
        for name, text in self.module.FILES.items():
            with open(os.path.join(self.folder, name), "w") as f:
                f.write(text)

    def fail(self, task, what, lines):
        self.failures.append("%s: %s: %s\n%s" % (self.name, task["line"], what,
                                                 "\n".join("    | " + l for l in lines[-25:])))

    def check(self, task, lines, status, raw, columns):
        text = "\n".join(lines)
        if status != task.get("status", 0):
            self.fail(task, "status %s, not %d" % (status, task.get("status", 0)), lines)
        for wanted in task.get("shows", ()):
            if not re.search(wanted, text, re.M):
                self.fail(task, "does not show %r at %d columns" % (wanted, columns), lines)
        if "\x1b" in ESCAPE.sub("", raw) or "Traceback" in text and not task.get("traceback"):
            self.fail(task, "an escape or a traceback is left", lines)
        if re.search(r"\x1b", raw) and ("TERM=dumb" in task["line"] or "NO_COLOR" in task["line"]):
            if "TERM=dumb" in task["line"] or "\x1b[3" in raw:
                self.fail(task, "escapes on a terminal that wants none", lines)

    def run(self):
        """The transcript, a list of (task, lines)."""
        self.files()
        told = []
        for task in self.module.TASKS:
            for columns in (80, 40) if task.get("narrow") else (80,):
                raw, status = type_line(task["line"], columns, self.folder, self.env)
                lines = [tidy(l, self.folder) for l in screen(raw)]
                self.check(task, lines, status, raw, columns)
                if columns == 80:
                    told.append((task, lines))
        return told

    def page(self, told):
        out = ["# %s" % self.module.TITLE, "", self.module.ABOUT, "",
               "Made by `tests/personas_test.py --write`; that test checks it, but for its numbers."]
        for task, lines in told:
            most = task.get("lines", 40)
            shown = lines if len(lines) <= most else lines[:most] + ["..."]
            out += ["", "## %s" % task["title"], "", "```text", "$ " + task["line"]] + shown + ["```"]
            if task.get("status", 0):
                out += ["", "Exit status %d." % task["status"]]
        return "\n".join(out) + "\n"


def fixed_part(persona, page):
    """The shapes of its lines, without tasks whose output depends on the machine."""
    varies = ["## " + t["title"] for t in persona.module.TASKS if t.get("varies")]
    kept, skip = [], False
    for line in page.splitlines():
        skip = line in varies if line.startswith("## ") else skip
        kept += [shape(line)] if not skip and shape(line) else []
    return kept


def compare(persona, page, path):
    """The transcript in the documentation has the shape of what happened now."""
    try:
        with open(path) as f:
            written = f.read()
    except OSError:
        written = ""
    now, then = (fixed_part(persona, text) for text in (page, written))
    if now == then:
        return
    for a, b in zip(now + ["(end)"], then + ["(end)"]):
        if a != b:
            persona.failures.append("%s is not up to date: run tests/personas_test.py --write\n  now:  %s\n"
                                    "  then: %s" % (os.path.relpath(path, ROOT), a, b))
            return


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--build", default="build/release")
    ap.add_argument("-k", default="")
    ap.add_argument("--write", action="store_true")
    ap.add_argument("-v", action="store_true")
    args = ap.parse_args()
    passed = failed = 0
    for name in PERSONAS:
        if args.k not in name:
            continue
        persona = Persona(name, args.build)
        assert len(persona.module.TASKS) >= 8, name
        try:
            page = persona.page(persona.run())
        finally:
            shutil.rmtree(persona.folder, ignore_errors=True)
        path = os.path.join(ROOT, "docs", "transcripts", name.replace("_", "-") + ".md")
        if args.write:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as f:
                f.write(page)
        else:
            compare(persona, page, path)
        if args.v:
            print(page)
        for failure in persona.failures:
            print(failure)
        bad = len(persona.failures)
        failed += bad
        passed += max(0, len(persona.module.TASKS) + 1 - bad)
    print("personas: %d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
