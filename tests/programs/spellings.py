"""Every way to a tf.train.Server, and what the hook leaves alone. Run as the only worker."""
import socket
import sys
import threading

import tensorflow as tf2
import tensorflow.compat.v1 as tf
from tensorflow.python.training import server_lib

tf.disable_v2_behavior()


def works(server):
    with tf.Graph().as_default(), tf.Session(server.target) as session:
        assert session.run(tf.constant(2) + 3) == 5
        return [d.name for d in session.list_devices()]


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def local():
    for name, cls in (("tf.compat.v1.train", tf.train.Server), ("tf.distribute", tf2.distribute.Server),
                      ("server_lib", server_lib.Server)):
        server = cls.create_local_server()
        assert server.target.startswith("grpc://"), server.target
        assert server.server_def.job_name == "localhost"
        devices = works(server)
        assert devices == ["/job:localhost/replica:0/task:0/device:CPU:0"], devices
        print("works", name)


def hard_coded():
    address = "127.0.0.1:%d" % free_port()
    server = tf.train.Server({"worker": [address]}, job_name="worker", task_index=0)
    assert server.target == "grpc://" + address, server.target
    works(server)
    try:
        tf.train.Server({"worker": [address]}, job_name="worker", task_index=0)
    except tf.errors.OpError as e:
        print("works hard-coded;", type(e).__name__, "in-use" if "in use" in e.message else e.message)
    try:
        tf.train.Server({"worker": ["nonsense"]})
    except tf.errors.OpError as e:
        print("works bad-address;", type(e).__name__)


def start_later():
    server = tf.train.Server.create_local_server(start=False)
    server.start()
    server.start()
    works(server)
    definition = tf.train.ServerDef()
    definition.CopyFrom(server.server_def)
    works(tf.train.Server(definition))
    print("works start-later")


def launched():
    """The addresses that TF_CONFIG has are those of the server that runs already."""
    import json
    import os
    config = json.loads(os.environ["TF_CONFIG"])
    task = config["task"]
    server = tf.train.Server(tf.train.ClusterSpec(config["cluster"]), task["type"], task["index"])
    assert server.target == os.environ["WEIR_RUN_TARGET"]
    works(server)
    print("works launched", server.target)
    spec = dict(config["cluster"], worker=config["cluster"]["worker"])
    configured = tf.train.Server(spec, task["type"], task["index"],
                                 config=tf.ConfigProto(allow_soft_placement=True))
    assert configured.target == server.target  # at the same address, another server
    works(configured)
    print("works configured")


def joins():
    server = tf.train.Server.create_local_server()
    waiting = threading.Thread(target=server.join, daemon=True)
    waiting.start()  # not the main thread: the task is still at work
    waiting.join(0.3)
    assert waiting.is_alive()
    print("works thread-join")


def waits():
    from tensorflow.python.training import coordinator, session_manager
    manager = session_manager.SessionManager()
    assert manager._recovery_wait_secs < 0.2
    assert session_manager.SessionManager(recovery_wait_secs=0.01)._recovery_wait_secs == 0.01
    coord = coordinator.Coordinator()
    blocked = threading.Event()
    stuck = threading.Thread(target=blocked.wait, name="QueueRunnerThread-q-enqueue", daemon=True)
    stuck.start()
    coord.register_thread(stuck)
    coord.request_stop()
    coord.join(stop_grace_period_secs=60)  # not for the queue runner, which waits for the session
    slow = threading.Thread(target=blocked.wait, name="mine", daemon=True)
    slow.start()
    coord = coordinator.Coordinator()
    coord.register_thread(slow)
    coord.request_stop()
    try:
        coord.join(stop_grace_period_secs=0.3)
        raise AssertionError("a thread of the program's own was not waited for")
    except RuntimeError:
        print("works waits")


assert sys.modules["sitecustomize"] is not None
local()
hard_coded()
start_later()
launched()
joins()
waits()
