/* cli/watch/doctor_agent.c - the agent of weir doctor on another host: answers, sends bytes, and
 * measures.
 *
 * A measurement uses one connection: bytes go back and forth for the round trip, then the other end
 * sends at full rate for a second.
 */
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "cli/watch/doctor_impl.h"
#include "proc/sockets.h"

enum { CHUNK = 1 << 16, TRIPS = 8, WAIT_S = 5, MEASURE_MS = 1000 };
static const int64_t most_bytes = 1LL << 30;

static void limit_waits(int fd)
{
    struct timeval limit = {.tv_sec = WAIT_S};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
}

/* ---- sending ------------------------------------------------------------------------------------
 */

static void *serve_one(void *arg)
{
    int fd = (int)(intptr_t)arg;
    char byte;
    int trips = 0;
    limit_waits(fd);
    while (trips < TRIPS && recv(fd, &byte, 1, 0) == 1 && send(fd, &byte, 1, MSG_NOSIGNAL) == 1)
        trips++;
    char *chunk = weir_zalloc(CHUNK);
    for (int64_t sent = 0; trips == TRIPS && sent < most_bytes;) {
        ssize_t count = send(fd, chunk, CHUNK, MSG_NOSIGNAL);
        if (count <= 0)
            break;
        sent += count;
    }
    weir_free(chunk);
    close(fd);
    return NULL;
}

static void *accept_all(void *arg)
{
    int listening = (int)(intptr_t)arg;
    for (int fd; (fd = accept(listening, NULL, NULL)) >= 0;) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, serve_one, (void *)(intptr_t)fd) == 0)
            pthread_detach(thread);
        else
            close(fd);
    }
    return NULL;
}

/* ---- measuring ----------------------------------------------------------------------------------
 */

typedef struct link_measure {
    double trip_s, rate; /* the minimum of several; bytes per second */
    int mtu;
} link_measure;

static bool measure_trip(int fd, link_measure *out)
{
    out->trip_s = 1e9;
    for (int i = 0; i < TRIPS; i++) {
        char byte = 'w';
        int64_t start = weir_now_ns();
        if (send(fd, &byte, 1, MSG_NOSIGNAL) != 1 || recv(fd, &byte, 1, 0) != 1)
            return false;
        double took = (double)(weir_now_ns() - start) * 1e-9;
        out->trip_s = took < out->trip_s ? took : out->trip_s;
    }
    return true;
}

/* Ignores the first quarter of the time, in which the connection ramps up. */
static bool measure_rate(int fd, link_measure *out)
{
    char *chunk = weir_alloc(CHUNK);
    int64_t begin = weir_now_ns(), from = 0, bytes = 0, now = begin;
    ssize_t count = 1;
    while (now - begin < MEASURE_MS * 1000000LL && (count = recv(fd, chunk, CHUNK, 0)) > 0) {
        now = weir_now_ns();
        if (from)
            bytes += count;
        else if (now - begin >= MEASURE_MS * 1000000LL / 4)
            from = now;
    }
    weir_free(chunk);
    out->rate = from && now > from ? (double)bytes / ((double)(now - from) * 1e-9) : 0;
    return out->rate > 0;
}

static void measure(const char *host, int port)
{
    link_measure link = {0};
    int fd = run_connect(host, port);
    socklen_t size = sizeof link.mtu;
    if (fd < 0) {
        printf("failed no connection: %s\n", strerror(errno));
        return;
    }
    limit_waits(fd);
    if (getsockopt(fd, IPPROTO_IP, IP_MTU, &link.mtu, &size) != 0)
        link.mtu = 0;
    if (measure_trip(fd, &link) && measure_rate(fd, &link))
        printf("link %.0f %.9f %d\n", link.rate, link.trip_s, link.mtu);
    else
        printf("failed the connection does not carry anything: %s\n", strerror(errno));
    close(fd);
}

/* ---- commands -------------------------------------------------------------------------------- */

static void obey(const char *line)
{
    char host[256];
    int port;
    if (sscanf(line, "get %255s %d", host, &port) == 2)
        measure(host, port);
    else if (strncmp(line, "clock", 5) == 0)
        printf("clock %lld\n", (long long)weir_wall_us());
    else
        printf("failed no such order\n");
    fflush(stdout);
}

int doctor_answer(const char *host)
{
    findings found = {0};
    char line[512];
    int listening = -1, port = 0;
    pthread_t thread;
    signal(SIGPIPE, SIG_IGN);
    doctor_check_here(&found);
    printf("version %s\n", WEIR_VERSION);
    weir_status status = run_free_port(host, &port, &listening);
    if (status || listen(listening, 64) != 0 ||
        pthread_create(&thread, NULL, accept_all, (void *)(intptr_t)listening) != 0)
        printf("row ports\tbad\t%s: %s\n", host,
               status ? weir_status_message(status) : strerror(errno));
    weir_status_free(status);
    printf("port %d\n", port);
    fflush(stdout);
    while (fgets(line, sizeof line, stdin))
        obey(line);
    return 0;
}
