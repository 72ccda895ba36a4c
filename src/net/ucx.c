/* net/ucx.c - UCX: one worker, and the one thread that uses it.
 *
 * A payload is an active message whose header is its id; it uses the rendezvous protocol, so that
 * it is transferred when the receiver has allocated its buffer. If the receiver rejects it, the
 * sender completes as well.
 */
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <ucp/api/ucp.h>

#include "base/clock.h"
#include "base/dl.h"
#include "base/mem.h"
#include "base/mutex.h"
#include "net/message_impl.h"
#include "net/payloads_impl.h"
#include "net/ucx_impl.h"

enum {
    PAYLOAD_MESSAGE = 1, /* the active message's id */
    ROUNDS = 256,        /* of progress before commands are processed */
    CLOSING_NS = 500000000,
};

/* ---- the library ---------------------------------------------------------------------------- */

#define FUNCTIONS(X)                                                                               \
    X(ucp_get_version)                                                                             \
    X(ucp_cleanup)                                                                                 \
    X(ucp_worker_destroy)                                                                          \
    X(ucp_config_read)                                                                             \
    X(ucp_config_release)                                                                          \
    X(ucp_init_version)                                                                            \
    X(ucp_worker_create)                                                                           \
    X(ucp_worker_get_address)                                                                      \
    X(ucp_worker_release_address)                                                                  \
    X(ucp_worker_get_efd)                                                                          \
    X(ucp_worker_arm)                                                                              \
    X(ucp_worker_progress)                                                                         \
    X(ucp_worker_set_am_recv_handler)                                                              \
    X(ucp_am_recv_data_nbx)                                                                        \
    X(ucp_am_send_nbx)                                                                             \
    X(ucp_ep_create)                                                                               \
    X(ucp_ep_close_nbx)                                                                            \
    X(ucp_request_free)                                                                            \
    X(ucs_status_string)

#define SLOT(name) static typeof(name) *p_##name;
FUNCTIONS(SLOT)
#define SYMBOL(name) {#name, (void **)&p_##name},
static const weir_dl_symbol symbols[] = {FUNCTIONS(SYMBOL)};

/* ---- state ---------------------------------------------------------------------------------- */

struct weir_ucx_peer {
    atomic_bool broken; /* the rest: UCX's thread only */
    weir_buf address;
    ucp_ep_h ep;
    bool closed;
    bool works;  /* a payload has arrived there */
    int pending; /* operations in progress */
    void (*on_broken)(weir_ref *owner);
    weir_ref *owner;
};

/* A payload that is being sent or received. */
typedef struct ucx_transfer {
    weir_ucx_peer *peer; /* null: it is being received */
    uint64_t id;
    weir_buffer *payload;
    size_t at, bytes;
} ucx_transfer;

typedef struct ucx_command {
    void (*run)(weir_ucx_peer *peer, ucx_transfer *transfer);
    weir_ucx_peer *peer;
    ucx_transfer *t;
} ucx_command;

static struct {
    ucp_context_h context;
    ucp_worker_h worker;
    weir_buf address;
    unsigned version;
    int events, wake;
    pthread_t thread;
    int closing; /* endpoints being closed; UCX's thread only */
    weir_mutex lock;
    weir_cond told;
    bool tried WEIR_GUARDED_BY(lock), started WEIR_GUARDED_BY(lock), over WEIR_GUARDED_BY(lock);
    WEIR_VEC(ucx_command) commands WEIR_GUARDED_BY(lock);
} ucx = {.lock = WEIR_MUTEX_INIT, .told = WEIR_COND_INIT};
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void post(ucx_command command)
{
    weir_mutex_lock(&ucx.lock);
    bool first = ucx.commands.count == 0;
    weir_vec_push(&ucx.commands, command);
    weir_mutex_unlock(&ucx.lock);
    if (first)
        eventfd_write(ucx.wake, 1);
}

/* ---- sending -------------------------------------------------------------------------------- */

static void free_if_done(weir_ucx_peer *peer)
{
    if (!peer->closed || peer->pending)
        return;
    weir_ref_release(peer->owner);
    weir_buf_fini(&peer->address);
    weir_free(peer);
}

static void sent(ucx_transfer *transfer, ucs_status_t status)
{
    weir_ucx_peer *peer = transfer->peer;
    weir_buffer_release(transfer->payload);
    weir_free(transfer);
    peer->pending--;
    if (status == UCS_OK) {
        peer->works = true;
    } else {
        atomic_store(&peer->broken, true);
        if (peer->works && !peer->closed)
            peer->on_broken(peer->owner);
    }
    free_if_done(peer);
}

static void on_sent(void *request, ucs_status_t status, void *arg)
{
    p_ucp_request_free(request);
    sent(arg, status);
}

static void send_payload(weir_ucx_peer *peer, ucx_transfer *transfer)
{
    peer->pending++;
    if (!peer->ep) {
        sent(transfer, UCS_ERR_UNREACHABLE);
        return;
    }
    ucp_request_param_t param = {.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK |
                                                 UCP_OP_ATTR_FIELD_USER_DATA |
                                                 UCP_OP_ATTR_FIELD_FLAGS,
                                 .flags = UCP_AM_SEND_FLAG_RNDV,
                                 .cb.send = on_sent,
                                 .user_data = transfer};
    void *request =
        p_ucp_am_send_nbx(peer->ep, PAYLOAD_MESSAGE, &transfer->id, sizeof transfer->id,
                          (char *)transfer->payload->data + transfer->at, transfer->bytes, &param);
    if (!UCS_PTR_IS_PTR(request))
        sent(transfer, UCS_PTR_STATUS(request));
}

static void on_error(void *arg, ucp_ep_h ep, ucs_status_t status)
{
    atomic_store(&((weir_ucx_peer *)arg)->broken, true);
}

static void connect_peer(weir_ucx_peer *peer, ucx_transfer *none)
{
    ucp_ep_params_t params = {.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS |
                                            UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE |
                                            UCP_EP_PARAM_FIELD_ERR_HANDLER,
                              .address = (const ucp_address_t *)peer->address.at,
                              .err_mode = UCP_ERR_HANDLING_MODE_PEER,
                              .err_handler = {on_error, peer}};
    if (p_ucp_ep_create(ucx.worker, &params, &peer->ep) != UCS_OK) {
        peer->ep = NULL;
        atomic_store(&peer->broken, true);
    }
}

static void on_closed(void *request, ucs_status_t status, void *arg)
{
    weir_ucx_peer *peer = arg;
    p_ucp_request_free(request);
    ucx.closing--;
    peer->pending--;
    free_if_done(peer);
}

static void close_peer(weir_ucx_peer *peer, ucx_transfer *none)
{
    ucp_request_param_t param = {.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK |
                                                 UCP_OP_ATTR_FIELD_USER_DATA |
                                                 UCP_OP_ATTR_FIELD_FLAGS,
                                 .flags = UCP_EP_CLOSE_FLAG_FORCE,
                                 .cb.send = on_closed,
                                 .user_data = peer};
    peer->closed = true;
    peer->pending++;
    ucx.closing++;
    void *request = peer->ep ? p_ucp_ep_close_nbx(peer->ep, &param) : NULL;
    if (UCS_PTR_IS_PTR(request))
        return;
    ucx.closing--;
    peer->pending--;
    free_if_done(peer);
}

weir_ucx_peer *weir_ucx_connect(weir_str address, void (*broken)(weir_ref *owner), weir_ref *owner)
{
    weir_ucx_peer *peer = WEIR_NEW(weir_ucx_peer);
    weir_buf_add(&peer->address, address.at, address.length);
    weir_ref_retain(owner);
    peer->on_broken = broken;
    peer->owner = owner;
    post((ucx_command){connect_peer, peer});
    return peer;
}

bool weir_ucx_send(weir_ucx_peer *peer, uint64_t id, weir_buffer *payload, size_t at, size_t bytes)
{
    if (atomic_load(&peer->broken))
        return false;
    ucx_transfer *new_transfer = WEIR_NEW(ucx_transfer);
    *new_transfer = (ucx_transfer){peer, id, weir_buffer_retain(payload), at, bytes};
    post((ucx_command){send_payload, peer, new_transfer});
    return true;
}

void weir_ucx_close(weir_ucx_peer *peer)
{
    if (peer)
        post((ucx_command){close_peer, peer});
}

/* ---- receiving ------------------------------------------------------------------------------ */

static void received(ucx_transfer *transfer, ucs_status_t status)
{
    if (status == UCS_OK) {
        weir_payload_deliver(transfer->id, WEIR_OK, transfer->payload, transfer->bytes);
    } else {
        weir_buffer_release(transfer->payload);
        weir_payload_deliver(transfer->id,
                             weir_error(WEIR_UNAVAILABLE, "UCX: %s", p_ucs_status_string(status)),
                             NULL, 0);
    }
    weir_free(transfer);
}

static void on_received(void *request, ucs_status_t status, size_t length, void *arg)
{
    ucx_transfer *transfer = arg;
    p_ucp_request_free(request);
    received(transfer,
             status == UCS_OK && length != transfer->bytes ? UCS_ERR_MESSAGE_TRUNCATED : status);
}

static void receive_payload(ucx_transfer *transfer, void *description)
{
    ucp_request_param_t param = {.op_attr_mask =
                                     UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA,
                                 .cb.recv_am = on_received,
                                 .user_data = transfer};
    void *request = p_ucp_am_recv_data_nbx(ucx.worker, description, transfer->payload->data,
                                           transfer->bytes, &param);
    if (!UCS_PTR_IS_PTR(request))
        received(transfer, UCS_PTR_STATUS(request));
}

/* Rejects payloads that are not expected, too large or not sent by rendezvous. */
static ucs_status_t on_payload(void *arg, const void *header, size_t header_length, void *data,
                               size_t length, const ucp_am_recv_param_t *param)
{
    uint64_t id;
    weir_buffer *payload;
    if (header_length != sizeof id || !(param->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV) ||
        length == 0 || length > MAX_MESSAGE_BYTES)
        return UCS_OK;
    memcpy(&id, header, sizeof id);
    if (!weir_payload_claim(id))
        return UCS_OK;
    weir_status status = weir_buffer_alloc(length, &payload);
    if (status) {
        weir_payload_deliver(id, status, NULL, 0);
        return UCS_OK;
    }
    ucx_transfer *new_transfer = WEIR_NEW(ucx_transfer);
    *new_transfer = (ucx_transfer){NULL, id, payload, 0, length};
    receive_payload(new_transfer, data);
    return UCS_INPROGRESS;
}

/* ---- the thread ----------------------------------------------------------------------------- */

static bool make_context(void)
{
    unsigned major, minor, release;
    ucp_config_t *config;
    ucp_params_t params = {.field_mask = UCP_PARAM_FIELD_FEATURES,
                           .features = UCP_FEATURE_AM | UCP_FEATURE_WAKEUP};
    p_ucp_get_version(&major, &minor, &release);
    ucx.version = major << 16 | minor;
    if (p_ucp_config_read(NULL, NULL, &config) != UCS_OK)
        return false;
    ucs_status_t status =
        p_ucp_init_version(UCP_API_MAJOR, UCP_API_MINOR, &params, config, &ucx.context);
    p_ucp_config_release(config);
    return status == UCS_OK;
}

static bool make_worker(void)
{
    ucp_worker_params_t params = {.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE,
                                  .thread_mode = UCS_THREAD_MODE_SINGLE};
    ucp_am_handler_param_t handler = {.field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID |
                                                    UCP_AM_HANDLER_PARAM_FIELD_CB,
                                      .id = PAYLOAD_MESSAGE,
                                      .cb = on_payload};
    ucp_address_t *address;
    size_t length;
    if (p_ucp_worker_create(ucx.context, &params, &ucx.worker) != UCS_OK ||
        p_ucp_worker_set_am_recv_handler(ucx.worker, &handler) != UCS_OK ||
        p_ucp_worker_get_efd(ucx.worker, &ucx.events) != UCS_OK ||
        p_ucp_worker_get_address(ucx.worker, &address, &length) != UCS_OK)
        return false;
    weir_buf_add(&ucx.address, address, length);
    p_ucp_worker_release_address(ucx.worker, address);
    return length <= WEIR_UCX_MAX_ADDRESS;
}

static bool make(void)
{
    static const char *const names[] = {"libucp.so.0", NULL};
    ucx.wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    return ucx.wake >= 0 && weir_dl_open(names, symbols, sizeof symbols / sizeof *symbols) &&
           make_context() && make_worker();
}

/* False: the process is exiting. */
static bool run_commands(void)
{
    eventfd_t count;
    eventfd_read(ucx.wake, &count);
    weir_mutex_lock(&ucx.lock);
    ucx_command *list = ucx.commands.at;
    size_t total = ucx.commands.count;
    ucx.commands.at = NULL;
    ucx.commands.count = ucx.commands.room = 0;
    bool over = ucx.over;
    weir_mutex_unlock(&ucx.lock);
    for (size_t i = 0; i < total; i++)
        list[i].run(list[i].peer, list[i].t);
    weir_free(list);
    return !over;
}

/* Closes the remaining endpoints on exit, with a short time limit. */
static void finish_closing(void)
{
    int64_t until = weir_now_ns() + CLOSING_NS;
    while (ucx.closing && weir_now_ns() < until)
        p_ucp_worker_progress(ucx.worker);
    p_ucp_worker_destroy(ucx.worker);
    p_ucp_cleanup(ucx.context);
}

static void *run(void *arg)
{
    bool made = make();
    weir_mutex_lock(&ucx.lock);
    ucx.tried = true;
    ucx.started = made;
    weir_cond_broadcast(&ucx.told);
    weir_mutex_unlock(&ucx.lock);
    while (made && run_commands()) {
        for (int i = 0; i < ROUNDS && p_ucp_worker_progress(ucx.worker); i++)
            ;
        if (p_ucp_worker_arm(ucx.worker) != UCS_OK)
            continue; /* more to do */
        struct pollfd fds[] = {{.fd = ucx.events, .events = POLLIN},
                               {.fd = ucx.wake, .events = POLLIN}};
        poll(fds, 2, -1);
    }
    if (made)
        finish_closing();
    return arg;
}

/* The library's destructors run on exit: no thread may use it then. */
static void stop(void)
{
    weir_mutex_lock(&ucx.lock);
    ucx.over = true;
    weir_mutex_unlock(&ucx.lock);
    eventfd_write(ucx.wake, 1);
    pthread_join(ucx.thread, NULL);
}

static void start(void)
{
    if (pthread_create(&ucx.thread, NULL, run, NULL) != 0)
        return;
    weir_mutex_lock(&ucx.lock);
    while (!ucx.tried)
        weir_cond_wait(&ucx.told, &ucx.lock);
    weir_mutex_unlock(&ucx.lock);
    if (ucx.started)
        atexit(stop);
    else
        pthread_join(ucx.thread, NULL);
}

bool weir_ucx_start(void)
{
    pthread_once(&once, start);
    return ucx.started;
}

weir_str weir_ucx_address(void)
{
    return weir_view(&ucx.address);
}

unsigned weir_ucx_version(void)
{
    return ucx.version;
}
