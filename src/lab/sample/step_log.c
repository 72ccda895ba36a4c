/* lab/sample/step_log.c - steps in shared memory: a header, then a ring of records. */
#include "lab/sample/step_log.h"

#include <assert.h>
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"

enum { MAGIC = 0x57534c31 };

typedef struct head {
    uint32_t magic;
    int64_t room;
    _Atomic int64_t count; /* stored (release) after the record that it counts */
    _Atomic double results[WEIR_STEP_LOG_RESULTS];
    weir_step_record records[];
} head;
static_assert(offsetof(head, room) == 8 && offsetof(head, count) == 16 &&
                  offsetof(head, results) == 24 && offsetof(head, records) == 88 &&
                  sizeof(weir_step_record) == 32,
              "step_log.h and bench/tensorflow.py say where things are");

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
    weir_step_log *log = WEIR_NEW(weir_step_log);
    *log = (weir_step_log){fd, bytes, at};
    *out = log;
    return WEIR_OK;
}

weir_status weir_step_log_create(int64_t room, weir_step_log **out)
{
    size_t bytes = sizeof(head) + (size_t)room * sizeof(weir_step_record);
    int fd = memfd_create("weir-step-log", MFD_CLOEXEC);
    if (fd < 0 || ftruncate(fd, (off_t)bytes) != 0) {
        weir_status status =
            weir_error(WEIR_RESOURCE_EXHAUSTED, "no shared memory for steps: %s", strerror(errno));
        if (fd >= 0)
            close(fd);
        return status;
    }
    weir_status status = map(fd, bytes, out);
    if (status != WEIR_OK) {
        close(fd);
        return status;
    }
    (*out)->shared->magic = MAGIC;
    (*out)->shared->room = room;
    return WEIR_OK;
}

weir_status weir_step_log_open(int fd, weir_step_log **out)
{
    struct stat st;
    weir_step_log *log = NULL;
    if (fstat(fd, &st) != 0 || (size_t)st.st_size < sizeof(head))
        return weir_error(WEIR_INVALID_ARGUMENT, "descriptor %d holds no steps", fd);
    WEIR_TRY(map(fd, (size_t)st.st_size, &log));
    size_t room = (log->bytes - sizeof(head)) / sizeof(weir_step_record);
    if (log->shared->magic != MAGIC || log->shared->room < 1 || (size_t)log->shared->room > room) {
        weir_step_log_destroy(log);
        return weir_error(WEIR_INVALID_ARGUMENT, "descriptor %d holds no steps", fd);
    }
    *out = log;
    return WEIR_OK;
}

void weir_step_log_destroy(weir_step_log *log)
{
    if (!log)
        return;
    munmap(log->shared, log->bytes);
    close(log->fd);
    weir_free(log);
}

int weir_step_log_fd(const weir_step_log *log)
{
    return log->fd;
}

void weir_step_log_add(weir_step_log *log, const weir_step_record *record)
{
    int64_t i = atomic_load_explicit(&log->shared->count, memory_order_relaxed);
    log->shared->records[i % log->shared->room] = *record;
    atomic_store_explicit(&log->shared->count, i + 1, memory_order_release);
}

void weir_step_log_set(weir_step_log *log, int which, double value)
{
    atomic_store(&log->shared->results[which], value);
}

double weir_step_log_get(const weir_step_log *log, int which)
{
    return atomic_load(&log->shared->results[which]);
}

int64_t weir_step_log_count(const weir_step_log *log)
{
    return atomic_load_explicit(&log->shared->count, memory_order_acquire);
}

int64_t weir_step_log_first(const weir_step_log *log)
{
    int64_t count = weir_step_log_count(log);
    return count > log->shared->room ? count - log->shared->room : 0;
}

weir_step_record weir_step_log_at(const weir_step_log *log, int64_t i)
{
    return log->shared->records[i % log->shared->room];
}
