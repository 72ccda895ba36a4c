#!/usr/bin/env python3
"""Checks README.md, CONTRIBUTING.md, CHANGELOG.md and the pages of docs/, and runs every command they show.

    tests/docs_test.py [--build DIR] [--static] [PAGE...]

--static only checks what the pages say (docs_check.py): that links lead somewhere and that the files, flags,
variables, functions and passes they name exist.

Commands stand in fenced blocks. Those of a page run one after the other in one shell, in a scratch
folder that looks like the checkout and has the built `weir` in PATH.

    ```sh            commands; the block fails with the first of them that does
    ```console       "$ command" lines, each followed by what it prints. A line of the page must be
                     in the output, in order; "..." stands for any text, alone for any lines

A comment before the fence says what cannot be so:

    <!-- not run: needs several hosts -->    why, of REASONS below
    <!-- runs until: grpc:// -->             it prints that, and is then interrupted

What is not run is listed at the end, and there may be only so much of it. Commands in indented
blocks would escape, and are a failure.
"""
import argparse
import glob
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import docs_check

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
REASONS = ("takes minutes", "run by other stages", "needs root", "needs several hosts", "needs Slurm", "needs TensorFlow's source",
           "needs a program of yours", "needs files of yours", "needs TensorFlow's library", "needs a device")
MOST_NOT_RUN = 20
PAGE_SECONDS, BLOCK_SECONDS = 300, 240
MARK = "@@ block %d ends with "

FENCE = re.compile(r"^```(\w*)\s*$")
COMMENT = re.compile(r"^<!-- (not run|runs until): (.*?) -->\s*$")
COMMAND = re.compile(r"^    (\$ |weir |make |cc |tools/|build/|cmake |srun |\./|pip |apt)")


class Block:
    def __init__(self, page, line, language, comment, text):
        self.page, self.line, self.language, self.text = page, line, language, text
        self.why = comment[1] if comment and comment[0] == "not run" else None
        self.until = comment[1] if comment and comment[0] == "runs until" else None

    def name(self):
        return "%s:%d" % (os.path.relpath(self.page, ROOT), self.line)

    def commands(self):
        if self.language == "sh":
            return "\n".join(self.text)
        return "\n".join(t[2:] for t in self.text if t.startswith(("$ ", "> ")))

    def expected(self):
        return [t for t in self.text if not t.startswith(("$ ", "> "))] if self.language == "console" else []


def read_page(path):
    """(blocks of commands, lines that would escape)"""
    blocks, escaped, comment, inside = [], [], None, None
    with open(path) as f:
        lines = f.read().split("\n")
    for number, line in enumerate(lines, 1):
        fence = FENCE.match(line)
        if inside is not None:
            if line.strip() == "```":
                if inside.language in ("sh", "console", "bash", "shell"):
                    blocks.append(inside)
                inside = None
            else:
                inside.text.append(line)
        elif fence:
            inside = Block(path, number, fence.group(1), comment, [])
            comment = None
        elif COMMENT.match(line):
            comment = COMMENT.match(line).groups()
        else:
            comment = comment if not line.strip() else None
            if COMMAND.match(line):
                escaped.append("%s:%d" % (os.path.relpath(path, ROOT), number))
    return blocks, escaped


# ---- running -------------------------------------------------------------------------------------

def scratch(build):
    """A folder with links to what the checkout has."""
    folder = tempfile.mkdtemp(prefix="weir_docs_")
    for name in os.listdir(ROOT):
        if name not in (".git", "build", ".venv"):
            os.symlink(os.path.join(ROOT, name), os.path.join(folder, name))
    os.makedirs(os.path.join(folder, "build"))
    os.makedirs(os.path.join(folder, "home"))
    os.symlink(build, os.path.join(folder, "build", "release"))
    return folder


def environment(folder, build):
    env = dict(os.environ, HOME=os.path.join(folder, "home"), PATH=build + ":" + os.environ["PATH"],
               TMPDIR=folder, NO_COLOR="1")
    python = os.environ.get("WEIR_PYTHON") or os.path.join(ROOT, ".venv", "bin", "python")
    if os.path.exists(python):
        env["WEIR_PYTHON"] = python
    return env


def run_until(block, folder, env):
    child = subprocess.Popen(["bash", "-e"], cwd=folder, env=env, text=True, stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, process_group=0)
    child.stdin.write(block.commands() + "\n")
    child.stdin.close()
    output, deadline = "", time.time() + BLOCK_SECONDS
    while block.until not in output and time.time() < deadline:
        line = child.stdout.readline()
        if not line:
            break
        output += line
    os.killpg(child.pid, signal.SIGTERM)
    child.wait(20)
    return block.until in output, output


def run_blocks(blocks, folder, env):
    """Yields (block, whether all commands ended well, output). One shell runs all, so that variables
    last; it stops at the first failure."""
    script = ["set -e"]
    for i, b in enumerate(blocks):
        script += [b.commands(), "wait", "echo; echo '%s0'" % (MARK % i)]
    try:
        done = subprocess.run(["bash", "-c", "\n".join(script)], cwd=folder, env=env, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=PAGE_SECONDS,
                              stdin=subprocess.DEVNULL, errors="replace")
        output = done.stdout
    except subprocess.TimeoutExpired as e:
        output = (e.stdout or b"").decode(errors="replace") + "\nit took longer than %d s" % PAGE_SECONDS
    for i, b in enumerate(blocks):
        before, mark, after = output.partition(MARK % i + "0")
        yield b, bool(mark), before
        if not mark:
            return
        output = after.lstrip("\n")


def missing_line(expected, output):
    """The first line of the page that the output has not, or None."""
    lines, at = output.split("\n"), 0
    for want in expected:
        if want.strip() in ("", "..."):
            continue
        pattern = re.compile(r"\s+".join(re.escape(w).replace(r"\.\.\.", ".*") for w in want.split()) + r"\s*$")
        while at < len(lines) and not pattern.match(lines[at].strip()):
            at += 1
        if at == len(lines):
            return want
        at += 1
    return None


def check_page(path, build, not_run):
    """Yields (what, whether it holds, more about it)."""
    blocks, escaped = read_page(path)
    for place in escaped:
        yield "%s: a command in an indented block" % place, False, "put it between ```sh and ```"
    for b in blocks:
        if b.language not in ("sh", "console"):
            yield b.name(), False, "blocks of commands are ```sh or ```console, not ```%s" % b.language
        if b.why:
            not_run.append("%s (%s): %s" % (b.name(), b.why, b.commands().split("\n")[0]))
            yield b.name() + " says why it is not run", b.why in REASONS, "one of: " + ", ".join(REASONS)
    blocks = [b for b in blocks if not b.why and b.language in ("sh", "console")]
    folder = scratch(build)
    env = environment(folder, build)
    try:
        together = []
        for b in blocks:
            if not b.until:
                together.append(b)
                continue
            holds, output = run_until(b, folder, env)
            yield b.name(), holds, output
        for b, ended, output in run_blocks(together, folder, env) if together else []:
            missing = missing_line(b.expected(), output) if ended else None
            about = "the output has no line '%s':\n%s" % (missing, output) if missing else output
            yield b.name(), ended and missing is None, about
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--build", default=os.path.join(ROOT, "build", "release"))
    ap.add_argument("--static", action="store_true")
    ap.add_argument("pages", nargs="*")
    args = ap.parse_args()
    pages = args.pages or [os.path.join(ROOT, n) for n in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")] + sorted(
        glob.glob(os.path.join(ROOT, "docs", "**", "*.md"), recursive=True))
    passed, failed, not_run = 0, 0, []
    for what in docs_check.complaints([os.path.abspath(p) for p in pages], whole=not args.pages):
        failed += 1
        print("FAIL " + what)
    passed += len(pages)
    for page in [] if args.static else pages:
        for what, holds, about in check_page(os.path.abspath(page), os.path.realpath(args.build), not_run):
            passed, failed = passed + bool(holds), failed + (not holds)
            if not holds:
                print("FAIL %s\n%s" % (what, "\n".join("    " + t for t in about.strip().split("\n")[-25:])))
    print("not run, as the pages say:")
    for line in not_run:
        print("  " + line)
    if len(not_run) > MOST_NOT_RUN:
        failed += 1
        print("FAIL %d blocks are not run; there may be %d" % (len(not_run), MOST_NOT_RUN))
    print("docs: %d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
