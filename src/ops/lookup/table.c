/* ops/lookup/table.c - ops that create tables: HashTable, MutableHashTable and its variants. */
#include <inttypes.h>

#include "ops/declare.h"
#include "ops/state/named.h"
#include "state/lookup.h"

enum { CONTAINER, SHARED_NAME, BY_NODE_NAME, KEY, VALUE, VALUE_SHAPE, BUCKETS, MAX_LOAD };

/* The index of an attr: the stateless anonymous variants lack those before the key's type. */
static int at(const weir_call *call, int attr)
{
    return call->state ? attr : attr - KEY;
}

static weir_status prepare(weir_prepare *preparation)
{
    bool by_node = weir_site_bool(preparation->site, BY_NODE_NAME);
    return weir_named_prepare(preparation, CONTAINER, SHARED_NAME,
                              by_node ? WEIR_BY_NODE_NAME : WEIR_BY_OWN_NAME, &weir_lookup_type);
}

static weir_status create(void *arg, weir_resource **out)
{
    *out = (weir_resource *)weir_lookup_create(arg);
    return WEIR_OK;
}

static weir_status check_types(const weir_call *call, const weir_lookup *lookup,
                               const weir_lookup_spec *spec)
{
    if (weir_lookup_key_dtype(lookup) == spec->key_dtype &&
        weir_lookup_value_dtype(lookup) == spec->value_dtype)
        return WEIR_OK;
    return weir_error(
        WEIR_INVALID_ARGUMENT, "Conflicting key/value dtypes %s->%s with %s-%s for table %s",
        weir_dtype_name(spec->key_dtype), weir_dtype_name(spec->value_dtype),
        weir_dtype_name(weir_lookup_key_dtype(lookup)),
        weir_dtype_name(weir_lookup_value_dtype(lookup)), ((const weir_named *)call->state)->name);
}

/* A table reachable only by its handle. */
static void make_anonymous(weir_call *call, const weir_lookup_spec *spec)
{
    weir_handle *handle = weir_handle_create(weir_call_device(call), "Anonymous",
                                             call->site->def->name, weir_lookup_type.name);
    handle->object = (weir_ref *)weir_lookup_create(spec);
    weir_call_set(call, 0, weir_tensor_from_handle(handle));
}

static weir_status make(weir_call *call, const weir_lookup_spec *spec)
{
    weir_resource *found;
    if (!call->state) {
        make_anonymous(call, spec);
        return WEIR_OK;
    }
    WEIR_TRY(weir_named_open(call, create, (void *)spec, &found));
    weir_status status = check_types(call, (weir_lookup *)found, spec);
    weir_ref_release(&found->ref);
    WEIR_TRY(status);
    weir_named_output(call, 0);
    return WEIR_OK;
}

static weir_lookup_spec spec_of(const weir_call *call, weir_lookup_kind kind)
{
    return (weir_lookup_spec){.kind = kind,
                              .key_dtype = weir_site_type(call->site, at(call, KEY)),
                              .value_dtype = weir_site_type(call->site, at(call, VALUE))};
}

static weir_status fixed(weir_call *call)
{
    weir_lookup_spec spec = spec_of(call, WEIR_LOOKUP_FIXED);
    return make(call, &spec);
}

static weir_status mutable(weir_call *call)
{
    weir_lookup_spec spec = spec_of(call, WEIR_LOOKUP_MUTABLE);
    return make(call, &spec);
}

static weir_status of_tensors(weir_call *call)
{
    weir_lookup_spec spec = spec_of(call, WEIR_LOOKUP_MUTABLE);
    spec.value_shape = *weir_site_shape(call->site, at(call, VALUE_SHAPE));
    if (spec.value_shape.rank != 1 || !weir_shape_known(&spec.value_shape))
        return weir_error(WEIR_INVALID_ARGUMENT, "Default value must be a vector, got shape %s",
                          WEIR_SHAPE_STR(&spec.value_shape));
    return make(call, &spec);
}

/* Whether two keys of one type and shape are equal. */
static bool same_key(const weir_tensor *a, const weir_tensor *b)
{
    if (a->dtype != WEIR_STRING)
        return memcmp(a->data, b->data, weir_tensor_bytes(a)) == 0;
    for (int64_t i = 0; i < weir_tensor_count(a); i++)
        if (!weir_str_eq(weir_tstring_get((const weir_tstring *)a->data + i),
                         weir_tstring_get((const weir_tstring *)b->data + i)))
            return false;
    return true;
}

static weir_status check_reserved(const weir_lookup_spec *spec)
{
    if (spec->empty_key->shape.rank > 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Empty key must be a scalar or a vector, got shape %s",
                          WEIR_SHAPE_STR(&spec->empty_key->shape));
    if (!spec->deleted_key)
        return WEIR_OK;
    if (!weir_shape_eq(&spec->empty_key->shape, &spec->deleted_key->shape))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Empty and deleted keys must have same shape, got shapes: %s and %s",
                          WEIR_SHAPE_STR(&spec->empty_key->shape),
                          WEIR_SHAPE_STR(&spec->deleted_key->shape));
    if (same_key(spec->empty_key, spec->deleted_key))
        return weir_error(WEIR_INVALID_ARGUMENT, "Empty and deleted keys cannot be equal");
    return WEIR_OK;
}

static weir_status dense(weir_call *call)
{
    weir_lookup_spec spec = spec_of(call, WEIR_LOOKUP_DENSE);
    spec.value_shape = *weir_site_shape(call->site, at(call, VALUE_SHAPE));
    spec.empty_key = weir_in(call, 0);
    spec.deleted_key = call->site->in_count > 1 ? weir_in(call, 1) : NULL;
    spec.buckets = weir_site_int(call->site, at(call, BUCKETS));
    spec.max_load = weir_site_float(call->site, at(call, MAX_LOAD));
    WEIR_TRY(check_reserved(&spec));
    if (spec.value_shape.rank < 0 || spec.value_shape.rank > 1 ||
        !weir_shape_known(&spec.value_shape))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Empty value must be a scalar or a vector, got shape %s",
                          WEIR_SHAPE_STR(&spec.value_shape));
    if (spec.buckets < 4 || (spec.buckets & (spec.buckets - 1)))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Number of buckets must be at least 4 and a power of 2, got: %" PRId64,
                          spec.buckets);
    if (!(spec.max_load > 0 && spec.max_load < 1))
        return weir_error(WEIR_INVALID_ARGUMENT, "max_load_factor must be between 0 and 1, got: %g",
                          (double)spec.max_load);
    return make(call, &spec);
}

static weir_status infer(weir_infer *infer)
{
    infer->out[0] = infer->site->out_types[0] == WEIR_RESOURCE ? WEIR_SCALAR : weir_shape_vector(2);
    return WEIR_OK;
}

#define NAMES                                                                                      \
    "container: string = \"\"; shared_name: string = \"\"; use_node_name_sharing: bool = false; "
#define DTYPES "key_dtype: type; value_dtype: type"
#define SHAPE "; value_shape: shape = []"
#define DENSE "; initial_num_buckets: int = 131072; max_load_factor: float = 0.800000011920929"
#define KEYS "key_dtype: int32, int64, string; "
#define VALUES "value_dtype: bool, double, float, int32, int64, string"
#define DENSE_VALUES "value_dtype: bool, double, float, int32, int64, resource, variant"
#define FLAGS (WEIR_OWN_OUTPUTS | WEIR_CHEAP)

#define NAMED(types, make)                                                                         \
    .infer = infer, .no_grad = true,                                                               \
    .kernels = {{WEIR_CPU, types, make, FLAGS, .prepare = prepare, .cleanup = weir_named_cleanup}}

WEIR_DEFINE_HANDLE_MAKERS(hash_table, "HashTable", "table_handle", .attrs = NAMES DTYPES,
                          NAMED(KEYS VALUES, fixed));
WEIR_DEFINE_HANDLE_MAKERS(mutable_hash_table, "MutableHashTable", "table_handle",
                          .attrs = NAMES DTYPES, NAMED(KEYS VALUES ", variant", mutable));
WEIR_DEFINE_HANDLE_MAKERS(mutable_hash_table_of_tensors, "MutableHashTableOfTensors",
                          "table_handle", .attrs = NAMES DTYPES SHAPE,
                          NAMED(KEYS VALUES, of_tensors));
WEIR_DEFINE_OP(mutable_dense_hash_table, "MutableDenseHashTable", .in = "empty_key: key_dtype",
               .out = "table_handle: Ref(string)", .attrs = NAMES DTYPES SHAPE DENSE,
               .flags = WEIR_STATEFUL, NAMED(KEYS DENSE_VALUES, dense));
WEIR_DEFINE_OP(mutable_dense_hash_table_v2, "MutableDenseHashTableV2",
               .in = "empty_key: key_dtype; deleted_key: key_dtype",
               .out = "table_handle: resource", .attrs = NAMES DTYPES SHAPE DENSE,
               .flags = WEIR_STATEFUL, NAMED(KEYS DENSE_VALUES, dense));

#define ANONYMOUS(types, make)                                                                     \
    .out = "table_handle: resource", .flags = WEIR_STATEFUL, .infer = infer, .no_grad = true,      \
    .kernels = {{WEIR_CPU, types, make, FLAGS}}

WEIR_DEFINE_OP(anonymous_hash_table, "AnonymousHashTable", .attrs = DTYPES,
               ANONYMOUS(KEYS VALUES, fixed));
WEIR_DEFINE_OP(anonymous_mutable_hash_table, "AnonymousMutableHashTable", .attrs = DTYPES,
               ANONYMOUS(KEYS VALUES ", variant", mutable));
WEIR_DEFINE_OP(anonymous_mutable_hash_table_of_tensors, "AnonymousMutableHashTableOfTensors",
               .attrs = DTYPES SHAPE, ANONYMOUS(KEYS VALUES, of_tensors));
WEIR_DEFINE_OP(anonymous_mutable_dense_hash_table, "AnonymousMutableDenseHashTable",
               .in = "empty_key: key_dtype; deleted_key: key_dtype", .attrs = DTYPES SHAPE DENSE,
               ANONYMOUS(KEYS DENSE_VALUES, dense));
