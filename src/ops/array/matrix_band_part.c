/* ops/array/matrix_band_part.c - MatrixBandPart: zeros outside a band around the diagonal. */
#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/infer_util.h"

static weir_status infer(weir_infer *infer)
{
    if (infer->in[0]->rank >= 0 && infer->in[0]->rank < 2)
        return weir_error(WEIR_INVALID_ARGUMENT, "input must be at least 2-dim, received shape: %s",
                          WEIR_SHAPE_STR(infer->in[0]));
    WEIR_TRY(weir_infer_rank(infer, 1, 0));
    WEIR_TRY(weir_infer_rank(infer, 2, 0));
    infer->out[0] = *infer->in[0];
    return WEIR_OK;
}

static weir_status read_width(weir_call *call, int in, const char *name, int64_t limit,
                              const char *side, int64_t *out)
{
    *out = weir_int_at(weir_in(call, in), 0);
    if (*out > limit)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "%s must be negative or less or equal to number of %s (%" PRId64
                          ") got: %" PRId64,
                          name, side, limit, *out);
    if (*out < 0)
        *out = limit; /* negative: the whole triangle */
    return WEIR_OK;
}

typedef struct band_work {
    const weir_tensor *x;
    weir_tensor *y;
    int64_t rows, cols, lower, upper;
} band_work;

/* Rows of all matrices, numbered consecutively. */
static void keep_band(void *ctx, int64_t begin, int64_t end)
{
    const band_work *work = ctx;
    for (int64_t r = begin; r < end; r++) {
        int64_t i = r % work->rows, from = i - work->lower, to = i + work->upper + 1;
        from = from < 0 ? 0 : from > work->cols ? work->cols : from;
        to = to > work->cols ? work->cols : to < from ? from : to;
        char *y = weir_at(work->y, r * work->cols);
        int64_t size = (int64_t)weir_dtype_size(work->y->dtype);
        weir_elements_zero(work->y->dtype, y, from);
        if (work->x->data != work->y->data)
            weir_elements_copy(work->y->dtype, y + from * size,
                               weir_at(work->x, r * work->cols + from), to - from);
        weir_elements_zero(work->y->dtype, y + to * size, work->cols - to);
    }
}

static weir_status run(weir_call *call)
{
    band_work work = {.x = weir_in(call, 0), .y = weir_out(call, 0)};
    const weir_shape *shape = &work.x->shape;
    work.rows = shape->dims[shape->rank - 2];
    work.cols = shape->dims[shape->rank - 1];
    WEIR_TRY(read_width(call, 1, "num_lower", work.rows, "rows", &work.lower));
    WEIR_TRY(read_width(call, 2, "num_upper", work.cols, "columns", &work.upper));
    weir_par_for(&call->run->par, weir_shape_product(shape, 0, shape->rank - 1),
                 65536 / (work.cols + 1) + 1, keep_band, &work);
    return WEIR_OK;
}

static weir_status grad(weir_grad *grad)
{
    weir_grad_set(
        grad, 0,
        weir_grad_op(grad, "MatrixBandPart",
                     WEIR_IN(weir_grad_dy(grad, 0), weir_grad_x(grad, 1), weir_grad_x(grad, 2)),
                     WEIR_NO_ATTRS));
    return WEIR_OK;
}

const weir_op weir_op_matrix_band_part = {
    .name = "MatrixBandPart",
    .in = "input: T; num_lower: Tindex; num_upper: Tindex",
    .out = "band: T",
    .attrs = "T: type; Tindex: {int32, int64} = DT_INT64",
    .host = "num_lower; num_upper",
    .infer = infer,
    .grad = grad,
    .inplace = WEIR_INPLACE(0, 0),
    .kernels = {{WEIR_CPU, "*", run}},
};

const weir_op weir_op_batch_matrix_band_part = {
    .name = "BatchMatrixBandPart",
    .in = "input: T; num_lower: int64; num_upper: int64",
    .out = "band: T",
    .attrs = "T: type",
    .deprecated_at = 14,
    .deprecation = "Use MatrixBandPart",
    .host = "num_lower; num_upper",
    .infer = infer,
    .grad = grad,
    .inplace = WEIR_INPLACE(0, 0),
    .kernels = {{WEIR_CPU, "*", run}},
};
