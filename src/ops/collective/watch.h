/* ops/collective/watch.h - failure detection for the members of a collective op.
 *
 * A receive fails by itself when the sending member dies. A sender, or a member waiting for others
 * to join, has no pending call: an exchange that lasts longer than a quarter of a second calls the
 * other tasks, and fails when one of them is gone, was restarted, does not answer keep-alives, or
 * has ended the step without taking its buffers.
 */
#ifndef WEIR_OPS_COLLECTIVE_WATCH_H
#define WEIR_OPS_COLLECTIVE_WATCH_H

#include "ops/collective/exchange.h"

/* Watches the members of the exchange's group, once it is known. Shared by its calls. */
typedef struct weir_watch weir_watch;
weir_watch *weir_watch_create(weir_exchange *exchange);
/* Called every second by a holder of the exchange. */
void weir_watch_look(weir_watch *watch, weir_exchange *exchange);
/* Stops watching when the exchange ends. Takes null. */
void weir_watch_stop(weir_watch *watch);

#endif
