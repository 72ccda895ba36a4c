#!/usr/bin/env python3
"""sim_test.py [--sim PROGRAM] [--seeds N] [--mutant-seeds N]: clusters in a simulated machine room.

Runs every scenario over seeds, repeats some of them, which must give the same events, and checks that
every planted defect is found. `--first SEED` begins elsewhere.
"""
import argparse
import os
import re
import subprocess
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
COUNTS = re.compile(r"(\d+) passed, (\d+) failed")


def sim(arguments, *options):
    done = subprocess.run([arguments.sim, *options], capture_output=True, text=True)
    counts = COUNTS.search(done.stdout)
    return done, int(counts.group(1)) if counts else 0, int(counts.group(2)) if counts else 1


def names(arguments, kind):
    """The names that the program's usage lists under |kind|."""
    usage = sim(arguments, "--scenario", "?")[0].stderr
    part = usage.split(kind + ":\n")[1]
    return [line.split()[0] for line in part.split(":\n")[0].splitlines() if line.startswith("  ")]


def run_seeds(arguments, scenario):
    last = arguments.first + arguments.seeds - 1
    done, passed, failed = sim(arguments, "--scenario", scenario,
                               "--seeds", "%d-%d" % (arguments.first, last))
    if failed:
        print("%s:\n%s" % (scenario, done.stderr[-3000:]))
    return passed, failed


def repeats(arguments, scenario):
    """A seed repeated gives the same events."""
    seeds = "%d-%d" % (arguments.first, arguments.first + 9)
    runs = [sim(arguments, "--scenario", scenario, "--seeds", seeds, "--digest", "--jobs", "1")[0]
            for _ in range(2)]
    same = runs[0].stdout == runs[1].stdout and runs[0].stdout
    if not same:
        print("%s: seeds %s do not repeat:\n%s%s" % (scenario, seeds, *(r.stdout for r in runs)))
    return (1, 0) if same else (0, 1)


def finds(arguments, mutant, scenarios):
    """One of the scenarios fails with the defect planted, within so many seeds."""
    step = 8
    for first in range(1, arguments.mutant_seeds + 1, step):
        for scenario in scenarios:
            if sim(arguments, "--scenario", scenario, "--mutant", mutant,
                   "--seeds", "%d-%d" % (first, first + step - 1))[2]:
                print("%s: found by %s within %d seeds" % (mutant, scenario, first + step - 1))
                return 1, 0
    print("%s: not found within %d seeds" % (mutant, arguments.mutant_seeds))
    return 0, 1


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sim", default=os.path.join(ROOT, "build", "release", "tests", "sim"))
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--mutant-seeds", type=int, default=1000)
    arguments = parser.parse_args()
    scenarios = names(arguments, "scenarios")
    results = [run_seeds(arguments, scenario) for scenario in scenarios]
    results += [repeats(arguments, scenario) for scenario in scenarios]
    results += [finds(arguments, mutant, scenarios) for mutant in names(arguments, "mutants")]
    passed, failed = (sum(result[i] for result in results) for i in (0, 1))
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
