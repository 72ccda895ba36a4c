"""Cases for tools/differential from files: what to initialise, feed, run and fetch is found in the graph.

    case = graph_files.case(path, catalogue, seed)

A GraphDef or MetaGraphDef (binary or text) runs its initialisers, then everything that nothing uses: values are
fetched, updates are run one after another, and in the end every variable is read. NAME.pb beside NAME.job runs what
that says (init, step, loss and feed lines). A SavedModel is restored and each of its signatures is run. Random ops
without a seed get one, so that all ways draw the same numbers.
"""
import pathlib
import re
import zlib

import numpy as np

import pb
from dtypes import KIND, NUMPY, Value, number
from random_graphs import Case

STRING, RESOURCE = number("str"), 20
RTOL = 1e-3  # of values that went through a few steps of training, where roundings add up
OPEN_DIM = 2
MOST_FETCHES, MOST_UPDATES = 24, 6

# What a run cannot do here: files that were elsewhere, queues that nobody fills, Python of another process.
FOREIGN = re.compile(r"Save|Restore|ReadFile|WriteFile|MergeV2Checkpoints|.*Dequeue|Reader|PyFunc|EagerPyFunc|.*Enqueue|"
                     r".*RecordDataset|TextLineDataset|.*SummaryWriter|TPU|Barrier|.*QueueClose|.*Collective|Abort|_")
WRITES = re.compile(r"Assign|(Resource)?(Sparse)?Apply|(Resource)?Scatter(Nd)?(Add|Sub|Update|Mul|Div|Min|Max)$|"
                    r"ResourceStridedSliceAssign|Stack(Push|Pop)|Accumulator|LookupTable(Insert|Remove|Import)|InitializeTable|MakeIterator")
STARTS = re.compile(r"MakeIterator|InitializeTable|LookupTableImport")
VARIABLES = ("Variable", "VariableV2", "VarHandleOp")
FED = ("Placeholder", "PlaceholderV2")


class Catalogue:
    """What a node of an op gives, and whether it draws random numbers: from a serialised OpList."""

    def __init__(self, op_list):
        self.ops = {}
        for data in pb.parse(op_list).get(1, []):
            op = pb.parse(data)
            attrs = {pb.parse(a)[1][0] for a in op.get(4, [])}
            args = [[pb.parse(a) for a in op.get(tag, [])] for tag in (3, 2)]
            self.ops[op[1][0].decode()] = (args[0], {b"seed", b"seed2"} <= attrs, args[1])

    def random(self, op):
        return op in self.ops and self.ops[op][1]

    def by_value(self, op):
        """Of each input, whether it is a value: neither a reference nor a handle."""
        return [16 not in a and a.get(3) != [RESOURCE] for a in self.ops.get(op, ([], False, []))[2]]

    def types(self, node):
        """The types of a node's outputs; none for an op that is not known."""
        out = []
        for arg in self.ops.get(node.op, ([],))[0]:
            if 6 in arg:
                out += node.type_list(arg[6][0])
                continue
            dtype = arg[3][0] if 3 in arg else node.attr(arg[4][0]).get(6, [1])[0]
            out += [dtype] * (node.attr(arg[5][0]).get(3, [0])[0] if 5 in arg else 1)
        return out


class Node:
    def __init__(self, data):
        self.data, self.fields = data, pb.parse(data)
        self.name, self.op = (self.fields[k][0].decode() for k in (1, 2))
        self.edges = [i.decode() for i in self.fields.get(3, [])]
        self.inputs = [i.lstrip("^").split(":")[0] for i in self.edges]

    def tensors(self):
        """The names of the tensors that it takes."""
        return [e if ":" in e else e + ":0" for e in self.edges if not e.startswith("^")]

    def attr(self, name):
        for entry in self.fields.get(5, []):
            fields = pb.parse(entry)
            if fields[1][0] == name:
                return pb.parse(fields[2][0]) if 2 in fields else {}
        return {}

    def type_list(self, name):
        """The types of an attr list(type), packed or not."""
        found = pb.parse(self.attr(name).get(1, [b""])[0]).get(6, [])
        return [t for part in found for t in (part if isinstance(part, bytes) else [part])]


class Graph:
    """The nodes of a GraphDef and what depends on what."""

    def __init__(self, data, catalogue):
        self.data, self.catalogue = data, catalogue
        self.nodes = {n.name: n for n in map(Node, pb.parse(data).get(1, []))}
        self.needs = {}
        used = {i for n in self.nodes.values() for i in n.inputs}
        self.leaves = [n for n in self.nodes.values() if n.name not in used and n.op not in FED + ("Const",)]

    def _closure(self, names, following):
        """The names of nodes, and of all that |following| leads to from them."""
        found, todo = set(), list(names)
        while todo:
            name = todo.pop()
            if name not in found and name in self.nodes:
                found.add(name)
                todo += following(name)
        return found

    def ancestors(self, *names):
        """The named nodes and all that they need."""
        return [self.nodes[n] for n in self._closure(names, lambda name: self.nodes[name].inputs)]

    def descendants(self, names):
        """The names of nodes, and of all that needs them."""
        users = {}
        for node in self.nodes.values():
            for name in node.inputs:
                users.setdefault(name, []).append(node.name)
        return self._closure(names, lambda name: users.get(name, []))

    def _as_it_stands(self, tensor):
        """Whether a tensor is a constant, or a variable as it is: a fetch of the latter may show what is written meanwhile."""
        node = self.nodes[tensor.split(":")[0]]
        if node.op in ("Identity", "ReadVariableOp"):
            return self._as_it_stands(node.inputs[0])
        return node.op in VARIABLES + ("Const",)

    def values_written(self, node):
        """The tensors that an update takes by value and that are computed."""
        taken = zip(node.tensors(), self.catalogue.by_value(node.op))
        return [t for t, value in taken if value and not self._as_it_stands(t)]

    def variables(self):
        return [n for n in self.nodes.values() if n.op in VARIABLES]

    def first_assigns(self):
        """The first assignment to each variable: its initial value."""
        found = {}
        for n in self.nodes.values():
            if n.op in ("Assign", "AssignVariableOp") and not any(
                    FOREIGN.match(a.op) for a in self.ancestors(n.name)):
                found.setdefault(n.inputs[0], n.name)
        return list(found.values())

    def fetchable(self, node):
        """{name: kind} of a node's outputs that have values for a client; the bytes of a summary have roundings in them."""
        return {"%s:%d" % (node.name, k): KIND[t % 100] for k, t in enumerate(self.catalogue.types(node))
                if KIND.get(t % 100, "h") != "h" and not node.op.endswith("Summary")}


# ---- changes to the graph ------------------------------------------------------------------------

def _seeded(data, catalogue):
    node = Node(data)
    if not catalogue.random(node.op) or node.attr(b"seed").get(3, [0])[0] or node.attr(b"seed2").get(3, [0])[0]:
        return data
    return data + pb.entry(5, "seed", pb.attr(87)) + pb.entry(5, "seed2", pb.attr(1 + zlib.crc32(node.name.encode())))


def with_nodes(data, tag, change):
    """A message in which |change| was made to every submessage with that tag."""
    return b"".join(pb.field_any(t, change(v) if t == tag else v) for t, v in pb.fields(data))


def with_seeds(graph, catalogue):
    node = lambda data: _seeded(data, catalogue)
    function = lambda data: with_nodes(data, 3, node)
    library = lambda data: with_nodes(data, 1, function)
    return with_nodes(with_nodes(graph, 1, node), 2, library)


def with_reads(graph):
    """The GraphDef with a read of each variable; and the names of their values."""
    extra, names = b"", []
    for k, variable in enumerate(graph.variables()):
        name = "differential_read_%d" % k
        dtype = pb.T(variable.attr(b"dtype").get(6, [1])[0])
        op, attr = ("ReadVariableOp", "dtype") if variable.op == "VarHandleOp" else ("Identity", "T")
        extra += pb.field_bytes(1, pb.node_def(op, name, [variable.name], "", {attr: dtype}))
        names.append(name + ":0")
    return graph.data + extra, names


# ---- feeds ---------------------------------------------------------------------------------------

def _dims(shape):
    """The dims of a TensorShapeProto; what it leaves open is a small number."""
    fields = pb.parse(shape) if shape else {}
    if fields.get(3):
        return []
    dims = [pb.parse(d).get(1, [0])[0] for d in fields.get(2, [])]
    return [OPEN_DIM if d >= 1 << 63 else d for d in dims]


def made_up(dtype, shape, chance):
    """Small integers, words, probabilities for scalars, and numbers about 0."""
    kind = KIND.get(dtype, "h")
    if kind == "h":
        return None
    if kind == "s":
        words = chance.randint(0, 4, shape)
        return Value(np.vectorize(lambda k: b"word%d" % k, otypes=[object])(words), dtype)
    if kind in "iub":
        value = chance.randint(0, 2 if kind == "b" else 3, shape)
    else:
        value = chance.uniform(-1, 1, shape) if shape else chance.uniform(0.5, 1)
    return Value(np.asarray(value).astype(NUMPY[dtype]), dtype)


def feeds_of(graph, seed):
    chance, feeds = np.random.RandomState(seed), {}
    for node in graph.nodes.values():
        if node.op in FED:
            value = made_up(node.attr(b"dtype").get(6, [1])[0], _dims(node.attr(b"shape").get(7, [None])[0]), chance)
            if value is not None:
                feeds[node.name + ":0"] = value
    return feeds


# ---- the kinds of files --------------------------------------------------------------------------

def step(feeds, fetches=(), targets=()):
    return {"feeds": feeds, "fetches": list(fetches), "targets": list(targets)}


def start(graph):
    """What runs before all steps: initial values, tables, iterators."""
    other = [n.name for n in graph.leaves if STARTS.match(n.op) and not any(
        FOREIGN.match(a.op) for a in graph.ancestors(n.name))]
    first = graph.first_assigns()
    return [step({}, targets=t) for t in (first, other) if t]


def gradients_of(fetches, kinds, feeds):
    """The last number that is fetched, by each number that is fed."""
    ys = [f for f in fetches if kinds[f] == "f"][-1:]
    xs = [n for n, v in feeds.items() if KIND[v.dtype] == "f"]
    return [(ys, xs, None)] if ys and xs else []


def plain_case(path, data, catalogue, seed):
    """Everything that nothing uses, values apart from updates: at once they would race."""
    graph = Graph(with_seeds(data, catalogue), catalogue)
    first, feeds = set(graph.first_assigns()), feeds_of(graph, seed)
    values, updates = {}, []
    for leaf in graph.leaves:
        above = graph.ancestors(leaf.name)
        if any(FOREIGN.match(a.op) for a in above) or leaf.op in VARIABLES or STARTS.match(leaf.op):
            continue
        writes = {a.name for a in above if WRITES.match(a.op)}
        if writes - first:
            updates.append(leaf.name)
        elif not writes:
            values.update(graph.fetchable(leaf))
    fetches, updates = list(values)[-MOST_FETCHES:], updates[-MOST_UPDATES:]
    data, reads = with_reads(graph)
    look = [step(feeds, fetches)] if fetches else []
    train = [step(feeds, targets=[u]) for u in updates]
    runs = start(graph) + look + (train + look + train if train else look) + ([step({}, reads)] if reads else [])
    return Case(str(path), data, runs, [] if updates else gradients_of(fetches, values, feeds), 1e-5, RTOL)


def job_case(path, data, catalogue):
    """A training job as tools export it: its own initialiser, step and feeds."""
    says = {"feed": []}
    for line in path.with_suffix(".job").read_text().splitlines():
        key, *rest = line.split()
        says[key] = says["feed"] + [rest] if key == "feed" else rest[0]
    feeds = {}
    for name, dtype, rank, *dims, file in says["feed"]:
        raw = np.fromfile(path.parent / file, NUMPY[int(dtype)])
        feeds[name] = Value(raw.reshape([int(d) for d in dims[:int(rank)]]), int(dtype))
    data, reads = with_reads(Graph(with_seeds(data, catalogue), catalogue))
    train = step(feeds, [says["loss"]], [says["step"]])
    return Case(str(path), data, [step({}, targets=[says["init"]]), train, train, step(feeds, [says["loss"]]),
                                  step({}, reads)], [], 1e-4, RTOL, large=True)


def _map(meta, tag):
    """The entries of a map<string, message>."""
    found = {}
    for entry in meta.get(tag, []):
        fields = pb.parse(entry)
        found[fields[1][0].decode()] = pb.parse(fields[2][0]) if 2 in fields else {}
    return found


def _node_list(collection):
    return [v.decode() for v in pb.parse(collection.get(1, [b""])[0]).get(1, [])]


def _assets(meta, folder):
    """{tensor: path} of the asset files, which are also kept as a collection of any messages."""
    files = list(meta.get(6, []))
    collected = _map(meta, 4).get("saved_model_assets", {})
    if not files:
        files = [pb.parse(v)[2][0] for v in pb.parse(collected.get(5, [b""])[0]).get(1, [])]
    found = {}
    for data in files:
        fields = pb.parse(data)
        name = pb.parse(fields[1][0])[1][0].decode()
        path = str(folder / "assets" / fields[2][0].decode()).encode()
        found[name] = Value(np.array(path, object), STRING)
    return found


def _saved_start(meta, folder):
    runs, assets = [], _assets(meta, folder)
    if meta.get(3):
        saver = pb.parse(meta[3][0])
        prefix = str(folder / "variables" / "variables").encode()
        runs.append(step({saver[1][0].decode(): Value(np.array(prefix, object), STRING), **assets},
                         targets=[saver[3][0].decode().split(":")[0]]))
    collections, key = _map(meta, 4), "__saved_model_init_op"
    ops = [n for k in ("saved_model_main_op", "legacy_init_op") for n in _node_list(collections.get(k, {}))]
    ops += [o[1][0].decode() for k, o in _map(_map(meta, 5).get(key, {}), 2).items() if k == key]
    return runs + [step(assets, targets=[o.split(":")[0]]) for o in ops]


def saved_case(path, data, catalogue, seed):
    """A SavedModel: restored, initialised, and each signature run twice."""
    meta = pb.parse(pb.parse(data)[2][0])
    graph = Graph(with_seeds(meta[2][0], catalogue), catalogue)
    chance, runs, gradients = np.random.RandomState(seed), _saved_start(meta, path.parent), []
    for name, signature in sorted(_map(meta, 5).items()):
        infos = {k: [i for i in _map(signature, k).values() if 1 in i] for k in (1, 2)}
        feeds = {i[1][0].decode(): made_up(i.get(2, [1])[0], _dims(i.get(3, [None])[0]), chance) for i in infos[1]}
        fetches = [i[1][0].decode() for i in infos[2]]
        if name.startswith("__") or not fetches or None in feeds.values():
            continue
        runs += [step(feeds, fetches)] * 2
        kinds = {i[1][0].decode(): KIND.get(i.get(2, [1])[0]) for i in infos[2]}
        gradients = gradients or gradients_of(fetches, kinds, feeds)
    return Case(str(path), graph.data, runs, gradients, 1e-5, RTOL)


def _begins(data):
    """The first two fields of a message; None where it is none."""
    try:
        found = pb.parse(data)
        return found.get(1, [None])[0], found.get(2, [None])[0]
    except (IndexError, TypeError):
        return None, None


def kind_of(path, data):
    """What a file holds: "saved" (a version and meta graphs), "graph" (nodes), "other" for Weir to read, or None."""
    if path.suffix != ".pb":
        return "other"
    first, second = _begins(data)
    if isinstance(first, int):
        return "saved" if isinstance(second, bytes) else None
    name, op = _begins(first) if isinstance(first, bytes) else (None, None)
    if isinstance(name, bytes) and isinstance(op, bytes):
        return "graph"
    return "other" if isinstance(second, bytes) else None


def case(path, weir, catalogue, seed=0):
    """A case of a file; |weir| is a Worker that reads what is not a binary GraphDef."""
    path = pathlib.Path(path)
    if path.is_dir():
        path = path / "saved_model.pb"
    data = path.read_bytes()
    kind = kind_of(path, data)
    if kind == "saved":
        return saved_case(path, data, catalogue, seed)
    if kind == "other":
        data = weir.call("graph_read", str(path))
    if path.with_suffix(".job").exists():
        return job_case(path, data, catalogue)
    return plain_case(path, data, catalogue, seed)


def files_below(folder):
    """The files that hold graphs; a SavedModel has others with their ending beside it."""
    found = sorted(p for p in pathlib.Path(folder).rglob("*") if p.suffix in (".pb", ".pbtxt", ".meta"))
    return [p for p in found if kind_of(p, p.read_bytes())]
