#!/usr/bin/env python3
"""A system that refuses memory, mappings, threads and descriptors: in ops, sessions, servers, files.

    tests/refusals_test.py [--lib PATH] [--weir PATH] [--sample N[:K]] [-k TEXT] [--preload LIBASAN] [-v]

refuse.c is preloaded and refuses the n-th request, every n-th, or all that are large. Any status is
right; a crash, a hang or (under asan) a leak is not, and afterwards the same process works as before.
"""
import argparse
import os
import subprocess
import sys
import tempfile
import time
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import graphs
import hostile_ops_test
import ops_test
import pb
import sample
import trials
import trust_test
from worker import Crash, Worker

MEMORY, MAPS, THREADS, DESCRIPTORS, ALL = 1, 2, 4, 8, 15
NTH, EVERY, FROM, BYTES = range(4)
LARGE = 3 << 20  # more than any block that Weir takes for things of its own
CASES = []


def case(run):
    CASES.append(run)
    return run


def build_shim(folder):
    path = os.path.join(folder, "refuse.so")
    subprocess.run([os.environ.get("CC", "cc"), "-O1", "-shared", "-fPIC", "-o", path,
                    os.path.join(HERE, "refuse", "refuse.c")], check=True)
    return path


def positions(count, most):
    """Up to |most| of 1..count, evenly."""
    return range(1, count + 1, max(1, -(-count // most)))


def walk(worker, job, most):
    """Refuses |most| requests of a job in turn, then every so many; a complaint or None."""
    try:
        count = worker.call("refused", job, [(ALL, NTH, 0)])[0]
        plan = [(ALL, NTH, k) for k in positions(count, most)]
        plan += [(ALL, EVERY, 7), (ALL, EVERY, 2), (MEMORY | MAPS, BYTES, LARGE)]
        worker.call("refused", job, plan, timeout=300)
        reply = worker.call("job", job)
        if reply["error"] and most > 20:  # a session's life, which works
            return "%s afterwards" % reply["error"]
    except Crash as crash:
        worker.stop()
        return str(crash)
    return None


# ---- a session's life ---------------------------------------------------------------------------

F, I = pb.T("f32"), pb.T("i32")


def state_graph():
    g = pb.GraphDef()
    v = g.node("VarHandleOp", name="v", dtype=F, shape=pb.Shape([64]))
    g.node("AssignVariableOp", v, g.node("Fill", g.const([64], "i32"), g.const(1.0), T=F), name="init", dtype=F)
    g.node("AssignAddVariableOp", v, g.node("Fill", g.const([64], "i32"), g.const(2.0), T=F), name="add", dtype=F)
    g.node("ReadVariableOp", v, name="read", dtype=F)
    return g.bytes(), [((), ("init",)), ((), ("add",)), (("read:0",), ())]


def function_graph():
    g = pb.GraphDef()
    g.function("Twice", {"x": "f32"}, {"y": "f32"}, [("AddV2", "add", ["x", "x"], {"T": F})], {"y": "add:z:0"})
    x = g.node("Fill", g.const([3, 1000], "i32"), g.const(1.5), T=F)
    y = g.node("PartitionedCall", x, Tin=[F], Tout=[F], f=pb.Func("Twice"), name="n")
    p = g.node("MatMul", y, x, T=F, transpose_b=True, name="p")
    g.node("Sum", p, g.const([0, 1], "i32"), name="s", T=F, Tidx=I)
    return g.bytes(), [(("s:0",), ())] * 2


def text_graph():
    g = pb.GraphDef()
    words = g.node("Fill", g.const([500], "i32"), g.const(b"a word that is longer than some", "str"), T=pb.T("str"))
    joined = g.node("ReduceJoin", words, g.const([0], "i32"), name="j", separator=b" ")
    g.node("StringSplitV2", g.node("ExpandDims", joined, g.const(0, "i32"), T=pb.T("str"), Tdim=I),
           g.const(b" ", "str"), name="s")
    return g.bytes(), [(("s:1",), ())]


def session_jobs():
    for build in (state_graph, function_graph, text_graph):
        graph, runs = build()
        yield build.__name__, {"graph": graph, "runs": [
            {"feeds": {}, "fetches": list(f), "targets": list(t)} for f, t in runs]}


@case
def every_request_of_sessions(args):
    worker = args.worker()
    for name, job in session_jobs():
        wrong = walk(worker, job, 120)
        assert not wrong, "%s: %s" % (name, wrong)
    worker.stop()


@case
def some_requests_of_every_op(args):
    worker, found, count = args.worker(), [], 0
    known = {o.name for o in graphs.parse_op_list(worker.call("op_list"))}
    for trial in ops_test.chosen(args):
        if isinstance(trial, trials.Trial) and (trial.op not in known or not (trial.base or trial.edge)):
            continue
        graph, runs, _ = hostile_ops_test.base_graph(trial)
        wrong = walk(worker, {"graph": graph.SerializeToString(), "runs": runs}, 8)
        count += 1
        if wrong:
            found.append("%s: %s" % (trial.label, wrong))
    worker.stop()
    print("%d op cases" % count)
    assert not found, "\n".join(found)


# ---- a server -----------------------------------------------------------------------------------


class Refused(trust_test.Server):
    """A server that is refused something from its start on; it may refuse to start, with a reason."""
    must_start = False

    def __init__(self, args, kinds, mode, number, options=()):
        self.count = os.path.join(args.folder, "count")
        super().__init__(options=options, env=dict(args.env, REFUSE="%d %d %d" % (kinds, mode, number),
                                                   REFUSE_COUNT=self.count))

    def end(self):
        """Ends it; the number of requests it made."""
        if self.target:
            return self.stop()
        out, err = self.process.communicate(timeout=60)
        assert self.process.returncode in (1, 2, 70) and err.strip(), (self.process.returncode, err)
        return err.decode("utf-8", "replace")

    def requests(self):
        with open(self.count) as f:
            return int(f.read())


def use(server):
    """Calls of each kind. Errors are right; silence is not."""
    client = trust_test.Client(server.target)
    codes = []

    def attempt(call):
        try:
            return call()
        except trust_test.grpc.RpcError as e:
            codes.append(e.code().name)
            assert e.code().name != "DEADLINE_EXCEEDED", "no answer"
    graph, runs = state_graph()
    session = attempt(lambda: client.session(graph))
    for fetches, targets in runs if session else ():
        attempt(lambda: client.run(session, fetches, targets))
    if session:
        attempt(lambda: client.call("CloseSession", pb.field_bytes(1, session)))
    client.close()
    return codes


def try_server(args, kinds, mode, number, rounds=1):
    server = Refused(args, kinds, mode, number)
    try:
        if server.target:
            for _ in range(rounds):
                use(server)
        server.end()
        return server
    except Exception:
        raise AssertionError("refused %d %d %d: %s" % (kinds, mode, number, traceback.format_exc()))
    finally:
        if server.process.poll() is None:
            server.process.kill()
            server.process.wait()


@case
def a_server_that_is_refused_one_request(args):
    count = try_server(args, ALL, NTH, 0).requests()
    for k in positions(count, args.servers):
        try_server(args, ALL, NTH, k)


@case
def a_server_that_is_often_refused_memory(args):
    for n in (50, 7, 2):
        try_server(args, MEMORY | MAPS, EVERY, n, rounds=4)
    try_server(args, MEMORY | MAPS, BYTES, LARGE, rounds=2)


@case
def a_server_without_threads_or_descriptors(args):
    for kind in (THREADS, DESCRIPTORS):
        for n in (2, 3):
            try_server(args, kind, EVERY, n, rounds=2)
        for n in (1, 2, 3, 4, 6):
            try_server(args, kind, FROM, n)


@case
def the_address_space_ends(args):
    """Large requests and large steps under RLIMIT_AS: statuses, and small ones go on."""
    if args.preload:
        return  # asan reserves terabytes
    server = trust_test.Server(shell='ulimit -v %d; exec "$@"' % (600 << 10))
    try:
        client = trust_test.Client(server.target)
        g = pb.GraphDef()
        x = g.placeholder("f32", name="x")
        big = g.node("Fill", g.const([1 << 28], "i32"), x, name="big", T=F)
        g.node("Sum", big, g.const([0], "i32"), name="s", T=F, Tidx=I)
        session = client.session(g.bytes())
        for _ in range(3):
            code = trust_test.code_of(lambda: client.run(session, ["s:0"], feeds=[("x:0", 1.0)]))
            assert code == "RESOURCE_EXHAUSTED", code
            trust_test.works(server)
        import numpy as np
        huge = np.zeros(60 << 20, np.float32)
        code = trust_test.code_of(lambda: client.run(session, ["x:0"], feeds=[("x:0", huge)], timeout=60))
        assert code in ("RESOURCE_EXHAUSTED", "UNAVAILABLE", "CANCELLED"), code
        trust_test.works(server)
        server.stop()
    finally:
        server.process.kill()


# ---- files --------------------------------------------------------------------------------------


@case
def commands_on_files(args):
    corpus = os.path.join(HERE, "..", "fuzz", "corpus")
    tried = 0
    for folder in sorted(os.listdir(corpus)):
        files = sorted(os.listdir(os.path.join(corpus, folder)))
        for name in files[:1]:
            for mode, n in [(NTH, 5), (NTH, 40), (EVERY, 3), (BYTES, LARGE)]:
                env = dict(os.environ, **args.env, REFUSE="%d %d %d" % (ALL, mode, n))
                done = subprocess.run([args.weir, "inspect", os.path.join(corpus, folder, name)], env=env,
                                      capture_output=True, timeout=120)
                assert done.returncode in (0, 1, 2), (folder, name, mode, n, done)
                tried += 1
    assert tried > 10


@case
def the_library_is_closed_after_use(args):
    """dlclose after a session and a server: nothing runs in code that is gone."""
    if args.preload:
        return
    program = """
import ctypes, sys, gc
sys.path.insert(0, %r)
import pb, weir_c
for _ in range(3):
    lib = weir_c.Library(%r)
    g = pb.GraphDef()
    x = g.node("Fill", g.const([300, 300], "i32"), g.const(1.5), T=pb.T("f32"))
    g.node("MatMul", x, x, T=pb.T("f32"), name="p")
    with lib.graph(g.bytes()).session() as s:
        s.run(["p:0"])
    handle = lib.dll._handle
    ctypes.CDLL(None).dlclose(ctypes.c_void_p(handle))
import time; time.sleep(0.2)
print("fine")
""" % (HERE, os.path.abspath(args.lib))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() == "fine" and done.returncode == 0, done


# ---- running them -------------------------------------------------------------------------------


def options():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    ap.add_argument("--lib", default=os.path.join(HERE, "..", "build", "release", "libweir.so"))
    ap.add_argument("--weir", default=os.path.join(HERE, "..", "build", "release", "weir"))
    ap.add_argument("--only", help="op types, separated by commas")
    ap.add_argument("--file", help="tables of tests/cases, separated by commas")
    ap.add_argument("--op", dest="k", help="only op cases whose labels contain this text")
    ap.add_argument("-k", dest="name", default="", help="only cases whose names contain this text")
    sample.add_option(ap, "151")
    ap.add_argument("--servers", type=int, default=40, help="servers that are refused one request")
    ap.add_argument("--preload", help="libasan.so")
    ap.add_argument("-v", "--verbose", action="store_true")
    return ap.parse_args()


def set_up(args, folder):
    shim = build_shim(folder)
    args.folder = folder
    args.env = {"LD_PRELOAD": " ".join(filter(None, [shim, args.preload])),
                "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1:verify_asan_link_order=0"}
    args.worker = lambda: Worker(args.lib, args.env, os.path.join(folder, "log"))
    trust_test.WEIR = args.weir


def main():
    args, failed = options(), 0
    chosen = [run for run in CASES if args.name in run.__name__]
    with tempfile.TemporaryDirectory(prefix="refusals.") as folder:
        set_up(args, folder)
        for run in chosen:
            start = time.time()
            try:
                run(args)
                if args.verbose:
                    print("passed %s in %.1f s" % (run.__name__, time.time() - start), flush=True)
            except Exception:
                failed += 1
                print("FAIL %s\n%s" % (run.__name__, traceback.format_exc()), flush=True)
    print("refusals: %d passed, %d failed" % (len(chosen) - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
