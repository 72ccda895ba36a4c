/* dist/cluster_slurm.c - a Slurm step as a cluster: every task of the step is a task of it.
 *
 * Slurm numbers a step's tasks by rank; "2(x3),1" are the task counts of the nodes
 * "n[01-03],gpu7", and the distribution assigns ranks: block fills node after node, cyclic is
 * round-robin.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/number.h"
#include "dist/cluster_config.h"

/* Below the ephemeral ports of the system, above the well-known ones. */
enum { FIRST_PORT = 12000, PORT_RANGE = 18000, PORTS_PER_STEP = 300 };

typedef WEIR_VEC(char *) node_names;

static void names_fini(node_names *names)
{
    for (size_t i = 0; i < names->count; i++)
        weir_free(names->at[i]);
    weir_vec_fini(names);
}

static weir_status bad(const char *variable, const char *value)
{
    return weir_error(WEIR_INVALID_ARGUMENT, "cannot read %s='%s'", variable, value);
}

/* ---- node lists ----------------------------------------------------------------------------- */

/* "[1-3,07]" at *at: every number, each appended to |head| and followed by the list's own payload.
 */
static bool expand(const char *head, size_t head_length, const char *rest, size_t rest_length,
                   node_names *out);

static bool expand_range(weir_str head, const char **at, const char *end, weir_str tail,
                         node_names *out)
{
    char *stop;
    const char *digits = *at;
    if (digits == end || !isdigit((unsigned char)*digits))
        return false;
    long low = strtol(digits, &stop, 10), high = low;
    int width = (int)(stop - digits);
    if (stop < end && *stop == '-') {
        if (stop + 1 == end || !isdigit((unsigned char)stop[1]))
            return false;
        high = strtol(stop + 1, &stop, 10);
    }
    if (stop > end || high < low || high - low >= WEIR_MAX_TASKS || width > 18)
        return false;
    bool ok = true;
    for (long i = low; ok && i <= high; i++) {
        WEIR_BUF(name);
        weir_buf_add(&name, head.at, head.length);
        weir_buf_addf(&name, "%0*ld", width, i);
        ok = expand(name.at, name.length, tail.at, tail.length, out);
    }
    *at = stop;
    return ok;
}

static bool expand(const char *head, size_t head_length, const char *rest, size_t rest_length,
                   node_names *out)
{
    const char *end = rest + rest_length;
    const char *open = rest_length ? memchr(rest, '[', rest_length) : NULL;
    WEIR_BUF(name);
    weir_buf_add(&name, head, head_length);
    weir_buf_add(&name, rest, (size_t)((open ? open : end) - rest));
    if (!open) {
        if (name.length == 0 || out->count >= WEIR_MAX_TASKS) {
            return false;
        }
        weir_vec_push(out, weir_buf_take(&name));
        return true;
    }
    const char *close = memchr(open, ']', (size_t)(end - open)), *at = open + 1;
    bool ok = close != NULL;
    while (ok && at < close) {
        ok = expand_range((weir_str){name.at, name.length}, &at, close,
                          (weir_str){close + 1, (size_t)(end - close - 1)}, out);
        if (at < close && *at++ != ',')
            ok = false;
    }
    return ok;
}

/* Splits at the commas outside brackets. */
static weir_status read_nodes(const char *list, node_names *out)
{
    const char *from = list;
    int depth = 0;
    for (const char *at = list;; at++) {
        depth += (*at == '[') - (*at == ']');
        if (*at && (*at != ',' || depth > 0))
            continue;
        if (!expand("", 0, from, (size_t)(at - from), out))
            return bad("SLURM_JOB_NODELIST", list);
        if (!*at)
            return WEIR_OK;
        from = at + 1;
    }
}

/* ---- tasks per node ------------------------------------------------------------------------- */

/* "2(x3),1": 2 2 2 1; without a list the tasks are distributed evenly. */
static weir_status read_counts(const char *list, int nodes, int tasks, int *out)
{
    for (int i = 0; i < nodes; i++)
        out[i] = tasks / nodes + (i < tasks % nodes);
    int filled = 0;
    for (const char *at = list; at && *at;) {
        char *stop;
        long count = strtol(at, &stop, 10), times = 1;
        if (stop == at || count < 0 || count > WEIR_MAX_TASKS)
            return bad("SLURM_STEP_TASKS_PER_NODE", list);
        if (stop[0] == '(' && stop[1] == 'x')
            times = strtol(stop + 2, &stop, 10);
        stop += *stop == ')';
        for (; times > 0 && filled < nodes; times--)
            out[filled++] = (int)count;
        if (*stop && *stop != ',')
            return bad("SLURM_STEP_TASKS_PER_NODE", list);
        at = stop + (*stop == ',');
    }
    long sum = 0;
    for (int i = 0; i < nodes; i++)
        sum += out[i];
    if (sum != tasks)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Slurm says that %d tasks run, but on the %d nodes together %ld", tasks,
                          nodes, sum);
    return WEIR_OK;
}

/* out[rank] is the node of each rank. */
static void deal(const weir_slurm *slurm, const int *counts, int nodes, int tasks, int *out)
{
    bool cyclic = slurm->distribution && strncmp(slurm->distribution, "cyclic", 6) == 0;
    int rank = 0;
    for (int round = 0; rank < tasks; round++)
        for (int node = 0; node < nodes && rank < tasks; node++) {
            if (!cyclic)
                for (int k = 0; round == 0 && k < counts[node]; k++)
                    out[rank++] = node;
            else if (round < counts[node])
                out[rank++] = node;
        }
}

/* ---- ports ---------------------------------------------------------------------------------- */

int weir_slurm_port(const weir_slurm *slurm, int count)
{
    uint64_t job = slurm->job_id ? strtoull(slurm->job_id, NULL, 10) : 0;
    uint64_t step = slurm->step_id ? strtoull(slurm->step_id, NULL, 10) : 0;
    uint64_t block = (job * 7 + step) % (PORT_RANGE / PORTS_PER_STEP);
    return FIRST_PORT + (int)((block * PORTS_PER_STEP + (uint64_t)count) % PORT_RANGE);
}

/* The |n|th of "12000-12003,12010"; -1 when there are fewer. */
static int reserved_port(const char *list, int count)
{
    for (const char *at = list; *at;) {
        char *stop;
        long low = strtol(at, &stop, 10), high = low;
        if (stop == at)
            return -1;
        if (*stop == '-')
            high = strtol(stop + 1, &stop, 10);
        if (low < 1 || high < low || high > 65535)
            return -1;
        if (count <= high - low)
            return (int)(low + count);
        count -= (int)(high - low + 1);
        at = stop + (*stop == ',');
        if (*stop && *stop != ',')
            return -1;
    }
    return -1;
}

/* Reserved ports are used if there is one for every task. */
static int port_of(const weir_slurm *slurm, int tasks, int rank)
{
    if (slurm->ports && reserved_port(slurm->ports, tasks - 1) > 0)
        return reserved_port(slurm->ports, rank);
    return weir_slurm_port(slurm, rank);
}

/* ---- the cluster ---------------------------------------------------------------------------- */

bool weir_slurm_is_step(const weir_slurm *slurm)
{
    return slurm->job_id && slurm->step_id && slurm->rank && slurm->tasks && slurm->nodes;
}

static weir_status add_tasks(weir_cluster_config *config, const weir_slurm *slurm,
                             const node_names *nodes, int tasks, int ps)
{
    int *counts = WEIR_NEW_ARRAY(int, nodes->count), *node_of = WEIR_NEW_ARRAY(int, tasks);
    weir_status status = read_counts(slurm->tasks_per_node, (int)nodes->count, tasks, counts);
    if (!status)
        deal(slurm, counts, (int)nodes->count, tasks, node_of);
    for (int i = 0; !status && i < tasks; i++) {
        char address[300];
        snprintf(address, sizeof address, "%s:%d", nodes->at[node_of[i]], port_of(slurm, tasks, i));
        status = i < ps ? weir_cluster_config_add(config, WEIR_STR("ps"), i, weir_str_of(address))
                        : weir_cluster_config_add(config, WEIR_STR("worker"), i - ps,
                                                  weir_str_of(address));
    }
    weir_free(counts);
    weir_free(node_of);
    return status;
}

weir_status weir_cluster_config_slurm(weir_cluster_config *config, const weir_slurm *slurm, int ps)
{
    int64_t tasks, rank;
    if (!weir_slurm_is_step(slurm))
        return weir_error(WEIR_FAILED_PRECONDITION, "this is no task of a Slurm step");
    if (!weir_parse_i64(weir_str_of(slurm->tasks), &tasks) || tasks < 1 || tasks > WEIR_MAX_TASKS)
        return bad("SLURM_NTASKS", slurm->tasks);
    if (!weir_parse_i64(weir_str_of(slurm->rank), &rank) || rank < 0 || rank >= tasks)
        return bad("SLURM_PROCID", slurm->rank);
    if (ps >= tasks)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "%d of the step's %d tasks would be parameter servers, none a worker", ps,
                          (int)tasks);
    node_names nodes = {0};
    weir_status status = read_nodes(slurm->nodes, &nodes);
    if (!status)
        status = add_tasks(config, slurm, &nodes, (int)tasks, ps);
    names_fini(&nodes);
    weir_free(config->job);
    config->job = weir_strdup(rank < ps ? "ps" : "worker");
    config->index = (int)(rank < ps ? rank : rank - ps);
    return status;
}
