/* io/file.c - reading at offsets, writing beside and renaming, and what errno means. */
#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/file_impl.h"

static const struct {
    weir_code code;
    int errs[18]; /* ends with 0 */
} codes[] = {
    {WEIR_INVALID_ARGUMENT,
     {EINVAL, ENAMETOOLONG, E2BIG, EDESTADDRREQ, EDOM, EFAULT, EILSEQ, ENOPROTOOPT, ENOTSOCK,
      ENOTTY, EPROTOTYPE, ESPIPE}},
    {WEIR_DEADLINE_EXCEEDED, {ETIMEDOUT, ETIME}},
    {WEIR_NOT_FOUND, {ENODEV, ENOENT, ENXIO, ESRCH}},
    {WEIR_ALREADY_EXISTS, {EEXIST, EADDRNOTAVAIL, EALREADY}},
    {WEIR_PERMISSION_DENIED, {EPERM, EACCES, EROFS}},
    {WEIR_FAILED_PRECONDITION,
     {ENOTEMPTY, EISDIR, ENOTDIR, EADDRINUSE, EBADF, EBUSY, ECHILD, EISCONN, ENOTBLK, ENOTCONN,
      EPIPE, ESHUTDOWN, ETXTBSY}},
    {WEIR_RESOURCE_EXHAUSTED,
     {ENOSPC, EDQUOT, EMFILE, EMLINK, ENFILE, ENOBUFS, ENODATA, ENOMEM, ENOSR, EUSERS}},
    {WEIR_OUT_OF_RANGE, {EFBIG, EOVERFLOW, ERANGE}},
    {WEIR_UNIMPLEMENTED,
     {ENOSYS, ENOTSUP, EAFNOSUPPORT, EPFNOSUPPORT, EPROTONOSUPPORT, ESOCKTNOSUPPORT, EXDEV}},
    {WEIR_UNAVAILABLE,
     {EAGAIN, ECONNREFUSED, ECONNABORTED, ECONNRESET, EINTR, EHOSTDOWN, EHOSTUNREACH, ENETDOWN,
      ENETRESET, ENETUNREACH, ENOLCK, ENOLINK}},
    {WEIR_ABORTED, {EDEADLK, ESTALE}},
    {WEIR_CANCELLED, {ECANCELED}},
};

static weir_code code_of(int err)
{
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        for (const int *e = codes[i].errs; *e; e++)
            if (*e == err)
                return codes[i].code;
    return WEIR_UNKNOWN;
}

weir_status weir_file_error(const char *path, int err)
{
    char room[128];
    return weir_error(code_of(err), "%s; %s", path, strerror_r(err, room, sizeof room));
}

weir_status weir_file_damaged(weir_status status)
{
    if (!status)
        return WEIR_OK;
    weir_status damage = weir_error(WEIR_DATA_LOSS, "%s", weir_status_message(status));
    weir_status_free(status);
    return damage;
}

const char *weir_path_local(const char *path)
{
    return strncmp(path, "file://", 7) == 0 ? path + 7 : path;
}

weir_str weir_path_dir(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return WEIR_STR("");
    return (weir_str){path, slash == path ? 1 : (size_t)(slash - path)};
}

/* ---- reading ---- */

struct weir_rfile {
    char *path; /* as the caller spelt it */
    int fd;
    uint64_t bytes;
};

weir_status weir_rfile_open(const char *path, weir_rfile **out_file)
{
    int fd = open(weir_path_local(path), O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return weir_file_error(path, errno);
    struct stat st;
    int err = fstat(fd, &st) < 0 ? errno : S_ISDIR(st.st_mode) ? EISDIR : 0;
    if (err) {
        close(fd);
        return weir_file_error(path, err);
    }
    weir_rfile *f = WEIR_NEW(weir_rfile);
    *f = (weir_rfile){weir_strdup(path), fd, st.st_size > 0 ? (uint64_t)st.st_size : 0};
    *out_file = f;
    return WEIR_OK;
}

void weir_rfile_destroy(weir_rfile *f)
{
    if (!f)
        return;
    close(f->fd);
    weir_free(f->path);
    weir_free(f);
}

uint64_t weir_rfile_bytes(const weir_rfile *f)
{
    return f->bytes;
}

const char *weir_rfile_path(const weir_rfile *f)
{
    return f->path;
}

weir_status weir_rfile_read_some(weir_rfile *f, uint64_t offset, void *out, size_t length,
                                 size_t *out_length)
{
    if (offset > INT64_MAX || length > INT64_MAX - offset)
        return weir_file_error(f->path, EINVAL);
    size_t done = 0;
    while (done < length) {
        ssize_t n = pread(f->fd, (char *)out + done, length - done, (off_t)(offset + done));
        if (n == 0)
            break;
        if (n < 0 && errno != EINTR && errno != EAGAIN)
            return weir_file_error(f->path, errno);
        done += n > 0 ? (size_t)n : 0;
    }
    *out_length = done;
    return WEIR_OK;
}

weir_status weir_rfile_read(weir_rfile *f, uint64_t offset, void *out, size_t length)
{
    size_t got = 0;
    WEIR_TRY(weir_rfile_read_some(f, offset, out, length, &got));
    if (got < length)
        return weir_error(WEIR_OUT_OF_RANGE, "%s: read less bytes than requested (%zu of %zu)",
                          f->path, got, length);
    return WEIR_OK;
}

/* ---- writing ---- */

enum {
    WRITE_ROOM = 1 << 16,
    START_BYTES = 8 << 20, /* the disk starts on so much while the rest is written */
};

struct weir_wfile {
    char *path; /* the final place */
    char *temp; /* where the bytes are until the commit; null when appending */
    int fd;
    off_t written, started; /* bytes given to the system, and those the disk was told to take */
    size_t used;
    char room[WRITE_ROOM];
};

/* A name that no other writer of this or another process has. */
static char *temp_name(const char *path)
{
    static atomic_uint serial;
    weir_buf name = {0};
    weir_buf_addf(&name, "%s.tempstate%d.%u", path, (int)getpid(), atomic_fetch_add(&serial, 1));
    return weir_buf_take(&name);
}

static weir_status open_for_write(const char *path, char *temp, int flags, weir_wfile **out_file)
{
    int fd = open(temp ? temp : path, flags | O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0) {
        int err = errno;
        weir_free(temp);
        return weir_file_error(path, err);
    }
    weir_wfile *f = WEIR_NEW(weir_wfile);
    f->path = weir_strdup(path);
    f->temp = temp;
    f->fd = fd;
    *out_file = f;
    return WEIR_OK;
}

weir_status weir_wfile_create(const char *path, weir_wfile **out_file)
{
    path = weir_path_local(path);
    return open_for_write(path, temp_name(path), O_TRUNC, out_file);
}

weir_status weir_wfile_append(const char *path, weir_wfile **out_file)
{
    return open_for_write(weir_path_local(path), NULL, O_APPEND, out_file);
}

static weir_status write_fully(weir_wfile *f, const char *bytes, size_t length)
{
    while (length) {
        ssize_t n = write(f->fd, bytes, length);
        if (n < 0 && errno != EINTR)
            return weir_file_error(f->path, errno);
        bytes += n > 0 ? n : 0;
        length -= n > 0 ? (size_t)n : 0;
        f->written += n > 0 ? n : 0;
    }
    if (f->temp && f->written - f->started >= START_BYTES) {
        sync_file_range(f->fd, f->started, f->written - f->started, SYNC_FILE_RANGE_WRITE);
        f->started = f->written; /* a hint: file systems that do not take it write at the end */
    }
    return WEIR_OK;
}

weir_status weir_wfile_flush(weir_wfile *f)
{
    size_t used = f->used;
    f->used = 0;
    return write_fully(f, f->room, used);
}

weir_status weir_wfile_write(weir_wfile *f, const void *bytes, size_t length)
{
    if (length > WRITE_ROOM - f->used)
        WEIR_TRY(weir_wfile_flush(f));
    if (length >= WRITE_ROOM)
        return write_fully(f, bytes, length);
    if (length)
        memcpy(f->room + f->used, bytes, length);
    f->used += length;
    return WEIR_OK;
}

static weir_status settle(weir_wfile *f)
{
    WEIR_TRY(weir_wfile_flush(f));
    if (fsync(f->fd) < 0 && errno != EINVAL)
        return weir_file_error(f->path, errno);
    if (!f->temp)
        return WEIR_OK;
    if (rename(f->temp, f->path) < 0)
        return weir_file_error(f->path, errno);
    weir_free(f->temp);
    f->temp = NULL;
    return weir_path_sync(f->path);
}

weir_status weir_wfile_commit(weir_wfile *f)
{
    weir_status status = settle(f);
    weir_wfile_destroy(f);
    return status;
}

void weir_wfile_destroy(weir_wfile *f)
{
    if (!f)
        return;
    if (f->temp)
        unlink(f->temp);
    else
        weir_status_free(weir_wfile_flush(f));
    close(f->fd);
    weir_free(f->path);
    weir_free(f->temp);
    weir_free(f);
}

/* ---- whole files ---- */

weir_status weir_file_read_all(const char *path, size_t most, weir_buf *out_bytes)
{
    WEIR_OWNED(weir_rfile) f = NULL;
    WEIR_TRY(weir_rfile_open(path, &f));
    if (f->bytes > most)
        return weir_error(WEIR_RESOURCE_EXHAUSTED, "%s: %llu bytes are more than the limit of %zu",
                          path, (unsigned long long)f->bytes, most);
    /* Files in /proc and pipes say they are empty: read until the end comes. */
    size_t chunk = f->bytes ? (size_t)f->bytes : 1 << 16, got = 0;
    WEIR_BUF(bytes);
    do {
        weir_buf_reserve(&bytes, chunk);
        WEIR_TRY(weir_rfile_read_some(f, bytes.length, bytes.at + bytes.length, chunk, &got));
        bytes.length += got;
    } while (f->bytes == 0 && got && bytes.length <= most);
    bytes.at[bytes.length] = 0;
    *out_bytes = bytes;
    bytes = (weir_buf){0};
    return WEIR_OK;
}

weir_status weir_file_write_all(const char *path, const void *bytes, size_t length)
{
    WEIR_OWNED(weir_wfile) f = NULL;
    WEIR_TRY(weir_wfile_create(path, &f));
    WEIR_TRY(weir_wfile_write(f, bytes, length));
    return weir_wfile_commit(WEIR_TAKE(f));
}
