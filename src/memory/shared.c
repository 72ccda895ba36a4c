/* memory/shared.c - one sparse in-memory file, allocated from its beginning in large parts. */
#include "memory/shared.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PAGE = 4096 };

static struct {
    _Atomic(char *) base; /* null: not enabled; set last */
    size_t bytes;
    int fd;             /* for peers */
    atomic_size_t used; /* [0, used) was allocated */
} all = {.fd = -1};
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Twice the machine's memory: gaps between blocks have no memory behind them. Limited, so that the
 * address space has room for the files of a hundred peers. */
static size_t file_bytes(void)
{
    size_t memory = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    size_t least = (size_t)16 << 30, most = (size_t)512 << 30, bytes = memory * 2;
    bytes = bytes < least ? least : bytes > most ? most : bytes;
    return bytes & ~(size_t)(PAGE - 1);
}

/* Above the limit the system would kill the process instead of failing the allocation. */
static bool file_may_have(size_t bytes)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur >= bytes;
}

/* The same file, for reading only. */
static int reopen(int fd)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return open(path, O_RDONLY | O_CLOEXEC);
}

static void make(void)
{
    size_t bytes = file_bytes();
    int fd =
        file_may_have(bytes) ? memfd_create("weir-buffers", MFD_CLOEXEC | MFD_ALLOW_SEALING) : -1;
    if (fd < 0)
        return;
    void *base = MAP_FAILED;
    int for_peers = -1;
    /* Peers must be able to rely on the length, and must not get write access through /proc. (A
     * write seal would also prevent freeing pages.) */
    if (ftruncate(fd, (off_t)bytes) == 0 && fchmod(fd, S_IRUSR) == 0 &&
        fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0 &&
        (for_peers = reopen(fd)) >= 0)
        base = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
    close(fd);
    if (base == MAP_FAILED) {
        if (for_peers >= 0)
            close(for_peers);
        return;
    }
    madvise(base, bytes, MADV_HUGEPAGE); /* if the system supports it for shared memory */
    madvise(base, bytes, MADV_DONTDUMP);
    all.bytes = bytes;
    all.fd = for_peers;
    atomic_store_explicit(&all.base, base, memory_order_release);
}

static char *base(void)
{
    return atomic_load_explicit(&all.base, memory_order_acquire);
}

bool weir_shared_on(void)
{
    pthread_once(&once, make);
    return base() != NULL;
}

int weir_shared_fd(void)
{
    return base() ? all.fd : -1;
}

size_t weir_shared_bytes(void)
{
    return base() ? all.bytes : 0;
}

bool weir_shared_find(const void *at, size_t bytes, uint64_t *out_offset)
{
    const char *from = base(), *cursor = at;
    if (!from || cursor < from || cursor > from + all.bytes ||
        bytes > (size_t)(from + all.bytes - cursor))
        return false;
    *out_offset = (uint64_t)(cursor - from);
    return true;
}

void *weir_shared_map(size_t bytes)
{
    char *from = base();
    if (!from || bytes > all.bytes)
        return NULL;
    size_t at = atomic_load(&all.used);
    do {
        if (all.bytes - at < bytes)
            return NULL;
    } while (!atomic_compare_exchange_weak(&all.used, &at, at + bytes));
    return from + at;
}
