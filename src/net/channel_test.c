/* net/channel_test.c - channels over gRPC, and how they find a server. */
#define TRANSPORT BY_GRPC
#include "net/channel_suite.h"

/* Before anything reads the environment. */
__attribute__((constructor)) static void choose_transport(void)
{
    setenv("WEIR_TRANSPORTS", "grpc", 1);
}

TEST(bad_addresses)
{
    static const struct {
        const char *address, *text;
    } cases[] = {{"nohost", "no port"},
                 {"127.0.0.1:", "no port"},
                 {"no.such.host.invalid:1", "DNS resolution failed"},
                 {"127.0.0.1:notaport", "DNS resolution failed"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        weir_channel *c = weir_channel_open(cases[i].address);
        CHECK_STR(weir_channel_address(c), cases[i].address);
        CHECK_FAILS(ask_only(c, "/t/Echo", ""), WEIR_UNAVAILABLE, cases[i].text);
        weir_channel_release(c);
    }
}

TEST(names_are_resolved)
{
    weir_rpc_server *s = serve(0);
    char address[64];
    snprintf(address, sizeof address, "localhost:%d", weir_rpc_port(s));
    weir_channel *c = weir_channel_open(address);
    CHECK_OK(ask_only(c, "/t/Echo", "x"));
    weir_channel_release(c);
    weir_rpc_server_destroy(s);
}

TEST_MAIN()
