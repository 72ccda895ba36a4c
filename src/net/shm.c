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

void weir_shm_frame_fini(weir_shm_frame *frame)
{
    weir_buf_fini(&frame->text);
    weir_rpc_message_fini(&frame->m);
}

/* ---- sending: records ----------------------------------------------------------------------- */

static void *grow(weir_buf *buf, size_t bytes)
{
    weir_buf_reserve(buf, bytes);
    buf->length += bytes;
    return buf->at + buf->length - bytes;
}

static void wake_peer_now(weir_shm *shm)
{
    uint32_t how = weir_ring_take_wake(&shm->out);
    if (how == RING_WAKE_BY_WORD)
        weir_shared_word_wake(&shm->out.shared->asleep);
    else if (how != RING_AWAKE)
        eventfd_write(shm->other, 1);
}

enum { CORKED_TRANSPORTS = 8 };

/* The shm transports whose other ends are woken when this thread's corked_sends is over; retained.
 */
static _Thread_local struct {
    bool on;
    int count;
    weir_shm *transports[CORKED_TRANSPORTS];
} corked_sends;

static bool defer_wake(weir_shm *shm)
{
    for (int i = 0; i < corked_sends.count; i++)
        if (corked_sends.transports[i] == shm)
            return true;
    if (!corked_sends.on || corked_sends.count == CORKED_TRANSPORTS)
        return false;
    weir_ref_retain(&shm->ref);
    corked_sends.transports[corked_sends.count++] = shm;
    return true;
}

static void wake_peer(weir_shm *shm)
{
    if (!defer_wake(shm))
        wake_peer_now(shm);
}

void weir_shm_cork(void)
{
    corked_sends.on = true;
}

void weir_shm_uncork(void)
{
    corked_sends.on = false;
    while (corked_sends.count) {
        weir_shm *shm = corked_sends.transports[--corked_sends.count];
        wake_peer_now(shm);
        weir_ref_release(&shm->ref);
    }
}

/* Moves waiting records into the ring; true when none is left. */
static bool send_backlog(weir_shm *shm)
{
    while (shm->backlog_at < shm->backlog.length) {
        const char *from = shm->backlog.at + shm->backlog_at;
        uint32_t size = ((const weir_ring_record *)from)->size;
        bool broken;
        void *to = weir_ring_reserve(&shm->out, size, &broken);
        if (!to)
            return false;
        memcpy(to, from, size);
        weir_ring_publish(&shm->out, size);
        shm->backlog_at += size;
    }
    shm->backlog.length = shm->backlog_at = 0;
    return true;
}

/* Room for a record; |out_direct|: in the ring, to be published. */
static void *room(weir_shm *shm, uint32_t size, bool *out_direct)
{
    bool broken;
    void *to = send_backlog(shm) ? weir_ring_reserve(&shm->out, size, &broken) : NULL;
    *out_direct = to != NULL;
    return to ? to : grow(&shm->backlog, size);
}

static uint32_t rounded(size_t bytes)
{
    return (uint32_t)((bytes + 7) & ~(size_t)7);
}

static void put(weir_shm *shm, weir_shm_record *head, weir_str text, weir_str first,
                weir_str second)
{
    bool direct;
    head->ring.size = rounded(sizeof *head + text.length + first.length + second.length);
    char *to = room(shm, head->ring.size, &direct);
    memcpy(to, head, sizeof *head);
    to += sizeof *head;
    weir_str sections[] = {text, first, second};
    for (int i = 0; i < 3; i++) {
        if (sections[i].length)
            memcpy(to, sections[i].at, sections[i].length);
        to += sections[i].length;
    }
    if (direct)
        weir_ring_publish(&shm->out, head->ring.size);
}

/* ---- sending: loans ------------------------------------------------------------------------- */

/* A buffer in shared memory with these bytes; null when there is no room. */
static weir_buffer *copy_to_shared(weir_str bytes)
{
    weir_buffer *buffer;
    uint64_t offset;
    weir_status status = weir_buffer_alloc(
        bytes.length < WEIR_SHARED_FROM ? WEIR_SHARED_FROM : bytes.length, &buffer);
    if (!status && weir_shared_find(buffer->data, bytes.length, &offset)) {
        memcpy(buffer->data, bytes.at, bytes.length);
        return buffer;
    }
    if (!status)
        weir_buffer_release(buffer);
    weir_status_free(status);
    return NULL;
}

/* Takes over the reference. */
static weir_shm_range lend(weir_shm *shm, weir_buffer *buffer, const char *at, size_t bytes)
{
    weir_shm_range ref = {.bytes = bytes};
    weir_shared_find(at, bytes, &ref.offset);
    if (shm->free_loans.count) {
        ref.loan = shm->free_loans.at[--shm->free_loans.count];
        shm->lent.at[ref.loan - 1] = buffer;
    } else {
        weir_vec_push(&shm->lent, buffer);
        ref.loan = shm->lent.count;
    }
    return ref;
}

/* The head or the payload of a message that is to be lent, in shared memory; null: no room for it
 * there. */
typedef struct message_section {
    weir_str bytes;
    weir_buffer *lent; /* null: goes through the ring */
} message_section;

static bool prepare_section(message_section *section, weir_buffer *holder)
{
    uint64_t offset;
    if (section->bytes.length <= MAX_INLINE)
        return true;
    if (holder && !holder->read_only &&
        weir_shared_find(section->bytes.at, section->bytes.length, &offset)) {
        section->lent = weir_buffer_retain(holder);
        return true;
    }
    section->lent = copy_to_shared(section->bytes);
    if (section->lent)
        section->bytes.at = section->lent->data;
    return section->lent != NULL;
}

static weir_shm_range lend_section(weir_shm *shm, message_section *section)
{
    if (!section->lent)
        return (weir_shm_range){0};
    weir_shm_range ref = lend(shm, section->lent, section->bytes.at, section->bytes.length);
    section->bytes = (weir_str){0};
    return ref;
}

bool weir_shm_send(weir_shm *shm, const weir_shm_frame *frame)
{
    const weir_rpc_message *message = &frame->m;
    message_section head = {{message->head.at, message->head.length}, NULL}, payload = {{0}, NULL};
    if (message->payload)
        payload.bytes = (weir_str){(const char *)message->payload->data + message->payload_at,
                                   message->payload_bytes};
    bool ok = frame->text.length <= MAX_INLINE && prepare_section(&head, NULL) &&
              prepare_section(&payload, message->payload);
    pthread_mutex_lock(&shm->lock);
    ok = ok && shm->open;
    if (ok) {
        weir_shm_record rec = {.ring.kind = frame->kind,
                               .id = frame->id,
                               .timeout_ms = frame->timeout_ms,
                               .code = frame->code,
                               .marks = frame->marks,
                               .text_bytes = (uint32_t)frame->text.length};
        rec.awaited = payload.lent && payload.lent->release; /* wrapped for somebody */
        rec.head = lend_section(shm, &head);
        rec.payload = lend_section(shm, &payload);
        rec.head_bytes = (uint32_t)head.bytes.length;
        rec.payload_bytes = (uint32_t)payload.bytes.length;
        put(shm, &rec, (weir_str){frame->text.at, frame->text.length}, head.bytes, payload.bytes);
        wake_peer(shm);
    }
    pthread_mutex_unlock(&shm->lock);
    if (!ok) {
        weir_buffer_release(head.lent);
        weir_buffer_release(payload.lent);
    }
    return ok;
}

/* ---- receiving ------------------------------------------------------------------------------ */

typedef struct borrowed_range {
    weir_shm *shm;
    weir_shm_mapping *map;
    uint64_t loan;
    bool awaited; /* by the owner */
} borrowed_range;

/* The last one to look at a borrowed buffer is done: its owner is told. */
static void return_loan(void *data, size_t bytes, void *arg)
{
    borrowed_range *borrowed = arg;
    weir_shm *shm = borrowed->shm;
    pthread_mutex_lock(&shm->lock);
    if (shm->open) {
        put(shm, &(weir_shm_record){.ring.kind = SHM_RELEASE, .id = borrowed->loan}, (weir_str){0},
            (weir_str){0}, (weir_str){0});
        if (bytes >= RELEASE_FLUSH_BYTES || borrowed->awaited)
            wake_peer(shm);
    }
    pthread_mutex_unlock(&shm->lock);
    weir_ref_release(&borrowed->map->ref);
    weir_ref_release(&shm->ref);
    weir_free(borrowed);
}

static weir_buffer *borrow(weir_shm *shm, const weir_shm_range *ref, bool awaited)
{
    borrowed_range *new_borrowed = WEIR_NEW(borrowed_range);
    weir_ref_retain(&shm->ref);
    weir_ref_retain(&shm->map->ref);
    *new_borrowed = (borrowed_range){shm, shm->map, ref->loan, awaited};
    weir_buffer *buffer =
        weir_buffer_wrap(shm->map->at + ref->offset, (size_t)ref->bytes, return_loan, new_borrowed);
    buffer->read_only = true;
    return buffer;
}

static bool fits(const weir_shm *shm, const weir_shm_range *ref)
{
    return !ref->loan ||
           (ref->offset <= shm->map->bytes && ref->bytes <= shm->map->bytes - ref->offset &&
            ref->bytes <= MAX_MESSAGE_BYTES);
}

static void reclaim_loan(weir_shm *shm, uint64_t loan)
{
    weir_buffer *buffer = NULL;
    pthread_mutex_lock(&shm->lock);
    if (loan && loan <= shm->lent.count && shm->lent.at[loan - 1]) {
        buffer = shm->lent.at[loan - 1];
        shm->lent.at[loan - 1] = NULL;
        weir_vec_push(&shm->free_loans, loan);
    }
    pthread_mutex_unlock(&shm->lock);
    weir_buffer_release(buffer);
}

/* Copies the bytes of a record, and borrows what it lends. False: there is no memory for a payload.
 */
static bool unpack(weir_shm *shm, const weir_shm_record *rec, const char *bytes,
                   weir_shm_frame *out)
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
        weir_buf_add(&out->m.head, shm->map->at + rec->head.offset, (size_t)rec->head.bytes);
        weir_buffer_release(borrow(shm, &rec->head, false)); /* gives it back */
    }
    if (rec->payload.loan) {
        out->m.payload = borrow(shm, &rec->payload, rec->awaited != 0);
        out->m.payload_bytes = (size_t)rec->payload.bytes;
    } else if (rec->payload_bytes) {
        weir_status status = weir_buffer_alloc(rec->payload_bytes, &out->m.payload);
        bool none = status != WEIR_OK;
        weir_status_free(status);
        if (none)
            return false;
        memcpy(out->m.payload->data, bytes, rec->payload_bytes);
        out->m.payload_bytes = rec->payload_bytes;
    }
    return true;
}

bool weir_shm_receive(weir_shm *shm, weir_shm_frame *out, bool *out_broken)
{
    uint32_t size;
    const char *at;
    while ((at = weir_ring_peek(&shm->in, &size, out_broken))) {
        weir_shm_record rec; /* a copy: the other end may change what lies in the ring */
        *out_broken = size < sizeof rec;
        if (*out_broken)
            return false;
        memcpy(&rec, at, sizeof rec);
        size_t rest = size - sizeof rec;
        *out_broken = (uint64_t)rec.text_bytes + rec.head_bytes + rec.payload_bytes > rest ||
                      !fits(shm, &rec.head) || !fits(shm, &rec.payload);
        if (*out_broken)
            return false;
        if (rec.ring.kind != SHM_RELEASE) {
            *out_broken = !unpack(shm, &rec, at + sizeof rec, out);
            weir_ring_next(&shm->in, size);
            return true;
        }
        weir_ring_next(&shm->in, size);
        reclaim_loan(shm, rec.id);
    }
    return false;
}

bool weir_shm_go_idle(weir_shm *shm, enum ring_wake how)
{
    bool waits = weir_ring_writer_waits(&shm->in);
    pthread_mutex_lock(&shm->lock);
    if (shm->backlog.length) {
        send_backlog(shm);
        wake_peer(shm);
    }
    if (waits)
        eventfd_write(shm->other, 1);
    pthread_mutex_unlock(&shm->lock);
    return weir_ring_sleep(&shm->in, how);
}

void weir_shm_wake_reader(weir_shm *shm)
{
    if (weir_ring_take_wake(&shm->in) == RING_WAKE_BY_WORD)
        weir_shared_word_wake(&shm->in.shared->asleep);
}

/* ---- a shm transport's life
 * -------------------------------------------------------------------------- */

static void unmap(weir_ref *ref)
{
    weir_shm_mapping *mapping = (weir_shm_mapping *)ref;
    munmap(mapping->at, mapping->bytes);
    weir_free(mapping);
}

static void destroy(weir_ref *ref)
{
    weir_shm *shm = WEIR_SOURCE_OWNER(ref, weir_shm, ref);
    weir_shm_close(shm);
    munmap(shm->rings, 2 * RING_SPAN);
    close(shm->wake);
    close(shm->other);
    weir_ref_release(&shm->map->ref);
    weir_buf_fini(&shm->backlog);
    weir_vec_fini(&shm->lent);
    weir_vec_fini(&shm->free_loans);
    pthread_mutex_destroy(&shm->lock);
    weir_free(shm);
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
    weir_shm *shm = WEIR_NEW(weir_shm);
    weir_ref_init(&shm->ref, destroy);
    shm->map = WEIR_NEW(weir_shm_mapping);
    *shm->map = (weir_shm_mapping){.at = at, .bytes = shared_bytes};
    weir_ref_init(&shm->map->ref, unmap);
    shm->rings = rings;
    shm->wake = wake;
    shm->other = other;
    weir_ring_init(first ? &shm->out : &shm->in, rings);
    weir_ring_init(first ? &shm->in : &shm->out, (char *)rings + RING_SPAN);
    pthread_mutex_init(&shm->lock, NULL);
    shm->open = true;
    return shm;
}

bool weir_shm_is_open(weir_shm *shm)
{
    pthread_mutex_lock(&shm->lock);
    bool open = shm->open;
    pthread_mutex_unlock(&shm->lock);
    return open;
}

void weir_shm_close(weir_shm *shm)
{
    pthread_mutex_lock(&shm->lock);
    shm->open = false;
    weir_buffer **lent = shm->lent.at;
    size_t count = shm->lent.count;
    shm->lent.at = NULL;
    shm->lent.count = shm->lent.room = 0;
    pthread_mutex_unlock(&shm->lock);
    for (size_t i = 0; i < count; i++)
        weir_buffer_release(lent[i]);
    weir_free(lent);
}

/* ---- messages ------------------------------------------------------------------------------- */

void weir_rpc_message_flatten(weir_rpc_message *message)
{
    if (!message->payload)
        return;
    weir_buf_add(&message->head, (const char *)message->payload->data + message->payload_at,
                 message->payload_bytes);
    weir_buffer_release(message->payload);
    message->payload = NULL;
    message->payload_at = message->payload_bytes = 0;
}

weir_status weir_rpc_message_split(weir_rpc_message *message,
                                   size_t (*payload_offset)(weir_str first))
{
    size_t at = payload_offset && message->head.length
                    ? payload_offset((weir_str){message->head.at, message->head.length})
                    : 0;
    bool aligned = message->payload &&
                   ((uintptr_t)message->payload->data + message->payload_at) % WEIR_ALIGNMENT == 0;
    if (message->payload && at == message->head.length && aligned)
        return WEIR_OK; /* as it came */
    weir_rpc_message_flatten(message);
    if (payload_offset && at == SIZE_MAX)
        at = payload_offset((weir_str){message->head.at, message->head.length});
    if (!payload_offset || at == 0 || at >= message->head.length)
        return WEIR_OK;
    message->payload_bytes = message->head.length - at;
    WEIR_TRY(weir_buffer_alloc(message->payload_bytes, &message->payload));
    memcpy(message->payload->data, message->head.at + at, message->payload_bytes);
    message->head.length = at;
    message->head.at[at] = 0;
    return WEIR_OK;
}
