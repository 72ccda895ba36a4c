/* ops/array/gather.c - Gather, GatherV2: slices of params along an axis, chosen by indices. */
#include "ops/array/gather_impl.h"
#include "ops/common/elements.h"
#include "ops/common/index.h"
#include "ops/common/infer_util.h"

/* Attr positions; Gather has no axis and no batch dims. */
typedef struct options {
    int64_t axis, batch_dims;
    bool axis_known;
} options;

static weir_status resolve_batch_dims(const weir_shape *params, const weir_shape *indices,
                                      int64_t *batch_dims)
{
    int64_t b = *batch_dims;
    if (b == 0)
        return WEIR_OK;
    if (indices->rank >= 0 && (b < -indices->rank || b > indices->rank))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Expected batch_dims in the range [%d, %d], but got %" PRId64,
                          -indices->rank, indices->rank, b);
    if (b < 0 && indices->rank >= 0)
        b += indices->rank;
    if (params->rank >= 0 && b >= params->rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "batch_dims (%" PRId64 ") must be less than rank(params) (%d).", b,
                          params->rank);
    *batch_dims = b;
    return WEIR_OK;
}

static weir_status check_batch(const weir_shape *params, const weir_shape *indices, int64_t b)
{
    for (int axis = 0; axis < b; axis++)
        if (params->dims[axis] >= 0 && indices->dims[axis] >= 0 &&
            params->dims[axis] != indices->dims[axis])
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "params.shape[%d]: %" PRId64 " should be equal to indices.shape[%d]: "
                              "%" PRId64,
                              axis, params->dims[axis], axis, indices->dims[axis]);
    return WEIR_OK;
}

/* params[:axis] + indices[batch:] + params[axis + 1:] */
static weir_status gather_shape(const weir_shape *params, const weir_shape *indices, int axis,
                                int64_t batch, weir_shape *out)
{
    weir_shape before = weir_infer_sub(params, 0, axis), part;
    weir_shape middle = weir_infer_sub(indices, (int)batch, indices->rank);
    weir_shape after = weir_infer_sub(params, axis + 1, params->rank);
    for (int dim = 0; dim < batch; dim++)
        if (before.dims[dim] < 0)
            before.dims[dim] = indices->dims[dim];
    WEIR_TRY(weir_infer_concat(&before, &middle, &part));
    return weir_infer_concat(&part, &after, out);
}

static weir_status infer_with(weir_infer *infer, options options)
{
    const weir_shape *params = infer->in[0], *indices = infer->in[1];
    int axis;
    WEIR_TRY(weir_infer_rank_at_least(infer, 0, 1));
    WEIR_TRY(resolve_batch_dims(params, indices, &options.batch_dims));
    if (params->rank < 0 || indices->rank < 0)
        return WEIR_OK;
    WEIR_TRY(check_batch(params, indices, options.batch_dims));
    if (!options.axis_known) {
        int64_t rank = params->rank + indices->rank - 1 - options.batch_dims;
        if (rank <= WEIR_MAX_RANK)
            infer->out[0] = weir_shape_of_rank((int)rank);
        return WEIR_OK;
    }
    if (options.axis < -params->rank || options.axis >= params->rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Expected axis in the range [%d, %d), but got %" PRId64, -params->rank,
                          params->rank, options.axis);
    axis = (int)(options.axis < 0 ? options.axis + params->rank : options.axis);
    if (axis < options.batch_dims)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "batch_dims (%" PRId64 ") must be less than or equal to axis (%d).",
                          options.batch_dims, axis);
    return gather_shape(params, indices, axis, options.batch_dims, &infer->out[0]);
}

static weir_status infer_v1(weir_infer *infer)
{
    return infer_with(infer, (options){.axis_known = true});
}

static weir_status infer_v2(weir_infer *infer)
{
    options options = {.batch_dims = weir_site_int(infer->site, WEIR_GATHER_BATCH_DIMS)};
    WEIR_TRY(weir_infer_rank(infer, 2, 0));
    options.axis_known = weir_infer_value_int(infer, 2, &options.axis);
    if (!options.axis_known && options.batch_dims < 0 && infer->in[1]->rank < 0)
        return WEIR_OK;
    return infer_with(infer, options);
}

/* ---- running --------------------------------------------------------------------------------- */

/* params as [batch, outer, limit, run], indices as [batch, count], output [batch, outer, count,
 * run] */
typedef struct gather_work {
    const weir_tensor *params, *indices;
    weir_tensor *out;
    int64_t outer, limit, run, count, out_count;
    bool plain;
} gather_work;

/* Copies the rows selected by |index|. Inlined for constant types and sizes, where each copy is a
 * single move. */
__attribute__((always_inline)) static inline void gather_each(weir_dtype type, const void *index,
                                                              int64_t count, const char *src,
                                                              char *dst, int64_t row_bytes)
{
    for (int64_t j = 0; j < count; j++, dst += row_bytes) {
        int64_t row = type == WEIR_INT32   ? ((const int32_t *)index)[j]
                      : type == WEIR_INT64 ? ((const int64_t *)index)[j]
                                           : ((const int16_t *)index)[j];
        memcpy(dst, src + row * row_bytes, (size_t)row_bytes);
    }
}

__attribute__((always_inline)) static inline void gather_plain(weir_dtype type, const void *index,
                                                               int64_t count, const char *src,
                                                               char *dst, int64_t row_bytes)
{
    if (row_bytes == 1)
        gather_each(type, index, count, src, dst, 1);
    else if (row_bytes == 2)
        gather_each(type, index, count, src, dst, 2);
    else if (row_bytes == 4)
        gather_each(type, index, count, src, dst, 4);
    else if (row_bytes == 8)
        gather_each(type, index, count, src, dst, 8);
    else if (row_bytes == 12)
        gather_each(type, index, count, src, dst, 12);
    else if (row_bytes == 16)
        gather_each(type, index, count, src, dst, 16);
    else
        gather_each(type, index, count, src, dst, row_bytes);
}

/* Gathers |count| rows of |src|, with the indices from |at| on. */
static void gather_rows(const gather_work *work, int64_t at, int64_t count, const char *src,
                        char *dst)
{
    weir_dtype dtype = work->params->dtype;
    int64_t bytes = work->run * (int64_t)weir_dtype_size(dtype);
    const void *index = weir_at(work->indices, at);
    if (!work->plain) {
        for (int64_t j = 0; j < count; j++, dst += bytes)
            weir_elements_copy(dtype, dst, src + weir_index_at(work->indices, at + j) * bytes,
                               work->run);
    } else if (work->indices->dtype == WEIR_INT32) {
        gather_plain(WEIR_INT32, index, count, src, dst, bytes);
    } else if (work->indices->dtype == WEIR_INT64) {
        gather_plain(WEIR_INT64, index, count, src, dst, bytes);
    } else {
        gather_plain(WEIR_INT16, index, count, src, dst, bytes);
    }
}

static void gather_part(void *ctx, int64_t begin, int64_t end)
{
    const gather_work *work = ctx;
    while (begin < end) {
        int64_t row = begin / work->count, first = begin % work->count;
        int64_t last = first + end - begin < work->count ? first + end - begin : work->count;
        int64_t batch = row / work->outer;
        gather_rows(work, batch * work->count + first, last - first,
                    weir_at(work->params, row * work->limit * work->run),
                    weir_at(work->out, begin * work->run));
        begin += last - first;
    }
}

static weir_status gather(weir_call *call, int64_t axis, int64_t batch)
{
    const weir_tensor *params = weir_in(call, 0), *indices = weir_in(call, 1);
    const weir_shape *p = &params->shape;
    axis = axis < 0 ? axis + p->rank : axis;
    batch = batch < 0 ? batch + indices->shape.rank : batch;
    gather_work work = {
        .params = params,
        .indices = indices,
        .out = weir_out(call, 0),
        .outer = weir_shape_product(p, (int)batch, (int)axis),
        .limit = p->dims[axis],
        .run = weir_shape_product(p, (int)axis + 1, p->rank),
        .count = weir_shape_product(&indices->shape, (int)batch, indices->shape.rank),
        .plain = weir_dtype_is_plain(params->dtype),
    };
    WEIR_TRY(weir_index_check_on(&call->run->par, indices, work.limit));
    int64_t total = weir_tensor_count(work.out);
    if (total == 0)
        return WEIR_OK;
    int64_t grain = 64 * 1024 / (work.run * (int64_t)weir_dtype_size(params->dtype));
    weir_par_for(&call->run->par, total / work.run, grain > 0 ? grain : 1, gather_part, &work);
    return WEIR_OK;
}

static weir_status gather_v1(weir_call *call)
{
    return gather(call, 0, 0);
}

static weir_status gather_v2(weir_call *call)
{
    return gather(call, weir_int_at(weir_in(call, 2), 0),
                  weir_site_int(call->site, WEIR_GATHER_BATCH_DIMS));
}

const weir_op weir_op_gather = {
    .name = "Gather",
    .in = "params: Tparams; indices: Tindices",
    .out = "output: Tparams",
    .attrs = "validate_indices: bool = true; Tparams: type; Tindices: {int32, int64}",
    .infer = infer_v1,
    .grad = weir_gather_grad_v1,
    .kernels = {{WEIR_CPU, "*", gather_v1}},
};

const weir_op weir_op_gather_v2 = {
    .name = "GatherV2",
    .in = "params: Tparams; indices: Tindices; axis: Taxis",
    .out = "output: Tparams",
    .attrs = "batch_dims: int = 0; Tparams: type; Tindices: {int16, int32, int64}; "
             "Taxis: {int32, int64}",
    .host = "axis",
    .infer = infer_v2,
    .grad = weir_gather_grad_v2,
    .kernels = {{WEIR_CPU, "*", gather_v2}},
};
