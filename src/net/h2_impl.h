/* net/h2_impl.h - one HTTP/2 connection: a socket, nghttp2's session and the queue for writing.
 *
 * Both ends use it. Its owner embeds it as the first field, gets it as the user data of nghttp2's
 * callbacks, and guards it: one thread at a time.
 */
#ifndef WEIR_NET_H2_IMPL_H
#define WEIR_NET_H2_IMPL_H

#include <nghttp2/nghttp2.h>

#include "base/mem.h"
#include "net/message_impl.h"
#include "net/source_impl.h"

/* A run of bytes for the socket. */
typedef struct weir_h2_piece {
    const char *at; /* null: at |offset| of the staged bytes */
    size_t offset, length;
    weir_ref *hold; /* what keeps |at|; null for staged bytes */
} weir_h2_piece;

typedef struct weir_h2 {
    int fd, epoll;
    weir_source *source; /* the epoll event's data */
    nghttp2_session *session;
    bool wants_write;              /* the socket is full, or a flush is due */
    bool read_elsewhere;           /* epoll watches for the connection's end, not for bytes */
    weir_buf staged;               /* small pieces, copied */
    WEIR_VEC(weir_h2_piece) queue; /* in order; [0, written) are done */
    size_t written, queued_bytes;
    uint64_t sent_bytes;    /* ever */
    WEIR_VEC(int32_t) line; /* streams of large messages, the one that is sent first */
    bool line_moved;        /* it is another one, which nghttp2 has not heard of */
    size_t frame_left;      /* bytes of the body's frame that is being read */
    uint8_t *direct;        /* where the next bytes from the socket belong */
    size_t direct_room;     /* how many of them do; 0: into the buffer */
    int64_t flushed_ns;     /* when something was last written */
} weir_h2;

nghttp2_session_callbacks *weir_h2_callbacks(void); /* those of both ends; null: no memory */
/* |callbacks| are freed here; they may be null. The settings are sent first. False: there is no
 * memory, errno says so. */
bool weir_h2_init(weir_h2 *h2, bool server, nghttp2_session_callbacks *callbacks, int fd, int epoll,
                  weir_source *source);
void weir_h2_fini(weir_h2 *h2); /* closes the socket; takes an unused one, with fd -1 */

/* What nghttp2 reads a message from: .source.ptr is a weir_outgoing that outlives the stream. */
nghttp2_data_provider weir_h2_body(weir_outgoing *outgoing);
/* The stream was closed: the messages behind its one need not wait for it. */
void weir_h2_leave_line(weir_h2 *h2, int32_t stream);
nghttp2_nv weir_h2_header(const char *name, weir_str value);

/* A status as header values: grpc-status and what belongs to it. */
typedef struct weir_h2_status {
    char number[12];
    weir_buf values; /* the text, then the details */
    nghttp2_nv nv[3];
    size_t count;
} weir_h2_status;

void weir_h2_status_init(weir_h2_status *headers, weir_status status);
void weir_h2_status_fini(weir_h2_status *headers);

/* A server that supports streams says so by this setting, a client starts one by this header. The
 * value of either is the largest message that it wants to receive, in bytes. */
enum { WEIR_H2_SETTINGS_STREAMS = 0x7765 };
#define WEIR_STREAM_HEADER "weir-stream"
/* A process of Weir's names itself by a random number, so that its connections are known as one
 * client's. */
#define WEIR_CLIENT_HEADER "weir-client"
enum { WEIR_H2_MESSAGE_LIMIT = 1 << 20 }; /* bytes of a message; larger ones delay the others */
/* What this process wants (weir_stream_accept), and what may be sent to one that wants |wish|. */
size_t weir_h2_message_wish(void);
static inline size_t weir_h2_message_limit(uint64_t wish)
{
    return wish < WEIR_H2_MESSAGE_LIMIT ? (size_t)wish : WEIR_H2_MESSAGE_LIMIT;
}

/* Writes what there is to write; the rest when the socket accepts it. False: the connection is
 * over. */
bool weir_h2_flush(weir_h2 *h2);
/* The same after |bytes| were submitted. Small messages that follow each other within microseconds
 * are left to the I/O thread, which writes all that is queued by then. */
bool weir_h2_flush_soon(weir_h2 *h2, size_t bytes);
/* Whether a thread that waits reads the connection, in place of the I/O thread. */
void weir_h2_read_elsewhere(weir_h2 *h2, bool elsewhere);
/* Whether so few bytes may wait a little for others. */
bool weir_h2_may_wait(size_t bytes);
/* Reads once, into |buffer| of H2_READ_BUFFER bytes, and feeds nghttp2. |out_count|: bytes read, 0
 * when there were none. |out_more|: there may be more. False: the connection is over, errno says
 * why (0: the peer closed). */
bool weir_h2_read(weir_h2 *h2, uint8_t *buffer, size_t *out_count, bool *out_more);
/* To be called for every chunk of a body. The rest of its frame is then read straight to |to|,
 * where |room| bytes are free for it, and handed over from there. */
void weir_h2_expect(weir_h2 *h2, size_t chunk, uint8_t *to, size_t room);
/* The memory given to weir_h2_expect is gone. */
static inline void weir_h2_expect_nothing(weir_h2 *h2)
{
    h2->direct_room = 0;
}
enum { H2_READ_BUFFER = 1 << 18 };

/* TCP_NODELAY, and TCP's own keep-alive. */
void weir_h2_tune(int fd);

#endif
