/* observe/marks.c - two ring buffers of short texts. */
#include "observe/marks.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/mutex.h"

typedef struct text_ring {
    weir_mark *at; /* number n is at n % room */
    int64_t count, room;
} text_ring;

static weir_mutex lock = WEIR_MUTEX_INIT;
static text_ring marks WEIR_GUARDED_BY(lock) = {.room = WEIR_MARKS_KEPT};
static text_ring lines WEIR_GUARDED_BY(lock) = {.room = WEIR_LINES_KEPT};
static struct {
    const char *kind;
    int64_t count;
} kinds[16] WEIR_GUARDED_BY(lock);

static void add(text_ring *ring, const char *kind, const char *text) WEIR_REQUIRES(lock)
{
    if (!ring->at)
        ring->at = WEIR_NEW_ARRAY(weir_mark, ring->room);
    weir_mark *mark = &ring->at[++ring->count % ring->room];
    mark->number = ring->count;
    mark->ns = weir_now_ns();
    mark->kind = kind;
    snprintf(mark->text, sizeof mark->text, "%s", text);
}

static void count_kind(const char *kind) WEIR_REQUIRES(lock)
{
    for (int i = 0; i < 16; i++) {
        if (kinds[i].kind && strcmp(kinds[i].kind, kind) != 0)
            continue;
        kinds[i].kind = kind;
        kinds[i].count++;
        return;
    }
}

void weir_mark_add(const char *kind, const char *format, ...)
{
    char text[WEIR_MARK_TEXT];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    weir_mutex_lock(&lock);
    add(&marks, kind, text);
    count_kind(kind);
    weir_mutex_unlock(&lock);
}

int64_t weir_mark_count(const char *kind)
{
    int64_t count = 0;
    weir_mutex_lock(&lock);
    for (int i = 0; i < 16; i++)
        if (kinds[i].kind && strcmp(kinds[i].kind, kind) == 0)
            count = kinds[i].count;
    weir_mutex_unlock(&lock);
    return count;
}

static size_t list(const text_ring *ring, int64_t since, weir_mark *out, size_t room)
    WEIR_REQUIRES(lock)
{
    size_t count = 0;
    int64_t kept = ring->room < (int64_t)room ? ring->room : (int64_t)room;
    int64_t first = ring->count - since > kept ? ring->count - kept : since;
    for (int64_t number = (first < 0 ? 0 : first) + 1; number <= ring->count; number++)
        out[count++] = ring->at[number % ring->room];
    return count;
}

size_t weir_mark_list(int64_t since, weir_mark *out, size_t room)
{
    weir_mutex_lock(&lock);
    size_t count = list(&marks, since, out, room);
    weir_mutex_unlock(&lock);
    return count;
}

static void keep_line(const char *line)
{
    weir_mutex_lock(&lock);
    add(&lines, "log", line);
    weir_mutex_unlock(&lock);
}

void weir_lines_keep(void)
{
    weir_log_listen(keep_line);
}

size_t weir_lines_list(int64_t since, weir_mark *out, size_t room)
{
    weir_mutex_lock(&lock);
    size_t count = list(&lines, since, out, room);
    weir_mutex_unlock(&lock);
    return count;
}
