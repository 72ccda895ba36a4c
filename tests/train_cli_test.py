#!/usr/bin/env python3
"""weir train and weir demo: alone, as clusters, interrupted, killed, resumed, called wrongly.

    tests/train_cli_test.py [--weir PATH] [-k TEXT] [-v]

The data are pictures made here: each class is a bar at a height of its own, in noise.
"""
import argparse
import csv
import json
import os
import random
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import traceback

from clusters import free_ports

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = []


def test(run):
    TESTS.append(run)
    return run


# ---- data ------------------------------------------------------------------------------------------

def write_idx(folder, stem, count, seed):
    r = random.Random(seed)
    labels = bytes(r.randrange(10) for _ in range(count))
    pictures = bytearray()
    for label in labels:
        rows = [r.randbytes(28) if r.random() < 0.2 else bytes(28) for _ in range(28)]
        rows[2 + 2 * label] = rows[3 + 2 * label] = b"\xff" * 28
        pictures += b"".join(rows)
    with open(os.path.join(folder, stem + "-images-idx3-ubyte"), "wb") as f:
        f.write(struct.pack(">IIII", 0x803, count, 28, 28) + pictures)
    with open(os.path.join(folder, stem + "-labels-idx1-ubyte"), "wb") as f:
        f.write(struct.pack(">II", 0x801, count) + labels)


def make_data(folder):
    os.makedirs(folder)
    write_idx(folder, "train", 2000, 1)
    write_idx(folder, "t10k", 500, 2)
    return folder


# ---- running ---------------------------------------------------------------------------------------

class Run:
    """A finished command: its status, what it printed, and its events when that was JSON."""

    def __init__(self, words, code, out, err):
        self.words, self.code, self.out, self.err = words, code, out, err

    @property
    def events(self):
        return [json.loads(line) for line in self.out.splitlines()]

    def of(self, kind):
        return [e for e in self.events if e["event"] == kind]

    @property
    def summary(self):
        (summary,) = self.of("summary")
        end = self.events[-1]
        assert end["event"] == "end" and end["status"] == self.code, "the end comes last"
        assert self.events[-2] == summary, "the summary comes before it"
        return summary

    def __str__(self):
        return "weir %s: exit %s\n%s\n%s" % (" ".join(self.words), self.code, self.out[-1500:],
                                             self.err[-1500:])


class Bench:
    """What a test gets: the command, data, and a folder of its own."""

    def __init__(self, weir, data, folder):
        self.weir, self.data, self.folder = weir, data, folder

    def path(self, name):
        return os.path.join(self.folder, name)

    def start(self, *words, env=None, **options):
        return subprocess.Popen([self.weir, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                text=True, cwd=self.folder, env={**os.environ, **(env or {})},
                                **options)

    def end(self, process, words=(), timeout=60):
        try:
            out, err = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            raise AssertionError("did not end\n%s\n%s" % (out[-1500:], err[-1500:]))
        return Run(words, process.returncode, out, err)

    def run(self, want, *words, **options):
        done = self.end(self.start(*words, **options), words)
        assert done.code == want, "not %d: %s" % (want, done)
        return done

    def train(self, *words, want=0):
        return self.run(want, "train", *words, "-o", "json")


def alive(pid):
    try:
        with open("/proc/%d/stat" % pid) as f:
            return f.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_for(what, seconds=20):
    until = time.time() + seconds
    while not what():
        assert time.time() < until, "waited in vain"
        time.sleep(0.02)


def caught(pid, number):
    """Whether the process has a handler for this signal."""
    with open("/proc/%d/status" % pid) as f:
        return int(re.search(r"SigCgt:\s+(\w+)", f.read()).group(1), 16) >> number - 1 & 1


def children(pid):
    with open("/proc/%d/task/%d/children" % (pid, pid)) as f:
        return [int(p) for p in f.read().split()]


def task(launcher, job, index):
    """The process of a task that |launcher| has started."""
    for pid in children(launcher.pid):
        with open("/proc/%d/cmdline" % pid, "rb") as f:
            words = f.read().decode().split("\0")
        if "--job_name" in words and words[words.index("--job_name") + 1] == job and (
                words[words.index("--task_index") + 1] == str(index)):
            return pid
    return None


def read_until(process, kind, count=1):
    """Events of |process| until |count| of |kind| have come."""
    seen = []
    while sum(e["event"] == kind for e in seen) < count:
        line = process.stdout.readline()
        assert line, "ended before %s: %s" % (kind, process.stderr.read())
        seen.append(json.loads(line))
    return seen


# ---- alone -----------------------------------------------------------------------------------------

@test
def learns_alone(b):
    r = b.train("logreg", "--data", b.data, "--epochs", "10")
    assert r.of("start")[0]["last_step"] == 200
    tests = r.of("test")
    assert len(tests) == 10 and tests[-1]["accuracy"] > 0.9, tests[-1]
    s = r.summary
    assert s["steps"] == 200 and s["examples"] == 20000 and s["loss"] < s["first_loss"] / 2, s
    assert s["accuracy"] == tests[-1]["accuracy"] and s["checkpoint"] is None, s


@test
def tells_people(b):
    r = b.run(0, "train", "logreg", "--data", b.data, "--epochs", "2")
    assert "2000 examples" in r.out and "test accuracy" in r.out and "Done after 40 steps" in r.out, r
    assert "\r" not in r.out + r.err, "no bar in a pipe"


@test
def logs_by_steps(b):
    r = b.train("logreg", "--steps", "20", "--log-steps", "5")
    assert [e["step"] for e in r.of("step")] == [5, 10, 15, 20], r


@test
def same_seed_same_losses(b):
    runs = [b.train("logreg", "--data", b.data, "--steps", "10", "--log-steps", "1", "--seed", s)
            for s in "112"]
    losses = [[e["loss"] for e in r.of("step")] for r in runs]
    assert losses[0] == losses[1] and losses[0] != losses[2], losses


@test
def every_optimizer_learns(b):
    for name in ("sgd", "momentum", "nesterov", "adagrad", "rmsprop", "adam", "ftrl"):
        s = b.train("logreg", "--steps", "50", "--optimizer", name, "--eval", "never").summary
        assert s["loss"] < s["first_loss"], (name, s)


@test
def rates_fall(b):
    for how in ("constant", "linear", "cosine"):
        s = b.train("logreg", "--steps", "50", "--schedule", how, "--eval", "never").summary
        assert s["loss"] < s["first_loss"], (how, s)


@test
def tests_when_asked(b):
    words = ("logreg", "--data", b.data, "--steps", "45", "--eval")
    steps = {when: [e["step"] for e in b.train(*words, when).of("test")]
             for when in ("epoch", "end", "never", "10")}
    assert steps == {"epoch": [20, 40, 45], "end": [45], "never": [], "10": [10, 20, 30, 40, 45]}, steps


@test
def null_model_trains(b):
    s = b.train("null", "--bytes", "1000000", "--steps", "20").summary
    assert s["steps"] == 20, s


@test
def exports(b):
    for folder, words in (("one", []), ("many", ["--workers", "2"])):
        b.train("logreg", "--data", b.data, "--steps", "20", "--export", b.path(folder), *words)
        assert os.path.getsize(b.path(folder + "/saved_model.pb")) > 1000
    assert os.path.exists(b.path("one/variables/variables.index"))
    r = b.run(1, "train", "logreg", "--steps", "5", "--export", b.path("one"))
    assert "SavedModel already" in r.err, r


# ---- checkpoints -----------------------------------------------------------------------------------

@test
def keeps_and_resumes(b):
    d = b.path("run")
    first = b.train("logreg", "--data", b.data, "--steps", "30", "--dir", d)
    assert first.summary["checkpoint"] == d + "/model.ckpt-30", first.summary
    assert os.path.exists(d + "/model.ckpt-30.index")
    assert [f for f in os.listdir(d) if f.startswith("events.out.tfevents")], os.listdir(d)
    refused = b.run(1, "train", "logreg", "--data", b.data, "--steps", "50", "--dir", d)
    assert "--resume" in refused.err and "model.ckpt-30" in refused.err, refused
    second = b.train("logreg", "--data", b.data, "--steps", "50", "--dir", d, "--resume")
    assert second.summary["steps"] == 50 and second.summary["workers"][0]["steps"] == 20, second
    assert second.of("note")[0]["text"] == "resumed at step 30", second
    over = b.train("logreg", "--data", b.data, "--steps", "50", "--dir", d, "--resume")
    assert over.summary["workers"][0]["steps"] == 0 and over.summary["accuracy"] > 0.1, over


@test
def saves_and_keeps_some(b):
    d = b.path("run")
    r = b.train("logreg", "--steps", "50", "--dir", d, "--save-steps", "10", "--keep", "2")
    assert len(r.of("saved")) >= 5
    kept = sorted(f for f in os.listdir(d) if f.endswith(".index"))
    assert kept == ["model.ckpt-40.index", "model.ckpt-50.index"], kept


@test
def another_models_checkpoint(b):
    d = b.path("run")
    b.train("logreg", "--steps", "5", "--dir", d)
    r = b.run(1, "train", "autoencoder_small", "--steps", "9", "--dir", d, "--resume")
    assert "same model" in r.err and "not found in checkpoint" in r.err, r


@test
def interrupted_alone(b):
    d = b.path("run")
    p = b.start("train", "logreg", "--data", b.data, "--steps", "100000000", "--dir", d, "-o", "json")
    read_until(p, "step", 2)
    p.send_signal(signal.SIGINT)
    r = b.end(p)
    assert r.code == 130 and r.summary["interrupted"], r
    assert os.path.exists(r.summary["checkpoint"] + ".index"), r.summary
    steps = r.summary["steps"]
    more = b.train("logreg", "--data", b.data, "--steps", str(steps + 10), "--dir", d, "--resume")
    assert more.summary["workers"][0]["steps"] == 10, more.summary


# ---- clusters --------------------------------------------------------------------------------------

@test
def learns_async(b):
    r = b.train("logreg", "--data", b.data, "--epochs", "10", "--ps", "2", "--workers", "2")
    s = r.summary
    assert s["accuracy"] > 0.9 and 200 <= s["steps"] <= 202, s
    assert len(s["workers"]) == 2 and sum(w["steps"] for w in s["workers"]) == s["steps"], s
    assert {e["worker"] for e in r.of("start")} == {0, 1}


@test
def nothing_is_resumed_in_a_new_run(b):
    """Also where another worker has done steps before the chief looks at them, which few runs have."""
    for i in range(6):
        r = b.train("logreg", "--data", "synthetic", "--steps", "40", "--ps", "1", "--workers", "3", "--eval", "never",
                    *(("--dir", "new%d" % i) if i % 2 else ()))
        assert not [e for e in r.of("note") if "resumed" in e["text"]], r


@test
def sync_counts_whole_steps(b):
    s = b.train("logreg", "--data", b.data, "--epochs", "4", "--workers", "2", "--mode", "sync").summary
    assert s["steps"] == 40, "2 x 100 examples a step: %s" % s


@test
def sync_is_a_larger_batch(b):
    """Two workers with half the batch see, step by step, what one with the whole batch sees; but a
    worker that begins late is stood in for, with other examples, by the one that waits."""
    words = ("logreg", "--data", b.data, "--optimizer", "sgd", "--rate", "0.1", "--steps", "40",
             "--eval", "end", "--batch")
    (alone,) = b.train(*words, "100").of("test")
    (both,) = b.train(*words, "50", "--workers", "2", "--mode", "sync").of("test")
    assert abs(alone["loss"] - both["loss"]) < 0.1 and both["step"] == 40, (alone, both)


def losses(b, *words, workers=2, steps, env=None):
    """The loss of every worker in every step. Where the machine delays a worker in sync mode, another
    one's gradient, of other examples, takes its place: such a run is repeated."""
    even = [(worker, step) for worker in range(workers) for step in range(1, steps + 1)]
    for _ in range(10 if "sync" in words else 1):
        run = b.run(0, *words, "--workers", str(workers), "--steps", str(steps), env=env)
        all = sorted((e["worker"], e["step"], e["loss"]) for e in run.of("step"))
        if [each[:2] for each in all] == even:
            return all
    raise AssertionError("no run in which every worker took part in every step: %s" % all)


@test
def allreduce_is_sync_without_servers(b):
    """Step by step what parameter servers give, by shared memory and by TCP."""
    words = ("train", "autoencoder_small", "--data", "synthetic", "--log-steps", "1", "--eval",
             "never", "-o", "json", "--mode")
    want = losses(b, *words, "sync", steps=8)
    for transports in ("shm,grpc", "grpc"):
        got = losses(b, *words, "allreduce", steps=8, env={"WEIR_TRANSPORTS": transports})
        assert all(abs(g[2] - w[2]) <= 1e-5 * abs(w[2]) for g, w in zip(got, want)), (got, want)


@test
def floats_travel_with_16_bits(b):
    """Nearly what whole floats give, and not quite; by shared memory nothing changes."""
    for mode in ("sync", "allreduce"):
        words = ("train", "autoencoder_small", "--data", "synthetic", "--log-steps", "1", "--eval",
                 "never", "-o", "json", "--mode", mode)
        tcp = {"WEIR_TRANSPORTS": "grpc"}
        want = losses(b, *words, steps=6, env=tcp)
        for name in ("bfloat16", "float16"):
            got = losses(b, *words, "--wire-dtype", name, steps=6, env=tcp)
            assert got == losses(b, *words, steps=6, env={**tcp, "WEIR_WIRE_DTYPE": name}), name
            assert got != want, "%s %s was not narrowed" % (mode, name)
            assert all(abs(g[2] - w[2]) <= 0.02 * abs(w[2]) for g, w in zip(got, want)), (got, want)
    near = losses(b, *words[:-1], "sync", "--wire-dtype", "float16", steps=6)
    assert near == losses(b, *words[:-1], "sync", steps=6), "shared memory carries floats as they are"


@test
def large_variables_are_cut_over_the_servers(b):
    """Their bytes are spread evenly, and a checkpoint is continued with other pieces."""
    words = ("logreg", "--data", "synthetic", "--workers", "1", "--eval", "never", "--dir", "cut")

    def balance(r):
        return [e["text"] for e in r.of("note") if "parameter servers" in e["text"]]

    r = b.train(*words, "--ps", "3", "--cut", "4000", "--balance", "bytes", "--steps", "10")
    told, = balance(r)
    assert "largest share is 1.0" in told, told
    r = b.train(*words, "--ps", "2", "--steps", "20", "--resume")
    told, = balance(r)
    assert "largest share is 2.00" in told and r.summary["steps"] == 20, (told, r.summary)
    r = b.train(*words, "--ps", "1", "--cut", "4000", "--steps", "30", "--resume")
    assert not balance(r) and r.summary["steps"] == 30, r


@test
def allreduce_keeps_rows_sparse(b):
    s = b.train("null_sparse", "--bytes", "1000000", "--workers", "3", "--mode", "allreduce",
                "--steps", "5").summary
    assert s["steps"] == 5 and len(s["workers"]) == 3, s


@test
def allreduce_ends_together(b):
    """Whichever worker is interrupted: all end after the same step."""
    p = b.start("train", "logreg", "--steps", "100000000", "--workers", "3", "--mode", "allreduce",
                "--eval", "never", "-o", "json")
    read_until(p, "step", 6)
    os.kill(task(p, "worker", 2), signal.SIGINT)
    r = b.end(p)
    assert r.code == 130 and len({e["step"] for e in r.of("done")}) == 1, r
    assert len(r.of("done")) == 3, r


@test
def allreduce_survives_a_lost_worker(b):
    for index in (0, 2):
        d = b.path("lost%d" % index)
        p = b.start("train", "logreg", "--steps", "900", "--workers", "3", "--mode", "allreduce",
                    "--dir", d, "--save-steps", "100", "--eval", "never", "-o", "json")
        read_until(p, "saved", 2)
        os.kill(task(p, "worker", index), signal.SIGKILL)
        r = b.end(p)
        assert r.code == 0 and r.summary["steps"] == 900, r
        assert any("resumed at step" in e["text"] for e in r.of("note")), r


@test
def allreduce_names_who_is_gone(b):
    """A worker that is stopped, and one that is killed, end the step of all others by name."""
    for number in (signal.SIGKILL, signal.SIGSTOP):
        hosts = ",".join("127.0.0.1:%d" % port for port in free_ports(3))
        tasks = [b.start("train", "logreg", "--mode", "allreduce", "--steps", "100000000", "--eval",
                         "never", "--job_name", "worker", "--task_index", str(i), "--worker_hosts",
                         hosts, "-o", "json") for i in range(3)]
        for p in tasks:
            read_until(p, "step", 2)
        tasks[1].send_signal(number)
        for i in (0, 2):
            r = b.end(tasks[i])
            assert r.code == 1 and "/job:worker/replica:0/task:1" in r.err, r
        tasks[1].kill()
        b.end(tasks[1])


@test
def backup_drops_a_straggler(b):
    s = b.train("logreg", "--workers", "3", "--mode", "backup", "--straggle", "2:200", "--steps", "40",
                "--eval", "never").summary
    steps = [w["steps"] for w in s["workers"]]
    assert s["steps"] == 40 and steps[2] < 20 and max(steps) >= 20, s


@test
def interrupted_cluster(b):
    d = b.path("run")
    p = b.start("train", "logreg", "--steps", "100000000", "--workers", "2", "--dir", d, "-o", "json")
    read_until(p, "step", 4)
    tasks = children(p.pid)
    p.send_signal(signal.SIGINT)
    r = b.end(p)
    assert r.code == 130, r
    assert r.summary["interrupted"] and os.path.exists(r.summary["checkpoint"] + ".index"), r
    assert len(tasks) == 3 and not any(map(alive, tasks))


@test
def a_stopped_worker_is_named(b):
    p = b.start("train", "logreg", "--data", "synthetic", "--steps", "100000000", "--workers", "2",
                "--mode", "sync", "-o", "json")
    read_until(p, "step", 4)
    stopped = task(p, "worker", 1)
    os.kill(stopped, signal.SIGSTOP)
    waits = [e for e in read_until(p, "wait", 2) if e["event"] == "wait"]
    os.kill(stopped, signal.SIGCONT)
    read_until(p, "step", 2)
    p.send_signal(signal.SIGINT)
    r = b.end(p)
    assert r.code == 130, r
    assert all(e["worker"] == 0 and e["waited"] >= 3 for e in waits), waits
    said = re.findall(r"^step (\d+) has waited \d+ s for worker 1, which is stopped \('kill -CONT \d+'", r.err, re.M)
    assert said and int(said[0]) == waits[0]["step"], r


@test
def a_stopped_server_is_named(b):
    p = b.start("train", "logreg", "--data", "synthetic", "--steps", "100000000", "--workers", "2", "-o", "json")
    read_until(p, "step", 4)
    server = task(p, "ps", 0)
    os.kill(server, signal.SIGSTOP)
    waits = [e for e in read_until(p, "wait", 1) if e["event"] == "wait"]
    os.kill(server, signal.SIGCONT)
    p.send_signal(signal.SIGINT)
    r = b.end(p)
    assert r.code == 130 and waits[0]["text"].startswith("ps 0, which is stopped"), (waits, r)


@test
def a_signal_that_comes_twice_is_one(b):
    """timeout(1) sends it to the process and to its group; the last checkpoint is saved all the same."""
    for at, tasks in enumerate([("--workers", "2"), ("--workers", "1")]):
        runs, export = os.path.join(b.folder, "runs%d" % at), os.path.join(b.folder, "export%d" % at)
        p = b.start("train", "logreg", "--data", "synthetic", "--steps", "100000000", *tasks, "--dir", runs,
                    "--export", export, "-o", "json")
        read_until(p, "step", 4)
        for _ in range(100):
            p.send_signal(signal.SIGINT)
            time.sleep(0.0005)
        r = b.end(p)
        events = [json.loads(line) for line in r.out.splitlines()]
        last = events[-1]
        assert r.code == 130 and last["event"] == "end", r
        saved = [e["step"] for e in events if e["event"] == "saved"]
        assert saved and saved[-1] > 0 and os.path.exists(os.path.join(runs, "model.ckpt-%d.index" % saved[-1])), (saved, r)
        assert any(e["event"] == "note" and export in e["text"] for e in events), r


@test
def chief_ends_first(b):
    """Of synchronous steps: those that wait for it go on, so that its last step ends and is saved."""
    for mode in ("sync", "backup"):
        p = b.start("train", "logreg", "--data", "synthetic", "--steps", "100000000", "--workers", "3", "--mode",
                    mode, "--straggle", "0:300", "--dir", b.path(mode), "-o", "json")
        read_until(p, "step", 4)
        p.send_signal(signal.SIGINT)
        r = b.end(p)
        assert r.code == 130 and r.summary["checkpoint"], r
        done = [e for e in r.of("done") if e["worker"] == 0]
        assert done and r.summary["checkpoint"].endswith("-%d" % done[0]["step"]), r


@test
def interrupted_before_the_first_step(b):
    p = b.start("train", "logreg", "--steps", "1000", "--workers", "2", "--mode", "allreduce")
    wait_for(lambda: children(p.pid))
    p.send_signal(signal.SIGTERM)
    r = b.end(p)
    assert r.code == 143 and "Interrupted after" in r.out and "Nothing to train" not in r.out, r
    ports = free_ports(2)
    for how in ("text", "json", "csv"):
        p = b.start("train", "logreg", "--data", "synthetic", "--job_name", "worker", "--ps_hosts",
                    "127.0.0.1:%d" % ports[0], "--worker_hosts", "127.0.0.1:%d" % ports[1], "-o", how)
        wait_for(lambda: caught(p.pid, signal.SIGTERM))
        p.send_signal(signal.SIGTERM)
        r = b.end(p)
        last = r.out.splitlines()[-1]
        assert r.code == 143 and "143" in last, r
        assert how != "json" or json.loads(last)["event"] == "end", r
        rows = list(csv.DictReader(r.out.splitlines()))
        assert how != "csv" or (rows[-1]["event"], rows[-1]["status"], len(rows)) == ("end", "143", 1), r


@test
def a_task_that_does_not_start(b):
    """Status 138, with the task and why."""
    ports = free_ports(2)
    r = b.run(138, "train", "logreg", "--data", "synthetic", "--steps", "5", "--job_name", "worker",
              "--ps_hosts", "127.0.0.1:%d" % ports[0], "--worker_hosts", "127.0.0.1:%d" % ports[1],
              "--start-timeout", "1")
    assert "/job:ps/replica:0/task:0" in r.err and "refused" in r.err, r


def killed(b, job, index, mode):
    """A run of which one task is killed half-way; it must end well."""
    p = b.start("train", "logreg", "--steps", "6000", "--workers", "2", "--mode", mode, "--dir",
                b.path("%s-%d-%s" % (job, index, mode)), "--save-steps", "200", "-o", "json")
    read_until(p, "saved", 2)
    os.kill(task(p, job, index), signal.SIGKILL)
    r = b.end(p)
    assert r.code == 0 and r.summary["steps"] >= 6000, r
    notes = [e["text"] for e in r.of("note")]
    told, = (e for e in r.of("note") if "%s %d ended by signal 9" % (job, index) in e["text"])
    assert "started again" in told["text"] and told["step"] > 0 and told["seconds"] > 0, told
    return notes


@test
def killed_worker_comes_back(b):
    killed(b, "worker", 1, "async")
    killed(b, "worker", 1, "sync")


@test
def killed_chief_comes_back(b):
    for mode in ("async", "sync"):
        notes = killed(b, "worker", 0, mode)
        assert any("resumed at step" in n for n in notes), notes


@test
def chief_goes_back_to_the_first_checkpoint(b):
    """What was trained since is lost, which is said, also where that checkpoint is of step 0."""
    p = b.start("train", "logreg", "--data", "synthetic", "--steps", "100000000", "--workers", "2", "--mode", "sync",
                "--dir", b.path("first"), "--save-steps", "100000000", "-o", "json")
    read_until(p, "step", 6)
    os.kill(task(p, "worker", 0), signal.SIGKILL)
    notes = [e["text"] for e in read_until(p, "note", 2) if e["event"] == "note"]
    p.send_signal(signal.SIGINT)
    assert b.end(p).code == 130 and notes[1] == "resumed at step 0", notes


@test
def killed_ps_comes_back(b):
    for mode in ("async", "sync"):
        notes = killed(b, "ps", 0, mode)
        assert any("a task was lost; going on from step" in n for n in notes), notes


@test
def killed_without_checkpoints(b):
    for job in ("worker", "ps"):
        p = b.start("train", "logreg", "--steps", "100000000", "--workers", "2", "-o", "json")
        read_until(p, "step", 4)
        tasks = children(p.pid)
        os.kill(task(p, job, 0), signal.SIGKILL)
        r = b.end(p)
        assert r.code == 137 and job + " 0 ended by signal 9" in r.err and "--dir" in r.err, r
        last = r.events[-1]
        assert last["event"] == "error" and last["status"] == 137, r
        assert "ended by signal 9" in last["text"] and last["checkpoint"] == "", r
        assert not any(map(alive, tasks)), "left behind"


@test
def failure_is_the_last_line(b):
    p = b.start("train", "logreg", "--steps", "100000000", "--workers", "2", "--ps", "1")
    wait_for(lambda: task(p, "worker", 0))
    os.kill(task(p, "worker", 0), signal.SIGKILL)
    r = b.end(p)
    assert r.code == 137 and "Done" not in r.out and "nan" not in r.out, r
    assert re.fullmatch(r"Failed after \d+ steps?: worker 0 ended by signal 9 .*exit status 137",
                        r.err.splitlines()[-1]), r
    for words in (("--optimizer", "sgd", "--rate", "1e38"), ("--data", "/no/such/folder")):
        r = b.run(1, "train", "logreg", "--steps", "500", *words)
        assert r.err.splitlines()[-1].startswith("Failed after"), r
        r = b.run(1, "train", "logreg", "--steps", "500", "-o", "json", *words)
        assert r.events[-1]["event"] == "error" and r.events[-1]["status"] == 1, r
    r = b.run(1, "train", "logreg", "--workers", "2", "--steps", "500", "--optimizer", "sgd", "--rate", "1e38")
    assert re.fullmatch(r"Failed after \d+ steps?: worker \d failed with exit status 1: the loss is .*; exit status 1",
                        r.err.splitlines()[-1]), r
    r = b.run(2, "train", "logrek", "-o", "json")
    assert r.events[-1]["event"] == "error" and r.events[-1]["status"] == 2, r


@test
def signals_that_ask_end_nothing(b):
    """SIGUSR1 says what steps wait for, SIGUSR2 traces ten steps: alone, and as a cluster by its launcher."""
    for words in ((), ("--workers", "2", "--ps", "1")):
        p = b.start("train", "logreg", "--data", "synthetic", "--steps", "100000000", "-o", "json", *words)
        for line in p.stdout:
            if json.loads(line)["event"] == "step":
                break
        for number in (signal.SIGUSR1, signal.SIGUSR2, signal.SIGUSR1):
            p.send_signal(number)
            time.sleep(0.3)
        assert p.poll() is None, "a signal that asks ended it"
        p.send_signal(signal.SIGINT)
        r = b.end(p)
        assert r.code == 130 and "waits for the next 10 steps" in r.err, r
        told = [line for line in r.err.splitlines() if "step in flight" in line]
        assert len(told) >= 2 * (3 if words else 1), r.err
        for line in told:  # words, not data
            assert "{" not in line and re.search("for [0-9.e-]+ s waits for |nothing waits here", line), line


@test
def json_ends_in_an_event_however_early_it_fails(b):
    """Also where the command line is not read to its end, and wherever -o json stands on it."""
    cluster = ["--job_name", "worker", "--ps_hosts", "localhost:1", "--worker_hosts", "localhost:0"]
    for code, words in ((2, ["logreg", "--bogus", "-o", "json"]), (2, ["-o", "json", "logreg", "--steps", "x"]),
                        (2, ["--output=json"]), (2, ["logreg", "extra", "-ojson"]),
                        (2, ["logreg", "--mode", "maybe", "--output", "json"]),
                        (2, ["logreg", "--ps", "0", "--workers", "2", "-o", "json"]),
                        (2, ["logreg", "--device", "nosuch", "-o", "json"]),
                        (1, ["logreg", "--op-library", "/no/such", "-o", "json"]),
                        (2, ["logreg", "--cluster", "/no/such", "-o", "json"]),
                        (2, ["logreg", *cluster, "--task_index", "5", "-o", "json"]),
                        (138, ["logreg", *cluster, "--start-timeout", "1", "-o", "json"])):
        last = b.run(code, "train", *words).events[-1]
        assert last["event"] == "error" and last["status"] == code and last["text"], (words, last)
    os.environ["WEIR_TRAIN_STEPS"] = "many"
    try:
        last = b.run(2, "train", "logreg", "-o", "json").events[-1]
    finally:
        del os.environ["WEIR_TRAIN_STEPS"]
    assert last["event"] == "error" and "WEIR_TRAIN_STEPS" in last["text"], last


@test
def finished_is_not_trained_again(b):
    b.run(0, "train", "logreg", "--steps", "5", "--dir", b.path("run"))
    r = b.run(0, "train", "logreg", "--steps", "5", "--dir", b.path("run"), "--resume")
    assert "Nothing to train: step 5" in r.out and "nan" not in r.out, r


@test
def all_needs_are_checked_first(b):
    """What would fail after an epoch, or at the end, fails before the first step."""
    half = b.path("half")
    os.makedirs(half)
    write_idx(half, "train", 2000, 1)
    r = b.run(1, "train", "logreg", "--data", half, "--dir", b.path("run"), "-o", "json")
    assert not r.of("step") and "test data" in r.err and "--eval never" in r.err, r
    b.run(0, "train", "logreg", "--data", half, "--eval", "never", "--steps", "3")
    open(b.path("taken"), "w").close()
    for option in ("--dir", "--export"):
        r = b.run(1, "train", "logreg", "--steps", "3", option, b.path("taken/x"), "-o", "json")
        assert not r.of("step") and option in r.err, r


@test
def one_training_in_a_folder(b):
    p = b.start("train", "logreg", "--steps", "100000000", "--dir", b.path("run"), "-o", "json")
    read_until(p, "step")
    for words in (("--resume",), ("--resume", "--workers", "1"), ()):
        r = b.run(1, "train", "logreg", "--steps", "3", "--dir", b.path("run"), *words)
        assert "another training writes to" in r.err and "process %d " % p.pid in r.err, r
    p.send_signal(signal.SIGINT)
    b.end(p)
    b.run(0, "train", "logreg", "--steps", "100", "--dir", b.path("run"), "--resume")


@test
def interrupted_export_is_said(b):
    p = b.start("train", "logreg", "--steps", "100000000", "--export", b.path("out"), "-o", "json")
    read_until(p, "step")
    p.send_signal(signal.SIGINT)
    r = b.end(p)
    assert r.code == 130 and any("no SavedModel" in e["text"] for e in r.of("note")), r
    assert r.events[-1]["event"] == "end" and r.events[-1]["status"] == 130, r


@test
def csv_has_the_same_events(b):
    r = b.run(0, "train", "logreg", "--steps", "20", "--log-steps", "5", "-o", "csv")
    rows = list(csv.DictReader(r.out.splitlines()))
    assert [row["event"] for row in rows][-1] == "end" and rows[-1]["status"] == "0", r
    steps = [row for row in rows if row["event"] == "step"]
    assert [row["step"] for row in steps] == ["5", "10", "15", "20"] and float(steps[0]["loss"]), r
    r = b.run(1, "train", "logreg", "--data", "/no,such", "-o", "csv")
    last = list(csv.DictReader(r.out.splitlines()))[-1]
    assert last["event"] == "error" and "/no,such" in last["text"], r


def in_terminal(b, columns, *words, env=None):
    """What the command prints into a terminal of so many columns, and its status."""
    import fcntl
    import pty
    import termios
    main, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    p = subprocess.Popen([b.weir, *words], stdin=terminal, stdout=terminal, stderr=terminal,
                         cwd=b.folder, env={**os.environ, "TERM": "xterm", **(env or {})})
    os.close(terminal)
    text = b""
    try:
        while True:
            text += os.read(main, 65536)
    except OSError:
        pass
    os.close(main)
    return text.decode(), p.wait()


@test
def terminals(b):
    words = ("train", "mnist_cnn", "--data", "synthetic", "--steps", "12", "--batch", "50")
    text, code = in_terminal(b, 40, *words)
    drawn = [line for part in text.split("\n") for line in part.split("\r") if "/12" in line]
    assert code == 0 and any("loss" in line for line in drawn), text
    assert all(len(re.sub(r"\x1b\[[0-9;]*[mK]", "", line)) <= 40 for line in drawn), drawn
    text, code = in_terminal(b, 80, *words, env={"TERM": "dumb"})
    assert code == 0 and "\x1b" not in text and "Done after 12 steps" in text, text
    text, code = in_terminal(b, 80, *words, env={"NO_COLOR": "1"})
    assert code == 0 and "\x1b[36m" not in text, text
    assert "in 0:00" not in text and "e-0" not in text and "1 epochs" not in text, text


@test
def killed_launcher_leaves_nothing(b):
    p = b.start("train", "logreg", "--steps", "100000000", "--workers", "2", "-o", "json")
    read_until(p, "step", 4)
    tasks = children(p.pid)
    p.kill()
    b.end(p)
    wait_for(lambda: not any(map(alive, tasks)), 30)


@test
def tasks_by_hand(b):
    ports = free_ports(3)
    hosts = ["--ps_hosts", "localhost:%d" % ports[0],
             "--worker_hosts", "localhost:%d,localhost:%d" % tuple(ports[1:])]
    words = ["train", "logreg", "--data", b.data, "--steps", "60"]
    tasks = [b.start(*words, "--job_name", job, "--task_index", str(i), *hosts, "-o", "json")
             for job, i in (("ps", 0), ("worker", 0), ("worker", 1))]
    runs = [b.end(t) for t in tasks]
    assert [r.code for r in runs] == [0, 0, 0], "\n".join(map(str, runs))
    assert runs[1].of("test") and not runs[2].of("test"), "the chief tests"


@test
def tasks_by_tf_config(b):
    ports = free_ports(2)
    cluster = {"ps": ["localhost:%d" % ports[0]], "worker": ["localhost:%d" % ports[1]]}
    tasks = [b.start("train", "logreg", "--steps", "60", env={"TF_CONFIG": json.dumps(
        {"cluster": cluster, "task": {"type": job, "index": 0}})}) for job in ("ps", "worker")]
    runs = [b.end(t) for t in tasks]
    assert [r.code for r in runs] == [0, 0], "\n".join(map(str, runs))
    assert "worker 0: logreg on synthetic" in runs[1].out and "Done after 60 steps" in runs[1].out


@test
def tasks_by_slurm(b):
    """As srun tells its tasks; the first is the parameter server."""
    first = neighbours(3)
    step = {"SLURM_JOB_ID": "7", "SLURM_STEP_ID": "0", "SLURM_STEP_NODELIST": "localhost",
            "SLURM_STEP_NUM_TASKS": "3", "SLURM_STEP_TASKS_PER_NODE": "3",
            "SLURM_STEP_RESV_PORTS": "%d-%d" % (first, first + 2)}
    tasks = [b.start("train", "logreg", "--steps", "60", "--ps", "1", "--mode", "sync", "-o", "json",
                     env={**step, "SLURM_PROCID": str(i)}) for i in range(3)]
    runs = [b.end(t) for t in tasks]
    assert [r.code for r in runs] == [0, 0, 0], "\n".join(map(str, runs))
    assert [w["worker"] for r in runs[1:] for w in r.summary["workers"]] == [0, 1], runs[1]
    assert runs[1].summary["steps"] == 60


def neighbours(count):
    """The first of so many free ports in a row."""
    while True:
        first = random.randrange(20000, 30000)
        try:
            for port in range(first, first + count):
                socket.create_server(("localhost", port)).close()
            return first
        except OSError:
            continue


# ---- wrong calls and bad luck ----------------------------------------------------------------------

@test
def complaints(b):
    empty = b.path("empty")
    os.makedirs(empty)
    for want, words, texts in (
            (2, ["mnist_cn"], ["mnist_cn", "mnist_cnn", "logreg"]),
            (2, [], ["MODEL"]),
            (2, ["logreg", "--optimizer", "adan"], ["adan", "adam"]),
            (2, ["logreg", "--eval", "soon"], ["soon", "epoch"]),
            (2, ["logreg", "--steps", "0"], ["--steps", "'0'"]),
            (2, ["logreg", "--steps", "5", "--epochs", "1"], ["--epochs", "--steps"]),
            (2, ["logreg", "--resume"], ["--dir"]),
            (2, ["logreg", "--save-steps", "9"], ["--save-steps", "--dir"]),
            (2, ["logreg", "--summary"], ["--summary", "--dir"]),
            (2, ["logreg", "--workers", "2", "--ps", "0"], ["parameter server"]),
            (2, ["logreg", "--workers", "2", "--mode", "backup", "--backup", "2"], ["--backup 2"]),
            (2, ["logreg", "--workers", "2", "--mode", "allreduce", "--ps", "1"], ["--ps"]),
            (2, ["logreg", "--straggle", "x"], ["--straggle", "'x'"]),
            (2, ["logreg", "--job_name", "worker"], ["--worker_hosts"]),
            (1, ["logreg", "--data", "/no/such/folder"], ["/no/such/folder", "--data"]),
            (1, ["logreg", "--data", empty], [empty, "--data"]),
            (1, ["logreg", "--data", "/no/such/folder", "--workers", "2"],
             ["/no/such/folder", "worker"]),
            (1, ["logreg", "--dir", "/dev/null/x", "--steps", "1"], ["/dev/null"]),
            (1, ["logreg", "--optimizer", "sgd", "--rate", "1e38", "--steps", "9"], ["loss", "--rate"]),
    ):
        r = b.run(want, "train", *words)
        for text in texts:
            assert text in r.err, "%r not in %s" % (text, r)


@test
def port_in_use(b):
    with socket.create_server(("localhost", 0)) as taken:
        here = "localhost:%d" % taken.getsockname()[1]
        r = b.run(1, "train", "logreg", "--job_name", "worker", "--task_index", "0", "--worker_hosts",
                  here, "--ps_hosts", "localhost:1")
    assert here.split(":")[1] in r.err and "port" in r.err, r


def full_disk():
    """A file may not be larger than a few bytes: what a full disk does to a checkpoint."""
    import resource
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))


@test
def disk_full(b):
    p = b.start("train", "logreg", "--steps", "5", "--dir", b.path("run"), preexec_fn=full_disk)
    r = b.end(p)
    assert r.code == 1 and b.path("run") in r.err and "arge" in r.err, r
    assert not [f for f in os.listdir(b.path("run")) if f.endswith(".index")]


def fill(path):
    with open(path, "wb", buffering=0) as f:
        try:
            while f.write(b"x" * 4096):
                pass
        except OSError:
            pass


@test
def too_little_memory(b):
    """A control group's limit ends a step, not the process; what would take less is said, alone and in a cluster."""
    group = b.path("group")
    os.makedirs(group)
    for name, limit in (("cpu.max", "50000 100000"), ("memory.max", str(200 << 20))):
        with open(os.path.join(group, name), "w") as f:
            print(limit, file=f)
    for words in (("--eval", "never"), (), ("--ps", "1", "--workers", "2")):
        r = b.run(1, "train", "alexnet", "--data", "synthetic", "--steps", "3", "--batch", "256", *words,
                  env={**os.environ, "WEIR_CGROUP": group})
        last = r.err.splitlines()[-1]
        assert last.startswith("Failed after 0 steps: ") and "OOM" in last, r
        assert "smaller --batch" in r.err and "--eval never trains" not in r.err, r
    b.run(0, "train", "logreg", "--data", "synthetic", "--steps", "3", env={**os.environ, "WEIR_CGROUP": group})


@test
def a_damaged_checkpoint(b):
    """The advice of the failure leads to the checkpoint before it."""
    run = b.path("damaged")
    words = ("train", "logreg", "--data", "synthetic", "--dir", run, "--save-steps", "10", "--steps")
    b.run(0, *words, "20")
    os.truncate(os.path.join(run, "model.ckpt-20.data-00000-of-00001"), 100)
    r = b.run(1, *words, "30", "--resume")
    assert "model.ckpt-20" in r.err.splitlines()[-1] and "model_checkpoint_path in the file 'checkpoint'" in r.err, r
    for cluster in (("--ps", "1", "--workers", "1"), ("--mode", "allreduce", "--workers", "2")):
        r = b.run(1, *words, "30", "--resume", *cluster, "-o", "json")  # no task is started again to fail again
        assert not r.of("note") and "model.ckpt-20" in r.events[-1]["text"], r
    state = os.path.join(run, "checkpoint")
    with open(state) as f:
        text = f.read().replace('model_checkpoint_path: "model.ckpt-20"', 'model_checkpoint_path: "model.ckpt-10"', 1)
    with open(state, "w") as f:
        f.write(text)
    r = b.run(0, *words, "30", "--resume")
    assert "resumed at step 10" in r.out + r.err and "model.ckpt-30" in r.out, r


@test
def disk_nearly_full(b):
    """Where there is room for two checkpoints, the older ones go and training goes on."""
    disk = b.path("disk")
    os.makedirs(disk)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", disk],
                      capture_output=True).returncode:
        print("disk_nearly_full: no tmpfs can be mounted here, not run")
        return
    try:
        run = os.path.join(disk, "run")
        r = b.run(0, "train", "logreg", "--steps", "200", "--save-steps", "20", "--keep", "100",
                  "--dir", run)
        assert "model.ckpt-200" in r.out and not [f for f in os.listdir(run) if "_temp_" in f], r
        b.run(0, "train", "logreg", "--steps", "220", "--dir", run, "--resume")
        steps, code = 220, 0
        while not code and steps < 1000:
            steps += 20
            fill(os.path.join(disk, "rest%d" % steps))
            r = b.end(b.start("train", "logreg", "--steps", str(steps), "--dir", run, "--resume"))
            code = r.code
        assert code == 1 and "model.ckpt-%d" % (steps - 20) in r.err, r
        assert "No space left" in r.err.splitlines()[-1] and "Free some space" in r.err, r
        for words in (("--ps", "1", "--workers", "1"), ("--workers", "2", "--restarts", "1", "-o", "json")):
            r = b.run(1, "train", "logreg", "--data", "synthetic", "--steps", "5000000", "--dir", disk + "/full", *words)
            last = r.events[-1]["text"] if "json" in words else r.err.splitlines()[-1]
            assert "worker 0 failed" in last and "No space left" in last, r
            assert "json" not in words or "No space left" in r.of("note")[0]["text"], r  # why it was started again
        assert not [f for f in os.listdir(run) if "_temp_" in f], os.listdir(run)
    finally:
        subprocess.run(["umount", disk], check=True)


# ---- the demo --------------------------------------------------------------------------------------

@test
def demo(b):
    r = b.run(0, "demo", "--data", b.data, "--model", "logreg", "--steps", "100", "--out", "shown")
    assert "speed-up" in r.out and "shown/report.html" in r.out, r
    with open(b.path("shown/report.html")) as f:
        page = f.read()
    assert "<svg" in page and "test accuracy" in page
    r = b.run(0, "demo", "--data", "digits", "--model", "logreg", "--steps", "200", "--out", "drawn")
    assert "The accuracy is what it should be: at least 45 %." in r.out, r
    assert re.search(r"^1 worker: 200 steps in [\d.]+ m?s, ", r.out, re.M) and " in 0.0 s" not in r.out, r
    r = b.run(1, "demo", "--data", "/no/such/folder")
    assert "/no/such/folder" in r.err, r


@test
def demo_interrupted(b):
    p = b.start("demo", "--data", "synthetic", "--model", "logreg", "--steps", "100000000", "--out", "cut")
    wait_for(lambda: len(children(p.pid)) == 2 and caught(children(p.pid)[1], signal.SIGINT))
    p.send_signal(signal.SIGINT)
    r = b.end(p)
    assert r.code == 130 and not os.path.exists(b.path("cut/report.html")), r
    assert re.search(r"^weir: interrupted after \d+ steps? of the run with 1 worker$", r.err, re.M), r


# ---- the runner ------------------------------------------------------------------------------------

def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--weir", default=os.path.join(HERE, "..", "build", "release", "weir"))
    ap.add_argument("-k", default="", help="only tests whose names contain this text")
    ap.add_argument("-v", "--verbose", action="store_true")
    args = ap.parse_args()
    passed = failed = 0
    root = tempfile.mkdtemp(prefix="weir-train-")
    try:
        data = make_data(os.path.join(root, "data"))
        for run in (t for t in TESTS if args.k in t.__name__):
            folder = os.path.join(root, run.__name__)
            os.makedirs(folder)
            start = time.time()
            try:
                run(Bench(os.path.abspath(args.weir), data, folder))
                passed += 1
                if args.verbose:
                    print("passed %s in %.1f s" % (run.__name__, time.time() - start), flush=True)
            except Exception:
                failed += 1
                print("FAIL %s\n%s" % (run.__name__, traceback.format_exc()[-3000:]), flush=True)
    finally:
        shutil.rmtree(root, ignore_errors=True)
    print("train_cli: %d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
