/* ops/lookup/use.c - LookupTableFind, Insert, Remove, Size, Export, Import and InitializeTable. */
#include <inttypes.h>

#include "ops/declare.h"
#include "ops/lookup/lookup_impl.h"

weir_status weir_lookup_input(weir_call *call, weir_lookup **out_table)
{
    weir_resource *found;
    WEIR_TRY(weir_named_input(call, 0, &weir_lookup_type, &found));
    *out_table = (weir_lookup *)found;
    return WEIR_OK;
}

weir_status weir_lookup_fixed_input(weir_call *call, weir_lookup **out_table)
{
    WEIR_TRY(weir_lookup_input(call, out_table));
    if (weir_lookup_kind_of(*out_table) == WEIR_LOOKUP_FIXED)
        return WEIR_OK;
    weir_lookup_release(*out_table);
    return weir_error(WEIR_INVALID_ARGUMENT, "Table of node %s is not initializable",
                      call->site->name);
}

/* ---- checks ---------------------------------------------------------------------------------- */

/* Checks that the types of inputs 1 and 2 (if present) are the table's key and value types. */
static weir_status check_signature(const weir_call *call, const weir_lookup *lookup)
{
    const weir_site *site = call->site;
    weir_dtype want[3] = {0, weir_lookup_key_dtype(lookup), weir_lookup_value_dtype(lookup)};
    bool fits = true;
    for (int i = 1; i < site->in_count; i++)
        fits &= weir_dtype_base(site->in_types[i]) == want[i];
    if (fits)
        return WEIR_OK;
    WEIR_BUF(have);
    WEIR_BUF(expected);
    for (int i = 0; i < site->in_count; i++) {
        weir_buf_addf(&have, "%s%s", i ? ", " : "", weir_dtype_name(site->in_types[i]));
        weir_buf_addf(&expected, "%s%s", i ? ", " : "",
                      weir_dtype_name(i ? (int)want[i] : site->in_types[0]));
    }
    weir_buf_addf(&have, "->%s", site->out_count ? weir_dtype_name(site->out_types[0]) : "");
    weir_buf_addf(&expected, "->%s", site->out_count ? weir_dtype_name(want[2]) : "");
    return weir_error(WEIR_INVALID_ARGUMENT, "Signature mismatch, have: %s expected: %s", have.at,
                      expected.at);
}

/* A dense table takes keys with its own key shape, batched. */
static weir_status check_keys(const weir_lookup *lookup, const weir_tensor *keys)
{
    const weir_shape *key = weir_lookup_key_shape(lookup);
    if (weir_lookup_kind_of(lookup) != WEIR_LOOKUP_DENSE)
        return WEIR_OK;
    weir_shape want = {.rank = 1, .dims = {keys->shape.rank > 0 ? keys->shape.dims[0] : 1}};
    for (int axis = 0; axis < key->rank; axis++)
        weir_shape_append(&want, key->dims[axis]);
    if (weir_shape_count(&want) == weir_tensor_count(keys))
        return WEIR_OK;
    return weir_error(WEIR_INVALID_ARGUMENT, "Expected key shape %s got %s", WEIR_SHAPE_STR(&want),
                      WEIR_SHAPE_STR(&keys->shape));
}

/* Shape of the values for |keys|. */
static weir_status values_shape(const weir_lookup *lookup, const weir_tensor *keys, weir_shape *out)
{
    WEIR_TRY(check_keys(lookup, keys));
    int lead = keys->shape.rank - weir_lookup_key_shape(lookup)->rank;
    weir_shape batch = weir_infer_sub(&keys->shape, 0, lead > 0 ? lead : 0);
    return weir_infer_concat(&batch, weir_lookup_value_shape(lookup), out);
}

static weir_status check_values(const weir_lookup *lookup, const weir_tensor *keys,
                                const weir_tensor *values)
{
    weir_shape want;
    WEIR_TRY(values_shape(lookup, keys, &want));
    /* Exports of a dense table have one more dimension than its keys and values. */
    if (weir_shape_eq(&want, &values->shape) ||
        (weir_lookup_kind_of(lookup) == WEIR_LOOKUP_DENSE &&
         weir_shape_count(&want) == weir_tensor_count(values)))
        return WEIR_OK;
    return weir_error(WEIR_INVALID_ARGUMENT, "Expected shape %s for value, got %s",
                      WEIR_SHAPE_STR(&want), WEIR_SHAPE_STR(&values->shape));
}

static weir_status check_changeable(const weir_lookup *lookup, const char *what)
{
    if (weir_lookup_kind_of(lookup) != WEIR_LOOKUP_FIXED)
        return WEIR_OK;
    return weir_error(WEIR_UNIMPLEMENTED,
                      "%s not supported by InitializableLookupTable implementations", what);
}

/* ---- kernels --------------------------------------------------------------------------------- */

static weir_status find_in(weir_call *call, weir_lookup *lookup)
{
    const weir_tensor *keys = weir_in(call, 1), *fallback = weir_in(call, 2);
    const weir_shape *one = weir_lookup_value_shape(lookup);
    weir_shape all;
    WEIR_TRY(check_signature(call, lookup));
    WEIR_TRY(values_shape(lookup, keys, &all));
    if (!weir_shape_eq(&fallback->shape, one) && !weir_shape_eq(&fallback->shape, &all))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Expected shape %s or %s for default value, got %s", WEIR_SHAPE_STR(one),
                          WEIR_SHAPE_STR(&all), WEIR_SHAPE_STR(&fallback->shape));
    WEIR_TRY(weir_call_alloc(call, 0, &all));
    return weir_lookup_find(lookup, keys, fallback, weir_out(call, 0));
}

static weir_status insert_in(weir_call *call, weir_lookup *lookup)
{
    WEIR_TRY(check_changeable(lookup, "Insert"));
    WEIR_TRY(check_signature(call, lookup));
    WEIR_TRY(check_values(lookup, weir_in(call, 1), weir_in(call, 2)));
    return weir_lookup_insert(lookup, weir_in(call, 1), weir_in(call, 2));
}

static weir_status fill(weir_lookup *lookup, const weir_tensor *keys, const weir_tensor *values)
{
    if (weir_tensor_count(keys) == 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "keys and values cannot be empty tensors.");
    return weir_lookup_fill(lookup, keys, values);
}

static weir_status import_in(weir_call *call, weir_lookup *lookup)
{
    WEIR_TRY(check_signature(call, lookup));
    WEIR_TRY(check_values(lookup, weir_in(call, 1), weir_in(call, 2)));
    if (weir_lookup_kind_of(lookup) == WEIR_LOOKUP_FIXED) /* already initialized */
        return fill(lookup, weir_in(call, 1), weir_in(call, 2));
    return weir_lookup_import(lookup, weir_in(call, 1), weir_in(call, 2));
}

static weir_status remove_in(weir_call *call, weir_lookup *lookup)
{
    WEIR_TRY(check_changeable(lookup, "Remove"));
    WEIR_TRY(check_signature(call, lookup));
    WEIR_TRY(check_keys(lookup, weir_in(call, 1)));
    return weir_lookup_remove(lookup, weir_in(call, 1));
}

static weir_status size_of(weir_call *call, weir_lookup *lookup)
{
    *(int64_t *)weir_out(call, 0)->data = weir_lookup_size(lookup);
    return WEIR_OK;
}

static weir_status export_from(weir_call *call, weir_lookup *lookup)
{
    if (weir_lookup_key_dtype(lookup) != weir_dtype_base(call->site->out_types[0]) ||
        weir_lookup_value_dtype(lookup) != weir_dtype_base(call->site->out_types[1]))
        return weir_error(WEIR_INVALID_ARGUMENT, "Table of node %s maps %s to %s, not %s to %s",
                          call->site->name, weir_dtype_name(weir_lookup_key_dtype(lookup)),
                          weir_dtype_name(weir_lookup_value_dtype(lookup)),
                          weir_dtype_name(call->site->out_types[0]),
                          weir_dtype_name(call->site->out_types[1]));
    weir_tensor keys, values;
    WEIR_TRY(weir_lookup_export(lookup, &keys, &values));
    weir_call_set(call, 0, keys);
    weir_call_set(call, 1, values);
    return WEIR_OK;
}

static weir_status fill_checked(weir_call *call, weir_lookup *lookup)
{
    const weir_tensor *keys = weir_in(call, 1), *values = weir_in(call, 2);
    WEIR_TRY(check_signature(call, lookup));
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
    return fill(lookup, keys, values);
}

enum { FIND, INSERT, IMPORT, REMOVE, SIZE, EXPORT }; /* modes of the ops on tables */

/* Runs the op on the table of input 0. */
static weir_status use_table(weir_call *call)
{
    static weir_status (*const uses[])(weir_call *, weir_lookup *) = {
        [FIND] = find_in,     [INSERT] = insert_in, [IMPORT] = import_in,
        [REMOVE] = remove_in, [SIZE] = size_of,     [EXPORT] = export_from,
    };
    weir_lookup *lookup;
    WEIR_TRY(weir_lookup_input(call, &lookup));
    weir_status status = uses[weir_site_mode(call->site)](call, lookup);
    weir_lookup_release(lookup);
    return status;
}

static weir_status initialize(weir_call *call)
{
    weir_lookup *lookup;
    WEIR_TRY(weir_lookup_fixed_input(call, &lookup));
    weir_status status = fill_checked(call, lookup);
    weir_lookup_release(lookup);
    return status;
}

WEIR_DEFINE_HANDLE_OPS(lookup_table_find, "LookupTableFind", "table_handle",
                       "; keys: Tin; default_value: Tout", .out = "values: Tout",
                       .attrs = "Tin: type; Tout: type", .infer = weir_infer_unknown,
                       .no_grad = true, .mode = FIND,
                       .kernels = {{WEIR_CPU, "*", use_table, WEIR_OWN_OUTPUTS}});
WEIR_DEFINE_HANDLE_OPS(lookup_table_insert, "LookupTableInsert", "table_handle",
                       "; keys: Tin; values: Tout", .attrs = "Tin: type; Tout: type",
                       .infer = weir_infer_no_outputs, .no_grad = true, .mode = INSERT,
                       .kernels = {{WEIR_CPU, "*", use_table}});
WEIR_DEFINE_HANDLE_OPS(lookup_table_size, "LookupTableSize", "table_handle", "",
                       .out = "size: int64", .infer = weir_infer_scalar, .no_grad = true,
                       .mode = SIZE, .kernels = {{WEIR_CPU, "*", use_table, WEIR_CHEAP}});
WEIR_DEFINE_HANDLE_OPS(lookup_table_export, "LookupTableExport", "table_handle", "",
                       .out = "keys: Tkeys; values: Tvalues", .attrs = "Tkeys: type; Tvalues: type",
                       .infer = weir_infer_unknown, .no_grad = true, .mode = EXPORT,
                       .kernels = {{WEIR_CPU, "*", use_table, WEIR_OWN_OUTPUTS}});
WEIR_DEFINE_HANDLE_OPS(lookup_table_import, "LookupTableImport", "table_handle",
                       "; keys: Tin; values: Tout", .attrs = "Tin: type; Tout: type",
                       .infer = weir_infer_no_outputs, .no_grad = true, .mode = IMPORT,
                       .kernels = {{WEIR_CPU, "*", use_table}});
WEIR_DEFINE_HANDLE_OPS(initialize_table, "InitializeTable", "table_handle",
                       "; keys: Tkey; values: Tval", .attrs = "Tkey: type; Tval: type",
                       .infer = weir_infer_no_outputs, .no_grad = true,
                       .kernels = {{WEIR_CPU, "*", initialize}});

const weir_op weir_op_lookup_table_remove_v2 = {
    .name = "LookupTableRemoveV2",
    .in = "table_handle: resource; keys: Tin",
    .attrs = "Tin: type",
    .flags = WEIR_STATEFUL,
    .infer = weir_infer_no_outputs,
    .no_grad = true,
    .mode = REMOVE,
    .kernels = {{WEIR_CPU, "*", use_table}},
};
