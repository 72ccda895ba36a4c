"""Tests that are functions in a list: each runs in a folder of its own, a failure does not end the others."""
import argparse
import os
import shutil
import sys
import tempfile
import time
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))


class Tests:
    """The tests of one file: `@tests` adds a function, `tests.add` one under another name, `tests.main` runs them."""

    def __init__(self, about):
        self.about, self.runs = about, []

    def __call__(self, run):
        self.add(run.__name__, run)
        return run

    def add(self, name, run):
        self.runs.append((name, run))

    def main(self, begin):
        """`begin(args, log)` gives what every test is handed and a function that ends it; True when any failed."""
        args = argparse.ArgumentParser(description=sys.modules["__main__"].__doc__)
        args.add_argument("--lib", default=os.path.join(HERE, "..", "build", "release", "libweir.so"))
        args.add_argument("--preload", default="", help="a sanitizer's runtime")
        args.add_argument("-k", default="", help="only tests whose names contain this text")
        args.add_argument("-v", action="store_true", help="name each test")
        args = args.parse_args()
        folder = tempfile.mkdtemp(prefix="weir_%s_test_" % self.about.replace(" ", "_"))
        subject, end = begin(args, os.path.join(folder, "log"))
        passed = failed = 0
        try:
            for name, run in self.runs:
                if args.k not in name:
                    continue
                place = os.path.join(folder, name)
                os.mkdir(place)
                try:
                    run(subject, place)
                    passed += 1
                except Exception as e:
                    failed += 1
                    print("FAIL %s: %s: %s" % (name, type(e).__name__, e))
                if args.v:
                    print(name)
        finally:
            end()
            shutil.rmtree(folder, ignore_errors=True)
        print("%s: %d passed, %d failed" % (self.about, passed, failed))
        return failed != 0


class Cases(list):
    """Cases that start servers of their own: `@case` adds a function, `case.main` runs them."""

    def __init__(self, about):
        super().__init__()
        self.about = about

    def __call__(self, run):
        self.append(run)
        return run

    def main(self, weir, begin, given, seeds=False):
        """`begin(path)` takes the command to test; `given(args, folder)` is what a case is called with. The status to exit with."""
        ap = argparse.ArgumentParser(description=sys.modules["__main__"].__doc__, formatter_class=argparse.RawTextHelpFormatter)
        ap.add_argument("--weir", default=weir)
        ap.add_argument("-k", default="", help="only cases whose names contain this text")
        ap.add_argument("-v", "--verbose", action="store_true")
        if seeds:
            ap.add_argument("--seed", type=int, default=1)
        args, failed = ap.parse_args(), 0
        begin(args.weir)
        chosen = [run for run in self if args.k in run.__name__]
        for run in chosen:
            failed += not self.one(run, given, args)
        print("%s: %d passed, %d failed" % (self.about, len(chosen) - failed, failed))
        return 1 if failed else 0

    def one(self, run, given, args):
        start, here = time.time(), os.getcwd()
        with tempfile.TemporaryDirectory(prefix=self.about + ".") as folder:
            try:
                run(*given(args, folder))
            except Exception:
                print("FAIL %s\n%s" % (run.__name__, traceback.format_exc()), flush=True)
                return False
            finally:
                os.chdir(here)
        if args.verbose:
            print("passed %s in %.1f s" % (run.__name__, time.time() - start), flush=True)
        return True


def one_worker(args, log):
    """A process that has the library loaded, under a sanitizer where one is named."""
    from worker import Worker

    env = {"LD_PRELOAD": args.preload, "ASAN_OPTIONS": "detect_leaks=0"} if args.preload else {}
    worker = Worker(args.lib, env, log)
    return worker, worker.stop
