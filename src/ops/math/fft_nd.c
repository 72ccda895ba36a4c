/* ops/math/fft_nd.c - FFTND, RFFTND and their inverses, along any axes.
 *
 * The input is widened to complex double, truncated or zero-padded to the requested lengths, and
 * transformed one axis after another, as in ops/math/fft.c.
 */
#include <inttypes.h>

#include "math/fft/fft.h"
#include "ops/common/elements.h"
#include "ops/common/infer_util.h"
#include "ops/declare.h"
#include "ops/linalg/matrix.h"

enum { INVERSE = 1, REAL = 2 }; /* .mode */

/* Lengths and axes of a transform, in the given order. */
typedef struct axes {
    int count;
    int axis[WEIR_MAX_RANK];
    int64_t length[WEIR_MAX_RANK];
} axes;

static weir_status read_axes(const weir_tensor *lengths, const weir_tensor *which, int rank,
                             axes *out)
{
    int64_t count = weir_tensor_count(which);
    bool seen[WEIR_MAX_RANK] = {0};
    if (weir_tensor_count(lengths) != count || count < 1 || count > rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "fft_length and axes must have one to %d elements each, not %" PRId64
                          " and %" PRId64,
                          rank, weir_tensor_count(lengths), count);
    out->count = (int)count;
    for (int i = 0; i < out->count; i++) {
        int64_t axis = weir_int_at(which, i);
        axis += axis < 0 ? rank : 0;
        out->length[i] = weir_int_at(lengths, i);
        if (axis < 0 || axis >= rank || seen[axis])
            return weir_error(WEIR_INVALID_ARGUMENT, "axes[%d] is out of range or repeated", i);
        if (out->length[i] < 0)
            return weir_error(WEIR_INVALID_ARGUMENT, "fft_length[%d] must >= 0, but got: %" PRId64,
                              i, out->length[i]);
        seen[axis] = true;
        out->axis[i] = (int)axis;
    }
    return WEIR_OK;
}

static weir_status infer(weir_infer *infer)
{
    axes axes;
    WEIR_TRY(weir_infer_rank_at_least(infer, 0, 1));
    WEIR_TRY(weir_infer_rank(infer, 1, 1));
    WEIR_TRY(weir_infer_rank(infer, 2, 1));
    const weir_tensor *lengths = weir_infer_value(infer, 1), *which = weir_infer_value(infer, 2);
    if (infer->in[0]->rank < 0)
        return WEIR_OK;
    infer->out[0] = weir_shape_of_rank(infer->in[0]->rank);
    if (!lengths || !which)
        return WEIR_OK;
    WEIR_TRY(read_axes(lengths, which, infer->in[0]->rank, &axes));
    infer->out[0] = *infer->in[0];
    for (int i = 0; i < axes.count; i++)
        infer->out[0].dims[axes.axis[i]] = axes.length[i];
    int64_t *last = &infer->out[0].dims[axes.axis[axes.count - 1]];
    if (weir_site_mode(infer->site) == REAL && *last > 0)
        *last = *last / 2 + 1;
    return weir_shape_check(&infer->out[0]);
}

/* Copies the intersection of two complex arrays; the rest of |to| is unchanged. */
static void copy_common(const weir_shape *from, const weir_c128 *x, const weir_shape *to,
                        weir_c128 *y, int axis)
{
    int64_t from_step = weir_shape_product(from, axis + 1, from->rank);
    int64_t to_step = weir_shape_product(to, axis + 1, to->rank);
    for (int64_t i = 0; i < from->dims[axis] && i < to->dims[axis]; i++)
        if (axis == from->rank - 1)
            y[i] = x[i];
        else
            copy_common(from, x + i * from_step, to, y + i * to_step, axis + 1);
}

static weir_status transform(weir_call *call, const weir_shape *shape, int axis, weir_c128 *work)
{
    bool inverse = weir_site_mode(call->site) & INVERSE;
    return weir_fft_axis(&call->run->par, inverse, weir_shape_product(shape, 0, axis),
                         shape->dims[axis], weir_shape_product(shape, axis + 1, shape->rank), work);
}

/* Completes half a spectrum along |axis|: entry n - k is the conjugate of entry k. The other axes
 * are already transformed back, so only this one is mirrored. */
static void complete(const weir_shape *shape, int axis, weir_c128 *work)
{
    int64_t n = shape->dims[axis], inner = weir_shape_product(shape, axis + 1, shape->rank);
    int64_t outer = weir_shape_product(shape, 0, axis);
    for (int64_t o = 0; o < outer; o++, work += n * inner)
        for (int64_t i = 0; i < inner; i++) {
            work[i] = creal(work[i]);
            if (n % 2 == 0)
                work[n / 2 * inner + i] = creal(work[n / 2 * inner + i]);
            for (int64_t k = n / 2 + 1; k < n; k++)
                work[k * inner + i] = conj(work[(n - k) * inner + i]);
        }
}

static weir_status transform_all(weir_call *call, const axes *axes, const weir_shape *shape,
                                 weir_c128 *work)
{
    for (int i = 0; i < axes->count; i++) {
        bool last = i == axes->count - 1;
        if (last && weir_site_mode(call->site) == (INVERSE | REAL))
            complete(shape, axes->axis[i], work);
        WEIR_TRY(transform(call, shape, axes->axis[i], work));
    }
    return WEIR_OK;
}

/* |work| has room for the transform, of |shape|, followed by input or output. */
static weir_status run_in(weir_call *call, const axes *axes, const weir_shape *shape,
                          weir_c128 *work)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_tensor *y = weir_out(call, 0);
    int64_t count = weir_shape_count(shape);
    weir_c128 *rest = work + count;
    memset(work, 0, (size_t)count * sizeof *work);
    weir_matrix_load(x, 0, weir_tensor_count(x), rest);
    copy_common(&x->shape, rest, shape, work, 0);
    WEIR_TRY(transform_all(call, axes, shape, work));
    copy_common(shape, work, &y->shape, rest, 0);
    weir_matrix_store(y, 0, weir_tensor_count(y), rest);
    return WEIR_OK;
}

static weir_status run(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0), *y = weir_out(call, 0);
    axes axes;
    WEIR_TRY(read_axes(weir_in(call, 1), weir_in(call, 2), x->shape.rank, &axes));
    weir_shape shape = x->shape;
    for (int i = 0; i < axes.count; i++)
        shape.dims[axes.axis[i]] = axes.length[i];
    if (weir_tensor_count(y) == 0)
        return WEIR_OK;
    int64_t more =
        weir_tensor_count(x) > weir_tensor_count(y) ? weir_tensor_count(x) : weir_tensor_count(y);
    int64_t count;
    WEIR_TRY(weir_shape_check(&shape));
    WEIR_TRY(weir_dim_add(weir_shape_count(&shape), more, &count));
    weir_tensor workspace;
    WEIR_TRY(weir_matrix_workspace(count, &workspace));
    weir_status status = run_in(call, &axes, &shape, workspace.data);
    weir_tensor_release(&workspace);
    return status;
}

#define ALONG_AXES(from, to)                                                                       \
    .in = "input: " from "; fft_length: int32; axes: int32", .out = "output: " to, .infer = infer, \
    .host = "fft_length; axes", .kernels = {{WEIR_CPU, "*", run}}
#define COMPLEX_TYPES "Tcomplex: {complex64, complex128} = DT_COMPLEX64"
#define BOTH_TYPES "Treal: {float, double} = DT_FLOAT; " COMPLEX_TYPES
WEIR_DEFINE_OP(fftnd, "FFTND", ALONG_AXES("Tcomplex", "Tcomplex"), .attrs = COMPLEX_TYPES);
WEIR_DEFINE_OP(ifftnd, "IFFTND", ALONG_AXES("Tcomplex", "Tcomplex"), .attrs = COMPLEX_TYPES,
               .mode = INVERSE);
WEIR_DEFINE_OP(rfftnd, "RFFTND", ALONG_AXES("Treal", "Tcomplex"), .attrs = BOTH_TYPES,
               .mode = REAL);
WEIR_DEFINE_OP(irfftnd, "IRFFTND", ALONG_AXES("Tcomplex", "Treal"), .attrs = BOTH_TYPES,
               .mode = INVERSE | REAL);
