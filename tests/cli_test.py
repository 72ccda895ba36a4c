#!/usr/bin/env python3
"""The weir command: what it prints, and how it answers wrong calls.

    tests/cli_test.py [--weir PATH]
"""
import argparse
import csv
import fcntl
import io
import json
import os
import pty
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import termios

HERE = os.path.dirname(os.path.abspath(__file__))


# One convention for every command: 0 done, 1 it failed, 2 called wrongly, 138 try again.
STATUSES = [
    (0, "version"), (0, "help"), (0, "help train"), (0, "ops MatMul"), (0, "bench --list"),
    (0, "bench experiment --list"), (0, "completion bash"), (0, "run --dry-run x.py"), (0, "doctor"),
    (1, "predict /no/such x.json"), (1, "inspect /no/such"), (1, "ckpt list /no/such"),
    (2, "ckpt diff /no/a /no/b"), (1, "demo --data /no/such"), (1, "train logreg --data /no/such"),
    (1, "train logreg --data digits --dir /proc/x"), (1, "top localhost:1"), (1, "trace localhost:1"),
    (1, "bench experiment cnn logreg --out /proc/no"), (1, "demo --out /proc/no"), (1, "bench logreg --out /proc/no"),
    (1, "bench logreg --save /proc/no/x"), (1, "bench logreg --baseline /no/such"),
    (1, "explain localhost:1"), (1, "board /no/such"), (1, "abi /no/such"),
    (1, "server --op-library /no/such"), (127, "run --ps 0 /no/such"),
    (2, ""), (2, "trian"), (2, "train"), (2, "train nomodel"), (2, "train logreg --steps x"),
    (2, "train logreg extra"), (2, "train --model logreg"), (2, "train logreg --mode maybe"),
    (2, "train logreg --optimizer none"), (2, "train logreg --ps 0 --workers 2"), (2, "predict"),
    (2, "inspect"), (2, "ckpt"), (2, "ckpt lst"), (2, "ckpt list"), (2, "bench nomodel"),
    (2, "bench experiment nothing"), (2, "demo extra"), (2, "run"), (2, "server --port 99999"),
    (2, "server --memory much"), (2, "ops NoSuchOp"), (2, "ops -o xml"), (2, "abi"), (2, "version x"),
    (2, "completion csh"), (2, "help nothing"), (2, "device extra"),
    (2, "train logreg --data digits --device nosuch"), (2, "bench logreg --device nosuch"),
    (2, "run --jobs banana x.py"), (2, "run --jobs a=0 /bin/true"), (127, "run nosuchprogram"),
    (127, "run --python /no/such %s" % __file__), (126, "run /etc/passwd"), (126, "run /etc/"),
    (2, "server --ready_fd 99"), (2, "board / --port 80000"), (2, "train logreg --task_index 3"),
    (2, "train logreg --batch 4294967297"), (2, "train logreg --ps_hosts localhost:0"),
    (2, "train logreg --straggle 1:5"), (2, "pki issue"), (1, "abi /dev/zero"), (2, "run --layout what x.py"), (127, "run /no/such.py"),
    (2, "server --job_name no --task_index 0 --worker_hosts localhost:0"),
    (2, "server --job_name worker --task_index 9 --worker_hosts localhost:0"),
    (138, "server --job_name worker --ps_hosts localhost:1 --worker_hosts localhost:0 --start-timeout 1"),
    (138, "train logreg --data digits --job_name worker --ps_hosts localhost:1 --worker_hosts localhost:0 "
          "--start-timeout 1"),
]
# What is called, and what the remedy on the last line is about.
REMEDIES = [
    ("server --listen 1.2.3.4", "--listen"), ("server --limits x", "weir help security"),
    ("server --token-file /no/such", "weir help security"), ("server --root /no/such", "--root"),
    ("server --job_name x --ps_hosts a:1", "--task_index"),
    ("board / --listen no-such-host.invalid", "--listen"), ("pki init --dir /proc/x", "--dir"),
    ("pki issue a --dir /no/such", "weir pki init"), ("pki show /etc/hostname", "PEM"),
    ("report --out /proc/x", "--out"), ("trace localhost:1 --out /proc/x/t", "--out"), ("run --logs /proc/x /bin/true", "--logs"),
    ("ckpt list /etc/hostname", "prefix"), ("run /etc/passwd", "chmod +x"),
]
COMMANDS = ("train predict inspect ckpt bench demo run check server pki top trace explain report board doctor device ops abi "
            "version completion help").split()


def statuses(run):
    """Every command answers with the status of the one convention, and says what is wrong."""
    for status, line in STATUSES:
        out = run(status, *line.split())
        yield "status %d of weir %s" % (status, line), out.strip()
    for line, remedy in REMEDIES:
        status, said = run(None, *line.split())
        yield "the remedy of weir " + line, status and remedy in said.splitlines()[-1]
    for line in ("run true", "bench logreg"):
        yield "the remedy for the temporary folder of weir " + line, "TMPDIR" in run(
            1, *line.split(), env={"TMPDIR": "/no/such"})
    yield "a page where nothing can be recorded", "page: http://" in run(
        0, "run", "--ps", "0", "true", env={"HOME": "/proc/no", "XDG_STATE_HOME": "/proc/no"})
    yield "a port for others", os.geteuid() == 0 or "ports from 1024 on" in run(1, "server", "--port", "1")
    for command in COMMANDS:
        yield "an unknown option of " + command, "--no-such-option" in run(2, command, "--no-such-option") or (
            command == "ckpt")
        yield "help of " + command, "usage:" in run(0, command, "--help")
    with open(os.path.join(HERE, "..", "src", "cli", "commands.inc")) as f:
        known = set(re.findall(r"^WEIR_CLI\((\w+)\)", f.read(), re.M)) - {"complete"}
    yield "the table has every command", known == set(COMMANDS)


def limits(run):
    """The limits of a control group (files that stand for its own) are said."""
    with tempfile.TemporaryDirectory() as d:
        for name, text in (("cpu.max", "50000 100000\n"), ("memory.max", "200000000\n")):
            with open(os.path.join(d, name), "w") as f:
                f.write(text)
        group = {"WEIR_CGROUP": d}
        about = json.loads(run(0, "version", "-o", "json", env=group))
        yield "version has the limits", (about["processors"], about["processor_quota"], about["memory_limit"]) == (
            1, 0.5, 200000000)
        found = {c["check"]: c["found"] for c in json.loads(run(0, "doctor", "-o", "json", env=group))}
        yield "doctor has the limits", found["quota"].startswith("0.5 ") and found["limit"].startswith("200 MB")


def check_cases(run):
    """weir check is a part of the Python package; a stand-in for it shows how it is called."""
    yield "check without a program", "PROGRAM is missing" in run(2, "check")
    out = run(1, "check", "a.py", "--python", "/no/such/python")
    yield "check without an interpreter", "'/no/such/python': No such file" in out and "--python" in out
    with tempfile.TemporaryDirectory() as d:
        out = run(1, "check", "a.py", env={"PYTHONPATH": d, "WEIR_PYTHON": sys.executable, "PYTHONSAFEPATH": "1"})
        yield "check without the package", "cannot import Weir's package" in out and "weir help" in out
        os.mkdir(os.path.join(d, "weir"))
        for name, text in (("__init__", ""), ("check", "def main(words):\n    print(words)\n    return 7\n")):
            with open(os.path.join(d, "weir", name + ".py"), "w") as f:
                f.write(text)
        out = run(7, "check", "a b.py", "c.py", "--python", sys.executable, env={"PYTHONPATH": d})
        yield "check passes on the programs", out == "['-o', 'table', 'a b.py', 'c.py']\n"


def cases(run):
    """Yields (what is shown, whether it holds)."""
    out = run(0, "version")
    yield "version names TensorFlow's API", "2.21.0" in out
    out = run(0, "help")
    for command in ("demo", "ops", "run", "server", "train", "version", "help"):
        yield "help lists %s" % command, "weir " + command in out
        yield "help %s" % command, "usage: weir" in run(0, "help", command)
    yield "help topics lists pages", "  errors" in run(0, "help", "topics")
    for page in ("security", "changelog"):
        yield "and the page " + page, "  %s\n" % page in run(0, "help", "topics") and "# " in run(0, "help", page)
    yield "help prints a page", "# Errors" in run(0, "help", "errors")
    yield "no page outside the guide", run(2, "help", "../README")
    yield "help on no page", "'weir help topics' lists the pages" in run(2, "help", "nope")
    yield from check_cases(run)
    yield "help without a guide", "The guide is not here" in run(2, "help", "topics", env={"WEIR_DOCS": "/no/such"})
    yield "abi reads symbols only", "no ELF file" in run(1, "abi", __file__)
    yield "abi names a missing file once", run(1, "abi", "/no/such").count("/no/such") == 1
    os.environ["WEIR_OPS_OUTPUT"] = "json"
    yield "a variable gives an option", json.loads(run(0, "ops"))
    yield "the option wins", "," in run(0, "ops", "-o", "csv").splitlines()[0]
    os.environ["WEIR_OPS_OUTPUT"] = "xml"
    yield "a wrong variable is named", "WEIR_OPS_OUTPUT" in run(2, "ops")
    del os.environ["WEIR_OPS_OUTPUT"]
    yield "a misspelt variable is guessed", "mean WEIR_VERSION_OUTPUT?" in run(0, "version", env={"WEIR_VERSION_OUTPT": "1"})
    yield "another's variable is none of it", "WEIR" not in run(0, "version", env={"WEIR_OPS_OUTPT": "json"})
    out = run(0, "version", env={"WEIR_TREADS": "2"})
    yield "a misspelt variable of the library", out.count("WEIR_TREADS is not read; did you mean WEIR_THREADS?") == 1
    yield "a variable that is no number", "WEIR_THREADS needs a whole number, not 'many'" in run(
        0, "version", env={"WEIR_THREADS": "many"})
    yield "variables that resemble none", "not read" not in run(0, "version", env={"WEIR_TRAIN_STEPS": "2", "WEIR_RANKS": "0",
                                                                                   "WEIR_MINE": "1"})
    yield "a table without rows has its columns", run(0, "abi", "/bin/sh", "-o", "csv") == "symbol,weir\n"
    yield "text is the table", run(0, "version", "-o", "text") == run(0, "version", "-o", "table")
    yield "a misspelt page is guessed", "mean 'weir help errors'" in run(2, "help", "erors")
    yield "no command: usage", "usage: weir" in run(2)
    yield "a typo is guessed", "weir demo" in run(2, "dmeo")
    yield "an unknown option is named", "--bogus" in run(2, "demo", "--bogus")
    yield "a near option is guessed", "--steps" in run(2, "demo", "--step", "3")
    yield "a bad number is named", "'many'" in run(2, "demo", "--steps", "many")
    yield "a missing folder is named", "/no/such/folder" in run(1, "demo", "--data",
                                                                "/no/such/folder")
    ops = json.loads(run(0, "ops", "-o", "json"))
    names = [o["name"] for o in ops]
    yield "ops are sorted and many", names == sorted(names) and len(names) > 200
    yield "text and json agree", len(run(0, "ops").splitlines()) == len(ops) + 1
    missing = [o["name"] for o in json.loads(run(0, "ops", "--missing", "-o", "json"))]
    yield "missing ops are not there", missing and not set(missing) & set(names)
    yield "missing ops say why", "for TPUs" in run(0, "ops", "-m")
    yield "missing: text and json agree", len(run(0, "ops", "-m").splitlines()) == len(missing) + 2
    yield "--missing takes no names", "--missing" in run(2, "ops", "--missing", "MatMul")
    yield "every op has a device or is control flow", all(
        o["devices"][:1] == ["CPU"] or not o["kernels"] for o in ops)
    yield "an op in full", "transpose_a" in run(0, "ops", "MatMul")
    yield "an op that is none", "MatMul" in run(2, "ops", "MatMull")


def every_command(run):
    """Paths of all commands, as docs/reference/cli.md has them: ["ckpt", "list"]."""
    return [m.split() for m in re.findall(r"^###? weir (.*)$", run(0, "help", "--markdown"), re.M)]


def help_cases(run):
    page = run(0, "help", "--markdown")
    sections = re.split(r"^###? weir (.*)$", page, flags=re.M)
    about = dict(zip(sections[1::2], sections[2::2]))
    for path in every_command(run):
        name = " ".join(path)
        text = run(0, "help", *path)
        yield "help %s" % name, text == run(0, *path, "--help") and text.startswith("usage: weir " + name)
        options = re.findall(r"`--([\w-]+)", about[name].split("| option |")[-1]) if "| option |" in about[
            name] else []
        yield "help %s names every option" % name, all("--" + o in text for o in options)
        man = run(0, "help", "--man", *path)
        yield "man weir-%s" % "-".join(path), man.startswith(".TH WEIR-") and all(
            o.replace("-", "\\-") in man for o in options)
        yield "%s: lines fit 80 columns" % name, all(
            len(line) <= 80 or line.startswith("  ") for line in text.splitlines())
    yield "help on nothing", "there is no command 'nope'" in run(2, "help", "nope")
    yield "help below", "there is no command 'nope'" in run(2, "help", "ckpt", "nope")
    yield "a typo below is guessed", "weir ckpt list" in run(2, "ckpt", "lits")
    yield "a missing word is named", "CHECKPOINT is missing" in run(2, "ckpt", "list")
    yield "a word too many is named", "'b'" in run(2, "inspect", "a", "b")
    yield "a wrong choice", "table|json|csv, not 'xml'" in run(2, "version", "-o", "xml")
    if shutil.which("man") and shutil.which("groff"):
        for path in ([], ["train"], ["ckpt", "diff"]):
            done = subprocess.run(["groff", "-man", "-Tascii", "-ww"], input=run(0, "help", "--man", *path),
                                  capture_output=True, text=True)
            yield "groff takes the page of %s" % path, done.returncode == 0 and not done.stderr


def complete_cases(run, weir):
    def offered(*words):
        return [line.split("\t")[0] for line in run(0, "complete", "--", *words).splitlines()]

    tops = {p[0] for p in every_command(run)}
    yield "commands", set(offered("")) == tops
    yield "a prefix", offered("ver") == ["version"]
    yield "below", offered("ckpt", "") == ["list", "show", "diff", "convert"]
    yield "options", "--missing" in offered("ops", "--") and offered("ops", "--mi") == ["--missing"]
    yield "choices", offered("version", "-o", "") == ["table", "json", "csv"]
    yield "choices behind =", offered("version", "--output=j") == ["--output=json"]
    yield "ops", offered("ops", "MatMu") == ["MatMul"]
    yield "models", "mnist_cnn" in offered("train", "")
    yield "files", offered("inspect", "") == [":file"]
    yield "folders", offered("train", "--dir", "") == [":dir"]
    yield "hidden ones are not", "complete" not in offered("c")
    for shell in ("bash", "zsh", "fish"):
        script = run(0, "completion", shell)
        yield shell + ": a script", "complete --" in script
        if shutil.which(shell):
            done = subprocess.run([shell, "-n"], input=script, capture_output=True, text=True)
            yield shell + " reads it", done.returncode == 0
    script = run(0, "completion", "bash") + (
        "COMP_WORDS=(%s ckpt l); COMP_CWORD=2; _weir; echo ${COMPREPLY[*]}\n" % weir)
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True)
    yield "bash completes", done.stdout.split() == ["list"]


def share_cases(run):
    with tempfile.TemporaryDirectory() as share:
        run(0, "help", "--share", share)
        pages = set(os.listdir(os.path.join(share, "man", "man1")))
        yield "a man page for each command", pages == {"weir.1"} | {
            "weir-%s.1" % "-".join(p) for p in every_command(run)}


def output_cases(run):
    got = json.loads(run(0, "version", "-o", "json"))
    yield "version as JSON", got["tensorflow_api"] == "2.21.0"
    rows = list(csv.DictReader(io.StringIO(run(0, "version", "-o", "csv"))))
    yield "version as CSV", [dict(got, processors=str(got["processors"]))] == rows
    rows = list(csv.DictReader(io.StringIO(run(0, "ops", "MatMul", "-o", "csv"))))
    yield "quotes in CSV", json.loads(run(0, "ops", "MatMul", "-o", "json"))[0]["attrs"] == rows[0]["attrs"]


def form_cases(run):
    """Whatever prints results prints them as JSON and CSV, too; a new command chooses."""
    without = {"run", "server", "board", "trace", "completion", "help", "pki init", "pki issue", "pki show"}
    page = run(0, "help", "--markdown")
    sections = re.split(r"^###? weir (.*)$", page, flags=re.M)
    forms = {name for name, text in zip(sections[1::2], sections[2::2]) if "--output FORMAT`" in text}
    groups = {"ckpt", "pki"}
    yield "every other command has -o", {" ".join(p) for p in every_command(run)} - forms - groups == without


def address_cases(run):
    for command in ("top", "trace", "explain"):
        for address in ("/no/such", ""):
            yield "%s of '%s'" % (command, address), "'%s' is neither an address nor a folder" % address in run(
                1, command, address)
    yield "a command below another", "mean 'weir ckpt convert'" in run(2, "convert")


def lost_cases(weir):
    """Standard output that cannot be written, and readers that want no more."""
    train = "train logreg --data synthetic --steps"
    for line in ("version", "ops", "ops -o json", "help train", train + " 5", train + " 5 -o csv",
                 train + " 5 --workers 2 -o json", "run --ps 0 echo hello"):
        with open("/dev/full", "w") as full:
            done = subprocess.run([weir, *line.split()], stdin=subprocess.DEVNULL, stdout=full,
                                  stderr=subprocess.PIPE, text=True, timeout=60)
        yield "lost output of weir " + line, done.returncode == 1 and "standard output: " in done.stderr
    for line, status in (("ops", -13), (train + " 1000000000 -o json", -13), ("run --workers 2 yes", 141),
                         (train + " 1000000000 --workers 2 -o json", 141), (train + " 1000000000 --workers 2", 141)):
        child = subprocess.Popen([weir, *line.split()], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.DEVNULL)
        yield "output of weir " + line, bool(child.stdout.readline())
        child.stdout.close()
        yield "weir %s ends with its reader" % line, child.wait(60) == status


def cpu_ms(weir, *words):
    """Processor time of a run: the least of several, as other work disturbs it."""
    times = []
    for _ in range(7):
        pid = os.posix_spawn(weir, [weir, *words], dict(os.environ), file_actions=[
            (os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)])
        used = os.wait4(pid, 0)[2]
        times.append(1000 * (used.ru_utime + used.ru_stime))
    return min(times)


def on_terminal(weir, columns, *words, **env):
    """What a run writes to a terminal of that width."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    child = subprocess.Popen([weir, *words], stdin=slave, stdout=slave, stderr=slave,
                             env=dict(os.environ, TERM="xterm", **env))
    os.close(slave)
    output = b""
    while True:
        try:
            piece = os.read(master, 65536)
        except OSError:
            break
        if not piece:
            break
        output += piece
    os.close(master)
    child.wait(120)
    return output.decode(errors="replace")


def progress_cases(run, weir):
    words = ("train", "logreg", "--steps", "8000", "--eval", "never")
    for columns in (40, 80, 132):
        out = on_terminal(weir, columns, *words, NO_COLOR="1")
        plain = re.sub(r"\x1b\[K", "", out)
        bars = [p for p in re.split(r"[\r\n]+", plain) if "ETA" in p or "/8000" in p]
        yield "a bar in %d columns" % columns, bool(bars) and all(len(b) < columns for b in bars)
        yield "no colours with NO_COLOR", "\x1b[3" not in out
    yield "colours else", "\x1b[3" in on_terminal(weir, 80, *words, NO_COLOR="")
    for line in ("bench allreduce --bytes 1000,2000 --rounds 9", "bench wire --bytes 1000,2000 --rounds 9"):
        yield "a bar of weir " + line, "\r\x1b[36mbench " in on_terminal(weir, 80, *line.split())
    yield "no bar in a pipe", "\r" not in run(0, *words) and "\x1b" not in run(0, *words)


def start_cases(run):
    """A server whose cluster does not come together."""
    task = ["server", "--ps_hosts", "127.0.0.1:0", "--job_name", "ps", "--task_index", "0",
            "--start-timeout", "1"]
    for address, cause in (("127.0.0.1:1", "Connection refused"),
                           ("no-such-host.invalid:1", "no-such-host.invalid")):
        last = run(138, *task, "--worker_hosts", address)
        yield "the missing task is named", "/job:worker/replica:0/task:0 (" + address in last
        yield "and why", cause in last


def alone_cases(run):
    """A place in a cluster without the cluster."""
    for words, name in ((["--job_name", "ps"], "ps 0"), (["--task_index", "2"], "localhost 2")):
        said = run(0, "server", "--until_eof", *words)
        yield "%s is said to be standalone" % name, "so %s is a standalone server" % name in said
        yield "and what makes it a task", "--ps_hosts" in said
    yield "a standalone server as such", "standalone" not in run(0, "server", "--until_eof")


def all_cases(run, weir):
    yield from start_cases(run)
    yield from alone_cases(run)
    yield from cases(run)
    yield from statuses(run)
    yield from limits(run)
    yield from help_cases(run)
    yield from complete_cases(run, weir)
    yield from share_cases(run)
    yield from output_cases(run)
    yield from form_cases(run)
    yield from address_cases(run)
    yield from progress_cases(run, weir)
    yield from lost_cases(weir)
    used = cpu_ms(weir, "version")
    yield "weir version takes %.1f ms of a processor, not 10" % used, used < 10


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--weir", default=os.path.join(HERE, "..", "build", "release", "weir"))
    args = ap.parse_args()

    def run(want, *words, env=None):
        done = subprocess.run([args.weir, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
                              env=dict(os.environ, **(env or {})))
        text = done.stdout + done.stderr
        if want is None:
            return done.returncode, text
        if done.returncode != want:
            raise AssertionError("weir %s: exit %d, not %d\n%s" % (
                " ".join(words), done.returncode, want, text))
        return text

    passed = failed = 0
    try:
        for what, holds in all_cases(run, os.path.abspath(args.weir)):
            passed, failed = passed + bool(holds), failed + (not holds)
            if not holds:
                print("FAIL %s" % what)
    except (AssertionError, OSError, ValueError) as e:
        failed += 1
        print("FAIL %s" % e)
    print("cli: %d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
