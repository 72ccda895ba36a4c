/* cli/values.c - the values of tensors as JSON, and as numbers to compare. */
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

void weir_values_get(const weir_tensor *t, int64_t first, int64_t count, double *out)
{
    const char *at = (const char *)t->data + (size_t)first * weir_dtype_size(t->dtype);
    weir_cast_run(NULL, weir_elem_of(t->dtype), WEIR_E_f64, count, at, out);
}

static bool is_utf8(weir_str s)
{
    for (size_t i = 0, n; i < s.length; i += n)
        if (weir_utf8_get((weir_str){s.at + i, s.length - i}, &n) == WEIR_UTF8_BAD)
            return false;
    return true;
}

static void add_string(weir_buf *b, weir_str s)
{
    if (is_utf8(s)) {
        weir_json_put_string(b, s);
        return;
    }
    weir_buf_adds(b, "{\"b64\": \"");
    weir_base64_encode(s, WEIR_BASE64_STANDARD, true, b);
    weir_buf_adds(b, "\"}");
}

void weir_json_add_element(weir_buf *b, const weir_tensor *t, int64_t i)
{
    double v;
    WEIR_BUF(text);
    if (t->dtype == WEIR_STRING) {
        add_string(b, weir_tstring_get((const weir_tstring *)t->data + i));
    } else if (t->dtype == WEIR_BOOL) {
        weir_buf_adds(b, ((const bool *)t->data)[i] ? "true" : "false");
    } else if (weir_dtype_is_float(t->dtype)) {
        weir_values_get(t, i, 1, &v);
        weir_json_add_real(b, v, t->dtype != WEIR_DOUBLE);
    } else if (weir_dtype_is_int(t->dtype)) {
        weir_element_text(t, i, false, b);
    } else {
        weir_element_text(t, i, false, &text);
        weir_json_put_string(b, weir_view(&text));
    }
}

/* The part of |t| in dimensions |dim| and on, from element |first|. */
static void add_part(weir_buf *b, const weir_tensor *t, int dim, int64_t first)
{
    if (dim == t->shape.rank) {
        weir_json_add_element(b, t, first);
        return;
    }
    int64_t below = weir_shape_product(&t->shape, dim + 1, t->shape.rank);
    weir_buf_addc(b, '[');
    for (int64_t i = 0; i < t->shape.dims[dim]; i++) {
        weir_buf_adds(b, i ? ", " : "");
        add_part(b, t, dim + 1, first + i * below);
    }
    weir_buf_addc(b, ']');
}

void weir_json_add_tensor(weir_buf *b, const weir_tensor *t)
{
    add_part(b, t, 0, 0);
}

void weir_json_add_row(weir_buf *b, const weir_tensor *t, int64_t row)
{
    if (t->shape.rank == 0)
        add_part(b, t, 0, 0);
    else
        add_part(b, t, 1, row * weir_shape_product(&t->shape, 1, t->shape.rank));
}
