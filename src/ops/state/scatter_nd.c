/* ops/state/scatter_nd.c - ScatterNd* and ResourceScatterNd*: changes slices of a variable.
 *
 * Each row of the last dimension of indices names a slice of the variable; it becomes
 * (slice op updates[row]). All indices are checked before anything is touched. */
#include "math/update/update.h"
#include "ops/common/elem_of.h"
#include "ops/common/index.h"
#include "ops/state/state_impl.h"

enum { SET = WEIR_UPDATE_OPS };
enum { POLICY = 3 }; /* attr: what to do with indices that lie outside */

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

static weir_status check_shapes(const weir_shape *params, const weir_shape *indices,
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
    for (int d = 0; d < outer; d++)
        if (d >= updates->rank || updates->dims[d] != indices->dims[d])
            return bad_outer(indices, updates);
    if (depth > params->rank || updates->rank - outer != params->rank - depth)
        return bad_inner(params, indices, updates);
    for (int d = outer; d < updates->rank; d++)
        if (updates->dims[d] != params->dims[d - outer + depth])
            return bad_inner(params, indices, updates);
    return WEIR_OK;
}

/* What to do with one slice after another. */
static void apply(weir_tensor *params, const int64_t *offsets, int64_t rows,
                  const weir_tensor *updates, int op)
{
    int64_t run = rows ? weir_tensor_count(updates) / rows : 0;
    size_t size = weir_dtype_size(params->dtype);
    weir_update_fn fn =
        op == SET ? NULL : weir_update_find((weir_update_op)op, weir_elem_of(params->dtype));
    for (int64_t i = 0; i < rows; i++) {
        if (offsets[i] < 0)
            continue;
        char *slice = (char *)params->data + (size_t)offsets[i] * size;
        const char *by = (const char *)updates->data + (size_t)(i * run) * size;
        if (fn)
            fn(slice, by, run, 1);
        else
            weir_elements_copy(params->dtype, slice, by, run);
    }
}

static weir_status scatter_checked(weir_tensor *params, const weir_tensor *indices,
                                   const weir_tensor *updates, int op, bool skip_bad)
{
    int64_t rows = weir_shape_product(&indices->shape, 0, indices->shape.rank - 1);
    weir_shape vector = weir_shape_vector(rows);
    weir_tensor offsets;
    WEIR_TRY(weir_tensor_alloc(WEIR_INT64, &vector, &offsets));
    weir_status s = weir_index_nd(indices, &params->shape, skip_bad, offsets.data);
    if (!s)
        apply(params, offsets.data, rows, updates, op);
    weir_tensor_release(&offsets);
    return s;
}

static weir_status scatter_into(weir_call *c, weir_var *v, int op)
{
    const weir_tensor *indices = weir_in(c, 1), *updates = weir_in(c, 2);
    bool skip_bad = weir_str_is(weir_site_str(c->site, POLICY), "IGNORE");
    weir_tensor *params;
    WEIR_TRY(weir_state_begin(v, updates->dtype, &params));
    weir_status s = check_shapes(&params->shape, &indices->shape, &updates->shape);
    if (!s)
        s = scatter_checked(params, indices, updates, op, skip_bad);
    weir_var_end(v);
    return s;
}

static weir_status scatter_nd(weir_call *c, int op)
{
    weir_var *v;
    WEIR_TRY(weir_state_var(c, 0, &v));
    weir_status s = scatter_into(c, v, op);
    weir_var_release(v);
    WEIR_TRY(s);
    weir_state_forward_ref(c);
    return WEIR_OK;
}

static weir_status infer(weir_infer *i)
{
    if (weir_state_at_run(i))
        return WEIR_OK;
    weir_shape params;
    WEIR_TRY(weir_state_infer_var(i, 0, weir_dtype_base(i->site->in_types[2]), &params));
    if (i->site->out_count)
        i->out[0] = params;
    if (!weir_shape_known(&params) || !weir_shape_known(i->in[1]) || !weir_shape_known(i->in[2]))
        return WEIR_OK;
    return check_shapes(&params, i->in[1], i->in[2]);
}

static weir_status prepare(weir_prepare *p)
{
    weir_str policy = weir_site_str(p->site, POLICY);
    static const char *const known[] = {"", "DEFAULT", "ERROR", "IGNORE"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (weir_str_is(policy, known[i]))
            return WEIR_OK;
    return weir_error(WEIR_INVALID_ARGUMENT, "Bad indices policy %.*s is not supported.",
                      WEIR_STR_ARG(policy));
}

#define NUMBERS                                                                                    \
    "{float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, "         \
    "bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64}"

#define SCATTER_ND(id, text, op, allowed, locking, types)                                          \
    static weir_status id(weir_call *c)                                                            \
    {                                                                                              \
        return scatter_nd(c, op);                                                                  \
    }                                                                                              \
    const weir_op weir_op_##id = {                                                                 \
        .name = text,                                                                              \
        .in = "ref: Ref(T); indices: Tindices; updates: T",                                        \
        .out = "output_ref: Ref(T)",                                                               \
        .attrs = "T: " allowed "; Tindices: {int32, int64}; use_locking: bool = " locking          \
                 "; bad_indices_policy: string = \"\"",                                            \
        .infer = infer,                                                                            \
        .no_grad = true,                                                                           \
        .kernels = {{WEIR_CPU, "T: " types, id, WEIR_OWN_OUTPUTS, .prepare = prepare}},            \
    };                                                                                             \
    const weir_op weir_op_resource_##id = {                                                        \
        .name = "Resource" text,                                                                   \
        .in = "ref: resource; indices: Tindices; updates: T",                                      \
        .attrs = "T: type; Tindices: {int32, int64}; use_locking: bool = true; "                   \
                 "bad_indices_policy: string = \"\"",                                              \
        .flags = WEIR_STATEFUL,                                                                    \
        .infer = infer,                                                                            \
        .no_grad = true,                                                                           \
        .kernels = {{WEIR_CPU, "T: " types, id, .prepare = prepare}},                              \
    }

SCATTER_ND(scatter_nd_update, "ScatterNdUpdate", SET, "type", "true", WEIR_POD_TYPES ", string");
SCATTER_ND(scatter_nd_add, "ScatterNdAdd", WEIR_UPDATE_ADD, NUMBERS, "false", WEIR_POD_TYPES);
SCATTER_ND(scatter_nd_sub, "ScatterNdSub", WEIR_UPDATE_SUB, NUMBERS, "false", WEIR_POD_TYPES);
SCATTER_ND(scatter_nd_min, "ScatterNdMin", WEIR_UPDATE_MIN, NUMBERS, "false", WEIR_REAL_TYPES);
SCATTER_ND(scatter_nd_max, "ScatterNdMax", WEIR_UPDATE_MAX, NUMBERS, "false", WEIR_REAL_TYPES);
