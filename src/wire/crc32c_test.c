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
