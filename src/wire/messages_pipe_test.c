/* Messages through a pipe, for tests/messages_test.py: with the argument "pipe" this program
 * answers requests on standard input; without it there is nothing to do.
 *
 * A request is an operation of one byte and two texts, each preceded by its length in four bytes:
 * the name of a message, and bytes. An answer is one byte, 0 or 1 (an error), and a text in the
 * same format.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "wire/messages.h"

static bool get_text(weir_buf *out)
{
    uint32_t length;
    if (fread(&length, sizeof length, 1, stdin) != 1)
        return false;
    out->length = 0;
    weir_buf_reserve(out, (size_t)length + 1);
    out->length = fread(out->at, 1, length, stdin);
    return out->length == length;
}

static weir_status copy_message(const weir_message_type *type, weir_str bytes, weir_buf *out)
{
    weir_arena arena;
    weir_arena_init(&arena);
    void *message = weir_arena_alloc(&arena, type->bytes);
    weir_status status = weir_message_read(type, bytes, &arena, message);
    if (!status)
        weir_message_write(type, message, out);
    weir_arena_fini(&arena);
    return status;
}

/* "number name label type oneof type-name", as in protobuf's descriptors. */
static void describe_field(const weir_field *f, weir_buf *out)
{
    static const char *const labels[] = {"one",      "always", "optional", "case",
                                         "repeated", "packed", "map"};
    static const char *const types[] = {"int32",  "int64", "uint32",  "uint64",  "sint32", "sint64",
                                        "bool",   "enum",  "fixed32", "fixed64", "float",  "double",
                                        "string", "bytes", "message", "message"};
    const weir_message_type *message = weir_field_message(f);
    const weir_enum_type *numbers = weir_field_enum(f);
    weir_buf_addf(out, "%" PRIu32 " %s %s %s %s ", f->number, f->name, labels[f->label],
                  types[f->type], f->oneof ? f->oneof : "-");
    if (f->label == WEIR_LABEL_MAP) {
        weir_buf_adds(out, "-\n+ ");
        describe_field(&message->fields[0], out);
        weir_buf_adds(out, "+ ");
        describe_field(&message->fields[1], out);
    } else if (message) {
        weir_buf_addf(out, "%s.%s\n", message->package, message->name);
    } else {
        weir_buf_addf(out, "%s%s%s\n", numbers ? numbers->package : "", numbers ? "." : "-",
                      numbers ? numbers->name : "");
    }
}

static void describe_all(weir_buf *out)
{
    for (const weir_message_type *t = weir_message_types; t->package; t++) {
        weir_buf_addf(out, "message %s.%s\n", t->package, t->name);
        for (int i = 0; i < t->field_count; i++)
            describe_field(&t->fields[i], out);
    }
    for (int i = 0; i < weir_enum_type_count; i++) {
        const weir_enum_type *t = &weir_enum_types[i];
        weir_buf_addf(out, "enum %s.%s\n", t->package, t->name);
        for (int k = 0; k < t->count; k++)
            weir_buf_addf(out, "%" PRId32 " %s\n", t->values[k].number, t->values[k].name);
    }
}

static weir_status answer(char operation, weir_str name, weir_str bytes, weir_buf *out)
{
    const weir_message_type *type = weir_message_find(name);
    if (operation == 'd') {
        describe_all(out);
        return WEIR_OK;
    }
    if (!type)
        return weir_error(WEIR_NOT_FOUND, "no message %.*s", WEIR_STR_ARG(name));
    if (operation == 'c')
        return copy_message(type, bytes, out);
    if (operation == 't')
        return weir_message_print(type, bytes, out);
    if (operation == 'j')
        return weir_message_to_json(type, bytes, out);
    if (operation == 'r')
        return weir_message_from_json(type, bytes, out);
    return weir_message_parse(type, bytes, out);
}

static void put_answer(weir_status status, weir_str text)
{
    char failed = status != WEIR_OK;
    if (failed)
        text = weir_str_of(weir_status_message(status));
    uint32_t length = (uint32_t)text.length;
    fwrite(&failed, 1, 1, stdout);
    fwrite(&length, sizeof length, 1, stdout);
    if (length)
        fwrite(text.at, 1, length, stdout);
    fflush(stdout);
}

int main(int count, char **words)
{
    WEIR_BUF(name);
    WEIR_BUF(bytes);
    int operation;
    if (count < 2 || strcmp(words[1], "pipe") != 0)
        return 0;
    while ((operation = getchar()) != EOF && get_text(&name) && get_text(&bytes)) {
        WEIR_BUF(out);
        weir_status status = answer((char)operation, weir_view(&name), weir_view(&bytes), &out);
        put_answer(status, weir_view(&out));
        weir_status_free(status);
    }
    return 0;
}
