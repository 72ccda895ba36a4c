#!/usr/bin/env python3
"""Optimisers, clips, schedules and averages of weir/train.h against TensorFlow's.

Each case trains the same small model on both for a few steps, with dense gradients and sparse ones
whose rows repeat, and compares every variable of the checkpoint, slots included, by name.
"""
import argparse
import ctypes as c
import os
import re
import sys
import tempfile
import traceback

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import c_structs
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
STEPS, ROWS, LABELS = 6, [0, 2, 2, 5], [0, 1, 1, 0]
INT32 = 3

HEADERS = os.path.join(ROOT, "include", "weir")
C = c_structs.read(os.path.join(HEADERS, "graph.h"), os.path.join(HEADERS, "train.h"))
Output, Clip, ARRAYS = C["TF_Output"], C["weir_clip"], []
BY_VALUE, BY_NORM, BY_GLOBAL_NORM = (C["WEIR_CLIP_" + k] for k in ("BY_VALUE", "BY_NORM", "BY_GLOBAL_NORM"))


def make(title, /, **values):
    """A struct of the headers; enumerators by name."""
    return C[title](**{k: C[v] if isinstance(v, str) else v for k, v in values.items()})


def array(type_, values):
    """The address of an array, which stays."""
    ARRAYS.append((type_ * len(values))(*values))
    return c.addressof(ARRAYS[-1])


def load(path):
    lib = c.CDLL(os.path.abspath(path))
    for name in ("weir_build_const", "weir_build_op", "weir_build_int32", "weir_trainer_variable",
                 "weir_trainer_gather", "weir_trainer_global_step", "weir_build_schedule"):
        getattr(lib, name).restype = Output
    for name in ("weir_trainer_new", "weir_trainer_builder", "weir_build_status", "TF_NewStatus"):
        getattr(lib, name).restype = c.c_void_p
    lib.weir_trainer_step.restype = c.c_bool
    lib.TF_Message.restype = c.c_char_p
    return lib


# ---- the model, here and there -------------------------------------------------------------------

VARIABLES = [("e", [6, 3]), ("w", [3, 2]), ("b", [2])]


class Weir:
    """The model in a trainer; run gives what a checkpoint of it holds."""

    def __init__(self, lib, folder, update=0):
        self.lib = lib
        self.t = c.c_void_p(lib.weir_trainer_new(c.byref(make(
            "weir_trainer_options", checkpoint_dir=folder.encode(), save_seconds=1e9, update=update))))
        self.b = c.c_void_p(lib.weir_trainer_builder(self.t))
        self.status = c.c_void_p(lib.TF_NewStatus())

    def op(self, kind, name, *inputs):
        return self.lib.weir_build_op(self.b, kind.encode(), name.encode(),
                                      (Output * len(inputs))(*inputs), len(inputs))

    def ints(self, name, values):
        data = np.array(values, np.int32)
        return self.lib.weir_build_const(self.b, name.encode(), INT32, 1, (c.c_int64 * 1)(len(values)),
                                         data.ctypes.data_as(c.c_void_p))

    def variable(self, seed, name, dims, pieces):
        return self.lib.weir_trainer_variable(self.t, c.byref(make(
            "weir_variable_options", name=name.encode(), rank=len(dims), dims=array(c.c_int64, dims),
            initial=make("weir_initial", kind="WEIR_NORMAL", a=0, b=1, seed=seed), partitions=pieces)))

    def loss(self, pieces):
        e, w, b = (self.variable(k + 1, *v, 0 if k else pieces) for k, v in enumerate(VARIABLES))
        rows = self.lib.weir_trainer_gather(self.t, b"rows", e, self.ints("ids", ROWS))
        logits = self.op("BiasAdd", "logits", self.op("MatMul", "product", rows, w), b)
        each = self.op("SparseSoftmaxCrossEntropyWithLogits", "each", logits, self.ints("labels", LABELS))
        return self.op("Mean", "loss", each, self.lib.weir_build_int32(self.b, b"axis", 0))

    def rate(self, schedule):
        fields = dict(schedule)
        if "boundaries" in fields:
            bounds, values = fields.pop("boundaries"), fields.pop("values")
            fields.update(boundaries=array(c.c_int64, bounds), boundary_count=len(bounds),
                          values=array(c.c_float, values))
        return self.lib.weir_build_schedule(self.b, c.byref(make("weir_schedule", **fields)),
                                            self.lib.weir_trainer_global_step(self.t))

    def check(self):
        if self.lib.TF_GetCode(self.status):
            raise AssertionError(self.lib.TF_Message(self.status).decode())

    def run(self, case):
        loss = self.loss(case.get("pieces", 0))
        fields = dict(case.get("weir", dict(kind="WEIR_GRADIENT_DESCENT")))
        fields.setdefault("rate", 0.5)
        fields["clip"] = Clip(*case.get("clip", (0, 0, 0)))
        if "schedule" in case:
            fields["rate_from"] = self.rate(case["schedule"])
        if "average" in case:
            self.lib.weir_trainer_average(self.t, c.byref(C["weir_average"](*case["average"])))
        self.lib.weir_trainer_minimize(self.t, loss, c.byref(make("weir_optimizer", **fields)))
        self.lib.weir_trainer_start(self.t, self.status)
        self.check()
        for _ in range(STEPS):
            self.lib.weir_trainer_step(self.t, c.byref(make("weir_step_io")), self.status)
            self.check()
        path = c.create_string_buffer(1000)
        self.lib.weir_trainer_save(self.t, path, c.c_size_t(1000), self.status)
        self.check()
        self.lib.weir_trainer_stop(self.t, self.status)
        self.lib.weir_trainer_delete(self.t)
        reader = tf.train.load_checkpoint(path.value.decode())
        return {n: reader.get_tensor(n) for n in reader.get_variable_to_shape_map()}


def clipped(pairs, kind, limit, low=0):
    gradients, variables = zip(*pairs)
    if kind == BY_GLOBAL_NORM:
        return list(zip(tf.clip_by_global_norm(gradients, limit)[0], variables))
    clip = (lambda g: tf.clip_by_value(g, low or -limit, limit)) if kind == BY_VALUE else \
        (lambda g: tf.clip_by_norm(g, limit))
    return [(clip(g), v) for g, v in pairs]


def whole(values):
    """Pieces put together: "e/part_0/Momentum" and the others are "e/Momentum"."""
    out = {}
    for name in sorted(values):
        joined = re.sub(r"/part_\d+", "", name)
        out.setdefault(joined, []).append(values[name])
    return {n: np.concatenate(v) if len(v) > 1 else v[0] for n, v in out.items()}


def tensorflow(case):
    with tf.Graph().as_default(), tf.Session() as s:
        cut = tf.fixed_size_partitioner(case["pieces"]) if "pieces" in case else None
        e, w, b = (tf.get_variable(n, dims, initializer=tf.random_normal_initializer(seed=k + 1),
                                   partitioner=None if k else cut, use_resource=False)
                   for k, (n, dims) in enumerate(VARIABLES))
        step = tf.train.create_global_step()
        rows = tf.nn.embedding_lookup(e, ROWS, partition_strategy="div") if cut else tf.gather(e, ROWS)
        logits = tf.nn.bias_add(tf.matmul(rows, w), b)
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=LABELS, logits=logits))
        rate = case["rate"](step) if "rate" in case else 0.5
        optimizer = case.get("tensorflow", tf.train.GradientDescentOptimizer)(rate)
        pairs = optimizer.compute_gradients(loss)
        if "clip" in case:
            pairs = clipped(pairs, *case["clip"])
        train = optimizer.apply_gradients(pairs)
        if "average" in case:
            decay, by_step = case["average"]
            with tf.control_dependencies([train]):
                train = tf.train.ExponentialMovingAverage(decay, step if by_step else None).apply([e, w, b])
        with tf.control_dependencies([train]):
            train = tf.assign_add(step, 1)
        s.run(tf.global_variables_initializer())
        for _ in range(STEPS):
            s.run(train)
        return whole({v.op.name: s.run(v) for v in tf.global_variables()})


# ---- the cases -----------------------------------------------------------------------------------

T = tf.train
OPTIMIZERS = {
    "gradient descent": (dict(kind="WEIR_GRADIENT_DESCENT"), T.GradientDescentOptimizer),
    "momentum": (dict(kind="WEIR_MOMENTUM", momentum=0.9), lambda r: T.MomentumOptimizer(r, 0.9)),
    "nesterov": (dict(kind="WEIR_MOMENTUM", momentum=0.9, nesterov=True),
                 lambda r: T.MomentumOptimizer(r, 0.9, use_nesterov=True)),
    "adagrad": (dict(kind="WEIR_ADAGRAD"), T.AdagradOptimizer),
    "adagrad from 0.5": (dict(kind="WEIR_ADAGRAD", accumulator=0.5), lambda r: T.AdagradOptimizer(r, 0.5)),
    "adadelta": (dict(kind="WEIR_ADADELTA"), T.AdadeltaOptimizer),
    "rmsprop": (dict(kind="WEIR_RMSPROP"), T.RMSPropOptimizer),
    "rmsprop with momentum": (dict(kind="WEIR_RMSPROP", decay=0.8, momentum=0.5, epsilon=1e-3),
                              lambda r: T.RMSPropOptimizer(r, 0.8, 0.5, 1e-3)),
    "rmsprop centered": (dict(kind="WEIR_RMSPROP", centered=True, epsilon=1e-3),
                         lambda r: T.RMSPropOptimizer(r, epsilon=1e-3, centered=True)),
    "adam": (dict(kind="WEIR_ADAM"), T.AdamOptimizer),
    "adam with other betas": (dict(kind="WEIR_ADAM", beta1=0.8, beta2=0.99, epsilon=0.1),
                              lambda r: T.AdamOptimizer(r, 0.8, 0.99, 0.1)),
    "ftrl": (dict(kind="WEIR_FTRL"), T.FtrlOptimizer),
    "ftrl with penalties": (dict(kind="WEIR_FTRL", l1=0.01, l2=0.02, accumulator=0.2, power=-0.3),
                            lambda r: T.FtrlOptimizer(r, -0.3, 0.2, 0.01, 0.02)),
    "ftrl with shrinkage": (dict(kind="WEIR_FTRL", l2_shrinkage=0.1),
                            lambda r: T.FtrlOptimizer(r, l2_shrinkage_regularization_strength=0.1)),
    "proximal gradient descent": (dict(kind="WEIR_PROXIMAL_GRADIENT_DESCENT", l1=0.01, l2=0.02),
                                  lambda r: T.ProximalGradientDescentOptimizer(r, 0.01, 0.02)),
    "proximal adagrad": (dict(kind="WEIR_PROXIMAL_ADAGRAD", l1=0.01, l2=0.02),
                         lambda r: T.ProximalAdagradOptimizer(r, 0.1, 0.01, 0.02)),
}
CLIPS = {
    "values within 0.05": (BY_VALUE, 0.05, 0), "values from -0.01": (BY_VALUE, 0.05, -0.01),
    "each norm within 0.1": (BY_NORM, 0.1, 0), "each norm within 100": (BY_NORM, 100, 0),
    "the global norm within 0.2": (BY_GLOBAL_NORM, 0.2, 0),
    "the global norm within 100": (BY_GLOBAL_NORM, 100, 0),
}
SCHEDULES = {
    "exponential": (dict(kind="WEIR_EXPONENTIAL_DECAY", rate=0.5, steps=4, decay=0.7),
                    lambda s: T.exponential_decay(0.5, s, 4, 0.7)),
    "exponential in stairs": (dict(kind="WEIR_EXPONENTIAL_DECAY", rate=0.5, steps=2, decay=0.7, staircase=True),
                              lambda s: T.exponential_decay(0.5, s, 2, 0.7, staircase=True)),
    "inverse time": (dict(kind="WEIR_INVERSE_TIME_DECAY", rate=0.5, steps=3, decay=0.7),
                     lambda s: T.inverse_time_decay(0.5, s, 3, 0.7)),
    "natural exponential": (dict(kind="WEIR_NATURAL_EXP_DECAY", rate=0.5, steps=3, decay=0.7, staircase=True),
                            lambda s: T.natural_exp_decay(0.5, s, 3, 0.7, staircase=True)),
    "polynomial": (dict(kind="WEIR_POLYNOMIAL_DECAY", rate=0.5, steps=4, end=0.1, power=2),
                   lambda s: T.polynomial_decay(0.5, s, 4, 0.1, 2)),
    "polynomial, again": (dict(kind="WEIR_POLYNOMIAL_DECAY", rate=0.5, steps=2, end=0.1, cycle=True),
                          lambda s: T.polynomial_decay(0.5, s, 2, 0.1, cycle=True)),
    "cosine": (dict(kind="WEIR_COSINE_DECAY", rate=0.5, steps=4, end=0.1), lambda s: T.cosine_decay(0.5, s, 4, 0.1)),
    "piecewise": (dict(kind="WEIR_PIECEWISE_CONSTANT", boundaries=[1, 3], values=[0.5, 0.3, 0.1]),
                  lambda s: T.piecewise_constant(s, [1, 3], [0.5, 0.3, 0.1])),
}
AVERAGES = {"average": (0.9, False), "average by the step": (0.9, True)}


def cases():
    for name, (weir, there) in OPTIMIZERS.items():
        yield name, dict(weir=weir, tensorflow=there)
    for name, clip in CLIPS.items():
        yield name, dict(clip=clip)
    for name, (schedule, rate) in SCHEDULES.items():
        yield name, dict(schedule=schedule, rate=rate)
    for name, average in AVERAGES.items():
        yield name, dict(average=average)
    yield "all at once", dict(weir=dict(kind="WEIR_ADAM"), tensorflow=T.AdamOptimizer, clip=(BY_GLOBAL_NORM, 0.1, 0),
                              schedule=SCHEDULES["cosine"][0], rate=SCHEDULES["cosine"][1],
                              average=(0.5, False))
    for pieces in (2, 4):  # 3 and 3 rows; 2, 2, 1 and 1
        yield "in %d pieces" % pieces, dict(pieces=pieces, weir=OPTIMIZERS["rmsprop"][0],
                                            tensorflow=OPTIMIZERS["rmsprop"][1])
    yield "synchronous", dict(weir=dict(kind="WEIR_MOMENTUM", momentum=0.9), update="WEIR_SYNC",
                              tensorflow=lambda r: T.MomentumOptimizer(r, 0.9))


def compare(ours, theirs):
    if sorted(ours) != sorted(theirs):
        return "variables %s, not %s" % (sorted(ours), sorted(theirs))
    for name in sorted(ours):
        if not np.allclose(ours[name], theirs[name], rtol=2e-5, atol=1e-6):
            return "%s is\n%s, not\n%s" % (name, ours[name], theirs[name])
    return None


def run(lib, case):
    with tempfile.TemporaryDirectory() as folder:
        ours = Weir(lib, folder, case.get("update", 0)).run(case)
    return compare(ours, tensorflow(case))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lib", default=os.path.join(ROOT, "build", "release", "libweir.so"))
    parser.add_argument("names", nargs="*", help="only these cases")
    args = parser.parse_args()
    lib, passed, failed = load(args.lib), 0, 0
    for name, case in cases():
        if args.names and name not in args.names:
            continue
        try:
            wrong = run(lib, case)
        except Exception:
            wrong = traceback.format_exc()
        passed, failed = passed + (not wrong), failed + bool(wrong)
        if wrong:
            print("%s: %s" % (name, wrong))
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
