/* ops/common/summarize.c - formats a tensor's first elements, for Assert and Print. */
#include "ops/common/summarize.h"

#include <inttypes.h>

#include "ops/common/elements.h"
#include "tensor/tstring.h"

static void add_element(const weir_tensor *tensor, int64_t i, weir_buf *out)
{
    const void *ptr = weir_at(tensor, i);
    switch (tensor->dtype) {
    case WEIR_FLOAT:
        weir_buf_addf(out, "%g", (double)*(const float *)ptr);
        break;
    case WEIR_DOUBLE:
        weir_buf_addf(out, "%g", *(const double *)ptr);
        break;
    case WEIR_HALF:
        weir_buf_addf(out, "%g", (double)weir_f16_f32(*(const uint16_t *)ptr));
        break;
    case WEIR_BFLOAT16:
        weir_buf_addf(out, "%g", (double)weir_bf16_f32(*(const uint16_t *)ptr));
        break;
    case WEIR_COMPLEX64:
        weir_buf_addf(out, "(%g,%g)", (double)((const float *)ptr)[0],
                      (double)((const float *)ptr)[1]);
        break;
    case WEIR_COMPLEX128:
        weir_buf_addf(out, "(%g,%g)", ((const double *)ptr)[0], ((const double *)ptr)[1]);
        break;
    case WEIR_STRING:
        weir_buf_add_escaped(out, weir_tstring_get(ptr), false);
        break;
    case WEIR_UINT64:
        weir_buf_addf(out, "%" PRIu64, *(const uint64_t *)ptr);
        break;
    case WEIR_RESOURCE:
    case WEIR_VARIANT:
        weir_buf_addf(out, "<%s>", weir_dtype_name(tensor->dtype));
        break;
    default:
        weir_buf_addf(out, "%" PRId64, weir_int_at(tensor, i));
    }
}

/* The elements of the last dimension, from *at on. */
static void add_line(const weir_tensor *tensor, int64_t limit, int64_t *at, weir_buf *out)
{
    int last = tensor->shape.rank - 1;
    for (int64_t i = 0; i < tensor->shape.dims[last]; i++) {
        if (*at >= limit) {
            if (last > 0)
                weir_buf_adds(out, "...");
            return;
        }
        if (i > 0)
            weir_buf_addc(out, ' ');
        add_element(tensor, (*at)++, out);
    }
}

static void add_dim(const weir_tensor *tensor, int axis, int64_t limit, int64_t *at, weir_buf *out)
{
    if (axis == tensor->shape.rank - 1) {
        add_line(tensor, limit, at, out);
        return;
    }
    for (int64_t i = 0; i < tensor->shape.dims[axis] && *at < limit; i++) {
        weir_buf_addc(out, '[');
        add_dim(tensor, axis + 1, limit, at, out);
        weir_buf_addc(out, ']');
    }
}

void weir_tensor_summarize(const weir_tensor *tensor, int64_t most, weir_buf *out)
{
    int64_t count = weir_tensor_count(tensor), limit = most < 0 || most > count ? count : most,
            at = 0;
    if (tensor->shape.rank == 0 && limit > 0)
        add_element(tensor, 0, out);
    else if (tensor->shape.rank > 0 && limit > 0)
        add_dim(tensor, 0, limit, &at, out);
    if (count > limit)
        weir_buf_adds(out, "...");
}
