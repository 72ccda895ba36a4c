/* dist/steps.h - the rendezvous of every step that a task takes part in, by step id.
 *
 * A step's table is created on first use: by a RunGraph, a RecvTensor, or the task's own master.
 * Sent values stay in it until they are received or the step is cleaned up. Receiving a value of
 * another task's device requests it from that task. Thread-safe.
 *
 * A participant is a task's own execution in a step: the partition of the graph that it runs. A
 * table without participants is freed with its last receiver, so that late callers do not leak
 * tables.
 */
#ifndef WEIR_DIST_STEPS_H
#define WEIR_DIST_STEPS_H

#include "dist/cluster.h"
#include "dist/transfers.h"
#include "net/rpc.h"
#include "op/rendezvous.h"

typedef struct weir_steps weir_steps;

weir_steps *weir_steps_create(void);
void weir_steps_destroy(weir_steps *steps); /* receivers get ABORTED; takes null */

/* The rendezvous for a participant of step |id| that runs here, retained for the caller. Its recv
 * requests other devices' values from |cluster|'s tasks (retained; null: no others) by RecvTensor;
 * its abort ends the whole step here. |cancel| (may be null) cancels the calls to others. */
weir_rendezvous *weir_steps_join(weir_steps *steps, int64_t id, weir_cluster *cluster,
                                 weir_cancel *cancel);
/* Cancels the participant's calls to other tasks. Valid as long as the participant. */
weir_cancel *weir_steps_calls(weir_rendezvous *participant);
/* How many links there will be at most; once, before the first of them. */
void weir_steps_expect_links(weir_rendezvous *participant, int most);
/* Values between the participant and |task| travel by the stream that started |task|'s participant
 * (taken over) or by the call that started this one (retained); the other is null. They need no
 * RecvTensor then. One thread at a time, before the participant runs; messages of links that are
 * there may come meanwhile. */
void weir_steps_link(weir_rendezvous *participant, const weir_task *task, weir_stream *stream,
                     weir_rpc *call);
/* A value that arrived by a stream, with its key. */
void weir_steps_deliver(weir_rendezvous *participant, weir_str key, weir_rpc_message *message);
/* Serves RecvTensor and RecvBuf: a value of this task, once it is sent. For a buffer of a step that
 * failed here recently, the answer is that failure, which the caller may not know. */
void weir_steps_serve(weir_steps *steps, int64_t id, weir_str key, weir_received done, void *arg);
/* Removes a receiver that still waits, such as one of weir_steps_serve whose caller is gone; its
 * done gets |why|, which is taken over. */
void weir_steps_forget(weir_steps *steps, int64_t id, weir_str key, void *arg, weir_received done,
                       weir_status why);
/* Drops step |id|: frees leftover values; receivers get ABORTED "Cleanup <id>" (derived). */
void weir_steps_cleanup(weir_steps *steps, int64_t id);
/* The same for a participant that has ended, if the step has no values, receivers or other
 * participants here. False: CleanupGraph is needed. */
bool weir_steps_retire(weir_rendezvous *participant);
/* Step |id|, joined before, belongs to |owner|; drop_owned cleans up all of an owner's steps. */
void weir_steps_own(weir_steps *steps, int64_t id, const void *owner);
void weir_steps_drop_owned(weir_steps *steps, const void *owner);
size_t weir_steps_count(weir_steps *steps);              /* current number of tables */
weir_transfers *weir_steps_transfers(weir_steps *steps); /* received from other tasks */

/* A step id for a new step: random, not 0, below 2^57. */
int64_t weir_steps_new_id(void);

#endif
