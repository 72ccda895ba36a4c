/* dist/probe.c - connects: reads a service's greeting, or its answer to HTTP/1.
 *
 * Tasks answer HTTP/1 as well, so the request is harmless. */
#include "dist/probe.h"

#include <ctype.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/address.h"

enum { GREETING_MS = 200, ANSWER_MS = 500 };

/* ---- recognising services -------------------------------------------------------------------- */

static const struct {
    const char *start, *who;
} services[] = {
    {"SSH-", "an ssh server"},
    {"HTTP/", "an HTTP server that does not speak gRPC"},
    {"220", "a mail or FTP server"},
    {"-ERR", "a Redis server"},
    {"\x15\x03", "a server that wants TLS"},
};

static void put_line(weir_str bytes, weir_buf *out)
{
    enum { SHOWN = 60 };
    for (size_t i = 0; i < bytes.length && i < SHOWN && bytes.at[i] != '\n'; i++)
        if (bytes.at[i] != '\r')
            weir_buf_addc(out, isprint((unsigned char)bytes.at[i]) ? bytes.at[i] : '?');
}

void weir_probe_words(weir_str bytes, weir_buf *out)
{
    const char *who = "another service";
    bool http = bytes.length > 5 && memcmp(bytes.at, "HTTP/", 5) == 0;
    /* An HTTP/2 server greets with a SETTINGS frame: its type is the fourth byte. */
    if (!bytes.length || (bytes.length > 9 && bytes.at[0] == 0 && bytes.at[3] == 4) ||
        (http && memmem(bytes.at, bytes.length, "weir", 4)))
        return;
    for (size_t i = 0; i < sizeof services / sizeof *services; i++) {
        size_t length = strlen(services[i].start);
        if (bytes.length >= length && memcmp(bytes.at, services[i].start, length) == 0)
            who = services[i].who;
    }
    weir_buf_addf(out, "%s listens there, which says \"", who);
    put_line(bytes, out);
    weir_buf_addc(out, '"');
}

/* ---- the connection -------------------------------------------------------------------------- */

static size_t read_some(int fd, int wait_ms, char *out, size_t room)
{
    struct pollfd polled = {.fd = fd, .events = POLLIN};
    if (poll(&polled, 1, wait_ms) <= 0)
        return 0;
    ssize_t got = recv(fd, out, room, 0);
    return got > 0 ? (size_t)got : 0;
}

void weir_probe(const char *address, weir_buf *out)
{
    static const char question[] = "GET / HTTP/1.0\r\n\r\n";
    char bytes[512];
    int fd = weir_address_dial(address);
    if (fd < 0)
        return;
    size_t count = read_some(fd, GREETING_MS, bytes, sizeof bytes);
    if (!count && send(fd, question, sizeof question - 1, MSG_NOSIGNAL) > 0)
        count = read_some(fd, ANSWER_MS, bytes, sizeof bytes);
    close(fd);
    weir_probe_words((weir_str){bytes, count}, out);
}
