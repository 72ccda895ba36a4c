/* wire/pb_test.c - messages inside messages keep every byte. */
#include "wire/pb_impl.h"

#include "base/test.h"
#include "wire/messages.h"

static void put_varint(weir_buf *out, uint32_t field, uint64_t value)
{
    weir_varint_put(out, (uint64_t)field << 3 | WEIR_PB_VARINT);
    weir_varint_put(out, value);
}

TEST(nested_messages)
{
    WEIR_BUF(b);
    put_varint(&b, 1, 1);
    size_t outer = weir_message_open(&b, 2), inner = weir_message_open(&b, 2);
    put_varint(&b, 1, 3);
    weir_message_close(&b, inner);
    inner = weir_message_open(&b, 3);
    weir_message_close(&b, inner);
    weir_message_close(&b, outer);
    static const char expected[] = "\x08\x01\x12\x06\x12\x02\x08\x03\x1a\x00";
    CHECK_EQ(b.length, sizeof expected - 1);
    CHECK(memcmp(b.at, expected, b.length) == 0);
}

TEST(long_message)
{
    WEIR_BUF(b);
    size_t mark = weir_message_open(&b, 1);
    for (int i = 0; i < 300; i++)
        put_varint(&b, 2, (uint64_t)i);
    weir_message_close(&b, mark);
    weir_pb r = weir_pb_reader((weir_str){b.at, b.length});
    CHECK(weir_pb_next(&r) && r.field == 1);
    weir_pb in = weir_pb_reader(r.bytes);
    for (int i = 0; i < 300; i++) {
        CHECK(weir_pb_next(&in));
        CHECK_EQ(in.value, i);
    }
    CHECK(!weir_pb_next(&r) && weir_pb_ok(&r));
}

TEST(damaged_bytes_fail_once_and_for_all)
{
    static const char bad[] = "\x0a\x05xx";
    weir_pb r = weir_pb_reader((weir_str){bad, sizeof bad - 1});
    CHECK(!weir_pb_next(&r) && !weir_pb_ok(&r));
    CHECK(!weir_pb_next(&r));
}

TEST_MAIN()
