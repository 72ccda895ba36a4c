/* cli/server.c - weir server: one task of a cluster, or a standalone server. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/env.h"
#include "base/room.h"
#include "cli/numerics.h"
#include "cli/op_library.h"
#include "cli/server_account.h"
#include "cli/server_signals.h"
#include "cli/server_start.h"
#include "command/command.h"
#include "dist/checksum.h"
#include "dist/identity.h"
#include "io/event_folders.h"
#include "io/file.h"
#include "io/root.h"
#include "net/access.h"
#include "net/address.h"
#include "net/limits.h"
#include "net/tls.h"
#include "proc/loop.h"

/* A server that is told to exit does so within this time, whatever its steps wait for. */
enum { END_MS = 900 };

typedef struct server_args {
    weir_task_flags task;
    const char *listen, *port_file, *op_library, *memory;
    long port, ready_fd, start_timeout;
    bool until_eof, check_numerics, allow_reset, no_files, checksum;
    const char *root, *limits, *allow, *token_file, *task_token_file;
    weir_tls_files tls;
    const char *logdir;
} server_args;

/* Flags such as --ps_hosts a:1,b:2. */
static bool take_hosts(void *ctx, weir_str name, const char *value)
{
    server_args *a = ctx;
    if (!weir_is_task_flag(name))
        return false;
    weir_status_free(weir_task_flags_take(&a->task, name, value)); /* hosts are read later */
    return true;
}

/* A place in a cluster was given, but no cluster. */
static void say_alone(const weir_cluster_config *c)
{
    fprintf(
        stderr,
        "weir server: no cluster is given, so %s %d is a standalone server\n"
        "  A task of a cluster also needs --ps_hosts and --worker_hosts, --cluster, TF_CONFIG or "
        "srun.\n",
        c->job ? c->job : "localhost", c->index);
}

/* Without a configured cluster, a server is a cluster of its own. */
static weir_status find_self(server_args *a, weir_cluster_config *c)
{
    a->task.no_environment = a->port >= 0; /* a port only: a standalone server */
    WEIR_TRY(weir_identity_find(&a->task, c));
    if (c->tasks.count)
        return WEIR_OK;
    if (a->task.job_name || a->task.task_index >= 0 || a->task.ps >= 0)
        say_alone(c);
    if (!c->job)
        c->job = weir_strdup("localhost");
    return weir_cluster_config_add(c, weir_str_of(c->job), c->index, WEIR_STR("localhost:0"));
}

static weir_status start(const server_args *a, const weir_cluster_config *c,
                         weir_server **out_server)
{
    const weir_config_task *self = weir_cluster_config_find(c, c->job, c->index);
    weir_server_options o = {.port = a->port > 0 ? (int)a->port : c->port,
                             .config = weir_view(&c->session_config),
                             .allow_reset = a->allow_reset};
    WEIR_TRY(weir_cluster_config_build(c, &o.cluster));
    char *host = a->listen ? weir_strdup(a->listen) : weir_listen_host(self->address);
    o.host = host;
    weir_status s = weir_server_start(&o, out_server);
    weir_cluster_release(o.cluster);
    weir_free(host);
    return s;
}

/* Access control: from flags, else the environment. */
static weir_status admit(const server_args *a)
{
    if (a->tls.cert || a->tls.key || a->tls.ca)
        WEIR_TRY(weir_tls_set(&a->tls));
    else
        WEIR_TRY(weir_tls_set_up());
    return weir_access_set(a->allow, a->token_file, a->task_token_file);
}

/* Confines file access from here on; the command's own files come before. */
static weir_status confine(const server_args *a)
{
    if (a->no_files)
        weir_root_forbid();
    return a->root && !a->no_files ? weir_root_confine(a->root) : WEIR_OK;
}

/* Written atomically, for watchers of the file; also in folders that clients may not access. */
static weir_status write_port(const char *path, const char *port)
{
    WEIR_BUF(beside);
    weir_buf_addf(&beside, "%s.%d", path, (int)getpid());
    FILE *file = fopen(beside.at, "wxe");
    bool written = file && fputs(port, file) >= 0;
    if (file && fclose(file) != 0)
        written = false;
    return written && rename(beside.at, path) == 0 ? WEIR_OK : weir_file_error(path, errno);
}

/* Announces the target: a line on standard output, a file, a descriptor. */
static weir_status announce(const server_args *a, const char *target)
{
    printf("%s\n", target);
    fflush(stdout);
    weir_str file = weir_address_path(weir_str_of(target + strlen("grpc://")));
    if (!a->until_eof && !weir_env_get()->no_observe && file.length)
        fprintf(stderr, "page: curl --unix-socket %.*s http://localhost/\n", WEIR_STR_ARG(file));
    else if (!a->until_eof && !weir_env_get()->no_observe)
        fprintf(stderr, "page: http%s/\n", strchr(target, ':'));
    if (a->ready_fd >= 0) {
        dprintf((int)a->ready_fd, "%s\n", target);
        close((int)a->ready_fd);
    }
    if (!a->port_file)
        return WEIR_OK;
    return write_port(a->port_file, file.length ? "0" : strrchr(target, ':') + 1);
}

static volatile int64_t asked_ns; /* the time of the first signal to end */

static void end_now(int signal_number)
{
    if (signal_number == SIGALRM || weir_now_ns() - asked_ns >= RUN_TOGETHER_MS * 1000000LL)
        _exit(WEIR_EXIT_OK);
}

/* Handles a signal. False: it ends the server. */
static bool answer_signal(int fd)
{
    struct signalfd_siginfo taken;
    return read(fd, &taken, sizeof taken) == sizeof taken &&
           weir_server_signal((int)taken.ssi_signo);
}

/* |gave_up| becomes readable when a task of the cluster is missing for too long. */
static void wait_for_the_end(int signals, int gave_up, bool until_eof)
{
    struct pollfd polled[] = {{.fd = signals, .events = POLLIN},
                              {.fd = until_eof ? STDIN_FILENO : -1, .events = POLLIN},
                              {.fd = gave_up, .events = POLLIN}};
    for (;;) {
        char dropped[256];
        if ((poll(polled, 3, -1) < 0 && errno != EINTR) || polled[2].revents)
            return;
        if (polled[0].revents && !answer_signal(signals))
            return;
        if (polled[1].revents && read(STDIN_FILENO, dropped, sizeof dropped) <= 0)
            return;
    }
}

/* Runs until SIGINT or SIGTERM, or EOF on standard input if that is enabled. */
static void serve(int signals, int gave_up, bool until_eof)
{
    wait_for_the_end(signals, gave_up, until_eof);
    asked_ns = weir_now_ns();
    signal(SIGALRM, end_now);
    signal(SIGTERM, end_now); /* a second one exits immediately */
    signal(SIGINT, end_now);
    sigset_t ending;
    sigemptyset(&ending);
    sigaddset(&ending, SIGALRM);
    sigaddset(&ending, SIGTERM);
    sigaddset(&ending, SIGINT);
    struct timespec until = {.tv_nsec = END_MS * 1000000L};
    timer_t timer;
    if (timer_create(CLOCK_MONOTONIC, NULL, &timer) == 0)
        timer_settime(timer, 0, &(struct itimerspec){.it_value = until}, NULL);
    pthread_sigmask(SIG_UNBLOCK, &ending, NULL);
}

/* Serves until the end. Not OK: a task of the cluster did not start in time. */
static weir_status serve_cluster(const server_args *a, weir_server *server, int signals)
{
    int gave_up;
    start_watch *watch = start_watch_begin(server, 1000 * a->start_timeout, &gave_up);
    serve(signals, gave_up, a->until_eof);
    if (a->until_eof)
        weir_server_print_account(stdout);
    return start_watch_end(watch);
}

#define START_CURE "Start that task, or mend its address in the cluster, and try again."

static int fail_listening(weir_status s)
{
    weir_code code = weir_status_code(s);
    return weir_cli_fail_call(
        code == WEIR_ALREADY_EXISTS
            ? "Another process has that port, or that file: end it, or choose another one."
        : code == WEIR_PERMISSION_DENIED
            ? "This user may not use that port, or that folder: choose another one; ports from "
              "1024 "
              "on are free for all."
            : "A server listens on addresses and names of its own machine: --listen, or its "
              "address "
              "in the cluster.",
        s);
}

/* What must be done in this order before the server starts; |out_cure| is for a failure. */
static weir_status prepare(server_args *a, weir_cluster_config *cluster, const char **out_cure)
{
    *out_cure = "--op-library needs a shared library that can be loaded.";
    WEIR_TRY(weir_cli_load_ops(a->op_library));
    *out_cure = "'weir help security' lists the limits.";
    WEIR_TRY(a->limits ? weir_limits_set(weir_str_of(a->limits)) : WEIR_OK);
    *out_cure = "'weir help security' shows how certificates, tokens and --allow are used.";
    WEIR_TRY(admit(a));
    *out_cure =
        "A task needs the cluster (--ps_hosts and --worker_hosts, --cluster, TF_CONFIG or "
        "srun) and its own\n  place in it (--job_name, --task_index), at an address of this "
        "machine; 'weir help server' says more.";
    WEIR_TRY(find_self(a, cluster));
    *out_cure = "--root needs a folder that exists.";
    return confine(a);
}

static int run_prepared(server_args *a, const weir_cluster_config *cluster, int signals)
{
    weir_server *server = NULL;
    weir_status s = start(a, cluster, &server);
    if (s)
        return fail_listening(s);
    s = announce(a, weir_server_target(server));
    weir_status missing = s ? WEIR_OK : serve_cluster(a, server, signals);
    weir_server_destroy(server);
    if (missing)
        return weir_cli_fail_status(START_CURE, missing), WEIR_EXIT_TRY_AGAIN;
    return s ? weir_cli_fail_status("Give --port_file a path that can be written.", s)
             : WEIR_EXIT_OK;
}

static int run(server_args *a)
{
    int signals;
    weir_status s = weir_server_signals_open(&signals); /* before any thread starts */
    if (s)
        return weir_cli_fail_status("Raise the limit of open files: ulimit -n.", s);
    weir_cli_check_numerics(a->check_numerics);
    if (a->checksum)
        weir_checksum_set(true);
    if (a->logdir)
        weir_event_folder_note(a->logdir);
    weir_cluster_config cluster = {0};
    const char *cure;
    s = prepare(a, &cluster, &cure);
    int status = s ? weir_cli_fail_call(cure, s) : run_prepared(a, &cluster, signals);
    weir_cluster_config_fini(&cluster);
    return status;
}

static bool limit_memory(const char *text)
{
    size_t bytes;
    if (!weir_room_parse(weir_str_of(text), &bytes))
        return false;
    weir_room_set_limit(bytes);
    return true;
}

static int server(void *args, int argc, char **argv)
{
    server_args *a = args;
    int status = 0;
    if (a->ready_fd >= 0 && fcntl((int)a->ready_fd, F_GETFD) < 0)
        status = weir_cli_misuse("server", "--ready_fd %ld is not open", a->ready_fd);
    else if (a->memory && !limit_memory(a->memory))
        status = weir_cli_misuse("server", "--memory is like 512M or 4G, not '%s'", a->memory);
    else
        status = run(a);
    weir_task_flags_fini(&a->task);
    return status;
}

static const weir_option options[] = {
    {"job_name", 0, "JOB", "job of this task (default: localhost)",
     WEIR_TEXT(server_args, task.job_name)},
    {"task_index", 0, "I", "index of this task in its job (default: 0)",
     WEIR_INDEX(server_args, task.task_index)},
    {"JOB_hosts", 0, "A:P,...",
     "addresses of a job's tasks, e.g. --ps_hosts a:2222 --worker_hosts b:1,c:1"},
    {"cluster", 0, "FILE",
     "cluster specification as JSON: {\"ps\": [\"a:2222\"], \"worker\": [...]}",
     WEIR_TEXT(server_args, task.cluster_file), .hint = WEIR_HINT_FILE},
    {"cluster_spec", 0, "SPEC", "cluster specification as text: 'ps=a:2222;worker=b:1,c:1'",
     WEIR_TEXT(server_args, task.cluster_spec)},
    {"server_def", 0, "DEF", "ServerDef message in text format, or a file with one",
     WEIR_TEXT(server_args, task.server_def), .hint = WEIR_HINT_FILE},
    {"ps", 0, "N", "under srun, make the first N tasks parameter servers",
     WEIR_INDEX(server_args, task.ps)},
    {"port", 'p', "PORT", "listen on this port (default: the cluster's; alone: any free one)",
     WEIR_INDEX(server_args, port), .most = WEIR_MOST_PORT},
    {"listen", 0, "HOST[,...]",
     "listen on this address, or on unix:PATH (default: loopback, unless the task's is not)",
     WEIR_TEXT(server_args, listen)},
    {"port_file", 0, "FILE", "write the port to this file when ready",
     WEIR_TEXT(server_args, port_file), .hint = WEIR_HINT_FILE},
    {"op-library", 0, "FILE[:FILE...]", WEIR_OP_LIBRARY_HELP, WEIR_TEXT(server_args, op_library),
     .hint = WEIR_HINT_FILE},
    {"ready_fd", 0, "FD", "write the target to this file descriptor when ready, then close it",
     WEIR_INDEX(server_args, ready_fd)},
    {"check-numerics", 0, NULL, WEIR_CHECK_NUMERICS_HELP, WEIR_FLAG(server_args, check_numerics)},
    {"allow_reset", 0, NULL, "let a client's Reset close other clients' sessions",
     WEIR_FLAG(server_args, allow_reset)},
    {"root", 0, "DIR[:ro]", "restrict clients' file access to this folder (ro: read-only)",
     WEIR_TEXT(server_args, root)},
    {"no_files", 0, NULL, "deny clients all file access", WEIR_FLAG(server_args, no_files)},
    {"limits", 0, "NAME=N,...", "set resource limits for clients (default: WEIR_LIMITS)",
     WEIR_TEXT(server_args, limits)},
    {"tls-cert", 0, "FILE", "use TLS with this certificate (PEM; default: WEIR_TLS_CERT)",
     WEIR_TEXT(server_args, tls.cert), .hint = WEIR_HINT_FILE},
    {"tls-key", 0, "FILE", "private key of the certificate (default: WEIR_TLS_KEY)",
     WEIR_TEXT(server_args, tls.key), .hint = WEIR_HINT_FILE},
    {"tls-ca", 0, "FILE",
     "require certificates signed by this CA from clients and tasks (default: WEIR_TLS_CA)",
     WEIR_TEXT(server_args, tls.ca), .hint = WEIR_HINT_FILE},
    {"token-file", 0, "FILE",
     "require the token in the file's first line from clients without a certificate (default: "
     "WEIR_TOKEN_FILE)",
     WEIR_TEXT(server_args, token_file), .hint = WEIR_HINT_FILE},
    {"task-token-file", 0, "FILE",
     "require the token in the file's first line from the cluster's tasks, but not from clients",
     WEIR_TEXT(server_args, task_token_file), .hint = WEIR_HINT_FILE},
    {"allow", 0, "WHO", "require neither TLS nor a token from: loopback, unix (other users)",
     WEIR_TEXT(server_args, allow)},
    {"checksum", 0, NULL,
     "add checksums to values for other tasks; a damaged value ends its step with DATA_LOSS",
     WEIR_FLAG(server_args, checksum)},
    {"logdir", 0, "DIR", "also show the event files below this folder on the page",
     WEIR_TEXT(server_args, logdir), .hint = WEIR_HINT_FOLDER},
    {"memory", 0, "BYTES",
     "limit of the memory, e.g. 512M or 4G; what needs more fails with RESOURCE_EXHAUSTED",
     WEIR_TEXT(server_args, memory)},
    {"start-timeout", 0, "SECONDS",
     "exit with status 138 if a task of the cluster does not answer within SECONDS; 0: no limit",
     WEIR_INDEX(server_args, start_timeout)},
    {"until_eof", 0, NULL, "exit at the end of standard input", WEIR_FLAG(server_args, until_eof)},
};

const weir_command weir_command_server = {
    .name = "server",
    .summary = "serve TensorFlow clients over gRPC",
    .about = "Runs the graphs of TensorFlow clients: a Python program with tf.compat.v1 "
             "connects with tf.Session('grpc://HOST:PORT'). Prints that target when ready and "
             "serves until interrupted. Without a cluster specification in its options, in "
             "TF_CONFIG or from srun, it is a cluster of one task.",
    WEIR_OPTIONS(options),
    WEIR_ARGS(server_args, .task = {WEIR_NO_TASK_FLAGS}, .port = -1, .ready_fd = -1),
    .run = server,
    .other = take_hosts,
};
