/* io/file.c - reading at offsets, atomic writes by rename, and errno as statuses. */
#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/deadline.h"
#include "base/quiet.h"
#include "base/room.h"
#include "io/file_impl.h"
#include "io/root.h"

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
    const char *why = err == ESPIPE ? "it is a pipe or a socket, and must be a file"
                                    : strerror_r(err, room, sizeof room);
    return weir_error(code_of(err), "%s; %s", path, why);
}

weir_status weir_file_note(weir_status status, const char *path)
{
    bool named = status && strstr(weir_status_message(status), path);
    return named ? status : weir_status_prefix(status, "%s: ", path);
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

/* ---- reading --------------------------------------------------------------------------------- */

struct weir_rfile {
    char *path; /* as given by the caller */
    int fd;
    uint64_t bytes;
};

/* Files that cannot be read at offsets are rejected before opening them: opening a pipe without a
 * writer would block forever. */
static int error_of_kind(mode_t mode)
{
    return S_ISDIR(mode) ? EISDIR : S_ISFIFO(mode) || S_ISSOCK(mode) ? ESPIPE : 0;
}

weir_status weir_rfile_open(const char *path, weir_rfile **out_file)
{
    int fd = weir_root_open(weir_path_local(path), O_RDONLY | O_NONBLOCK, 0);
    if (fd < 0)
        return weir_file_error(path, errno);
    struct stat st;
    int err = fstat(fd, &st) < 0 ? errno : error_of_kind(st.st_mode);
    if (err) {
        close(fd);
        return weir_file_error(path, err);
    }
    weir_rfile *file = WEIR_NEW(weir_rfile);
    *file = (weir_rfile){weir_strdup(path), fd, st.st_size > 0 ? (uint64_t)st.st_size : 0};
    *out_file = file;
    return WEIR_OK;
}

void weir_rfile_destroy(weir_rfile *file)
{
    if (!file)
        return;
    close(file->fd);
    weir_free(file->path);
    weir_free(file);
}

uint64_t weir_rfile_bytes(const weir_rfile *file)
{
    return file->bytes;
}

const char *weir_rfile_path(const weir_rfile *file)
{
    return file->path;
}

weir_status weir_rfile_read_some(weir_rfile *file, uint64_t offset, void *out, size_t length,
                                 size_t *out_length)
{
    if (offset > INT64_MAX || length > INT64_MAX - offset)
        return weir_file_error(file->path, EINVAL);
    size_t done = 0;
    while (done < length) {
        ssize_t got = pread(file->fd, (char *)out + done, length - done, (off_t)(offset + done));
        if (got == 0)
            break;
        if (got < 0 && errno != EINTR && errno != EAGAIN)
            return weir_file_error(file->path, errno);
        done += got > 0 ? (size_t)got : 0;
    }
    *out_length = done;
    return WEIR_OK;
}

weir_status weir_rfile_read(weir_rfile *file, uint64_t offset, void *out, size_t length)
{
    size_t got = 0;
    WEIR_TRY(weir_rfile_read_some(file, offset, out, length, &got));
    if (got < length)
        return weir_error(WEIR_OUT_OF_RANGE, "%s: read less bytes than requested (%zu of %zu)",
                          file->path, got, length);
    return WEIR_OK;
}

/* ---- writing --------------------------------------------------------------------------------- */

enum {
    WRITE_ROOM = 1 << 16,
    START_BYTES = 8 << 20, /* write-back starts after so much, during the writing */
};

struct weir_wfile {
    char *path; /* the final path */
    char *temp; /* temporary path until the commit; null when appending */
    int fd;
    off_t written, started; /* bytes written, and those whose write-back was started */
    size_t used;
    char room[WRITE_ROOM];
};

/* An unpredictable name. */
static char *temp_name(const char *path)
{
    uint64_t number = 0;
    weir_buf name = {0};
    while (getrandom(&number, sizeof number, 0) != sizeof number)
        ; /* interrupted */
    weir_buf_addf(&name, "%s.tempstate%016" PRIx64, path, number);
    return weir_buf_take(&name);
}

/* The existing file, its target if |path| is a link; null: none. */
static char *existing(const char *path, struct stat *out_stat)
{
    char name[64], real[PATH_MAX];
    int fd = weir_root_open(path, O_PATH, 0);
    ssize_t length = -1;
    if (fd >= 0 && fstat(fd, out_stat) == 0) {
        snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
        length = readlink(name, real, sizeof real);
    }
    if (fd >= 0)
        close(fd);
    return length > 0 && length < (ssize_t)sizeof real && *real == '/'
               ? weir_strndup(real, (size_t)length)
               : NULL;
}

static weir_status open_for_write(char *path, char *temp, int flags, weir_wfile **out_file)
{
    int fd = weir_root_open(temp ? temp : path, flags | O_WRONLY, 0666);
    if (fd < 0) {
        weir_status status = weir_file_error(path, errno);
        weir_free(temp);
        weir_free(path);
        return status;
    }
    weir_wfile *file = WEIR_NEW(weir_wfile);
    file->path = path;
    file->temp = temp;
    file->fd = fd;
    *out_file = file;
    return WEIR_OK;
}

/* A replaced file keeps its mode, and a symbolic link to it stays a link. Anything but a regular
 * file (a device, a pipe) is written to directly. */
weir_status weir_wfile_create(const char *path, weir_wfile **out_file)
{
    struct stat st;
    char *place = existing(weir_path_local(path), &st);
    bool replaces = place != NULL;
    if (replaces && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
        return open_for_write(place, NULL, O_NONBLOCK, out_file);
    if (!replaces)
        place = weir_strdup(weir_path_local(path));
    WEIR_TRY(open_for_write(place, temp_name(place), O_CREAT | O_EXCL | O_NOFOLLOW, out_file));
    if (replaces && S_ISREG(st.st_mode) && fchmod((*out_file)->fd, st.st_mode & 07777) != 0)
        errno = 0; /* then it has the default mode */
    return WEIR_OK;
}

weir_status weir_wfile_append(const char *path, weir_wfile **out_file)
{
    return open_for_write(weir_strdup(weir_path_local(path)), NULL, O_APPEND | O_CREAT | O_NONBLOCK,
                          out_file);
}

/* A closed reader or the file size limit is an error, not a signal. */
static ssize_t write_some(int fd, const char *bytes, size_t length)
{
    weir_quiet quiet;
    weir_quiet_begin(&quiet);
    ssize_t sent = write(fd, bytes, length);
    weir_quiet_end(&quiet);
    return sent;
}

static weir_status write_fully(weir_wfile *file, const char *bytes, size_t length)
{
    while (length) {
        ssize_t sent = write_some(file->fd, bytes, length);
        if (sent < 0 && errno != EINTR)
            return weir_file_error(file->path, errno);
        bytes += sent > 0 ? sent : 0;
        length -= sent > 0 ? (size_t)sent : 0;
        file->written += sent > 0 ? sent : 0;
    }
    if (file->temp && file->written - file->started >= START_BYTES) {
        sync_file_range(file->fd, file->started, file->written - file->started,
                        SYNC_FILE_RANGE_WRITE);
        file->started = file->written; /* a hint: file systems without it write at the end */
    }
    return WEIR_OK;
}

weir_status weir_wfile_flush(weir_wfile *file)
{
    size_t used = file->used;
    file->used = 0;
    return write_fully(file, file->room, used);
}

weir_status weir_wfile_write(weir_wfile *file, const void *bytes, size_t length)
{
    if (length > WRITE_ROOM - file->used)
        WEIR_TRY(weir_wfile_flush(file));
    if (length >= WRITE_ROOM)
        return write_fully(file, bytes, length);
    if (length)
        memcpy(file->room + file->used, bytes, length);
    file->used += length;
    return WEIR_OK;
}

static weir_status settle(weir_wfile *file)
{
    WEIR_TRY(weir_wfile_flush(file));
    if (fsync(file->fd) < 0 && errno != EINVAL)
        return weir_file_error(file->path, errno);
    if (!file->temp)
        return WEIR_OK;
    if (weir_root_rename(file->temp, file->path) < 0)
        return weir_file_error(file->path, errno);
    weir_free(file->temp);
    file->temp = NULL;
    return weir_path_sync(file->path);
}

weir_status weir_wfile_commit(weir_wfile *file)
{
    weir_status status = settle(file);
    weir_wfile_destroy(file);
    return status;
}

void weir_wfile_destroy(weir_wfile *file)
{
    if (!file)
        return;
    if (file->temp)
        weir_root_unlink(file->temp, 0);
    else
        weir_status_free(weir_wfile_flush(file));
    close(file->fd);
    weir_free(file->path);
    weir_free(file->temp);
    weir_free(file);
}

/* ---- whole files ----------------------------------------------------------------------------- */

weir_status weir_file_read_all(const char *path, size_t most, weir_buf *out_bytes)
{
    WEIR_OWNED(weir_rfile) file = NULL;
    WEIR_TRY(weir_rfile_open(path, &file));
    if (file->bytes > most)
        return weir_error(WEIR_RESOURCE_EXHAUSTED, "%s: %llu bytes are more than the limit of %zu",
                          path, (unsigned long long)file->bytes, most);
    /* Files in /proc and pipes report size 0: read until the end. */
    size_t chunk = file->bytes ? (size_t)file->bytes : 1 << 16, got = 0;
    WEIR_BUF(bytes);
    do {
        WEIR_TRY(weir_room_grow(&bytes, chunk, path));
        WEIR_TRY(weir_deadline_check());
        weir_buf_reserve(&bytes, chunk);
        WEIR_TRY(weir_rfile_read_some(file, bytes.length, bytes.at + bytes.length, chunk, &got));
        bytes.length += got;
    } while (file->bytes == 0 && got && bytes.length <= most);
    bytes.at[bytes.length] = 0;
    *out_bytes = bytes;
    bytes = (weir_buf){0};
    return WEIR_OK;
}

weir_status weir_file_write_all(const char *path, const void *bytes, size_t length)
{
    WEIR_OWNED(weir_wfile) file = NULL;
    WEIR_TRY(weir_wfile_create(path, &file));
    WEIR_TRY(weir_wfile_write(file, bytes, length));
    return weir_wfile_commit(WEIR_TAKE(file));
}

weir_status weir_file_create(const char *path, const void *bytes, size_t length)
{
    WEIR_OWNED(weir_wfile) file = NULL;
    WEIR_TRY(open_for_write(weir_strdup(weir_path_local(path)), NULL, O_CREAT | O_EXCL | O_NOFOLLOW,
                            &file));
    WEIR_TRY(weir_wfile_write(file, bytes, length));
    return weir_wfile_flush(file);
}
