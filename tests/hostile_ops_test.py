#!/usr/bin/env python3
"""Runs every op case with attrs, shapes, dtypes and values that a hostile or unlucky client sends.

    tests/hostile_ops_test.py [--lib PATH] [--large] [--rounds N] [--seed N] [--only OP[,OP]] [--preload PATH] [-v]

Each trial of tests/cases is damaged by `mutate.py`, from a seed, and runs fed or on constants, with
its gradients now and then. With --large it is enlarged instead (`enlarge.py`): sizes, attrs and counts
that ask for hours or terabytes. Any status and any value is right; a crash, a sanitizer's report, a step
that works beyond its time limit or memory far beyond the process's limit is not. A failure prints the
seed that repeats it alone (--only, --repeat).
"""
import argparse
import collections
import os
import random
import re
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import enlarge
import graphs
import mutate
import ops_test
import pb
import sample
import trials
from worker import Crash, Worker

STEP_MS = 4000
LARGE_MS = 1000
LARGE_CPU_S = 12  # of processor time, whatever else the machine does: the limit on some threads, and to come to an end
# LAPACK computes these in one call, which nothing ends (SECURITY.md, known gaps).
UNINTERRUPTED = re.compile("Svd|Eig|^Lu|^Qr|Cholesky|Matrix(Solve|Inverse|Determinant|Exponential|Logarithm|SquareRoot)|^Determinant")
LIMIT_MIB, BESIDE_MIB = 512, 512  # of tensors; of all that is not tensors, and of what the allocator keeps
NO_ANSWER = 90  # seconds; several steps of a job may use up their limits


def base_graph(trial):
    """(graph proto, runs, names to differentiate) of a trial or script, undamaged."""
    if isinstance(trial, trials.ScriptTrial):
        g = graphs.GraphBuilder()
        trial.script.build(g)
        return g.proto, [dict(r) for r in g.runs], None
    built = trials.build(trial)
    grads = (built.fetches(), list(built.x), []) if trial.case.grad and built.x else None
    return built.graph.proto, [dict(r) for r in built.runs()], grads


def constants(graph, runs):
    """Feeds become constants, which are folded before any step."""
    fed = {k: v for r in runs for k, v in r["feeds"].items()}
    for node in graph.node:
        value = fed.get(node.name + ":0")
        if node.op == "Placeholder" and value is not None:
            node.op = "Const"
            node.attr.clear()
            node.attr["dtype"].type = value.dtype
            node.attr["value"].tensor.CopyFrom(graphs.tensor_proto(value))
    for run in runs:
        run["feeds"] = {}


def damaged(trial, seed):
    """(what was done, job) for a seed."""
    rng = random.Random(seed)
    graph, runs, grads = base_graph(trial)
    what = mutate.mutate(graph, runs, rng)
    if rng.random() < 0.3:
        constants(graph, runs)
        what += " (constants)"
        grads = None
    job = {"graph": graph.SerializeToString(), "runs": runs,
           "config": pb.config(timeout_ms=STEP_MS, rewrite=rng.random() < 0.7)}
    if grads and rng.random() < 0.3:
        job["gradients"] = [grads]
        what += " (gradients)"
        ops = [r for r in runs if r["fetches"]]
        if ops:
            ops[0]["fetches"] = ops[0]["fetches"] + ["@0.%d" % k for k in range(len(grads[1]))]
    return what, job


def enlarged(trial, seed):
    """(what was done, job) for a seed."""
    rng = random.Random(seed)
    graph, runs, _ = base_graph(trial)
    what = enlarge.enlarge(graph, runs, rng)
    config = pb.config(timeout_ms=LARGE_MS, rewrite=rng.random() < 0.7)
    return what, {"graph": graph.SerializeToString(), "runs": runs, "config": config}


def processor_seconds(pid):
    with open("/proc/%d/stat" % pid) as f:
        fields = f.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def peak_mib(pid, restart=False):
    """Of the memory in use since the last restart."""
    if restart:
        with open("/proc/%d/clear_refs" % pid, "w") as f:
            f.write("5")
    with open("/proc/%d/status" % pid) as f:
        return int(re.search(r"VmHWM:\s+(\d+)", f.read()).group(1)) >> 10


def try_large(worker, trial, seed):
    """A complaint, or None."""
    worker.call("version")  # there is a process
    pid = worker.process.pid
    memory, seconds = peak_mib(pid, restart=True), processor_seconds(pid)
    wrong = try_one(worker, trial, seed, enlarged)
    if wrong or not worker.process:
        return wrong
    seconds, after = processor_seconds(pid) - seconds, peak_mib(pid)
    if after > max(LIMIT_MIB + BESIDE_MIB, memory + 64):
        worker.stop()  # what it keeps is not the next one's
        wrong = "%d MiB of memory after %d" % (after, memory)
    if seconds > LARGE_CPU_S * len(runs_of(trial)):
        wrong = "%.1f s of work" % seconds
    return wrong and "%s; %s" % (wrong, enlarged(trial, seed)[0])


def runs_of(trial):
    return base_graph(trial)[1]


def try_one(worker, trial, seed, change=damaged):
    """A complaint, or None."""
    try:
        what, job = change(trial, seed)
    except (TypeError, ValueError, KeyError, OverflowError, MemoryError):
        return None  # numpy or protobuf does not hold such a value
    try:
        worker.call("job", job, timeout=NO_ANSWER)
    except Crash as crash:
        worker.stop()
        return "%s; %s" % (crash, what)
    except RuntimeError as error:  # "a pass broke a graph"
        return "%s; %s" % (error, what)
    except Exception:
        pass  # the damage left no such node, output or gradient to ask for
    return None


def options():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    ap.add_argument("--lib", default=os.path.join(HERE, "..", "build", "release", "libweir.so"))
    ap.add_argument("--only", help="op types, separated by commas")
    ap.add_argument("--file", help="tables of tests/cases, separated by commas")
    ap.add_argument("-k", help="only trials whose labels contain this text")
    sample.add_option(ap)
    ap.add_argument("--rounds", type=int, default=1, help="damaged forms of each trial")
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--large", action="store_true", help="enlarge the trials of usual dtypes instead of damaging all")
    ap.add_argument("--repeat", help="the seed of one failure")
    ap.add_argument("--seconds", type=float, help="stop after this time")
    ap.add_argument("--preload", help="LD_PRELOAD for Weir's process, such as libasan")
    ap.add_argument("-v", "--verbose", action="store_true")
    return ap.parse_args()


def main():
    args, start = options(), time.time()
    env = {"WEIR_MEMORY": "%dM" % LIMIT_MIB}
    if args.preload:
        env.update(LD_PRELOAD=args.preload,
                   ASAN_OPTIONS="detect_leaks=0:allocator_may_return_null=1")
    else:
        env["WORKER_ADDRESS_SPACE"] = str(6 << 30)
    worker = Worker(args.lib, env, os.path.join(tempfile.mkdtemp(prefix="hostile."), "weir"))
    known = {o.name for o in graphs.parse_op_list(worker.call("op_list"))}
    passed = failed = 0
    tried = collections.Counter()  # several trials may have one label
    for trial in ops_test.chosen(args):
        if args.seconds and time.time() - start > args.seconds:
            break
        if isinstance(trial, trials.Trial) and (
                trial.op not in known or not (trial.base or trial.edge and not args.large)):
            continue
        if args.large and UNINTERRUPTED.search(trial.op):
            continue
        for _ in range(args.rounds):
            seed = args.repeat or "%d/%d/%s" % (args.seed, tried[trial.label], trial.label)
            tried[trial.label] += 1
            wrong = (try_large if args.large else try_one)(worker, trial, seed)
            passed, failed = passed + (not wrong), failed + bool(wrong)
            if wrong or args.verbose:
                print("%s %s: %s" % ("FAIL" if wrong else "passed", seed, wrong), flush=True)
    worker.stop()
    print("hostile-ops: %d passed, %d failed in %.0f s" % (passed, failed, time.time() - start))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
