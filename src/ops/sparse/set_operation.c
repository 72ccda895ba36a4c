/* ops/sparse/set_operation.c - DenseToDenseSetOperation and its relatives, SetSize.
 *
 * The last dimension of a tensor holds sets, one for each index of the dimensions before it, the
 * group. Two such tensors are met group by group; results are sorted sparse tensors.
 */
#include <stdlib.h>

#include "base/arith.h"
#include "ops/common/compare.h"
#include "ops/common/elements.h"
#include "ops/common/infer_util.h"
#include "ops/declare.h"
#include "ops/sparse/sparse.h"

/* A tensor of sets, dense or sparse, walked group by group. */
typedef struct sets {
    const weir_tensor *values;
    const int64_t *indices; /* of a sparse one; null for a dense one */
    int64_t count, at;      /* entries, and the next of them */
    int rank;
    int64_t dims[WEIR_MAX_RANK];
} sets;

typedef WEIR_VEC(const void *) members;

/* The group of the next entry; past the last one, -1. */
static int64_t next_group(const sets *s)
{
    if (s->at >= s->count)
        return -1;
    if (!s->indices)
        return s->at / s->dims[s->rank - 1];
    int64_t g = 0;
    for (int d = 0; d < s->rank - 1; d++)
        g = g * s->dims[d] + s->indices[s->at * s->rank + d];
    return g;
}

static _Thread_local weir_dtype sorted_type; /* qsort has no room for it */

static int compare(const void *a, const void *b)
{
    return weir_elements_order(sorted_type, *(const void *const *)a, *(const void *const *)b);
}

/* Sorted and each once. */
static void make_set(members *m, weir_dtype dtype)
{
    size_t kept = 0;
    sorted_type = dtype;
    if (m->count > 1)
        qsort(m->at, m->count, sizeof *m->at, compare);
    for (size_t n = 0; n < m->count; n++)
        if (kept == 0 || !weir_elements_equal(dtype, m->at[kept - 1], m->at[n]))
            m->at[kept++] = m->at[n];
    m->count = kept;
}

/* Takes the entries of |group|, if they are next. */
static void take_group(sets *s, int64_t group, members *out)
{
    out->count = 0;
    while (next_group(s) == group)
        weir_vec_push(out, weir_at(s->values, s->at++));
    make_set(out, s->values->dtype);
}

/* ---- reading ------------------------------------------------------------------------------------
 */

static weir_status read_dense(const weir_tensor *t, sets *out)
{
    if (t->shape.rank < 2)
        return weir_error(WEIR_INVALID_ARGUMENT, "Input set must be at least rank 2, got shape %s",
                          WEIR_SHAPE_STR(&t->shape));
    *out = (sets){.values = t, .count = weir_tensor_count(t), .rank = t->shape.rank};
    memcpy(out->dims, t->shape.dims, sizeof out->dims);
    return WEIR_OK;
}

/* Without validation an index past its dimension is told as our own mistake would be. */
static weir_status check_places(const weir_sparse *s)
{
    for (int64_t n = 0; n < s->count; n++)
        for (int d = 0; d < s->rank; d++) {
            int64_t at = s->indices[n * s->rank + d];
            if (at < 0 || at >= s->dims[d])
                return weir_error(WEIR_INTERNAL,
                                  "indices[%" PRId64 ", %d] expected < %" PRId64 ", got %" PRId64
                                  ".",
                                  n, d, s->dims[d], at);
        }
    return WEIR_OK;
}

static weir_status read_sparse(weir_call *call, int first, bool validate, sets *out)
{
    weir_sparse s;
    WEIR_TRY(weir_sparse_read(call, first, first + 1, first + 2, &s));
    if (s.rank < 2)
        return weir_error(WEIR_INVALID_ARGUMENT, "Input set must be at least rank 2, got rank %d",
                          s.rank);
    WEIR_TRY(validate ? weir_sparse_sorted(&s) : check_places(&s));
    *out = (sets){.values = s.values, .indices = s.indices, .count = s.count, .rank = s.rank};
    memcpy(out->dims, s.dims, sizeof *s.dims * (size_t)s.rank);
    for (int64_t n = 1; n < s.count; n++)
        if (weir_coords_order(s.indices + (n - 1) * s.rank, s.indices + n * s.rank, s.rank - 1) > 0)
            return weir_error(WEIR_INVALID_ARGUMENT, "Set indices must be sorted by group");
    return WEIR_OK;
}

static weir_status same_groups(const sets *a, const sets *b)
{
    bool same = a->rank == b->rank;
    for (int d = 0; same && d < a->rank - 1; d++)
        same = a->dims[d] == b->dims[d];
    if (!same)
        return weir_error(WEIR_INVALID_ARGUMENT, "Mismatched group shapes of the two sets");
    return WEIR_OK;
}

/* ---- operations ---------------------------------------------------------------------------------
 */

/* What stays: elements only in a, only in b, in both. */
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

/* The result as it grows: elements, and the group of each. */
typedef struct result {
    members elements;
    WEIR_VEC(int64_t) groups;
    int64_t largest;
} result;

static void apply(const rule *r, weir_dtype dtype, const members *a, const members *b,
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
        if (order < 0 ? r->only_a : order > 0 ? r->only_b : r->both) {
            weir_vec_push(&out->elements, e);
            weir_vec_push(&out->groups, group);
        }
    }
    int64_t size = (int64_t)(out->elements.count - before);
    out->largest = weir_max(size, out->largest);
}

static weir_status write(weir_call *call, const sets *a, const result *r)
{
    int64_t dims[WEIR_MAX_RANK], place = 0;
    WEIR_TRY(weir_sparse_alloc(call, 0, 1, (int64_t)r->elements.count, a->rank));
    memcpy(dims, a->dims, sizeof dims);
    dims[a->rank - 1] = r->largest;
    WEIR_TRY(weir_sparse_alloc_shape(call, 2, dims, a->rank));
    int64_t *at = weir_out(call, 0)->data;
    for (size_t n = 0; n < r->elements.count; n++, at += a->rank) {
        int64_t group = r->groups.at[n];
        place = n && r->groups.at[n - 1] == group ? place + 1 : 0;
        at[a->rank - 1] = place;
        for (int d = a->rank - 2; d >= 0; d--) {
            at[d] = group % a->dims[d];
            group /= a->dims[d];
        }
        weir_elements_copy(a->values->dtype, weir_at(weir_out(call, 1), (int64_t)n),
                           r->elements.at[n], 1);
    }
    return WEIR_OK;
}

static weir_status operate(weir_call *call, sets *a, sets *b, weir_str name)
{
    const rule *r;
    result out = {0};
    members x = {0}, y = {0};
    WEIR_TRY(find_rule(name, &r));
    WEIR_TRY(same_groups(a, b));
    for (;;) {
        int64_t ga = next_group(a), gb = next_group(b);
        int64_t group = ga < 0 ? gb : gb < 0 || ga < gb ? ga : gb;
        if (group < 0)
            break;
        take_group(a, group, &x);
        take_group(b, group, &y);
        apply(r, a->values->dtype, &x, &y, group, &out);
    }
    weir_status s = write(call, a, &out);
    weir_vec_fini(&out.elements);
    weir_vec_fini(&out.groups);
    weir_vec_fini(&x);
    weir_vec_fini(&y);
    return s;
}

/* ---- the ops ------------------------------------------------------------------------------------
 */

enum { SET_OPERATION, VALIDATE };

static weir_status result_infer(weir_infer *i, int64_t rank)
{
    i->out[0] = weir_shape_matrix(-1, rank);
    i->out[1] = weir_shape_vector(-1);
    i->out[2] = weir_shape_vector(rank);
    return WEIR_OK;
}

static weir_status dense_dense_infer(weir_infer *i)
{
    return result_infer(i, i->in[0]->rank >= 0 ? i->in[0]->rank : i->in[1]->rank);
}

static weir_status dense_sparse_infer(weir_infer *i)
{
    WEIR_TRY(weir_sparse_infer(i, 1, 2, 3, "set2_"));
    return result_infer(i, i->in[0]->rank >= 0 ? i->in[0]->rank : weir_infer_dim(i, 3, 0));
}

static weir_status sparse_sparse_infer(weir_infer *i)
{
    WEIR_TRY(weir_sparse_infer(i, 0, 1, 2, "set1_"));
    WEIR_TRY(weir_sparse_infer(i, 3, 4, 5, "set2_"));
    return result_infer(i, weir_infer_dim(i, 2, 0));
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

/* ---- SetSize ------------------------------------------------------------------------------------
 */

enum { SIZE_VALIDATE };

static weir_status size_infer(weir_infer *i)
{
    const weir_tensor *shape = weir_infer_value(i, 2);
    if (weir_infer_running(i) && i->in[2]->rank != 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "Shape must be a 1D tensor.");
    if (!weir_infer_running(i))
        return WEIR_OK;
    WEIR_TRY(weir_sparse_infer(i, 0, 1, 2, "set_"));
    if (weir_tensor_count(shape) < 1 || weir_tensor_count(shape) > WEIR_MAX_RANK)
        return WEIR_OK;
    i->out[0].rank = (int)weir_tensor_count(shape) - 1;
    for (int d = 0; d < i->out[0].rank; d++)
        i->out[0].dims[d] = weir_int_at(shape, d);
    return weir_shape_check(&i->out[0]);
}

static weir_status size(weir_call *call)
{
    weir_tensor *y = weir_out(call, 0);
    members m = {0};
    sets s;
    WEIR_TRY(read_sparse(call, 0, weir_site_bool(call->site, SIZE_VALIDATE), &s));
    weir_tensor_zero(NULL, y);
    for (int64_t g; (g = next_group(&s)) >= 0;) {
        take_group(&s, g, &m);
        ((int32_t *)y->data)[g] = (int32_t)m.count;
    }
    weir_vec_fini(&m);
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
