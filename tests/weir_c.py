"""A Python face on the TF_* C API of any library that has it: Weir's or TensorFlow's own.

    lib = Library("build/release/libweir.so")
    graph = lib.graph(graph_def_bytes)
    with graph.session() as s:
        (y,) = s.run(["y:0"], {"x:0": np.ones([2, 3], np.float32)})

Tensors come back as `dtypes.Value`. A failed call raises `Error` with TensorFlow's code. The module
imports numpy but never TensorFlow, so a process that uses it holds just the library under test.
"""
import ctypes as c
import itertools
import numpy as np

from dtypes import NUMPY, Value

CODES = {
    0: "OK", 1: "CANCELLED", 2: "UNKNOWN", 3: "INVALID_ARGUMENT", 4: "DEADLINE_EXCEEDED",
    5: "NOT_FOUND", 6: "ALREADY_EXISTS", 7: "PERMISSION_DENIED", 8: "RESOURCE_EXHAUSTED",
    9: "FAILED_PRECONDITION", 10: "ABORTED", 11: "OUT_OF_RANGE", 12: "UNIMPLEMENTED",
    13: "INTERNAL", 14: "UNAVAILABLE", 15: "DATA_LOSS", 16: "UNAUTHENTICATED",
}


class Error(Exception):
    """A status that is not OK."""

    def __init__(self, code, message):
        super().__init__("%s: %s" % (CODES.get(code, code), message))
        self.code, self.message = code, message

    @property
    def name(self):
        return CODES.get(self.code, str(self.code))

    def __reduce__(self):
        return (Error, (self.code, self.message))


class Buffer(c.Structure):
    _fields_ = [("data", c.c_void_p), ("length", c.c_size_t), ("dealloc", c.c_void_p)]


class Output(c.Structure):
    _fields_ = [("oper", c.c_void_p), ("index", c.c_int)]


_P, _S, _I, _Z, _L = c.c_void_p, c.c_char_p, c.c_int, c.c_size_t, c.c_int64
_OUTS, _I64S, _PS = c.POINTER(Output), c.POINTER(c.c_int64), c.POINTER(c.c_void_p)
_BUF = c.POINTER(Buffer)

# name -> (result, arguments); a status argument is an ordinary last pointer.
_SIGNATURES = {
    "TF_Version": (_S, []),
    "TF_NewStatus": (_P, []),
    "TF_DeleteStatus": (None, [_P]),
    "TF_GetCode": (_I, [_P]),
    "TF_Message": (_S, [_P]),
    "TF_NewBuffer": (_BUF, []),
    "TF_NewBufferFromString": (_BUF, [_S, _Z]),
    "TF_DeleteBuffer": (None, [_BUF]),
    "TF_AllocateTensor": (_P, [_I, _I64S, _I, _Z]),
    "TF_DeleteTensor": (None, [_P]),
    "TF_TensorType": (_I, [_P]),
    "TF_NumDims": (_I, [_P]),
    "TF_Dim": (_L, [_P, _I]),
    "TF_TensorByteSize": (_Z, [_P]),
    "TF_TensorData": (_P, [_P]),
    "TF_StringInit": (None, [_P]),
    "TF_StringCopy": (None, [_P, _S, _Z]),
    "TF_StringGetDataPointer": (_P, [_P]),
    "TF_StringGetSize": (_Z, [_P]),
    "TF_GetAllOpList": (_BUF, []),
    "TF_GetRegisteredKernelsForOp": (_BUF, [_S, _P]),
    "TF_NewGraph": (_P, []),
    "TF_DeleteGraph": (None, [_P]),
    "TF_GraphOperationByName": (_P, [_P, _S]),
    "TF_GraphNextOperation": (_P, [_P, c.POINTER(_Z)]),
    "TF_GraphToGraphDef": (None, [_P, _BUF, _P]),
    "TF_GraphGetTensorNumDims": (_I, [_P, Output, _P]),
    "TF_GraphGetTensorShape": (None, [_P, Output, _I64S, _I, _P]),
    "TF_OperationName": (_S, [_P]),
    "TF_OperationOpType": (_S, [_P]),
    "TF_OperationDevice": (_S, [_P]),
    "TF_OperationNumOutputs": (_I, [_P]),
    "TF_OperationOutputType": (_I, [Output]),
    "TF_NewImportGraphDefOptions": (_P, []),
    "TF_DeleteImportGraphDefOptions": (None, [_P]),
    "TF_ImportGraphDefOptionsSetPrefix": (None, [_P, _S]),
    "TF_GraphImportGraphDef": (None, [_P, _BUF, _P, _P]),
    "TF_AddGradientsWithPrefix": (None, [_P, _S, _OUTS, _I, _OUTS, _I, _OUTS, _P, _OUTS]),
    "TF_AddGradients": (None, [_P, _OUTS, _I, _OUTS, _I, _OUTS, _P, _OUTS]),
    "TF_NewSessionOptions": (_P, []),
    "TF_DeleteSessionOptions": (None, [_P]),
    "TF_SetConfig": (None, [_P, _S, _Z, _P]),
    "TF_SetTarget": (None, [_P, _S]),
    "TF_NewSession": (_P, [_P, _P, _P]),
    "TF_CloseSession": (None, [_P, _P]),
    "TF_DeleteSession": (None, [_P, _P]),
    "TF_SessionRun": (None, [_P, _BUF, _OUTS, _PS, _I, _OUTS, _PS, _I, _PS, _I, _BUF, _P]),
    "TF_SessionPRunSetup": (None, [_P, _OUTS, _I, _OUTS, _I, _PS, _I, _PS, _P]),
    "TF_SessionPRun": (None, [_P, _S, _OUTS, _PS, _I, _OUTS, _PS, _I, _PS, _I, _P]),
    "TF_DeletePRunHandle": (None, [_P]),
    "TF_SessionListDevices": (_P, [_P, _P]),
    "TF_DeviceListCount": (_I, [_P]),
    "TF_DeviceListName": (_S, [_P, _I, _P]),
    "TF_DeleteDeviceList": (None, [_P]),
}


class Library:
    """A shared library with the TF_* functions."""

    def __init__(self, path):
        self.path = path
        self.dll = c.CDLL(path, mode=c.RTLD_LOCAL)

    def __getattr__(self, name):
        if not name.startswith(("TF", "weir_")):
            raise AttributeError(name)
        fn = getattr(self.dll, name)
        if name in _SIGNATURES:
            fn.restype, fn.argtypes = _SIGNATURES[name]
        setattr(self, name, fn)
        return fn

    def checked(self, name, *args):
        """Calls |name| with a status after |args|; raises it when it is not OK."""
        return self.with_status(lambda status: getattr(self, name)(*args, status))

    def with_status(self, call):
        status = self.TF_NewStatus()
        try:
            result = call(status)
            code = self.TF_GetCode(status)
            if code:
                raise Error(code, (self.TF_Message(status) or b"").decode("utf-8", "replace"))
            return result
        finally:
            self.TF_DeleteStatus(status)

    def version(self):
        return self.TF_Version().decode()

    def fallbacks(self):
        """How many plans had to do without optimisation; 0 for another library than Weir's."""
        try:
            count = self.dll.weir_metric_value
        except AttributeError:
            return 0
        count.restype, count.argtypes = c.c_int64, [c.c_char_p]
        return count(b"weir_plan_fallbacks_total")

    def take_buffer(self, buffer):
        data = c.string_at(buffer.contents.data, buffer.contents.length)
        self.TF_DeleteBuffer(buffer)
        return data

    def op_list(self):
        """A serialised OpList of everything registered."""
        return self.take_buffer(self.TF_GetAllOpList())

    def kernels(self, op):
        """A serialised KernelList."""
        return self.take_buffer(self.checked("TF_GetRegisteredKernelsForOp", op.encode()))

    def graph_def(self, graph):
        """The serialised GraphDef of a TF_Graph."""
        buffer = self.TF_NewBuffer()
        self.checked("TF_GraphToGraphDef", graph, buffer)
        return self.take_buffer(buffer)

    def graph(self, graph_def=b"", prefix=""):
        return Graph(self, graph_def, prefix)

    def to_tensor(self, value):
        """A new TF_Tensor that holds |value|; the caller deletes it."""
        value = Value(value)
        array = value.array if value.dtype == 7 else np.ascontiguousarray(value.array)
        dims = (c.c_int64 * max(1, value.array.ndim))(*value.array.shape)
        bytes_ = 24 * array.size if value.dtype == 7 else array.nbytes
        tensor = self.TF_AllocateTensor(value.dtype, dims, value.array.ndim, bytes_)
        if not tensor:
            raise MemoryError("TF_AllocateTensor gave NULL for %r" % value)
        data = self.TF_TensorData(tensor)
        if value.dtype == 7:
            for i, s in enumerate(array.ravel()):
                self.TF_StringInit(data + 24 * i)
                self.TF_StringCopy(data + 24 * i, s, len(s))
        elif bytes_:
            c.memmove(data, array.tobytes(), bytes_)
        return tensor

    def from_tensor(self, tensor, delete=True):
        """The value of a TF_Tensor, or None for types that have no value outside the runtime."""
        dtype = self.TF_TensorType(tensor)
        shape = [self.TF_Dim(tensor, i) for i in range(self.TF_NumDims(tensor))]
        data, count = self.TF_TensorData(tensor), int(np.prod(shape, dtype=np.int64))
        value = None
        if dtype == 7:
            flat = np.empty(count, dtype=object)
            for i in range(count):
                at = data + 24 * i
                flat[i] = c.string_at(self.TF_StringGetDataPointer(at), self.TF_StringGetSize(at))
            value = Value(flat.reshape(shape), 7)
        elif NUMPY.get(dtype) is not None:
            want = count * np.dtype(NUMPY[dtype]).itemsize
            got = self.TF_TensorByteSize(tensor)
            if want != got:
                raise AssertionError("tensor of %d bytes where %d belong" % (got, want))
            raw = c.string_at(data, want) if want else b""
            value = Value(np.frombuffer(raw, dtype=NUMPY[dtype]).reshape(shape).copy(), dtype)
        if delete:
            self.TF_DeleteTensor(tensor)
        return value


class Graph:
    def __init__(self, lib, graph_def=b"", prefix=""):
        self.lib, self.handle = lib, lib.TF_NewGraph()
        if graph_def:
            self.add(graph_def, prefix)

    def __del__(self):
        if getattr(self, "handle", None):
            self.lib.TF_DeleteGraph(self.handle)
            self.handle = None

    def add(self, graph_def, prefix=""):
        """Imports a serialised GraphDef."""
        lib = self.lib
        buffer = lib.TF_NewBufferFromString(graph_def, len(graph_def))
        options = lib.TF_NewImportGraphDefOptions()
        try:
            if prefix:
                lib.TF_ImportGraphDefOptionsSetPrefix(options, prefix.encode())
            lib.checked("TF_GraphImportGraphDef", self.handle, buffer, options)
        finally:
            lib.TF_DeleteImportGraphDefOptions(options)
            lib.TF_DeleteBuffer(buffer)

    def graph_def(self):
        return self.lib.graph_def(self.handle)

    def operation(self, name):
        op = self.lib.TF_GraphOperationByName(self.handle, name.encode())
        if not op:
            raise KeyError("no operation %r in the graph" % name)
        return op

    def operations(self):
        """(name, type) of every node."""
        pos = c.c_size_t(0)
        while True:
            op = self.lib.TF_GraphNextOperation(self.handle, c.byref(pos))
            if not op:
                return
            yield self.lib.TF_OperationName(op).decode(), self.lib.TF_OperationOpType(op).decode()

    def output(self, name):
        """An Output from an Output, "node:1" or "node"."""
        if isinstance(name, Output):
            return name
        node, _, index = name.partition(":")
        return Output(self.operation(node), int(index or 0))

    def name(self, output):
        return "%s:%d" % (self.lib.TF_OperationName(output.oper).decode(), output.index)

    def outputs(self, names):
        return (Output * max(1, len(names)))(*[self.output(n) for n in names])

    def shape(self, name):
        """The inferred shape: None, or a list with None for unknown dimensions."""
        lib, output = self.lib, self.output(name)
        rank = lib.checked("TF_GraphGetTensorNumDims", self.handle, output)
        if rank < 0:
            return None
        dims = (c.c_int64 * max(1, rank))()
        lib.checked("TF_GraphGetTensorShape", self.handle, output, dims, rank)
        return [None if d < 0 else int(d) for d in dims[:rank]]

    def add_gradients(self, ys, xs, dx=None, prefix=None):
        """TF_AddGradients; gives the names of dy/dx, None where an output has no node."""
        lib = self.lib
        out = (Output * max(1, len(xs)))()
        dxs = self.outputs(dx) if dx else None
        args = (self.outputs(ys), len(ys), self.outputs(xs), len(xs), dxs)
        if prefix is None:
            lib.with_status(lambda s: lib.TF_AddGradients(self.handle, *args, s, out))
        else:
            lib.with_status(lambda s: lib.TF_AddGradientsWithPrefix(
                self.handle, prefix.encode(), *args, s, out))
        return [self.name(o) if o.oper else None for o in out[:len(xs)]]

    def session(self, config=b"", target=""):
        return Session(self, config, target)


class Session:
    def __init__(self, graph, config=b"", target=""):
        self.graph, self.lib, self.handle = graph, graph.lib, None
        lib = self.lib
        options = lib.TF_NewSessionOptions()
        try:
            if target:
                lib.TF_SetTarget(options, target.encode())
            if config:
                lib.checked("TF_SetConfig", options, config, len(config))
            self.handle = lib.checked("TF_NewSession", graph.handle, options)
        finally:
            lib.TF_DeleteSessionOptions(options)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.delete()

    def __del__(self):
        self.delete()

    def close(self):
        self.lib.checked("TF_CloseSession", self.handle)

    def delete(self):
        handle, self.handle = getattr(self, "handle", None), None
        if handle:
            self.lib.checked("TF_DeleteSession", handle)

    def devices(self):
        lib, devices = self.lib, self.lib.checked("TF_SessionListDevices", self.handle)
        names = [lib.checked("TF_DeviceListName", devices, i).decode()
                 for i in range(lib.TF_DeviceListCount(devices))]
        lib.TF_DeleteDeviceList(devices)
        return names

    def _operations(self, names):
        return (c.c_void_p * max(1, len(names)))(*[self.graph.operation(n) for n in names])

    def _call(self, feeds, fetches, targets, call):
        """Runs |call| with C arrays made of its arguments and returns the fetched values."""
        lib, graph = self.lib, self.graph
        fetch_outputs, feed_outputs = graph.outputs(fetches), graph.outputs(list(feeds))
        target_ops = self._operations(targets)
        results = (c.c_void_p * max(1, len(fetches)))()
        tensors = []
        try:
            for value in feeds.values():
                tensors.append(lib.to_tensor(value))
            fed = (c.c_void_p * max(1, len(tensors)))(*tensors)
            lib.with_status(lambda status: call(
                feed_outputs, fed, len(tensors), fetch_outputs, results, len(fetches),
                target_ops, len(targets), status))
        finally:
            for t in tensors:
                lib.TF_DeleteTensor(t)
        return [lib.from_tensor(r) for r in results[:len(fetches)]]

    def run(self, fetches=(), feeds=None, targets=(), options=None, metadata=False):
        """TF_SessionRun. With |metadata| gives (values, serialised RunMetadata)."""
        lib = self.lib
        opts = lib.TF_NewBufferFromString(options, len(options)) if options is not None else None
        meta = lib.TF_NewBuffer() if metadata else None
        try:
            values = self._call(feeds or {}, list(fetches), list(targets),
                                lambda *a: lib.TF_SessionRun(self.handle, opts, *a[:-1], meta, a[-1]))
            if not metadata:
                return values
            return values, c.string_at(meta.contents.data, meta.contents.length)
        finally:
            for buffer in (opts, meta):
                if buffer:
                    lib.TF_DeleteBuffer(buffer)

    def partial_run(self, feeds, fetches, targets=()):
        return PartialRun(self, feeds, fetches, targets)


class PartialRun:
    """TF_SessionPRunSetup and the calls that follow it."""

    def __init__(self, session, feeds, fetches, targets):
        self.session, self.lib, self.handle = session, session.lib, None
        graph, handle = session.graph, c.c_void_p()
        self.lib.checked("TF_SessionPRunSetup", session.handle, graph.outputs(feeds), len(feeds),
                         graph.outputs(fetches), len(fetches), session._operations(targets),
                         len(targets), c.byref(handle))
        self.handle = handle.value

    def run(self, fetches=(), feeds=None, targets=()):
        handle = c.cast(self.handle, c.c_char_p)
        return self.session._call(feeds or {}, list(fetches), list(targets),
                                  lambda *a: self.lib.TF_SessionPRun(self.session.handle, handle, *a))

    def __del__(self):
        if getattr(self, "handle", None):
            self.lib.TF_DeletePRunHandle(self.handle)


def _run_step(session, run, fetches):
    """A fed edge cannot be fetched, but a gradient may be one; its value is known."""
    feeds, values = run["feeds"], []
    asked = [f for f in fetches if f not in feeds]
    for _ in range(run.get("repeat", 1) if asked or run["targets"] else 0):
        values = session.run(asked, feeds, run["targets"])
    left = iter(values)
    return [feeds[f] if f in feeds else next(left) for f in fetches]


def differentiate(lib, graph_def, ys, xs):
    """The graph with gradients of |ys| by each of |xs| that they depend on; their names."""
    graph, names = lib.graph(graph_def), []
    for x in xs:
        try:
            names += graph.add_gradients(ys, [x])
        except Error:
            pass  # no way from x to ys, or an op without a gradient on it
    return graph.graph_def(), [n for n in names if n]


def run_job(lib, job):
    """Runs one job: a graph, gradients to add to it, and steps over one session.

    {"graph": bytes, "config": bytes, "target": text, "shapes": [names],
     "gradients": [(ys, xs, dxs)],        # names; "@k.j" is result j of gradient k
     "runs": [{"feeds": {name: Value}, "fetches": [names], "targets": [names],
               "repeat": 1}]}               # of repeated steps the last one's values are kept

    Gives {"error": Error or None, "shapes": [...], "gradients": [names or Error],
    "runs": [[Value] or Error]}: a failing import or gradient ends the job there.
    """
    reply = {"error": None, "shapes": [], "gradients": [], "runs": []}
    fallbacks = lib.fallbacks()
    try:
        graph = lib.graph(job["graph"])
        reply["shapes"] = [graph.shape(n) for n in job.get("shapes", [])]
        made = {}
        for k, (ys, xs, dxs) in enumerate(job.get("gradients", [])):
            ys, dxs = ([made.get(n, n) for n in names] for names in (ys, dxs or []))
            names = graph.add_gradients(ys, xs, dxs)
            made.update(("@%d.%d" % (k, j), n) for j, n in enumerate(names))
            reply["gradients"].append(names)
        with graph.session(job.get("config", b""), job.get("target", "")) as session:
            for run in job["runs"]:
                fetches = [made.get(n, n) for n in run["fetches"]]
                try:
                    reply["runs"].append(_run_step(session, run, fetches))
                except Error as e:
                    reply["runs"].append(e)
    except Error as e:
        reply["error"] = e
    if lib.fallbacks() != fallbacks:
        raise RuntimeError("a pass broke a graph: WEIR_LOG=2 says which")
    return reply
