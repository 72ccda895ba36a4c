/* cli/train/lock.c - ensures one training per folder at a time.
 *
 * It is a kernel lock on a file in the folder, so that it is released however the process ends; the
 * file names the owner.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "cli/train/train.h"
#include "io/file.h"

static weir_status in_use(const char *dir, int fd)
{
    char owner[256] = "";
    ssize_t length = pread(fd, owner, sizeof owner - 1, 0);
    owner[length > 0 ? length : 0] = 0;
    owner[strcspn(owner, "\n")] = 0;
    return weir_error(WEIR_FAILED_PRECONDITION, "another training writes to %s: %s", dir,
                      *owner ? owner : "a process that has not said its name yet");
}

static void sign(int fd)
{
    char host[128] = "", when[32] = "";
    time_t now = time(NULL);
    struct tm local;
    gethostname(host, sizeof host - 1);
    strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", localtime_r(&now, &local));
    if (ftruncate(fd, 0) == 0)
        dprintf(fd, "process %d on %s since %s\n", (int)getpid(), host, when);
}

weir_status train_lock(const char *dir, int *out_lock)
{
    WEIR_BUF(path);
    weir_buf_addf(&path, "%s/.weir.lock", dir);
    *out_lock = -1;
    WEIR_TRY(weir_dir_create_all(dir));
    int fd = open(path.at, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (fd < 0)
        return weir_error(WEIR_PERMISSION_DENIED, "%s: %s", path.at, strerror(errno));
    if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        weir_status status = in_use(dir, fd);
        close(fd);
        return status;
    }
    sign(fd);
    *out_lock = fd;
    return WEIR_OK;
}
