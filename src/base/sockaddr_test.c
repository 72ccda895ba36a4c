/* base/sockaddr_test.c - the loopback address in its forms. */
#include "base/sockaddr.h"

#include <arpa/inet.h>
#include <unistd.h>

#include "base/test.h"

static bool loopback6(const char *text)
{
    weir_sockaddr address = {.v6 = {.sin6_family = AF_INET6}};
    CHECK(inet_pton(AF_INET6, text, &address.v6.sin6_addr) == 1);
    return weir_sockaddr_is_loopback(&address);
}

static bool loopback4(const char *text)
{
    weir_sockaddr address = {.v4 = {.sin_family = AF_INET}};
    CHECK(inet_pton(AF_INET, text, &address.v4.sin_addr) == 1);
    return weir_sockaddr_is_loopback(&address);
}

TEST(loopback_in_both_families)
{
    CHECK(loopback4("127.0.0.1") && loopback4("127.9.9.9"));
    CHECK(!loopback4("10.0.0.127") && !loopback4("0.0.0.0"));
    CHECK(loopback6("::1") && loopback6("::ffff:127.0.0.1"));
    CHECK(!loopback6("::") && !loopback6("::ffff:10.0.0.1") && !loopback6("7f00::1"));
    CHECK(!weir_sockaddr_is_loopback(&(weir_sockaddr){.any = {.sa_family = AF_UNIX}}));
}

TEST(both_ends_of_a_connection)
{
    weir_sockaddr at = {.v4 = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}}}, end;
    int listener = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0);
    CHECK(bind(listener, &at.any, sizeof at.v4) == 0 && listen(listener, 1) == 0);
    CHECK(weir_sockaddr_own(listener, &at) && weir_sockaddr_port(&at) > 0);
    CHECK(!weir_sockaddr_peer(client, &end));
    CHECK(connect(client, &at.any, sizeof at.v4) == 0);
    CHECK(weir_sockaddr_peer(client, &end) && weir_sockaddr_is_loopback(&end));
    CHECK_EQ(weir_sockaddr_port(&end), weir_sockaddr_port(&at));
    close(client);
    close(listener);
    CHECK(!weir_sockaddr_own(-1, &at) && weir_sockaddr_port(&at) == 0);
}

TEST_MAIN()
