"""sample: a part of many trials, another one with every commit.

A stage of `make test` that takes every Nth trial begins at a trial that the commit decides, so that
all of them are run in the course of N commits or so. What was run is printed and can be run again:
`--sample 9:4` is every 9th trial from the fourth on.
"""
import os
import subprocess

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")


def of_commit(every):
    """A number below |every| that changes with the commit; 0 where this is no checkout."""
    done = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    return int(done.stdout, 16) % every if done.returncode == 0 else 0


def parse(text):
    """(every, first)"""
    every, _, first = text.partition(":")
    every = int(every)
    if every < 1:
        raise ValueError
    first = int(first) % every if first else of_commit(every)
    if every > 1:
        print("every %d. trial (--sample %d:%d)" % (every, every, first), flush=True)
    return every, first


def add_option(parser, default="1"):
    parser.add_argument("--sample", type=parse, default=default, metavar="N[:K]",
                        help="take every Nth trial only, from the Kth on, which the commit decides by itself")


class Sample:
    def __init__(self, sample):
        self.every, self.first = sample
        self.count = -1

    def next(self):
        """Whether the next trial is taken."""
        self.count += 1
        return self.count % self.every == self.first
