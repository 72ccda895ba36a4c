#!/usr/bin/env python3
"""Compares every op definition of Weir with TensorFlow's, field by field.

    tests/opdefs_test.py [--lib PATH]

Descriptions are prose and are left out; everything else a client can see must be equal.
"""
import argparse
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import graphs
from worker import Worker


def plain(definition):
    """A copy without prose."""
    out = type(definition)()
    out.CopyFrom(definition)
    for part in (out, *out.input_arg, *out.output_arg, *out.attr):
        part.ClearField("description")
    out.ClearField("summary")
    for a in out.attr:
        if a.default_value.HasField("tensor"):  # one tensor can be written in several ways
            value = graphs.tf.make_ndarray(a.default_value.tensor)
            a.default_value.tensor.CopyFrom(graphs.tf.make_tensor_proto(value))
    for arg in out.input_arg:
        arg.ClearField("experimental_full_type")
    for arg in out.output_arg:
        arg.ClearField("experimental_full_type")
    return out


def differences(mine, theirs):
    """[(field, Weir's, TensorFlow's)]"""
    found = []
    for field in theirs.DESCRIPTOR.fields:
        a, b = getattr(mine, field.name), getattr(theirs, field.name)
        if field.name in ("input_arg", "output_arg", "attr"):
            if len(a) != len(b):
                found.append((field.name, [x.name for x in a], [x.name for x in b]))
            found += [("%s %s" % (field.name, y.name), _line(x), _line(y))
                      for x, y in zip(a, b) if x != y]
        elif a != b:
            found.append((field.name, _line(a), _line(b)))
    return found


def _line(thing):
    return " ".join(str(thing).split())


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    ap.add_argument("--lib", default=os.path.join(HERE, "..", "build", "release", "libweir.so"))
    args = ap.parse_args()
    worker = Worker(args.lib)
    ops = graphs.parse_op_list(worker.call("op_list"))
    worker.stop()
    failed = 0
    for op in ops:
        theirs = graphs.op_def_registry.get(op.name)
        if theirs is None:
            if op.name.startswith("_"):
                continue  # internal to one runtime
            rows = [("name", op.name, "no such op")]
        else:
            rows = differences(plain(op), plain(theirs))
        failed += bool(rows)
        for field, mine, want in rows:
            print("FAIL %s %s\n  Weir:       %s\n  TensorFlow: %s" % (op.name, field, mine, want))
    names = [o.name for o in ops]
    if len(set(names)) != len(names):
        failed += 1
        print("FAIL an op is listed twice")
    print("opdefs: %d passed, %d failed" % (len(ops) - failed, failed))
    return 1 if failed or not ops else 0


if __name__ == "__main__":
    sys.exit(main())
