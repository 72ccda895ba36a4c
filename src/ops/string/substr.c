/* ops/string/substr.c - Substr: a substring of each string, by bytes or by code points. */
#include <inttypes.h>

#include "ops/common/infer_util.h"
#include "ops/string/string_impl.h"

enum { T, UNIT };

static weir_status infer(weir_infer *infer)
{
    const weir_shape *pos = infer->in[1], *len = infer->in[2];
    weir_shape same;
    if (weir_infer_running(infer) && !weir_shape_eq(pos, len))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "pos and len should have the same shape, got: %s vs. %s",
                          WEIR_SHAPE_STR(pos), WEIR_SHAPE_STR(len));
    WEIR_TRY_NOTE(weir_infer_merge(pos, len, &same), " (pos and len must have the same shape)");
    WEIR_TRY(weir_infer_broadcast_shapes(infer->in[0], &same, &infer->out[0]));
    bool spread = same.rank > 0 && !weir_shape_eq(infer->in[0], &same);
    if (weir_infer_running(infer) && spread && infer->out[0].rank > 2)
        return weir_error(WEIR_UNIMPLEMENTED, "Substr broadcast not implemented for %d dimensions",
                          infer->out[0].rank);
    return WEIR_OK;
}

static int64_t int_at(const weir_tensor *tensor, int64_t i)
{
    return tensor->dtype == WEIR_INT32 ? ((const int32_t *)tensor->data)[i]
                                       : ((const int64_t *)tensor->data)[i];
}

/* The byte offset of code point |n|; s.length if there are fewer. */
static size_t byte_of_char(weir_str text, int64_t n)
{
    size_t i = 0;
    while (i < text.length && n > 0) {
        i++;
        while (i < text.length && ((uint8_t)text.at[i] & 0xc0) == 0x80)
            i++;
        n--;
    }
    return i;
}

static weir_status cut(weir_str text, int64_t pos, int64_t len, bool by_char, int64_t index,
                       weir_str *out)
{
    int64_t size = by_char ? weir_string_chars(text) : (int64_t)text.length;
    if (pos > size || pos < -size)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "pos %" PRId64 " out of range for string b'%.*s' at index %" PRId64, pos,
                          WEIR_STR_ARG(text), index);
    int64_t start = pos < 0 ? size + pos : pos;
    int64_t count = len < 0 || len > size - start ? size - start : len;
    if (!by_char) {
        *out = (weir_str){text.at + start, (size_t)count};
        return WEIR_OK;
    }
    size_t from = byte_of_char(text, start), to = byte_of_char(text, start + count);
    *out = (weir_str){text.at + from, to - from};
    return WEIR_OK;
}

/* The element of a tensor of shape |shape| for element |i| of the broadcast |out|. */
static int64_t source_of(const weir_shape *shape, const weir_shape *out, int64_t i)
{
    int64_t offset = 0, stride = 1;
    for (int axis = out->rank - 1, k = shape->rank - 1; k >= 0; axis--, k--) {
        if (shape->dims[k] != 1)
            offset += i % out->dims[axis] * stride;
        stride *= shape->dims[k];
        i /= out->dims[axis];
    }
    return offset;
}

static weir_status substr(weir_call *call)
{
    const weir_tensor *in = weir_in(call, 0), *pos = weir_in(call, 1), *len = weir_in(call, 2);
    weir_tensor *out = weir_out(call, 0);
    bool by_char = weir_string_by_char(call->site, UNIT);
    for (int64_t i = 0; i < weir_tensor_count(out); i++) {
        int64_t at = source_of(&pos->shape, &out->shape, i);
        weir_str part;
        WEIR_TRY(cut(weir_str_at(in, source_of(&in->shape, &out->shape, i)), int_at(pos, at),
                     int_at(len, at), by_char, i, &part));
        weir_str_put(out, i, part);
    }
    return WEIR_OK;
}

const weir_op weir_op_substr = {
    .name = "Substr",
    .in = "input: string; pos: T; len: T",
    .out = "output: string",
    .attrs = "T: {int32, int64}; unit: {'BYTE', 'UTF8_CHAR'} = \"BYTE\"",
    .infer = infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", substr}},
};
