/* network.c - sockets, eventfds and epoll between simulated hosts.
 *
 * Every object has a real descriptor, of /dev/null, so that numbers are the system's and other
 * code may close them. Bytes travel in segments, in order, like TCP's: what a fault does to them is
 * to delay them, or to end the connection.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "os.h"

enum { DESCRIPTORS = 1 << 16, BUFFER_BYTES = 256 << 10, BACKLOG = 4096 };

typedef enum kind { NONE, NEW_SOCKET, LISTENER, STREAM, EVENT, EPOLL } kind;

typedef struct segment segment;
struct segment {
    segment *next;
    int64_t arrives;
    size_t length, used;
    char bytes[];
};

typedef struct object object;
struct object {
    kind kind;
    int fd, flags;
    struct sockaddr_in local, remote;
    int host, peer_host; /* of a stream: who owns this end, and the other */
    /* a listener */
    object **waiting;
    int waiting_count;
    /* a stream */
    object *peer; /* null: gone */
    segment *first, **last;
    size_t queued; /* bytes on the way to this end, or there */
    int64_t last_arrival;
    int64_t end_arrives;              /* of the other end's shutdown; SIM_NEVER */
    bool connecting, ended, sent_end; /* |ended|: the shutdown has arrived */
    int error;
    /* an event */
    uint64_t count;
    /* watched by one epoll at most */
    object *epoll;
    struct epoll_event interest;
    bool listed; /* in |maybe| of its epoll */
    /* an epoll */
    object **maybe; /* objects that may be ready */
    int maybe_count, maybe_room;
};

/* Something that happens at a time: to a stream that may be gone by then. */
typedef struct happening {
    int64_t at;
    uint64_t order;
    int fd;
    object *who;
} happening;

static struct {
    object *of[DESCRIPTORS];
    object *listeners[1 << 16]; /* by port */
    happening *heap;
    int heap_count, heap_room;
    uint64_t order;
    int64_t held_until[SIM_HOSTS][SIM_HOSTS];
    int64_t line_free[SIM_HOSTS]; /* when a host's line has sent what it was given, ... */
    int64_t line_in[SIM_HOSTS];   /* ... and has received what was sent to it */
    char gone[SIM_HOSTS];         /* 1: resets, 2: is silent */
    int next_port;
} net = {.next_port = 40000};

int __real_close(int);
int __real_fcntl(int, int, ...);

/* ---- what happens when -------------------------------------------------------------------------
 */

static bool before(const happening *a, const happening *b)
{
    return a->at != b->at ? a->at < b->at : a->order < b->order;
}

static void swap(happening *a, happening *b)
{
    happening c = *a;
    *a = *b;
    *b = c;
}

static void plan(int64_t at, object *who)
{
    if (net.heap_count == net.heap_room) {
        net.heap_room = net.heap_room ? 2 * net.heap_room : 1024;
        net.heap = realloc(net.heap, sizeof *net.heap * (size_t)net.heap_room);
    }
    int i = net.heap_count++;
    net.heap[i] = (happening){at, net.order++, who->fd, who};
    for (; i && before(&net.heap[i], &net.heap[(i - 1) / 2]); i = (i - 1) / 2)
        swap(&net.heap[i], &net.heap[(i - 1) / 2]);
}

static happening take_first(void)
{
    happening first = net.heap[0];
    net.heap[0] = net.heap[--net.heap_count];
    for (int i = 0, child; (child = 2 * i + 1) < net.heap_count; i = child) {
        if (child + 1 < net.heap_count && before(&net.heap[child + 1], &net.heap[child]))
            child++;
        if (!before(&net.heap[child], &net.heap[i]))
            break;
        swap(&net.heap[child], &net.heap[i]);
    }
    return first;
}

int64_t sim_network_next(void)
{
    return net.heap_count ? net.heap[0].at : SIM_NEVER;
}

/* ---- readiness ---------------------------------------------------------------------------------
 */

static bool has_bytes(const object *o)
{
    return o->first && o->first->arrives <= sim_now() &&
           net.held_until[o->peer_host][o->host] <= sim_now();
}

static uint32_t ready(const object *o)
{
    uint32_t events = 0;
    switch (o->kind) {
    case LISTENER:
        return o->waiting_count ? EPOLLIN : 0;
    case EVENT:
        return (o->count ? EPOLLIN : 0) | EPOLLOUT;
    case STREAM:
        if (o->error)
            return EPOLLIN | EPOLLOUT | EPOLLERR | EPOLLHUP;
        if (o->connecting)
            return 0;
        events |= has_bytes(o) || (o->ended && !o->first) ? EPOLLIN : 0;
        events |= o->ended ? EPOLLRDHUP : 0;
        events |= !o->sent_end && o->peer && o->peer->queued < BUFFER_BYTES ? EPOLLOUT : 0;
        return events;
    default:
        return 0;
    }
}

static void touch(object *o)
{
    object *epoll = o->epoll;
    sim_wake(o, -1);         /* who polls it alone */
    sim_wake(&net.heap, -1); /* who polls several */
    if (!epoll)
        return;
    if (!o->listed) {
        if (epoll->maybe_count == epoll->maybe_room) {
            epoll->maybe_room = epoll->maybe_room ? 2 * epoll->maybe_room : 16;
            epoll->maybe = realloc(epoll->maybe, sizeof *epoll->maybe * (size_t)epoll->maybe_room);
        }
        epoll->maybe[epoll->maybe_count++] = o;
        o->listed = true;
    }
    sim_wake(epoll, -1);
}

static void unlist(object *o)
{
    object *epoll = o->epoll;
    for (int i = 0; o->listed && i < epoll->maybe_count; i++)
        if (epoll->maybe[i] == o) {
            epoll->maybe[i] = epoll->maybe[--epoll->maybe_count];
            o->listed = false;
        }
}

void sim_network_deliver(int64_t now)
{
    while (net.heap_count && net.heap[0].at <= now) {
        happening due = take_first();
        object *o = net.of[due.fd];
        if (o != due.who)
            continue;
        int64_t held = o->kind == STREAM ? net.held_until[o->peer_host][o->host] : 0;
        if (held > now) {
            plan(held, o);
            continue;
        }
        if (o->kind == STREAM && o->end_arrives <= now)
            o->ended = true;
        if (o->kind == STREAM && o->connecting && o->peer)
            o->connecting = false;
        touch(o);
    }
}

/* ---- objects -----------------------------------------------------------------------------------
 */

static object *add_object(kind kind, int flags)
{
    int fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (fd < 0 || fd >= DESCRIPTORS)
        sim_fail("no descriptors left");
    object *o = calloc(1, sizeof *o);
    o->kind = kind;
    o->fd = fd;
    o->flags = flags;
    o->last = &o->first;
    o->end_arrives = SIM_NEVER;
    net.of[fd] = o;
    return o;
}

static object *find(int fd)
{
    return fd >= 0 && fd < DESCRIPTORS ? net.of[fd] : NULL;
}

static int64_t travel_ns(int from, size_t bytes)
{
    const sim_options *options = sim_settings();
    int64_t begins = net.line_free[from] > sim_now() ? net.line_free[from] : sim_now();
    net.line_free[from] = begins + (int64_t)bytes * options->byte_ps / 1000;
    return net.line_free[from] + sim_random_ns(options->latency_ns / 10, options->latency_ns);
}

static bool unreachable(const object *o)
{
    return net.gone[o->host] || net.gone[o->peer_host];
}

/* The end of this connection, as the other side learns it; |why| 0: no more bytes. */
static void end_peer(object *o, int why)
{
    object *peer = o->peer;
    if (!peer)
        return;
    o->peer = NULL;
    peer->peer = NULL;
    if (unreachable(o) && net.gone[o->host] == 2)
        return; /* nobody tells */
    if (why) {
        peer->error = why;
        touch(peer);
        return;
    }
    int64_t at = travel_ns(o->host, 0);
    peer->end_arrives = at > peer->last_arrival ? at : peer->last_arrival;
    plan(peer->end_arrives, peer);
}

static void free_segments(object *o)
{
    for (segment *s = o->first, *next; s; s = next) {
        next = s->next;
        free(s);
    }
}

int __wrap_close(int fd)
{
    object *o = find(fd);
    if (!o)
        return __real_close(fd);
    if (o->kind == STREAM)
        end_peer(o, o->first ? ECONNRESET : 0);
    if (o->kind == LISTENER) {
        net.listeners[ntohs(o->local.sin_port)] = NULL;
        for (int i = 0; i < o->waiting_count; i++)
            __wrap_close(o->waiting[i]->fd);
        free(o->waiting);
    }
    if (o->epoll)
        unlist(o);
    if (o->kind == EPOLL) {
        for (int i = 0; i < DESCRIPTORS; i++)
            if (net.of[i] && net.of[i]->epoll == o)
                net.of[i]->epoll = NULL;
        free(o->maybe);
    }
    free_segments(o);
    net.of[fd] = NULL;
    free(o);
    return __real_close(fd);
}

int __wrap_socket(int family, int type, int protocol)
{
    if (family != AF_INET && family != AF_INET6)
        return errno = EAFNOSUPPORT, -1;
    sim_preempt();
    return add_object(NEW_SOCKET, type & SOCK_NONBLOCK ? O_NONBLOCK : 0)->fd;
}

int __wrap_setsockopt(int fd, int level, int name, const void *value, socklen_t length)
{
    return 0;
}

int __wrap_getsockopt(int fd, int level, int name, void *value, socklen_t *length)
{
    object *o = find(fd);
    *(int *)value = o && name == SO_ERROR ? o->error : 0;
    return 0;
}

int __wrap_fcntl(int fd, int command, long argument)
{
    object *o = find(fd);
    if (!o)
        return __real_fcntl(fd, command, argument);
    if (command == F_SETFL)
        o->flags = (int)argument & O_NONBLOCK;
    return command == F_GETFL ? o->flags : 0;
}

static int name_of(const struct sockaddr_in *name, struct sockaddr *out, socklen_t *length)
{
    memcpy(out, name, *length < sizeof *name ? *length : sizeof *name);
    *length = sizeof *name;
    return 0;
}

int __wrap_getsockname(int fd, struct sockaddr *out, socklen_t *length)
{
    object *o = find(fd);
    return o ? name_of(&o->local, out, length) : (errno = EBADF, -1);
}

int __wrap_getpeername(int fd, struct sockaddr *out, socklen_t *length)
{
    object *o = find(fd);
    return o ? name_of(&o->remote, out, length) : (errno = EBADF, -1);
}

int __wrap_bind(int fd, const struct sockaddr *address, socklen_t length)
{
    object *o = find(fd);
    memcpy(&o->local, address, sizeof o->local);
    int port = ntohs(o->local.sin_port);
    if (port && net.listeners[port])
        return errno = EADDRINUSE, -1;
    if (!port)
        o->local.sin_port = htons((uint16_t)net.next_port++);
    return 0;
}

int __wrap_listen(int fd, int backlog)
{
    object *o = find(fd);
    o->kind = LISTENER;
    o->waiting = calloc(BACKLOG, sizeof *o->waiting);
    net.listeners[ntohs(o->local.sin_port)] = o;
    return 0;
}

/* ---- connections -------------------------------------------------------------------------------
 */

void sim_address(int source, int target, int port, char out[32])
{
    snprintf(out, 32, "10.%d.%d.1:%d", source, target, port);
}

static void join(object *a, object *b)
{
    a->peer = b;
    b->peer = a;
    b->kind = STREAM;
    b->local = a->remote;
    b->remote = a->local;
    b->host = a->peer_host;
    b->peer_host = a->host;
}

int __wrap_connect(int fd, const struct sockaddr *address, socklen_t length)
{
    object *o = find(fd);
    memcpy(&o->remote, address, sizeof o->remote);
    uint32_t ip = ntohl(o->remote.sin_addr.s_addr);
    o->kind = STREAM;
    o->host = ip >> 16 & 255;
    o->peer_host = ip >> 8 & 255;
    o->local = (struct sockaddr_in){.sin_family = AF_INET,
                                    .sin_port = htons((uint16_t)(1024 + sim_random(60000))),
                                    .sin_addr.s_addr = htonl(0x0a000001u | (uint32_t)o->host << 8)};
    o->connecting = true;
    object *listener = net.listeners[ntohs(o->remote.sin_port)];
    bool refused = !listener || listener->waiting_count == BACKLOG || net.gone[o->peer_host] == 1 ||
                   net.gone[o->host];
    sim_preempt();
    if (net.gone[o->peer_host] == 2)
        return errno = EINPROGRESS, -1; /* and never more */
    if (refused) {
        o->error = ECONNREFUSED;
        plan(travel_ns(o->host, 0), o);
        return errno = EINPROGRESS, -1;
    }
    object *other = add_object(STREAM, 0);
    join(o, other);
    listener->waiting[listener->waiting_count++] = other;
    plan(travel_ns(o->host, 0), o);
    plan(travel_ns(o->host, 0), listener);
    return errno = EINPROGRESS, -1;
}

int __wrap_accept4(int fd, struct sockaddr *out, socklen_t *length, int flags)
{
    object *o = find(fd);
    sim_preempt();
    if (!o->waiting_count)
        return errno = EAGAIN, -1;
    object *taken = o->waiting[0];
    memmove(o->waiting, o->waiting + 1, sizeof *o->waiting * (size_t)--o->waiting_count);
    taken->flags = flags & SOCK_NONBLOCK ? O_NONBLOCK : 0;
    if (out)
        name_of(&taken->remote, out, length);
    return taken->fd;
}

int __wrap_shutdown(int fd, int how)
{
    object *o = find(fd);
    if (!o || o->kind != STREAM)
        return errno = ENOTCONN, -1;
    if (how != SHUT_RD && !o->sent_end && o->peer) {
        o->sent_end = true;
        int64_t at = travel_ns(o->host, 0);
        o->peer->end_arrives = at > o->peer->last_arrival ? at : o->peer->last_arrival;
        plan(o->peer->end_arrives, o->peer);
    }
    if (how != SHUT_WR)
        o->ended = true;
    touch(o);
    return 0;
}

/* ---- bytes -------------------------------------------------------------------------------------
 */

static void travel(object *to, const struct iovec *from, size_t length)
{
    segment *s = malloc(sizeof *s + length);
    *s = (segment){.length = length};
    size_t at = 0;
    for (; at < length; from++) {
        size_t part = from->iov_len < length - at ? from->iov_len : length - at;
        memcpy(s->bytes + at, from->iov_base, part);
        at += part;
    }
    s->arrives = travel_ns(to->peer_host, length);
    int64_t received = net.line_in[to->host] + (int64_t)length * sim_settings()->byte_ps / 1000;
    if (s->arrives < received)
        s->arrives = received;
    net.line_in[to->host] = s->arrives;
    if (s->arrives < to->last_arrival)
        s->arrives = to->last_arrival;
    to->last_arrival = s->arrives;
    *to->last = s;
    to->last = &s->next;
    to->queued += length;
    sim_event(length);
    plan(s->arrives, to);
}

ssize_t __wrap_sendmsg(int fd, const struct msghdr *message, int flags)
{
    object *o = find(fd);
    sim_preempt();
    if (!o || o->kind != STREAM || o->connecting)
        return errno = ENOTCONN, -1;
    if (o->error)
        return errno = o->error, -1;
    if (o->sent_end || (!o->peer && net.gone[o->peer_host] != 2))
        return errno = EPIPE, -1;
    size_t total = 0;
    for (size_t i = 0; i < message->msg_iovlen; i++)
        total += message->msg_iov[i].iov_len;
    if (!o->peer)
        return (ssize_t)total; /* into nowhere */
    size_t room = o->peer->queued < BUFFER_BYTES ? BUFFER_BYTES - o->peer->queued : 0;
    if (!room)
        return errno = EAGAIN, -1;
    if (total > room)
        total = room;
    if (total > 1 && sim_one_in(8))
        total = 1 + sim_random(total); /* a write may be short */
    travel(o->peer, message->msg_iov, total);
    return (ssize_t)total;
}

ssize_t __wrap_send(int fd, const void *bytes, size_t length, int flags)
{
    struct iovec all = {(void *)bytes, length};
    return __wrap_sendmsg(fd, &(struct msghdr){.msg_iov = &all, .msg_iovlen = 1}, flags);
}

static size_t take_bytes(object *o, char *out, size_t room, bool peek)
{
    size_t taken = 0;
    for (segment *s = o->first; s && taken < room && s->arrives <= sim_now();) {
        size_t part = s->length - s->used < room - taken ? s->length - s->used : room - taken;
        memcpy(out + taken, s->bytes + s->used, part);
        taken += part;
        segment *next = s->next;
        if (!peek) {
            s->used += part;
            o->queued -= part;
        }
        if (!peek && s->used == s->length) {
            o->first = next;
            if (!next)
                o->last = &o->first;
            free(s);
        }
        s = next;
    }
    return taken;
}

ssize_t __wrap_recv(int fd, void *out, size_t room, int flags)
{
    object *o = find(fd);
    sim_preempt();
    if (!o || o->kind != STREAM)
        return errno = ENOTCONN, -1;
    while (!o->error && !o->ended && !has_bytes(o)) {
        if (flags & MSG_DONTWAIT || o->flags & O_NONBLOCK)
            return errno = EAGAIN, -1;
        sim_block(o, "waits for bytes", SIM_NEVER);
    }
    if (o->error)
        return errno = o->error, -1;
    if (!has_bytes(o) && !(o->ended && o->first == NULL))
        return errno = EAGAIN, -1;
    size_t most = sim_one_in(8) && room > 1 ? 1 + sim_random(room) : room; /* a short read */
    size_t taken = take_bytes(o, out, most, flags & MSG_PEEK);
    if (taken && !(flags & MSG_PEEK) && o->peer)
        touch(o->peer); /* there is room again */
    return (ssize_t)taken;
}

ssize_t __wrap_recvmsg(int fd, struct msghdr *message, int flags)
{
    ssize_t total = 0;
    for (size_t i = 0; i < message->msg_iovlen; i++) {
        ssize_t got = __wrap_recv(fd, message->msg_iov[i].iov_base, message->msg_iov[i].iov_len,
                                  flags | (total ? MSG_DONTWAIT : 0));
        if (got <= 0)
            return total ? total : got;
        total += got;
        if ((size_t)got < message->msg_iov[i].iov_len)
            break;
    }
    return total;
}

/* ---- events, epoll, poll ------------------------------------------------------------------------
 */

int __wrap_eventfd(unsigned initial, int flags)
{
    object *o = add_object(EVENT, O_NONBLOCK);
    o->count = initial;
    return o->fd;
}

int __wrap_eventfd_write(int fd, eventfd_t value)
{
    object *o = find(fd);
    if (!o)
        return errno = EBADF, -1;
    o->count += value;
    touch(o);
    sim_preempt();
    return 0;
}

int __wrap_eventfd_read(int fd, eventfd_t *out_value)
{
    object *o = find(fd);
    if (!o || !o->count)
        return errno = EAGAIN, -1;
    *out_value = o->count;
    o->count = 0;
    return 0;
}

int __wrap_epoll_create1(int flags)
{
    return add_object(EPOLL, 0)->fd;
}

int __wrap_epoll_ctl(int fd, int operation, int target, struct epoll_event *event)
{
    object *epoll = find(fd), *o = find(target);
    sim_preempt();
    if (!epoll || !o)
        return errno = EBADF, -1;
    if (operation == EPOLL_CTL_DEL) {
        unlist(o);
        o->epoll = NULL;
        return 0;
    }
    o->epoll = epoll;
    o->interest = *event;
    touch(o);
    return 0;
}

static int collect(object *epoll, struct epoll_event *out, int most)
{
    int count = 0;
    for (int i = 0; i < epoll->maybe_count; i++) {
        object *o = epoll->maybe[i];
        uint32_t events = ready(o) & (o->interest.events | EPOLLERR | EPOLLHUP);
        if (events && count < most)
            out[count++] = (struct epoll_event){events, o->interest.data};
        if (!events || o->interest.events & EPOLLET) { /* what is told once is told when touched */
            o->listed = false;
            epoll->maybe[i--] = epoll->maybe[--epoll->maybe_count];
        }
    }
    for (int i = count; i > 1; i--) { /* in any order */
        int other = (int)sim_random((uint64_t)i);
        struct epoll_event swapped = out[i - 1];
        out[i - 1] = out[other];
        out[other] = swapped;
    }
    return count;
}

int __wrap_epoll_wait(int fd, struct epoll_event *out, int most, int timeout_ms)
{
    object *epoll = find(fd);
    int64_t deadline = timeout_ms < 0 ? SIM_NEVER : sim_now() + timeout_ms * SIM_MS;
    sim_preempt();
    for (;;) {
        int count = collect(epoll, out, most);
        if (count || sim_now() >= deadline)
            return count;
        sim_block(epoll, "waits for sockets", deadline);
    }
}

static int poll_now(struct pollfd *polled, nfds_t count)
{
    int total = 0;
    for (nfds_t i = 0; i < count; i++) {
        object *o = find(polled[i].fd);
        uint32_t events = o ? ready(o) : 0; /* EPOLLIN and POLLIN are the same numbers */
        polled[i].revents = (short)(events & ((uint32_t)polled[i].events | POLLERR | POLLHUP));
        total += polled[i].revents != 0;
    }
    return total;
}

int __wrap_poll(struct pollfd *polled, nfds_t count, int timeout_ms)
{
    int64_t deadline = timeout_ms < 0 ? SIM_NEVER : sim_now() + timeout_ms * SIM_MS;
    for (;;) {
        int total = poll_now(polled, count);
        if (total || sim_now() >= deadline)
            return total;
        sim_block(count == 1 ? (void *)find(polled[0].fd) : (void *)&net.heap, "polls", deadline);
    }
}

/* ---- faults ------------------------------------------------------------------------------------
 */

static bool between(const object *o, int a, int b)
{
    return o->kind == STREAM &&
           ((o->host == a && o->peer_host == b) || (o->host == b && o->peer_host == a));
}

void sim_cut(int a, int b)
{
    for (int i = 0; i < DESCRIPTORS; i++)
        if (net.of[i] && between(net.of[i], a, b) && !net.of[i]->error) {
            net.of[i]->peer = NULL;
            net.of[i]->error = ECONNRESET;
            touch(net.of[i]);
        }
}

void sim_hold(int a, int b, int64_t until)
{
    net.held_until[a][b] = net.held_until[b][a] = until;
}

void sim_isolate(int host, bool silent)
{
    net.gone[host] = silent ? 2 : 1;
    for (int i = 0; i < DESCRIPTORS; i++) {
        object *o = net.of[i];
        if (!o || o->kind != STREAM || (o->host != host && o->peer_host != host))
            continue;
        o->peer = NULL;
        if (o->host == host || !silent) {
            o->error = ECONNRESET;
            touch(o);
        }
    }
}

void sim_rejoin(int host)
{
    net.gone[host] = 0;
}

int sim_open_sockets(int host)
{
    int count = 0;
    for (int i = 0; i < DESCRIPTORS; i++)
        count += net.of[i] && net.of[i]->kind == STREAM && net.of[i]->host == host;
    return count;
}
