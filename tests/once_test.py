#!/usr/bin/env python3
"""Steps that a client repeats: carried out once, and answered as the first time (kept_answer_mib).

    tests/once_test.py [--weir PATH] [-k TEXT] [-v]
"""
import random
import sys
import threading
import time

import numpy as np

import damage_test
import listed
import pb
import trust_test

case = listed.Cases("once")
KEEP = "kept_answer_mib=1"
F = pb.T("f32")


def counter_graph(device=""):
    """Target "zero" makes n 0; fetching "n_plus:0" adds one to it; "later:0" does after an element of a queue."""
    g = pb.GraphDef()
    n = g.node("VariableV2", name="n", device=device, dtype=F, shape=pb.Shape([]))
    g.node("Assign", n, g.const(0.0), name="zero", device=device, T=F)
    g.node("AssignAdd", n, g.const(1.0), name="n_plus", device=device, T=F)
    g.node("Identity", n, name="n_now", device=device, T=F)
    q = g.node("FIFOQueueV2", name="q", component_types=[F], shared_name="q")
    g.node("QueueEnqueueV2", q, g.const(1.0), name="put", Tcomponents=[F])
    one = g.node("QueueDequeueV2", q, name="take", component_types=[F])
    g.node("AssignAdd", n, one, name="later", device=device, T=F)
    g.node("Fill", g.const(np.array([400000], np.int32), "i32"), "n_plus", name="large", T=F, index_type=pb.T("i32"))
    return g.bytes()


def request(session, id, fetches=("n_plus:0",), targets=()):
    return trust_test.step(session, fetches, targets) + pb.field_int(8, id)


def value(answer):
    """The one fetched scalar."""
    named = pb.parse(pb.parse(answer)[1][0])
    proto = pb.parse(named[2][0])
    return float(np.frombuffer((proto.get(4) or proto[5])[0][-4:], np.float32)[0])


def started(client, device=""):
    session = client.session(counter_graph(device))
    client.run(session, targets=["zero"])
    return session


@case
def the_same_request_again(_):
    server = trust_test.Server(limits=KEEP)
    client = trust_test.Client(server.target)
    session = started(client)
    for id in range(1, 400):
        answers = {client.call("RunStep", request(session, id)) for _ in range(1 + id % 3)}
        assert len(answers) == 1 and value(answers.pop()) == id
    code = trust_test.code_of(lambda: client.call("RunStep", request(session, 1)))
    assert code == "ABORTED", code  # forgotten long ago; not applied again
    assert value(client.run(session, ["n_now:0"])) == 399
    server.stop()


@case
def the_same_id_by_another_method(_):
    """A callable with the id of a step does not get the step's answer, nor the step the callable's."""
    server = trust_test.Server(limits=KEEP)
    client = trust_test.Client(server.target)
    session = started(client)
    options = pb.field_bytes(2, "n_plus:0")
    made = pb.parse(client.call("MakeCallable", pb.field_bytes(1, session) + pb.field_bytes(2, options)))
    run = lambda id: pb.field_bytes(1, session) + pb.field_int(2, made.get(1, [0])[0]) + pb.field_int(4, id)
    calls = {"RunStep": lambda id: request(session, id), "RunCallable": run}
    for id, first, second in ((3, "RunStep", "RunCallable"), (4, "RunCallable", "RunStep")):
        answer = client.call(first, calls[first](id))
        for _ in range(2):
            assert trust_test.code_of(lambda: client.call(second, calls[second](id))) == "ABORTED"
            assert client.call(first, calls[first](id)) == answer
    assert value(client.run(session, ["n_now:0"])) == 2
    server.stop()


@case
def without_the_switch(_):
    server = trust_test.Server()
    client = trust_test.Client(server.target)
    session = started(client)
    client.call("RunStep", request(session, 7))
    assert trust_test.code_of(lambda: client.call("RunStep", request(session, 7))) == "ABORTED"
    assert value(client.run(session, ["n_now:0"])) == 1
    server.stop()


@case
def many_at_once_from_many_connections(seed):
    """Every request is sent one to four times, by connections that come and go."""
    chance = random.Random(seed)
    server = trust_test.Server(limits=KEEP)
    session = started(trust_test.Client(server.target))
    sends = [id for id in range(1, 201) for _ in range(chance.randint(1, 4))]
    chance.shuffle(sends)
    answers, lock = {}, threading.Lock()

    def work(part):
        client = trust_test.Client(server.target)
        for i, id in enumerate(part):
            if i % 10 == 9:
                client.close()
                client = trust_test.Client(server.target)
            got = value(client.call("RunStep", request(session, id)))
            with lock:
                answers.setdefault(id, set()).add(got)
    threads = [threading.Thread(target=work, args=(sends[i::8],)) for i in range(8)]
    [t.start() for t in threads], [t.join() for t in threads]
    assert all(len(got) == 1 for got in answers.values()), answers
    assert sorted(got.pop() for got in answers.values()) == [float(i) for i in range(1, 201)]
    server.stop()


@case
def a_connection_that_is_lost_while_the_step_runs(_):
    server = trust_test.Server(limits=KEEP)
    line = damage_test.Line(int(server.target.rsplit(":", 1)[1]), 1)
    first, second = trust_test.Client("localhost:%d" % line.port), trust_test.Client(server.target)
    session = started(first)
    lost = first.start("RunStep", request(session, 5, ["later:0"]))
    time.sleep(0.3)
    line.cut()
    assert trust_test.code_of(lambda: lost.result()) == "UNAVAILABLE"
    again = second.start("RunStep", request(session, 5, ["later:0"]))
    second.run(session, targets=["put"])
    assert value(again.result()) == 1
    assert value(second.call("RunStep", request(session, 5, ["later:0"]))) == 1
    assert value(second.run(session, ["n_now:0"])) == 1
    server.stop()


@case
def what_ends_a_step_all_the_same(_):
    """A cancelled call, a time limit, and closing the session."""
    server = trust_test.Server(limits=KEEP)
    client = trust_test.Client(server.target)
    session = started(client)
    code = trust_test.code_of(lambda: client.call("RunStep", request(session, 1, ["later:0"]), timeout=0.5))
    assert code == "DEADLINE_EXCEEDED", code
    cancelled = client.start("RunStep", request(session, 2, ["later:0"]))
    time.sleep(0.2)
    cancelled.cancel()
    line = damage_test.Line(int(server.target.rsplit(":", 1)[1]), 1)
    lost = trust_test.Client("localhost:%d" % line.port)
    lost.start("RunStep", request(session, 3, ["later:0"]), timeout=1)  # is over in time though nobody asks
    time.sleep(0.2)
    line.cut()
    time.sleep(1.5)
    client.run(session, targets=["put"])  # none of them is there to take it
    assert value(client.run(session, ["n_now:0"])) == 0
    assert value(client.run(session, ["later:0"])) == 1
    waiting = client.start("RunStep", request(session, 4, ["later:0"]))
    time.sleep(0.2)
    client.call("CloseSession", pb.field_bytes(1, session))
    assert trust_test.code_of(lambda: waiting.result()) == "CANCELLED"
    server.stop()


@case
def answers_too_large_to_keep(_):
    server = trust_test.Server(limits=KEEP)
    client = trust_test.Client(server.target)
    session = started(client)
    client.call("RunStep", request(session, 1, ["large:0"]))
    assert trust_test.code_of(lambda: client.call("RunStep", request(session, 1, ["large:0"]))) == "ABORTED"
    assert value(client.run(session, ["n_now:0"])) == 1
    server.stop()


@case
def memory_is_bounded(_):
    server = trust_test.Server(limits=KEEP)
    client = trust_test.Client(server.target)
    g = pb.GraphDef()
    g.node("Fill", g.const(np.array([200000], np.int32), "i32"), g.const(1.0), name="y", T=F, index_type=pb.T("i32"))
    session = client.session(g.bytes())
    for id in range(1, 20):
        client.call("RunStep", request(session, id, ["y:0"]))
    before = server.memory()
    for id in range(20, 220):
        client.call("RunStep", request(session, id, ["y:0"]))
    assert server.memory() < before + 20, (before, server.memory())
    server.stop()


@case
def a_master_that_was_restarted(_):
    """Its sessions are gone; a step that is repeated is refused, and the state has it once."""
    ports = damage_test.free_ports(2)
    spec = ["--ps_hosts", "localhost:%d" % ports[0], "--worker_hosts", "localhost:%d" % ports[1]]
    start = lambda job: trust_test.Server(["--job_name", job, "--task_index", "0", *spec], limits=KEEP)
    ps, worker = start("ps"), start("worker")
    client = trust_test.Client(worker.target)
    session = started(client, "/job:ps/task:0")
    assert value(client.call("RunStep", request(session, 9))) == 1
    worker.process.kill()
    worker.process.communicate()
    worker = start("worker")
    client = trust_test.Client(worker.target)
    code = trust_test.code_of(lambda: client.call("RunStep", request(session, 9)))
    assert code == "ABORTED", code
    session = client.session(counter_graph("/job:ps/task:0"))
    assert value(client.run(session, ["n_now:0"])) == 1
    worker.stop()
    ps.stop()


if __name__ == "__main__":
    sys.exit(case.main(trust_test.WEIR, trust_test.use, lambda args, folder: (args.seed,), seeds=True))
