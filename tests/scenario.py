"""Runs functions that drive a library through the C API, each in a process of its own.

    @scenario
    def adds(lib): ...

    if __name__ == "__main__":
        sys.exit(main(__file__))

A scenario passes when it returns; a crash, a hang or a sanitizer's report fails it alone.
"""
import argparse
import concurrent.futures
import os
import signal
import subprocess
import sys
import time
import traceback

import numpy as np
import numpy.testing  # NumPy loads it on first use, which a scenario that limits memory does not leave room for

from weir_c import CODES, Error, Library

HERE = os.path.dirname(os.path.abspath(__file__))
SCENARIOS = {}
SANITIZERS = {
    "ASAN_OPTIONS": "detect_leaks=0",
    "TSAN_OPTIONS": "report_signal_unsafe=0:ignore_noninstrumented_modules=1:exitcode=66",
    "OPENBLAS_NUM_THREADS": "1",
}


def scenario(run):
    SCENARIOS[run.__name__] = run
    return run


def add(name, run):
    """Registers a scenario made in a loop."""
    assert name not in SCENARIOS, name
    SCENARIOS[name] = run


class fails:
    """with fails("INVALID_ARGUMENT", "text", ...): the block must raise that status."""

    def __init__(self, code, *texts):
        self.code, self.texts = code, texts

    def __enter__(self):
        return self

    def __exit__(self, kind, error, _):
        assert kind is not None, "no error; %s expected" % self.code
        if not isinstance(error, Error):
            return False
        assert error.name == self.code, "%s expected, not %s" % (self.code, error)
        for text in self.texts:
            assert text in error.message, "%r not in %r" % (text, error.message)
        self.error = error
        return True


def equal(value, want, rtol=1e-6):
    """Asserts that a fetched Value is |want|: same dtype when that is an array, shape and values."""
    want = np.asarray(want)
    assert value.shape == want.shape, "shape %s, not %s" % (value.shape, want.shape)
    if want.dtype.kind in "fc":
        np.testing.assert_allclose(value.array, want, rtol=rtol, atol=1e-7)
    else:
        assert (value.array == want).all(), "%s, not %s" % (value.array, want)


def code_name(code):
    return CODES.get(code, str(code))


def _run_alone(file, name, args):
    env = {**os.environ, **(dict(SANITIZERS, LD_PRELOAD=args.preload) if args.preload else {})}
    env.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    start = time.time()
    child = subprocess.Popen([sys.executable, file, "--lib", args.lib, "--alone", name], env=env,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        out, _ = child.communicate(timeout=args.timeout)
        code = child.returncode
    except subprocess.TimeoutExpired:
        child.kill()
        out, code = child.communicate()[0], None
    return name, code, out.decode("utf-8", "replace"), time.time() - start


def _why(code):
    if code is None:
        return "did not end"
    return "killed by " + signal.Signals(-code).name if code < 0 else "exit %d" % code


def main(file):
    ap = argparse.ArgumentParser()
    ap.add_argument("--lib", default=os.path.join(HERE, "..", "build", "release", "libweir.so"))
    ap.add_argument("--only", help="scenarios, separated by commas")
    ap.add_argument("-k", default="", help="only scenarios whose names contain this text")
    ap.add_argument("--preload", help="LD_PRELOAD for the scenarios, such as libtsan")
    ap.add_argument("--timeout", type=float, default=120)
    ap.add_argument("-v", "--verbose", action="store_true")
    ap.add_argument("--alone", help=argparse.SUPPRESS)
    args = ap.parse_args()
    if args.alone:
        return _alone(args)
    only = args.only and args.only.split(",")
    names = [n for n in SCENARIOS if args.k in n and (not only or n in only)]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for name, code, out, seconds in pool.map(lambda n: _run_alone(file, n, args), names):
            if code != 0:
                failed += 1
                print("FAIL %s: %s\n%s" % (name, _why(code), out[-3000:]), flush=True)
            elif args.verbose:
                print("passed %s in %.1f s" % (name, seconds), flush=True)
    label = os.path.basename(file).replace("_test.py", "")
    print("%s: %d passed, %d failed" % (label, len(names) - failed, failed))
    return 1 if failed else 0


def _alone(args):
    """One scenario in this process. It ends by _exit: threads it left blocked do not matter."""
    code = 0
    try:
        SCENARIOS[args.alone](Library(os.path.abspath(args.lib)))
    except BaseException:
        traceback.print_exc()
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    if code or not args.preload:
        os._exit(code)
    return code
