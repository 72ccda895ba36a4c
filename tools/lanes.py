"""lanes: runs the stages of tools/run_tests side by side, each whole.

A stage is a Stage; `run(stages, builds, jobs)` runs them in `jobs` lanes and gives back one Result per
stage and build, in the order of lanes. What a stage prints is kept and printed when the stage ends;
with one lane it is printed as it comes. A stage waits until its builds are there, a stage marked
`alone` until nothing else runs, and a stage that outlasts its limit is ended and has failed. All are
of one session: the scheduler groups processes by sessions, and in Linux 6.18 one whose processes wake
each other all the time can stop the others for a minute. All time limits end in such a minute, as in
one that a virtual machine does not run: a stage that failed while the runner stood still is run once
more. Beside several lanes, lane 0 runs stages and builds marked `background`, at a low priority: they
use what the others leave while they wait. The others take them too when nothing else is left.
"""
import collections
import os
import re
import signal
import subprocess
import threading
import time

Stage = collections.namedtuple("Stage", "name what command builds alone limit background",
                               defaults=(("release",), False, 900, False))
Result = collections.namedtuple("Result", "name lane passed failed seconds cpu lines", defaults=((),))

COUNTS = re.compile(r"(\d+) passed, (\d+) failed")
CTEST = re.compile(r"(\d+)% tests passed, (\d+) tests failed out of (\d+)")
# What a failed test prints of itself, and what says nothing of it.
TELLING = re.compile(r"\bFAIL|\bfailed\b|\b\w*Error\b|Sanitizer|WARNING: Thread|\berror:|Assertion")
NOISE = re.compile(r"absl::InitializeLog|oneDNN custom operations|\b0 failed")
PROGRESS_SECONDS = 30
STILL_SECONDS = 4  # between two turns of a loop that sleeps for tenths of a second
BACKGROUND = ["nice", "-n", "10"]


def counts(output, code):
    """(passed, failed) as the stage's own closing says; a silent failure counts as one."""
    found = COUNTS.findall(output)
    total = CTEST.search(output)
    if total:
        failed, of = int(total.group(2)), int(total.group(3))
        passed = of - failed
    else:
        passed, failed = map(int, found[-1]) if found else (int(code == 0), 0)
    return passed, max(failed, 1) if code else failed


def summary(lines, telling=60, last=30):
    """The lines of a failed stage that tell why, without those between them."""
    lines = [line for line in lines if not NOISE.search(line)]
    end = max(len(lines) - last, 0)
    return [line for line in lines[:end] if TELLING.search(line)][:telling] + lines[end:]


def marked(mark):
    """The processes with |mark| in their environment: a stage's, wherever they moved to."""
    found = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/environ" % entry, "rb") as file:
                if mark.encode() in file.read().split(b"\0"):
                    found.append(int(entry))
        except OSError:  # ended meanwhile, or somebody else's
            continue
    return found


def send(pids, number):
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass


def end(run, grace=5):
    """Ends all processes of |run|: asked first, killed when they do not follow."""
    send(marked(run.mark), signal.SIGTERM)
    until = time.monotonic() + grace
    while marked(run.mark) and time.monotonic() < until:
        time.sleep(0.05)
    send(marked(run.mark), signal.SIGKILL)


class Run:
    """One stage while it runs."""

    def __init__(self, stage, lane, root, echo):
        self.stage, self.lane, self.root, self.echo = stage, lane, root, echo
        self.start, self.lines, self.late, self.cpu = time.monotonic(), [], False, 0
        self.mark = "WEIR_TEST_STAGE=%d.%s" % (os.getpid(), stage.name)

    def say(self, line):
        self.lines.append(line)
        if self.echo:
            print(line, end="", flush=True)

    def again(self):
        self.start, self.lines, self.late = time.monotonic(), [], False

    def time_out(self):
        self.late = True
        end(self)

    def result(self):
        self.say("== %s: %s\n" % (self.stage.name, self.stage.what))
        nice = BACKGROUND if self.stage.background else []
        child = subprocess.Popen([*nice, "sh", "-c", self.stage.command], cwd=self.root, text=True,
                                 errors="replace", process_group=0, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                 env={**os.environ, **dict([self.mark.split("=", 1)])})
        timer = threading.Timer(self.stage.limit, self.time_out)
        timer.start()
        for line in child.stdout:
            self.say(line)
        code = self.wait(child)
        timer.cancel()
        if self.late:
            self.say("%s did not end within %d s and was ended\n" % (self.stage.name, self.stage.limit))
        passed, failed = counts("".join(self.lines[-400:]), code or self.late)
        return self.closing(passed, failed)

    def wait(self, child):
        """The exit status of |child|; keeps the processor seconds of it and of all it waited for."""
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        self.cpu = used.ru_utime + used.ru_stime
        return child.returncode

    def closing(self, passed, failed):
        seconds = time.monotonic() - self.start
        self.say("== %s: %s in %.0f s\n" % (self.stage.name, "failed" if failed else "passed", seconds))
        return Result(self.stage.name, self.lane, passed, failed, seconds, self.cpu,
                      summary(self.lines) if failed else ())


class Lanes:
    """What is left, what runs and what has ended. |ready| guards all of it."""

    def __init__(self, stages, builds, jobs, root):
        self.jobs, self.root = jobs, root
        self.left = [s for s in stages if not s.alone] + [s for s in stages if s.alone]
        self.builds = dict(builds)  # those not begun yet
        self.built = {}             # name of a build: whether it succeeded
        self.running, self.results, self.stopped = [], [], False
        self.total = len(stages)
        self.still = []  # (when it ended, seconds): times at which the machine stood still
        self.ready = threading.Condition()

    def fits(self, stage, lane):
        """Whether the lane takes such stages: one for the background takes no others."""
        if self.jobs == 1 or stage.background == (lane == 0):
            return True
        return lane > 0 and not any(not s.background and not s.alone for s in self.left)

    def next_build(self, lane):
        for stage in self.left:
            for build in stage.builds:
                if build in self.builds and self.fits(self.builds[build], lane):
                    return self.builds.pop(build)
        return None

    def next_stage(self, lane):
        """Of those that can begin the first with the longest limit: what takes long is not to end alone."""
        ready = [s for s in self.left if all(b in self.built for b in s.builds) and
                 not (s.alone and self.running) and self.fits(s, lane)]
        stage = max(ready, key=lambda s: s.limit, default=None)
        if stage:
            self.left.remove(stage)
        return stage

    def choose(self, lane):
        """The next build or stage for a free lane; None: nothing can begin now."""
        if any(run.stage.alone for run in self.running):
            return None
        return self.next_build(lane) or self.next_stage(lane)

    def begin(self, lane):
        """Waits for something to run; None when there is nothing any more."""
        with self.ready:
            while self.left and not self.stopped:
                stage = self.choose(lane)
                if stage:
                    run = Run(stage, lane, self.root, self.jobs == 1)
                    self.running.append(run)
                    self.note("begins: %s" % stage.name)
                    return run
                self.ready.wait()
        return None

    def finish(self, run, result):
        with self.ready:
            self.running.remove(run)
            self.results.append(result)
            if run.stage.name.startswith("build-"):
                self.built[run.stage.name[len("build-"):]] = not result.failed
            if not run.echo:
                print("".join(run.lines), end="", flush=True)
            self.ready.notify_all()

    def note(self, text):
        if self.jobs > 1:
            print("-- %s (%d of %d left)" % (text, len(self.left), self.total), flush=True)

    def one(self, run):
        lost = [b for b in run.stage.builds if not self.built.get(b, True)]
        if not lost:
            result = run.result()
            return self.once_more(run) if result.failed and self.stood_still(run) else result
        run.say("== %s: %s\nits build failed: %s\n" % (run.stage.name, run.stage.what, ", ".join(lost)))
        return run.closing(0, 1)

    def stood_still(self, run):
        """Whether the machine did while the stage ran; |watch| may be as late as it to see that."""
        time.sleep(STILL_SECONDS / 4)
        with self.ready:
            times = [seconds for at, seconds in self.still if at > run.start]
            if times:
                run.say("-- %s: the machine stood still for %.0f s meanwhile; it is run once more\n"
                        % (run.stage.name, max(times)))
            return bool(times) and not self.stopped

    def once_more(self, run):
        if not run.echo:
            print("".join(run.lines), end="", flush=True)
        run.again()
        return run.result()

    def work(self, lane):
        while run := self.begin(lane):
            self.finish(run, self.one(run))

    def look(self, before):
        """Notes when the machine stood still since |before|; the time now."""
        now = time.monotonic()
        if now - before > STILL_SECONDS:
            with self.ready:
                self.still.append((now, now - before))
        return now

    def watch(self, threads):
        """Says now and then what runs, until every lane is done."""
        said = seen = time.monotonic()
        while any(t.is_alive() for t in threads):
            for thread in threads:
                thread.join(0.1)
            seen = self.look(seen)
            if time.monotonic() - said > PROGRESS_SECONDS:
                said = time.monotonic()
                with self.ready:
                    self.note("running: " + ", ".join("%s %.0f s" % (r.stage.name, said - r.start)
                                                      for r in self.running))

    def stop(self):
        with self.ready:
            self.stopped = True
            running = list(self.running)
            self.ready.notify_all()
        for run in running:
            end(run)


def interrupt(number, frame):
    raise KeyboardInterrupt


def run(stages, builds, jobs, root):
    """(results in the order of lanes, whether it was interrupted)"""
    lanes = Lanes(stages, builds, jobs, root)
    threads = [threading.Thread(target=lanes.work, args=(lane,)) for lane in range(jobs == 1, jobs + 1)]
    signal.signal(signal.SIGTERM, interrupt)
    try:
        for thread in threads:
            thread.start()
        lanes.watch(threads)
        interrupted = False
    except KeyboardInterrupt:
        interrupted = True
        lanes.stop()
        for thread in threads:
            thread.join()
    return sorted(lanes.results, key=lambda result: result.lane), interrupted


def table(results):
    """Prints the results, what failed last, and returns how many checks failed."""
    print()
    for r in results:
        print("  %d %-18s %6d passed %4d failed %6.0f s %6.0f s of processor"
              % (r.lane, r.name, r.passed, r.failed, r.seconds, r.cpu))
    for r in results:
        if r.failed:
            print("\nfailed: %s\n%s" % (r.name, "".join("  " + line for line in r.lines)), end="")
    passed, failed = sum(r.passed for r in results), sum(r.failed for r in results)
    print("%d passed, %d failed" % (passed, failed), flush=True)
    return failed
