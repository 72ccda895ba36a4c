"""Compares what Weir computed with what TensorFlow computed."""
import numpy as np

from dtypes import KIND, short

RTOL = {"f32": 2e-5, "f64": 1e-11, "f16": 4e-3, "bf16": 2e-2, "c64": 2e-5, "c128": 1e-11,
        "f8e5m2": 0.26, "f8e4m3fn": 0.13}


def difference(got, want, rtol=None, atol=None, shape_only=False):
    """None when two Values agree, else what is wrong. Floats may differ by rtol of their own size
    and a tenth of it of the largest element, since sums may be taken in another order."""
    if got is None or want is None:
        return None if got is want else "got %r, TensorFlow has %r" % (got, want)
    if got.dtype != want.dtype:
        return "dtype %s, TensorFlow has %s" % (short(got.dtype), short(want.dtype))
    if got.shape != want.shape:
        return "shape %s, TensorFlow has %s" % (list(got.shape), list(want.shape))
    if shape_only or got.array.size == 0:
        return None
    if KIND[got.dtype] != "s" and _same_bytes(got.array, want.array):
        return None
    if KIND[got.dtype] not in "fc":
        bad = np.asarray(got.array != want.array)
        return None if not bad.any() else _tell(got.array, want.array, bad)
    wide = np.complex128 if KIND[got.dtype] == "c" else np.float64
    with np.errstate(invalid="ignore"):
        a, b = got.array.astype(wide), want.array.astype(wide)
    rtol = RTOL[short(got.dtype)] if rtol is None else rtol
    size = np.abs(np.where(np.isfinite(b), b, 0))
    with np.errstate(invalid="ignore", over="ignore"):
        bound = rtol * (size + 0.1 * size.max()) + (1e-30 if atol is None else atol)
        same = (np.abs(a - b) <= bound) | (a == b) | (np.isnan(a) & np.isnan(b))
    return None if same.all() else _tell(a, b, ~same)


def _same_bytes(a, b):
    return np.array_equal(*(np.ascontiguousarray(x).reshape(-1).view(np.uint8) for x in (a, b)))


def _tell(got, want, bad):
    at = tuple(int(i) for i in np.argwhere(bad)[0]) if bad.ndim else ()
    return "%d of %d elements differ, first at %s: %r, TensorFlow has %r" % (
        bad.sum(), bad.size, list(at), got[at] if at else got[()], want[at] if at else want[()])
