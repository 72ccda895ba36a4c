#!/usr/bin/env python3
"""weir server under hostile and unlucky clients: each case states one class of what they do.

A case has a server of its own. After it, the server must be alive, must answer another client, and must
end by SIGTERM with status 0."""
import argparse
import os
import random
import resource
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time
import traceback

import grpc
import numpy as np

import http2
import pb
from dtypes import Value

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
WEIR = os.path.join(ROOT, "build", "release", "weir")
CASES = []
IDENTITY = lambda b: b


def case(*options, limits="", shell="", **popen):
    """A test that gets a running Server, started with |options|."""
    def add(run):
        CASES.append((run, dict(options=options, limits=limits, shell=shell, popen=popen)))
        return run
    return add


def announced(process, must=True):
    """The first line of a server's output. Without one, what it said instead is an AssertionError."""
    line = process.stdout.readline().decode().strip()
    if not line and must:
        process.kill()
        said = process.communicate()[1]
        raise AssertionError("the server announced nothing and ended with %d: %s" % (
            process.returncode, (said or b"").decode("utf-8", "replace")[-2000:]))
    return line


class Server:
    """One server. |shell| is a line of sh that runs "$@" under its limits: a preexec_fn would fork this
    process, and gRPC's threads come to life in the copy, find their descriptors closed, and abort it."""
    must_start = True

    def __init__(self, options=(), limits="", shell="", popen=None, env=None):
        env = dict(os.environ, **(env or {}))
        if limits:
            env["WEIR_LIMITS"] = limits
        settings = dict(stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        settings.update(popen or {})
        words = ["sh", "-c", shell, "sh"] if shell else []
        self.process = subprocess.Popen(words + [WEIR, "server", *options], env=env, **settings)
        self.target = announced(self.process, self.must_start)

    def memory(self):
        """Resident MiB."""
        with open("/proc/%d/statm" % self.process.pid) as f:
            return int(f.read().split()[1]) * 4096 / 1e6

    def cpu(self):
        with open("/proc/%d/stat" % self.process.pid) as f:
            fields = f.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def threads(self):
        return len(os.listdir("/proc/%d/task" % self.process.pid))

    def descriptors(self):
        return len(os.listdir("/proc/%d/fd" % self.process.pid))

    def settled_descriptors(self):
        """Their number once the server has opened what it opens beside its first calls."""
        counts = [-1]
        while len(counts) < 4 or len(set(counts[-4:])) > 1:
            time.sleep(0.1)
            counts.append(self.descriptors())
        return counts[-1]

    def connect(self, **values):
        return http2.Connection(self.target, **values)

    def stop(self):
        self.process.terminate()
        try:
            out, err = self.process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise AssertionError("the server did not end")
        assert self.process.returncode == 0, "the server ended with %d: %s" % (
            self.process.returncode, (err or b"")[-500:])
        return (err or b"").decode("utf-8", "replace")


class Client:
    """A well-behaved client, by gRPC's own library, on a connection of its own."""

    def __init__(self, target, **options):
        options = [("grpc.use_local_subchannel_pool", 1), ("grpc.max_receive_message_length", -1),
                   *options.items()]
        self.channel = grpc.insecure_channel(target.split("//")[-1], options=options)

    # Longer than the 20 s after which gRPC gives up connecting: a server that accepts nobody is UNAVAILABLE, not late.
    def start(self, method, request=b"", timeout=45, service="Master", **options):
        path = "/tensorflow.%sService/%s" % (service, method)
        return self.channel.unary_unary(path, IDENTITY, IDENTITY).future(request, timeout=timeout, **options)

    def call(self, method, request=b"", **options):
        return self.start(method, request, **options).result()

    def session(self, graph=b""):
        return pb.parse(self.call("CreateSession", pb.field_bytes(1, graph)))[1][0].decode()

    def run(self, session, fetches=(), targets=(), feeds=(), **options):
        return self.call("RunStep", step(session, fetches, targets, feeds), **options)

    def close(self):
        self.channel.close()


def step(session, fetches=(), targets=(), feeds=(), options=b""):
    out = pb.field_bytes(1, session)
    out += b"".join(pb.field_bytes(2, pb.field_bytes(1, k) + pb.field_bytes(2, pb.tensor(v))) for k, v in feeds)
    out += b"".join(pb.field_bytes(3, f) for f in fetches)
    out += b"".join(pb.field_bytes(4, t) for t in targets)
    return out + (pb.field_bytes(5, options) if options else b"")


def simple_graph():
    """y = x + 1."""
    g = pb.GraphDef()
    x = g.placeholder("f32", [], name="x")
    g.node("AddV2", x, g.const(1.0), name="y", T=pb.T("f32"))
    return g.bytes()


def blocked_graph():
    """A dequeue from an empty queue, and an enqueue."""
    g = pb.GraphDef()
    q = g.node("FIFOQueueV2", name="q", component_types=[pb.T("f32")], shapes=[pb.Shape([])])
    g.node("QueueDequeueV2", q, name="get", component_types=[pb.T("f32")])
    g.node("QueueEnqueueV2", q, g.const(1.0), name="put", Tcomponents=[pb.T("f32")])
    return g.bytes()


def works(server, timeout=45):
    """Another client can use the server."""
    client = Client(server.target)
    session = client.session(simple_graph())
    client.run(session, ["y:0"], feeds=[("x:0", 1.0)], timeout=timeout)
    client.call("CloseSession", pb.field_bytes(1, session))
    client.close()


def code_of(call):
    try:
        call()
    except grpc.RpcError as e:
        return e.code().name
    return "OK"


def eventually(what, seconds=60):
    end = time.time() + seconds
    while not what():
        assert time.time() < end, "it did not happen in %d s" % seconds
        time.sleep(0.05)


# ---- the process around it -------------------------------------------------------------------------


def print_graph(stream):
    g = pb.GraphDef()
    g.node("PrintV2", g.const([b"hello"][0], "str"), name="print", output_stream=stream)
    return g.bytes()


@case()
def a_print_whose_reader_is_gone(server):
    server.process.stderr.close()
    server.process.stdout.close()
    client = Client(server.target)
    for stream in ("stderr", "stdout", "log(error)"):
        session = client.session(print_graph(stream))
        for _ in range(3):
            client.run(session, targets=["print"])
    server.process.stderr = server.process.stdout = None


@case(shell='ulimit -f 128; exec "$@"')  # blocks of 512 bytes
def a_file_beyond_the_limit(server):
    with tempfile.TemporaryDirectory() as folder:
        g = pb.GraphDef()
        big = g.node("Fill", g.const([1 << 18], "i32"), g.const(b"12345678", "str"), name="f", T=pb.T("str"))
        text = g.node("ReduceJoin", big, g.const([0], "i32"), name="j")
        g.node("WriteFile", g.const(os.path.join(folder, "x").encode(), "str"), text, name="write")
        client = Client(server.target)
        session = client.session(g.bytes())
        assert code_of(lambda: client.run(session, targets=["write"])) == "OUT_OF_RANGE"
        assert os.listdir(folder) == [], os.listdir(folder)


@case()
def hanging_up_does_not_end_it(server):
    for _ in range(3):
        server.process.send_signal(signal.SIGHUP)
        time.sleep(0.05)


@case(shell='exec "$@" <&- 2>&-', stderr=None)
def closed_standard_descriptors(server):
    client = Client(server.target)
    session = client.session(print_graph("stderr"))
    for _ in range(3):
        client.run(session, targets=["print"])
    for fd in (0, 2):
        assert os.readlink("/proc/%d/fd/%d" % (server.process.pid, fd)) == "/dev/null"


@case()
def time_limits_of_many_hours(server):
    connection = server.connect()
    session = Client(server.target).session(simple_graph())
    request = step(session, ["y:0"], feeds=[("x:0", 1.0)])
    for limit in ("99999999H", "2562048H", "99999999M", "1H", "99999999S"):
        headers, body = connection.answer(connection.master("RunStep", request,
                                                            extra=[("grpc-timeout", limit)]))
        assert body, headers


@case()
def compressed_messages_are_refused_by_name(server):
    connection = server.connect()
    headers, _ = connection.answer(connection.master("CreateSession", b"\x1f\x8b123", flag=1,
                                                     extra=[("grpc-encoding", "gzip")]))
    assert headers, headers
    client = Client(server.target)
    assert code_of(lambda: client.call("CreateSession", b"x" * 100,
                                       compression=grpc.Compression.Gzip)) == "UNIMPLEMENTED"


# ---- one client and the others ---------------------------------------------------------------------


def product_graph():
    """p = the sum of a @ a, where a is [n, n]; brief for small n, long for others."""
    g = pb.GraphDef()
    n = g.placeholder("i32", [2], name="n")
    a = g.node("Fill", n, g.const(1.0), T=pb.T("f32"))
    p = g.node("MatMul", a, a, T=pb.T("f32"))
    g.node("Sum", p, g.const([0, 1], "i32"), name="p", T=pb.T("f32"), Tidx=pb.T("i32"))
    return g.bytes()


def slowest_beside(client, session, call):
    """The share of the time of |call| that the longest small step beside it takes."""
    slowest, began = 0, time.time()
    while not call.done():
        start = time.time()
        client.run(session, ["y:0"], feeds=[("x:0", 1.0)])
        slowest = max(slowest, time.time() - start)
    call.result()
    return slowest / (time.time() - began)


@case()
def a_brief_step_that_becomes_long(server):
    """If it kept the others waiting, one of them would wait nearly as long as it takes, in every trial."""
    client, other = Client(server.target), Client(server.target)
    session, small = client.session(product_graph()), other.session(simple_graph())
    shares = []
    while len(shares) < 8 and min(shares, default=1) > 0.5:
        for _ in range(20):
            client.run(session, ["p:0"], feeds=[("n:0", np.array([2, 2], np.int32))])
            other.run(small, ["y:0"], feeds=[("x:0", 1.0)])
        large = step(session, ["p:0"], feeds=[("n:0", np.array([3000, 3000], np.int32))])
        shares.append(slowest_beside(other, small, client.start("RunStep", large, timeout=300)))
    assert min(shares) <= 0.5, "a small step took these shares of a long one beside it: %s" % shares


@case()
def a_brief_step_that_blocks_for_ever(server):
    with tempfile.TemporaryDirectory() as folder:
        plain, fifo = os.path.join(folder, "plain"), os.path.join(folder, "fifo")
        with open(plain, "w") as f:
            f.write("text")
        os.mkfifo(fifo)
        g = pb.GraphDef()
        name = g.placeholder("str", [], name="name")
        g.node("ReadFile", name, name="text")
        client = Client(server.target)
        session = client.session(g.bytes())
        for _ in range(20):
            client.run(session, ["text:0"], feeds=[("name:0", plain.encode())])
        blocked = [client.start("RunStep", step(session, ["text:0"], feeds=[("name:0", fifo.encode())]), timeout=2)
                   for _ in range(3)]
        for _ in range(3):
            works(server)
        for call in blocked:
            code_of(call.result)


@case(limits="threads=64")
def blocked_calls_of_one_connection(server):
    greedy = server.connect()
    client = Client(server.target)
    session = client.session(blocked_graph())
    for _ in range(200):
        greedy.master("RunStep", step(session, ["get:0"]))
    eventually(lambda: server.threads() > 20)
    for _ in range(3):
        works(server)
    assert server.threads() < 64, server.threads()
    greedy.close()
    client.call("CloseSession", pb.field_bytes(1, session))


@case(limits="threads=64")
def its_own_close_is_not_stuck_behind_them(server):
    client = Client(server.target)
    session = client.session(blocked_graph())
    calls = [client.start("RunStep", step(session, ["get:0"])) for _ in range(100)]
    client.call("CloseSession", pb.field_bytes(1, session))
    assert {code_of(call.result) for call in calls} <= {"CANCELLED", "ABORTED"}


@case(limits="handshake_ms=2000,idle_ms=0")
def connections_that_say_nothing(server):
    before = server.settled_descriptors()
    silent = [server.connect(greet=False) for _ in range(50)]
    half = [server.connect(greet=False) for _ in range(50)]
    for connection in half:
        connection.send(http2.PREFACE[:10])
    eventually(lambda: server.descriptors() <= before + 2)
    assert silent[0].closed() and half[0].closed()


@case(limits="idle_ms=1500,handshake_ms=0")
def idle_connections_without_sessions(server):
    idle = server.connect()
    client = Client(server.target)
    session = client.session(simple_graph())
    assert idle.closed()
    time.sleep(3)  # longer than the limit and the time between two looks at it
    client.run(session, ["y:0"], feeds=[("x:0", 1.0)])  # it has a session: its connection stays


@case(limits="request_ms=2000,request_mib=8")
def requests_that_never_end(server):
    connection = server.connect()
    before = server.memory()
    streams = []
    for _ in range(20):
        stream = connection.headers("/tensorflow.MasterService/CreateSession")
        connection.body(stream, http2.message(b"x" * (1 << 20))[:-1])
        streams.append(stream)
    for stream in streams:
        connection.answer(stream)
        break
    eventually(lambda: server.memory() < before + 16)
    session = pb.field_bytes(1, simple_graph())
    assert connection.answer(connection.master("CreateSession", session))[1]  # others of it go on


@case(limits="threads=16")
def calls_that_are_reset_while_they_wait(server):
    """For a thread: they end, and their requests are freed, though the threads of the client stay blocked."""
    greedy, client = server.connect(), Client(server.target)
    session = client.session(blocked_graph())
    small = client.session(simple_graph())
    large = step(small, ["y:0"], feeds=[("x:0", np.zeros([1 << 19], np.float32))])
    for _ in range(40):
        greedy.master("RunStep", step(session, ["get:0"]))
    works(server)
    before = server.memory()
    for _ in range(150):  # 300 MB
        stream = greedy.headers("/tensorflow.MasterService/RunStep")
        greedy.body(stream, http2.message(large), end=True)
        greedy.send(http2.frame(http2.RST, 0, stream, b"\0\0\0\x08"))
    works(server)
    eventually(lambda: server.memory() < before + 60)
    greedy.close()
    client.call("CloseSession", pb.field_bytes(1, session))


@case("--memory", "64M")
def requests_beyond_the_memory_limit(server):
    """Half of a request counts; when it is given up there is room again."""
    before = server.memory()
    for _ in range(3):
        connection, part = server.connect(), b"\0" + (1 << 30).to_bytes(4, "big")
        streams = [connection.headers("/tensorflow.MasterService/CreateSession") for _ in range(4)]
        for stream in streams:
            connection.body(stream, part + b"x" * (24 << 20))
        assert not (connection.answer(streams[-1]) or (b"", b""))[1]  # refused, though the request has not ended
        assert server.memory() < before + 128, server.memory() - before
        connection.close()
        eventually(lambda: code_of(lambda: works(server)) == "OK")


@case("--memory", "64M")
def steps_that_are_all_different(server):
    """A session keeps the plans of its steps: they count, and a closed session gives them back."""
    greedy, chance = Client(server.target), random.Random(1)
    g = pb.GraphDef()
    x, names = g.placeholder("f32", [], name="x"), []
    for k in range(40):
        names.append(g.node("AddV2", x, g.const(float(k)), name="y%d" % k, T=pb.T("f32")) + ":0")
    session, before, codes = greedy.session(g.bytes()), server.memory(), set()
    for _ in range(4000):
        chance.shuffle(names)
        request = step(session, names, feeds=[("x:0", 1.0)])
        codes.add(code_of(lambda: greedy.call("RunStep", request)))
        if codes == {"OK", "RESOURCE_EXHAUSTED"}:
            break
    assert codes == {"OK", "RESOURCE_EXHAUSTED"}, codes
    assert server.memory() < before + 200, server.memory() - before
    greedy.call("CloseSession", pb.field_bytes(1, session))
    works(server)


@case()
def headers_without_end(server):
    """A reference of a byte to a header of four thousand, as often as a frame has bytes; trailers that change the call."""
    connection, client = server.connect(), Client(server.target)
    block = http2.header_block([(":method", "POST"), (":scheme", "http"), (":path", "/tensorflow.MasterService/ListDevices"),
                                (":authority", "x")])
    long = b"\x40\x01x\x7f" + bytes([(4000 - 127) & 127 | 128, (4000 - 127) >> 7]) + b"y" * 4000
    for count in (10000, 16000):
        stream, connection.next = connection.next, connection.next + 2
        connection.send(http2.frame(http2.HEADERS, http2.END_HEADERS, stream,
                                    block + long + b"\xbe" * (count - len(block + long))))
        assert not connection.answer(stream)[1]  # refused, though the request has not ended
    stream = connection.headers("/tensorflow.MasterService/CreateSession")
    connection.body(stream, http2.message(pb.field_bytes(1, simple_graph())))
    connection.send(http2.frame(http2.HEADERS, http2.END_HEADERS | http2.END_STREAM, stream,
                                http2.header_block([("weir-stream", "100"), ("grpc-timeout", "1n")])))
    assert connection.answer(stream)[1]
    client.session(simple_graph())


@case()
def callables_that_were_released(server):
    client = Client(server.target)
    session = client.session(simple_graph())
    options = pb.field_bytes(2, pb.field_bytes(1, "x:0") + pb.field_bytes(2, "y:0"))
    x = pb.field_bytes(3, pb.tensor(1.0))
    one = lambda handle: pb.field_bytes(1, session) + pb.field_int(2, handle)
    for _ in range(300):
        handle = pb.parse(client.call("MakeCallable", pb.field_bytes(1, session) + options)).get(1, [0])[0]
        client.call("RunCallable", one(handle) + x)
        client.call("ReleaseCallable", one(handle))
        assert code_of(lambda: client.call("RunCallable", one(handle) + x)) == "INVALID_ARGUMENT"


@case(limits="sessions=16")
def sessions_of_masters_without_number(server):
    client = Client(server.target)
    opened = [code_of(lambda: client.call("CreateWorkerSession", pb.field_bytes(1, "s%d" % k), service="Worker"))
              for k in range(40)]
    assert set(opened[20:]) == {"RESOURCE_EXHAUSTED"} and opened[0] == "OK", opened
    client.call("DeleteWorkerSession", pb.field_bytes(1, "s0"), service="Worker")
    client.call("CreateWorkerSession", pb.field_bytes(1, "again"), service="Worker")


def large_graph(mib):
    g = pb.GraphDef()
    g.node("Fill", g.const([mib << 18], "i32"), g.const(1.0), name="big", T=pb.T("f32"))
    return g.bytes()


def settled_memory(server):
    """Resident MiB once they have not grown for a second."""
    seen = [server.memory()]
    while len(seen) < 12 or seen[-1] > seen[-11]:
        time.sleep(0.1)
        seen.append(server.memory())
    return seen[-1]


@case(limits="answer_ms=4000,answer_mib=8")
def answers_that_nobody_reads(server):
    client = Client(server.target)
    session = client.session(large_graph(4))
    before, descriptors = server.memory(), server.settled_descriptors()
    for values in ({}, {"window": 0}):  # a socket that is full; a window that is
        connection = server.connect(**values)
        connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 16)
        for _ in range(20):  # more than a client may leave unread
            connection.master("RunStep", step(session, ["big:0"]))
        settled_memory(server)  # these are there, unread
        try:
            for _ in range(100):  # 400 MB
                connection.master("RunStep", step(session, ["big:0"]))
        except OSError:
            pass  # it has been given up
        assert settled_memory(server) < before + 160, server.memory() - before
        eventually(lambda: server.descriptors() <= descriptors)
        connection.close()


@case()
def a_slow_reader(server):
    client = Client(server.target)
    session = client.session(large_graph(1))
    connection = server.connect(window=1 << 30)
    connection.send(http2.frame(http2.WINDOW, 0, 0, (1 << 30).to_bytes(4, "big")))
    before, streams = 0, [connection.master("RunStep", step(session, ["big:0"])) for _ in range(2)]
    for round in range(60):
        streams.append(connection.master("RunStep", step(session, ["big:0"])))
        connection.answer(streams.pop(0))
        if round == 20:
            before = server.memory()
    assert server.memory() < before + 40, server.memory() - before


@case(shell='ulimit -n 60; exec "$@"')
def no_descriptors_left(server):
    connections = []
    for _ in range(80):
        try:
            connections.append(server.connect())
        except OSError:
            break
    time.sleep(0.3)
    before = server.cpu()
    time.sleep(1)
    assert server.cpu() - before < 0.5, "it spins"
    for connection in connections:
        connection.close()
    eventually(lambda: server.descriptors() < 40)


@case()
def a_server_that_cannot_be_is_not_announced(server):
    """Nor one that could not be ended: what takes a descriptor is there before the announcement."""
    for count in range(4, 30):
        child = subprocess.Popen(["sh", "-c", "ulimit -n %d; exec %s server" % (count, WEIR)], stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        announced = child.stdout.readline().startswith(b"grpc://")
        if announced:
            child.terminate()
        try:
            child.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
        assert (child.returncode == 0) == announced and child.returncode >= 0, (count, child)


@case()
def a_log_that_nobody_reads(server):
    """The pipe of its prints and log lines is full: who prints waits until its time limit, nobody else does."""
    greedy, client = Client(server.target), Client(server.target)
    g = pb.GraphDef()
    g.node("PrintV2", g.const(b"x" * 60000, "str"), name="print", output_stream="stderr")
    g.node("Print", g.const(1.0), [g.const(1.0)], T=pb.T("f32"), U=[pb.T("f32")], message="m" * 1000, name="old")
    session = greedy.session(g.bytes())
    calls = [greedy.start("RunStep", step(session, targets=["print", "old"], options=pb.run_options(timeout_ms=20000)))
             for _ in range(20)]
    port = int(server.target.rsplit(":", 1)[1])
    for _ in range(3):
        for _ in range(300):  # each is worth a line
            stranger = socket.create_connection(("127.0.0.1", port))
            stranger.send(b"\x16\x03\x01\x00\x05hello")
            stranger.close()
        works(server, timeout=15)
    greedy.call("CloseSession", pb.field_bytes(1, session), timeout=15)
    assert "OK" not in {code_of(call.result) for call in calls[5:]}
    client.close()


@case("--memory", "1G")
def a_trace_without_end(server):
    g = pb.GraphDef()
    f32, boolean = pb.T("f32"), pb.T("bool")
    g.function("C", {"x": "f32"}, {"b": "bool"}, [("Const", "t", [], {"dtype": boolean, "value": Value(np.bool_(True))})],
               {"b": "t:output:0"})
    g.function("B", {"x": "f32"}, {"y": "f32"}, [("Neg", "m", ["x"], {"T": f32})], {"y": "m:y:0"})
    g.node("While", g.placeholder("f32", [], name="x"), T=[f32], cond=pb.Func("C"), body=pb.Func("B"), name="n")
    client = Client(server.target)
    session, before = client.session(g.bytes()), server.memory()
    call = client.start("RunStep", step(session, ["n:0"], feeds=[("x:0", 1.0)], options=pb.run_options(3, 12000)), timeout=60)
    assert code_of(call.result) == "DEADLINE_EXCEEDED"
    assert server.memory() < before + 250, server.memory() - before


# ---- sessions ---------------------------------------------------------------------------------------


@case(limits="lease_ms=5000")
def sessions_whose_clients_are_gone(server):
    stays = Client(server.target)
    session = stays.session(simple_graph())
    gone = [Client(server.target) for _ in range(20)]
    handles = [client.session(simple_graph()) for client in gone for _ in range(5)]
    for client in gone:
        client.close()
    use = lambda client: code_of(lambda: client.run(handles.pop(), ["y:0"], feeds=[("x:0", 1.0)]))
    assert use(Client(server.target)) == "OK"  # in time; it has a client again
    time.sleep(6)
    eventually(lambda: use(stays) == "ABORTED")
    stays.run(session, ["y:0"], feeds=[("x:0", 1.0)])


@case(limits="sessions=20,connection_sessions=10")
def too_many_sessions(server):
    clients = [Client(server.target) for _ in range(3)]
    kept = clients[0].session()
    clients[0].call("CloseSession", pb.field_bytes(1, kept))
    codes = [[code_of(lambda: client.session(simple_graph())) for _ in range(12)] for client in clients]
    assert [c.count("OK") for c in codes] == [10, 10, 0], codes
    assert {x for c in codes for x in c} == {"OK", "RESOURCE_EXHAUSTED"}
    server.stop()


@case()
def names_that_are_no_edges(server):
    client = Client(server.target)
    session = client.session(simple_graph())
    feed = [("x:0", 1.0)]
    client.run(session, ["y"], feeds=feed)
    for name, code in (("y:1", "INVALID_ARGUMENT"), ("y:999999999999999999999", "INVALID_ARGUMENT"), ("y:1&", "NOT_FOUND"),
                       ("y:", "NOT_FOUND"), ("y:-1", "NOT_FOUND"), ("y: 0", "NOT_FOUND"), ("y:" + "(" * 40, "NOT_FOUND"),
                       (":0", "NOT_FOUND"), ("", "NOT_FOUND")):
        got = code_of(lambda: client.run(session, [name], feeds=feed))
        assert got == code, (name, got)


@case()
def handles_cannot_be_computed(server):
    client = Client(server.target)
    handles = [int(client.session(), 16) for _ in range(50)]
    assert all(h >> 64 for h in handles)
    mask = (1 << 64) - 1
    mixed = {(b - a) & mask for a, b in zip(handles, handles[1:])}
    assert len(mixed) == 49


@case()
def a_reset_does_not_end_sessions_of_others(server):
    one, other = Client(server.target), Client(server.target)
    session = one.session(simple_graph())
    assert code_of(lambda: other.call("Reset")) == "PERMISSION_DENIED"
    one.run(session, ["y:0"], feeds=[("x:0", 1.0)])
    one.call("Reset")  # its own
    assert code_of(lambda: one.run(session, ["y:0"], feeds=[("x:0", 1.0)])) == "ABORTED"


@case("--allow_reset")
def a_reset_may_be_allowed(server):
    one, other = Client(server.target), Client(server.target)
    session = one.session(simple_graph())
    other.call("Reset")
    assert code_of(lambda: one.run(session, ["y:0"], feeds=[("x:0", 1.0)])) == "ABORTED"


# ---- files ------------------------------------------------------------------------------------------

FOLDER = tempfile.mkdtemp(prefix="weir-trust-")


def file_graph():
    g = pb.GraphDef()
    name, text = g.placeholder("str", [], name="name"), g.placeholder("str", [], name="text")
    g.node("ReadFile", name, name="read")
    g.node("WriteFile", name, text, name="write")
    g.node("MatchingFiles", name, name="match")
    return g.bytes()


def files_of(server):
    client = Client(server.target)
    session = client.session(file_graph())
    read = lambda name: code_of(lambda: client.run(session, ["read:0"], feeds=[("name:0", name.encode())]))
    write = lambda name: code_of(lambda: client.run(session, targets=["write"],
                                                    feeds=[("name:0", name.encode()), ("text:0", b"new")]))
    match = lambda name: client.run(session, ["match:0"], feeds=[("name:0", name.encode())])
    return read, write, match


def make_tree():
    inside = os.path.join(FOLDER, "inside")
    os.makedirs(os.path.join(inside, "sub"), exist_ok=True)
    for path in ("secret", "inside/plain", "inside/sub/deep"):
        with open(os.path.join(FOLDER, path), "w") as f:
            f.write("text")
    for link, to in (("out", "../secret"), ("absolute", os.path.join(FOLDER, "secret")), ("folder", ".."), ("in", "sub/deep")):
        if not os.path.lexists(os.path.join(inside, link)):
            os.symlink(to, os.path.join(inside, link))
    return inside


INSIDE = make_tree()
OUTSIDE = ["../secret", "out", "absolute", "folder/secret", "sub/../../secret", "/etc/passwd", "/proc/self/environ",
           os.path.join(FOLDER, "secret"), INSIDE + "/../secret", INSIDE + "-other/x"]


@case("--root", INSIDE)
def files_beneath_a_root(server):
    read, write, match = files_of(server)
    for name in ("plain", "sub/deep", "in", INSIDE + "/plain", "file://" + INSIDE + "/plain", "sub/../plain"):
        assert read(name) == "OK", name
    for name in OUTSIDE:
        assert read(name) in ("PERMISSION_DENIED", "NOT_FOUND"), name
        assert write(name + ("" if name.startswith("/") else "x")) in ("PERMISSION_DENIED", "NOT_FOUND", "OK"), name
    with open(os.path.join(FOLDER, "secret")) as f:
        assert f.read() == "text"
    assert sorted(os.listdir(FOLDER)) == ["inside", "secret"], os.listdir(FOLDER)
    assert write("made") == "OK" and write("sub/made") == "OK"
    assert b"secret" not in match("../*") and b"passwd" not in match("/etc/*") and b"plain" in match("*")


@case("--root", INSIDE + ":ro")
def files_that_are_only_read(server):
    read, write, match = files_of(server)
    assert read("plain") == "OK" and write("plain") == "PERMISSION_DENIED"
    assert write("fresh") == "PERMISSION_DENIED" and not os.path.exists(INSIDE + "/fresh")


@case("--no_files")
def no_files_at_all(server):
    read, write, match = files_of(server)
    for name in ("plain", INSIDE + "/plain", "/etc/passwd", "/dev/null"):
        assert read(name) == "PERMISSION_DENIED" and write(name) == "PERMISSION_DENIED", name


@case()
def overwritten_files_keep_their_mode_and_links(server):
    read, write, match = files_of(server)
    path, link = os.path.join(INSIDE, "kept"), os.path.join(INSIDE, "link_to_kept")
    with open(path, "w") as f:
        f.write("old")
    os.chmod(path, 0o640)
    if not os.path.lexists(link):
        os.symlink("kept", link)
    assert write(link) == "OK" and os.path.islink(link)
    with open(path) as f:
        assert f.read() == "new"
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o640
    assert write("/dev/null") == "OK" and stat.S_ISCHR(os.stat("/dev/null").st_mode)


# ---- running them ----------------------------------------------------------------------------------


def run_case(run, settings):
    server, start = None, time.time()
    try:
        server = Server(**settings)
        run(server)
        if server.process.returncode is None:
            works(server)
            server.stop()
        return None, time.time() - start
    except Exception:
        return traceback.format_exc(), time.time() - start
    finally:
        if server and server.process.poll() is None:
            server.process.kill()
            server.process.wait()


def use(weir):
    """Tests this command."""
    global WEIR
    WEIR = weir


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weir", default=WEIR)
    parser.add_argument("-k", default="", help="only cases whose names contain this text")
    parser.add_argument("-v", "--verbose", action="store_true")
    args = parser.parse_args()
    use(args.weir)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    chosen = [(run, settings) for run, settings in CASES if args.k in run.__name__]
    failed = 0
    for run, settings in chosen:
        error, seconds = run_case(run, settings)
        if error:
            failed += 1
            print("FAIL %s\n%s" % (run.__name__, error), flush=True)
        elif args.verbose:
            print("passed %s in %.1f s" % (run.__name__, seconds), flush=True)
    shutil.rmtree(FOLDER, ignore_errors=True)
    print("trust: %d passed, %d failed" % (len(chosen) - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
