/* fuzz/net.c - any bytes as what a peer may send. The first byte says where they go: into header
 * values, into a message or the messages of a stream by pieces, into the ring of a shm transport,
 * into a server's socket. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/arith.h"
#include "net/grpc_impl.h"
#include "net/rpc.h"
#include "net/shm_impl.h"

enum { LENT = 1 << 16 };

static void read_headers(weir_str s)
{
    weir_buf out = {0};
    weir_grpc_parse_timeout(s);
    weir_grpc_unescape(s, &out);
    weir_grpc_parse_details(s);
    weir_buf_fini(&out);
}

static size_t payload_offset(weir_str first)
{
    return first.length < 3 ? SIZE_MAX : (uint8_t)first.at[1];
}

/* What a stream's messages are made of: their label, then their payload in place or in pieces. */
static weir_status take_labelled(weir_incoming *in, const uint8_t *data, size_t size)
{
    while (size) {
        size_t taken;
        WEIR_TRY(weir_incoming_take(in, data, size, &taken));
        data += taken;
        size -= taken;
        if (!weir_incoming_whole(in)) {
            if (in->compressed)
                return weir_error_text(WEIR_UNIMPLEMENTED, "", 0);
            continue;
        }
        weir_buf label = {0};
        bool answer;
        weir_incoming_label(&in->message, &answer, &label);
        weir_buf_fini(&label);
        weir_incoming_fini(in);
        *in = (weir_incoming){.labelled = true, .payload_offset = payload_offset};
    }
    return WEIR_OK;
}

/* |data| in pieces, then zeros to the end of the last message, where that is not far: messages that
 * are split are longer than inputs. */
static void read_stream(const uint8_t *data, size_t size)
{
    enum { MOST_ZEROS = 1 << 16, PIECE = 1000 };
    static const uint8_t zeros[PIECE];
    weir_incoming in = {.labelled = true, .payload_offset = payload_offset};
    weir_status status = WEIR_OK;
    for (size_t at = 0, piece; at < size && !status; at += piece) {
        piece = weir_min(data[at] % 31u + 1, size - at);
        status = take_labelled(&in, data + at, piece);
    }
    while (!status && in.have >= GRPC_PREFIX && in.length < MOST_ZEROS)
        status = take_labelled(&in, zeros, weir_min(GRPC_PREFIX + in.length - in.have, PIECE));
    weir_status_free(status);
    weir_incoming_fini(&in);
}

static void read_message(const uint8_t *data, size_t size)
{
    weir_incoming in = {.payload_offset = size & 1 ? payload_offset : NULL};
    weir_status s = WEIR_OK;
    for (size_t at = 0, n; at < size && !s; at += n) {
        n = data[at] % 7u + 1;
        n = n < size - at ? n : size - at;
        s = weir_incoming_add(&in, data + at, n);
    }
    weir_status_free(s);
    weir_incoming_fini(&in);
}

static int sealed(size_t bytes)
{
    int fd = memfd_create("fuzz", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (ftruncate(fd, (off_t)bytes) != 0 || fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK) != 0)
        abort();
    return fd;
}

/* The other end has written |data| into the ring, and says that it is |size| bytes. */
static void read_shm(const uint8_t *data, size_t size)
{
    void *rings =
        mmap(NULL, 2 * RING_SPAN, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    weir_shm *r = weir_shm_create(rings, false, eventfd(0, EFD_NONBLOCK), eventfd(0, EFD_NONBLOCK),
                                  sealed(LENT), LENT);
    size = size < RING_BYTES ? size & ~(size_t)7 : RING_BYTES;
    memcpy(r->in.data, data, size);
    atomic_store(&r->in.shared->head, size);
    weir_shm_frame p;
    bool broken = false;
    while (!broken && weir_shm_receive(r, &p, &broken)) {
        weir_status_free(weir_rpc_message_split(&p.message, payload_offset));
        weir_shm_frame_fini(&p);
    }
    weir_shm_go_idle(r, RING_WAKE_BY_EVENT);
    weir_ref_release(&r->ref);
}

static void echo(weir_rpc *call, void *ctx)
{
    weir_str r = weir_rpc_request(call);
    weir_buf out = {0};
    weir_buf_add(&out, r.at, r.length);
    weir_rpc_reply(call, &out);
}

static void read_connection(const uint8_t *data, size_t size)
{
    static const weir_rpc_method methods[] = {{"/t/E", echo, .quick = true}};
    static const char preface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0";
    static weir_rpc_server *server;
    if (!server)
        weir_status_free(
            weir_rpc_listen(&(weir_rpc_options){.methods = methods, .method_count = 1}, &server));
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)weir_rpc_port(server)),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    char answer[4096];
    if (connect(fd, (struct sockaddr *)&to, sizeof to) == 0 &&
        send(fd, preface, sizeof preface - 1, MSG_NOSIGNAL) > 0 &&
        send(fd, data, size, MSG_NOSIGNAL) >= 0) {
        shutdown(fd, SHUT_WR);
        while (recv(fd, answer, sizeof answer, 0) > 0)
            ;
    }
    close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size)
        return 0;
    uint8_t first = *data++, where = first % 4;
    size--;
    if (where == 0)
        read_headers((weir_str){(const char *)data, size});
    else if (where == 1 && first & 4)
        read_stream(data, size);
    else if (where == 1)
        read_message(data, size);
    else if (where == 2)
        read_shm(data, size);
    else
        read_connection(data, size);
    return 0;
}
