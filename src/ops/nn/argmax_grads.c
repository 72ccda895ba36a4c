/* ops/nn/argmax_grads.c - MaxPoolGradGradWithArgmax, MakeUnique, TopKUnique. */
#include <inttypes.h>

#include "ops/common/catalogue.h"
#include "ops/common/elements.h"
#include "ops/common/inner.h"
#include "ops/declare.h"

enum { INCLUDE_BATCH = 3 };

static weir_status gather_infer(weir_infer *infer)
{
    weir_shape merged;
    WEIR_TRY(weir_infer_rank(infer, 0, 4));
    WEIR_TRY(weir_infer_rank(infer, 2, 4));
    WEIR_TRY(weir_infer_merge(infer->in[0], infer->in[1], &merged));
    infer->out[0] = *infer->in[2];
    return WEIR_OK;
}

/* Gathers the gradient at the position of each window's maximum. */
static weir_status gather_largest(weir_call *call)
{
    const weir_tensor *grad = weir_in(call, 1), *places = weir_in(call, 2);
    weir_tensor *y = weir_out(call, 0);
    int64_t images = places->shape.dims[0], count = weir_tensor_count(places);
    int64_t size = weir_shape_product(&grad->shape, 1, 4);
    bool whole = weir_site_bool(call->site, INCLUDE_BATCH);
    if (images != grad->shape.dims[0])
        return weir_error(WEIR_INVALID_ARGUMENT, "grad and argmax have different batches");
    for (int64_t i = 0; i < count; i++) {
        int64_t image = i / (count / images), place = weir_int_at(places, i);
        place -= whole ? image * size : 0;
        if (place < 0 || place >= size)
            return weir_error(WEIR_INVALID_ARGUMENT, "argmax[%" PRId64 "] is out of range", i);
        weir_elements_copy(y->dtype, weir_at(y, i), weir_at(grad, image * size + place), 1);
    }
    return WEIR_OK;
}

WEIR_DEFINE_OP(max_pool_grad_grad_with_argmax, "MaxPoolGradGradWithArgmax",
               .in = "input: T; grad: T; argmax: Targmax", .out = "output: T",
               .attrs = "ksize: list(int) >= 4; strides: list(int) >= 4; "
                        "padding: {'SAME', 'VALID'}; include_batch_in_index: bool = false; "
                        "Targmax: {int32, int64}; T: {float, double, int32, uint8, int16, int8, "
                        "int64, bfloat16, uint16, half, uint32, uint64}",
               .infer = gather_infer, .kernels = {{WEIR_CPU, "*", gather_largest}});

/* ---- unique numbers -------------------------------------------------------------------------- */

static weir_status rows_infer(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank(infer, 0, 2));
    return weir_infer_same_shape(infer);
}

/* Replaces the lowest bits of each number by its index in the row; zeros first become the smallest
 * normal numbers of their sign. */
static weir_status make_unique(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    int64_t columns = x->shape.dims[1];
    const uint32_t *from = x->data;
    uint32_t *to = weir_out(call, 0)->data, mask = 1;
    while ((int64_t)mask < columns)
        mask *= 2;
    for (int64_t i = 0; i < weir_tensor_count(x); i++) {
        uint32_t bits = from[i] & 0x7fffffffu ? from[i] : from[i] | 0x00800000u;
        to[i] = (bits & ~(mask - 1)) | (uint32_t)(i % columns);
    }
    return WEIR_OK;
}

WEIR_DEFINE_OP(make_unique, "MakeUnique", .in = "input: float", .out = "output: float",
               .infer = rows_infer, .kernels = {{WEIR_CPU, "*", make_unique}});

static weir_status top_infer(weir_infer *infer)
{
    int64_t k = weir_site_int(infer->site, 0);
    WEIR_TRY(weir_infer_rank(infer, 0, 2));
    if (k < 0 ||
        (infer->in[0]->rank == 2 && infer->in[0]->dims[1] >= 0 && k > infer->in[0]->dims[1]))
        return weir_error(WEIR_INVALID_ARGUMENT, "k = %" PRId64 " is out of range", k);
    infer->out[0] = infer->out[1] =
        (weir_shape){2, {infer->in[0]->rank < 0 ? -1 : infer->in[0]->dims[0], k}};
    return WEIR_OK;
}

static weir_status top_unique(weir_call *call)
{
    const weir_named_attr attrs[] = {weir_a_type("T", WEIR_FLOAT),
                                     weir_a_attr("k", &call->site->attrs[0])};
    weir_inner *inner;
    weir_tensor out[2];
    WEIR_TRY(weir_inner_create(&weir_op_top_k, attrs, 2, &inner));
    weir_status status =
        weir_inner_run(inner, call, (const weir_tensor *[]){weir_in(call, 0)}, out);
    weir_inner_destroy(inner);
    WEIR_TRY(status);
    weir_call_set(call, 0, out[0]);
    weir_call_set(call, 1, out[1]);
    return WEIR_OK;
}

WEIR_DEFINE_OP(top_k_unique, "TopKUnique", .in = "input: float",
               .out = "topk: float; topk_indices: int32", .attrs = "k: int", .infer = top_infer,
               .kernels = {{WEIR_CPU, "*", top_unique, WEIR_OWN_OUTPUTS}});
