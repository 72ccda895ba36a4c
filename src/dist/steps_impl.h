/* dist/steps_impl.h - tables and participants of steps, for steps.c, and for links.c: values sent
 * over streams. */
#ifndef WEIR_DIST_STEPS_IMPL_H
#define WEIR_DIST_STEPS_IMPL_H

#include "base/mutex.h"

#include "dist/known.h"
#include "dist/recv_tensor.h"
#include "dist/steps.h"

enum { REMEMBERED_FAILURES = 256 };

typedef struct failure {
    int64_t step_id; /* 0: none */
    weir_status why;
} failure;

struct weir_steps {
    weir_transfers *transfers;
    weir_known *known; /* cache of large received values */
    weir_mutex lock;
    weir_map tables WEIR_GUARDED_BY(lock);                       /* step id -> step_table */
    failure failures[REMEMBERED_FAILURES] WEIR_GUARDED_BY(lock); /* the latest, a ring buffer */
    size_t next_failure WEIR_GUARDED_BY(lock);
    weir_map sent WEIR_GUARDED_BY(lock);  /* key -> hash of the tag of a value for a link */
    weir_map large WEIR_GUARDED_BY(lock); /* keys of values that were too large for a link */
};

/* The values and receivers of one step. Held by the map, its participants, calls in progress. */
typedef struct step_table {
    weir_ref ref;
    weir_steps *steps;
    int64_t id;
    weir_rendezvous *values;
    const void *owner; /* under steps->lock, as are the fields below */
    bool joined;
    int access_count;                                 /* calls that use it now */
    WEIR_VEC(struct step_participant *) participants; /* each removes itself */
} step_table;

/* A task with which values are exchanged over a stream. */
typedef struct step_link {
    const weir_task *task;
    size_t name_length;
    weir_stream *stream; /* one of the two */
    weir_rpc *call;
} step_link;

/* A participant of a step that runs here, with its rendezvous. */
typedef struct step_participant {
    weir_rendezvous base;
    step_table *table; /* retained */
    weir_cluster *cluster;
    weir_cancel *calls; /* to other tasks */
    step_link *links;   /* complete before the participant runs; those that are there receive */
    int link_room;
    atomic_int link_count;
    weir_map requests; /* key -> value_request, for large values of links; under steps->lock */
} step_participant;

/* Of steps.c: requests a value from |task| by RecvTensor. */
void weir_participant_request(step_participant *participant, const weir_task *task, weir_str key,
                              weir_received done, void *arg);

/* links.c: */
weir_str weir_key_device(weir_str key); /* the sender's, in a key */
/* The sender's task; null when the cluster has none, or there is no cluster. */
const weir_task *weir_participant_source(const step_participant *participant, weir_str key);
/* Whether messages from |task| arrive on the stream of the step's RunGraph: then it is Weir's. */
bool weir_participant_has_link(const step_participant *participant, const weir_task *task);
/* The link to the receiver of a key's value; null: none, the value waits for a RecvTensor. */
const step_link *weir_participant_link_for(const step_participant *participant, weir_str key);
/* Sends a value, which is taken over, over a link. */
WEIR_CHECKED weir_status weir_participant_send(const step_participant *participant,
                                               const step_link *link, weir_str key,
                                               weir_tensor tensor, bool dead);
/* Waits for a value on a link. False: there is no link to |task|. */
bool weir_participant_recv(step_participant *participant, const weir_task *task, weir_str key,
                           weir_received done, void *arg);
/* Frees the links and the requests. */
void weir_participant_unlink(step_participant *participant);

#endif
