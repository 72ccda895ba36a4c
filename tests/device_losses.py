#!/usr/bin/env python3
"""device_losses.py: losses of every built-in model on a device beside the processor's, for the first steps.

    device_losses.py [--only MODEL[,MODEL]] [--steps N] [--seconds S]

The variables, feeds and number of steps are the same; dropout drops nothing. Three more runs, on the processor, begin
with variables that were changed by 1e-7, or with TF32 by half a unit of its last place (4.9e-4): what becomes of that is
what rounding may become. With TF32 another run rounds the operands of every product and convolution to TF32. Products
and convolutions use TF32 where the device has it, unless NVIDIA_TF32_OVERRIDE=0. A model passes when its losses differ by
at most 1e-3 with TF32 and 1e-5 without, relative to the first loss, or by at most twice as much as one of these runs
(without TF32 eight times): among five equal runs each is the furthest once in five.

WEIR_TEST_DEVICES=cuda chooses the driver (opencl). Run by a Python with NumPy alone; the Python package must be built.
"""
import argparse
import os
import sys
import time

TF32 = os.environ.setdefault("NVIDIA_TF32_OVERRIDE", "1") != "0"
import device_models_test as models  # noqa: E402
import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402

if TF32:
    del os.environ["NVIDIA_TF32_OVERRIDE"]  # the libraries' own choice

SLACK = 2 if TF32 else 8
CHANGE = 2.0**-11 if TF32 else 1.2e-7
SEEDS = 3


PRODUCTS = ("MatMul", "BatchMatMul", "BatchMatMulV2", "Conv2D", "Conv2DBackpropFilter", "Conv2DBackpropInput")


def add_node(graph, name, op, inputs, **types):
    node = graph.node.add(name=name, op=op, input=inputs)
    for key, value in types.items():
        node.attr[key].type = value.as_datatype_enum
    return node


def rounded(graph):
    """The same graph with the float operands of products rounded to the ten bits of TF32's mantissa."""
    made, known = tf.GraphDef(), {}
    made.CopyFrom(graph)
    for name, value in (("half", 1 << 12), ("mask", -1 << 13)):
        node = add_node(made, "tf32/" + name, "Const", [], dtype=tf.int32)
        node.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(np.int32(value)))
    for node in list(made.node):
        if node.op not in PRODUCTS or node.attr["T"].type != tf.float32.as_datatype_enum:
            continue
        for k, source in enumerate(node.input):
            sizes = (k == 1 and node.op == "Conv2DBackpropFilter") or (k == 0 and node.op == "Conv2DBackpropInput")
            if source.startswith("^") or sizes:
                continue
            if source not in known:
                at = "tf32/%d/" % len(known)
                add_node(made, at + "bits", "Bitcast", [source], T=tf.float32, type=tf.int32)
                add_node(made, at + "more", "AddV2", [at + "bits", "tf32/half"], T=tf.int32)
                add_node(made, at + "kept", "BitwiseAnd", [at + "more", "tf32/mask"], T=tf.int32)
                known[source] = add_node(made, at + "value", "Bitcast", [at + "kept"], T=tf.int32, type=tf.float32).name
            node.input[k] = known[source]
    return made


def apart(losses, wanted):
    """The largest difference so far, of each step, relative to the first loss or to its own, whichever is more."""
    scale = np.maximum(np.abs(wanted), np.abs(wanted[0]) + 1e-30)
    return np.maximum.accumulate(np.abs(losses - wanted) / scale)


def differences(name, options, steps):
    """How far the device's losses are from the processor's, and those of changed variables."""
    model = models.Model(name, options)
    processor, device = models.Run(model, model.graph, False), models.Run(model, model.graph, True)
    values = models.start_values(name, model, processor)
    losses = []
    others = [(processor, models.changed(values, seed, CHANGE)) for seed in range(SEEDS)]
    if TF32:
        others.append((models.Run(model, rounded(model.graph), False), values))
    for run, start in [(processor, values), (device, values)] + others:
        run.load(start)
        losses.append(run.losses(steps))
    for run in {run for run, _ in others} | {device}:
        run.session.close()
    natural = np.max([apart(one, losses[0]) for one in losses[2:]], axis=0)
    return apart(losses[1], losses[0]), natural


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only")
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=3600, help="start no model after this time")
    args = parser.parse_args()
    bound = 1e-3 if TF32 else 1e-5
    start, passed, failed, left = time.time(), 0, 0, 0
    print("%-18s %9s %9s %9s %9s" % ("model, %d steps" % args.steps, "step 1", "step 5", "the last", "by %.0e" % CHANGE))
    for name, (options, _) in models.MODELS.items():
        if args.only and name not in args.only.split(","):
            continue
        if time.time() - start > args.seconds:
            left += 1
            continue
        found, natural = differences(name, options, args.steps)
        allowed = np.maximum(bound, SLACK * natural)
        good, strict = bool(np.all(found <= allowed)), bool(np.all(found <= bound))
        passed, failed = passed + good, failed + (not good)
        print("%-18s %9.1e %9.1e %9.1e %9.1e  %s" % (name, found[0], found[min(4, args.steps - 1)], found[-1], natural[-1],
                                                  "within %g" % bound if strict else "as roundings grow" if good
                                                  else "FAILED"), flush=True)
    print("device-losses: %d passed, %d failed, %d not reached" % (passed, failed, left))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
