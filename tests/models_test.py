#!/usr/bin/env python3
"""The built-in models against the same models in TensorFlow: variables, and losses step by step.

    tests/models_test.py [--lib PATH] [--only NAME[;NAME]]

The reference workloads are taken from ../shared/workloads (or WEIR_WORKLOADS) when that is there;
without them small_models.py has some of the models.
Each model gets the same data and seeds on both sides. The first loss must agree to 1e-5, every
later one to the model's tolerance, relative. Then some of them train in a cluster.
"""
import argparse
import importlib.util
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import clusters

WORKLOADS = os.environ.get("WEIR_WORKLOADS") or os.path.join(HERE, "..", "..", "shared", "workloads")

# Model: builder in the workloads, its arguments, our options, steps, tolerance of later losses.
# A rate is for momentum: at the models' own, so few examples make the losses explode, and roundings
# with them. Adam makes steps of one size from gradients of any, so that roundings grow where many are tiny.
TRIALS = {
    "logreg": ("logreg", {}, {}, 20, 1e-4),
    "mnist_cnn": ("mnist_cnn", {}, {}, 20, 1e-2),
    "autoencoder_small": ("autoencoder", {}, {}, 20, 1e-4),
    "autoencoder_large": ("autoencoder", {"large": True}, {}, 20, 1e-4),
    "stn_small": ("spatial_transformer", {"batch": 25}, {"batch": 25}, 20, 1e-3),
    "stn_large": ("spatial_transformer", {"batch": 25, "large": True}, {"batch": 25}, 20, 1e-3),
    "alexnet": ("alexnet", {"batch": 2}, {"batch": 2, "rate": 3e-5}, 20, 1e-2),
    "vgg_a": ("vgg_a", {"batch": 2, "size": 32}, {"batch": 2, "size": 32, "rate": 1e-4}, 20, 1e-2),
    "lstm_full": ("lstm_lm", {"batch": 5}, {"batch": 5}, 20, 1e-3),
    "lstm_sampled": ("lstm_lm", {"batch": 5, "sampled": 512}, {"batch": 5}, 20, 1e-3),
}

# Model, options, steps, mode: two parameter servers and two workers.
CLUSTERS = (
    ("mnist_cnn", {"batch": 10}, 20, "async"),
    ("inception_v3", {"batch": 2, "size": 75, "classes": 5, "rate": 0.01}, 6, "sync"),
    ("lstm_sampled", {"batch": 2, "size": 5, "classes": 100}, 20, "sync"),
    ("null_sparse", {"bytes": 1 << 14}, 200, "sync"),
)


# ---- our side: a process that has the library and no TensorFlow ----------------------------------

def weir_side(library, name, options, steps, path, folder):
    """Prints the losses of |steps| and the variables, as JSON; feeds are in the .npz at |path|."""
    import weir_train
    feeds = [v for _, v in sorted(np.load(path).items())]
    print(json.dumps(weir_train.train(library, name, options, steps, feeds, folder)))


def run_weir(library, name, options, steps, feeds, folder=None):
    with tempfile.TemporaryDirectory() as d:
        path = os.path.join(d, "feeds.npz")
        np.savez(path, **{"feed%d" % i: v for i, v in enumerate(feeds)})
        done = subprocess.run([sys.executable, __file__, "--lib", library, "--weir", json.dumps(
            [name, options, steps, path, folder])], capture_output=True, text=True, timeout=300)
    if done.returncode:
        raise AssertionError("Weir: %s" % (done.stderr.strip() or done.returncode))
    return json.loads(done.stdout)


def run_cluster(library, model, options, steps, mode):
    """What each of the workers says in the end."""
    hosts = ["localhost:%d" % p for p in clusters.free_ports(4)]
    meeting = tempfile.TemporaryDirectory()
    tasks = [subprocess.Popen(
        [sys.executable, os.path.join(HERE, "weir_train.py"), library, model, json.dumps(options),
         str(steps), mode, meeting.name, "2", "--job_name", job, "--task_index", str(index),
         "--ps_hosts", ",".join(hosts[:2]), "--worker_hosts", ",".join(hosts[2:])], stdout=subprocess.PIPE)
        for job in ("ps", "worker") for index in (0, 1)]
    try:
        said = [t.communicate(timeout=120)[0] for t in tasks]
    finally:
        for t in tasks:
            t.kill()
            t.wait()
        meeting.cleanup()
    assert not any(t.returncode for t in tasks), "tasks ended with %s" % [t.returncode for t in tasks]
    return [json.loads(s) for s in said[2:]]


def check_cluster(library, model, options, steps, mode):
    """What is wrong, or None."""
    rows = run_cluster(library, model, options, steps, mode)
    if not max(r["first"] for r in rows) > min(r["last"] for r in rows):
        return "the loss does not fall: %s" % rows
    if not all(np.isfinite(r["evaluated"]) for r in rows):
        return "evaluation: %s" % rows
    if sum(r["steps"] for r in rows) < steps:
        return "steps: %s" % rows
    return None


# ---- TensorFlow's side ---------------------------------------------------------------------------

def workloads():
    path = os.path.join(WORKLOADS, "models.py")
    if not os.path.exists(path):
        print("the reference workloads are not here; models of our own only")
        path = os.path.join(HERE, "small_models.py")
    spec = importlib.util.spec_from_file_location("models", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run_tensorflow(build, arguments, steps, folder=None):
    """(feeds in the order x, y; {variable: shape}; losses), from |folder|'s checkpoint if given"""
    import tensorflow.compat.v1 as tf
    with tf.Graph().as_default():
        feeds, train, loss = build(**arguments)
        shapes = {v.op.name: v.shape.as_list() for v in tf.global_variables()}
        with tf.Session() as s:
            if folder:
                tf.train.Saver().restore(s, tf.train.latest_checkpoint(folder))
            else:
                s.run(tf.global_variables_initializer())
            losses = [float(s.run([loss, train], feeds)[0]) for _ in range(steps)]
    return [v for _, v in sorted(feeds.items(), key=lambda f: f[0].name)], shapes, losses


def compare(got, shapes, losses, tolerance):
    """What differs, or None."""
    if got["variables"] != shapes:
        both = set(got["variables"]) | set(shapes)
        wrong = [n for n in sorted(both) if got["variables"].get(n) != shapes.get(n)]
        return "variables differ: %s" % ", ".join(
            "%s %s, TensorFlow %s" % (n, got["variables"].get(n), shapes.get(n)) for n in wrong[:5])
    for i, (a, b) in enumerate(zip(got["losses"], losses)):
        if not abs(a - b) <= (tolerance if i else 1e-5) * abs(b):
            return "loss %d is %.7g, TensorFlow has %.7g" % (i, a, b)
    return None


def check_model(library, module, name):
    """(what is wrong or None, what to say otherwise)"""
    builder, arguments, options, steps, tolerance = TRIALS[name]
    if "rate" in options:
        import tensorflow.compat.v1 as tf
        arguments = dict(arguments, opt=tf.train.MomentumOptimizer(options["rate"], 0.9))
    feeds, shapes, losses = run_tensorflow(getattr(module, builder), arguments, steps)
    got = run_weir(library, name, options, steps, feeds)
    worst = max(abs(a - b) / abs(b) for a, b in zip(got["losses"], losses))
    return compare(got, shapes, losses, tolerance), (
        "loss %.6f -> %.6f, at most %.1e from TensorFlow in %d steps" % (
            losses[0], losses[-1], worst, steps))


def check_checkpoint(library, module):
    """TensorFlow goes on where we stopped, as if it had trained all the time."""
    feeds, _, losses = run_tensorflow(module.autoencoder, {}, 10)
    with tempfile.TemporaryDirectory() as d:
        run_weir(library, "autoencoder_small", {}, 5, feeds, d)
        _, _, later = run_tensorflow(module.autoencoder, {}, 5, d)
    wrong = None if np.allclose(later, losses[5:], rtol=1e-4) else "%s, not %s" % (later, losses[5:])
    return wrong, "TensorFlow goes on from our checkpoint"


def trials(library):
    """(name, function that says what is wrong)"""
    module = workloads()
    for name, trial in TRIALS.items():
        if hasattr(module, trial[0]):
            yield name, lambda: check_model(library, module, name)
    yield "checkpoint", lambda: check_checkpoint(library, module)
    for trial in CLUSTERS:
        yield "%s, %s" % (trial[0], trial[3]), lambda: (
            check_cluster(library, *trial), "two servers, two workers: trained and evaluated")


def main():
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    ap.add_argument("--lib", default=os.path.join(HERE, "..", "build", "release", "libweir.so"))
    ap.add_argument("--only")
    ap.add_argument("--weir", help=argparse.SUPPRESS)
    args = ap.parse_args()
    if args.weir:
        return weir_side(args.lib, *json.loads(args.weir))
    passed = failed = 0
    for name, check in trials(args.lib):
        if args.only and name not in args.only.split(";"):
            continue
        try:
            wrong, said = check()
        except AssertionError as e:
            wrong = str(e)
        passed, failed = passed + (not wrong), failed + bool(wrong)
        print("FAIL %s: %s" % (name, wrong) if wrong else "%-20s %s" % (name, said), flush=True)
    print("models: %d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
