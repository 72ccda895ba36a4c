/* net/spin_impl.h - adaptive spinning: polling for an event that is likely to be imminent.
 *
 * Between two processes of one host an answer often takes less time than sleeping and waking up.
 * The frequency adapts: spins without success make the next ones rarer, and so does a preemption
 * while spinning.
 */
#ifndef WEIR_NET_SPIN_IMPL_H
#define WEIR_NET_SPIN_IMPL_H

#include <stdbool.h>

/* The adaptive state; zero at first. One thread at a time. */
typedef struct weir_spin {
    int failures; /* recent ones: up with every failure, halved by a success */
    int skip;     /* so many calls return at once */
} weir_spin;

/* Polls |arrived| for about 60 us at most, and yields the processor in between. True: it arrived.
 */
bool weir_spin_until(weir_spin *spin, bool (*arrived)(const void *arg), const void *arg);

#endif
