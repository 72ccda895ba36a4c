/* lab/sample/step_log.c - steps in shared memory: a head, then a ring of records. */
#include "lab/sample/step_log.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"

enum { MAGIC = 0x57534c31 };

typedef struct head {
    uint32_t magic;
    int64_t room;
    _Atomic int64_t count; /* released after the record that it counts */
    _Atomic double results[WEIR_STEP_LOG_RESULTS];
    weir_step_record records[];
} head;

struct weir_step_log {
    int fd;
    size_t bytes;
    head *shared;
};

static weir_status map(int fd, size_t bytes, weir_step_log **out)
{
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (at == MAP_FAILED)
        return weir_error(WEIR_RESOURCE_EXHAUSTED, "cannot map %zu bytes of steps: %s", bytes,
                          strerror(errno));
    weir_step_log *w = WEIR_NEW(weir_step_log);
    *w = (weir_step_log){fd, bytes, at};
    *out = w;
    return WEIR_OK;
}

weir_status weir_step_log_create(int64_t room, weir_step_log **out)
{
    size_t bytes = sizeof(head) + (size_t)room * sizeof(weir_step_record);
    int fd = memfd_create("weir-step-log", MFD_CLOEXEC);
    if (fd < 0 || ftruncate(fd, (off_t)bytes) != 0) {
        weir_status s =
            weir_error(WEIR_RESOURCE_EXHAUSTED, "no shared memory for steps: %s", strerror(errno));
        if (fd >= 0)
            close(fd);
        return s;
    }
    weir_status s = map(fd, bytes, out);
    if (s != WEIR_OK) {
        close(fd);
        return s;
    }
    (*out)->shared->magic = MAGIC;
    (*out)->shared->room = room;
    return WEIR_OK;
}

weir_status weir_step_log_open(int fd, weir_step_log **out)
{
    struct stat st;
    weir_step_log *w = NULL;
    if (fstat(fd, &st) != 0 || (size_t)st.st_size < sizeof(head))
        return weir_error(WEIR_INVALID_ARGUMENT, "descriptor %d holds no steps", fd);
    WEIR_TRY(map(fd, (size_t)st.st_size, &w));
    size_t room = (w->bytes - sizeof(head)) / sizeof(weir_step_record);
    if (w->shared->magic != MAGIC || w->shared->room < 1 || (size_t)w->shared->room > room) {
        weir_step_log_destroy(w);
        return weir_error(WEIR_INVALID_ARGUMENT, "descriptor %d holds no steps", fd);
    }
    *out = w;
    return WEIR_OK;
}

void weir_step_log_destroy(weir_step_log *w)
{
    if (!w)
        return;
    munmap(w->shared, w->bytes);
    close(w->fd);
    weir_free(w);
}

int weir_step_log_fd(const weir_step_log *w)
{
    return w->fd;
}

void weir_step_log_add(weir_step_log *w, const weir_step_record *r)
{
    int64_t i = atomic_load_explicit(&w->shared->count, memory_order_relaxed);
    w->shared->records[i % w->shared->room] = *r;
    atomic_store_explicit(&w->shared->count, i + 1, memory_order_release);
}

void weir_step_log_set(weir_step_log *w, int which, double value)
{
    atomic_store(&w->shared->results[which], value);
}

double weir_step_log_get(const weir_step_log *w, int which)
{
    return atomic_load(&w->shared->results[which]);
}

int64_t weir_step_log_count(const weir_step_log *w)
{
    return atomic_load_explicit(&w->shared->count, memory_order_acquire);
}

int64_t weir_step_log_first(const weir_step_log *w)
{
    int64_t count = weir_step_log_count(w);
    return count > w->shared->room ? count - w->shared->room : 0;
}

weir_step_record weir_step_log_at(const weir_step_log *w, int64_t i)
{
    return w->shared->records[i % w->shared->room];
}
