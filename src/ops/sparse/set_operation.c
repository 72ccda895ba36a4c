/* ops/sparse/set_operation.c - DenseToDenseSetOperation and its relatives, SetSize.
 *
 * The last dimension of a tensor contains sets, one per index of the other dimensions, the group.
 * Two such tensors are merged group by group; results are sorted sparse tensors.
 */
#include <stdlib.h>

#include "base/arith.h"
#include "ops/common/compare.h"
#include "ops/common/elements.h"
#include "ops/common/infer_util.h"
#include "ops/declare.h"
#include "ops/sparse/sparse.h"

/* A tensor of sets, dense or sparse, iterated group by group. */
typedef struct sets {
    const weir_tensor *values;
    const int64_t *indices; /* of a sparse one; null for a dense one */
    int64_t count, at;      /* entries, and the next of them */
    int rank;
    int64_t dims[WEIR_MAX_RANK];
} sets;

typedef WEIR_VEC(const void *) members;

/* The group of the next entry; -1 at the end. */
static int64_t next_group(const sets *sets)
{
    if (sets->at >= sets->count)
        return -1;
    if (!sets->indices)
        return sets->at / sets->dims[sets->rank - 1];
    int64_t g = 0;
    for (int axis = 0; axis < sets->rank - 1; axis++)
        g = g * sets->dims[axis] + sets->indices[sets->at * sets->rank + axis];
    return g;
}

static _Thread_local weir_dtype sorted_type; /* qsort has no context argument */

static int compare(const void *a, const void *b)
{
    return weir_elements_order(sorted_type, *(const void *const *)a, *(const void *const *)b);
}

/* Sorts and removes duplicates. */
static void make_set(members *members, weir_dtype dtype)
{
    size_t kept = 0;
    sorted_type = dtype;
    if (members->count > 1)
        qsort(members->at, members->count, sizeof *members->at, compare);
    for (size_t n = 0; n < members->count; n++)
        if (kept == 0 || !weir_elements_equal(dtype, members->at[kept - 1], members->at[n]))
            members->at[kept++] = members->at[n];
    members->count = kept;
}

/* Takes the entries of |group|, if they are next. */
static void take_group(sets *sets, int64_t group, members *out)
{
    out->count = 0;
    while (next_group(sets) == group)
        weir_vec_push(out, weir_at(sets->values, sets->at++));
    make_set(out, sets->values->dtype);
}

/* ---- reading --------------------------------------------------------------------------------- */

static weir_status read_dense(const weir_tensor *tensor, sets *out)
{
    if (tensor->shape.rank < 2)
        return weir_error(WEIR_INVALID_ARGUMENT, "Input set must be at least rank 2, got shape %s",
                          WEIR_SHAPE_STR(&tensor->shape));
    *out = (sets){.values = tensor, .count = weir_tensor_count(tensor), .rank = tensor->shape.rank};
    memcpy(out->dims, tensor->shape.dims, sizeof out->dims);
    return WEIR_OK;
}

/* Without validation an index out of range is reported like an internal error. */
static weir_status check_places(const weir_sparse *sparse)
{
    for (int64_t n = 0; n < sparse->count; n++)
        for (int axis = 0; axis < sparse->rank; axis++) {
            int64_t at = sparse->indices[n * sparse->rank + axis];
            if (at < 0 || at >= sparse->dims[axis])
                return weir_error(WEIR_INTERNAL,
                                  "indices[%" PRId64 ", %d] expected < %" PRId64 ", got %" PRId64
                                  ".",
                                  n, axis, sparse->dims[axis], at);
        }
    return WEIR_OK;
}

static weir_status read_sparse(weir_call *call, int first, bool validate, sets *out)
{
    weir_sparse sparse;
    WEIR_TRY(weir_sparse_read(call, first, first + 1, first + 2, &sparse));
    if (sparse.rank < 2)
        return weir_error(WEIR_INVALID_ARGUMENT, "Input set must be at least rank 2, got rank %d",
                          sparse.rank);
    WEIR_TRY(validate ? weir_sparse_sorted(&sparse) : check_places(&sparse));
    *out = (sets){.values = sparse.values,
                  .indices = sparse.indices,
                  .count = sparse.count,
                  .rank = sparse.rank};
    memcpy(out->dims, sparse.dims, sizeof *sparse.dims * (size_t)sparse.rank);
    for (int64_t n = 1; n < sparse.count; n++)
        if (weir_coords_order(sparse.indices + (n - 1) * sparse.rank,
                              sparse.indices + n * sparse.rank, sparse.rank - 1) > 0)
            return weir_error(WEIR_INVALID_ARGUMENT, "Set indices must be sorted by group");
    return WEIR_OK;
}

static weir_status same_groups(const sets *a, const sets *b)
{
    bool same = a->rank == b->rank;
    for (int axis = 0; same && axis < a->rank - 1; axis++)
        same = a->dims[axis] == b->dims[axis];
    if (!same)
        return weir_error(WEIR_INVALID_ARGUMENT, "Mismatched group shapes of the two sets");
    return WEIR_OK;
}

/* ---- operations ------------------------------------------------------------------------------ */

/* Elements to keep: only in a, only in b, in both. */
typedef struct rule {
    const char *name;
    bool only_a, only_b, both;
} rule;

static const rule rules[] = {
    {"a-b", true, false, false},
    {"b-a", false, true, false},
    {"intersection", false, false, true},
    {"union", true, true, true},
};

static weir_status find_rule(weir_str name, const rule **out)
{
    for (size_t k = 0; k < sizeof rules / sizeof *rules; k++)
        if (name.length == strlen(rules[k].name) &&
            strncasecmp(name.at, rules[k].name, name.length) == 0) {
            *out = &rules[k];
            return WEIR_OK;
        }
    return weir_error(WEIR_INVALID_ARGUMENT, "Invalid set_operation %.*s.", WEIR_STR_ARG(name));
}

/* The result under construction: elements, and the group of each. */
typedef struct result {
    members elements;
    WEIR_VEC(int64_t) groups;
    int64_t largest;
} result;

static void apply(const rule *rule, weir_dtype dtype, const members *a, const members *b,
                  int64_t group, result *out)
{
    size_t i = 0, j = 0, before = out->elements.count;
    while (i < a->count || j < b->count) {
        int order = i == a->count   ? 1
                    : j == b->count ? -1
                                    : weir_elements_order(dtype, a->at[i], b->at[j]);
        const void *e = order <= 0 ? a->at[i] : b->at[j];
        i += order <= 0;
        j += order >= 0;
        if (order < 0 ? rule->only_a : order > 0 ? rule->only_b : rule->both) {
            weir_vec_push(&out->elements, e);
            weir_vec_push(&out->groups, group);
        }
    }
    int64_t size = (int64_t)(out->elements.count - before);
    out->largest = weir_max(size, out->largest);
}

static weir_status write(weir_call *call, const sets *sets, const result *result)
{
    int64_t dims[WEIR_MAX_RANK], place = 0;
    WEIR_TRY(weir_sparse_alloc(call, 0, 1, (int64_t)result->elements.count, sets->rank));
    memcpy(dims, sets->dims, sizeof dims);
    dims[sets->rank - 1] = result->largest;
    WEIR_TRY(weir_sparse_alloc_shape(call, 2, dims, sets->rank));
    int64_t *at = weir_out(call, 0)->data;
    for (size_t n = 0; n < result->elements.count; n++, at += sets->rank) {
        int64_t group = result->groups.at[n];
        place = n && result->groups.at[n - 1] == group ? place + 1 : 0;
        at[sets->rank - 1] = place;
        for (int axis = sets->rank - 2; axis >= 0; axis--) {
            at[axis] = group % sets->dims[axis];
            group /= sets->dims[axis];
        }
        weir_elements_copy(sets->values->dtype, weir_at(weir_out(call, 1), (int64_t)n),
                           result->elements.at[n], 1);
    }
    return WEIR_OK;
}

static weir_status operate(weir_call *call, sets *a, sets *b, weir_str name)
{
    const rule *rule;
    result out = {0};
    members members = {0}, this_members = {0};
    WEIR_TRY(find_rule(name, &rule));
    WEIR_TRY(same_groups(a, b));
    for (;;) {
        int64_t ga = next_group(a), gb = next_group(b);
        int64_t group = ga < 0 ? gb : gb < 0 || ga < gb ? ga : gb;
        if (group < 0)
            break;
        take_group(a, group, &members);
        take_group(b, group, &this_members);
        apply(rule, a->values->dtype, &members, &this_members, group, &out);
    }
    weir_status status = write(call, a, &out);
    weir_vec_fini(&out.elements);
    weir_vec_fini(&out.groups);
    weir_vec_fini(&members);
    weir_vec_fini(&this_members);
    return status;
}

/* ---- the ops --------------------------------------------------------------------------------- */

enum { SET_OPERATION, VALIDATE };

static weir_status result_infer(weir_infer *infer, int64_t rank)
{
    infer->out[0] = weir_shape_matrix(-1, rank);
    infer->out[1] = weir_shape_vector(-1);
    infer->out[2] = weir_shape_vector(rank);
    return WEIR_OK;
}

static weir_status dense_dense_infer(weir_infer *infer)
{
    return result_infer(infer, infer->in[0]->rank >= 0 ? infer->in[0]->rank : infer->in[1]->rank);
}

static weir_status dense_sparse_infer(weir_infer *infer)
{
    WEIR_TRY(weir_sparse_infer(infer, 1, 2, 3, "set2_"));
    return result_infer(infer,
                        infer->in[0]->rank >= 0 ? infer->in[0]->rank : weir_infer_dim(infer, 3, 0));
}

static weir_status sparse_sparse_infer(weir_infer *infer)
{
    WEIR_TRY(weir_sparse_infer(infer, 0, 1, 2, "set1_"));
    WEIR_TRY(weir_sparse_infer(infer, 3, 4, 5, "set2_"));
    return result_infer(infer, weir_infer_dim(infer, 2, 0));
}

static weir_status dense_dense(weir_call *call)
{
    sets a, b;
    WEIR_TRY(read_dense(weir_in(call, 0), &a));
    WEIR_TRY(read_dense(weir_in(call, 1), &b));
    return operate(call, &a, &b, weir_site_str(call->site, SET_OPERATION));
}

static weir_status dense_sparse(weir_call *call)
{
    sets a, b;
    WEIR_TRY(read_dense(weir_in(call, 0), &a));
    WEIR_TRY(read_sparse(call, 1, weir_site_bool(call->site, VALIDATE), &b));
    return operate(call, &a, &b, weir_site_str(call->site, SET_OPERATION));
}

static weir_status sparse_sparse(weir_call *call)
{
    bool validate = weir_site_bool(call->site, VALIDATE);
    sets a, b;
    WEIR_TRY(read_sparse(call, 0, validate, &a));
    WEIR_TRY(read_sparse(call, 3, validate, &b));
    return operate(call, &a, &b, weir_site_str(call->site, SET_OPERATION));
}

#define MEMBER_TYPES "T: {int8, int16, int32, int64, uint8, uint16, string}"

#define OPERATION                                                                                  \
    .out = "result_indices: int64; result_values: T; result_shape: int64",                         \
    .attrs = "set_operation: string; validate_indices: bool = true; " MEMBER_TYPES,                \
    .no_grad = true

WEIR_DEFINE_OP(dense_to_dense_set_operation, "DenseToDenseSetOperation", OPERATION,
               .in = "set1: T; set2: T", .infer = dense_dense_infer,
               .kernels = {{WEIR_CPU, "*", dense_dense, WEIR_OWN_OUTPUTS}});
WEIR_DEFINE_OP(dense_to_sparse_set_operation, "DenseToSparseSetOperation", OPERATION,
               .in = "set1: T; set2_indices: int64; set2_values: T; set2_shape: int64",
               .infer = dense_sparse_infer,
               .kernels = {{WEIR_CPU, "*", dense_sparse, WEIR_OWN_OUTPUTS}});
WEIR_DEFINE_OP(sparse_to_sparse_set_operation, "SparseToSparseSetOperation", OPERATION,
               .in = "set1_indices: int64; set1_values: T; set1_shape: int64; set2_indices: int64; "
                     "set2_values: T; set2_shape: int64",
               .infer = sparse_sparse_infer,
               .kernels = {{WEIR_CPU, "*", sparse_sparse, WEIR_OWN_OUTPUTS}});

/* ---- SetSize --------------------------------------------------------------------------------- */

enum { SIZE_VALIDATE };

static weir_status size_infer(weir_infer *infer)
{
    const weir_tensor *shape = weir_infer_value(infer, 2);
    if (weir_infer_running(infer) && infer->in[2]->rank != 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "Shape must be a 1D tensor.");
    if (!weir_infer_running(infer))
        return WEIR_OK;
    WEIR_TRY(weir_sparse_infer(infer, 0, 1, 2, "set_"));
    if (weir_tensor_count(shape) < 1 || weir_tensor_count(shape) > WEIR_MAX_RANK)
        return WEIR_OK;
    infer->out[0].rank = (int)weir_tensor_count(shape) - 1;
    for (int axis = 0; axis < infer->out[0].rank; axis++)
        infer->out[0].dims[axis] = weir_int_at(shape, axis);
    return weir_shape_check(&infer->out[0]);
}

static weir_status size(weir_call *call)
{
    weir_tensor *y = weir_out(call, 0);
    members members = {0};
    sets sets;
    WEIR_TRY(read_sparse(call, 0, weir_site_bool(call->site, SIZE_VALIDATE), &sets));
    weir_tensor_zero(NULL, y);
    for (int64_t g; (g = next_group(&sets)) >= 0;) {
        take_group(&sets, g, &members);
        ((int32_t *)y->data)[g] = (int32_t)members.count;
    }
    weir_vec_fini(&members);
    return WEIR_OK;
}

const weir_op weir_op_set_size = {
    .name = "SetSize",
    .in = "set_indices: int64; set_values: T; set_shape: int64",
    .out = "size: int32",
    .attrs = "validate_indices: bool = true; " MEMBER_TYPES,
    .infer = size_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", size}},
};
