/* tensor/text.c - elements and tensors as text. */
#include "tensor/text.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tensor/handle.h"
#include "tensor/tstring.h"

/* The fewest digits that parse to the same number: |few|, or else |many|. */
static void add_real(weir_buf *out, double value, bool narrow)
{
    char text[40];
    if (isnan(value) || isinf(value)) {
        weir_buf_adds(out, isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
        return;
    }
    snprintf(text, sizeof text, "%.*g", narrow ? FLT_DIG : DBL_DIG, value);
    bool exact = narrow ? strtof(text, NULL) == (float)value : strtod(text, NULL) == value;
    if (!exact)
        snprintf(text, sizeof text, "%.*g", narrow ? FLT_DIG + 3 : DBL_DIG + 2, value);
    weir_buf_adds(out, text);
}

static void add_quoted(weir_buf *out, weir_str text)
{
    weir_buf_addc(out, '"');
    weir_buf_add_escaped(out, text, true);
    weir_buf_addc(out, '"');
}

static void add_complex(weir_buf *out, double re, double im, bool narrow)
{
    weir_buf_addc(out, '(');
    add_real(out, re, narrow);
    weir_buf_addc(out, ',');
    add_real(out, im, narrow);
    weir_buf_addc(out, ')');
}

static void add_handle(const weir_tensor *tensor, int64_t i, weir_buf *out)
{
    const void *ptr = ((void *const *)tensor->data)[i];
    if (tensor->dtype == WEIR_VARIANT) {
        weir_buf_addf(out, "<%s>", ptr ? ((const weir_variant *)ptr)->type->name : "");
        return;
    }
    const weir_handle *handle = ptr;
    weir_buf_addf(out, "<Resource Tensor: %s/%s>", handle ? handle->container : "",
                  handle ? handle->name : "");
}

void weir_element_text(const weir_tensor *tensor, int64_t i, bool new_style, weir_buf *out)
{
    const void *data = tensor->data;
    switch (tensor->dtype) {
    case WEIR_FLOAT:
        return add_real(out, ((const float *)data)[i], true);
    case WEIR_DOUBLE:
        return add_real(out, ((const double *)data)[i], false);
    case WEIR_HALF:
        return add_real(out, weir_f16_f32(((const uint16_t *)data)[i]), true);
    case WEIR_BFLOAT16:
        return add_real(out, weir_bf16_f32(((const uint16_t *)data)[i]), true);
    case WEIR_COMPLEX64:
        return add_complex(out, ((const float *)data)[2 * i], ((const float *)data)[2 * i + 1],
                           true);
    case WEIR_COMPLEX128:
        return add_complex(out, ((const double *)data)[2 * i], ((const double *)data)[2 * i + 1],
                           false);
    case WEIR_INT8:
    case WEIR_QINT8:
        return weir_buf_addf(out, "%d", ((const int8_t *)data)[i]);
    case WEIR_UINT8:
    case WEIR_QUINT8:
    case WEIR_BOOL:
        return weir_buf_addf(out, "%d", ((const uint8_t *)data)[i]);
    case WEIR_INT16:
    case WEIR_QINT16:
        return weir_buf_addf(out, "%d", ((const int16_t *)data)[i]);
    case WEIR_UINT16:
    case WEIR_QUINT16:
        return weir_buf_addf(out, "%d", ((const uint16_t *)data)[i]);
    case WEIR_INT32:
    case WEIR_QINT32:
        return weir_buf_addf(out, "%" PRId32, ((const int32_t *)data)[i]);
    case WEIR_UINT32:
        return weir_buf_addf(out, "%" PRIu32, ((const uint32_t *)data)[i]);
    case WEIR_INT64:
        return weir_buf_addf(out, "%" PRId64, ((const int64_t *)data)[i]);
    case WEIR_UINT64:
        return weir_buf_addf(out, "%" PRIu64, ((const uint64_t *)data)[i]);
    case WEIR_STRING: {
        weir_str text = weir_tstring_get((const weir_tstring *)data + i);
        return new_style ? add_quoted(out, text) : weir_buf_add(out, text.at, text.length);
    }
    case WEIR_RESOURCE:
    case WEIR_VARIANT:
        return add_handle(tensor, i, out);
    default:
        return weir_buf_addf(out, "0x%02x", ((const uint8_t *)data)[i]);
    }
}

/* ---- TensorFlow 2's style -------------------------------------------------------------------- */

/* Between elements of the last dimension a space; between rows, line ends and the indent. */
static void add_gap(int dim, int rank, weir_buf *out)
{
    if (dim == rank - 1) {
        weir_buf_addc(out, ' ');
        return;
    }
    for (int i = dim; i < rank - 1; i++)
        weir_buf_addc(out, '\n');
    for (int i = 0; i <= dim; i++)
        weir_buf_addc(out, ' ');
}

static void add_dim(const weir_tensor *tensor, int dim, int64_t first, int64_t ends, weir_buf *out)
{
    if (dim == tensor->shape.rank) {
        weir_element_text(tensor, first, true, out);
        return;
    }
    int64_t count = tensor->shape.dims[dim];
    int64_t stride = weir_shape_product(&tensor->shape, dim + 1, tensor->shape.rank);
    bool cut = ends >= 0 && ends <= count / 2 && count > 2 * ends;
    weir_buf_addc(out, '[');
    for (int64_t i = 0; i < count; i++) {
        if (i)
            add_gap(dim, tensor->shape.rank, out);
        if (cut && i == ends) {
            weir_buf_adds(out, "...");
            i = count - ends;
            if (i == count)
                break;
            add_gap(dim, tensor->shape.rank, out);
        }
        add_dim(tensor, dim + 1, first + i * stride, ends, out);
    }
    weir_buf_addc(out, ']');
}

void weir_tensor_text(const weir_tensor *tensor, int64_t ends, weir_buf *out)
{
    add_dim(tensor, 0, 0, ends, out);
}
