#!/usr/bin/env python3
"""Two Weir tasks with a line between them that changes, loses, repeats and cuts bytes.

    tests/damage_test.py [--weir PATH] [--rounds N] [--seed N] [-v]

Every other round the values carry checksums (--checksum): then no changed value arrives unnoticed. No task dies, every
call ends by its time limit at the latest, and on a line that is whole again a new session works. (A message that is
lost on plain TCP is waited for: HTTP/2 has no checksums.)
"""
import argparse
import os
import random
import socket
import subprocess
import sys
import threading
import time
import traceback

import numpy as np

import pb
import trust_test
from clusters import free_ports

F, I = pb.T("f32"), pb.T("i32")
KINDS = ("flip", "drop", "repeat", "cut", "junk")


class Line:
    """A proxy in front of a task, which damages what passes while |rate| is not 0."""

    def __init__(self, to, seed):
        self.to, self.rng, self.rate, self.kinds = to, random.Random(seed), 0, KINDS
        self.listener = socket.create_server(("localhost", 0))
        self.port = self.listener.getsockname()[1]
        self.done, self.open = 0, []
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            try:
                far = socket.create_connection(("localhost", self.to))
            except OSError:
                near.close()
                continue
            self.open += [near, far]
            for a, b in ((near, far), (far, near)):
                threading.Thread(target=self.carry, args=(a, b), daemon=True).start()

    def carry(self, source, sink):
        try:
            while True:
                data = source.recv(1 << 16)
                if not data:
                    break
                data = self.damage(data)
                if data is None:
                    break
                sink.sendall(data)
        except OSError:
            pass
        self.shut((source, sink))

    @staticmethod
    def shut(sockets):
        for s in sockets:
            try:
                s.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def cut(self):
        """Ends every connection; new ones can be made."""
        self.shut(self.open)

    def damage(self, data):
        if self.rng.random() >= self.rate:
            return data
        self.done += 1
        kind, at = self.rng.choice(self.kinds), self.rng.randrange(len(data))
        count = self.rng.choice((1, 1, 2, 9, 100))
        if kind == "flip":
            return data[:at] + bytes([data[at] ^ (1 << self.rng.randrange(8))]) + data[at + 1:]
        if kind == "drop":
            return data[:at] + data[at + count:]
        if kind == "repeat":
            return data[:at + count] + data[at:]
        if kind == "junk":
            return data[:at] + self.rng.randbytes(count) + data[at:]
        return None


class Pair:
    """A worker, which is the master, and a ps behind a line."""

    def __init__(self, seed, *options):
        self.real, own = free_ports(2)
        self.line = Line(self.real, seed)
        spec = ["--ps_hosts", "localhost:%d" % self.line.port, "--worker_hosts", "localhost:%d" % own]
        env = dict(os.environ, WEIR_TRANSPORTS="grpc")
        self.tasks = [subprocess.Popen([trust_test.WEIR, "server", "--job_name", job, "--task_index", "0", *spec,
                                        "--port", str(port), *options], env=env, stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE)
                      for job, port in (("ps", self.real), ("worker", own))]
        for task in self.tasks:
            trust_test.announced(task)
        self.target = "localhost:%d" % own

    def check(self):
        for task in self.tasks:
            code = task.poll()
            assert code is None, "a task ended with %s: %s" % (code, task.stderr.read()[-2000:])

    def stop(self):
        for task in self.tasks:
            task.kill()
            task.wait()
        self.line.listener.close()


def graph(size):
    """x goes to the ps, is summed with a variable's worth there, and comes back."""
    g = pb.GraphDef()
    x = g.placeholder("f32", [size], name="x")
    y = g.node("AddV2", x, g.const(1.0), name="there", T=F, device="/job:ps/task:0")
    g.node("Mul", y, g.const(2.0), name="y", T=F, device="/job:worker/task:0")
    return g.bytes()


class Seen:
    """What steps brought: values as they should be, changed ones, and steps that ended with DATA_LOSS."""
    right = changed = losses = 0

    def value(self, answer, x):
        named = pb.parse(pb.parse(answer)[1][0])
        proto = pb.parse(named[2][0])
        data = b"".join((proto.get(4) or proto.get(5) or [b""]))
        same = data == ((x + 1) * 2).astype(np.float32).tobytes()
        self.right, self.changed = self.right + same, self.changed + (not same)


def steps(client, session, size, count, timeout, seen=None):
    """Runs steps; each ends in time, with any status. Gives how many answered."""
    fine, seen = 0, seen or Seen()
    for i in range(count):
        start, x = time.time(), np.arange(i, i + size, dtype=np.float32)
        try:
            seen.value(client.run(session, ["y:0"], feeds=[("x:0", x)], timeout=timeout), x)
            fine += 1
        except trust_test.grpc.RpcError as e:
            if e.code().name == "DATA_LOSS":
                seen.losses += 1
                assert "edge_" in e.details() and "/job:" in e.details() or "came changed" not in e.details(), e
            if e.code().name == "DEADLINE_EXCEEDED":
                break  # the others would wait for the same
        assert time.time() - start < timeout + 20
    return fine


def works_again(pair, size, limit):
    """Whether a new client's session and step work within |limit| seconds: what was damaged may have ended others."""
    end = time.time() + limit
    while time.time() < end:
        client = trust_test.Client(pair.target)
        try:
            if steps(client, client.session(graph(size)), size, 1, 20):
                return True
        except trust_test.grpc.RpcError:
            pass  # a call on a connection that was damaged
        finally:
            client.close()
        time.sleep(0.2)
    return False


def recover(pair, size):
    """On a line that is whole again steps work; at the latest on new connections, since two ends whose tables of
    headers have become different, which HTTP/2 does not see, misunderstand each other until then."""
    if not works_again(pair, size, 20):
        pair.line.cut()
        assert works_again(pair, size, 60), "no step works on a line that is whole again"


def one_round(seed, rate, size, checked, seen):
    pair = Pair(seed, *(["--checksum"] if checked else []))
    try:
        client = trust_test.Client(pair.target)
        session = client.session(graph(size))
        assert steps(client, session, size, 1, 30) == 1
        pair.line.rate = rate
        before = seen.changed
        steps(client, session, size, 12, 6, seen)
        assert not checked or seen.changed == before, "a changed value arrived"
        pair.check()
        pair.line.rate = 0
        done = pair.line.done
        client.close()
        recover(pair, size)
        pair.check()
        return done
    finally:
        pair.stop()


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    ap.add_argument("--weir", default=trust_test.WEIR)
    ap.add_argument("--rounds", type=int, default=6)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("-v", "--verbose", action="store_true")
    args, failed, damaged, all_seen = ap.parse_args(), 0, 0, (Seen(), Seen())
    trust_test.WEIR = args.weir
    for k in range(args.rounds):
        seed, start = "%d/%d" % (args.seed, k), time.time()
        try:
            damaged += one_round(seed, (0.02, 0.1, 0.4)[k % 3], (1, 300, 100000)[k // 2 % 3], k % 2, all_seen[k % 2])
            if args.verbose:
                print("passed %s in %.1f s" % (seed, time.time() - start), flush=True)
        except Exception:
            failed += 1
            print("FAIL %s\n%s" % (seed, traceback.format_exc()), flush=True)
    for seen, how in zip(all_seen, ("plain", "with checksums")):
        print("%s: %d values right, %d changed, %d steps ended with DATA_LOSS" % (how, seen.right, seen.changed, seen.losses))
    print("damage: %d passed, %d failed, %d pieces damaged" % (args.rounds - failed, failed, damaged))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
