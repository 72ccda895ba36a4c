#!/usr/bin/env python3
"""A real Prometheus that scrapes the tasks of a training cluster.

    tests/prometheus.py               # two minutes, the dashboard and the rules as they are
    tests/prometheus.py --short       # half a minute: every time in them is shortened

It shows that every query of the dashboard and of the alert rules has data, and that the alert of a
worker that is killed fires. Skipped, with a line that says so, where Prometheus is not installed.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

from clusters import free_ports

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
MONITORING = os.path.join(ROOT, "docs", "monitoring")


def shortened(text):
    """Ranges of five seconds, and alerts that fire after one."""
    return re.sub(r"\bfor: \w+", "for: 1s", re.sub(r"\[\d+m\]", "[5s]", text))


def dashboard_queries():
    with open(os.path.join(MONITORING, "grafana.json")) as f:
        return [t["expr"] for p in json.load(f)["panels"] for t in p["targets"]]


def alert_queries(rules):
    """Each alert's expression, with 0 or 1 for what it says instead of nothing for no."""
    exprs = re.findall(r"expr: (?:>\n)?(.*?)\n\s+for:", rules, re.S)
    return [re.sub(r"(==|[<>]) ", r"\1 bool ", " ".join(e.split())) for e in exprs]


class Prometheus:
    """Serves on |port|, and scrapes |ports| by the configuration that the guide shows."""

    def __init__(self, folder, port, ports, short):
        self.port = port
        self.short = short
        with open(os.path.join(MONITORING, "alerts.yml")) as f:
            self.rules = shortened(f.read()) if short else f.read()
        with open(os.path.join(folder, "alerts.yml"), "w") as f:
            f.write(self.rules)
        with open(os.path.join(folder, "prometheus.yml"), "w") as f:
            f.write("global: {scrape_interval: %s, evaluation_interval: 1s}\n"
                    "rule_files: [alerts.yml]\n"
                    "scrape_configs:\n"
                    "  - job_name: weir\n"
                    "    honor_labels: true\n"
                    "    static_configs:\n"
                    "      - targets: %s\n"
                    "        labels: {service: weir}\n"
                    % ("1s" if short else "5s", json.dumps(["localhost:%d" % p for p in ports])))
        self.log = open(os.path.join(folder, "prometheus.log"), "w+")
        self.process = subprocess.Popen(
            ["prometheus", "--config.file=prometheus.yml", "--storage.tsdb.path=data",
             "--web.listen-address=127.0.0.1:%d" % self.port], cwd=folder, stdout=self.log,
            stderr=subprocess.STDOUT)

    def ask(self, path, **query):
        url = "http://127.0.0.1:%d/api/v1/%s?%s" % (self.port, path, urllib.parse.urlencode(query))
        try:
            with urllib.request.urlopen(url, timeout=20) as answer:
                return json.load(answer)["data"]
        except urllib.error.HTTPError as e:
            raise AssertionError("%s: %s" % (query, e.read().decode()))

    def answers(self):
        """Whether it is ready: before, nobody listens, or the answer is 503."""
        try:
            urllib.request.urlopen("http://127.0.0.1:%d/-/ready" % self.port, timeout=20).close()
            return self.ask("query", query="1")
        except OSError:
            assert self.process.poll() is None, "prometheus ended: " + self.read_log()
            return None

    def read_log(self):
        self.log.seek(0)
        return self.log.read()[-2000:]

    def values(self, query):
        return self.ask("query", query=shortened(query) if self.short else query)["result"]

    def firing(self):
        return [(a["labels"]["alertname"], a["labels"].get("instance"))
                for a in self.ask("alerts")["alerts"] if a["state"] == "firing"]

    def stop(self):
        self.process.terminate()
        self.process.wait()
        self.log.close()


def until(what, seconds):
    end = time.monotonic() + seconds
    while True:
        got = what()
        if got:
            return got
        assert time.monotonic() < end, "this did not happen within %d s" % seconds
        time.sleep(0.3)


def start_tasks(weir, folder, ports):
    """2 ps and 6 workers that train until they are stopped."""
    hosts = ["localhost:%d" % p for p in ports]
    words = ["nice", "-n", "5", weir, "train", "logreg", "--data", "synthetic", "--steps", "1000000000",
             "--batch", "256", "--ps_hosts", ",".join(hosts[:2]), "--worker_hosts", ",".join(hosts[2:])]
    tasks = [("ps", i) for i in range(2)] + [("worker", i) for i in range(6)]
    return [subprocess.Popen(words + ["--job_name", job, "--task_index", str(i)], cwd=folder,
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for job, i in tasks]


def watch(weir, short):
    """The whole of it; raises what is not as it should be."""
    folder = tempfile.mkdtemp()
    own, *ports = free_ports(9)
    tasks = start_tasks(weir, folder, ports)
    prometheus = Prometheus(folder, own, ports, short)
    try:
        until(prometheus.answers, 30)
        started = time.monotonic()
        until(lambda: len([r for r in prometheus.values('up{service="weir"}') if r["value"][1] == "1"]) == 8, 60)
        until(lambda: len(prometheus.values('rate(weir_steps_total{job="worker"}[1m]) > 0')) == 6, 100)
        if not short:
            time.sleep(max(0, 120 - (time.monotonic() - started)))
        queries = dashboard_queries() + alert_queries(prometheus.rules)
        empty = [q for q in queries if not prometheus.values(q)]
        assert not empty, "without data: %s" % empty
        down = ("WeirTaskDown", "localhost:%d" % ports[7])
        assert down not in prometheus.firing()
        tasks[7].kill()
        until(lambda: down in prometheus.firing(), 60)
        assert [f for f in prometheus.firing() if f[0] == down[0]] == [down], prometheus.firing()
        return len(queries)
    finally:
        prometheus.stop()
        for t in tasks:
            t.kill()
        for t in tasks:
            t.wait()
        shutil.rmtree(folder)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--weir", default=os.path.join(ROOT, "build", "release", "weir"))
    parser.add_argument("--short", action="store_true")
    args = parser.parse_args()
    if not shutil.which("prometheus"):
        sys.exit("prometheus is not installed: apt-get install prometheus")
    print("%d queries have data; the alert of a killed worker fires" % watch(os.path.abspath(args.weir), args.short))


if __name__ == "__main__":
    main()
