#!/usr/bin/env python3
"""weir run and weir server as the tasks of a real Slurm: slurmctld, four slurmd and munged, started
here in a private folder, on one machine. The nodes are addresses of its loopback.

    tests/slurm_test.py [--weir PATH] [--quick]

Needs root and Debian's slurmctld, slurmd, slurm-client and munge; says so where they are missing.
"""
import argparse
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
NEEDED = ("slurmctld", "slurmd", "srun", "scontrol", "munged")
NODES = "127.0.0.[11-14]"

CONF = """
ClusterName=weir
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ctld}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={dir}/munge.socket
CredType=cred/munge
StateSaveLocation={dir}/state
SlurmdSpoolDir={dir}/spool/%n
SlurmctldPidFile={dir}/slurmctld.pid
SlurmdPidFile={dir}/%n.pid
SlurmctldLogFile={dir}/slurmctld.log
SlurmdLogFile={dir}/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/linear
SchedulerType=sched/builtin
JobAcctGatherType=jobacct_gather/none
ReturnToService=2
SlurmdParameters=config_overrides
SlurmctldParameters=enable_configless
KillWait=2
InactiveLimit=0
NodeName={nodes} NodeHostname={host} NodeAddr={nodes} Port=[{port}-{last}] CPUs=4 RealMemory=100 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""

SHOW = """
import json, os, sys
print("task", os.environ["TF_CONFIG"], *sys.argv[1:])
"""

JOIN = """
import json, os, socket, sys, time
task = json.loads(os.environ["TF_CONFIG"])["task"]
if task["type"] == "ps":
    s = socket.socket(socket.AF_UNIX)
    s.connect(os.environ["WEIR_RUN_CONTROL"])
    s.sendall(b"join\\n")
    s.recv(1)
    print("released")
elif task["index"] == 2:
    print("the cause", file=sys.stderr)
    sys.exit(int(sys.argv[1]))
elif int(sys.argv[1]):
    time.sleep(600)
"""


def is_free(port):
    with socket.socket() as s:
        try:
            s.bind(("", port))
        except OSError:
            return False
    return True


def free_ports(count):
    """The first of so many free ports in a row, below those that the system gives to other programs."""
    while True:
        first = random.randrange(20000, 32000)
        if all(is_free(first + i) for i in range(count)):
            return first


class Slurm:
    def __init__(self, folder):
        self.dir, self.children = folder, []
        self.env = {k: v for k, v in os.environ.items() if not k.startswith("SLURM")}
        self.env["SLURM_CONF"] = folder + "/slurm.conf"

    def __enter__(self):
        try:
            self.begin()
        except BaseException:
            self.__exit__()
            raise
        return self

    def begin(self):
        host, port = socket.gethostname().split(".")[0], free_ports(8)
        os.makedirs(self.dir + "/state")
        for i in range(11, 15):
            os.makedirs(self.dir + "/spool/127.0.0.%d" % i)
        with open(self.dir + "/slurm.conf", "w") as f:
            f.write(CONF.format(dir=self.dir, host=host, ctld=port, port=port + 1, last=port + 4,
                                nodes=NODES))
        with open(self.dir + "/munge.key", "wb") as f:
            f.write(os.urandom(128))
        os.chmod(self.dir + "/munge.key", 0o600)
        self.start("munged", "--foreground", "--force", "--key-file", self.dir + "/munge.key",
                   "--socket", self.dir + "/munge.socket", "--pid-file", self.dir + "/munge.pid",
                   "--log-file", self.dir + "/munge.log", "--seed-file", self.dir + "/munge.seed")
        self.until(lambda: os.path.exists(self.dir + "/munge.socket"), "munged")
        self.start("slurmctld", "-D", "-i")
        for i in range(11, 15):
            self.start("slurmd", "-D", "-N", "127.0.0.%d" % i)
        self.until(self.all_idle, "the nodes")

    def start(self, *words):
        log = open(self.dir + "/%s.out" % "-".join(words[:4]).replace("/", ""), "w")
        self.children.append(subprocess.Popen(words, env=self.env, stdin=subprocess.DEVNULL,
                                              stdout=log, stderr=subprocess.STDOUT))

    def all_idle(self):
        done = subprocess.run(["sinfo", "-h", "-N", "-o", "%N %t"], env=self.env, text=True,
                              capture_output=True)
        return done.stdout.count(" idle") == 4

    def until(self, holds, what, seconds=40):
        end = time.time() + seconds
        while not holds():
            for child in self.children:
                assert child.poll() is None, "%s ended\n%s" % (child.args, self.logs())
            assert time.time() < end, "%s did not come up\n%s" % (what, self.logs())
            time.sleep(0.1)

    def logs(self):
        text = ""
        for name in sorted(os.listdir(self.dir)):
            if name.endswith((".log", ".out")):
                with open(os.path.join(self.dir, name), errors="replace") as f:
                    text += "--- %s\n%s" % (name, f.read()[-1500:])
        return text

    def __exit__(self, *_):
        subprocess.run(["scancel", "--user=root", "--signal=KILL"], env=self.env,
                       capture_output=True)
        for child in reversed(self.children):
            child.terminate()
        for child in self.children:
            try:
                child.wait(5)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()

    def srun(self, *words, status=0, seconds=120):
        child = subprocess.Popen(["srun", "--mpi=none", *words], env=dict(
            self.env, WEIR_PYTHON=sys.executable, TF_CPP_MIN_LOG_LEVEL="3"), cwd=self.dir,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            out, _ = child.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            child.send_signal(signal.SIGINT)
            child.send_signal(signal.SIGINT)
            time.sleep(1)
            child.kill()
            out, _ = child.communicate()
            raise AssertionError("srun did not end\n%s\n%s" % (out, self.logs()))
        assert child.returncode == status, "srun: %d, not %d\n%s" % (child.returncode, status, out)
        return out

    def program(self, text):
        path = tempfile.mkstemp(suffix=".py", dir=self.dir)[1]
        with open(path, "w") as f:
            f.write(text)
        return path


def runs_as_a_cluster(slurm, weir):
    out = slurm.srun("-N4", "-n8", weir, "run", slurm.program(SHOW), "{job}", "{index}")
    tasks = re.findall(r"\[(\w+ \d+)\] task (\{.*\}) (\w+ \d+)$", out, re.M)
    assert len(tasks) == 8 and all(t[0] == t[2] for t in tasks), out
    assert sorted({t[0] for t in tasks}) == ["ps 0"] + ["worker %d" % i for i in range(7)], out
    hosts = re.findall(r'"(127\.0\.0\.\d+):(\d+)"', tasks[0][1])
    assert [h[0] for h in hosts] == ["127.0.0.%d" % i for i in (11, 11, 12, 12, 13, 13, 14, 14)], out
    assert len(set(hosts)) == 8, out


def parameter_servers_end(slurm, weir):
    out = slurm.srun("-N4", "-n8", weir, "run", "--ps", "2", slurm.program(JOIN), "0")
    assert out.count("released") == 2 and "[ps 1] released" in out, out


def a_failure_ends_the_step(slurm, weir):
    out = slurm.srun("-N4", "-n8", weir, "run", slurm.program(JOIN), "3", status=3)
    assert "worker 2 on 127.0.0.12:" in out and "failed with exit status 3" in out, out
    assert "  the cause" in out, out
    out = slurm.srun("-n4", weir, "run", "--workers", "2", "x.py", status=1)
    assert "the step has 4 tasks, not 1 parameter servers and 2 workers" in out, out


def servers_alone(slurm, weir):
    """`srun weir server`: every task finds its place, and ends with the step."""
    out = slurm.srun("-N2", "-n4", "timeout", "--preserve-status", "3", weir, "server", "--ps", "1")
    assert len(set(re.findall(r"grpc://127\.0\.0\.1[1-4]:\d+", out))) == 4, out


def trains(slurm, weir):
    out = slurm.srun("-N4", "-n4", weir, "run", os.path.join(HERE, "programs", "train.py"),
                     seconds=240)
    assert len(re.findall(r"\[worker \d\] losses", out)) == 3, out


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--weir", default=os.path.join(HERE, "..", "build", "release", "weir"))
    ap.add_argument("--quick", action="store_true", help="without TensorFlow")
    args = ap.parse_args()
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    missing = [c for c in NEEDED if not shutil.which(c)]
    if missing or os.getuid() != 0:
        print("slurm: not tested, for %s" % ("there is no " + ", ".join(missing) if missing
                                             else "only root can start Slurm's daemons"))
        print("slurm: 0 passed, 0 failed")
        return 0
    passed = failed = 0
    folder = tempfile.mkdtemp(prefix="weir-slurm-")
    try:
        with Slurm(folder) as slurm:
            tests = [runs_as_a_cluster, parameter_servers_end, a_failure_ends_the_step, servers_alone]
            for t in tests if args.quick else tests + [trains]:
                try:
                    t(slurm, os.path.abspath(args.weir))
                    passed += 1
                except Exception:
                    failed += 1
                    print("FAIL %s" % t.__name__)
                    traceback.print_exc(file=sys.stdout)
    except AssertionError as e:
        failed += 1
        print("FAIL Slurm itself: %s" % e)
    shutil.rmtree(folder, ignore_errors=True)
    print("slurm: %d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
