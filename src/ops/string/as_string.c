/* ops/string/as_string.c - AsString: numbers as text. */
#include <complex.h>
#include <stdio.h>

#include "ops/common/number_at.h"
#include "ops/string/string_impl.h"
#include "tensor/handle.h"

enum { T, PRECISION, SCIENTIFIC, SHORTEST, WIDTH, FILL };
enum { MOST_DIGITS = 4096 };

/* A printf format made from the attrs: flag, width and precision, and the letter. */
typedef struct format {
    char text[64];
} format;

static weir_status check(const weir_site *s)
{
    weir_dtype dtype = weir_site_type(s, T);
    bool real = weir_dtype_is_float(dtype) || weir_dtype_is_complex(dtype);
    bool scientific = weir_site_bool(s, SCIENTIFIC), shortest = weir_site_bool(s, SHORTEST);
    weir_str fill = weir_site_str(s, FILL);
    if (scientific && shortest)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Cannot select both scientific and shortest notation");
    if (!real && (scientific || shortest))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "scientific and shortest format not supported for datatype %s",
                          weir_dtype_name(dtype));
    if (!real && weir_site_int(s, PRECISION) >= 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "precision not supported for datatype %s",
                          weir_dtype_name(dtype));
    if (weir_site_int(s, WIDTH) > MOST_DIGITS || weir_site_int(s, PRECISION) > MOST_DIGITS)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "width and precision are at most %d, got %lld, %lld", MOST_DIGITS,
                          (long long)weir_site_int(s, WIDTH),
                          (long long)weir_site_int(s, PRECISION));
    if (fill.length > 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "Fill string must be one or fewer characters");
    if (fill.length && !strchr(" +-0#", fill.at[0]))
        return weir_error(WEIR_INVALID_ARGUMENT, "Fill argument not supported: \"%.*s\"",
                          WEIR_STR_ARG(fill));
    return WEIR_OK;
}

/* "%" flag width "." precision, and the letters. */
static format make_format(const weir_site *s, const char *letters)
{
    format f = {"%"};
    weir_str fill = weir_site_str(s, FILL);
    size_t at = 1;
    if (fill.length)
        f.text[at++] = fill.at[0];
    int64_t width = weir_site_int(s, WIDTH), precision = weir_site_int(s, PRECISION);
    if (width >= 0)
        at += (size_t)snprintf(f.text + at, 24, "%d", (int)width);
    if (precision >= 0)
        at += (size_t)snprintf(f.text + at, 24, ".%d", (int)precision);
    snprintf(f.text + at, sizeof f.text - at, "%s", letters);
    return f;
}

static void add_complex(weir_buf *out, const format *f, double re, double im)
{
    weir_buf_addc(out, '(');
    weir_buf_addf(out, f->text, re);
    weir_buf_addc(out, ',');
    weir_buf_addf(out, f->text, im);
    weir_buf_addc(out, ')');
}

static void add_integer(weir_buf *out, const weir_site *s, const weir_tensor *t, int64_t i)
{
    format sign = make_format(s, "lld"), plain = make_format(s, "llu");
    switch (t->dtype) {
    case WEIR_INT64:
        weir_buf_addf(out, sign.text, (long long)((const int64_t *)t->data)[i]);
        break;
    case WEIR_UINT64:
        weir_buf_addf(out, plain.text, (unsigned long long)((const uint64_t *)t->data)[i]);
        break;
    case WEIR_UINT8:
    case WEIR_UINT16:
    case WEIR_UINT32:
        weir_buf_addf(out, plain.text, (unsigned long long)weir_number_at(t, i));
        break;
    default:
        weir_buf_addf(out, sign.text, (long long)weir_number_at(t, i));
    }
}

/* Padded to the width, on the left unless the flag is '-'. Not printf's business: a string may hold
 * anything. */
static void add_string(weir_buf *out, const weir_site *s, weir_str v)
{
    weir_str fill = weir_site_str(s, FILL);
    bool left = fill.length && fill.at[0] == '-';
    if (left)
        weir_buf_add(out, v.at, v.length);
    for (int64_t i = (int64_t)v.length; i < weir_site_int(s, WIDTH); i++)
        weir_buf_addc(out, ' ');
    if (!left)
        weir_buf_add(out, v.at, v.length);
}

static void add_element(weir_buf *out, const weir_site *s, const format *real, const weir_tensor *t,
                        int64_t i)
{
    switch (t->dtype) {
    case WEIR_STRING:
        add_string(out, s, weir_str_at(t, i));
        break;
    case WEIR_BOOL:
        weir_buf_adds(out, ((const bool *)t->data)[i] ? "true" : "false");
        break;
    case WEIR_COMPLEX64:
        add_complex(out, real, ((const float *)t->data)[2 * i],
                    ((const float *)t->data)[2 * i + 1]);
        break;
    case WEIR_COMPLEX128:
        add_complex(out, real, ((const double *)t->data)[2 * i],
                    ((const double *)t->data)[2 * i + 1]);
        break;
    case WEIR_VARIANT: {
        const weir_variant *v = ((weir_variant *const *)t->data)[i];
        weir_buf_addf(out, "Variant<type: %s>", v ? v->type->name : "");
        break;
    }
    default:
        if (weir_dtype_is_float(t->dtype))
            weir_buf_addf(out, real->text, weir_number_at(t, i));
        else
            add_integer(out, s, t, i);
    }
}

static weir_status as_string(weir_call *c)
{
    const weir_site *s = c->site;
    WEIR_TRY(check(s));
    format real = make_format(s, weir_site_bool(s, SCIENTIFIC) ? "e"
                                 : weir_site_bool(s, SHORTEST) ? "g"
                                                               : "f");
    const weir_tensor *in = weir_in(c, 0);
    WEIR_BUF(b);
    for (int64_t i = 0; i < weir_tensor_count(in); i++) {
        b.length = 0;
        add_element(&b, s, &real, in, i);
        weir_str_put(weir_out(c, 0), i, weir_view(&b));
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
