/* dist/transfers.c - a list of transfers by step, under one lock. */
#include "dist/transfers.h"

#include "base/mutex.h"
#include <inttypes.h>
#include <stdatomic.h>

#include "base/mem.h"
#include "op/rendezvous.h"
#include "wire/pb.h"

enum { MAX_TRANSFERS = 100000 };

typedef struct tensor_transfer {
    int64_t step_id;
    char *key;
    size_t bytes;
    int64_t start_us, end_us;
} tensor_transfer;

struct weir_transfers {
    atomic_bool on;
    weir_mutex lock;
    WEIR_VEC(tensor_transfer) list WEIR_GUARDED_BY(lock); /* in order of arrival */
};

weir_transfers *weir_transfers_create(void)
{
    weir_transfers *transfers = WEIR_NEW(weir_transfers);
    weir_mutex_init(&transfers->lock);
    return transfers;
}

void weir_transfers_clear(weir_transfers *transfers)
{
    weir_mutex_lock(&transfers->lock);
    for (size_t i = 0; i < transfers->list.count; i++)
        weir_free(transfers->list.at[i].key);
    weir_vec_fini(&transfers->list);
    weir_mutex_unlock(&transfers->lock);
}

void weir_transfers_destroy(weir_transfers *transfers)
{
    if (!transfers)
        return;
    weir_transfers_clear(transfers);
    weir_mutex_fini(&transfers->lock);
    weir_free(transfers);
}

void weir_transfers_enable(weir_transfers *transfers, bool on)
{
    atomic_store_explicit(&transfers->on, on, memory_order_relaxed);
}

bool weir_transfers_enabled(const weir_transfers *transfers)
{
    return atomic_load_explicit(&transfers->on, memory_order_relaxed);
}

void weir_transfers_add(weir_transfers *transfers, int64_t step_id, weir_str key, size_t bytes,
                        int64_t start_us, int64_t end_us)
{
    weir_mutex_lock(&transfers->lock);
    if (transfers->list.count < MAX_TRANSFERS)
        weir_vec_push(&transfers->list,
                      (tensor_transfer){step_id, weir_strndup(key.at, key.length), bytes, start_us,
                                        end_us > start_us ? end_us : start_us + 1});
    weir_mutex_unlock(&transfers->lock);
}

/* A DeviceStepStats of one NodeExecStats. */
static void put_transfer(const tensor_transfer *transfer, weir_buf *out)
{
    weir_parsed_key key = {0};
    weir_status_free(weir_rendezvous_parse(weir_str_of(transfer->key), &key));
    uint64_t us = (uint64_t)(transfer->end_us - transfer->start_us);
    weir_buf label = {0};
    weir_buf_addf(&label, "[%zuB] [%.2fMb/s] %.*s from %.*s to %.*s", transfer->bytes,
                  (double)transfer->bytes * 8 / (double)us, WEIR_STR_ARG(key.edge),
                  WEIR_STR_ARG(key.src_device), WEIR_STR_ARG(key.dst_device));
    size_t device = weir_pb_begin(out, 1);
    weir_pb_put_bytes(out, 1, key.dst_device.at, key.dst_device.length);
    size_t node = weir_pb_begin(out, 2);
    weir_pb_put_str(out, 1, "RecvTensor");
    weir_pb_put_varint(out, 2, (uint64_t)transfer->start_us);
    weir_pb_put_varint(out, 4, us);
    weir_pb_put_varint(out, 5, us);
    weir_pb_put_bytes(out, 8, label.at, label.length);
    weir_pb_put_varint(out, 9, (uint64_t)transfer->start_us);
    weir_pb_end(out, node);
    weir_pb_end(out, device);
    weir_buf_fini(&label);
}

void weir_transfers_take(weir_transfers *transfers, int64_t step_id, uint32_t field, weir_buf *out)
{
    size_t mark = weir_pb_begin(out, field);
    weir_pb_put_varint(out, 1, (uint64_t)step_id);
    size_t stats = weir_pb_begin(out, 2);
    weir_mutex_lock(&transfers->lock);
    size_t kept = 0;
    for (size_t i = 0; i < transfers->list.count; i++) {
        tensor_transfer *one = &transfers->list.at[i];
        if (one->step_id != step_id) {
            transfers->list.at[kept++] = *one;
            continue;
        }
        put_transfer(one, out);
        weir_free(one->key);
    }
    transfers->list.count = kept;
    weir_mutex_unlock(&transfers->lock);
    weir_pb_end(out, stats);
    weir_pb_end(out, mark);
}
