/* state/lookup.h - lookup tables that outlive steps.
 *
 * Keys are int32, int64 or strings, or vectors of them in dense tables; a value is a tensor of one
 * dtype and shape. Thread-safe; readers run concurrently.
 */
#ifndef WEIR_STATE_LOOKUP_H
#define WEIR_STATE_LOOKUP_H

#include <pthread.h>

#include "op/op.h"
#include "tensor/tstring.h"

typedef enum weir_lookup_kind {
    WEIR_LOOKUP_FIXED, /* initialised once, then read-only */
    WEIR_LOOKUP_MUTABLE,
    WEIR_LOOKUP_DENSE, /* two reserved keys mark empty and deleted buckets */
} weir_lookup_kind;

typedef struct weir_lookup_spec {
    weir_lookup_kind kind;
    weir_dtype key_dtype, value_dtype;
    weir_shape value_shape;
    /* Of dense tables: */
    const weir_tensor *empty_key, *deleted_key; /* one key each; deleted_key may be null */
    int64_t buckets;
    float max_load;
} weir_lookup_spec;

typedef struct weir_lookup weir_lookup; /* a weir_resource of weir_lookup_type */
extern const weir_resource_type weir_lookup_type;

weir_lookup *weir_lookup_create(const weir_lookup_spec *spec);
static inline void weir_lookup_release(weir_lookup *lookup)
{
    weir_ref_release((weir_ref *)lookup);
}
weir_lookup_kind weir_lookup_kind_of(const weir_lookup *lookup);
weir_dtype weir_lookup_key_dtype(const weir_lookup *lookup);
weir_dtype weir_lookup_value_dtype(const weir_lookup *lookup);
const weir_shape *weir_lookup_value_shape(const weir_lookup *lookup);
const weir_shape *weir_lookup_key_shape(const weir_lookup *lookup); /* of one key */
int64_t weir_lookup_size(weir_lookup *lookup);

/* The caller has checked types and shapes in all of these. |out| has a value for each of |keys|;
 * |fallback| has one value, or one for each key. */
WEIR_CHECKED weir_status weir_lookup_find(weir_lookup *lookup, const weir_tensor *keys,
                                          const weir_tensor *fallback, weir_tensor *out);
WEIR_CHECKED weir_status weir_lookup_insert(weir_lookup *lookup, const weir_tensor *keys,
                                            const weir_tensor *values);
WEIR_CHECKED weir_status weir_lookup_remove(weir_lookup *lookup, const weir_tensor *keys);
/* Replaces the contents. */
WEIR_CHECKED weir_status weir_lookup_import(weir_lookup *lookup, const weir_tensor *keys,
                                            const weir_tensor *values);
WEIR_CHECKED weir_status weir_lookup_export(weir_lookup *lookup, weir_tensor *out_keys,
                                            weir_tensor *out_values);
/* Initialises a fixed table. Doing so again with as many entries succeeds and changes nothing. */
WEIR_CHECKED weir_status weir_lookup_fill(weir_lookup *lookup, const weir_tensor *keys,
                                          const weir_tensor *values);

#endif
