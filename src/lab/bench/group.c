/* lab/bench/group.c - runs this program as the tasks of a cluster on this machine. */
#include "lab/bench/group.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/str.h"
#include "command/command.h"
#include "proc/sockets.h"
#include "proc/spawn.h"

int bench_read_sizes(const char *text, int64_t least, int most, int64_t *out)
{
    int count = 0;
    for (char *end; *text && count < most; text = *end == ',' ? end + 1 : end) {
        out[count] = strtoll(text, &end, 10);
        if (end == text || out[count] < least || (*end && *end != ','))
            return 0;
        count++;
    }
    return *text ? 0 : count;
}

/* ---- the cluster ----------------------------------------------------------------------------- */

/* Holds the chosen ports until all are chosen. */
static weir_status add_hosts(long count, int *held, long *held_count, weir_buf *out)
{
    for (long i = 0; i < count; i++) {
        int port = 0;
        WEIR_TRY(run_free_port("127.0.0.1", &port, &held[*held_count]));
        ++*held_count;
        weir_buf_addf(out, "%s\"127.0.0.1:%d\"", i ? ", " : "", port);
    }
    return WEIR_OK;
}

static weir_status add_jobs(const bench_group *group, int *held, long *held_count, weir_buf *out)
{
    weir_buf_adds(out, "{");
    if (group->servers) {
        weir_buf_adds(out, "\"ps\": [");
        WEIR_TRY(add_hosts(group->servers, held, held_count, out));
        weir_buf_adds(out, "], ");
    }
    weir_buf_adds(out, "\"worker\": [");
    WEIR_TRY(add_hosts(group->workers, held, held_count, out));
    weir_buf_adds(out, "]}");
    return WEIR_OK;
}

static weir_status describe_cluster(const bench_group *group, weir_buf *out)
{
    int held[GROUP_MOST_TASKS];
    long count = 0;
    weir_status status = add_jobs(group, held, &count, out);
    while (count)
        close(held[--count]);
    return status;
}

/* ---- its tasks ------------------------------------------------------------------------------- */

static void become_task(const bench_group *group, const char *cluster, const char *job, long index)
{
    const char *words[GROUP_MOST_WORDS] = {"weir"};
    WEIR_BUF(config);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    weir_buf_addf(&config, "{\"cluster\": %s, \"task\": {\"type\": \"%s\", \"index\": %ld}}",
                  cluster, job, index);
    setenv("TF_CONFIG", config.at, 1);
    setenv("WEIR_TRANSPORTS", group->transports, 1);
    for (int i = 0; group->words[i] && i + 2 < GROUP_MOST_WORDS; i++)
        words[i + 1] = group->words[i];
    execv(run_binary(), (char *const *)words);
    fprintf(stderr, "weir: cannot run %s: %s\n", run_binary(), strerror(errno));
    _exit(127);
}

static void end_all(const pid_t *tasks, long count, int signal)
{
    for (long i = 0; i < count; i++)
        if (tasks[i] > 0)
            kill(tasks[i], signal);
}

static bool is_one_of(pid_t pid, const pid_t *tasks, long count)
{
    for (long i = 0; i < count; i++)
        if (tasks[i] == pid)
            return true;
    return false;
}

/* Returns the first failure, which ends the other tasks. A server exits only on failure. */
static int wait_for_workers(pid_t *tasks, long servers, long workers)
{
    int code = WEIR_EXIT_OK;
    for (long left = workers; left > 0;) {
        int status;
        pid_t pid = waitpid(-1, &status, 0);
        if (pid < 0)
            break;
        bool is_server = is_one_of(pid, tasks, servers);
        int ended = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
        left -= !is_server;
        if (code || (!ended && !is_server))
            continue;
        code = ended ? ended : WEIR_EXIT_FAILED;
        end_all(tasks, servers + workers, SIGTERM);
    }
    return code;
}

int bench_group_run(const bench_group *group)
{
    pid_t tasks[GROUP_MOST_TASKS];
    long count = 0, total = group->servers + group->workers;
    WEIR_BUF(cluster);
    weir_status status = describe_cluster(group, &cluster);
    if (status)
        return weir_cli_fail_status(NULL, status);
    for (; count < total; count++) {
        bool server = count < group->servers;
        tasks[count] = fork();
        if (tasks[count] == 0)
            become_task(group, cluster.at, server ? "ps" : "worker",
                        server ? count : count - group->servers);
    }
    int code = wait_for_workers(tasks, group->servers, group->workers);
    end_all(tasks, group->servers, SIGKILL);
    return code;
}
