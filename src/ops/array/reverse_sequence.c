/* ops/array/reverse_sequence.c - ReverseSequence: reverses the first part of each sequence. */
#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/infer_util.h"
#include "ops/common/ndcopy.h"

enum { SEQ_DIM, BATCH_DIM };

static weir_status check_dims(const weir_site *site, const weir_shape *x)
{
    int64_t seq = weir_site_int(site, SEQ_DIM), batch = weir_site_int(site, BATCH_DIM);
    if (seq < 0 || batch < 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "seq_dim and batch_dim must be >= 0, got %" PRId64 " and %" PRId64, seq,
                          batch);
    if (batch == seq)
        return weir_error(WEIR_INVALID_ARGUMENT, "batch_dim == seq_dim == %" PRId64, seq);
    if (seq >= x->rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "seq_dim must be < input rank ( %" PRId64 " vs. %d)", seq, x->rank);
    if (batch >= x->rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "batch_dim must be < input rank ( %" PRId64 " vs. %d)", batch, x->rank);
    return WEIR_OK;
}

static weir_status infer(weir_infer *infer)
{
    const weir_shape *x = infer->in[0], *lengths = infer->in[1];
    if (lengths->rank >= 0 && lengths->rank != 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "seq_lengths must be 1-dim, not %d",
                          lengths->rank);
    infer->out[0] = *x;
    if (x->rank < 0)
        return WEIR_OK;
    WEIR_TRY(check_dims(infer->site, x));
    int64_t batch = weir_site_int(infer->site, BATCH_DIM), count = weir_infer_dim(infer, 1, 0);
    if (count >= 0 && x->dims[batch] >= 0 && count != x->dims[batch])
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Length of seq_lengths != input.dims(%" PRId64 "), (%" PRId64
                          " vs. %" PRId64 ")",
                          batch, count, x->dims[batch]);
    if (x->dims[batch] < 0)
        infer->out[0].dims[batch] = count;
    return WEIR_OK;
}

static weir_status check_lengths(const weir_tensor *lengths, int64_t limit, int64_t seq)
{
    int64_t count = weir_tensor_count(lengths);
    for (int64_t b = 0; b < count; b++) {
        int64_t length = weir_int_at(lengths, b);
        if (length < 0)
            return weir_error(WEIR_INVALID_ARGUMENT, "seq_lens(%" PRId64 ") < 0", b);
        if (length > limit)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "seq_lens(%" PRId64 ") > input.dims(%" PRId64 ")", b, seq);
    }
    return WEIR_OK;
}

/* Elements [from, to) along the sequence of batch |b|, forwards or backwards. */
static void copy_part(weir_call *call, int64_t b, int64_t from, int64_t to, bool back)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_tensor *y = weir_out(call, 0);
    int64_t seq = weir_site_int(call->site, SEQ_DIM), batch = weir_site_int(call->site, BATCH_DIM);
    int64_t strides[WEIR_MAX_RANK];
    weir_ndcopy copy = {0};
    weir_shape_strides(&x->shape, strides);
    for (int axis = 0; axis < x->shape.rank; axis++) {
        if (axis == seq)
            weir_ndcopy_add(&copy, to - from, strides[axis], back ? -strides[axis] : strides[axis]);
        else
            weir_ndcopy_add(&copy, axis == batch ? 1 : x->shape.dims[axis], strides[axis],
                            strides[axis]);
    }
    int64_t at = b * strides[batch] + from * strides[seq];
    int64_t src = back ? b * strides[batch] + (to - 1) * strides[seq] : at;
    weir_ndcopy_run(&call->run->par, x->dtype, weir_at(y, at), weir_at(x, src), &copy);
}

static weir_status run(weir_call *call)
{
    const weir_tensor *lengths = weir_in(call, 1);
    int64_t seq = weir_site_int(call->site, SEQ_DIM);
    int64_t limit = weir_in(call, 0)->shape.dims[seq], count = weir_tensor_count(lengths);
    WEIR_TRY(check_lengths(lengths, limit, seq));
    for (int64_t b = 0; b < count; b++) {
        int64_t length = weir_int_at(lengths, b);
        copy_part(call, b, 0, length, true);
        copy_part(call, b, length, limit, false);
    }
    return WEIR_OK;
}

static weir_status grad(weir_grad *grad)
{
    weir_grad_set(grad, 0,
                  weir_grad_op(grad, "ReverseSequence",
                               WEIR_IN(weir_grad_dy(grad, 0), weir_grad_x(grad, 1)),
                               WEIR_ATTRS(weir_grad_attr(grad, "seq_dim"),
                                          weir_grad_attr(grad, "batch_dim"))));
    return WEIR_OK;
}

const weir_op weir_op_reverse_sequence = {
    .name = "ReverseSequence",
    .in = "input: T; seq_lengths: Tlen",
    .out = "output: T",
    .attrs = "seq_dim: int; batch_dim: int = 0; T: type; Tlen: {int32, int64} = DT_INT64",
    .infer = infer,
    .grad = grad,
    .kernels = {{WEIR_CPU, "*", run}},
};
