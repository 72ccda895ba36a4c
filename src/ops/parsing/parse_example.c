/* ops/parsing/parse_example.c - ParseExample, ParseExampleV2, ParseSingleExample. */
#include <inttypes.h>

#include "ops/parsing/features_impl.h"

/* The signature of an op: indices among its inputs, outputs and attrs; -1: absent. */
typedef struct form {
    int defaults;                                /* inputs */
    int sparse_types, dense_types, dense_shapes; /* attrs */
    int ragged_values, ragged_splits;            /* attrs */
    int sparse_keys, dense_keys, ragged_keys;    /* inputs, or attrs when |attr_keys| */
    bool attr_keys;
    bool vector_keys; /* each key input is one vector */
} form;

static const form form_v1 = {.sparse_keys = 2,
                             .dense_keys = 3,
                             .ragged_keys = -1,
                             .defaults = 4,
                             .sparse_types = 2,
                             .dense_types = 3,
                             .dense_shapes = 4,
                             .ragged_values = -1};
static const form form_v2 = {.sparse_keys = 2,
                             .dense_keys = 3,
                             .ragged_keys = 4,
                             .vector_keys = true,
                             .defaults = 5,
                             .sparse_types = 2,
                             .dense_types = 0,
                             .dense_shapes = 5,
                             .ragged_values = 3,
                             .ragged_splits = 4};
static const form form_single = {.sparse_keys = 1,
                                 .dense_keys = 2,
                                 .ragged_keys = -1,
                                 .attr_keys = true,
                                 .defaults = 1,
                                 .sparse_types = 3,
                                 .dense_types = 4,
                                 .dense_shapes = 5,
                                 .ragged_values = -1};

enum { INDICES, VALUES, SHAPES, DENSE, RAGGED_VALUES, RAGGED_SPLITS }; /* outputs */

/* ---- inference ------------------------------------------------------------------------------- */

static weir_status infer_form(weir_infer *i, const form *f, const weir_shape *batch)
{
    const weir_site *s = i->site;
    int rank = batch->rank < 0 ? 1 : batch->rank;
    weir_infer_sparse(i, weir_site_out(s, INDICES), weir_site_out(s, VALUES),
                      weir_site_out(s, SHAPES), rank + 1);
    WEIR_TRY(weir_infer_dense(i, weir_site_out(s, DENSE), f->dense_shapes, batch));
    if (f->ragged_values < 0)
        return WEIR_OK;
    weir_range values = weir_site_out(s, RAGGED_VALUES), splits = weir_site_out(s, RAGGED_SPLITS);
    int64_t count = batch->rank < 1 || batch->dims[0] < 0 ? -1 : batch->dims[0] + 1;
    for (int k = 0; k < values.count; k++) {
        i->out[values.start + k] = weir_shape_vector(-1);
        i->out[splits.start + k] = weir_shape_vector(count);
    }
    return WEIR_OK;
}

static weir_status infer_v1(weir_infer *i)
{
    WEIR_TRY(weir_infer_rank(i, 0, 1));
    WEIR_TRY(weir_infer_rank(i, 1, 1));
    weir_shape batch = weir_shape_vector(weir_infer_dim(i, 0, 0));
    return infer_form(i, &form_v1, &batch);
}

static weir_status infer_v2(weir_infer *i)
{
    WEIR_TRY(weir_infer_rank_at_most(i, 0, 1));
    for (int in = 2; in < 5; in++)
        WEIR_TRY(weir_infer_rank(i, in, 1));
    return infer_form(i, &form_v2, i->in[0]);
}

static weir_status infer_single(weir_infer *i)
{
    WEIR_TRY(weir_infer_rank(i, 0, 0));
    return infer_form(i, &form_single, &WEIR_SCALAR);
}

/* ---- running --------------------------------------------------------------------------------- */

/* Key |k| of argument |arg|. */
static weir_str key_of(weir_call *c, const form *f, int arg, int k)
{
    if (f->attr_keys)
        return weir_site_list(c->site, arg)->ss[k];
    weir_range in = weir_site_in(c->site, arg);
    return f->vector_keys ? weir_str_at(weir_in(c, in.start), k)
                          : weir_str_at(weir_in(c, in.start + k), 0);
}

static weir_status check_keys(weir_call *c, const form *f, int arg, int want, const char *what)
{
    if (arg < 0)
        return WEIR_OK;
    weir_range in = f->attr_keys ? (weir_range){0} : weir_site_in(c->site, arg);
    int64_t have = f->attr_keys     ? weir_site_list(c->site, arg)->count
                   : f->vector_keys ? weir_tensor_count(weir_in(c, in.start))
                                    : in.count;
    for (int k = 0; !f->attr_keys && !f->vector_keys && k < in.count; k++)
        if (weir_in(c, in.start + k)->shape.rank != 0)
            return weir_error(WEIR_INVALID_ARGUMENT, "%s_keys[%d] is not a scalar", what, k);
    if (have != want)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Expected len(%s_keys) == len(%s_types) but got: %" PRId64 " vs. %d",
                          what, what, have, want);
    return WEIR_OK;
}

static void want_all(weir_call *c, const form *f, weir_features *features)
{
    const weir_site *s = c->site;
    int indices = weir_site_out(s, INDICES).start, values = weir_site_out(s, VALUES).start,
        shapes = weir_site_out(s, SHAPES).start, dense = weir_site_out(s, DENSE).start;
    const weir_attr *types = weir_site_list(s, f->sparse_types);
    for (int k = 0; k < types->count; k++)
        weir_features_add(features,
                          (weir_feature_want){.key = key_of(c, f, f->sparse_keys, k),
                                              .dtype = (weir_dtype)types->types[k],
                                              .form = WEIR_SPARSE,
                                              .out = {indices + k, values + k, shapes + k}});
    types = weir_site_list(s, f->dense_types);
    for (int k = 0; k < types->count; k++)
        weir_features_add(
            features,
            (weir_feature_want){.key = key_of(c, f, f->dense_keys, k),
                                .dtype = (weir_dtype)types->types[k],
                                .form = WEIR_DENSE,
                                .out = {dense + k},
                                .shape = weir_site_list(s, f->dense_shapes)->shapes[k],
                                .otherwise = weir_in(c, weir_site_in(s, f->defaults).start + k)});
    if (f->ragged_values < 0)
        return;
    types = weir_site_list(s, f->ragged_values);
    for (int k = 0; k < types->count; k++)
        weir_features_add(features,
                          (weir_feature_want){.key = key_of(c, f, f->ragged_keys, k),
                                              .dtype = (weir_dtype)types->types[k],
                                              .form = WEIR_RAGGED,
                                              .out = {weir_site_out(s, RAGGED_VALUES).start + k,
                                                      weir_site_out(s, RAGGED_SPLITS).start + k}});
}

static weir_status parse(weir_call *c, const form *f, const weir_tensor *names)
{
    const weir_tensor *in = weir_in(c, 0);
    const weir_site *s = c->site;
    if (names && weir_tensor_count(names) > 0 && !weir_shape_eq(&names->shape, &in->shape))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Expected names have the same shape as serialized: name.shape=%s, "
                          "serialized.shape=%s",
                          WEIR_SHAPE_STR(&names->shape), WEIR_SHAPE_STR(&in->shape));
    WEIR_TRY(check_keys(c, f, f->sparse_keys, weir_site_list(s, f->sparse_types)->count, "sparse"));
    WEIR_TRY(check_keys(c, f, f->dense_keys, weir_site_list(s, f->dense_types)->count, "dense"));
    if (f->ragged_values >= 0) {
        int values = weir_site_list(s, f->ragged_values)->count;
        WEIR_TRY(check_keys(c, f, f->ragged_keys, values, "ragged"));
        if (weir_site_list(s, f->ragged_splits)->count != values)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "ragged_value_types and ragged_split_types differ in length");
    }
    weir_features features = {.call = c,
                              .outer = 1,
                              .inputs = in,
                              .names = names,
                              .batched = in->shape.rank == 1,
                              .single = in->shape.rank == 0,
                              .plain_errors = in->shape.rank == 0};
    want_all(c, f, &features);
    weir_status status = weir_features_run(&features);
    weir_features_fini(&features);
    return status;
}

static weir_status parse_v1(weir_call *c)
{
    return parse(c, &form_v1, weir_in(c, 1));
}

static weir_status parse_v2(weir_call *c)
{
    return parse(c, &form_v2, weir_in(c, 1));
}

static weir_status parse_single(weir_call *c)
{
    return parse(c, &form_single, NULL);
}

const weir_op weir_op_parse_example = {
    .name = "ParseExample",
    .in = "serialized: string; names: string; sparse_keys: Nsparse * string; dense_keys: Ndense * "
          "string; dense_defaults: Tdense",
    .out = "sparse_indices: Nsparse * int64; sparse_values: sparse_types; sparse_shapes: Nsparse * "
           "int64; dense_values: Tdense",
    .attrs = "Nsparse: int >= 0; Ndense: int >= 0; sparse_types: list({float, int64, string}) >= "
             "0; Tdense: list({float, int64, string}) >= 0; dense_shapes: list(shape) >= 0",
    .infer = infer_v1,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", parse_v1, WEIR_OWN_OUTPUTS | WEIR_EXPENSIVE}},
};

const weir_op weir_op_parse_example_v2 = {
    .name = "ParseExampleV2",
    .in = "serialized: string; names: string; sparse_keys: string; dense_keys: string; "
          "ragged_keys: string; dense_defaults: Tdense",
    .out = "sparse_indices: num_sparse * int64; sparse_values: sparse_types; sparse_shapes: "
           "num_sparse * int64; dense_values: Tdense; ragged_values: ragged_value_types; "
           "ragged_row_splits: ragged_split_types",
    .attrs = "Tdense: list({float, int64, string}) >= 0; num_sparse: int >= 0; sparse_types: "
             "list({float, int64, string}) >= 0; ragged_value_types: list({float, int64, string}) "
             ">= 0; ragged_split_types: list({int32, int64}) >= 0; dense_shapes: list(shape) >= 0",
    .infer = infer_v2,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", parse_v2, WEIR_OWN_OUTPUTS | WEIR_EXPENSIVE}},
};

const weir_op weir_op_parse_single_example = {
    .name = "ParseSingleExample",
    .in = "serialized: string; dense_defaults: Tdense",
    .out = "sparse_indices: num_sparse * int64; sparse_values: sparse_types; sparse_shapes: "
           "num_sparse * int64; dense_values: Tdense",
    .attrs = "num_sparse: int >= 0; sparse_keys: list(string) >= 0; dense_keys: list(string) >= 0; "
             "sparse_types: list({float, int64, string}) >= 0; Tdense: list({float, int64, "
             "string}) >= 0; dense_shapes: list(shape) >= 0",
    .infer = infer_single,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", parse_single, WEIR_OWN_OUTPUTS | WEIR_EXPENSIVE}},
};
