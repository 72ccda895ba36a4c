"""Linear algebra. Where a result is known up to phases, absolute values are compared."""
import numpy as np

from opcase import Case, lit

CASES = []


def add(op, *inputs, **options):
    options.setdefault("edges", False)
    CASES.append(Case(op, list(inputs), **options))


def magnitudes(weir, tensorflow):
    for n, (a, b) in enumerate(zip(weir, tensorflow)):
        a, b = np.abs(np.asarray(a.array)), np.abs(np.asarray(b.array))
        if a.shape != b.shape:
            return "output %d has shape %s, not %s" % (n, a.shape, b.shape)
        wide = a.dtype in (np.float64,)
        if not np.allclose(a, b, rtol=1e-3, atol=1e-6 if wide else 2e-3):
            return "output %d differs: %s, TensorFlow %s" % (n, a, b)
    return None


def first_magnitudes(weir, tensorflow):
    """The others were not asked for: TensorFlow leaves anything in them."""
    return magnitudes(weir[:1], tensorflow[:1])


def all_nan(weir, tensorflow):
    return None if np.isnan(np.tril(weir[0].array)).any() else "gives %s" % weir[0].array


WIDE = ["f32", "f64", "c64", "c128"]
for adjoint in [False, True]:
    add("MatrixSolve", "T[2,4,4] spd", "T[2,4,3]", attrs={"adjoint": adjoint}, dtypes=WIDE, grad=1,
        rtol=1e-3, numeric=False)
    add("MatrixInverse", "T[2,4,4] spd", attrs={"adjoint": adjoint}, dtypes=WIDE, grad=1, rtol=1e-3,
        numeric=False)
    for lower in [False, True]:
        add("MatrixTriangularSolve", "T[2,4,4] spd", "T[2,4,3]", dtypes=WIDE, grad=1, rtol=1e-3,
            attrs={"adjoint": adjoint, "lower": lower}, numeric=False)
        add("BandedTriangularSolve", "T[2,4] pos" if lower else "T[3,2,4] pos", "T[4,3]", dtypes=WIDE,
            attrs={"adjoint": adjoint, "lower": lower}, rtol=1e-3)
add("MatrixTriangularSolve", "T[4,4] spd", "T[3,4,2]", dtypes=["f32", "f64"], rtol=1e-3)
add("MatrixSolve", lit(np.zeros((3, 3)), "T", fed=True), "T[3,1]", dtypes=["f64"],
    fails="INVALID_ARGUMENT", says="not invertible")
add("MatrixDeterminant", "T[2,4,4] spd", dtypes=WIDE, grad=1, rtol=1e-3, numeric=False)
add("MatrixDeterminant", "T[3,3]", dtypes=WIDE, rtol=1e-3, atol=1e-5)
add("MatrixDeterminant", lit([[np.inf, 1], [1, 1]], "T", fed=True), dtypes=["f32", "f64"], edges=False)
I = np.inf  # real numbers stay real: an infinity times an imaginary 0 is no NaN
for m in ([[I, -I], [1, 1]], [[2, -I], [2, 1]], [[3, 0], [-I, -3]], [[1, 0, 0], [0, I, 0], [0, 0, 1]],
          [[I, 3, 4, 5, 6], [3, 4, 9, 2, 0], [2, 5, 8, 3, 8], [1, 6, 7, 4, 7], [2, 3, 4, 5, 6]]):
    for op in ("MatrixDeterminant", "LogMatrixDeterminant") + ("Lu",) * (m[0] != [3, 0]):
        add(op, lit(m, "T", fed=True), dtypes=["f32", "f64"], edges=False)
add("MatrixTriangularSolve", lit([[1, 0, 0], [-1, 0, 0], [0, -1, 1]], "T", fed=True),
    lit([[3], [5], [1]], "T", fed=True), dtypes=["f32", "f64"], edges=False)
add("LogMatrixDeterminant", "T[2,4,4] spd", dtypes=WIDE, rtol=1e-3)
add("Lu", "T[2,5,5]", dtypes=WIDE, rtol=1e-3)
add("Cholesky", "T[2,4,4] spd", dtypes=["f32", "f64"], grad=1, rtol=1e-3, numeric=False)
add("Cholesky", lit([[1.0, 2.0], [2.0, 1.0]], "T", fed=True), dtypes=["f64"], note="indefinite",
    check=all_nan)
for shape in ["[2,5,3]", "[3,5]", "[4,4]"]:
    for full in [False, True]:
        add("Qr", "T" + shape, attrs={"full_matrices": full}, dtypes=WIDE, check=magnitudes)
        if not full:
            add("Svd", "T" + shape, dtypes=WIDE, check=magnitudes)
    add("Svd", "T" + shape, attrs={"compute_uv": False}, dtypes=WIDE, check=first_magnitudes)
add("SelfAdjointEigV2", "T[2,5,5] spd", dtypes=["f32", "f64"], check=magnitudes)
add("SelfAdjointEigV2", "T[5,5] spd", attrs={"compute_v": False}, dtypes=["f32", "f64"], check=first_magnitudes)

# ---- larger ones, which LAPACK factors where it is installed
LARGE = dict(dtypes=["f32", "f64", "c128"], rtol=2e-2, atol=1e-3)
add("MatrixSolve", "T[64,64] spd", "T[64,3]", **LARGE)
add("MatrixInverse", "T[64,64] spd", **LARGE)
add("LogMatrixDeterminant", "T[64,64] spd", **LARGE)
add("Lu", "T[64,64]", dtypes=["f64"], rtol=1e-6, atol=1e-8)
add("Cholesky", "T[64,64] spd", dtypes=["f32", "f64"], rtol=1e-3, atol=1e-4)
for shape in ["[64,40]", "[40,64]"]:
    add("Qr", "T" + shape, dtypes=["f64"], check=magnitudes)
    add("Svd", "T" + shape, dtypes=["f64"], check=magnitudes)
    add("Svd", "T" + shape, attrs={"full_matrices": True, "compute_uv": False}, dtypes=["f32", "f64"],
        check=first_magnitudes)
add("SelfAdjointEigV2", "T[40,40] spd", dtypes=["f64"], check=magnitudes)

# ---- Einsum: products, sums, diagonals, transpositions, ellipses
for equation, shapes in [
        ("ij,jk->ik", ["[3,4]", "[4,5]"]), ("bij,bjk->bik", ["[2,3,4]", "[2,4,5]"]),
        ("ij,kj->ik", ["[3,4]", "[5,4]"]), ("ij->ji", ["[3,4]"]), ("ij->", ["[3,4]"]),
        ("ij->i", ["[3,4]"]), ("ii->i", ["[4,4]"]), ("ii->", ["[4,4]"]), ("i->ii", ["[4]"]),
        ("i,j->ij", ["[3]", "[4]"]), ("i,i->", ["[5]", "[5]"]), ("i,i->i", ["[5]", "[5]"]),
        ("...ij,...jk->...ik", ["[2,3,4]", "[2,4,5]"]), ("...ij,jk->...ik", ["[2,3,4]", "[4,5]"]),
        ("bhqd,bhkd->bhqk", ["[2,3,4,5]", "[2,3,6,5]"]), ("abc,cde->dbae", ["[2,3,4]", "[4,2,5]"]),
        ("ijk,kl->il", ["[2,3,4]", "[4,5]"]), ("...,...->...", ["[2,1]", "[1,3]"]),
        ("iij,jk->ik", ["[3,3,4]", "[4,2]"]), ("ij,ij->j", ["[3,4]", "[3,4]"])]:
    CASES.append(Case("Einsum", [["T" + s for s in shapes]], attrs={"equation": equation}, edges=False,
                      dtypes=["f32", "f64", "f16", "bf16", "i32", "i64", "c64", "c128"], rtol=3e-2))
    CASES.append(Case("Einsum", [["T" + s for s in shapes]], attrs={"equation": equation}, edges=False,
                      dtypes=["f32", "f64"], grad=1))
CASES.append(Case("Einsum", [["T[3,4]", "T[5,6]"]], attrs={"equation": "ij,jk->ik"}, edges=False,
                  dtypes=["f32"], fails="INVALID_ARGUMENT"))

# ---- three diagonals, least squares, functions of matrices
for pivoting in [True, False]:
    add("TridiagonalSolve", "T[2,3,5] pos", "T[2,5,3]", attrs={"partial_pivoting": pivoting}, dtypes=WIDE,
        grad=1, rtol=2e-2, numeric=False)
add("TridiagonalSolve", "T[3,1] pos", "T[1,2]", dtypes=["f32", "f64"], rtol=1e-3)
add("TridiagonalMatMul", "T[2,1,5]", "T[2,1,5]", "T[2,1,5]", "T[2,5,3]", dtypes=WIDE)
for shape, rhs in [("[2,5,3]", "[2,5,2]"), ("[3,5]", "[3,2]"), ("[4,4] spd", "[4,1]")]:
    for fast in [True, False]:
        add("MatrixSolveLs", "T" + shape, "T" + rhs, lit(0.1 if fast else 0.0, "f64"), attrs={"fast": fast},
            dtypes=["f64"], rtol=1e-4)
add("MatrixSquareRoot", "T[2,4,4] spd", dtypes=["f32", "f64"], rtol=1e-3)
add("MatrixLogarithm", "T[2,4,4] spd", dtypes=["c64", "c128"], rtol=1e-3)

# ---- gradients of factorisations
add("Qr", "T[2,5,3]", dtypes=["f32", "f64"], grad=1, rtol=1e-3, check=magnitudes)
add("SelfAdjointEigV2", "T[2,4,4] spd", dtypes=["f64"], grad=1, ys=[0], check=magnitudes, numeric=False)
add("SelfAdjointEigV2", "T[2,4,4] spd", dtypes=["f64"], grad=1, ys=[0], check=first_magnitudes,
    attrs={"compute_v": False}, numeric=False)

# A system without a solution is no error: its part of the result is not a number.
for pivoting in (True, False):
    add("TridiagonalSolve", lit([[[3, 0], [1, 3], [0, 1]], [[1, 0], [2, 2], [0, 1]]], "T", fed=True),
        "T[2,2,1]", attrs={"partial_pivoting": pivoting}, dtypes=["f32", "f64"], edges=False)
    add("TridiagonalSolve", lit([[0], [0], [0]], "T", fed=True), "T[1,3]",
        attrs={"partial_pivoting": pivoting}, dtypes=["f32", "f64"], edges=False)


def same_eigenvalues(mine, theirs):
    """Order and scale of eigenvectors are free; A v = e v says whether they are right."""
    key = lambda e: (round(float(e.real), 4), round(float(e.imag), 4))
    a, b = (sorted(x[0].array.ravel(), key=key) for x in (mine, theirs))
    return None if np.allclose(a, b, rtol=1e-3, atol=1e-3) else "eigenvalues %s, TensorFlow %s" % (a, b)


for t, out in [("f32", "c64"), ("f64", "c128"), ("c64", "c64"), ("c128", "c128")]:
    for vectors in (True, False):
        add("Eig", "%s[4,4]" % t, attrs={"Tout": out, "compute_v": vectors}, edges=False,
            check=same_eigenvalues)
add("Eig", "f64[20,20]", attrs={"Tout": "c128"}, edges=False, check=same_eigenvalues)
