/* ops/string/regex_test.c - matches, replacements and syntax errors. */
#include "ops/string/regex.h"

#include "base/mem.h"
#include "base/test.h"

static weir_regex *compile(const char *pattern)
{
    weir_regex *re = NULL;
    CHECK_OK(weir_regex_compile(weir_str_of(pattern), &re));
    return re;
}

TEST(full_matches)
{
    static const struct {
        const char *pattern, *text;
        bool matches;
    } cases[] = {
        {"", "", true},
        {"a", "a", true},
        {"a", "ab", false},
        {"a|ab", "ab", true},
        {"(a|b)*c", "ababc", true},
        {"[^a-c]+", "xyz\n", true},
        {"[^a-c]+", "xyb", false},
        {".*", "a\nb", false},
        {"(?s).*", "a\nb", true},
        {"a{2,3}", "aa", true},
        {"a{2,3}", "aaaa", false},
        {"a{,3}", "a{,3}", true},
        {"\\d+\\.\\d*", "12.", true},
        {"(?i)hello", "HeLLo", true},
        {"\\x41\\x{42}", "AB", true},
        {"\\Qa.b\\E+", "a.bbb", true},
        {"[[:alpha:]_]+", "ab_C", true},
        {"[]a]+", "]a", true},
        {"[a\\-z]+", "a-z", true},
        {"\xc3\xa9.", "\xc3\xa9\xe2\x82\xac", true},
        {".", "\xff", false},
        {"(a*)*", "aaa", true},
        {"(?:a|b)(?P<n>c)", "bc", true},
        {"\\bfoo\\b", "foo", true},
        {"(?m)^a$\\n^b$", "a\nb", true},
        {"^a$\\n^b$", "a\nb", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        weir_regex *re = compile(cases[i].pattern);
        CHECK_MSG(weir_regex_full(re, weir_str_of(cases[i].text)) == cases[i].matches,
                  "'%s' on '%s'", cases[i].pattern, cases[i].text);
        weir_regex_destroy(re);
    }
}

TEST(replacements)
{
    static const struct {
        const char *pattern, *rewrite, *text, *result;
        bool all;
    } cases[] = {
        {"a", "x", "banana", "bxnxnx", true},
        {"a", "x", "banana", "bxnana", false},
        {"(\\w)(\\d)", "\\2\\1", "a1b2", "1a2b", true},
        {"x*", "-", "abc", "-a-b-c-", true},
        {"b*", "-", "abc", "-a-c-", true},
        {"a+?", "x", "aaa", "xxx", true},
        {"(a)|b", "[\\1]", "ab", "[a][]", true},
        {"$", "!", "end", "end!", true},
        {"\\s+", " ", " a  b\t\nc ", " a b c ", true},
        {"a", "\\\\", "cat", "c\\t", true},
        {"b", "\\9", "abc", "abc", true},
        {"b", "x\\z", "abc", "axc", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        weir_regex *re = compile(cases[i].pattern);
        WEIR_BUF(out);
        CHECK(!weir_regex_replace(re, weir_str_of(cases[i].text), weir_str_of(cases[i].rewrite),
                                  cases[i].all, &out));
        CHECK_STR(out.at, cases[i].result);
        weir_regex_destroy(re);
    }
}

TEST(bad_patterns_say_why)
{
    static const char *const bad[][2] = {
        {"(", "missing )"},        {")", "unexpected )"},
        {"*", "no argument"},      {"[a", "missing ]"},
        {"a**", "bad repetition"}, {"\\", "trailing"},
        {"\\1", "invalid escape"}, {"a{1001}", "repetition size"},
        {"(?=a)", "Perl syntax"},  {"[z-a]", "range"},
        {"\xff", "UTF-8"},         {"((((a{100}){100}){100}){100})", "too large"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        weir_regex *re = NULL;
        CHECK_FAILS(weir_regex_compile(weir_str_of(bad[i][0]), &re), WEIR_INVALID_ARGUMENT,
                    bad[i][1]);
    }
}

TEST(deep_patterns_are_refused_not_overrun)
{
    WEIR_BUF(b);
    for (int i = 0; i < 5000; i++)
        weir_buf_addc(&b, '(');
    weir_regex *re = NULL;
    CHECK_FAILS(weir_regex_compile(weir_view(&b), &re), WEIR_INVALID_ARGUMENT, "deep");
}

TEST(long_patterns_need_no_deep_stack)
{
    WEIR_BUF(b);
    for (int i = 0; i < 30000; i++)
        weir_buf_addc(&b, 'a');
    weir_regex *re = NULL;
    CHECK_OK(weir_regex_compile(weir_view(&b), &re));
    CHECK(weir_regex_full(re, weir_view(&b)));
    weir_regex_destroy(re);
}

TEST_MAIN()
