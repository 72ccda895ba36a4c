/* ops/state/scatter.c - Scatter* and ResourceScatter*: changes rows of a variable.
 *
 * Row indices[i] of the variable becomes (row op updates[i]). Repeated rows are updated
 * repeatedly, in order. Scalar updates are broadcast. All indices are checked before any row is
 * written. */
#include "math/update/update.h"
#include "ops/common/elem_of.h"
#include "ops/common/index.h"
#include "ops/declare.h"
#include "ops/math/types.h"
#include "ops/state/state_impl.h"

enum { SET = WEIR_UPDATE_OPS }; /* one more operation: overwrite */

/* Whether the dims of updates before |to| are those of indices.shape + params.shape[1:]. */
static bool dims_fit(const weir_shape *params, const weir_shape *indices, const weir_shape *updates,
                     int to)
{
    for (int axis = 0; axis < to; axis++) {
        int64_t want =
            axis < indices->rank ? indices->dims[axis] : params->dims[axis - indices->rank + 1];
        if (updates->dims[axis] != want)
            return false;
    }
    return true;
}

/* Updates have the shape indices.shape + params.shape[1:]. As in TensorFlow, those of a handle need
 * only its rank where there are no indices, and rows of as many elements where there are some. */
static bool updates_fit(const weir_shape *params, const weir_shape *indices,
                        const weir_shape *updates, bool by_handle)
{
    if (updates->rank == 0)
        return true;
    if (updates->rank != indices->rank + params->rank - 1)
        return false;
    if (!by_handle)
        return dims_fit(params, indices, updates, updates->rank);
    return !weir_shape_count(indices) ||
           (dims_fit(params, indices, updates, indices->rank) &&
            weir_shape_product(updates, indices->rank, updates->rank) ==
                weir_shape_product(params, 1, params->rank));
}

static weir_status check(const weir_tensor *params, const weir_tensor *indices,
                         const weir_tensor *updates, int op, bool by_handle)
{
    if (params->shape.rank < 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "params must be at least 1-D, got shape %s",
                          WEIR_SHAPE_STR(&params->shape));
    if (!updates_fit(&params->shape, &indices->shape, &updates->shape, by_handle))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Must have updates.shape = indices.shape + params.shape[1:] or "
                          "updates.shape = [], got updates.shape %s, indices.shape %s, "
                          "params.shape %s",
                          WEIR_SHAPE_STR(&updates->shape), WEIR_SHAPE_STR(&indices->shape),
                          WEIR_SHAPE_STR(&params->shape));
    if (op == WEIR_UPDATE_DIV && weir_update_has_zero(weir_elem_of(updates->dtype), updates->data,
                                                      weir_tensor_count(updates)))
        return weir_error(WEIR_INVALID_ARGUMENT, "Integer division by zero");
    return weir_index_check(indices, params->shape.dims[0]);
}

static void set_row(weir_dtype dtype, char *row, const char *by, int64_t count, int step)
{
    size_t size = weir_dtype_size(dtype);
    if (step)
        weir_elements_copy(dtype, row, by, count);
    for (int64_t i = 0; !step && i < count; i++)
        weir_elements_copy(dtype, row + (size_t)i * size, by, 1);
}

static void apply(weir_tensor *params, const weir_tensor *indices, const weir_tensor *updates,
                  int op)
{
    int64_t rows = weir_tensor_count(indices);
    int64_t run = weir_shape_product(&params->shape, 1, params->shape.rank);
    size_t row_bytes = (size_t)run * weir_dtype_size(params->dtype);
    int step = updates->shape.rank > 0;
    weir_update_fn fn =
        op == SET ? NULL : weir_update_find((weir_update_op)op, weir_elem_of(params->dtype));
    const char *by = updates->data;
    for (int64_t i = 0; i < rows; i++) {
        char *row = (char *)params->data + (size_t)weir_index_at(indices, i) * row_bytes;
        if (fn)
            fn(row, by, run, step);
        else
            set_row(params->dtype, row, by, run, step);
        by += step ? row_bytes : 0;
    }
}

static weir_status scatter_into(weir_call *call, weir_var *var)
{
    int op = weir_site_mode(call->site);
    const weir_tensor *indices = weir_in(call, 1), *updates = weir_in(call, 2);
    weir_tensor *params;
    WEIR_TRY(weir_state_begin(var, updates->dtype, &params));
    weir_status status = check(params, indices, updates, op, !call->site->out_count);
    if (!status)
        apply(params, indices, updates, op);
    weir_var_end(var);
    return status;
}

static weir_status scatter(weir_call *call)
{
    return weir_state_change(call, scatter_into);
}

static weir_status infer(weir_infer *infer)
{
    if (weir_state_at_run(infer))
        return WEIR_OK;
    weir_shape params, want, merged;
    WEIR_TRY(weir_state_infer_var(infer, 0, weir_dtype_base(infer->site->in_types[2]), &params));
    if (infer->site->out_count)
        infer->out[0] = params;
    if (params.rank == 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Shape must be at least rank 1 but is rank 0");
    weir_shape rest = weir_infer_sub(&params, 1, WEIR_MAX_RANK);
    WEIR_TRY(weir_infer_concat(infer->in[1], &rest, &want));
    return infer->in[2]->rank == 0 ? WEIR_OK : weir_infer_merge(&want, infer->in[2], &merged);
}

#define ORDERED "half, bfloat16, float, double, int32, int64"

/* Scatters into a variable given by reference, and by handle. */
#define BY_REFERENCE(allowed, locking, types)                                                      \
    .in = "ref: Ref(T); indices: Tindices; updates: T", .out = "output_ref: Ref(T)",               \
    .attrs = "T: " allowed "; Tindices: {int32, int64}; use_locking: bool = " locking,             \
    .infer = infer, .no_grad = true,                                                               \
    .kernels = {{WEIR_CPU, "T: " types, scatter, WEIR_OWN_OUTPUTS}}
#define BY_HANDLE(allowed, types)                                                                  \
    .in = "resource: resource; indices: Tindices; updates: dtype",                                 \
    .attrs = "dtype: " allowed "; Tindices: {int32, int64}", .flags = WEIR_STATEFUL,               \
    .infer = infer, .no_grad = true, .kernels = {{WEIR_CPU, "dtype: " types, scatter}}
#define NUMBERS_BY_REFERENCE BY_REFERENCE("{" NUMBERS "}", "false", WEIR_NUMBER_TYPES)
#define NUMBERS_BY_HANDLE BY_HANDLE("{" NUMBERS "}", WEIR_NUMBER_TYPES)
#define ORDERED_BY_REFERENCE BY_REFERENCE("{" ORDERED "}", "false", WEIR_REAL_TYPES)
#define ORDERED_BY_HANDLE BY_HANDLE("{" NUMBERS "}", WEIR_REAL_TYPES)

WEIR_DEFINE_OP(scatter_update, "ScatterUpdate", BY_REFERENCE("type", "true", WEIR_ALL_TYPES),
               .mode = SET);
WEIR_DEFINE_OP(scatter_add, "ScatterAdd", NUMBERS_BY_REFERENCE, .mode = WEIR_UPDATE_ADD);
WEIR_DEFINE_OP(scatter_sub, "ScatterSub", NUMBERS_BY_REFERENCE, .mode = WEIR_UPDATE_SUB);
WEIR_DEFINE_OP(scatter_mul, "ScatterMul", NUMBERS_BY_REFERENCE, .mode = WEIR_UPDATE_MUL);
WEIR_DEFINE_OP(scatter_div, "ScatterDiv", NUMBERS_BY_REFERENCE, .mode = WEIR_UPDATE_DIV);
WEIR_DEFINE_OP(scatter_min, "ScatterMin", ORDERED_BY_REFERENCE, .mode = WEIR_UPDATE_MIN);
WEIR_DEFINE_OP(scatter_max, "ScatterMax", ORDERED_BY_REFERENCE, .mode = WEIR_UPDATE_MAX);
WEIR_DEFINE_OP(resource_scatter_update, "ResourceScatterUpdate",
               BY_HANDLE("type", WEIR_POD_TYPES ", string, variant"), .mode = SET);
WEIR_DEFINE_OP(resource_scatter_add, "ResourceScatterAdd", NUMBERS_BY_HANDLE,
               .mode = WEIR_UPDATE_ADD);
WEIR_DEFINE_OP(resource_scatter_sub, "ResourceScatterSub", NUMBERS_BY_HANDLE,
               .mode = WEIR_UPDATE_SUB);
WEIR_DEFINE_OP(resource_scatter_mul, "ResourceScatterMul", NUMBERS_BY_HANDLE,
               .mode = WEIR_UPDATE_MUL);
WEIR_DEFINE_OP(resource_scatter_div, "ResourceScatterDiv", NUMBERS_BY_HANDLE,
               .mode = WEIR_UPDATE_DIV);
WEIR_DEFINE_OP(resource_scatter_min, "ResourceScatterMin", ORDERED_BY_HANDLE,
               .mode = WEIR_UPDATE_MIN);
WEIR_DEFINE_OP(resource_scatter_max, "ResourceScatterMax", ORDERED_BY_HANDLE,
               .mode = WEIR_UPDATE_MAX);
