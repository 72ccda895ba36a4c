/* fuzz/regex.c - the first half as a pattern, the second as a text and a rewrite. */
#include "ops/string/regex.h"
#include "base/mem.h"

enum { MOST = 512 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t half = size / 2 < MOST ? size / 2 : MOST;
    weir_str pattern = {(const char *)data, half}, text = {(const char *)data + half, half};
    weir_regex *re = NULL;
    weir_status s = weir_regex_compile(pattern, &re);
    if (!s) {
        weir_buf out = {0};
        weir_regex_full(re, text);
        weir_status_free(weir_regex_replace(re, text, pattern, true, &out));
        weir_buf_fini(&out);
    }
    weir_status_free(s);
    weir_regex_destroy(re);
    return 0;
}
