#!/usr/bin/env python3
"""Runs every op case on constants: computed ahead, at run time, and with the same values fed.

    tests/constants_test.py [--lib PATH] [--only OP[,OP]] [--file NAME[,NAME]] [--preload PATH] [-v]

A graph of constants is folded while its plan is made, where there is no step: no pool, no
resources. Whatever an op does there must neither end the process nor change its result. Weir is
compared with itself, so that no case needs TensorFlow to run it.
"""
import argparse
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import graphs
import ops_test
import sample
import trials
from compare import difference
from dtypes import KIND
from weir_c import Error
from worker import Crash, Worker

RESULT = "result%d"


def constants_for_feeds(built):
    """Makes constants of the placeholders, and an Identity of each result: gives its fetches."""
    graph = built.graph.proto
    for node in graph.node:
        value = built.feeds.get(node.name + ":0")
        if value is not None:
            node.op = "Const"
            node.attr.clear()
            node.attr["dtype"].type = value.dtype
            node.attr["value"].tensor.CopyFrom(graphs.tensor_proto(value))
    fetches = []
    for k, output in enumerate(o for o in built.node if KIND.get(o.dtype) != "h"):
        node = graph.node.add(name=RESULT % k, op="Identity", input=[str(output)])
        node.attr["T"].type = output.dtype
        fetches.append(node.name + ":0")
    return fetches


def jobs(trial):
    """(what it is, job): with feeds, with constants computed ahead, with constants in a step."""
    built = trials.build(trial)
    yield "fed", {"graph": built.graph.graph_def(), "runs": built.runs()}
    fetches = constants_for_feeds(built)
    targets = [] if fetches else [built.node.name]
    runs = built.setup + [{"feeds": {}, "targets": targets, "fetches": fetches}]
    graph = built.graph.graph_def()
    yield "computed ahead", {"graph": graph, "runs": runs}
    yield "in a step", {"graph": graph, "runs": runs, "config": graphs.plain_config()}


def outcome(reply, step):
    """The values of the step under test, or the error of the job."""
    return ops_test.first_error(reply) or reply["runs"][step]


def compare(case, want, got):
    if isinstance(want, Error) or isinstance(got, Error):
        same = isinstance(want, Error) and isinstance(got, Error)
        return None if same else "%s, when fed %s" % (got, want)
    if case.check or case.compare == "shape":
        return None  # values that no two runs share
    found = [difference(a, b, case.rtol, case.atol) for a, b in zip(got, want)]
    return next((f for f in found if f), None)


def complaints(worker, trial):
    step = len(trials.build(trial).setup)
    want = None
    for what, job in jobs(trial):
        reply = worker.call("job", job)
        if what == "fed":
            want = outcome(reply, step)
            continue
        wrong = compare(trial.case, want, outcome(reply, step))
        if wrong:
            yield "%s: %s" % (what, wrong)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    ap.add_argument("--lib", default=os.path.join(HERE, "..", "build", "release", "libweir.so"))
    ap.add_argument("--only", help="op types, separated by commas")
    ap.add_argument("--file", help="tables of tests/cases, separated by commas")
    ap.add_argument("-k", help="only trials whose labels contain this text")
    sample.add_option(ap)
    ap.add_argument("--preload", help="LD_PRELOAD for Weir's process, such as libasan")
    args = ap.parse_args()
    env = {"LD_PRELOAD": args.preload, "ASAN_OPTIONS": "detect_leaks=0"} if args.preload else {}
    worker = Worker(args.lib, env, os.path.join(tempfile.mkdtemp(prefix="constants."), "weir"))
    known = {o.name for o in graphs.parse_op_list(worker.call("op_list"))}
    passed = failed = 0
    for trial in ops_test.chosen(args):
        if isinstance(trial, trials.ScriptTrial) or trial.op not in known:
            continue
        if not (trial.base or trial.edge):
            continue  # another dtype of the same kernel
        try:
            found = list(complaints(worker, trial))
        except Crash as crash:
            worker.stop()
            found = ["CRASH %s" % crash]
        except Exception as error:
            if trial.edge:
                continue  # a shape that the op does not take
            found = ["%s: %s" % (type(error).__name__, error)]
        passed, failed = passed + (not found), failed + bool(found)
        if found:
            print("FAIL %s: %s" % (trial.label, "; ".join(found)), flush=True)
    worker.stop()
    print("constants: %d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
