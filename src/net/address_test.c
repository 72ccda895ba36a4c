/* net/address_test.c */
#include "net/address.h"

#include <stdio.h>

#include "base/test.h"

/* "host port", or "none". */
static const char *split(const char *address)
{
    static char text[256];
    weir_str host;
    int port = weir_address_split(weir_str_of(address), &host);
    if (port < 0)
        return "none";
    snprintf(text, sizeof text, "%.*s %d", WEIR_STR_ARG(host), port);
    return text;
}

TEST(hosts_and_ports)
{
    CHECK_STR(split("a:0"), "a 0");
    CHECK_STR(split("a.b:65535"), "a.b 65535");
    CHECK_STR(split("a:00080"), "a 80");
    CHECK_STR(split("[fe80::1]:80"), "fe80::1 80");
    static const char *const none[] = {
        "",       "a",      ":80",     "a:",       "a:65536",  "a:000080",
        "a:+80",  "a: 80",  "a:-0",    "a:80 ",    "a:0x50",   "a:99999999999",
        "::1:80", "fe80::", "unix:80", "unix:/80", "unix:a:80"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        CHECK_MSG(!strcmp(split(none[i]), "none"), "%s: %s", none[i], split(none[i]));
}

TEST(files)
{
    CHECK(weir_str_is(weir_address_path(weir_str_of("unix:s")), "s"));
    CHECK(weir_str_is(weir_address_path(weir_str_of("unix:/run/s")), "/run/s"));
    CHECK(weir_str_is(weir_address_path(weir_str_of("unix:///run/s")), "/run/s"));
    CHECK(weir_str_is(weir_address_path(weir_str_of("unix:80")), "80"));
    CHECK(!weir_address_path(weir_str_of("unix:")).length);
    CHECK(!weir_address_path(weir_str_of("unix.org:80")).length);
    CHECK(!weir_address_path(weir_str_of("")).length);
}

TEST(what_is_an_address)
{
    char longest[] = "unix:................................................................"
                     "............................................";
    CHECK(weir_address_is_valid(weir_str_of("a:1")) &&
          weir_address_is_valid(weir_str_of("unix:a")));
    CHECK(!weir_address_is_valid(weir_str_of("unix:")) && !weir_address_is_valid(weir_str_of("a")));
    CHECK_EQ(strlen(longest), strlen("unix:") + 108);
    CHECK(!weir_address_is_valid(weir_str_of(longest)));
    longest[sizeof longest - 2] = 0;
    CHECK(weir_address_is_valid(weir_str_of(longest)));
}

TEST(hosts_of_this_machine)
{
    CHECK(weir_host_is_loopback(weir_str_of("127.0.0.9")));
    CHECK(weir_host_is_loopback(weir_str_of("localhost")));
    CHECK(weir_host_is_loopback(weir_str_of("::1")));
    CHECK(!weir_host_is_loopback(weir_str_of("10.0.0.1")));
    CHECK(!weir_host_is_loopback(weir_str_of("127.example.com")));
    CHECK(!weir_host_is_loopback(weir_str_of("127.0.0.1.example.com")));
    CHECK(!weir_host_is_loopback(weir_str_of("")));
}

TEST_MAIN()
