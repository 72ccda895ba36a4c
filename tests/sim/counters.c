/* counters.c - scenario: clients count on parameter servers while tasks and lines fail.
 *
 * Every step adds 1 to a variable of every parameter server and reads it. What a client was told
 * was done must be done; what it was not told of may be done or not, once. Values begin at a
 * multiple of EPOCH that is new for every initialisation, so that what was added before a server
 * lost its state is told apart.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster.h"

enum { MOST_SERVERS = 4, MOST_CLIENTS = 96 };
static const int64_t EPOCH = 1000000000;

typedef struct counter {
    TF_Output value;     /* read after the addition */
    TF_Operation *start; /* assigns |base| */
    TF_Output there;     /* initialised? */
} counter;

typedef struct client {
    int number;
    pthread_t id;
    TF_Graph *graph;
    TF_Session *session;
    counter counters[MOST_SERVERS];
    TF_Output base, sum;
    int64_t last[MOST_SERVERS];
    int steps;
} client;

static struct {
    sim_cluster cluster;
    int clients, steps;
    client all[MOST_CLIENTS];
    int64_t acknowledged[MOST_SERVERS], unknown; /* of the present epoch */
    int64_t epoch[MOST_SERVERS];                 /* 0: not initialised */
    int64_t epochs;
    bool was_faulty;
    bool faults, calm; /* |calm|: no faults for now, because variables are being initialised */
    int done;
    int64_t pause_ns; /* between faults, at most */
} world;

/* ---- graphs -------------------------------------------------------------------------------------
 */

static TF_Operation *finish(TF_OperationDescription *description)
{
    TF_Status *status = TF_NewStatus();
    TF_Operation *operation = TF_FinishOperation(description, status);
    if (TF_GetCode(status) != TF_OK)
        sim_fail("a node cannot be made: %s", TF_Message(status));
    TF_DeleteStatus(status);
    return operation;
}

static TF_OperationDescription *begin(client *c, const char *type, const char *name, int number,
                                      const char *device)
{
    char full[64];
    snprintf(full, sizeof full, "%s%d", name, number);
    TF_OperationDescription *description = TF_NewOperation(c->graph, type, full);
    if (device)
        TF_SetDevice(description, device);
    return description;
}

static TF_Output constant(client *c, const char *name, int64_t value)
{
    TF_Status *status = TF_NewStatus();
    TF_OperationDescription *description = begin(c, "Const", name, 0, NULL);
    TF_Tensor *tensor = TF_AllocateTensor(TF_INT64, NULL, 0, sizeof value);
    memcpy(TF_TensorData(tensor), &value, sizeof value);
    TF_SetAttrType(description, "dtype", TF_INT64);
    TF_SetAttrTensor(description, "value", tensor, status);
    TF_DeleteTensor(tensor);
    TF_DeleteStatus(status);
    return (TF_Output){finish(description), 0};
}

static void add_counter(client *c, int server, TF_Output one)
{
    char device[64], shared[16];
    snprintf(device, sizeof device, "/job:ps/task:%d", server);
    snprintf(shared, sizeof shared, "count%d", server);
    TF_OperationDescription *d = begin(c, "VarHandleOp", "handle", server, device);
    TF_SetAttrType(d, "dtype", TF_INT64);
    TF_SetAttrShape(d, "shape", NULL, 0);
    TF_SetAttrString(d, "shared_name", shared, strlen(shared));
    TF_Output handle = {finish(d), 0};

    d = begin(c, "AssignVariableOp", "start", server, device);
    TF_AddInput(d, handle);
    TF_AddInput(d, c->base);
    TF_SetAttrType(d, "dtype", TF_INT64);
    c->counters[server].start = finish(d);

    d = begin(c, "AssignAddVariableOp", "add", server, device);
    TF_AddInput(d, handle);
    TF_AddInput(d, one);
    TF_SetAttrType(d, "dtype", TF_INT64);
    TF_Operation *add = finish(d);

    d = begin(c, "ReadVariableOp", "read", server, device);
    TF_AddInput(d, handle);
    TF_AddControlInput(d, add);
    TF_SetAttrType(d, "dtype", TF_INT64);
    c->counters[server].value = (TF_Output){finish(d), 0};

    d = begin(c, "VarIsInitializedOp", "there", server, device);
    TF_AddInput(d, handle);
    c->counters[server].there = (TF_Output){finish(d), 0};
}

static void build(client *c)
{
    char device[64];
    snprintf(device, sizeof device, "/job:worker/task:%d", c->number % world.cluster.workers);
    c->graph = TF_NewGraph();
    TF_Output one = constant(c, "one", 1);
    TF_OperationDescription *d = begin(c, "Placeholder", "base", 0, device);
    TF_SetAttrType(d, "dtype", TF_INT64);
    c->base = (TF_Output){finish(d), 0};
    for (int server = 0; server < world.cluster.servers; server++)
        add_counter(c, server, one);
}

/* ---- a client -----------------------------------------------------------------------------------
 */

static void drop_session(client *c, TF_Status *status)
{
    if (!c->session)
        return;
    TF_CloseSession(c->session, status);
    TF_DeleteSession(c->session, status);
    c->session = NULL;
}

static bool has_session(client *c, TF_Status *status)
{
    if (!c->session)
        c->session = sim_session(&world.cluster, c->number, c->number % world.cluster.workers,
                                 c->graph, status);
    return c->session != NULL;
}

static TF_Tensor *number_tensor(int64_t value)
{
    TF_Tensor *tensor = TF_AllocateTensor(TF_INT64, NULL, 0, sizeof value);
    memcpy(TF_TensorData(tensor), &value, sizeof value);
    return tensor;
}

/* Gives the variable of |server| the first value of a new epoch. */
static bool start_epoch(client *c, int server, TF_Status *status)
{
    int64_t epoch = ++world.epochs;
    TF_Tensor *base = number_tensor(epoch * EPOCH);
    const TF_Operation *target = c->counters[server].start;
    world.calm = true; /* whether an assignment was made must be known */
    sim_send_once(true);
    TF_SessionRun(c->session, NULL, &c->base, &base, 1, NULL, NULL, 0, &target, 1, NULL, status);
    TF_DeleteTensor(base);
    world.calm = false;
    sim_send_once(false);
    if (TF_GetCode(status) != TF_OK)
        return false;
    world.epoch[server] = epoch;
    world.acknowledged[server] = 0;
    sim_note("epoch %lld begins on server %d", (long long)epoch, server);
    return true;
}

/* The first client initialises what is not there. */
static void initialize(client *c, TF_Status *status)
{
    for (int server = 0; server < world.cluster.servers; server++) {
        TF_Tensor *there = NULL;
        TF_SessionRun(c->session, NULL, NULL, NULL, 0, &c->counters[server].there, &there, 1, NULL,
                      0, NULL, status);
        bool is = there && *(const bool *)TF_TensorData(there);
        TF_DeleteTensor(there);
        if (TF_GetCode(status) != TF_OK || (!is && !start_epoch(c, server, status)))
            return;
    }
}

/* What a step returned must fit to what was there before. */
static void judge(client *c, const int64_t *values)
{
    for (int server = 0; server < world.cluster.servers; server++) {
        if (values[server] <= c->last[server])
            sim_fail("client %d saw %lld on server %d after %lld", c->number,
                     (long long)values[server], server, (long long)c->last[server]);
        c->last[server] = values[server];
        if (values[server] / EPOCH == world.epoch[server])
            world.acknowledged[server]++;
    }
}

static void count(client *c, TF_Status *status)
{
    TF_Output fetches[MOST_SERVERS];
    TF_Tensor *fetched[MOST_SERVERS] = {0};
    int64_t values[MOST_SERVERS];
    int servers = world.cluster.servers;
    for (int server = 0; server < servers; server++)
        fetches[server] = c->counters[server].value;
    TF_SessionRun(c->session, NULL, NULL, NULL, 0, fetches, fetched, servers, NULL, 0, NULL,
                  status);
    for (int server = 0; server < servers; server++) {
        if (fetched[server])
            memcpy(&values[server], TF_TensorData(fetched[server]), sizeof *values);
        TF_DeleteTensor(fetched[server]);
    }
    if (TF_GetCode(status) == TF_OK) {
        judge(c, values);
        c->steps++;
    } else {
        world.unknown++;
    }
}

/* Whether a client makes a new session after such an error, as TensorFlow's recovery does. */
static bool is_lost(TF_Code code)
{
    return code == TF_UNAVAILABLE || code == TF_ABORTED || code == TF_CANCELLED ||
           code == TF_DEADLINE_EXCEEDED || code == TF_INTERNAL || code == TF_UNKNOWN;
}

static bool is_uninitialized(TF_Code code)
{
    return code == TF_FAILED_PRECONDITION || code == TF_NOT_FOUND;
}

static void step(client *c, TF_Status *status)
{
    if (!has_session(c, status))
        return;
    count(c, status);
    if (is_uninitialized(TF_GetCode(status)) && c->number == 0) {
        TF_SetStatus(status, TF_OK, "");
        initialize(c, status);
    }
}

/* The first client goes on until nobody needs what it initialises. */
static bool has_work(const client *c)
{
    return c->steps < world.steps || (c->number == 0 && world.done < world.clients - 1);
}

static void *work(void *arg)
{
    client *c = arg;
    while (has_work(c)) {
        TF_Status *status = TF_NewStatus();
        step(c, status);
        sim_progress();
        TF_Code code = TF_GetCode(status);
        if (code != TF_OK) {
            sim_note("client %d: %d %.160s", c->number, code, TF_Message(status));
            bool twice = sim_settings()->duplicate_one_in && !sim_settings()->keeps_answers;
            if (code == TF_ABORTED && !world.was_faulty && !twice)
                sim_fail("client %d: nothing was wrong: %s", c->number, TF_Message(status));
            if (strstr(TF_Message(status), "The answer has no value"))
                sim_fail("client %d: a step that failed was answered as done", c->number);
            if (!is_lost(code) && !is_uninitialized(code))
                sim_fail("client %d: unexpected error %d: %s", c->number, code, TF_Message(status));
            if (is_lost(code))
                drop_session(c, status);
            sim_sleep(sim_random_ns(SIM_MS, 200 * SIM_MS));
        }
        TF_DeleteStatus(status);
    }
    world.done++;
    return NULL;
}

/* ---- faults -------------------------------------------------------------------------------------
 */

static int any_host(void)
{
    int hosts = world.cluster.servers + world.cluster.workers;
    int drawn = (int)sim_random((uint64_t)(hosts + world.clients));
    return drawn < hosts ? drawn : sim_host_of_client(&world.cluster, drawn - hosts);
}

static void restart_some_task(void)
{
    int host = (int)sim_random((uint64_t)(world.cluster.servers + world.cluster.workers));
    sim_task_kill(&world.cluster, host, sim_one_in(3));
    if (host < world.cluster.servers)
        world.epoch[host] = 0;
    sim_sleep(sim_random_ns(0, 8 * SIM_SECOND));
    sim_task_start(&world.cluster, host);
}

static void *make_faults(void *arg)
{
    for (int left = 1 + (int)sim_random(40); left && world.faults; left--) {
        sim_sleep(sim_random_ns(0, world.pause_ns));
        if (!world.faults || world.calm)
            continue;
        int a = any_host(), b = any_host(), kind = (int)sim_random(10);
        if (kind == 0) {
            restart_some_task();
        } else if (kind < 5) {
            sim_note("cut %d %d", a, b);
            sim_cut(a, b);
        } else {
            int64_t until =
                sim_now() + sim_random_ns(0, sim_one_in(4) ? 9 * SIM_SECOND : SIM_SECOND);
            sim_note("hold %d %d until %.3f", a, b, (double)until * 1e-9);
            sim_hold(a, b, until);
        }
    }
    return NULL;
}

/* ---- the end ------------------------------------------------------------------------------------
 */

static void check_totals(void)
{
    client *c = &world.all[0];
    TF_Status *status = TF_NewStatus();
    for (int tries = 0, steps = c->steps; c->steps == steps; tries++) {
        TF_SetStatus(status, TF_OK, "");
        step(c, status);
        if (TF_GetCode(status) != TF_OK) {
            sim_note("at the end: %d %s", TF_GetCode(status), TF_Message(status));
            drop_session(c, status);
            sim_sleep(SIM_SECOND);
        }
        if (tries > 60)
            sim_fail("the cluster does not recover: %s", TF_Message(status));
    }
    for (int server = 0; server < world.cluster.servers; server++) {
        int64_t added = c->last[server] - world.epoch[server] * EPOCH;
        int64_t least = world.acknowledged[server], most = least + world.unknown;
        if (added < least || added > most)
            sim_fail("server %d counted %lld; acknowledged were %lld, unknown %lld", server,
                     (long long)added, (long long)least, (long long)world.unknown);
    }
    TF_DeleteStatus(status);
}

static void finish_clients(void)
{
    for (int i = 0; i < world.clients; i++) {
        TF_Status *status = TF_NewStatus();
        drop_session(&world.all[i], status);
        TF_DeleteGraph(world.all[i].graph);
        TF_DeleteStatus(status);
    }
}

void sim_counters(void)
{
    pthread_t faults;
    world.cluster = (sim_cluster){.servers = 1 + (int)sim_random(MOST_SERVERS),
                                  .workers = 2 + (int)sim_random(sim_one_in(20) ? 95 : 5)};
    world.clients = world.cluster.workers;
    world.steps = 10 + (int)sim_random(40);
    world.pause_ns = (int64_t[]){2, 20, 200, 2000}[sim_random(4)] * SIM_MS;
    sim_note("%d servers, %d workers, %d steps", world.cluster.servers, world.cluster.workers,
             world.steps);
    sim_cluster_start(&world.cluster);
    world.faults = world.was_faulty = !sim_one_in(10);
    if (world.faults)
        pthread_create(&faults, NULL, make_faults, NULL);
    for (int i = 0; i < world.clients; i++) {
        world.all[i].number = i;
        build(&world.all[i]);
        pthread_create(&world.all[i].id, NULL, work, &world.all[i]);
    }
    for (int i = 0; i < world.clients; i++)
        pthread_join(world.all[i].id, NULL);
    if (world.faults) {
        world.faults = false;
        pthread_join(faults, NULL);
    }
    check_totals();
    finish_clients();
    sim_cluster_stop(&world.cluster);
}
