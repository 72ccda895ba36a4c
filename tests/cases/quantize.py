"""Ops between floats and a few bits."""
from opcase import Case, lit

F = ["f32"]
INVALID = "INVALID_ARGUMENT"
CASES = [
    Case("FakeQuantWithMinMaxArgs", ["f32[5,7]"], attrs={"min": -1.3, "max": 2.1}, grad=True,
         numeric=False),
    Case("FakeQuantWithMinMaxArgs", ["f32[5,7]"], attrs={"num_bits": 3, "narrow_range": True}),
    Case("FakeQuantWithMinMaxArgs", ["f32[5]"], attrs={"min": 2.0, "max": 1.0}, fails=INVALID,
         edges=False),
    Case("FakeQuantWithMinMaxVars", ["f32[5,7]", lit(-1.3), lit(2.1)], grad=True, numeric=False),
    Case("FakeQuantWithMinMaxVars", ["f32[5,7]", lit(0.0), lit(0.0)], grad=True, numeric=False),
    Case("FakeQuantWithMinMaxVarsPerChannel", [lit([[0.9333333]], fed=True), lit([0.0]), lit([4.0])], edges=False, note="half a level"),
    Case("FakeQuantWithMinMaxVarsPerChannel", ["f32[5,3]", lit([-1.3, 0.2, -2.0]),
                                               lit([2.1, 1.0, 0.5])], grad=True, numeric=False,
         edges=False),
]
for given in (True, False):
    for signed in (True, False):
        CASES += [
            Case("QuantizeAndDequantizeV2", ["T[5,7]", lit(-1.0, "T"), lit(2.0, "T")], attrs={
                "signed_input": signed, "range_given": given, "num_bits": 4}, dtypes=["f32", "f64"],
                 grad=True, numeric=False, edges=False),
        ]
CASES += [
    Case("QuantizeAndDequantizeV2", ["T[5,3]", lit(-1.0, "T"), lit(2.0, "T")],
         attrs={"range_given": True, "narrow_range": True, "round_mode": "HALF_UP"},
         dtypes=["f32", "f64"], edges=False),
    Case("QuantizeAndDequantizeV3", ["T[5,7]", lit(-1.0, "T"), lit(2.0, "T"), lit(6)],
         dtypes=["f32", "f64"], grad=True, numeric=False, edges=False),
    Case("QuantizeAndDequantizeV4", ["T[5,7]", lit(-1.0, "T"), lit(2.0, "T")],
         attrs={"range_given": True}, dtypes=["f32", "f64"], grad=True, numeric=False, edges=False),
]
for mode in ("MIN_COMBINED", "MIN_FIRST", "SCALED"):
    for t in ("qu8", "qi8", "qi16", "qu16") if mode != "SCALED" else ("qi8", "qu8", "qi16"):
        if (mode, t) not in (("MIN_FIRST", "qi16"), ("MIN_FIRST", "qu16")):
            CASES.append(Case("QuantizeV2", ["f32[5,7]", lit(-1.3), lit(2.1)],
                              attrs={"T": t, "mode": mode}, edges=False))
        CASES.append(Case("Dequantize", ["T[5,7]", lit(-1.3), lit(2.1)], dtypes={"T": [t], "dtype": F},
                          attrs={"mode": mode}, edges=False))
CASES += [
    Case("QuantizeV2", ["f32[5,3]", lit([-1.3, 0.0, -2.0]), lit([2.1, 3.0, 1.0])],
         attrs={"T": "qi8", "mode": "SCALED", "axis": 1, "narrow_range": True,
                "round_mode": "HALF_TO_EVEN"}, edges=False),
    Case("Dequantize", ["T[5,3]", lit([-1.3, 0.0, -2.0]), lit([2.1, 3.0, 1.0])],
         dtypes={"T": ["qi8"], "dtype": F}, attrs={"mode": "SCALED", "axis": 1}, edges=False),
]

# ---- arithmetic with numbers of few bits: bytes, and the floats that 0 and 255 stand for
A, B = [lit(-1.3, "f32"), lit(2.1, "f32")], [lit(-3.0, "f32"), lit(1.5, "f32")]
ALONE = {"edges": False}
U8, I32 = {"T1": ["qu8"], "T2": ["qu8"]}, {"Toutput": "qi32"}
for ta in (False, True):
    for tb in (False, True):
        CASES.append(Case("QuantizedMatMul", ["T1[4,3]" if ta else "T1[3,4]", "T2[5,4]" if tb else "T2[4,5]", *A, *B],
                          attrs={"transpose_a": ta, "transpose_b": tb, **I32}, dtypes=U8, note="%s %s" % (ta, tb), **ALONE))
CASES += [
    Case("QuantizedMatMul", ["T1[3,4]", "T2[5,4]", *A, *B], attrs=I32, dtypes=U8, fails=INVALID, **ALONE),
    Case("QuantizedMatMul", ["T1[3,4]", "T2[4,5]", A[1], A[0], *B], attrs=I32, dtypes=U8, fails=INVALID,
         says="max_a must be larger than min_a", **ALONE),
]
for strides, padding in [([1, 1, 1, 1], "SAME"), ([1, 2, 2, 1], "SAME"), ([1, 1, 1, 1], "VALID"), ([1, 3, 3, 1], "SAME"),
                         ([1, 2, 2, 1], "VALID")]:
    for filter in ("[3,3,2,4]", "[1,1,2,3]"):
        CASES.append(Case("QuantizedConv2D", ["Tinput[2,6,7,2]", "Tfilter" + filter, *A, *B],
                          attrs={"strides": strides, "padding": padding, "out_type": "qi32"},
                          dtypes={"Tinput": ["qu8"], "Tfilter": ["qu8"]},
                          note="%s %s %s" % (filter, strides, padding), **ALONE))
CASES += [
    Case("QuantizedConv2D", ["Tinput[2,6,7,2]", "Tfilter[3,3,2,4]", *A, *B], attrs={
        "strides": [1, 1, 2, 1], "padding": "SAME", "out_type": "qi32"},
         dtypes={"Tinput": ["qu8"], "Tfilter": ["qu8"]}, fails=INVALID, says="equal length strides", **ALONE),
    Case("QuantizedMul", ["T1[3,4]", "T2[3,4]", *A, *B], attrs=I32, dtypes=U8, **ALONE),
    Case("QuantizedMul", ["T1[3,4]", "T2[4]", *A, *B], attrs=I32, dtypes=U8, note="row", **ALONE),
    Case("QuantizedMul", ["T1[3,4]", "T2[]", *A, *B], attrs=I32, dtypes=U8, note="scalar", **ALONE),
    Case("QuantizedMul", ["T1[3,4]", "T2[4]", A[1], A[0], *B], attrs=I32, dtypes=U8, fails=INVALID, **ALONE),
    Case("QuantizedAdd", ["T1[3,4]", "T2[3,4]", *A, *B], attrs=I32, dtypes=U8, **ALONE),
    Case("QuantizedAdd", ["T1[4]", "T2[3,4]", *A, *B], attrs=I32, dtypes=U8, note="row", **ALONE),
    Case("QuantizedAdd", ["T1[3,4]", "T2[]", *A, *B], attrs=I32, dtypes=U8, note="scalar", **ALONE),
    Case("QuantizedAdd", ["T1[3,4]", "T2[4]", A[1], A[0], *B], attrs=I32, dtypes=U8, fails=INVALID,
         says="max_x must be larger than min_x", **ALONE),
    *[Case("QuantizedBiasAdd", ["T1[2,3,4]", "T2[4]", *A, *B], attrs={"out_type": "qi32"},
           dtypes={"T1": [t], "T2": [t]}, **ALONE) for t in ("qu8", "qi8")],
    Case("QuantizedBiasAdd", ["T1[2,3,4]", "T2[3]", *A, *B], attrs={"out_type": "qi32"}, dtypes=U8, fails=INVALID,
         **ALONE),
]
SUMS = lit([-1900000, 0, 12345678, 99, -7654321, 5000000], "qi32", fed=True)
WIDE = [lit(-900.0, "f32"), lit(900.0, "f32")]
for out in ("qu8", "qi8"):
    CASES.append(Case("Requantize", [SUMS, *WIDE, lit(-2.5, "f32"), lit(4.0, "f32")], attrs={"out_type": out},
                      dtypes={"Tinput": ["qi32"]}, **ALONE))
CASES += [
    Case("Requantize", [SUMS, *WIDE, lit(0.5, "f32"), lit(4.0, "f32")], attrs={"out_type": "qu8"}, fails=INVALID,
         says="requested_output_min must be <= 0", **ALONE),
    Case("QuantizeDownAndShrinkRange", [SUMS, *WIDE], attrs={"out_type": "qu8"}, dtypes={"Tinput": ["qi32"]}, **ALONE),
    Case("RequantizationRange", [SUMS, *WIDE], dtypes={"Tinput": ["qi32"]}, **ALONE),
]
for op in ("QuantizedRelu", "QuantizedRelu6"):
    CASES += [Case(op, ["Tinput[3,40]", lit(-4.0, "f32"), lit(9.0, "f32")], attrs={"out_type": t},
                   dtypes={"Tinput": [t]}, **ALONE) for t in ("qu8", "qi32")]
for op in ("QuantizedMaxPool", "QuantizedAvgPool"):
    for padding in ("SAME", "VALID"):
        CASES.append(Case(op, ["T[2,5,6,3]", *A], dtypes=["qu8"], note=padding, attrs={
            "ksize": [1, 3, 2, 1], "strides": [1, 2, 2, 1], "padding": padding}, **ALONE))
for t in ("qu8", "qi32"):
    CASES += [
        Case("QuantizedReshape", ["T[3,4]", lit([2, -1]), *A], dtypes={"T": [t]}, **ALONE),
        Case("QuantizedConcat", [lit(1), ["T[2,3]", "T[2,4]"], [A[0], B[0]], [A[1], B[1]]], dtypes={"T": [t]}, **ALONE),
        Case("QuantizedConcat", [lit(0), ["T[2,3]", "T[1,3]", "T[1,3]"], [A[0]] * 3, [A[1]] * 3], dtypes={"T": [t]},
             note="one range", **ALONE),
    ]
CASES += [
    Case("QuantizedReshape", ["T[3,4]", lit([5, -1], fed=True), *A], dtypes={"T": ["qu8"]}, fails=INVALID, **ALONE),
    Case("QuantizedConcat", [lit(2, fed=True), ["T[2,3]", "T[2,4]"], [A[0], B[0]], [A[1], B[1]]], dtypes={"T": ["qu8"]},
         fails=INVALID, says="range [", **ALONE),
    Case("QuantizedConcat", [lit(0), ["T[2,3]", "T[2,4]"], [A[0], B[0]], [A[1], B[1]]], dtypes={"T": ["qu8"]},
         fails=INVALID, **ALONE),
]
