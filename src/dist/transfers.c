/* dist/transfers.c - a list of transfers, under one lock. */
#include "dist/transfers.h"

#include "base/mutex.h"
#include <inttypes.h>
#include <stdatomic.h>

#include "base/mem.h"
#include "op/rendezvous.h"
#include "wire/messages.h"

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

/* Appends a DeviceStepStats of one NodeExecStats. */
static void put_transfer(const tensor_transfer *transfer, weir_buf *out)
{
    weir_parsed_key key = {0};
    weir_status_free(weir_rendezvous_parse(weir_str_of(transfer->key), &key));
    int64_t us = transfer->end_us - transfer->start_us;
    WEIR_BUF(label);
    weir_buf_addf(&label, "[%zuB] [%.2fMb/s] %.*s from %.*s to %.*s", transfer->bytes,
                  (double)transfer->bytes * 8 / (double)us, WEIR_STR_ARG(key.edge),
                  WEIR_STR_ARG(key.src_device), WEIR_STR_ARG(key.dst_device));
    weir_msg_node_exec_stats node = {.node_name = WEIR_STR("RecvTensor"),
                                     .all_start_micros = transfer->start_us,
                                     .op_end_rel_micros = us,
                                     .all_end_rel_micros = us,
                                     .timeline_label = weir_view(&label),
                                     .scheduled_micros = transfer->start_us};
    weir_msg_device_step_stats device = {.device = key.dst_device, .node_stats = {&node, 1}};
    weir_msg_step_stats_write(&(weir_msg_step_stats){.dev_stats = {&device, 1}}, out);
}

void weir_transfers_take(weir_transfers *transfers, int64_t step_id, weir_buf *out)
{
    size_t kept = 0;
    weir_mutex_lock(&transfers->lock);
    for (size_t i = 0; i < transfers->list.count; i++) {
        tensor_transfer *transfer = &transfers->list.at[i];
        if (transfer->step_id != step_id) {
            transfers->list.at[kept++] = *transfer;
            continue;
        }
        put_transfer(transfer, out);
        weir_free(transfer->key);
    }
    transfers->list.count = kept;
    weir_mutex_unlock(&transfers->lock);
}
