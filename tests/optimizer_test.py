#!/usr/bin/env python3
"""Optimisers, clips, schedules and averages of weir/train.h against TensorFlow's.

Each case trains the same small model on both for a few steps, with dense gradients and sparse ones
whose rows repeat, and compares every variable of the checkpoint, slots included, by name.
"""
import argparse
import ctypes as c
import os
import sys
import tempfile
import traceback

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
STEPS, ROWS, LABELS = 6, [0, 2, 2, 5], [0, 1, 1, 0]
FLOAT, INT32 = 1, 3

# ---- the structs of weir/train.h -----------------------------------------------------------------


def struct(title, /, **fields):
    return type(title, (c.Structure,), {"_fields_": list(fields.items())})


i64p = c.POINTER(c.c_int64)
Output = struct("TF_Output", oper=c.c_void_p, index=c.c_int)
Initial = struct("weir_initial", kind=c.c_int, a=c.c_double, b=c.c_double, seed=c.c_int64)
Variable = struct("weir_variable_options", name=c.c_char_p, type=c.c_int, rank=c.c_int, dims=i64p,
                  initial=Initial, partitions=c.c_int, not_trained=c.c_bool)
Trainer = struct("weir_trainer_options", job=c.c_void_p, update=c.c_int,
                 replicas_to_aggregate=c.c_int, balance=c.c_int, checkpoint_dir=c.c_char_p,
                 save_steps=c.c_int64, save_seconds=c.c_double, keep=c.c_int, last_step=c.c_int64,
                 give_up_seconds=c.c_double, hooks=c.c_void_p, hook_count=c.c_int)
Clip = struct("weir_clip", kind=c.c_int, limit=c.c_float, low=c.c_float)
Optimizer = struct("weir_optimizer", kind=c.c_int, rate=c.c_float, momentum=c.c_float,
                   beta1=c.c_float, beta2=c.c_float, epsilon=c.c_float, decay=c.c_float,
                   accumulator=c.c_float, nesterov=c.c_bool, centered=c.c_bool, l1=c.c_float,
                   l2=c.c_float, l2_shrinkage=c.c_float, power=c.c_float, rate_from=Output, clip=Clip)
Schedule = struct("weir_schedule", kind=c.c_int, rate=c.c_float, steps=c.c_int64, decay=c.c_float,
                  staircase=c.c_bool, end=c.c_float, power=c.c_float, cycle=c.c_bool,
                  boundaries=i64p, values=c.POINTER(c.c_float), boundary_count=c.c_int)
Average = struct("weir_average", decay=c.c_float, by_step=c.c_bool)
StepIo = struct("weir_step_io", feeds=c.c_void_p, feed_values=c.c_void_p, feed_count=c.c_int,
                fetches=c.c_void_p, fetched=c.c_void_p, fetch_count=c.c_int, only_look=c.c_bool)

NORMAL, SYNC = 2, 1
SGD, MOMENTUM, ADAGRAD, ADAM, RMSPROP, ADADELTA, FTRL, PROX_SGD, PROX_ADAGRAD = range(9)
BY_VALUE, BY_NORM, BY_GLOBAL_NORM = 1, 2, 3
EXPONENTIAL, INVERSE_TIME, NATURAL_EXP, POLYNOMIAL, COSINE, PIECEWISE = range(6)


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
        self.t = c.c_void_p(lib.weir_trainer_new(c.byref(Trainer(
            checkpoint_dir=folder.encode(), save_seconds=1e9, update=update))))
        self.b = c.c_void_p(lib.weir_trainer_builder(self.t))
        self.status = c.c_void_p(lib.TF_NewStatus())

    def op(self, kind, name, *inputs):
        return self.lib.weir_build_op(self.b, kind.encode(), name.encode(),
                                      (Output * len(inputs))(*inputs), len(inputs))

    def ints(self, name, values):
        data = np.array(values, np.int32)
        return self.lib.weir_build_const(self.b, name.encode(), INT32, 1, (c.c_int64 * 1)(len(values)),
                                         data.ctypes.data_as(c.c_void_p))

    def variable(self, seed, name, dims):
        return self.lib.weir_trainer_variable(self.t, c.byref(Variable(
            name=name.encode(), rank=len(dims), dims=(c.c_int64 * len(dims))(*dims),
            initial=Initial(kind=NORMAL, a=0, b=1, seed=seed))))

    def loss(self):
        e, w, b = (self.variable(k + 1, *v) for k, v in enumerate(VARIABLES))
        rows = self.lib.weir_trainer_gather(self.t, b"rows", e, self.ints("ids", ROWS))
        logits = self.op("BiasAdd", "logits", self.op("MatMul", "product", rows, w), b)
        each = self.op("SparseSoftmaxCrossEntropyWithLogits", "each", logits, self.ints("labels", LABELS))
        return self.op("Mean", "loss", each, self.lib.weir_build_int32(self.b, b"axis", 0))

    def rate(self, schedule):
        fields = dict(schedule)
        if "boundaries" in fields:
            bounds, values = fields.pop("boundaries"), fields.pop("values")
            fields.update(boundaries=(c.c_int64 * len(bounds))(*bounds), boundary_count=len(bounds),
                          values=(c.c_float * len(values))(*values))
        return self.lib.weir_build_schedule(self.b, c.byref(Schedule(**fields)),
                                            self.lib.weir_trainer_global_step(self.t))

    def check(self):
        if self.lib.TF_GetCode(self.status):
            raise AssertionError(self.lib.TF_Message(self.status).decode())

    def run(self, case):
        loss = self.loss()
        fields = dict(case.get("weir", dict(kind=SGD)))
        fields.setdefault("rate", 0.5)
        fields["clip"] = Clip(*case.get("clip", (0, 0, 0)))
        if "schedule" in case:
            fields["rate_from"] = self.rate(case["schedule"])
        if "average" in case:
            self.lib.weir_trainer_average(self.t, c.byref(Average(*case["average"])))
        self.lib.weir_trainer_minimize(self.t, loss, c.byref(Optimizer(**fields)))
        self.lib.weir_trainer_start(self.t, self.status)
        self.check()
        for _ in range(STEPS):
            self.lib.weir_trainer_step(self.t, c.byref(StepIo()), self.status)
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


def tensorflow(case):
    with tf.Graph().as_default(), tf.Session() as s:
        e, w, b = (tf.get_variable(n, dims, initializer=tf.random_normal_initializer(seed=k + 1),
                                   use_resource=False) for k, (n, dims) in enumerate(VARIABLES))
        step = tf.train.create_global_step()
        logits = tf.nn.bias_add(tf.matmul(tf.gather(e, ROWS), w), b)
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
        return {v.op.name: s.run(v) for v in tf.global_variables()}


# ---- the cases -----------------------------------------------------------------------------------

T = tf.train
OPTIMIZERS = {
    "gradient descent": (dict(kind=SGD), T.GradientDescentOptimizer),
    "momentum": (dict(kind=MOMENTUM, momentum=0.9), lambda r: T.MomentumOptimizer(r, 0.9)),
    "nesterov": (dict(kind=MOMENTUM, momentum=0.9, nesterov=True),
                 lambda r: T.MomentumOptimizer(r, 0.9, use_nesterov=True)),
    "adagrad": (dict(kind=ADAGRAD), T.AdagradOptimizer),
    "adagrad from 0.5": (dict(kind=ADAGRAD, accumulator=0.5), lambda r: T.AdagradOptimizer(r, 0.5)),
    "adadelta": (dict(kind=ADADELTA), T.AdadeltaOptimizer),
    "rmsprop": (dict(kind=RMSPROP), T.RMSPropOptimizer),
    "rmsprop with momentum": (dict(kind=RMSPROP, decay=0.8, momentum=0.5, epsilon=1e-3),
                              lambda r: T.RMSPropOptimizer(r, 0.8, 0.5, 1e-3)),
    "rmsprop centered": (dict(kind=RMSPROP, centered=True, epsilon=1e-3),
                         lambda r: T.RMSPropOptimizer(r, epsilon=1e-3, centered=True)),
    "adam": (dict(kind=ADAM), T.AdamOptimizer),
    "adam with other betas": (dict(kind=ADAM, beta1=0.8, beta2=0.99, epsilon=0.1),
                              lambda r: T.AdamOptimizer(r, 0.8, 0.99, 0.1)),
    "ftrl": (dict(kind=FTRL), T.FtrlOptimizer),
    "ftrl with penalties": (dict(kind=FTRL, l1=0.01, l2=0.02, accumulator=0.2, power=-0.3),
                            lambda r: T.FtrlOptimizer(r, -0.3, 0.2, 0.01, 0.02)),
    "ftrl with shrinkage": (dict(kind=FTRL, l2_shrinkage=0.1),
                            lambda r: T.FtrlOptimizer(r, l2_shrinkage_regularization_strength=0.1)),
    "proximal gradient descent": (dict(kind=PROX_SGD, l1=0.01, l2=0.02),
                                  lambda r: T.ProximalGradientDescentOptimizer(r, 0.01, 0.02)),
    "proximal adagrad": (dict(kind=PROX_ADAGRAD, l1=0.01, l2=0.02),
                         lambda r: T.ProximalAdagradOptimizer(r, 0.1, 0.01, 0.02)),
}
CLIPS = {
    "values within 0.05": (BY_VALUE, 0.05, 0), "values from -0.01": (BY_VALUE, 0.05, -0.01),
    "each norm within 0.1": (BY_NORM, 0.1, 0), "each norm within 100": (BY_NORM, 100, 0),
    "the global norm within 0.2": (BY_GLOBAL_NORM, 0.2, 0),
    "the global norm within 100": (BY_GLOBAL_NORM, 100, 0),
}
SCHEDULES = {
    "exponential": (dict(kind=EXPONENTIAL, rate=0.5, steps=4, decay=0.7),
                    lambda s: T.exponential_decay(0.5, s, 4, 0.7)),
    "exponential in stairs": (dict(kind=EXPONENTIAL, rate=0.5, steps=2, decay=0.7, staircase=True),
                              lambda s: T.exponential_decay(0.5, s, 2, 0.7, staircase=True)),
    "inverse time": (dict(kind=INVERSE_TIME, rate=0.5, steps=3, decay=0.7),
                     lambda s: T.inverse_time_decay(0.5, s, 3, 0.7)),
    "natural exponential": (dict(kind=NATURAL_EXP, rate=0.5, steps=3, decay=0.7, staircase=True),
                            lambda s: T.natural_exp_decay(0.5, s, 3, 0.7, staircase=True)),
    "polynomial": (dict(kind=POLYNOMIAL, rate=0.5, steps=4, end=0.1, power=2),
                   lambda s: T.polynomial_decay(0.5, s, 4, 0.1, 2)),
    "polynomial, again": (dict(kind=POLYNOMIAL, rate=0.5, steps=2, end=0.1, cycle=True),
                          lambda s: T.polynomial_decay(0.5, s, 2, 0.1, cycle=True)),
    "cosine": (dict(kind=COSINE, rate=0.5, steps=4, end=0.1), lambda s: T.cosine_decay(0.5, s, 4, 0.1)),
    "piecewise": (dict(kind=PIECEWISE, boundaries=[1, 3], values=[0.5, 0.3, 0.1]),
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
    yield "all at once", dict(weir=dict(kind=ADAM), tensorflow=T.AdamOptimizer, clip=(BY_GLOBAL_NORM, 0.1, 0),
                              schedule=SCHEDULES["cosine"][0], rate=SCHEDULES["cosine"][1],
                              average=(0.5, False))
    yield "synchronous", dict(weir=dict(kind=MOMENTUM, momentum=0.9), update=SYNC,
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
