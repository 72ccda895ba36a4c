#!/usr/bin/env python3
"""Compares the dtypes of Weir's CPU kernels with those of TensorFlow's.

    tests/kernels_test.py [--lib PATH] [--only OP[,OP]] [-v]

For each type attr that TensorFlow's kernels of an op constrain, every dtype they name must be taken
by a kernel of Weir's. -v also names the dtypes that only Weir takes.
"""
import argparse
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import graphs
from dtypes import SHORT
from worker import Worker


def coverage(op, rows, unconstrained):
    """{type attr: dtypes that some kernel of |rows| takes}. A kernel without a word about an attr
    takes what the op declares, or none when |unconstrained| is False."""
    definition = graphs.op_def(op)
    out = {}
    for a in definition.attr:
        if a.type != "type":
            continue
        declared = set(a.allowed_values.list.type) or set(SHORT)
        silent = declared if unconstrained else set()
        out[a.name] = set().union(*(row.get(a.name, silent) for row in rows)) & declared
    return out


def names(types):
    return " ".join(SHORT.get(t, str(t)) for t in sorted(types))


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    ap.add_argument("--lib", default=os.path.join(HERE, "..", "build", "release", "libweir.so"))
    ap.add_argument("--only")
    ap.add_argument("-v", "--verbose", action="store_true")
    args = ap.parse_args()
    worker = Worker(args.lib)
    ops = [o.name for o in graphs.parse_op_list(worker.call("op_list"))]
    if args.only:
        ops = [o for o in ops if o in args.only.split(",")]
    passed = failed = 0
    for op in ops:
        if op.startswith("_") or graphs.op_def_registry.get(op) is None:
            continue
        mine = coverage(op, graphs.kernel_rows(worker.call("kernels", op)), True)
        theirs = coverage(op, graphs.cpu_kernels(op), False)
        lacking = {a: t - mine[a] for a, t in theirs.items() if t - mine[a] and t & set(SHORT)}
        passed, failed = passed + (not lacking), failed + bool(lacking)
        for attr, types in lacking.items():
            print("FAIL %s lacks %s: %s" % (op, attr, names(types)))
        if args.verbose:
            for attr, types in mine.items():
                if types - theirs[attr]:
                    print("more %s has %s: %s" % (op, attr, names(types - theirs[attr])))
    worker.stop()
    print("kernels: %d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
