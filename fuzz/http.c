/* fuzz/http.c - any bytes as requests of HTTP/1.1, fed in pieces as the first byte says. */
#include "net/http.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    weir_http_parser parser = {0};
    weir_http_request request;
    size_t piece = size ? data[0] % 31u + 1 : 1, used;
    for (size_t at = size ? 1 : 0; at < size; at += used) {
        int status;
        size_t count = size - at < piece ? size - at : piece;
        weir_http_state state =
            weir_http_feed(&parser, (const char *)data + at, count, &used, &request, &status);
        if (state == WEIR_HTTP_BAD)
            break;
        if (state == WEIR_HTTP_WHOLE) {
            weir_buf value = {0};
            weir_http_query(request.query, "a", &value);
            weir_buf_fini(&value);
            weir_http_next(&parser);
        }
    }
    weir_http_parser_fini(&parser);
    return 0;
}
