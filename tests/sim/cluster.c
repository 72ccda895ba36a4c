/* cluster.c - tasks that start, die and come back, all in this process. */
#include "cluster.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dist/cluster.h"
#include "dist/server.h"

/* ---- tasks --------------------------------------------------------------------------------------
 */

static weir_cluster *view_of(const sim_cluster *cluster, int own)
{
    weir_cluster *view = weir_cluster_create();
    weir_status status = WEIR_OK;
    for (int host = 0; host < cluster->servers + cluster->workers && !status; host++) {
        char address[32];
        bool is_server = host < cluster->servers;
        sim_address(own, host, FIRST_PORT + host, address);
        status = weir_cluster_add(view, is_server ? "ps" : "worker",
                                  is_server ? host : host - cluster->servers, address);
    }
    bool is_server = own < cluster->servers;
    if (!status)
        status = weir_cluster_seal(view, is_server ? "ps" : "worker",
                                   is_server ? own : own - cluster->servers);
    if (status)
        sim_fail("no cluster: %s", weir_status_message(status));
    return view;
}

void sim_task_start(sim_cluster *cluster, int host)
{
    weir_cluster *view = view_of(cluster, host);
    sim_rejoin(host);
    weir_status status = weir_server_start(
        &(weir_server_options){.cluster = view, .host = "0.0.0.0"}, &cluster->running[host]);
    if (status)
        sim_fail("host %d does not start: %s", host, weir_status_message(status));
    weir_cluster_release(view);
    sim_note("host %d starts", host);
}

/* The network forgets the host first, so that nobody sees the server's own end. */
void sim_task_kill(sim_cluster *cluster, int host, bool silent)
{
    sim_note("host %d is killed%s", host, silent ? ", silently" : "");
    sim_isolate(host, silent);
    weir_server *server = cluster->running[host];
    cluster->running[host] = NULL;
    weir_server_destroy(server);
    cluster->restarts[host]++;
    sim_note("host %d is gone", host);
}

void sim_cluster_start(sim_cluster *cluster)
{
    for (int host = 0; host < cluster->servers + cluster->workers; host++)
        sim_task_start(cluster, host);
}

void sim_cluster_stop(sim_cluster *cluster)
{
    for (int host = 0; host < cluster->servers + cluster->workers; host++)
        if (cluster->running[host])
            weir_server_destroy(cluster->running[host]);
}

/* ---- clients ------------------------------------------------------------------------------------
 */

/* A field of a message: its key, and a number. */
static size_t put_number(unsigned char *out, unsigned char key, unsigned number)
{
    size_t length = 0;
    out[length++] = key;
    for (unsigned left = number; left || length == 1; left >>= 7)
        out[length++] = (unsigned char)((left & 127) | (left > 127 ? 128 : 0));
    return length;
}

TF_Session *sim_session_of(const sim_cluster *cluster, int client, int worker, const char *filter,
                           int timeout_ms, TF_Graph *graph, TF_Status *status)
{
    unsigned char config[128];
    size_t length = 0;
    char address[32], target[48];
    int host = sim_host_of_worker(cluster, worker);
    sim_address(sim_host_of_client(cluster, client), host, FIRST_PORT + host, address);
    snprintf(target, sizeof target, "grpc://%s", address);
    TF_SessionOptions *options = TF_NewSessionOptions();
    if (timeout_ms) /* operation_timeout_in_ms */
        length += put_number(config, 0x38, (unsigned)timeout_ms);
    if (filter) { /* device_filters */
        length += put_number(config + length, 0x22, (unsigned)strlen(filter));
        memcpy(config + length, filter, strlen(filter));
        length += strlen(filter);
    }
    TF_SetTarget(options, target);
    TF_SetConfig(options, config, length, status);
    TF_Session *session = TF_NewSession(graph, options, status);
    TF_DeleteSessionOptions(options);
    return session;
}

TF_Session *sim_session(const sim_cluster *cluster, int client, int worker, TF_Graph *graph,
                        TF_Status *status)
{
    return sim_session_of(cluster, client, worker, NULL, 60000, graph, status);
}

static TF_Buffer *run_options(int timeout_ms)
{
    unsigned char bytes[8];
    size_t length = put_number(bytes, 0x10, (unsigned)timeout_ms); /* timeout_in_ms */
    return TF_NewBufferFromString(bytes, length);
}

void sim_run(TF_Session *session, TF_Output fetch, int64_t *out_value, TF_Operation *target,
             int timeout_ms, TF_Status *status)
{
    TF_Tensor *fetched = NULL;
    TF_Buffer *options = timeout_ms ? run_options(timeout_ms) : NULL;
    const TF_Operation *targets[] = {target};
    TF_SessionRun(session, options, NULL, NULL, 0, &fetch, &fetched, fetch.oper ? 1 : 0, targets,
                  target ? 1 : 0, NULL, status);
    if (options)
        TF_DeleteBuffer(options);
    if (fetched)
        memcpy(out_value, TF_TensorData(fetched), sizeof *out_value);
    TF_DeleteTensor(fetched);
}
