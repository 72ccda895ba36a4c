#!/usr/bin/env python3
"""device_cases.py: op cases as a file with TensorFlow's answers, and that file on a device where there is no TensorFlow.

    device_cases.py save FILE [--only OP[,OP]] [--sample N[:K]] [--first]     needs TensorFlow
    device_cases.py run FILE [--lib PATH] [--device DRIVER] [--jobs N] [--seconds S] [--rtol X]     needs NumPy

Saved are the cases of tests/cases (values and gradients) whose op has a kernel for devices. Run, every one is a session
on the device; what it fetches is compared with what TensorFlow's processor kernels gave, within the tolerances of
ops_test.py, or at least X for float. Ends with "N passed, N failed".
"""
import argparse
import dataclasses
import multiprocessing
import os
import pickle
import sys
import time
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
LIBRARY = os.path.join(HERE, "..", "build", "release", "libweir.so")
MOST_BYTES = 1 << 15  # of a case in the file


# ---- save ----------------------------------------------------------------------------------------

def saver(ops_test, lib):
    """ops_test's bench with TensorFlow in the place of both libraries; keeps what it was asked."""

    class Saver(ops_test.Bench):
        kept = None

        def both(self, weir_job, tf_job):
            want = self.tensorflow.call("job", tf_job)
            self.kept.append(pickle.dumps((weir_job, want)))  # now: later jobs of the trial change its feeds
            return want, want

    return Saver(lib, {})


def tolerance(case, gradient):
    rtol = getattr(case, "rtol", None)
    return 4 * rtol if rtol and gradient else rtol


def saved_trial(ops_test, bench, trial):
    """[(label, job, runs wanted, rtol, atol)] of a trial; none where TensorFlow fails or somebody else judges."""
    case = getattr(trial, "case", None) or trial.script
    if getattr(case, "check", None) or getattr(case, "fails", None) or getattr(case, "alone", None):
        return []
    if getattr(case, "compare", "values") != "values":
        return []
    bench.kept = []
    if hasattr(case, "numeric"):
        trial.case = dataclasses.replace(case, numeric=False)
        ops_test.run_case(bench, trial)
    else:
        ops_test.run_script(bench, trial)
    out = []
    for gradient, (job, want) in enumerate(map(pickle.loads, bench.kept)):
        if not ops_test.first_error(want) and b"/tmp/" not in pickle.dumps(job):  # no files of this machine
            out.append((trial.label + (" gradients" if gradient else ""), job, want["runs"], tolerance(case, gradient),
                        case.atol))
    return out


def save(args):
    import ops_test
    served = set(os.popen("%s ops -o json | %s -c 'import json,sys; print(*[o[\"name\"] for o in json.load(sys.stdin) "
                          "if \"GPU\" in o[\"devices\"]])'" % (args.weir, sys.executable)).read().split())
    options = argparse.Namespace(only=args.only, file=None, k=None, sample=ops_test.sample.parse(args.sample))
    bench, count, skipped = saver(ops_test, args.lib), 0, 0
    with open(args.file, "wb") as out:
        for trial in ops_test.chosen(options, args.first):
            if trial.op not in served and hasattr(trial, "case"):
                continue
            try:
                cases = saved_trial(ops_test, bench, trial)
            except Exception:  # pylint: disable=broad-except
                cases = []  # ops_test.py says why
            skipped += not cases
            for case in cases:
                data = zlib.compress(pickle.dumps(case, protocol=5), 1)
                if len(data) <= MOST_BYTES:
                    out.write(len(data).to_bytes(8, "little") + data)
                    count += 1
    bench.stop()
    print("%d cases saved, %d trials have none" % (count, skipped))
    return 0


# ---- run -----------------------------------------------------------------------------------------

def read_cases(path):
    with open(path, "rb") as file:
        while head := file.read(8):
            yield file.read(int.from_bytes(head, "little"))


def judge(case, reply, least):
    """What is wrong, or None."""
    from compare import RTOL, difference
    from dtypes import short
    from weir_c import Error
    label, job, wanted, rtol, atol = case
    if reply["error"]:
        return str(reply["error"])
    for got, want in zip(reply["runs"], wanted):
        if isinstance(got, Error):
            return str(got)
        for a, b in zip(got, want):
            wide = max(rtol or RTOL.get(short(b.dtype), 0), least) if b is not None and short(b.dtype) == "f32" else rtol
            wrong = difference(a, b, wide, atol)
            if wrong:
                return wrong
    return None


def run_part(task):
    """Every |step|-th case from |first| on, in a process of its own; gives (passed, what failed)."""
    path, lib, first, step, end, least = task
    import weir_c
    library, passed, failed, left = weir_c.Library(lib), 0, [], 0
    for number, data in enumerate(read_cases(path)):
        if number % step != first:
            continue
        if time.time() > end:
            left += 1
            continue
        try:
            case = pickle.loads(zlib.decompress(data))
        except ModuleNotFoundError:  # bfloat16, where there is no ml_dtypes
            left += 1
            continue
        try:
            wrong = judge(case, weir_c.run_job(library, case[1]), least)
        except Exception as error:  # pylint: disable=broad-except
            wrong = "%s: %s" % (type(error).__name__, error)
        passed += not wrong
        failed += ["%s: %s" % (case[0], wrong[:200])] if wrong else []
    return passed, failed, left


def run(args):
    os.environ["WEIR_DEVICES"] = args.device
    end = time.time() + args.seconds
    # More parts than processes: when one crashes, its part alone is lost.
    parts = [(args.file, os.path.abspath(args.lib), i, 4 * args.jobs, end, args.rtol) for i in range(4 * args.jobs)]
    passed, failed, left = 0, [], 0
    context = multiprocessing.get_context("spawn")
    with context.Pool(args.jobs, maxtasksperchild=4) as pool:
        answers = [(part, pool.apply_async(run_part, (part,))) for part in parts]
        for part, answer in answers:
            try:
                one = answer.get(max(1, end + 60 - time.time()))
                passed, failed, left = passed + one[0], failed + one[1], left + one[2]
            except multiprocessing.TimeoutError:
                failed.append("part %d of %d: no answer" % part[2:4])
    for line in failed[:args.show]:
        print("FAIL " + line)
    print("device-cases: %d passed, %d failed, %d not reached" % (passed, len(failed), left))
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("verb", choices=["save", "run"])
    parser.add_argument("file")
    parser.add_argument("--lib", default=LIBRARY)
    parser.add_argument("--weir", default=os.path.join(os.path.dirname(LIBRARY), "weir"), help="to save: the command")
    parser.add_argument("--only", help="to save: op types, with commas between")
    parser.add_argument("--sample", default="1", help="to save: every N-th trial, from the K-th on: N[:K]")
    parser.add_argument("--first", action="store_true", help="to save: the first trial of each case")
    parser.add_argument("--device", default="opencl")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--rtol", type=float, default=0.0, help="of float, where the case has less")
    parser.add_argument("--show", type=int, default=20, help="failures shown")
    args = parser.parse_args()
    return save(args) if args.verb == "save" else run(args)


if __name__ == "__main__":
    sys.exit(main())
