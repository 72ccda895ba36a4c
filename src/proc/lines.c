/* proc/lines.c - lines out of a descriptor. */
#include "proc/lines.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "base/mem.h"

enum { LONGEST_LINE = 1 << 16 };

static void give(run_lines *l, size_t from, size_t to)
{
    l->line(l->arg, (weir_str){l->held.at + from, to - from});
}

/* Hands out every whole line that is held. */
static void give_lines(run_lines *l)
{
    size_t from = 0;
    for (char *end; l->fd >= 0 && from < l->held.length &&
                    (end = memchr(l->held.at + from, '\n', l->held.length - from));) {
        give(l, from, (size_t)(end - l->held.at));
        from = (size_t)(end - l->held.at) + 1;
    }
    if (l->fd < 0)
        return; /* closed by its owner */
    if (l->held.length - from >= LONGEST_LINE) {
        give(l, from, l->held.length);
        from = l->held.length;
    }
    memmove(l->held.at, l->held.at + from, l->held.length - from);
    l->held.length -= from;
}

static void end(run_lines *l)
{
    if (l->held.length)
        give(l, 0, l->held.length);
    run_lines_close(l);
    if (l->ended)
        l->ended(l->arg);
}

static void ready(void *arg)
{
    run_lines *l = arg;
    char bytes[16384];
    ssize_t n = read(l->fd, bytes, sizeof bytes);
    if (n > 0) {
        weir_buf_add(&l->held, bytes, (size_t)n);
        give_lines(l);
    } else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
        end(l);
    }
}

void run_lines_open(run_lines *l, run_loop *loop, int fd)
{
    l->loop = loop;
    l->fd = fd;
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
    run_loop_watch(loop, fd, ready, l);
}

void run_lines_feed(run_lines *l, weir_str bytes)
{
    weir_buf_add(&l->held, bytes.at, bytes.length);
    give_lines(l);
}

void run_write(int fd, const weir_buf *text)
{
    for (size_t done = 0; done < text->length;) {
        ssize_t n = write(fd, text->at + done, text->length - done);
        if (n < 0 && errno == EAGAIN)
            poll(&(struct pollfd){.fd = fd, .events = POLLOUT}, 1, -1);
        else if (n <= 0 && errno != EINTR)
            return;
        else
            done += n > 0 ? (size_t)n : 0;
    }
}

void run_lines_drain(run_lines *l)
{
    char bytes[16384];
    ssize_t n = 1;
    /* A bound, for someone else may hold the other end and never stop writing. */
    for (int reads = 0; l->loop && l->fd >= 0 && n > 0 && reads < 1000; reads++) {
        n = read(l->fd, bytes, sizeof bytes);
        weir_buf_add(&l->held, bytes, n > 0 ? (size_t)n : 0);
        give_lines(l);
    }
    if (l->loop && l->fd >= 0 && l->held.length) {
        give(l, 0, l->held.length);
        l->held.length = 0;
    }
}

void run_lines_close(run_lines *l)
{
    if (l->loop && l->fd >= 0) {
        run_loop_forget(l->loop, l->fd);
        close(l->fd);
    }
    l->fd = -1;
    weir_buf_fini(&l->held);
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
