"""Sparse tensors, sets and ragged tensors."""
import numpy as np

from opcase import Case, lit, script

F = ["f32"]
INVALID = "INVALID_ARGUMENT"
AT = [[0, 1], [0, 3], [2, 0], [2, 2]]  # of a [3, 4] tensor
SHAPE = [3, 4]


def idx(at, fed=False):
    return lit(at, "i64", fed)


def sparse(at=AT, shape=SHAPE, values="T[4]", fed=False):
    return [idx(at, fed), values, idx(shape, fed)]


CASES = [
    Case("SparseToDense", [lit(AT, "Tindices"), lit(SHAPE, "Tindices"), "T[4]", "T[]"], grad=True,
         edges=False),
    Case("SparseToDense", [lit([1, 3]), lit([5]), "T[]", "T[]"], dtypes=F, edges=False),
    Case("SparseToDense", [lit(2), lit([5]), "T[]", "T[]"], dtypes=F, edges=False),
    Case("SparseToDense", [lit([[0, 3], [0, 1]], fed=True), lit(SHAPE), "T[2]", "T[]"], dtypes=F,
         fails=INVALID, says="is out of order", edges=False),
    Case("SparseToDense", [lit([[0, 3], [0, 3]], fed=True), lit(SHAPE), "T[2]", "T[]"], dtypes=F,
         fails=INVALID, says="is repeated", edges=False),
    Case("SparseToDense", [lit([[0, 3], [0, 4]], fed=True), lit(SHAPE), "T[2]", "T[]"], dtypes=F,
         fails=INVALID, says="is out of bounds: need 0 <= index < [3,4]", edges=False),
    Case("SparseToDense", [lit([[0, 3], [0, 1]], fed=True), lit(SHAPE), "T[2]", "T[]"], dtypes=F,
         attrs={"validate_indices": False}, edges=False),
    Case("SparseToDense", [lit([1, 3], fed=True), lit([5]), "T[2,1]", "T[]"], dtypes=F, fails=INVALID,
         says="sparse_values has incorrect shape [2,1], should be [] or [2]", edges=False),
    Case("SparseToDense", [lit([1, 3], fed=True), lit([5]), "T[2]", "T[1]"], dtypes=F, fails=INVALID,
         says="default_value should be a scalar", edges=False),
    Case("SparseReorder", [idx([[0, 0, 0]], True), "T[3]", idx([3, 3], True)], dtypes=F, fails=INVALID,
         edges=False, says="Number of elements in"),
    Case("SparseSplit", [idx(-1)] + sparse(), attrs={"num_split": 2}, dtypes=F, edges=False),
    Case("SparseSplit", [idx(-3, True)] + sparse(), attrs={"num_split": 2}, dtypes=F, edges=False,
         fails=INVALID, says="axis should be in range [-2, 2), got -3"),
    Case("SparseSplit", [idx([1, 2], True)] + sparse(), attrs={"num_split": 2}, dtypes=F, edges=False,
         fails=INVALID, says="axis should be a scalar"),
    Case("SparseSplit", [idx(1)] + sparse([[0, 0], [1, 10], [-1, 2]], values="T[3]", fed=True),
         attrs={"num_split": 2}, dtypes=F, edges=False, fails=INVALID, says="out of bounds"),
    *[Case("SparseTensorDenseAdd", [idx(at, True), values, idx(SHAPE, True), "T[3,4]"],
           dtypes={"T": F, "Tindices": ["i64"]}, edges=False, fails=INVALID, says=says)
      for at, values, says in [
          ([[0, 0]] * 7, "T[5]", "Dimensions 7 and 5 are not compatible"),
          ([[0, 0, 0, 0]] * 7, "T[7]", "Dimensions 4 and 2 are not compatible"),
          ([[-1, 0]], "T[1]", "invalid index on dimension 0"), ([[1, 4]], "T[1]", "invalid index")]],
    Case("SparseReshape", [idx(AT), idx(SHAPE), idx([2, -1])]),
    Case("SparseReshape", [idx(AT), idx(SHAPE), idx([5, -1], fed=True)], fails=INVALID),
    Case("SparseReshape", [idx(AT), idx(SHAPE), idx([5, 2], fed=True)], fails=INVALID),
    Case("SparseReorder", sparse([[2, 0], [0, 3], [2, 2], [0, 1]]), grad=True, edges=False),
    Case("SparseConcat", [[idx(AT), idx([[1, 1]])], ["T[4]", "T[1]"], [idx(SHAPE), idx([3, 2])]],
         attrs={"concat_dim": 1}, edges=False),
    Case("SparseConcat", [[idx(AT), idx([[1, 1]])], ["T[4]", "T[1]"], [idx(SHAPE), idx([2, 4])]],
         attrs={"concat_dim": -2}, dtypes=F, edges=False),
    Case("SparseConcat", [[idx(AT), idx([[1, 1]])], ["T[4]", "T[1]"],
                          [idx(SHAPE, True), idx([2, 3], True)]],
         attrs={"concat_dim": 0}, dtypes=F, fails=INVALID, edges=False),
    Case("SparseSplit", [idx(1)] + sparse(), attrs={"num_split": 2}, edges=False),
    Case("SparseSplit", [idx(0)] + sparse(), attrs={"num_split": 2}, dtypes=F, edges=False),
    Case("SparseSplit", [idx(0, True)] + sparse(), attrs={"num_split": 4}, dtypes=F, fails=INVALID,
         edges=False),
    Case("SparseSlice", sparse() + [idx([0, 1]), idx([2, 5])], grad=True, edges=False),
    Case("SparseSliceGrad", ["T[2]", idx(AT), idx([0, 1]), idx([[0, 0], [0, 2]])], edges=False),
    Case("SparseAdd", sparse() + sparse([[0, 1], [1, 1], [2, 2]], values="T[3]") + [lit(0.0)],
         dtypes={"T": F, "Treal": F}, grad=True, edges=False),
    Case("SparseAdd", sparse() + sparse([[0, 1], [1, 1], [2, 2]], values="T[3]") + [lit(1.0)],
         dtypes={"T": F, "Treal": F}, grad=True, numeric=False, edges=False),
    Case("SparseAddGrad", ["T[5]", idx(AT), idx([[0, 1], [1, 1], [2, 2]]),
                           idx([[0, 1], [0, 3], [1, 1], [2, 0], [2, 2]])], edges=False),
    Case("SparseSparseMaximum", sparse() + sparse([[0, 1], [1, 1], [2, 2]], values="T[3]"),
         edges=False),
    Case("SparseSparseMinimum", sparse() + sparse([[0, 1], [1, 1], [2, 2]], values="T[3]"),
         edges=False),
    Case("SparseTensorDenseMatMul", [lit(AT, "Tindices"), "T[4]", idx(SHAPE), "T[4,5]"], grad=True,
         edges=False),
    Case("SparseTensorDenseMatMul", [lit(AT, "Tindices"), "T[4]", idx(SHAPE), "T[5,3]"],
         attrs={"adjoint_a": True, "adjoint_b": True}, dtypes={"T": ["f32", "c64"]}, grad=True,
         edges=False),
    Case("SparseTensorDenseMatMul", [idx([[0, 4]], True), "T[1]", idx(SHAPE), "T[4,5]"],
         dtypes={"T": F, "Tindices": ["i64"]}, fails=INVALID, edges=False),
    Case("SparseTensorDenseAdd", [lit(AT, "Tindices"), "T[4]", lit(SHAPE, "Tindices"), "T[3,4]"],
         grad=True, edges=False),
    Case("SparseDenseCwiseMul", sparse() + ["T[3,4]"], grad=True, edges=False),
    Case("SparseDenseCwiseMul", sparse() + ["T[4]"], dtypes=F, grad=True, edges=False),
    Case("SparseDenseCwiseDiv", sparse() + ["T[3,1] nonzero"], grad=True, edges=False),
    Case("SparseDenseCwiseAdd", sparse() + ["T[]"], edges=False),
    Case("SparseDenseCwiseAdd", sparse(fed=True) + ["T[3]"], dtypes=F, fails=INVALID, edges=False),
    Case("SparseReduceSum", sparse() + [lit([0])], grad=True, edges=False),
    Case("SparseReduceSum", sparse() + [lit([-1])], attrs={"keep_dims": True}, dtypes=F, grad=True,
         edges=False),
    Case("SparseReduceSum", sparse() + [lit([0, 1])], dtypes=F, grad=True, edges=False),
    Case("SparseReduceSum", sparse() + [lit([2], fed=True)], dtypes=F, fails=INVALID, edges=False),
    Case("SparseReduceMax", sparse() + [lit([0])], edges=False),
    Case("SparseReduceSumSparse", sparse() + [lit([1])], edges=False),
    Case("SparseReduceSumSparse", sparse() + [lit([0])], attrs={"keep_dims": True}, dtypes=F,
         edges=False),
    Case("SparseReduceMaxSparse", sparse() + [lit([1])], edges=False),
    Case("SparseSoftmax", sparse(), dtypes=["f32", "f64"], grad=True, edges=False),
    Case("SparseSoftmax", sparse(), dtypes=["f16"], grad=True, rtol=2e-2, edges=False),
    Case("SparseFillEmptyRows", sparse() + ["T[]"], grad=True, edges=False),
    Case("SparseFillEmptyRows", sparse([[3, 1]], values="T[1]", fed=True) + ["T[]"], dtypes=F,
         fails=INVALID, edges=False),
    Case("SparseFillEmptyRowsGrad", [idx([0, 2, 3]), "T[5]"], edges=False),
    Case("SparseMatMul", ["Ta[3,4]", "Tb[4,5]"], grad=True, rtol=2e-2, atol=2e-2),
    Case("SparseMatMul", ["Ta[4,3]", "Tb[5,4]"], attrs={"transpose_a": True, "transpose_b": True,
                                                       "a_is_sparse": True},
         dtypes={"Ta": F, "Tb": F}, grad=True),
    Case("SerializeSparse", sparse(), dtypes=["f32", "i64"], attrs={"out_type": "str"},
         edges=False),
    Case("SerializeManySparse", sparse(), dtypes=["f32"], attrs={"out_type": "str"}, edges=False),
    Case("RaggedRange", [lit([0, 5, 8], "T"), lit([3, 5, 12], "T"), lit([1, 1, 3], "T")]),
    Case("RaggedRange", [lit([0, 5, 8]), lit([3, 2, 12]), lit(-1)]),
    Case("RaggedRange", [lit([0.5, 5, 8]), lit(9.0), lit(0.25)], dtypes={"T": F}),
    Case("RaggedRange", [lit([0, 5, 8], fed=True), lit([3, 5, 12]), lit(0, fed=True)], fails=INVALID),
    Case("RaggedTensorToSparse", [[lit([0, 2, 2, 5], "Tsplits")], "T[5]"],
         attrs={"RAGGED_RANK": 1}, edges=False),
    Case("RaggedTensorToSparse", [[lit([0, 2, 3], "i64"), lit([0, 2, 2, 5], "i64")], "T[5,2]"],
         attrs={"RAGGED_RANK": 2}, dtypes={"T": F, "Tsplits": ["i64"]}, grad=True, edges=False),
    Case("RaggedTensorToSparse", [[lit([0, 2, 1, 5], "i64", True)], "T[5]"],
         attrs={"RAGGED_RANK": 1}, dtypes={"T": F, "Tsplits": ["i64"]}, fails=INVALID, edges=False),
    Case("RaggedGather", [[lit([0, 2, 2, 5], "Tsplits")], "Tvalues[5,2]", lit([2, 0, 2], "Tindices")],
         attrs={"PARAMS_RAGGED_RANK": 1, "OUTPUT_RAGGED_RANK": 1}, edges=False),
    Case("RaggedGather", [[lit([0, 2, 3], "i64"), lit([0, 2, 2, 5], "i64")], "Tvalues[5]",
                          lit([[1, 0], [0, 0]])],
         attrs={"PARAMS_RAGGED_RANK": 2, "OUTPUT_RAGGED_RANK": 3},
         dtypes={"Tvalues": F, "Tsplits": ["i64"], "Tindices": ["i32"]}, edges=False),
    Case("RaggedTensorToTensor", [lit([-1, -1], "Tshape"), "T[5]", "T[]",
                                  [lit([0, 2, 2, 5], "Tindex")]],
         attrs={"row_partition_types": ["ROW_SPLITS"]}, edges=False),
    Case("RaggedTensorToTensor", [lit([4, 2], "i64"), "T[5]", "T[]",
                                  [lit(3, "i64"), lit([0, 0, 2, 2, 2], "i64")]],
         attrs={"row_partition_types": ["FIRST_DIM_SIZE", "VALUE_ROWIDS"]},
         dtypes={"T": F, "Tindex": ["i64"], "Tshape": ["i64"]}, edges=False),
    Case("RaggedTensorToTensor", [lit(-1, "i64"), "T[5,3]", "T[3]",
                                  [lit([0, 2, 3], "i64"), lit([0, 2, 2, 5], "i64")]],
         attrs={"row_partition_types": ["ROW_SPLITS", "ROW_SPLITS"]},
         dtypes={"T": F, "Tindex": ["i64"], "Tshape": ["i64"]}, edges=False),
]

for op in ("a-b", "b-a", "intersection", "union"):
    CASES += [
        Case("DenseToDenseSetOperation", [lit([[1, 2, 2], [3, 4, 5]], "T"),
                                          lit([[2, 7], [9, 4]], "T")],
             attrs={"set_operation": op}, dtypes=["i32", "i8", "u16", "i64"]),
        Case("DenseToSparseSetOperation", [lit([[1, 2, 2], [3, 4, 5]]), idx([[0, 0], [0, 1], [1, 0]]),
                                           lit([2, 6, 4]), idx([2, 2])],
             attrs={"set_operation": op}),
        Case("SparseToSparseSetOperation", [
            idx([[0, 0], [0, 1], [2, 0]]), lit([b"a", b"b", b"c"], "str"), idx([3, 2]),
            idx([[0, 0], [1, 0], [2, 1]]), lit([b"b", b"x", b"c"], "str"), idx([3, 2])],
             attrs={"set_operation": op}),
    ]
CASES += [
    Case("SetSize", [idx(AT), lit([1, 1, 2, 3], "T"), idx(SHAPE)], dtypes=["i32", "i64", "u8"]),
    Case("SetSize", [lit(1, "i64", fed=True), lit([1, 1], "T"), lit(1, "i64", fed=True)], dtypes=["i32"],
         fails=INVALID, says="Shape must be a 1D tensor", edges=False),
    Case("SetSize", [idx([[804, 7450], [48245, 2577]], True), lit([1, 1], "T"), idx([812, 390], True)],
         dtypes=["i32"], attrs={"validate_indices": False}, fails="INTERNAL", says="expected <", edges=False),
]


@script("serialized_sparse")
def serialized(g):
    for values, dtype in ([1.0, 2.0, 3.0, 4.0], "f32"), ([b"a", b"", b"c" * 40, b"d"], "str"):
        t = [g.const(AT, "i64"), g.const(values, dtype), g.const(SHAPE, "i64")]
        one = g.op("SerializeSparse", *t)
        many = g.op("SerializeManySparse", *t)
        back = g.op("DeserializeSparse", one, dtype=dtype)
        again = g.op("DeserializeManySparse", many, dtype=dtype)
        rows = g.op("DeserializeSparse", many, dtype=dtype)
        g.run(list(back) + list(again) + list(rows))
        one = g.op("SerializeSparse", *t, out_type="variant")
        many = g.op("SerializeManySparse", *t, out_type="variant")
        g.run(list(g.op("DeserializeSparse", one, dtype=dtype)))
        g.run(list(g.op("DeserializeSparse", many, dtype=dtype)))


CASES.append(serialized)

TWO = [[0, 0], [0, 1], [1, 0]]  # of a [2, 2] tensor
CROSS = [[idx(TWO), idx([[0, 0], [1, 0], [1, 1]])],
         [lit([b"a", b"bb", b""], "str"), lit([7, -3, 12345678901], "i64")],
         [idx([2, 2]), idx([2, 2])], [lit([[b"x", b"y"], [b"z", b"x" * 50]], "str"),
                                      lit([[1], [2]], "i64")]]
TYPES = {"N": 2, "sparse_types": ["str", "i64"], "dense_types": ["str", "i64"]}
CASES += [
    Case("SparseCross", CROSS, attrs=dict(TYPES, hashed_output=h, num_buckets=b, hash_key=956888297470,
                                          out_type="i64" if h else "str", internal_type=t),
         note="%s %d %s" % (h, b, t))
    for h, b, t in ((True, 0, "i64"), (True, 97, "i64"), (False, 0, "i64"))
] + [
    Case("SparseCrossV2", CROSS + [lit(b" x ", "str")], attrs=TYPES),
    Case("SparseCrossHashed", CROSS + [idx(0), lit(False), idx([3, 9])], attrs=TYPES),
    Case("SparseCrossHashed", [[idx(TWO)], [lit([b"a", b"bb", b""], "str")], [idx([2, 2])],
                               [lit([[b"x", b"y"], [b"z", b"x" * 50]], "str")], idx(1000), lit(True),
                               idx([3, 9])],
         attrs={"N": 1, "sparse_types": ["str"], "dense_types": ["str"]}),
]


@script("sparse_tensors_map")
def tensors_map(g):
    t = [g.const(AT, "i64"), g.const([1.0, 2.0, 3.0, 4.0]), g.const(SHAPE, "i64")]
    one = g.op("AddSparseToTensorsMap", *t, shared_name="m")
    many = g.op("AddManySparseToTensorsMap", *t, shared_name="n")
    handles = g.op("Pack", [one, one])
    row = g.op("ExpandDims", one, g.const(0))
    g.run(list(g.op("TakeManySparseFromTensorsMap", row, dtype="f32", shared_name="m")))
    g.run(list(g.op("TakeManySparseFromTensorsMap", many, dtype="f32", shared_name="n")))
    g.run(list(g.op("TakeManySparseFromTensorsMap", handles, dtype="f32", shared_name="m")))


CASES.append(tensors_map)


def cross_fails(says, at=((0, 0),), values="i64[1]", shape=(10, 10), dense="i64[10,1]"):
    return Case("SparseCross", [[idx(at, True)], [values], [idx(shape, True)], [dense]],
                attrs={"N": 1, "hashed_output": True, "num_buckets": 0, "hash_key": 1,
                       "out_type": "i64", "internal_type": "i64"}, fails=INVALID, says=says, edges=False)


CASES += [
    cross_fails("Input indices should be a matrix", at=0),
    cross_fails("Expected D2 of index to be 2", at=[[0]], shape=[10]),
    cross_fails("Input values should be a vector", values="i64[]"),
    cross_fails("Input shapes should be a vector", shape=2),
    cross_fails("Dense inputs should be a matrix", dense="i64[10]"),
    cross_fails("Expected batch size 10 got 5", dense="i64[5,1]"),
]


# ---- counts -----------------------------------------------------------------------------------------

COUNTED = [3, 1, 1, 0, 7, 3, 3, 5]
for attrs in ({}, {"minlength": 12}, {"maxlength": 5}, {"minlength": 3, "maxlength": 20}):
    for binary in (True, False):
        how = {"attrs": {"binary_output": binary, **attrs}, "edges": False,
               "dtypes": None if not attrs else {"T": ["i64"], "output_type": F}}
        weights = lit([.5, 2, 3, 4, 5, 6, 7, 8], "output_type")
        none = lit([], "output_type")
        CASES += [
            Case("DenseCountSparseOutput", [lit(COUNTED, "T"), none], **how),
            Case("DenseCountSparseOutput", [lit(COUNTED, "T"), weights], **how),
            Case("DenseCountSparseOutput", [lit([COUNTED[:4], COUNTED[4:]], "T"), none], **how),
            Case("SparseCountSparseOutput", [idx([[0, 1], [0, 3], [2, 0], [2, 2]]), lit([4, 4, 1, 4], "T"), idx([3, 4]),
                                             lit([1, 2, 3, 4], "output_type")], **how),
            Case("SparseCountSparseOutput", [idx([[1], [3]]), lit([4, 4], "T"), idx([9]), none], **how),
            Case("RaggedCountSparseOutput", [idx([0, 3, 3, 8]), lit(COUNTED, "T"), weights], **how),
        ]


def count_fails(op, says, *inputs):
    return Case(op, list(inputs), attrs={"binary_output": False}, edges=False, fails=INVALID, says=says,
                dtypes={"T": ["i64"], "output_type": F})


NO_WEIGHTS = lit(np.zeros([0]), "f32", fed=True)
CASES += [
    count_fails("DenseCountSparseOutput", "Input values must all be non-negative", idx([1, -1], True), NO_WEIGHTS),
    count_fails("DenseCountSparseOutput", "Shapes dimension cannot be 0", "T[0,3]", NO_WEIGHTS),
    count_fails("DenseCountSparseOutput", "Input must be a 1 or 2-dimensional tensor", "T[1,2,3] pos", NO_WEIGHTS),
    count_fails("SparseCountSparseOutput", "Invalid index value at 0: dimension 1 has value 4", idx([[0, 4]], True),
                idx([1], True), idx([3, 4], True), NO_WEIGHTS),
    count_fails("SparseCountSparseOutput", "Number of values must match", idx([[0, 3]], True), idx([1, 2], True),
                idx([3, 4], True), NO_WEIGHTS),
    count_fails("RaggedCountSparseOutput", "Must provide at least 2 elements", idx([0], True), idx([], True), NO_WEIGHTS),
    count_fails("RaggedCountSparseOutput", "Splits must start with 0, not with 1", idx([1, 2], True), idx([1, 2], True),
                NO_WEIGHTS),
    count_fails("RaggedCountSparseOutput", "Splits must end with the number of values, got 1", idx([0, 1], True),
                idx([1, 2], True), NO_WEIGHTS),
]


# ---- ragged tensors ---------------------------------------------------------------------------------

CASES += [
    Case("RaggedFillEmptyRows", [idx([1, 1, 3]), "T[3]", idx(6), "T[]"], edges=False),
    Case("RaggedFillEmptyRows", [idx([3, 1, 1]), "T[3]", idx(4), "T[]"], dtypes=F, edges=False),
    Case("RaggedFillEmptyRows", [idx([1, 9], True), "T[2]", idx(4, True), "T[]"], dtypes=F, edges=False, fails=True),
    Case("RaggedFillEmptyRowsGrad", [idx([0, 2, 3]), "T[5]"], edges=False),
]


def ragged_script(name):
    def add(build):
        CASES.append(script(name)(build))
    return add


def ragged_in(g, splits, values, batched, dtype="f32", split="i64"):
    return g.op("RaggedTensorToVariant", [g.const(s, split) for s in splits], g.const(values, dtype),
                batched_input=batched, RAGGED_RANK=len(splits), Tsplits=split)


def ragged_out(g, v, rank, dtype="f32", split="i64", in_rank=-1):
    op = g.op("RaggedTensorFromVariant", v, input_ragged_rank=in_rank, output_ragged_rank=rank, Tvalues=dtype,
              Tsplits=split)
    return [op[k] for k in range(rank + 1)]


SPLITS = [[0, 2, 2, 3], [0, 1, 3, 5]]
VALUES = [[1, 2], [3, 4], [5, 6], [7, 8], [9, 10]]


@ragged_script("RaggedTensorToVariant")
def ragged_variants(g):
    for batched in (True, False):
        for split in ("i32", "i64"):
            v = ragged_in(g, SPLITS, VALUES, batched, split=split)
            g.run(ragged_out(g, v, 2, split=split))
            flat = ragged_in(g, [[0, 2, 2, 3]], [1, 2, 3], batched, "str" if batched else "i32", split)
            g.run(ragged_out(g, flat, 1, "str" if batched else "i32", split))
    dense = ragged_in(g, [], VALUES, True)
    g.run(ragged_out(g, dense, 0))
    g.run(ragged_out(g, dense, 1))
    nested = g.op("Reshape", ragged_in(g, [[0, 1, 3, 3, 4]], [1, 2, 3, 4], True), g.const([2, 2]))
    g.run(ragged_out(g, nested, 2))
    g.run(ragged_out(g, g.op("GatherV2", ragged_in(g, SPLITS, VALUES, True), g.const([2, 0, 2]), g.const(0)), 2))


@ragged_script("ragged_variants_refused")
def ragged_refusals(g):
    v = ragged_in(g, SPLITS, VALUES, False)
    g.run(ragged_out(g, v, 1, in_rank=1), says="Expected ragged_rank=1")
    g.run(ragged_out(g, v, 2, "i32"), says="Expected values Tensor dtype: int32, found: float")
    g.run(ragged_out(g, v, 2, split="i32"), says="Expected row_splits Tensor dtype: int32, found: int64")
    for splits, says in [([1, 5], "must be 0 but is 1"), ([0, 3, 2, 5], "must be monotonically increasing"),
                         ([0, 4], "must be the number of ragged values(5) but is 4")]:
        g.run([g.op("Identity", ragged_in(g, [splits], VALUES, True))][:0] +
              ragged_out(g, ragged_in(g, [splits], VALUES, True), 1), says=says)


@ragged_script("RaggedTensorToVariantGradient")
def ragged_gradient(g):
    dy = ragged_in(g, [[0, 2, 2, 5]], VALUES, True)
    back = lambda v, splits: g.op("RaggedTensorToVariantGradient", v, g.const(splits, "i64"), g.const([5, 2]),
                                  Tvalues="f32")
    g.run([back(dy, [0, 2, 2, 5])])
    whole = ragged_in(g, [[0, 2, 2, 5]], VALUES, False)
    for v in (whole, g.op("ZerosLike", whole), g.op("AddN", [whole[0], whole[0]])):
        g.run([back(v, [0, 2, 2, 5])])


# ---- sparse matrices as values ----------------------------------------------------------------------

def csr(g, dtype, shape=(3, 4), at=AT, values=(1.5, -2, 3, 4)):
    v = np.array(values) * (1 + 0.5j if dtype[0] == "c" else 1)
    return g.op("SparseTensorToCSRSparseMatrix", g.const(at, "i64"), g.const(v, dtype), g.const(list(shape), "i64"))


AT3 = [[0, 0, 1], [0, 2, 0], [2, 1, 1], [2, 2, 0]]  # of a [3, 3, 2] tensor
dense_of = lambda g, m, t: g.op("CSRSparseMatrixToDense", m, type=t)


@ragged_script("CSRSparseMatrix")
def csr_forms(g):
    for t in ("f32", "f64", "c64", "c128"):
        for m in (csr(g, t), csr(g, t, (3, 3, 2), AT3)):
            back = g.op("CSRSparseMatrixToSparseTensor", m, type=t)
            g.run([back[0], back[1], back[2], dense_of(g, m, t), g.op("SparseMatrixNNZ", m)])
            for conjugate in (True, False):
                turned = g.op("SparseMatrixTranspose", m, type=t, conjugate=conjugate)
                g.run([dense_of(g, turned, t)])
        parts = g.op("CSRSparseMatrixComponents", csr(g, t, (3, 3, 2), AT3), g.const(2), type=t)
        g.run([parts[0], parts[1], parts[2]])
    x = np.arange(12.0).reshape(3, 4)
    m = g.op("DenseToCSRSparseMatrix", g.const(x), g.const(AT, "i64"))
    g.run([dense_of(g, m, "f64")])
    g.run([g.op("CSRSparseMatrixComponents", m, g.const(1), type="f64")[0]], says="index (1) not in [0, 1)")
    g.run([dense_of(g, m, "f32")])


@ragged_script("SparseMatrixMatMul")
def csr_products(g):
    rng = np.random.RandomState(5)
    for t in ("f32", "c128"):
        for turn_a in ("", "transpose_a", "adjoint_a"):
            for turn_b in ("", "transpose_b", "adjoint_b"):
                attrs = {k: True for k in (turn_a, turn_b) if k}
                b = rng.uniform(-1, 1, (2, 3) if turn_a else (2, 4)) + (0.5j if t[0] == "c" else 0)
                dense = g.const(b if turn_b else b.T, t)
                g.run([g.op("SparseMatrixMatMul", csr(g, t), dense, **attrs)])
                at = [[0, 0], [1, 2]] if turn_b else [[0, 0], [2, 1]]
                shape = ((2, 3) if turn_a else (2, 4)) if turn_b else ((3, 2) if turn_a else (4, 2))
                other = csr(g, t, shape, at, (2, -3))
                g.run([dense_of(g, g.op("SparseMatrixSparseMatMul", csr(g, t), other, type=t, **attrs), t)])
        batch = g.const(rng.uniform(-1, 1, (3, 2, 5)), t)
        g.run([g.op("SparseMatrixMatMul", csr(g, t, (3, 3, 2), AT3), batch)])
        for attrs in ({"transpose_output": True}, {"conjugate_output": True}):
            g.run([g.op("SparseMatrixMatMul", csr(g, t), g.const(np.ones([4, 2]), t), **attrs)])


# ---- RaggedCross: values, splits, indices, values, shapes, dense
RAGGED = [lit(["a", "b", "c"], "str"), lit([0, 2, 2, 3], "i64")]
RAGGED_INTS = [lit([7, 8, 9, -1], "i64"), lit([0, 1, 3, 4], "i32")]
SPARSE = [lit([[0, 0], [1, 1], [2, 0]], "i64"), lit(["x", "y", "z"], "str"), lit([3, 2], "i64")]
DENSE = lit([[1, 2], [3, 4], [5, 6]], "i64")


def ragged_cross(order, ragged, sparse, dense, hashed, buckets=0, splits="i64", **options):
    values, rows = [list(part) for part in zip(*ragged)] or ([], [])
    indices, entries, shapes = [list(part) for part in zip(*sparse)] if sparse else ([], [], [])
    CASES.append(Case("RaggedCross", [values, rows, indices, entries, shapes, dense], dict(
        input_order=order, hashed_output=hashed, num_buckets=buckets, hash_key=956888297470,
        out_values_type="i64" if hashed else "str", out_row_splits_type=splits), edges=False, **options))


for hashed in (True, False):
    ragged_cross("RR", [RAGGED, RAGGED_INTS], [], [], hashed)
    ragged_cross("RSD", [RAGGED], [SPARSE], [DENSE], hashed, splits="i32")
    ragged_cross("DRSR", [RAGGED, RAGGED_INTS], [SPARSE], [DENSE], hashed, buckets=100 if hashed else 0)
ragged_cross("RD", [RAGGED], [], [lit([[1], [2]], "i64", fed=True)], True, fails="INVALID_ARGUMENT", says="batch dimension")
ragged_cross("RX", [RAGGED], [], [DENSE], True, fails="INVALID_ARGUMENT", says="input_order")
