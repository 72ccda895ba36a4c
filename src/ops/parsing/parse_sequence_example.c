/* ops/parsing/parse_sequence_example.c - ParseSequenceExample, ParseSequenceExampleV2,
 * ParseSingleSequenceExample. */
#include <inttypes.h>

#include "ops/parsing/features_impl.h"

/* Keys of one group: a list attr, one vector input, or an input each. */
typedef enum keys_as { KEYS_ATTR, KEYS_VECTOR, KEYS_EACH } keys_as;

/* The six groups of features that an op may request. */
typedef enum group {
    CONTEXT_SPARSE,
    CONTEXT_DENSE,
    CONTEXT_RAGGED,
    LIST_SPARSE,
    LIST_DENSE,
    LIST_RAGGED,
    GROUPS
} group;

/* The signature of an op; -1: absent. |out| is the first of the group's consecutive output
 * arguments; lists of V1 and V2 are dense with lengths. */
typedef struct form {
    keys_as keys;
    int key[GROUPS];                 /* inputs or attrs */
    int type[GROUPS];                /* attrs */
    int out[GROUPS];                 /* output arguments */
    int context_shapes, list_shapes; /* attrs */
    int defaults, missing, name;     /* inputs; |missing| is an attr of V1 */
    int context_splits, list_splits; /* attrs of ragged groups */
    bool lengths;
} form;

static const form form_v1 = {
    .keys = KEYS_ATTR,
    .key = {1, 2, -1, 3, 4, -1},
    .type = {9, 10, -1, 13, 11, -1},
    .out = {0, 3, -1, 4, 7, -1},
    .context_shapes = 12,
    .list_shapes = 14,
    .defaults = 2,
    .missing = 0,
    .name = 1,
    .lengths = true,
};
static const form form_v2 = {
    .keys = KEYS_VECTOR,
    .key = {2, 3, 4, 5, 6, 7},
    .type = {2, 1, 3, 9, 8, 10},
    .out = {0, 3, 4, 6, 9, 11},
    .context_shapes = 5,
    .list_shapes = 12,
    .defaults = 9,
    .missing = 8,
    .name = 1,
    .context_splits = 4,
    .list_splits = 11,
    .lengths = true,
};
static const form form_single = {
    .keys = KEYS_EACH,
    .key = {2, 3, -1, 4, 5, -1},
    .type = {4, 5, -1, 8, 6, -1},
    .out = {0, 3, -1, 4, 7, -1},
    .context_shapes = 7,
    .list_shapes = 9,
    .defaults = 6,
    .missing = 1,
    .name = 7,
};

/* ---- inference ------------------------------------------------------------------------------- */

static weir_status infer_lists(weir_infer *i, const form *f, const weir_shape *batch)
{
    const weir_site *s = i->site;
    int first = f->out[LIST_SPARSE], rank = batch->rank < 0 ? 1 : batch->rank;
    weir_infer_sparse(i, weir_site_out(s, first), weir_site_out(s, first + 1),
                      weir_site_out(s, first + 2), rank + 2);
    weir_range dense = weir_site_out(s, f->out[LIST_DENSE]);
    weir_shape steps = weir_shape_vector(-1), outer;
    WEIR_TRY(weir_infer_concat(batch, &steps, &outer));
    WEIR_TRY(weir_infer_dense(i, dense, f->list_shapes, &outer));
    if (f->lengths) {
        weir_range lengths = weir_site_out(s, f->out[LIST_DENSE] + 1);
        for (int k = 0; k < lengths.count; k++)
            i->out[lengths.start + k] = *batch;
    }
    return WEIR_OK;
}

static weir_status infer_ragged(weir_infer *i, int first, int splits, int64_t count)
{
    weir_range values = weir_site_out(i->site, first);
    for (int k = 0; k < values.count; k++)
        i->out[values.start + k] = weir_shape_vector(-1);
    for (int a = 1; a <= splits; a++) {
        weir_range out = weir_site_out(i->site, first + a);
        for (int k = 0; k < out.count; k++)
            i->out[out.start + k] = weir_shape_vector(a == 1 ? count : -1);
    }
    return WEIR_OK;
}

static weir_status infer_form(weir_infer *i, const form *f, const weir_shape *batch)
{
    const weir_site *s = i->site;
    int rank = batch->rank < 0 ? 1 : batch->rank;
    int64_t count = batch->rank < 1 || batch->dims[0] < 0 ? -1 : batch->dims[0] + 1;
    weir_infer_sparse(i, weir_site_out(s, 0), weir_site_out(s, 1), weir_site_out(s, 2), rank + 1);
    WEIR_TRY(
        weir_infer_dense(i, weir_site_out(s, f->out[CONTEXT_DENSE]), f->context_shapes, batch));
    WEIR_TRY(infer_lists(i, f, batch));
    if (f->out[CONTEXT_RAGGED] < 0)
        return WEIR_OK;
    WEIR_TRY(infer_ragged(i, f->out[CONTEXT_RAGGED], 1, count));
    return infer_ragged(i, f->out[LIST_RAGGED], 2, count);
}

static weir_status infer_v1(weir_infer *i)
{
    WEIR_TRY(weir_infer_rank(i, 0, 1));
    weir_shape batch = weir_shape_vector(weir_infer_dim(i, 0, 0));
    return infer_form(i, &form_v1, &batch);
}

static weir_status infer_v2(weir_infer *i)
{
    WEIR_TRY(weir_infer_rank_at_most(i, 0, 1));
    for (int in = 2; in < 9; in++)
        WEIR_TRY(weir_infer_rank(i, in, 1));
    return infer_form(i, &form_v2, i->in[0]);
}

static weir_status infer_single(weir_infer *i)
{
    WEIR_TRY(weir_infer_rank(i, 0, 0));
    WEIR_TRY(weir_infer_rank(i, 1, 1));
    return infer_form(i, &form_single, &WEIR_SCALAR);
}

/* ---- running --------------------------------------------------------------------------------- */

static weir_str key_of(weir_call *c, const form *f, group g, int k)
{
    if (f->keys == KEYS_ATTR)
        return weir_site_list(c->site, f->key[g])->ss[k];
    int start = weir_site_in(c->site, f->key[g]).start;
    return f->keys == KEYS_VECTOR ? weir_str_at(weir_in(c, start), k)
                                  : weir_str_at(weir_in(c, start + k), 0);
}

static int64_t key_count(weir_call *c, const form *f, group g)
{
    if (f->keys == KEYS_ATTR)
        return weir_site_list(c->site, f->key[g])->count;
    weir_range in = weir_site_in(c->site, f->key[g]);
    return f->keys == KEYS_VECTOR ? weir_tensor_count(weir_in(c, in.start)) : in.count;
}

/* Checks that there are as many keys as types and shapes, and that no key has two forms. */
static weir_status check(weir_call *c, const form *f)
{
    static const char *const names[] = {"context_sparse",     "context_dense",
                                        "context_ragged",     "feature_list_sparse",
                                        "feature_list_dense", "feature_list_ragged"};
    for (group g = 0; g < GROUPS; g++) {
        if (f->key[g] < 0)
            continue;
        int types = weir_site_list(c->site, f->type[g])->count;
        if (key_count(c, f, g) != types)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "len(%s_keys) != len(%s_types): %" PRId64 " vs. %d", names[g],
                              names[g], key_count(c, f, g), types);
        for (int k = 0; f->keys == KEYS_EACH && k < types; k++)
            if (weir_in(c, weir_site_in(c->site, f->key[g]).start + k)->shape.rank != 0)
                return weir_error(WEIR_INVALID_ARGUMENT, "%s_keys[%d] is not a scalar", names[g],
                                  k);
    }
    if (f->keys == KEYS_VECTOR) {
        const weir_site *s = c->site;
        if (weir_site_list(s, f->context_splits)->count !=
                weir_site_list(s, f->type[CONTEXT_RAGGED])->count ||
            weir_site_list(s, f->list_splits)->count !=
                weir_site_list(s, f->type[LIST_RAGGED])->count)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "ragged value types and ragged split types differ in length");
        if (weir_tensor_count(weir_in(c, f->missing)) != key_count(c, f, LIST_DENSE))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Expected len(feature_list_dense_missing_assumed_empty) == "
                              "len(feature_list_dense_keys)");
    }
    return WEIR_OK;
}

/* Whether dense list |k| may be missing. */
static bool may_miss(weir_call *c, const form *f, int k)
{
    weir_str key = key_of(c, f, LIST_DENSE, k);
    if (f->keys == KEYS_VECTOR)
        return ((const bool *)weir_in(c, f->missing)->data)[k];
    const weir_attr *list = f->keys == KEYS_ATTR ? weir_site_list(c->site, f->missing) : NULL;
    const weir_tensor *names = list ? NULL : weir_in(c, f->missing);
    int64_t count = list ? list->count : weir_tensor_count(names);
    for (int64_t i = 0; i < count; i++)
        if (weir_str_eq(list ? list->ss[i] : weir_str_at(names, i), key))
            return true;
    return false;
}

static weir_feature_want want_of(weir_call *c, const form *f, group g, int k)
{
    const weir_site *s = c->site;
    bool is_list = g >= LIST_SPARSE;
    weir_feature_want w = {.key = key_of(c, f, g, k),
                           .dtype = (weir_dtype)weir_site_list(s, f->type[g])->types[k],
                           .form = g % 3 == 0   ? WEIR_SPARSE
                                   : g % 3 == 1 ? WEIR_DENSE
                                                : WEIR_RAGGED,
                           .out = {-1, -1, -1}};
    int parts = w.form == WEIR_SPARSE ? 3 : w.form == WEIR_RAGGED ? (is_list ? 3 : 2) : 1;
    parts += g == LIST_DENSE && f->lengths;
    for (int a = 0; a < parts; a++)
        w.out[a] = weir_site_out(s, f->out[g] + a).start + k;
    if (g == CONTEXT_DENSE) {
        w.shape = weir_site_list(s, f->context_shapes)->shapes[k];
        w.otherwise = weir_in(c, weir_site_in(s, f->defaults).start + k);
    } else if (g == LIST_DENSE) {
        w.shape = weir_site_list(s, f->list_shapes)->shapes[k];
        w.may_miss = may_miss(c, f, k);
    }
    return w;
}

/* Groups [first, first + 3) with the engine |run|. */
static weir_status parse_groups(weir_call *c, const form *f, group first, uint32_t outer,
                                weir_status (*run)(weir_features *features))
{
    const weir_tensor *in = weir_in(c, 0);
    weir_features features = {.call = c,
                              .outer = outer,
                              .inputs = in,
                              .names = weir_in(c, weir_site_in(c->site, f->name).start),
                              .batched = in->shape.rank == 1,
                              .scalar_splits = true,
                              .plain_errors = true};
    for (group g = first; g < first + 3; g++)
        for (int k = 0; f->key[g] >= 0 && k < weir_site_list(c->site, f->type[g])->count; k++)
            weir_features_add(&features, want_of(c, f, g, k));
    weir_status status = run(&features);
    weir_features_fini(&features);
    return status;
}

static weir_status parse(weir_call *c, const form *f)
{
    WEIR_TRY(check(c, f));
    WEIR_TRY(parse_groups(c, f, CONTEXT_SPARSE, 1, weir_features_run));
    return parse_groups(c, f, LIST_SPARSE, 2, weir_lists_run);
}

static weir_status parse_v1(weir_call *c)
{
    return parse(c, &form_v1);
}

static weir_status parse_v2(weir_call *c)
{
    return parse(c, &form_v2);
}

static weir_status parse_single(weir_call *c)
{
    return parse(c, &form_single);
}

const weir_op weir_op_parse_sequence_example = {
    .name = "ParseSequenceExample",
    .in = "serialized: string; debug_name: string; context_dense_defaults: Tcontext_dense",
    .out = "context_sparse_indices: Ncontext_sparse * int64; context_sparse_values: "
           "context_sparse_types; context_sparse_shapes: Ncontext_sparse * int64; "
           "context_dense_values: Tcontext_dense; feature_list_sparse_indices: "
           "Nfeature_list_sparse * int64; feature_list_sparse_values: feature_list_sparse_types; "
           "feature_list_sparse_shapes: Nfeature_list_sparse * int64; feature_list_dense_values: "
           "feature_list_dense_types; feature_list_dense_lengths: Nfeature_list_dense * int64",
    .attrs = "feature_list_dense_missing_assumed_empty: list(string) >= 0; context_sparse_keys: "
             "list(string) >= 0; context_dense_keys: list(string) >= 0; feature_list_sparse_keys: "
             "list(string) >= 0; feature_list_dense_keys: list(string) >= 0; Ncontext_sparse: int "
             ">= 0 = 0; Ncontext_dense: int >= 0 = 0; Nfeature_list_sparse: int >= 0 = 0; "
             "Nfeature_list_dense: int >= 0 = 0; context_sparse_types: list({float, int64, "
             "string}) >= 0 = []; Tcontext_dense: list({float, int64, string}) >= 0 = []; "
             "feature_list_dense_types: list({float, int64, string}) >= 0 = []; "
             "context_dense_shapes: list(shape) >= 0 = []; feature_list_sparse_types: "
             "list({float, int64, string}) >= 0 = []; feature_list_dense_shapes: list(shape) >= 0 "
             "= []",
    .infer = infer_v1,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", parse_v1, WEIR_OWN_OUTPUTS | WEIR_EXPENSIVE}},
};

const weir_op weir_op_parse_sequence_example_v2 = {
    .name = "ParseSequenceExampleV2",
    .in = "serialized: string; debug_name: string; context_sparse_keys: string; "
          "context_dense_keys: string; context_ragged_keys: string; feature_list_sparse_keys: "
          "string; feature_list_dense_keys: string; feature_list_ragged_keys: string; "
          "feature_list_dense_missing_assumed_empty: bool; context_dense_defaults: Tcontext_dense",
    .out = "context_sparse_indices: Ncontext_sparse * int64; context_sparse_values: "
           "context_sparse_types; context_sparse_shapes: Ncontext_sparse * int64; "
           "context_dense_values: Tcontext_dense; context_ragged_values: "
           "context_ragged_value_types; context_ragged_row_splits: context_ragged_split_types; "
           "feature_list_sparse_indices: Nfeature_list_sparse * int64; "
           "feature_list_sparse_values: feature_list_sparse_types; feature_list_sparse_shapes: "
           "Nfeature_list_sparse * int64; feature_list_dense_values: feature_list_dense_types; "
           "feature_list_dense_lengths: Nfeature_list_dense * int64; feature_list_ragged_values: "
           "feature_list_ragged_value_types; feature_list_ragged_outer_splits: "
           "feature_list_ragged_split_types; feature_list_ragged_inner_splits: "
           "feature_list_ragged_split_types",
    .attrs = "Ncontext_sparse: int >= 0 = 0; Tcontext_dense: list({float, int64, string}) >= 0 = "
             "[]; context_sparse_types: list({float, int64, string}) >= 0 = []; "
             "context_ragged_value_types: list({float, int64, string}) >= 0 = []; "
             "context_ragged_split_types: list({int32, int64}) >= 0 = []; context_dense_shapes: "
             "list(shape) >= 0 = []; Nfeature_list_sparse: int >= 0 = 0; Nfeature_list_dense: int "
             ">= 0 = 0; feature_list_dense_types: list({float, int64, string}) >= 0 = []; "
             "feature_list_sparse_types: list({float, int64, string}) >= 0 = []; "
             "feature_list_ragged_value_types: list({float, int64, string}) >= 0 = []; "
             "feature_list_ragged_split_types: list({int32, int64}) >= 0 = []; "
             "feature_list_dense_shapes: list(shape) >= 0 = []",
    .infer = infer_v2,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", parse_v2, WEIR_OWN_OUTPUTS | WEIR_EXPENSIVE}},
};

const weir_op weir_op_parse_single_sequence_example = {
    .name = "ParseSingleSequenceExample",
    .in = "serialized: string; feature_list_dense_missing_assumed_empty: string; "
          "context_sparse_keys: Ncontext_sparse * string; context_dense_keys: Ncontext_dense * "
          "string; feature_list_sparse_keys: Nfeature_list_sparse * string; "
          "feature_list_dense_keys: Nfeature_list_dense * string; context_dense_defaults: "
          "Tcontext_dense; debug_name: string",
    .out = "context_sparse_indices: Ncontext_sparse * int64; context_sparse_values: "
           "context_sparse_types; context_sparse_shapes: Ncontext_sparse * int64; "
           "context_dense_values: Tcontext_dense; feature_list_sparse_indices: "
           "Nfeature_list_sparse * int64; feature_list_sparse_values: feature_list_sparse_types; "
           "feature_list_sparse_shapes: Nfeature_list_sparse * int64; feature_list_dense_values: "
           "feature_list_dense_types",
    .attrs = "Ncontext_sparse: int >= 0 = 0; Ncontext_dense: int >= 0 = 0; Nfeature_list_sparse: "
             "int >= 0 = 0; Nfeature_list_dense: int >= 0 = 0; context_sparse_types: list({float, "
             "int64, string}) >= 0 = []; Tcontext_dense: list({float, int64, string}) >= 0 = []; "
             "feature_list_dense_types: list({float, int64, string}) >= 0 = []; "
             "context_dense_shapes: list(shape) >= 0 = []; feature_list_sparse_types: "
             "list({float, int64, string}) >= 0 = []; feature_list_dense_shapes: list(shape) >= 0 "
             "= []",
    .infer = infer_single,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", parse_single, WEIR_OWN_OUTPUTS | WEIR_EXPENSIVE}},
};
