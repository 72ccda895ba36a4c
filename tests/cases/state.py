"""Variables by reference and by handle: assignment, scattering, gathering, counting."""
import numpy as np

from opcase import Case, lit, script

CASES = [
    Case("Assign", ["T[3]", "T[3]"]),
    Case("Assign", ["T[3]", "T[2]"], attrs={"validate_shape": False}, edges=False),
    Case("AssignAdd", ["T[2,3]", "T[2,3]"]),
    Case("AssignSub", ["T[2,3]", "T[2,3]"]),
    Case("AssignAdd", ["T[70001]", "T[70001]"], dtypes=["f32", "i64"], edges=False, note="threads"),
    Case("AssignAddVariableOp", ["dtype[2,3]", "dtype[2,3]"]),
    Case("AssignSubVariableOp", ["dtype[2,3]", "dtype[2,3]"]),
    Case("ResourceGather", ["dtype[5,3]", lit([[1, 4], [1, 0]], "Tindices")], edges=False),
    Case("ResourceGather", ["dtype[2,5,3]", lit([[1, 4], [1, 0]], "Tindices")],
         attrs={"batch_dims": 1}, dtypes=["f32"], edges=False),
    Case("ResourceGatherNd", ["dtype[4,3]", lit([[1, 2], [3, 0]], "Tindices")], edges=False),
    Case("ResourceGatherNd", ["dtype[4,3]", lit([[1], [3]], "Tindices")], dtypes=["f32", "i32"],
         edges=False),
    Case("VariableShape", ["f32[4,3]"], attrs={"out_type": "*"}),
    Case("IsVariableInitialized", ["dtype[3]"], dtypes=["f32", "i32"]),
    Case("VarIsInitializedOp", ["f32[3]"]),
    Case("CountUpTo", [lit(2, "T")], attrs={"limit": 5}),
    Case("ScatterAdd", ["T[4,3]", lit([1, 9], "Tindices", fed=True), "T[2,3]"], dtypes=["f32"],
         edges=False, fails="INVALID_ARGUMENT", says="indices[1] = 9 is not in [0, 4)"),
    Case("ScatterNdAdd", ["T[4,3]", lit([[1], [9]], "Tindices", fed=True), "T[2,3]"], dtypes=["f32"],
         edges=False, fails="INVALID_ARGUMENT",
         says="indices[1] = [9] does not index into shape [4,3]"),
]

for op in ["Update", "Add", "Sub", "Mul", "Div", "Min", "Max"]:
    values = "nonzero" if op == "Div" else ""
    for form, t in [("Scatter", "T"), ("ResourceScatter", "dtype")]:
        CASES += [
            Case(form + op, [t + "[4,3]", lit([1, 3, 1], "Tindices"), t + "[3,3] " + values], edges=False),
            Case(form + op, [t + "[4]", lit([[0, 2]], "Tindices"), t + "[1,2] " + values], edges=False,
                 dtypes=["f32", "i32"]),
            Case(form + op, [t + "[4,3]", lit([1, 3], "Tindices"), t + "[] " + values], edges=False,
                 note="one for all"),
        ]
for op in ["Update", "Add", "Sub", "Min", "Max"]:
    for form in ["ScatterNd", "ResourceScatterNd"]:
        CASES += [
            Case(form + op, ["T[4,3]", lit([[1, 2], [3, 0], [1, 1]], "Tindices"), "T[3]"], edges=False),
            Case(form + op, ["T[4,3]", lit([[1], [3]], "Tindices"), "T[2,3]"], edges=False),
        ]
    CASES.append(Case("ResourceScatterNd" + op, ["T[4,3]", lit([[1], [9]], "Tindices"), "T[2,3]"],
                      attrs={"bad_indices_policy": "IGNORE"}, dtypes=["f32"], edges=False))


@script("reference_before_it_has_a_value")
def uninitialized(g):
    w = g.op("VariableV2", shape=[2], dtype="f32")
    g.run([g.op("Identity", w)])
    g.run([g.op("AssignAdd", w, g.const([1.0, 2.0]))])
    g.run([g.op("IsVariableInitialized", w)])
    g.run([g.op("Assign", w, g.const([1.0, 2.0, 3.0]))])
    g.run([g.op("Assign", w, g.const([1.0, 2.0]))])
    g.run([g.op("IsVariableInitialized", w)])
    g.run([g.op("AssignAdd", w, g.const([1.0, 2.0]))])
    g.run([g.op("Identity", w)])


@script("handle_before_it_has_a_value")
def uninitialized_handle(g):
    h = g.op("VarHandleOp", dtype="f32", shape=[2], shared_name="v")
    read = g.op("ReadVariableOp", h, dtype="f32")
    g.run([read])
    g.run([g.op("VarIsInitializedOp", h)])
    g.run(targets=[g.op("DisableCopyOnRead", h)])
    g.run(targets=[g.op("AssignAddVariableOp", h, g.const([1.0, 2.0]))])
    g.run(targets=[g.op("AssignVariableOp", h, g.const([1.0, 2.0]))])
    g.run([read])
    g.run([g.op("VarIsInitializedOp", h)])
    g.run(targets=[g.op("DisableCopyOnRead", h)])
    g.run(targets=[g.op("AssignAddVariableOp", h, g.const([1.0, 2.0]))])
    g.run([read])
    g.run([g.op("VariableShape", h)])
    g.run(targets=[g.op("DestroyResourceOp", h)])
    g.run([read])
    g.run(targets=[g.op("DestroyResourceOp", h, ignore_lookup_error=False)])


@script("updates_of_other_shapes")
def other_shapes(g):
    """Of a handle only the rank is checked, and that each row has as many elements."""
    for k, (params, indices, updates) in enumerate([
            ([4, 2, 3], [3, 1], [2, 3, 2]), ([4, 2, 3], [], [5, 1, 7]), ([2, 1, 0], [1], [1, 2, 0]), ([2, 3], [[1, 0]], [1, 2, 3]),
            ([2, 3], [[1, 0]], [2, 1, 3])]):
        h = g.op("VarHandleOp", dtype="f32", shape=params, shared_name="v%d" % k)
        at, by = g.placeholder("i32"), g.placeholder("f32")
        g.run(targets=[g.op("AssignVariableOp", h, g.const(np.ones(params, np.float32)))])
        feeds = {at: np.array(indices, np.int32), by: np.arange(np.prod(updates), dtype=np.float32).reshape(updates)}
        for name in ("Update", "Add"):
            g.run(targets=[g.op("ResourceScatter" + name, h, at, by)], feeds=feeds)
        g.run([g.op("ReadVariableOp", h, dtype="f32")])


@script("shared_name")
def shared(g):
    a = g.op("VariableV2", shape=[2], dtype="f32", shared_name="one")
    b = g.op("VariableV2", shape=[2], dtype="f32", shared_name="one")
    g.run([g.op("Assign", a, g.const([1.0, 2.0]))])
    g.run([g.op("Identity", b)])
    other = g.op("VariableV2", shape=[2], dtype="f32", shared_name="one", container="box")
    g.run([g.op("IsVariableInitialized", other)])
    wrong = g.op("VariableV2", shape=[2], dtype="i32", shared_name="one")
    g.run([g.op("Identity", wrong)])


@script("count_up_to")
def count(g):
    w = g.op("VariableV2", shape=[], dtype="i64")
    g.run([g.op("Assign", w, g.const(0, "i64"))])
    up = g.op("CountUpTo", w, limit=2)
    for _ in range(4):
        g.run([up])
    h = g.op("VarHandleOp", dtype="i32", shape=[])
    g.run(targets=[g.op("AssignVariableOp", h, g.const(0, "i32"))])
    up = g.op("ResourceCountUpTo", h, limit=2, T="i32")
    for _ in range(4):
        g.run([up])


@script("temporary_variable")
def temporary(g):
    t = g.op("TemporaryVariable", shape=[2], dtype="f32", var_name="tmp")
    t = g.op("Assign", t, g.const([1.0, 2.0]))
    t = g.op("AssignAdd", t, g.const([3.0, 4.0]))
    g.run([g.op("DestroyTemporaryVariable", t, var_name="tmp")])


CASES += [uninitialized, uninitialized_handle, shared, count, temporary]


@script("Variable")
def variable(g):
    v = g.op("Variable", shape=[2], dtype="f32")
    g.run([v])
    g.run([g.op("Assign", v, g.const([1.0, 2.0]))])
    g.run([v])


CASES.append(variable)
