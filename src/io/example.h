/* io/example.h - Example and SequenceExample messages: features by key, and their values. */
#ifndef WEIR_IO_EXAMPLE_H
#define WEIR_IO_EXAMPLE_H

#include "tensor/tensor.h"

/* Calls fn(arg, key, value) for every feature in field |outer| of |message|:
 * WEIR_FIELD_example_features, or of a SequenceExample its context (the same) or feature lists.
 * False when it is malformed. */
typedef void weir_feature_fn(void *arg, weir_str key, weir_str value);
bool weir_features_visit(weir_str message, uint32_t outer, weir_feature_fn *fn, void *arg);

/* The values of one Feature. */
typedef struct weir_feature {
    weir_dtype dtype;   /* STRING, FLOAT or INT64; 0 when no kind is set */
    int64_t count;      /* values */
    const void *values; /* weir_str, float or int64_t each */
} weir_feature;
/* Strings are views of |bytes|; the list is allocated in |arena|. False when it is malformed. */
bool weir_feature_read(weir_str bytes, weir_arena *arena, weir_feature *out_feature);
/* Copies the values into elements of f->dtype from element |first| of |out| on. */
void weir_feature_copy(const weir_feature *feature, weir_tensor *out, int64_t first);

#endif
