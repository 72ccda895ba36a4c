/* net/spin_impl.h - waiting awake for what is likely to come at once.
 *
 * Between two processes of one host an answer often takes less time than falling asleep and waking
 * up. How often that is so is learnt: waits that were in vain make the next ones rarer, and so does
 * a processor that somebody else wanted for long.
 */
#ifndef WEIR_NET_SPIN_IMPL_H
#define WEIR_NET_SPIN_IMPL_H

#include <stdbool.h>

/* What was learnt; zero at first. One thread at a time. */
typedef struct weir_spin {
    int failures; /* lately */
    int skip;     /* so many waits are not tried */
} weir_spin;

/* Asks |arrived| again and again, for some 60 us at most; what else wants to run on this processor
 * does. True: it came. */
bool weir_spin_until(weir_spin *spin, bool (*arrived)(const void *arg), const void *arg);

#endif
