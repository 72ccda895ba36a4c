"""Array ops: constants, shapes, joins, slices, gathers, padding, order, blocks, diagonals."""
import numpy as np

from opcase import Case, lit, script

F = ["f32"]
INVALID = "INVALID_ARGUMENT"

CASES = [
    Case("Identity", ["T[2,3]"], grad=2),
    Case("IdentityN", [["f32[2,3]", "i32[4]"]], attrs={"T": ["f32", "i32"]}, grad=True),
    Case("StopGradient", ["T[2,3]"]),
    Case("PreventGradient", ["T[2,3]"], attrs={"message": "no"}),
    Case("Snapshot", ["T[2,3]"]),
    Case("GuaranteeConst", ["T[2,3]"]),
    Case("DebugGradientIdentity", ["T[2,3]"]),
    Case("PlaceholderWithDefault", ["dtype[2,3]"], attrs={"shape": [2, 3]}, edges=False),
    Case("EnsureShape", ["T[2,3]"], attrs={"shape": [-1, 3]}, grad=True),
    Case("EnsureShape", ["T[2,3]"], attrs={"shape": [2, 4]}, dtypes=F, fails=True, edges=False),
    Case("ZerosLike", ["T[2,3]"]),
    Case("OnesLike", ["T[2,3]"]),
    Case("Fill", [lit([2, 3], "index_type"), "T[]"], grad=True, edges=False),
    Case("Fill", [lit([], "i32"), "T[]"], dtypes=F, edges=False),
    Case("Fill", [lit([0, 3]), "T[]"], dtypes=F, edges=False),
    Case("Fill", [lit([-2], "i32", fed=True), "T[]"], dtypes=F, fails=INVALID, edges=False),
    Case("Shape", ["T[2,3]"], attrs={"out_type": "*"}),
    Case("ShapeN", [["T[2,3]", "T[4]"]], attrs={"out_type": "*"}),
    Case("Size", ["T[2,3]"], attrs={"out_type": "*"}),
    Case("Rank", ["T[2,3]"]),
    Case("Reshape", ["T[2,6]", lit([3, -1], "Tshape")], grad=2),
    Case("Reshape", ["T[2,6]", lit([4, 3], fed=True)], dtypes=F, grad=True),
    Case("Reshape", ["T[1,1]", lit([], "i32")], dtypes=F, grad=True),
    Case("Reshape", ["T[0,3]", lit([0, 5])], dtypes=F),
    Case("Reshape", ["T[2,6]", lit([5, -1], fed=True)], dtypes=F, fails=INVALID, edges=False,
         says="Input to reshape is a tensor with 12 values, but the requested shape requires a multiple of 5"),
    Case("Reshape", ["T[2,6]", lit([5, 2], fed=True)], dtypes=F, fails=INVALID, edges=False,
         says="Input to reshape is a tensor with 12 values, but the requested shape has 10"),
    Case("Reshape", ["T[2,6]", lit([-1, -1], fed=True)], dtypes=F, fails=INVALID, edges=False),
    Case("Reshape", ["T[2,6]", lit([-2, 6], fed=True)], dtypes=F, fails=INVALID, edges=False),
    Case("Reshape", ["T[0,6]", lit([0, -1, 3], fed=True)], dtypes=F, edges=False),
    Case("Reshape", ["T[0,6]", lit([0, 3, -1], fed=True)], dtypes=F, edges=False),
    Case("Reshape", ["T[2,6]", lit([0, -1, 3], fed=True)], dtypes=F, fails=INVALID, edges=False),
    Case("Squeeze", ["T[1,3,1,2]"], grad=2),
    Case("Squeeze", ["T[1,3,1,2]"], attrs={"squeeze_dims": [-2]}, dtypes=F, grad=True),
    Case("Squeeze", ["T[1,3]"], attrs={"squeeze_dims": [1]}, dtypes=F, fails=INVALID, edges=False),
    Case("Squeeze", ["T[1,3]"], attrs={"squeeze_dims": [5]}, dtypes=F, fails=INVALID, edges=False),
    Case("ExpandDims", ["T[2,3]", lit(1, "Tdim")], grad=2),
    Case("ExpandDims", ["T[2,3]", lit(-1)], dtypes=F, grad=True),
    Case("ExpandDims", ["T[2,3]", lit(-2, fed=True)], dtypes=F),
    Case("ExpandDims", ["T[2,3]", lit(4, fed=True)], dtypes=F, fails=INVALID, edges=False),
    Case("Concat", [lit(1), ["T[2,3]", "T[2,5]", "T[2,1]"]], grad=True),
    Case("ConcatV2", [["T[2,3]", "T[2,5]", "T[2,0]"], lit(1, "Tidx")], grad=2),
    Case("ConcatV2", [["T[2,3]", "T[4,3]"], lit(-2)], dtypes=F, grad=True),
    Case("ConcatV2", [["T[2,3,4]", "T[2,1,4]"], lit(1, fed=True)], dtypes=F, grad=True),
    Case("ConcatV2", [["T[2,3]", "T[3,3]"], lit(1, fed=True)], dtypes=F, fails=INVALID, edges=False),
    Case("ConcatV2", [["T[2,3]", "T[3]"], lit(0)], dtypes=F, fails=INVALID, edges=False),
    Case("ConcatV2", [["T[2,3]", "T[2,3]"], lit(2, fed=True)], dtypes=F, fails=INVALID, edges=False),
    Case("ConcatOffset", [lit(1), [lit([2, 3], "shape_type"), lit([2, 5], "shape_type")]]),
    Case("ConcatOffset", [lit(1), [lit([2, 3], fed=True), lit([4, 5], fed=True)]], fails=INVALID),
    Case("Split", [lit(1), "T[2,6]"], attrs={"num_split": 3}, grad=2),
    Case("Split", [lit(-3), "T[4,3,2]"], attrs={"num_split": 2}, dtypes=F, grad=True),
    Case("Split", [lit(0, fed=True), "T[4,3,2]"], attrs={"num_split": 4}, dtypes=F, grad=True),
    Case("Split", [lit(1, fed=True), "T[2,6]"], attrs={"num_split": 4}, dtypes=F, fails=INVALID,
         edges=False),
    Case("Split", [lit(2, fed=True), "T[2,6]"], attrs={"num_split": 2}, dtypes=F, fails=INVALID,
         edges=False),
    Case("SplitV", ["T[2,6]", lit([1, 2, 3], "Tlen"), lit(1)], attrs={"num_split": 3}, grad=2),
    Case("SplitV", ["T[2,6]", lit([1, -1, 3], fed=True), lit(1)], attrs={"num_split": 3}, dtypes=F,
         grad=True),
    Case("SplitV", ["T[2,6]", lit([1, 2, 2], fed=True), lit(1)], attrs={"num_split": 3}, dtypes=F,
         fails=INVALID, edges=False),
    Case("Pack", [["T[2,3]", "T[2,3]"]], grad=2),
    Case("Pack", [["T[2,3]", "T[2,3]", "T[2,3]"]], attrs={"axis": 1}, dtypes=F, grad=True),
    Case("Pack", [["T[2,3]", "T[2,3]"]], attrs={"axis": -1}, dtypes=F, grad=True),
    Case("Pack", [["T[2,3]", "T[3,3]"]], dtypes=F, fails=INVALID, edges=False),
    Case("Unpack", ["T[3,2]"], attrs={"num": 3}, grad=2, edges=False),
    Case("Unpack", ["T[2,3,2]"], attrs={"num": 3, "axis": 1}, dtypes=F, grad=True, edges=False),
    Case("Unpack", ["T[2,3]"], attrs={"num": 3, "axis": -1}, dtypes=F, grad=True, edges=False),
    Case("Unpack", ["T[2,3]"], attrs={"num": 4, "axis": 1}, dtypes=F, fails=INVALID, edges=False),
    Case("Slice", ["T[4,5]", lit([1, 2], "Index"), lit([2, -1], "Index")], grad=2),
    Case("Slice", ["T[4,5,3]", lit([1, 2, 0], fed=True), lit([2, 2, 3], fed=True)], dtypes=F,
         grad=True),
    Case("Slice", ["T[4,5]", lit([1, 2], fed=True), lit([4, 2], fed=True)], dtypes=F, fails=INVALID,
         says="Expected size[0] in [0, 3], but got 4", edges=False),
    Case("Slice", ["T[4,5]", lit([5, 2], fed=True), lit([0, 2], fed=True)], dtypes=F, fails=INVALID,
         edges=False),
    Case("Slice", ["T[4,5]", lit([1], fed=True), lit([1], fed=True)], dtypes=F, fails=INVALID,
         edges=False),
]


def strided(shape, begin, end, strides, grad=True, **attrs):
    fails = attrs.pop("fails", None)
    fed = attrs.pop("fed", False)
    return Case("StridedSlice", ["T" + shape, lit(begin, fed=fed), lit(end, fed=fed),
                                 lit(strides, fed=fed)],
                attrs=attrs, dtypes=F, grad=grad and not fails, fails=fails, edges=False,
                note="%s %s:%s:%s %s" % (shape, begin, end, strides, attrs))


CASES += [
    Case("StridedSlice", ["T[4,5]", lit([1, 4], "Index"), lit([3, 0], "Index"),
                          lit([1, -2], "Index")], grad=2),
    strided("[4,5]", [1, 0], [3, 5], [1, 1]),
    strided("[4,5]", [0, 0], [4, 5], [1, 1]),
    strided("[4,64]", [1, 0], [3, 64], [1, 1]),
    strided("[4,5,6]", [-1], [0], [-1]),
    strided("[4,5,6]", [-1], [0], [-1], end_mask=1),
    strided("[4,5,6]", [1, 2], [2, 3], [1, 1], shrink_axis_mask=3),
    strided("[4,5,6]", [1, 2, 3], [0, 0, 0], [1, 1, 1], shrink_axis_mask=7),
    strided("[4,5,6]", [0, 1], [0, 2], [1, 1], ellipsis_mask=1, shrink_axis_mask=2),
    strided("[4,5,6]", [0, 0, 1], [0, 0, 5], [1, 1, 2], new_axis_mask=2),
    strided("[4,5,6]", [0, 0, 1], [0, 0, 5], [1, 1, 2], ellipsis_mask=1, new_axis_mask=2),
    strided("[4,5,6]", [0, 0, 0], [0, 0, 0], [1, 1, 1], begin_mask=7, end_mask=7),
    strided("[4,5,6]", [0, 0, 0], [0, 0, 0], [1, -1, 2], begin_mask=7, end_mask=7),
    strided("[4,5]", [3], [1], [1]),
    strided("[4,5]", [-100], [100], [3]),
    strided("[7]", [5], [-6], [-2]),
    strided("[4,5]", [1, 1], [3, 4], [1, 2], fed=True),
    strided("[4,5]", [2], [3], [1], shrink_axis_mask=1, fed=True),
    strided("[4,5]", [9], [10], [1], shrink_axis_mask=1, fed=True, fails=INVALID),
    strided("[4,5]", [0], [1], [0], fed=True, fails=INVALID),
    strided("[4,5]", [0, 0, 0], [1, 1, 1], [1, 1, 1], fails=INVALID),
    strided("[4,5]", [0, 0], [1, 1], [1, 1], ellipsis_mask=3, fails=INVALID),
    strided("[4,5]", [1], [2], [-1], shrink_axis_mask=1, fed=True, fails=INVALID),
    strided("[4,0,5]", [1], [3], [1]),
    strided("[0,5]", [0], [3], [1]),
    Case("StridedSliceGrad", [lit([4, 5], "Index"), lit([1, 4], "Index"), lit([3, 0], "Index"),
                              lit([1, -2], "Index"), "T[2,2]"], grad=2, edges=False),
    Case("StridedSliceGrad", [lit([4, 5], fed=True), lit([1]), lit([2]), lit([1]), "T[5]"],
         attrs={"shrink_axis_mask": 1}, dtypes=F, edges=False),
    Case("StridedSliceGrad", [lit([4, 5]), lit([1]), lit([3]), lit([1]), "T[2,4]"], dtypes=F,
         fails=INVALID, edges=False),
    Case("StridedSliceAssign", ["T[4,5]", lit([1, 4], "Index"), lit([3, 0], "Index"),
                                lit([1, -2], "Index"), "T[2,2]"], edges=False),
    Case("ResourceStridedSliceAssign", ["T[4,5]", lit([1, 4], "Index"), lit([3, 0], "Index"),
                                        lit([1, -2], "Index"), "T[2,2]"], edges=False),
    Case("TensorStridedSliceUpdate", ["T[4,5]", lit([1, 4], "Index"), lit([3, 0], "Index"),
                                      lit([1, -2], "Index"), "T[2,2]"], grad=True, edges=False),
    *[Case(op, ["T[4,5]", lit([1, 4], "Index"), lit([3, 0], "Index"), lit([1, -2], "Index"), value], dtypes=F,
           grad=op == "TensorStridedSliceUpdate" and value != "T[1,1,2]", edges=False, note="repeated " + value)
      for op in ("StridedSliceAssign", "ResourceStridedSliceAssign", "TensorStridedSliceUpdate")
      for value in ("T[]", "T[2,1]", "T[2]", "T[1,1,2]")],
    Case("ResourceStridedSliceAssign", ["T[4,5]", lit([1, 4]), lit([3, 0]), lit([1, -2]), "T[3]"], dtypes=F, fails=INVALID,
         edges=False, says="Cannot broadcast input shape [3] into final shape [2,2]"),
    Case("Tile", ["T[1,1,1]", lit([100000000] * 3, fed=True)], dtypes=F, fails=INVALID, edges=False),
    Case("SplitV", ["T[5,30]", lit([4, 11, 15]), lit([], "i32", fed=True)], attrs={"num_split": 3},
         dtypes=F, fails=INVALID, edges=False, says="must have exactly one element"),
    Case("EditDistance", [lit(np.full([3, 3], -7), "i64"), lit([0, 0, 0], "i64"), lit([0, 0, 0], "i64"),
                          lit(np.full([3, 3], -7), "i64"), lit([2, 2, 2], "i64"), lit([2, 2, 2], "i64")],
         edges=False, fails="INTERNAL", says="inner product -21 which would require writing"),
    Case("EditDistance", [lit([[0, 0, 0]], "i64"), lit([1], "i64"), lit([0, 0, 1], "i64"),
                          lit([[0, 0, 0]], "i64"), lit([1], "i64"), lit([0, 0, 1], "i64")],
         edges=False, fails=INVALID, says="which has 0 elements"),
    Case("Tile", ["T[2,3]", lit([2, 3], "Tmultiples")], grad=2),
    Case("Tile", ["T[2,3,2]", lit([1, 3, 1], fed=True)], dtypes=F, grad=True),
    Case("Tile", ["T[2,3]", lit([0, 2])], dtypes=F),
    Case("Tile", ["T[2,3]", lit([-1, 2], fed=True)], dtypes=F, fails=INVALID, edges=False),
    Case("Tile", ["T[2,3]", lit([2], fed=True)], dtypes=F, fails=INVALID, edges=False),
    Case("Transpose", ["T[2,3]", lit([1, 0], "Tperm")], grad=2),
    Case("Transpose", ["T[2,3,4]", lit([2, 0, 1])], dtypes=F, grad=True),
    Case("Transpose", ["T[2,3,4,5]", lit([0, 2, 1, 3], fed=True)], dtypes=F, grad=True),
    Case("Transpose", ["T[2,3,4,5]", lit([3, 2, 1, 0])], dtypes=["f32", "i8", "f64", "f16", "c128", "str"]),
    Case("Transpose", ["T[1,3,1,5]", lit([2, 1, 0, 3])], dtypes=F, grad=True),
    Case("Transpose", ["T[70,50]", lit([1, 0])], dtypes=["f32", "u8", "f64", "i16", "c128"]),
    Case("Transpose", ["T[5,40,33]", lit([0, 2, 1])], dtypes=F),
    Case("Transpose", ["T[2,3]", lit([1, 1], fed=True)], dtypes=F, fails=INVALID, edges=False),
    Case("Transpose", ["T[2,3]", lit([0, 2], fed=True)], dtypes=F, fails=INVALID, edges=False),
    Case("Transpose", ["T[2,3]", lit([0, 1, 2], fed=True)], dtypes=F, fails=INVALID, edges=False),
    Case("ConjugateTranspose", ["T[2,3]", lit([1, 0], "Tperm")], grad=True),
    Case("ConjugateTranspose", ["T[1,3]", lit([1, 0])], dtypes=["c64"]),
    Case("InvertPermutation", [lit([2, 0, 1], "T")]),
    Case("InvertPermutation", [lit([2, 0, 3], fed=True)], fails=INVALID),
    Case("InvertPermutation", [lit([2, 0, 0], fed=True)], fails=INVALID),
    Case("Pad", ["T[2,3]", lit([[1, 2], [0, 3]], "Tpaddings")], grad=2),
    Case("Pad", ["T[2,3,4]", lit([[0, 0], [2, 1], [0, 0]], fed=True)], dtypes=F, grad=True),
    Case("Pad", ["T[2,3]", lit([[1, -2], [0, 3]], fed=True)], dtypes=F, fails=INVALID, edges=False),
    Case("Pad", ["T[2,3]", lit([[1, 2]], fed=True)], dtypes=F, fails=INVALID, edges=False),
    Case("PadV2", ["T[2,3]", lit([[1, 2], [0, 3]], "Tpaddings"), "T[]"], grad=True, edges=False),
    Case("MirrorPad", ["T[3,4]", lit([[1, 2], [3, 1]], "Tpaddings")], attrs={"mode": "REFLECT"},
         grad=2),
    Case("MirrorPad", ["T[3,4]", lit([[1, 3], [4, 2]])], attrs={"mode": "SYMMETRIC"}, dtypes=F,
         grad=2),
    Case("MirrorPad", ["T[3,4,2]", lit([[1, 0], [0, 2], [1, 1]], fed=True)],
         attrs={"mode": "REFLECT"}, dtypes=F, grad=True),
    Case("MirrorPad", ["T[3,4]", lit([[3, 0], [0, 0]], fed=True)], attrs={"mode": "REFLECT"},
         dtypes=F, fails=INVALID, edges=False),
    Case("MirrorPadGrad", ["T[6,8]", lit([[1, 2], [3, 1]], "Tpaddings")], attrs={"mode": "REFLECT"},
         edges=False),
    Case("Gather", ["Tparams[5,3]", lit([1, 4, 1], "Tindices")], grad=2, edges=False),
    Case("GatherV2", ["Tparams[5,3]", lit([[1, 4], [1, 0]], "Tindices"), lit(0, "Taxis")], grad=2,
         edges=False),
    Case("GatherV2", ["Tparams[5,3]", lit(2, fed=True), lit(0)], dtypes=F, grad=True, edges=False),
    Case("GatherV2", ["Tparams[5,3,2]", lit([2, 0, 2], "Tindices"), lit(1)], dtypes=F, grad=True,
         edges=False),
    Case("GatherV2", ["Tparams[5,3,2]", lit([[1, 0], [0, 1]]), lit(-1)], dtypes=F, grad=True,
         edges=False),
    Case("GatherV2", ["Tparams[2,3,4]", lit([[1, 0, 2, 1], [0, 2, 1, 1]]), lit(1)],
         attrs={"batch_dims": 1}, dtypes=F, grad=True, edges=False),
    Case("GatherV2", ["Tparams[2,3,4]", lit([[1, 0, 2, 3], [0, 2, 3, 1]]), lit(2)],
         attrs={"batch_dims": 1}, dtypes=F, grad=True, edges=False),
    Case("GatherV2", ["Tparams[2,3,4]", lit([[1, 0, 2], [0, 2, 1]]), lit(2)],
         attrs={"batch_dims": -1}, dtypes=F, grad=True, edges=False),
    Case("GatherV2", ["Tparams[5,3]", lit([], "i32"), lit(0)], dtypes=F, edges=False),
    Case("GatherV2", ["Tparams[5,3]", lit([1, 5], fed=True), lit(0)], dtypes=F, fails=INVALID,
         says="indices[1] = 5 is not in [0, 5)", edges=False),
    Case("GatherV2", ["Tparams[5,3]", lit([[1], [-1]], fed=True), lit(0)], dtypes=F, fails=INVALID,
         says="indices[1,0] = -1 is not in [0, 5)", edges=False),
    Case("GatherV2", ["Tparams[5,3]", lit([1], fed=True), lit(2, fed=True)], dtypes=F,
         fails=INVALID, edges=False),
    Case("GatherNd", ["Tparams[4,5,2]", lit([[1, 4], [3, 0], [1, 4]], "Tindices")], grad=2,
         edges=False),
    Case("GatherNd", ["Tparams[4,5]", lit([[[3], [0]], [[1], [1]]], "Tindices")], dtypes=F,
         grad=True, edges=False),
    Case("GatherNd", ["Tparams[4,5]", lit([[1], [3]])], dtypes=F, grad=True, edges=False),
    Case("GatherNd", ["Tparams[4,5]", lit([2, 3])], dtypes=F, edges=False),
    Case("GatherNd", ["Tparams[4,5]", lit([[1, 5]], fed=True)], dtypes=F, fails=INVALID,
         says="indices[0] = [1, 5] does not index into param shape [4,5]", edges=False),
    Case("GatherNd", ["Tparams[4,5]", lit([[1, 5], [1, 1]], fed=True)], dtypes=F,
         attrs={"bad_indices_policy": "IGNORE"}, edges=False),
    Case("ScatterNd", [lit([[1], [3], [1]], "Tindices"), "T[3,2]", lit([4, 2], "Tindices")],
         grad=2, edges=False),
    Case("ScatterNd", [lit([[[1, 0]], [[3, 1]]], "i32"), "T[2,1]", lit([4, 2], fed=True)],
         dtypes=F, grad=True, edges=False),
    Case("ScatterNd", [lit([[4]], fed=True), "T[1,2]", lit([4, 2])], dtypes=F, fails=INVALID,
         edges=False),
    Case("ScatterNd", [lit([[1]], fed=True), "T[1,3]", lit([4, 2])], dtypes=F, fails=INVALID,
         edges=False),
    Case("ScatterNdNonAliasingAdd", ["T[4,2]", lit([[1], [3], [1]], "Tindices"), "T[3,2]"],
         grad=True, edges=False),
    Case("DynamicPartition", ["T[5,2]", lit([1, 0, 2, 1, 0])], attrs={"num_partitions": 4},
         grad=True, edges=False),
    Case("DynamicPartition", ["T[2,2]", lit([[1, 0], [1, 1]])], attrs={"num_partitions": 2},
         dtypes=F, grad=True, edges=False),
    Case("DynamicPartition", ["T[2,2]", lit([1, 2], fed=True)], attrs={"num_partitions": 2},
         dtypes=F, fails=INVALID, edges=False),
    Case("DynamicStitch", [[lit([3, 0]), lit([[1, 2]])], ["T[2,2]", "T[1,2,2]"]], grad=True,
         edges=False),
    Case("DynamicStitch", [[lit(1, fed=True), lit([0, 1], fed=True)], ["T[]", "T[2]"]], dtypes=F,
         grad=True, edges=False),
    Case("DynamicStitch", [[lit([0, 1]), lit([2])], ["T[2,2]", "T[1,3]"]], dtypes=F, fails=INVALID,
         edges=False),
    Case("ParallelDynamicStitch", [[lit([3, 0]), lit([[1, 2]])], ["T[2,2]", "T[1,2,2]"]], grad=True,
         edges=False),
    Case("OneHot", [lit([0, 2, 1, 3], "TI"), lit(3), "T[]", "T[]"],
         edges=False),
    Case("OneHot", ["TI[2,3] 0..4", lit(5), lit(1.0), lit(0.0)], attrs={"axis": 1, "T": "f32"}),
    Case("OneHot", ["TI[2,3] 0..4", lit(5), lit(1.0), lit(0.0)], attrs={"axis": 0, "T": "f32"}),
    Case("OneHot", ["TI[2] 0..4", lit(-1, fed=True), lit(1.0), lit(0.0)], attrs={"T": "f32"},
         dtypes={"TI": ["i32"]}, fails=INVALID, edges=False),
    Case("Where", ["T[3,4] ints"]),
    Case("Where", ["bool[67,3]"], attrs={"T": "bool"}),
    Case("Unique", ["T[9] ints"], attrs={"out_idx": "*"}),
    Case("Unique", ["T[2,2]"], dtypes=F, fails=INVALID, edges=False),
    Case("Unique", [lit([0.0, -0.0, 1.0, -0.0, 0.0], "T")], dtypes=F, edges=False),
    Case("UniqueV2", [lit([[0.0, 1], [-0.0, 1]], "T"), lit([0], "Taxis")], dtypes=F, edges=False),
    Case("UniqueV2", ["T[9] ints", lit([], "i64")], edges=False),
    Case("UniqueV2", ["T[4,2] 0..1", lit([0], "Taxis")]),
    Case("UniqueV2", ["T[2,9] 0..1", lit([1])], dtypes=["i32", "u8"]),
    Case("UniqueWithCounts", ["T[9] ints"], attrs={"out_idx": "*"}),
    Case("UniqueWithCountsV2", ["T[7,2] 0..1", lit([0])]),
    Case("ListDiff", ["T[9] ints", "T[4] ints"], attrs={"out_idx": "*"}),
    Case("BroadcastTo", ["T[2,1]", lit([3, 2, 4], "Tidx")], grad=2),
    Case("BroadcastTo", ["T[3]", lit([2, 3], fed=True)], dtypes=F, grad=True),
    Case("BroadcastTo", ["T[1,1]", lit([4, 5])], dtypes=F, grad=True),
    Case("BroadcastTo", ["T[]", lit([4, 5])], dtypes=F, grad=True),
    Case("BroadcastTo", ["T[3]", lit([3, 2], fed=True)], dtypes=F, fails=INVALID, edges=False),
    Case("BroadcastTo", ["T[3]", lit([-1, 3], fed=True)], dtypes=F, fails=INVALID, edges=False),
    Case("Reverse", ["T[2,3,4]", lit([True, False, True])], grad=True, edges=False),
    Case("ReverseV2", ["T[2,3,4]", lit([0, -1], "Tidx")], grad=2),
    Case("ReverseV2", ["T[2,3,3]", lit([1])], dtypes=F, grad=True),
    Case("ReverseV2", ["T[2,3,4]", lit([], "i32")], dtypes=F),
    Case("ReverseV2", ["T[2,3]", lit([1, 1], fed=True)], dtypes=F, fails=INVALID, edges=False),
    Case("ReverseV2", ["T[2,3]", lit([2], fed=True)], dtypes=F, fails=INVALID, edges=False),
    Case("ReverseSequence", ["T[3,5,2]", lit([2, 0, 5], "Tlen")],
         attrs={"seq_dim": 1, "batch_dim": 0}, grad=2, edges=False),
    Case("ReverseSequence", ["T[4,2,3]", lit([2, 1, 4], "Tlen")],
         attrs={"seq_dim": 0, "batch_dim": 2}, dtypes=F, grad=True, edges=False),
    Case("ReverseSequence", ["T[3,5]", lit([2, 0, 6], fed=True)],
         attrs={"seq_dim": 1, "batch_dim": 0}, dtypes=F, fails=INVALID, edges=False),
    Case("Roll", ["T[3,5]", lit([1, -2], "Tshift"), lit([0, 1], "Taxis")], grad=2),
    Case("Roll", ["T[3,5]", lit(7), lit(1)], dtypes=F, grad=True),
    Case("Roll", ["T[3,5]", lit([1, 3, -1]), lit([1, 0, 1])], dtypes=F, grad=True),
    Case("Bitcast", ["T[3,8]"], attrs={"type": "*"}),
    Case("Diag", ["T[2,3]"], grad=2),
    Case("DiagPart", ["T[2,3,2,3]"], grad=2),
    Case("DiagPart", ["T[2,3]"], dtypes=F, fails=INVALID, edges=False),
    Case("MatrixBandPart", ["T[2,4,5]", lit(1, "Tindex"), lit(2, "Tindex")], grad=True),
    Case("MatrixBandPart", ["T[4,5]", lit(-1), lit(0)], dtypes=F, grad=True),
    Case("MatrixDiag", ["T[2,3]"], grad=2),
    Case("MatrixDiagPart", ["T[2,3,4]"], grad=2),
    Case("MatrixDiagPart", ["T[4,4]"], dtypes=F, grad=True),
    Case("MatrixSetDiag", ["T[2,3,4]", "T[2,3]"], grad=2, edges=False),
]

for k in (0, 1, -2, [-1, 1], [0, 2], [-2, -1]):
    CASES += [
        Case("MatrixDiagPartV2", ["T[2,3,4]", lit(k, "i32"), "T[]"], dtypes=F,
             grad=k != [0, 2], edges=False, note="k %s" % k),
    ]
    for align in ("LEFT_RIGHT", "RIGHT_LEFT", "LEFT_LEFT", "RIGHT_RIGHT"):
        CASES.append(Case("MatrixDiagPartV3", ["T[2,3,4]", lit(k, "i32"), "T[]"], dtypes=F,
                          attrs={"align": align}, grad=True, edges=False, note="k %s" % k))
for align in ("LEFT_RIGHT", "RIGHT_LEFT", "LEFT_LEFT", "RIGHT_RIGHT"):
    CASES += [
        Case("MatrixDiagV3", ["T[2,3,3]", lit([-1, 1], "i32"), lit(3), lit(4), "T[]"], dtypes=F,
             attrs={"align": align}, grad=True, edges=False),
        Case("MatrixDiagV3", ["T[2,3,3]", lit([-1, 1], "i32"), lit(-1), lit(-1), "T[]"], dtypes=F,
             attrs={"align": align}, grad=True, edges=False),
        Case("MatrixSetDiagV3", ["T[2,3,4]", "T[2,3,3]", lit([-1, 1], "i32")], dtypes=F,
             attrs={"align": align}, grad=True, edges=False),
    ]
CASES += [
    Case("MatrixDiagV2", ["T[3]", lit(-1, "i32"), lit(-1), lit(3), "T[]"], grad=True, edges=False),
    Case("MatrixDiagV2", ["T[2,3,3]", lit([-1, 1], "i32", fed=True), lit(3, fed=True),
                          lit(4, fed=True), "T[]"], dtypes=F, edges=False),
    Case("MatrixDiagV3", ["T[3]", lit(2, "i32"), lit(-1), lit(-1), "T[]"], edges=False),
    Case("MatrixDiagV3", ["T[3]", lit(0, "i32"), lit(2), lit(5), "T[]"], dtypes=F, fails=INVALID,
         edges=False),
    Case("MatrixSetDiagV2", ["T[2,3,4]", "T[2,3]", lit(1, "i32")], grad=True, edges=False),
    Case("MatrixSetDiagV3", ["T[2,3,4]", "T[2,3]", lit(0, "i32")], edges=False),
    Case("MatrixDiagPartV3", ["T[2,3,4]", lit([-3, 1], "i32", fed=True), "T[]"], dtypes=F,
         fails=INVALID, edges=False),
    Case("SpaceToBatchND", ["T[2,4,6,3]", lit([2, 3], "Tblock_shape"),
                            lit([[1, 1], [0, 3]], "Tpaddings")], grad=2, edges=False),
    Case("SpaceToBatchND", ["T[2,5]", lit([3]), lit([[4, 0]])], dtypes=F, grad=True, edges=False),
    Case("SpaceToBatchND", ["T[2,4,6,3]", lit([2, 5], fed=True), lit([[1, 1], [0, 3]], fed=True)],
         dtypes=F, fails=INVALID, edges=False),
    Case("BatchToSpaceND", ["T[12,3,3,2]", lit([2, 3], "Tblock_shape"),
                            lit([[1, 1], [0, 3]], "Tcrops")], grad=2, edges=False),
    Case("BatchToSpaceND", ["T[5,3,3,2]", lit([2, 3], fed=True), lit([[1, 1], [0, 3]], fed=True)],
         dtypes=F, fails=INVALID, edges=False),
    Case("SpaceToBatch", ["T[2,4,6,3]", lit([[1, 1], [0, 2]], "Tpaddings")],
         attrs={"block_size": 2}, grad=True, edges=False),
    Case("BatchToSpace", ["T[8,3,4,2]", lit([[1, 1], [0, 2]], "Tidx")], attrs={"block_size": 2},
         grad=True, edges=False),
    Case("SpaceToDepth", ["T[2,4,6,3]"], attrs={"block_size": 2}, grad=2),
    Case("DepthToSpace", ["T[2,2,3,8]"], attrs={"block_size": 2}, grad=2),
    Case("SpaceToDepth", ["T[2,4,5,3]"], attrs={"block_size": 2}, dtypes=F, fails=INVALID,
         edges=False),
    Case("ExtractImagePatches", ["T[2,5,6,3]"], attrs={
        "ksizes": [1, 2, 3, 1], "strides": [1, 2, 1, 1], "rates": [1, 1, 2, 1], "padding": "SAME"},
         grad=True, edges=False),
    Case("ExtractImagePatches", ["T[2,5,6,3]"], attrs={
        "ksizes": [1, 2, 3, 1], "strides": [1, 1, 2, 1], "rates": [1, 2, 1, 1], "padding": "VALID"},
         dtypes=F),
    Case("ExtractVolumePatches", ["T[2,4,5,6,2]"], attrs={
        "ksizes": [1, 2, 3, 2, 1], "strides": [1, 1, 2, 1, 1], "padding": "SAME"}),
    Case("ExtractVolumePatches", ["T[2,4,5,6,2]"], attrs={
        "ksizes": [1, 2, 3, 2, 1], "strides": [1, 2, 1, 2, 1], "padding": "VALID"}, dtypes=F),
    Case("CheckNumerics", ["T[4]"], attrs={"message": "m"}, grad=True),
    Case("CheckNumerics", [lit([1.0, float("nan")], fed=True)], attrs={"message": "m"}, fails=INVALID,
         says="m : Tensor had NaN values"),
    Case("CheckNumericsV2", [lit([1.0, float("-inf")], fed=True)], attrs={"message": "m"},
         fails=INVALID, says="m : Tensor had -Inf values"),
    Case("Empty", [lit([2, 3])], attrs={"dtype": "*", "init": True}),
    Case("LowerBound", [lit([[1, 2, 2, 5]], "T"), lit([[0, 2, 9, 5, 3]], "T")],
         attrs={"out_type": "*"}),
    Case("UpperBound", [lit([[1, 2, 2, 5]], "T"), lit([[0, 2, 9, 5, 3]], "T")],
         attrs={"out_type": "*"}),
    Case("DeepCopy", ["T[2,3]"]),
    Case("InplaceUpdate", ["T[4,2]", lit([1, 3]), "T[2,2]"], edges=False),
    Case("InplaceAdd", ["T[4,2]", lit([1, 1]), "T[2,2]"], edges=False),
    Case("InplaceSub", ["T[4,2]", lit([1, 1]), "T[2,2]"], edges=False),
    Case("ParallelConcat", [["T[1,3]", "T[1,3]"]], attrs={"shape": [2, 3]}, dtypes=["f32", "i32"],
         edges=False),
    Case("Assert", [lit(False, fed=True), [lit([1, 2, 3, 4]), lit("x")]],
         attrs={"T": ["i32", "str"]}, fails=INVALID, says="assertion failed: [1 2 3...] [x]"),
    Case("EditDistance", [lit([[0, 0], [0, 1], [1, 0]], "i64"), lit([1, 2, 3], "T"),
                          lit([2, 2], "i64"), lit([[0, 0], [1, 0], [1, 1]], "i64"),
                          lit([1, 4, 3], "T"), lit([2, 2], "i64")],
         dtypes=["i32", "i64", "f32", "f64"]),
]

CASES += [
    Case("UnravelIndex", [lit([22, 41, 3], "Tidx"), lit([7, 6], "Tidx")]),
    Case("UnravelIndex", [lit(22, "Tidx"), lit([7, 3, 2], "Tidx")]),
    Case("UnravelIndex", [lit([42], fed=True), lit([7, 6])], fails=INVALID),
]

for op in ("Add", "Sub", "Max", "Min", "Update"):
    CASES += [
        Case("TensorScatter" + op, ["T[4,2]", lit([[1], [3], [1]] if op != "Update" else
                                                  [[1], [3], [0]], "Tindices"), "T[3,2]"],
             grad=True, edges=False),
        Case("TensorScatter" + op, ["T[4,2]", lit([[1, 1], [3, 0]]), "T[2]"], dtypes=F, grad=True,
             edges=False),
    ]
CASES += [
    Case("Slice", ["T[4,4]", lit([-1, 0]), lit([3, 3])], dtypes=F, fails=INVALID, edges=False,
         says="Expected begin[0] in [0, 4], but got -1"),
    Case("Transpose", ["T[1,2,1,2,1,2,1,1,2,1,1,2,1,2]", lit(list(range(13, -1, -1)))], dtypes=F,
         edges=False, note="rank 14"),
]


@script("an assertion before a bad slice is what fails")
def slice_after_assert(g):
    g.op("Assert", g.const(False, "bool"), [g.const(b"offset must be >= 0", "str")], _name="assert")
    with_control = g.op("Slice", g.const([1.0, 2.0]), g.const([-1], "i32"), g.const([1], "i32"), _control=["assert"])
    g.run([with_control])


CASES.append(slice_after_assert)


# ---- ops of old graphs ------------------------------------------------------------------------------

def old(name, producer, fetch):
    """A script over a graph of an older version, as newer ones may not have the op."""
    @script(name)
    def build(g):
        g.proto.versions.producer = producer
        g.run(fetch(g))
    CASES.append(build)


X = np.arange(18, dtype=np.float32).reshape(2, 3, 3)
old("BatchMatrixBandPart", 13, lambda g: [g.op("BatchMatrixBandPart", g.const(X), g.const(1, "i64"), g.const(0, "i64"))])
old("BatchMatrixDiag", 13, lambda g: [g.op("BatchMatrixDiag", g.const(X[0]))])
old("BatchMatrixDiagPart", 13, lambda g: [g.op("BatchMatrixDiagPart", g.const(X))])
old("BatchMatrixSetDiag", 13, lambda g: [g.op("BatchMatrixSetDiag", g.const(X), g.const(-X[0, :2]))])
old("QuantizeAndDequantize", 21, lambda g: [
    g.op("QuantizeAndDequantize", g.const([-1.0, 0.3, 0.77]), num_bits=4),
    g.op("QuantizeAndDequantize", g.const([-1.0, 0.3, 0.77]), range_given=True, input_min=-0.5, input_max=1.0)])


@script("TileGrad", alone="its kernels want an attr that the op does not have")
def tile_grad(g):
    g.proto.versions.producer = 2
    x = np.arange(24, dtype=np.float64).reshape(4, 6)
    g.run([g.op("TileGrad", g.const(x), g.const([2, 3]))],
          expect=[x.reshape(2, 2, 3, 2).sum((0, 2))])


@script("PlaceholderV2")
def placeholder_v2(g):
    g.proto.versions.producer = 22
    x = g.op("PlaceholderV2", dtype="f32", shape=[2])
    g.run([x], {x: [1.0, 2.0]})
    g.run([x])


@script("ImmutableConst")
def immutable_const(g):
    """What is in a file, seen as a tensor."""
    g.run(targets=[g.op("WriteFile", g.const("region", "str"), g.const(bytes(range(16)), "str"))])
    at = lambda dtype, shape, name="region": g.op("ImmutableConst", dtype=dtype, shape=shape, memory_region_name=name)
    g.run([at("i32", [4]), at("u8", [2, 8])])
    g.run([at("f32", [2], "none")])


@script("Timestamp")
def timestamp(g):
    now = g.op("Timestamp")
    g.run([g.op("Greater", now, g.const(1e9, "f64")), g.op("Less", now, g.const(1e11, "f64"))])


@script("Abort")
def abort(g):
    """Of the two branches the one that ends the process is never taken."""
    taken = g.op("Switch", g.const(1.0), g.const(False))
    stop = g.op("Abort", _control=[g.op("Identity", taken[1])], error_msg="not reached")
    g.run([g.op("Merge", [g.op("Identity", taken[0])[0], g.op("Identity", taken[1], _control=[stop])[0]])])


CASES += [
    tile_grad, placeholder_v2, immutable_const, timestamp, abort,
    Case("Print", ["T[3]", ["i32[2]", "str[1]"]], attrs={"message": "m", "U": ["i32", "str"]}, dtypes=F,
         edges=False, grad=True),
    Case("PrintV2", [lit("line", fed=True)], attrs={"output_stream": "stdout"}, edges=False),
    Case("PrintV2", [lit(["a", "b"], fed=True)], fails=INVALID, edges=False),
    Case("ToBool", [lit(0, "T", fed=True)], dtypes=["f32", "f64", "u8", "i8", "i16", "i32", "i64", "bool"], edges=False),
    Case("ToBool", [lit(3, "T", fed=True)], dtypes=["f32", "f64", "u8", "i8", "i16", "i32", "i64", "bool"], edges=False),
    Case("ToBool", ["T[2]"], dtypes=["f32", "str", "i32"]),
    Case("ToBool", [lit("", "T", fed=True)], dtypes=["str"], edges=False),
    Case("QuantizeAndDequantizeV4Grad", ["T[3,4]", "T[3,4]", lit(-1, "T"), lit(1, "T")], edges=False),
    Case("QuantizeAndDequantizeV4Grad", ["T[3,2]", "T[3,2]", lit([-1, -.5], "T"), lit([1, .5], "T")],
         attrs={"axis": 1}, dtypes=F, edges=False),
    Case("FakeQuantWithMinMaxArgsGradient", ["f32[3,4]", "f32[3,4]"], attrs={"min": -1.0, "max": 1.5}, edges=False),
    Case("FakeQuantWithMinMaxVarsGradient", ["f32[3,4]", "f32[3,4]", lit(-1.0), lit(1.5)], edges=False),
    Case("FakeQuantWithMinMaxVarsPerChannelGradient",
         ["f32[3,2]", "f32[3,2]", lit([-1.0, -.5]), lit([1.5, .25])], edges=False),
]
