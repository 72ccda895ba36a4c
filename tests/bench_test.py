#!/usr/bin/env python3
"""weir bench: step times, peers, baselines; every experiment in a tiny form, and its report.

    tests/bench_test.py [--weir PATH] [--lib PATH] [NAME...]

Times themselves are not judged: the machine may be busy.
"""
import argparse
import csv
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ET

from browser import Browser
from train_runs import caught, wait_for

HERE = os.path.dirname(os.path.abspath(__file__))
XHTML = "{http://www.w3.org/1999/xhtml}"
EXPERIMENTS = ["layouts", "logreg", "alexnet", "cnn", "models", "null", "softmax", "backup"]


MARK = "WEIR_BENCH_TEST"  # in the environment of all that is started here; other tests run beside this one


def left_namespaces():
    """Network namespaces that processes started here are in, but for this one's own."""
    seen, mark = set(), ("%s=%d" % (MARK, os.getpid())).encode()
    for process in glob.glob("/proc/[0-9]*"):
        try:
            with open(process + "/environ", "rb") as f:
                if mark in f.read().split(b"\0"):
                    seen.add(os.readlink(process + "/ns/net"))
        except OSError:
            pass
    return seen - {os.readlink("/proc/self/ns/net")}


# ---- reports ---------------------------------------------------------------------------------

def text_of(element):
    return "".join(element.itertext()).strip()


def shown_tables(folder):
    """Rows of text of every table of the page, by the table's name."""
    page = ET.parse(os.path.join(folder, "report.html")).getroot()  # fails when not well-formed
    return {t.get("id"): [[text_of(c) for c in row.iter(XHTML + "td")]
                          for row in t.find(XHTML + "tbody")] for t in page.iter(XHTML + "table")}


def same(shown, value):
    if value is None:
        return shown == "\u2013"
    if isinstance(value, str):
        return shown == value or (not value and shown == "\u2013")
    decimals = len(shown.partition(".")[2])
    return abs(float(shown) - value) <= 0.5000001 * 10 ** -decimals


def csv_value(cell, value):
    if value is None:
        return cell == ""
    if isinstance(value, str):
        return cell == value
    return abs(float(cell) - value) <= 1e-9 * max(1, abs(value))


def report_cases(folder):
    """A report is well-formed, needs nothing from outside, and its three forms agree."""
    html = open(os.path.join(folder, "report.html"), encoding="utf-8").read()
    data = json.load(open(os.path.join(folder, "report.json")))
    shown = shown_tables(folder)
    tables = [b for b in data["blocks"] if "table" in b]
    figures = [b for b in data["blocks"] if "figure" in b]
    links = set(re.findall(r'(?:src|href|url)[=(]"?([^")\s]+)', html))
    yield "no outside resource", links <= {"report.json", "report.csv", "series.csv"}
    yield "no script", "<script" not in html
    yield "light and dark", "prefers-color-scheme:dark" in html
    yield "there is a table", tables and all(t["rows"] for t in tables)
    for i, t in enumerate(tables):
        rows = list(csv.reader(open(os.path.join(
            folder, "report.csv" if i == 0 else t["table"] + ".csv"))))
        width = len(t["columns"])
        yield "%s is whole" % t["table"], all(len(r) == width for r in t["rows"] + rows)
        yield "%s: page and JSON agree" % t["table"], len(shown[t["table"]]) == len(t["rows"]) and all(
            same(a, b) for s, r in zip(shown[t["table"]], t["rows"]) for a, b in zip(s, r))
        yield "%s: CSV and JSON agree" % t["table"], len(rows) == len(t["rows"]) + 1 and all(
            csv_value(a, b) for s, r in zip(rows[1:], t["rows"]) for a, b in zip(s, r))
    points = sum(len(s["x"]) for f in figures for s in f["series"])
    yield "series.csv has every point", points == sum(
        1 for _ in open(os.path.join(folder, "series.csv"))) - 1 and points > 0
    yield "every figure has points", all(any(s["x"] for s in f["series"]) for f in figures)
    known = [{text_of(e) for e in d.iter(XHTML + "dt")} for d in
             ET.parse(os.path.join(folder, "report.html")).getroot().iter(XHTML + "details")]
    for t, names in zip(tables, known):
        yield "%s: every column is explained" % t["table"], not {
            c["title"] for c in t["columns"] if c["title"]} - names
    yield "no number is missing its meaning", "nan" not in html.lower().replace("resonan", "")


def timeline_cases(folder):
    """Samples and steps lie on one axis; what tasks used adds up."""
    data = json.load(open(os.path.join(folder, "report.json")))
    lines = [b for b in data["blocks"] if b.get("figure", "").startswith("timeline")]
    yield "there is a timeline", bool(lines)
    for f in lines:
        panels = {s["panel"] for s in f["series"]}
        yield "%s has every kind" % f["figure"], {"CPU", "Memory", "Loopback", "Disk", "Step"} <= panels
        for s in f["series"]:
            if s["panel"] == "CPU":
                yield "%s, %s: time goes on" % (f["figure"], s["name"]), s["x"] == sorted(s["x"])
        steps = [x for s in f["series"] if s["panel"] == "Step" for x in s["x"]]
        samples = [x for s in f["series"] if s["panel"] == "CPU" for x in s["x"]]
        yield "%s: steps are within the samples" % f["figure"], (
            steps and 0 < min(steps) and max(steps) <= max(samples) + 0.2)


# ---- experiments -----------------------------------------------------------------------------

def experiment_cases(run, folder, name):
    out = os.path.join(folder, name)
    text = run(0, "bench", "experiment", name, "--tiny", "--out", out)
    yield "says where the report is", os.path.join(out, "report.html") in text
    yield "namespaces are gone", not left_namespaces()
    yield from report_cases(out)
    yield from timeline_cases(out)
    data = json.load(open(os.path.join(out, "report.json")))
    yield "it says what to compare", any(b.get("section") == "What to compare" for b in data["blocks"])
    if name not in ("softmax", "layouts"):
        yield "published figures have a column", any(
            c["kind"] == "published" for b in data["blocks"] if "table" in b for c in b["columns"])


# What of a page cannot be read: beyond the window, in something that scrolls, one label on another.
UNREADABLE = """
const wide = document.documentElement.clientWidth, out = [];
const box = e => e.getBoundingClientRect();
for (const e of document.querySelectorAll('svg text, td, th, h1, h2, p, dt, dd, li, caption, figcaption'))
    if (box(e).width && (box(e).left < -0.5 || box(e).right > wide + 0.5))
        out.push(e.tagName + ' ' + e.textContent.slice(0, 40));
for (const e of document.querySelectorAll('.wide'))
    if (e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX != 'visible')
        out.push('scrolls: ' + e.textContent.slice(0, 40));
for (const svg of document.querySelectorAll('svg')) {
    const labels = [...svg.querySelectorAll('text.tx')];
    for (const a of labels)
        for (const b of labels)
            if (a !== b && Math.abs(box(a).top - box(b).top) < 3 && box(a).left < box(b).left
                && box(b).left < box(a).right - 0.5)
                out.push(a.textContent + ' on ' + b.textContent);
}
return out;"""


def width_cases(run, folder):
    """Reports in Chromium, wide and narrow, light and dark: nothing is cut, nothing hides another."""
    if not shutil.which("chromedriver"):
        print("    no chromedriver here")
        return
    run(0, "bench", "logreg", "--seconds", "0.1", "--out", os.path.join(folder, "wide-steps"))
    browser = Browser(folder)
    ask = lambda cmd, **params: browser.ask("POST", "/goog/cdp/execute", {"cmd": cmd, "params": params})
    try:
        for report in sorted(glob.glob(os.path.join(folder, "*", "report.html"))):
            for theme in ("light", "dark"):
                ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])
                for width in (1200, 800, 400):
                    ask("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1,
                        mobile=False)
                    browser.ask("POST", "/url", {"url": "file://" + report})
                    browser.script("document.querySelectorAll('details').forEach(d => { d.open = true })")
                    found = browser.script(UNREADABLE)
                    yield "%s at %d, %s: %s" % (os.path.basename(os.path.dirname(report)), width, theme,
                                                "; ".join(found[:3])), not found
                back = browser.script("return getComputedStyle(document.body).backgroundColor")
                yield "%s is %s" % (report, theme), (sum(map(int, re.findall(r"\d+", back)[:3])) < 384) == (
                    theme == "dark")
    finally:
        browser.close()


SAMPLED = ("CPU a step", "whole memory")  # a run of a few steps may end before it is looked at


def tensorflow_cases(run, folder):
    """TensorFlow runs the same graphs on the same machines, and has columns of its own."""
    out = os.path.join(folder, "logreg-tensorflow")
    text = run(0, "bench", "experiment", "logreg", "--tiny", "--tensorflow", sys.executable, "--out", out)
    yield "beside: its columns are printed", "TensorFlow steps 1/s" in text
    yield from report_cases(out)
    data = json.load(open(os.path.join(out, "report.json")))
    table, = (b for b in data["blocks"] if b.get("table") == "tensorflow")
    kinds = [c["kind"] for c in table["columns"]]
    yield "beside: columns are marked", kinds.count("tensorflow") == 6
    yield "beside: the runs", [r[0] for r in table["rows"]] == ["single", "async, 2 workers", "sync, 2 workers"]
    ours, theirs = ([c["title"] for c in table["columns"]].index("loss") + i for i in (0, 1))
    single = table["rows"][0]
    yield "beside: one worker's loss is the same", abs(single[ours] - single[theirs]) < 1e-4 * abs(single[ours])
    counted = [i for i, c in enumerate(table["columns"]) if c["kind"] == "tensorflow" and c["title"] not in SAMPLED]
    yield "beside: every run has figures", len(counted) == 4 and all(r[i] and r[i] > 0 for r in table["rows"] for i in counted)
    yield "beside: its version is said", re.fullmatch(r"version \d+\.\d+.*", data["facts"]["TensorFlow"])
    text = run(1, "bench", "experiment", "cnn", "--tiny", "--tensorflow", "false", "--out", out)
    yield "beside: an interpreter without it", "false has no TensorFlow" in text
    failing = os.path.join(folder, "python-that-fails")
    with open(failing, "w") as f:
        f.write("#!/bin/sh\ncase $2 in *metadata*) echo 2.0;; *) echo a reason >&2; exit 3;; esac\n")
    os.chmod(failing, 0o755)
    out = os.path.join(folder, "failing")
    run(0, "bench", "experiment", "null", "--tiny", "--plain", "--tensorflow", failing, "--out", out)
    notes = [b["note"] for b in json.load(open(os.path.join(out, "report.json")))["blocks"] if "note" in b]
    yield "beside: why it failed is in the report", any("a reason" in n for n in notes)


def machine_cases(run, folder):
    """Simulated machines where that can be, and plainly without."""
    out = os.path.join(folder, "backup-plain")
    run(0, "bench", "experiment", "backup", "--tiny", "--plain", "--out", out)
    data = json.load(open(os.path.join(out, "report.json")))
    yield "plain: the report says so", any("not simulated" in b.get("note", "")
                                            for b in data["blocks"])
    yield from report_cases(out)
    if not simulates():
        return
    data = json.load(open(os.path.join(folder, "backup", "report.json")))
    network = [s for b in data["blocks"] if "figure" in b for s in b["series"]
               if s["panel"] == "Network in"]
    yield "simulated: each machine has a network", len(network) >= 5
    yield "simulated: bytes pass through it", any(max(v or 0 for v in s["y"]) > 0 for s in network)


def simulates():
    return os.geteuid() == 0 and shutil.which("ip", path="/usr/sbin:/sbin:/usr/bin:/bin")


def lives(pid):
    try:
        return open("/proc/%s/stat" % pid).read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def interrupt_cases(weir, folder):
    """Ctrl-C leaves nothing behind: no process, no namespace, no report."""
    out = os.path.join(folder, "interrupted")
    p = subprocess.Popen([weir, "bench", "experiment", "backup", "--quick", "--steps", "100000",
                          "--out", out], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.time() + 120
    children = []
    while time.time() < deadline and len(children) < 5:
        children = open("/proc/%d/task/%d/children" % (p.pid, p.pid)).read().split()
        time.sleep(0.05)
    time.sleep(0.3)
    made = left_namespaces()
    p.send_signal(signal.SIGINT)
    text = "".join(p.communicate(timeout=60))
    yield "interrupted: it says so", p.returncode == 128 + signal.SIGINT and "interrupted" in text
    time.sleep(0.2)
    yield "interrupted: its processes are gone", not any(
        lives(c) for c in children) and len(children) >= 5
    yield "interrupted: namespaces are gone", not left_namespaces() and (made or not simulates())
    yield "interrupted: no report", not os.path.exists(os.path.join(out, "report.html"))
    p = subprocess.Popen([weir, "bench", "logreg"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_for(lambda: caught(p.pid, signal.SIGINT), 120)  # then the machine's peak is measured
    p.send_signal(signal.SIGINT)
    text = "".join(p.communicate(timeout=60))
    yield "bench is ended before its rounds", p.returncode == 130 and "interrupted" in text and "rounds" not in text
    for number in (signal.SIGINT, signal.SIGHUP):
        p = subprocess.Popen([weir, "bench", "logreg", "--seconds", "1000"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             text=True, env={**os.environ, "TMPDIR": folder})
        deadline = time.time() + 120
        while not open("/proc/%d/task/%d/children" % (p.pid, p.pid)).read():
            assert time.time() < deadline and p.poll() is None
            time.sleep(0.05)
        p.send_signal(signal.SIGUSR1)  # asks for nothing here
        time.sleep(0.5)
        p.send_signal(number)
        text = "".join(p.communicate(timeout=60))  # a round takes 142 s
        yield "bench is ended by %s in a round" % number.name, p.returncode == 128 + number and "interrupted" in text
        yield "bench removes its folder", not glob.glob(os.path.join(folder, "weir-bench-*"))


# ---- steps -----------------------------------------------------------------------------------

def step_cases(run, lib, folder):
    models = json.loads(run(0, "bench", "--list", "-o", "json", quiet=True))
    yield "models are listed", {"logreg", "mnist_cnn"} <= {m["name"] for m in models}
    base, out = os.path.join(folder, "base.json"), os.path.join(folder, "steps")
    both = os.path.join(folder, "both")
    words = ["bench", "logreg", "--seconds", "0.2", "--threads", "1,2", "-o", "json",
             "--peer", "other=" + lib]
    first = json.loads(run(0, *words, "--save", base, "--out", out, quiet=True))
    rows = first["steps"]
    yield "each peer and number of threads", [(r["peer"], r["threads"]) for r in rows] == [
        ("weir", 1), ("other", 1), ("weir", 2), ("other", 2)]
    yield "peers train alike", len({round(r["loss"], 3) for r in rows}) == 1
    yield "quartiles are around the median", all(
        0 < r["low_ms"] <= r["step_ms"] <= r["high_ms"] for r in rows)
    # A step is two products of 100 x 784 by 784 x 10, forward and to the weights.
    flops = 2 * 2 * 100 * 784 * 10
    yield "arithmetic is counted", all(
        abs(r["gflops"] * r["step_ms"] * 1e6 / flops - 1) < 1e-6 for r in rows)
    yield "examples", all(abs(r["examples_per_s"] * r["step_ms"] - 100e3) < 1 for r in rows)
    yield "peaks are measured", all(p["gflops"] > 1 and p["memory_gb_per_s"] > 0.1
                                    for p in first["peaks"])
    yield "the way between processors is measured", all(
        (p["between_processors_ns"] or 0) > 1 if p["threads"] > 1 and os.cpu_count() > 1
        else p["between_processors_ns"] is None for p in first["peaks"])
    yield from report_cases(out)
    saved = json.load(open(base))
    for e in saved["steps"]:  # a baseline that is clearly quicker
        e["round_ms"] = [x / 1000 for x in e["round_ms"]]
    saved["steps"] = saved["steps"][:3]
    json.dump(saved, open(base, "w"))
    again = json.loads(run(0, *words, "--baseline", base, quiet=True))["steps"]
    yield "slower than the baseline", [r["verdict"] for r in again] == ["slower"] * 3 + ["new"]
    text = run(1, "bench", "logreg", "--seconds", "0.1", "--baseline", folder)
    yield "a baseline that is none", folder in text
    yield "a workload that is none", "did you mean 'logreg'" in run(2, "bench", "logrg")
    yield "a peer that is none", "/no/such.so" in run(1, "bench", "logreg", "-p", "x=/no/such.so")
    yield "an experiment that is none", "did you mean 'cnn'" in run(2, "bench", "experiment", "cn")
    text = run(0, "bench", "experiment", "backup", "null", "--tiny", "--plain", "--out", both, quiet=True)
    reports = [line for line in text.splitlines() if line.endswith("report.html")]
    yield "several at once", reports == [both + "/backup/report.html", both + "/null/report.html"]
    yield "with their tables", "gradients per update" in text and "parameters" in text
    report = json.loads(run(0, "bench", "experiment", "null", "--tiny", "--plain", "--out", both, "-o", "json",
                            quiet=True))
    yield "a report as JSON", report == json.load(open(os.path.join(both, "report.json")))
    many = json.loads(run(0, "bench", "experiment", "null", "null", "--tiny", "--plain", "--out", both, "-o",
                          "json", quiet=True))
    yield "several as JSON", [r["title"] for r in many] == [report["title"]] * 2
    some = json.loads(run(1, "bench", "experiment", "null", "cnn", "--tiny", "--plain", "--data", "/no/such", "--out", both,
                          "-o", "json", quiet=True))
    yield "those before one that failed as JSON", [r["title"] for r in some] == [report["title"]]
    text = run(0, "bench", "experiment", "null", "--tiny", "--plain", "--out", both, "-o", "csv", quiet=True)
    yield "a report as CSV", text == open(os.path.join(both, "report.csv")).read()
    yield "experiments are listed", [e["name"] for e in json.loads(
        run(0, "bench", "experiment", "--list", "-o", "json", quiet=True))] == EXPERIMENTS


def write_open_batch(folder):
    """TensorFlow's graph of a convolution 3x3 to 4 channels, its batch left open; 10 images of 8x8."""
    import tensorflow as tf
    with tf.Graph().as_default() as graph:
        x = tf.compat.v1.placeholder(tf.float32, [None, 8, 8, 1], name="x")
        w = tf.compat.v1.get_variable("w", [3, 3, 1, 4], use_resource=False)
        loss = tf.reduce_mean(tf.square(tf.nn.conv2d(x, w, 1, "SAME")), name="loss")
        tf.compat.v1.train.GradientDescentOptimizer(0.1).minimize(loss, name="step")
        tf.compat.v1.global_variables_initializer()
    os.makedirs(folder)
    with open(os.path.join(folder, "open.pb"), "wb") as f:
        f.write(graph.as_graph_def().SerializeToString())
    with open(os.path.join(folder, "open.job"), "w") as f:
        f.write("init init\nstep step\nloss loss:0\nfeed x:0 1 4 10 8 8 1 open.0.bin\n")
    with open(os.path.join(folder, "open.0.bin"), "wb") as f:
        f.write(bytes(4 * 10 * 8 * 8))


def count_cases(run, folder):
    graphs = os.path.join(folder, "open")
    write_open_batch(graphs)
    row, = json.loads(run(0, "bench", "--graphs", graphs, "--seconds", "0.1", "-o", "json",
                          quiet=True))["steps"]
    # Forward and to the filter; to the input, whose gradient nobody reads, nothing.
    flops = 2 * 2 * 10 * 8 * 8 * 4 * 9
    yield "what is fed decides the arithmetic", (
        abs(row["gflops"] * row["step_ms"] * 1e6 / flops - 1) < 1e-6)


def graph_cases(run, folder):
    graphs = os.path.join(folder, "graphs")
    run(0, "bench", "autoencoder_small", "logreg", "--batch", "8", "--export", graphs)
    names = json.loads(run(0, "bench", "--graphs", graphs, "--list", "-o", "json", quiet=True))
    yield "exported graphs are listed", [n["name"] for n in names] == ["autoencoder_small", "logreg"]
    rows = json.loads(run(0, "bench", "--graphs", graphs, "--seconds", "0.1", "-o", "json",
                          quiet=True))["steps"]
    yield "exported graphs are measured", [r["workload"] for r in rows] == ["autoencoder_small",
                                                                          "logreg"]
    open(os.path.join(graphs, "logreg.0.bin"), "ab").write(b"x")
    text = run(1, "bench", "--graphs", graphs, "logreg", "--seconds", "0.1")
    yield "a feed of the wrong size", "the feed needs 25088" in text
    peer = os.path.join(folder, "peer.py")
    open(peer, "w").write("import sys\nprint(sys.argv[2] + '   12.500 ms')\n")
    rows = json.loads(run(0, "bench", "logreg", "--seconds", "0.1", "-o", "json", "-p",
                          "script=" + peer, quiet=True))["steps"]
    yield "a program as a peer", rows[1]["step_ms"] == 12.5 and rows[1]["peak_mb"] > 1


def allreduce_cases(run):
    """Sums are checked by the command itself."""
    for transports in ("shm,grpc", "grpc"):
        for members in (1, 2, 3):
            rows = json.loads(run(0, "bench", "allreduce", "--members", str(members), "--bytes",
                                  "4,1000,300000,9000000", "--rounds", "3", "--transports", transports,
                                  "-o", "json", quiet=True))
            yield "%d members sum by %s" % (members, transports), (
                [r["bytes"] for r in rows] == [4, 1000, 300000, 9000000]
                and all(r["members"] == members and r["rounds"] == 3 and r["median_ms"] > 0
                        for r in rows))
    yield "sizes that are none", "'3,x'" in run(2, "bench", "allreduce", "--bytes", "3,x")


def wire_cases(run):
    """Steps that only move values, and the plain program beside them."""
    for transports, workers in (("grpc", 1), ("grpc", 3), ("shm,grpc", 2)):
        rows = json.loads(run(0, "bench", "wire", "--workers", str(workers), "--bytes",
                              "4,300000", "--rounds", "3", "--transports", transports,
                              "-o", "json", quiet=True))
        yield "%d workers by %s" % (workers, transports), (
            [(r["step"], r["bytes"]) for r in rows] == [("round_trip", 4), ("null", 4), ("null", 300000)]
            and all(r["workers"] == workers and r["rounds"] == 3 and r["socket_ms"] > 0
                    and abs(r["ratio"] * r["socket_ms"] - r["weir_ms"]) < 0.01 * r["weir_ms"]
                    for r in rows))
    yield "sizes of a wire that are none", "'3,x'" in run(2, "bench", "wire", "--bytes", "3,x")
    yield "too many workers", "--workers is 1 to" in run(2, "bench", "wire", "--workers", "64")


def main():
    ap = argparse.ArgumentParser()
    build = os.path.join(HERE, "..", "build", "release")
    ap.add_argument("--weir", default=os.path.join(build, "weir"))
    ap.add_argument("--lib", default=os.path.abspath(os.path.join(build, "libweir.so")))
    ap.add_argument("names", nargs="*", help="only these experiments, or steps, graphs...")
    args = ap.parse_args()
    folder = tempfile.mkdtemp(prefix="weir-bench-test-")
    os.environ[MARK] = str(os.getpid())

    def run(want, *words, quiet=False):
        done = subprocess.run([args.weir, *words], capture_output=True, text=True, timeout=400)
        if done.returncode != want:
            raise AssertionError("weir %s: exit %d, not %d\n%s%s" % (
                " ".join(words), done.returncode, want, done.stdout, done.stderr))
        return done.stdout if quiet else done.stdout + done.stderr

    groups = [(n, lambda n=n: experiment_cases(run, folder, n)) for n in EXPERIMENTS]
    groups += [("steps", lambda: step_cases(run, args.lib, folder)),
               ("graphs", lambda: graph_cases(run, folder)),
               ("count", lambda: count_cases(run, folder)),
               ("allreduce", lambda: allreduce_cases(run)),
               ("wire", lambda: wire_cases(run)),
               ("machines", lambda: machine_cases(run, folder)),
               ("tensorflow", lambda: tensorflow_cases(run, folder)),
               ("widths", lambda: width_cases(run, folder)),
               ("interrupt", lambda: interrupt_cases(args.weir, folder))]
    passed = failed = 0
    for name, cases in groups:
        if args.names and name not in args.names:
            continue
        try:
            for what, holds in cases():
                passed, failed = passed + bool(holds), failed + (not holds)
                if not holds:
                    print("FAILED %s: %s" % (name, what))
        except Exception as e:  # the group ends, the others go on
            failed += 1
            print("FAILED %s: %s: %s" % (name, type(e).__name__, e))
    shutil.rmtree(folder, ignore_errors=True)
    print("%d passed, %d failed" % (passed, failed))
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
