/* launch/peer.c - a job's messages to and from a remote member. */
#include "launch/peer.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"

void run_peer_send(run_peer *peer, const char *fmt, ...)
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
    if (peer->down >= 0)
        run_write(peer->down, &text);
}

static void ended(run_peer *peer, int status)
{
    peer->ended = true;
    peer->on.ended(peer->on.arg, status);
}

/* The rest of |line| after |word| and a space; null if it starts otherwise. */
static const char *behind(weir_str line, const char *word)
{
    size_t length = strlen(word);
    return line.length > length && memcmp(line.at, word, length) == 0 && line.at[length] == ' '
               ? line.at + length + 1
               : NULL;
}

static void on_line(void *arg, weir_str line)
{
    run_peer *peer = arg;
    const char *rest;
    if (weir_str_is(line, "ready"))
        peer->on.ready(peer->on.arg);
    else if ((rest = behind(line, "1")) || (rest = behind(line, "2")))
        peer->on.line(peer->on.arg, line.at[0] - '0', (weir_str){rest, line.length - 2});
    else if ((rest = behind(line, "last")))
        run_job_keep_line(peer->job, peer->member, (weir_str){rest, line.length - 5});
    else if ((rest = behind(line, "account")))
        peer->on.account(peer->on.arg, (weir_str){rest, line.length - 8});
    else if ((rest = behind(line, "joined")))
        peer->on.joined(peer->on.arg, *rest == '1');
    else if ((rest = behind(line, "ended")))
        ended(peer, atoi(rest));
    else if (peer->other)
        peer->other(peer->arg, line);
}

static void on_end(void *arg)
{
    run_peer *peer = arg;
    if (peer->down >= 0)
        close(peer->down);
    peer->down = -1;
    peer->on.gone(peer->on.arg);
}

run_peer *run_peer_create(run_loop *loop, run_job *job, const char *name, int index,
                          const char *where)
{
    run_peer *peer = WEIR_NEW(run_peer);
    *peer = (run_peer){.loop = loop, .job = job, .down = -1};
    peer->member = run_job_add(job, name, index, where, &peer->on);
    peer->lines = (run_lines){.line = on_line, .ended = on_end, .arg = peer};
    run_job_set(job, peer->member, &run_peer_fns, peer);
    return peer;
}

void run_peer_connect(run_peer *peer, int up, int down)
{
    peer->down = up == down ? dup(down) : down;
    run_lines_open(&peer->lines, peer->loop, up);
}

static void peer_begin(void *ptr)
{
    run_peer_send(ptr, "begin");
}

static void peer_finish(void *ptr)
{
    run_peer_send(ptr, "finish");
}

static void peer_signal(void *arg, int signal_number)
{
    run_peer *peer = arg;
    run_peer_send(peer, "signal %d", signal_number);
    if (peer->down < 0 && (signal_number == SIGTERM || signal_number == SIGKILL))
        ended(peer, 128 + signal_number); /* it never connected */
}

static void peer_close(void *arg)
{
    run_peer *peer = arg;
    run_peer_send(peer, "close");
    if (peer->down < 0)
        peer->on.gone(peer->on.arg);
}

static void peer_destroy(void *arg)
{
    run_peer *peer = arg;
    run_lines_close(&peer->lines);
    if (peer->down >= 0)
        close(peer->down);
    weir_free(peer);
}

const run_member_fns run_peer_fns = {peer_begin, peer_finish, peer_signal, peer_close,
                                     peer_destroy};
