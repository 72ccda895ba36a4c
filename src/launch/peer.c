/* launch/peer.c - what a job says to a member elsewhere, and hears from it. */
#include "launch/peer.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"

void run_peer_send(run_peer *p, const char *fmt, ...)
{
    WEIR_BUF(text);
    char *line;
    va_list args;
    va_start(args, fmt);
    int n = vasprintf(&line, fmt, args);
    va_end(args);
    if (n < 0)
        return;
    weir_buf_addf(&text, "%s\n", line);
    free(line);
    if (p->down >= 0)
        run_write(p->down, &text);
}

static void ended(run_peer *p, int status)
{
    p->ended = true;
    p->on.ended(p->on.arg, status);
}

/* The rest of |line| behind |word| and a space; null when it begins otherwise. */
static const char *behind(weir_str line, const char *word)
{
    size_t n = strlen(word);
    return line.length > n && memcmp(line.at, word, n) == 0 && line.at[n] == ' ' ? line.at + n + 1
                                                                                 : NULL;
}

static void on_line(void *arg, weir_str line)
{
    run_peer *p = arg;
    const char *rest;
    if (weir_str_is(line, "ready"))
        p->on.ready(p->on.arg);
    else if ((rest = behind(line, "1")) || (rest = behind(line, "2")))
        p->on.line(p->on.arg, line.at[0] - '0', (weir_str){rest, line.length - 2});
    else if ((rest = behind(line, "last")))
        run_job_keep_line(p->job, p->member, (weir_str){rest, line.length - 5});
    else if ((rest = behind(line, "joined")))
        p->on.joined(p->on.arg, *rest == '1');
    else if ((rest = behind(line, "ended")))
        ended(p, atoi(rest));
    else if (p->other)
        p->other(p->arg, line);
}

static void on_end(void *arg)
{
    run_peer *p = arg;
    if (p->down >= 0)
        close(p->down);
    p->down = -1;
    p->on.gone(p->on.arg);
}

run_peer *run_peer_create(run_loop *loop, run_job *job, const char *name, int index,
                          const char *where)
{
    run_peer *p = WEIR_NEW(run_peer);
    *p = (run_peer){.loop = loop, .job = job, .down = -1};
    p->member = run_job_add(job, name, index, where, &p->on);
    p->lines = (run_lines){.line = on_line, .ended = on_end, .arg = p};
    run_job_set(job, p->member, &run_peer_fns, p);
    return p;
}

void run_peer_connect(run_peer *p, int up, int down)
{
    p->down = up == down ? dup(down) : down;
    run_lines_open(&p->lines, p->loop, up);
}

static void peer_begin(void *p)
{
    run_peer_send(p, "begin");
}

static void peer_finish(void *p)
{
    run_peer_send(p, "finish");
}

static void peer_signal(void *arg, int signal_number)
{
    run_peer *p = arg;
    run_peer_send(p, "signal %d", signal_number);
    if (p->down < 0 && (signal_number == SIGTERM || signal_number == SIGKILL))
        ended(p, 128 + signal_number); /* it never came */
}

static void peer_close(void *arg)
{
    run_peer *p = arg;
    run_peer_send(p, "close");
    if (p->down < 0)
        p->on.gone(p->on.arg);
}

static void peer_destroy(void *arg)
{
    run_peer *p = arg;
    run_lines_close(&p->lines);
    if (p->down >= 0)
        close(p->down);
    weir_free(p);
}

const run_member_fns run_peer_fns = {peer_begin, peer_finish, peer_signal, peer_close,
                                     peer_destroy};
