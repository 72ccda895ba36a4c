/* wire/crc32c_test.c - known checksums and words. */
#include "wire/crc32c.h"

#include "base/test.h"
#include "wire/varint.h"

TEST(known_values)
{
    uint8_t zeros[32] = {0}, ones[32];
    memset(ones, 0xff, sizeof ones);
    CHECK_EQ(weir_crc32c(zeros, 32), 0x8a9136aa);
    CHECK_EQ(weir_crc32c(ones, 32), 0x62a8ab43);
    CHECK_EQ(weir_crc32c("123456789", 9), 0xe3069283);
    CHECK_EQ(weir_crc32c(NULL, 0), 0);
    CHECK_EQ(weir_crc32c_mask(0), 0xa282ead8);
}

TEST(pieces_give_the_whole)
{
    char text[100];
    for (int i = 0; i < 100; i++)
        text[i] = (char)(i * 7);
    uint32_t whole = weir_crc32c(text, 100);
    for (size_t cut = 0; cut <= 100; cut++)
        CHECK_EQ(weir_crc32c_extend(weir_crc32c(text, cut), text + cut, 100 - cut), whole);
}

/* The definition, bit by bit. */
static uint32_t slowly(const uint8_t *p, size_t length)
{
    uint32_t crc = ~0u;
    while (length--) {
        crc ^= *p++;
        for (int i = 0; i < 8; i++)
            crc = crc & 1 ? crc >> 1 ^ 0x82f63b78u : crc >> 1;
    }
    return ~crc;
}

TEST(every_length_and_start)
{
    enum { MOST = 40000 };
    static uint8_t bytes[MOST];
    uint32_t v = 1;
    for (int i = 0; i < MOST; i++)
        bytes[i] = (uint8_t)((v = v * 1664525u + 1013904223u) >> 24);
    for (size_t length = 0; length < 1600; length++)
        CHECK_EQ(weir_crc32c(bytes + length % 17, length), slowly(bytes + length % 17, length));
    for (size_t length = 1600; length < MOST - 17; length = length * 5 / 4 + 1)
        CHECK_EQ(weir_crc32c(bytes + length % 17, length), slowly(bytes + length % 17, length));
}

TEST(mask_and_back)
{
    CHECK_EQ(weir_crc32c_unmask(weir_crc32c_mask(0x12345678)), 0x12345678);
    CHECK_EQ(weir_crc32c_unmask(weir_crc32c_mask(0xffffffff)), 0xffffffff);
}

TEST(fixed_words)
{
    char bytes[8];
    weir_fixed64_put(bytes, 0x0102030405060708ull);
    CHECK_EQ(bytes[0], 8);
    CHECK_EQ(weir_fixed64_get(bytes), 0x0102030405060708ull);
    CHECK_EQ(weir_fixed32_get(bytes), 0x05060708);
}

TEST_MAIN()
