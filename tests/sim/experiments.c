/* experiments.c - what published experiments measured, on simulated machines: `sim --experiment
 * NAME`.
 *
 * The clock moves by the network alone, and by what workers are told to compute for, so the figures
 * are of the protocol: who waits for whom, and what every line carries. Sizes are a fraction of the
 * published ones on lines that are slower by the same factor, which changes no ratio.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cluster.h"

enum {
    SERVERS = 16,
    MOST_WORKERS = 100,
    STEPS = 7,
    PART = 32768,    /* floats of a server's part: 2 MiB in all, for 100 MB */
    LINE_PS = 38000, /* a byte: 10 Gbit/s, slower by the same factor */
};

static struct {
    sim_cluster cluster;
    pthread_mutex_t lock;
    pthread_cond_t all_here;
    int here, round;
    int64_t times[STEPS + 1];
} world = {.lock = PTHREAD_MUTEX_INITIALIZER, .all_here = PTHREAD_COND_INITIALIZER};

/* ---- null steps: every worker reads the model and adds to it ------------------------------------
 */

typedef struct null_worker {
    int number;
    pthread_t id;
    TF_Graph *graph;
    TF_Operation *start[SERVERS], *add[SERVERS];
} null_worker;

static TF_Operation *finish(TF_OperationDescription *d)
{
    TF_Status *status = TF_NewStatus();
    TF_Operation *operation = TF_FinishOperation(d, status);
    if (TF_GetCode(status) != TF_OK)
        sim_fail("a node cannot be made: %s", TF_Message(status));
    TF_DeleteStatus(status);
    return operation;
}

static TF_OperationDescription *begin(TF_Graph *graph, const char *type, int number,
                                      const char *device)
{
    char name[64];
    snprintf(name, sizeof name, "%s%d", type, number);
    TF_OperationDescription *d = TF_NewOperation(graph, type, name);
    TF_SetDevice(d, device);
    TF_SetAttrType(d, strcmp(type, "Mul") && strcmp(type, "Fill") ? "dtype" : "T", TF_FLOAT);
    return d;
}

static TF_Output constant(TF_Graph *graph, const char *name, TF_DataType type, int64_t count,
                          const void *value, const char *device)
{
    TF_Status *status = TF_NewStatus();
    TF_OperationDescription *d = TF_NewOperation(graph, "Const", name);
    TF_Tensor *tensor = TF_AllocateTensor(type, &count, type == TF_INT32, 4);
    memcpy(TF_TensorData(tensor), value, 4);
    TF_SetDevice(d, device);
    TF_SetAttrType(d, "dtype", type);
    TF_SetAttrTensor(d, "value", tensor, status);
    TF_DeleteTensor(tensor);
    TF_DeleteStatus(status);
    return (TF_Output){finish(d), 0};
}

static void add_part(null_worker *w, int server, TF_Output half, const char *own)
{
    char device[64], name[32];
    snprintf(device, sizeof device, "/job:ps/task:%d", server);
    snprintf(name, sizeof name, "part%d", server);
    TF_OperationDescription *d = begin(w->graph, "VarHandleOp", server, device);
    TF_SetAttrShape(d, "shape", (int64_t[]){PART}, 1);
    TF_SetAttrString(d, "shared_name", name, strlen(name));
    TF_Output handle = {finish(d), 0};
    snprintf(name, sizeof name, "size%d", server);
    TF_Output size = constant(w->graph, name, TF_INT32, 1, &(int32_t){PART}, device);
    snprintf(name, sizeof name, "zero%d", server);
    TF_Output zero = constant(w->graph, name, TF_FLOAT, 1, &(float){0}, device);
    d = begin(w->graph, "Fill", server, device);
    TF_AddInput(d, size);
    TF_AddInput(d, zero);
    TF_Output zeros = {finish(d), 0};
    d = begin(w->graph, "AssignVariableOp", server, device);
    TF_AddInput(d, handle);
    TF_AddInput(d, zeros);
    w->start[server] = finish(d);
    d = begin(w->graph, "ReadVariableOp", server, device);
    TF_AddInput(d, handle);
    TF_Output read = {finish(d), 0};
    d = begin(w->graph, "Mul", server, own);
    TF_AddInput(d, read);
    TF_AddInput(d, half);
    TF_Output product = {finish(d), 0};
    d = begin(w->graph, "AssignAddVariableOp", server, device);
    TF_AddInput(d, handle);
    TF_AddInput(d, product);
    w->add[server] = finish(d);
}

/* Returns when all have come; the last one notes the time. */
static void meet(void)
{
    pthread_mutex_lock(&world.lock);
    int round = world.round;
    if (++world.here == world.cluster.workers) {
        world.here = 0;
        world.times[world.round++] = sim_now();
        pthread_cond_broadcast(&world.all_here);
    }
    while (round == world.round)
        pthread_cond_wait(&world.all_here, &world.lock);
    pthread_mutex_unlock(&world.lock);
}

static void run_all(TF_Session *session, TF_Operation *const *targets)
{
    TF_Status *status = TF_NewStatus();
    TF_SessionRun(session, NULL, NULL, NULL, 0, NULL, NULL, 0, (const TF_Operation *const *)targets,
                  SERVERS, NULL, status);
    if (TF_GetCode(status) != TF_OK)
        sim_fail("a step failed: %s", TF_Message(status));
    TF_DeleteStatus(status);
    sim_progress();
}

static void *work(void *arg)
{
    null_worker *w = arg;
    char own[64];
    TF_Status *status = TF_NewStatus();
    snprintf(own, sizeof own, "/job:worker/task:%d", w->number);
    w->graph = TF_NewGraph();
    TF_Output half = constant(w->graph, "half", TF_FLOAT, 1, &(float){0.5f}, own);
    for (int server = 0; server < SERVERS; server++)
        add_part(w, server, half, own);
    TF_Session *session =
        sim_session_of(&world.cluster, w->number, w->number, "/job:ps", 0, w->graph, status);
    if (!session)
        sim_fail("no session: %s", TF_Message(status));
    run_all(session, w->start);
    run_all(session, w->add); /* registered by now, and measured */
    for (int i = 0; i <= STEPS; i++) {
        meet();
        if (i < STEPS)
            run_all(session, w->add);
    }
    TF_CloseSession(session, status);
    TF_DeleteSession(session, status);
    TF_DeleteGraph(w->graph);
    TF_DeleteStatus(status);
    return NULL;
}

static int compare(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void null_steps(int workers)
{
    static null_worker all[MOST_WORKERS];
    sim_begin(&(sim_options){
        .seed = 1, .end_ns = 7200 * SIM_SECOND, .latency_ns = 100000, .byte_ps = LINE_PS});
    world.cluster = (sim_cluster){.servers = SERVERS, .workers = workers};
    sim_cluster_start(&world.cluster);
    for (int i = 0; i < workers; i++) {
        all[i].number = i;
        pthread_create(&all[i].id, NULL, work, &all[i]);
    }
    for (int i = 0; i < workers; i++)
        pthread_join(all[i].id, NULL);
    int64_t steps[STEPS];
    for (int i = 0; i < STEPS; i++)
        steps[i] = world.times[i + 1] - world.times[i];
    qsort(steps, STEPS, sizeof *steps, compare);
    printf("%d workers: median step %.0f ms\n", workers, (double)steps[STEPS / 2] * 1e-6);
    fflush(NULL);
}

/* ---- the table ----------------------------------------------------------------------------------
 */

static const struct {
    const char *name;
    void (*run)(int number);
    int numbers[8];
} experiments[] = {
    {"null-steps", null_steps, {1, 2, 5, 10, 25, 50, 100}},
    {"backup-workers", sim_backup, {-1, 1, 2, 3, 4, 5, 6}}, /* -1: none */
};

int sim_experiment(const char *name)
{
    for (size_t e = 0; e < sizeof experiments / sizeof *experiments; e++)
        for (int i = 0; !strcmp(experiments[e].name, name) && experiments[e].numbers[i]; i++) {
            int number = experiments[e].numbers[i], status = 1;
            pid_t child = fork();
            if (child == 0) {
                experiments[e].run(number);
                _exit(0);
            }
            if (child < 0 || waitpid(child, &status, 0) < 0 || status)
                return 1;
        }
    return 0;
}
