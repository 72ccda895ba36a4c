/* native/reflect.c - weir/message.h: descriptors of messages as text. */
#include "capi/capi.h"
#include "weir/message.h"
#include "wire/message.h"

static const char *const type_names[] = {
    [WEIR_TYPE_INT32] = "int32",     [WEIR_TYPE_INT64] = "int64",   [WEIR_TYPE_UINT32] = "uint32",
    [WEIR_TYPE_UINT64] = "uint64",   [WEIR_TYPE_SINT32] = "sint32", [WEIR_TYPE_SINT64] = "sint64",
    [WEIR_TYPE_BOOL] = "bool",       [WEIR_TYPE_ENUM] = "enum",     [WEIR_TYPE_FIXED32] = "fixed32",
    [WEIR_TYPE_FIXED64] = "fixed64", [WEIR_TYPE_FLOAT] = "float",   [WEIR_TYPE_DOUBLE] = "double",
    [WEIR_TYPE_STRING] = "string",   [WEIR_TYPE_BYTES] = "bytes",   [WEIR_TYPE_MESSAGE] = "message",
    [WEIR_TYPE_LAZY] = "message",
};

static const char *const label_names[] = {
    [WEIR_LABEL_ONE] = "one",           [WEIR_LABEL_ALWAYS] = "one",
    [WEIR_LABEL_OPTIONAL] = "optional", [WEIR_LABEL_CASE] = "case",
    [WEIR_LABEL_REPEATED] = "repeated", [WEIR_LABEL_PACKED] = "packed",
    [WEIR_LABEL_MAP] = "map",
};

static void describe_enum(const weir_enum_type *type, weir_buf *out)
{
    weir_buf_addf(out, "enum\t%s\t%s", type->package, type->name);
    for (int i = 0; i < type->count; i++)
        weir_buf_addf(out, "\t%s=%d", type->values[i].name, type->values[i].number);
    weir_buf_adds(out, "\n");
}

static void describe_message(const weir_message_type *type, weir_buf *out)
{
    weir_buf_addf(out, "%s\t%s\t%s", type->package ? "message" : "entry",
                  type->package ? type->package : "", type->name);
    for (int i = 0; i < type->field_count; i++) {
        const weir_field *field = &type->fields[i];
        weir_buf_addf(out, "\t%s %u %s %s %d %s", field->name, field->number,
                      type_names[field->type], label_names[field->label], field->of,
                      field->oneof ? field->oneof : "-");
    }
    weir_buf_adds(out, "\n");
}

TF_Buffer *weir_message_schema(void)
{
    WEIR_BUF(text);
    for (int i = 0; i < weir_enum_type_count; i++)
        describe_enum(&weir_enum_types[i], &text);
    for (int i = 0; i < weir_message_type_count; i++)
        describe_message(&weir_message_types[i], &text);
    return weir_capi_buffer(&text);
}
