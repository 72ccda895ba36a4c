/* fuzz/message.c - any bytes as messages of every type, as texts and JSON of messages, and as step
 * stats for a trace. */
#include <stdlib.h>

#include "base/mem.h"
#include "io/trace.h"
#include "wire/messages.h"

/* A text that parses is printed again. */
static void parse_and_print(const weir_message_type *type, weir_str text)
{
    WEIR_BUF(bytes);
    WEIR_BUF(again);
    weir_status status = weir_message_parse(type, text, &bytes);
    if (!status)
        weir_status_free(weir_message_print(type, weir_view(&bytes), &again));
    weir_status_free(status);
}

static bool copy(const weir_message_type *type, weir_str bytes, weir_buf *out)
{
    weir_arena arena;
    weir_arena_init(&arena);
    void *message = weir_arena_alloc(&arena, type->bytes);
    weir_status status = weir_message_read(type, bytes, &arena, message);
    bool read = !status;
    if (read)
        weir_message_write(type, message, out);
    weir_status_free(status);
    weir_arena_fini(&arena);
    return read;
}

/* What the reader accepts, the writer writes so that the reader accepts it and it stays the same.
 */
static void read_and_write(const weir_message_type *type, weir_str bytes)
{
    WEIR_BUF(once);
    WEIR_BUF(twice);
    if (!copy(type, bytes, &once))
        return;
    if (!copy(type, weir_view(&once), &twice) || !weir_str_eq(weir_view(&once), weir_view(&twice)))
        abort();
}

/* JSON that is read is written, and read again as the same message. */
static void json_and_back(const weir_message_type *type, weir_str text)
{
    WEIR_BUF(bytes);
    WEIR_BUF(again);
    WEIR_BUF(json);
    WEIR_BUF(once);
    WEIR_BUF(twice);
    weir_status status = weir_message_from_json(type, text, &bytes);
    bool read = !status;
    weir_status_free(status);
    if (!read)
        return;
    status = weir_message_to_json(type, weir_view(&bytes), &json);
    if (!status)
        status = weir_message_from_json(type, weir_view(&json), &again);
    if (status || !copy(type, weir_view(&bytes), &once) || !copy(type, weir_view(&again), &twice) ||
        !weir_str_eq(weir_view(&once), weir_view(&twice)))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const types[] = {"GraphDef", "SavedModel", "Event", "Example"};
    weir_str in = {(const char *)data, size};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        const weir_message_type *type = weir_message_find(weir_str_of(types[i]));
        WEIR_BUF(text);
        weir_status status = weir_message_print(type, in, &text);
        if (!status)
            parse_and_print(type, weir_view(&text));
        weir_status_free(status);
        parse_and_print(type, in);
        json_and_back(type, in);
        read_and_write(type, in);
    }
    if (size)
        read_and_write(&weir_message_types[data[0] % weir_message_type_count],
                       (weir_str){in.at + 1, in.length - 1});
    WEIR_BUF(trace);
    weir_status_free(weir_trace_print(in, &trace));
    return 0;
}
