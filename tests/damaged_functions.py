"""damaged_functions: graphs from seeds whose functions are wrong somewhere.

A FunctionDef comes from a client or a file: names of inputs, indices of outputs, types and counts of arguments, ops,
attrs and results may each be anything. `graph(seed)` gives a GraphDef with a few calls of a few functions in which one
to three such things were changed.
"""
import random

import numpy as np

from dtypes import Value
from pb import Func, GraphDef, Shape, T, attr, entry, field_bytes, field_int, node_def, number

F, I, B = T("f32"), T("i32"), T("bool")
INDICES = (-1, 0, 1, 2, 7, 99, 1 << 16, 1 << 31, 1 << 40, -1 << 62)
INTERNAL = ("_Arg", "_Retval", "_Cell", "_Elements", "_StackedElements", "_Panels", "_MatMulPanels", "_CopyIn", "_CopyOut",
            "_ProductsBegin", "_ProductsEnd", "_MaxPoolPlaces", "_PlacesGrad", "_ApplyMany", "_Dropout", "_Recv", "_Send",
            "_HostRecv", "_HostSend", "_SwitchN", "NoSuchOp", "")


def argument(name, dtype=None, type_attr="", number_attr="", list_attr=""):
    out = field_bytes(1, name) + (field_int(3, number(dtype)) if dtype else b"")
    for tag, text in ((4, type_attr), (5, number_attr), (6, list_attr)):
        out += field_bytes(tag, text) if text else b""
    return out


class Function:
    """What a FunctionDef says, to be changed before it is written."""

    def __init__(self, name, inputs, outputs, attrs, body, returns):
        self.name, self.inputs, self.outputs, self.attrs = name, inputs, outputs, attrs
        self.body, self.returns = body, returns

    def bytes(self):
        signature = field_bytes(1, self.name)
        signature += b"".join(field_bytes(2, argument(**a)) for a in self.inputs)
        signature += b"".join(field_bytes(3, argument(**a)) for a in self.outputs)
        signature += b"".join(field_bytes(4, field_bytes(1, k) + field_bytes(2, t)) for k, t in self.attrs.items())
        out = field_bytes(1, signature)
        out += b"".join(field_bytes(3, node_def(n["op"], n["name"], n["in"], "", n["attrs"])) for n in self.body)
        return out + b"".join(entry_text(4, k, v) for k, v in self.returns.items())


def entry_text(tag, key, value):
    return field_bytes(tag, field_bytes(1, key) + field_bytes(2, value))


def node(op, name, inputs, **attrs):
    return {"op": op, "name": name, "in": list(inputs), "attrs": attrs}


def functions():
    """Of one value, of a repeated type, of a list of types, with a loop, with calls."""
    one = Function("One", [dict(name="x", dtype="f32")], [dict(name="y", dtype="f32")], {},
                   [node("Neg", "b", ["a:y:0"], T=F), node("Neg", "a", ["x"], T=F)], {"y": "b:y:0"})
    many = Function("Many", [dict(name="xs", type_attr="T", number_attr="N")], [dict(name="y", type_attr="T")],
                    {"T": "type", "N": "int"}, [node("Neg", "a", ["xs:1", "^xs"], T=F),
                                                node("AddN", "sum", ["xs:0", "xs:1", "a:y:0"], T=F, N=3)],
                    {"y": "sum:sum:0"})
    mixed = Function("Mixed", [dict(name="xs", list_attr="Ts")], [dict(name="ys", list_attr="Ts")], {"Ts": "list(type)"},
                     [node("IdentityN", "all", ["xs:0", "xs:1"], T=[F, I])], {"ys": "all:output:0"})
    loop = Function("Loop", [dict(name="x", dtype="f32")], [dict(name="y", dtype="f32")], {}, [
        node("Enter", "enter", ["x"], T=F, frame_name="f"), node("Merge", "merge", ["enter:output:0", "next:output:0"],
                                                                 T=F, N=2),
        node("Const", "limit", ["^enter"], dtype=F, value=Value(np.float32(9))),
        node("Enter", "bound", ["limit:output:0"], T=F, frame_name="f", is_constant=True),
        node("Less", "less", ["merge:output:0", "bound:output:0"], T=F), node("LoopCond", "cond", ["less:z:0"]),
        node("Switch", "switch", ["merge:output:0", "cond:output:0"], T=F),
        node("AddV2", "more", ["switch:output_true:0", "bound:output:0"], T=F),
        node("NextIteration", "next", ["more:z:0"], T=F), node("Exit", "exit", ["switch:output_false:0"], T=F)],
        {"y": "exit:output:0"})
    caller = Function("Caller", [dict(name="x", dtype="f32")], [dict(name="y", dtype="f32")], {}, [
        node("PartitionedCall", "c", ["x"], Tin=[F], Tout=[F], f=Func("One")),
        node("One", "d", ["c:output:0"])], {"y": "d:y:0"})
    return [one, many, mixed, loop, caller]


def calls(g, rng):
    """Nodes that call them, each called n0, n1 ...; half of them give the right attrs."""
    x, i = g.const(1.0), g.const(2, "i32")
    wrong = lambda value: rng.choice((value, value, value, "text", 7, -1, 1 << 40, 1.5, [F], [I, I], True, Shape([2]), F))
    ways = [
        lambda n: g.node("PartitionedCall", x, Tin=[F], Tout=[F], f=Func("One"), name=n),
        lambda n: g.node("StatefulPartitionedCall", x, Tin=[F], Tout=[F], f=Func("Loop"), name=n),
        lambda n: g.node("PartitionedCall", x, x, Tin=[F, F], Tout=[F], name=n, f=Func("Many", T=wrong(F), N=wrong(2))),
        lambda n: g.node("PartitionedCall", x, i, Tin=[F, I], Tout=[F, I], f=Func("Mixed", Ts=wrong([F, I])), name=n),
        lambda n: g.node("Many", x, x, T=wrong(F), N=wrong(2), name=n),
        lambda n: g.node("Caller", x, name=n),
        lambda n: g.node("RemoteCall", g.const("/cpu:0", "str"), x, Tin=[F], Tout=[F], f=Func("Caller"), name=n),
        lambda n: g.node("If", g.const(True, "bool"), x, Tcond=B, Tin=[F], Tout=[F], then_branch=Func("One"),
                         else_branch=Func("Loop"), name=n),
        lambda n: g.node("SymbolicGradient", x, x, Tin=[F, F], Tout=[F], f=Func("One"), name=n),
        lambda n: g.node("MapDefun", g.const(np.ones(3, np.float32)), Targuments=[F], Tcaptured=[], output_types=[F],
                         output_shapes=[Shape([])], f=Func("One"), name=n),
    ]
    chosen = rng.sample(ways, 3)
    for k, way in enumerate(chosen):
        way("n%d" % k)
    return ["n%d:0" % k for k in range(len(chosen))]


def damage_text(rng, text, names):
    """Another spelling of an input or a result."""
    base = text.split(":")[0]
    k = rng.choice(INDICES)
    return rng.choice((base, "%s:%d" % (base, k), "%s:output:%d" % (base, k), "%s:%d" % (text, k), "^" + base, "^" + text,
                       rng.choice(names), rng.choice(names) + ":0", "%s:y:%d" % (rng.choice(names), k), "", ":", "^",
                       "nowhere", "nowhere:output:0", text + ":", "x" * 5000, base + ":0x7", base + ":9" * 3))


def damage(rng, functions):
    f = rng.choice(functions)
    n = rng.choice(f.body)
    names = [m["name"] for m in f.body] + [a["name"] for a in f.inputs] or ["x"]
    kind = rng.randrange(9)
    if kind == 0 and n["in"]:
        n["in"][rng.randrange(len(n["in"]))] = damage_text(rng, rng.choice(n["in"]), names)
    elif kind == 1:
        n["in"].append(damage_text(rng, rng.choice(names), names))
    elif kind == 2:
        key = rng.choice(list(f.returns))
        f.returns[key] = damage_text(rng, f.returns[key], names)
    elif kind == 3:
        n["op"] = rng.choice(INTERNAL)
        n["attrs"] = dict(n["attrs"], index=rng.choice(INDICES), T=F)
    elif kind == 4 and n["attrs"]:
        n["attrs"][rng.choice(list(n["attrs"]))] = rng.choice((I, -1, 1 << 40, [F], [], "text", Func("One"), Shape([-5])))
    elif kind == 5:
        n["name"] = rng.choice(names + ["", ":", "^a"])
    elif kind == 6:
        a = rng.choice(f.inputs + f.outputs)
        a[rng.choice(("type_attr", "number_attr", "list_attr", "name"))] = rng.choice(("T", "N", "Ts", "x", "nothing", ""))
    elif kind == 7:
        f.body.remove(n)
    else:
        f.body.append(node(rng.choice(INTERNAL), "evil", rng.sample(names, min(1, len(names))), T=F, tensor_type=F,
                           index=rng.choice(INDICES), dtype=F))


def graph(seed):
    """(GraphDef, what to fetch)"""
    rng, g = random.Random(seed), GraphDef()
    all_of_them = functions()
    for _ in range(rng.choice((1, 1, 2, 3))):
        f = rng.choice(all_of_them)
        if f.body:
            damage(rng, [f])
    fetches = calls(g, rng)
    g.functions = [field_bytes(1, f.bytes()) for f in all_of_them]
    return g.bytes(), fetches
