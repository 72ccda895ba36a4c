/* fuzz/limits.c - any text as limits of a server. */
#include "net/limits.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    weir_status_free(weir_limits_set((weir_str){(const char *)data, size}));
    return 0;
}
