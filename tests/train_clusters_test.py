#!/usr/bin/env python3
"""weir train as clusters: their modes, members that are stopped, killed or interrupted, tasks started by hand.

    tests/train_clusters_test.py [--weir PATH] [-k TEXT] [-v]
"""
import csv
import json
import os
import random
import re
import signal
import socket
import sys
import time

import train_runs
from clusters import free_ports
from listed import Cases
from train_runs import alive, caught, children, read_until, task, wait_for

test = Cases("train_clusters")


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


if __name__ == "__main__":
    sys.exit(train_runs.main(test))
