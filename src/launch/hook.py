"""Written by `weir run` for the programs it starts; Python imports it before them.

tf.train.Server, under all its names, becomes a handle on a weir server: the one that was started
for this task, or one of its own when the program asks for something else. TensorFlow's long waits
go: non-chiefs look again after moments, and queue runners whose step never ends are not waited for.
With WEIR_RUN_TF1, tensorflow is tensorflow.compat.v1. Where TensorFlow is not installed and Weir's
front end is, that answers for it. Ctrl-C, and what a thread meets while the program ends, are no
tracebacks.
"""
import os
import sys


def next_sitecustomize():
    """Runs the sitecustomize that this file stands in front of, if there is one."""
    import importlib.machinery
    import importlib.util
    here = os.path.dirname(os.path.abspath(__file__))
    rest = [p for p in sys.path if os.path.abspath(p or ".") != here]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", rest)
    if spec is not None and spec.loader is not None:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))


def own_task():
    job, _, index = os.environ.get("WEIR_RUN_TASK", "").rpartition(":")
    return job, int(index or -1)


def as_dict(cluster_def):
    return {job.name: dict(job.tasks) for job in cluster_def.job}


def launched_cluster():
    """The cluster of WEIR_RUN_CLUSTER, "ps=a:1,b:2;worker=7@c:3"."""
    jobs = {}
    for part in filter(None, os.environ.get("WEIR_RUN_CLUSTER", "").split(";")):
        name, _, hosts = part.partition("=")
        tasks, index = {}, 0
        for host in hosts.split(","):
            if "@" in host:
                number, host = host.split("@")
                index = int(number)
            tasks[index] = host
            index += 1
        jobs[name] = tasks
    return jobs


def wants_config(server_def):
    """Whether the defaults for sessions matter: on a ps only its devices do, nobody connects."""
    config = server_def.default_session_config
    if server_def.job_name == "ps":
        return bool(config.device_count)
    return config.ByteSize() > 0


def is_launched(server_def):
    """Whether the server that runs for this task is the one that is asked for."""
    task = (server_def.job_name, server_def.task_index)
    return (task == own_task() and as_dict(server_def.cluster) == launched_cluster()
            and not server_def.port and not wants_config(server_def)
            and "WEIR_RUN_SERVER_PID" in os.environ)


def address(cluster, job, index):
    return cluster.get(job, {}).get(index)


def end_launched(server_def):
    """Frees the address of the server that runs, where the program wants another one there."""
    import signal
    import socket
    import time
    wanted = address(as_dict(server_def.cluster), server_def.job_name, server_def.task_index)
    if wanted != address(launched_cluster(), *own_task()) or wanted is None:
        return
    pid = int(os.environ.pop("WEIR_RUN_SERVER_PID", "0"))
    if not pid:
        return
    try:
        os.kill(pid, signal.SIGTERM)
    except OSError:
        return
    host, _, port = os.environ["WEIR_RUN_TARGET"].partition("://")[2].rpartition(":")
    until = time.monotonic() + 2
    while time.monotonic() < until:
        try:
            socket.create_connection((host, int(port)), 1).close()
        except OSError:
            return
        time.sleep(0.005)


class Process:
    """A weir server of this program's own; it ends when its standard input does."""

    def __init__(self, server_def, errors):
        import subprocess
        import tempfile
        with tempfile.NamedTemporaryFile(prefix="weir-server-") as f, \
                tempfile.TemporaryFile() as said:
            f.write(server_def.SerializeToString())
            f.flush()
            self.child = subprocess.Popen(
                [os.environ["WEIR_RUN_BINARY"], "server", "--until_eof", "--server_def", f.name],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said)
            self.target = self.child.stdout.readline().decode().strip()
            if not self.target:
                self.child.wait()
                said.seek(0)
                raise self.failure(errors, said.read().decode("utf8", "replace"))

    @staticmethod
    def failure(errors, text):
        cause = text.partition("weir: ")[2].partition("\n")[0] or text
        kind = errors.UnknownError if "cannot listen" in cause else errors.InvalidArgumentError
        return kind(None, None, "Could not start gRPC server: " + cause
                    if kind is errors.UnknownError else cause)


def wait_for_the_end():
    """Until weir run says that the job is done; forever when there is nobody to say so."""
    import socket
    import threading
    import time
    main = threading.current_thread() is threading.main_thread()
    s = socket.socket(socket.AF_UNIX)
    try:
        s.connect(os.environ["WEIR_RUN_CONTROL"])
    except (OSError, KeyError):
        while True:
            time.sleep(3600)
    try:
        s.sendall(b"join\n" if main else b"wait\n")
        while s.recv(64):
            pass
    except OSError:
        pass  # weir run is gone, and so is the job
    if not main:
        while True:  # what follows a join is never reached
            time.sleep(3600)


def leave(status):
    """Ends the process: code behind a join is written to be unreachable, and taking TensorFlow down
    in order takes long."""
    import atexit
    try:
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(status)


def patch_server(module):
    """The class is changed in place, so that every name it was exported under follows."""
    errors = module.errors

    def init(self, server_or_cluster_def, job_name=None, task_index=None, protocol=None,
             config=None, start=True):
        self._server_def = module._make_server_def(
            server_or_cluster_def, job_name, task_index, protocol, config)
        self._server = None
        if start:
            self.start()

    def start(self):
        if self._server is not None:
            return
        if is_launched(self._server_def):
            self._server = os.environ["WEIR_RUN_TARGET"]
            return
        end_launched(self._server_def)
        self._server = Process(self._server_def, errors)

    def join(self):
        try:
            wait_for_the_end()
        except KeyboardInterrupt:
            leave(130)
        leave(0)

    def target(self):
        self.start()
        return getattr(self._server, "target", self._server)

    cls = module.Server
    cls.__init__, cls.start, cls.join, cls.target = init, start, join, property(target)
    cls.__del__ = lambda self: None


def patch_session_manager(module):
    """Looking whether the model is ready: at first after 50 ms, then ever less often, to a second."""

    def get(self):
        asked, looks = self.__dict__.get("weir_wait", (30, 0))
        self.__dict__["weir_wait"] = (asked, looks + 1)
        return min(asked, 1.0, 0.05 * 1.2 ** min(looks, 50))

    def put(self, seconds):
        self.__dict__["weir_wait"] = (seconds, 0)

    module.SessionManager._recovery_wait_secs = property(get, put)


def patch_coordinator(module):
    """A queue runner's step may be blocked until the session is closed, which comes after the join:
    waiting for its thread is in vain."""
    import time
    original = module.Coordinator.join

    def is_stuck(thread):
        return thread.name.startswith("QueueRunnerThread") and "close_on_stop" not in thread.name

    def join(self, threads=None, stop_grace_period_secs=120, ignore_live_threads=False):
        threads = list(threads or ())
        with self._lock:
            waited = set(threads) | set(self._registered_threads)
        while any(t.is_alive() for t in waited) and not self.wait_for_stop(1.0):
            pass
        begin = now = time.monotonic()
        left = [t for t in waited if t.is_alive()]
        while left and now < begin + stop_grace_period_secs:
            if now > begin + 0.5 and all(map(is_stuck, left)):
                with self._lock:
                    self._registered_threads = set(self._registered_threads) - set(left)
                threads = [t for t in threads if t not in left]
                break
            time.sleep(0.005)
            now = time.monotonic()
            left = [t for t in left if t.is_alive()]
        return original(self, threads, max(0.0, begin + stop_grace_period_secs - now),
                        ignore_live_threads)

    module.Coordinator.join = join


def use_v1(module):
    """The name tensorflow means tensorflow.compat.v1 from here on, with the behaviour of 1.x."""
    import logging
    import tensorflow.compat.v1 as v1
    logger = logging.getLogger("tensorflow")
    logger.disabled = True  # the call is said to be deprecated, which the program did not write
    v1.disable_v2_behavior()
    logger.disabled = False
    v1.__path__ = list(v1.__path__) + [p for p in module.__path__ if p not in v1.__path__]
    sys.modules["tensorflow"] = v1


def end_quietly():
    """An interrupt ends the program with the status of a signal, without a traceback; a thread that
    fails because the program is ending says nothing."""
    import threading
    usual, usual_in_threads = sys.excepthook, getattr(threading, "excepthook", None)

    def on_exception(kind, value, trace):
        if issubclass(kind, KeyboardInterrupt):
            leave(130)
        usual(kind, value, trace)

    def on_thread_exception(args):
        # A queue runner tells its coordinator; one that is left fails when the session is closed.
        ending = (not threading.main_thread().is_alive()
                  or args.thread is not None and args.thread.name.startswith("QueueRunnerThread"))
        if not ending and not issubclass(args.exc_type, KeyboardInterrupt):
            usual_in_threads(args)

    sys.excepthook = on_exception
    if usual_in_threads:
        threading.excepthook = on_thread_exception


PATCHES = {
    "tensorflow.python.training.server_lib": patch_server,
    "tensorflow.python.training.session_manager": patch_session_manager,
    "tensorflow.python.training.coordinator": patch_coordinator,
    "weir.tf.training.server_lib": patch_server,
    "weir.tf.training.session_manager": patch_session_manager,
    "weir.tf.training.coordinator": patch_coordinator,
}


if os.environ.get("WEIR_RUN_TF1"):
    PATCHES["tensorflow"] = use_v1


class Loader:
    """Another loader's module, patched once it has run."""

    def __init__(self, loader, patch):
        self.loader, self.patch = loader, patch

    def __getattr__(self, name):
        return getattr(self.loader, name)

    def create_module(self, spec):
        return self.loader.create_module(spec)

    def exec_module(self, module):
        self.loader.exec_module(module)
        self.patch(module)


class Finder:
    """Stands first among the finders and lets the others find."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        patch = PATCHES.get(name)
        if patch is None:
            return None
        for finder in sys.meta_path:
            if finder is Finder or not hasattr(finder, "find_spec"):
                continue
            spec = finder.find_spec(name, path, target)
            if spec is not None and spec.loader is not None:
                spec.loader = Loader(spec.loader, patch)
                return spec
        return None


def use_front_end():
    """Weir's front end answers to the name tensorflow where nothing else does."""
    from importlib.machinery import PathFinder
    if PathFinder.find_spec("tensorflow") is not None or PathFinder.find_spec("weir") is None:
        return
    try:
        from weir import hook
    except ImportError:
        return  # another package of that name
    hook.install()
    hook.soft_placement = True
    sys.meta_path.remove(Finder)  # it stays first
    sys.meta_path.insert(0, Finder)


def leave_quickly():
    """Python looks through TensorFlow's million objects for garbage when it ends, which takes most of
    a second; the process's memory goes anyway. Registered first, so that it comes last."""
    import gc
    if "tensorflow" in sys.modules and hasattr(gc, "freeze"):
        gc.disable()
        gc.freeze()


if sys.version_info >= (3, 5):
    import atexit
    atexit.register(leave_quickly)
    sys.meta_path.insert(0, Finder)
    end_quietly()
    next_sitecustomize()
    use_front_end()
