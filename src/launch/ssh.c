/* launch/ssh.c - agents on remote hosts: starts them, sends them a program and a cluster.
 *
 * Every task has an ssh of its own to `weir run --agent`. The agent reads lines of "key value" up
 * to "go", answers "port N", and receives "cluster SPEC" when all have answered; then peer.h's
 * protocol starts.
 */
#include "launch/ssh.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/env.h"
#include "command/command.h"
#include "launch/peer.h"
#include "proc/sockets.h"
#include "proc/spawn.h"

typedef struct hosts_run hosts_run;

/* A task and its ssh. */
typedef struct remote {
    hosts_run *run;
    const run_place *place;
    run_peer *peer;
    run_lines errors;
    int port; /* 0: not received yet */
} remote;

struct hosts_run {
    const run_options *o;
    const run_places *places;
    run_loop *loop;
    run_job *job;
    remote *remotes;
    char pushed[64]; /* the folder that was pushed to; "" without --push */
};

/* ---- ssh itself ------------------------------------------------------------------------------ */

/* The words of --ssh, the host, and a command for the shell there. */
static void ssh_words(const run_options *options, const char *host, const char *command,
                      run_words *out)
{
    const char *at = options->ssh ? options->ssh : "ssh -o BatchMode=yes -o ConnectTimeout=10";
    while (*at) {
        size_t count = strcspn(at, " ");
        if (count)
            weir_vec_push(out, weir_strndup(at, count));
        at += count + (at[count] == ' ');
    }
    weir_vec_push(out, run_bare_host(host));
    weir_vec_push(out, weir_strdup(command));
    weir_vec_push(out, NULL);
}

static void exec_ssh(const run_options *options, const char *host, const char *command)
{
    run_words words = {0};
    ssh_words(options, host, command, &words);
    execvp(words.at[0], words.at);
    fprintf(stderr, "weir: cannot run '%s': %s\n", words.at[0], strerror(errno));
    _exit(127);
}

/* ---- pushing --------------------------------------------------------------------------------- */

/* Each host is used once, however many tasks it has. */
static bool host_came_before(const run_places *places, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (strcmp(places->at[i].host, places->at[at].host) == 0)
            return true;
    return false;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Sends a file to all hosts in parallel. */
static weir_status push_file(const hosts_run *run, const char *path, const char *name)
{
    WEIR_BUF(command);
    weir_buf_addf(&command, "mkdir -p -m 700 %s && cat > '%s/%s' && chmod 700 '%s/%s'", run->pushed,
                  run->pushed, name, run->pushed, name);
    WEIR_FREED pid_t *pids = WEIR_NEW_ARRAY(pid_t, run->places->count);
    for (size_t i = 0; i < run->places->count; i++) {
        if (host_came_before(run->places, i) || (pids[i] = fork()) != 0)
            continue;
        int in = open(path, O_RDONLY);
        if (in < 0 || dup2(in, 0) < 0)
            _exit(126);
        exec_ssh(run->o, run->places->at[i].host, command.at);
    }
    weir_status result = WEIR_OK;
    for (size_t i = 0; i < run->places->count; i++) {
        int status = 0;
        if (pids[i] > 0 && waitpid(pids[i], &status, 0) == pids[i] && status != 0 && !result)
            result = weir_error(WEIR_UNAVAILABLE, "could not copy %s to %s", path,
                                run->places->at[i].host);
    }
    return result;
}

static weir_status push(hosts_run *run)
{
    snprintf(run->pushed, sizeof run->pushed, "/tmp/weir-push-%d-%lld", (int)getpid(),
             (long long)weir_wall_us());
    WEIR_TRY(push_file(run, run_binary(), "weir"));
    return push_file(run, run->o->program.words[0], base_name(run->o->program.words[0]));
}

/* ---- starting agents ------------------------------------------------------------------------- */

/* When every agent has a port, sends the whole cluster to each. */
static void check_ports(hosts_run *run)
{
    weir_cluster_config config = {0};
    WEIR_BUF(spec);
    weir_status status = WEIR_OK;
    for (size_t i = 0; i < run->places->count; i++)
        if (!run->remotes[i].port)
            return;
    for (size_t i = 0; !status && i < run->places->count; i++) {
        const run_place *place = &run->places->at[i];
        const char *at = strchr(place->host, '@');
        char address[300];
        snprintf(address, sizeof address, "%s:%d", at ? at + 1 : place->host, run->remotes[i].port);
        status = weir_cluster_config_add(&config, weir_str_of(place->job), place->index,
                                         weir_str_of(address));
    }
    weir_cluster_config_print(&config, &spec);
    for (size_t i = 0; !status && i < run->places->count; i++)
        run_peer_send(run->remotes[i].peer, "cluster %s", spec.at);
    if (status)
        run_job_abort(run->job, status);
    else
        run_job_record(run->job, run_record_create(&config, run->o->logs));
    weir_cluster_config_fini(&config);
}

static void on_other(void *arg, weir_str line)
{
    remote *remote = arg;
    if (line.length > 5 && memcmp(line.at, "port ", 5) == 0) {
        remote->port = atoi(line.at + 5);
        check_ports(remote->run);
    } else {
        remote->peer->on.line(remote->peer->on.arg, 2, line); /* a greeting of the login shell */
    }
}

static void on_ssh_error(void *arg, weir_str line)
{
    remote *remote = arg;
    remote->peer->on.line(remote->peer->on.arg, 2, line);
}

static void on_ssh_end(void *arg, int status)
{
    remote *remote = arg;
    run_lines_drain(&remote->errors);
    run_lines_close(&remote->errors);
}

static void order(remote *remote, const char *key, const char *value)
{
    WEIR_BUF(line);
    weir_buf_addf(&line, "%s ", key);
    run_escape(&line, value);
    run_peer_send(remote->peer, "%s", line.at);
}

static void order_number(remote *remote, const char *key, long value)
{
    run_peer_send(remote->peer, "%s %ld", key, value);
}

/* "NAME,NAME=VALUE": those that are set. */
static void order_environment(remote *remote, const char *list)
{
    while (list && *list) {
        size_t count = strcspn(list, ",");
        WEIR_BUF(set);
        weir_buf_add(&set, list, count);
        const char *value = strchr(set.at, '=') ? NULL : weir_env_value(set.at);
        if (value)
            weir_buf_addf(&set, "=%s", value);
        if (strchr(set.at, '='))
            order(remote, "env", set.at);
        list += count + (list[count] == ',');
    }
}

static void give_orders(remote *remote)
{
    const run_options *options = remote->run->o;
    char dir[4096];
    const char *at = strchr(remote->place->host, '@');
    order(remote, "host", at ? at + 1 : remote->place->host);
    order(remote, "job", remote->place->job);
    order_number(remote, "index", remote->place->index);
    order(remote, "dir", getcwd(dir, sizeof dir) ? dir : "/");
    if (options->program.python)
        order(remote, "python", options->program.python);
    order_number(remote, "flags", options->program.flags);
    order_number(remote, "tf1", options->program.tf1);
    order_number(remote, "restarts", options->restarts);
    order_number(remote, "no_program",
                 options->no_ps_program && strcmp(remote->place->job, "ps") == 0);
    if (remote->run->pushed[0])
        order(remote, "pushed", remote->run->pushed);
    order_environment(remote, options->env);
    for (int i = 0; i < options->program.count; i++) {
        WEIR_BUF(word);
        if (i == 0 && remote->run->pushed[0])
            weir_buf_addf(&word, "%s/", remote->run->pushed);
        weir_buf_adds(&word, i == 0 && remote->run->pushed[0] ? base_name(options->program.words[i])
                                                              : options->program.words[i]);
        order(remote, "word", word.at ? word.at : "");
    }
    run_peer_send(remote->peer, "go");
}

static void agent_command(const hosts_run *run, weir_buf *out)
{
    if (run->pushed[0])
        weir_buf_addf(out, "exec %s/weir run --agent", run->pushed);
    else /* the same path as here, or by PATH; independent of the login shell */
        weir_buf_addf(out,
                      "exec sh -c 'w=\"%s\"; [ -x \"$w\" ] || w=weir; exec \"$w\" run --agent'",
                      strpbrk(run_binary(), "'\"\\$`") ? "weir" : run_binary());
}

static void start_agent(hosts_run *run, remote *remote)
{
    int in[2];
    WEIR_BUF(command);
    run_lines up = {0};
    remote->peer = run_peer_create(run->loop, run->job, remote->place->job, remote->place->index,
                                   remote->place->host);
    remote->peer->other = on_other;
    remote->peer->arg = remote;
    remote->errors = (run_lines){.line = on_ssh_error, .arg = remote};
    if (pipe2(in, O_CLOEXEC) < 0)
        return run_job_abort(run->job, weir_error(WEIR_RESOURCE_EXHAUSTED, "no descriptors left"));
    agent_command(run, &command);
    pid_t pid = run_spawn(run->loop, in[0], &up, &remote->errors);
    if (pid == 0)
        exec_ssh(run->o, remote->place->host, command.at);
    close(in[0]);
    run_loop_forget(run->loop, up.fd); /* the peer reads it from now on */
    run_peer_connect(remote->peer, up.fd, in[1]);
    run_loop_child(run->loop, pid, on_ssh_end, remote);
    give_orders(remote);
}

static int run_on(hosts_run *run)
{
    run->loop = run_loop_create();
    run->job = run_job_create(run->loop, run->o->logs, run->o->start_timeout);
    run->remotes = WEIR_NEW_ARRAY(remote, run->places->count);
    for (size_t i = 0; i < run->places->count; i++) {
        run->remotes[i] = (remote){.run = run, .place = &run->places->at[i]};
        start_agent(run, &run->remotes[i]);
    }
    int status = run_job_run(run->job);
    for (size_t i = 0; i < run->places->count; i++)
        run_lines_close(&run->remotes[i].errors);
    run_job_destroy(run->job);
    run_loop_destroy(run->loop);
    weir_free(run->remotes);
    return status;
}

static void print_hosts(const run_options *options, const run_places *places)
{
    for (size_t i = 0; i < places->count; i++) {
        const run_place *place = &places->at[i];
        printf("%s %d on %s:", place->job, place->index, place->host);
        for (int k = 0; k < options->program.count; k++)
            printf(" %s", options->program.words[k]);
        printf("\n");
    }
}

int run_hosts(const run_options *options, const run_places *places)
{
    hosts_run run = {.o = options, .places = places};
    if (options->dry_run) {
        print_hosts(options, places);
        return WEIR_EXIT_OK;
    }
    weir_status status = options->push ? push(&run) : WEIR_OK;
    if (status)
        return weir_cli_fail_status("Does 'ssh HOST true' work there without a password?", status);
    return run_on(&run);
}
