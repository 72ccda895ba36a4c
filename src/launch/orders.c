/* launch/orders.c - the beginning of an agent: what ssh.c's side tells it before there is a job.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "command/command.h"
#include "dist/server.h"
#include "launch/agent.h"
#include "launch/hook.h"
#include "launch/plan.h"
#include "proc/lines.h"
#include "proc/sockets.h"

typedef struct orders {
    char *host, *job, *dir, *python, *pushed;
    long index, flags, restarts, no_program;
    run_words words;
} orders;

/* One line of standard input, read so that nothing behind it is taken. */
static bool read_line(weir_buf *line)
{
    char c;
    line->length = 0;
    while (read(STDIN_FILENO, &c, 1) == 1) {
        if (c == '\n')
            return true;
        weir_buf_addc(line, c);
    }
    return false;
}

static void take_order(orders *o, weir_str line)
{
    const struct {
        const char *key;
        char **text;
        long *number;
    } known[] = {
        {"host ", &o->host},
        {"job ", &o->job},
        {"dir ", &o->dir},
        {"python ", &o->python},
        {"pushed ", &o->pushed},
        {"index ", NULL, &o->index},
        {"flags ", NULL, &o->flags},
        {"restarts ", NULL, &o->restarts},
        {"no_program ", NULL, &o->no_program},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        size_t n = strlen(known[i].key);
        if (line.length < n || memcmp(line.at, known[i].key, n) != 0)
            continue;
        weir_str value = {line.at + n, line.length - n};
        if (known[i].text)
            *known[i].text = run_unescape(value);
        else
            *known[i].number = strtol(value.at, NULL, 10);
        return;
    }
    if (line.length > 4 && memcmp(line.at, "env ", 4) == 0)
        putenv(run_unescape((weir_str){line.at + 4, line.length - 4})); /* keeps the string */
    if (line.length >= 5 && memcmp(line.at, "word ", 5) == 0)
        weir_vec_push(&o->words, run_unescape((weir_str){line.at + 5, line.length - 5}));
}

static weir_status read_orders(orders *o, weir_buf *line)
{
    while (read_line(line) && !weir_str_is(weir_view(line), "go"))
        take_order(o, (weir_str){line->at ? line->at : "", line->length});
    if (!o->job || !o->host || o->words.count == 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "the orders are incomplete: --agent is for weir "
                                                 "run's own use");
    if (o->dir && chdir(o->dir) != 0 && !o->pushed)
        fprintf(stderr, "weir: there is no folder %s here; the program runs in the home folder\n",
                o->dir);
    return WEIR_OK;
}

/* Answers with a port and learns the cluster; |held| keeps the port until the server has it. */
static weir_status learn_cluster(const orders *o, weir_cluster_config *c, int *held, weir_buf *line)
{
    int port;
    char *host = run_bare_host(o->host);
    bool here = weir_host_is_loopback(weir_str_of(host));
    weir_free(host);
    WEIR_TRY(run_free_port(here ? o->host : weir_any_host(), &port, held));
    printf("port %d\n", port);
    fflush(stdout);
    if (!read_line(line) || line->length < 8 || memcmp(line->at, "cluster ", 8) != 0)
        return weir_error(WEIR_CANCELLED, "the launcher is gone");
    return weir_cluster_config_spec(c, (weir_str){line->at + 8, line->length - 8});
}

static int run_orders(const orders *o, const weir_cluster_config *c)
{
    char *hook = NULL;
    weir_status s = run_hook_install(&hook);
    if (s)
        return weir_cli_fail_status(NULL, s);
    run_program program = {.words = (const char *const *)o->words.at,
                           .count = (int)o->words.count,
                           .python = o->python,
                           .flags = (run_flags)o->flags};
    run_local_options task = {.cluster = c,
                              .job = o->job,
                              .index = (int)o->index,
                              .program = &program,
                              .no_program = o->no_program,
                              .hook = hook,
                              .restarts = (int)o->restarts};
    run_loop *loop = run_loop_create();
    int status = run_agent_task(loop, &task, STDIN_FILENO, STDOUT_FILENO, true);
    run_loop_destroy(loop);
    run_hook_remove(hook);
    return status;
}

int run_agent(void)
{
    orders o = {0};
    WEIR_BUF(line);
    weir_cluster_config c = {0};
    int held = -1, status;
    weir_status s = read_orders(&o, &line);
    if (!s)
        s = learn_cluster(&o, &c, &held, &line);
    status = s ? weir_cli_fail_status(NULL, s) : run_orders(&o, &c);
    if (held >= 0)
        close(held);
    run_hook_remove(o.pushed); /* a folder of ours too */
    weir_free(o.host);
    weir_free(o.job);
    weir_free(o.dir);
    weir_free(o.python);
    run_words_fini(&o.words);
    weir_cluster_config_fini(&c);
    return status;
}
