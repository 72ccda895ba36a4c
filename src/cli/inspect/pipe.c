/* cli/inspect/pipe.c - the contents of pipes: kinds read files at offsets, which a pipe cannot. */
#include "cli/inspect/pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/file.h"

static const uint64_t largest = (uint64_t)1 << 30;

bool inspect_is_pipe(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 &&
           (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode) || S_ISCHR(st.st_mode));
}

static weir_status write_all(int fd, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t count = write(fd, bytes, length);
        if (count < 0 && errno != EINTR)
            return weir_file_error("a copy in memory", errno);
        bytes += count > 0 ? count : 0;
        length -= count > 0 ? (size_t)count : 0;
    }
    return WEIR_OK;
}

static weir_status copy(const char *path, int from, int to)
{
    char part[1 << 16];
    uint64_t total = 0;
    for (;;) {
        ssize_t count = read(from, part, sizeof part);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return weir_file_error(path, errno);
        if (count == 0)
            return WEIR_OK;
        total += (uint64_t)count;
        if (total > largest)
            return weir_error(WEIR_RESOURCE_EXHAUSTED,
                              "%s: more than 1 GiB through a pipe; write it to a file first", path);
        WEIR_TRY(write_all(to, part, (size_t)count));
    }
}

weir_status inspect_pipe_read(const char *path, int *out_fd)
{
    int from = open(path, O_RDONLY | O_CLOEXEC);
    if (from < 0)
        return weir_file_error(path, errno);
    int to = memfd_create("weir-inspect", MFD_CLOEXEC);
    weir_status status = to < 0 ? weir_file_error(path, errno) : copy(path, from, to);
    close(from);
    if (!status)
        *out_fd = to;
    else if (to >= 0)
        close(to);
    return status;
}
