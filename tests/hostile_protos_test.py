#!/usr/bin/env python3
"""Graphs, meta graphs and saved models whose messages are damaged field by field, with what they are run with.

    tests/hostile_protos_test.py [--lib PATH] [--seed N] [--count N] [--seconds S] [--graphs DIR] [--preload PATH]

Seeds are graphs of the op cases, of random_graphs.py and damaged_functions.py, and files of --graphs. Each trial is one
number: it is imported, differentiated, planned and run with feeds of its nodes that may fit. Any status is right; a crash,
a sanitizer's report or a step that outlives its time limit is not. --repeat N runs one trial alone.
"""
import argparse
import glob
import os
import random
import sys
import tempfile
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import numpy as np
from tensorflow.core.framework import graph_pb2

import damaged_functions
import hostile_ops_test
import mutate
import mutate_messages
import ops_test
import pb
import random_graphs
import sample
from dtypes import Value
from worker import Crash, Worker

STEP_MS = 3000
NO_ANSWER = 60


class Seeds:
    """Graphs to damage: (name, GraphDef, runs)."""

    def __init__(self, args, rng):
        self.all, self.donors = [], mutate_messages.Donors()
        args.sample, args.only, args.file, args.k = (args.every, 0), None, None, None
        for trial in ops_test.chosen(args):
            try:
                graph, runs, _ = hostile_ops_test.base_graph(trial)
            except Exception:  # a case that has no graph
                continue
            self.add(getattr(trial, "label", "script"), graph, runs)
        for k in range(args.random):
            case = random_graphs.make(rng.randrange(1 << 20))
            self.add(case.name, graph_pb2.GraphDef.FromString(case.graph), case.runs)
            graph, fetches = damaged_functions.graph(rng.randrange(1 << 20))
            self.add_bytes("functions %d" % k, graph, [{"feeds": {}, "fetches": fetches, "targets": []}])
        for path in sorted(glob.glob(os.path.join(args.graphs or "/nowhere", "*.pb"))):
            with open(path, "rb") as f:
                self.add_bytes(os.path.basename(path), f.read(), [])

    def add_bytes(self, name, data, runs):
        try:
            self.add(name, graph_pb2.GraphDef.FromString(data), runs)
        except Exception:
            pass  # protobuf wants UTF-8

    def add(self, name, graph, runs):
        self.all.append((name, graph.SerializeToString(), [dict(r) for r in runs]))
        self.donors.add(graph)


def some_value(rng):
    dtype = rng.choice([1, 1, 1, 3, 3, 9, 2, 7, 10, 14, 8])
    shape = rng.choice([(), (), (1,), (0,), (3,), (2, 3), (1, 2, 2, 1)])
    if dtype == 7:
        return Value(np.full(shape, rng.choice(mutate.STRINGS), object), 7)
    return Value(np.ones(shape, mutate.NUMPY[dtype]), dtype)


def steps(graph, runs, rng):
    """What to run: what was meant to be, as far as the names are there, and nodes at random."""
    names = [n.name for n in graph.node if n.name and "\0" not in n.name]
    known, out = set(names), []
    exists = lambda t: t.split(":")[0] in known
    for run in runs[:3]:
        feeds = {k: v for k, v in run["feeds"].items() if exists(k)}
        if feeds and rng.random() < 0.2:
            feeds[rng.choice(sorted(feeds))] = some_value(rng)
        fetches = [f for f in run["fetches"] if exists(f)]
        targets = [t for t in run["targets"] if exists(t)]
        out.append({"feeds": feeds, "fetches": fetches, "targets": targets})
    for _ in range(rng.choice([1, 2]) if names else 0):
        feeds = {"%s:%d" % (rng.choice(names), rng.choice([0, 0, 0, 1, 7])): some_value(rng)
                 for _ in range(rng.choice([0, 0, 1, 2]))}
        fetches = ["%s:%d" % (rng.choice(names), rng.choice([0, 0, 0, 0, 0, 1, 2, 99]))
                   for _ in range(rng.choice([0, 1, 2, 4]))]
        out.append({"feeds": feeds, "fetches": fetches, "targets": rng.sample(names, min(len(names), rng.choice([0, 1, 3])))})
    return out


def build_trial(seeds, number):
    """(what was done, job)"""
    rng = random.Random("proto %d" % number)
    name, data, runs = rng.choice(seeds.all)
    graph = graph_pb2.GraphDef.FromString(data)
    done = mutate_messages.mutate(graph, rng, seeds.donors)
    names = [n.name for n in graph.node if n.name and "\0" not in n.name]
    job = {"graph": graph.SerializeToString(), "runs": steps(graph, runs, rng),
           "config": pb.config(timeout_ms=STEP_MS, rewrite=rng.random() < 0.8)}
    if names and rng.random() < 0.25:
        job["gradients"] = [([rng.choice(names) + ":%d" % rng.choice([0, 0, 0, 1])],
                             ["%s:%d" % (rng.choice(names), rng.choice([0, 0, 0, 1])) for _ in range(rng.choice([1, 2]))], [])]
    if names and rng.random() < 0.3:
        job["shapes"] = ["%s:%d" % (rng.choice(names), rng.choice([0, 1, 5, -1]))]
    return "%s: %s" % (name, done), job


def try_one(worker, what, job, slow):
    start = time.time()
    try:
        worker.call("job", job, timeout=NO_ANSWER)
    except Crash as crash:
        worker.stop()
        return "%s; %s" % (crash, what)
    except Exception:
        pass  # a graph that is wrong in a function may fail in a pass, and the plain plan says why
    spent = time.time() - start
    if spent > slow:
        return "%.1f s; %s" % (spent, what)
    return None


def options():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    ap.add_argument("--lib", default=os.path.join(HERE, "..", "build", "release", "libweir.so"))
    ap.add_argument("--seed", type=int, default=0, help="the first trial")
    ap.add_argument("--count", type=int, default=1000)
    ap.add_argument("--seconds", type=float, default=1e9)
    ap.add_argument("--every", type=int, default=17, help="every Nth op trial is a seed")
    ap.add_argument("--random", type=int, default=40, help="random graphs among the seeds")
    ap.add_argument("--graphs", help="a folder of GraphDefs (*.pb)")
    ap.add_argument("--slow", type=float, default=20, help="seconds after which a trial is a finding")
    ap.add_argument("--repeat", type=int)
    ap.add_argument("--preload", help="LD_PRELOAD for Weir's process, such as libasan")
    ap.add_argument("-v", "--verbose", action="store_true")
    return ap.parse_args()


def main():
    args, start = options(), time.time()
    env = {"WEIR_MEMORY": "512M"}
    if args.preload:
        env.update(LD_PRELOAD=args.preload, ASAN_OPTIONS="detect_leaks=0:allocator_may_return_null=1")
    else:
        env["WORKER_ADDRESS_SPACE"] = str(6 << 30)
    worker = Worker(args.lib, env, os.path.join(tempfile.mkdtemp(prefix="hostile."), "weir"))
    seeds = Seeds(args, random.Random("seeds of graphs"))
    passed = failed = 0
    numbers = range(args.seed, args.seed + args.count) if args.repeat is None else [args.repeat]
    for number in numbers:
        if time.time() - start > args.seconds:
            break
        try:
            what, job = build_trial(seeds, number)
        except (ValueError, UnicodeError, TypeError):
            continue  # what protobuf does not write
        wrong = try_one(worker, what, job, args.slow)
        passed, failed = passed + (not wrong), failed + bool(wrong)
        if wrong or args.verbose:
            print("%s %d: %s" % ("FAIL" if wrong else "passed", number, wrong or what), flush=True)
    worker.stop()
    print("hostile-protos: %d passed, %d failed in %.0f s" % (passed, failed, time.time() - start))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
