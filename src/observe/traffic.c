/* observe/traffic.c - a short list; most lookups find the first entries. */
#include "observe/traffic.h"

#include "base/mem.h"
#include "base/mutex.h"

enum { MOST = 1024 }; /* tasks times transports */

typedef struct traffic_slot {
    char *peer;
    size_t length;
    weir_traffic traffic;
} traffic_slot;

static weir_mutex lock = WEIR_MUTEX_INIT;
static WEIR_VEC(traffic_slot *) slots WEIR_GUARDED_BY(lock);

/* "/job:ps/replica:0/task:0/device:CPU:0" without its device. */
static weir_str task_of(weir_str device)
{
    const char *at = device.length ? memmem(device.at, device.length, "/device:", 8) : NULL;
    if (at)
        device.length = (size_t)(at - device.at);
    return device;
}

static weir_traffic *slot_of(weir_str peer, const char *transport) WEIR_REQUIRES(lock)
{
    for (size_t i = 0; i < slots.count; i++) {
        traffic_slot *slot = slots.at[i];
        if (slot->length == peer.length && memcmp(slot->peer, peer.at, peer.length) == 0 &&
            strcmp(slot->traffic.transport, transport) == 0)
            return &slot->traffic;
    }
    if (slots.count == MOST)
        return &slots.at[MOST - 1]->traffic;
    traffic_slot *slot = WEIR_NEW(traffic_slot);
    slot->peer = weir_strndup(peer.at, peer.length);
    slot->length = peer.length;
    slot->traffic = (weir_traffic){.peer = slot->peer, .transport = transport};
    weir_vec_push(&slots, slot);
    return &slot->traffic;
}

void weir_traffic_in(weir_str device, const char *transport, int64_t bytes)
{
    weir_mutex_lock(&lock);
    weir_traffic *traffic = slot_of(task_of(device), transport);
    traffic->in_bytes += bytes;
    traffic->in_count++;
    weir_mutex_unlock(&lock);
}

void weir_traffic_out(weir_str device, const char *transport, int64_t bytes)
{
    weir_mutex_lock(&lock);
    weir_traffic *traffic = slot_of(task_of(device), transport);
    traffic->out_bytes += bytes;
    traffic->out_count++;
    weir_mutex_unlock(&lock);
}

void weir_traffic_each(void (*fn)(void *arg, const weir_traffic *traffic), void *arg)
{
    weir_mutex_lock(&lock);
    for (size_t i = 0; i < slots.count; i++)
        fn(arg, &slots.at[i]->traffic);
    weir_mutex_unlock(&lock);
}
