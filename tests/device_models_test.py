#!/usr/bin/env python3
"""device_models_test.py: gradients and losses of the built-in models on a device, judged by double precision.

    device_models_test.py [--only MODEL[,MODEL]] [--steps N] [--verbose]

Every model is built small, its dropout kept from dropping anything. Three sessions get the same variables and feeds: the
processor's, the device's, and the processor's with every float32 of the graph made float64. A gradient on the device may
be as far from the double one as roundings take the processor's, times a constant; and so may what a step changes, whose
plan has gradients and updates in fewer nodes than the one that fetches them. Then the model trains, and so do copies whose variables were changed by 1e-7: where these part from the processor's losses, the device may part as far.

PoCL (or another driver: WEIR_TEST_DEVICES=cuda) is the device. Run by a Python with NumPy alone; the Python package
must be built (python/dev_build). Ends with "N passed, N failed".
"""
import argparse
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..")
os.environ["WEIR_DEVICES"] = os.environ.get("WEIR_TEST_DEVICES", "opencl")
os.environ.setdefault("NVIDIA_TF32_OVERRIDE", "0")  # products and convolutions of float in full precision
sys.path[:0] = [os.path.join(ROOT, "python"), HERE]

import numpy as np  # noqa: E402
import weir.hook  # noqa: E402

weir.hook.install()
import tensorflow as tf  # noqa: E402
import weir_train  # noqa: E402

# Model: its options, and how many steps it trains.
MODELS = {
    "logreg": ({"batch": 20}, 8),
    "mnist_cnn": ({"batch": 4}, 6),
    "autoencoder_small": ({"batch": 10}, 8),
    "autoencoder_large": ({"batch": 10}, 8),
    "stn_small": ({"batch": 4}, 6),
    "stn_large": ({"batch": 4}, 6),
    "alexnet": ({"batch": 2, "size": 67, "classes": 7, "rate": 1e-3}, 3),
    "overfeat": ({"batch": 2, "size": 75, "classes": 7, "rate": 1e-3}, 3),
    "vgg_a": ({"batch": 2, "size": 32, "classes": 7, "rate": 1e-5}, 3),
    "googlenet": ({"batch": 2, "size": 32, "classes": 7, "rate": 1e-3}, 5),
    "inception_v3": ({"batch": 4, "size": 75, "classes": 7, "rate": 1e-3}, 4),
    "lstm_full": ({"batch": 3, "size": 5, "classes": 60}, 8),
    "lstm_sampled": ({"batch": 3, "size": 5, "classes": 600}, 8),
    "null": ({"bytes": 1 << 12}, 4),
    "null_sparse": ({"bytes": 1 << 17}, 4),
}
LONG = ("overfeat", "vgg_a", "inception_v3", "autoencoder_large", "stn_large")  # minutes on PoCL; siblings are above
SLACK = 8  # how many times the processor's rounding a device's may be
FLOOR = 2e-6  # and what a relative difference may be in any case
results = {True: 0, False: 0}


def check(name, good, detail):
    results[bool(good)] += 1
    if not good:
        print("%s: %s" % (name, detail), flush=True)


def library():
    """The library of the Python package, which the first session brings into this process."""
    tf.Session(graph=tf.Graph()).close()
    for line in open("/proc/self/maps", encoding="utf-8"):
        if "libweir.so" in line:
            return line.split()[-1]
    raise RuntimeError("libweir.so is not loaded")


# ---- graphs --------------------------------------------------------------------------------------

class Model:
    """A model's GraphDef, what to run in it, and a batch."""

    def __init__(self, name, options):
        trainer = weir_train.Trainer(library())
        built = trainer.build(name, **options)
        data, self.init, self.train, self.loss, self.feeds = trainer.end_graph(built)
        self.graph = tf.GraphDef.FromString(data)
        self.values = trainer.made_up(name, **options)
        trainer.delete()
        keep_everything(self.graph)


def keep_everything(graph):
    """Makes dropout's rates negative, so that it keeps everything."""
    nodes = {n.name: n for n in graph.node}
    for node in graph.node:
        if node.op == "GreaterEqual" and "dropout" in node.name:
            rate = nodes[node.input[1]].attr["value"].tensor
            rate.CopyFrom(tf.make_tensor_proto(np.float32(-1)))


def widen(value):
    """An attr's value with float64 for float32."""
    if value.type == tf.float32.as_datatype_enum:
        value.type = tf.float64.as_datatype_enum
    for i, kind in enumerate(value.list.type):
        if kind == tf.float32.as_datatype_enum:
            value.list.type[i] = tf.float64.as_datatype_enum
    if value.HasField("tensor") and value.tensor.dtype == tf.float32.as_datatype_enum:
        value.tensor.CopyFrom(tf.make_tensor_proto(tf.make_ndarray(value.tensor).astype("d")))


# Ops without an attr for float64: which inputs and outputs are floats.
FLOAT_ONLY = {"LogUniformCandidateSampler": ((), (1, 2)), "ComputeAccidentalHits": ((), (2,)),
              "LRN": ((0,), (0,)), "LRNGrad": ((0, 1, 2), (0,)), "FusedBatchNormV3": (range(5), range(6)),
              "FusedBatchNormGradV3": (range(6), range(5))}


def add_cast(graph, name, source, types):
    cast = graph.node.add(name=name, op="Cast", input=[source])
    cast.attr["SrcT"].type, cast.attr["DstT"].type = (t.as_datatype_enum for t in types)
    return cast.name


def doubled(graph):
    """The same graph in double precision; what has only float32 is cast to and from."""
    wide, casts, made = tf.GraphDef(), {}, set()
    for node in graph.node:
        copy = wide.node.add()
        copy.CopyFrom(node)
        inputs, outputs = FLOAT_ONLY.get(node.op, ((), ()))
        for value in copy.attr.values() if node.op not in FLOAT_ONLY else ():
            widen(value)
        for k in outputs:
            old = "%s:%d" % (node.name, k)
            casts[old] = add_cast(wide, "%s/double%d" % (node.name, k), old if k else node.name, (tf.float32, tf.float64))
            made.add(casts[old])
            if not k:
                casts[node.name] = casts[old]
    for node in [n for n in wide.node if n.name not in made]:
        inputs = FLOAT_ONLY.get(node.op, ((), ()))[0]
        node.input[:] = [casts.get(i, i) for i in node.input]
        for k in inputs:
            node.input[k] = add_cast(wide, "%s/float%d" % (node.name, k), node.input[k], (tf.float64, tf.float32))
    return wide


def gradients_of(graph):
    """{variable: name of its gradient's tensor}, from the nodes that apply them."""
    found = {}
    for node in graph.node:
        apply = node.op.startswith("Apply")
        if (apply or node.op.startswith(("Scatter", "SparseApply"))) and "/update/" in node.name:
            values = [i for i in node.input if not i.startswith("^")]
            # The gradient comes last, or before its rows' indices; ApplyMomentum has the momentum behind it.
            at = {"ApplyMomentum": 3, "ScatterSub": 2}.get(node.op, len(values) - 1 if apply else len(values) - 2)
            name = values[at]
            found[values[0]] = name if ":" in name else name + ":0"
    return found


# ---- sessions ------------------------------------------------------------------------------------

class Run:
    """A session with the model's graph; on the processor unless |device|."""

    def __init__(self, model, graph, device):
        self.model, self.graph = model, tf.Graph()
        with self.graph.as_default():
            tf.import_graph_def(graph, name="")
        config = tf.ConfigProto(allow_soft_placement=True)
        if not device:
            config.device_count["GPU"] = 0
        self.session = tf.Session(graph=self.graph, config=config)
        self.feeds = dict(zip(model.feeds, model.values))
        self.assigns = {n.input[0]: n.name for n in graph.node if n.op == "Assign" and n.name == n.input[0] + "/Assign"}
        self.names = list(self.assigns)

    def initialize(self):
        self.session.run(self.graph.get_operation_by_name(self.model.init))

    def read(self):
        return dict(zip(self.names, self.session.run([n + ":0" for n in self.names])))

    def load(self, values):
        feeds, ops = {}, []
        for name, value in values.items():
            op = self.graph.get_operation_by_name(self.assigns[name])
            feeds[op.inputs[1]] = value.astype(op.inputs[1].dtype.as_numpy_dtype)
            ops.append(op)
        self.session.run(ops, feeds)

    def fetch(self, names):
        feeds = {k: v.astype(self.graph.get_tensor_by_name(k).dtype.as_numpy_dtype) for k, v in self.feeds.items()}
        return self.session.run(names, feeds)

    def losses(self, steps):
        train = self.graph.get_operation_by_name(self.model.train)
        return np.array([self.fetch([self.model.loss, train])[0] for _ in range(steps)], "d")


def start_values(name, model, run):
    """Initial values that lie on no edge: a spatial transformer's grid is else exactly that of its pixels, where the
    gradient jumps."""
    run.initialize()
    values = run.read()
    if name.startswith("stn"):
        values["loc2/b"] = np.array([0.9, 0.07, 0.013, -0.06, 0.95, 0.021], "f")
        values["loc2/w"] = np.random.RandomState(0).randn(*values["loc2/w"].shape).astype("f") * 0.01
    return values


# ---- judgement -----------------------------------------------------------------------------------

def far(a, b):
    """How far |a| is from |b|, relative."""
    a, b = np.asarray(a, "d"), np.asarray(b, "d")
    return np.linalg.norm((a - b).ravel()) / max(np.linalg.norm(b.ravel()), 1e-30)


def judge_gradients(name, model, runs, verbose):
    names = gradients_of(model.graph)
    wanted = [model.loss] + list(names.values())
    processor, device, double = (run.fetch(wanted) for run in runs)
    rounding = np.array([far(p, d) for p, d in zip(processor, double)])
    found = np.array([far(g, d) for g, d in zip(device, double)])
    # A sum's rounding is random: what the processor's usual gradient loses counts for those where it was lucky.
    allowed = SLACK * np.maximum(rounding, np.median(rounding)) + FLOOR
    for label, good, error, limit, of in zip(["loss"] + list(names), found <= allowed, found, allowed, rounding):
        check("%s, gradient of %s" % (name, label), good, "%.1e from double precision, the processor %.1e" % (error, of))
        if verbose > 1:
            print("  %-40s device %.1e processor %.1e allowed %.1e" % (label, error, of, limit))
    return found.max(), rounding.max()


def judge_updates(name, values, runs, verbose):
    """What one step changes, without its gradients being fetched: the plan that trains."""
    for run in runs:
        run.losses(1)
    processor, device, double = (run.read() for run in runs)
    names = [n for n in values if values[n].dtype == np.float32 and np.any(double[n] != values[n])]
    rounding = np.array([far(processor[n] - values[n], double[n] - values[n]) for n in names])
    found = np.array([far(device[n] - values[n], double[n] - values[n]) for n in names])
    allowed = SLACK * np.maximum(rounding, np.median(rounding)) + FLOOR
    for label, good, error, limit, of in zip(names, found <= allowed, found, allowed, rounding):
        check("%s, change of %s" % (name, label), good, "%.1e from double precision, the processor %.1e" % (error, of))
        if verbose > 1:
            print("  change of %-30s device %.1e processor %.1e allowed %.1e" % (label, error, of, limit))
    return found.max(), rounding.max()


def changed(values, seed, size=1.2e-7):
    """Every variable multiplied by 1 +- 1e-7: about one unit in the last place; or by 1 +- another size."""
    r = np.random.RandomState(seed)
    return {k: v * (1 + size * r.choice([-1, 1], v.shape)) if v.dtype == np.float32 else v for k, v in values.items()}


def judge_losses(name, model, runs, values, steps):
    processor, device, _ = runs
    losses = []
    for run, start in [(processor, values), (device, values)] + [(processor, changed(values, s)) for s in range(3)]:
        run.load(start)
        losses.append(run.losses(steps))
    # A loss that has fallen to nothing has no digits left: differences are relative to the first.
    scale = np.maximum(np.abs(losses[0]), np.abs(losses[0][0]) + 1e-30)
    apart = [np.maximum.accumulate(np.abs(one - losses[0]) / scale) for one in losses[1:]]
    allowed = SLACK * np.max(apart[1:], 0) + FLOOR
    for step in range(steps):
        check("%s, loss of step %d" % (name, step + 1), apart[0][step] <= allowed[step],
              "%.1e from the processor's; a change of 1e-7 makes %.1e" % (apart[0][step], np.max(apart[1:], 0)[step]))
    return apart[0][-1], np.max(apart[1:], 0)[-1]


def test(name, options, steps, verbose):
    model = Model(name, options)
    runs = [Run(model, model.graph, False), Run(model, model.graph, True), Run(model, doubled(model.graph), False)]
    values = start_values(name, model, runs[0])
    for run in runs:
        run.load(values)
    gradients = judge_gradients(name, model, runs, verbose)
    updates = judge_updates(name, values, runs, verbose)
    losses = judge_losses(name, model, runs, values, steps)
    if verbose:
        print("%-18s gradients %.1e (processor %.1e)  changes %.1e (%.1e)  losses after %d steps %.1e "
              "(changed by 1e-7: %.1e)" % ((name,) + gradients + updates + (steps,) + losses), flush=True)
    for run in runs:
        run.session.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only")
    parser.add_argument("--short", action="store_true", help="without the models that take long")
    parser.add_argument("--steps", type=int)
    parser.add_argument("--verbose", "-v", action="count", default=0)
    args = parser.parse_args()
    for name, (options, steps) in MODELS.items():
        if (name in args.only.split(",")) if args.only else not (args.short and name in LONG):
            test(name, options, args.steps or steps, args.verbose)
    print("device-models: %d passed, %d failed" % (results[True], results[False]))
    return 1 if results[False] else 0


if __name__ == "__main__":
    sys.exit(main())
