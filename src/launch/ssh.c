/* launch/ssh.c - agents on other machines: started, told what to run, asked for a port each.
 *
 * Every task has an ssh of its own to `weir run --agent`. The agent reads lines of "key value" up
 * to "go", answers "port N", and is told "cluster SPEC" when all have answered; then peer.h holds.
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
    int port; /* 0: not told yet */
} remote;

struct hosts_run {
    const run_options *o;
    const run_places *places;
    run_loop *loop;
    run_job *job;
    remote *remotes;
    char pushed[64]; /* the folder that was pushed to; "" without --push */
};

/* ---- ssh itself ----------------------------------------------------------------------------- */

/* The words of --ssh, the host, and a command for the shell there. */
static void ssh_words(const run_options *o, const char *host, const char *command, run_words *out)
{
    const char *at = o->ssh ? o->ssh : "ssh -o BatchMode=yes -o ConnectTimeout=10";
    while (*at) {
        size_t n = strcspn(at, " ");
        if (n)
            weir_vec_push(out, weir_strndup(at, n));
        at += n + (at[n] == ' ');
    }
    weir_vec_push(out, run_bare_host(host));
    weir_vec_push(out, weir_strdup(command));
    weir_vec_push(out, NULL);
}

static void exec_ssh(const run_options *o, const char *host, const char *command)
{
    run_words words = {0};
    ssh_words(o, host, command, &words);
    execvp(words.at[0], words.at);
    fprintf(stderr, "weir: cannot run '%s': %s\n", words.at[0], strerror(errno));
    _exit(127);
}

/* ---- pushing -------------------------------------------------------------------------------- */

/* A host comes once, however many tasks it has. */
static bool host_came_before(const run_places *p, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (strcmp(p->at[i].host, p->at[at].host) == 0)
            return true;
    return false;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Sends a file to every host at once, all before the first answer. */
static weir_status push_file(const hosts_run *r, const char *path, const char *name)
{
    WEIR_BUF(command);
    weir_buf_addf(&command, "mkdir -p -m 700 %s && cat > '%s/%s' && chmod 700 '%s/%s'", r->pushed,
                  r->pushed, name, r->pushed, name);
    pid_t *pids = WEIR_NEW_ARRAY(pid_t, r->places->count);
    for (size_t i = 0; i < r->places->count; i++) {
        if (host_came_before(r->places, i) || (pids[i] = fork()) != 0)
            continue;
        int in = open(path, O_RDONLY);
        if (in < 0 || dup2(in, 0) < 0)
            _exit(126);
        exec_ssh(r->o, r->places->at[i].host, command.at);
    }
    weir_status s = WEIR_OK;
    for (size_t i = 0; i < r->places->count; i++) {
        int status = 0;
        if (pids[i] > 0 && waitpid(pids[i], &status, 0) == pids[i] && status != 0 && !s)
            s = weir_error(WEIR_UNAVAILABLE, "could not copy %s to %s", path,
                           r->places->at[i].host);
    }
    weir_free(pids);
    return s;
}

static weir_status push(hosts_run *r)
{
    snprintf(r->pushed, sizeof r->pushed, "/tmp/weir-push-%d-%lld", (int)getpid(),
             (long long)weir_wall_us());
    WEIR_TRY(push_file(r, run_binary(), "weir"));
    return push_file(r, r->o->program.words[0], base_name(r->o->program.words[0]));
}

/* ---- starting agents ------------------------------------------------------------------------ */

/* When every agent has a port, each learns the whole cluster. */
static void check_ports(hosts_run *r)
{
    weir_cluster_config c = {0};
    WEIR_BUF(spec);
    weir_status s = WEIR_OK;
    for (size_t i = 0; i < r->places->count; i++)
        if (!r->remotes[i].port)
            return;
    for (size_t i = 0; !s && i < r->places->count; i++) {
        const run_place *p = &r->places->at[i];
        const char *at = strchr(p->host, '@');
        char address[300];
        snprintf(address, sizeof address, "%s:%d", at ? at + 1 : p->host, r->remotes[i].port);
        s = weir_cluster_config_add(&c, weir_str_of(p->job), p->index, weir_str_of(address));
    }
    weir_cluster_config_print(&c, &spec);
    for (size_t i = 0; !s && i < r->places->count; i++)
        run_peer_send(r->remotes[i].peer, "cluster %s", spec.at);
    if (s)
        run_job_abort(r->job, s);
    weir_cluster_config_fini(&c);
}

static void on_other(void *arg, weir_str line)
{
    remote *m = arg;
    if (line.length > 5 && memcmp(line.at, "port ", 5) == 0) {
        m->port = atoi(line.at + 5);
        check_ports(m->run);
    } else {
        m->peer->on.line(m->peer->on.arg, 2, line); /* of a shell that greets */
    }
}

static void on_ssh_error(void *arg, weir_str line)
{
    remote *m = arg;
    m->peer->on.line(m->peer->on.arg, 2, line);
}

static void on_ssh_end(void *arg, int status)
{
    remote *m = arg;
    run_lines_drain(&m->errors);
    run_lines_close(&m->errors);
}

static void order(remote *m, const char *key, const char *value)
{
    WEIR_BUF(line);
    weir_buf_addf(&line, "%s ", key);
    run_escape(&line, value);
    run_peer_send(m->peer, "%s", line.at);
}

static void order_number(remote *m, const char *key, long value)
{
    run_peer_send(m->peer, "%s %ld", key, value);
}

/* "NAME,NAME=VALUE": those that are set. */
static void order_environment(remote *m, const char *list)
{
    while (list && *list) {
        size_t n = strcspn(list, ",");
        WEIR_BUF(set);
        weir_buf_add(&set, list, n);
        const char *value = strchr(set.at, '=') ? NULL : weir_env_value(set.at);
        if (value)
            weir_buf_addf(&set, "=%s", value);
        if (strchr(set.at, '='))
            order(m, "env", set.at);
        list += n + (list[n] == ',');
    }
}

static void give_orders(remote *m)
{
    const run_options *o = m->run->o;
    char dir[4096];
    const char *at = strchr(m->place->host, '@');
    order(m, "host", at ? at + 1 : m->place->host);
    order(m, "job", m->place->job);
    order_number(m, "index", m->place->index);
    order(m, "dir", getcwd(dir, sizeof dir) ? dir : "/");
    if (o->program.python)
        order(m, "python", o->program.python);
    order_number(m, "flags", o->program.flags);
    order_number(m, "restarts", o->restarts);
    order_number(m, "no_program", o->no_ps_program && strcmp(m->place->job, "ps") == 0);
    if (m->run->pushed[0])
        order(m, "pushed", m->run->pushed);
    order_environment(m, o->env);
    for (int i = 0; i < o->program.count; i++) {
        WEIR_BUF(word);
        if (i == 0 && m->run->pushed[0])
            weir_buf_addf(&word, "%s/", m->run->pushed);
        weir_buf_adds(&word, i == 0 && m->run->pushed[0] ? base_name(o->program.words[i])
                                                         : o->program.words[i]);
        order(m, "word", word.at ? word.at : "");
    }
    run_peer_send(m->peer, "go");
}

static void agent_command(const hosts_run *r, weir_buf *out)
{
    if (r->pushed[0])
        weir_buf_addf(out, "exec %s/weir run --agent", r->pushed);
    else /* at the same place as here, or wherever it is found; whatever the login shell is */
        weir_buf_addf(out,
                      "exec sh -c 'w=\"%s\"; [ -x \"$w\" ] || w=weir; exec \"$w\" run --agent'",
                      strpbrk(run_binary(), "'\"\\$`") ? "weir" : run_binary());
}

static void start_agent(hosts_run *r, remote *m)
{
    int in[2];
    WEIR_BUF(command);
    run_lines up = {0};
    m->peer = run_peer_create(r->loop, r->job, m->place->job, m->place->index, m->place->host);
    m->peer->other = on_other;
    m->peer->arg = m;
    m->errors = (run_lines){.line = on_ssh_error, .arg = m};
    if (pipe2(in, O_CLOEXEC) < 0)
        return run_job_abort(r->job, weir_error(WEIR_RESOURCE_EXHAUSTED, "no descriptors left"));
    agent_command(r, &command);
    pid_t pid = run_spawn(r->loop, in[0], &up, &m->errors);
    if (pid == 0)
        exec_ssh(r->o, m->place->host, command.at);
    close(in[0]);
    run_loop_forget(r->loop, up.fd); /* the peer reads it */
    run_peer_connect(m->peer, up.fd, in[1]);
    run_loop_child(r->loop, pid, on_ssh_end, m);
    give_orders(m);
}

static int run_on(hosts_run *r)
{
    r->loop = run_loop_create();
    r->job = run_job_create(r->loop);
    r->remotes = WEIR_NEW_ARRAY(remote, r->places->count);
    for (size_t i = 0; i < r->places->count; i++) {
        r->remotes[i] = (remote){.run = r, .place = &r->places->at[i]};
        start_agent(r, &r->remotes[i]);
    }
    int status = run_job_run(r->job);
    for (size_t i = 0; i < r->places->count; i++)
        run_lines_close(&r->remotes[i].errors);
    run_job_destroy(r->job);
    run_loop_destroy(r->loop);
    weir_free(r->remotes);
    return status;
}

static void print_hosts(const run_options *o, const run_places *places)
{
    for (size_t i = 0; i < places->count; i++) {
        const run_place *p = &places->at[i];
        printf("%s %d on %s:", p->job, p->index, p->host);
        for (int k = 0; k < o->program.count; k++)
            printf(" %s", o->program.words[k]);
        printf("\n");
    }
}

int run_hosts(const run_options *o, const run_places *places)
{
    hosts_run r = {.o = o, .places = places};
    if (o->dry_run) {
        print_hosts(o, places);
        return WEIR_EXIT_OK;
    }
    weir_status s = o->push ? push(&r) : WEIR_OK;
    if (s)
        return weir_cli_fail_status("Does 'ssh HOST true' work there without a password?", s);
    return run_on(&r);
}
