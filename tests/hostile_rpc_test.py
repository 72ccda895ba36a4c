#!/usr/bin/env python3
"""Clients that send every method of a server's services with damaged messages, in any order and at once.

    tests/hostile_rpc_test.py [--weir PATH] [--seed N] [--seconds S] [--clients N] [--calls N]

Two tasks (ps, worker) get calls from clients that each follow a seed: valid requests built of the handles, keys and steps
that are known so far, damaged by mutate_messages.py more often than not, cancelled or given up now and then; of RunGraph
also streams of values. Meanwhile one well-behaved client is served. Any status is right; a task that ends, hangs, or grows without end is not.
"""
import argparse
import os
import random
import subprocess
import sys
import tempfile
import threading
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import grpc
import numpy as np
from google.protobuf import message_factory
from tensorflow.core.framework import graph_pb2
from tensorflow.python.framework import tensor_util

import clusters
import damaged_functions
import messages_test
import mutate_messages
import pb
import random_graphs
import trust_test

F, S = pb.T("f32"), pb.T("str")
MASTER = ["CreateSession", "ExtendSession", "PartialRunSetup", "RunStep", "CloseSession", "ListDevices", "Reset",
          "MakeCallable", "RunCallable", "ReleaseCallable"]
WORKER = ["GetStatus", "CreateWorkerSession", "DeleteWorkerSession", "RegisterGraph", "DeregisterGraph", "RunGraph",
          "CleanupGraph", "CleanupAll", "RecvTensor", "RecvBuf", "CompleteGroup", "CompleteInstance", "GetStepSequence",
          "MarkRecvFinished", "Logging", "Tracing"]
JOBS = ["ps", "worker"]
MASTER_TASK = "/job:worker/replica:0/task:0"
ENDS = ["CloseSession", "Reset", "DeleteWorkerSession", "DeregisterGraph", "CleanupAll", "CreateWorkerSession"]
KEY = "/job:%s/replica:0/task:0/device:CPU:0;%016x;/job:%s/replica:0/task:0/device:CPU:0;%s;0:0"


def small_graph():
    """A variable, a queue, two tasks, a feed."""
    g = pb.GraphDef()
    x = g.placeholder("f32", [], name="x")
    v = g.node("VarHandleOp", name="v", dtype=F, shape=pb.Shape([]), shared_name="v", device="/job:ps/task:0")
    g.node("AssignVariableOp", v, g.const(1.0), name="init", dtype=F)
    r = g.node("ReadVariableOp", v, name="r", dtype=F)
    y = g.node("AddV2", x, r, name="y", T=F, device="/job:worker/task:0")
    g.node("Neg", y, name="z", T=F, device="/job:ps/task:0")
    q = g.node("FIFOQueueV2", name="q", component_types=[F], shapes=[pb.Shape([])])
    g.node("QueueDequeueV2", q, name="get", component_types=[F])
    g.node("QueueEnqueueV2", q, y, name="put", Tcomponents=[F])
    return g.bytes()


def partition(own, other):
    """What a master registers with a worker: an input that is received, an output that is sent."""
    there, here = ["/job:%s/replica:0/task:0/device:CPU:0" % job for job in (other, own)]
    g, coming = pb.GraphDef(), dict(send_device=there, send_device_incarnation=1, recv_device=here, client_terminated=False)
    x = g.node("_Recv", name="in", tensor_type=F, tensor_name="x", device=here, **coming)
    y = g.node("Neg", x, T=F, name="y", device=here)
    going = dict(coming, send_device=here, recv_device=there)
    g.node("_Send", y, name="out", T=F, tensor_name="y", device=here, **going)
    c = g.node("Const", name="c", dtype=F, value=np.float32(3), device=here)
    g.node("_Send", c, name="out2", T=F, tensor_name="c", device=here, **dict(going, client_terminated=True))
    return g.bytes()


class Known:
    """What clients learnt from answers, shared by all of them."""

    def __init__(self, rng):
        self.sessions, self.partial, self.callables = [], [], []
        self.graphs = [[], []]  # by task: (worker session, handle)
        self.worker_sessions = ["w0", "w1"]
        self.donors = mutate_messages.Donors()
        self.partitions = [partition(*JOBS), partition(*JOBS[::-1])]
        self.seeds = [small_graph(), *self.partitions]
        self.seeds += [random_graphs.make(rng.randrange(1 << 20)).graph for _ in range(15)]
        self.seeds += [damaged_functions.graph(rng.randrange(1 << 20))[0] for _ in range(15)]
        for data in self.seeds:
            try:
                self.donors.add(graph_pb2.GraphDef.FromString(data))
            except Exception:
                pass

    def any(self, rng, held, other=""):
        return rng.choice(held[-8:]) if held and rng.random() < 0.95 else other or "nothing"


class Caller:
    """One client with a connection to each task."""

    def __init__(self, known, classes, targets, seed, calls):
        self.known, self.classes, self.rng, self.left = known, classes, random.Random(seed), calls
        self.channels = [grpc.insecure_channel(t, options=[("grpc.use_local_subchannel_pool", 1)]) for t in targets]
        self.codes, self.sent, self.failure = {}, {}, None
        self.at = 0  # the task that is called

    def message(self, kind, /, **fields):
        return self.classes["tensorflow." + kind](**fields)

    def graph(self):
        rng = self.rng
        data = self.known.seeds[0] if rng.random() < 0.5 else rng.choice(self.known.seeds)
        try:
            return graph_pb2.GraphDef.FromString(data)
        except Exception:
            return graph_pb2.GraphDef.FromString(self.known.seeds[0])

    def tensor(self, name):
        return self.message("NamedTensorProto", name=name, tensor=graph_tensor(self.rng))

    def request(self, method):
        k, rng = self.known, self.rng
        session = k.any(rng, k.sessions)
        step = rng.choice([1, 2, 3, 7, 0, -1, 1 << 62])
        worker, graph = k.any(rng, k.graphs[self.at], (k.any(rng, k.worker_sessions), "nothing"))
        if method in ("CreateWorkerSession", "RegisterGraph") or rng.random() < 0.1:
            worker = k.any(rng, k.worker_sessions)
        key = KEY % (rng.choice(["ps", "worker"]), rng.choice([0, 1, 5]), rng.choice(["ps", "worker"]), rng.choice("xyc"))
        names = lambda *some: rng.sample(some, rng.randrange(len(some)))
        forms = {
            "CreateSession": lambda: dict(graph_def=self.graph()),
            "ExtendSession": lambda: dict(session_handle=session, graph_def=self.graph(),
                                          current_graph_version=rng.choice([0, 1, 2])),
            "PartialRunSetup": lambda: dict(session_handle=session, feed=["x:0"], fetch=["y:0", "z:0"]),
            "RunStep": lambda: dict(session_handle=session, feed=[self.tensor("x:0")], fetch=names("y:0", "z:0", "r:0"),
                                    target=names("init", "put", "get"), request_id=rng.choice([0, 0, 0, rng.getrandbits(62), 99]),
                                    partial_run_handle=k.any(rng, k.partial) if rng.random() < 0.3 else ""),
            "CloseSession": lambda: dict(session_handle=session),
            "ListDevices": lambda: dict(session_handle=session),
            "Reset": lambda: dict(container=rng.choice([[], ["a"]])),
            "MakeCallable": lambda: dict(session_handle=session, options=self.message(
                "CallableOptions", feed=["x:0"], fetch=["y:0"], target=names("init", "put"))),
            "RunCallable": lambda: dict(session_handle=session, handle=k.any(rng, k.callables, 1),
                                        feed=[graph_tensor(rng)]),
            "ReleaseCallable": lambda: dict(session_handle=session, handle=k.any(rng, k.callables, 1)),
            "CreateWorkerSession": lambda: dict(session_handle=worker, server_def=self.server_def(),
                                                master_task=rng.choice([MASTER_TASK] * 6 + ["", "/job:x"])),
            "DeleteWorkerSession": lambda: dict(session_handle=worker),
            "RegisterGraph": lambda: dict(session_handle=worker, graph_def=graph_pb2.GraphDef.FromString(k.partitions[self.at]),
                                          create_worker_session_called=True),
            "DeregisterGraph": lambda: dict(session_handle=worker, graph_handle=graph, create_worker_session_called=True),
            "RunGraph": lambda: dict(session_handle=worker, graph_handle=graph, step_id=step, send=[self.tensor(key)],
                                     recv_key=[key] if rng.random() < 0.3 else [], create_worker_session_called=True,
                                     is_partial=rng.random() < 0.2, is_last_partial_run=rng.random() < 0.2),
            "CleanupGraph": lambda: dict(step_id=step),
            "CleanupAll": lambda: dict(container=rng.choice([[], ["a"]])),
            "RecvTensor": lambda: dict(step_id=step, rendezvous_key=key, request_id=rng.choice([0, 0, rng.getrandbits(62), 5])),
            "RecvBuf": lambda: dict(step_id=step, buf_rendezvous_key=key, num_bytes=rng.choice([0, 4, 1 << 40]),
                                    src_device="/job:ps/task:0/cpu:0", dst_device="/job:worker/task:0/cpu:0"),
            "CompleteGroup": lambda: dict(group_key=rng.choice([1, 2]), group_size=rng.choice([1, 2, 1 << 30]),
                                          device_type="CPU", collective_type=rng.randrange(5)),
            "CompleteInstance": lambda: dict(name="a", type=rng.randrange(5), data_type=1, group_key=1,
                                             group_size=rng.choice([1, 2]), instance_key=rng.choice([1, 2]),
                                             device="/job:ps/task:0/cpu:0"),
            "GetStepSequence": lambda: dict(graph_key=rng.choice([[], [1], [1, 2, 3]])),
            "MarkRecvFinished": lambda: dict(request_id=5),
            "Logging": lambda: dict(enable_rpc_logging=True, fetch_step_id=[step]),
        }
        return self.message(method + "Request", **forms.get(method, dict)())

    def value(self, key):
        """A message of a step's stream, as a rule: the key, and what RecvTensor would answer."""
        rng = self.rng
        answer = self.message("RecvTensorResponse", is_dead=rng.random() < 0.1, tensor=tensor_util.make_tensor_proto(
            np.zeros(rng.choice([0, 1, 1000, 20000, 300000]), np.float32)))
        if rng.random() < 0.3:
            answer.transport_options.type_url = "weir.WireType"
            answer.transport_options.value = rng.choice([b"bfloat16", b" =", b" =1.0.1.1", b"half x", b"=", b" " * 400])
        data = self.damaged(answer) if rng.random() < 0.3 else answer.SerializeToString()
        label = len(key) + 1 if rng.random() < 0.8 else rng.choice([0, 1, 5, len(key), 1 << 20, (1 << 64) - 1])
        data = rng.choice([b""] + 5 * [data]) if rng.random() < 0.8 else mutate_messages.data(rng, data)
        return pb.varint(label) + key.encode() + data

    def by_stream(self, path, request):
        """RunGraph as a master of Weir's calls it: values follow the request. Gives a future of the answer."""
        rng = self.rng
        own, other = JOBS[self.at], JOBS[1 - self.at]
        values = [self.value(KEY % (other, 1, own, rng.choice("xxyc"))) for _ in range(rng.choice([0, 1, 3, 20]))]
        call = self.channels[self.at].stream_stream(path, trust_test.IDENTITY, trust_test.IDENTITY)
        answers = call(iter([request] + values), timeout=rng.choice([0.02, 0.1, 0.5]),
                       metadata=[("weir-stream", str(rng.choice([0, 100, 65536, 1 << 20, 1 << 62])))])
        if rng.random() < 0.1:
            answers.cancel()
        for _ in answers:
            pass

    def server_def(self):
        cluster = self.message("ClusterDef")
        for job in JOBS:
            cluster.job.add(name=job).tasks[0] = self.rng.choice(["127.0.0.1:1", "127.0.0.1:2", "127.0.0.1:9", "unix:/none"])
        return self.message("ServerDef", cluster=cluster, job_name=JOBS[self.at], task_index=0, protocol="grpc")

    def learn(self, method, request, answer):
        k = self.known
        held, field = {"CreateSession": (k.sessions, "session_handle"), "PartialRunSetup": (k.partial, "partial_run_handle"),
                       "MakeCallable": (k.callables, "handle"),
                       "RegisterGraph": (k.graphs[self.at], "graph_handle")}.get(method, (None, ""))
        if field:
            value = getattr(self.classes["tensorflow.%sResponse" % method].FromString(answer), field)
            held.append((request.session_handle, value) if method == "RegisterGraph" else value)
            del held[:-30]
        if method == "CreateWorkerSession":
            k.worker_sessions.append(request.session_handle)
            del k.worker_sessions[:-10]

    def damaged(self, message):
        """The bytes of |message| after some changes."""
        rng = self.rng
        while True:
            mutate_messages.mutate(message, rng, self.known.donors)
            try:
                data = message.SerializeToString()
            except (ValueError, TypeError, UnicodeError):
                continue  # protobuf does not write it
            return mutate_messages.data(rng, data) if rng.random() < 0.1 else data

    def plainly(self, path, data):
        call = self.channels[self.at].unary_unary(path, trust_test.IDENTITY, trust_test.IDENTITY)
        future = call.future(data, timeout=self.rng.choice([0.02, 0.3, 2]))
        if self.rng.random() < 0.1:
            future.cancel()
        return future.result()

    def begin_again(self):
        """A session of the task with a graph, undamaged, as somebody has ended what was known."""
        self.known.graphs[self.at].clear()
        handle = "w%d" % self.rng.randrange(1000)
        for method in ("CreateWorkerSession", "RegisterGraph"):
            request = self.request(method)
            request.session_handle = handle
            try:
                self.learn(method, request, self.plainly("/tensorflow.WorkerService/" + method, request.SerializeToString()))
            except (grpc.RpcError, grpc.FutureCancelledError):
                return

    def one(self):
        rng = self.rng
        service = "Master" if rng.random() < 0.5 else "Worker"
        method = rng.choice(MASTER + ["RunStep"] * 6 if service == "Master" else WORKER + ["RunGraph", "RegisterGraph"] * 3)
        if method in ENDS and rng.random() < 0.85:  # what others know would not live long enough to be used
            method = "RunStep" if service == "Master" else "RunGraph"
        self.at = rng.randrange(len(self.channels))
        request = self.request(method)
        data = self.damaged(request) if rng.random() < 0.6 else request.SerializeToString()
        path = "/tensorflow.%sService/%s" % (service, method)
        self.sent[method] = self.sent.get(method, 0) + 1
        try:
            if method == "RunGraph" and rng.random() < 0.5:
                self.by_stream(path, data)
            else:
                self.learn(method, request, self.plainly(path, data))
            code = "OK"
        except grpc.FutureCancelledError:
            code = "CANCELLED"
        except grpc.RpcError as e:
            code = e.code().name
            if method == "RunGraph" and code == "ABORTED" and "not found" in e.details():
                self.begin_again()
        except Exception:
            code = "unread"
        self.codes[code] = self.codes.get(code, 0) + 1

    def run(self, end):
        while time.time() < end and self.left > 0:
            self.left -= 1
            try:
                self.one()
            except Exception as error:  # pylint: disable=broad-except
                self.failure = error
                break
        for c in self.channels:
            c.close()


def graph_tensor(rng):
    return tensor_util.make_tensor_proto(np.float32(rng.choice([0, 1, float("nan")])))


def memory(pid):
    with open("/proc/%d/statm" % pid) as f:
        return int(f.read().split()[1]) * 4096 / 1e6


class Tasks:
    """ps and worker, each confined to an empty folder."""

    def __init__(self, weir, folder, env=None):
        ports = clusters.free_ports(2)
        self.targets = ["127.0.0.1:%d" % p for p in ports]
        self.processes, self.logs = [], []
        for job in JOBS:
            self.logs.append(os.path.join(folder, job + ".log"))
            self.processes.append(subprocess.Popen(
                [weir, "server", "--job_name", job, "--task_index", "0", "--ps_hosts", self.targets[0], "--worker_hosts",
                 self.targets[1], "--root", folder, "--memory", "512M"], stdout=open(self.logs[-1], "wb"),
                stderr=subprocess.STDOUT, env=dict(os.environ, **(env or {}))))

    def check(self):
        for process, log in zip(self.processes, self.logs):
            if process.poll() is not None:
                with open(log, errors="replace") as f:
                    raise AssertionError("a task ended with %d: %s" % (process.returncode, f.read()[-6000:]))

    def why(self, error):
        """What a task said at its end, if one has ended, rather than that it cannot be reached."""
        time.sleep(1)
        try:
            self.check()
        except AssertionError as ended:
            return ended
        return error

    def stop(self):
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            assert process.wait(60) == 0, "it ended with %s" % process.returncode

    def kill(self):
        for process in self.processes:
            process.kill()


def served(target):
    """Seconds for a well-behaved client to make a session, run a step and go."""
    start, client = time.time(), trust_test.Client(target)
    session = client.session(trust_test.simple_graph())
    client.run(session, ["y:0"], feeds=[("x:0", 1.0)], timeout=30)
    client.call("CloseSession", pb.field_bytes(1, session))
    client.close()
    return time.time() - start


def attack(args, tasks, classes):
    rng = random.Random("rpc %d" % args.seed)
    known, end, slowest = Known(rng), time.time() + args.seconds, 0
    callers = [Caller(known, classes, tasks.targets, "rpc %d %d" % (args.seed, k), args.calls) for k in range(args.clients)]
    threads = [threading.Thread(target=c.run, args=(end,)) for c in callers]
    for t in threads:
        t.start()
    while any(t.is_alive() for t in threads):
        for target in tasks.targets:
            tasks.check()
            slowest = max(slowest, served(target))
        time.sleep(0.2)
    for t in threads:
        t.join()
    tasks.check()
    codes, sent = {}, {}
    for c in callers:
        if c.failure:
            raise c.failure
        for total, part in ((codes, c.codes), (sent, c.sent)):
            for name, count in part.items():
                total[name] = total.get(name, 0) + count
    unsent = [m for m in MASTER + WORKER if m not in sent]
    assert not unsent or sum(sent.values()) < 2000, "never sent: %s" % unsent
    return sum(sent.values()), codes, slowest


def options():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    ap.add_argument("--weir", default=os.path.join(HERE, "..", "build", "release", "weir"))
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--seconds", type=float, default=8)
    ap.add_argument("--calls", type=int, default=1 << 30, help="of each client")
    ap.add_argument("--clients", type=int, default=6)
    ap.add_argument("--slow", type=float, default=10, help="seconds for the well-behaved client that are a finding")
    ap.add_argument("--megabytes", type=float, default=900, help="resident memory that is a finding")
    return ap.parse_args()


def main():
    args = options()
    pool = messages_test.load_descriptors()
    classes = {name: message_factory.GetMessageClass(pool.FindMessageTypeByName(name)) for name in
               ["tensorflow." + m + kind for m in MASTER + WORKER for kind in ("Request", "Response")] +
               ["tensorflow.NamedTensorProto", "tensorflow.CallableOptions", "tensorflow.ServerDef", "tensorflow.ClusterDef"]}
    with tempfile.TemporaryDirectory(prefix="hostile.") as folder:
        tasks = Tasks(args.weir, folder)
        try:
            for target in tasks.targets:
                trust_test.eventually(lambda: trust_test.code_of(lambda: served(target)) == "OK")
            calls, codes, slowest = attack(args, tasks, classes)
            held = [memory(p.pid) for p in tasks.processes]
            print("%d calls: %s; another client at most %.2f s; %s MB" % (
                calls, dict(sorted(codes.items())), slowest, [round(m) for m in held]), flush=True)
            assert max(held) < args.megabytes and slowest < args.slow
            tasks.stop()
        except Exception as error:  # pylint: disable=broad-except
            error = tasks.why(error)
            print("FAIL seed %d: %s %s" % (args.seed, type(error).__name__, error))
            print("hostile-rpc: 0 passed, 1 failed")
            return 1
        finally:
            tasks.kill()
    print("hostile-rpc: 1 passed, 0 failed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
