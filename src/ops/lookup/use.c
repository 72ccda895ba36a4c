/* ops/lookup/use.c - LookupTableFind, Insert, Remove, Size, Export, Import and InitializeTable. */
#include <inttypes.h>

#include "ops/lookup/lookup_impl.h"

weir_status weir_lookup_input(weir_call *c, weir_lookup **out_table)
{
    weir_resource *found;
    WEIR_TRY(weir_named_input(c, 0, &weir_lookup_type, &found));
    *out_table = (weir_lookup *)found;
    return WEIR_OK;
}

weir_status weir_lookup_fixed_input(weir_call *c, weir_lookup **out_table)
{
    WEIR_TRY(weir_lookup_input(c, out_table));
    if (weir_lookup_kind_of(*out_table) == WEIR_LOOKUP_FIXED)
        return WEIR_OK;
    weir_lookup_release(*out_table);
    return weir_error(WEIR_INVALID_ARGUMENT, "Table of node %s is not initializable",
                      c->site->name);
}

/* Runs |work| on the table of input 0. */
static weir_status with_table(weir_call *c, weir_status (*work)(weir_call *, weir_lookup *))
{
    weir_lookup *t;
    WEIR_TRY(weir_lookup_input(c, &t));
    weir_status s = work(c, t);
    weir_lookup_release(t);
    return s;
}

/* ---- checks ---------------------------------------------------------------------------------- */

/* Types of inputs 1 and 2 (when there) are the table's keys and values. */
static weir_status check_signature(const weir_call *c, const weir_lookup *t)
{
    const weir_site *s = c->site;
    weir_dtype want[3] = {0, weir_lookup_key_dtype(t), weir_lookup_value_dtype(t)};
    bool fits = true;
    for (int i = 1; i < s->in_count; i++)
        fits &= weir_dtype_base(s->in_types[i]) == want[i];
    if (fits)
        return WEIR_OK;
    weir_buf have = {0}, expected = {0};
    for (int i = 0; i < s->in_count; i++) {
        weir_buf_addf(&have, "%s%s", i ? ", " : "", weir_dtype_name(s->in_types[i]));
        weir_buf_addf(&expected, "%s%s", i ? ", " : "",
                      weir_dtype_name(i ? (int)want[i] : s->in_types[0]));
    }
    weir_buf_addf(&have, "->%s", s->out_count ? weir_dtype_name(s->out_types[0]) : "");
    weir_buf_addf(&expected, "->%s", s->out_count ? weir_dtype_name(want[2]) : "");
    weir_status st = weir_error(WEIR_INVALID_ARGUMENT, "Signature mismatch, have: %s expected: %s",
                                have.at, expected.at);
    weir_buf_fini(&have);
    weir_buf_fini(&expected);
    return st;
}

/* Shape of the values for |keys|. */
static weir_status values_shape(const weir_lookup *t, const weir_tensor *keys, weir_shape *out)
{
    return weir_infer_concat(&keys->shape, weir_lookup_value_shape(t), out);
}

static weir_status check_values(const weir_lookup *t, const weir_tensor *keys,
                                const weir_tensor *values)
{
    weir_shape want;
    WEIR_TRY(values_shape(t, keys, &want));
    /* What a dense table exports has one dimension more than its keys and values. */
    if (weir_shape_eq(&want, &values->shape) ||
        (weir_lookup_kind_of(t) == WEIR_LOOKUP_DENSE &&
         weir_shape_count(&want) == weir_tensor_count(values)))
        return WEIR_OK;
    return weir_error(WEIR_INVALID_ARGUMENT, "Expected shape %s for value, got %s",
                      WEIR_SHAPE_STR(&want), WEIR_SHAPE_STR(&values->shape));
}

static weir_status check_changeable(const weir_lookup *t, const char *what)
{
    if (weir_lookup_kind_of(t) != WEIR_LOOKUP_FIXED)
        return WEIR_OK;
    return weir_error(WEIR_UNIMPLEMENTED,
                      "%s not supported by InitializableLookupTable implementations", what);
}

/* ---- kernels --------------------------------------------------------------------------------- */

static weir_status find_in(weir_call *c, weir_lookup *t)
{
    const weir_tensor *keys = weir_in(c, 1), *fallback = weir_in(c, 2);
    const weir_shape *one = weir_lookup_value_shape(t);
    weir_shape all;
    WEIR_TRY(check_signature(c, t));
    WEIR_TRY(values_shape(t, keys, &all));
    if (!weir_shape_eq(&fallback->shape, one) && !weir_shape_eq(&fallback->shape, &all))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Expected shape %s or %s for default value, got %s", WEIR_SHAPE_STR(one),
                          WEIR_SHAPE_STR(&all), WEIR_SHAPE_STR(&fallback->shape));
    WEIR_TRY(weir_call_alloc(c, 0, &all));
    return weir_lookup_find(t, keys, fallback, weir_out(c, 0));
}

static weir_status insert_in(weir_call *c, weir_lookup *t)
{
    WEIR_TRY(check_changeable(t, "Insert"));
    WEIR_TRY(check_signature(c, t));
    WEIR_TRY(check_values(t, weir_in(c, 1), weir_in(c, 2)));
    return weir_lookup_insert(t, weir_in(c, 1), weir_in(c, 2));
}

static weir_status import_in(weir_call *c, weir_lookup *t)
{
    WEIR_TRY(check_signature(c, t));
    WEIR_TRY(check_values(t, weir_in(c, 1), weir_in(c, 2)));
    if (weir_lookup_kind_of(t) == WEIR_LOOKUP_FIXED) /* initialized, once */
        return weir_lookup_fill(t, weir_in(c, 1), weir_in(c, 2));
    return weir_lookup_import(t, weir_in(c, 1), weir_in(c, 2));
}

static weir_status remove_in(weir_call *c, weir_lookup *t)
{
    WEIR_TRY(check_changeable(t, "Remove"));
    WEIR_TRY(check_signature(c, t));
    return weir_lookup_remove(t, weir_in(c, 1));
}

static weir_status size_of(weir_call *c, weir_lookup *t)
{
    *(int64_t *)weir_out(c, 0)->data = weir_lookup_size(t);
    return WEIR_OK;
}

static weir_status export_from(weir_call *c, weir_lookup *t)
{
    if (weir_lookup_key_dtype(t) != weir_dtype_base(c->site->out_types[0]) ||
        weir_lookup_value_dtype(t) != weir_dtype_base(c->site->out_types[1]))
        return weir_error(
            WEIR_INVALID_ARGUMENT, "Table of node %s maps %s to %s, not %s to %s", c->site->name,
            weir_dtype_name(weir_lookup_key_dtype(t)), weir_dtype_name(weir_lookup_value_dtype(t)),
            weir_dtype_name(c->site->out_types[0]), weir_dtype_name(c->site->out_types[1]));
    weir_tensor keys, values;
    WEIR_TRY(weir_lookup_export(t, &keys, &values));
    weir_call_set(c, 0, keys);
    weir_call_set(c, 1, values);
    return WEIR_OK;
}

static weir_status fill_checked(weir_call *c, weir_lookup *t)
{
    const weir_tensor *keys = weir_in(c, 1), *values = weir_in(c, 2);
    WEIR_TRY(check_signature(c, t));
    if (keys->shape.rank != 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "Keys must be a vector, but received shape%s",
                          WEIR_SHAPE_STR(&keys->shape));
    if (values->shape.rank != 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "Values must be a vector, but received shape%s",
                          WEIR_SHAPE_STR(&values->shape));
    if (keys->shape.dims[0] != values->shape.dims[0])
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Keys and values must have the same size %" PRId64 " vs %" PRId64,
                          keys->shape.dims[0], values->shape.dims[0]);
    return weir_lookup_fill(t, keys, values);
}

#define KERNEL(name, work)                                                                         \
    static weir_status name(weir_call *c)                                                          \
    {                                                                                              \
        return with_table(c, work);                                                                \
    }
KERNEL(find, find_in)
KERNEL(insert, insert_in)
KERNEL(import, import_in)
KERNEL(remove_keys, remove_in)
KERNEL(size, size_of)
KERNEL(export, export_from)

static weir_status initialize(weir_call *c)
{
    weir_lookup *t;
    WEIR_TRY(weir_lookup_fixed_input(c, &t));
    weir_status s = fill_checked(c, t);
    weir_lookup_release(t);
    return s;
}

#define USE(v, text, handle, flag)                                                                 \
    const weir_op weir_op_lookup_table_find##v = {                                                 \
        .name = "LookupTableFind" text,                                                            \
        .in = "table_handle: " handle "; keys: Tin; default_value: Tout",                          \
        .out = "values: Tout",                                                                     \
        .attrs = "Tin: type; Tout: type",                                                          \
        .flags = flag,                                                                             \
        .infer = weir_infer_unknown,                                                               \
        .no_grad = true,                                                                           \
        .kernels = {{WEIR_CPU, "*", find, WEIR_OWN_OUTPUTS}},                                      \
    };                                                                                             \
    const weir_op weir_op_lookup_table_insert##v = {                                               \
        .name = "LookupTableInsert" text,                                                          \
        .in = "table_handle: " handle "; keys: Tin; values: Tout",                                 \
        .attrs = "Tin: type; Tout: type",                                                          \
        .flags = flag,                                                                             \
        .infer = weir_infer_no_outputs,                                                            \
        .no_grad = true,                                                                           \
        .kernels = {{WEIR_CPU, "*", insert}},                                                      \
    };                                                                                             \
    const weir_op weir_op_lookup_table_size##v = {                                                 \
        .name = "LookupTableSize" text,                                                            \
        .in = "table_handle: " handle,                                                             \
        .out = "size: int64",                                                                      \
        .flags = flag,                                                                             \
        .infer = weir_infer_scalar,                                                                \
        .no_grad = true,                                                                           \
        .kernels = {{WEIR_CPU, "*", size, WEIR_CHEAP}},                                            \
    };                                                                                             \
    const weir_op weir_op_lookup_table_export##v = {                                               \
        .name = "LookupTableExport" text,                                                          \
        .in = "table_handle: " handle,                                                             \
        .out = "keys: Tkeys; values: Tvalues",                                                     \
        .attrs = "Tkeys: type; Tvalues: type",                                                     \
        .flags = flag,                                                                             \
        .infer = weir_infer_unknown,                                                               \
        .no_grad = true,                                                                           \
        .kernels = {{WEIR_CPU, "*", export, WEIR_OWN_OUTPUTS}},                                    \
    };                                                                                             \
    const weir_op weir_op_lookup_table_import##v = {                                               \
        .name = "LookupTableImport" text,                                                          \
        .in = "table_handle: " handle "; keys: Tin; values: Tout",                                 \
        .attrs = "Tin: type; Tout: type",                                                          \
        .flags = flag,                                                                             \
        .infer = weir_infer_no_outputs,                                                            \
        .no_grad = true,                                                                           \
        .kernels = {{WEIR_CPU, "*", import}},                                                      \
    };                                                                                             \
    const weir_op weir_op_initialize_table##v = {                                                  \
        .name = "InitializeTable" text,                                                            \
        .in = "table_handle: " handle "; keys: Tkey; values: Tval",                                \
        .attrs = "Tkey: type; Tval: type",                                                         \
        .flags = flag,                                                                             \
        .infer = weir_infer_no_outputs,                                                            \
        .no_grad = true,                                                                           \
        .kernels = {{WEIR_CPU, "*", initialize}},                                                  \
    }

USE(, "", "Ref(string)", WEIR_NO_FOLD);
USE(_v2, "V2", "resource", WEIR_STATEFUL);

const weir_op weir_op_lookup_table_remove_v2 = {
    .name = "LookupTableRemoveV2",
    .in = "table_handle: resource; keys: Tin",
    .attrs = "Tin: type",
    .flags = WEIR_STATEFUL,
    .infer = weir_infer_no_outputs,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", remove_keys}},
};
