"""Turns cases into trials: one concrete graph each, with feeds, and what to fetch."""
import zlib

import numpy as np

import graphs
from dtypes import KIND, NUMBER, SHORT, Value, number, short
from opcase import Case, Lit, Script, Spec, edge_variants, make_values, walk

# Preference for the dtype of a trial that does not vary it.
_USUAL = [1, 3, 9, 2, 7, 10]


class Trial:
    """A case with its dtypes fixed."""

    def __init__(self, case, types, base, edge=False):
        self.case, self.types, self.edge = case, types, edge
        self.base = base  # the case's own shapes and usual dtypes: TensorFlow must accept it
        self.op = case.op
        kinds = " ".join("%s=%s" % (k, short(v)) for k, v in types.items())
        self.label = " ".join(x for x in (case.op, kinds, case.note) if x)


class ScriptTrial:
    def __init__(self, script):
        self.script, self.label, self.op = script, script.name, script.name


def trials_of(thing):
    """Every trial of a Case or Script."""
    if isinstance(thing, Script):
        return [ScriptTrial(thing)]
    combos = expand_types(thing)
    out = [Trial(thing, t, base=(i == 0)) for i, t in enumerate(combos)]
    if thing.edges and not thing.fails:
        out += [Trial(v, combos[0], base=False, edge=True) for v in edge_variants(thing)]
    return out


def free_types(case, definition):
    """Type attrs that the case leaves open, in order: named in inputs or "*" in attrs."""
    type_attrs = {a.name for a in definition.attr if a.type == "type"}
    free = []
    for i in walk(case.inputs):
        if isinstance(i, (Spec, Lit)) and i.dtype in type_attrs and i.dtype not in case.attrs:
            free.append(i.dtype)
    for arg, i in zip(definition.input_arg, case.inputs):
        if arg.type_attr and isinstance(i, Lit) and i.dtype is None and (
                not isinstance(i.value, (Value, np.ndarray))):
            free.append(arg.type_attr)
    fixed = {arg.type_attr for arg, i in zip(definition.input_arg, case.inputs)
             if arg.type_attr for x in walk([i])
             if isinstance(x, Spec) and x.dtype in NUMBER}
    free += [k for k, v in case.attrs.items() if isinstance(v, str) and v == "*"]
    explicit = {k for k, v in case.attrs.items() if not (isinstance(v, str) and v == "*")}
    return [f for f in dict.fromkeys(free) if f not in explicit and f not in fixed]


def allowed_types(case, definition, attr, first):
    """The dtypes to try for |attr|: the case's, else those of TensorFlow's CPU kernels."""
    if isinstance(case.dtypes, dict) and attr in case.dtypes:
        return [number(t) for t in case.dtypes[attr]]
    if isinstance(case.dtypes, (list, tuple)) and first:
        return [number(t) for t in case.dtypes]
    found = set()
    kernels = graphs.cpu_kernels(case.op)
    for row in kernels:
        found |= row.get(attr, set())
    a = next(a for a in definition.attr if a.name == attr)
    declared = set(a.allowed_values.list.type)
    if any(attr not in row for row in kernels) or not kernels:
        found |= declared or {1, 2, 3, 9, 7, 10}
    if declared:
        found &= declared
    return sorted(t for t in found if t in SHORT and KIND[t] != "h")


def expand_types(case):
    """[{attr: dtype}]: the usual one first, then each attr varied with the others as usual."""
    definition = graphs.op_def(case.op)
    free = free_types(case, definition)
    choices = {f: allowed_types(case, definition, f, f == free[0]) for f in free}
    usual = {f: _usual(definition, f, c) for f, c in choices.items()}
    combos = [usual]
    for f in free:
        for t in choices[f]:
            combo = _supported(case.op, {**usual, f: t}, f, choices)
            if combo and combo not in combos:
                combos.append(combo)
    return combos


def _usual(definition, attr, choices):
    if not choices:
        raise ValueError("%s: no dtype for attr %s" % (definition.name, attr))
    a = next(a for a in definition.attr if a.name == attr)
    want = ([a.default_value.type] if a.HasField("default_value") else []) + _USUAL
    return next((t for t in want if t in choices), choices[0])


def _supported(op, combo, varied, choices):
    """|combo|, with attrs other than |varied| moved until some kernel takes it; or None."""
    rows = graphs.cpu_kernels(op)
    fits = lambda row, c: all(c[k] in row[k] for k in c if k in row)
    if not rows or any(fits(row, combo) for row in rows):
        return combo
    for row in rows:
        if combo[varied] in row.get(varied, {combo[varied]}):
            moved = {k: v if k == varied or v in row.get(k, {v}) else
                     next((t for t in choices[k] if t in row[k]), None) for k, v in combo.items()}
            if None not in moved.values():
                return moved
    return None


class Built:
    """A trial's graph: what to feed, to run, and to differentiate."""

    def __init__(self):
        self.graph = graphs.GraphBuilder()
        self.feeds = {}      # name -> Value
        self.x = []          # fed floating inputs, in order
        self.setup = []      # steps before the one under test
        self.after = []      # state to fetch after it
        self.node = None

    def fetches(self):
        return [str(o) for o in self.node if KIND.get(o.dtype) != "h"]

    def runs(self):
        one = {"feeds": self.feeds, "fetches": self.fetches(), "targets": [self.node.name]}
        runs = self.setup + [one]
        if self.after:
            runs.append({"feeds": {}, "fetches": self.after, "targets": []})
        return runs


def build(trial):
    """The graph of a trial: placeholders and constants, then the op, named "op"."""
    case, built = trial.case, Built()
    definition = graphs.op_def(case.op)
    args = []
    for k, (arg, i) in enumerate(zip(definition.input_arg, case.inputs)):
        if isinstance(i, list):
            args.append([_input(built, trial, arg, x, "in%d_%d" % (k, j))
                         for j, x in enumerate(i)])
        elif arg.number_attr or arg.type_list_attr:
            args.append([])  # a literal empty list
        else:
            args.append(_input(built, trial, arg, i, "in%d" % k))
    attrs = {k: v for k, v in case.attrs.items() if not (isinstance(v, str) and v == "*")}
    built.node = built.graph.op(case.op, *args, _name="op", **{**trial.types, **attrs})
    return built


def _input(built, trial, arg, i, name):
    token = i.dtype
    if token in trial.types:
        dtype = trial.types[token]
    elif token in trial.case.attrs:
        dtype = number(trial.case.attrs[token])
    elif token is not None:
        dtype = number(token)
    else:
        dtype = arg.type or trial.types.get(arg.type_attr) or trial.case.attrs.get(arg.type_attr)
        dtype = number(dtype) if dtype else None
    if isinstance(i, Lit):
        value = Value(i.value, dtype)
    else:
        value = make_values(i, dtype, "%s %s" % (trial.op, name))
    if arg.is_ref:
        return _ref_variable(built, value, name)
    if arg.type == 20 and value.dtype != 20:
        return _resource_variable(built, value, name)
    if isinstance(i, Lit) and not i.fed:
        return built.graph.const(value, _name=name)[0]
    out = built.graph.placeholder(value.dtype, value.shape, _name=name)[0]
    built.feeds[str(out)] = value
    if KIND[value.dtype] in "fc":
        built.x.append(str(out))
    return out


def _ref_variable(built, value, name):
    g = built.graph
    var = g.op("VariableV2", _name=name, dtype=value.dtype, shape=value.shape)
    assign = g.op("Assign", var, g.const(value), _name=name + "_init")
    built.setup.append({"feeds": {}, "fetches": [], "targets": [assign.name]})
    built.after.append(str(g.op("Identity", var, _name=name + "_read")[0]))
    return var[0]


def _resource_variable(built, value, name):
    g = built.graph
    var = g.op("VarHandleOp", _name=name, dtype=value.dtype, shape=value.shape, shared_name=name)
    assign = g.op("AssignVariableOp", var, g.const(value), _name=name + "_init")
    built.setup.append({"feeds": {}, "fetches": [], "targets": [assign.name]})
    built.after.append(str(g.op("ReadVariableOp", var, _name=name + "_read",
                                dtype=value.dtype)[0]))
    return var[0]


def seeded_like(value, seed):
    """Random values of a value's dtype and shape."""
    rng = np.random.RandomState(zlib.crc32(seed.encode()) & 0x7FFFFFFF)
    a = rng.uniform(-1, 1, value.shape)
    if KIND[value.dtype] == "c":
        a = a + 1j * rng.uniform(-1, 1, value.shape)
    return Value(a, value.dtype)
