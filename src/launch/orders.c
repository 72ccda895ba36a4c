/* launch/orders.c - an agent's handshake with ssh.c, before there is a job.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "command/command.h"
#include "dist/server.h"
#include "launch/agent.h"
#include "launch/hook.h"
#include "launch/plan.h"
#include "net/address.h"
#include "proc/lines.h"
#include "proc/sockets.h"

typedef struct orders {
    char *host, *job, *dir, *python, *pushed;
    long index, flags, restarts, no_program, tf1;
    run_words words;
} orders;

/* Reads one line of standard input, without consuming what follows. */
static bool read_line(weir_buf *line)
{
    char ch;
    line->length = 0;
    while (read(STDIN_FILENO, &ch, 1) == 1) {
        if (ch == '\n')
            return true;
        weir_buf_addc(line, ch);
    }
    return false;
}

static void take_order(orders *orders, weir_str line)
{
    const struct {
        const char *key;
        char **text;
        long *number;
    } known[] = {
        {"host ", &orders->host},
        {"job ", &orders->job},
        {"dir ", &orders->dir},
        {"python ", &orders->python},
        {"pushed ", &orders->pushed},
        {"index ", NULL, &orders->index},
        {"flags ", NULL, &orders->flags},
        {"restarts ", NULL, &orders->restarts},
        {"no_program ", NULL, &orders->no_program},
        {"tf1 ", NULL, &orders->tf1},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        size_t length = strlen(known[i].key);
        if (line.length < length || memcmp(line.at, known[i].key, length) != 0)
            continue;
        weir_str value = {line.at + length, line.length - length};
        if (known[i].text)
            *known[i].text = run_unescape(value);
        else
            *known[i].number = strtol(value.at, NULL, 10);
        return;
    }
    if (line.length > 4 && memcmp(line.at, "env ", 4) == 0)
        putenv(run_unescape((weir_str){line.at + 4, line.length - 4})); /* keeps the string */
    if (line.length >= 5 && memcmp(line.at, "word ", 5) == 0)
        weir_vec_push(&orders->words, run_unescape((weir_str){line.at + 5, line.length - 5}));
}

static weir_status read_orders(orders *orders, weir_buf *line)
{
    while (read_line(line) && !weir_str_is(weir_view(line), "go"))
        take_order(orders, (weir_str){line->at ? line->at : "", line->length});
    if (!orders->job || !orders->host || orders->words.count == 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "the orders are incomplete: --agent is for weir "
                                                 "run's own use");
    if (orders->dir && chdir(orders->dir) != 0 && !orders->pushed)
        fprintf(stderr, "weir: there is no folder %s here; the program runs in the home folder\n",
                orders->dir);
    return WEIR_OK;
}

/* Answers with a port and receives the cluster; |held| reserves the port for the server. */
static weir_status learn_cluster(const orders *orders, weir_cluster_config *config, int *held,
                                 weir_buf *line)
{
    int port;
    WEIR_FREED char *host = run_bare_host(orders->host);
    bool here = weir_host_is_loopback(weir_str_of(host));
    WEIR_TRY(run_free_port(here ? orders->host : weir_any_host(), &port, held));
    printf("port %d\n", port);
    fflush(stdout);
    if (!read_line(line) || line->length < 8 || memcmp(line->at, "cluster ", 8) != 0)
        return weir_error(WEIR_CANCELLED, "the launcher is gone");
    return weir_cluster_config_spec(config, (weir_str){line->at + 8, line->length - 8});
}

static int run_orders(const orders *orders, const weir_cluster_config *config)
{
    char *hook = NULL;
    weir_status result = run_hook_install(&hook);
    if (result)
        return weir_cli_fail_status(NULL, result);
    run_program program = {.words = (const char *const *)orders->words.at,
                           .count = (int)orders->words.count,
                           .python = orders->python,
                           .flags = (run_flags)orders->flags,
                           .tf1 = orders->tf1};
    run_local_options task = {.cluster = config,
                              .job = orders->job,
                              .index = (int)orders->index,
                              .program = &program,
                              .no_program = orders->no_program,
                              .hook = hook,
                              .restarts = (int)orders->restarts};
    run_loop *loop = run_loop_create();
    int status = run_agent_task(loop, &task, STDIN_FILENO, STDOUT_FILENO, true);
    run_loop_destroy(loop);
    run_hook_remove(hook);
    return status;
}

int run_agent(void)
{
    orders orders = {0};
    WEIR_BUF(line);
    weir_cluster_config config = {0};
    int held = -1, status;
    weir_status result = read_orders(&orders, &line);
    if (!result)
        result = learn_cluster(&orders, &config, &held, &line);
    status = result ? weir_cli_fail_status(NULL, result) : run_orders(&orders, &config);
    if (held >= 0)
        close(held);
    run_hook_remove(orders.pushed); /* also a temporary folder */
    weir_free(orders.host);
    weir_free(orders.job);
    weir_free(orders.dir);
    weir_free(orders.python);
    run_words_fini(&orders.words);
    weir_cluster_config_fini(&config);
    return status;
}
