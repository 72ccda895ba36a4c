/* net/h2_impl.h - one HTTP/2 connection: a socket, nghttp2's session and the send queue.
 *
 * Used by client and server. Its owner embeds it as the first field, receives it as the user data
 * of nghttp2's callbacks, and locks it: one thread at a time.
 */
#ifndef WEIR_NET_H2_IMPL_H
#define WEIR_NET_H2_IMPL_H

#include <nghttp2/nghttp2.h>

#include "base/mem.h"
#include "net/message_impl.h"
#include "net/source_impl.h"

/* A run of bytes to be sent. */
typedef struct weir_h2_piece {
    const char *at; /* null: at |offset| of the staged bytes */
    size_t offset, length;
    weir_ref *hold; /* keeps |at| alive; null for staged bytes */
} weir_h2_piece;

typedef struct weir_h2 {
    int fd, epoll;
    weir_source *source; /* the epoll event's data */
    nghttp2_session *session;
    bool wants_write;              /* the socket is full, or a flush is pending */
    bool read_elsewhere;           /* epoll watches only for the connection's end */
    weir_buf staged;               /* small pieces, copied */
    WEIR_VEC(weir_h2_piece) queue; /* in order; [0, written) are done */
    size_t written, queued_bytes;
    uint64_t sent_bytes;    /* in total */
    WEIR_VEC(int32_t) line; /* streams of large messages, in order of sending */
    bool line_moved;        /* its first one changed, nghttp2 has not been notified */
    size_t frame_left;      /* bytes left of the current DATA frame */
    uint8_t *direct;        /* destination of the next bytes from the socket */
    size_t direct_room;     /* how many go there; 0: into the buffer */
    int64_t flushed_ns;     /* time of the last write */
} weir_h2;

nghttp2_session_callbacks *weir_h2_callbacks(void); /* common to both ends; null: no memory */
/* Takes over |callbacks|, which may be null. Sends the settings first. False: out of memory, see
 * errno. */
bool weir_h2_init(weir_h2 *h2, bool server, nghttp2_session_callbacks *callbacks, int fd, int epoll,
                  weir_source *source);
void weir_h2_fini(weir_h2 *h2); /* closes the socket; fd -1: unused */

/* nghttp2's source of a message: .source.ptr is a weir_outgoing that outlives the stream. */
nghttp2_data_provider weir_h2_body(weir_outgoing *outgoing);
/* The stream was closed: the messages queued after its message may be sent. */
void weir_h2_leave_line(weir_h2 *h2, int32_t stream);
nghttp2_nv weir_h2_header(const char *name, weir_str value);

/* A status as header values: grpc-status, message and details. */
typedef struct weir_h2_status {
    char number[12];
    weir_buf values; /* the text, then the details */
    nghttp2_nv nv[3];
    size_t count;
} weir_h2_status;

void weir_h2_status_init(weir_h2_status *headers, weir_status status);
void weir_h2_status_fini(weir_h2_status *headers);

/* A server announces support for streams by this setting, a client starts one by this header. The
 * value of either is the largest message that it wants to receive, in bytes. */
enum { WEIR_H2_SETTINGS_STREAMS = 0x7765 };
#define WEIR_STREAM_HEADER "weir-stream"
/* A Weir process identifies itself by a random number, so that its connections are recognised as
 * one client's. */
#define WEIR_CLIENT_HEADER "weir-client"
enum { WEIR_H2_MESSAGE_LIMIT = 1 << 20 }; /* bytes of a message; larger ones delay the others */
/* This process's limit (weir_stream_accept), and the limit for a peer that wants |wish|. */
size_t weir_h2_message_wish(void);
static inline size_t weir_h2_message_limit(uint64_t wish)
{
    return wish < WEIR_H2_MESSAGE_LIMIT ? (size_t)wish : WEIR_H2_MESSAGE_LIMIT;
}

/* Writes the queue; the rest when the socket is writable. False: the connection has
 * ended. */
bool weir_h2_flush(weir_h2 *h2);
/* The same after |bytes| were submitted. Small messages that follow each other within microseconds
 * are left to the I/O thread, which writes them together. */
bool weir_h2_flush_soon(weir_h2 *h2, size_t bytes);
/* Whether a waiting thread reads the connection instead of the I/O thread. */
void weir_h2_read_elsewhere(weir_h2 *h2, bool elsewhere);
/* Whether so few bytes may be delayed for batching. */
bool weir_h2_may_wait(size_t bytes);
/* Reads once, into |buffer| of H2_READ_BUFFER bytes, and feeds nghttp2. |out_count|: bytes read,
 * may be 0. |out_more|: more may be available. False: the connection has ended; errno has the cause
 * (0: closed by the peer). */
bool weir_h2_read(weir_h2 *h2, uint8_t *buffer, size_t *out_count, bool *out_more);
/* Called for every chunk of a body. The rest of its frame is then received directly into |to|,
 * which has |room| bytes, and delivered from there. */
void weir_h2_expect(weir_h2 *h2, size_t chunk, uint8_t *to, size_t room);
/* The memory given to weir_h2_expect becomes invalid. */
static inline void weir_h2_expect_nothing(weir_h2 *h2)
{
    h2->direct_room = 0;
}
enum { H2_READ_BUFFER = 1 << 18 };

/* TCP_NODELAY, and TCP's own keep-alive. */
void weir_h2_tune(int fd);

#endif
