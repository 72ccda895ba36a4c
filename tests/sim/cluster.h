/* cluster.h - the tasks of a simulated cluster, their faults, and clients' sessions. */
#ifndef WEIR_SIM_CLUSTER_H
#define WEIR_SIM_CLUSTER_H

#include "tensorflow/c/c_api.h"

#include "os.h"

enum { FIRST_PORT = 2000 };

typedef struct sim_cluster {
    int servers, workers; /* hosts 0.. are parameter servers, those behind them workers */
    struct weir_server *running[SIM_HOSTS]; /* null: down */
    int restarts[SIM_HOSTS];
} sim_cluster;

static inline int sim_host_of_worker(const sim_cluster *cluster, int worker)
{
    return cluster->servers + worker;
}
static inline int sim_host_of_client(const sim_cluster *cluster, int client)
{
    return 255 - client;
}

void sim_cluster_start(sim_cluster *cluster);
void sim_task_start(sim_cluster *cluster, int host);
void sim_task_kill(sim_cluster *cluster, int host, bool silent); /* its state is lost */
void sim_cluster_stop(sim_cluster *cluster);

/* A session of a client on a worker; null and |status| set when it cannot be had. */
TF_Session *sim_session(const sim_cluster *cluster, int client, int worker, TF_Graph *graph,
                        TF_Status *status);
/* The same, with devices that match |filter| (null: all) and a time limit for steps (0: none). */
TF_Session *sim_session_of(const sim_cluster *cluster, int client, int worker, const char *filter,
                           int timeout_ms, TF_Graph *graph, TF_Status *status);
/* Runs |target| and fetches |fetch| (oper null: nothing) as int64 numbers; 0: no time limit. */
void sim_run(TF_Session *session, TF_Output fetch, int64_t *out_value, TF_Operation *target,
             int timeout_ms, TF_Status *status);

typedef struct sim_scenario {
    const char *name, *what;
    void (*run)(void);
} sim_scenario;

extern const sim_scenario sim_scenarios[];
extern const int sim_scenario_count;

void sim_backup(int spares); /* of sync.c: the mean step with 50 workers and so many spares */
int sim_experiment(const char *name); /* of experiments.c: prints its table; the exit status */

/* Defects to plant (mutants.c). */
typedef struct sim_mutant {
    const char *name, *what;
} sim_mutant;

extern const sim_mutant sim_mutants[];
extern const int sim_mutant_count;
bool sim_plant(const char *name); /* false: there is none of that name */

#endif
