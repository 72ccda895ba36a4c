"""Writes and reads the few protobuf messages that tests need, without TensorFlow.

    g = GraphDef()
    x = g.node("Placeholder", dtype=T("f32"), name="x")
    y = g.node("Mul", x, x, T=T("f32"), name="y")
    graph = library.graph(g.bytes())

Attr kinds follow from the Python value: bool, int, float, str/bytes, T(dtype), Shape(dims),
dtypes.Value, Func(name), or a list of one of these. Attrs left out get their defaults on import.
"""
import struct

import numpy as np

from dtypes import Value, number


def varint(n):
    n &= (1 << 64) - 1
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    out.append(n)
    return bytes(out)


def field_int(tag, n):
    return varint(tag << 3) + varint(n)


def field_bytes(tag, data):
    data = data.encode() if isinstance(data, str) else data
    return varint(tag << 3 | 2) + varint(len(data)) + data


def field_f32(tag, x):
    return varint(tag << 3 | 5) + struct.pack("<f", x)


def field_f64(tag, x):
    return varint(tag << 3 | 1) + struct.pack("<d", x)


def entry(tag, key, value):
    """One entry of a map<string, message>."""
    return field_bytes(tag, field_bytes(1, key) + field_bytes(2, value))


def fields(data):
    """(tag, int or bytes) of each field of a message, in order."""
    at = 0

    def read_varint():
        nonlocal at
        n = shift = 0
        while True:
            b = data[at]
            at += 1
            n |= (b & 127) << shift
            shift += 7
            if b < 128:
                return n

    while at < len(data):
        key = read_varint()
        if key & 7 == 0:
            value = read_varint()
        else:
            size = {1: 8, 5: 4}.get(key & 7) or read_varint()
            value = data[at:at + size]
            at += size
        yield key >> 3, value


def parse(data):
    """{tag: [int or bytes]} of a message."""
    out = {}
    for tag, value in fields(data):
        out.setdefault(tag, []).append(value)
    return out


def field_any(tag, value):
    """A field as fields() gives it; not for fixed-size numbers, which it does not tell from bytes."""
    return field_int(tag, value) if isinstance(value, int) else field_bytes(tag, value)


class T:
    def __init__(self, dtype):
        self.number = number(dtype)


class Shape:
    def __init__(self, dims=None):
        self.dims = dims

    def bytes(self):
        if self.dims is None:
            return field_int(3, 1)
        return b"".join(field_bytes(2, field_int(1, -1 if d is None else d)) for d in self.dims)


class Func:
    def __init__(self, name, **attrs):
        self.name, self.attrs = name, attrs

    def bytes(self):
        return field_bytes(1, self.name) + b"".join(
            entry(2, k, attr(v)) for k, v in self.attrs.items())


def tensor(value):
    value = Value(value)
    out = field_int(1, value.dtype) + field_bytes(2, Shape(value.shape).bytes())
    if value.dtype == 7:
        return out + b"".join(field_bytes(8, s) for s in value.array.ravel())
    return out + field_bytes(4, np.ascontiguousarray(value.array).tobytes())


def attr(v):
    """A serialised AttrValue."""
    if isinstance(v, (list, tuple)):
        return field_bytes(1, b"".join(_list_item(x) for x in v))
    if isinstance(v, bool):
        return field_int(5, int(v))
    if isinstance(v, int):
        return field_int(3, v)
    if isinstance(v, float):
        return field_f32(4, v)
    if isinstance(v, (str, bytes)):
        return field_bytes(2, v)
    if isinstance(v, T):
        return field_int(6, v.number)
    if isinstance(v, Shape):
        return field_bytes(7, v.bytes())
    if isinstance(v, Func):
        return field_bytes(10, v.bytes())
    return field_bytes(8, tensor(v))


def _list_item(v):
    if isinstance(v, bool):
        return field_int(5, int(v))
    if isinstance(v, int):
        return field_int(3, v)
    if isinstance(v, float):
        return field_f32(4, v)
    if isinstance(v, (str, bytes)):
        return field_bytes(2, v)
    if isinstance(v, T):
        return field_int(6, v.number)
    if isinstance(v, Shape):
        return field_bytes(7, v.bytes())
    return field_bytes(9, v.bytes())


def node_def(op, name, inputs=(), device="", attrs=None):
    out = field_bytes(1, name) + field_bytes(2, op)
    out += b"".join(field_bytes(3, i) for i in inputs)
    if device:
        out += field_bytes(4, device)
    return out + b"".join(entry(5, k, attr(v)) for k, v in (attrs or {}).items())


class GraphDef:
    """A GraphDef as it grows. node() gives the node's name; "name:1" is another output."""

    def __init__(self, producer=2000):
        self.parts, self.functions, self.count, self.producer = [], [], 0, producer

    def node(self, op, *inputs, name=None, device="", control=(), **attrs):
        self.count += 1
        name = name or "%s_%d" % (op, self.count)
        inputs = [i for x in inputs for i in (x if isinstance(x, list) else [x])]
        inputs += ["^" + c.split(":")[0] for c in control]
        self.parts.append(field_bytes(1, node_def(op, name, inputs, device, attrs)))
        return name

    def const(self, value, dtype="f32", name=None, **where):
        value = Value(value, dtype)
        return self.node("Const", name=name, dtype=T(value.dtype), value=value, **where)

    def placeholder(self, dtype="f32", shape=None, name=None, **where):
        return self.node("Placeholder", name=name, dtype=T(dtype), shape=Shape(shape), **where)

    def function(self, name, inputs, outputs, body, returns):
        """A FunctionDef. inputs, outputs: {arg: dtype}; body: [(op, name, inputs, attrs)] or
        with a device as fifth; returns: {output: "node:out:0"}."""
        arg = lambda k, t: field_bytes(1, k) + field_int(3, number(t))
        signature = field_bytes(1, name)
        signature += b"".join(field_bytes(2, arg(k, t)) for k, t in inputs.items())
        signature += b"".join(field_bytes(3, arg(k, t)) for k, t in outputs.items())
        out = field_bytes(1, signature)
        for op, node, ins, attrs, *device in body:
            out += field_bytes(3, node_def(op, node, ins, *(device or [""]), attrs))
        out += b"".join(field_bytes(4, field_bytes(1, k) + field_bytes(2, v))
                        for k, v in returns.items())
        self.functions.append(field_bytes(1, out))

    def bytes(self):
        out = b"".join(self.parts) + field_bytes(4, field_int(1, self.producer))
        return out + (field_bytes(2, b"".join(self.functions)) if self.functions else b"")

    def take(self):
        """The nodes so far, which are forgotten: for extending a graph in pieces."""
        data, self.parts, self.functions = self.bytes(), [], []
        return data


def config(cpus=None, inter=None, intra=None, soft=None, timeout_ms=None, opt_level=None,
           rewrite=True, isolate=False):
    """A serialised ConfigProto."""
    out = b"" if rewrite else field_bytes(10, field_bytes(10, field_int(19, 1)))
    if isolate:
        out += field_int(15, 1)
    if cpus is not None:
        out += field_bytes(1, field_bytes(1, "CPU") + field_int(2, cpus))
    if intra is not None:
        out += field_int(2, intra)
    if inter is not None:
        out += field_int(5, inter)
    if soft is not None:
        out += field_int(7, int(soft))
    if timeout_ms is not None:
        out += field_int(11, timeout_ms)
    if opt_level is not None:
        out += field_bytes(10, field_bytes(3, field_int(3, opt_level)))
    return out


def run_options(trace=0, timeout_ms=0, partitions=False):
    """A serialised RunOptions."""
    out = field_int(1, trace) if trace else b""
    if timeout_ms:
        out += field_int(2, timeout_ms)
    return out + (field_int(5, 1) if partitions else b"")
