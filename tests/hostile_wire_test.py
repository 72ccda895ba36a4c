#!/usr/bin/env python3
"""Bytes that no client should send: frames of HTTP/2 and requests of HTTP/1.1 from seeds, on many connections at once.

    tests/hostile_wire_test.py [--weir PATH] [--seed N] [--seconds S] [--connections N]

Every connection follows a seed: frames of any kind, flags, stream and length, floods (CONTINUATION, SETTINGS, PING, resets,
windows), header blocks that refer to nothing, requests of HTTP/1.1 with long lines, chunks, queries of the page's APIs; cut,
half-closed, slow, or left alone. One well-behaved client is served meanwhile. The server must live, keep its memory, threads
and descriptors, and end by SIGTERM with status 0.
"""
import argparse
import os
import random
import re
import socket
import struct
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import http2
import trust_test
from http2 import frame, header_block

FLOOD = 3000
NUMBERS = [0, 1, 2, 3, 5, 7, 255, (1 << 31) - 1, 1 << 31, (1 << 32) - 1]
PATHS = ["/tensorflow.MasterService/RunStep", "/tensorflow.MasterService/CreateSession", "/tensorflow.WorkerService/GetStatus",
         "/tensorflow.WorkerService/RunGraph", "/grpc.health.v1.Health/Check", "/", "", "*", "/x" * 3000, "/\0"]


def block(rng):
    """A header block: right, nearly right, or of indices and lengths that mean nothing."""
    how = rng.randrange(6)
    pairs = [(":method", rng.choice(["POST", "GET", "", "X" * 900])), (":scheme", "http"), (":path", rng.choice(PATHS)),
             (":authority", "x"), ("te", "trailers"), ("content-type", rng.choice(["application/grpc", "text/html", ""]))]
    if how < 3:
        rng.random() < 0.5 and pairs.append((rng.choice(["grpc-timeout", "grpc-encoding", "a", "A", ":path", "", "authorization"]),
                                             rng.choice(["1n", "99999999H", "-1S", "gzip", "", "v" * 20000, "\r\n\0"])))
        rng.random() < 0.2 and pairs.pop(rng.randrange(len(pairs)))
        return header_block(pairs)
    if how == 3:
        return bytes([0x80 | rng.randrange(128)]) * rng.choice([1, 5, 200])
    if how == 4:
        return b"\x3f" + b"\xff" * rng.choice([1, 8]) + b"\x7f" + header_block(pairs)
    return rng.randbytes(rng.choice([1, 20, 300]))


def odd_frame(rng):
    kind = rng.choice([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 99])
    stream = rng.choice([0, 1, 1, 3, 3, 5, 2, 7, (1 << 31) - 1, 1 << 31])
    flags = rng.choice([0, 1, 4, 5, 8, 0x20, 0x2d, 255])
    body = rng.choice([b"", block(rng), rng.randbytes(rng.choice([1, 4, 5, 6, 8, 100])), struct.pack(">I", rng.choice(NUMBERS)),
                       struct.pack(">HI", rng.randrange(9), rng.choice(NUMBERS)) * rng.choice([1, 50]),
                       http2.message(rng.randbytes(rng.choice([0, 5, 2000])), rng.choice([0, 0, 1, 255])),
                       struct.pack(">BI", 0, rng.choice(NUMBERS))])
    data = frame(kind, flags, stream & 0xffffffff, body)
    return struct.pack(">I", rng.choice(NUMBERS[:6] + [1 << 14, (1 << 24) - 1]))[1:] + data[3:] if rng.random() < 0.08 else data


def flood(rng):
    how, odd = rng.randrange(8), [1 + 2 * k for k in range(FLOOD)]
    headers = header_block([(":method", "POST"), (":scheme", "http"), (":path", PATHS[0]), (":authority", "x"),
                            ("te", "trailers"), ("content-type", "application/grpc")])
    if how == 0:
        return frame(1, 0, 1, headers) + frame(9, 0, 1, header_block([("a", "b" * 1000)])) * FLOOD
    if how == 1:
        return frame(4, 0, 0, struct.pack(">HI", 3, 100)) * FLOOD
    if how == 2:
        return frame(6, 0, 0, b"12345678") * FLOOD
    if how == 3:  # rapid reset
        return b"".join(frame(1, 4, s, headers) + frame(3, 0, s, struct.pack(">I", 8)) for s in odd)
    if how == 4:
        return frame(1, 4, 1, headers) + frame(8, 0, 1, struct.pack(">I", 1)) * FLOOD
    if how == 5:
        return frame(0, 0, 1, b"") * FLOOD
    if how == 6:
        return b"".join(frame(1, 4, s, headers) for s in odd)
    return frame(4, 0, 0, struct.pack(">HI", 4, 0)) + b"".join(
        frame(1, 4, s, headers) + frame(0, 1, s, http2.message(b"")) for s in odd[:500])


def frames(rng):
    start = http2.PREFACE + frame(4, 0, 0) if rng.random() < 0.95 else http2.PREFACE[:rng.randrange(24)]
    if rng.random() < 0.25:
        return start + flood(rng)
    good = frame(1, 4, 1, header_block([(":method", "POST"), (":scheme", "http"), (":path", rng.choice(PATHS)),
                                        (":authority", "x"), ("te", "trailers"), ("content-type", "application/grpc")]))
    return start + (good if rng.random() < 0.6 else b"") + b"".join(odd_frame(rng) for _ in range(rng.choice([1, 3, 10, 50])))


def query(rng):
    keys = ["a", "", "path", "session", "name", "run", "tag", "since", "step", "count", "seconds", "%", "x" * 2000, "from", "to"]
    values = ["", "1", "-1", "9" * 40, "nan", "%00", "%zz", "%", "../../etc/passwd", "x" * 9000, "%ff%fe", "1e999", "[[", "0"]
    return rng.choice(["?", "?", "#", "??"]) + "&".join(
        rng.choice(keys) + rng.choice(["=", "", "=="]) + rng.choice(values) for _ in range(rng.choice([0, 1, 2, 30])))


def request(rng, pages):
    method = rng.choice(["GET", "GET", "GET", "POST", "HEAD", "PUT", "OPTIONS", "get", "", "G" * 9000])
    target = rng.choice(pages) + (query(rng) if rng.random() < 0.7 else "")
    target = rng.choice([target] * 6 + ["*", "http://x/" + target, target[:2000] * 20, "/../..%2f..%2f/etc/passwd", ""])
    lines = [method + " " + target + " " + rng.choice(["HTTP/1.1"] * 6 + ["HTTP/1.0", "HTTP/2.0", "HTTP/9", ""])]
    for _ in range(rng.choice([0, 1, 2, 4, 100])):
        lines.append(rng.choice([
            "Host: x", "Connection: keep-alive", "Connection: close", "Transfer-Encoding: chunked", "Content-Length: 5",
            "Content-Length: -1", "Content-Length: 99999999999999999999", "Content-Length: 4294967296", "Expect: 100-continue",
            "Upgrade: h2c", "Upgrade: websocket", "Range: bytes=0-9999999999,1-2", "X: " + "y" * rng.choice([1, 9000, 90000]),
            ": x", "no colon", " folded", "\0: \0", "Accept-Encoding: gzip;q=nan", "Cookie: " + "a=b;" * 200]))
    body = rng.choice(["", "", "hello", "5\r\nhello\r\n0\r\n\r\n", "ffffffffffffffff\r\n", "-1\r\n", "0;x=" + "y" * 5000 + "\r\n\r\n"])
    end = rng.choice(["\r\n"] * 8 + ["\n", "\r"])
    return (end.join(lines) + end + end + body).encode("latin-1")


def bytes_of(rng, pages):
    data = frames(rng) if rng.random() < 0.6 else b"".join(request(rng, pages) for _ in range(rng.choice([1, 1, 3, 20])))
    if rng.random() < 0.2:
        data = data[:rng.randrange(len(data) + 1)]
    data = bytearray(data[:1 << 20])
    for _ in range(rng.choice([0, 0, 0, 1, 4]) if data else 0):
        data[rng.randrange(len(data))] = rng.randrange(256)
    return bytes(data)


class Attacker:
    """A connection that does not wait for anybody."""

    def __init__(self, target, rng, pages):
        self.rng, self.data = rng, bytes_of(rng, pages)
        self.socket = socket.socket()
        self.socket.setblocking(False)
        self.socket.connect_ex(target)
        self.piece = rng.choice([1 << 30, 1 << 30, 1, 7, 1000])
        self.ends = time.time() + rng.choice([0.05, 0.3, 0.3, 1, 3])
        self.half, self.reads = rng.random() < 0.2, rng.random() < 0.7

    def step(self):
        """False when it is over."""
        try:
            if self.data:
                self.data = self.data[self.socket.send(self.data[:self.piece]):]
                if not self.data and self.half:
                    self.socket.shutdown(socket.SHUT_WR)
            while self.reads and self.socket.recv(1 << 16):
                pass
        except (BlockingIOError, InterruptedError):
            pass
        except OSError:
            self.socket.close()
            return False
        if time.time() < self.ends:
            return True
        self.socket.close()
        return False


def known_pages():
    """The paths that the server's page serves, from its sources."""
    found = {"/", "/metrics", "/favicon.ico"}
    for room in ("dash", "observe", "net", "dist"):
        folder = os.path.join(HERE, "..", "src", room)
        for name in os.listdir(folder):
            if not name.endswith((".c", ".h", ".inc")):
                continue
            with open(os.path.join(folder, name), "rb") as f:
                found.update(m.decode() for m in re.findall(rb'"(/[a-z][a-z_./-]{0,40})"', f.read()))
    return sorted(found)


def attack(args, server):
    rng, pages = random.Random("wire %d" % args.seed), known_pages()
    host, port = server.target.split("//")[-1].rsplit(":", 1)
    open_ones, count, slowest, most, end, next_served = [], 0, 0, 0, time.time() + args.seconds, 0
    while time.time() < end or open_ones:
        while len(open_ones) < args.connections and time.time() < end:
            open_ones.append(Attacker((host, int(port)), random.Random("%d %d" % (args.seed, count)), pages))
            count += 1
        open_ones = [a for a in open_ones if a.step()]
        assert server.process.poll() is None, "the server ended with %d: %s" % (
            server.process.returncode, server.process.stderr.read()[-2000:])
        if time.time() > next_served:
            start = time.time()
            trust_test.works(server)
            slowest, next_served = max(slowest, time.time() - start), time.time() + 0.5
            most = max(most, server.memory())
        time.sleep(0.002)
    return count, slowest, most, pages


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--weir", default=os.path.join(HERE, "..", "build", "release", "weir"))
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--seconds", type=float, default=6)
    ap.add_argument("--connections", type=int, default=60)
    ap.add_argument("--megabytes", type=float, default=600)
    ap.add_argument("--slow", type=float, default=10)
    args = ap.parse_args()
    trust_test.WEIR = args.weir
    log = open(os.devnull, "wb") if args.weir.find("asan") < 0 else None
    server = trust_test.Server(popen=dict(stderr=log) if log else None)
    try:
        trust_test.works(server)
        threads, descriptors = server.threads(), server.settled_descriptors()
        count, slowest, most, pages = attack(args, server)
        trust_test.eventually(lambda: server.descriptors() <= descriptors + 5)
        print("%d connections, %d pages; another client at most %.2f s; at most %.0f MB; threads %d -> %d" % (
            count, len(pages), slowest, most, threads, server.threads()), flush=True)
        assert most < args.megabytes and slowest < args.slow
        server.stop()
    except Exception as error:  # pylint: disable=broad-except
        print("FAIL seed %d: %s %s" % (args.seed, type(error).__name__, error))
        print("hostile-wire: 0 passed, 1 failed")
        return 1
    finally:
        server.process.kill()
    print("hostile-wire: 1 passed, 0 failed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
