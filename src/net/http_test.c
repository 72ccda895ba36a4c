/* net/http_test.c - heads of requests whole, byte by byte, and malformed. */
#include "net/http.h"

#include "base/test.h"

static const char plain[] = "GET /api/steps?since=3 HTTP/1.1\r\nHost: localhost:80\r\n\r\n";

/* The status for a whole head; 0: valid, -1: incomplete. */
static int status_of(const char *text, size_t length)
{
    weir_http_parser parser = {0};
    weir_http_request request;
    size_t used;
    int status = 0;
    weir_http_state state = weir_http_feed(&parser, text, length, &used, &request, &status);
    weir_http_parser_fini(&parser);
    return state == WEIR_HTTP_MORE ? -1 : state == WEIR_HTTP_WHOLE ? 0 : status;
}

#define STATUS(text) status_of(text, sizeof(text) - 1)

TEST(a_request_is_read_whole)
{
    weir_http_parser parser = {0};
    weir_http_request request;
    size_t used;
    int status;
    CHECK_EQ(weir_http_feed(&parser, plain, sizeof plain - 1, &used, &request, &status),
             WEIR_HTTP_WHOLE);
    CHECK_EQ(used, sizeof plain - 1);
    CHECK(weir_str_is(request.path, "/api/steps") && weir_str_is(request.query, "since=3"));
    CHECK(weir_str_is(request.host, "localhost:80") && request.keep_alive);
    weir_http_parser_fini(&parser);
}

TEST(a_request_may_arrive_byte_by_byte)
{
    weir_http_parser parser = {0};
    weir_http_request request;
    for (int round = 0; round < 2; round++) { /* the second on the same connection */
        for (size_t i = 0; i < sizeof plain - 1; i++) {
            size_t used;
            int status;
            weir_http_state state = weir_http_feed(&parser, plain + i, 1, &used, &request, &status);
            CHECK_EQ(used, 1);
            CHECK_EQ(state, i + 2 == sizeof plain ? WEIR_HTTP_WHOLE : WEIR_HTTP_MORE);
        }
        CHECK(weir_str_is(request.path, "/api/steps"));
        weir_http_next(&parser);
    }
    weir_http_parser_fini(&parser);
}

TEST(what_follows_a_head_is_not_taken)
{
    static const char two[] =
        "GET /a HTTP/1.1\r\nHost: x\r\n\r\nGET /b HTTP/1.1\r\nHost: x\r\n\r\n";
    weir_http_parser parser = {0};
    weir_http_request request;
    size_t first, second;
    int status;
    weir_http_feed(&parser, two, sizeof two - 1, &first, &request, &status);
    CHECK(weir_str_is(request.path, "/a"));
    weir_http_next(&parser);
    CHECK_EQ(
        weir_http_feed(&parser, two + first, sizeof two - 1 - first, &second, &request, &status),
        WEIR_HTTP_WHOLE);
    CHECK(weir_str_is(request.path, "/b") && first + second == sizeof two - 1);
    weir_http_parser_fini(&parser);
}

TEST(malformed_heads_have_their_status)
{
    CHECK_EQ(STATUS("GET / HTTP/1.1\r\nHost: x\r\n\r\n"), 0);
    CHECK_EQ(STATUS("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n"), 0);
    CHECK_EQ(STATUS("GET / HTTP/1.0\r\n\r\n"), 0);
    CHECK_EQ(STATUS("GET / HTTP/1.1\r\n\r\n"), 400); /* no host */
    CHECK_EQ(STATUS("GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n"), 400);
    CHECK_EQ(STATUS("GET / HTTP/1.1\nHost: x\r\n\r\n"), 400);         /* a bare LF */
    CHECK_EQ(STATUS("GET / HTTP/1.1\r\nHost: x\r\n y\r\n\r\n"), 400); /* a folded line */
    CHECK_EQ(STATUS("GET / HTTP/1.1\r\nHost : x\r\n\r\n"), 400);
    CHECK_EQ(STATUS("GET / HTTP/1.1\r\nHost: a\0b\r\n\r\n"), 400);
    CHECK_EQ(STATUS("GET  / HTTP/1.1\r\nHost: x\r\n\r\n"), 400);
    CHECK_EQ(STATUS("GET http://x/ HTTP/1.1\r\nHost: x\r\n\r\n"), 400);
    CHECK_EQ(STATUS("GET / HTTP/2.0\r\nHost: x\r\n\r\n"), 505);
    CHECK_EQ(STATUS("GET / JUNK/1.1\r\nHost: x\r\n\r\n"), 400);
    CHECK_EQ(STATUS("POST / HTTP/1.1\r\nHost: x\r\n\r\n"), 405);
    CHECK_EQ(STATUS("GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n"), 413);
    CHECK_EQ(STATUS("GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"), 501);
    CHECK_EQ(STATUS("\r\n\r\n"), 400);
    CHECK_EQ(STATUS("GET / HTTP/1.1\r\nHost: x\r\n"), -1);
}

TEST(heads_have_limits)
{
    WEIR_BUF(head);
    weir_buf_adds(&head, "GET / HTTP/1.1\r\nHost: x\r\n");
    for (int i = 0; i < WEIR_HTTP_HEADERS; i++)
        weir_buf_addf(&head, "X-%d: y\r\n", i);
    weir_buf_adds(&head, "\r\n");
    CHECK_EQ(status_of(head.at, head.length), 431);
    head.length = 0;
    weir_buf_adds(&head, "GET /");
    while (head.length < WEIR_HTTP_HEAD_BYTES + 100)
        weir_buf_addc(&head, 'a');
    CHECK_EQ(status_of(head.at, head.length), 431);
}

TEST(queries_are_decoded)
{
    WEIR_BUF(value);
    CHECK(weir_http_query(WEIR_STR("a=1&name=x%2Fy+z&b"), "name", &value));
    CHECK_STR(value.at, "x/y z");
    CHECK(!weir_http_query(WEIR_STR("a=1&b"), "b", &value));
    CHECK(!weir_http_query(WEIR_STR("name=%4"), "name", &value));
    CHECK(!weir_http_query(WEIR_STR("name=%00"), "name", &value));
    CHECK(!weir_http_query(WEIR_STR("name=%zz"), "name", &value));
    CHECK(!weir_http_query((weir_str){0}, "name", &value));
}

TEST_MAIN()
