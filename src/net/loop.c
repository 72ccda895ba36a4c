/* net/loop.c - serving threads, and the watchdog that replaces blocked ones. */
#include "net/loop_impl.h"

#include <time.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/word.h"
#include "net/limits.h"

enum { QUIET_LOOKS = 20 }; /* checks without activity after which the watchdog sleeps */

_Thread_local weir_turn *weir_this_turn;

static struct {
    weir_mutex lock;
    weir_loop *loops WEIR_GUARDED_BY(lock);
    bool started WEIR_GUARDED_BY(lock);
    weir_cond came; /* a replacement thread has taken over, or was not needed */
    atomic_int asleep;
} watchdog = {.lock = WEIR_MUTEX_INIT, .came = WEIR_COND_INIT};

/* ---- threads that serve -----------------------------------------------------------------------
 */

/* Takes over from the blocked thread, unless that has returned meanwhile. */
static bool begin_turn(weir_turn *turn)
{
    weir_loop *loop = turn->loop;
    unsigned long pulse = turn->held_up;
    bool mine = !turn->before ||
                atomic_compare_exchange_strong(&turn->before->pulse, &pulse, WEIR_TURN_LOST);
    weir_mutex_lock(&watchdog.lock);
    loop->coming = NULL;
    if (mine)
        loop->current = turn;
    weir_mutex_unlock(&watchdog.lock);
    return mine;
}

static void end_turn(weir_turn *turn)
{
    weir_loop *loop = turn->loop;
    weir_mutex_lock(&watchdog.lock); /* the watchdog may be checking it */
    while (loop->coming && loop->coming->before == turn)
        weir_cond_wait(&watchdog.came, &watchdog.lock);
    if (loop->current == turn)
        loop->current = NULL;
    weir_mutex_unlock(&watchdog.lock);
    weir_free(turn);
    weir_mutex_lock(&loop->lock);
    loop->threads--;
    weir_cond_broadcast(&loop->left);
    weir_mutex_unlock(&loop->lock);
}

static void *serve(void *arg)
{
    weir_turn *turn = arg;
    weir_this_turn = turn;
    bool mine = begin_turn(turn);
    weir_cond_broadcast(&watchdog.came);
    if (mine)
        turn->loop->run(turn->loop->arg);
    end_turn(turn);
    return NULL;
}

/* Starts a thread that is to replace the current one. False: no thread could be created. */
static bool succeed(weir_loop *loop) WEIR_REQUIRES(watchdog.lock)
{
    weir_turn *turn = WEIR_NEW(weir_turn);
    *turn = (weir_turn){.loop = loop, .before = loop->current, .held_up = loop->pulse};
    loop->coming = turn;
    weir_mutex_lock(&loop->lock);
    loop->threads++;
    weir_mutex_unlock(&loop->lock);
    pthread_t id;
    if (pthread_create(&id, NULL, serve, turn) == 0) {
        pthread_detach(id);
        return true;
    }
    loop->coming = NULL;
    weir_mutex_lock(&loop->lock);
    loop->threads--;
    weir_mutex_unlock(&loop->lock);
    weir_free(turn);
    return false;
}

/* ---- the watchdog ------------------------------------------------------------------------------
 */

/* True when the loop made a callback since the last check, or is in one. */
static bool look(weir_loop *loop, int64_t now) WEIR_REQUIRES(watchdog.lock)
{
    if (!loop->current || loop->coming)
        return loop->coming != NULL;
    unsigned long pulse = atomic_load_explicit(&loop->current->pulse, memory_order_acquire);
    if (pulse != loop->pulse) {
        loop->pulse = pulse;
        loop->since_ns = now;
        return true;
    }
    if (pulse % 2 && now - loop->since_ns >= weir_limits_get()->held_up_ms * 1000000)
        succeed(loop);
    return pulse % 2;
}

static bool look_at_all(void)
{
    bool active = false;
    int64_t now = weir_now_ns();
    weir_mutex_lock(&watchdog.lock);
    for (weir_loop *loop = watchdog.loops; loop; loop = loop->next)
        active |= look(loop, now);
    weir_mutex_unlock(&watchdog.lock);
    return active;
}

static void *watch(void *arg)
{
    int quiet = 0;
    for (;;) {
        quiet = look_at_all() ? 0 : quiet + 1;
        if (quiet < QUIET_LOOKS) {
            int64_t ns = weir_limits_get()->held_up_ms * 1000000 / 2;
            nanosleep(&(struct timespec){ns / 1000000000, ns % 1000000000 + 1}, NULL);
            continue;
        }
        atomic_store(&watchdog.asleep, 1);
        weir_word_wait(&watchdog.asleep, 1);
        quiet = 0;
    }
    return arg;
}

void weir_loop_call(void)
{
    weir_turn *turn = weir_this_turn;
    if (!turn)
        return;
    unsigned long pulse = atomic_load_explicit(&turn->pulse, memory_order_relaxed);
    if (pulse == WEIR_TURN_LOST)
        return;
    atomic_store_explicit(&turn->pulse, pulse + 1, memory_order_release);
    if (atomic_load_explicit(&watchdog.asleep, memory_order_relaxed) &&
        atomic_exchange(&watchdog.asleep, 0))
        weir_word_wake(&watchdog.asleep);
}

/* ---- loops -------------------------------------------------------------------------------------
 */

static bool start_watchdog(void) WEIR_REQUIRES(watchdog.lock)
{
    pthread_t id;
    if (!watchdog.started && pthread_create(&id, NULL, watch, NULL) == 0) {
        pthread_detach(id);
        watchdog.started = true;
    }
    return watchdog.started;
}

weir_status weir_loop_start(weir_loop *loop, void (*run)(void *), void *arg)
{
    loop->run = run;
    loop->arg = arg;
    weir_mutex_init(&loop->lock);
    weir_cond_init(&loop->left);
    weir_mutex_lock(&watchdog.lock);
    bool started = start_watchdog() && succeed(loop);
    if (started) {
        loop->next = watchdog.loops;
        watchdog.loops = loop;
    }
    weir_mutex_unlock(&watchdog.lock);
    return started ? WEIR_OK
                   : weir_error(WEIR_RESOURCE_EXHAUSTED,
                                "no thread can be started: the system or a limit refuses it");
}

void weir_loop_join(weir_loop *loop)
{
    weir_mutex_lock(&loop->lock);
    while (loop->threads)
        weir_cond_wait(&loop->left, &loop->lock);
    weir_mutex_unlock(&loop->lock);
    weir_mutex_lock(&watchdog.lock);
    weir_loop **at = &watchdog.loops;
    while (*at && *at != loop)
        at = &(*at)->next;
    if (*at)
        *at = loop->next;
    weir_mutex_unlock(&watchdog.lock);
    weir_cond_fini(&loop->left);
    weir_mutex_fini(&loop->lock);
}
