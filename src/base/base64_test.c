/* base/base64_test.c - the vectors of RFC 4648, both alphabets, and invalid input. */
#include "base/base64.h"

#include "base/test.h"

TEST(vectors_of_the_standard)
{
    static const struct {
        const char *bytes, *padded, *bare;
    } vectors[] = {
        {"", "", ""},
        {"f", "Zg==", "Zg"},
        {"fo", "Zm8=", "Zm8"},
        {"foo", "Zm9v", "Zm9v"},
        {"foobar", "Zm9vYmFy", "Zm9vYmFy"},
        {"\xfb\xff\xfe", "+//+", "+//+"},
    };
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        weir_str bytes = weir_str_of(vectors[i].bytes);
        WEIR_BUF(padded);
        WEIR_BUF(bare);
        WEIR_BUF(back);
        weir_base64_encode(bytes, WEIR_BASE64_STANDARD, true, &padded);
        weir_base64_encode(bytes, WEIR_BASE64_STANDARD, false, &bare);
        CHECK(weir_str_is(weir_view(&padded), vectors[i].padded));
        CHECK(weir_str_is(weir_view(&bare), vectors[i].bare));
        CHECK_EQ(weir_base64_decode(weir_view(&padded), WEIR_BASE64_EITHER, &back), padded.length);
        CHECK(weir_str_eq(weir_view(&back), bytes));
        back.length = 0;
        CHECK_EQ(weir_base64_decode(weir_view(&bare), WEIR_BASE64_STANDARD, &back), bare.length);
        CHECK(weir_str_eq(weir_view(&back), bytes));
    }
}

TEST(alphabets_are_told_apart)
{
    WEIR_BUF(text);
    WEIR_BUF(back);
    weir_base64_encode(WEIR_STR("\xfb\xff\xfe"), WEIR_BASE64_URL, true, &text);
    CHECK_STR(text.at, "-__-");
    CHECK_EQ(weir_base64_decode(weir_view(&text), WEIR_BASE64_URL, &back), 4);
    CHECK_EQ(back.length, 3);
    CHECK_EQ(weir_base64_decode(weir_view(&text), WEIR_BASE64_STANDARD, &back), 0);
    CHECK_EQ(weir_base64_decode(WEIR_STR("Zm8?"), WEIR_BASE64_EITHER, &back), 3);
    CHECK_EQ(weir_base64_decode(WEIR_STR("Z==="), WEIR_BASE64_EITHER, &back), 1);
}

TEST_MAIN()
