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
typedef struct step_table {
    weir_ref ref;
    weir_steps *steps;
    int64_t id;
    weir_rendezvous *values;
    const void *owner; /* under steps->lock */
    bool joined;       /* under steps->lock */
    int access_count;  /* calls that look into it; under steps->lock */
    WEIR_VEC(struct step_participant *) participants; /* under steps->lock; each removes itself */
} step_table;

/* A task that values are exchanged with by a stream. */
typedef struct step_link {
    const weir_task *task;
    size_t name_length;
    weir_stream *stream; /* one of the two */
    weir_rpc *call;
} step_link;

/* A participant of the step that runs here: its rendezvous. */
typedef struct step_participant {
    weir_rendezvous base;
    step_table *table; /* retained */
    weir_cluster *cluster;
    weir_cancel *calls;        /* to other tasks */
    WEIR_VEC(step_link) links; /* complete before the participant runs */
    weir_map requests; /* key -> what was asked for though it is a link's; under steps->lock */
} step_participant;

/* steps.c: asks |task| for a value by RecvTensor. */
void weir_participant_request(step_participant *participant, const weir_task *task, weir_str key,
                              weir_received done, void *arg);

/* links.c: */
weir_str weir_key_device(weir_str key); /* that the key's value comes from */
/* The task that it is of; null when the cluster has none, or there is no cluster. */
const weir_task *weir_participant_source(const step_participant *participant, weir_str key);
/* The link to the task that a key's value is for; null: it waits to be asked for. */
const step_link *weir_participant_link_for(const step_participant *participant, weir_str key);
/* Sends a value, which is taken over, by a link. */
WEIR_CHECKED weir_status weir_participant_send(const step_participant *participant,
                                               const step_link *link, weir_str key,
                                               weir_tensor tensor, bool dead);
/* Waits for a value that comes by a link. False: there is none to |task|. */
bool weir_participant_recv(step_participant *participant, const weir_task *task, weir_str key,
                           weir_received done, void *arg);
void weir_participant_unlink(
    step_participant *participant); /* lets go of links, and of what was asked for */

#endif
