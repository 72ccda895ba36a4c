"""The files that weir/saved_model.h and weir/events.h read and write, from Python.

Every function takes a `weir_c.Library` first and is a method of `worker.Worker` under its name.
"""
import ctypes as c

from weir_c import _BUF, _I, _I64S, _L, _P, _PS, _S, _SIGNATURES, Buffer, Error, Output

METHODS = {}


def method(run):
    METHODS[run.__name__] = run
    return run


class SignatureTensor(c.Structure):
    _fields_ = [("key", _S), ("name", _S), ("type", _I), ("rank", _I), ("dims", _I64S)]


class Signature(c.Structure):
    _fields_ = [("key", _S), ("method", _S), ("inputs", c.POINTER(SignatureTensor)),
                ("input_count", _I), ("outputs", c.POINTER(SignatureTensor)), ("output_count", _I)]


class NamedOutput(c.Structure):
    _fields_ = [("key", _S), ("output", Output)]


class SaveSignature(c.Structure):
    _fields_ = [("key", _S), ("method", _S), ("inputs", c.POINTER(NamedOutput)), ("input_count", _I),
                ("outputs", c.POINTER(NamedOutput)), ("output_count", _I)]


class SaveAsset(c.Structure):
    _fields_ = [("tensor", Output), ("path", _S)]


class SaveOptions(c.Structure):
    _fields_ = [("graph", _P), ("session", _P), ("tags", c.POINTER(_S)), ("tag_count", _I),
                ("signatures", c.POINTER(SaveSignature)), ("signature_count", _I),
                ("assets", c.POINTER(SaveAsset)), ("asset_count", _I), ("init_op", _P),
                ("whole_graph", c.c_bool), ("keep_devices", c.c_bool), ("text", c.c_bool)]


_SIG = c.POINTER(Signature)
_SIGNATURES.update({
    "weir_saved_model_open": (_P, [_S, c.POINTER(_S), _I, _P]),
    "weir_saved_model_load": (_P, [_S, c.POINTER(_S), _I, _P, _P]),
    "weir_saved_model_delete": (None, [_P]),
    "weir_saved_model_graph": (_P, [_P]),
    "weir_saved_model_session": (_P, [_P]),
    "weir_saved_model_meta_graph": (_BUF, [_P]),
    "weir_saved_model_tag_count": (_I, [_P]),
    "weir_saved_model_tag": (_S, [_P, _I]),
    "weir_saved_model_asset_count": (_I, [_P]),
    "weir_saved_model_asset": (_S, [_P, _I]),
    "weir_saved_model_signature_count": (_I, [_P]),
    "weir_saved_model_signature_at": (_SIG, [_P, _I]),
    "weir_saved_model_signature": (_SIG, [_P, _S]),
    "weir_saved_model_predict": (None, [_P, _SIG, _PS, _PS, _P]),
    "weir_saved_model_save": (None, [_S, c.POINTER(SaveOptions), _P]),
    "weir_graph_freeze": (_BUF, [_P, _P, c.POINTER(Output), _I, _P]),
    "weir_graph_read": (None, [_P, _S, _P]),
    "weir_graph_write": (None, [_P, _S, _P]),
    "weir_message_to_text": (None, [_S, _BUF, _BUF, _P]),
    "weir_message_from_text": (None, [_S, _BUF, _BUF, _P]),
    "weir_checkpoint_save": (None, [_S, c.POINTER(_S), _PS, _I, _P]),
    "weir_checkpoint_advance": (None, [_S, _S, _I, _P]),
    "weir_checkpoint_latest": (_BUF, [_S, _P]),
    "weir_checkpoint_delete": (None, [_S, _P]),
    "weir_checkpoint_convert": (None, [_S, _S, _I, _P]),
    "TF_NewCheckpointReader": (_P, [_S, _P]),
    "TF_DeleteCheckpointReader": (None, [_P]),
    "TF_CheckpointReaderSize": (_I, [_P]),
    "TF_CheckpointReaderGetVariable": (_S, [_P, _I]),
    "TF_CheckpointReaderGetTensor": (_P, [_P, _S, _P]),
    "weir_event_writer_new": (_P, [_S, _S, _P]),
    "weir_event_writer_path": (_S, [_P]),
    "weir_event_writer_flush": (None, [_P, _P]),
    "weir_event_writer_close": (None, [_P, _P]),
    "weir_event_scalar": (None, [_P, _L, _S, c.c_float]),
    "weir_event_histogram": (None, [_P, _L, _S, _P]),
    "weir_event_image": (None, [_P, _L, _S, _I, _I, _I, _S]),
    "weir_event_text": (None, [_P, _L, _S, _S]),
    "weir_event_add_summary": (None, [_P, _L, _P]),
    "weir_event_graph_of": (None, [_P, _P]),
    "weir_event_meta_graph_def": (None, [_P, _BUF]),
    "weir_event_run": (None, [_P, _L, _S, _BUF]),
    "weir_event_session": (None, [_P, _L, _I, _S]),
    "weir_records_create": (_P, [_S, _S, _P]),
    "weir_records_add": (None, [_P, _S, c.c_size_t, _P]),
    "weir_records_close": (None, [_P, _P]),
    "weir_records_open": (_P, [_S, _S, _P]),
    "weir_records_next": (c.c_bool, [_P, c.POINTER(_P), c.POINTER(c.c_size_t), _P]),
    "weir_records_delete": (None, [_P]),
    "weir_trace_write": (None, [_S, _BUF, _P]),
})


class Model:
    """A SavedModel, loaded or (|only_look|) opened."""

    def __init__(self, lib, folder, tags=(), only_look=False):
        self.lib = lib
        names = (c.c_char_p * max(1, len(tags)))(*[t.encode() for t in tags])
        args = [folder.encode(), names, len(tags)] + ([] if only_look else [None])
        self.handle = lib.checked("weir_saved_model_open" if only_look else "weir_saved_model_load",
                                  *args)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.lib.weir_saved_model_delete(self.handle)

    def signature(self, key=None):
        s = self.lib.weir_saved_model_signature(self.handle, key.encode() if key else None)
        if not s:
            raise KeyError(key)
        return s

    def tensors(self, all_, count):
        return [(all_[i].key.decode(), all_[i].name.decode(), all_[i].type,
                 None if all_[i].rank < 0 else list(all_[i].dims[:all_[i].rank]))
                for i in range(count)]

    def inputs(self, key=None):
        s = self.signature(key).contents
        return self.tensors(s.inputs, s.input_count)

    def outputs(self, key=None):
        s = self.signature(key).contents
        return self.tensors(s.outputs, s.output_count)

    def predict(self, feeds, key=None):
        lib, signature = self.lib, self.signature(key)
        inputs, outputs = self.inputs(key), self.outputs(key)
        tensors = [lib.to_tensor(feeds[k]) for k, _, _, _ in inputs]
        fed = (c.c_void_p * max(1, len(tensors)))(*tensors)
        results = (c.c_void_p * max(1, len(outputs)))()
        try:
            lib.checked("weir_saved_model_predict", self.handle, signature, fed, results)
        finally:
            for t in tensors:
                lib.TF_DeleteTensor(t)
        return {o[0]: lib.from_tensor(r).array for o, r in zip(outputs, results)}

    def output(self, name):
        node, _, index = name.partition(":")
        op = self.lib.TF_GraphOperationByName(self.lib.weir_saved_model_graph(self.handle),
                                              node.encode())
        return Output(op, int(index or 0))


@method
def model_predict(lib, folder, feeds, key=None, tags=()):
    with Model(lib, folder, tags) as m:
        return m.predict(feeds, key)


@method
def model_about(lib, folder, tags=()):
    """What an opened model says: tags, assets, signatures."""
    with Model(lib, folder, tags, only_look=True) as m:
        get = lambda what: [getattr(lib, "weir_saved_model_" + what)(m.handle, i).decode() for i in
                            range(getattr(lib, "weir_saved_model_%s_count" % what)(m.handle))]
        keys = [lib.weir_saved_model_signature_at(m.handle, i).contents.key.decode()
                for i in range(lib.weir_saved_model_signature_count(m.handle))]
        return {"tags": get("tag"), "assets": get("asset"),
                "signatures": {k: (m.inputs(k), m.outputs(k)) for k in keys}}


def _named(model, tensors):
    return (NamedOutput * max(1, len(tensors)))(
        *[NamedOutput(k.encode(), model.output(name)) for k, name, _, _ in tensors])


@method
def model_save(lib, folder, to, init_op=None, assets=(), flags={}):
    """Loads a model and saves it anew under the signature that it has."""
    with Model(lib, folder) as m:
        inputs, outputs = m.inputs(), m.outputs()
        signature = SaveSignature(None, None, _named(m, inputs), len(inputs), _named(m, outputs),
                                  len(outputs))
        files = (SaveAsset * max(1, len(assets)))(
            *[SaveAsset(m.output(tensor), path.encode()) for tensor, path in assets])
        options = SaveOptions(
            lib.weir_saved_model_graph(m.handle), lib.weir_saved_model_session(m.handle), None, 0,
            c.pointer(signature), 1, files, len(assets), m.output(init_op).oper if init_op else None,
            **flags)
        lib.checked("weir_saved_model_save", to.encode(), c.byref(options))


@method
def model_freeze(lib, folder):
    """The frozen GraphDef of a model's signature, and the names of its inputs and outputs."""
    with Model(lib, folder) as m:
        outputs = m.outputs()
        outs = (Output * len(outputs))(*[m.output(name) for _, name, _, _ in outputs])
        buffer = lib.checked("weir_graph_freeze", lib.weir_saved_model_graph(m.handle),
                             lib.weir_saved_model_session(m.handle), outs, len(outs))
        names = lambda all_: {k: name for k, name, _, _ in all_}
        return lib.take_buffer(buffer), names(m.inputs()), names(outputs)


def _convert(lib, name, kind, data):
    buffer, out = lib.TF_NewBufferFromString(data, len(data)), lib.TF_NewBuffer()
    try:
        lib.checked(name, kind.encode(), buffer, out)
        return c.string_at(out.contents.data, out.contents.length)
    finally:
        lib.TF_DeleteBuffer(buffer)
        lib.TF_DeleteBuffer(out)


@method
def message_to_text(lib, kind, data):
    return _convert(lib, "weir_message_to_text", kind, data)


@method
def message_from_text(lib, kind, text):
    return _convert(lib, "weir_message_from_text", kind, text)


@method
def graph_read(lib, path, write_to=None):
    """The GraphDef of a file; written to another when that is given."""
    graph = lib.graph()
    lib.checked("weir_graph_read", graph.handle, path.encode())
    if write_to:
        lib.checked("weir_graph_write", graph.handle, write_to.encode())
    return graph.graph_def()


@method
def write_events(lib, folder, events):
    """Writes [(function, arguments...)] to an event file; gives its path."""
    writer = lib.checked("weir_event_writer_new", folder.encode(), b".test")
    path = lib.weir_event_writer_path(writer).decode()
    for name, *args in events:
        if name in ("histogram", "add_summary"):
            args[-1] = tensor = lib.to_tensor(args[-1])
        elif name in ("meta_graph_def", "run"):
            args[-1] = buffer = lib.TF_NewBufferFromString(args[-1], len(args[-1]))
        elif name == "graph_of":
            graph = lib.graph(args[0])
            args = [graph.handle]
        args = [a.encode() if isinstance(a, str) else a for a in args]
        getattr(lib, "weir_event_" + name)(writer, *args)
        if name in ("histogram", "add_summary"):
            lib.TF_DeleteTensor(tensor)
        elif name in ("meta_graph_def", "run"):
            lib.TF_DeleteBuffer(buffer)
    lib.checked("weir_event_writer_close", writer)
    return path


@method
def write_trace(lib, path, run_metadata):
    buffer = lib.TF_NewBufferFromString(run_metadata, len(run_metadata))
    try:
        lib.checked("weir_trace_write", path.encode(), buffer)
    finally:
        lib.TF_DeleteBuffer(buffer)


@method
def traced_run(lib, graph_def, fetches, feeds):
    """A step with full traces: its serialised RunMetadata."""
    graph = lib.graph(graph_def)
    with graph.session() as s:
        return s.run(fetches, feeds, options=b"\x08\x03", metadata=True)[1]


@method
def write_records(lib, path, records, compression=""):
    writer = lib.checked("weir_records_create", path.encode(), compression.encode())
    for r in records:
        lib.checked("weir_records_add", writer, r, len(r))
    lib.checked("weir_records_close", writer)


@method
def read_records(lib, path, compression=""):
    reader = lib.checked("weir_records_open", path.encode(), compression.encode())
    record, length, out = c.c_void_p(), c.c_size_t(), []
    try:
        while lib.checked("weir_records_next", reader, c.byref(record), c.byref(length)):
            out.append(c.string_at(record, length.value))
        return out
    finally:
        lib.weir_records_delete(reader)


@method
def read_checkpoint(lib, prefix):
    """Every tensor of a checkpoint, by name."""
    reader = lib.checked("TF_NewCheckpointReader", prefix.encode())
    try:
        names = [lib.TF_CheckpointReaderGetVariable(reader, i)
                 for i in range(lib.TF_CheckpointReaderSize(reader))]
        return {n.decode(): lib.from_tensor(lib.checked("TF_CheckpointReaderGetTensor", reader, n))
                for n in names}
    finally:
        lib.TF_DeleteCheckpointReader(reader)


@method
def convert_checkpoint(lib, source, to, kind):
    lib.checked("weir_checkpoint_convert", source.encode(), to.encode(), kind)


@method
def checkpoint_advance(lib, folder, prefix, keep):
    lib.checked("weir_checkpoint_advance", folder.encode(), prefix.encode(), keep)
