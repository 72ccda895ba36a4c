/* ops/collective/watch.h - whether the other members of a collective op are still there.
 *
 * Who waits for another member's buffer hears of that member's end by the call that waits. Who has
 * given a buffer, or waits for all to join, has no such call: an exchange that lasts longer than a
 * second asks the other tasks, and fails when one of them is gone, was started again, or has ended
 * the step without taking what it was given.
 */
#ifndef WEIR_OPS_COLLECTIVE_WATCH_H
#define WEIR_OPS_COLLECTIVE_WATCH_H

#include "ops/collective/exchange.h"

/* Watches the members of the exchange's group, once that is known. Shared by its calls. */
typedef struct weir_watch weir_watch;
weir_watch *weir_watch_create(weir_exchange *exchange);
/* Called every second, by who holds the exchange. */
void weir_watch_look(weir_watch *watch, weir_exchange *exchange);
/* The exchange ends. Takes null. */
void weir_watch_stop(weir_watch *watch);

#endif
