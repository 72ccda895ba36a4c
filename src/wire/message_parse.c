/* wire/message_parse.c - text as serialised messages. */
#include <errno.h>
#include <stdlib.h>

#include "wire/message_impl.h"
#include "wire/text_tree.h"

static const char any_prefix[] = "type.googleapis.com/";

typedef struct parser {
    weir_str text;
    weir_buf *out;
} parser;

static weir_status bad(const parser *p, const weir_text_field *f, const char *what)
{
    int line = 1;
    for (const char *c = p->text.at; c < f->at; c++)
        line += *c == '\n';
    return weir_error(WEIR_INVALID_ARGUMENT, "line %d: %s: %s", line, f->name, what);
}

/* ---- scalars --------------------------------------------------------------------------------- */

static bool take_bool(const char *text, uint64_t *out)
{
    static const char *const yes[] = {"true", "True", "t", "1"}, *const no[] = {"false", "False",
                                                                                "f", "0"};
    for (int i = 0; i < 4; i++) {
        if (strcmp(text, yes[i]) == 0 || strcmp(text, no[i]) == 0) {
            *out = strcmp(text, yes[i]) == 0;
            return true;
        }
    }
    return false;
}

/* Decimal, 0x and 0 as in C; the sign determines the range. */
static bool take_int(const char *text, bool is_signed, uint64_t *out)
{
    char *end;
    errno = 0;
    if (is_signed || *text == '-')
        *out = (uint64_t)strtoll(text, &end, 0);
    else
        *out = strtoull(text, &end, 0);
    return !errno && end != text && !*end && (is_signed || *text != '-');
}

static bool take_double(const char *text, double *out)
{
    char *end;
    *out = strtod(text, &end);
    if (end != text && (*end == 'f' || *end == 'F')) /* 1.5f */
        end++;
    return end != text && !*end;
}

static bool take_enum(const weir_enum_type *of, weir_str text, uint64_t *out)
{
    int64_t value;
    if (weir_enum_value(of, text, &value)) {
        *out = (uint64_t)value;
        return true;
    }
    return take_int(text.at, true, out);
}

/* A number as bits on the wire. */
static bool take_number(const weir_field *f, weir_str text, uint64_t *out)
{
    double real;
    switch ((weir_field_type)f->type) {
    case WEIR_TYPE_BOOL:
        return take_bool(text.at, out);
    case WEIR_TYPE_ENUM:
        return take_enum(weir_field_enum(f), text, out);
    case WEIR_TYPE_INT32:
        return take_int(text.at, true, out) && (int64_t)*out == (int32_t)*out;
    case WEIR_TYPE_INT64:
        return take_int(text.at, true, out);
    case WEIR_TYPE_SINT32:
    case WEIR_TYPE_SINT64:
        if (!take_int(text.at, true, out))
            return false;
        *out = *out << 1 ^ (uint64_t)((int64_t)*out >> 63);
        return true;
    case WEIR_TYPE_UINT32:
    case WEIR_TYPE_FIXED32:
        return take_int(text.at, false, out) && *out == (uint32_t)*out;
    case WEIR_TYPE_UINT64:
    case WEIR_TYPE_FIXED64:
        return take_int(text.at, false, out);
    default:
        if (!take_double(text.at, &real))
            return false;
        *out = 0;
        if (f->type == WEIR_TYPE_FLOAT)
            memcpy(out, &(float){(float)real}, sizeof(float));
        else
            memcpy(out, &real, sizeof real);
        return true;
    }
}

/* ---- fields ---------------------------------------------------------------------------------- */

static weir_status put_fields(parser *p, const weir_message_type *m, const weir_text_field *first);

static weir_status put_scalar(parser *p, const weir_field *f, const weir_text_field *t)
{
    bool text = f->type == WEIR_TYPE_STRING || f->type == WEIR_TYPE_BYTES;
    uint64_t value;
    if (!t->value)
        return bad(p, t, "a message where a value belongs");
    if (t->quoted != text)
        return bad(p, t, text ? "a string must be quoted" : "a number must not be quoted");
    weir_str s = {t->value, t->length};
    if (text) {
        if (s.length || f->label != WEIR_LABEL_ONE)
            weir_message_put_bytes(p->out, f->number, s);
        return WEIR_OK;
    }
    if (!take_number(f, s, &value))
        return bad(p, t, weir_field_enum(f) ? "no value of that name" : "not a number of its type");
    if (value || f->label != WEIR_LABEL_ONE)
        weir_field_put_number(p->out, f, value);
    return WEIR_OK;
}

/* All the numbers of a packed field at once, at its first occurrence. */
static weir_status put_packed(parser *p, const weir_field *f, const weir_text_field *first)
{
    size_t mark = weir_message_open(p->out, f->number);
    for (const weir_text_field *t = first; t; t = t->next) {
        uint64_t value;
        if (t != first && strcmp(t->name, first->name) != 0)
            continue;
        if (!t->value || t->quoted || !take_number(f, (weir_str){t->value, t->length}, &value))
            return bad(p, t, "not a number of its type");
        weir_field_put_bare(p->out, f, value);
    }
    weir_message_close(p->out, mark);
    return WEIR_OK;
}

static weir_status put_message(parser *p, const weir_field *f, const weir_text_field *t)
{
    if (t->value)
        return bad(p, t, "a value where a message belongs");
    size_t mark = weir_message_open(p->out, f->number);
    WEIR_TRY(put_fields(p, weir_field_message(f), t->fields));
    weir_message_close(p->out, mark);
    return WEIR_OK;
}

/* "[type.googleapis.com/tensorflow.X] { ... }" inside an Any. */
static weir_status put_any(parser *p, const weir_text_field *t)
{
    static const char package[] = "tensorflow.";
    const char *name = t->name + sizeof any_prefix - 1;
    if (strncmp(name, package, sizeof package - 1) == 0)
        name += sizeof package - 1;
    const weir_message_type *m = weir_message_find(weir_str_of(name));
    if (!m)
        return bad(p, t, "a message that is not known");
    weir_message_put_bytes(p->out, WEIR_FIELD_any_type_url, weir_str_of(t->name));
    size_t mark = weir_message_open(p->out, WEIR_FIELD_any_value);
    WEIR_TRY(put_fields(p, m, t->fields));
    weir_message_close(p->out, mark);
    return WEIR_OK;
}

static bool came_before(const weir_text_field *first, const weir_text_field *t)
{
    for (; first != t; first = first->next)
        if (strcmp(first->name, t->name) == 0)
            return true;
    return false;
}

static weir_status put_fields(parser *p, const weir_message_type *m, const weir_text_field *first)
{
    const char *packed = NULL; /* the packed field written last, with all its values */
    for (const weir_text_field *t = first; t; t = t->next) {
        if (packed && strcmp(packed, t->name) == 0)
            continue;
        const weir_field *f = weir_message_field_named(m, weir_str_of(t->name));
        if (!f && strncmp(t->name, any_prefix, sizeof any_prefix - 1) == 0 &&
            strcmp(m->name, "Any") == 0) {
            WEIR_TRY(put_any(p, t));
        } else if (!f) {
            WEIR_BUF(what);
            weir_buf_addf(&what, "%s has no such field", m->name);
            weir_status s = bad(p, t, what.at);
            return s;
        } else if (weir_field_message(f)) {
            WEIR_TRY(put_message(p, f, t));
        } else if (f->label == WEIR_LABEL_PACKED) {
            packed = t->name;
            if (!came_before(first, t))
                WEIR_TRY(put_packed(p, f, t));
        } else {
            WEIR_TRY(put_scalar(p, f, t));
        }
    }
    return WEIR_OK;
}

weir_status weir_message_parse(const weir_message_type *m, weir_str text, weir_buf *out)
{
    weir_arena arena;
    weir_text_field *fields;
    weir_arena_init(&arena);
    parser p = {text, out};
    weir_buf_add(out, "", 0);
    weir_status s = weir_text_parse(&arena, text, &fields);
    if (!s)
        s = put_fields(&p, m, fields);
    weir_arena_fini(&arena);
    return s;
}
