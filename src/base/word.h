/* base/word.h - waiting for a word of memory to change: one system call to sleep, one to wake.
 *
 * Whoever changes the word does so first and wakes afterwards, without a lock; the waiter may have
 * seen the change, gone on and freed the word by then, which does no harm.
 */
#ifndef WEIR_BASE_WORD_H
#define WEIR_BASE_WORD_H

#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Returns when the word is not |value| any more. */
static inline void weir_word_wait(atomic_int *word, int value)
{
    while (atomic_load_explicit(word, memory_order_acquire) == value)
        syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

/* Wakes who waits for it; at most one thread may. */
static inline void weir_word_wake(atomic_int *word)
{
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

#endif
