/* ops/array/inplace.c - DeepCopy, InplaceUpdate, InplaceAdd, InplaceSub: updates of a tensor's
 * rows.
 *
 * A tensor with other references is copied first, so that a value never changes after it was passed
 * on.
 */
#include "math/update/update.h"
#include "ops/common/elem_of.h"
#include "ops/common/elements.h"
#include "ops/common/infer_util.h"
#include "ops/declare.h"

static weir_status copy_input(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_tensor *y = weir_out(call, 0);
    if (x->data != y->data)
        weir_elements_copy(x->dtype, y->data, x->data, weir_tensor_count(x));
    return WEIR_OK;
}

const weir_op weir_op_deep_copy = {
    .name = "DeepCopy",
    .in = "x: T",
    .out = "y: T",
    .attrs = "T: type",
    .flags = WEIR_STATEFUL,
    .infer = weir_infer_same_shape,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", copy_input}},
};

static weir_status check_rows(weir_infer *infer)
{
    const weir_shape *x = infer->in[0], *v = infer->in[2];
    if (x->rank != v->rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "x and v shape doesn't match (ranks differ): %s vs. %s",
                          WEIR_SHAPE_STR(x), WEIR_SHAPE_STR(v));
    for (int axis = 1; axis < x->rank; axis++)
        if (x->dims[axis] >= 0 && v->dims[axis] >= 0 && x->dims[axis] != v->dims[axis])
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "x and v shape doesn't match at index %d : %s vs. %s", axis,
                              WEIR_SHAPE_STR(x), WEIR_SHAPE_STR(v));
    int64_t rows = weir_infer_dim(infer, 1, 0);
    if (infer->in[1]->rank == 1 && rows >= 0 && v->dims[0] >= 0 && rows != v->dims[0])
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "i and x shape doesn't match at index 0: %s vs. %s",
                          WEIR_SHAPE_STR(infer->in[1]), WEIR_SHAPE_STR(v));
    return WEIR_OK;
}

static weir_status infer(weir_infer *infer)
{
    infer->out[0] = *infer->in[0];
    if (infer->in[0]->rank == 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "x must be at least 1-D");
    if (infer->in[1]->rank >= 0 && infer->in[1]->rank != 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "i must be a vector. %s",
                          WEIR_SHAPE_STR(infer->in[1]));
    return infer->in[0]->rank < 0 || infer->in[2]->rank < 0 ? WEIR_OK : check_rows(infer);
}

enum { SET = WEIR_UPDATE_OPS }; /* a mode; the others are weir_update_op */

/* Row numbers wrap around, as in TensorFlow. */
static weir_status change_rows(weir_call *call)
{
    int op = weir_site_mode(call->site);
    const weir_tensor *rows = weir_in(call, 1), *value = weir_in(call, 2);
    WEIR_TRY(copy_input(call));
    weir_tensor *y = weir_out(call, 0);
    int64_t count = weir_tensor_count(rows), limit = y->shape.dims[0];
    int64_t run = weir_shape_product(&y->shape, 1, y->shape.rank);
    weir_elem elem = weir_elem_of(y->dtype);
    weir_update_fn fn =
        op == SET || elem == WEIR_ELEM_NONE ? NULL : weir_update_find((weir_update_op)op, elem);
    if (op != SET && !fn)
        return weir_error(WEIR_INVALID_ARGUMENT, "Unsupported data type: %s",
                          weir_dtype_name(y->dtype));
    if (count > 0 && limit == 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "x has no rows to change");
    for (int64_t k = 0; k < count; k++) {
        int64_t r = (weir_int_at(rows, k) % limit + limit) % limit;
        if (fn)
            fn(weir_at(y, r * run), weir_at(value, k * run), run, 1);
        else
            weir_elements_copy(y->dtype, weir_at(y, r * run), weir_at(value, k * run), run);
    }
    return WEIR_OK;
}

#define CHANGE_ROWS                                                                                \
    .in = "x: T; i: int32; v: T", .out = "y: T", .attrs = "T: type", .infer = infer,               \
    .no_grad = true, .inplace = WEIR_INPLACE(0, 0), .kernels = {{WEIR_CPU, "*", change_rows}}
WEIR_DEFINE_OP(inplace_update, "InplaceUpdate", CHANGE_ROWS, .mode = SET);
WEIR_DEFINE_OP(inplace_add, "InplaceAdd", CHANGE_ROWS, .mode = WEIR_UPDATE_ADD);
WEIR_DEFINE_OP(inplace_sub, "InplaceSub", CHANGE_ROWS, .mode = WEIR_UPDATE_SUB);
