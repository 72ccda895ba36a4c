/* launch/slurm.c - the tasks of a Slurm step as one job.
 *
 * Every task derives the cluster from Slurm's variables and runs its own part. The task of rank 0
 * also runs the job: the others connect to a port that all derive from the step's id, and use the
 * protocol of peer.h.
 */
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/env.h"
#include "command/command.h"
#include "dist/server.h"
#include "launch/agent.h"
#include "launch/hook.h"
#include "launch/job.h"
#include "launch/peer.h"
#include "launch/plan.h"
#include "net/address.h"
#include "proc/sockets.h"

enum { MEET_S = 120, LONGEST_HELLO = 256 };

typedef struct step {
    const run_options *o;
    weir_cluster_config cluster;
    char *hook;
    run_loop *loop;
    run_job *job;
    run_peer **peers; /* by rank; the own is null */
    int listener;
} step;

static run_local_options own_task(const step *step)
{
    return (run_local_options){
        .cluster = &step->cluster,
        .job = step->cluster.job,
        .index = step->cluster.index,
        .program = &step->o->program,
        .no_program = step->o->no_ps_program && strcmp(step->cluster.job, "ps") == 0,
        .hook = step->hook,
        .restarts = (int)step->o->restarts,
    };
}

static char *host_of(const weir_config_task *task)
{
    weir_str host = WEIR_STR("");
    weir_address_split(weir_str_of(task->address), &host);
    return weir_strndup(host.at, host.length);
}

static int meeting_port(const step *step)
{
    return weir_slurm_port(&weir_env_get()->slurm, (int)step->cluster.tasks.count);
}

/* "hello RANK JOB.STEP" */
static void hello(const step *step, int rank, char *out, size_t room)
{
    const weir_slurm *slurm = &weir_env_get()->slurm;
    snprintf(out, room, "hello %d %s.%s", rank, slurm->job_id, slurm->step_id);
}

/* ---- rank 0 ---------------------------------------------------------------------------------- */

/* A connection that has not sent its hello. */
typedef struct guest {
    step *step;
    run_lines lines;
} guest;

static void guest_left(void *arg)
{
    weir_free(arg);
}

static void on_hello(void *arg, weir_str line)
{
    guest *guest = arg;
    step *step = guest->step;
    char wanted[LONGEST_HELLO];
    int rank = line.length > 6 ? atoi(line.at + 6) : 0;
    int count = (int)step->cluster.tasks.count;
    hello(step, rank, wanted, sizeof wanted);
    bool known = rank > 0 && rank < count && weir_str_is(line, wanted) && step->peers[rank] &&
                 step->peers[rank]->down < 0;
    int fd = known ? dup(guest->lines.fd) : -1;
    if (known) {
        const char *end = guest->lines.held.at + guest->lines.held.length,
                   *rest = line.at + line.length;
        run_peer_connect(step->peers[rank], fd, fd);
        if (rest + 1 < end) /* the peer handles what follows the hello */
            run_lines_feed(&step->peers[rank]->lines,
                           (weir_str){rest + 1, (size_t)(end - rest - 1)});
    }
    run_lines_close(&guest->lines);
    run_loop_after(step->loop, 0, guest_left, guest); /* its lines are still in use here */
}

static void on_guest(void *arg)
{
    step *step = arg;
    int fd = accept4(step->listener, NULL, NULL, SOCK_CLOEXEC), on = 1;
    if (fd < 0)
        return;
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    guest *new_guest = WEIR_NEW(guest);
    *new_guest =
        (guest){.step = step, .lines = {.line = on_hello, .ended = guest_left, .arg = new_guest}};
    run_lines_open(&new_guest->lines, step->loop, fd);
}

static weir_status listen_for_others(step *step)
{
    WEIR_FREED char *host = host_of(&step->cluster.tasks.at[0]);
    bool here = weir_host_is_loopback(weir_str_of(host));
    weir_status st = run_listen(here ? host : weir_any_host(), meeting_port(step), &step->listener);
    WEIR_TRY_NOTE(st, "for the step's other tasks");
    run_loop_watch(step->loop, step->listener, on_guest, step);
    return WEIR_OK;
}

static int lead(step *step)
{
    int count = (int)step->cluster.tasks.count;
    step->job = run_job_create(step->loop, step->o->logs, step->o->start_timeout);
    step->peers = WEIR_NEW_ARRAY(run_peer *, count);
    run_local_options task = own_task(step);
    run_events events;
    int member = run_job_add(step->job, task.job, task.index, NULL, &events);
    run_local *own = run_local_create(step->loop, &task, &events);
    run_job_set(step->job, member, &run_local_fns, own);
    for (int i = 1; i < count; i++) {
        const weir_config_task *config_task = &step->cluster.tasks.at[i];
        step->peers[i] = run_peer_create(step->loop, step->job, config_task->job,
                                         config_task->index, config_task->address);
    }
    weir_status st = listen_for_others(step);
    run_local_serve(own);
    if (st)
        run_job_abort(step->job, st);
    int status = run_job_run(step->job);
    run_job_destroy(step->job);
    run_loop_forget(step->loop, step->listener);
    close(step->listener);
    weir_free(step->peers);
    return status;
}

/* ---- the others ------------------------------------------------------------------------------ */

static int follow(step *step, int rank)
{
    char *host = host_of(&step->cluster.tasks.at[0]), word[LONGEST_HELLO];
    int64_t until = weir_now_ns() + MEET_S * 1000000000LL;
    int fd = -1, on = 1;
    while ((fd = run_connect(host, meeting_port(step))) < 0 && weir_now_ns() < until)
        usleep(20000);
    if (fd < 0) {
        int status =
            weir_cli_fail("Do all tasks of the step run, and may they connect to one another?",
                          "task 0 of the step did not answer on %s:%d within %d s", host,
                          meeting_port(step), MEET_S);
        weir_free(host);
        return status;
    }
    weir_free(host);
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    hello(step, rank, word, sizeof word);
    dprintf(fd, "%s\n", word);
    run_local_options task = own_task(step);
    return run_agent_task(step->loop, &task, fd, fd, false);
}

static int run_step(step *step)
{
    int rank = atoi(weir_env_get()->slurm.rank);
    weir_status st = run_hook_install(&step->hook);
    if (st)
        return weir_cli_fail_status(NULL, st);
    step->loop = run_loop_create();
    int status = rank == 0 ? lead(step) : follow(step, rank);
    run_loop_destroy(step->loop);
    run_hook_remove(step->hook);
    return status;
}

/* The step determines the number of tasks; the options must agree. */
static weir_status make_cluster(const run_options *options, weir_cluster_config *config)
{
    long ps = options->ps >= 0 ? options->ps : 1;
    if (options->jobs || options->layout || options->hosts)
        return weir_error(WEIR_INVALID_ARGUMENT, "Slurm says which tasks run where: leave %s out",
                          options->jobs     ? "--jobs"
                          : options->layout ? "--layout"
                                            : "-H");
    WEIR_TRY(weir_cluster_config_slurm(config, &weir_env_get()->slurm, (int)ps));
    if (options->workers >= 0 && (size_t)(ps + options->workers) != config->tasks.count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "the step has %zu tasks, not %ld parameter servers and %ld workers",
                          config->tasks.count, ps, options->workers);
    return WEIR_OK;
}

int run_slurm(const run_options *options)
{
    step step = {.o = options, .listener = -1};
    weir_status st = make_cluster(options, &step.cluster);
    int status;
    if (st) {
        status = weir_cli_fail_status("Each task of the step is one task of the cluster: --ps N of "
                                      "them are parameter servers.",
                                      st);
    } else if (options->dry_run) {
        WEIR_BUF(spec);
        weir_cluster_config_print(&step.cluster, &spec);
        printf("%s %d of %s\n", step.cluster.job, step.cluster.index, spec.at);
        status = WEIR_EXIT_OK;
    } else {
        status = run_step(&step);
    }
    weir_cluster_config_fini(&step.cluster);
    return status;
}
