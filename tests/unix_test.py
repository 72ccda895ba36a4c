#!/usr/bin/env python3
"""Servers and clusters whose addresses are files: unix:PATH.

    tests/unix_test.py [--weir PATH] [-k TEXT] [-v]
"""
import json
import os
import socket
import stat
import subprocess
import sys

import grpc
import numpy as np

import damage_test
import listed
import pb
import tls_test
import trust_test

case = listed.Cases("unix")
OTHER = 65534  # a user that this process is not
ASK = """
import sys
sys.path.insert(0, %r)
import os
import pb, trust_test
from grpc import _channel
os.setgroups([]), os.setresgid(%d, %d, %d), os.setresuid(%d, %d, %d)
client = trust_test.Client(sys.argv[1])
try:
    if sys.argv[2] == "master":
        print("session", bool(client.session(trust_test.simple_graph())))
    else:
        print("status", len(client.call("GetStatus", service="Worker")) > 0)
except trust_test.grpc.RpcError as e:
    print(e.code().name, e.details())
""" % (tls_test.HERE, *[OTHER] * 6)


def by_other_user(target, service="master"):
    done = subprocess.run([sys.executable, "-c", ASK, target, service], capture_output=True, text=True,
                          timeout=120)
    assert done.returncode == 0, done
    return done.stdout


@case
def every_client_comes_in(folder):
    path = os.path.join(folder, "s")
    server = trust_test.Server(["--listen", "unix:" + path])
    assert server.target == "grpc://unix:" + path
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600 and stat.S_ISSOCK(os.stat(path).st_mode)
    os.chdir(folder)
    for target in ("unix:" + path, "unix://" + path, "unix:s"):
        client = trust_test.Client.__new__(trust_test.Client)
        client.channel = grpc.insecure_channel(target, options=[("grpc.use_local_subchannel_pool", 1)])
        tls_test.step_works(client)
    for target in ("unix:" + path, "grpc://unix:" + path, "grpc://unix://" + path, "unix:s"):
        done = subprocess.run([sys.executable, "-c", tls_test.CLIENT % (tls_test.HERE, os.path.abspath(tls_test.LIBRARY)),
                               target], capture_output=True, text=True, timeout=120)
        assert "value 3.0" in done.stdout, (target, done)
    for words in (["top", "--once", "-o", "json", "unix:" + path], ["doctor", "-H", "unix:" + path]):
        done = subprocess.run([trust_test.WEIR, *words], capture_output=True, text=True, timeout=120)
        assert path in done.stdout or '"up"' in done.stdout, done
    server.stop()
    assert not os.path.exists(path)


@case
def a_file_that_was_left_behind(folder):
    path = os.path.join(folder, "s")
    place = ["--listen", "unix:" + path]
    first = trust_test.Server(place)
    again = subprocess.run([trust_test.WEIR, "server", *place], capture_output=True, text=True, timeout=60)
    assert again.returncode and "Address already in use" in again.stderr, again
    first.process.kill()
    first.process.communicate()
    assert os.path.exists(path)
    second = trust_test.Server(place)
    tls_test.step_works(trust_test.Client(second.target))
    os.rename(path, path + ".old")  # what is there at the end is not its own
    open(path, "w").write("precious")
    second.stop()
    assert open(path).read() == "precious"
    third = subprocess.run([trust_test.WEIR, "server", *place], capture_output=True, text=True, timeout=60)
    assert third.returncode and open(path).read() == "precious", third
    long = subprocess.run([trust_test.WEIR, "server", "--listen", "unix:/" + "x" * 200], capture_output=True, text=True,
                          timeout=60)
    assert long.returncode and "107 bytes" in long.stderr, long


@case
def servers_that_start_at_once(folder):
    """After a server that was killed, exactly one of many gets its file, and it can be reached."""
    path = os.path.join(folder, "s")
    left = socket.socket(socket.AF_UNIX)
    left.bind(path)
    left.close()
    all_ = [subprocess.Popen([trust_test.WEIR, "server", "--listen", "unix:" + path], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE) for _ in range(6)]
    targets = [t for t in (trust_test.announced(p, must=False) for p in all_) if t]
    assert len(targets) == 1, targets
    tls_test.step_works(trust_test.Client(targets[0]))
    for process in all_:
        process.terminate()
        process.communicate(timeout=60)


@case
def a_cluster_of_files(folder):
    path = [os.path.join(folder, n) for n in ("ps", "worker")]
    spec = ["--ps_hosts", "unix:" + path[0], "--worker_hosts", "unix://" + path[1]]
    tasks = [trust_test.Server(["--job_name", job, "--task_index", "0", *spec], env=env)
             for job, env in (("ps", None), ("worker", None))]
    client, size = trust_test.Client(tasks[1].target), 300000
    session = client.session(damage_test.graph(size))
    for _ in range(3):
        client.run(session, ["y:0"], feeds=[("x:0", np.ones(size, np.float32))])
    cluster = subprocess.run([trust_test.WEIR, "top", "--once", "-o", "json", tasks[0].target], capture_output=True,
                             text=True, timeout=60)
    assert all(p in cluster.stdout for p in path), cluster
    assert [json.loads(line) for line in [cluster.stdout]], cluster
    for task in tasks:
        task.stop()
    assert not any(os.path.exists(p) for p in path)


@case
def beside_a_port_with_tls(folder):
    """Who is on the machine and of the same user needs no certificate, others do."""
    pki = tls_test.Pki(os.path.join(folder, "pki"))
    path = os.path.join(folder, "s")
    server = trust_test.Server(pki.options() + ["--listen", "127.0.0.1,unix:" + path])
    tls_test.step_works(tls_test.TlsClient(server.target, pki.credentials()))
    tls_test.says(tls_test.client_says(server, {}), "TLS")
    local = trust_test.Client("unix:" + path)
    tls_test.step_works(local)
    assert len(local.call("GetStatus", service="Worker")) > 0
    server.stop()


@case
def other_users(folder):
    if os.geteuid() != 0:
        print("unix: other users were not tried, which takes root", flush=True)
        return
    path = os.path.join(folder, "s")
    os.chmod(folder, 0o755)
    server = trust_test.Server(["--listen", "unix:" + path])
    assert "UNAVAILABLE" in by_other_user("unix:" + path)
    os.chmod(path, 0o666)  # what the file lets in is asked who it is
    assert "UNAVAILABLE" in by_other_user("unix:" + path)
    assert "another user's" in server.stop()
    before = os.umask(0)
    server = trust_test.Server(["--listen", "unix:" + path, "--allow", "unix"])
    os.umask(before)
    assert "session True" in by_other_user("unix:" + path)
    assert "PERMISSION_DENIED" in by_other_user("unix:" + path, "worker")
    tls_test.step_works(trust_test.Client("unix:" + path))
    assert len(trust_test.Client("unix:" + path).call("GetStatus", service="Worker")) > 0
    server.stop()


def use(weir):
    """Cases change the working folder."""
    trust_test.use(os.path.abspath(weir))
    tls_test.LIBRARY = os.path.abspath(tls_test.LIBRARY)


if __name__ == "__main__":
    sys.exit(case.main(trust_test.WEIR, use, lambda args, folder: (folder,)))
