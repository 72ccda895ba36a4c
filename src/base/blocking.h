/* base/blocking.h - threads for work that may block.
 *
 * Tasks of base/pool.h must not wait for anything but the pool. Blocking work (a pipeline that runs
 * functions) is submitted here instead: it always gets a thread, an idle one or a new one. Idle
 * threads exit after a time-out. Thread-safe.
 */
#ifndef WEIR_BASE_BLOCKING_H
#define WEIR_BASE_BLOCKING_H

/* Runs fn(arg) once on a thread that may block; on the caller's if no thread can be created. */
void weir_blocking_submit(void (*fn)(void *arg), void *arg);

#endif
