/* cli/values.c - tensor values as JSON, and as doubles. */
#include "cli/values.h"

#include "base/base64.h"
#include "base/utf8.h"
#include "command/output.h"
#include "math/cast/cast.h"
#include "ops/common/elem_of.h"
#include "tensor/text.h"
#include "tensor/tstring.h"
#include "wire/json.h"

bool weir_values_are_real(weir_dtype dtype)
{
    return weir_dtype_is_float(dtype) || weir_dtype_is_int(dtype) || dtype == WEIR_BOOL;
}

void weir_values_get(const weir_tensor *tensor, int64_t first, int64_t count, double *out)
{
    const char *at = (const char *)tensor->data + (size_t)first * weir_dtype_size(tensor->dtype);
    weir_cast_run(NULL, weir_elem_of(tensor->dtype), WEIR_E_f64, count, at, out);
}

static void add_string(weir_buf *buf, weir_str text)
{
    if (weir_utf8_valid(text)) {
        weir_json_put_string(buf, text);
        return;
    }
    weir_buf_adds(buf, "{\"b64\": \"");
    weir_base64_encode(text, WEIR_BASE64_STANDARD, true, buf);
    weir_buf_adds(buf, "\"}");
}

void weir_json_add_element(weir_buf *buf, const weir_tensor *tensor, int64_t i)
{
    double value;
    WEIR_BUF(text);
    if (tensor->dtype == WEIR_STRING) {
        add_string(buf, weir_tstring_get((const weir_tstring *)tensor->data + i));
    } else if (tensor->dtype == WEIR_BOOL) {
        weir_buf_adds(buf, ((const bool *)tensor->data)[i] ? "true" : "false");
    } else if (weir_dtype_is_float(tensor->dtype)) {
        weir_values_get(tensor, i, 1, &value);
        weir_json_add_real(buf, value, tensor->dtype != WEIR_DOUBLE);
    } else if (weir_dtype_is_int(tensor->dtype)) {
        weir_element_text(tensor, i, false, buf);
    } else {
        weir_element_text(tensor, i, false, &text);
        weir_json_put_string(buf, weir_view(&text));
    }
}

/* The part of |tensor| from dimension |dim| on, starting at element |first|. */
static void add_part(weir_buf *buf, const weir_tensor *tensor, int dim, int64_t first)
{
    if (dim == tensor->shape.rank) {
        weir_json_add_element(buf, tensor, first);
        return;
    }
    int64_t below = weir_shape_product(&tensor->shape, dim + 1, tensor->shape.rank);
    weir_buf_addc(buf, '[');
    for (int64_t i = 0; i < tensor->shape.dims[dim]; i++) {
        weir_buf_adds(buf, i ? ", " : "");
        add_part(buf, tensor, dim + 1, first + i * below);
    }
    weir_buf_addc(buf, ']');
}

void weir_json_add_tensor(weir_buf *buf, const weir_tensor *tensor)
{
    add_part(buf, tensor, 0, 0);
}

void weir_json_add_row(weir_buf *buf, const weir_tensor *tensor, int64_t row)
{
    if (tensor->shape.rank == 0)
        add_part(buf, tensor, 0, 0);
    else
        add_part(buf, tensor, 1, row * weir_shape_product(&tensor->shape, 1, tensor->shape.rank));
}
