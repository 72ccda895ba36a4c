/* net/shm.c - frames over a pair of rings; large heads and payloads are lent, not copied. */
#include "net/shm_impl.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/arith.h"
#include "base/word.h"
#include "memory/shared.h"
#include "net/loop_impl.h"

enum {
    MAX_INLINE = 64 << 10,           /* larger heads and payloads are not copied through the ring */
    RELEASE_FLUSH_BYTES = 256 << 10, /* flush threshold: smaller releases wait for the next frame */
};

void weir_shm_frame_fini(weir_shm_frame *frame)
{
    weir_buf_fini(&frame->text);
    weir_rpc_message_fini(&frame->message);
}

/* ---- sending: records ----------------------------------------------------------------------- */

static void *grow(weir_buf *buf, size_t bytes)
{
    weir_buf_reserve(buf, bytes);
    buf->length += bytes;
    return buf->at + buf->length - bytes;
}

/* Also without the lock: uses only the shared part of |out|. */
WEIR_UNCHECKED_LOCKING static void wake_peer_now(weir_shm *shm)
{
    uint32_t how = weir_ring_take_wake(&shm->out);
    if (how == RING_WAKE_BY_WORD)
        weir_shared_word_wake(&shm->out.shared->asleep);
    else if (how != RING_AWAKE)
        eventfd_write(shm->peer, 1);
}

/* The corks of this thread, with the peers to wake later; null: wakes at once. */
static _Thread_local weir_shm_corks *own_corks;

static bool note_wake(weir_shm_corks *corks, weir_shm *shm) WEIR_REQUIRES(corks->lock)
{
    for (int i = 0; i < corks->count; i++)
        if (corks->transports[i] == shm)
            return true;
    if (corks->count == CORKED_TRANSPORTS || !weir_loop_mine())
        return false;
    weir_ref_retain(&shm->ref);
    corks->transports[corks->count++] = shm;
    return true;
}

static bool defer_wake(weir_shm *shm)
{
    weir_shm_corks *corks = own_corks;
    if (!corks)
        return false;
    weir_mutex_lock(&corks->lock);
    bool noted = note_wake(corks, shm);
    weir_mutex_unlock(&corks->lock);
    return noted;
}

static void wake_peer(weir_shm *shm)
{
    if (!defer_wake(shm))
        wake_peer_now(shm);
}

weir_shm_corks *weir_shm_thread_corks(void)
{
    static _Thread_local weir_shm_corks corks = {.lock = WEIR_MUTEX_INIT};
    return &corks;
}

void weir_shm_cork(weir_shm_corks *corks)
{
    own_corks = corks;
}

static weir_shm *take_corked(weir_shm_corks *corks)
{
    weir_mutex_lock(&corks->lock);
    weir_shm *shm = corks->count ? corks->transports[--corks->count] : NULL;
    weir_mutex_unlock(&corks->lock);
    return shm;
}

void weir_shm_uncork(weir_shm_corks *corks)
{
    own_corks = NULL;
    for (weir_shm *shm; (shm = take_corked(corks));) {
        wake_peer_now(shm);
        weir_ref_release(&shm->ref);
    }
}

/* Moves the backlog into the ring; true when it is empty. */
static bool send_backlog(weir_shm *shm) WEIR_REQUIRES(shm->lock)
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

/* Allocates a record: in the ring, to be published (|out_direct|), or in the backlog. */
static void *room(weir_shm *shm, uint32_t size, bool *out_direct) WEIR_REQUIRES(shm->lock)
{
    bool broken;
    void *to = send_backlog(shm) ? weir_ring_reserve(&shm->out, size, &broken) : NULL;
    *out_direct = to != NULL;
    return to ? to : grow(&shm->backlog, size);
}

static void put(weir_shm *shm, weir_shm_record *record, weir_str text, weir_str head,
                weir_str payload) WEIR_REQUIRES(shm->lock)
{
    bool direct;
    record->ring.size = (uint32_t)weir_round_up(
        (int64_t)(sizeof *record + text.length + head.length + payload.length), 8);
    char *to = room(shm, record->ring.size, &direct);
    memcpy(to, record, sizeof *record);
    to += sizeof *record;
    weir_str sections[] = {text, head, payload};
    for (int i = 0; i < 3; i++) {
        if (sections[i].length)
            memcpy(to, sections[i].at, sections[i].length);
        to += sections[i].length;
    }
    if (direct)
        weir_ring_publish(&shm->out, record->ring.size);
}

/* ---- sending: loans ------------------------------------------------------------------------- */

/* A buffer in shared memory with a copy of |bytes|; null when out of shared memory. */
static weir_buffer *copy_to_shared(weir_str bytes)
{
    weir_buffer *buffer;
    uint64_t offset;
    weir_status status =
        weir_buffer_alloc((size_t)weir_max(WEIR_SHARED_FROM, (int64_t)bytes.length), &buffer);
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
    WEIR_REQUIRES(shm->lock)
{
    weir_shm_range range = {.bytes = bytes};
    weir_shared_find(at, bytes, &range.offset);
    if (shm->free_loans.count) {
        range.loan = shm->free_loans.at[--shm->free_loans.count];
        shm->lent.at[range.loan - 1] = buffer;
    } else {
        weir_vec_push(&shm->lent, buffer);
        range.loan = shm->lent.count;
    }
    return range;
}

/* The head or the payload of a message. */
typedef struct message_section {
    weir_str bytes;
    weir_buffer *lent; /* a buffer in shared memory; null: copied through the ring */
} message_section;

/* Moves a large section to shared memory. False: out of shared memory. */
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

static weir_shm_range lend_section(weir_shm *shm, message_section *section) WEIR_REQUIRES(shm->lock)
{
    if (!section->lent)
        return (weir_shm_range){0};
    weir_shm_range range = lend(shm, section->lent, section->bytes.at, section->bytes.length);
    section->bytes = (weir_str){0};
    return range;
}

static void put_frame(weir_shm *shm, const weir_shm_frame *frame, message_section *head,
                      message_section *payload) WEIR_REQUIRES(shm->lock)
{
    weir_shm_record record = {.ring.kind = frame->kind,
                              .id = frame->id,
                              .timeout_ms = frame->timeout_ms,
                              .code = frame->code,
                              .marks = frame->marks,
                              .text_bytes = (uint32_t)frame->text.length};
    /* The owner of a wrapped buffer is notified of its release. */
    record.awaited = payload->lent && payload->lent->release;
    record.head = lend_section(shm, head);
    record.payload = lend_section(shm, payload);
    record.head_bytes = (uint32_t)head->bytes.length;
    record.payload_bytes = (uint32_t)payload->bytes.length;
    put(shm, &record, weir_view(&frame->text), head->bytes, payload->bytes);
}

bool weir_shm_send(weir_shm *shm, const weir_shm_frame *frame)
{
    const weir_rpc_message *message = &frame->message;
    message_section head = {{message->head.at, message->head.length}, NULL}, payload = {{0}, NULL};
    if (message->payload)
        payload.bytes = (weir_str){(const char *)message->payload->data + message->payload_at,
                                   message->payload_bytes};
    bool ok = frame->text.length <= MAX_INLINE && prepare_section(&head, NULL) &&
              prepare_section(&payload, message->payload);
    weir_mutex_lock(&shm->lock);
    ok = ok && shm->open;
    if (ok) {
        put_frame(shm, frame, &head, &payload);
        wake_peer(shm);
    }
    weir_mutex_unlock(&shm->lock);
    if (!ok) {
        weir_buffer_release(head.lent);
        weir_buffer_release(payload.lent);
    }
    return ok;
}

/* ---- receiving ------------------------------------------------------------------------------ */

typedef struct borrowed_range {
    weir_shm *shm;
    weir_shm_mapping *mapping;
    uint64_t loan;
    bool awaited; /* the owner waits for the release */
} borrowed_range;

/* The last reference to a borrowed buffer was released: notifies its owner. */
static void return_loan(void *data, size_t bytes, void *arg)
{
    borrowed_range *borrowed = arg;
    weir_shm *shm = borrowed->shm;
    weir_mutex_lock(&shm->lock);
    if (shm->open) {
        put(shm, &(weir_shm_record){.ring.kind = SHM_RELEASE, .id = borrowed->loan}, (weir_str){0},
            (weir_str){0}, (weir_str){0});
        if (bytes >= RELEASE_FLUSH_BYTES || borrowed->awaited)
            wake_peer(shm);
    }
    weir_mutex_unlock(&shm->lock);
    weir_ref_release(&borrowed->mapping->ref);
    weir_ref_release(&shm->ref);
    weir_free(borrowed);
}

static weir_buffer *borrow(weir_shm *shm, const weir_shm_range *range, bool awaited)
{
    borrowed_range *borrowed = WEIR_NEW(borrowed_range);
    weir_ref_retain(&shm->ref);
    weir_ref_retain(&shm->mapping->ref);
    *borrowed = (borrowed_range){shm, shm->mapping, range->loan, awaited};
    weir_buffer *buffer = weir_buffer_wrap(shm->mapping->at + range->offset, (size_t)range->bytes,
                                           return_loan, borrowed);
    buffer->read_only = true;
    return buffer;
}

static bool is_valid(const weir_shm *shm, const weir_shm_range *range)
{
    size_t mapped = shm->mapping->bytes;
    return !range->loan || (range->offset <= mapped && range->bytes <= mapped - range->offset &&
                            range->bytes <= MAX_MESSAGE_BYTES);
}

/* The lender may be notified by a callback, which must not be called under a lock. */
static void release_lent(const weir_shm *shm, weir_buffer *buffer)
{
    if (shm->under_lock)
        weir_payload_release_later(buffer);
    else
        weir_buffer_release(buffer);
}

static void reclaim_loan(weir_shm *shm, uint64_t loan)
{
    weir_buffer *buffer = NULL;
    weir_mutex_lock(&shm->lock);
    if (loan && loan <= shm->lent.count && shm->lent.at[loan - 1]) {
        buffer = shm->lent.at[loan - 1];
        shm->lent.at[loan - 1] = NULL;
        weir_vec_push(&shm->free_loans, loan);
    }
    weir_mutex_unlock(&shm->lock);
    release_lent(shm, buffer);
}

/* Copies a record, and borrows what it lends. False: out of memory for the payload. */
static bool unpack(weir_shm *shm, const weir_shm_record *record, const char *bytes,
                   weir_shm_frame *out)
{
    *out = (weir_shm_frame){.kind = record->ring.kind,
                            .id = record->id,
                            .timeout_ms = record->timeout_ms,
                            .code = record->code,
                            .marks = record->marks};
    if (record->text_bytes)
        weir_buf_add(&out->text, bytes, record->text_bytes);
    bytes += record->text_bytes;
    if (record->head_bytes)
        weir_buf_add(&out->message.head, bytes, record->head_bytes);
    bytes += record->head_bytes;
    if (record->head.loan) {
        weir_buf_add(&out->message.head, shm->mapping->at + record->head.offset,
                     (size_t)record->head.bytes);
        weir_buffer_release(borrow(shm, &record->head, false)); /* releases the loan */
    }
    if (record->payload.loan) {
        out->message.payload = borrow(shm, &record->payload, record->awaited != 0);
        out->message.payload_bytes = (size_t)record->payload.bytes;
    } else if (record->payload_bytes) {
        weir_status status = weir_buffer_alloc(record->payload_bytes, &out->message.payload);
        bool none = status != WEIR_OK;
        weir_status_free(status);
        if (none)
            return false;
        memcpy(out->message.payload->data, bytes, record->payload_bytes);
        out->message.payload_bytes = record->payload_bytes;
    }
    return true;
}

bool weir_shm_receive(weir_shm *shm, weir_shm_frame *out, bool *out_broken)
{
    uint32_t size;
    const char *at;
    while ((at = weir_ring_peek(&shm->in, &size, out_broken))) {
        weir_shm_record record; /* a copy: the peer may modify the ring */
        *out_broken = size < sizeof record;
        if (*out_broken)
            return false;
        memcpy(&record, at, sizeof record);
        size_t rest = size - sizeof record;
        *out_broken =
            (uint64_t)record.text_bytes + record.head_bytes + record.payload_bytes > rest ||
            !is_valid(shm, &record.head) || !is_valid(shm, &record.payload);
        if (*out_broken)
            return false;
        if (record.ring.kind != SHM_RELEASE) {
            *out_broken = !unpack(shm, &record, at + sizeof record, out);
            weir_ring_next(&shm->in, size);
            return true;
        }
        weir_ring_next(&shm->in, size);
        reclaim_loan(shm, record.id);
    }
    return false;
}

static void flush_backlog(weir_shm *shm) WEIR_REQUIRES(shm->lock)
{
    if (!shm->backlog.length)
        return;
    send_backlog(shm);
    wake_peer(shm);
}

void weir_shm_flush(weir_shm *shm)
{
    weir_mutex_lock(&shm->lock);
    flush_backlog(shm);
    weir_mutex_unlock(&shm->lock);
}

bool weir_shm_go_idle(weir_shm *shm, enum ring_wake how)
{
    bool waits = weir_ring_writer_waits(&shm->in);
    weir_mutex_lock(&shm->lock);
    flush_backlog(shm);
    if (waits)
        eventfd_write(shm->peer, 1);
    weir_mutex_unlock(&shm->lock);
    return weir_ring_sleep(&shm->in, how);
}

void weir_shm_wake_reader(weir_shm *shm)
{
    if (weir_ring_take_wake(&shm->in) == RING_WAKE_BY_WORD)
        weir_shared_word_wake(&shm->in.shared->asleep);
}

/* ---- life cycle ------------------------------------------------------------------------------ */

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
    close(shm->peer);
    weir_ref_release(&shm->mapping->ref);
    weir_buf_fini(&shm->backlog);
    weir_vec_fini(&shm->lent);
    weir_vec_fini(&shm->free_loans);
    weir_mutex_fini(&shm->lock);
    weir_free(shm);
}

/* Only a file that cannot shrink: reading beyond its end would kill this process. */
static void *map_shared(int fd, size_t bytes)
{
    int seals = fcntl(fd, F_GET_SEALS);
    off_t length = lseek(fd, 0, SEEK_END);
    if (seals < 0 || !(seals & F_SEAL_SHRINK) || length < 0 || (size_t)length != bytes || !bytes)
        return MAP_FAILED;
    return mmap(NULL, bytes, PROT_READ, MAP_SHARED | MAP_NORESERVE, fd, 0);
}

/* Waking a peer must not block: accepts only a non-blocking
 * eventfd. */
static bool is_good_wake(int fd)
{
    char path[64], name[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(path, name, sizeof name);
    int flags = fcntl(fd, F_GETFL);
    return length > 0 && weir_str_is((weir_str){name, (size_t)length}, "anon_inode:[eventfd]") &&
           flags >= 0 && fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0;
}

weir_shm *weir_shm_create(void *rings, bool first, int wake, int peer, int shared_fd,
                          size_t shared_bytes)
{
    void *at = is_good_wake(peer) ? map_shared(shared_fd, shared_bytes) : MAP_FAILED;
    close(shared_fd);
    if (at == MAP_FAILED) {
        munmap(rings, 2 * RING_SPAN);
        close(wake);
        close(peer);
        return NULL;
    }
    weir_shm *shm = WEIR_NEW(weir_shm);
    weir_ref_init(&shm->ref, destroy);
    shm->mapping = WEIR_NEW(weir_shm_mapping);
    *shm->mapping = (weir_shm_mapping){.at = at, .bytes = shared_bytes};
    weir_ref_init(&shm->mapping->ref, unmap);
    shm->rings = rings;
    shm->wake = wake;
    shm->peer = peer;
    weir_ring_init(first ? &shm->out : &shm->in, rings);
    weir_ring_init(first ? &shm->in : &shm->out, (char *)rings + RING_SPAN);
    weir_mutex_init(&shm->lock);
    shm->open = true;
    return shm;
}

bool weir_shm_is_open(weir_shm *shm)
{
    weir_mutex_lock(&shm->lock);
    bool open = shm->open;
    weir_mutex_unlock(&shm->lock);
    return open;
}

void weir_shm_close(weir_shm *shm)
{
    weir_mutex_lock(&shm->lock);
    shm->open = false;
    weir_buffer **lent = shm->lent.at;
    size_t count = shm->lent.count;
    shm->lent.at = NULL;
    shm->lent.count = shm->lent.room = 0;
    weir_mutex_unlock(&shm->lock);
    for (size_t i = 0; i < count; i++)
        release_lent(shm, lent[i]);
    weir_free(lent);
}
