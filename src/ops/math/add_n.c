/* ops/math/add_n.c - Add (of numbers and strings), AddN and AccumulateNV2. */
#include "base/room.h"
#include "ops/common/elem_of.h"
#include "ops/common/variants.h"
#include "ops/math/elementwise.h"
#include "ops/math/gradient.h"
#include "tensor/tstring.h"

static weir_status add_numbers(weir_call *call)
{
    return weir_binary_kernel(call, WEIR_B_add);
}

/* Empty where there is no room, which ends the op. */
static void join(weir_tstring *tstring, weir_str a, weir_str b)
{
    if (!weir_room_grants(a.length + b.length))
        return;
    char *text = weir_tstring_resize(tstring, a.length + b.length);
    if (a.length)
        memcpy(text, a.at, a.length);
    if (b.length)
        memcpy(text + a.length, b.at, b.length);
}

/* The sum of strings is their concatenation. */
static weir_status add_strings(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0), *y = weir_in(call, 1);
    const weir_tstring *px = x->data, *py = y->data;
    weir_tstring *tstrings = weir_out(call, 0)->data;
    weir_bcast bcast;
    weir_tensor_bcast(x, y, &bcast);
    int last = bcast.rank - 1;
    int64_t row = bcast.dims[last], at[WEIR_BCAST_OPERANDS], index[WEIR_BCAST_RANK];
    weir_bcast_seek(&bcast, 0, at, index);
    for (int64_t r = 0; r < bcast.count; r += row) {
        for (int64_t k = 0; k < row; k++)
            join(&tstrings[r + k], weir_tstring_get(px + at[0] + k * bcast.strides[0][last]),
                 weir_tstring_get(py + at[1] + k * bcast.strides[1][last]));
        weir_bcast_next(&bcast, at, index);
    }
    return WEIR_OK;
}

GRADIENT2(add_grad, DY, DY)
const weir_op weir_op_add = {
    .name = "Add",
    .in = "x: T; y: T",
    .out = "z: T",
    .attrs = "T: {" FLOATS ", uint8, int8, int16, int32, int64, complex64, complex128, string}",
    .infer = weir_infer_broadcast,
    .grad = add_grad,
    .elementwise = {.arity = 2, .loop = WEIR_B_add},
    .kernels = {{WEIR_CPU, "T: string", add_strings}, {WEIR_CPU, "*", add_numbers}},
};

/* All inputs have one shape. */
static weir_status add_n_infer(weir_infer *infer)
{
    weir_shape shape = *infer->in[infer->in_count - 1];
    for (int k = infer->in_count - 2; k >= 0; k--)
        WEIR_TRY_NOTE(weir_infer_merge(infer->in[k], &shape, &shape),
                      "From merging shape %d with other shapes.", k);
    infer->out[0] = shape;
    return WEIR_OK;
}

static weir_status add_n(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0), *sum = weir_out(call, 0);
    weir_elem elem = weir_elem_of(x->dtype);
    if (elem == WEIR_ELEM_NONE)
        return weir_error(WEIR_UNIMPLEMENTED, "%s is not implemented for type %s",
                          call->site->op->name, weir_dtype_name(x->dtype));
    int64_t count = weir_tensor_count(x);
    if (call->site->in_count == 1 && sum->data != x->data)
        memcpy(sum->data, x->data, weir_tensor_bytes(x));
    const void *acc = x->data;
    for (int k = 1; k < call->site->in_count; k++) {
        weir_binary_flat(&call->run->par, WEIR_B_add, elem, count, acc, weir_in(call, k)->data,
                         sum->data, WEIR_BOTH_VARY);
        acc = sum->data;
    }
    return WEIR_OK;
}

static weir_status add_n_grad(weir_grad *grad)
{
    weir_edge dy = DY;
    for (int k = 0; k < weir_grad_site(grad)->in_count; k++)
        weir_grad_set(grad, k, dy);
    return WEIR_OK;
}

const weir_op weir_op_add_n = {
    .name = "AddN",
    .in = "inputs: N * T",
    .out = "sum: T",
    .attrs = "N: int >= 1; T: {" NUMBERS ", variant}",
    .flags = WEIR_COMMUTATIVE | WEIR_AGGREGATE | WEIR_MAY_SHARE,
    .infer = add_n_infer,
    .grad = add_n_grad,
    .inplace = WEIR_INPLACE(0, 0),
    .kernels = {{WEIR_CPU, "T: variant", weir_variants_add, WEIR_OWN_OUTPUTS},
                {WEIR_CPU, "*", add_n}},
};

static weir_status accumulate_infer(weir_infer *infer)
{
    infer->out[0] = *weir_site_shape(infer->site, 2);
    for (int k = 0; k < infer->in_count; k++)
        WEIR_TRY(weir_infer_merge(&infer->out[0], infer->in[k], &infer->out[0]));
    return WEIR_OK;
}
const weir_op weir_op_accumulate_nv2 = {
    .name = "AccumulateNV2",
    .in = "inputs: N * T",
    .out = "sum: T",
    .attrs = "N: int >= 1; T: {" NUMBERS "}; shape: shape",
    .flags = WEIR_COMMUTATIVE | WEIR_AGGREGATE,
    .infer = accumulate_infer,
    .grad = add_n_grad,
    .inplace = WEIR_INPLACE(0, 0),
    .kernels = {{WEIR_CPU, "*", add_n}},
};
