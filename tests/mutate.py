"""Damages graphs as an attacker or an unlucky program would: attrs, shapes, dtypes and values.

    rng = random.Random("seed")
    mutate(graph_def_proto, runs, rng)     # changes both in place; gives a line that says what it did

Every change is one that bytes on the wire can hold. Which ones are errors is the library's to say;
the only wrong answers are a crash and no answer.
"""
import numpy as np
from tensorflow.core.framework import attr_value_pb2
from tensorflow.python.framework import tensor_util

import graphs
from dtypes import KIND, NUMPY, Value

INTS = [0, -1, 1, 2, 3, 7, 1000, -5, 255, 65536, (1 << 31) - 1, -(1 << 31), 1 << 31, 1 << 32, 1 << 40,
        (1 << 62), (1 << 63) - 1, -(1 << 63)]
FLOATS = [float("nan"), float("inf"), float("-inf"), 0.0, -0.0, -1.0, 0.5, 1e30, -1e30, 1e-40, 3.4e38,
          2147483648.0, -2147483649.0, 1e10]
STRINGS = [b"", b"\xff\xfe\xfd", b"\0", b"a" * 1000, b"%s{}%n", b"-1", b"1e999", b"((((", b"[[:alpha:]",
           b"\\", b"(a*)*$", b"9" * 40, b"\xed\xa0\x80", b"x:0", b"/", b"NCHW", b"NHWC", b"SAME", b"VALID",
           b"EXPLICIT", b"nan", b"../../x", b"\xf0\x9f\x98\x80" * 3]
DIMS = [0, 1, 2, 5, -1, -2, 1 << 31, 1 << 33, 1 << 62, (1 << 63) - 1, -(1 << 63)]
TYPES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 17, 18, 19, 20, 21, 22, 23, 0, 101, 64, 999]


def _fits(n, dtype):
    info = np.iinfo(NUMPY[dtype]) if KIND[dtype] in "iu" and dtype not in (29, 30) else None
    return int(n) if info is None else min(max(int(n), int(info.min)), int(info.max))


def element(dtype, shape, rng):
    """A value that the type holds and that few expect."""
    kind = KIND.get(dtype)
    if kind in "iu":
        near = [d + e for d in shape for e in (-1, 0, 1)]
        return _fits(rng.choice(INTS + near + near), dtype)
    if kind == "s":
        return rng.choice(STRINGS)
    if kind == "b":
        return rng.random() < 0.5
    return rng.choice(FLOATS)


def damaged_bytes(old, rng):
    """Nearly |old|: cut, with bytes changed, with numbers in it that are larger, or doubled."""
    data = bytearray(old if isinstance(old, bytes) else str(old).encode())
    how = rng.randrange(5)
    if how == 0:
        return bytes(data[:rng.randrange(len(data) + 1)])
    if how == 1 and len(data) < 1 << 20:
        return bytes(data + data)
    for _ in range(rng.choice([1, 1, 2, 8]) if data else 0):
        at = rng.randrange(len(data))
        if how == 2:
            data[at:at + 4] = rng.choice([0, 1, 1 << 16, (1 << 31) - 1, (1 << 32) - 1]).to_bytes(4, rng.choice(["big", "little"]))
        else:
            data[at] = rng.choice([0, 0xff, 0x7f, 0x80, data[at] ^ 1 << rng.randrange(8)])
    return bytes(data)


def change_elements(value, rng):
    array = value.array.copy()
    if array.size == 0:
        return change_shape(value, rng)
    flat = array.reshape(-1)
    where = range(flat.size) if rng.random() < 0.25 else [rng.randrange(flat.size)]
    same = element(value.dtype, array.shape, rng)
    if value.dtype == 7 and rng.random() < 0.6:
        same = damaged_bytes(flat[rng.randrange(flat.size)], rng)
    with np.errstate(all="ignore"):
        for i in list(where)[:4096]:
            flat[i] = same
    return Value(array, value.dtype)


def _resized(array, axis, size):
    """|array| with dimension |axis| cut, or filled up with its own elements."""
    if array.shape[axis] == 0:
        return np.zeros(array.shape[:axis] + (size,) + array.shape[axis + 1:], array.dtype)
    return np.take(array, np.arange(size) % array.shape[axis], axis)


def change_shape(value, rng):
    array = value.array
    how = rng.randrange(8)
    if array.ndim and how < 4:
        axis = rng.randrange(array.ndim)
        size = array.shape[axis]
        array = _resized(array, axis, [0, max(size - 1, 0), size + 1, 1][how])
    elif how == 4 and array.ndim and array.shape[0]:
        array = array[0]
    elif how == 5:
        array = array[None]
    elif how == 6:
        array = array.reshape(-1)
    elif how == 7:
        array = array.reshape((1,) * min(rng.choice([3, 8, 9]), 30) + array.shape)
    if value.dtype == 7:
        array = np.asarray(array, object)
    elif array.size == 0:
        array = np.zeros(array.shape, NUMPY[value.dtype])
    return Value(array, value.dtype)


def change_value(value, rng):
    return change_elements(value, rng) if rng.random() < 0.6 else change_shape(value, rng)


def change_dtype(value, rng):
    dtype = rng.choice([1, 2, 3, 4, 6, 7, 9, 10])
    if dtype == 7:
        return Value(np.full(value.shape, b"x", object), 7)
    return Value(np.ones(value.shape, NUMPY[dtype]), dtype)


# ---- attrs --------------------------------------------------------------------------------------

def _shape(attr, rng):
    attr.shape.Clear()
    attr.shape.SetInParent()
    if rng.random() < 0.2:
        attr.shape.unknown_rank = True
        return
    for _ in range(rng.choice([0, 1, 2, 3, 8, 254, 255, 300])):
        attr.shape.dim.add(size=rng.choice(DIMS))


def _ints(items, rng):
    """A list of ints, in place: one changed, one gone, one more, none, many."""
    old = list(items)
    how = rng.randrange(6)
    if how < 2 and old:
        old[rng.randrange(len(old))] = rng.choice(INTS)
    elif how == 2 and old:
        old.pop()
    elif how == 3:
        old.append(rng.choice(INTS))
    elif how == 4:
        old = []
    else:
        old = [rng.choice(INTS)] * rng.choice([len(old), 20])
    del items[:]
    items.extend(old)


def _list(attr, rng):
    lists = attr.list
    if lists.i:
        return _ints(lists.i, rng)
    for field, choices in (("f", FLOATS), ("s", STRINGS), ("type", TYPES)):
        items = getattr(lists, field)
        if items:
            old = list(items)
            if rng.random() < 0.5:
                old[rng.randrange(len(old))] = rng.choice(choices)
            elif rng.random() < 0.5:
                old.pop()
            else:
                old.append(rng.choice(choices))
            del items[:]
            items.extend(old)
            return None
    if lists.shape:
        one = attr_value_pb2.AttrValue()
        _shape(one, rng)
        lists.shape[rng.randrange(len(lists.shape))].CopyFrom(one.shape)
        return None
    return _ints(lists.i, rng)


def change_attr(attr, rng):
    """Another value of the same kind, mostly."""
    kind = attr.WhichOneof("value")
    if rng.random() < 0.08:
        attr.Clear()
        attr.i = rng.choice(INTS)  # another kind
    elif kind == "i":
        attr.i = rng.choice(INTS)
    elif kind == "f":
        attr.f = rng.choice(FLOATS)
    elif kind == "s":
        attr.s = rng.choice(STRINGS)
    elif kind == "b":
        attr.b = not attr.b
    elif kind == "type":
        attr.type = rng.choice(TYPES)
    elif kind == "shape":
        _shape(attr, rng)
    elif kind == "list":
        _list(attr, rng)
    elif kind == "tensor":
        change_tensor(attr, rng)


def change_tensor(attr, rng):
    value = change_value(Value(tensor_util.MakeNdarray(attr.tensor), attr.tensor.dtype), rng)
    attr.tensor.CopyFrom(graphs.tensor_proto(value))


# ---- graphs -------------------------------------------------------------------------------------

def loosen(graph):
    """Placeholders of any shape, so that only the step can judge what it is fed."""
    for node in graph.node:
        if node.op == "Placeholder" and "shape" in node.attr:
            node.attr["shape"].shape.Clear()
            node.attr["shape"].shape.unknown_rank = True


def _change_const(graph, rng):
    found = [n for n in graph.node if n.op == "Const" and n.attr["dtype"].type in NUMPY]
    if not found:
        return None
    node = rng.choice(found)
    if rng.random() < 0.05:
        node.attr["dtype"].type = rng.choice(TYPES)  # and not the tensor's
        return "dtype of %s" % node.name
    change_tensor(node.attr["value"], rng)
    return "%s = %s" % (node.name, tensor_util.MakeNdarray(node.attr["value"].tensor).__repr__()[:80])


def _change_feed(runs, rng):
    fed = [(r, k) for r in runs for k in r["feeds"]]
    if not fed:
        return None
    run, key = rng.choice(fed)
    change = change_dtype if rng.random() < 0.05 else change_value
    run["feeds"] = dict(run["feeds"])
    run["feeds"][key] = change(run["feeds"][key], rng)
    return "%s = %r" % (key, run["feeds"][key])


def _change_node(graph, rng):
    found = [n for n in graph.node if n.op not in ("Const", "Placeholder") and n.attr]
    if not found:
        return None
    node = rng.choice(found)
    key = rng.choice(sorted(node.attr))
    if rng.random() < 0.05:
        del node.attr[key]
        return "%s without %s" % (node.name, key)
    change_attr(node.attr[key], rng)
    return "%s.%s = %s" % (node.name, key, str(node.attr[key]).replace("\n", " ")[:90])


def _change_edge(graph, rng):
    found = [n for n in graph.node if n.input]
    if not found:
        return None
    node = rng.choice(found)
    k = rng.randrange(len(node.input))
    how = rng.randrange(3)
    if how == 0:
        del node.input[k]
    elif how == 1:
        node.input.append(node.input[k])
    else:
        node.input[k] = rng.choice([rng.choice(graph.node).name, node.input[k] + ":9", ""])
    return "inputs of %s = %s" % (node.name, list(node.input))


def mutate(graph, runs, rng):
    """One to three changes; gives what was done."""
    if rng.random() < 0.7:
        loosen(graph)
    done = []
    while len(done) < rng.choice([1, 1, 1, 2, 3]):
        kind = rng.random()
        if kind < 0.40:
            what = _change_feed(runs, rng)
        elif kind < 0.70:
            what = _change_const(graph, rng)
        elif kind < 0.96:
            what = _change_node(graph, rng)
        else:
            what = _change_edge(graph, rng)
        done.append(what or "nothing")
    return "; ".join(done)
