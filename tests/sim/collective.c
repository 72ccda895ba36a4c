/* collective.c - scenario: all-reduce among workers that die and are started again, each by itself.
 *
 * Every worker has a client that runs steps without a time limit. Who fails is started again, as a
 * launcher that knows nothing of the others would: so groups are formed by processes of different
 * generations, one of which may be about to end. Every step must end, every sum must have every
 * member in it once, and when the faults end the workers must find each other again.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster.h"

enum { MOST_MEMBERS = 40, LAST_STEPS = 3 };

typedef struct member {
    int number;
    pthread_t id;
    pthread_mutex_t lifetime; /* held while its task is killed and started */
    TF_Graph *graph;
    TF_Output in, sum, sent;
    int calm_steps; /* since the faults ended */
} member;

static struct {
    sim_cluster cluster;
    int64_t elements;
    bool broadcasts, faults;
    int64_t pause_ns;
    int restarts;
    member all[MOST_MEMBERS];
} world;

/* ---- the graph ----------------------------------------------------------------------------------
 */

static TF_Output finish(TF_OperationDescription *description)
{
    TF_Status *status = TF_NewStatus();
    TF_Operation *operation = TF_FinishOperation(description, status);
    if (!operation)
        sim_fail("no graph: %s", TF_Message(status));
    TF_DeleteStatus(status);
    return (TF_Output){operation, 0};
}

static TF_OperationDescription *begin(const member *m, const char *type, const char *name)
{
    char device[64];
    snprintf(device, sizeof device, "/job:worker/task:%d/device:CPU:0", m->number);
    TF_OperationDescription *description = TF_NewOperation(m->graph, type, name);
    TF_SetDevice(description, device);
    return description;
}

static void set_group(TF_OperationDescription *description, int instance)
{
    TF_SetAttrInt(description, "group_size", world.cluster.workers);
    TF_SetAttrInt(description, "group_key", 1);
    TF_SetAttrInt(description, "instance_key", instance);
}

static void build(member *m)
{
    m->graph = TF_NewGraph();
    TF_OperationDescription *d = begin(m, "Placeholder", "in");
    TF_SetAttrType(d, "dtype", TF_FLOAT);
    TF_SetAttrShape(d, "shape", &world.elements, 1);
    m->in = finish(d);
    d = begin(m, "CollectiveReduce", "sum");
    TF_AddInput(d, m->in);
    set_group(d, 1);
    TF_SetAttrString(d, "merge_op", "Add", 3);
    TF_SetAttrString(d, "final_op", "Id", 2);
    TF_SetAttrIntList(d, "subdiv_offsets", &(int64_t){0}, 1);
    m->sum = finish(d);
    if (!world.broadcasts)
        return;
    bool sends = m->number == 0;
    d = begin(m, sends ? "CollectiveBcastSend" : "CollectiveBcastRecv", "sent");
    if (sends)
        TF_AddInput(d, m->in);
    else
        TF_SetAttrType(d, "T", TF_FLOAT);
    set_group(d, 2);
    TF_SetAttrShape(d, "shape", &world.elements, 1);
    m->sent = finish(d);
}

/* ---- a worker's program -------------------------------------------------------------------------
 */

static TF_Tensor *own_value(const member *m)
{
    TF_Tensor *tensor =
        TF_AllocateTensor(TF_FLOAT, &world.elements, 1, (size_t)world.elements * sizeof(float));
    float *at = TF_TensorData(tensor);
    for (int64_t i = 0; i < world.elements; i++)
        at[i] = (float)m->number + 1;
    at[1] = m->calm_steps >= LAST_STEPS;
    return tensor;
}

/* The number of members that want to end. */
static int judge(const member *m, TF_Tensor *const *fetched)
{
    const float *sum = TF_TensorData(fetched[0]);
    int workers = world.cluster.workers;
    float want = (float)(workers * (workers + 1) / 2);
    for (int64_t i = 0; i < world.elements; i++)
        if (i != 1 && sum[i] != want)
            sim_fail("worker %d: element %lld of the sum is %g, not %g", m->number, (long long)i,
                     sum[i], want);
    for (int64_t i = 0; world.broadcasts && i < world.elements; i++)
        if (i != 1 && ((const float *)TF_TensorData(fetched[1]))[i] != 1)
            sim_fail("worker %d: element %lld of the broadcast is wrong", m->number, (long long)i);
    return (int)sum[1];
}

/* True: all have agreed to end. */
static bool step(member *m, TF_Session *session, TF_Status *status)
{
    TF_Tensor *in = own_value(m), *fetched[2] = {0};
    TF_Output fetches[] = {m->sum, m->sent};
    int count = world.broadcasts ? 2 : 1, ready = 0;
    bool calm = !world.faults;
    TF_SessionRun(session, NULL, &m->in, &in, 1, fetches, fetched, count, NULL, 0, NULL, status);
    if (TF_GetCode(status) == TF_OK)
        ready = judge(m, fetched);
    m->calm_steps = calm && TF_GetCode(status) == TF_OK ? m->calm_steps + 1 : 0;
    TF_DeleteTensor(in);
    for (int i = 0; i < count; i++)
        TF_DeleteTensor(fetched[i]);
    return ready == world.cluster.workers;
}

/* One life of a worker. True: all have agreed to end. */
static bool live(member *m)
{
    bool over = false;
    char filter[64];
    TF_Status *status = TF_NewStatus();
    snprintf(filter, sizeof filter, "/job:worker/task:%d", m->number);
    TF_Session *session =
        sim_session_of(&world.cluster, m->number, m->number, filter, 0, m->graph, status);
    while (!over && TF_GetCode(status) == TF_OK) {
        over = step(m, session, status);
        sim_progress();
        sim_sleep(sim_random_ns(0, world.pause_ns / 8));
    }
    if (!over)
        sim_note("worker %d: %d %.160s", m->number, TF_GetCode(status), TF_Message(status));
    if (session) {
        TF_CloseSession(session, status);
        TF_DeleteSession(session, status);
    }
    TF_DeleteStatus(status);
    return over;
}

static void start_again(int worker, int64_t pause_ns)
{
    int host = sim_host_of_worker(&world.cluster, worker);
    pthread_mutex_lock(&world.all[worker].lifetime);
    sim_task_kill(&world.cluster, host, sim_one_in(3));
    sim_sleep(pause_ns);
    sim_task_start(&world.cluster, host);
    pthread_mutex_unlock(&world.all[worker].lifetime);
    if (++world.restarts > 200 * world.cluster.workers)
        sim_fail("the workers do not find each other");
}

static void *work(void *arg)
{
    member *m = arg;
    while (!live(m)) {
        m->calm_steps = 0;
        start_again(m->number, sim_random_ns(0, 2 * SIM_SECOND));
    }
    return NULL;
}

/* ---- faults -------------------------------------------------------------------------------------
 */

static void *make_faults(void *arg)
{
    int workers = world.cluster.workers;
    for (int left = 1 + (int)sim_random(12); left; left--) {
        sim_sleep(sim_random_ns(0, world.pause_ns));
        int a = (int)sim_random((uint64_t)workers), b = (int)sim_random((uint64_t)workers);
        if (!sim_one_in(3)) {
            start_again(a, sim_random_ns(0, 8 * SIM_SECOND));
        } else if (a != b) {
            sim_note("cut %d %d", a, b);
            sim_cut(a, b);
        }
    }
    world.faults = false;
    return NULL;
}

void sim_collective(void)
{
    pthread_t faults;
    int workers = 2 + (int)sim_random(sim_one_in(20) ? MOST_MEMBERS - 2 : 5);
    world.cluster = (sim_cluster){.workers = workers};
    world.elements = (int64_t[]){3, 5000, 20000, 60000}[sim_random(4)];
    world.broadcasts = sim_one_in(2);
    world.pause_ns = (int64_t[]){20, 200, 2000, 8000}[sim_random(4)] * SIM_MS;
    world.faults = true;
    sim_note("%d workers, %lld elements", workers, (long long)world.elements);
    sim_send_once(!sim_settings()->keeps_answers);
    sim_cluster_start(&world.cluster);
    for (int i = 0; i < workers; i++) {
        member *m = &world.all[i];
        m->number = i;
        pthread_mutex_init(&m->lifetime, NULL);
        build(m);
        pthread_create(&m->id, NULL, work, m);
    }
    pthread_create(&faults, NULL, make_faults, NULL);
    for (int i = 0; i < workers; i++)
        pthread_join(world.all[i].id, NULL);
    pthread_join(faults, NULL);
    for (int i = 0; i < workers; i++)
        TF_DeleteGraph(world.all[i].graph);
    sim_cluster_stop(&world.cluster);
}
