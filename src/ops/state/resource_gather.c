/* ops/state/resource_gather.c - ResourceGather, ResourceGatherNd: reads rows of a variable without
 * copying the rest. */
#include "grad/grad.h"
#include "ops/common/index.h"
#include "ops/state/state_impl.h"

enum { BATCH_DIMS, VALIDATE_INDICES, DTYPE };
enum { GRAIN_BYTES = 1 << 16 };

/* Rows to copy: row i of |out| is |run| elements from offsets[i] (or, without offsets, from the
 * position given by the indices). */
typedef struct gather {
    const weir_tensor *params, *indices;
    weir_tensor *out;
    const int64_t *offsets;
    int64_t run, per_batch, batch_elements;
} gather;

static void gather_rows(void *ctx, int64_t begin, int64_t end)
{
    const gather *gather = ctx;
    size_t size = weir_dtype_size(gather->params->dtype);
    for (int64_t i = begin; i < end; i++) {
        int64_t from = gather->offsets ? gather->offsets[i]
                                       : i / gather->per_batch * gather->batch_elements +
                                             weir_index_at(gather->indices, i) * gather->run;
        weir_elements_copy(gather->params->dtype,
                           (char *)gather->out->data + (size_t)(i * gather->run) * size,
                           (const char *)gather->params->data + (size_t)from * size, gather->run);
    }
}

static void gather_run(weir_call *call, gather *gather, int64_t rows)
{
    int64_t bytes = gather->run * (int64_t)weir_dtype_size(gather->params->dtype);
    weir_par_for(&call->run->par, rows, GRAIN_BYTES / (bytes + 1) + 1, gather_rows, gather);
}

/* params[:batch] + indices[batch:] + params[batch+1:]; unknown passes. */
static weir_status gather_shape(const weir_shape *params, const weir_shape *indices, int batch,
                                weir_shape *out)
{
    weir_shape head = weir_infer_sub(params, 0, batch);
    weir_shape middle = weir_infer_sub(indices, batch, WEIR_MAX_RANK);
    weir_shape tail = weir_infer_sub(params, batch + 1, WEIR_MAX_RANK), both;
    WEIR_TRY(weir_infer_concat(&head, &middle, &both));
    return weir_infer_concat(&both, &tail, out);
}

static weir_status check_batch(const weir_shape *params, const weir_shape *indices, int64_t batch)
{
    if (params->rank < 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "params must be at least 1 dimensional");
    if (batch < 0 || batch > indices->rank || batch >= params->rank)
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            "batch_dims (%lld) must be less than or equal to rank of indices (%d) and "
            "less than rank of params (%d).",
            (long long)batch, indices->rank, params->rank);
    for (int axis = 0; axis < batch; axis++)
        if (params->dims[axis] != indices->dims[axis])
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "params.shape[%d]: %lld should be equal to "
                              "indices.shape[%d]: %lld",
                              axis, (long long)params->dims[axis], axis,
                              (long long)indices->dims[axis]);
    return WEIR_OK;
}

static weir_status gather_from(weir_call *call, const weir_tensor *params)
{
    const weir_tensor *indices = weir_in(call, 1);
    int64_t batch_dims = weir_site_int(call->site, BATCH_DIMS);
    WEIR_TRY(check_batch(&params->shape, &indices->shape, batch_dims));
    int batch = (int)batch_dims;
    WEIR_TRY(weir_index_check(indices, params->shape.dims[batch]));
    weir_shape shape;
    WEIR_TRY(gather_shape(&params->shape, &indices->shape, batch, &shape));
    WEIR_TRY(weir_call_alloc(call, 0, &shape));
    gather gather = {.params = params, .indices = indices, .out = weir_out(call, 0)};
    gather.run = weir_shape_product(&params->shape, batch + 1, params->shape.rank);
    gather.batch_elements = gather.run * params->shape.dims[batch];
    gather.per_batch = weir_shape_product(&indices->shape, batch, indices->shape.rank);
    gather_run(call, &gather, weir_tensor_count(indices));
    return WEIR_OK;
}

static weir_status gather_nd_from(weir_call *call, const weir_tensor *params)
{
    const weir_tensor *indices = weir_in(call, 1);
    const weir_shape *is = &indices->shape;
    if (params->shape.rank < 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "params must be at least a vector");
    if (is->rank < 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "indices must be at least a vector");
    int64_t depth = is->dims[is->rank - 1];
    if (depth > params->shape.rank)
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            "index innermost dimension length must be <= params rank; saw: %lld vs. %d",
            (long long)depth, params->shape.rank);
    weir_shape outer = weir_infer_sub(is, 0, is->rank - 1), shape;
    weir_shape rest = weir_infer_sub(&params->shape, (int)depth, WEIR_MAX_RANK);
    WEIR_TRY(weir_infer_concat(&outer, &rest, &shape));
    weir_shape rows = weir_shape_vector(weir_shape_count(&outer));
    weir_tensor offsets;
    WEIR_TRY(weir_tensor_alloc(WEIR_INT64, &rows, &offsets));
    weir_status status = weir_index_nd(indices, &params->shape, false, offsets.data);
    if (!status)
        status = weir_call_alloc(call, 0, &shape);
    if (!status) {
        gather gather = {.params = params, .out = weir_out(call, 0), .offsets = offsets.data};
        gather.run = weir_shape_product(&rest, 0, rest.rank);
        gather_run(call, &gather, rows.dims[0]);
    }
    weir_tensor_release(&offsets);
    return status;
}

static weir_status with_value(weir_call *call,
                              weir_status (*work)(weir_call *, const weir_tensor *))
{
    weir_var *var;
    WEIR_TRY(weir_state_var(call, 0, &var));
    weir_tensor value;
    bool has = weir_var_read(var, &value);
    weir_var_release(var);
    if (!has)
        return weir_error(WEIR_FAILED_PRECONDITION, "Attempting to use uninitialized value");
    weir_status status = WEIR_OK;
    if (value.dtype == weir_dtype_base(call->site->out_types[0]))
        status = work(call, &value);
    else
        status = weir_error(
            WEIR_INVALID_ARGUMENT, "Trying to read variable with wrong dtype. Expected %s got %s",
            weir_dtype_name(call->site->out_types[0]), weir_dtype_name(value.dtype));
    weir_tensor_release(&value);
    return status;
}

static weir_status resource_gather(weir_call *call)
{
    return with_value(call, gather_from);
}

static weir_status resource_gather_nd(weir_call *call)
{
    return with_value(call, gather_nd_from);
}

static weir_status infer_gather(weir_infer *infer)
{
    weir_shape params;
    if (weir_state_at_run(infer))
        return WEIR_OK;
    WEIR_TRY(weir_state_infer_var(infer, 0, weir_site_type(infer->site, DTYPE), &params));
    if (params.rank < 0 || infer->in[1]->rank < 0)
        return WEIR_OK;
    int64_t batch = weir_site_int(infer->site, BATCH_DIMS);
    if (params.rank == 0 || batch < 0 || batch > infer->in[1]->rank || batch >= params.rank)
        return check_batch(&params, infer->in[1], batch);
    return gather_shape(&params, infer->in[1], (int)batch, &infer->out[0]);
}

static weir_status infer_gather_nd(weir_infer *infer)
{
    weir_shape params;
    if (weir_state_at_run(infer))
        return WEIR_OK;
    WEIR_TRY(weir_state_infer_var(infer, 0, weir_site_type(infer->site, 0), &params));
    WEIR_TRY(weir_infer_rank_at_least(infer, 1, 1));
    int64_t depth = infer->in[1]->rank < 0 ? -1 : weir_infer_dim(infer, 1, -1);
    if (params.rank < 0 || depth < 0)
        return WEIR_OK;
    if (depth > params.rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "indices.shape[-1] must be <= params.rank, but saw indices shape: %s and "
                          "params shape: %s",
                          WEIR_SHAPE_STR(infer->in[1]), WEIR_SHAPE_STR(&params));
    weir_shape outer = weir_infer_sub(infer->in[1], 0, infer->in[1]->rank - 1);
    weir_shape rest = weir_infer_sub(&params, (int)depth, WEIR_MAX_RANK);
    return weir_infer_concat(&outer, &rest, &infer->out[0]);
}

/* The gradient is sparse: row i of dy belongs to row indices[i] of the variable. */
static weir_status resource_gather_grad(weir_grad *grad)
{
    const int32_t minus_one = -1;
    weir_edge shape =
        weir_grad_op(grad, "VariableShape", WEIR_IN(weir_grad_x(grad, 0)), WEIR_NO_ATTRS);
    weir_edge indices = weir_grad_x(grad, 1);
    weir_edge flat = weir_grad_const_int32(grad, &minus_one, 1);
    weir_edge size = weir_grad_op(grad, "Size", WEIR_IN(indices), WEIR_NO_ATTRS);
    weir_edge zero = weir_grad_scalar(grad, WEIR_INT32, 0);
    size = weir_grad_op(grad, "ExpandDims", WEIR_IN(size, zero), WEIR_NO_ATTRS);
    const int32_t one = 1;
    weir_edge ones = weir_grad_const_int32(grad, &one, 1);
    const int32_t none = 0;
    weir_edge end = weir_grad_const_int32(grad, &none, 1);
    weir_edge inner = weir_grad_op(grad, "StridedSlice", WEIR_IN(shape, ones, end, ones),
                                   WEIR_ATTRS(weir_a_int("end_mask", 1)));
    weir_edge values_shape =
        weir_grad_op(grad, "ConcatV2", WEIR_IN(size, inner, zero), WEIR_ATTRS(weir_a_int("N", 2)));
    weir_slices dx = {
        .values = weir_grad_op(grad, "Reshape", WEIR_IN(weir_grad_dy(grad, 0), values_shape),
                               WEIR_NO_ATTRS),
        .indices = weir_grad_op(grad, "Reshape", WEIR_IN(indices, flat), WEIR_NO_ATTRS),
        .shape = shape,
    };
    weir_grad_set_slices(grad, 0, dx);
    return WEIR_OK;
}

const weir_op weir_op_resource_gather = {
    .name = "ResourceGather",
    .in = "resource: resource; indices: Tindices",
    .out = "output: dtype",
    .attrs = "batch_dims: int = 0; validate_indices: bool = true; dtype: type; Tindices: {int32, "
             "int64}",
    .flags = WEIR_STATEFUL | WEIR_NO_EFFECT,
    .infer = infer_gather,
    .grad = resource_gather_grad,
    .kernels = {{WEIR_CPU, "dtype: " WEIR_ALL_TYPES ", " WEIR_QUANTIZED_TYPES, resource_gather,
                 WEIR_OWN_OUTPUTS}},
};

const weir_op weir_op_resource_gather_nd = {
    .name = "ResourceGatherNd",
    .in = "resource: resource; indices: Tindices",
    .out = "output: dtype",
    .attrs = "dtype: type; Tindices: {int32, int64}",
    .flags = WEIR_STATEFUL | WEIR_NO_EFFECT,
    .infer = infer_gather_nd,
    .kernels = {{WEIR_CPU, "dtype: " WEIR_ALL_TYPES, resource_gather_nd, WEIR_OWN_OUTPUTS}},
};
