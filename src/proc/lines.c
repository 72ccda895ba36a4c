/* proc/lines.c - splits a descriptor's input into lines. */
#include "proc/lines.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/mem.h"

enum { LONGEST_LINE = 1 << 16 };

static void give(run_lines *lines, size_t from, size_t to)
{
    lines->line(lines->arg, (weir_str){lines->held.at + from, to - from});
}

/* Delivers every complete line in the buffer. */
static void give_lines(run_lines *lines)
{
    size_t from = 0;
    for (char *end; lines->fd >= 0 && from < lines->held.length &&
                    (end = memchr(lines->held.at + from, '\n', lines->held.length - from));) {
        give(lines, from, (size_t)(end - lines->held.at));
        from = (size_t)(end - lines->held.at) + 1;
    }
    if (lines->fd < 0)
        return; /* closed by its owner */
    if (lines->held.length - from >= LONGEST_LINE) {
        give(lines, from, lines->held.length);
        from = lines->held.length;
    }
    memmove(lines->held.at, lines->held.at + from, lines->held.length - from);
    lines->held.length -= from;
}

static void end(run_lines *lines)
{
    if (lines->held.length)
        give(lines, 0, lines->held.length);
    run_lines_close(lines);
    if (lines->ended)
        lines->ended(lines->arg);
}

static void ready(void *arg)
{
    run_lines *lines = arg;
    char bytes[16384];
    ssize_t got = read(lines->fd, bytes, sizeof bytes);
    if (got > 0) {
        weir_buf_add(&lines->held, bytes, (size_t)got);
        give_lines(lines);
    } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
        end(lines);
    }
}

void run_lines_open(run_lines *lines, run_loop *loop, int fd)
{
    lines->loop = loop;
    lines->fd = fd;
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
    run_loop_watch(loop, fd, ready, lines);
}

void run_lines_feed(run_lines *lines, weir_str bytes)
{
    weir_buf_add(&lines->held, bytes.at, bytes.length);
    give_lines(lines);
}

static _Atomic int failure;

int run_write_failure(void)
{
    return failure;
}

static void note_failure(int fd, int err)
{
    int none = 0;
    if (fd == STDOUT_FILENO)
        atomic_compare_exchange_strong(&failure, &none, err);
}

void run_write(int fd, const weir_buf *text)
{
    for (size_t done = 0; done < text->length;) {
        ssize_t sent = write(fd, text->at + done, text->length - done);
        if (sent < 0 && errno == EAGAIN)
            poll(&(struct pollfd){.fd = fd, .events = POLLOUT}, 1, -1);
        else if (sent <= 0 && errno != EINTR) {
            note_failure(fd, errno);
            return;
        } else
            done += sent > 0 ? (size_t)sent : 0;
    }
}

void run_lines_drain(run_lines *lines)
{
    char bytes[16384];
    ssize_t count = 1;
    /* Limited, because another process may hold the other end and write forever. */
    for (int reads = 0; lines->loop && lines->fd >= 0 && count > 0 && reads < 1000; reads++) {
        count = read(lines->fd, bytes, sizeof bytes);
        weir_buf_add(&lines->held, bytes, count > 0 ? (size_t)count : 0);
        give_lines(lines);
    }
    if (lines->loop && lines->fd >= 0 && lines->held.length) {
        give(lines, 0, lines->held.length);
        lines->held.length = 0;
    }
}

void run_lines_close(run_lines *lines)
{
    if (lines->loop && lines->fd >= 0) {
        run_loop_forget(lines->loop, lines->fd);
        close(lines->fd);
    }
    lines->fd = -1;
    weir_buf_fini(&lines->held);
}

void run_escape(weir_buf *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '\n')
            weir_buf_adds(out, "\\n");
        else if (*text == '\\')
            weir_buf_adds(out, "\\\\");
        else
            weir_buf_addc(out, *text);
    }
}

char *run_unescape(weir_str line)
{
    weir_buf out = {0};
    weir_buf_reserve(&out, line.length + 1);
    for (size_t i = 0; i < line.length; i++) {
        bool escaped = line.at[i] == '\\' && i + 1 < line.length;
        i += escaped;
        weir_buf_addc(&out, escaped && line.at[i] == 'n' ? '\n' : line.at[i]);
    }
    weir_buf_addc(&out, 0);
    return weir_buf_take(&out);
}
