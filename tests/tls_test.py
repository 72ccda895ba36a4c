#!/usr/bin/env python3
"""TLS, mutual TLS and tokens: who comes in, who does not and why, and what is seen on the wire.

    tests/tls_test.py [--weir PATH] [-k TEXT] [-v]
"""
import os
import shutil
import signal
import ssl
import subprocess
import sys
import time
import urllib.request

import grpc
import numpy as np

import damage_test
import listed
import pb
import trust_test

HERE = os.path.dirname(os.path.abspath(__file__))
LIBRARY = os.path.join(HERE, "..", "build", "release", "libweir.so")
case = listed.Cases("tls")
CLIENT = """
import sys
sys.path.insert(0, %r)
import pb, weir_c
g = pb.GraphDef()
g.node("AddV2", g.const(1.0), g.const(2.0), name="y", T=pb.T("f32"))
try:
    with weir_c.Library(%r).graph(g.bytes()).session(target=sys.argv[1]) as s:
        print("value", s.run(["y:0"])[0].array)
except weir_c.Error as e:
    print(e)
"""


class Pki:
    """An authority with certificates for localhost."""

    def __init__(self, folder):
        self.folder = folder
        self.make("init")
        self.make("issue", "localhost,127.0.0.1")

    def make(self, *words):
        subprocess.run([trust_test.WEIR, "pki", words[0], "--dir", self.folder, *words[1:]], check=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def options(self, name="localhost", ca=True):
        return ["--tls-cert", self.path(name + ".crt"), "--tls-key", self.path(name + ".key")] + (
            ["--tls-ca", self.path("ca.crt")] if ca else [])

    def env(self, name="localhost", own=True):
        out = {"WEIR_TLS_CA": self.path("ca.crt")}
        if own:
            out.update(WEIR_TLS_CERT=self.path(name + ".crt"), WEIR_TLS_KEY=self.path(name + ".key"))
        return out

    def credentials(self):
        read = lambda name: open(self.path(name), "rb").read()
        return grpc.ssl_channel_credentials(read("ca.crt"), read("localhost.key"), read("localhost.crt"))


class TlsClient(trust_test.Client):
    """gRPC's own client, by TLS."""

    def __init__(self, target, credentials):
        self.channel = grpc.secure_channel(target.replace("grpc://", "").replace("127.0.0.1", "localhost"),
                                           credentials, options=[("grpc.use_local_subchannel_pool", 1)])


def client_says(server, env):
    """What Weir's client gets for one step."""
    target = "grpc://localhost:" + server.target.rsplit(":", 1)[1]
    done = subprocess.run([sys.executable, "-c", CLIENT % (HERE, os.path.abspath(LIBRARY)), target],
                          env=dict(os.environ, **env), capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done
    return done.stdout


def says(text, *parts):
    assert any(p in text for p in parts), "none of %r in %r" % (parts, text)


def step_works(client):
    session = client.session(trust_test.simple_graph())
    client.run(session, ["y:0"], feeds=[("x:0", 1.0)])
    return session


@case
def certificates_of_the_same_authority(pki, _):
    server = trust_test.Server(pki.options())
    step_works(TlsClient(server.target, pki.credentials()))
    says(client_says(server, pki.env()), "value 3.0")
    server.stop()


@case
def others_are_refused_with_the_cause(pki, other):
    pki.make("issue", "expired.test", "--days", "0")
    pki.make("issue", "elsewhere.test")
    server = trust_test.Server(pki.options())
    says(client_says(server, {}), "TLS")
    says(client_says(server, pki.env(own=False)), "certificate required")
    says(client_says(server, dict(other.env(), WEIR_TLS_CA=pki.path("ca.crt"))), "unknown ca", "decrypt error",
         "bad signature")
    says(client_says(server, other.env()), "certificate signature failure", "self-signed", "unable to get",
         "self signed")
    time.sleep(1.1)
    says(client_says(server, pki.env("expired.test")), "certificate expired")
    says(client_says(server, pki.env()), "value 3.0")
    log = server.stop()
    says(log, "does not use TLS")
    says(log, "peer did not return a certificate")
    says(log, "certificate has expired")
    server = trust_test.Server(pki.options("elsewhere.test"))
    says(client_says(server, pki.env()), "hostname mismatch", "Hostname mismatch")
    server.stop()
    plain = trust_test.Server()
    says(client_says(plain, pki.env()), "TLS")
    plain.stop()


@case
def tokens(pki, _):
    token = os.path.join(pki.folder, "token")
    with open(token, "w") as f:
        f.write("a secret of some length\n")
    wrong = token + ".wrong"
    with open(wrong, "w") as f:
        f.write("another secret of length\n")
    server = trust_test.Server(["--token-file", token, *pki.options(ca=False)])
    ca = {"WEIR_TLS_CA": pki.path("ca.crt")}
    says(client_says(server, ca), "none was sent")
    says(client_says(server, dict(ca, WEIR_TOKEN_FILE=wrong)), "another one was sent")
    says(client_says(server, dict(ca, WEIR_TOKEN_FILE=token)), "value 3.0")
    shutil.copy(wrong, token)
    server.process.send_signal(signal.SIGHUP)
    trust_test.eventually(lambda: "value 3.0" in client_says(server, dict(ca, WEIR_TOKEN_FILE=wrong)))
    server.stop()


@case
def a_token_of_tasks_alone(pki, _):
    """Clients need none; who calls methods of tasks does, by any transport."""
    token = os.path.join(pki.folder, "token")
    with open(token, "w") as f:
        f.write("a secret of some length\n")
    with open(token + ".wrong", "w") as f:
        f.write("another secret of length\n")
    for transports in ("grpc", "shm,grpc"):
        ports = damage_test.free_ports(2)
        spec = ["--ps_hosts", "localhost:%d" % ports[0], "--worker_hosts", "localhost:%d" % ports[1]]
        start = lambda job, *more: trust_test.Server(["--job_name", job, "--task_index", "0", *spec, *more],
                                                     env={"WEIR_TRANSPORTS": transports})
        ps = start("ps", "--task-token-file", token)
        for more, works in ((["--task-token-file", token], True), (["--task-token-file", token + ".wrong"], False),
                            ([], False)):
            worker = start("worker", *more)
            client = trust_test.Client(worker.target)
            x = np.full(300, 3.25, np.float32)
            if works:
                client.run(client.session(damage_test.graph(300)), ["y:0"], feeds=[("x:0", x)])
                step_works(trust_test.Client(ps.target))
            else:
                code = trust_test.code_of(lambda: client.session(damage_test.graph(300)))
                assert code == "UNAUTHENTICATED", code
            worker.stop()
        code = trust_test.code_of(lambda: trust_test.Client(ps.target).call("GetStatus", service="Worker"))
        assert code == "UNAUTHENTICATED", code
        ps.stop()


@case
def local_clients_without_credentials(pki, _):
    server = trust_test.Server([*pki.options(), "--allow", "loopback"])
    client = trust_test.Client(server.target)
    step_works(client)
    code = trust_test.code_of(lambda: client.call("GetStatus", service="Worker"))
    assert code == "PERMISSION_DENIED", code
    certified = TlsClient(server.target, pki.credentials())
    certified.call("GetStatus", service="Worker")
    server.stop()


@case
def certificates_are_read_again(pki, _):
    server = trust_test.Server(pki.options())
    client = TlsClient(server.target, pki.credentials())
    session = step_works(client)
    port = int(server.target.rsplit(":", 1)[1])
    before = ssl.get_server_certificate(("localhost", port))
    os.remove(pki.path("localhost.crt"))
    os.remove(pki.path("localhost.key"))
    pki.make("issue", "localhost,127.0.0.1")
    server.process.send_signal(signal.SIGHUP)
    trust_test.eventually(lambda: ssl.get_server_certificate(("localhost", port)) != before)
    client.run(session, ["y:0"], feeds=[("x:0", 1.0)])
    server.stop()


@case
def pages_over_https(pki, _):
    server = trust_test.Server(pki.options(ca=False))
    context = ssl.create_default_context(cafile=pki.path("ca.crt"))
    port = server.target.rsplit(":", 1)[1]
    with urllib.request.urlopen("https://localhost:%s/metrics" % port, context=context, timeout=60) as page:
        assert page.status == 200 and page.read()
    server.stop()


class Wiretap(damage_test.Line):
    """A line that remembers what passed."""

    def __init__(self, *args):
        self.seen = []
        super().__init__(*args)

    def damage(self, data):
        self.seen.append(data)
        return super().damage(data)


def pair_of_tasks(line_of, env, seed="tls"):
    """A damage_test.Pair behind a line of another kind."""
    before = damage_test.Line, dict(os.environ)
    damage_test.Line = line_of
    os.environ.update(env)
    try:
        return damage_test.Pair(seed)
    finally:
        damage_test.Line = before[0]
        os.environ.clear()
        os.environ.update(before[1])


@case
def the_wire_between_tasks_shows_nothing(pki, _):
    size, seen = 20000, {}
    for name, env in (("tls", pki.env()), ("plain", {})):
        pair = pair_of_tasks(Wiretap, env)
        try:
            client = TlsClient(pair.target, pki.credentials()) if env else trust_test.Client(pair.target)
            session = client.session(damage_test.graph(size))
            client.run(session, ["y:0"], feeds=[("x:0", np.full(size, 3.25, np.float32))])
            pair.check()
            seen[name] = b"".join(pair.line.seen)
        finally:
            pair.stop()
    tensor = np.full(64, 4.25, np.float32).tobytes()  # on its way back
    assert tensor in seen["plain"] and tensor not in seen["tls"]
    assert b"tensorflow" not in seen["tls"] and len(seen["tls"]) > size * 4


@case
def damaged_bytes_end_every_call(pki, _):
    """TLS sees every changed byte: no step waits until its time limit."""
    pair = pair_of_tasks(damage_test.Line, pki.env())
    try:
        client = TlsClient(pair.target, pki.credentials())
        session = client.session(damage_test.graph(300))
        x = np.ones(300, np.float32)
        for rate in (0, 0.1, 0.1, 0.4, 0):
            pair.line.rate = rate
            for _ in range(5):
                code = trust_test.code_of(lambda: client.run(session, ["y:0"], feeds=[("x:0", x)], timeout=40))
                assert code != "DEADLINE_EXCEEDED", "a step waited"
        pair.check()
        assert pair.line.done
    finally:
        pair.stop()


if __name__ == "__main__":
    sys.exit(case.main(trust_test.WEIR, trust_test.use,
                       lambda args, folder: (Pki(os.path.join(folder, "own")), Pki(os.path.join(folder, "foreign")))))
