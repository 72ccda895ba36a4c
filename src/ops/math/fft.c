/* ops/math/fft.c - FFT, RFFT and their inverses in one, two and three dimensions.
 *
 * All arithmetic is in complex double: real and narrow inputs are widened when they are copied into
 * the work array, and truncated or zero-padded to its size.
 */
#include "math/fft/fft.h"

#include <inttypes.h>
#include <string.h>

#include "ops/common/elem_of.h"
#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/declare.h"
#include "ops/math/gradient.h"

/* Properties of an op of the family. */
typedef struct kind {
    int rank;
    bool inverse;
    bool real; /* RFFT and IRFFT: half a spectrum on the complex side */
} kind;

/* .mode of an op: the rank of the transform and these. */
enum { INVERSE = 4, REAL = 8 };

static kind kind_of(const weir_site *site)
{
    int mode = weir_site_mode(site);
    return (kind){.rank = mode & 3, .inverse = mode & INVERSE, .real = mode & REAL};
}

static weir_status complex_infer(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank_at_least(infer, 0, kind_of(infer->site).rank));
    return weir_infer_same_shape(infer);
}

/* Lengths of the transform from input 1; -1 if unknown. */
static weir_status read_lengths(weir_infer *infer, int rank, int64_t *out)
{
    int64_t n;
    WEIR_TRY(weir_infer_rank(infer, 1, 1));
    WEIR_TRY(weir_infer_merge_dim(weir_infer_dim(infer, 1, 0), rank, &n));
    const weir_tensor *tensor = weir_infer_value(infer, 1);
    for (int axis = 0; axis < rank; axis++) {
        out[axis] = tensor ? weir_int_at(tensor, axis) : -1;
        if (tensor && out[axis] < 0)
            return weir_error(WEIR_INVALID_ARGUMENT, "fft_length[%d] must >= 0, but got: %" PRId64,
                              axis, out[axis]);
    }
    return WEIR_OK;
}

static weir_status real_infer(weir_infer *infer)
{
    kind kind = kind_of(infer->site);
    int64_t lengths[3];
    WEIR_TRY(weir_infer_rank_at_least(infer, 0, kind.rank));
    WEIR_TRY(read_lengths(infer, kind.rank, lengths));
    if (infer->in[0]->rank < 0)
        return WEIR_OK;
    infer->out[0] = *infer->in[0];
    int first = infer->in[0]->rank - kind.rank;
    for (int axis = 0; axis < kind.rank; axis++) {
        bool half = !kind.inverse && axis == kind.rank - 1 && lengths[axis] > 0;
        infer->out[0].dims[first + axis] = half ? lengths[axis] / 2 + 1 : lengths[axis];
    }
    return WEIR_OK;
}

/* One element of a tensor as a complex number, and back. */
static weir_c128 load(const weir_tensor *tensor, int64_t i)
{
    switch (tensor->dtype) {
    case WEIR_FLOAT:
        return ((const float *)tensor->data)[i];
    case WEIR_DOUBLE:
        return ((const double *)tensor->data)[i];
    case WEIR_COMPLEX64:
        return ((const weir_c64 *)tensor->data)[i];
    default:
        return ((const weir_c128 *)tensor->data)[i];
    }
}

static void store(weir_tensor *tensor, int64_t i, weir_c128 v)
{
    switch (tensor->dtype) {
    case WEIR_FLOAT:
        ((float *)tensor->data)[i] = (float)creal(v);
        break;
    case WEIR_DOUBLE:
        ((double *)tensor->data)[i] = creal(v);
        break;
    case WEIR_COMPLEX64:
        ((weir_c64 *)tensor->data)[i] = (weir_c64)v;
        break;
    default:
        ((weir_c128 *)tensor->data)[i] = v;
    }
}

/* The work array [batch, n0, n1, n2] of a transform; unused dimensions are 1. */
typedef struct grid {
    int64_t batch, n[3];
} grid;

static grid grid_of(const weir_shape *shape, int rank)
{
    grid grid = {weir_shape_product(shape, 0, shape->rank - rank), {1, 1, 1}};
    for (int axis = 0; axis < rank; axis++)
        grid.n[3 - rank + axis] = shape->dims[shape->rank - rank + axis];
    return grid;
}

static int64_t grid_at(const grid *grid, int64_t b, int64_t i, int64_t j, int64_t k)
{
    return ((b * grid->n[0] + i) * grid->n[1] + j) * grid->n[2] + k;
}

/* Copies |x| into |work|, which may be smaller or larger. */
static void copy_in(const weir_tensor *x, const grid *from, const grid *to, weir_c128 *work)
{
    for (int64_t batch = 0; batch < to->batch; batch++)
        for (int64_t i = 0; i < to->n[0]; i++)
            for (int64_t j = 0; j < to->n[1]; j++)
                for (int64_t k = 0; k < to->n[2]; k++) {
                    bool inside = i < from->n[0] && j < from->n[1] && k < from->n[2];
                    work[grid_at(to, batch, i, j, k)] =
                        inside ? load(x, grid_at(from, batch, i, j, k)) : 0;
                }
}

/* Copies the first part of every line of |work|. */
static void copy_out(const grid *from, const weir_c128 *work, const grid *to, weir_tensor *y)
{
    for (int64_t batch = 0; batch < to->batch; batch++)
        for (int64_t i = 0; i < to->n[0]; i++)
            for (int64_t j = 0; j < to->n[1]; j++)
                for (int64_t k = 0; k < to->n[2]; k++)
                    store(y, grid_at(to, batch, i, j, k), work[grid_at(from, batch, i, j, k)]);
}

static weir_status transform_axes(const weir_par *par, bool inverse, const grid *grid, int from,
                                  int to, weir_c128 *work)
{
    for (int axis = from; axis < to; axis++) {
        int64_t outer = grid->batch, inner = 1;
        for (int k = 0; k < axis; k++)
            outer *= grid->n[k];
        for (int k = axis + 1; k < 3; k++)
            inner *= grid->n[k];
        if (grid->n[axis] > 1)
            WEIR_TRY(weir_fft_axis(par, inverse, outer, grid->n[axis], inner, work));
    }
    return WEIR_OK;
}

/* The second half of each line is the first, mirrored and conjugated; the ends are real. */
static void complete_lines(const grid *grid, weir_c128 *work)
{
    int64_t count = grid->n[2], lines = grid->batch * grid->n[0] * grid->n[1];
    for (int64_t l = 0; l < lines; l++, work += count) {
        work[0] = creal(work[0]);
        if (count % 2 == 0)
            work[count / 2] = creal(work[count / 2]);
        for (int64_t k = count / 2 + 1; k < count; k++)
            work[k] = conj(work[count - k]);
    }
}

static weir_status run_grid(weir_call *call, kind kind, const grid *work_grid, weir_c128 *work)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_tensor *y = weir_out(call, 0);
    const weir_par *par = &call->run->par;
    grid from = grid_of(&x->shape, kind.rank), to = grid_of(&y->shape, kind.rank);
    if (kind.real && kind.inverse) {
        copy_in(x, &from, work_grid, work);
        WEIR_TRY(transform_axes(par, true, work_grid, 3 - kind.rank, 2, work));
        complete_lines(work_grid, work);
        WEIR_TRY(transform_axes(par, true, work_grid, 2, 3, work));
    } else {
        copy_in(x, &from, work_grid, work);
        WEIR_TRY(transform_axes(par, kind.inverse, work_grid, 3 - kind.rank, 3, work));
    }
    copy_out(work_grid, work, &to, y);
    return WEIR_OK;
}

/* The input may be longer than the transform's length, not shorter. */
static weir_status check_lengths(weir_call *call, kind kind)
{
    const weir_shape *x = &weir_in(call, 0)->shape;
    for (int axis = 0; axis < kind.rank; axis++) {
        int64_t need = weir_int_at(weir_in(call, 1), axis),
                have = x->dims[x->rank - kind.rank + axis];
        if (kind.inverse && axis == kind.rank - 1 && need > 0)
            need = need / 2 + 1;
        if (have > 0 && have < need)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Input dimension %d must have length of at least %" PRId64
                              " but got: %" PRId64,
                              x->rank - kind.rank + axis, need, have);
    }
    return WEIR_OK;
}

static weir_status run_fft(weir_call *call)
{
    kind kind = kind_of(call->site);
    if (kind.real)
        WEIR_TRY(check_lengths(call, kind));
    const weir_tensor *x = weir_in(call, 0);
    weir_tensor *y = weir_out(call, 0), work;
    if (weir_tensor_count(x) == 0) {
        memset(y->data, 0, weir_tensor_bytes(y));
        return WEIR_OK;
    }
    grid grid = grid_of(&x->shape, kind.rank);
    for (int axis = 0; kind.real && axis < kind.rank; axis++)
        grid.n[3 - kind.rank + axis] = weir_int_at(weir_in(call, 1), axis);
    weir_shape shape = {4, {grid.batch, grid.n[0], grid.n[1], grid.n[2]}};
    if (weir_tensor_count(y) == 0)
        return WEIR_OK;
    WEIR_TRY(weir_tensor_alloc(WEIR_COMPLEX128, &shape, &work));
    weir_status status = run_grid(call, kind, &grid, work.data);
    weir_tensor_release(&work);
    return status;
}

/* ---- gradients ------------------------------------------------------------------------------- */

/* The product of the transformed dimensions of |edge|, in the type |dtype|. */
static weir_edge grid_size(weir_grad *grad, weir_edge edge, int rank, weir_dtype dtype)
{
    weir_edge shape = weir_grad_op(grad, "Shape", WEIR_IN(edge), WEIR_NO_ATTRS);
    weir_edge zero = weir_grad_scalar(grad, WEIR_INT32, 0);
    weir_edge begin = weir_grad_const_int32(grad, (int32_t[]){-rank}, 1);
    weir_edge end = weir_grad_const_int32(grad, (int32_t[]){0}, 1);
    weir_edge one = weir_grad_const_int32(grad, (int32_t[]){1}, 1);
    weir_edge dims = weir_grad_op(grad, "StridedSlice", WEIR_IN(shape, begin, end, one),
                                  WEIR_ATTRS(weir_a_int("end_mask", 1)));
    return weir_grad_cast(grad, OP2("Prod", dims, zero), dtype);
}

/* By inverse and rank - 1. */
static const char *const complex_names[2][3] = {{"FFT", "FFT2D", "FFT3D"},
                                                {"IFFT", "IFFT2D", "IFFT3D"}};

static weir_status complex_grad(weir_grad *grad)
{
    kind kind = kind_of(weir_grad_site(grad));
    weir_dtype dtype = weir_dtype_base(weir_grad_site(grad)->in_types[0]);
    weir_edge dy = DY, back = OP1(complex_names[!kind.inverse][kind.rank - 1], dy);
    weir_edge size = grid_size(grad, dy, kind.rank, dtype);
    weir_grad_set(grad, 0, kind.inverse ? DIV(back, size) : MUL(back, size));
    return WEIR_OK;
}

/* RFFT drops half of the spectrum, so its adjoint is the real part of an unscaled inverse transform
 * of dy padded with zeros. */
static weir_status real_grad(weir_grad *grad)
{
    kind kind = kind_of(weir_grad_site(grad));
    weir_dtype real = weir_dtype_base(weir_grad_site(grad)->in_types[0]);
    weir_edge dy = DY, x = X, lengths = X1;
    weir_edge last = weir_grad_subvector(grad, lengths, kind.rank - 1, 1);
    weir_edge shape = OP1("Shape", dy), rank = OP1("Size", shape);
    weir_edge zero = weir_grad_scalar(grad, WEIR_INT32, 0),
              one = weir_grad_scalar(grad, WEIR_INT32, 1);
    weir_edge have =
        weir_grad_op(grad, "GatherV2", WEIR_IN(shape, SUB(rank, one), zero), WEIR_NO_ATTRS);
    weir_edge more = SUB(last, have); /* [1] */
    /* Paddings [[0, 0] ... [0, more]]: a matrix with one entry. */
    weir_edge at =
        weir_grad_op(grad, "Pack", WEIR_IN(SUB(rank, one), one), WEIR_ATTRS(weir_a_int("N", 2)));
    weir_edge two = weir_grad_scalar(grad, WEIR_INT32, 2);
    weir_edge size = weir_grad_op(grad, "Pack", WEIR_IN(rank, two), WEIR_ATTRS(weir_a_int("N", 2)));
    weir_edge index = weir_grad_op(grad, "ExpandDims", WEIR_IN(at, zero), WEIR_NO_ATTRS);
    weir_edge paddings = weir_grad_op(grad, "ScatterNd", WEIR_IN(index, more, size), WEIR_NO_ATTRS);
    weir_edge full = OP2("Pad", dy, paddings);
    weir_edge back =
        weir_grad_op(grad, "Real", WEIR_IN(OP1(complex_names[true][kind.rank - 1], full)),
                     WEIR_ATTRS(weir_a_type("Tout", real)));
    weir_edge count = weir_grad_cast(grad, OP2("Prod", lengths, zero), real);
    weir_grad_set(grad, 0, OP2("Reshape", MUL(back, count), OP1("Shape", x)));
    return WEIR_OK;
}

/* Every frequency but the first (and, for even lengths, the last) counts twice. */
static weir_status real_inverse_grad(weir_grad *grad)
{
    static const char *const forward[] = {"RFFT", "RFFT2D", "RFFT3D"};
    const weir_site *site = weir_grad_site(grad);
    kind kind = kind_of(site);
    weir_dtype complex_type = weir_dtype_base(site->in_types[0]);
    weir_dtype real = weir_dtype_base(site->out_types[0]);
    weir_edge dy = DY, lengths = X1, zero = weir_grad_scalar(grad, WEIR_INT32, 0);
    weir_edge spectrum = weir_grad_op(grad, forward[kind.rank - 1], WEIR_IN(dy, lengths),
                                      WEIR_ATTRS(weir_a_type("Tcomplex", complex_type)));
    weir_edge last = weir_grad_subvector(grad, lengths, kind.rank - 1, 1);
    weir_edge one = weir_grad_const_int32(grad, (int32_t[]){1}, 1);
    weir_edge two = weir_grad_const_int32(grad, (int32_t[]){2}, 1);
    weir_edge odd = OP2("FloorMod", last, two);
    /* One end, (n - 1) / 2 pairs, and the other end when n is even. */
    weir_edge pairs = OP2("FloorDiv", SUB(last, one), two);
    weir_edge ends[] = {
        OP2("Fill", one, weir_grad_scalar(grad, real, 1)),
        OP2("Fill", pairs, weir_grad_scalar(grad, real, 2)),
        OP2("Fill", SUB(one, odd), weir_grad_scalar(grad, real, 1)),
    };
    weir_edge mask = weir_grad_concat(grad, ends, 3);
    weir_edge count = weir_grad_cast(grad, OP2("Prod", lengths, zero), real);
    weir_edge scale = weir_grad_cast(grad, DIV(mask, count), complex_type);
    weir_grad_set(grad, 0, MUL(spectrum, scale));
    return WEIR_OK;
}

/* ---- the family ------------------------------------------------------------------------------ */

#define COMPLEX                                                                                    \
    .in = "input: Tcomplex", .out = "output: Tcomplex",                                            \
    .attrs = "Tcomplex: {complex64, complex128} = DT_COMPLEX64", .infer = complex_infer,           \
    .grad = complex_grad, .kernels = {{WEIR_CPU, "*", run_fft}}
WEIR_DEFINE_OP(fft, "FFT", COMPLEX, .mode = 1);
WEIR_DEFINE_OP(fft2d, "FFT2D", COMPLEX, .mode = 2);
WEIR_DEFINE_OP(fft3d, "FFT3D", COMPLEX, .mode = 3);
WEIR_DEFINE_OP(ifft, "IFFT", COMPLEX, .mode = 1 | INVERSE);
WEIR_DEFINE_OP(ifft2d, "IFFT2D", COMPLEX, .mode = 2 | INVERSE);
WEIR_DEFINE_OP(ifft3d, "IFFT3D", COMPLEX, .mode = 3 | INVERSE);

#define OLD_COMPLEX(name)                                                                          \
    .in = "input: complex64", .out = "output: complex64", .infer = complex_infer,                  \
    .kernels = {{WEIR_CPU, "*", run_fft}}, .deprecated_at = 15, .deprecation = "Use " name
WEIR_DEFINE_OP(batch_fft, "BatchFFT", OLD_COMPLEX("FFT"), .mode = 1);
WEIR_DEFINE_OP(batch_fft2d, "BatchFFT2D", OLD_COMPLEX("FFT2D"), .mode = 2);
WEIR_DEFINE_OP(batch_fft3d, "BatchFFT3D", OLD_COMPLEX("FFT3D"), .mode = 3);
WEIR_DEFINE_OP(batch_ifft, "BatchIFFT", OLD_COMPLEX("IFFT"), .mode = 1 | INVERSE);
WEIR_DEFINE_OP(batch_ifft2d, "BatchIFFT2D", OLD_COMPLEX("IFFT2D"), .mode = 2 | INVERSE);
WEIR_DEFINE_OP(batch_ifft3d, "BatchIFFT3D", OLD_COMPLEX("IFFT3D"), .mode = 3 | INVERSE);

#define REAL_TRANSFORM                                                                             \
    .attrs = "Treal: {float, double} = DT_FLOAT; "                                                 \
             "Tcomplex: {complex64, complex128} = DT_COMPLEX64",                                   \
    .infer = real_infer, .kernels = {{WEIR_CPU, "*", run_fft}}
#define FORWARD                                                                                    \
    REAL_TRANSFORM, .in = "input: Treal; fft_length: int32", .out = "output: Tcomplex",            \
                    .grad = real_grad
#define BACKWARD                                                                                   \
    REAL_TRANSFORM, .in = "input: Tcomplex; fft_length: int32", .out = "output: Treal",            \
                    .grad = real_inverse_grad
WEIR_DEFINE_OP(rfft, "RFFT", FORWARD, .mode = 1 | REAL, .host = "fft_length");
WEIR_DEFINE_OP(rfft2d, "RFFT2D", FORWARD, .mode = 2 | REAL, .host = "fft_length");
WEIR_DEFINE_OP(rfft3d, "RFFT3D", FORWARD, .mode = 3 | REAL, .host = "fft_length");
WEIR_DEFINE_OP(irfft, "IRFFT", BACKWARD, .mode = 1 | REAL | INVERSE, .host = "fft_length");
WEIR_DEFINE_OP(irfft2d, "IRFFT2D", BACKWARD, .mode = 2 | REAL | INVERSE, .host = "fft_length");
WEIR_DEFINE_OP(irfft3d, "IRFFT3D", BACKWARD, .mode = 3 | REAL | INVERSE, .host = "fft_length");
