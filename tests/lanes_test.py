#!/usr/bin/env python3
"""tools/lanes.py, which runs the stages of `make test` side by side: with stages of a line each."""
import contextlib
import io
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

TOOLS = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
sys.path.insert(0, TOOLS)
import lanes
from lanes import Stage

# Waits for a file of that name; two stages that wait for each other end only side by side.
MEET = "touch %s; while [ ! -e %s ]; do sleep 0.02; done; echo '1 passed, 0 failed'"


def plain(name, command, **more):
    return Stage(name, name, command, **{"builds": [], **more})


def run(stages, builds=(), jobs=2):
    """({name: result}, what was printed, the folder's files)"""
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as out:
        results, interrupted = lanes.run(stages, {b.name[len("build-"):]: b for b in builds}, jobs, folder)
        lanes.table(results)
        files = {name: open(os.path.join(folder, name)).read() for name in os.listdir(folder)}
    assert not interrupted
    return {r.name: r for r in results}, out.getvalue(), files


def side_by_side():
    results, out, _ = run([plain("a", MEET % ("a", "b")), plain("b", MEET % ("b", "a"))])
    assert results["a"].lane != results["b"].lane and out.endswith("\n2 passed, 0 failed\n"), out


def output_is_whole():
    lines = "for i in 1 2 3; do echo %s$i; sleep 0.05; done"
    _, out, _ = run([plain("a", lines % "x"), plain("b", lines % "y")])
    assert "x1\nx2\nx3\n" in out and "y1\ny2\ny3\n" in out, out


def failures_are_printed_again_at_the_end():
    lines = "echo FAIL one; for i in $(seq 100); do echo $i; done; echo '3 passed, 1 failed'; false"
    _, out, _ = run([plain("a", lines), plain("b", "echo fine")])
    end = out[out.index("failed: a\n"):]
    assert "  FAIL one\n" in end and "  100\n" in end and "  50\n" not in end and "fine" not in end, end
    assert out.endswith("4 passed, 1 failed\n"), out


def failures_while_the_machine_stood_still():
    """Such a stage is run once more; one that fails again has failed, as has one that did not stand still."""
    stop = "kill -STOP $PPID; sleep 1; kill -CONT $PPID; "
    once = "if [ -e %s ]; then echo '2 passed, 0 failed'; exit; fi; touch %s; "
    before, lanes.STILL_SECONDS = lanes.STILL_SECONDS, 0.7
    try:
        first, out, _ = run([plain("a", once % ("a", "a") + stop + "false")])
        second, _, _ = run([plain("b", stop + "echo FAIL; false"), plain("c", "echo fine")])
        third, _, _ = run([plain("d", once % ("d", "d") + "false")])
    finally:
        lanes.STILL_SECONDS = before
    assert first["a"].failed == 0 and first["a"].passed == 2 and "stood still for 1 s" in out, out
    assert second["b"].failed == 1 and third["d"].failed == 1, (second, third)


def builds_come_first_and_once():
    build = plain("build-p", "echo built >> log")
    stages = [plain(name, "echo %s >> log" % name, builds=["p"]) for name in "ab"]
    _, _, files = run(stages, [build])
    assert files["log"].startswith("built\n") and files["log"].count("built") == 1, files


def failed_build_fails_its_stages():
    results, out, files = run([plain("a", "touch ran", builds=["p"]), plain("b", "true")],
                              [plain("build-p", "false")])
    assert results["a"].failed == 1 and not results["b"].failed and "its build failed: p" in out and not files, out


def alone_means_alone():
    check = "[ -z \"$(ls)\" ] && echo '1 passed, 0 failed'"
    busy = "touch $$; sleep 0.1; rm $$"
    results, out, _ = run([plain("alone", check, alone=True)] + [plain("b%d" % i, busy) for i in range(3)])
    assert results["alone"].passed == 1 and not any(r.failed for r in results.values()), out


def longest_limits_first():
    log = [plain(name, "echo %s >> log" % name, limit=limit) for name, limit in (("a", 5), ("b", 9), ("c", 9))]
    assert run(log, jobs=1)[2]["log"] == "b\nc\na\n"


def background_beside_lanes():
    """Three stages that wait for each other, the third at a low priority; then only such are left."""
    three = "touch %s; while [ $(ls | grep -c [abc]) -lt 3 ]; do sleep 0.02; done; nice"
    low = [plain(name, MEET % pair, background=True) for name, pair in (("d", ("d", "e")), ("e", ("e", "d")))]
    results, out, _ = run([plain("c", three % "c", background=True)] + low + [plain(n, three % n) for n in "ab"])
    lanes_of = {name: result.lane for name, result in results.items()}
    assert lanes_of["c"] == 0 and sorted((lanes_of["a"], lanes_of["b"])) == [1, 2], lanes_of
    assert lanes_of["d"] != lanes_of["e"] and not any(r.failed for r in results.values()), out
    here = os.nice(0)
    assert sorted(map(int, re.findall(r"^\d+$", out, re.M))) == [here, here, min(here + 10, 19)], out


def builds_in_the_background():
    slow = "while [ ! -e a ]; do sleep 0.02; done; echo built >> log"
    stages = [plain("b", "cat log && echo '1 passed, 0 failed'", builds=["p"]), plain("a", "touch a")]
    results, out, _ = run(stages, [plain("build-p", slow, background=True)])
    assert results["build-p"].lane == 0 and results["b"].passed == 1, out


def counted_as_they_say():
    results, _, _ = run([plain("says", "echo '4 passed, 2 failed'; exit 1"), plain("silent", "exit 3"),
                         plain("ctest", "echo '50% tests passed, 1 tests failed out of 2'; exit 8")])
    assert [(results[n].passed, results[n].failed) for n in ("says", "silent", "ctest")] == [(4, 2), (0, 1), (1, 1)]


def endless_stage_is_ended():
    results, out, files = run([plain("hangs", "setsid sh -c 'echo $$ > pid; exec sleep 1000'", limit=1)])
    assert results["hangs"].failed == 1 and "hangs did not end within 1 s" in out, out
    assert gone(files["pid"].strip()), "its process is still there"


def interrupt_ends_every_child():
    # where this test was started with SIGINT ignored, its children would ignore it too
    program = ("import signal, sys; sys.path.insert(0, %r)\nimport lanes\n"
               "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
               "wait = 'echo $$ > NAME; mv NAME NAME.pid; sleep 1000'\n"
               "stages = [lanes.Stage(n, n, wait.replace('NAME', n), builds=[]) for n in 'ab']\n"
               "results, interrupted = lanes.run(stages, {}, 2, '.')\n"
               "lanes.table(results)\nsys.exit(130 if interrupted else 0)" % TOOLS)
    with tempfile.TemporaryDirectory() as folder:
        child = subprocess.Popen([sys.executable, "-c", program], cwd=folder, stdout=subprocess.PIPE, text=True)
        names = [os.path.join(folder, n + ".pid") for n in "ab"]
        while not all(map(os.path.exists, names)):
            assert child.poll() is None, "it ended early"
            time.sleep(0.02)
        pids = [open(name).read().strip() for name in names]
        child.send_signal(signal.SIGINT)
        out = child.communicate()[0]
        assert child.returncode == 130 and out.endswith("\n0 passed, 2 failed\n"), (child.returncode, out)
        assert all(map(gone, pids)), "children are still there"


def gone(pid):
    """Whether the process ended; whoever inherited it may not have collected it yet."""
    try:
        with open("/proc/%s/stat" % pid) as file:
            return file.read().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


CASES = [side_by_side, output_is_whole, failures_are_printed_again_at_the_end,
         failures_while_the_machine_stood_still, builds_come_first_and_once, failed_build_fails_its_stages,
         alone_means_alone, longest_limits_first, background_beside_lanes, builds_in_the_background, counted_as_they_say,
         endless_stage_is_ended, interrupt_ends_every_child]


def main():
    failed = 0
    for case in CASES:
        try:
            case()
        except Exception as error:  # a case that breaks has failed; the others still run
            failed += 1
            print("%s: %s: %s" % (case.__name__, type(error).__name__, error), flush=True)
    print("%d passed, %d failed" % (len(CASES) - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
