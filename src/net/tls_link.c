/* net/tls_link.c - the thread of a TLS connection: handshake, then bytes in both directions. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/mutex.h"
#include "net/limits.h"
#include "net/tls_impl.h"

enum { ROOM = 256 << 10, ADDRESS = 64 };

/* Bytes in transit in one direction. */
typedef struct way {
    char *at;
    size_t from, to;
    bool over; /* its source has ended */
} way;

struct weir_tls_link {
    weir_ref ref; /* held by the thread and a channel */
    const weir_openssl *lib;
    void *ssl;
    int wire, plain;
    bool server;
    weir_peer *peer; /* a server's */
    weir_mutex lock;
    weir_buf error WEIR_GUARDED_BY(lock);
    bool refused WEIR_GUARDED_BY(lock); /* rejected by one of the ends, not a network error */
};

static void destroy(weir_ref *ref)
{
    weir_tls_link *link = (weir_tls_link *)ref;
    if (link->ssl)
        link->lib->SSL_free(link->ssl);
    if (link->wire >= 0)
        close(link->wire);
    if (link->plain >= 0)
        close(link->plain);
    weir_peer_release(link->peer);
    weir_buf_fini(&link->error);
    weir_mutex_fini(&link->lock);
    weir_free(link);
}

void weir_tls_link_release(weir_tls_link *link)
{
    if (link)
        weir_ref_release(&link->ref);
}

bool weir_tls_link_error(weir_tls_link *link, weir_buf *out)
{
    weir_mutex_lock(&link->lock);
    bool refused = link->refused;
    weir_buf_add(out, link->error.at, link->error.length);
    weir_mutex_unlock(&link->lock);
    return refused;
}

/* ---- the handshake ---- */

static const char *reason_of(weir_tls_link *link)
{
    const weir_openssl *lib = link->lib;
    long verified = lib->SSL_get_verify_result(link->ssl);
    const char *why = lib->ERR_reason_error_string(lib->ERR_get_error());
    lib->ERR_clear_error();
    return verified ? lib->X509_verify_cert_error_string(verified)
           : why    ? why
                    : "the other end closed the connection";
}

static void fail(weir_tls_link *link, const char *why, bool refused)
{
    weir_mutex_lock(&link->lock);
    if (!link->error.length)
        weir_buf_addf(&link->error, "TLS: %s", why);
    link->refused = refused;
    weir_mutex_unlock(&link->lock);
    if (link->server)
        weir_log(WEIR_LOG_WARNING, "TLS with %s was refused: %s",
                 link->peer ? link->peer->address : "a client", why);
}

/* Waits for OpenSSL's I/O; false on time-out or when the plain end is closed. */
static bool wait_for_wire(weir_tls_link *link, int wants, int64_t until_ns)
{
    int64_t left_ms = (until_ns - weir_now_ns()) / 1000000;
    struct pollfd polled[] = {
        {.fd = link->wire, .events = wants == SSL_WANT_WRITE ? POLLOUT : POLLIN},
        {.fd = link->plain, .events = 0}};
    return left_ms > 0 && (poll(polled, 2, (int)left_ms) > 0 || errno == EINTR) &&
           !(polled[1].revents & (POLLHUP | POLLERR));
}

static bool shake_hands(weir_tls_link *link)
{
    int64_t until_ns = weir_now_ns() + weir_limits_get()->handshake_ms * 1000000LL;
    for (;;) {
        link->lib->ERR_clear_error();
        int done = link->lib->SSL_do_handshake(link->ssl);
        if (done == 1)
            return true;
        int wants = link->lib->SSL_get_error(link->ssl, done);
        if (wants != SSL_WANT_READ && wants != SSL_WANT_WRITE) {
            fail(link, reason_of(link), wants == SSL_FAILED);
            return false;
        }
        if (!wait_for_wire(link, wants, until_ns)) {
            fail(link, "the handshake did not end in time", false);
            return false;
        }
    }
}

/* ---- bytes ---- */

static bool fill(weir_tls_link *link, way *out)
{
    if (out->from < out->to || out->over)
        return false;
    ssize_t count = recv(link->plain, out->at, ROOM, MSG_DONTWAIT);
    out->over = count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR);
    out->from = 0;
    out->to = count > 0 ? (size_t)count : 0;
    return count > 0;
}

/* False: no progress. Sets |out_wants| to what OpenSSL waits for. */
static bool encrypt(weir_tls_link *link, way *out, int *out_wants)
{
    if (out->from == out->to)
        return false;
    link->lib->ERR_clear_error();
    int count = link->lib->SSL_write(link->ssl, out->at + out->from, (int)(out->to - out->from));
    if (count > 0) {
        out->from += (size_t)count;
        return true;
    }
    *out_wants = link->lib->SSL_get_error(link->ssl, count);
    if (*out_wants != SSL_WANT_READ && *out_wants != SSL_WANT_WRITE) {
        out->over = true;
        out->from = out->to;
    }
    return false;
}

static bool decrypt(weir_tls_link *link, way *in)
{
    bool moved = false;
    if (in->from == in->to)
        in->from = in->to = 0;
    while (!in->over && in->to < ROOM) {
        link->lib->ERR_clear_error();
        int count = link->lib->SSL_read(link->ssl, in->at + in->to, (int)(ROOM - in->to));
        if (count <= 0) {
            int wants = link->lib->SSL_get_error(link->ssl, count);
            in->over = wants != SSL_WANT_READ && wants != SSL_WANT_WRITE;
            if (in->over && wants != SSL_CLOSED) {
                /* a client's certificate may be rejected so late */
                fail(link, reason_of(link), wants == SSL_FAILED);
            }
            break;
        }
        in->to += (size_t)count;
        moved = true;
    }
    return moved;
}

static bool pass_on(weir_tls_link *link, way *in)
{
    if (in->from == in->to)
        return false;
    ssize_t count =
        send(link->plain, in->at + in->from, in->to - in->from, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count > 0)
        in->from += (size_t)count;
    else if (count < 0 && errno != EAGAIN && errno != EINTR)
        in->over = true, in->from = in->to;
    return count > 0;
}

static void wait_for_both(weir_tls_link *link, const way *in, const way *out, int wants)
{
    bool room = in->to < ROOM && !in->over;
    struct pollfd polled[] = {
        {.fd = link->wire,
         .events = (short)((room ? POLLIN : 0) | (wants == SSL_WANT_WRITE ? POLLOUT : 0))},
        {.fd = link->plain,
         .events = (short)((out->from == out->to && !out->over ? POLLIN : 0) |
                           (in->from < in->to ? POLLOUT : 0))}};
    poll(polled, 2, -1);
}

static void carry(weir_tls_link *link, way *in, way *out)
{
    while (!(in->over && in->from == in->to) && !(out->over && out->from == out->to)) {
        int wants = 0;
        bool moved = fill(link, out);
        moved |= encrypt(link, out, &wants);
        moved |= decrypt(link, in);
        moved |= pass_on(link, in);
        bool ended = (in->over && in->from == in->to) || (out->over && out->from == out->to);
        if (!moved && !ended)
            wait_for_both(link, in, out, wants);
    }
    link->lib->SSL_shutdown(link->ssl);
}

static void *run(void *arg)
{
    weir_tls_link *link = arg;
    if (shake_hands(link)) {
        if (link->peer && weir_tls_verifies())
            atomic_store(&link->peer->certified, true);
        char *room = weir_alloc(2 * ROOM);
        carry(link, &(way){.at = room}, &(way){.at = room + ROOM});
        weir_free(room);
    }
    close(link->plain); /* signals the end to the owner of the other end */
    close(link->wire);
    link->plain = link->wire = -1;
    weir_ref_release(&link->ref);
    return NULL;
}

/* ---- links ---- */

static bool start(weir_tls_link *link)
{
    sigset_t every, before;
    pthread_t thread;
    sigfillset(&every); /* including SIGPIPE of the socket */
    pthread_sigmask(SIG_SETMASK, &every, &before);
    weir_ref_retain(&link->ref);
    bool started = pthread_create(&thread, NULL, run, link) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (started)
        pthread_detach(thread);
    else
        weir_ref_release(&link->ref);
    return started;
}

static weir_tls_link *new_link(int fd, bool server, int *out_plain)
{
    int pair[2];
    weir_tls_link *link = WEIR_NEW(weir_tls_link);
    weir_ref_init(&link->ref, destroy);
    weir_mutex_init(&link->lock);
    link->lib = weir_openssl_get();
    link->server = server;
    link->wire = fd;
    link->plain = -1;
    link->ssl = weir_tls_new(server);
    *out_plain = -1;
    if (!link->ssl || socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair) != 0)
        return link;
    link->plain = pair[0];
    *out_plain = pair[1];
    link->lib->SSL_set_fd(link->ssl, fd);
    return link;
}

static int finish(weir_tls_link *link, int plain)
{
    if (plain >= 0 && !start(link)) {
        close(plain);
        plain = -1;
        errno = EAGAIN;
    }
    return plain;
}

int weir_tls_accept(int fd, weir_peer *peer)
{
    int plain;
    weir_tls_link *link = new_link(fd, true, &plain);
    link->peer = weir_peer_retain(peer);
    if (plain >= 0)
        link->lib->SSL_set_accept_state(link->ssl);
    plain = finish(link, plain);
    weir_ref_release(&link->ref);
    return plain;
}

/* The name or address that the certificate must have. */
static void expect(weir_tls_link *link, const char *host)
{
    void *param = link->lib->SSL_get0_param(link->ssl);
    struct in6_addr address;
    if (inet_pton(AF_INET, host, &address) == 1 || inet_pton(AF_INET6, host, &address) == 1) {
        link->lib->X509_VERIFY_PARAM_set1_ip_asc(param, host);
    } else {
        link->lib->X509_VERIFY_PARAM_set1_host(param, host, 0);
        link->lib->SSL_ctrl(link->ssl, SSL_SET_HOST_NAME, 0, (void *)host);
    }
}

int weir_tls_connect(int fd, const char *host, weir_tls_link **out_link)
{
    int plain;
    weir_tls_link *link = new_link(fd, false, &plain);
    if (plain >= 0) {
        expect(link, host);
        link->lib->SSL_set_alpn_protos(link->ssl, (const unsigned char *)"\x02h2", 3);
        link->lib->SSL_set_connect_state(link->ssl);
    }
    plain = finish(link, plain);
    if (plain >= 0)
        *out_link = link;
    else
        weir_ref_release(&link->ref);
    return plain;
}
