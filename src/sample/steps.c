/* sample/steps.c - steps in shared memory: a head, then a ring of records. */
#include "sample/steps.h"

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
    _Atomic double results[WEIR_STEPS_RESULTS];
    weir_step_record records[];
} head;

struct weir_steps {
    int fd;
    size_t bytes;
    head *shared;
};

static weir_status map(int fd, size_t bytes, weir_steps **out)
{
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (at == MAP_FAILED)
        return weir_error(WEIR_RESOURCE_EXHAUSTED, "cannot map %zu bytes of steps: %s", bytes,
                          strerror(errno));
    weir_steps *w = WEIR_NEW(weir_steps);
    *w = (weir_steps){fd, bytes, at};
    *out = w;
    return WEIR_OK;
}

weir_status weir_steps_create(int64_t room, weir_steps **out)
{
    size_t bytes = sizeof(head) + (size_t)room * sizeof(weir_step_record);
    int fd = memfd_create("weir-steps", 0);
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

weir_status weir_steps_open(int fd, weir_steps **out)
{
    struct stat st;
    weir_steps *w = NULL;
    if (fstat(fd, &st) != 0 || (size_t)st.st_size < sizeof(head))
        return weir_error(WEIR_INVALID_ARGUMENT, "descriptor %d holds no steps", fd);
    WEIR_TRY(map(fd, (size_t)st.st_size, &w));
    size_t room = (w->bytes - sizeof(head)) / sizeof(weir_step_record);
    if (w->shared->magic != MAGIC || w->shared->room < 1 || (size_t)w->shared->room > room) {
        weir_steps_destroy(w);
        return weir_error(WEIR_INVALID_ARGUMENT, "descriptor %d holds no steps", fd);
    }
    *out = w;
    return WEIR_OK;
}

void weir_steps_destroy(weir_steps *w)
{
    if (!w)
        return;
    munmap(w->shared, w->bytes);
    close(w->fd);
    weir_free(w);
}

int weir_steps_fd(const weir_steps *w)
{
    return w->fd;
}

void weir_steps_add(weir_steps *w, const weir_step_record *r)
{
    int64_t i = atomic_load_explicit(&w->shared->count, memory_order_relaxed);
    w->shared->records[i % w->shared->room] = *r;
    atomic_store_explicit(&w->shared->count, i + 1, memory_order_release);
}

void weir_steps_set(weir_steps *w, int which, double value)
{
    atomic_store(&w->shared->results[which], value);
}

double weir_steps_get(const weir_steps *w, int which)
{
    return atomic_load(&w->shared->results[which]);
}

int64_t weir_steps_count(const weir_steps *w)
{
    return atomic_load_explicit(&w->shared->count, memory_order_acquire);
}

int64_t weir_steps_first(const weir_steps *w)
{
    int64_t count = weir_steps_count(w);
    return count > w->shared->room ? count - w->shared->room : 0;
}

weir_step_record weir_steps_at(const weir_steps *w, int64_t i)
{
    return w->shared->records[i % w->shared->room];
}
