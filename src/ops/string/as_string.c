/* ops/string/as_string.c - AsString: numbers as text. */
#include <complex.h>
#include <stdio.h>

#include "ops/common/number_at.h"
#include "ops/string/string_impl.h"
#include "tensor/handle.h"

enum { T, PRECISION, SCIENTIFIC, SHORTEST, WIDTH, FILL };
enum { MOST_DIGITS = 4096 };

/* A printf format from the attrs: flag, width and precision, and the conversion. */
typedef struct format {
    char text[64];
} format;

static weir_status check(const weir_site *site)
{
    weir_dtype dtype = weir_site_type(site, T);
    bool real = weir_dtype_is_float(dtype) || weir_dtype_is_complex(dtype);
    bool scientific = weir_site_bool(site, SCIENTIFIC), shortest = weir_site_bool(site, SHORTEST);
    weir_str fill = weir_site_str(site, FILL);
    if (scientific && shortest)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Cannot select both scientific and shortest notation");
    if (!real && (scientific || shortest))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "scientific and shortest format not supported for datatype %s",
                          weir_dtype_name(dtype));
    if (!real && weir_site_int(site, PRECISION) >= 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "precision not supported for datatype %s",
                          weir_dtype_name(dtype));
    if (weir_site_int(site, WIDTH) > MOST_DIGITS || weir_site_int(site, PRECISION) > MOST_DIGITS)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "width and precision are at most %d, got %lld, %lld", MOST_DIGITS,
                          (long long)weir_site_int(site, WIDTH),
                          (long long)weir_site_int(site, PRECISION));
    if (fill.length > 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "Fill string must be one or fewer characters");
    if (fill.length && !strchr(" +-0#", fill.at[0]))
        return weir_error(WEIR_INVALID_ARGUMENT, "Fill argument not supported: \"%.*s\"",
                          WEIR_STR_ARG(fill));
    return WEIR_OK;
}

/* "%" flag width "." precision, and the letters. */
static format make_format(const weir_site *site, const char *letters)
{
    format format = {"%"};
    weir_str fill = weir_site_str(site, FILL);
    size_t at = 1;
    if (fill.length)
        format.text[at++] = fill.at[0];
    int64_t width = weir_site_int(site, WIDTH), precision = weir_site_int(site, PRECISION);
    if (width >= 0)
        at += (size_t)snprintf(format.text + at, 24, "%d", (int)width);
    if (precision >= 0)
        at += (size_t)snprintf(format.text + at, 24, ".%d", (int)precision);
    snprintf(format.text + at, sizeof format.text - at, "%s", letters);
    return format;
}

static void add_complex(weir_buf *out, const format *format, double re, double im)
{
    weir_buf_addc(out, '(');
    weir_buf_addf(out, format->text, re);
    weir_buf_addc(out, ',');
    weir_buf_addf(out, format->text, im);
    weir_buf_addc(out, ')');
}

static void add_integer(weir_buf *out, const weir_site *site, const weir_tensor *tensor, int64_t i)
{
    format sign = make_format(site, "lld"), plain = make_format(site, "llu");
    switch (tensor->dtype) {
    case WEIR_INT64:
        weir_buf_addf(out, sign.text, (long long)((const int64_t *)tensor->data)[i]);
        break;
    case WEIR_UINT64:
        weir_buf_addf(out, plain.text, (unsigned long long)((const uint64_t *)tensor->data)[i]);
        break;
    case WEIR_UINT8:
    case WEIR_UINT16:
    case WEIR_UINT32:
        weir_buf_addf(out, plain.text, (unsigned long long)weir_number_at(tensor, i));
        break;
    default:
        weir_buf_addf(out, sign.text, (long long)weir_number_at(tensor, i));
    }
}

/* Pads to the width, on the left unless the flag is '-'. Not by printf: a string may contain zero
 * bytes. */
static void add_string(weir_buf *out, const weir_site *site, weir_str value)
{
    weir_str fill = weir_site_str(site, FILL);
    bool left = fill.length && fill.at[0] == '-';
    if (left)
        weir_buf_add(out, value.at, value.length);
    for (int64_t i = (int64_t)value.length; i < weir_site_int(site, WIDTH); i++)
        weir_buf_addc(out, ' ');
    if (!left)
        weir_buf_add(out, value.at, value.length);
}

static void add_element(weir_buf *out, const weir_site *site, const format *real,
                        const weir_tensor *tensor, int64_t i)
{
    switch (tensor->dtype) {
    case WEIR_STRING:
        add_string(out, site, weir_str_at(tensor, i));
        break;
    case WEIR_BOOL:
        weir_buf_adds(out, ((const bool *)tensor->data)[i] ? "true" : "false");
        break;
    case WEIR_COMPLEX64:
        add_complex(out, real, ((const float *)tensor->data)[2 * i],
                    ((const float *)tensor->data)[2 * i + 1]);
        break;
    case WEIR_COMPLEX128:
        add_complex(out, real, ((const double *)tensor->data)[2 * i],
                    ((const double *)tensor->data)[2 * i + 1]);
        break;
    case WEIR_VARIANT: {
        const weir_variant *variant = ((weir_variant *const *)tensor->data)[i];
        weir_buf_addf(out, "Variant<type: %s>", variant ? variant->type->name : "");
        break;
    }
    default:
        if (weir_dtype_is_float(tensor->dtype))
            weir_buf_addf(out, real->text, weir_number_at(tensor, i));
        else
            add_integer(out, site, tensor, i);
    }
}

static weir_status as_string(weir_call *call)
{
    const weir_site *site = call->site;
    WEIR_TRY(check(site));
    format real = make_format(site, weir_site_bool(site, SCIENTIFIC) ? "e"
                                    : weir_site_bool(site, SHORTEST) ? "g"
                                                                     : "f");
    const weir_tensor *in = weir_in(call, 0);
    WEIR_BUF(buf);
    for (int64_t i = 0; i < weir_tensor_count(in); i++) {
        buf.length = 0;
        add_element(&buf, site, &real, in, i);
        weir_str_put(weir_out(call, 0), i, weir_view(&buf));
    }
    return WEIR_OK;
}

const weir_op weir_op_as_string = {
    .name = "AsString",
    .in = "input: T",
    .out = "output: string",
    .attrs = "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, "
             "uint32, uint64, complex64, complex128, bool, variant, string}; precision: int = -1; "
             "scientific: bool = false; shortest: bool = false; width: int = -1; fill: string = "
             "\"\"",
    .infer = weir_infer_same_shape,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", as_string}},
};
