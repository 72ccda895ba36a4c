#!/usr/bin/env python3
"""The weir command: what it prints, and how it answers wrong calls.

    tests/cli_test.py [--weir PATH]
"""
import argparse
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def cases(run):
    """Yields (what is shown, whether it holds)."""
    out = run(0, "version")
    yield "version names TensorFlow's API", "2.21.0" in out
    out = run(0, "help")
    for command in ("demo", "ops", "run", "server", "train", "version", "help"):
        yield "help lists %s" % command, "weir " + command in out
        yield "help %s" % command, "usage: weir" in run(0, "help", command)
    yield "no command: usage", "usage: weir" in run(2)
    yield "a typo is guessed", "weir demo" in run(2, "dmeo")
    yield "an unknown option is named", "--bogus" in run(2, "demo", "--bogus")
    yield "a near option is guessed", "--steps" in run(2, "demo", "--step", "3")
    yield "a bad number is named", "'many'" in run(2, "demo", "--steps", "many")
    yield "a missing folder is named", "/no/such/folder" in run(1, "demo", "--data",
                                                                "/no/such/folder")
    ops = json.loads(run(0, "ops", "-o", "json"))
    names = [o["name"] for o in ops]
    yield "ops are sorted and many", names == sorted(names) and len(names) > 200
    yield "text and json agree", len(run(0, "ops").splitlines()) == len(ops) + 1
    missing = [o["name"] for o in json.loads(run(0, "ops", "--missing", "-o", "json"))]
    yield "missing ops are not there", missing and not set(missing) & set(names)
    yield "missing: text and json agree", len(run(0, "ops", "-m").splitlines()) == len(missing) + 1
    yield "--missing takes no names", "--missing" in run(2, "ops", "--missing", "MatMul")
    yield "every op has a device or is control flow", all(
        o["devices"] == ["CPU"] or not o["kernels"] for o in ops)
    yield "an op in full", "transpose_a" in run(0, "ops", "MatMul")
    yield "an op that is none", "MatMul" in run(1, "ops", "MatMull")


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--weir", default=os.path.join(HERE, "..", "build", "release", "weir"))
    args = ap.parse_args()

    def run(want, *words):
        done = subprocess.run([args.weir, *words], capture_output=True, text=True, timeout=120)
        text = done.stdout + done.stderr
        if done.returncode != want:
            raise AssertionError("weir %s: exit %d, not %d\n%s" % (
                " ".join(words), done.returncode, want, text))
        return text

    passed = failed = 0
    try:
        for what, holds in cases(run):
            passed, failed = passed + bool(holds), failed + (not holds)
            if not holds:
                print("FAIL %s" % what)
    except (AssertionError, OSError, ValueError) as e:
        failed += 1
        print("FAIL %s" % e)
    print("cli: %d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
