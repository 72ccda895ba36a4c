/* fuzz/record.c - any bytes as records, events and packed blocks. */
#include "io/record.h"
#include "base/mem.h"
#include "io/deflate.h"
#include "io/events.h"
#include "io/snappy.h"
#include "wire/messages.h"

static void read_event(weir_str bytes)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_event event;
    weir_status_free(weir_event_read(bytes, &arena, &event));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    weir_str in = {(const char *)data, size}, record;
    weir_buf out = {0};
    read_event(in);
    weir_status s = weir_snappy_unpack(in, 1 << 20, &out);
    if (!s)
        weir_buf_fini(&out);
    weir_status_free(s);
    s = weir_inflate_all(WEIR_PACKING_GZIP, in, 1 << 20, &out);
    if (!s)
        weir_buf_fini(&out);
    weir_status_free(s);
    while (!(s = weir_record_take(&in, &record)))
        read_event(record);
    weir_status_free(s);
    return 0;
}
