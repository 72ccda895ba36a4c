/* ops/device/index.c - gather and scatter by index, segments, prefix sums. */
#include "ops/common/elements.h"
#include "ops/common/scatter_nd.h"
#include "ops/device/device_impl.h"
#include "ops/state/state_impl.h"

int32_t weir_device_index_kind(weir_dtype dtype)
{
    bool unsigned_one = dtype == WEIR_UINT8 || dtype == WEIR_UINT16;
    return (int32_t)weir_dtype_size(dtype) + (unsigned_one ? 16 : 0);
}

/* ---- slices by the rows of indices ---- */

/* Rows of indices into the first dimensions of |shape|, flattened. */
typedef struct rows {
    weir_buffer *flat; /* int64; -1: out of range. Released by the caller */
    int64_t count, limit, run;
} rows;

typedef struct sizes { /* same as in layers.cl */
    int64_t at[8];
} sizes;

static weir_status flatten(weir_call *call, const weir_tensor *indices, const weir_shape *shape,
                           weir_elem elem, rows *out)
{
    int64_t depth = indices->shape.rank ? indices->shape.dims[indices->shape.rank - 1] : 0;
    int32_t kind = weir_device_index_kind(indices->dtype);
    sizes sizes = {{0}};
    if (depth > 8 || depth > shape->rank)
        return weir_error(WEIR_UNIMPLEMENTED, "%s with %lld indices for a slice of %s",
                          call->site->op->name, (long long)depth, WEIR_SHAPE_STR(shape));
    for (int64_t d = 0; d < depth; d++)
        sizes.at[d] = shape->dims[d];
    *out = (rows){.count = weir_shape_product(&indices->shape, 0, indices->shape.rank - 1),
                  .limit = weir_shape_product(shape, 0, (int)depth),
                  .run = weir_shape_product(shape, (int)depth, shape->rank)};
    WEIR_TRY(weir_device_scratch(call, sizeof(int64_t) * (size_t)(out->count + 1), &out->flat));
    weir_status status = WEIR_LAYER(call, elem, "flat_indices", out->count, AT(indices),
                                    WEIR_GPU_AT(out->flat->data), VALUE(out->count), VALUE(depth),
                                    VALUE(sizes), VALUE(kind));
    if (status)
        weir_buffer_release(out->flat);
    return status;
}

/* Combines |updates| with the slices of |value|. */
static weir_status join_slices(weir_call *call, const weir_tensor *indices,
                               const weir_tensor *updates, const weir_tensor *value, int mode)
{
    weir_elem elem = weir_elem_of(value->dtype);
    int32_t join = mode == WEIR_SCATTER_SET ? 0 : mode + 1, kind = WEIR_DEVICE_INDEX64;
    int64_t step = updates->shape.rank > 0;
    rows rows;
    WEIR_TRY(weir_scatter_nd_check(&value->shape, &indices->shape, &updates->shape));
    WEIR_TRY(flatten(call, indices, &value->shape, elem, &rows));
    weir_status status =
        WEIR_LAYER(call, elem, "scatter_rows", rows.count * rows.run, AT(value),
                   WEIR_GPU_AT(rows.flat->data), AT(updates), VALUE(rows.limit), VALUE(rows.count),
                   VALUE(rows.run), VALUE(step), VALUE(join), VALUE(kind));
    weir_buffer_release(rows.flat);
    return status;
}

weir_status weir_device_gather_nd(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0), *indices = weir_in(call, 1), *y = weir_out(call, 0);
    weir_elem elem = weir_elem_of(x->dtype);
    int64_t one = 1;
    int32_t kind = WEIR_DEVICE_INDEX64;
    rows rows;
    WEIR_TRY(flatten(call, indices, &x->shape, elem, &rows));
    weir_status status = WEIR_LAYER(
        call, elem, "gather_rows", weir_tensor_count(y), AT(x), WEIR_GPU_AT(rows.flat->data), AT(y),
        VALUE(one), VALUE(one), VALUE(rows.limit), VALUE(rows.count), VALUE(rows.run), VALUE(kind));
    weir_buffer_release(rows.flat);
    return status;
}

weir_status weir_device_tensor_scatter(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0), *y = weir_out(call, 0);
    weir_memory *memory = call->site->memory;
    if (y->data != x->data)
        WEIR_TRY(memory->copy(memory, y->data, x->data, weir_tensor_bytes(x)));
    return join_slices(call, weir_in(call, 1), weir_in(call, 2), y, weir_site_mode(call->site));
}

weir_status weir_device_scatter_nd(weir_call *call)
{
    const weir_tensor *y = weir_out(call, 0);
    WEIR_TRY(call->site->memory->clear(call->site->memory, y->data, weir_tensor_bytes(y)));
    return join_slices(call, weir_in(call, 0), weir_in(call, 1), y, WEIR_UPDATE_ADD);
}

weir_status weir_device_scatter_nd_var(weir_call *call)
{
    weir_var *var;
    weir_tensor *value;
    WEIR_TRY(weir_state_var(call, 0, &var));
    weir_status status = weir_state_begin(var, weir_in(call, 2)->dtype, &value);
    if (!status) {
        status = join_slices(call, weir_in(call, 1), weir_in(call, 2), value,
                             weir_site_mode(call->site));
        weir_var_end(var);
    }
    weir_var_release(var);
    if (!status && call->site->out_count)
        weir_state_forward_ref(call);
    return status;
}

/* ---- segments ---- */

/* Ids out of range are ignored. */
weir_status weir_device_segment_sum(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0), *ids = weir_in(call, 1), *y = weir_out(call, 0);
    int64_t count = weir_tensor_count(ids), limit = y->shape.rank ? y->shape.dims[0] : 0;
    int64_t run = count ? weir_tensor_count(x) / count : 0, step = 1;
    int32_t join = WEIR_UPDATE_ADD + 1, kind = weir_device_index_kind(ids->dtype);
    WEIR_TRY(call->site->memory->clear(call->site->memory, y->data, weir_tensor_bytes(y)));
    return WEIR_LAYER(call, weir_elem_of(x->dtype), "scatter_rows", count * run, AT(y), AT(ids),
                      AT(x), VALUE(limit), VALUE(count), VALUE(run), VALUE(step), VALUE(join),
                      VALUE(kind));
}

/* ---- prefix sums and products ---------------------------------------------------------------- */

weir_status weir_device_cumulate(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0), *y = weir_out(call, 0);
    int rank = x->shape.rank;
    int64_t axis = weir_int_at(weir_in(call, 1), 0), d = axis < 0 ? axis + rank : axis;
    if (d < 0 || d >= rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "ScanOp: Expected scan axis in the range [%d, %d), but got %lld", -rank,
                          rank, (long long)axis);
    int64_t outer = weir_shape_product(&x->shape, 0, (int)d), length = x->shape.dims[d];
    int64_t inner = weir_shape_product(&x->shape, (int)d + 1, rank);
    int32_t exclusive = weir_site_bool(call->site, weir_opdef_attr(call->site->def, "exclusive"));
    int32_t reverse = weir_site_bool(call->site, weir_opdef_attr(call->site->def, "reverse"));
    int32_t product = strcmp(call->site->op->name, "Cumprod") == 0;
    return WEIR_LAYER(call, weir_elem_of(x->dtype), "cumulate", outer * inner, AT(x), AT(y),
                      VALUE(outer), VALUE(length), VALUE(inner), VALUE(exclusive), VALUE(reverse),
                      VALUE(product));
}
