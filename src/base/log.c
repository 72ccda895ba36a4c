/* base/log.c - one line, one write. */
#include "base/log.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/env.h"
#include "base/quiet.h"

static _Atomic(void (*)(const char *)) listener_fn;

void weir_log_listen(void (*listener)(const char *line))
{
    atomic_store(&listener_fn, listener);
}

static size_t end_line(char *line)
{
    size_t length = strlen(line);
    line[length] = '\n';
    return length + 1;
}

/* Drops the line if writing it would block. */
static void show(char *line)
{
    static atomic_int lost;
    char note[64];
    int count = atomic_exchange(&lost, 0);
    if (count) {
        snprintf(note, sizeof note, "(%d lines were lost)", count);
        count = weir_print_now(stderr, note, end_line(note)) ? 0 : count;
    }
    if (count || !weir_print_now(stderr, line, end_line(line)))
        atomic_fetch_add(&lost, count + 1);
}

void weir_log(weir_log_level level, const char *fmt, ...)
{
    void (*listener)(const char *) = atomic_load(&listener_fn);
    bool shown = (int)level >= weir_env_get()->log_level;
    if (!shown && !listener)
        return;
    char line[2048 + 1]; /* and the end of the line */
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    struct tm tm;
    localtime_r(&now.tv_sec, &tm);
    int length = snprintf(line, sizeof line, "%02d:%02d:%02d.%03ld %c ", tm.tm_hour, tm.tm_min,
                          tm.tm_sec, now.tv_nsec / 1000000, "DIWE"[level]);
    va_list args;
    va_start(args, fmt);
    vsnprintf(line + length, sizeof line - 1 - (size_t)length, fmt, args);
    va_end(args);
    if (listener)
        listener(line);
    if (shown)
        show(line);
}
