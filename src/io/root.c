/* io/root.c - confines file access to one folder. */
#include "io/root.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/mem.h"

static struct {
    bool confined, forbidden, read_only;
    char *path; /* the folder, resolved */
    int fd;
} root = {.fd = -1};

weir_status weir_root_confine(const char *text)
{
    size_t length = strlen(text);
    bool read_only = length > 3 && strcmp(text + length - 3, ":ro") == 0;
    WEIR_FREED char *dir = weir_strndup(text, read_only ? length - 3 : length);
    char *real = realpath(dir, NULL);
    int fd = real ? open(real, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
    if (fd < 0) {
        int why = errno;
        free(real);
        return weir_error(WEIR_INVALID_ARGUMENT, "'%s' cannot be the root of files: %s", dir,
                          strerror(why));
    }
    root.path = real;
    root.fd = fd;
    root.read_only = read_only;
    root.confined = true;
    return WEIR_OK;
}

void weir_root_forbid(void)
{
    root.confined = root.forbidden = true;
}

/* |path| relative to the folder, "." for itself; null: outside. */
static const char *below(const char *path)
{
    size_t length = strlen(root.path ? root.path : "");
    if (root.forbidden)
        return NULL;
    if (*path != '/')
        return *path ? path : NULL;
    if (length > 1 &&
        (strncmp(path, root.path, length) != 0 || (path[length] && path[length] != '/')))
        return NULL;
    path += length > 1 ? length : 1;
    while (*path == '/')
        path++;
    return *path ? path : ".";
}

static int fail(int why)
{
    errno = why;
    return -1;
}

/* O_PATH and O_RDONLY do not modify anything. */
static bool changes(int flags)
{
    return !(flags & O_PATH) && ((flags & O_ACCMODE) != O_RDONLY || flags & (O_CREAT | O_TRUNC));
}

static int open_below(const char *path, int flags, mode_t mode)
{
    struct open_how how = {.flags = (uint64_t)(unsigned)flags,
                           .mode = flags & O_CREAT ? mode : 0,
                           .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS};
    int fd;
    do
        fd = (int)syscall(SYS_openat2, root.fd, path, &how, sizeof how);
    while (fd < 0 && errno == EAGAIN); /* a concurrent rename */
    return fd < 0 && errno == EXDEV ? fail(EACCES) : fd;
}

int weir_root_open(const char *path, int flags, mode_t mode)
{
    flags |= O_CLOEXEC;
    if (!root.confined)
        return open(path, flags, mode);
    const char *rest = below(path);
    if (!rest)
        return fail(EACCES);
    return root.read_only && changes(flags) ? fail(EROFS) : open_below(rest, flags, mode);
}

static int stat_by(const char *path, int flags, struct stat *out)
{
    int fd = weir_root_open(path, O_PATH | flags, 0);
    int result = fd < 0 ? -1 : fstat(fd, out);
    if (fd >= 0)
        close(fd);
    return result;
}

int weir_root_stat(const char *path, struct stat *out)
{
    return root.confined ? stat_by(path, 0, out) : stat(path, out);
}

int weir_root_lstat(const char *path, struct stat *out)
{
    return root.confined ? stat_by(path, O_NOFOLLOW, out) : lstat(path, out);
}

/* ---- names in a folder -------------------------------------------------------------------------
 */

/* Opens the parent folder of |path|; its name there. -1: read-only. */
static int open_parent(const char *path, const char **out_name)
{
    const char *rest = below(path);
    if (!rest || root.read_only)
        return fail(rest ? EROFS : EACCES);
    const char *slash = strrchr(rest, '/'), *name = slash ? slash + 1 : rest;
    if (strcmp(name, "..") == 0)
        return fail(EACCES);
    if (!*name || strcmp(name, ".") == 0)
        return fail(EEXIST);
    WEIR_FREED char *dir = slash ? weir_strndup(rest, (size_t)(slash - rest)) : weir_strdup(".");
    *out_name = name;
    return open_below(*dir ? dir : ".", O_PATH | O_DIRECTORY | O_CLOEXEC, 0);
}

static int close_parent(int dir, int result)
{
    int why = errno;
    if (dir >= 0)
        close(dir);
    errno = why;
    return result;
}

int weir_root_mkdir(const char *path, mode_t mode)
{
    const char *name;
    if (!root.confined)
        return mkdir(path, mode);
    int dir = open_parent(path, &name);
    return close_parent(dir, dir < 0 ? -1 : mkdirat(dir, name, mode));
}

int weir_root_unlink(const char *path, int flags)
{
    const char *name;
    if (!root.confined)
        return unlinkat(AT_FDCWD, path, flags);
    int dir = open_parent(path, &name);
    return close_parent(dir, dir < 0 ? -1 : unlinkat(dir, name, flags));
}

int weir_root_rename(const char *from, const char *to)
{
    const char *old_name, *new_name;
    if (!root.confined)
        return rename(from, to);
    int old_dir = open_parent(from, &old_name);
    int new_dir = old_dir < 0 ? -1 : open_parent(to, &new_name);
    int result = new_dir < 0 ? -1 : renameat(old_dir, old_name, new_dir, new_name);
    return close_parent(old_dir, close_parent(new_dir, result));
}
