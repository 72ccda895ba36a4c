/* net/shm.c - frames over a pair of rings; large sections lent, not copied. */
#include "net/shm_impl.h"

#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/word.h"
#include "memory/shared.h"

enum {
    MAX_INLINE = 64 << 10, /* bytes of a head or a payload that are copied through the ring */
    RELEASE_FLUSH_BYTES =
        256 << 10, /* the owner is told at once of so many bytes; else by the way */
};

void weir_shm_frame_fini(weir_shm_frame *p)
{
    weir_buf_fini(&p->text);
    weir_rpc_message_fini(&p->m);
}

/* ---- sending: records ----------------------------------------------------------------------- */

static void *grow(weir_buf *b, size_t bytes)
{
    weir_buf_reserve(b, bytes);
    b->length += bytes;
    return b->at + b->length - bytes;
}

static void wake_peer_now(weir_shm *r)
{
    uint32_t how = weir_ring_take_wake(&r->out);
    if (how == RING_WAKE_BY_WORD)
        weir_shared_word_wake(&r->out.shared->asleep);
    else if (how != RING_AWAKE)
        eventfd_write(r->other, 1);
}

enum { CORKED_TRANSPORTS = 8 };

/* The shm transports whose other ends are woken when this thread's corked_sends is over; retained.
 */
static _Thread_local struct {
    bool on;
    int count;
    weir_shm *transports[CORKED_TRANSPORTS];
} corked_sends;

static bool defer_wake(weir_shm *r)
{
    for (int i = 0; i < corked_sends.count; i++)
        if (corked_sends.transports[i] == r)
            return true;
    if (!corked_sends.on || corked_sends.count == CORKED_TRANSPORTS)
        return false;
    weir_ref_retain(&r->ref);
    corked_sends.transports[corked_sends.count++] = r;
    return true;
}

static void wake_peer(weir_shm *r)
{
    if (!defer_wake(r))
        wake_peer_now(r);
}

void weir_shm_cork(void)
{
    corked_sends.on = true;
}

void weir_shm_uncork(void)
{
    corked_sends.on = false;
    while (corked_sends.count) {
        weir_shm *r = corked_sends.transports[--corked_sends.count];
        wake_peer_now(r);
        weir_ref_release(&r->ref);
    }
}

/* Moves waiting records into the ring; true when none is left. */
static bool send_backlog(weir_shm *r)
{
    while (r->backlog_at < r->backlog.length) {
        const char *from = r->backlog.at + r->backlog_at;
        uint32_t size = ((const weir_ring_record *)from)->size;
        bool broken;
        void *to = weir_ring_reserve(&r->out, size, &broken);
        if (!to)
            return false;
        memcpy(to, from, size);
        weir_ring_publish(&r->out, size);
        r->backlog_at += size;
    }
    r->backlog.length = r->backlog_at = 0;
    return true;
}

/* Room for a record; |out_direct|: in the ring, to be published. */
static void *room(weir_shm *r, uint32_t size, bool *out_direct)
{
    bool broken;
    void *to = send_backlog(r) ? weir_ring_reserve(&r->out, size, &broken) : NULL;
    *out_direct = to != NULL;
    return to ? to : grow(&r->backlog, size);
}

static uint32_t rounded(size_t bytes)
{
    return (uint32_t)((bytes + 7) & ~(size_t)7);
}

static void put(weir_shm *r, weir_shm_record *head, weir_str text, weir_str first, weir_str second)
{
    bool direct;
    head->ring.size = rounded(sizeof *head + text.length + first.length + second.length);
    char *to = room(r, head->ring.size, &direct);
    memcpy(to, head, sizeof *head);
    to += sizeof *head;
    weir_str sections[] = {text, first, second};
    for (int i = 0; i < 3; i++) {
        if (sections[i].length)
            memcpy(to, sections[i].at, sections[i].length);
        to += sections[i].length;
    }
    if (direct)
        weir_ring_publish(&r->out, head->ring.size);
}

/* ---- sending: loans ------------------------------------------------------------------------- */

/* A buffer in shared memory with these bytes; null when there is no room. */
static weir_buffer *copy_to_shared(weir_str bytes)
{
    weir_buffer *b;
    uint64_t offset;
    weir_status s =
        weir_buffer_alloc(bytes.length < WEIR_SHARED_FROM ? WEIR_SHARED_FROM : bytes.length, &b);
    if (!s && weir_shared_find(b->data, bytes.length, &offset)) {
        memcpy(b->data, bytes.at, bytes.length);
        return b;
    }
    if (!s)
        weir_buffer_release(b);
    weir_status_free(s);
    return NULL;
}

/* Takes over the reference. */
static weir_shm_range lend(weir_shm *r, weir_buffer *b, const char *at, size_t bytes)
{
    weir_shm_range ref = {.bytes = bytes};
    weir_shared_find(at, bytes, &ref.offset);
    if (r->free_loans.count) {
        ref.loan = r->free_loans.at[--r->free_loans.count];
        r->lent.at[ref.loan - 1] = b;
    } else {
        weir_vec_push(&r->lent, b);
        ref.loan = r->lent.count;
    }
    return ref;
}

/* The head or the payload of a message that is to be lent, in shared memory; null: no room for it
 * there. */
typedef struct section {
    weir_str bytes;
    weir_buffer *lent; /* null: goes through the ring */
} section;

static bool prepare_section(section *p, weir_buffer *holder)
{
    uint64_t offset;
    if (p->bytes.length <= MAX_INLINE)
        return true;
    if (holder && !holder->read_only && weir_shared_find(p->bytes.at, p->bytes.length, &offset)) {
        p->lent = weir_buffer_retain(holder);
        return true;
    }
    p->lent = copy_to_shared(p->bytes);
    if (p->lent)
        p->bytes.at = p->lent->data;
    return p->lent != NULL;
}

static weir_shm_range lend_section(weir_shm *r, section *p)
{
    if (!p->lent)
        return (weir_shm_range){0};
    weir_shm_range ref = lend(r, p->lent, p->bytes.at, p->bytes.length);
    p->bytes = (weir_str){0};
    return ref;
}

bool weir_shm_send(weir_shm *r, const weir_shm_frame *p)
{
    const weir_rpc_message *m = &p->m;
    section head = {{m->head.at, m->head.length}, NULL}, payload = {{0}, NULL};
    if (m->payload)
        payload.bytes =
            (weir_str){(const char *)m->payload->data + m->payload_at, m->payload_bytes};
    bool ok = p->text.length <= MAX_INLINE && prepare_section(&head, NULL) &&
              prepare_section(&payload, m->payload);
    pthread_mutex_lock(&r->lock);
    ok = ok && r->open;
    if (ok) {
        weir_shm_record rec = {.ring.kind = p->kind,
                               .id = p->id,
                               .timeout_ms = p->timeout_ms,
                               .code = p->code,
                               .marks = p->marks,
                               .text_bytes = (uint32_t)p->text.length};
        rec.awaited = payload.lent && payload.lent->release; /* wrapped for somebody */
        rec.head = lend_section(r, &head);
        rec.payload = lend_section(r, &payload);
        rec.head_bytes = (uint32_t)head.bytes.length;
        rec.payload_bytes = (uint32_t)payload.bytes.length;
        put(r, &rec, (weir_str){p->text.at, p->text.length}, head.bytes, payload.bytes);
        wake_peer(r);
    }
    pthread_mutex_unlock(&r->lock);
    if (!ok) {
        weir_buffer_release(head.lent);
        weir_buffer_release(payload.lent);
    }
    return ok;
}

/* ---- receiving ------------------------------------------------------------------------------ */

typedef struct borrowed {
    weir_shm *shm;
    weir_shm_mapping *map;
    uint64_t loan;
    bool awaited; /* by the owner */
} borrowed;

/* The last one to look at a borrowed buffer is done: its owner is told. */
static void return_loan(void *data, size_t bytes, void *arg)
{
    borrowed *b = arg;
    weir_shm *r = b->shm;
    pthread_mutex_lock(&r->lock);
    if (r->open) {
        put(r, &(weir_shm_record){.ring.kind = SHM_RELEASE, .id = b->loan}, (weir_str){0},
            (weir_str){0}, (weir_str){0});
        if (bytes >= RELEASE_FLUSH_BYTES || b->awaited)
            wake_peer(r);
    }
    pthread_mutex_unlock(&r->lock);
    weir_ref_release(&b->map->ref);
    weir_ref_release(&r->ref);
    weir_free(b);
}

static weir_buffer *borrow(weir_shm *r, const weir_shm_range *ref, bool awaited)
{
    borrowed *b = WEIR_NEW(borrowed);
    weir_ref_retain(&r->ref);
    weir_ref_retain(&r->map->ref);
    *b = (borrowed){r, r->map, ref->loan, awaited};
    weir_buffer *buffer =
        weir_buffer_wrap(r->map->at + ref->offset, (size_t)ref->bytes, return_loan, b);
    buffer->read_only = true;
    return buffer;
}

static bool fits(const weir_shm *r, const weir_shm_range *ref)
{
    return !ref->loan ||
           (ref->offset <= r->map->bytes && ref->bytes <= r->map->bytes - ref->offset &&
            ref->bytes <= MAX_MESSAGE_BYTES);
}

static void reclaim_loan(weir_shm *r, uint64_t loan)
{
    weir_buffer *b = NULL;
    pthread_mutex_lock(&r->lock);
    if (loan && loan <= r->lent.count && r->lent.at[loan - 1]) {
        b = r->lent.at[loan - 1];
        r->lent.at[loan - 1] = NULL;
        weir_vec_push(&r->free_loans, loan);
    }
    pthread_mutex_unlock(&r->lock);
    weir_buffer_release(b);
}

/* Copies the bytes of a record, and borrows what it lends. False: there is no memory for a payload.
 */
static bool unpack(weir_shm *r, const weir_shm_record *rec, const char *bytes, weir_shm_frame *out)
{
    *out = (weir_shm_frame){.kind = rec->ring.kind,
                            .id = rec->id,
                            .timeout_ms = rec->timeout_ms,
                            .code = rec->code,
                            .marks = rec->marks};
    if (rec->text_bytes)
        weir_buf_add(&out->text, bytes, rec->text_bytes);
    bytes += rec->text_bytes;
    if (rec->head_bytes)
        weir_buf_add(&out->m.head, bytes, rec->head_bytes);
    bytes += rec->head_bytes;
    if (rec->head.loan) {
        weir_buf_add(&out->m.head, r->map->at + rec->head.offset, (size_t)rec->head.bytes);
        weir_buffer_release(borrow(r, &rec->head, false)); /* gives it back */
    }
    if (rec->payload.loan) {
        out->m.payload = borrow(r, &rec->payload, rec->awaited != 0);
        out->m.payload_bytes = (size_t)rec->payload.bytes;
    } else if (rec->payload_bytes) {
        weir_status s = weir_buffer_alloc(rec->payload_bytes, &out->m.payload);
        bool none = s != WEIR_OK;
        weir_status_free(s);
        if (none)
            return false;
        memcpy(out->m.payload->data, bytes, rec->payload_bytes);
        out->m.payload_bytes = rec->payload_bytes;
    }
    return true;
}

bool weir_shm_receive(weir_shm *r, weir_shm_frame *out, bool *out_broken)
{
    uint32_t size;
    const char *at;
    while ((at = weir_ring_peek(&r->in, &size, out_broken))) {
        weir_shm_record rec; /* a copy: the other end may change what lies in the ring */
        *out_broken = size < sizeof rec;
        if (*out_broken)
            return false;
        memcpy(&rec, at, sizeof rec);
        size_t rest = size - sizeof rec;
        *out_broken = (uint64_t)rec.text_bytes + rec.head_bytes + rec.payload_bytes > rest ||
                      !fits(r, &rec.head) || !fits(r, &rec.payload);
        if (*out_broken)
            return false;
        if (rec.ring.kind != SHM_RELEASE) {
            *out_broken = !unpack(r, &rec, at + sizeof rec, out);
            weir_ring_next(&r->in, size);
            return true;
        }
        weir_ring_next(&r->in, size);
        reclaim_loan(r, rec.id);
    }
    return false;
}

bool weir_shm_go_idle(weir_shm *r, enum ring_wake how)
{
    bool waits = weir_ring_writer_waits(&r->in);
    pthread_mutex_lock(&r->lock);
    if (r->backlog.length) {
        send_backlog(r);
        wake_peer(r);
    }
    if (waits)
        eventfd_write(r->other, 1);
    pthread_mutex_unlock(&r->lock);
    return weir_ring_sleep(&r->in, how);
}

void weir_shm_wake_reader(weir_shm *r)
{
    if (weir_ring_take_wake(&r->in) == RING_WAKE_BY_WORD)
        weir_shared_word_wake(&r->in.shared->asleep);
}

/* ---- a shm transport's life
 * -------------------------------------------------------------------------- */

static void unmap(weir_ref *ref)
{
    weir_shm_mapping *m = (weir_shm_mapping *)ref;
    munmap(m->at, m->bytes);
    weir_free(m);
}

static void destroy(weir_ref *ref)
{
    weir_shm *r = WEIR_SOURCE_OWNER(ref, weir_shm, ref);
    weir_shm_close(r);
    munmap(r->rings, 2 * RING_SPAN);
    close(r->wake);
    close(r->other);
    weir_ref_release(&r->map->ref);
    weir_buf_fini(&r->backlog);
    weir_vec_fini(&r->lent);
    weir_vec_fini(&r->free_loans);
    pthread_mutex_destroy(&r->lock);
    weir_free(r);
}

/* A file that cannot shrink under the mapping, which would end this process. */
static void *map_shared(int fd, size_t bytes)
{
    int seals = fcntl(fd, F_GET_SEALS);
    off_t length = lseek(fd, 0, SEEK_END);
    if (seals < 0 || !(seals & F_SEAL_SHRINK) || length < 0 || (size_t)length != bytes || !bytes)
        return MAP_FAILED;
    return mmap(NULL, bytes, PROT_READ, MAP_SHARED | MAP_NORESERVE, fd, 0);
}

weir_shm *weir_shm_create(void *rings, bool first, int wake, int other, int shared_fd,
                          size_t shared_bytes)
{
    void *at = map_shared(shared_fd, shared_bytes);
    close(shared_fd);
    if (at == MAP_FAILED) {
        munmap(rings, 2 * RING_SPAN);
        close(wake);
        close(other);
        return NULL;
    }
    weir_shm *r = WEIR_NEW(weir_shm);
    weir_ref_init(&r->ref, destroy);
    r->map = WEIR_NEW(weir_shm_mapping);
    *r->map = (weir_shm_mapping){.at = at, .bytes = shared_bytes};
    weir_ref_init(&r->map->ref, unmap);
    r->rings = rings;
    r->wake = wake;
    r->other = other;
    weir_ring_init(first ? &r->out : &r->in, rings);
    weir_ring_init(first ? &r->in : &r->out, (char *)rings + RING_SPAN);
    pthread_mutex_init(&r->lock, NULL);
    r->open = true;
    return r;
}

bool weir_shm_is_open(weir_shm *r)
{
    pthread_mutex_lock(&r->lock);
    bool open = r->open;
    pthread_mutex_unlock(&r->lock);
    return open;
}

void weir_shm_close(weir_shm *r)
{
    pthread_mutex_lock(&r->lock);
    r->open = false;
    weir_buffer **lent = r->lent.at;
    size_t n = r->lent.count;
    r->lent.at = NULL;
    r->lent.count = r->lent.room = 0;
    pthread_mutex_unlock(&r->lock);
    for (size_t i = 0; i < n; i++)
        weir_buffer_release(lent[i]);
    weir_free(lent);
}

/* ---- messages ------------------------------------------------------------------------------- */

void weir_rpc_message_flatten(weir_rpc_message *m)
{
    if (!m->payload)
        return;
    weir_buf_add(&m->head, (const char *)m->payload->data + m->payload_at, m->payload_bytes);
    weir_buffer_release(m->payload);
    m->payload = NULL;
    m->payload_at = m->payload_bytes = 0;
}

weir_status weir_rpc_message_split(weir_rpc_message *m, size_t (*payload_offset)(weir_str first))
{
    size_t at = payload_offset && m->head.length
                    ? payload_offset((weir_str){m->head.at, m->head.length})
                    : 0;
    bool aligned =
        m->payload && ((uintptr_t)m->payload->data + m->payload_at) % WEIR_ALIGNMENT == 0;
    if (m->payload && at == m->head.length && aligned)
        return WEIR_OK; /* as it came */
    weir_rpc_message_flatten(m);
    if (payload_offset && at == SIZE_MAX)
        at = payload_offset((weir_str){m->head.at, m->head.length});
    if (!payload_offset || at == 0 || at >= m->head.length)
        return WEIR_OK;
    m->payload_bytes = m->head.length - at;
    WEIR_TRY(weir_buffer_alloc(m->payload_bytes, &m->payload));
    memcpy(m->payload->data, m->head.at + at, m->payload_bytes);
    m->head.length = at;
    m->head.at[at] = 0;
    return WEIR_OK;
}
