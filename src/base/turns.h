/* base/turns.h - how many threads compute at once, and that groups of them take turns.
 *
 * A server may have many long steps in progress, each on a thread of its own. If all of them
 * computed at once, a thread that has little to do would wait for a processor behind all of them.
 * So a step computes while it has a turn; there are a few more of these than processors. When
 * others wait, a turn ends after some milliseconds, and the next one goes to another group (a
 * session), if one waits. Thread-safe.
 *
 * Nobody waits for ever: when no turn has moved for a while, because those who have one block, one
 * more is given out.
 */
#ifndef WEIR_BASE_TURNS_H
#define WEIR_BASE_TURNS_H

#include <stdatomic.h>
#include <stdint.h>

typedef struct weir_turn_holder {
    const void *group;
    int64_t since_ns;
} weir_turn_holder;

/* Takes a turn, and gives it back. The thread must hold no lock meanwhile that another one with a
 * turn could want. */
void weir_turn_begin(weir_turn_holder *holder, const void *group);
void weir_turn_end(weir_turn_holder *holder);

/* Gives the turn to another one if it has lasted long enough, and waits for the next. */
void weir_turn_pass(weir_turn_holder *holder);
extern atomic_int weir_turns_wanted; /* threads that wait for one */
static inline void weir_turn_check(weir_turn_holder *holder)
{
    if (holder && atomic_load_explicit(&weir_turns_wanted, memory_order_relaxed))
        weir_turn_pass(holder);
}

int weir_turns_limit(void); /* how many there are */

#endif
