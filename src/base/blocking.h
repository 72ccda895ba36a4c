/* base/blocking.h - threads for work that may block.
 *
 * Tasks of base/pool.h must not wait for anything but the pool. Work that is a plain loop around
 * calls that end later (a pipeline that runs functions) goes here instead: there is always a thread
 * for it, an idle one or a new one. Idle threads end after a while. Thread-safe.
 */
#ifndef WEIR_BASE_BLOCKING_H
#define WEIR_BASE_BLOCKING_H

/* Runs fn(arg) once on a thread that may block; on the caller's when no thread can be made. */
void weir_blocking_submit(void (*fn)(void *arg), void *arg);

#endif
