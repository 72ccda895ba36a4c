/* dist/steps_impl.h - tables and participants of steps, for the two files about them: steps.c, and
 * links.c for values that go and come by streams. */
#ifndef WEIR_DIST_STEPS_IMPL_H
#define WEIR_DIST_STEPS_IMPL_H

#include <pthread.h>

#include "dist/steps.h"

enum { REMEMBERED_FAILURES = 256 };

typedef struct failure {
    int64_t step_id; /* 0: none */
    weir_status why;
} failure;

struct weir_steps {
    weir_transfers *transfers;
    pthread_mutex_t lock;
    weir_map tables;                       /* step id -> table; under lock */
    failure failures[REMEMBERED_FAILURES]; /* the latest, in turn; under lock */
    size_t next_failure;                   /* under lock */
    weir_map large; /* keys of values that did not fit a link the last time; under lock */
};

/* What was sent and who waits, in one step. Shared: the map, its participants, calls in progress.
 */
typedef struct table {
    weir_ref ref;
    weir_steps *steps;
    int64_t id;
    weir_rendezvous *values;
    const void *owner;                           /* under steps->lock */
    bool joined;                                 /* under steps->lock */
    int access_count;                            /* calls that look into it; under steps->lock */
    WEIR_VEC(struct participant *) participants; /* under steps->lock; each removes itself */
} table;

/* A task that values are exchanged with by a stream. */
typedef struct step_link {
    const weir_task *task;
    size_t name_length;
    weir_stream *stream; /* one of the two */
    weir_rpc *call;
} step_link;

/* A participant of the step that runs here: its rendezvous. */
typedef struct participant {
    weir_rendezvous base;
    table *table; /* retained */
    weir_cluster *cluster;
    weir_cancel *calls;        /* to other tasks */
    WEIR_VEC(step_link) links; /* complete before the participant runs */
    weir_map requests; /* key -> what was asked for though it is a link's; under steps->lock */
} participant;

/* steps.c: asks |task| for a value by RecvTensor. */
void weir_participant_request(participant *p, const weir_task *task, weir_str key,
                              weir_received done, void *arg);

/* links.c: */
weir_str weir_key_device(weir_str key); /* that the key's value comes from */
/* The task that it is of; null when the cluster has none, or there is no cluster. */
const weir_task *weir_participant_source(const participant *p, weir_str key);
/* The link to the task that a key's value is for; null: it waits to be asked for. */
const step_link *weir_participant_link_for(const participant *p, weir_str key);
/* Sends a value, which is taken over, by a link. */
WEIR_CHECKED weir_status weir_participant_send(const participant *p, const step_link *l,
                                               weir_str key, weir_tensor t, bool dead);
/* Waits for a value that comes by a link. False: there is none to |task|. */
bool weir_participant_recv(participant *p, const weir_task *task, weir_str key, weir_received done,
                           void *arg);
void weir_participant_unlink(participant *p); /* lets go of links, and of what was asked for */

#endif
