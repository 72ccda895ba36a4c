/* proc/loop.h - an event loop over descriptors, children, signals and timers.
 *
 * One loop per process, one thread. Callbacks may add and remove anything.
 */
#ifndef WEIR_PROC_LOOP_H
#define WEIR_PROC_LOOP_H

#include <stdbool.h>
#include <sys/types.h>

typedef struct run_loop run_loop;

/* From here on the loop handles SIGCHLD and the forwarded signals. */
run_loop *run_loop_create(void);
void run_loop_destroy(run_loop *loop); /* restores the signal handlers */

/* Calls when |fd| is readable or closed; one callback per descriptor. */
void run_loop_watch(run_loop *loop, int fd, void (*ready)(void *arg), void *arg);
void run_loop_forget(run_loop *loop, int fd);
/* Calls once when the child exits, with waitpid's status. */
void run_loop_child(run_loop *loop, pid_t pid, void (*ended)(void *arg, int wait_status),
                    void *arg);
/* Calls once after the given milliseconds. */
void run_loop_after(run_loop *loop, int ms, void (*passed)(void *arg), void *arg);
void run_loop_forget_timers(run_loop *loop, void *arg); /* all with this |arg| */
/* A signal to end that follows the first one this soon is the same request, sent to the process and
 * to its group, as timeout(1) and terminals do. */
enum { RUN_TOGETHER_MS = 500 };

/* Calls for each SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, without repeated requests to
 * end. */
void run_loop_signals(run_loop *loop, void (*taken)(void *arg, int signal_number), void *arg);

/* From here on a loss of standard output's reader (weir run ... | head) is a request to end, too:
 * SIGPIPE, reported once. */
void run_loop_mind_output(run_loop *loop);

void run_loop_run(run_loop *loop); /* until run_loop_stop */
void run_loop_stop(run_loop *loop);
/* In a child, before exec: restores the signal handlers. */
void run_loop_leave(const run_loop *loop);

#endif
