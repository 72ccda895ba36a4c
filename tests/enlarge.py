"""Makes graphs of a few hundred bytes ask for work and memory without end: sizes, attrs, counts.

    rng = random.Random("seed")
    enlarge(graph_def_proto, runs, rng)    # changes both in place; gives a line that says what it did

Unlike `mutate.py` it keeps graphs valid where it can: a dimension grows in all inputs that have it, in
the attrs and in the shapes that name it. Values are constants that a Tile repeats, so the graph stays
small however large its tensors are.
"""
import numpy as np
from tensorflow.python.framework import tensor_util

import graphs
from dtypes import KIND, NUMPY, Value

COUNTS = [10, 100, 1000, 4096, 10 ** 5, 10 ** 6, 10 ** 7, (1 << 31) - 1, 10 ** 12, 1 << 62]
TOTALS = [1 << 20, 8 << 20, 32 << 20, 96 << 20, 96 << 20, 160 << 20, 2 << 30, 1 << 40]  # bytes of the largest input
FLOATS = [1e-30, 1e-9, 1e-3, 0.5, 1e3, 1e6, 1e9, 1e30, -1e9]
LONG_TEXT = 1 << 17
ADDED = ("_small", "_times", "_shape")


def fix_feeds(graph, runs):
    """Feeds become constants; the first value of each."""
    fed = {}
    for run in runs:
        for key, value in run["feeds"].items():
            fed.setdefault(key, value)
        run["feeds"] = {}
    for node in graph.node:
        value = fed.get(node.name + ":0")
        if value is not None and node.op.startswith("Placeholder"):
            node.op = "Const"
            del node.input[:]
            node.attr.clear()
            node.attr["dtype"].type = value.dtype
            node.attr["value"].tensor.CopyFrom(graphs.tensor_proto(value))


def constants(graph):
    """Those of the case, not those that `repeat` added."""
    return [n for n in graph.node if n.op == "Const" and n.attr["dtype"].type in NUMPY
            and not n.name.endswith(ADDED)]


def value_of(node):
    return Value(tensor_util.MakeNdarray(node.attr["value"].tensor), node.attr["dtype"].type)


def set_value(node, value):
    node.attr["value"].tensor.CopyFrom(graphs.tensor_proto(value))


def repeat(graph, node, multiples):
    """|node|, a constant, becomes a Tile of one, under the same name."""
    small, counts, tile = graph.node.add(), graph.node.add(), node
    small.CopyFrom(node)
    small.name, counts.name = node.name + "_small", node.name + "_times"
    counts.op = "Const"
    counts.attr["dtype"].type = 9
    counts.attr["value"].tensor.CopyFrom(graphs.tensor_proto(Value(np.array(multiples, np.int64), 9)))
    dtype = node.attr["dtype"].type
    tile.op = "Tile"
    tile.input.extend([small.name, counts.name])
    tile.attr.clear()
    tile.attr["T"].type = dtype
    tile.attr["Tmultiples"].type = 9


def scatter(graph, node, dtype, shape):
    """Adds noise to a repeated value, so that its elements differ."""
    add = graph.node.add()
    add.CopyFrom(node)  # the repeated value, under another name
    add.name = node.name + "_same"
    dims, noise = graph.node.add(), graph.node.add()
    dims.op, dims.name = "Const", node.name + "_shape"
    dims.attr["dtype"].type = 9
    dims.attr["value"].tensor.CopyFrom(graphs.tensor_proto(Value(np.array(shape, np.int64), 9)))
    noise.op, noise.name = "RandomUniform", node.name + "_noise"
    noise.input.append(dims.name)
    noise.attr["T"].type, noise.attr["dtype"].type = 9, dtype
    del node.input[:]
    node.attr.clear()
    node.op = "AddV2"
    node.input.extend([add.name, noise.name])
    node.attr["T"].type = dtype


# ---- what can grow -----------------------------------------------------------------------------

def _grow_shapes(node, size, times):
    for attr in node.attr.values():
        for shape in [attr.shape] if attr.WhichOneof("value") == "shape" else attr.list.shape:
            for dim in shape.dim:
                if dim.size == size:
                    dim.size = min(size * times, (1 << 63) - 1)


def _grow_ints(node, size, times):
    for key, attr in node.attr.items():
        if attr.WhichOneof("value") == "i" and attr.i == size and key != "N":
            attr.i = min(size * times, (1 << 62))


def grow_dim(graph, rng):
    """One size of dimension becomes larger wherever it is."""
    found = [(n, value_of(n)) for n in constants(graph)]
    sizes = sorted({d for _, v in found for d in v.shape if d > 0})
    if not sizes:
        return None
    size = rng.choice(sizes)
    largest = max((max(1, v.array.size) * (32 if v.dtype == 7 else v.array.dtype.itemsize), v.shape.count(size))
                  for _, v in found if size in v.shape)
    times = max(2, int((rng.choice(TOTALS) / largest[0]) ** (1 / largest[1])))
    noise, named = rng.random() < 0.4, rng.random() < 0.7
    alone = rng.choice([n.name for n, v in found if size in v.shape]) if rng.random() < 0.15 else None
    for node, value in found:
        if size in value.shape and alone in (None, node.name):
            repeat(graph, node, [times if d == size else 1 for d in value.shape])
            if noise and value.dtype in (1, 2, 14, 19):
                scatter(graph, node, value.dtype, [d * times if d == size else d for d in value.shape])
        elif named and KIND[value.dtype] in "iu" and (value.array == size).any() and size * times < 1 << 31:
            with np.errstate(all="ignore"):
                set_value(node, Value(np.where(value.array == size, size * times, value.array), value.dtype))
    for node in graph.node:
        _grow_shapes(node, size, times)
        if named:
            _grow_ints(node, size, times)
    return "%s %d times %d" % (alone or "dims of", size, times)


def grow_attr(graph, rng):
    found = [(n, k) for n in graph.node if n.op not in ("Const", "Tile") for k, a in n.attr.items()
             if k != "N" and (a.WhichOneof("value") in ("i", "f") or a.list.i or a.list.f)]
    if not found:
        return None
    node, key = rng.choice(found)
    attr, count = node.attr[key], rng.choice(COUNTS)
    if attr.WhichOneof("value") == "i":
        attr.i = count
    elif attr.WhichOneof("value") == "f":
        attr.f = rng.choice(FLOATS)
    elif attr.list.f:
        attr.list.f[rng.randrange(len(attr.list.f))] = rng.choice(FLOATS)
    elif rng.random() < 0.3:
        attr.list.i[:] = [count] * len(attr.list.i)
    else:
        attr.list.i[rng.randrange(len(attr.list.i))] = count
    return "%s.%s = %s" % (node.name, key, str(attr).replace("\n", " ")[:90])


def grow_number(graph, rng):
    """Elements of a constant: sizes, counts, limits, shapes."""
    found = [n for n in constants(graph) if KIND[n.attr["dtype"].type] in "iuf"]
    whole = [n for n in found if KIND[n.attr["dtype"].type] in "iu"]
    if not found:
        return None
    node = rng.choice(whole if whole and rng.random() < 0.8 else found)
    value = value_of(node)
    if value.array.size == 0:
        return None
    array = value.array.copy()
    flat = array.reshape(-1)
    if KIND[value.dtype] == "f":
        big = rng.choice(FLOATS)
    else:
        limits = np.iinfo(NUMPY[value.dtype]) if value.dtype not in (29, 30) else None
        big = min(rng.choice(COUNTS), int(limits.max) if limits else 7)
    with np.errstate(all="ignore"):
        if rng.random() < 0.3:
            flat[:] = big
        else:
            flat[rng.randrange(flat.size)] = big
    set_value(node, Value(array, value.dtype))
    return "%s = %r" % (node.name, big)


def grow_text(graph, rng):
    found = [n for n in constants(graph) if n.attr["dtype"].type == 7]
    if not found:
        return None
    node = rng.choice(found)
    value = value_of(node)
    if value.array.size == 0:
        return None
    array = value.array.copy()
    flat = array.reshape(-1)
    k = rng.randrange(flat.size)
    text = flat[k] if isinstance(flat[k], bytes) else str(flat[k]).encode()
    flat[k] = (text or b"x") * (rng.choice([100, 10000, LONG_TEXT]) // max(1, len(text)) + 1)
    set_value(node, Value(array, 7))
    return "%s of %d bytes" % (node.name, len(flat[k]))


def enlarge(graph, runs, rng):
    """One to three changes; gives what was done."""
    fix_feeds(graph, runs)
    done = []
    for _ in range(rng.choice([1, 1, 2, 3])):
        kind = rng.random()
        change = (grow_dim if kind < 0.5 else grow_number if kind < 0.75 else
                  grow_attr if kind < 0.92 else grow_text)
        done.append(change(graph, rng) or "nothing")
    for run in runs:  # values need not be copied out
        run["targets"] = list(run["targets"]) + [f.split(":")[0] for f in run["fetches"]]
        run["fetches"] = []
    return "; ".join(done)
