/* fuzz/message.c - any bytes as messages and as texts of messages, and as step stats for a trace.
 */
#include "wire/message.h"
#include "base/mem.h"
#include "io/trace.h"

/* What was read is written again, and must read as the same. */
static void there_and_back(const weir_message *m, weir_str text)
{
    weir_buf bytes = {0}, again = {0};
    weir_status s = weir_message_parse(m, text, &bytes);
    if (!s)
        weir_status_free(weir_message_print(m, (weir_str){bytes.at, bytes.length}, &again));
    weir_status_free(s);
    weir_buf_fini(&bytes);
    weir_buf_fini(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const types[] = {"GraphDef", "SavedModel", "Event", "Example"};
    weir_str in = {(const char *)data, size};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        const weir_message *m = weir_message_find(weir_str_of(types[i]));
        weir_buf text = {0};
        weir_status s = weir_message_print(m, in, &text);
        if (!s)
            there_and_back(m, (weir_str){text.at, text.length});
        weir_status_free(s);
        weir_buf_fini(&text);
        there_and_back(m, in);
    }
    weir_buf trace = {0};
    weir_status_free(weir_trace_print(in, &trace));
    weir_buf_fini(&trace);
    return 0;
}
