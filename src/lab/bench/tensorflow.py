"""One task of an experiment on TensorFlow, executed by `weir bench task --tensorflow`.

    tensorflow.py [JOB]

TF_CONFIG says which task it is. A parameter server serves. A worker reads from the descriptor JOB
what weir bench wrote there (bench/tensorflow.c): the graph that Weir's own workers run, the names of
its nodes and batches; and notes its steps where weir bench reads them (sample/step_log.h).
"""
import json
import mmap
import os
import sys
import threading
import time

import numpy as np
import tensorflow as tf

tf1 = tf.compat.v1

READY_NS, _, _, GO = range(4)  # task.h
COUNT, RESULTS, RECORDS, WORDS = 2, 3, 11, 4  # step_log.h, in words of eight bytes


class Log:
    """The steps, in memory that weir bench reads."""

    def __init__(self, fd):
        shared = mmap.mmap(fd, os.fstat(fd).st_size)
        self.ints = np.frombuffer(shared, np.int64)
        self.reals = np.frombuffer(shared, np.float64)
        self.room = int(self.ints[1])

    def set(self, which, value):
        self.reals[RESULTS + which] = value

    def get(self, which):
        return self.reals[RESULTS + which]

    def add(self, begin, end, at, loss):
        count = int(self.ints[COUNT])
        to = RECORDS + WORDS * (count % self.room)
        self.ints[to:to + 3] = begin, end, at
        self.reals[to + 3] = loss
        self.ints[COUNT] = count + 1


class Job:
    """What weir bench wrote: lines of words, an empty line, the graph, the batches."""

    def __init__(self, fd):
        data = mmap.mmap(fd, os.fstat(fd).st_size, prot=mmap.PROT_READ)
        head = data.find(b"\n\n")
        self.feeds = []
        for line in data[:head].decode().split("\n"):
            key, *words = line.split(" ")
            if key == "feed":
                self.feeds.append((words[0], np.dtype(tf.as_dtype(int(words[1])).as_numpy_dtype),
                                   [int(w) for w in words[2:]]))
            else:
                setattr(self, key, words[0] if words else "")
        begin = int(self.begin)
        self.graph = data[begin:begin + int(self.graph)]
        self.batches = self.read_batches(data, int(self.first))

    def read_batches(self, data, at):
        """Views of the file, by the names of what they are fed to."""
        batches = []
        for _ in range(int(self.batches)):
            batch = {}
            for name, dtype, shape in self.feeds:
                count = int(np.prod(shape))
                batch[name] = np.frombuffer(data, dtype, count, at).reshape(shape)
                at += count * dtype.itemsize
            batches.append(batch)
        return batches or [{}]


def start(threads):
    """(server, configuration of sessions, whether this is the chief, target); one process needs no server."""
    config = tf1.ConfigProto(intra_op_parallelism_threads=threads,
                             inter_op_parallelism_threads=threads)
    if "TF_CONFIG" not in os.environ:
        return None, config, True, ""
    told = json.loads(os.environ["TF_CONFIG"])
    kind, index = told["task"]["type"], int(told["task"]["index"])
    server = tf.distribute.Server(told["cluster"], job_name=kind, task_index=index, config=config)
    if kind == "ps":
        server.join()
    config.device_filters.extend(["/job:ps", "/job:%s/task:%d" % (kind, index)])
    return server, config, index == 0, server.target


def ready_chief(session, job):
    for what in (job.init, job.chief_init, job.first_tokens):
        if what:
            session.run(session.graph.get_operation_by_name(what))
    if job.chief_update:
        threading.Thread(target=update, args=(session, job), daemon=True).start()


def update(session, job):
    """The chief's part of synchronous steps, until the queue of tokens is closed."""
    op = session.graph.get_operation_by_name(job.chief_update)
    try:
        while True:
            session.run(op)
    except (tf.errors.OpError, RuntimeError):
        pass  # a failure in the middle shows in the steps, which then wait or fail


def ready_worker(session, job):
    while not np.all(session.run(job.ready)):
        time.sleep(0.02)
    if job.worker_init:
        session.run(session.graph.get_operation_by_name(job.worker_init))


def work(session, job, log):
    fetches = {"at": job.at}
    if job.loss:
        fetches["loss"] = job.loss
    number = at = 0
    while at < int(job.steps):
        begin = time.monotonic_ns()
        if float(job.straggle_ms) > 0 and number % int(job.straggle_every) == 0:
            time.sleep(float(job.straggle_ms) * 1e-3)
        try:
            got = session.run(fetches, job.batches[number % len(job.batches)])
        except tf.errors.OutOfRangeError:  # the chief has ended
            return
        at = int(got["at"])
        log.add(begin, time.monotonic_ns(), at, float(got.get("loss", "nan")))
        number += 1


def main():
    job = Job(int(sys.argv[1])) if len(sys.argv) > 1 else None
    _server, config, chief, target = start(int(job.threads) if job else 0)
    log = Log(int(job.log))
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(tf1.GraphDef.FromString(job.graph), name="")
        session = tf1.Session(target, graph, config)
        ready_chief(session, job) if chief else ready_worker(session, job)
        log.set(READY_NS, time.monotonic_ns())
        while not log.get(GO):
            time.sleep(0.001)
        work(session, job, log)
        if chief and job.close_tokens:
            session.run(graph.get_operation_by_name(job.close_tokens))
    os._exit(0)  # servers do not end


main()
