/* net/receive.c - threads that wait for calls receive for their channel, and a thread's sends are
 * batched until it waits.
 *
 * With gRPC the waiting thread reads the connection: epoll then watches for the connection's end
 * only, and the client I/O thread sleeps. It is not notified when the thread leaves, unless calls
 * are still open: usually the same thread soon waits for the next call. Starting a call without
 * waiting for it, and the channel's tick, return the connection to the client I/O thread.
 */
#include "base/word.h"
#include "net/channel_impl.h"

/* ---- corks ----------------------------------------------------------------------------------- */

enum { MOST_CORKED = 8 };

/* The channels that this thread has to flush. */
static _Thread_local struct {
    bool corked;
    int count;
    weir_channel *at[MOST_CORKED]; /* their memory is retained */
} own;

bool weir_channel_defers(weir_channel *channel)
{
    if (!own.corked)
        return false;
    for (int i = 0; i < own.count; i++)
        if (own.at[i] == channel)
            return true;
    if (own.count == MOST_CORKED)
        return false;
    weir_ref_retain(&channel->memory);
    own.at[own.count++] = channel;
    return true;
}

/* Makes sure that a thread reads the answers to open calls. */
static void let_be_read(weir_channel *channel) WEIR_REQUIRES(channel->lock)
{
    if (channel->h2.session && !channel->receiver && channel->active.first)
        weir_h2_read_elsewhere(&channel->h2, false);
}

void weir_channel_cork(void)
{
    own.corked = true;
    weir_shm_cork(weir_shm_thread_corks());
}

void weir_channel_uncork(void)
{
    own.corked = false;
    while (own.count) {
        weir_channel *channel = own.at[--own.count];
        weir_mutex_lock(&channel->lock);
        if (!channel->corked) /* otherwise the thread that calls back flushes next */
            weir_channel_flush_now(channel);
        let_be_read(channel);
        weir_channel_unlock(channel);
        weir_ref_release(&channel->memory);
    }
    weir_shm_uncork(weir_shm_thread_corks());
}

/* ---- receiving by gRPC ----------------------------------------------------------------------- */

/* Flushes, then waits for the watch's word or for bytes, without the lock. It does not spin:
 * polling a socket is a system call, and takes as long as sleeping. */
static void wait_for_either(weir_channel *channel, weir_word_watch *watch)
    WEIR_REQUIRES(channel->lock)
{
    int fd = channel->h2.fd; /* if the descriptor is closed and reused, the watch was kicked */
    weir_channel_unlock(channel);
    weir_channel_uncork();
    weir_word_watch_wait(watch, fd);
    weir_channel_cork();
    weir_mutex_lock(&channel->lock);
}

/* Receives until the word changes or the connection is lost. */
static void read_until(weir_channel *channel, weir_word_watch *watch, atomic_int *word)
    WEIR_REQUIRES(channel->lock)
{
    uint64_t connection = channel->connection;
    uint8_t *buffer = weir_client_take_buffer();
    weir_h2_read_elsewhere(&channel->h2, true);
    while (!atomic_load_explicit(word, memory_order_acquire) && channel->connection == connection) {
        wait_for_either(channel, watch);
        if (channel->connection == connection)
            weir_channel_read(channel, buffer);
    }
    weir_client_give_buffer(buffer);
}

static void receive_by_grpc(weir_channel *channel, atomic_int *word) WEIR_REQUIRES(channel->lock)
{
    bool may = channel->state == READY && !channel->shm && !channel->receiver && !channel->is_read;
    weir_word_watch *watch = may ? weir_word_watch_begin(word) : NULL;
    if (!watch)
        return;
    channel->receiver = watch;
    read_until(channel, watch, word);
    channel->receiver = NULL;
    weir_word_watch_end(watch);
    let_be_read(channel);
    if (channel->end_told && channel->h2.session)
        weir_h2_read_elsewhere(&channel->h2, false);
    channel->end_told = false;
}

void weir_channel_receive_until(weir_channel *channel, atomic_int *word)
{
    weir_channel_cork();
    weir_mutex_lock(&channel->lock);
    weir_channel_receive_by_shm(channel, word);
    receive_by_grpc(channel, word);
    weir_channel_unlock(channel);
    weir_channel_uncork();
    weir_word_wait(word, 0);
}
