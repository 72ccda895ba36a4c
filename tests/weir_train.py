"""A Python face on weir/models.h and weir/train.h, for tests. Imports no TensorFlow.

    result = train("build/release/libweir.so", "mnist_cnn", {"batch": 50}, 20, [x, y])
    result["losses"], result["variables"]

As a program it is one task of a cluster that trains on data made up from the model's own words:
    weir_train.py LIBRARY MODEL OPTIONS LAST_STEP async|sync FOLDER WORKERS --job_name ...
The last are options of `weir server`; FOLDER is an empty one where all WORKERS meet before a step.
"""
import ctypes as c
import json
import os
import sys
import time

import numpy as np

from weir_c import Library, Output

_OPTIONS = [("batch", c.c_int), ("evaluate", c.c_bool), ("rate", c.c_double), ("bytes", c.c_int64),
            ("size", c.c_int), ("classes", c.c_int64), ("optimizer", c.c_void_p), ("seed", c.c_int64)]


class Options(c.Structure):
    _fields_ = _OPTIONS


class ModelGraph(c.Structure):
    _fields_ = [("feeds", Output * 2), ("feed_count", c.c_int), ("logits", Output),
                ("loss", Output), ("accuracy", Output)]


class StepIo(c.Structure):
    _fields_ = [("feeds", c.POINTER(Output)), ("feed_values", c.POINTER(c.c_void_p)),
                ("feed_count", c.c_int), ("fetches", c.POINTER(Output)),
                ("fetched", c.POINTER(c.c_void_p)), ("fetch_count", c.c_int),
                ("only_look", c.c_bool)]


class Input(c.Structure):
    _fields_ = [("type", c.c_int), ("rank", c.c_int), ("dims", c.c_int64 * 4),
                ("label_type", c.c_int), ("label_rank", c.c_int), ("classes", c.c_int64),
                ("batch", c.c_int)]


class TrainerOptions(c.Structure):
    _fields_ = [("job", c.c_void_p), ("update", c.c_int), ("replicas", c.c_int),
                ("balance", c.c_int), ("checkpoint_dir", c.c_char_p), ("save_steps", c.c_int64),
                ("save_seconds", c.c_double), ("keep", c.c_int), ("last_step", c.c_int64),
                ("rest", c.c_char * 1024)]


class Trainer:
    """A weir_trainer with models in it; of this process alone unless the options name a job."""

    def __init__(self, library, **options):
        self.lib = library if isinstance(library, Library) else Library(library)
        self.t = c.c_void_p(self._call("weir_trainer_new", c.c_void_p,
                                       c.byref(TrainerOptions(**options))))

    def _call(self, name, result, *args):
        fn = getattr(self.lib.dll, name)
        fn.restype = result
        return fn(*args)

    def _model(self, name):
        found = c.c_void_p(self._call("weir_model_find", c.c_void_p, name.encode()))
        assert found, "there is no model called %s" % name
        return found

    def build(self, model, **options):
        graph = ModelGraph()
        self._call("weir_model_build", None, self._model(model), self.t,
                   c.byref(Options(**options)), c.byref(graph))
        return graph

    def made_up(self, model, **options):
        """A batch of random data that fits."""
        i, r = Input(), np.random.RandomState(0)
        self._call("weir_model_input_with", None, self._model(model), c.byref(Options(**options)),
                   c.byref(i))
        shape, labels = [i.batch, *i.dims[:i.rank]], [i.batch, *i.dims[:i.label_rank]]
        x = r.rand(*shape).astype("f") if i.type == 1 else r.randint(0, i.classes, shape).astype("i")
        y = r.randint(0, max(i.classes, 1), labels).astype("i")
        return [x, y][:1 + bool(i.label_type)] if i.type else []

    def start(self):
        self.lib.with_status(lambda s: self._call("weir_trainer_start", None, self.t,
                                                  c.c_void_p(s)))

    def step(self, graph, values, fetch, only_look=False):
        """The value of |fetch| in a step that feeds |values|; None when training is over."""
        tensors = [self.lib.to_tensor(v) for v in values]
        fetched, fetch = (c.c_void_p * 1)(), (Output * 1)(fetch)
        io = StepIo(graph.feeds, (c.c_void_p * 2)(*tensors), len(tensors), fetch, fetched, 1,
                    only_look)
        try:
            self.lib.with_status(lambda s: self._call("weir_trainer_step", c.c_bool, self.t,
                                                      c.byref(io), c.c_void_p(s)))
        finally:
            for t in tensors:
                self.lib.TF_DeleteTensor(t)
        return self.lib.from_tensor(fetched[0]).array if fetched[0] else None

    def variables(self):
        """{name: shape}"""
        builder = c.c_void_p(self._call("weir_trainer_builder", c.c_void_p, self.t))
        graph = c.c_void_p(self._call("weir_build_graph", c.c_void_p, builder))
        found, at = {}, c.c_size_t(0)
        while op := self.lib.TF_GraphNextOperation(graph, c.byref(at)):
            if self.lib.TF_OperationOpType(op) == b"VariableV2":
                found[self.lib.TF_OperationName(op).decode()] = self._shape(graph, op)
        return found

    def end_graph(self, model):
        """The GraphDef of what was built; the names of what initialises, trains, of the loss and the feeds."""
        ops = (c.c_void_p * 2)()
        self.lib.with_status(lambda s: self._call("weir_trainer_end_graph", None, self.t, c.byref(ops),
                                                  c.byref(ops, c.sizeof(c.c_void_p)), c.c_void_p(s)))
        builder = c.c_void_p(self._call("weir_trainer_builder", c.c_void_p, self.t))
        graph = c.c_void_p(self._call("weir_build_graph", c.c_void_p, builder))
        word = lambda op: self.lib.TF_OperationName(op).decode()
        tensor = lambda out: "%s:%d" % (word(out.oper), out.index)
        return (self.lib.graph_def(graph), word(ops[0]), word(ops[1]), tensor(model.loss),
                [tensor(f) for f in model.feeds[:model.feed_count]])

    def _shape(self, graph, op):
        out = Output(op, 0)
        rank = self.lib.checked("TF_GraphGetTensorNumDims", graph, out)
        dims = (c.c_int64 * max(rank, 1))()
        self.lib.checked("TF_GraphGetTensorShape", graph, out, dims, rank)
        return list(dims[:rank])

    def stop(self):
        self.lib.with_status(lambda s: self._call("weir_trainer_stop", None, self.t, c.c_void_p(s)))

    def delete(self):
        self._call("weir_trainer_delete", None, self.t)


def train(library, model, options, steps, values, folder=None):
    """The losses of |steps| on |values|, and the variables; a checkpoint goes to |folder|."""
    t = Trainer(library, checkpoint_dir=folder and folder.encode())
    graph = t.build(model, **options)
    t.start()
    losses = [float(t.step(graph, values, graph.loss)) for _ in range(steps)]
    variables = t.variables()
    t.stop()
    t.delete()
    return {"losses": losses, "variables": variables}


# ---- a task of a cluster -------------------------------------------------------------------------

def start_job(lib, arguments):
    """(weir_job, whether it is a parameter server)"""
    argv = (c.c_char_p * (len(arguments) + 2))(b"task", *[a.encode() for a in arguments], None)
    count = c.c_int(len(arguments) + 1)
    lib.dll.weir_job_from_args.restype = c.c_void_p
    lib.dll.weir_job_is_ps.restype = c.c_bool
    job = c.c_void_p(lib.with_status(lambda s: lib.dll.weir_job_from_args(
        c.byref(count), argv, c.c_void_p(s))))
    lib.with_status(lambda s: lib.dll.weir_job_start(job, c.c_void_p(s)))
    return job, lib.dll.weir_job_is_ps(job)


def meet(folder, count):
    """Returns when so many tasks have come here: one may else do all the steps of the others."""
    open(os.path.join(folder, "task%d" % os.getpid()), "w").close()
    end = time.time() + 60
    while len(os.listdir(folder)) < count:
        assert time.time() < end, "the other workers have not started"
        time.sleep(0.001)


def work(lib, job, model, options, last_step, mode, folder, count):
    """Trains to |last_step|, looking at a graph for evaluation in between; what came of it."""
    t = Trainer(lib, job=job, update=mode == "sync", last_step=last_step)
    graph = t.build(model, **options)
    look = t.build(model, **{**options, "evaluate": True, "batch": -1})
    t.start()
    values, losses = t.made_up(model, **options), []
    meet(folder, count)
    while (loss := t.step(graph, values, graph.loss)) is not None:
        losses.append(float(loss))
        if len(losses) == 1:
            seen = float(t.step(look, values, look.loss, only_look=True))
    t.stop()
    t.delete()
    return {"first": losses[0], "last": losses[-1], "steps": len(losses), "evaluated": seen}


def main(library, model, options, last_step, mode, folder, count, *arguments):
    lib = Library(library)
    job, serves = start_job(lib, arguments)
    if serves:
        lib.with_status(lambda s: lib.dll.weir_job_serve(job, c.c_void_p(s)))
    else:
        print(json.dumps(work(lib, job, model, json.loads(options), int(last_step), mode, folder,
                              int(count))))
    lib.dll.weir_job_delete(job)


if __name__ == "__main__":
    main(*sys.argv[1:])
