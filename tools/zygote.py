"""A Python that has its heavy imports behind it, for programs that start many Pythons.

    zygote = Zygote(folder, imports=["tensorflow.compat.v1"], python=PYTHON)
    subprocess.Popen([zygote.executable, "script.py", ...])
    zygote.close()

The zygote is a process that imports once and then forks. |executable| takes the place of a Python
interpreter: it hands its words, environment, folder and standard files to the zygote, which runs the
script in a fork, and it ends as the fork does: with its exit status, or by its signal. Signals are
forwarded; when the executable is killed, so is the fork. Whatever is not a script (-c, -m, ...) runs
in an interpreter of its own. ZYGOTE_STDERR in the environment names a file that takes what scripts
write to their standard error, for callers that throw it away.

A fork is as good as a fresh process only if the imports leave no thread and no handle behind, so the
zygote counts its threads and refuses to work with more than one.

The wire: one connection for each script, on which the executable sends a line of JSON with its three
files beside it, then a line for each signal; the answer is the status of waitpid.
"""
import json
import os
import signal
import socket
import subprocess
import sys

FORWARDED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2)
CLIENT = """#!%s -IS
import sys
sys.path.insert(0, %r)
import zygote
zygote.hand_over(%r, %r)
"""


class Zygote:
    """The zygote's owner: starts it, and ends it with all of its forks."""

    def __init__(self, folder, imports, python=sys.executable):
        self.executable = os.path.join(folder, "python")
        path = os.path.join(folder, "zygote")
        here = os.path.dirname(os.path.abspath(__file__))
        with open(self.executable, "w") as f:
            f.write(CLIENT % (python, here, path, python))
        os.chmod(self.executable, 0o755)
        env = dict(os.environ, OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
        env.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
        self.child = subprocess.Popen(
            [python, os.path.abspath(__file__), path, *imports], env=env, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        answer = self.child.stdout.readline().strip()
        if answer != "ready":
            self.close()
            raise RuntimeError("no zygote: " + (answer or "it ended while importing"))

    def close(self):
        self.child.stdin.close()
        self.child.wait()


# ---- the executable -------------------------------------------------------------------------------


def hand_over(path, python):
    """Has the zygote at |path| run sys.argv[1:], and ends as that does."""
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        os.execv(python, [python, *sys.argv[1:]])
    with socket.socket(socket.AF_UNIX) as s:
        s.connect(path)
        for number in FORWARDED:
            signal.signal(number, lambda n, _: s.sendall(b"%d\n" % n))
        order = json.dumps(dict(argv=sys.argv[1:], env=dict(os.environ), cwd=os.getcwd()))
        socket.send_fds(s, [b"\n"], [0, 1, 2])
        s.sendall(order.encode() + b"\n")
        status = s.makefile().readline()
    end_as(int(status) if status else os.EX_SOFTWARE << 8)


def end_as(status):
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number != signal.SIGKILL:
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os._exit(os.WEXITSTATUS(status))


# ---- the zygote -----------------------------------------------------------------------------------


class Server:
    """Forks for every order; one thread, one loop over the socket, the orders and the forks."""

    def __init__(self, path):
        import selectors
        self.events = selectors.DefaultSelector()
        self.forks = {}  # connection -> process id
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        self.listener.listen(64)

    def watch(self, fd, call, *words):
        import selectors
        self.events.register(fd, selectors.EVENT_READ, (call, words))

    def serve(self):
        """Until the standard input ends; returns the order in a fork, None in the zygote."""
        self.watch(self.listener, self.accept)
        self.watch(0, lambda: False)
        while True:
            for key, _ in self.events.select():
                call, words = key.data
                answer = call(*words)
                if answer is not None:
                    return answer or None

    def accept(self):
        connection, _ = self.listener.accept()
        _, files, _, _ = socket.recv_fds(connection, 1, 3)
        order = json.loads(connection.makefile().readline())
        pid = os.fork()
        if pid == 0:
            connection.close()
            return dict(order, files=files)
        for fd in files:
            os.close(fd)
        self.forks[connection] = pid
        self.watch(connection, self.order, connection, pid)
        ended = os.pidfd_open(pid)
        self.watch(ended, self.ended, ended, connection, pid)

    def order(self, connection, pid):
        """A signal to forward, or the end of the one who gave the order."""
        words = connection.recv(256).split()
        if not words:
            self.events.unregister(connection)
            os.kill(pid, signal.SIGKILL)
        for number in words:
            os.kill(pid, int(number))

    def ended(self, fd, connection, pid):
        _, status = os.waitpid(pid, 0)
        self.events.unregister(fd)
        os.close(fd)
        del self.forks[connection]
        if connection in self.events.get_map():
            self.events.unregister(connection)
        try:
            connection.sendall(b"%d\n" % status)
        except OSError:
            pass  # the one who gave the order is gone
        connection.close()

    def leave(self):
        """What a fork drops of the zygote's."""
        self.events.close()
        self.listener.close()
        for connection in self.forks:
            connection.close()

    def kill(self):
        for pid in self.forks.values():
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def die_with_parent():
    import ctypes
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def become(order):
    """Makes this fork the process that the order describes, and runs its script."""
    import runpy
    die_with_parent()
    for number, fd in enumerate(order["files"]):
        os.dup2(fd, number)
        os.close(fd)
    os.chdir(order["cwd"])
    os.environ.clear()
    os.environ.update(order["env"])
    if "ZYGOTE_STDERR" in os.environ:
        os.dup2(os.open(os.environ["ZYGOTE_STDERR"], os.O_WRONLY | os.O_CREAT | os.O_APPEND), 2)
    sys.argv[:] = order["argv"]
    sys.path[0] = os.path.dirname(os.path.abspath(sys.argv[0]))
    runpy.run_path(sys.argv[0], run_name="__main__")


def main():
    import importlib
    path, *imports = sys.argv[1:]
    for name in imports:
        importlib.import_module(name)
    server = Server(path)
    threads = len(os.listdir("/proc/self/task"))
    print("ready" if threads == 1 else "%d threads after the imports" % threads, flush=True)
    order = server.serve() if threads == 1 else None
    if order is None:
        server.kill()
        return
    server.leave()
    become(order)


if __name__ == "__main__":
    main()
