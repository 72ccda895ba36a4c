/* tests/refuse/refuse.c - a library to preload, which refuses what a process asks its system for.
 *
 * What is refused is memory, mappings, threads or descriptors: the n-th request, every n-th, all
 * from the n-th on, or those of so many bytes. Requests of the test's own interpreter are never
 * refused, only those that are made while it is armed and by libraries under test.
 * A program is armed from its start by REFUSE="KINDS MODE NUMBER" (REFUSE="1 0 20": the 20th
 * allocation); one that was loaded by a test calls refuse_arm.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>

enum { MEMORY = 1, MAPS = 2, THREADS = 4, DESCRIPTORS = 8 };
enum { NTH, EVERY, FROM, BYTES };
enum { RANGES = 32, EARLY = 1 << 16 };

static atomic_int kinds; /* armed for; 0: not */
static atomic_int mode;
static atomic_long number, seen, refused;
static struct {
    uintptr_t from, to;
} ranges[RANGES];
static atomic_int range_count;

/* ---- whose requests ---- */

/* By the file's name alone: a folder may be called weir, and the interpreter lie below it. */
static bool is_under_test(const char *path)
{
    static const char *const names[] = {"libweir",   "libnghttp2", "libz.", "libssl",
                                        "libcrypto", "libc.so",    "libuc"};
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return true;
    return strcmp(name, "weir") == 0;
}

static int add_range(struct dl_phdr_info *info, size_t size, void *arg)
{
    const char *path = info->dlpi_name[0] ? info->dlpi_name : (const char *)arg;
    if (!is_under_test(path) || strstr(path, "refuse"))
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        int at = range_count;
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X) || at == RANGES)
            continue;
        ranges[at].from = info->dlpi_addr + part->p_vaddr;
        ranges[at].to = ranges[at].from + part->p_memsz;
        range_count = at + 1;
    }
    return (int)(size * 0);
}

static bool is_ours(const void *caller)
{
    uintptr_t at = (uintptr_t)caller;
    for (int i = 0; i < range_count; i++)
        if (at >= ranges[i].from && at < ranges[i].to)
            return true;
    return false;
}

static bool refuse(int kind, size_t bytes, const void *caller)
{
    if (!(atomic_load(&kinds) & kind) || !is_ours(caller))
        return false;
    long n = atomic_fetch_add(&seen, 1) + 1, k = atomic_load(&number);
    int how = atomic_load(&mode);
    bool no = how == NTH     ? n == k
              : how == EVERY ? k > 0 && n % k == 0
              : how == FROM  ? n >= k
                             : (long)bytes >= k;
    if (no)
        atomic_fetch_add(&refused, 1);
    return no;
}

/* ---- for tests ---- */

void refuse_disarm(void);
void refuse_arm(int of_kinds, int of_mode, long of_number);
long refuse_seen(void);
long refuse_refused(void);

void refuse_arm(int of_kinds, int of_mode, long of_number)
{
    char self[256] = "";
    FILE *file = fopen("/proc/self/cmdline", "r");
    if (file && !fgets(self, sizeof self, file))
        self[0] = 0;
    if (file)
        fclose(file);
    range_count = 0;
    dl_iterate_phdr(add_range, self);
    mode = of_mode;
    number = of_number;
    seen = refused = 0;
    kinds = of_kinds;
}

void refuse_disarm(void)
{
    kinds = 0;
}

long refuse_seen(void)
{
    return seen;
}

long refuse_refused(void)
{
    return refused;
}

__attribute__((constructor)) static void arm_from_environment(void)
{
    const char *text = getenv("REFUSE");
    int of_kinds = 0, of_mode = 0;
    long of_number = 0;
    if (text && sscanf(text, "%d %d %ld", &of_kinds, &of_mode, &of_number) == 3)
        refuse_arm(of_kinds, of_mode, of_number);
}

/* Tells how many requests there were, in the file REFUSE_COUNT. */
__attribute__((destructor)) static void tell(void)
{
    const char *path = getenv("REFUSE_COUNT");
    kinds = 0;
    FILE *file = path ? fopen(path, "w") : NULL;
    if (file) {
        fprintf(file, "%ld\n", (long)seen);
        fclose(file);
    }
}

/* ---- what is asked for ---- */

static char early[EARLY]; /* for what dlsym itself allocates */
static atomic_size_t early_used;
/* volatile, because the compiler takes it that dlsym calls nothing here */
static _Thread_local volatile int looking __attribute__((tls_model("initial-exec")));

static void *from_early(size_t bytes)
{
    size_t at = atomic_fetch_add(&early_used, (bytes + 31) & ~(size_t)15);
    return at + bytes + 16 <= EARLY ? early + ((at + 15) & ~(size_t)15) : NULL;
}

static bool is_early(const void *ptr)
{
    return (const char *)ptr >= early && (const char *)ptr < early + EARLY;
}

static void *next(const char *name)
{
    looking++;
    void *function = dlsym(RTLD_NEXT, name);
    looking--;
    return function;
}

#define CALLER __builtin_extract_return_addr(__builtin_return_address(0))
#define NEXT(name)                                                                                 \
    static __typeof__(&(name)) real;                                                               \
    if (!real && !looking)                                                                         \
    real = (__typeof__(real))next(#name)

void *malloc(size_t bytes)
{
    NEXT(malloc);
    if (!real)
        return from_early(bytes);
    if (refuse(MEMORY, bytes, CALLER)) {
        errno = ENOMEM;
        return NULL;
    }
    return real(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    NEXT(calloc);
    if (!real)
        return from_early(count * bytes);
    if (refuse(MEMORY, count * bytes, CALLER)) {
        errno = ENOMEM;
        return NULL;
    }
    return real(count, bytes);
}

void *realloc(void *ptr, size_t bytes)
{
    NEXT(realloc);
    if (!real || is_early(ptr)) {
        void *to = from_early(bytes);
        return to && ptr ? memmove(to, ptr, bytes) : to;
    }
    if (refuse(MEMORY, bytes, CALLER)) {
        errno = ENOMEM;
        return NULL;
    }
    return real(ptr, bytes);
}

int posix_memalign(void **out, size_t alignment, size_t bytes)
{
    NEXT(posix_memalign);
    return refuse(MEMORY, bytes, CALLER) ? ENOMEM : real(out, alignment, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    NEXT(aligned_alloc);
    return refuse(MEMORY, bytes, CALLER) ? NULL : real(alignment, bytes);
}

void free(void *ptr)
{
    NEXT(free);
    if (ptr && real && !is_early(ptr))
        real(ptr);
}

void *mmap(void *at, size_t bytes, int protection, int flags, int fd, off_t offset)
{
    NEXT(mmap);
    if (refuse(MAPS, bytes, CALLER)) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return real(at, bytes, protection, flags, fd, offset);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *), void *arg)
{
    NEXT(pthread_create);
    return refuse(THREADS, 0, CALLER) ? EAGAIN : real(thread, attr, run, arg);
}

/* ---- descriptors ---- */

static int none_left(void)
{
    errno = EMFILE;
    return -1;
}

int socket(int domain, int type, int protocol)
{
    NEXT(socket);
    return refuse(DESCRIPTORS, 0, CALLER) ? none_left() : real(domain, type, protocol);
}

int accept4(int fd, __SOCKADDR_ARG address, socklen_t *length, int flags)
{
    NEXT(accept4);
    return refuse(DESCRIPTORS, 0, CALLER) ? none_left() : real(fd, address, length, flags);
}

int eventfd(unsigned count, int flags)
{
    NEXT(eventfd);
    return refuse(DESCRIPTORS, 0, CALLER) ? none_left() : real(count, flags);
}

int memfd_create(const char *name, unsigned flags)
{
    NEXT(memfd_create);
    return refuse(DESCRIPTORS, 0, CALLER) ? none_left() : real(name, flags);
}

int open(const char *path, int flags, ...)
{
    NEXT(open);
    va_list rest;
    va_start(rest, flags);
    int file_mode = va_arg(rest, int);
    va_end(rest);
    return refuse(DESCRIPTORS, 0, CALLER) ? none_left() : real(path, flags, file_mode);
}

int openat(int folder, const char *path, int flags, ...)
{
    NEXT(openat);
    va_list rest;
    va_start(rest, flags);
    int file_mode = va_arg(rest, int);
    va_end(rest);
    return refuse(DESCRIPTORS, 0, CALLER) ? none_left() : real(folder, path, flags, file_mode);
}
