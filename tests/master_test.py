#!/usr/bin/env python3
"""A Weir master over a cluster, under TensorFlow's Python client: the same programs against
TensorFlow's own cluster, one of Weir's tasks only, and one of Weir's master with TensorFlow's others.
"""
import argparse
import os
import sys
import tempfile
import threading
import time
import traceback

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.core.protobuf import config_pb2

from clusters import Cluster

tf.disable_v2_behavior()
PS, WORKER, OTHER = "/job:ps/task:0", "/job:worker/task:0", "/job:worker/task:1"
PROGRAMS, TESTS = [], []
LAYOUTS = {
    "tensorflow": "ps:tf worker:tf worker:tf",
    "weir": "ps:weir worker:weir worker:weir",
    "mixed": "ps:tf worker:weir worker:tf",
}


def program(f):
    """f(session maker) -> results, equal whatever runs them."""
    PROGRAMS.append(f)
    return f


def test(f):
    """f(weir binary): a cluster of its own."""
    TESTS.append(f)
    return f


def session(target, **config):
    config.setdefault("operation_timeout_in_ms", 60000)
    return tf.Session(target, config=tf.ConfigProto(**config))


def error_of(f):
    """What an error is for its caller: its kind and the nodes that it names."""
    try:
        f()
    except tf.errors.OpError as e:
        return type(e).__name__
    raise AssertionError("no error")


def fails(kind, f, text=""):
    try:
        f()
    except kind as e:
        assert text in str(e), str(e)
        return str(e)
    raise AssertionError("no %s" % kind.__name__)


# ---- programs ----------------------------------------------------------------------------------


@program
def variables_on_a_parameter_server(open_session):
    with tf.device(PS):
        w = tf.get_variable("w", [3], initializer=tf.ones_initializer())
        r = tf.get_variable("r", [3], initializer=tf.ones_initializer(), use_resource=True)
    with tf.device(WORKER):
        x = tf.placeholder(tf.float32, [3])
        loss = tf.reduce_sum(tf.square(w * x + r))
        step = tf.train.MomentumOptimizer(0.01, 0.9).minimize(loss)
    with open_session() as s:
        s.run(tf.global_variables_initializer())
        losses = []
        for i in range(5):
            losses.append(s.run(loss, {x: [1, 2, i]}))
            s.run(step, {x: [1, 2, i]})
        return losses + s.run([w, r])


@program
def optimizers(open_session):
    makers = [lambda: tf.train.AdamOptimizer(0.1), lambda: tf.train.AdagradOptimizer(0.1),
              lambda: tf.train.RMSPropOptimizer(0.1), lambda: tf.train.FtrlOptimizer(0.1)]
    rows = []
    for k, make in enumerate(makers):
        with tf.device(tf.train.replica_device_setter(ps_tasks=1)), tf.variable_scope("m%d" % k):
            table = tf.get_variable("t", [5, 2], initializer=tf.ones_initializer())
            bias = tf.get_variable("b", [2], use_resource=True,
                                   initializer=tf.zeros_initializer())
            picked = tf.nn.embedding_lookup(table, [1, 3, 1])
            loss = tf.reduce_sum(tf.square(picked + bias - [[1.0, 2.0]]))
            rows.append((make().minimize(loss), table, bias))
    with open_session() as s:
        s.run(tf.global_variables_initializer())
        for _ in range(3):
            for step, _, _ in rows:
                s.run(step)
        return [v for row in rows for v in s.run(row[1:])]


@program
def values_of_every_kind_cross(open_session):
    values = [np.float32(1.5), np.array([], np.float64), np.arange(6, dtype=np.int64).reshape(2, 3),
              np.array([True, False]), np.array([b"", b"two", b"\0three"], object),
              np.array([1 + 2j], np.complex64), np.arange(200000, dtype=np.float32),
              np.array([7], np.uint8)]
    there, back = [], []
    for v in values:
        with tf.device(WORKER):
            made = tf.placeholder(tf.as_dtype(v.dtype) if v.dtype != object else tf.string)
        with tf.device(PS):
            there.append((made, tf.identity(made)))
        with tf.device(WORKER):
            back.append(tf.identity(there[-1][1]))
    with open_session() as s:
        return s.run(back, {made: v for (made, _), v in zip(there, values)})


@program
def feeds_fetches_and_targets_anywhere(open_session):
    with tf.device(PS):
        x = tf.placeholder(tf.float32)
        v = tf.get_variable("v", [], initializer=tf.zeros_initializer())
        y = x * 2.0
        put = tf.assign_add(v, y)
    with tf.device(OTHER):
        z = y + x
    with open_session() as s:
        s.run(v.initializer)
        first = s.run([y, z, put], {x: 3.0})
        s.run(put.op, {x: 1.0})
        fed = s.run(z, {x: 1.0, y: 10.0})  # y is not computed
        return first + [s.run(v), fed]


@program
def control_edges_cross(open_session):
    with tf.device(PS):
        v = tf.get_variable("v", [], initializer=tf.zeros_initializer())
    with tf.device(WORKER):
        a = tf.get_variable("a", [], initializer=tf.zeros_initializer())
        with tf.control_dependencies([v.assign_add(1.0)]):
            first = a.assign_add(10.0)
    with tf.device(PS), tf.control_dependencies([first]):
        second = v.read_value() + 0.0  # a value, not the variable's memory
        with tf.control_dependencies([second]):
            third = v.assign_add(100.0)
    with open_session() as s:
        s.run([v.initializer, a.initializer])
        return [s.run([second, third]) for _ in range(3)] + s.run([v, a])


@program
def who_waits_for_a_change_sees_it(open_session):
    """Though the variable was read before: synchronous replicas rely on it."""
    with tf.device(PS):
        v = tf.get_variable("v", [], initializer=tf.zeros_initializer())
        q = tf.FIFOQueue(1, [tf.bool])
        with tf.control_dependencies([q.dequeue()]):
            change = tf.assign_add(v, 1.0)
        with tf.control_dependencies([change]):
            y = tf.fill([2], v)
            z = tf.cond(tf.constant(True), lambda: v * 2.0, lambda: 0.0)
    with open_session() as s:
        s.run(v.initializer)
        out = []
        t = threading.Thread(target=lambda: out.extend(s.run([y, z])))
        t.start()
        time.sleep(0.3)
        s.run(q.enqueue(True))
        t.join(30)
        return out


@program
def branches_cross(open_session):
    p = tf.placeholder(tf.bool)
    with tf.device(PS):
        v = tf.get_variable("v", [2], initializer=tf.ones_initializer())

    def taken():
        with tf.device(PS):
            doubled = v * 2.0
        with tf.device(OTHER):
            return doubled + 1.0

    def not_taken():
        with tf.device(PS), tf.control_dependencies([tf.assign_add(v, [1.0, 1.0])]):
            return v.read_value() - 5.0

    with tf.device(WORKER):
        y = tf.cond(p, taken, not_taken)
        g = tf.gradients(tf.cond(p, lambda: tf.reduce_sum(v * v), lambda: tf.reduce_sum(v)), v)[0]
    with open_session() as s:
        s.run(v.initializer)
        return [s.run(y, {p: k}) for k in (True, False, True, False)] + [
            s.run(g, {p: True}), s.run(g, {p: False})]


def crossing_loop(limit, start, scale):
    def body(i, x):
        with tf.device(PS):
            y = x * scale
        with tf.device(OTHER):
            z = y + tf.cast(i, tf.float32)
        with tf.device(WORKER):
            return i + 1, z * 0.5

    return tf.while_loop(lambda i, _: i < limit, body, [0, start])[1]


@program
def loops_cross(open_session):
    n = tf.placeholder(tf.int32, [])
    with tf.device(WORKER):
        x = tf.placeholder(tf.float32, [2])
        y = crossing_loop(n, x, 3.0)
        g = tf.gradients(y, x)[0]
    with open_session() as s:
        return [s.run([y, g], {n: k, x: [1.0, 2.0]}) for k in (0, 1, 2, 17)]


@program
def nested_loops_cross(open_session):
    n = tf.placeholder(tf.int32, [])
    with tf.device(PS):
        scale = tf.get_variable("scale", [], initializer=tf.constant_initializer(1.5))

    def body(i, x):
        with tf.device(PS):
            inner = crossing_loop(i, x, scale)
        with tf.device(WORKER):
            return i + 1, tf.cond(tf.reduce_sum(inner) > 3.0, lambda: inner * 0.25,
                                  lambda: inner + 1.0)

    with tf.device(OTHER):
        x = tf.placeholder(tf.float32, [2])
        y = tf.while_loop(lambda i, _: i < n, body, [0, x], parallel_iterations=3)[1]
        g = tf.gradients(y, [x, scale])
    with open_session() as s:
        s.run(scale.initializer)
        return [s.run([y] + g, {n: k, x: [1.0, 2.0]}) for k in (1, 2, 5)]


@program
def loop_in_a_branch(open_session):
    p = tf.placeholder(tf.bool)
    with tf.device(WORKER):
        x = tf.placeholder(tf.float32, [1])
        y = tf.cond(p, lambda: crossing_loop(4, x, 2.0), lambda: x)
    with open_session() as s:
        return [s.run(y, {p: k, x: [1.0]}) for k in (False, True, False)]


@program
def functional_flow_crosses(open_session):
    tf.enable_control_flow_v2()
    try:
        n = tf.placeholder(tf.int32, [])
        x = tf.placeholder(tf.float32, [2])
        with tf.device(WORKER):
            y = crossing_loop(n, x, 3.0)
            z = tf.cond(n > 2, lambda: y * 2.0, lambda: y - 1.0)
            g = tf.gradients(z, x)[0]
        with open_session() as s:
            return [s.run([z, g], {n: k, x: [1.0, 2.0]}) for k in (1, 4)]
    finally:
        tf.disable_control_flow_v2()


@program
def replicas_in_one_graph(open_session):
    tower_losses, towers = [], []
    with tf.device(PS):
        w = tf.get_variable("w", [4, 1], initializer=tf.zeros_initializer())
        optimizer = tf.train.GradientDescentOptimizer(0.05)
    data = np.linspace(-1, 1, 24).reshape(6, 4).astype(np.float32)
    for device, half in ((WORKER, data[:3]), (OTHER, data[3:])):
        with tf.device(device):
            loss = tf.reduce_mean(tf.square(tf.matmul(tf.constant(half), w) - 1.0))
            tower_losses.append(loss)
            towers.append(tf.gradients(loss, w)[0])
    with tf.device(PS):
        step = optimizer.apply_gradients([(tf.add_n(towers) / 2.0, w)])
    with open_session() as s:
        s.run(w.initializer)
        out = []
        for _ in range(4):
            out += s.run(tower_losses)
            s.run(step)
        return out + [s.run(w)]


@program
def partial_runs_and_callables(open_session):
    with tf.device(WORKER):
        a, b = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
    with tf.device(PS):
        first = a * 2.0
    with tf.device(OTHER):
        second = first + b
    with open_session() as s:
        handle = s.partial_run_setup([first, second], [a, b])
        out = [s.partial_run(handle, first, {a: 3.0}), s.partial_run(handle, second, {b: 1.0})]
        options = config_pb2.CallableOptions(feed=[a.name, b.name], fetch=[second.name])
        call = s._make_callable_from_options(options)
        two = np.float32(2.0)
        return out + [call(np.float32(1.0), two)[0], call(two, two)[0]]


@program
def errors_of_other_tasks(open_session):
    with tf.device(PS):
        v = tf.get_variable("never", [])
        i = tf.placeholder(tf.int32)
        picked = tf.gather([1.0, 2.0], i, name="picked")
    with tf.device(WORKER):
        y, z = v + 1.0, picked + 1.0
        bad = tf.gather([1.0], i, name="here")
    with tf.device(OTHER):
        w = tf.check_numerics(tf.log(picked - 2.0), "bad number") + z
    with open_session() as s:
        return [error_of(lambda: s.run(y)), error_of(lambda: s.run(z, {i: 7})),
                error_of(lambda: s.run(bad, {i: 7})), error_of(lambda: s.run(w, {i: 0})),
                s.run(z, {i: 1})]


@program
def queues_and_tables_of_other_tasks(open_session):
    with tf.device(PS):
        q = tf.FIFOQueue(10, [tf.float32], shapes=[[]], shared_name="q")
        size = q.size()
    with tf.device(WORKER):
        put = q.enqueue_many(tf.constant([1.0, 2.0, 3.0]))
        take = q.dequeue() * 2.0
        many = q.dequeue_many(2)
    with open_session() as s:
        s.run(put)
        out = [s.run(take), s.run(many), s.run(size)]
        late = []
        waiter = threading.Thread(target=lambda: late.append(s.run(take)))
        waiter.start()
        time.sleep(0.2)
        s.run(put)
        waiter.join(30)
        timeout = tf.RunOptions(timeout_in_ms=300)
        s.run(many)
        return out + late + [error_of(lambda: s.run(take, options=timeout)), s.run(size)]


def placement(graphs):
    return sorted((n.name, n.device) for g in graphs for n in g.node
                  if n.op not in ("_Send", "_Recv", "_HostSend", "_HostRecv", "_Arg", "_Retval")
                  and "_S" not in n.name and not n.name.startswith("_"))


@program
def placement_without_a_word(open_session):
    """Where nodes go that say nothing, or only a part."""
    with tf.device("/job:ps"):
        v = tf.Variable([1.0, 2.0], name="v", use_resource=False)
    with tf.device(OTHER):
        r = tf.Variable([1.0, 2.0], name="r", use_resource=True)
    shape = tf.shape(v, name="shape")  # with its input
    c = tf.constant([3.0, 4.0], name="c")
    with tf.device("/job:ps/cpu:0"):
        only_user = tf.add(c, v, name="only_user")
    free = tf.add(only_user, 1.0, name="free")  # at the client's task
    with tf.device(WORKER):
        read = tf.identity(v, name="read")
        follows = tf.assign_add(r, [1.0, 1.0], name="follows")  # to the resource
    with tf.colocate_with(v.op):
        near = tf.zeros([2], name="near")
    with open_session() as s:
        s.run([v.initializer, r.initializer])
        metadata = tf.RunMetadata()
        options = tf.RunOptions(output_partition_graphs=True)
        s.run([shape, only_user, free, read, follows, near], options=options,
              run_metadata=metadata)
        return [np.array(placement(metadata.partition_graphs))]


# ---- programs against every layout -------------------------------------------------------------


def run_program(f, target):
    # No rewriting on either side: what is compared is where nodes go and what they give.
    config = tf.ConfigProto(operation_timeout_in_ms=60000)
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    with tf.Graph().as_default():
        tf.set_random_seed(1)
        tf.Session.reset(target)
        return f(lambda: tf.Session(target, config=config))


def compare(f, got, expected):
    assert len(got) == len(expected), (got, expected)
    for g, e in zip(got, expected):
        if isinstance(e, (list, tuple)):
            compare(f, g, e)
        elif isinstance(e, str) or np.asarray(e).dtype.kind in "OSU":
            assert np.array_equal(g, e), (g, e)
        else:
            np.testing.assert_allclose(g, e, rtol=1e-5, atol=1e-6)


# ---- clusters of their own ---------------------------------------------------------------------


@test
def devices_of_every_task(weir):
    with Cluster("ps:weir worker:weir worker:weir", weir) as c:
        with session(c.target("worker", 1)) as s:
            names = [d.name for d in s.list_devices()]
        assert names[0] == "/job:worker/replica:0/task:1/device:CPU:0", names
        assert len(names) == 3, names


@test
def the_step_after_the_update(weir):
    """As programs ask for it that end at a number of steps; whatever the rewriting does."""
    x = tf.placeholder(tf.float32, [2])
    with tf.device(PS):
        step = tf.train.get_or_create_global_step()
        w = tf.get_variable("w", [2], initializer=tf.ones_initializer())
    with tf.device(WORKER):
        loss = tf.reduce_sum(tf.square(w * x))
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=step)
    with tf.control_dependencies([train]), tf.device(step.device):
        after = tf.identity(step)
    with Cluster("ps:weir worker:weir", weir) as c, session(c.target("worker", 0)) as s:
        s.run(tf.global_variables_initializer())
        assert [s.run(after, {x: [1, 2]}) for _ in range(3)] == [1, 2, 3]
        assert s.run([train, after, loss], {x: [1, 2]})[1] == 4


def fetched_ways(name, value):
    """A variable by each way in which a program may fetch it."""
    v = tf.get_variable(name, initializer=value, use_resource=False)
    r = tf.get_variable(name + "_r", initializer=value, use_resource=True)
    return [v, v.read_value(), tf.identity(v), r, r.read_value()], [v.assign_add(1), r.assign_add(1)]


@test
def a_step_that_waits_reports_its_end(weir):
    """A variable that another step changes before it gives what this one waits for."""
    with tf.device(PS):
        here, changes = fetched_ways("here", 7)
    with tf.device("/job:ps/task:1"):
        there, more = fetched_ways("there", 7)
        arrived = tf.FIFOQueue(9, tf.int32, [], shared_name="arrived")
        tokens = tf.FIFOQueue(9, tf.int32, [], shared_name="tokens")
        never = tf.get_variable("never", initializer=1, use_resource=False)
        with tf.control_dependencies([arrived.enqueue(1)]):
            token = tokens.dequeue()
    both, update = here + there, changes + more
    asked = [[token.op, both], [token, both[0]], [both, token]]
    with Cluster("ps:weir ps:weir worker:weir worker:weir", weir) as c, \
            session(c.target("worker", 0)) as s, session(c.target("worker", 1)) as other:
        s.run(tf.variables_initializer([v for v in tf.global_variables() if v is not never]))
        for i, fetches in enumerate(asked):
            got = []
            waiting = threading.Thread(target=lambda: got.extend(tf.nest.flatten(s.run(fetches))))
            waiting.start()
            other.run(arrived.dequeue())
            time.sleep(0.2)  # for whatever would be read early
            other.run(update)
            other.run(tokens.enqueue(8 + i))
            waiting.join()
            assert set(x for x in got if x is not None) == {8 + i}, (i, got)
        # What has no value is not waited for, and a partial run gets each fetch when it can be had.
        fails(tf.errors.FailedPreconditionError, lambda: s.run([never, token]), "uninitialized")
        handle = s.partial_run_setup([here[0], token], [])
        assert s.partial_run(handle, here[0]) == 10
        other.run(tokens.enqueue(5))
        assert s.partial_run(handle, token) == 5


@test
def a_missing_task_is_waited_for(weir):
    with Cluster("ps:weir worker:weir worker:weir", weir, start=False) as c:
        c.start_task("ps", 0)
        c.start_task("worker", 0)
        target = c.target("worker", 0)
        one = tf.constant(1.0)
        begin = time.time()
        with session(target, operation_timeout_in_ms=700) as s:
            fails(tf.errors.DeadlineExceededError, lambda: s.run(one))
        assert time.time() - begin < 20
        with session(target, device_filters=["/job:ps"]) as s:
            assert s.run(one) == 1.0
        threading.Timer(1.0, lambda: c.start_task("worker", 1)).start()
        with session(target) as s:
            assert s.run(one) == 1.0
        with tf.device("/job:worker/task:1"):
            there = tf.constant(2.0) + 1.0
        with session(target, device_filters=["/job:ps"]) as s:
            fails(tf.errors.InvalidArgumentError, lambda: s.run(one), "available devices are")
        with session(target) as s:
            assert s.run(there) == 3.0


@test
def the_whole_graph_is_placed_first(weir):
    with Cluster("ps:weir worker:weir", weir) as c:
        one = tf.constant(1.0)
        with session(c.target("worker", 0)) as s:
            assert s.run(one) == 1.0
            with tf.device("/job:nobody/task:3"):
                tf.constant(2.0, name="lost")
            for _ in range(2):
                text = fails(tf.errors.InvalidArgumentError, lambda: s.run(one), "lost")
        with session(c.target("worker", 0)) as s:
            text = fails(tf.errors.InvalidArgumentError, lambda: s.run(one))
        assert "/job:nobody/task:3" in text and "/job:ps/replica:0/task:0/device:CPU:0" in text


@test
def a_parameter_server_restarts(weir):
    with Cluster("ps:weir worker:weir", weir) as c:
        with tf.device(PS):
            v = tf.get_variable("v", [], initializer=tf.zeros_initializer())
            add = v.assign_add(1.0)
        with tf.device(WORKER):
            y = v + 1.0
        s = session(c.target("worker", 0))
        s.run(v.initializer)
        s.run(add)
        assert s.run(y) == 2.0
        c.stop_task("ps", 0)
        begin = time.time()
        fails(tf.errors.UnavailableError, lambda: s.run(y))
        assert time.time() - begin < 10
        c.start_task("ps", 0)
        deadline = time.time() + 20
        while True:  # until the connection is back
            try:
                s.run(y)
                raise AssertionError("a session outlived its tasks")
            except tf.errors.UnavailableError:
                assert time.time() < deadline
                time.sleep(0.1)
            except tf.errors.AbortedError:
                break
        s.close()
        with session(c.target("worker", 0)) as s:
            fails(tf.errors.FailedPreconditionError, lambda: s.run(y))
            s.run(v.initializer)
            assert s.run(y) == 1.0
        assert c.alive()


@test
def training_goes_on_after_restarts(weir):
    """MonitoredTrainingSession recovers from its checkpoints when a task comes back."""
    with Cluster("ps:weir worker:weir", weir) as c, tempfile.TemporaryDirectory() as folder:
        spec = tf.train.ClusterSpec(c.spec)
        with tf.device(tf.train.replica_device_setter(cluster=spec)):
            w = tf.get_variable("w", [2], initializer=tf.ones_initializer())
            step = tf.train.get_or_create_global_step()
            train = tf.train.GradientDescentOptimizer(0.01).minimize(
                tf.reduce_sum(tf.square(w)), global_step=step)
        restarts = {63: ("ps", 0), 125: ("worker", 0)}
        now, went_back = 0, 0
        with tf.train.MonitoredTrainingSession(
                c.target("worker", 0), checkpoint_dir=folder, save_checkpoint_steps=20,
                save_summaries_steps=None) as s:
            while now < 200:
                before, now = now, int(s.run([train, step])[1])
                went_back += now < before
                if now in restarts:
                    task = restarts.pop(now)
                    c.stop_task(*task)
                    threading.Timer(0.5, lambda: c.start_task(*task)).start()
        assert not restarts and went_back == 2, (restarts, went_back)


@test
def closing_and_resetting_stop_what_waits(weir):
    with Cluster("ps:weir worker:weir", weir) as c:
        target = c.target("worker", 0)
        with tf.device(PS):
            q = tf.FIFOQueue(1, [tf.float32], shared_name="q")
            v = tf.get_variable("v", [], initializer=tf.ones_initializer())
        with tf.device(WORKER):
            take = q.dequeue() + 1.0
        for end in ("close", "reset"):
            s = session(target)
            s.run(v.initializer)
            ended = []

            def wait():
                try:
                    s.run(take)
                except tf.errors.OpError as e:
                    ended.append(type(e).__name__)

            threads = [threading.Thread(target=wait) for _ in range(3)]
            for t in threads:
                t.start()
            time.sleep(0.5)
            if end == "close":
                s.close()
            else:
                tf.Session.reset(target)
            for t in threads:
                t.join(20)
            assert len(ended) == 3 and set(ended) <= {"CancelledError", "AbortedError"}, ended
        with session(target) as s:  # the default container of every task was emptied
            fails(tf.errors.FailedPreconditionError, lambda: s.run(v + 1.0))
        assert c.alive()


@test
def metadata_of_every_task(weir):
    with Cluster("ps:weir worker:weir", weir) as c:
        with tf.device(PS):
            v = tf.get_variable("v", [2], initializer=tf.ones_initializer())
        with tf.device(WORKER):
            y = tf.reduce_sum(v * 2.0)
        with session(c.target("worker", 0)) as s:
            s.run(v.initializer)
            m = tf.RunMetadata()
            s.run(y, options=tf.RunOptions(trace_level=3, output_partition_graphs=True),
                  run_metadata=m)
        devices = {d.device.split("/device")[0] for d in m.step_stats.dev_stats}
        assert {"/job:ps/replica:0/task:0", "/job:worker/replica:0/task:0"} <= devices, devices
        assert len(m.partition_graphs) == 2
        received = [n.timeline_label for d in m.step_stats.dev_stats for n in d.node_stats
                    if n.node_name == "RecvTensor"]
        assert any("edge_" in label and "/job:ps" in label for label in received), received


@test
def isolated_sessions_share_nothing(weir):
    with Cluster("ps:weir worker:weir", weir) as c:
        with tf.device(PS):
            v = tf.get_variable("v", [], initializer=tf.ones_initializer())
        target = c.target("worker", 0)
        with session(target) as s:
            s.run(v.initializer)
        with session(target, isolate_session_state=True) as s:
            fails(tf.errors.FailedPreconditionError, lambda: s.run(v + 1.0))
        with session(target) as s:
            assert s.run(v + 1.0) == 2.0
        with session(target, use_per_session_threads=True) as s:
            fails(tf.errors.InvalidArgumentError, lambda: s.run(v))


@test
def a_cluster_that_the_client_brings(weir):
    with Cluster("ps:weir worker:weir", weir) as c:
        given = tf.train.ClusterSpec({"here": [c.spec["worker"][0]], "there": [c.spec["ps"][0]]})
        with tf.device("/job:there/task:0"):
            v = tf.get_variable("v", [], initializer=tf.ones_initializer())
        with tf.device("/job:here/task:0"):
            y = v + 1.0
        config = tf.ConfigProto(cluster_def=given.as_cluster_def(), operation_timeout_in_ms=60000)
        with tf.Session(c.target("worker", 0), config=config) as s:
            s.run(v.initializer)
            assert s.run(y) == 2.0
            names = [d.name for d in s.list_devices()]
            assert names[0].startswith("/job:here/") and names[1].startswith("/job:there/"), names


# ---- running -----------------------------------------------------------------------------------


def attempt(name, f):
    begin = time.time()
    try:
        f()
    except Exception:
        traceback.print_exc()
        print("FAILED %s" % name, flush=True)
        return False
    if time.time() - begin > 10:
        print("slow: %s took %.0f s" % (name, time.time() - begin), flush=True)
    return True


def in_graph(f, weir):
    with tf.Graph().as_default():
        f(weir)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--weir", default=None, help="the binary; default: build/release/weir")
    parser.add_argument("--layouts", default="weir,mixed")
    parser.add_argument("only", nargs="*", help="names of programs and tests")
    args = parser.parse_args()
    chosen = [f for f in PROGRAMS if not args.only or f.__name__ in args.only]
    results = []
    expected = {}
    for layout in ["tensorflow"] + args.layouts.split(",") if chosen else []:
        with Cluster(LAYOUTS[layout], args.weir) as c:
            target = c.target("worker", 0)
            for f in chosen:
                name = "%s on %s" % (f.__name__, layout)
                if layout == "tensorflow":
                    attempt(name, lambda: expected.update({f: run_program(f, target)}))
                else:
                    results.append(attempt(
                        name, lambda: compare(f, run_program(f, target), expected[f])))
            if not c.alive():
                print("FAILED: a server of %s ended" % layout)
                results.append(False)
    for f in TESTS:
        if not args.only or f.__name__ in args.only:
            results.append(attempt(f.__name__, lambda: in_graph(f, args.weir)))
    print("master: %d passed, %d failed" % (sum(results), len(results) - sum(results)))
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
