"""A Python face on weir/models.h and weir/train.h, for tests. Imports no TensorFlow.

    result = train("build/release/libweir.so", "mnist_cnn", {"batch": 50}, 20, [x, y])
    result["losses"], result["variables"]
"""
import ctypes as c

from weir_c import Library, Output

_OPTIONS = [("batch", c.c_int), ("evaluate", c.c_bool), ("rate", c.c_double), ("bytes", c.c_int64),
            ("size", c.c_int), ("classes", c.c_int64), ("optimizer", c.c_void_p)]


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


class Trainer:
    """A weir_trainer of this process alone, with models in it."""

    def __init__(self, library):
        self.lib = Library(library)
        nothing = c.create_string_buffer(1024)  # options that are all zero
        self.t = c.c_void_p(self._call("weir_trainer_new", c.c_void_p, nothing))

    def _call(self, name, result, *args):
        fn = getattr(self.lib.dll, name)
        fn.restype = result
        return fn(*args)

    def build(self, model, **options):
        graph = ModelGraph()
        found = c.c_void_p(self._call("weir_model_find", c.c_void_p, model.encode()))
        assert found, "there is no model called %s" % model
        self._call("weir_model_build", None, found, self.t, c.byref(Options(**options)),
                   c.byref(graph))
        return graph

    def start(self):
        self.lib.with_status(lambda s: self._call("weir_trainer_start", None, self.t,
                                                  c.c_void_p(s)))

    def step(self, graph, values, fetch, only_look=False):
        """The value of |fetch| in a step that feeds |values|."""
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
        return self.lib.from_tensor(fetched[0]).array

    def variables(self):
        """{name: shape}"""
        builder = c.c_void_p(self._call("weir_trainer_builder", c.c_void_p, self.t))
        graph = c.c_void_p(self._call("weir_build_graph", c.c_void_p, builder))
        found, at = {}, c.c_size_t(0)
        while op := self.lib.TF_GraphNextOperation(graph, c.byref(at)):
            if self.lib.TF_OperationOpType(op) == b"VariableV2":
                found[self.lib.TF_OperationName(op).decode()] = self._shape(graph, op)
        return found

    def _shape(self, graph, op):
        out = Output(op, 0)
        rank = self.lib.checked("TF_GraphGetTensorNumDims", graph, out)
        dims = (c.c_int64 * max(rank, 1))()
        self.lib.checked("TF_GraphGetTensorShape", graph, out, dims, rank)
        return list(dims[:rank])

    def delete(self):
        self._call("weir_trainer_delete", None, self.t)


def train(library, model, options, steps, values):
    """The losses of |steps| on |values|, and the variables."""
    t = Trainer(library)
    graph = t.build(model, **options)
    t.start()
    losses = [float(t.step(graph, values, graph.loss)) for _ in range(steps)]
    variables = t.variables()
    t.delete()
    return {"losses": losses, "variables": variables}
