/* sync.c - scenario: synchronous training, with backup workers, while lines and workers fail.
 *
 * Worker i's gradient is 1 in element i of the variable and 0 elsewhere. An update subtracts the
 * mean of m gradients or more, whose elements sum up to 1: so those of the variable sum up to minus
 * the number of updates, whichever workers took part. An update that is lost, made twice, or
 * averaged over another number of gradients shows at the end.
 */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster.h"
#include "weir/ops.h"
#include "weir/train.h"

enum { MOST_WORKERS = 100, LAST_STEP = 12 };

static struct {
    sim_cluster cluster;
    int aggregate;
    int faults_made; /* that may have ended an update in the middle */
    bool faults;
    int left; /* workers that still train */
    float sums[MOST_WORKERS];
    int64_t pause_ns; /* between faults, at most */
    bool computes;    /* a step takes a worker a second, and sometimes longer */
    int last_step;
} world;

typedef struct trainee {
    int number;
    pthread_t id;
} trainee;

/* ---- a worker's program -------------------------------------------------------------------------
 */

static weir_job *make_job(int worker, TF_Status *status)
{
    char servers[4096] = "", workers[4096] = "", index[16], target[64], address[32];
    int client = sim_host_of_client(&world.cluster, worker);
    for (int host = 0; host < world.cluster.servers + world.cluster.workers; host++) {
        char *list = host < world.cluster.servers ? servers : workers;
        sim_address(client, host, FIRST_PORT + host, address);
        snprintf(list + strlen(list), 4096 - strlen(list), "%s%s", *list ? "," : "", address);
    }
    snprintf(index, sizeof index, "%d", worker);
    char *arguments[] = {"sim",        "--job_name", "worker",         "--task_index", index,
                         "--ps_hosts", servers,      "--worker_hosts", workers,        NULL};
    int count = 9;
    weir_job *job = weir_job_from_args(&count, arguments, status);
    int host = sim_host_of_worker(&world.cluster, worker);
    sim_address(client, host, FIRST_PORT + host, address);
    snprintf(target, sizeof target, "grpc://%s", address);
    if (job)
        weir_job_set_target(job, target);
    return job;
}

static TF_Output gradient_of(weir_builder *b, int worker)
{
    float one_hot[MOST_WORKERS] = {0};
    int64_t size = world.cluster.workers;
    one_hot[worker] = 1;
    return weir_build_const(b, "own", TF_FLOAT, 1, &size, one_hot);
}

static void note_values(const TF_Tensor *fetched)
{
    memcpy(world.sums, TF_TensorData(fetched), sizeof(float) * (size_t)world.cluster.workers);
}

/* A second, and a tail: one step in fifty takes half as long again. */
static int64_t computing_ns(void)
{
    double drawn = ((double)sim_random(1000000) + 1) * 1e-6;
    double tail = -0.08 * log(drawn) + (sim_one_in(50) ? 0.5 : 0);
    return (int64_t)((1 + tail) * (double)SIM_SECOND);
}

static void train(weir_job *job, int worker, TF_Status *status)
{
    weir_trainer *t =
        weir_trainer_new(&(weir_trainer_options){.job = job,
                                                 .update = WEIR_SYNC,
                                                 .replicas_to_aggregate = world.aggregate,
                                                 .last_step = world.last_step});
    weir_builder *b = weir_trainer_builder(t);
    int64_t size = world.cluster.workers;
    TF_Output w =
        weir_trainer_variable(t, &(weir_variable_options){.name = "w", .rank = 1, .dims = &size});
    TF_Output axis = weir_build_int32(b, "axis", 0);
    TF_Output product = weir_mul(b, "product", w, gradient_of(b, worker));
    TF_Output loss = weir_sum(b, "loss", product, axis, NULL);
    weir_trainer_minimize(t, loss, &(weir_optimizer){WEIR_GRADIENT_DESCENT, .rate = 1});
    const weir_step_io io = {0};
    weir_trainer_start(t, status);
    do {
        if (world.computes)
            sim_sleep(computing_ns());
        sim_progress();
    } while (TF_GetCode(status) == TF_OK && weir_trainer_step(t, &io, status));
    if (TF_GetCode(status) == TF_OK)
        weir_trainer_stop(t, status);
    weir_trainer_delete(t);
}

static void *work(void *arg)
{
    trainee *self = arg;
    TF_Status *status = TF_NewStatus();
    weir_job *job = make_job(self->number, status);
    if (job)
        train(job, self->number, status);
    if (TF_GetCode(status) != TF_OK)
        sim_fail("worker %d: %d %s", self->number, TF_GetCode(status), TF_Message(status));
    sim_note("worker %d is done", self->number);
    sim_progress();
    weir_job_delete(job);
    TF_DeleteStatus(status);
    world.left--;
    return NULL;
}

/* ---- faults -------------------------------------------------------------------------------------
 */

static void *make_faults(void *arg)
{
    int hosts = world.cluster.servers + world.cluster.workers;
    for (int left = 1 + (int)sim_random(40); left && world.left; left--) {
        sim_sleep(sim_random_ns(0, world.pause_ns));
        if (!world.left)
            break;
        int a = (int)sim_random((uint64_t)hosts), b = (int)sim_random((uint64_t)hosts);
        int chief = sim_host_of_worker(&world.cluster, 0);
        bool between_servers = a < world.cluster.servers && b < world.cluster.servers;
        world.faults_made += a == chief || b == chief || between_servers;
        if (sim_one_in(3)) {
            sim_note("cut %d %d", a, b);
            sim_cut(a, b);
        } else {
            sim_note("hold %d %d", a, b);
            sim_hold(a, b,
                     sim_now() + sim_random_ns(0, sim_one_in(4) ? 7 * SIM_SECOND : SIM_SECOND));
        }
    }
    return NULL;
}

/* ---- the end ------------------------------------------------------------------------------------
 */

/* Reads what the training left, by a session of its own. */
static int64_t read_back(void)
{
    TF_Status *status = TF_NewStatus();
    TF_Graph *graph = TF_NewGraph();
    weir_builder *b = weir_build_new(graph);
    int64_t size = world.cluster.workers;
    weir_build_push_device(b, "/job:ps/task:0"); /* variables go to the servers in turn */
    TF_Output w = weir_variable_v2(b, "w", &(weir_dims){1, &size}, TF_FLOAT, NULL);
    weir_build_pop_device(b);
    weir_build_push_device(b, world.cluster.servers > 1 ? "/job:ps/task:1" : "/job:ps/task:0");
    TF_Output step = weir_variable_v2(b, "global_step", &(weir_dims){0, NULL}, TF_INT64, NULL);
    weir_build_pop_device(b);
    TF_Output fetches[] = {step, w};
    TF_Tensor *fetched[2] = {0};
    TF_Session *session = sim_session(&world.cluster, MOST_WORKERS, 0, graph, status);
    if (session)
        TF_SessionRun(session, NULL, NULL, NULL, 0, fetches, fetched, 2, NULL, 0, NULL, status);
    if (TF_GetCode(status) != TF_OK)
        sim_fail("what was trained cannot be read: %s", TF_Message(status));
    int64_t steps = *(const int64_t *)TF_TensorData(fetched[0]);
    note_values(fetched[1]);
    for (int i = 0; i < 2; i++)
        TF_DeleteTensor(fetched[i]);
    TF_CloseSession(session, status);
    TF_DeleteSession(session, status);
    weir_build_delete(b);
    TF_DeleteGraph(graph);
    TF_DeleteStatus(status);
    return steps;
}

static void judge(int64_t steps)
{
    double updates = 0;
    for (int i = 0; i < world.cluster.workers; i++) {
        if (world.sums[i] > 0)
            sim_fail("element %d is %g: a gradient was applied with the wrong sign", i,
                     world.sums[i]);
        updates -= world.sums[i];
    }
    sim_note("%lld steps, %g updates", (long long)steps, updates);
    if (fabs(updates - round(updates)) > 1e-3)
        sim_fail("%g updates: one was not the mean of whole gradients", updates);
    updates = round(updates);
    if (updates < (double)steps || updates > (double)steps + world.faults_made)
        sim_fail("%g updates in %lld steps, with %d faults", updates, (long long)steps,
                 world.faults_made);
}

void sim_sync(void)
{
    pthread_t faults;
    trainee all[MOST_WORKERS];
    int workers = 2 + (int)sim_random(sim_one_in(20) ? 60 : 6), aggregate = 1;
    while (aggregate * 2 <= workers && !sim_one_in(3))
        aggregate *= 2;
    world.cluster = (sim_cluster){.servers = 1 + (int)sim_random(2), .workers = workers};
    world.aggregate = aggregate;
    world.left = workers;
    world.last_step = LAST_STEP;
    sim_send_once(!sim_settings()->keeps_answers); /* a step that is refused would be made again */
    world.pause_ns = (int64_t[]){2, 20, 200, 2000}[sim_random(4)] * SIM_MS;
    sim_note("%d servers, %d of %d workers", world.cluster.servers, aggregate, workers);
    sim_cluster_start(&world.cluster);
    world.faults = !sim_one_in(4);
    for (int i = 0; i < workers; i++) {
        all[i].number = i;
        pthread_create(&all[i].id, NULL, work, &all[i]);
    }
    if (world.faults)
        pthread_create(&faults, NULL, make_faults, NULL);
    for (int i = 0; i < workers; i++)
        pthread_join(all[i].id, NULL);
    if (world.faults)
        pthread_join(faults, NULL);
    judge(read_back());
    sim_cluster_stop(&world.cluster);
}

/* Synchronous training of a small model: what a step costs is who is waited for. */
void sim_backup(int spares)
{
    static trainee all[MOST_WORKERS];
    int needed = 50, workers = needed + (spares > 0 ? spares : 0);
    sim_begin(&(sim_options){
        .seed = 1, .end_ns = 7200 * SIM_SECOND, .latency_ns = 100000, .byte_ps = 800});
    world.cluster = (sim_cluster){.servers = 2, .workers = workers};
    world.aggregate = needed;
    world.computes = true;
    world.last_step = 40;
    world.left = workers;
    sim_cluster_start(&world.cluster);
    int64_t start = sim_now();
    for (int i = 0; i < workers; i++) {
        all[i].number = i;
        pthread_create(&all[i].id, NULL, work, &all[i]);
    }
    for (int i = 0; i < workers; i++)
        pthread_join(all[i].id, NULL);
    printf("%d workers and %d spares: %.3f s a step\n", needed, workers - needed,
           (double)(sim_now() - start) * 1e-9 / world.last_step);
    fflush(NULL);
}
