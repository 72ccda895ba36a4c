"""Clusters of this machine's ports, of Weir's tasks and TensorFlow's in any mixture.

    with Cluster("ps:weir worker:weir worker:tf") as c:
        tf.Session(c.target("worker", 0))

All of TensorFlow's tasks of a cluster live in one process of their own, started when needed.
"""
import json
import os
import random
import socket
import subprocess
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")

TF_TASKS = """
import json, sys
import tensorflow as tf
cluster, tasks, config = json.loads(sys.argv[1]), json.loads(sys.argv[2]), sys.argv[3]
proto = tf.compat.v1.ConfigProto()
proto.ParseFromString(bytes.fromhex(config))
servers = [tf.distribute.Server(tf.train.ClusterSpec(cluster), job_name=j, task_index=i,
                                config=proto) for j, i in tasks]
print("ready", flush=True)
sys.stdin.read()
"""


def free_ports(count):
    """Ports that nothing listens on, and that the system gives to nobody before a server takes them: they lie below
    the range of those that connections and port 0 get."""
    with open("/proc/sys/net/ipv4/ip_local_port_range") as f:
        end = int(f.read().split()[0])
    held = []
    while len(held) < count:
        s = socket.socket()
        try:
            s.bind(("localhost", random.randrange(10000, end) if end > 12000 else 0))
            held.append(s)
        except OSError:
            s.close()
    ports = [s.getsockname()[1] for s in held]
    for s in held:
        s.close()
    return ports


class Cluster:
    def __init__(self, tasks, weir=None, start=True, config=b"", env=None, host="localhost"):
        """tasks: "job:kind", kind weir, tf or none (an address where nobody is)."""
        self.weir = weir or os.path.join(ROOT, "build", "release", "weir")
        self.config = config
        self.env = dict(os.environ, **(env or {}))
        self.spec, self.kinds, self.processes = {}, {}, {}
        names = tasks.split()
        for name, port in zip(names, free_ports(len(names))):
            job, kind = name.split(":")
            self.kinds[job, len(self.spec.setdefault(job, []))] = kind
            self.spec[job].append("%s:%d" % (host, port))
        if start:
            self.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def target(self, job, task):
        return "grpc://" + self.spec[job][task]

    def start(self):
        tf_tasks = [t for t, kind in self.kinds.items() if kind == "tf"]
        if tf_tasks:
            self.processes["tf"] = self._spawn(
                [sys.executable, "-c", TF_TASKS, json.dumps(self.spec), json.dumps(tf_tasks),
                 self.config.hex()],
                dict(self.env, TF_CPP_MIN_LOG_LEVEL=self.env.get("TF_CPP_MIN_LOG_LEVEL", "3")))
        for task, kind in self.kinds.items():
            if kind == "weir":
                self.start_task(*task, wait=False)
        for p in self.processes.values():
            self._wait(p)

    def start_task(self, job, task, wait=True, under=()):
        command = [*under, self.weir, "server", "--job_name", job, "--task_index", str(task),
                   "--until_eof"]
        for name, hosts in self.spec.items():
            command += ["--%s_hosts" % name, ",".join(hosts)]
        self.processes[job, task] = self._spawn(command, self.env)
        if wait:
            self._wait(self.processes[job, task])

    def stop_task(self, job, task):
        """Ends a task at once, as a crash would."""
        p = self.processes.pop((job, task))
        p.kill()
        p.wait()

    def alive(self):
        return all(p.poll() is None for p in self.processes.values())

    def stop(self):
        for p in self.processes.values():
            p.stdin.close()
        for p in self.processes.values():
            try:
                p.wait(10)
            except subprocess.TimeoutExpired:
                p.kill()
                p.wait()
        self.processes = {}

    @staticmethod
    def _spawn(command, env):
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env,
                                text=True)

    @staticmethod
    def _wait(p):
        line = p.stdout.readline()
        assert line, "a server ended before it was ready"
