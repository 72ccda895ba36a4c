/* io/example.h - Example and SequenceExample messages, read in place.
 *
 *   Example          {1 features}
 *   SequenceExample  {1 context, 2 feature_lists}
 *   Features         {1 map of Feature}       FeatureLists {1 map of FeatureList}
 *   FeatureList      {1 features}
 *   Feature          one of {1 bytes, 2 floats, 3 int64s}, each a message {1 values}
 * Everything is a view into the message; nothing is copied before the values are.
 */
#ifndef WEIR_IO_EXAMPLE_H
#define WEIR_IO_EXAMPLE_H

#include "tensor/tensor.h"
#include "wire/pb.h"

/* Calls fn(arg, key, value) for every map entry in the messages that field |outer| of |message|
 * holds: outer 1 gives an Example's features or a SequenceExample's context, outer 2 its feature
 * lists. False when it is malformed. */
typedef void weir_feature_fn(void *arg, weir_str key, weir_str value);
bool weir_features_visit(weir_str message, uint32_t outer, weir_feature_fn *fn, void *arg);

/* The values of one Feature. */
typedef struct weir_feature {
    weir_dtype dtype; /* STRING, FLOAT or INT64; 0 when it has no kind */
    weir_str list;    /* the list's message */
    int64_t count;    /* values */
} weir_feature;
/* False when it is malformed. */
bool weir_feature_parse(weir_str proto, weir_feature *out_feature);
/* Writes the values: elements of f->dtype from element |first| of |out| on. */
void weir_feature_copy(const weir_feature *f, weir_tensor *out, int64_t first);

#endif
