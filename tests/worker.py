"""A child process that holds one library and runs jobs on it, so that a crash costs one job.

As a program (`worker.py LIBRARY IN_FD OUT_FD`) it reads pickled calls from one pipe and writes
pickled replies to another; `Worker` is the other end.
"""
import functools
import os
import pickle
import select
import signal
import struct
import subprocess
import sys
import tempfile


class Crash(Exception):
    """The library took its process down, or did not answer in time."""


def _send(fd, thing):
    data = pickle.dumps(thing, protocol=5)
    rest = memoryview(struct.pack("<q", len(data)) + data)  # slices of it copy nothing, however much there is to write
    while rest:
        rest = rest[os.write(fd, rest):]


def _read(fd, count, timeout=None):
    out = bytearray()
    while len(out) < count:
        if timeout is not None and not select.select([fd], [], [], timeout)[0]:
            raise TimeoutError
        part = os.read(fd, min(count - len(out), 1 << 20))
        if not part:
            raise EOFError
        out += part
    return out


def _receive(fd, timeout=None):
    return pickle.loads(_read(fd, struct.unpack("<q", _read(fd, 8, timeout))[0], timeout))


class Worker:
    """Runs `weir_c` calls in a child; starts a new child after a crash. Each works in a folder of its
    own, where files with relative names are its alone."""

    def __init__(self, library, env=None, log=None):
        self.library = os.path.abspath(library)  # the child has a folder of its own
        self.env, self.log = env or {}, log
        self.process = None
        self.folder = tempfile.TemporaryDirectory(prefix="worker.")

    def start(self):
        to_child, from_parent = os.pipe()
        to_parent, from_child = os.pipe()
        self.stderr = open(self.log, "ab+") if self.log else open(os.devnull, "ab+")
        self.process = subprocess.Popen(
            [sys.executable, os.path.abspath(__file__), self.library, str(to_child), str(from_child)],
            env={**os.environ, **self.env}, pass_fds=(to_child, from_child),
            stdout=self.stderr, stderr=self.stderr, cwd=self.folder.name)
        os.close(to_child)
        os.close(from_child)
        self.write, self.read = from_parent, to_parent

    def send(self, method, *args):
        if self.process is None:
            self.start()
        try:
            _send(self.write, (method, args))
        except BrokenPipeError:
            pass  # the reason shows in receive

    def receive(self, timeout=60):
        try:
            ok, result = _receive(self.read, timeout)
        except TimeoutError:
            self.stop()
            raise Crash("no answer in %d s" % timeout) from None
        except EOFError:
            raise Crash(self._post_mortem()) from None
        if not ok:
            raise result
        return result

    def call(self, method, *args, timeout=60):
        self.send(method, *args)
        return self.receive(timeout)

    def _post_mortem(self):
        code = self.process.wait()
        why = signal.Signals(-code).name if code < 0 else "exit %d" % code
        tail = b""
        if self.log:
            self.stderr.seek(max(0, os.path.getsize(self.log) - 3000))
            tail = self.stderr.read()
        self.stop()
        lines = [l for l in tail.decode("utf-8", "replace").splitlines() if l.strip()]
        told = [l for l in lines if "ERROR" in l or "runtime error" in l or "Check failed" in l]
        return "%s: %s" % (why, (told or lines or ["no word"])[-1].strip())

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            os.close(self.write)
            os.close(self.read)
            self.stderr.close()
            self.process = None


def _limit(address_space):
    """A library that takes all it is asked for fails alone, not the machine."""
    if address_space:
        import resource
        resource.setrlimit(resource.RLIMIT_AS, (int(address_space),) * 2)


def _refused_job(lib, job, trials):
    """Runs a job once per (kinds, mode, number), while refuse.so (LD_PRELOAD) refuses that; gives how
    many requests each made. Whatever the job answers is right."""
    import ctypes
    import weir_c
    shim = ctypes.CDLL(None)
    shim.refuse_arm.argtypes = [ctypes.c_int, ctypes.c_int, ctypes.c_long]
    shim.refuse_seen.restype = ctypes.c_long
    counts = []
    for trial in trials:
        shim.refuse_arm(*trial)
        try:
            weir_c.run_job(lib, job)
        except RuntimeError:
            pass  # a pass that had no memory leaves the graph as it was
        finally:
            shim.refuse_disarm()
        counts.append(shim.refuse_seen())
    return counts


def _serve(path, fd_in, fd_out):
    import weir_c
    import weir_files
    _limit(os.environ.get("WORKER_ADDRESS_SPACE"))
    lib = weir_c.Library(path)
    methods = {
        "job": lambda job: weir_c.run_job(lib, job),
        "refused": lambda job, trials: _refused_job(lib, job, trials),
        "differentiate": functools.partial(weir_c.differentiate, lib),
        "op_list": lib.op_list,
        "kernels": lib.kernels,
        "version": lib.version,
        **{name: functools.partial(run, lib) for name, run in weir_files.METHODS.items()},
    }
    while True:
        try:
            method, args = _receive(fd_in)
        except EOFError:
            return
        try:
            reply = (True, methods[method](*args))
        except Exception as e:  # the parent decides what it means
            reply = (False, e)
        _send(fd_out, reply)


if __name__ == "__main__":
    _serve(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
