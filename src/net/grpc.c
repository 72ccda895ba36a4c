/* net/grpc.c - timeouts, error texts and flags of a status as header values. */
#include "net/grpc_impl.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/base64.h"
#include "wire/messages.h"

/* ---- timeouts ------------------------------------------------------------------------------- */

int64_t weir_grpc_parse_timeout(weir_str text)
{
    static const struct {
        char unit;
        int64_t ns;
    } units[] = {{'H', 3600000000000}, {'M', 60000000000}, {'S', 1000000000},
                 {'m', 1000000},       {'u', 1000},        {'n', 1}};
    int64_t value = 0;
    size_t i = 0;
    for (; i < text.length && i < 8 && text.at[i] >= '0' && text.at[i] <= '9'; i++)
        value = value * 10 + (text.at[i] - '0');
    for (size_t unit = 0; unit < sizeof units / sizeof *units && i < text.length; unit++)
        if (text.at[i] == units[unit].unit)
            return units[unit].ns >= 1000000 ? (value ? value * (units[unit].ns / 1000000) : 1)
                                             : value * units[unit].ns / 1000000 + 1;
    return 0;
}

void weir_grpc_timeout(int64_t ms, char out[24])
{
    const int64_t longest = 99999999; /* eight digits are allowed */
    if (ms <= longest)
        snprintf(out, 24, "%" PRId64 "m", ms);
    else
        snprintf(out, 24, "%" PRId64 "S", ms / 1000 < longest ? ms / 1000 : longest);
}

/* ---- messages ------------------------------------------------------------------------------- */

void weir_grpc_escape(const char *text, weir_buf *out)
{
    static const char cut[] = " ... [truncated]";
    size_t length = strlen(text);
    bool whole = length <= MAX_ERROR_BYTES;
    if (!whole)
        length = MAX_ERROR_BYTES - (sizeof cut - 1);
    while (!whole && length && (text[length] & 0xc0) == 0x80)
        length--; /* not inside a character */
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c >= ' ' && c < 0x7f && c != '%')
            weir_buf_addc(out, (char)c);
        else
            weir_buf_addf(out, "%%%02X", c);
    }
    weir_buf_adds(out, whole ? "" : cut);
}

static int hex(char ch)
{
    return ch >= '0' && ch <= '9'   ? ch - '0'
           : ch >= 'A' && ch <= 'F' ? ch - 'A' + 10
           : ch >= 'a' && ch <= 'f' ? ch - 'a' + 10
                                    : -1;
}

void weir_grpc_unescape(weir_str text, weir_buf *out)
{
    weir_buf_reserve(out, text.length);
    for (size_t i = 0; i < text.length; i++) {
        bool coded = text.at[i] == '%' && i + 2 < text.length && hex(text.at[i + 1]) >= 0 &&
                     hex(text.at[i + 2]) >= 0;
        weir_buf_addc(out,
                      coded ? (char)(hex(text.at[i + 1]) << 4 | hex(text.at[i + 2])) : text.at[i]);
        i += coded ? 2 : 0;
    }
}

/* ---- flags ---------------------------------------------------------------------------------- */

static const struct {
    unsigned mark;
    const char *url;
} payloads[] = {
    {WEIR_DERIVED, "type.googleapis.com/tensorflow.DerivedStatus"},
    {WEIR_PEER_RESTARTED,
     "type.googleapis.com/tensorflow.distributed_runtime.WorkerPossiblyRestarted"},
};
enum { PAYLOADS = sizeof payloads / sizeof *payloads };

void weir_grpc_details(weir_status status, weir_buf *out)
{
    weir_msg_distributed_runtime_grpc_payload_container_payloads_entry entries[PAYLOADS];
    size_t count = 0;
    for (int i = 0; i < PAYLOADS; i++)
        if (weir_status_is(status, payloads[i].mark))
            entries[count++] = (typeof(*entries)){.key = weir_str_of(payloads[i].url)};
    if (!count)
        return;
    WEIR_BUF(raw);
    weir_msg_distributed_runtime_grpc_payload_container container = {.payloads = {entries, count}};
    weir_msg_distributed_runtime_grpc_payload_container_write(&container, &raw);
    weir_base64_encode(weir_view(&raw), WEIR_BASE64_STANDARD, false, out); /* as gRPC does */
}

unsigned weir_grpc_parse_details(weir_str text)
{
    WEIR_BUF(raw);
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_distributed_runtime_grpc_payload_container container;
    weir_base64_decode(text, WEIR_BASE64_STANDARD, &raw);
    weir_status status = weir_msg_distributed_runtime_grpc_payload_container_read(
        weir_view(&raw), &arena, &container);
    unsigned marks = 0;
    for (int i = 0; !status && i < PAYLOADS; i++)
        if (WEIR_MAP_FIND(container.payloads, payloads[i].url))
            marks |= payloads[i].mark;
    weir_status_free(status); /* an error with malformed details has no flags */
    return marks;
}
