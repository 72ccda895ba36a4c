/* dist/probe_test.c - greetings of services, distinguished from a task's. */
#include "dist/probe.h"

#include "base/test.h"

static void expect_words(weir_str bytes, const char *expected)
{
    WEIR_BUF(words);
    weir_probe_words(bytes, &words);
    CHECK_STR(words.at ? words.at : "", expected);
}

TEST(services)
{
    expect_words(WEIR_STR("SSH-2.0-OpenSSH_9.2\r\n"),
                 "an ssh server listens there, which says \"SSH-2.0-OpenSSH_9.2\"");
    expect_words(WEIR_STR("HTTP/1.0 200 OK\r\nServer: x\r\n"),
                 "an HTTP server that does not speak gRPC listens there, which says \"HTTP/1.0 200 "
                 "OK\"");
    expect_words(WEIR_STR("hello\x01\x02 you\nand more"),
                 "another service listens there, which says \"hello?? you\"");
}

TEST(tasks)
{
    expect_words(WEIR_STR(""), "");
    expect_words((weir_str){"\0\0\6\4\0\0\0\0\0\0\3", 11}, "");
    expect_words(WEIR_STR("HTTP/1.0 200 OK\r\n\r\n<title>weir</title>"), "");
}

TEST(nobody)
{
    WEIR_BUF(words);
    weir_probe("127.0.0.1:1", &words);
    weir_probe("no port", &words);
    CHECK_EQ(words.length, 0);
}

TEST_MAIN()
