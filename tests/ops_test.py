#!/usr/bin/env python3
"""Runs every op case on Weir and on TensorFlow and compares them.

    tests/ops_test.py [--lib PATH] [--only OP[,OP]] [--file NAME[,NAME]] [-k TEXT] [--device DRIVER] [-v]

Each case becomes trials: one for every dtype that TensorFlow's CPU kernels take, and variants with
empty, scalar, odd and long shapes. The two libraries live in child processes, so a crash is one
failed trial. With --device, Weir's graphs run on a device with memory of its own wherever it has kernels.
tests/README.md says how to add cases.
"""
import argparse
import collections
import importlib.util
import os
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import numpy as np

import graphs
import sample
import trials
from compare import difference
from dtypes import KIND, Value, short
from opcase import Script
from weir_c import Error
from worker import Crash, Worker

tf = graphs.tf
CONFIG = graphs.plain_config()
DEVICE = None  # the driver of the devices that Weir's graphs run on; None: processors


class Skip(Exception):
    """TensorFlow itself does not take this trial."""


class Bench:
    """The two libraries under comparison."""

    def __init__(self, lib, weir_env):
        logs = tempfile.mkdtemp(prefix="ops_test.")
        quiet = {"TF_CPP_MIN_LOG_LEVEL": "3", "TF_ENABLE_ONEDNN_OPTS": "0"}
        self.tensorflow = Worker(graphs.library_path(), quiet, os.path.join(logs, "tensorflow"))
        self.weir = Worker(lib, weir_env, os.path.join(logs, "weir"))
        self.weir_ops = {o.name for o in graphs.parse_op_list(self.weir.call("op_list"))}

    def both(self, weir_job, tf_job):
        """Runs the two jobs at the same time; gives (weir's reply, TensorFlow's)."""
        self.weir.send("job", weir_job)
        self.tensorflow.send("job", tf_job)
        try:
            want = self.tensorflow.receive()
        except Crash as e:
            want = e
        got = self.weir.receive()
        if isinstance(want, Crash):
            raise Skip("TensorFlow crashed: %s" % want)
        return got, want

    def stop(self):
        self.tensorflow.stop()
        self.weir.stop()


def first_error(reply):
    if reply["error"]:
        return reply["error"]
    return next((r for r in reply["runs"] if isinstance(r, Error)), None)


def run_case(bench, trial):
    """Complaints about one trial; an empty list when it passed."""
    case = trial.case
    built = trials.build(trial)
    job = {"graph": built.graph.graph_def(), "config": CONFIG, "runs": built.runs(),
           "shapes": [str(o) for o in built.node]}
    got, want = bench.both(job, job)
    weir_error, tf_error = first_error(got), first_error(want)
    if case.fails:
        return check_failure(case, weir_error, tf_error)
    if tf_error:
        if trial.base:
            return ["the case is wrong, TensorFlow says %s" % tf_error]
        if trial.edge and not weir_error:
            return ["runs, but TensorFlow says %s" % tf_error]
        raise Skip(str(tf_error))
    if weir_error:
        return [str(weir_error)]
    complaints = check_values(case, got, want)
    if not complaints and case.grad and any(KIND[t] in "fc" for t in value_types(want)):
        complaints = check_gradients(bench, trial, built, want["runs"][len(built.setup)])
    return complaints


def value_types(reply):
    return [v.dtype for run in reply["runs"] for v in run if v is not None]


def check_failure(case, weir_error, tf_error):
    if not tf_error:
        return ["the case is wrong, TensorFlow does not fail"]
    if case.fails is not True and tf_error.name != case.fails:
        return ["the case is wrong, TensorFlow says %s" % tf_error]
    if not weir_error and DEVICE:
        raise Skip("only processors look at values before they use them")
    if not weir_error:
        return ["does not fail; TensorFlow says %s" % tf_error]
    if weir_error.code != tf_error.code:
        return ["fails with %s; TensorFlow says %s" % (weir_error, tf_error)]
    if case.says and case.says not in tf_error.message:
        return ["the case is wrong, TensorFlow says %s" % tf_error]
    if case.says and case.says not in weir_error.message:
        return ["message %r lacks %r" % (weir_error.message, case.says)]
    return []


def check_values(case, got, want):
    complaints = []
    if case.infer and got["shapes"] != want["shapes"]:
        complaints.append("infers %s, TensorFlow %s" % (got["shapes"], want["shapes"]))
    for k, (mine, theirs) in enumerate(zip(got["runs"], want["runs"])):
        if case.check and mine:
            complaints += [c for c in [case.check(mine, theirs)] if c]
            continue
        for j, (a, b) in enumerate(zip(mine, theirs)):
            wrong = difference(a, b, case.rtol, case.atol, case.compare == "shape")
            if wrong:
                complaints.append("step %d output %d: %s" % (k, j, wrong))
    return complaints


def check_gradients(bench, trial, built, outputs):
    """Weir's TF_AddGradients against tf.gradients, and against central differences in float64."""
    case = trial.case
    fetched = [o for o in built.node if KIND.get(o.dtype) != "h"]
    ys = [(str(o), v) for k, (o, v) in enumerate(zip(fetched, outputs))
          if KIND[v.dtype] in "fc" and (case.ys is None or k in case.ys)]
    dys = []
    for k, (_, v) in enumerate(ys):
        dy = built.graph.placeholder(v.dtype, v.shape, _name="dy%d" % k)[0]
        built.feeds[str(dy)] = trials.seeded_like(v, "%s dy%d" % (trial.op, k))
        dys.append(str(dy))
    try:
        plan = GradientPlan(built, [y for y, _ in ys], dys, case.grad)
    except Exception as e:
        if trial.base:
            return ["the case is wrong, tf.gradients says %s" % e]
        raise Skip("tf.gradients says %s" % e) from None
    if not plan.levels:
        raise Skip("TensorFlow has no gradient here")
    weir_job, tf_job = plan.weir_job(), plan.tensorflow_job()
    numeric = case.numeric and short(ys[0][1].dtype) == "f64"
    if numeric:
        weir_job["runs"] += plan.perturbed_runs([y for y, _ in ys])
    got, want = bench.both(weir_job, tf_job)
    for reply, who in ((want, "the case is wrong, TensorFlow"), (got, "gradient")):
        if first_error(reply):
            return ["%s: %s" % (who, first_error(reply))]
    rtol = case.rtol and 4 * case.rtol
    complaints = []
    for name, a, b in zip(plan.labels, got["runs"][len(built.setup)], want["runs"][len(built.setup)]):
        wrong = difference(a, b, rtol, case.atol)
        if wrong:
            complaints.append("%s: %s" % (name, wrong))
    if numeric and not complaints:
        complaints = plan.check_numeric(got["runs"][len(built.setup):], dys)
    return complaints


class GradientPlan:
    """The gradients that TensorFlow's Python finds for a graph, to be asked of Weir too."""

    H = 1e-5

    def __init__(self, built, ys, dys, order):
        self.built, self.levels, self.labels, self.fetches = built, [], [], []
        self.x0 = []
        self.graph = tf.Graph()
        with self.graph.as_default():
            tf.graph_util.import_graph_def(built.graph.proto, name="")
            xs = list(built.x)
            for level in range(order):
                made = self._level(level, ys, xs, dys)
                if not made:
                    break
                ys, xs, dys = made

    def _level(self, level, ys, xs, dys):
        get = self.graph.get_tensor_by_name
        grads = tf.gradients([get(self._real(y)) for y in ys], [get(x) for x in xs],
                             grad_ys=[get(d) for d in dys])
        pairs = [(x, tf.convert_to_tensor(g)) for x, g in zip(xs, grads) if g is not None]
        if not pairs:
            return None
        self.levels.append((ys, [x for x, _ in pairs], dys))
        if level == 0:
            self.x0 = [x for x, _ in pairs]
        self.real = getattr(self, "real", {})
        next_ys, next_dys = [], []
        for j, (x, g) in enumerate(pairs):
            alias = "@%d.%d" % (level, j)
            self.real[alias] = g.name
            self.labels.append("d%s/d%s" % ("2" * level, x))
            self.fetches.append(alias)
            value = self.built.feeds[x]
            seed = "dd%d_%d" % (level, j)
            p = tf.compat.v1.placeholder(tf.dtypes.as_dtype(value.dtype), value.shape, name=seed)
            self.built.graph.placeholder(value.dtype, value.shape, _name=seed)
            self.built.feeds[p.name] = trials.seeded_like(value, seed)
            next_ys.append(alias)
            next_dys.append(p.name)
        return next_ys, [x for x, _ in pairs] + list(dys), next_dys

    def _real(self, name):
        return getattr(self, "real", {}).get(name, name)

    def _job(self, graph, fetches):
        run = {"feeds": self.built.feeds, "fetches": fetches, "targets": []}
        return {"graph": graph, "config": CONFIG, "runs": self.built.setup + [run]}

    def weir_job(self):
        job = self._job(self.built.graph.graph_def(), self.fetches)
        job["gradients"] = self.levels
        return job

    def tensorflow_job(self):
        graph = self.graph.as_graph_def().SerializeToString()
        return self._job(graph, [self._real(f) for f in self.fetches])

    def perturbed_runs(self, ys):
        runs = []
        for x in self.x0:
            value = self.built.feeds[x]
            step = trials.seeded_like(value, "h" + x).array * self.H
            for sign in (1, -1):
                feeds = {**self.built.feeds, x: Value(value.array + sign * step, value.dtype)}
                runs.append({"feeds": feeds, "fetches": list(ys), "targets": []})
        return runs

    def check_numeric(self, runs, dys):
        weights = [self.built.feeds[d].array for d in dys]
        loss = lambda values: sum(float((v.array * w).sum()) for v, w in zip(values, weights))
        for j, x in enumerate(self.x0):
            plus, minus = runs[1 + 2 * j], runs[2 + 2 * j]
            if isinstance(plus, Error) or isinstance(minus, Error):
                return ["%s: a step beside the point fails: %s" % (x, plus)]
            step = trials.seeded_like(self.built.feeds[x], "h" + x).array
            told = float((runs[0][j].array * step).sum())
            seen = (loss(plus) - loss(minus)) / (2 * self.H)
            scale = float(np.abs(runs[0][j].array * step).sum()) + 1e-3
            if not abs(told - seen) <= 1e-4 * scale:
                return ["d/d%s: %.9g along a line where central differences have %.9g"
                        % (x, told, seen)]
        return []


def run_script(bench, trial):
    g = graphs.GraphBuilder()
    trial.script.build(g)
    trial.ops = sorted({n.op for n in g.proto.node} | {
        n.op for f in g.proto.library.function for n in f.node_def})
    missing = [o for o in trial.ops if o not in bench.weir_ops
               and graphs.op_def_registry.get(o) is not None]
    if missing:
        raise KeyError(", ".join(missing))
    job = {"graph": g.graph_def(), "config": CONFIG, "runs": g.runs}
    if trial.script.alone:
        got, want = bench.weir.call("job", job), {"error": None, "runs": [r["expect"] for r in g.runs]}
    else:
        got, want = bench.both(job, job)
    if want["error"] or got["error"]:
        if want["error"] and got["error"] and want["error"].code == got["error"].code:
            return []
        return ["import: %s; TensorFlow: %s" % (got["error"], want["error"])]
    complaints = []
    for k, (a, b, run) in enumerate(zip(got["runs"], want["runs"], g.runs)):
        complaints += ["step %d: %s" % (k, c) for c in step_difference(trial.script, a, b, run["says"])]
    return complaints


def step_difference(script, got, want, says):
    if isinstance(got, Error) or isinstance(want, Error):
        same = isinstance(got, Error) and isinstance(want, Error) and got.code == want.code
        said = same and (not says or says in got.message and says in want.message)
        return [] if said else ["%s; TensorFlow: %s" % (got, want)]
    if says:
        return ["no step failed with %r" % says]
    found = [difference(a, b, script.rtol, script.atol) for a, b in zip(got, want)]
    return ["output %d: %s" % (j, f) for j, f in enumerate(found) if f]


def load_cases(names):
    """(file name, case or script) of every table in tests/cases, or of the named ones."""
    folder = os.path.join(HERE, "cases")
    for entry in sorted(os.listdir(folder)):
        name, ext = os.path.splitext(entry)
        if ext != ".py" or name.startswith("_") or (names and name not in names):
            continue
        spec = importlib.util.spec_from_file_location("cases_" + name, os.path.join(folder, entry))
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        for case in module.CASES:
            yield name, case


class Tally:
    def __init__(self, verbose, limit):
        self.ops = collections.defaultdict(collections.Counter)
        self.verbose, self.limit, self.shown = verbose, limit, collections.Counter()
        self.seen = set()  # op types that some trial contained

    def add(self, op, result, label, why=""):
        self.ops[op][result] += 1
        if result == "failed":
            self.shown[op] += 1
            if self.shown[op] <= self.limit:
                print("FAIL %s: %s" % (label, why), flush=True)
        elif self.verbose:
            print("%-6s %s%s" % (result, label, ": " + why if why else ""), flush=True)

    def total(self, result):
        return sum(c[result] for c in self.ops.values())

    def close(self, seconds, untested):
        print()
        if untested:
            print("FAIL ops without a case: %s" % " ".join(sorted(untested)))
        for op in sorted(self.ops):
            c = self.ops[op]
            if self.verbose or c["failed"] or c["missing"]:
                words = ["%d %s" % (c[r], r) for r in ("passed", "failed", "missing", "skipped")
                         if c[r]]
                print("  %-34s %s" % (op, ", ".join(words)))
        print("ops: %d passed, %d failed, %d missing, %d skipped in %.1f s" % (
            self.total("passed"), self.total("failed") + len(untested), self.total("missing"),
            self.total("skipped"), seconds))


def try_one(bench, trial, tally):
    tally.seen.add(trial.op)
    try:
        if isinstance(trial, trials.ScriptTrial):
            complaints = run_script(bench, trial)
            tally.seen.update(trial.ops)
        elif trial.op not in bench.weir_ops:
            raise KeyError(trial.op)
        else:
            complaints = run_case(bench, trial)
    except KeyError as e:
        return tally.add(trial.op, "missing", trial.label, "no op %s" % e)
    except Skip as e:
        return tally.add(trial.op, "skipped", trial.label, str(e))
    except Crash as e:
        bench.stop()
        complaints = ["CRASH %s" % e]
    except Exception as e:
        if isinstance(trial, trials.Trial) and trial.edge:
            return tally.add(trial.op, "skipped", trial.label, "cannot be built: %s" % e)
        complaints = ["%s: %s" % (type(e).__name__, e)]
    result = "failed" if complaints else "passed"
    tally.add(trial.op, result, trial.label, "; ".join(complaints[:3]))


def options():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    ap.add_argument("--lib", default=os.path.join(HERE, "..", "build", "release", "libweir.so"))
    ap.add_argument("--only", help="op types or script names, separated by commas")
    ap.add_argument("--file", help="tables of tests/cases, separated by commas")
    ap.add_argument("-k", help="only trials whose labels contain this text")
    sample.add_option(ap)
    ap.add_argument("--first", action="store_true", help="take the first trial of each case only")
    ap.add_argument("--device", help="run Weir's graphs on devices of this driver: opencl, cuda")
    ap.add_argument("--preload", help="LD_PRELOAD for Weir's process, such as libasan")
    ap.add_argument("--limit", type=int, default=8, help="failures shown per op")
    ap.add_argument("--missing-ok", action="store_true", help="an op that Weir lacks is no failure")
    ap.add_argument("-v", "--verbose", action="store_true")
    return ap.parse_args()


def chosen(args, first=False):
    only = args.only and set(args.only.split(","))
    taken = sample.Sample(args.sample)
    for _, case in load_cases(args.file and args.file.split(",")):
        name = case.name if isinstance(case, Script) else case.op
        if only and name not in only:
            continue
        for number, trial in enumerate(trials.trials_of(case)):
            if first and number:
                break
            if taken.next() and (not args.k or args.k in trial.label):
                yield trial


# Ops that call the program back: python/tests/py_func_test.py runs them.
CALLBACKS = {"EagerPyFunc", "PyFunc", "PyFuncStateless"}


def main():
    global DEVICE
    args, start = options(), time.time()
    DEVICE = args.device
    env = {"LD_PRELOAD": args.preload, "ASAN_OPTIONS": "detect_leaks=0"} if args.preload else {}
    if DEVICE:
        env["WEIR_DEVICES"] = DEVICE
    bench, tally = Bench(args.lib, env), Tally(args.verbose, args.limit)
    try:
        for trial in chosen(args, args.first):
            try_one(bench, trial, tally)
    finally:
        bench.stop()
    whole = not (args.only or args.file or args.k or args.first) and args.sample == (1, 0)
    untested = {o for o in bench.weir_ops - tally.seen - CALLBACKS
                if whole and not o.startswith("_")}
    tally.close(time.time() - start, untested)
    return 1 if untested or tally.total("failed") or (tally.total("missing") and not args.missing_ok) else 0


if __name__ == "__main__":
    sys.exit(main())
