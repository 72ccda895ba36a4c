/* base/turns.h - limits how many threads compute at once, and shares them between groups in turn.
 *
 * A server may have many long steps in progress, each on a thread of its own. If all of them
 * computed at once, a thread with little to do would wait for a processor behind all of them. So a
 * step computes only while it holds a turn; there are a few more turns than processors. If others
 * wait, a turn ends after some milliseconds and is given to another group (a session), if one
 * waits. Thread-safe.
 *
 * There is no deadlock: when no turn has changed hands for a while, because all holders block, one
 * more is granted.
 */
#ifndef WEIR_BASE_TURNS_H
#define WEIR_BASE_TURNS_H

#include <stdatomic.h>
#include <stdint.h>

typedef struct weir_turn_holder {
    const void *group;
    int64_t since_ns;
} weir_turn_holder;

/* Acquires and releases a turn. The thread must not hold a lock that another holder of a turn could
 * need. */
void weir_turn_begin(weir_turn_holder *holder, const void *group);
void weir_turn_end(weir_turn_holder *holder);

/* Passes the turn on if it has lasted long enough, and waits for the next one. */
void weir_turn_pass(weir_turn_holder *holder);
extern atomic_int weir_turns_wanted; /* threads that wait for one */
static inline void weir_turn_check(weir_turn_holder *holder)
{
    if (holder && atomic_load_explicit(&weir_turns_wanted, memory_order_relaxed))
        weir_turn_pass(holder);
}

int weir_turns_limit(void); /* how many turns there are */

#endif
