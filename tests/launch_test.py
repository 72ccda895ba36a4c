#!/usr/bin/env python3
"""weir run: what it starts, how it ends, what it says. Also its hook, with TensorFlow itself.

    tests/launch_test.py [--weir PATH] [-k NAME] [--times N]
"""
import argparse
import atexit
import csv
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import traceback
import uuid

HERE = os.path.dirname(os.path.abspath(__file__))
WEIR = None
TESTS = []
SECONDS = []
MARK = "WEIR_LAUNCH_TEST"


def test(f):
    TESTS.append(f)
    return f


class Run:
    """A weir run in a folder of its own; its processes are known by a mark in the environment."""

    def __init__(self, program, *words, options=(), env=None, under=()):
        self.mark = uuid.uuid4().hex
        self.dir = tempfile.mkdtemp(prefix="launch_test_")
        atexit.register(shutil.rmtree, self.dir, ignore_errors=True)
        path = program
        if not program.endswith(".py"):
            path = os.path.join(self.dir, "program.py")
            with open(path, "w") as f:
                f.write(textwrap.dedent(program))
        full = dict(os.environ, WEIR_PYTHON=sys.executable, TF_CPP_MIN_LOG_LEVEL="3", TMPDIR=self.dir,
                    XDG_STATE_HOME=self.dir + "/state",
                    **{MARK: self.mark})
        full.pop("TF_CONFIG", None)
        full.update(env or {})
        self.child = subprocess.Popen(
            [*under, WEIR, "run", *options, path, *words], cwd=self.dir, env=full, text=True,
            stdout=open(self.dir + "/out", "w"), stderr=open(self.dir + "/err", "w"))

    def left(self):
        """The command lines of processes that still run."""
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open("/proc/%s/environ" % pid, "rb") as f:
                    if (MARK + "=" + self.mark).encode() not in f.read():
                        continue
                with open("/proc/%s/stat" % pid) as f:
                    if f.read().rpartition(")")[2].split()[0] == "Z":
                        continue
                with open("/proc/%s/cmdline" % pid, "rb") as f:
                    found.append(f.read().replace(b"\0", b" ").decode())
            except OSError:
                pass
        return found

    def out(self):
        return open(self.dir + "/out").read()

    def err(self):
        return open(self.dir + "/err").read()

    def wait_for(self, text, seconds=60):
        until = time.time() + seconds
        while text not in self.out() + self.err():
            assert time.time() < until, "no %r in\n%s%s" % (text, self.out(), self.err())
            assert self.child.poll() is None, "ended before %r\n%s%s" % (text, self.out(), self.err())
            time.sleep(0.02)

    def ends(self, status, seconds=60):
        """Waits for the end, which leaves no process and no file behind."""
        try:
            got = self.child.wait(seconds)
        except subprocess.TimeoutExpired:
            self.child.send_signal(signal.SIGKILL)
            raise AssertionError("did not end\n%s%s" % (self.out(), self.err()))
        assert got == status, "exit status %d, not %d\n%s%s" % (got, status, self.out(), self.err())
        left, until = self.left(), time.time() + 10  # what was killed may need a moment to be gone
        while left and time.time() < until:
            time.sleep(0.02)
            left = self.left()
        assert not left, left
        rest = [f for f in os.listdir(self.dir) if f.startswith("weir-")]
        assert not rest, rest
        return self


SHOW = """
    import json, os, sys
    config = json.loads(os.environ["TF_CONFIG"])
    print(json.dumps(dict(task=config["task"], cluster=config["cluster"], args=sys.argv[1:])), flush=True)
"""

# The same; no worker ends before every task has shown itself, since what is left of a parameter
# server is ended soon after the last worker, and on a busy machine that may be before it prints.
SHOW_ALL = SHOW + """
    import glob, time
    open("shown-%(type)s-%(index)d" % config["task"], "w").close()
    while len(glob.glob("shown-*")) < sum(map(len, config["cluster"].values())):
        time.sleep(0.02)
"""

# What a program in tf.train.Server.join() does, without TensorFlow.
JOIN = """
    import json, os, socket, sys, time
    task = json.loads(os.environ["TF_CONFIG"])["task"]
    job, index = task["type"], task["index"]
    def join():
        s = socket.socket(socket.AF_UNIX)
        s.connect(os.environ["WEIR_RUN_CONTROL"])
        s.sendall(b"join\\n")
        print("joined", flush=True)
        s.recv(1)
        print("released", flush=True)
        sys.exit(0)
"""


def shown(run):
    rows = [re.match(r"\[(\w+) (\d+)\] (\{.*)", line) for line in run.out().splitlines()]
    return {(m.group(1), int(m.group(2))): json.loads(m.group(3)) for m in rows if m}


@test
def tasks_lines_and_configuration():
    run = Run(SHOW_ALL, "--steps", "3", options=["--ps", "2", "--workers", "3"]).ends(0)
    rows = shown(run)
    assert sorted(rows) == [("ps", 0), ("ps", 1), ("worker", 0), ("worker", 1), ("worker", 2)], rows
    for (job, index), row in rows.items():
        assert row["task"] == {"type": job, "index": index}
        assert row["args"] == ["--steps", "3"], "flags the program does not define: %s" % row["args"]
    clusters = [json.dumps(r["cluster"]) for r in rows.values()]
    assert len(set(clusters)) == 1 and len(rows["ps", 0]["cluster"]["worker"]) == 3


@test
def flags_and_templates():
    program = SHOW_ALL + """
    FLAGS = ["--job_name", 'task_index', "--ps-hosts"]
    """
    rows = shown(Run(program, "x{job}{index}", "{worker_hosts}", "{other}").ends(0))
    row = rows["worker", 0]
    workers, ps = row["cluster"]["worker"][0], row["cluster"]["ps"][0]
    assert row["args"] == ["xworker0", workers, "{other}", "--job_name=worker", "--task_index=0",
                           "--ps-hosts=" + ps], row
    rows = shown(Run(program, "--job_name", "mine", options=["--flags", "yes"]).ends(0))
    assert rows["ps", 0]["args"][:2] == ["--job_name", "mine"], rows
    assert [a.split("=")[0] for a in rows["ps", 0]["args"][2:]] == [
        "--task_index", "--ps-hosts", "--worker_hosts"], rows
    rows = shown(Run(program, options=["--flags=no"]).ends(0))
    assert rows["worker", 0]["args"] == []


@test
def layouts():
    for layout, tasks in (("PS-W-W", [("ps", 0), ("worker", 0), ("worker", 1)]),
                          ("PW-W", [("ps", 0), ("worker", 0), ("worker", 1)]),
                          ("pw-pw", [("ps", 0), ("ps", 1), ("worker", 0), ("worker", 1)])):
        assert sorted(shown(Run(SHOW_ALL, options=["--layout", layout]).ends(0))) == tasks, layout


@test
def a_failing_worker_ends_all():
    program = """
        import json, os, sys, time
        task = json.loads(os.environ["TF_CONFIG"])["task"]
        print("hello")
        if task == {"type": "worker", "index": 1}:
            for i in range(30):
                print("line", i)
            print("the cause", file=sys.stderr)
            sys.exit(3)
        time.sleep(600)
    """
    run = Run(program, options=["--workers", "3"])
    run.ends(3, 30)
    tail = run.err().splitlines()
    at = [i for i, line in enumerate(tail) if line.startswith("weir: ")]
    assert len(at) == 1 and "worker 1 failed with exit status 3" in tail[at[0]], run.err()
    assert tail[-1] == "  the cause" and "  line 29" in tail[at[0]:], run.err()
    assert "[worker 1] the cause" in tail[:at[0]]


@test
def a_killed_worker_and_a_missing_program():
    run = Run("import os; os.kill(os.getpid(), 9)", options=["--ps", "0"]).ends(137)
    assert "ended by signal 9" in run.err(), run.err()
    run = Run("raise ValueError('so it is')", options=["--ps", "0"]).ends(1)
    assert "failed with exit status 1: ValueError: so it is\n  Its last lines:" in run.err(), run.err()
    run = Run(os.path.join(HERE, "no_such.py"), options=["--ps", "0"]).ends(127)
    assert "there is no program" in run.err(), run.err()
    run = Run("print(1)", options=["--ps", "0", "--python", "/no/such/python"]).ends(127)
    assert "there is no program '/no/such/python'" in run.err(), run.err()


@test
def parameter_servers_end_with_the_workers():
    for ps in ("join()", "time.sleep(600)", "signal.signal(15, signal.SIG_IGN); time.sleep(600)"):
        run = Run("import signal" + JOIN.replace("\n    ", "\n") + textwrap.dedent("""
            if job == "ps":
                %s
            time.sleep(1)
            print("worked", time.time())
        """ % ps), options=["--workers", "2"])
        run.ends(0)
        ended = time.time()
        last = max(float(t) for t in re.findall(r"worked ([\d.]+)", run.out()))
        assert ended - last < 8, ended - last  # 2 s, on a machine with nothing else to do
        if ps == "join()":
            assert "[ps 0] released" in run.out(), run.out()


@test
def workers_that_join():
    """In-graph replication: one worker drives, the others only serve."""
    program = JOIN + """
    if index > 0 or job == "ps":
        join()
    time.sleep(1)
    print("drove")
    """
    run = Run(program, options=["--workers", "3"]).ends(0)
    assert run.out().count("released") == 3 and "drove" in run.out(), run.out()


@test
def all_join_until_a_signal():
    run = Run(JOIN + "    join()\n", options=["--workers", "2"])
    until = time.time() + 30
    while run.out().count("joined") < 3 and time.time() < until:
        time.sleep(0.05)
    time.sleep(0.5)
    assert run.child.poll() is None, "ended, though everybody waits for a client"
    run.child.send_signal(signal.SIGTERM)
    run.ends(143)


@test
def signals_are_forwarded():
    program = """
        import json, os, signal, sys, time
        def on(number, frame):
            print("got", signal.Signals(number).name)
            if number != signal.SIGUSR1:
                sys.exit(0)
        for s in (signal.SIGUSR1, signal.SIGTERM, signal.SIGINT):
            signal.signal(s, on)
        print("set")
        while True:
            time.sleep(0.1)
    """
    for number in (signal.SIGTERM, signal.SIGINT):
        run = Run(program, options=["--workers", "2", "--ps", "0"])
        until = time.time() + 30
        while run.out().count("set") < 2 and time.time() < until:
            time.sleep(0.05)
        run.child.send_signal(signal.SIGUSR1)
        run.wait_for("got SIGUSR1")
        run.child.send_signal(number)
        run.ends(0)
        assert run.out().count("got " + number.name) == 2, run.out()


@test
def signals_that_ask_do_not_end_programs():
    run = Run("""
        import time
        print("up")
        time.sleep(3)
        print("done")
    """, options=["--workers", "2", "--ps", "0"])
    until = time.time() + 30
    while run.out().count("up") < 2 and time.time() < until:
        time.sleep(0.05)
    for number in (signal.SIGUSR1, signal.SIGUSR2):
        run.child.send_signal(number)
    run.ends(0)
    assert run.out().count("done") == 2, run.out()


@test
def cluster_addresses_go_through_no_proxy():
    names = ("no_proxy", "NO_PROXY", "no_grpc_proxy")
    show = """
        import os
        for name in %r:
            print(name, os.environ[name])
    """ % (names,)
    for given in ({}, {"no_proxy": "mine.example"}, {"NO_PROXY": "mine.example"}):
        env = dict({"http_proxy": "http://127.0.0.1:1", "https_proxy": "http://127.0.0.1:1"}, **given)
        run = Run(show, options=["--ps", "0"], env=env).ends(0)
        for name in names:
            hosts = re.search(r"%s (.*)" % name, run.out()).group(1).split(",")
            assert {"127.0.0.1", "localhost"} <= set(hosts), run.out()
            assert name not in given or hosts[0] == "mine.example", run.out()


@test
def logs_of_each_task():
    program = """
        import sys
        print("one")
        print("two", file=sys.stderr)
    """
    run = Run(program, options=["--workers", "2", "--ps", "0", "--logs", "/proc/no"]).ends(1)
    assert "/proc/no" in run.err() and "page:" not in run.err(), run.err()
    run = Run(program, options=["--workers", "2", "--ps", "0", "--logs", "all/logs"]).ends(0)
    for index in (0, 1):
        lines = open("%s/all/logs/worker-%d.log" % (run.dir, index)).read().splitlines()
        assert sorted(line.split()[1] for line in lines) == ["one", "two"], lines
        for line in lines:
            assert re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z ", line), line


@test
def failures_come_with_advice_and_without_noise():
    program = """
        import sys
        print("2026-01-01 00:00:00.0: I tensorflow/core/platform/cpu_feature_guard.cc:1] x",
              file=sys.stderr)
        print("WARNING: All log messages before absl::InitializeLog() is called", file=sys.stderr)
        raise AttributeError("module 'tensorflow' has no attribute 'placeholder'")
    """
    run = Run(program, options=["--ps", "0"]).ends(1)
    report = run.err()[run.err().index("weir: worker 0 failed"):]
    assert "cpu_feature_guard" not in report and "InitializeLog" not in report, report
    assert report.rstrip().splitlines()[-1].startswith("The program is written for TensorFlow 1.x"), report
    assert "--tf1" in report, report


@test
def interrupted_programs_end_without_a_traceback():
    run = Run("""
        import threading, time
        def late():
            threading.main_thread().join()
            raise RuntimeError("while it ends")
        threading.Thread(target=late).start()
        print("up")
        while True:
            time.sleep(0.1)
    """, options=["--ps", "0"])
    run.wait_for("up")
    run.child.send_signal(signal.SIGINT)
    run.ends(130)
    assert "Traceback" not in run.out() + run.err(), run.out() + run.err()
    assert "weir: interrupted" in run.err().splitlines(), run.err()


@test
def old_programs_by_tf1():
    """A program of 2017: import tensorflow as tf, and names that only compat.v1 has."""
    program = """
        import tensorflow as tf
        from tensorflow.python.framework import ops
        x = tf.placeholder(tf.float32, [2])
        assert ops.get_default_graph() is x.graph
        with tf.Session() as session:
            print("sum", session.run(tf.reduce_sum(x), {x: [1, 2]}))
    """
    run = Run(program, options=["--ps", "0", "--tf1"], env={"http_proxy": "http://127.0.0.1:1"})
    run.ends(0)
    assert "Instructions for updating" not in run.out() + run.err(), run.err()
    assert "sum 3.0" in run.out(), run.out() + run.err()


@test
def asked_twice_it_ends_at_once():
    program = """
        import signal, time
        signal.signal(signal.SIGINT, lambda *a: print("ignored"))
        print("set")
        while True:
            time.sleep(0.1)
    """
    run = Run(program, options=["--ps", "0"])
    run.wait_for("set")
    run.child.send_signal(signal.SIGINT)
    run.wait_for("ignored")
    time.sleep(0.6)  # within half a second it is the same request
    run.child.send_signal(signal.SIGINT)
    run.ends(130, 5)


@test
def nothing_survives_the_launcher():
    run = Run("import time; print('up'); time.sleep(600)", options=["--workers", "2"])
    run.wait_for("[worker 0] up")
    run.wait_for("[ps 0] up")
    run.child.kill()
    run.child.wait()
    until = time.time() + 10
    while run.left() and time.time() < until:
        time.sleep(0.05)
    assert not run.left(), run.left()


@test
def restarts():
    program = """
        import os, sys
        first = not os.path.exists("came")
        open("came", "w").close()
        print("first" if first else "again")
        sys.exit(5 if first else 0)
    """
    run = Run(program, options=["--ps", "0", "--restarts", "1"]).ends(0)
    assert "[worker 0] again" in run.out() and "started again (1 of 1)" in run.err(), run.err()
    run = Run("import sys; print('one line'); sys.exit(3)", options=["--ps", "0", "--restarts", "1"]).ends(3)
    assert run.err().endswith("its last lines:\n  one line\n"), run.err()  # those of the last attempt
    Run("import sys; sys.exit(4)", options=["--ps", "0", "--restarts", "2"]).ends(4)


@test
def no_program_for_parameter_servers():
    run = Run(SHOW, options=["--no-ps-program", "--workers", "2"]).ends(0)
    assert sorted(shown(run)) == [("worker", 0), ("worker", 1)]


@test
def one_task_by_tf_config():
    config = {"cluster": {"ps": ["127.0.0.1:1"], "worker": ["127.0.0.1:2", "127.0.0.1:0"]},
              "task": {"type": "worker", "index": 1}}
    run = Run(SHOW, env={"TF_CONFIG": json.dumps(config)}).ends(0)
    assert shown(run)["worker", 1]["cluster"] == config["cluster"]
    config["task"] = {"type": "evaluator", "index": 0}
    run = Run(SHOW + "    print(repr(os.environ['WEIR_RUN_TARGET']))",
              env={"TF_CONFIG": json.dumps(config)}).ends(0)
    assert "[evaluator 0] ''" in run.out()
    config["task"] = {"type": "worker", "index": 0}
    config["cluster"]["worker"][0] = "203.0.113.1:x"
    run = Run(SHOW, env={"TF_CONFIG": json.dumps(config)}).ends(1)
    assert "203.0.113.1:x" in run.err()


def fake_ssh(run_dir):
    """Stands for ssh: the hosts are addresses of this machine."""
    path = os.path.join(run_dir, "fake_ssh")
    with open(path, "w") as f:
        f.write("#!/bin/sh\necho \"$1\" >> %s/hosts\nshift\ncd /\nexec sh -c \"$*\"\n" % run_dir)
    os.chmod(path, 0o755)
    return path


@test
def hosts_over_ssh():
    with tempfile.TemporaryDirectory() as d:
        ssh = fake_ssh(d)
        program = JOIN + SHOW + """
    print(os.getcwd(), os.environ.get("SENT"), os.environ.get("KEPT"), file=sys.stderr)
    if job == "ps":
        join()
    """
        run = Run(program, "a b\n'c'", "{index}", options=[
            "-H", "127.0.0.2:2,127.0.0.3:2", "--workers", "3", "--ssh", ssh,
            "-x", "SENT=a b,KEPT,UNSET"], env={"KEPT": "1"}).ends(0)
        rows = shown(run)
        assert len(rows) == 4, rows
        assert rows["worker", 2]["args"] == ["a b\n'c'", "2"], rows
        hosts = {job: [a.split(":")[0] for a in at] for job, at in
                 rows["worker", 0]["cluster"].items()}
        assert hosts == {"ps": ["127.0.0.2"], "worker": ["127.0.0.2", "127.0.0.3", "127.0.0.3"]}
        assert sorted(open(d + "/hosts").read().split()) == ["127.0.0.2"] * 2 + ["127.0.0.3"] * 2
        assert "[worker 1] %s a b 1" % run.dir in run.err(), run.err()
        assert "[ps 0] released" in run.out(), run.out()


@test
def hosts_of_ipv6():
    with tempfile.TemporaryDirectory() as d:
        run = Run(SHOW_ALL, options=["-H", "[::1]:2,127.0.0.3", "--workers", "2", "--ssh",
                                     fake_ssh(d)]).ends(0)
        cluster = shown(run)["ps", 0]["cluster"]
        hosts = [a.rpartition(":")[0] for a in cluster["ps"] + cluster["worker"]]
        assert hosts == ["[::1]", "[::1]", "127.0.0.3"], hosts
        assert sorted(open(d + "/hosts").read().split()) == ["127.0.0.3", "::1", "::1"]
    done = subprocess.run([WEIR, "run", "-H", "::1", "x.py"], capture_output=True, text=True)
    assert done.returncode == 2 and "'::1' is not HOST:SLOTS" in done.stderr, done


@test
def a_server_that_others_reach_takes_both_kinds_of_addresses():
    child = subprocess.Popen([WEIR, "server", "--worker_hosts", "elsewhere:0", "--until_eof"],
                             stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    port = int(child.stdout.readline().rpartition(":")[2])
    for host in ("127.0.0.1", "::1"):
        socket.create_connection((host, port), 5).close()
    child.stdin.close()
    assert child.wait(10) == 0


@test
def hosts_push_layouts_and_failures():
    with tempfile.TemporaryDirectory() as d:
        ssh = fake_ssh(d)
        run = Run(SHOW_ALL + "    print(sys.argv[0], file=sys.stderr)", options=[
            "-H", "127.0.0.2,127.0.0.3", "--layout", "PW-W", "--push", "--ssh", ssh]).ends(0)
        assert len(shown(run)) == 3, run.out()
        pushed = set(re.findall(r"(/tmp/weir-push-[^/]*)/program.py", run.err()))
        assert len(pushed) == 1 and not os.path.exists(pushed.pop()), run.err()
        run = Run("import sys; print('so'); sys.exit(7)", options=[
            "-H", "127.0.0.2:2", "--ssh", ssh, "--ps", "0", "--workers", "2"]).ends(7)
        assert "on 127.0.0.2 failed with exit status 7" in run.err(), run.err()
        assert run.err().rstrip().endswith("so"), run.err()
        run = Run("pass", options=["-H", "nowhere", "--ssh", "false", "--ps", "0"]).ends(1)
        assert "worker 0 on nowhere failed" in run.err(), run.err()
        run = Run("import time; print('up'); time.sleep(600)", options=[
            "-H", "127.0.0.2:2,127.0.0.3", "--ssh", ssh, "--workers", "2"])
        run.wait_for("[worker 1] up")
        run.child.send_signal(signal.SIGTERM)
        run.ends(143)


@test
def wrong_calls():
    for status, says, *options in (
            (2, "which program", "--workers", "2"),
            (2, "--flags needs auto", "--flags", "maybe", "x.py"),
            (2, "2 slots for 3 tasks", "-H", "a,b", "--workers", "2", "x.py"),
            (2, "neither P", "--layout", "PX", "x.py"),
            (2, "more hosts than", "--layout", "PW-W", "-H", "a", "x.py"),
            (2, "not JOB=COUNT", "--jobs", "ps", "x.py"),
            (2, "so do other options", "--layout", "PW", "--ps", "2", "x.py")):
        done = subprocess.run([WEIR, "run", *options], capture_output=True, text=True)
        assert done.returncode == status and says in done.stderr, (options, done)
    done = subprocess.run([WEIR, "run", "--dry-run", "--jobs", "chief=1,worker=1", "x.py"],
                          capture_output=True, text=True)
    assert done.returncode == 0 and "chief 0\n" in done.stdout and "TF_CONFIG=" in done.stdout, done


def serve(*options, env=None, **more):
    """The target that a weir server prints; it then ends on SIGTERM."""
    full = dict(os.environ, **(env or {}))
    child = subprocess.Popen([WEIR, "server", *options], env=full, text=True, **more,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    target = child.stdout.readline().strip()
    child.terminate()
    out, err = child.communicate(timeout=10)
    assert out == "", out
    return child.returncode, target, err


@test
def servers_and_their_clusters():
    config = {"cluster": {"ps": ["127.0.0.4:0", "b:1"]}, "task": {"type": "ps", "index": 0}}
    with tempfile.TemporaryDirectory() as d:
        with open(d + "/cluster.json", "w") as f:
            json.dump({"ps": {"3": "127.0.0.5:0"}, "worker": ["c:1"]}, f)
        with open(d + "/def.txt", "w") as f:
            f.write('cluster { job { name: "x" tasks { key: 3 value: "localhost:0" } } }\n'
                    'job_name: "x" task_index: 3')
        for address, options, env in (
                ("127.0.0.1", [], {}),
                ("127.0.0.1", ["--port", "0"], {"TF_CONFIG": "not looked at"}),
                ("127.0.0.2", ["--job_name", "w", "--task_index", "1", "--ps_hosts", "a:1",
                               "--w_hosts=b:2,127.0.0.2:0"], {}),
                ("127.0.0.3", ["--cluster_spec", "x=127.0.0.3:0"], {}),
                ("127.0.0.4", [], {"TF_CONFIG": json.dumps(config)}),
                ("127.0.0.5", ["--cluster", d + "/cluster.json", "--job_name", "ps", "--task_index",
                               "3"], {}),
                ("127.0.0.1", ["--server_def", d + "/def.txt"], {}),
                ("127.0.0.1", ["--server_def", open(d + "/def.txt").read()], {}),
                ("127.0.0.6", ["--listen", "127.0.0.6"], {})):
            status, target, err = serve(*options, env=env)
            assert status == 0 and re.fullmatch("grpc://%s:[1-9]\\d*" % address, target), (
                options, status, target, err)
        serve("--port_file", d + "/port")
        assert int(open(d + "/port").read()) > 0
    for says, *options in (
            ("2 tasks, and none is named", "--ps_hosts", "a:1,b:1"),
            ("not host:port", "--ps_hosts", "a"),
            ('Task 4 was not defined in job "ps"', "--ps_hosts", "a:1", "--job_name", "ps",
             "--task_index", "4"),
            ("No such file", "--cluster", "/no/such/file"),
            ("is missing at character", "--cluster", os.devnull),
            ("at most 65535, not '70000'", "--port", "70000"),
            ("cannot listen", "--listen", "203.0.113.1")):
        status, target, err = serve(*options)
        assert status != 0 and not target and says in err and "\n  " in err, (options, status, err)


@test
def a_server_ends_with_its_input():
    child = subprocess.Popen([WEIR, "server", "--until_eof"], stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE)
    child.stdout.readline()
    child.stdin.close()
    assert child.wait(10) == 0


# ---- with TensorFlow ------------------------------------------------------------------------------


@test
def every_spelling_of_the_server():
    with tempfile.TemporaryDirectory() as d:
        with open(d + "/sitecustomize.py", "w") as f:
            f.write("print('chained')\n")
        run = Run(os.path.join(HERE, "programs", "spellings.py"), options=["--ps", "0"],
                  env={"PYTHONPATH": d}).ends(0, 120)
    for word in ("tf.compat.v1.train", "tf.distribute", "server_lib", "start-later", "launched",
                 "configured", "thread-join", "waits", "hard-coded; UnknownError in-use",
                 "bad-address; InvalidArgumentError"):
        assert "works " + word in run.out(), word + "\n" + run.out() + run.err()
    assert "chained" in run.out()


@test
def a_job_that_only_waits_says_for_what():
    """As a synchronous worker does when the others have ended."""
    program = """
        import os
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()
        with tf.device("/job:ps/task:0"):
            token = tf.FIFOQueue(1, tf.float32, name="token").dequeue(name="take")
        tf.Session(os.environ["WEIR_RUN_TARGET"]).run(token)
    """
    run = Run(program, options=["--ps", "1", "--workers", "1", "--no-ps-program"])
    run.wait_for("no step has ended for 10 s, and all of them wait")
    run.wait_for("ps 0: a step in flight for ")
    assert re.search(r"ps 0: a step in flight for \S+ s waits for 'take' for ", run.err()), run.err()
    run.child.send_signal(signal.SIGINT)
    run.ends(130)


@test
def a_server_ends_though_its_steps_wait():
    program = """
        import os, signal, threading, time
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()
        queue = tf.FIFOQueue(1, tf.float32)
        ops = [queue.dequeue() for _ in range(4)]
        session = tf.Session(os.environ["WEIR_RUN_TARGET"])
        def wait(op):
            try:
                session.run(op)
            except tf.errors.OpError as e:
                print("ended by", type(e).__name__)
        for op in ops:
            threading.Thread(target=wait, args=[op], daemon=True).start()
        time.sleep(0.5)
        server = int(os.environ["WEIR_RUN_SERVER_PID"])
        begin = time.time()
        os.kill(server, signal.SIGTERM)
        while time.time() < begin + 20:
            try:
                state = open("/proc/%d/stat" % server).read().rpartition(")")[2].split()[0]
            except OSError:
                state = "gone"
            if state in ("gone", "Z"):
                break
            time.sleep(0.01)
        print("gone after %.2f s" % (time.time() - begin))
        os._exit(0)
    """
    run = Run(program, options=["--ps", "0"]).ends(0, 120)
    seconds = float(re.search(r"gone after (\S+) s", run.out()).group(1))
    assert seconds < 5, seconds  # 1 s, on a machine with nothing else to do


def closing(run):
    """The rows of the closing table, by task: steps, waiting, examples/s, gradients."""
    lines = run.err().splitlines()
    at = lines.index("  task            steps  waiting  examples/s   gradients accepted")
    found = [re.match(r"  (\w+ \d+) +(\d+) +(-|\d+ %) +(\S+)   (-|\d+ of \d+)$", l) for l in lines[at + 1:]]
    rows = {m.group(1): m.groups()[1:] for m in found if m}
    assert rows and all(int(r[0]) > 0 for r in rows.values()), run.err()
    assert "Traceback" not in run.err(), "a program that succeeds says nothing of threads\n" + run.err()
    return rows


def train(options, *words):
    """The workers' rows; notes the seconds from start to first step less those of the imports, and
    from the last step until everything is gone."""
    began = time.time()
    run = Run(os.path.join(HERE, "programs", "train.py"), *words, options=options)
    run.ends(0, 180)
    ended = time.time()
    closing(run)
    rows = re.findall(r"\[worker (\d+)\] losses (\S+) (\S+) steps (\d+) last step at (\S+)", run.out())
    for _, first, last, _, _ in rows:
        assert float(last) < float(first) or float(last) < 0.5, rows
    first = re.findall(r"first step at (\S+), imports took (\S+) s", run.out())
    SECONDS.append((max(float(at) - began - float(imports) for at, imports in first),
                    ended - max(float(r[4]) for r in rows)))
    assert SECONDS[-1][1] < 10, "took long to end\n" + run.err()
    check_report(run, rows)
    return rows


def report(run):
    """The folder of the report on what was recorded without being asked for, the recording, and the row of the run."""
    dir = re.search(r"^recorded: (\S+) ", run.err(), re.M).group(1)
    out = os.path.join(run.dir, "report")
    subprocess.run([WEIR, "report", dir, "--out", out], check=True, stdout=subprocess.DEVNULL)
    with open(os.path.join(out, "report.csv")) as f:
        row, = csv.DictReader(f)
    return out, dir, row


@test
def report_without_steps():
    """Nothing is said of the time of steps where there were none."""
    out, _, row = report(Run("import time; time.sleep(1.5)", options=["--ps", "0", "--workers", "1"]).ends(0))
    assert row["steps"] == "0" and row["time with steps (s)"] == row["steps (1/s)"] == "", row
    with open(os.path.join(out, "report.html")) as f:
        assert "first steps" not in f.read()


def check_report(run, rows):
    """Every task over time, and its steps."""
    out, dir, run_row = report(run)
    with open(os.path.join(out, "tasks-1.csv")) as f:
        tasks = list(csv.DictReader(f))
    assert sum(int(t["steps"]) > 0 for t in tasks if t["task"].startswith("worker")) == len(rows), tasks
    assert float(run_row["time with steps (s)"]) > 0.01, run_row  # also where all steps came between two looks
    with open(os.path.join(out, "series.csv")) as f:
        panels = {row["panel"] for row in csv.DictReader(f)}
    assert {"Steps", "CPU of servers", "CPU of machines", "Memory of machines", "Wire in", "Wire out", "Loopback",
            "Disk written"} <= panels, panels
    said = subprocess.run([WEIR, "explain", dir, "-o", "json"], check=True, capture_output=True).stdout
    assert json.loads(said)["verdict"]


@test
def training_in_every_layout():
    for layout, workers in (("PS-W-W", 2), ("PW-W", 2), ("PW-PW", 2)):
        rows = train(["--layout", layout])
        assert len(rows) == workers, rows


@test
def synchronous_training():
    rows = train(["--ps", "1", "--workers", "2"], "--sync", "--steps", "30")
    assert len(rows) == 2, rows


@test
def gradients_of_each_task():
    """Of three workers one gives no gradient in time: it is named at the end."""
    run = Run(os.path.join(HERE, "programs", "backup.py"), options=["--ps", "1", "--workers", "3"])
    rows = closing(run.ends(0, 180))
    accepted, given = map(int, rows["worker 0"][3].split(" of "))
    assert 20 <= accepted <= given, rows
    assert float(rows["worker 0"][2]) > 0, "examples/s of what it fed"
    assert "weir: worker 2 contributed almost nothing" in run.err(), run.err()


def service(greeting):
    """A port where something greets everyone that connects, and reads on."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve():
        while True:
            client = listener.accept()[0]
            client.sendall(greeting)
            client.recv(100)
            client.close()

    threading.Thread(target=serve, daemon=True).start()
    return listener.getsockname()[1]


@test
def other_services_on_the_port():
    import grpc
    from concurrent import futures
    from http.server import BaseHTTPRequestHandler, HTTPServer
    web = HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)
    web.RequestHandlerClass.log_message = lambda *args: None
    threading.Thread(target=web.serve_forever, daemon=True).start()
    other = grpc.server(futures.ThreadPoolExecutor(1))
    other_port = other.add_insecure_port("127.0.0.1:0")
    other.start()
    for port, says in ((service(b"SSH-2.0-OpenSSH_9\r\n"), "an ssh server listens there"),
                       (web.server_port, "an HTTP server that does not speak gRPC listens there"),
                       (other_port, "is another gRPC service, no task of TensorFlow or Weir")):
        r = subprocess.run(
            [WEIR, "server", "--job_name", "worker", "--ps_hosts", "127.0.0.1:%d" % port,
             "--worker_hosts", "127.0.0.1:0", "--start-timeout", "1"], text=True,
            capture_output=True, timeout=30)
        assert r.returncode == 138 and says in r.stderr, (says, r.returncode, r.stderr)
    other.stop(None)
    web.shutdown()


@test
def servers_that_do_not_start():
    config = {"cluster": {"ps": ["127.0.0.1:1"], "worker": ["127.0.0.1:0"]},
              "task": {"type": "worker", "index": 0}}
    run = Run("import time; time.sleep(600)", options=["--start-timeout", "1"],
              env={"TF_CONFIG": json.dumps(config)}).ends(138)
    assert "/job:ps/replica:0/task:0 (127.0.0.1:1) did not answer within 1 s" in run.err(), run.err()
    ssh = os.path.join(run.dir, "ssh")
    with open(ssh, "w") as f:
        f.write("#!/bin/sh\nexec sleep 600\n")
    os.chmod(ssh, 0o755)
    run = Run("pass", options=["--hosts", "a:2", "--ssh", ssh, "--start-timeout", "1"]).ends(138)
    assert "no server of ps 0 on a, worker 0 on a after 1 s" in run.err(), run.err()


def child(run, job, *also):
    """The id of a process that the launcher started, by what its command line has."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/stat" % pid) as f:
                parent = int(f.read().rpartition(")")[2].split()[1])
            with open("/proc/%s/cmdline" % pid, "rb") as f:
                words = f.read().decode().split("\0")
        except OSError:
            continue
        if parent == run.child.pid and job in words and all(w in words for w in also):
            return int(pid)
    raise AssertionError("no process of %s" % job)


@test
def a_parameter_server_that_dies_is_started_again():
    with tempfile.TemporaryDirectory() as d:
        run = Run(os.path.join(HERE, "programs", "train.py"), "--steps", "4000", "--checkpoints", d,
                  options=["--restarts", "1", "--workers", "2"])
        run.wait_for("[worker 0] first step", 120)  # the chief's: there is a checkpoint
        os.kill(child(run, "ps", "--cluster_spec"), signal.SIGKILL)
        run.ends(0, 180)
        assert "[ps 0] weir: the server is started again (1 of 1)" in run.err(), run.err()
        assert "Restoring parameters from " + d in run.err(), run.err()
        assert run.out().count("losses") == 2, run.out()


def main():
    global WEIR
    ap = argparse.ArgumentParser()
    ap.add_argument("--weir", default=os.path.join(HERE, "..", "build", "release", "weir"))
    ap.add_argument("-k", default="", help="only tests whose names contain this text")
    ap.add_argument("--times", type=int, default=1, help="run every test this many times")
    args = ap.parse_args()
    WEIR = os.path.abspath(args.weir)
    passed = failed = 0
    for t in [t for t in TESTS if args.k in t.__name__] * args.times:
        start = time.time()
        try:
            t()
            passed += 1
        except Exception:
            failed += 1
            print("FAIL %s after %.1f s" % (t.__name__, time.time() - start))
            traceback.print_exc(file=sys.stdout)
    if SECONDS:
        print("training: first step at most %.2f s after start and imports, gone at most %.2f s after the "
              "last step, %d jobs" % (*map(max, zip(*SECONDS)), len(SECONDS)))
    print("launch: %d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
