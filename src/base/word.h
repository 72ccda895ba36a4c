/* base/word.h - waiting for a word of memory to change: one system call to sleep, one to wake.
 *
 * The waker changes the word first and wakes afterwards, without a lock. By then the waiter may
 * have seen the change and freed the word; this is harmless.
 */
#ifndef WEIR_BASE_WORD_H
#define WEIR_BASE_WORD_H

#include <errno.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Returns when the word is no longer |value|. */
static inline void weir_word_wait(atomic_int *word, int value)
{
    while (atomic_load_explicit(word, memory_order_acquire) == value)
        syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

/* Words that are waited for together with a descriptor (base/word_watch.h): their number; wakes the
 * waiter of |word|. False: there is none. */
extern atomic_int weir_words_watched;
bool weir_word_tell(atomic_int *word);

/* Wakes the waiter; at most one thread may wait. */
static inline void weir_word_wake(atomic_int *word)
{
    if (atomic_load(&weir_words_watched) && weir_word_tell(word))
        return;
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* The same for a word in memory that two processes map. */
static inline void weir_shared_word_wake(_Atomic uint32_t *word)
{
    syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

/* Returns when |word| is no longer |value|, |shared| no longer |shared_value|, or spuriously.
 * False: this system cannot wait for two words. */
static inline bool weir_word_wait_two(atomic_int *word, int value, _Atomic uint32_t *shared,
                                      uint32_t shared_value)
{
#ifdef SYS_futex_waitv
    struct futex_waitv both[] = {
        {.val = (uint64_t)(uint32_t)value,
         .uaddr = (uintptr_t)word,
         .flags = FUTEX_32 | FUTEX_PRIVATE_FLAG},
        {.val = shared_value, .uaddr = (uintptr_t)shared, .flags = FUTEX_32},
    };
    return syscall(SYS_futex_waitv, both, 2, 0, NULL, 0) >= 0 || errno == EAGAIN || errno == EINTR;
#else
    return false;
#endif
}

#endif
