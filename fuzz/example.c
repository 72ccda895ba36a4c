/* fuzz/example.c - any bytes as an Example, a SequenceExample and a TensorProto. */
#include "io/example.h"
#include "tensor/proto.h"

static void visit(void *arg, weir_str key, weir_str value)
{
    weir_feature f;
    if (!weir_feature_parse(value, &f) || !f.dtype || f.count > 1 << 20)
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
    weir_features_visit(bytes, 1, visit, NULL);
    weir_features_visit(bytes, 2, visit, NULL);
    weir_tensor t;
    weir_status s = weir_tensor_parse(bytes, &t);
    if (!s)
        weir_tensor_release(&t);
    weir_status_free(s);
    return 0;
}
