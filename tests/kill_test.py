#!/usr/bin/env python3
"""Checkpoints survive kill -9 at any moment of saving.

    tests/kill_test.py [--lib PATH] [--kills N] [--bytes N] [--seed N] [-v]

A child saves one checkpoint after another, in turn by each of the ways below, and is killed at a
random moment; the next child first reads everything that is there. Whatever the moment was: the
latest checkpoint is the last one that was saved, or the one that was being saved; it and all others
that the folder lists are whole, every tensor of one of them being of the same step.
"""
import argparse
import collections
import ctypes as c
import glob
import os
import random
import shutil
import signal
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import numpy as np

import graphs
import weir_c
import weir_files

TENSORS, KEEP = 8, 2


# ---- ways to save: each gets a folder, a step and the values ----------------------------------------


def save_graph(prefix, shards):
    """A GraphDef: v0... are fed, "save" writes them to |prefix|, by parts when there are several."""
    g = graphs.GraphBuilder()
    values = [g.op("Placeholder", _name="v%d" % i, dtype="i32") for i in range(TENSORS)]

    def part(path, mine):
        names = g.const([b"t%d" % i for i in mine], "str")
        return g.op("SaveV2", g.const(path), names, g.const([""] * len(mine), "str"),
                    [values[i] for i in mine], _name=None if shards > 1 else "save")
    if shards == 1:
        part(prefix, range(TENSORS))
        return g.graph_def()
    paths = [prefix + "_temp_0123456789abcdef/part-%05d-of-%05d" % (k, shards) for k in range(shards)]
    parts = [part(p, range(k, TENSORS, shards)) for k, p in enumerate(paths)]
    g.op("MergeV2Checkpoints", g.const(paths, "str"), g.const(prefix), _name="save", _control=parts)
    return g.graph_def()


class Way:
    def __init__(self, name, folder, shards=1, same=False, direct=False):
        self.name, self.folder = name, os.path.join(folder, name)
        self.shards, self.same, self.direct = shards, same, direct
        self.saved = 0  # the last step that was saved for sure
        os.mkdir(self.folder)

    def prefix(self, step):
        return os.path.join(self.folder, "model" if self.same else "model-%d" % step)

    def save(self, lib, step, tensors):
        prefix, fed = self.prefix(step), (c.c_void_p * TENSORS)(*tensors)
        if self.direct:
            names = (c.c_char_p * TENSORS)(*[b"t%d" % i for i in range(TENSORS)])
            lib.checked("weir_checkpoint_save", prefix.encode(), names, fed, TENSORS)
        else:
            graph = lib.graph(save_graph(prefix, self.shards))
            feeds = graph.outputs(["v%d" % i for i in range(TENSORS)])
            with graph.session() as s:
                lib.checked("TF_SessionRun", s.handle, None, feeds, fed, TENSORS, None, None, 0,
                            (c.c_void_p * 1)(graph.operation("save")), 1, None)
        lib.checked("weir_checkpoint_advance", self.folder.encode(), prefix.encode(), KEEP)

    def sweep(self):
        """Removes what the killed child left; true when there was something."""
        left = glob.glob(os.path.join(self.folder, "*.tempstate*"))
        folders = glob.glob(os.path.join(self.folder, "*_temp_*"))
        for path in left:
            os.unlink(path)
        for path in folders:
            shutil.rmtree(path)
        return bool(left or folders)


# ---- the child --------------------------------------------------------------------------------------


def value(step, i):
    return step * 100 + i


def read_step(lib, prefix):
    """The step of a checkpoint, every element of which is looked at."""
    reader = lib.checked("TF_NewCheckpointReader", prefix.encode())
    steps = set()
    for i in range(TENSORS):
        array = lib.from_tensor(lib.checked("TF_CheckpointReaderGetTensor", reader, b"t%d" % i)).array
        step = (int(array[0]) - i) // 100
        if not (array == value(step, i)).all():
            raise AssertionError("%s: tensor %d is a mixture" % (prefix, i))
        steps.add(step)
    lib.TF_DeleteCheckpointReader(reader)
    if len(steps) != 1:
        raise AssertionError("%s: tensors of steps %s" % (prefix, sorted(steps)))
    return steps.pop()


def listed(folder):
    """What the "checkpoint" file lists, and the latest."""
    path, prefixes, latest = os.path.join(folder, "checkpoint"), [], None
    if os.path.exists(path):
        with open(path) as f:
            for line in f:
                key, _, text = line.partition(": ")
                text = os.path.join(folder, text.strip().strip('"'))
                if key == "all_model_checkpoint_paths":
                    prefixes.append(text)
                elif key == "model_checkpoint_path":
                    latest = text
    return prefixes, latest


def check(lib, way):
    """The step of the latest checkpoint; every one that is listed must be whole."""
    prefixes, latest = listed(way.folder)
    steps = {p: read_step(lib, p) for p in prefixes}
    return steps[latest] if latest else 0


def child(path, way, count, tell, do_save):
    lib = weir_c.Library(path)
    step = check(lib, way)
    os.write(tell, b"at %d\n" % step)
    while do_save:
        step += 1
        tensors = [lib.to_tensor(np.full(count, value(step, i), np.int32)) for i in range(TENSORS)]
        os.write(tell, b"saving\n")
        way.save(lib, step, tensors)
        os.write(tell, b"saved %d\n" % step)
        for t in tensors:
            lib.TF_DeleteTensor(t)


def start(args, way, do_save=True):
    """(pid, a file of what the child tells)."""
    read, write = os.pipe()
    pid = os.fork()
    if pid:
        os.close(write)
        return pid, os.fdopen(read, "rb", buffering=0)
    os.close(read)
    try:
        child(args.lib, way, args.bytes // TENSORS // 4, write, do_save)
    except BaseException as e:  # the parent sees it
        os.write(write, b"failed: %s\n" % str(e).encode())
    os._exit(0)


# ---- the parent -------------------------------------------------------------------------------------


def lines(tell):
    return tell.readall().decode().splitlines()


def note(way, told):
    """Takes in what a child told; the step that it found must be the last saved or the one after."""
    for line in told:
        word, _, rest = line.partition(" ")
        if word == "at":
            step = int(rest)
            if step not in (way.saved, way.saved + 1):
                raise AssertionError("%s: step %d is there, %d was saved" % (way.name, step, way.saved))
            way.saved = step
        elif word == "saved":
            way.saved = int(rest)
        elif word == "failed:":
            raise AssertionError("%s: %s" % (way.name, rest))


def kill_once(args, way, chance, save_seconds):
    pid, tell = start(args, way)
    first = tell.readline().decode().strip()  # what it found
    note(way, [first])
    if tell.readline() != b"saving\n":
        raise AssertionError("%s: the child did not start to save" % way.name)
    began = time.time()
    time.sleep(chance.uniform(0, 1.6) * save_seconds)
    os.kill(pid, signal.SIGKILL)
    took = time.time() - began
    os.waitpid(pid, 0)
    told = lines(tell)
    tell.close()
    note(way, told)
    saves = sum(l.startswith("saved") for l in told)
    return took / saves if saves else None, "between saves" if told and told[-1].startswith(
        "saved") else "while saving"


def time_of(args, way):
    """Seconds that a save takes here and now."""
    pid, tell = start(args, way)
    note(way, [tell.readline().decode().strip()])
    tell.readline()
    began = time.time()
    note(way, [tell.readline().decode().strip()])
    took = time.time() - began
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    note(way, lines(tell))
    tell.close()
    way.sweep()
    return took


def last_look(args, way):
    pid, tell = start(args, way, do_save=False)
    os.waitpid(pid, 0)
    note(way, lines(tell))
    tell.close()


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--lib", default=os.path.join(HERE, "..", "build", "release", "libweir.so"))
    args.add_argument("--kills", type=int, default=40)
    args.add_argument("--bytes", type=int, default=32 << 20)
    args.add_argument("--seed", type=int, default=1)
    args.add_argument("--folder", help="for the checkpoints")
    args.add_argument("-v", action="store_true")
    args = args.parse_args()
    folder = tempfile.mkdtemp(prefix="weir_kill_test_", dir=args.folder)
    chance, moments, failed = random.Random(args.seed), collections.Counter(), 0
    ways = [Way("one_file", folder), Way("shards", folder, shards=3), Way("same_prefix", folder, same=True),
            Way("same_shards", folder, shards=2, same=True), Way("direct", folder, direct=True)]
    try:
        seconds = {way: time_of(args, way) for way in ways}
        for i in range(args.kills):
            way = ways[i % len(ways)]
            try:
                took, moment = kill_once(args, way, chance, seconds[way])
                if took:
                    seconds[way] = 0.8 * seconds[way] + 0.2 * took
                moments[moment + (", files left" if way.sweep() else "")] += 1
            except AssertionError as e:
                failed += 1
                print("FAIL kill %d: %s" % (i, e), flush=True)
            if args.v:
                print(i, way.name, way.saved, "%.3f s" % seconds[way], flush=True)
        for way in ways:
            try:
                last_look(args, way)
            except AssertionError as e:
                failed += 1
                print("FAIL at the end: %s" % e)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print("moments:", ", ".join("%d %s" % (n, m) for m, n in sorted(moments.items())))
    print("saved for sure: " + ", ".join("%s %d" % (w.name, w.saved) for w in ways))
    print("kills: %d passed, %d failed" % (args.kills + len(ways) - failed, failed))
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
