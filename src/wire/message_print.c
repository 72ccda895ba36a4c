/* wire/message_print.c - serialised messages as text. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "wire/message_impl.h"

typedef struct printer {
    weir_buf *out;
    const char *start; /* of the outermost message, for the offsets of errors */
    int depth;
} printer;

static void indent(printer *p)
{
    for (int i = 0; i < p->depth; i++)
        weir_buf_adds(p->out, "  ");
}

static void put_text(weir_buf *out, weir_str s)
{
    weir_buf_addc(out, '"');
    weir_buf_add_escaped(out, s, false);
    weir_buf_addc(out, '"');
}

/* The fewest digits that parse to the same number. */
static void put_double(weir_buf *out, double v, bool is_float)
{
    char text[40];
    if (isnan(v)) {
        weir_buf_adds(out, "nan");
        return;
    }
    for (int digits = is_float ? 6 : 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, v);
        if (is_float ? strtof(text, NULL) == (float)v : strtod(text, NULL) == v)
            break;
    }
    weir_buf_adds(out, text);
}

void weir_field_print_number(weir_buf *out, const weir_field *f, uint64_t value)
{
    weir_pb v = {.value = value};
    const weir_enum_type *names = weir_field_enum(f);
    const char *name = names ? weir_enum_name(names, (int32_t)value) : NULL;
    if (name)
        weir_buf_adds(out, name);
    else if (f->type == WEIR_TYPE_BOOL)
        weir_buf_adds(out, value ? "true" : "false");
    else if (f->type == WEIR_TYPE_FLOAT)
        put_double(out, weir_pb_float(&v), true);
    else if (f->type == WEIR_TYPE_DOUBLE)
        put_double(out, weir_pb_double(&v), false);
    else if (f->type == WEIR_TYPE_UINT32 || f->type == WEIR_TYPE_FIXED32)
        weir_buf_addf(out, "%" PRIu32, (uint32_t)value);
    else if (f->type == WEIR_TYPE_UINT64 || f->type == WEIR_TYPE_FIXED64)
        weir_buf_addf(out, "%" PRIu64, value);
    else if (f->type == WEIR_TYPE_SINT32 || f->type == WEIR_TYPE_SINT64)
        weir_buf_addf(out, "%" PRId64, (int64_t)(value >> 1) ^ -(int64_t)(value & 1));
    else if (f->type == WEIR_TYPE_INT64)
        weir_buf_addf(out, "%" PRId64, (int64_t)value);
    else
        weir_buf_addf(out, "%" PRId32, (int32_t)value);
}

static weir_status senseless(const printer *p, const weir_message_type *m, const weir_pb *r)
{
    return weir_error(WEIR_DATA_LOSS, "Unparseable %s: its bytes make no sense at %zu", m->name,
                      (size_t)((const char *)r->at - p->start));
}

static void put_numbers(printer *p, const weir_field *f, weir_pb *r)
{
    weir_pb_packed n = {0};
    while (weir_pb_each(r, weir_field_wire_type(f), &n)) {
        indent(p);
        weir_buf_addf(p->out, "%s: ", f->name);
        weir_field_print_number(p->out, f, n.value);
        weir_buf_addc(p->out, '\n');
    }
}

static weir_status print(printer *p, const weir_message_type *m, weir_str bytes);

static weir_status put_message(printer *p, const weir_field *f, weir_str bytes)
{
    if (p->depth >= WEIR_MESSAGE_DEPTH)
        return weir_error(WEIR_DATA_LOSS, "Messages are nested more than %d deep",
                          WEIR_MESSAGE_DEPTH);
    indent(p);
    weir_buf_addf(p->out, "%s {\n", f->name);
    p->depth++;
    WEIR_TRY(print(p, weir_field_message(f), bytes));
    p->depth--;
    indent(p);
    weir_buf_adds(p->out, "}\n");
    return WEIR_OK;
}

static weir_status put_field(printer *p, const weir_field *f, weir_pb *r)
{
    if (weir_field_message(f))
        return put_message(p, f, r->bytes);
    if (weir_field_wire_type(f) != WEIR_PB_LEN) {
        put_numbers(p, f, r);
        return WEIR_OK;
    }
    indent(p);
    weir_buf_addf(p->out, "%s: ", f->name);
    put_text(p->out, r->bytes);
    weir_buf_addc(p->out, '\n');
    return WEIR_OK;
}

static weir_status print(printer *p, const weir_message_type *m, weir_str bytes)
{
    weir_pb r = weir_pb_reader(bytes);
    while (weir_pb_next(&r)) {
        const weir_field *f = weir_message_field(m, r.field);
        bool fits = f && (r.type == weir_field_wire_type(f) ||
                          (r.type == WEIR_PB_LEN && weir_field_is_list(f)));
        if (fits) {
            WEIR_TRY(put_field(p, f, &r));
        } else {
            indent(p);
            weir_buf_addf(p->out, "# field %" PRIu32 " of %s is not known\n", r.field, m->name);
        }
    }
    return weir_pb_ok(&r) ? WEIR_OK : senseless(p, m, &r);
}

weir_status weir_message_print(const weir_message_type *m, weir_str bytes, weir_buf *out)
{
    printer p = {.out = out, .start = bytes.at};
    weir_buf_add(out, "", 0);
    return print(&p, m, bytes);
}
