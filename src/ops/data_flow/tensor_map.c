/* ops/data_flow/tensor_map.c - EmptyTensorMap and its ops: a map from tensors to tensors, as a
 * value.
 *
 * An op that changes a map returns a new one, or the same if it holds the only reference. Keys are
 * equal if type, shape and elements are. */
#include <inttypes.h>

#include "math/update/update.h"
#include "ops/common/elem_of.h"
#include "ops/common/elements.h"
#include "ops/common/summarize.h"
#include "ops/common/variants.h"
#include "ops/data_flow/tensor_list_impl.h"
#include "ops/declare.h"
#include "tensor/tstring.h"

typedef struct pair {
    weir_tensor key, value;
} pair;

typedef struct tensor_map {
    weir_variant base;
    weir_map by_key; /* by the key's bytes: pair */
} tensor_map;

static weir_status add(const weir_variant *a, const weir_variant *b, weir_variant **out_sum);
static weir_status zero(const weir_variant *variant, weir_variant **out_zero);

static weir_status encode(const weir_variant *variant, weir_buf *metadata,
                          weir_tensor **out_tensors, int *out_count);
static weir_status decode(weir_str metadata, const weir_tensor *tensors, int count,
                          weir_variant **out_variant);

const weir_variant_type weir_variant_tensor_map = {
    .name = "tensorflow::TensorMap", .encode = encode, .decode = decode, .add = add, .zero = zero};

/* ---- the variant ----------------------------------------------------------------------------- */

static void drop_pair(pair *pair)
{
    if (!pair)
        return;
    weir_tensor_release(&pair->key);
    weir_tensor_release(&pair->value);
    weir_free(pair);
}

static void destroy(weir_ref *ref)
{
    tensor_map *map = (tensor_map *)ref;
    size_t at = 0;
    void *ptr;
    while (weir_map_next(&map->by_key, &at, NULL, &ptr))
        drop_pair(ptr);
    weir_map_fini(&map->by_key);
    weir_free(map);
}

static tensor_map *create(void)
{
    tensor_map *map = WEIR_NEW(tensor_map);
    weir_ref_init(&map->base.ref, destroy);
    map->base.type = &weir_variant_tensor_map;
    return map;
}

static pair *new_pair(const weir_tensor *key, const weir_tensor *value)
{
    pair *p = WEIR_NEW(pair);
    *p = (pair){weir_tensor_share(key), weir_tensor_share(value)};
    return p;
}

static tensor_map *copy(const tensor_map *from)
{
    tensor_map *map = create();
    size_t at = 0;
    weir_str bytes;
    void *ptr;
    while (weir_map_next(&from->by_key, &at, &bytes, &ptr))
        weir_map_put(&map->by_key, bytes, new_pair(&((pair *)ptr)->key, &((pair *)ptr)->value));
    return map;
}

static weir_status sum_of(const weir_tensor *a, const weir_tensor *b, weir_tensor *out)
{
    weir_elem elem = weir_elem_of(a->dtype);
    if (a->dtype != b->dtype || elem == WEIR_ELEM_NONE || !weir_shape_eq(&a->shape, &b->shape))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Cannot add values of maps: %s of shape %s and %s of shape %s",
                          weir_dtype_name(a->dtype), WEIR_SHAPE_STR(&a->shape),
                          weir_dtype_name(b->dtype), WEIR_SHAPE_STR(&b->shape));
    WEIR_TRY(weir_tensor_clone(a, out));
    weir_update_find(WEIR_UPDATE_ADD, elem)(out->data, b->data, weir_tensor_count(b), 1);
    return WEIR_OK;
}

/* Union of keys; values of common keys are added. */
static weir_status add_into(tensor_map *sum, const tensor_map *more)
{
    size_t at = 0;
    weir_str bytes;
    void *found;
    while (weir_map_next(&more->by_key, &at, &bytes, &found)) {
        pair *theirs = found, *mine = weir_map_get(&sum->by_key, bytes);
        if (!mine) {
            weir_map_put(&sum->by_key, bytes, new_pair(&theirs->key, &theirs->value));
            continue;
        }
        weir_tensor value;
        WEIR_TRY(sum_of(&theirs->value, &mine->value, &value));
        weir_tensor_release(&mine->value);
        mine->value = value;
    }
    return WEIR_OK;
}

static weir_status add(const weir_variant *a, const weir_variant *b, weir_variant **out_sum)
{
    tensor_map *sum = copy((const tensor_map *)a);
    weir_status status = add_into(sum, (const tensor_map *)b);
    if (status)
        weir_ref_release(&sum->base.ref);
    else
        *out_sum = &sum->base;
    return status;
}

static weir_status zero(const weir_variant *variant, weir_variant **out_zero)
{
    (void)variant;
    *out_zero = &create()->base;
    return WEIR_OK;
}

/* ---- inputs ---------------------------------------------------------------------------------- */

static weir_status input(const weir_call *call, const tensor_map **out)
{
    const weir_tensor *tensor = weir_in(call, 0);
    if (tensor->shape.rank != 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Input map must be a scalar. Saw: %s",
                          WEIR_SHAPE_STR(&tensor->shape));
    const weir_variant *variant = weir_tensor_variant(tensor);
    if (!variant || variant->type != &weir_variant_tensor_map)
        return weir_error(WEIR_INVALID_ARGUMENT, "Input handle is not a map. Saw: '%s'",
                          variant ? variant->type->name : "nothing");
    *out = (const tensor_map *)variant;
    return WEIR_OK;
}

/* A modifiable map equal to input 0, already set as output 0. */
static tensor_map *change(weir_call *call, const tensor_map *map)
{
    if (weir_call_may_reuse(call, 0) && weir_ref_unique(&map->base.ref)) {
        weir_call_forward(call, 0, 0, NULL);
        return (tensor_map *)map;
    }
    tensor_map *mine = copy(map);
    weir_call_set(call, 0, weir_tensor_from_variant(&mine->base));
    return mine;
}

/* Serialises a key so that equal keys have equal bytes. */
static weir_status key_bytes(const weir_tensor *key, weir_buf *out)
{
    weir_buf_addf(out, "%d%s", (int)key->dtype, WEIR_SHAPE_STR(&key->shape));
    if (weir_dtype_is_plain(key->dtype)) {
        weir_buf_add(out, key->data, weir_tensor_bytes(key));
        return WEIR_OK;
    }
    if (key->dtype != WEIR_STRING)
        return weir_error(WEIR_UNIMPLEMENTED, "A key of a map cannot be %s",
                          weir_dtype_name(key->dtype));
    for (int64_t i = 0; i < weir_tensor_count(key); i++) {
        weir_str text = weir_tstring_get((const weir_tstring *)key->data + i);
        weir_buf_addf(out, "%zu:", text.length);
        weir_buf_add(out, text.at, text.length);
    }
    return WEIR_OK;
}

/* ---- serialisation: alternating keys and values ---------------------------------------------- */

static weir_status encode(const weir_variant *variant, weir_buf *metadata,
                          weir_tensor **out_tensors, int *out_count)
{
    const tensor_map *map = (const tensor_map *)variant;
    weir_tensor *tensors = WEIR_NEW_ARRAY(weir_tensor, 2 * map->by_key.count);
    size_t at = 0;
    void *ptr;
    for (int i = 0; weir_map_next(&map->by_key, &at, NULL, &ptr); i += 2) {
        tensors[i] = weir_tensor_share(&((pair *)ptr)->key);
        tensors[i + 1] = weir_tensor_share(&((pair *)ptr)->value);
    }
    *out_tensors = tensors;
    *out_count = (int)(2 * map->by_key.count);
    return WEIR_OK;
}

static weir_status put_pair(tensor_map *map, const weir_tensor *key, const weir_tensor *value)
{
    WEIR_BUF(buf);
    WEIR_TRY(key_bytes(key, &buf));
    drop_pair(weir_map_put(&map->by_key, weir_view(&buf), new_pair(key, value)));
    return WEIR_OK;
}

static weir_status decode(weir_str metadata, const weir_tensor *tensors, int count,
                          weir_variant **out_variant)
{
    if (count % 2)
        return weir_error(WEIR_INVALID_ARGUMENT, "a TensorMap came with %d keys and values", count);
    tensor_map *map = create();
    weir_status status = WEIR_OK;
    for (int i = 0; i < count && !status; i += 2)
        status = put_pair(map, &tensors[i], &tensors[i + 1]);
    if (status)
        weir_ref_release(&map->base.ref);
    else
        *out_variant = &map->base;
    return status;
}

/* ---- ops ------------------------------------------------------------------------------------- */

static weir_status empty(weir_call *call)
{
    weir_call_set(call, 0, weir_tensor_from_variant(&create()->base));
    return WEIR_OK;
}

static weir_status size(weir_call *call)
{
    const tensor_map *map;
    WEIR_TRY(input(call, &map));
    *(int32_t *)weir_out(call, 0)->data = (int32_t)map->by_key.count;
    return WEIR_OK;
}

static weir_status not_there(const weir_call *call, const char *what)
{
    WEIR_BUF(text);
    weir_tensor_summarize(weir_in(call, 1), 100, &text);
    return weir_error(WEIR_INVALID_ARGUMENT, "Trying to %s. Could not find key \"%.*s\".", what,
                      (int)text.length, text.at ? text.at : "");
}

static weir_status lookup_found(weir_call *call, const tensor_map *map, weir_str bytes,
                                const pair *found)
{
    if (!found)
        return not_there(call, "lookup non-existent key");
    if (found->value.dtype != weir_dtype_base(call->site->out_types[0]))
        return weir_error(WEIR_INVALID_ARGUMENT, "The value is %s, but %s was asked for",
                          weir_dtype_name(found->value.dtype),
                          weir_dtype_name(call->site->out_types[0]));
    weir_call_set(call, 0, weir_tensor_share(&found->value));
    return WEIR_OK;
}

static weir_status insert_found(weir_call *call, const tensor_map *map, weir_str bytes,
                                const pair *found)
{
    drop_pair(weir_map_put(&change(call, map)->by_key, bytes,
                           new_pair(weir_in(call, 1), weir_in(call, 2))));
    return WEIR_OK;
}

static weir_status erase_found(weir_call *call, const tensor_map *map, weir_str bytes,
                               const pair *found)
{
    if (!found)
        return not_there(call, "erase non-existent item");
    drop_pair(weir_map_remove(&change(call, map)->by_key, bytes));
    return WEIR_OK;
}

static weir_status has_found(weir_call *call, const tensor_map *map, weir_str bytes,
                             const pair *found)
{
    *(bool *)weir_out(call, 0)->data = found != NULL;
    return WEIR_OK;
}

enum { LOOKUP, INSERT, ERASE, HAS }; /* modes of the ops that take a key */

/* Runs the op on the map, with the bytes of input 1 and their pair, or null. */
static weir_status use_key(weir_call *call)
{
    static weir_status (*const uses[])(weir_call *, const tensor_map *, weir_str, const pair *) = {
        [LOOKUP] = lookup_found, [INSERT] = insert_found, [ERASE] = erase_found, [HAS] = has_found};
    const tensor_map *map;
    WEIR_BUF(bytes);
    WEIR_TRY(input(call, &map));
    WEIR_TRY(key_bytes(weir_in(call, 1), &bytes));
    weir_str key = weir_view(&bytes);
    return uses[weir_site_mode(call->site)](call, map, key, weir_map_get(&map->by_key, key));
}

static weir_status stack_keys(weir_call *call)
{
    const tensor_map *map;
    WEIR_TRY(input(call, &map));
    if (map->by_key.count == 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "TensorMapStackKeys cannot be called on empty map.");
    weir_dtype dtype = weir_site_type(call->site, 0);
    const weir_tensor *first = NULL;
    int64_t done = 0;
    size_t at = 0;
    void *ptr;
    while (weir_map_next(&map->by_key, &at, NULL, &ptr)) {
        const weir_tensor *key = &((const pair *)ptr)->key;
        if (key->dtype != dtype)
            return weir_error(WEIR_INVALID_ARGUMENT, "Key does not match requested dtype.");
        if (!first) {
            weir_shape lead = weir_shape_vector((int64_t)map->by_key.count), shape;
            WEIR_TRY(weir_infer_concat(&lead, &key->shape, &shape));
            WEIR_TRY(weir_call_alloc(call, 0, &shape));
            first = key;
        }
        if (!weir_shape_eq(&key->shape, &first->shape))
            return weir_error(WEIR_INVALID_ARGUMENT, "Keys must all have the same shape.");
        weir_elements_copy(dtype, weir_at(weir_out(call, 0), done), key->data,
                           weir_tensor_count(key));
        done += weir_tensor_count(key);
    }
    return WEIR_OK;
}

#define OWN (WEIR_OWN_OUTPUTS | WEIR_CHEAP)
#define TYPES "key_dtype: type; value_dtype: type"

WEIR_DEFINE_OP(empty_tensor_map, "EmptyTensorMap", .out = "handle: variant",
               .infer = weir_infer_scalar, .kernels = {{WEIR_CPU, "*", empty, OWN}});
WEIR_DEFINE_OP(tensor_map_size, "TensorMapSize", .in = "input_handle: variant",
               .out = "size: int32", .infer = weir_infer_scalar,
               .kernels = {{WEIR_CPU, "*", size, WEIR_CHEAP}});
WEIR_DEFINE_OP(tensor_map_lookup, "TensorMapLookup", .in = "input_handle: variant; key: key_dtype",
               .out = "value: value_dtype", .attrs = TYPES, .infer = weir_infer_unknown,
               .mode = LOOKUP, .kernels = {{WEIR_CPU, "*", use_key, OWN}});
WEIR_DEFINE_OP(tensor_map_insert, "TensorMapInsert",
               .in = "input_handle: variant; key: key_dtype; value: value_dtype",
               .out = "output_handle: variant", .attrs = TYPES, .infer = weir_infer_scalar,
               .mode = INSERT, .kernels = {{WEIR_CPU, "*", use_key, OWN}});
WEIR_DEFINE_OP(tensor_map_erase, "TensorMapErase", .in = "input_handle: variant; key: key_dtype",
               .out = "output_handle: variant", .attrs = TYPES, .infer = weir_infer_scalar,
               .mode = ERASE, .kernels = {{WEIR_CPU, "*", use_key, OWN}});
WEIR_DEFINE_OP(tensor_map_has_key, "TensorMapHasKey", .in = "input_handle: variant; key: key_dtype",
               .out = "has_key: bool", .attrs = "key_dtype: type", .infer = weir_infer_scalar,
               .mode = HAS, .kernels = {{WEIR_CPU, "*", use_key, WEIR_CHEAP}});
WEIR_DEFINE_OP(tensor_map_stack_keys, "TensorMapStackKeys", .in = "input_handle: variant",
               .out = "keys: key_dtype", .attrs = "key_dtype: type", .infer = weir_infer_unknown,
               .kernels = {{WEIR_CPU, "*", stack_keys, OWN}});
