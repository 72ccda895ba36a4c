"""Optimisers: every rule, dense and sparse, by reference and by handle, with each value of its flag."""
from opcase import Case, lit

# name, slots, scalars before the gradient, scalars after it, flag, forms
S = lambda *values: [lit(v, "T") for v in values]
RULES = [
    ("GradientDescent", ["T[3,4]"], S(.5), [], None, "AR"),
    ("ProximalGradientDescent", ["T[3,4]"], S(.5, .1, .2), [], None, "ARsr"),
    ("ProximalGradientDescent", ["T[3,4]"], S(.5, 0., .2), [], None, "AR"),
    ("Momentum", ["T[3,4]"] * 2, S(.5), S(.9), "use_nesterov", "ARsr"),
    ("KerasMomentum", ["T[3,4]"] * 2, S(.5), S(.9), "use_nesterov", "Rr"),
    ("Adagrad", ["T[3,4]", "T[3,4] pos"], S(.5), [], "update_slots", "ARsr"),
    ("AdagradV2", ["T[3,4]", "T[3,4] pos"], S(.5, .1), [], "update_slots", "ARsr"),
    ("AdagradDA", ["T[3,4]", "T[3,4]", "T[3,4] pos"], [], S(.5, .1, .2) + [lit(3, "i64")], None, "ARsr"),
    ("AdagradDA", ["T[3,4]", "T[3,4]", "T[3,4] pos"], [], S(.5, 0., .2) + [lit(3, "i64")], None, "AR"),
    ("ProximalAdagrad", ["T[3,4]", "T[3,4] pos"], S(.5, .1, .2), [], None, "ARsr"),
    ("ProximalAdagrad", ["T[3,4]", "T[3,4] pos"], S(.5, 0., .2), [], None, "AR"),
    ("Adadelta", ["T[3,4]", "T[3,4] pos", "T[3,4] pos"], S(.5, .9, .01), [], None, "ARsr"),
    ("RMSProp", ["T[3,4]", "T[3,4] pos", "T[3,4]"], S(.5, .9, .8, .01), [], None, "ARsr"),
    ("CenteredRMSProp", ["T[3,4]", "T[3,4] unit", "T[3,4] 2..3", "T[3,4]"], S(.5, .9, .8, .1), [],
     None, "ARsr"),
    ("Adam", ["T[3,4]", "T[3,4]", "T[3,4] pos"], S(.8, .9, .5, .9, .99, .01), [], "use_nesterov", "AR"),
    ("AdamWithAmsgrad", ["T[3,4]", "T[3,4]", "T[3,4] pos", "T[3,4] pos"],
     S(.8, .9, .5, .9, .99, .01), [], None, "R"),
    ("AdaMax", ["T[3,4]", "T[3,4]", "T[3,4] pos"], S(.8, .5, .9, .99, .01), [], None, "AR"),
    ("AddSign", ["T[3,4]", "T[3,4]"], S(.5, 1., .9, .8), [], None, "AR"),
    ("PowerSign", ["T[3,4]", "T[3,4]"], S(.5, 1., .9, .8), [], None, "AR"),
    ("Ftrl", ["T[3,4]", "T[3,4] pos", "T[3,4]"], [], S(.5, .1, .2, -.5), "multiply_linear_by_lr", "ARsr"),
    ("Ftrl", ["T[3,4]", "T[3,4] pos", "T[3,4]"], [], S(.5, .1, .2, -.7), "multiply_linear_by_lr", "ARsr"),
    ("FtrlV2", ["T[3,4]", "T[3,4] pos", "T[3,4]"], [], S(.5, .1, .2, .3, -.5), "multiply_linear_by_lr",
     "ARsr"),
]

FORMS = {"A": "Apply", "R": "ResourceApply", "s": "SparseApply", "r": "ResourceSparseApply"}


def cases():
    for name, slots, before, after, flag, forms in RULES:
        for form in forms:
            sparse = form in "sr"
            grad = ["T[2,4]", lit([2, 0], "Tindices")] if sparse else ["T[3,4]"]
            for value in [True, False] if flag else [None]:
                attrs = {} if value is None else {flag: value}
                note = "" if value is None else "%s=%s" % (flag, value)
                inputs = slots + before + grad + after
                if "Ftrl" not in name:
                    yield Case(FORMS[form] + name, inputs, attrs, edges=not sparse, note=note)
                    continue
                # TensorFlow rounds after every operation; where terms cancel, little is left.
                yield Case(FORMS[form] + name, inputs, attrs, ["f32", "f64"], edges=not sparse,
                           note=note)
                yield Case(FORMS[form] + name, inputs, attrs, ["f16", "bf16"], edges=False, note=note,
                           rtol=.1, atol=.05)


CASES = list(cases()) + [
    Case("SparseApplyMomentum", ["T[3,4]", "T[3,4]", lit(.5, "T"), "T[3,4]",
                                 lit([1, 1, 0], "Tindices"), lit(.9, "T")], edges=False, note="twice"),
    Case("SparseApplyAdagrad", ["T[5]", "T[5] pos", lit(.5, "T"), "T[2]", lit([1, 4], "Tindices")],
         edges=False, note="vector"),
    Case("ApplyAdam", ["T[30001]", "T[30001]", "T[30001] pos", lit(.8, "T"), lit(.9, "T"), lit(.5, "T"),
                       lit(.9, "T"), lit(.99, "T"), lit(.01, "T"), "T[30001]"], dtypes=["f32", "f64"],
         edges=False, note="threads"),
    Case("SparseApplyAdagrad", ["T[3,4]", "T[3,4] pos", lit(.5, "T"), "T[2,4]",
                                lit([1, 3], "Tindices", fed=True)], dtypes=["f32"], edges=False,
         fails="INVALID_ARGUMENT", says="Index 3 at offset 1 in indices is out of range"),
    Case("ApplyGradientDescent", ["T[3]", lit(.5, "T"), "T[4]"], dtypes=["f32"], edges=False,
         fails="INVALID_ARGUMENT"),
    Case("ApplyGradientDescent", ["T[3]", lit([.5, .6], "T", fed=True), "T[3]"], dtypes=["f32"],
         edges=False, fails="INVALID_ARGUMENT"),
]
