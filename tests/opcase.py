"""The language of the case tables in tests/cases; tests/README.md shows it by examples."""
import re
import zlib
from dataclasses import dataclass, field, replace

import numpy as np

from dtypes import KIND, NUMPY, Value, number, short


@dataclass
class Lit:
    """An input given by value. |dtype| may name a type attr. It becomes a Const unless |fed|."""
    value: object
    dtype: object = None
    fed: bool = False


def lit(value, dtype=None, fed=False):
    return Lit(value, dtype, fed)


@dataclass
class Spec:
    """An input of random values: `"T[2,3] pos"` taken apart. Always fed."""
    dtype: str
    shape: tuple
    values: str


_SPEC = re.compile(r"^\s*(\w+)\s*\[([\d,\s]*)\]\s*(.*?)\s*$")


def parse_input(thing):
    """A Spec for a string in the form above, a Lit for anything else; lists of inputs stay lists."""
    if isinstance(thing, (Spec, Lit)):
        return thing
    if isinstance(thing, str):
        m = _SPEC.match(thing)
        if not m:
            raise ValueError("%r is not like 'T[2,3] pos'; write lit(...) for a string" % thing)
        shape = tuple(int(d) for d in m.group(2).split(",") if d.strip())
        return Spec(m.group(1), shape, m.group(3))
    if isinstance(thing, (list, tuple)) and thing and all(
            isinstance(t, (str, Lit, Spec)) for t in thing):
        return [parse_input(t) for t in thing]
    return Lit(thing)


@dataclass
class Case:
    op: str
    inputs: list = field(default_factory=list)
    attrs: dict = field(default_factory=dict)
    dtypes: object = None    # list for the first type attr, or {attr: list}; default: TensorFlow's
    grad: int = 0            # 1 or True: gradients too; 2: and gradients of gradients
    ys: object = None        # outputs to differentiate; default: every floating one
    numeric: bool = True     # float64 gradients against central differences as well
    edges: bool = True       # add empty, scalar, odd and long variants
    infer: bool = True       # inferred shapes must be TensorFlow's
    rtol: float = None
    atol: float = None
    fails: object = None     # code name, or True for "whatever TensorFlow's code is"
    says: str = None         # part of Weir's message
    compare: str = "values"  # or "shape": only dtype and shape
    check: object = None     # f(weir, tensorflow) -> complaint or None, instead of comparing
    note: str = ""           # tells cases of one op apart

    def __post_init__(self):
        self.inputs = [parse_input(i) for i in self.inputs]
        self.grad = int(self.grad)


@dataclass
class Script:
    """A graph and steps over it: |build(g)| uses g.op, g.const, g.placeholder and g.run."""
    name: str
    build: object
    alone: str = None        # why TensorFlow cannot run it: its steps say what they expect
    rtol: float = None
    atol: float = None


def script(name, **options):
    """Decorates a build function into a Script."""
    return lambda build: Script(name, build, **options)


def walk(inputs):
    for i in inputs:
        if isinstance(i, list):
            yield from i
        else:
            yield i


def map_dims(case, change, note):
    """|case| with every dimension d of its random inputs replaced by change(d), or None."""
    def one(i):
        if isinstance(i, list):
            return [one(x) for x in i]
        return replace(i, shape=change(i.shape)) if isinstance(i, Spec) else i
    inputs = [one(i) for i in case.inputs]
    if inputs == case.inputs:
        return None
    return replace(case, inputs=inputs, note=(case.note + " " + note).strip())


def edge_variants(case):
    """Empty, scalar, odd and long forms of a case. TensorFlow says which of them are errors."""
    specs = [i for i in walk(case.inputs) if isinstance(i, Spec)]
    sizes = sorted({d for s in specs for d in s.shape if d > 1}, reverse=True)
    out = [map_dims(case, lambda s, z=z: tuple(0 if d == z else d for d in s), "%d->0" % z)
           for z in sizes[:3]]
    out.append(map_dims(case, lambda s: (), "scalar"))
    out.append(map_dims(case, lambda s: tuple(2 * d + 1 if d > 1 else d for d in s), "odd"))
    if sizes and all(int(np.prod(s.shape)) <= 4096 for s in specs):
        last = next((s.shape[-1] for s in specs if s.shape and s.shape[-1] > 1), sizes[0])
        out.append(map_dims(case, lambda s: tuple(67 if d == last else d for d in s), "long"))
    return [v for v in out if v is not None]


def make_values(spec, dtype, seed):
    """The random values of a Spec for a concrete dtype; the same for the same seed text."""
    rng = np.random.RandomState(zlib.crc32(seed.encode()) & 0x7FFFFFFF)
    dtype, shape = number(dtype), spec.shape
    if dtype == 7:
        return Value(_make_strings(rng, shape), 7)
    if KIND[dtype] == "b":
        return Value(rng.randint(0, 2, shape).astype(bool), dtype)
    draw = lambda: _draw(rng, spec.values, KIND[dtype], shape, dtype)
    values = draw() + 1j * draw() if KIND[dtype] == "c" else draw()
    return Value(np.asarray(values).astype(NUMPY[dtype]), dtype)


def _draw(rng, how, kind, shape, dtype):
    whole = kind in "iu"
    low_bits = short(dtype) in ("i4", "u4")
    m = re.match(r"^(-?[\d.]+)\.\.(-?[\d.]+)$", how)
    if m:
        lo, hi = float(m.group(1)), float(m.group(2))
        if whole:
            return rng.randint(int(lo), int(hi) + 1, shape)
        return rng.uniform(lo, hi, shape)
    if how == "ints":
        return rng.randint(0 if kind == "u" else -5, 6, shape)
    if how == "distinct":
        count = int(np.prod(shape))
        return rng.permutation(count).reshape(shape) - (0 if kind == "u" else count // 2)
    if how == "nonzero":
        size = rng.randint(1, 6, shape) if whole else rng.uniform(0.3, 2.5, shape)
        return size if kind == "u" else size * rng.choice([-1, 1], shape)
    if how == "spd":
        a = rng.uniform(-1, 1, shape)
        return np.matmul(a, np.swapaxes(a, -1, -2)) + 2 * np.eye(shape[-1])
    ranges = {"": (-2.5, 2.5), "pos": (0.1, 3.0), "unit": (-0.95, 0.95), "prob": (0.05, 0.95)}
    if how not in ranges:
        raise ValueError("no value range %r" % how)
    lo, hi = ranges[how]
    if whole:
        lo, hi = {"": (-10, 10), "pos": (1, 10)}.get(how, (0, 1))
        if low_bits:
            lo, hi = max(lo, -7), min(hi, 7)
        return rng.randint(0 if kind == "u" and lo < 0 else lo, hi + 1, shape)
    return rng.uniform(lo, hi, shape)


def _make_strings(rng, shape):
    """Short, empty, and longer than a small string can hold; with bytes that are not text."""
    out = np.empty(shape, dtype=object)
    for i in np.ndindex(*shape):
        length = int(rng.choice([0, 1, 5, 12, 22, 23, 60]))
        out[i] = bytes(rng.choice(list(b"abcXYZ 019_-\xc3\xa9\x00"), length).astype(np.uint8))
    return out
