/* ops/common/scatter_nd.c - scatters updates into slices selected by rows of indices. */
#include "ops/common/scatter_nd.h"

#include "op/op.h"
#include "ops/common/elem_of.h"
#include "ops/common/index.h"
#include "tensor/tstring.h"

static weir_status bad_outer(const weir_shape *indices, const weir_shape *updates)
{
    weir_shape a = weir_infer_sub(indices, 0, indices->rank - 1);
    weir_shape b = weir_infer_sub(updates, 0, indices->rank - 1);
    return weir_error(WEIR_INVALID_ARGUMENT,
                      "Dimensions [0,%d) of indices[shape=%s] = %s must match dimensions [0,%d) of "
                      "updates[shape=%s] = %s",
                      a.rank, WEIR_SHAPE_STR(indices), WEIR_SHAPE_STR(&a), a.rank,
                      WEIR_SHAPE_STR(updates), WEIR_SHAPE_STR(&b));
}

static weir_status bad_inner(const weir_shape *params, const weir_shape *indices,
                             const weir_shape *updates)
{
    int depth = (int)indices->dims[indices->rank - 1];
    return weir_error(WEIR_INVALID_ARGUMENT,
                      "Dimensions [%d,%d) of input[shape=%s] must match dimensions [%d,%d) of "
                      "updates[shape=%s]",
                      depth, params->rank, WEIR_SHAPE_STR(params), indices->rank - 1, updates->rank,
                      WEIR_SHAPE_STR(updates));
}

weir_status weir_scatter_nd_check(const weir_shape *params, const weir_shape *indices,
                                  const weir_shape *updates)
{
    if (params->rank < 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "Output must be at least 1-D, got shape: %s",
                          WEIR_SHAPE_STR(params));
    if (indices->rank < 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Indices shape must have rank at least one. Found:%s",
                          WEIR_SHAPE_STR(indices));
    if (updates->rank < 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Updates shape must have rank at least one. Found:%s",
                          WEIR_SHAPE_STR(updates));
    if (weir_shape_count(params) == 0 && (weir_shape_count(indices) || weir_shape_count(updates)))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Indices and updates specified for empty output tensor");
    int outer = indices->rank - 1;
    int64_t depth = indices->dims[outer];
    for (int axis = 0; axis < outer; axis++)
        if (axis >= updates->rank || updates->dims[axis] != indices->dims[axis])
            return bad_outer(indices, updates);
    if (depth > params->rank || updates->rank - outer != params->rank - depth)
        return bad_inner(params, indices, updates);
    for (int axis = outer; axis < updates->rank; axis++)
        if (updates->dims[axis] != params->dims[axis - outer + depth])
            return bad_inner(params, indices, updates);
    return WEIR_OK;
}

/* Adding strings concatenates them. */
static void append_strings(weir_tstring *to, const weir_tstring *from, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        weir_str a = weir_tstring_get(&to[i]), b = weir_tstring_get(&from[i]);
        WEIR_BUF(both);
        weir_buf_add(&both, a.at, a.length);
        weir_buf_add(&both, b.at, b.length);
        weir_tstring_set(&to[i], both.at, both.length);
    }
}

static void apply(weir_tensor *params, const int64_t *offsets, int64_t rows,
                  const weir_tensor *updates, int op)
{
    int64_t run = rows ? weir_tensor_count(updates) / rows : 0;
    size_t size = weir_dtype_size(params->dtype);
    weir_update_fn fn = op == WEIR_SCATTER_SET || params->dtype == WEIR_STRING
                            ? NULL
                            : weir_update_find((weir_update_op)op, weir_elem_of(params->dtype));
    for (int64_t i = 0; i < rows; i++) {
        if (offsets[i] < 0)
            continue;
        char *slice = (char *)params->data + (size_t)offsets[i] * size;
        const char *by = (const char *)updates->data + (size_t)(i * run) * size;
        if (fn)
            fn(slice, by, run, 1);
        else if (op != WEIR_SCATTER_SET)
            append_strings((weir_tstring *)slice, (const weir_tstring *)by, run);
        else
            weir_elements_copy(params->dtype, slice, by, run);
    }
}

weir_status weir_scatter_nd(weir_tensor *params, const weir_tensor *indices,
                            const weir_tensor *updates, int op, bool skip_bad)
{
    int64_t rows = weir_shape_product(&indices->shape, 0, indices->shape.rank - 1);
    weir_shape vector = weir_shape_vector(rows);
    weir_tensor offsets;
    WEIR_TRY(weir_tensor_alloc(WEIR_INT64, &vector, &offsets));
    weir_status status = weir_index_nd(indices, &params->shape, skip_bad, offsets.data);
    if (!status)
        apply(params, offsets.data, rows, updates, op);
    weir_tensor_release(&offsets);
    return status;
}

weir_status weir_bad_indices_policy(weir_str policy, bool *out_skip)
{
    static const char *const known[] = {"", "DEFAULT", "ERROR", "IGNORE"};
    *out_skip = weir_str_is(policy, "IGNORE");
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (weir_str_is(policy, known[i]))
            return WEIR_OK;
    return weir_error(WEIR_INVALID_ARGUMENT, "Bad indices policy %.*s is not supported.",
                      WEIR_STR_ARG(policy));
}
