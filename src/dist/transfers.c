/* dist/transfers.c - a list of transfers by step, under one lock. */
#include "dist/transfers.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>

#include "base/mem.h"
#include "op/rendezvous.h"
#include "wire/pb.h"

enum { MAX_TRANSFERS = 100000 };

typedef struct transfer {
    int64_t step_id;
    char *key;
    size_t bytes;
    int64_t start_us, end_us;
} transfer;

struct weir_transfers {
    atomic_bool on;
    pthread_mutex_t lock;
    WEIR_VEC(transfer) list; /* under lock; in the order they came */
};

weir_transfers *weir_transfers_create(void)
{
    weir_transfers *t = WEIR_NEW(weir_transfers);
    pthread_mutex_init(&t->lock, NULL);
    return t;
}

void weir_transfers_clear(weir_transfers *t)
{
    pthread_mutex_lock(&t->lock);
    for (size_t i = 0; i < t->list.count; i++)
        weir_free(t->list.at[i].key);
    weir_vec_fini(&t->list);
    pthread_mutex_unlock(&t->lock);
}

void weir_transfers_destroy(weir_transfers *t)
{
    if (!t)
        return;
    weir_transfers_clear(t);
    pthread_mutex_destroy(&t->lock);
    weir_free(t);
}

void weir_transfers_enable(weir_transfers *t, bool on)
{
    atomic_store_explicit(&t->on, on, memory_order_relaxed);
}

bool weir_transfers_enabled(const weir_transfers *t)
{
    return atomic_load_explicit(&t->on, memory_order_relaxed);
}

void weir_transfers_add(weir_transfers *t, int64_t step_id, weir_str key, size_t bytes,
                        int64_t start_us, int64_t end_us)
{
    pthread_mutex_lock(&t->lock);
    if (t->list.count < MAX_TRANSFERS)
        weir_vec_push(&t->list, (transfer){step_id, weir_strndup(key.at, key.length), bytes,
                                           start_us, end_us > start_us ? end_us : start_us + 1});
    pthread_mutex_unlock(&t->lock);
}

/* A DeviceStepStats of one NodeExecStats. */
static void put_transfer(const transfer *t, weir_buf *out)
{
    weir_parsed_key k = {0};
    weir_status_free(weir_rendezvous_parse(weir_str_of(t->key), &k));
    uint64_t us = (uint64_t)(t->end_us - t->start_us);
    weir_buf label = {0};
    weir_buf_addf(&label, "[%zuB] [%.2fMb/s] %.*s from %.*s to %.*s", t->bytes,
                  (double)t->bytes * 8 / (double)us, WEIR_STR_ARG(k.edge),
                  WEIR_STR_ARG(k.src_device), WEIR_STR_ARG(k.dst_device));
    size_t device = weir_pb_begin(out, 1);
    weir_pb_put_bytes(out, 1, k.dst_device.at, k.dst_device.length);
    size_t node = weir_pb_begin(out, 2);
    weir_pb_put_str(out, 1, "RecvTensor");
    weir_pb_put_varint(out, 2, (uint64_t)t->start_us);
    weir_pb_put_varint(out, 4, us);
    weir_pb_put_varint(out, 5, us);
    weir_pb_put_bytes(out, 8, label.at, label.length);
    weir_pb_put_varint(out, 9, (uint64_t)t->start_us);
    weir_pb_end(out, node);
    weir_pb_end(out, device);
    weir_buf_fini(&label);
}

void weir_transfers_take(weir_transfers *t, int64_t step_id, uint32_t field, weir_buf *out)
{
    size_t mark = weir_pb_begin(out, field);
    weir_pb_put_varint(out, 1, (uint64_t)step_id);
    size_t stats = weir_pb_begin(out, 2);
    pthread_mutex_lock(&t->lock);
    size_t kept = 0;
    for (size_t i = 0; i < t->list.count; i++) {
        transfer *one = &t->list.at[i];
        if (one->step_id != step_id) {
            t->list.at[kept++] = *one;
            continue;
        }
        put_transfer(one, out);
        weir_free(one->key);
    }
    t->list.count = kept;
    pthread_mutex_unlock(&t->lock);
    weir_pb_end(out, stats);
    weir_pb_end(out, mark);
}
