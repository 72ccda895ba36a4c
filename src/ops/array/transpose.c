/* ops/array/transpose.c - Transpose, ConjugateTranspose, InvertPermutation. */
#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/infer_util.h"
#include "ops/common/ndcopy.h"

static weir_status missing(int axis, int rank, const int *perm)
{
    weir_shape as_text = {.rank = rank};
    for (int dim = 0; dim < rank; dim++)
        as_text.dims[dim] = perm[dim];
    const char *text = WEIR_SHAPE_STR(&as_text); /* "[0,0]", printed as "{0,0}" */
    return weir_error(WEIR_INVALID_ARGUMENT, "%d is missing from {%.*s}.", axis,
                      (int)strlen(text) - 2, text + 1);
}

/* Reads a permutation of |rank| axes. */
static weir_status read_perm(const weir_tensor *perm, int rank, int out[WEIR_MAX_RANK])
{
    bool seen[WEIR_MAX_RANK] = {false};
    if (perm->shape.rank != 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "perm must be rank 1, got shape %s",
                          WEIR_SHAPE_STR(&perm->shape));
    if (weir_tensor_count(perm) != rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "transpose expects a vector of size %d. But input(1) is a vector of size "
                          "%" PRId64,
                          rank, weir_tensor_count(perm));
    for (int axis = 0; axis < rank; axis++) {
        int64_t from = weir_int_at(perm, axis);
        if (from < -rank || from >= rank)
            return weir_error(WEIR_INVALID_ARGUMENT, "%" PRId64 " is out of range [0 .. %d)", from,
                              rank);
        out[axis] = (int)(from < 0 ? from + rank : from);
        seen[out[axis]] = true;
    }
    for (int axis = 0; axis < rank; axis++)
        if (!seen[axis])
            return missing(axis, rank, out);
    return WEIR_OK;
}

static weir_status infer(weir_infer *infer)
{
    const weir_shape *x = infer->in[0];
    const weir_tensor *value = weir_infer_value(infer, 1);
    int perm[WEIR_MAX_RANK];
    if (!value)
        WEIR_TRY(weir_infer_rank(infer, 1, 1));
    int64_t count = infer->in[1]->rank == 1 ? infer->in[1]->dims[0] : -1;
    if (x->rank >= 0 && value) {
        WEIR_TRY(read_perm(value, x->rank, perm));
        infer->out[0].rank = x->rank;
        for (int axis = 0; axis < x->rank; axis++)
            infer->out[0].dims[axis] = x->dims[perm[axis]];
        return WEIR_OK;
    }
    if (x->rank >= 0 || (count >= 0 && count <= WEIR_MAX_RANK))
        infer->out[0] = weir_shape_of_rank(x->rank >= 0 ? x->rank : (int)count);
    if (x->rank == 1) /* whatever the order, there is one */
        infer->out[0] = *x;
    return WEIR_OK;
}

/* True when no dim with several elements moves past another: the layout is unchanged. */
static bool stays(const weir_shape *x, const int *perm)
{
    int last = -1;
    for (int axis = 0; axis < x->rank; axis++) {
        if (x->dims[perm[axis]] == 1)
            continue;
        if (perm[axis] < last)
            return false;
        last = perm[axis];
    }
    return true;
}

static weir_status transpose(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    int perm[WEIR_MAX_RANK];
    int64_t xs[WEIR_MAX_RANK], ys[WEIR_MAX_RANK];
    weir_shape shape = {.rank = x->shape.rank};
    weir_ndcopy copy = {0};
    WEIR_TRY(read_perm(weir_in(call, 1), shape.rank, perm));
    for (int axis = 0; axis < shape.rank; axis++)
        shape.dims[axis] = x->shape.dims[perm[axis]];
    if (stays(&x->shape, perm)) {
        weir_call_forward(call, 0, 0, &shape);
        return WEIR_OK;
    }
    WEIR_TRY(weir_call_alloc(call, 0, &shape));
    weir_shape_strides(&x->shape, xs);
    weir_shape_strides(&shape, ys);
    for (int axis = 0; axis < shape.rank; axis++)
        weir_ndcopy_add(&copy, shape.dims[axis], ys[axis], xs[perm[axis]]);
    weir_ndcopy_run(&call->run->par, x->dtype, weir_out(call, 0)->data, x->data, &copy);
    return WEIR_OK;
}

/* The gradient is transposed by the inverse permutation. */
static weir_status grad_by(weir_grad *grad, const char *op)
{
    weir_edge back =
        weir_grad_op(grad, "InvertPermutation", WEIR_IN(weir_grad_x(grad, 1)), WEIR_NO_ATTRS);
    weir_grad_set(grad, 0,
                  weir_grad_op(grad, op, WEIR_IN(weir_grad_dy(grad, 0), back), WEIR_NO_ATTRS));
    return WEIR_OK;
}

static weir_status transpose_grad(weir_grad *grad)
{
    return grad_by(grad, "Transpose");
}

static weir_status conjugate_grad(weir_grad *grad)
{
    return grad_by(grad, "ConjugateTranspose");
}

const weir_op weir_op_transpose = {
    .name = "Transpose",
    .in = "x: T; perm: Tperm",
    .out = "y: T",
    .attrs = "T: type; Tperm: {int32, int64} = DT_INT32",
    .host = "perm",
    .flags = WEIR_MAY_SHARE,
    .infer = infer,
    .grad = transpose_grad,
    .kernels = {{WEIR_CPU, "*", transpose, WEIR_OWN_OUTPUTS}},
};

/* ---- ConjugateTranspose ---------------------------------------------------------------------- */

typedef struct halves {
    char *data;
    bool wide; /* complex128 */
} halves;

static void negate_imaginary(void *ctx, int64_t begin, int64_t end)
{
    const halves *halves = ctx;
    for (int64_t i = begin; i < end; i++) {
        if (halves->wide)
            ((double *)halves->data)[2 * i + 1] = -((double *)halves->data)[2 * i + 1];
        else
            ((float *)halves->data)[2 * i + 1] = -((float *)halves->data)[2 * i + 1];
    }
}

static weir_status conjugate_transpose(weir_call *call)
{
    WEIR_TRY(transpose(call));
    weir_tensor *y = weir_out(call, 0);
    if (!weir_dtype_is_complex(y->dtype))
        return WEIR_OK;
    if (y->buffer == weir_in(call, 0)->buffer) { /* the buffer is aliased */
        weir_tensor own;
        WEIR_TRY(weir_tensor_clone(y, &own));
        weir_call_set(call, 0, own);
        y = weir_out(call, 0);
    }
    halves halves = {y->data, y->dtype == WEIR_COMPLEX128};
    weir_par_for(&call->run->par, weir_tensor_count(y), 32768, negate_imaginary, &halves);
    return WEIR_OK;
}

const weir_op weir_op_conjugate_transpose = {
    .name = "ConjugateTranspose",
    .in = "x: T; perm: Tperm",
    .out = "y: T",
    .attrs = "T: type; Tperm: {int32, int64} = DT_INT32",
    .host = "perm",
    .infer = infer,
    .grad = conjugate_grad,
    .kernels = {{WEIR_CPU, "*", conjugate_transpose, WEIR_OWN_OUTPUTS}},
};

/* ---- InvertPermutation ----------------------------------------------------------------------- */

static weir_status invert_infer(weir_infer *infer)
{
    if (infer->in[0]->rank > 0 && infer->in[0]->rank != 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "invert_permutation expects a 1D vector.");
    WEIR_TRY(weir_infer_rank(infer, 0, 1));
    infer->out[0] = weir_shape_vector(weir_infer_dim(infer, 0, 0));
    return WEIR_OK;
}

static weir_status invert(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_tensor *y = weir_out(call, 0);
    int64_t count = weir_tensor_count(x);
    for (int64_t i = 0; i < count; i++)
        weir_int_set(y, i, -1);
    for (int64_t i = 0; i < count; i++) {
        int64_t to = weir_int_at(x, i);
        if (to < 0 || to >= count)
            return weir_error(WEIR_INVALID_ARGUMENT, "%" PRId64 " is not between 0 and %" PRId64,
                              to, count);
        if (weir_int_at(y, to) != -1)
            return weir_error(WEIR_INVALID_ARGUMENT, "%" PRId64 " is duplicated in the input.", to);
        weir_int_set(y, to, i);
    }
    return WEIR_OK;
}

const weir_op weir_op_invert_permutation = {
    .name = "InvertPermutation",
    .in = "x: T",
    .out = "y: T",
    .attrs = "T: {int32, int64} = DT_INT32",
    .host = "x; y",
    .infer = invert_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", invert, WEIR_CHEAP}},
};
