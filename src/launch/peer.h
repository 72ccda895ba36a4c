/* launch/peer.h - a remote member of the job, at the other end of a connection.
 *
 * Lines, in both directions:
 *   down  begin | finish | signal N | close
 *   up    ready | 1 TEXT | 2 TEXT | last TEXT | joined 0|1 | ended STATUS
 * agent.h is the other side. Other lines from there are passed to |other|.
 */
#ifndef WEIR_LAUNCH_PEER_H
#define WEIR_LAUNCH_PEER_H

#include "launch/job.h"
#include "proc/lines.h"

typedef struct run_peer {
    run_loop *loop;
    run_events on;
    run_job *job;
    int member;      /* of |job| */
    run_lines lines; /* from the agent */
    int down;        /* -1: not connected */
    bool ended;
    void (*other)(void *arg, weir_str line);
    void *arg;
} run_peer;

extern const run_member_fns run_peer_fns;

/* A member that is not connected yet; the job takes it over. */
run_peer *run_peer_create(run_loop *loop, run_job *job, const char *name, int index,
                          const char *where);
/* Takes both descriptors over; they may be the same. */
void run_peer_connect(run_peer *peer, int up, int down);
void run_peer_send(run_peer *peer, const char *fmt, ...) WEIR_PRINTF(2, 3);

#endif
