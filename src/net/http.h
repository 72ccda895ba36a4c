/* net/http.h - HTTP/1.1 on the gRPC port: requests for a site, answered on other threads.
 *
 * The parser is pure: bytes in, one request out. It is strict: lines end with CR LF, heads
 * have limits, and a request has no body. A rejected request comes with the status of its
 * response.
 */
#ifndef WEIR_NET_HTTP_H
#define WEIR_NET_HTTP_H

#include "base/str.h"

enum {
    WEIR_HTTP_HEAD_BYTES = 8 << 10, /* of a request's head */
    WEIR_HTTP_HEADERS = 64,
};

/* A request; views of the parser's bytes. */
typedef struct weir_http_request {
    weir_str method, path, query; /* "/api/steps", "since=3"; not decoded */
    weir_str host;                /* as sent, with its port */
    bool keep_alive;
} weir_http_request;

typedef struct weir_http_parser {
    weir_buf head; /* the bytes so far */
    size_t seen;   /* of them, already searched for the end */
} weir_http_parser;

typedef enum weir_http_state { WEIR_HTTP_MORE, WEIR_HTTP_WHOLE, WEIR_HTTP_BAD } weir_http_state;

void weir_http_parser_fini(weir_http_parser *parser);
/* Consumes bytes up to the end of a head. |out_used|: their number. WHOLE: |out| is set and valid
 * until the parser is used again; BAD: |out_status| is the response. */
weir_http_state weir_http_feed(weir_http_parser *parser, const char *bytes, size_t count,
                               size_t *out_used, weir_http_request *out, int *out_status);
/* Starts the next request. */
void weir_http_next(weir_http_parser *parser);
/* The value of |name| in a query, with %XX and + decoded; false: missing or malformed. */
bool weir_http_query(weir_str query, const char *name, weir_buf *out);
/* The reason phrase of a status. */
const char *weir_http_reason(int status);

/* ---- a site -----------------------------------------------------------------------------------
 */

typedef struct weir_http_reply {
    int status;         /* 200 unless set */
    const char *type;   /* of the body; text/plain unless set */
    const char *policy; /* Content-Security-Policy; null: blocks everything */
    char nonce[24];     /* allowed by the policy's last directive as well; "": none */
    weir_buf body;
    bool stream; /* the body begins an event stream; |weir_http_site.next| supplies the rest */
} weir_http_reply;

typedef struct weir_http_site {
    /* Answers on a thread that may block. */
    void (*answer)(void *ctx, const weir_http_request *request, weir_http_reply *reply);
    /* Appends the events since |cursor|, which is 0 at first, to a stream that began at |path|. It
     * must not block. */
    void (*next)(void *ctx, int64_t *cursor, weir_buf *out);
    void *ctx;
} weir_http_site;

#endif
