/* fuzz/example.c - any bytes as an Example, a SequenceExample and a TensorProto. */
#include "io/example.h"
#include "tensor/proto.h"
#include "wire/messages.h"

static void visit(void *arg, weir_str key, weir_str value)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_feature f;
    if (!weir_feature_read(value, &arena, &f) || !f.dtype || f.count > 1 << 20)
        return;
    weir_shape shape = weir_shape_vector(f.count);
    weir_tensor t;
    weir_status s = weir_tensor_alloc(f.dtype, &shape, &t);
    if (!s) {
        weir_feature_copy(&f, &t, 0);
        weir_tensor_release(&t);
    }
    weir_status_free(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    weir_str bytes = {(const char *)data, size};
    weir_features_visit(bytes, WEIR_FIELD_sequence_example_context, visit, NULL);
    weir_features_visit(bytes, WEIR_FIELD_sequence_example_feature_lists, visit, NULL);
    weir_tensor t;
    weir_status s = weir_tensor_parse(bytes, &t);
    if (!s)
        weir_tensor_release(&t);
    weir_status_free(s);
    return 0;
}
