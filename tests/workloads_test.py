#!/usr/bin/env python3
"""Trains on Weir and on TensorFlow from the same graph and compares the losses.

    tests/workloads_test.py [--lib PATH] [--only NAME[,NAME]] [--steps N]

The reference workloads are taken from ../shared/workloads (or WEIR_WORKLOADS) when that is there;
small models of our own always run. The first loss must agree to 1e-4, the loss after the steps
(20; 5 of the models whose step takes TensorFlow seconds) to 1e-2, relative.
"""
import argparse
import importlib.util
import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import graphs
import small_models
from dtypes import Value
from weir_c import Error
from worker import Crash, Worker

tf = graphs.tf
WORKLOADS = os.environ.get("WEIR_WORKLOADS") or os.path.join(HERE, "..", "..", "shared", "workloads")

STEPS, LARGE_STEPS = 20, 5
LARGE = ("alexnet_64", "lstm_full", "lstm_sampled")


def models():
    """{name: builder}"""
    found = dict(small_models.ALL)
    path = os.path.join(WORKLOADS, "models.py")
    if not os.path.exists(path):
        print("the reference workloads are not here; small models only")
        return found
    spec = importlib.util.spec_from_file_location("models", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found.update((n, b) for n, b in module.ALL.items() if not n.startswith("vgg"))
    return found


def make_job(build, steps):
    graph = tf.Graph()
    with graph.as_default():
        feeds, train, loss = build()
        init = tf.compat.v1.global_variables_initializer()
    values = {p.name: Value(v) for p, v in feeds.items()}
    step = {"feeds": values, "fetches": [loss.name], "targets": [train.name]}
    return {"graph": graph.as_graph_def().SerializeToString(),
            "runs": [{"feeds": {}, "fetches": [], "targets": [init.name]}, step,
                     {**step, "repeat": steps - 1},
                     {"feeds": values, "fetches": [loss.name], "targets": []}]}


def losses(worker, job, timeout):
    """(first, last) or why not; and seconds."""
    start = time.time()
    try:
        reply = worker.call("job", job, timeout=timeout)
    except Crash as e:
        return "crash: %s" % e, 0
    for r in [reply["error"]] + reply["runs"]:
        if isinstance(r, Error):
            return str(r), 0
    first, last = (float(reply["runs"][k][0].array) for k in (1, 3))
    return (first, last), time.time() - start


def compare(got, want):
    if isinstance(got, str) or isinstance(want, str):
        return "%s; TensorFlow: %s" % (got, want)
    for a, b, bound, when in zip(got, want, (1e-4, 1e-2), ("first", "last")):
        if not abs(a - b) <= bound * abs(b) + 1e-7:
            return "%s loss %.7g, TensorFlow has %.7g" % (when, a, b)
    return None


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    ap.add_argument("--lib", default=os.path.join(HERE, "..", "build", "release", "libweir.so"))
    ap.add_argument("--only")
    ap.add_argument("--steps", type=int, help="for every model")
    ap.add_argument("--timeout", type=int, default=300)
    args = ap.parse_args()
    only = args.only and args.only.split(",")
    weir = Worker(args.lib)
    reference = Worker(graphs.library_path(), {"TF_CPP_MIN_LOG_LEVEL": "3"})
    passed = failed = 0
    for name, build in models().items():
        if only and name not in only:
            continue
        job = make_job(build, args.steps or (LARGE_STEPS if name in LARGE else STEPS))
        want, seconds = losses(reference, job, args.timeout)
        got, mine = losses(weir, job, args.timeout)
        wrong = compare(got, want)
        passed, failed = passed + (not wrong), failed + bool(wrong)
        if wrong:
            print("FAIL %s: %s" % (name, wrong), flush=True)
        else:
            print("%-18s loss %.6f -> %.6f in %.2f s (TensorFlow %.6f -> %.6f in %.2f s)" % (
                name, *got, mine, *want, seconds), flush=True)
    weir.stop()
    reference.stop()
    print("workloads: %d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
