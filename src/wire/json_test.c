/* wire/json_test.c - texts as JSON strings, and parsing. */
#include "wire/json.h"

#include "base/test.h"

TEST(strings_there_and_back)
{
    static const char *const texts[] = {
        "",         "plain",        "\"quoted\" \\ /",     "\n\t\r\b\f\x01\x1f",
        "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80 end"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        WEIR_BUF(json);
        WEIR_BUF(back);
        weir_json_put_string(&json, weir_str_of(texts[i]));
        weir_json j = weir_json_reader((weir_str){json.at, json.length});
        CHECK(weir_json_string(&j, &back) && weir_json_end(&j));
        CHECK_STR(back.at ? back.at : "", texts[i]);
    }
}

TEST(bytes_that_are_no_text)
{
    static const struct {
        weir_str bytes;
        const char *json;
    } cases[] = {
        {WEIR_STR("a\xff z"), "\"a\\ufffd z\""},                 /* no lead byte */
        {WEIR_STR("\xc3"), "\"\\ufffd\""},                       /* truncated */
        {WEIR_STR("\xc0\x80"), "\"\\ufffd\\ufffd\""},            /* overlong */
        {WEIR_STR("\xed\xa0\x80"), "\"\\ufffd\\ufffd\\ufffd\""}, /* an unpaired surrogate */
        {WEIR_STR("\0"), "\"\\u0000\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        WEIR_BUF(json);
        weir_json_put_string(&json, cases[i].bytes);
        CHECK_STR(json.at, cases[i].json);
    }
}

TEST(numbers_and_words)
{
    static const char *const good[] = {"0", "-0", "10.25", "1e3", "1E-2", "-2.5e+10"};
    static const char *const bad[] = {"", "-", "01", "+1", ".5", "1.", "1e", "1e+", "NaN", "0x1"};
    double value;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        weir_json j = weir_json_reader(weir_str_of(good[i]));
        CHECK(weir_json_real(&j, &value) && weir_json_end(&j));
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        weir_json j = weir_json_reader(weir_str_of(bad[i]));
        CHECK(!weir_json_real(&j, &value) || !weir_json_end(&j));
    }
    weir_json j = weir_json_reader(WEIR_STR(" nullx"));
    CHECK(!weir_json_word(&j, "null") && !j.failed);
    j = weir_json_reader(WEIR_STR(" null "));
    CHECK(weir_json_word(&j, "null") && weir_json_end(&j));
}

TEST_MAIN()
