/* os.h - a simulated machine room: threads, a clock, and a network that follow from one seed.
 *
 * The simulation links Weir's own objects and takes the place of the system calls they make
 * (`ld --wrap`, wrap.txt): threads are real threads of which exactly one runs at a time, the clock
 * moves when all of them wait, and sockets are queues between simulated hosts. Which thread runs
 * next, how long a packet travels and which faults occur is drawn from the seed, so that a run can
 * be repeated exactly.
 */
#ifndef WEIR_SIM_OS_H
#define WEIR_SIM_OS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SIM_HOSTS = 256 };
#define SIM_NEVER INT64_MAX
#define SIM_MS 1000000LL
#define SIM_SECOND (1000 * SIM_MS)

/* ---- the seed ---------------------------------------------------------------------------------
 */

typedef struct sim_options {
    uint64_t seed;
    bool trace;           /* prints what happens, with times */
    int64_t end_ns;       /* a run that takes longer hangs */
    int preempt_one_in;   /* lock operations after which another thread may run; 0: never */
    int stall_one_in;     /* lock operations after which a thread stands still; 0: never */
    int64_t stall_ns;     /* for so long at most */
    int64_t latency_ns;   /* of a packet, at most */
    int duplicate_one_in; /* requests that are sent twice; 0: none */
    bool keeps_answers;   /* servers answer those both times */
    int64_t byte_ps;      /* picoseconds a byte, of every host's line */
} sim_options;

void sim_begin(const sim_options *options);
const sim_options *sim_settings(void);
uint64_t sim_random(uint64_t below); /* 0 when |below| is 0 */
bool sim_one_in(uint64_t count);     /* false when |count| is 0 */
int64_t sim_random_ns(int64_t least, int64_t most);
void sim_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Ends the run as failed: the seed shows a defect. */
_Noreturn void sim_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
uint64_t sim_digest(void); /* of every event so far: equal when a run is repeated */

/* ---- threads and the clock --------------------------------------------------------------------
 */

int64_t sim_now(void);
void sim_sleep(int64_t ns);
/* Blocks the calling thread until sim_wake is called for |object|, or |deadline|. False: that
 * passed. |why| is what the report of a hang says. */
bool sim_block(const void *object, const char *why, int64_t deadline);
void sim_wake(const void *object, int count); /* wakes |count| of those that block, drawn */
void sim_progress(void);       /* something was done: a run in which nothing is for minutes hangs */
void sim_preempt(void);        /* a point at which another thread may run */
void sim_event(uint64_t what); /* adds to the digest */
int sim_threads(void);         /* that have not ended */

/* ---- the network (network.c) ------------------------------------------------------------------
 */

/* Hosts are numbers. The address of host D, as host S dials it, is 10.S.D.1: who dials is known by
 * the address alone, because all hosts share one process. */
void sim_address(int source, int target, int port, char out[32]);
int64_t sim_network_next(void);        /* when a packet arrives next; SIM_NEVER */
void sim_network_deliver(int64_t now); /* what has arrived by then */

void sim_cut(int a, int b);                 /* resets the connections between them */
void sim_hold(int a, int b, int64_t until); /* nothing arrives before then */
void sim_isolate(int host, bool silent);    /* gone: resets everything, or says nothing */
void sim_rejoin(int host);
void sim_send_once(bool once);  /* no request is sent twice meanwhile (duplicates.c) */
int sim_open_sockets(int host); /* of its end */

#endif
