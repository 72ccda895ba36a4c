#!/usr/bin/env python3
"""weir train and weir demo on one machine: alone, interrupted, resumed, called wrongly; what they print.

    tests/train_cli_test.py [--weir PATH] [-k TEXT] [-v]
"""
import csv
import os
import re
import signal
import socket
import struct
import subprocess
import sys

import train_runs
from listed import Cases
from train_runs import caught, children, read_until, wait_for, write_idx

test = Cases("train_cli")


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


# ---- what is printed, and checked first ------------------------------------------------------------

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


if __name__ == "__main__":
    sys.exit(train_runs.main(test))
