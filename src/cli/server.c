/* cli/server.c - weir server: one task of a cluster, or a server of its own. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "base/env.h"
#include "command/command.h"
#include "dist/cluster_config.h"
#include "dist/server.h"
#include "io/file.h"
#include "proc/sockets.h"

/* A server that was told to end is gone after this long, whatever its steps wait for. */
enum { END_MS = 900, LARGEST_FILE = 64 << 20 };

typedef struct server_args {
    weir_cluster_config cluster;
    weir_status hosts; /* what was wrong with a --JOB_hosts */
    const char *listen, *job, *cluster_file, *spec, *server_def, *port_file;
    long port, task, ready_fd, ps;
    bool until_eof;
} server_args;

static bool ends_in(weir_str s, const char *end)
{
    size_t n = strlen(end);
    return s.length > n && memcmp(s.at + s.length - n, end, n) == 0;
}

/* --ps_hosts a:1,b:2 and its like. */
static bool take_hosts(void *ctx, weir_str name, const char *value)
{
    server_args *a = ctx;
    if (!ends_in(name, "_hosts"))
        return false;
    weir_str job = {name.at, name.length - strlen("_hosts")};
    if (!a->hosts)
        a->hosts = weir_cluster_config_hosts(&a->cluster, job, weir_str_of(value));
    return true;
}

static weir_status read_file(const char *path, weir_cluster_config *c,
                             weir_status (*reader)(weir_cluster_config *c, weir_str text))
{
    weir_buf text = {0};
    weir_status s = weir_file_read_all(path, LARGEST_FILE, &text);
    if (!s)
        s = weir_status_prefix(reader(c, (weir_str){text.at ? text.at : "", text.length}),
                               "%s: ", path);
    weir_buf_fini(&text);
    return s;
}

/* The message's text itself, or a file that holds it. */
static weir_status read_server_def(server_args *a)
{
    if (access(a->server_def, F_OK) != 0 && strpbrk(a->server_def, "{:"))
        return weir_cluster_config_server_def(&a->cluster, weir_str_of(a->server_def));
    return read_file(a->server_def, &a->cluster, weir_cluster_config_server_def);
}

/* Whatever was said on the command line; else, unless a port alone was given, what the environment
 * says; else nothing, for a server of its own. */
static weir_status gather(server_args *a)
{
    const weir_env *env = weir_env_get();
    weir_cluster_config *c = &a->cluster;
    WEIR_TRY(WEIR_TAKE(a->hosts));
    if (a->cluster_file)
        WEIR_TRY(read_file(a->cluster_file, c, weir_cluster_config_json));
    if (a->spec)
        WEIR_TRY(weir_cluster_config_spec(c, weir_str_of(a->spec)));
    if (a->server_def)
        WEIR_TRY(read_server_def(a));
    if (c->tasks.count || a->server_def || a->port >= 0)
        return WEIR_OK;
    if (env->tf_config)
        return weir_status_prefix(weir_cluster_config_json(c, weir_str_of(env->tf_config)),
                                  "TF_CONFIG: ");
    if (weir_slurm_is_step(&env->slurm) && strcmp(env->slurm.tasks, "1") != 0)
        return weir_cluster_config_slurm(c, &env->slurm, (int)a->ps);
    return WEIR_OK;
}

/* Which of the tasks this one is. */
static weir_status find_self(server_args *a)
{
    weir_cluster_config *c = &a->cluster;
    if (a->job) {
        weir_free(c->job);
        c->job = weir_strdup(a->job);
        c->index = 0;
    }
    if (a->task >= 0)
        c->index = (int)a->task;
    if (c->tasks.count == 0) {
        if (!c->job)
            c->job = weir_strdup("localhost");
        return weir_cluster_config_add(c, weir_str_of(c->job), c->index, WEIR_STR("localhost:0"));
    }
    if (!c->job && c->tasks.count > 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "the cluster has %zu tasks, and none is named as "
                          "this one",
                          c->tasks.count);
    if (!c->job) {
        c->job = weir_strdup(c->tasks.at[0].job);
        c->index = c->tasks.at[0].index;
    }
    if (!weir_cluster_config_find(c, c->job, c->index))
        return weir_error(WEIR_INVALID_ARGUMENT, "Task %d was not defined in job \"%s\"", c->index,
                          c->job);
    return WEIR_OK;
}

/* Loopback stays on this machine; anything else must be reachable by the name others use, whichever
 * interface that means. */
static char *listen_address(const server_args *a)
{
    const weir_config_task *self =
        weir_cluster_config_find(&a->cluster, a->cluster.job, a->cluster.index);
    weir_str host = WEIR_STR("");
    weir_address_split(weir_str_of(self->address), &host);
    if (a->listen)
        return weir_strdup(a->listen);
    if (weir_str_is(host, "localhost") || weir_str_is(host, "::1"))
        return NULL;
    return weir_host_is_loopback(host) ? weir_strndup(host.at, host.length)
                                       : weir_strdup(run_any_host());
}

static weir_status start(server_args *a, weir_server **out_server)
{
    weir_server_options o = {
        .port = a->port > 0 ? (int)a->port : a->cluster.port,
        .config = {a->cluster.session_config.at, a->cluster.session_config.length}};
    WEIR_TRY(weir_cluster_config_build(&a->cluster, &o.cluster));
    char *host = listen_address(a);
    o.host = host;
    weir_status s = weir_server_start(&o, out_server);
    weir_cluster_release(o.cluster);
    weir_free(host);
    return s;
}

/* Tells whoever waits: a line on standard output, a file, a descriptor. */
static weir_status announce(const server_args *a, const char *target)
{
    printf("%s\n", target);
    fflush(stdout);
    if (a->ready_fd >= 0) {
        dprintf((int)a->ready_fd, "%s\n", target);
        close((int)a->ready_fd);
    }
    if (!a->port_file)
        return WEIR_OK;
    const char *port = strrchr(target, ':') + 1;
    return weir_file_write_all(a->port_file, port, strlen(port));
}

static void end_now(int signal_number)
{
    _exit(WEIR_EXIT_OK);
}

/* Until SIGINT or SIGTERM, or the end of standard input when that is what counts. */
static void serve(const sigset_t *stop, bool until_eof)
{
    struct pollfd polled[] = {{.fd = signalfd(-1, stop, SFD_CLOEXEC), .events = POLLIN},
                              {.fd = until_eof ? STDIN_FILENO : -1, .events = POLLIN}};
    for (;;) {
        char dropped[256];
        if (poll(polled, 2, -1) < 0 && errno != EINTR)
            break;
        if (polled[0].revents)
            break;
        if (polled[1].revents && read(STDIN_FILENO, dropped, sizeof dropped) <= 0)
            break;
    }
    signal(SIGALRM, end_now);
    signal(SIGTERM, end_now); /* a second one does not wait */
    signal(SIGINT, end_now);
    sigset_t alarm_too = *stop;
    sigaddset(&alarm_too, SIGALRM);
    struct timespec until = {.tv_nsec = END_MS * 1000000L};
    timer_t timer;
    if (timer_create(CLOCK_MONOTONIC, NULL, &timer) == 0)
        timer_settime(timer, 0, &(struct itimerspec){.it_value = until}, NULL);
    struct signalfd_siginfo taken;
    if (polled[0].revents && read(polled[0].fd, &taken, sizeof taken) < 0)
        return;
    pthread_sigmask(SIG_UNBLOCK, &alarm_too, NULL);
}

static const char *cure_of(weir_status s)
{
    if (weir_status_code(s) == WEIR_ALREADY_EXISTS) /* of listening */
        return "Another process has that port: end it, or choose another port.";
    return "A task needs the cluster (--ps_hosts and --worker_hosts, --cluster, TF_CONFIG or srun) "
           "and "
           "its own\n  place in it (--job_name, --task_index), at an address of this machine; "
           "'weir "
           "help server' says more.";
}

static int run(server_args *a)
{
    sigset_t stop;
    sigemptyset(&stop);
    sigaddset(&stop, SIGINT);
    sigaddset(&stop, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &stop, NULL); /* before any thread starts, so that all inherit it */
    weir_server *server = NULL;
    weir_status s = gather(a);
    if (!s)
        s = find_self(a);
    if (!s)
        s = start(a, &server);
    if (s)
        return weir_cli_fail_status(cure_of(s), s);
    s = announce(a, weir_server_target(server));
    if (!s)
        serve(&stop, a->until_eof);
    weir_server_destroy(server);
    return s ? weir_cli_fail_status("Give --port_file a path that can be written.", s)
             : WEIR_EXIT_OK;
}

static int server(void *args, int argc, char **argv)
{
    server_args *a = args;
    int status =
        a->port > 65535 ? weir_cli_misuse("server", "there is no port %ld", a->port) : run(a);
    weir_status_free(a->hosts);
    weir_cluster_config_fini(&a->cluster);
    return status;
}

static const weir_option options[] = {
    {"job_name", 0, "JOB", "this task's job (default: localhost)", WEIR_TEXT(server_args, job)},
    {"task_index", 0, "I", "this task's index in its job (default: 0)",
     WEIR_INDEX(server_args, task)},
    {"JOB_hosts", 0, "A:P,...", "a job's tasks, e.g. --ps_hosts a:2222 --worker_hosts b:1,c:1"},
    {"cluster", 0, "FILE", "the cluster as JSON: {\"ps\": [\"a:2222\"], \"worker\": [...]}",
     WEIR_TEXT(server_args, cluster_file), .hint = WEIR_HINT_FILE},
    {"cluster_spec", 0, "SPEC", "the cluster as text: 'ps=a:2222;worker=b:1,c:1'",
     WEIR_TEXT(server_args, spec)},
    {"server_def", 0, "DEF", "a ServerDef message: text format, or a file that holds one",
     WEIR_TEXT(server_args, server_def), .hint = WEIR_HINT_FILE},
    {"ps", 0, "N", "under srun: the first N tasks are parameter servers",
     WEIR_INDEX(server_args, ps)},
    {"port", 'p', "PORT", "listen on this port (default: the cluster's; alone: any free one)",
     WEIR_INDEX(server_args, port)},
    {"listen", 0, "HOST", "listen on this address (default: loopback, unless the task's is not)",
     WEIR_TEXT(server_args, listen)},
    {"port_file", 0, "FILE", "write the port there when ready", WEIR_TEXT(server_args, port_file),
     .hint = WEIR_HINT_FILE},
    {"ready_fd", 0, "FD", "write the target to this descriptor when ready, and close it",
     WEIR_INDEX(server_args, ready_fd)},
    {"until_eof", 0, NULL, "end when standard input ends", WEIR_FLAG(server_args, until_eof)},
};

const weir_command weir_command_server = {
    .name = "server",
    .summary = "serve TensorFlow clients over gRPC",
    .about = "Runs the graphs of TensorFlow clients: a Python program with tf.compat.v1 connects "
             "by tf.Session('grpc://HOST:PORT'). Prints that target when it is ready and serves "
             "until it is interrupted. Without a description of a cluster, here or in TF_CONFIG or "
             "from srun, it is a server of its own.",
    WEIR_OPTIONS(options),
    WEIR_ARGS(server_args, .port = -1, .task = -1, .ready_fd = -1, .ps = 1),
    .run = server,
    .other = take_hosts,
};
