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
