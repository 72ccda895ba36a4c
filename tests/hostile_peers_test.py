#!/usr/bin/env python3
"""A task whose cluster is hostile: workers and leaders that answer wrongly, clients that race with themselves.

    tests/hostile_peers_test.py [--weir PATH] [--lib PATH] [--seeds N] [--first SEED] [--only NAME[,NAME]] [--preload PATH]

Each kind of attack has N seeds, which determine the graphs and every answer:

    worker    the master's other task answers GetStatus, RegisterGraph, RunGraph and RecvTensor with values of other types,
              shapes, lengths and keys, twice, never, too many, before it was asked; as streams, and without
    leader    the leader of collective ops answers with other groups, ranks, sources, buffers and steps
    races     two connections use one session at once: partial runs fed and fetched twice, callables released, sessions
              extended, closed and reset while steps run; a worker's steps are cleaned up and deregistered while they run
    server    a server answers a client of the C API with other types, counts, codes and handles

Any status is right. A task that ends, hangs, keeps what it was given, or stops serving another client is not.
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
from tensorflow.core.framework import graph_pb2
from tensorflow.python.framework import tensor_util

import clusters
import hostile_answers
import hostile_peer
import pb
import trust_test
from hostile_answers import CLASSES, CPU, TASKS, WORKER_FETCHES, WORKER_TYPES, message

F = pb.T("f32")
# CreateSession.config.device_filters: of a session of one task
OWN_ONLY = {job: pb.field_bytes(2, pb.field_bytes(4, "/job:" + job)) for job in ("chief", "worker", "ps")}


# ---- the attacked task -----------------------------------------------------------------------------------------------

class Task:
    """weir server, one task of a cluster with a task of each job of |ports|: others of these, or a hostile peer."""

    def __init__(self, weir, folder, ports, job="worker", options=(), env=None):
        self.log = os.path.join(folder, "%s-%d.log" % (job, ports[job]))
        self.target, self.job = "127.0.0.1:%d" % ports[job], job
        hosts = [word for name, port in ports.items() for word in ("--%s_hosts" % name, "127.0.0.1:%d" % port)]
        self.process = subprocess.Popen(
            [weir, "server", "--job_name", job, "--task_index", "0", *hosts, "--root", folder, "--memory", "512M", *options],
            stdout=open(self.log, "wb"), stderr=subprocess.STDOUT, env=dict(os.environ, **(env or {})))

    def said(self):
        with open(self.log, errors="replace") as f:
            return f.read()[-6000:]

    def check(self):
        assert self.process.poll() is None, "the task ended with %s: %s" % (self.process.returncode, self.said())

    def memory(self):
        with open("/proc/%d/statm" % self.process.pid) as f:
            return int(f.read().split()[1]) * 4096 / 1e6

    def threads(self):
        return len(os.listdir("/proc/%d/task" % self.process.pid))

    def served(self):
        """Another client has a session of this task alone; it must be answered."""
        client = trust_test.Client(self.target)
        session = open_session(client, trust_test.simple_graph(), OWN_ONLY[self.job])
        client.run(session, ["y:0"], feeds=[("x:0", 1.0)], timeout=45)
        client.call("CloseSession", pb.field_bytes(1, session))
        client.close()

    def settle(self):
        trust_test.eventually(lambda: trust_test.code_of(self.served) == "OK")

    def stop(self):
        self.process.terminate()
        code = self.process.wait(120)
        assert code == 0, "the task ended with %s: %s" % (code, self.said())

    def kill(self):
        self.process.kill()
        self.process.wait()


def quietly(call):
    """The name of a call's status."""
    try:
        call()
        return "OK"
    except grpc.RpcError as error:
        return error.code().name


def step(client, session, fetches=(), timeout=1.0, partial=None, **rest):
    request = trust_test.step(session, fetches, **rest) + (pb.field_bytes(6, partial) if partial else b"")
    return client.call("RunStep", request, timeout=timeout)


def attack_by_peer(args, task, peer, kind, seed, tally):
    """One session of the task whose other task, |peer|, follows the seed."""
    rng = random.Random("%s %d" % (kind, seed))
    peer.answer = (hostile_answers.Leader if kind == "leader" else hostile_answers.Behaviour)("%s peer %d" % (kind, seed)).answer
    client = trust_test.Client(task.target)
    graph = hostile_answers.leader_graph(rng, seed) if kind == "leader" else hostile_answers.worker_graph(rng)
    try:
        session = open_session(client, graph, timeout=3)
    except grpc.RpcError as error:
        tally[error.code().name] = tally.get(error.code().name, 0) + 1
        session = None
    for _ in range(4 if session else 0):
        if kind == "leader":
            fetches, feeds = [rng.choice(["reduce", "gather", "send", "recv", "all", "scatter"]) + ":0"], []
        else:
            fetches, feeds = rng.sample(WORKER_FETCHES, rng.choice([1, 2, 5])), [("x:0", np.ones([2, 3], np.float32))]
        code = quietly(lambda: step(client, session, fetches, feeds=feeds, timeout=rng.choice([0.3, 1.0])))
        tally[code] = tally.get(code, 0) + 1
    if session:
        code = quietly(lambda: client.call("CloseSession", pb.field_bytes(1, session), timeout=60))
        assert code == "OK", "CloseSession: %s" % code
    client.close()
    task.check()


# ---- races -----------------------------------------------------------------------------------------------------------

def race_graph():
    g, chief = pb.GraphDef(), dict(device=CPU["chief"])
    x = g.placeholder("f32", [], name="x")
    w = g.placeholder("f32", [], name="w")
    y = g.node("AddV2", x, x, name="y", T=F, device=CPU["worker"])
    z = g.node("Neg", y, name="z", T=F, **chief)
    g.node("Mul", z, w, name="zw", T=F, device=CPU["worker"])
    for name, where in (("q", dict(device=CPU["worker"])), ("far", chief)):
        q = g.node("FIFOQueueV2", name=name, component_types=[F], shapes=[pb.Shape([])], **where)
        got = g.node("QueueDequeueV2", q, name=name + "_get", component_types=[F], **where)
        g.node("Neg", got, name=name + "_neg", T=F, device=CPU["worker"])
        g.node("QueueEnqueueV2", q, x, name=name + "_put", Tcomponents=[F], **where)
    return g.bytes()


def extension(k):
    g = pb.GraphDef()
    g.const(1.0, name="c%d" % k)
    return g.bytes()


def setup(client, session, feeds, fetches):
    request = pb.field_bytes(1, session) + b"".join(pb.field_bytes(2, f) for f in feeds)
    answer = client.call("PartialRunSetup", request + b"".join(pb.field_bytes(3, f) for f in fetches))
    return pb.parse(answer)[1][0]


class Racer(threading.Thread):
    """One of some connections that use one session at once."""

    def __init__(self, target, shared, seed, worker):
        super().__init__(daemon=True)
        self.client, self.shared, self.rng, self.worker = trust_test.Client(target), shared, random.Random(seed), worker
        self.failure, self.codes = None, {}

    def prun(self, session):
        rng, s = self.rng, self.shared
        if rng.random() < 0.3 or not s["partial"]:
            s["partial"].append(setup(self.client, session, ["x:0", "w:0"], ["y:0", "zw:0", "q_neg:0", "far_neg:0"]))
            return
        handle = rng.choice(s["partial"][-3:])
        feeds = rng.choice([[], [("x:0", 1.0)], [("w:0", 2.0)], [("x:0", 1.0), ("w:0", 2.0)]])
        fetches = rng.sample(["y:0", "zw:0", "q_neg:0", "far_neg:0", "y"], rng.choice([0, 1, 1, 2]))
        step(self.client, session, fetches, feeds=feeds, partial=handle, timeout=rng.choice([0.05, 0.3, 1]))

    def callable(self, session):
        rng, s = self.rng, self.shared
        head = pb.field_bytes(1, session)
        if rng.random() < 0.4 or not s["callables"]:
            options_ = pb.field_bytes(1, "x:0") + pb.field_bytes(2, "z:0")
            answer = pb.parse(self.client.call("MakeCallable", head + pb.field_bytes(2, options_)))
            s["callables"].append(answer.get(1, [0])[0])
        elif rng.random() < 0.6:
            self.client.call("RunCallable", head + pb.field_int(2, rng.choice(s["callables"][-3:])) +
                             pb.field_bytes(3, pb.tensor(np.float32(1))), timeout=1)
        else:
            self.client.call("ReleaseCallable", head + pb.field_int(2, rng.choice(s["callables"][-3:])))

    def graph(self, session):
        """What a master does with a worker, at the same time as another one with the same names."""
        rng = self.rng
        w = self.worker
        ask = lambda method, **fields: self.client.call(method, message(method + "Request", **fields).SerializeToString(),
                                                        service="Worker", timeout=rng.choice([0.1, 0.5, 1]))
        handle, number = "r%d" % rng.randrange(2), rng.randrange(1, 4)
        known = dict(session_handle=handle, create_worker_session_called=True)
        how = rng.randrange(12)
        if how == 0 and rng.random() < 0.2:
            ask("CreateWorkerSession", session_handle=handle, master_task=TASKS["chief"])
        elif how in (1, 2):
            ask("RegisterGraph", graph_def=graph_pb2.GraphDef.FromString(w["graph"]), **known)
        elif how == 3 and rng.random() < 0.3:
            ask("DeregisterGraph", graph_handle="%016x" % number, **known)
        elif how in (4, 5):
            ask("CleanupGraph", step_id=number)
        elif how == 6 and rng.random() < 0.1:
            ask("DeleteWorkerSession", session_handle=handle)
        else:
            send = [message("NamedTensorProto", name=w["in"], tensor=tensor_util.make_tensor_proto(np.float32(1)))]
            keys = rng.choice([[], [w["out"]], [w["none"]], [w["out"], w["none"]], [w["out"]] * 2])
            ask("RunGraph", graph_handle="%016x" % number, step_id=number, send=rng.choice([[], send, send * 2]), recv_key=keys,
                is_partial=rng.random() < 0.6, is_last_partial_run=rng.random() < 0.3, **known)

    def one(self):
        rng, s = self.rng, self.shared
        session, how = s["session"], rng.random()
        if how < 0.35:
            self.prun(session)
        elif how < 0.5:
            step(self.client, session, rng.sample(["y:0", "z:0"], rng.choice([0, 1, 2])), feeds=[("x:0", 1.0)],
                 targets=rng.sample(["q_put", "far_put"], rng.randrange(3)), timeout=1)
        elif how < 0.65:
            self.callable(session)
        elif how < 0.7:
            s["version"] += 1
            self.client.call("ExtendSession", pb.field_bytes(1, session) + pb.field_bytes(2, extension(s["version"])) +
                             pb.field_int(3, rng.randrange(4)))
        elif how < 0.995:
            self.graph(session)
        else:
            self.client.call(rng.choice(["CloseSession"] * 5 + ["Reset"]), pb.field_bytes(1, session))

    def run(self):
        try:
            for _ in range(14):
                code = quietly(self.one)
                self.codes[code] = self.codes.get(code, 0) + 1
        except Exception as error:  # pylint: disable=broad-except
            self.failure = error
        self.client.close()


def partition():
    g, here = pb.GraphDef(), CPU["worker"]
    edge = dict(send_device=here, send_device_incarnation=1, recv_device=here, client_terminated=True)
    x = g.node("_Recv", name="in", tensor_type=F, tensor_name="x", device=here, **edge)
    y = g.node("Neg", x, T=F, name="y", device=here)
    g.node("_Send", y, name="out", T=F, tensor_name="y", device=here, **edge)
    key = here + ";%016x;" % 1 + here + ";%s;0:0"
    return {"graph": g.bytes(), "in": key % "x", "out": key % "y", "none": key % "z"}


def race(task, seed, tally):
    client = trust_test.Client(task.target)
    session = open_session(client, race_graph())
    shared = dict(session=session, partial=[], callables=[], version=0)
    for name in ("r0", "r1"):
        for k in range(3):
            registered(client, name, again=k)
    racers = [Racer(task.target, shared, "race %d %d" % (seed, k), partition()) for k in range(4)]
    for r in racers:
        r.start()
    for r in racers:
        r.join(120)
        assert not r.is_alive(), "a call does not end"
        if r.failure:
            raise r.failure
        for code, count in r.codes.items():
            tally[code] = tally.get(code, 0) + count
    code = quietly(lambda: client.call("CloseSession", pb.field_bytes(1, session), timeout=60))
    assert code in ("OK", "ABORTED"), "CloseSession: %s" % code
    client.close()
    task.check()


# ---- cases -----------------------------------------------------------------------------------------------------------

def begun(client, session, fetches, **rest):
    """A partial run's call that is under way."""
    future = client.start("RunStep", trust_test.step(session, fetches) + pb.field_bytes(6, rest.pop("partial")), **rest)
    time.sleep(0.3)
    return future


def a_fetch_that_two_connections_wait_for(task):
    a, b, c = (trust_test.Client(task.target) for _ in range(3))
    session = open_session(a, race_graph())
    handle = setup(a, session, ["x:0"], ["q_get:0", "y:0"])
    both = [begun(client, session, ["q_get:0"], partial=handle) for client in (a, b)]
    step(c, session, targets=["q_put"], feeds=[("x:0", 5.0)], timeout=45)
    codes = sorted(quietly(f.result) for f in both)
    assert codes == ["INVALID_ARGUMENT", "OK"], codes


def a_call_of_a_partial_run_that_is_given_up(task):
    """Its end ends the partial run, which takes no value any more."""
    a, b = trust_test.Client(task.target), trust_test.Client(task.target)
    session = open_session(a, race_graph())
    for name in ("q", "far"):
        handle = setup(a, session, ["x:0"], [name + "_neg:0", "y:0"])
        waits = begun(b, session, [name + "_neg:0"], partial=handle, timeout=20)
        assert quietly(lambda: step(a, session, [name + "_neg:0"], partial=handle, timeout=0.3)) == "DEADLINE_EXCEEDED"
        assert quietly(waits.result) in ("DEADLINE_EXCEEDED", "CANCELLED")
        step(a, session, targets=[name + "_put"], feeds=[("x:0", 1.0)], timeout=45)
        step(a, session, [name + "_neg:0"], timeout=45)


def a_session_closed_while_a_partial_run_waits_for_another_task(task):
    a, b = trust_test.Client(task.target), trust_test.Client(task.target)
    session = open_session(a, race_graph())
    handle = setup(a, session, ["x:0"], ["far_neg:0", "y:0"])
    step(a, session, feeds=[("x:0", 1.0)], partial=handle, timeout=45)
    waits = begun(b, session, ["far_neg:0"], partial=handle)
    a.call("CloseSession", pb.field_bytes(1, session))
    assert quietly(waits.result) in ("CANCELLED", "ABORTED")  # the latter if it began too late


def worker_call(client, method, timeout=45, **fields):
    return client.call(method, message(method + "Request", **fields).SerializeToString(), service="Worker", timeout=timeout)


def registered(client, name, again=False):
    again or worker_call(client, "CreateWorkerSession", session_handle=name, master_task=TASKS["chief"])
    known = dict(session_handle=name, create_worker_session_called=True)
    answer = worker_call(client, "RegisterGraph", graph_def=graph_pb2.GraphDef.FromString(partition()["graph"]), **known)
    return dict(known, graph_handle=CLASSES["tensorflow.RegisterGraphResponse"].FromString(answer).graph_handle)


def a_partial_run_that_sends_nothing_under_a_key(task):
    client, w = trust_test.Client(task.target), partition()
    known = registered(client, "partial")
    send = [message("NamedTensorProto", name=w["in"], tensor=tensor_util.make_tensor_proto(np.float32(1)))]
    run = lambda step_id, **rest: quietly(lambda: worker_call(client, "RunGraph", step_id=step_id, is_partial=True, **known, **rest))
    assert run(1, recv_key=[w["none"]], send=send) == "INVALID_ARGUMENT"  # the run ends while it waits
    assert run(1, recv_key=[w["none"]]) == "INVALID_ARGUMENT"             # ... and has ended
    assert run(1, recv_key=[w["out"]], is_last_partial_run=True) == "OK"  # what was sent is there


def partial_runs_without_number(task):
    client, most = trust_test.Client(task.target), 32
    known, codes = registered(client, "many"), []
    for i in range(most + 8):
        codes.append(quietly(lambda i=i: worker_call(client, "RunGraph", step_id=100 + i, is_partial=True, **known)))
    assert codes == ["OK"] * most + ["RESOURCE_EXHAUSTED"] * 8, codes
    for i in range(most):
        worker_call(client, "CleanupGraph", step_id=100 + i)
    assert quietly(lambda: worker_call(client, "RunGraph", step_id=900, is_partial=True, **known)) == "OK"


def values_without_end(task):
    """A master's stream of values that nobody waits for; those of a call that takes none."""
    client = trust_test.Client(task.target)
    known = registered(client, "values")
    small = message("RecvTensorResponse", tensor=tensor_util.make_tensor_proto(np.float32(1))).SerializeToString()
    edge = CPU["chief"].encode() + b";%016x;" % 1 + CPU["worker"].encode() + b";e%d;0:0"
    for rest in (dict(known, step_id=7), dict(known, step_id=8, is_partial=True)):
        first = message("RunGraphRequest", **rest).SerializeToString()

        def values(first=first):
            yield first
            for i in range(1000000):
                label = edge % i + b"x" * 2000 if "is_partial" in rest else edge % i
                yield pb.varint(len(label) + 1) + label + (b"" if "is_partial" in rest else small)

        call = client.channel.stream_stream("/tensorflow.WorkerService/RunGraph", trust_test.IDENTITY, trust_test.IDENTITY)
        answers, most = call(values(), timeout=100, metadata=[("weir-stream", "1048576")]), []
        code = quietly(lambda: [most.append(task.memory()) for _ in answers])
        assert code != "DEADLINE_EXCEEDED" and task.memory() < 700, (code, task.memory())


CASES_OF = [a_fetch_that_two_connections_wait_for, a_call_of_a_partial_run_that_is_given_up,
            a_session_closed_while_a_partial_run_waits_for_another_task, a_partial_run_that_sends_nothing_under_a_key,
            partial_runs_without_number, values_without_end]


# ---- a hostile server ------------------------------------------------------------------------------------------------

CLIENT = """
import random, sys
sys.path.insert(0, sys.argv[1])
import numpy as np
import weir_c
lib, graph, port, seeds = weir_c.Library(sys.argv[2]), bytes.fromhex(sys.argv[3]), sys.argv[4], int(sys.argv[5])
TYPES, counts = {"i0": 1, "i1": 3, "i2": 9, "i3": 7, "i4": 10}, {}

def tried(f):
    try:
        out, code = f(), "OK"
    except weir_c.Error as e:
        out, code = None, e.name
        assert 0 < e.code <= 16, e.code
    counts[code] = counts.get(code, 0) + 1
    return out

for seed in range(seeds):
    rng = random.Random("client %d" % seed)
    s = lib.graph(graph).session(target="grpc://127.0.0.1:" + port)
    for _ in range(5):
        names = rng.sample(sorted(TYPES), rng.choice([1, 2, 3]))
        got = tried(lambda: s.run([n + ":0" for n in names]))
        for name, value in zip(names, got or []):
            assert value.dtype == TYPES[name], (name, value.dtype)
        if rng.random() < 0.3:
            p = tried(lambda: s.partial_run(["p0:0"], ["i0:0"]))
            p and tried(lambda: p.run(["i0:0"], {"p0:0": np.ones([2, 3], np.float32)}))
        if rng.random() < 0.3:
            tried(s.devices)
    tried(s.close)
    s.delete()
print(counts)
"""


def attack_client(args, tally):
    peer = hostile_peer.Peer(hostile_answers.Server(args.first).answer, stream=False)
    env = dict(os.environ, ASAN_OPTIONS="detect_leaks=0:allocator_may_return_null=1", WEIR_TRANSPORTS="grpc")
    if args.preload:
        env["LD_PRELOAD"] = args.preload
    client = subprocess.run([sys.executable, "-c", CLIENT, HERE, args.lib, hostile_answers.client_graph().hex(), str(peer.port), str(args.seeds)],
                            env=env, capture_output=True, timeout=60 + 5 * args.seeds, check=False)
    peer.stop()
    assert client.returncode == 0, "the client ended with %d: %s" % (client.returncode, client.stderr.decode()[-6000:])
    for code, count in eval(client.stdout.decode().splitlines()[-1]).items():
        tally[code] = tally.get(code, 0) + count


# ---- running them ----------------------------------------------------------------------------------------------------

def open_session(client, graph, config=b"", timeout=45):
    return pb.parse(client.call("CreateSession", pb.field_bytes(1, graph) + config, timeout=timeout))[1][0].decode()


def run_seeds(args, folder, kind, tally):
    """Against a hostile peer, half of the seeds with streams."""
    peers = [hostile_peer.Peer(None, stream=stream) for stream in (True, False)]
    for peer, count in zip(peers, (args.seeds - args.seeds // 3, args.seeds // 3)):
        ports = {"chief": peer.port, "worker": clusters.free_ports(1)[0]}
        task = Task(args.weir, folder, ports, env=dict(WEIR_TRANSPORTS="grpc"))
        try:
            task.settle()
            for k in range(count):
                attack_by_peer(args, task, peer, kind, args.first + k, tally)
                if k % 8 == 7:
                    task.served()
            task.settle()
            assert task.memory() < args.megabytes, "%.0f MB" % task.memory()
            task.stop()
        except Exception as error:
            time.sleep(0.5)
            raise AssertionError("%s seed %d: %s; %s" % (kind, args.first + k, error, task.said())) from error
        finally:
            task.kill()
            peer.stop()


def run_pair(args, folder, attack, options_=(), env=None):
    """Two tasks of Weir's; |attack| gets the worker."""
    ports = dict(zip(("chief", "worker"), clusters.free_ports(2)))
    both = [Task(args.weir, folder, ports, job, options_, env) for job in ports]
    try:
        for task in both:
            task.settle()
        attack(both[1])
        for task in both:
            task.check()
            task.stop()
    except Exception as error:
        time.sleep(0.5)
        raise AssertionError("%s; %s" % (error, "; ".join(task.said() for task in both))) from error
    finally:
        for task in both:
            task.kill()


def run_races(args, folder, tally):
    def attack(task):
        for k in range(args.seeds):
            try:
                race(task, args.first + k, tally)
            except Exception as error:
                raise AssertionError("race seed %d: %s %s" % (args.first + k, type(error).__name__, error)) from error
        task.served()
        trust_test.eventually(lambda: task.threads() < 60)

    for transports in ("grpc", "shm,grpc"):
        run_pair(args, folder, attack, env=dict(WEIR_TRANSPORTS=transports))


def sessions_that_one_task_refuses(args, folder):
    """What the other tasks opened is closed: they have room for the next ones."""
    refuses, most = [True], 8

    def answer(method, request, call):
        if method == "CreateWorkerSession" and refuses:
            call.fail(grpc.StatusCode.ABORTED, "no")
        return behaviour.fields(random.Random(1), method, request).SerializeToString()

    behaviour, peer = hostile_answers.Behaviour("refuses"), hostile_peer.Peer(answer, stream=False)
    behaviour.kind = "values"
    ports = dict(zip(("chief", "worker", "ps"), [peer.port, *clusters.free_ports(2)]))
    both = [Task(args.weir, folder, ports, job, env=dict(WEIR_LIMITS="sessions=%d" % most)) for job in ("worker", "ps")]
    try:
        for task in both:
            trust_test.eventually(lambda task=task: trust_test.code_of(task.served) == "OK")
        client = trust_test.Client(both[0].target)
        for _ in range(2 * most):
            assert quietly(lambda: open_session(client, trust_test.simple_graph())) == "ABORTED"
        refuses.clear()
        trust_test.eventually(lambda: quietly(lambda: open_session(client, trust_test.simple_graph())) == "OK")
        for task in both:
            task.check()
    finally:
        for task in both:
            task.kill()
        peer.stop()


def run_cases(args, folder, tally):
    for test in CASES_OF:
        run_pair(args, folder, test, ("--memory", "40M"), dict(WEIR_LIMITS="threads=64"))
        tally[test.__name__] = 1
    sessions_that_one_task_refuses(args, folder)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--weir", default=os.path.join(HERE, "..", "build", "release", "weir"))
    ap.add_argument("--lib", default=os.path.join(HERE, "..", "build", "release", "libweir.so"))
    ap.add_argument("--seeds", type=int, default=6)
    ap.add_argument("--first", type=int, default=1)
    ap.add_argument("--only", default="cases,worker,leader,races,server")
    ap.add_argument("--preload", help="LD_PRELOAD for the client of the C API, such as libasan")
    ap.add_argument("--megabytes", type=float, default=900)
    args = ap.parse_args()
    hostile_answers.load()
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="peers.") as folder:
        for kind in args.only.split(","):
            start, tally = time.time(), {}
            run = {"cases": lambda: run_cases(args, folder, tally), "races": lambda: run_races(args, folder, tally),
                   "server": lambda: attack_client(args, tally)}.get(kind, lambda: run_seeds(args, folder, kind, tally))
            try:
                run()
                passed += 1
                print("%s: %s in %.0f s" % (kind, dict(sorted(tally.items())), time.time() - start), flush=True)
            except Exception as error:  # pylint: disable=broad-except
                failed += 1
                print("FAIL %s: %s %s" % (kind, type(error).__name__, error), flush=True)
    print("hostile-peers: %d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
