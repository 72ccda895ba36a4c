/* launch/environment.c - TF_CONFIG, the hook, and proxy exceptions. */
#include "launch/environment.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/env.h"
#include "base/str.h"
#include "launch/program.h"
#include "net/address.h"
#include "proc/spawn.h"

static void add_cluster_hosts(const weir_cluster_config *cluster, weir_buf *out)
{
    weir_buf_adds(out, "localhost,127.0.0.1,::1");
    for (size_t i = 0; i < cluster->tasks.count; i++) {
        weir_str host;
        if (weir_address_split(weir_str_of(cluster->tasks.at[i].address), &host) >= 0)
            weir_buf_addf(out, ",%.*s", WEIR_STR_ARG(host));
    }
}

/* gRPC, urllib and curl read different spellings; if one is unset, gRPC falls back to another. */
static void bypass_proxies(const weir_cluster_config *cluster)
{
    static const char *const names[] = {"no_proxy", "NO_PROXY", "no_grpc_proxy"};
    const char *usual = weir_env_value("no_proxy");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        WEIR_BUF(hosts);
        const char *before = weir_env_value(names[i]) ? weir_env_value(names[i]) : usual;
        if (before && *before)
            weir_buf_addf(&hosts, "%s,", before);
        add_cluster_hosts(cluster, &hosts);
        setenv(names[i], hosts.at, 1);
    }
}

static void set_python(const run_task_environment *task)
{
    WEIR_BUF(path);
    const char *before = weir_env_get()->python_path;
    weir_buf_addf(&path, "%s%s%s", task->hook, before ? ":" : "", before ? before : "");
    setenv("PYTHONPATH", path.at, 1);
    setenv("PYTHONUNBUFFERED", "1", 0);     /* prints lines without delay */
    setenv("TF_CPP_MIN_LOG_LEVEL", "1", 0); /* TensorFlow's warnings, without its infos */
    if (task->tf1)
        setenv("WEIR_RUN_TF1", "1", 1);
}

void run_environment_set(const run_task_environment *task)
{
    WEIR_BUF(config);
    WEIR_BUF(spec);
    char name[160], pid[16];
    run_tf_config(task->cluster, task->job, task->index, &config);
    weir_cluster_config_print(task->cluster, &spec);
    snprintf(name, sizeof name, "%s:%d", task->job, task->index);
    snprintf(pid, sizeof pid, "%d", (int)task->server);
    set_python(task);
    setenv("TF_CONFIG", config.at, 1);
    setenv("WEIR_RUN_BINARY", run_binary(), 1);
    setenv("WEIR_RUN_CLUSTER", spec.at ? spec.at : "", 1);
    setenv("WEIR_RUN_CONTROL", task->control, 1);
    setenv("WEIR_RUN_SERVER_PID", pid, 1);
    setenv("WEIR_RUN_TARGET", task->target ? task->target : "", 1);
    setenv("WEIR_RUN_TASK", name, 1);
    bypass_proxies(task->cluster);
}
