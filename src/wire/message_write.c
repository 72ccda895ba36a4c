/* wire/message_write.c - the generic writer: the structs of messages.h become bytes. */
#include "wire/message_impl.h"

size_t weir_message_open(weir_buf *out, uint32_t field)
{
    weir_varint_put(out, (uint64_t)field << 3 | WEIR_PB_LEN);
    weir_buf_add(out, "", 0);
    return out->length;
}

/* The length precedes the fields: they are moved by its size. */
void weir_message_close(weir_buf *out, size_t mark)
{
    size_t length = out->length - mark, size = weir_varint_size(length);
    weir_buf_reserve(out, size);
    memmove(out->at + mark + size, out->at + mark, length);
    char first = out->at[mark + size]; /* overwritten by the writer's terminator */
    out->length = mark;
    weir_varint_put(out, length);
    out->at[mark + size] = length ? first : 0;
    out->length += length;
    out->at[out->length] = 0;
}

void weir_message_open_bytes(weir_buf *out, uint32_t field, size_t length)
{
    weir_varint_put(out, (uint64_t)field << 3 | WEIR_PB_LEN);
    weir_varint_put(out, length);
}

void weir_message_put_bytes(weir_buf *out, uint32_t field, weir_str bytes)
{
    weir_message_open_bytes(out, field, bytes.length);
    weir_buf_add(out, bytes.at, bytes.length);
}

static void put_message(const weir_field *f, const void *message, weir_buf *out)
{
    size_t mark = weir_message_open(out, f->number);
    if (message)
        weir_message_write(&weir_message_types[f->of], message, out);
    weir_message_close(out, mark);
}

/* Writes one value, from a member or from an element of a list. */
static void put_value(const weir_field *f, const void *member, weir_buf *out)
{
    weir_pb_type wire = weir_field_wire_type(f);
    if (f->type == WEIR_TYPE_MESSAGE) {
        put_message(f, weir_field_is_list(f) ? member : *(const weir_any_pointer *)member, out);
    } else if (wire == WEIR_PB_LEN) {
        weir_message_put_bytes(out, f->number, *(const weir_str *)member);
    } else if (wire == WEIR_PB_GROUP) {
        weir_buf_add(out, ((const weir_str *)member)->at, ((const weir_str *)member)->length);
    } else {
        weir_field_put_number(out, f, weir_field_load((weir_field_type)f->type, member));
    }
}

static void put_packed(const weir_field *f, const weir_any_list *list, weir_buf *out)
{
    weir_pb_type wire = weir_field_wire_type(f);
    size_t bytes = weir_field_bytes(f);
    if (wire != WEIR_PB_VARINT) {
        weir_message_put_bytes(out, f->number, (weir_str){list->at, list->count * bytes});
        return;
    }
    size_t mark = weir_message_open(out, f->number);
    for (size_t i = 0; i < list->count; i++)
        weir_varint_put(
            out, weir_field_load((weir_field_type)f->type, (const char *)list->at + i * bytes));
    weir_message_close(out, mark);
}

static void put_list(const weir_field *f, const weir_any_list *list, weir_buf *out)
{
    if (!list->count)
        return;
    if (f->label == WEIR_LABEL_PACKED) {
        put_packed(f, list, out);
        return;
    }
    size_t bytes = weir_field_bytes(f);
    for (size_t i = 0; i < list->count; i++)
        put_value(f, (const char *)list->at + i * bytes, out);
}

bool weir_field_is_set(const weir_field *f, const void *message)
{
    const void *member = weir_member(f, message);
    if (f->label == WEIR_LABEL_ALWAYS)
        return true;
    if (f->label == WEIR_LABEL_OPTIONAL)
        return *weir_has(f, message);
    if (f->label == WEIR_LABEL_CASE)
        return *weir_which(f, message) == f->number;
    if (f->type == WEIR_TYPE_MESSAGE)
        return *(const weir_any_pointer *)member != NULL;
    if (f->type == WEIR_TYPE_LAZY) /* an empty message is present, too */
        return ((const weir_str *)member)->at != NULL;
    if (f->type == WEIR_TYPE_STRING || f->type == WEIR_TYPE_BYTES)
        return ((const weir_str *)member)->length != 0;
    return weir_field_load((weir_field_type)f->type, member) != 0;
}

void weir_message_write(const weir_message_type *type, const void *message, weir_buf *out)
{
    for (const weir_field *f = type->fields, *end = f + type->field_count; f < end; f++) {
        if (weir_field_is_list(f))
            put_list(f, weir_member(f, message), out);
        else if (weir_field_is_set(f, message))
            put_value(f, weir_member(f, message), out);
    }
    const weir_strs *unknown = message;
    for (size_t i = 0; i < unknown->count; i++)
        weir_buf_add(out, unknown->at[i].at, unknown->at[i].length);
}
