/* ops/array/matrix_band_part.c - MatrixBandPart: zeros outside a band around the diagonal. */
#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/infer_util.h"

static weir_status infer(weir_infer *i)
{
    if (i->in[0]->rank >= 0 && i->in[0]->rank < 2)
        return weir_error(WEIR_INVALID_ARGUMENT, "input must be at least 2-dim, received shape: %s",
                          WEIR_SHAPE_STR(i->in[0]));
    WEIR_TRY(weir_infer_rank(i, 1, 0));
    WEIR_TRY(weir_infer_rank(i, 2, 0));
    i->out[0] = *i->in[0];
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
        *out = limit; /* everything on that side */
    return WEIR_OK;
}

typedef struct band_work {
    const weir_tensor *x;
    weir_tensor *y;
    int64_t rows, cols, lower, upper;
} band_work;

/* Rows of all matrices, numbered through. */
static void keep_band(void *ctx, int64_t begin, int64_t end)
{
    const band_work *w = ctx;
    for (int64_t r = begin; r < end; r++) {
        int64_t i = r % w->rows, from = i - w->lower, to = i + w->upper + 1;
        from = from < 0 ? 0 : from > w->cols ? w->cols : from;
        to = to > w->cols ? w->cols : to < from ? from : to;
        char *y = weir_at(w->y, r * w->cols);
        int64_t size = (int64_t)weir_dtype_size(w->y->dtype);
        weir_elements_zero(w->y->dtype, y, from);
        if (w->x->data != w->y->data)
            weir_elements_copy(w->y->dtype, y + from * size, weir_at(w->x, r * w->cols + from),
                               to - from);
        weir_elements_zero(w->y->dtype, y + to * size, w->cols - to);
    }
}

static weir_status run(weir_call *call)
{
    band_work w = {.x = weir_in(call, 0), .y = weir_out(call, 0)};
    const weir_shape *s = &w.x->shape;
    w.rows = s->dims[s->rank - 2];
    w.cols = s->dims[s->rank - 1];
    WEIR_TRY(read_width(call, 1, "num_lower", w.rows, "rows", &w.lower));
    WEIR_TRY(read_width(call, 2, "num_upper", w.cols, "columns", &w.upper));
    weir_par_for(&call->run->par, weir_shape_product(s, 0, s->rank - 1), 65536 / (w.cols + 1) + 1,
                 keep_band, &w);
    return WEIR_OK;
}

static weir_status grad(weir_grad *g)
{
    weir_grad_set(g, 0,
                  weir_grad_op(g, "MatrixBandPart",
                               WEIR_IN(weir_grad_dy(g, 0), weir_grad_x(g, 1), weir_grad_x(g, 2)),
                               WEIR_NO_ATTRS));
    return WEIR_OK;
}

const weir_op weir_op_matrix_band_part = {
    .name = "MatrixBandPart",
    .in = "input: T; num_lower: Tindex; num_upper: Tindex",
    .out = "band: T",
    .attrs = "T: type; Tindex: {int32, int64} = DT_INT64",
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
    .infer = infer,
    .grad = grad,
    .inplace = WEIR_INPLACE(0, 0),
    .kernels = {{WEIR_CPU, "*", run}},
};
