/* ops/common/index.c - tensors of indices, and the words for one that points nowhere. */
#include "ops/common/index.h"

char *weir_index_text(const weir_shape *s, int64_t i, char text[WEIR_SHAPE_TEXT])
{
    weir_shape at = {.rank = s->rank};
    for (int d = s->rank - 1; d >= 0; d--) {
        at.dims[d] = i % s->dims[d];
        i /= s->dims[d];
    }
    text[0] = 0;
    return s->rank > 0 ? weir_shape_text(&at, text) : text;
}

weir_status weir_index_check(const weir_tensor *indices, int64_t limit)
{
    int64_t count = weir_tensor_count(indices);
    for (int64_t i = 0; i < count; i++) {
        int64_t at = weir_index_get(indices, i);
        if (__builtin_expect(at < 0 || at >= limit, 0))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "indices%s = %" PRId64 " is not in [0, %" PRId64 ")",
                              WEIR_INDEX_STR(&indices->shape, i), at, limit);
    }
    return WEIR_OK;
}
