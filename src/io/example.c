/* io/example.c - parses features of messages. */
#include "io/example.h"

#include "tensor/tstring.h"
#include "wire/messages.h"

/* Parses an Example as a SequenceExample, whose context has the same field number and type as its
 * features. */
bool weir_features_visit(weir_str message, uint32_t outer, weir_feature_fn *fn, void *arg)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_sequence_example example;
    weir_status damaged = weir_msg_sequence_example_read(message, &arena, &example);
    weir_status_free(damaged);
    if (damaged)
        return false;
    if (outer == WEIR_FIELD_sequence_example_context && example.context)
        for (size_t i = 0; i < example.context->feature.count; i++)
            fn(arg, example.context->feature.at[i].key, example.context->feature.at[i].value);
    if (outer == WEIR_FIELD_sequence_example_feature_lists && example.feature_lists)
        for (size_t i = 0; i < example.feature_lists->feature_list.count; i++)
            fn(arg, example.feature_lists->feature_list.at[i].key,
               example.feature_lists->feature_list.at[i].value);
    return true;
}

bool weir_feature_read(weir_str bytes, weir_arena *arena, weir_feature *out_feature)
{
    weir_msg_feature feature;
    weir_status damaged = weir_msg_feature_read(bytes, arena, &feature);
    weir_status_free(damaged);
    *out_feature = (weir_feature){0};
    if (feature.which_kind == WEIR_FIELD_feature_bytes_list) {
        weir_strs list = feature.bytes_list->value;
        *out_feature = (weir_feature){WEIR_STRING, (int64_t)list.count, list.at};
    } else if (feature.which_kind == WEIR_FIELD_feature_float_list) {
        weir_floats list = feature.float_list->value;
        *out_feature = (weir_feature){WEIR_FLOAT, (int64_t)list.count, list.at};
    } else if (feature.which_kind == WEIR_FIELD_feature_int64_list) {
        weir_int64s list = feature.int64_list->value;
        *out_feature = (weir_feature){WEIR_INT64, (int64_t)list.count, list.at};
    }
    return !damaged;
}

void weir_feature_copy(const weir_feature *feature, weir_tensor *out, int64_t first)
{
    if (feature->dtype == WEIR_STRING) {
        const weir_str *strings = feature->values;
        for (int64_t i = 0; i < feature->count; i++)
            weir_tstring_set((weir_tstring *)out->data + first + i, strings[i].at,
                             strings[i].length);
    } else if (feature->count) {
        size_t bytes = weir_dtype_size(feature->dtype);
        memcpy((char *)out->data + (size_t)first * bytes, feature->values,
               (size_t)feature->count * bytes);
    }
}
