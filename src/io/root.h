/* io/root.h - restricts the files that this process accesses for its clients.
 *
 * Every function of file.h uses the functions below. Unconfined, they are the system calls of the
 * same names. Confined, paths are resolved beneath one folder by openat2, so that neither ".." nor
 * a symbolic link (even one changed concurrently) escapes it: relative paths start there, absolute
 * ones must name a file in it. They return -1 and set errno: EACCES for outside, EROFS for changes
 * in a read-only root.
 */
#ifndef WEIR_IO_ROOT_H
#define WEIR_IO_ROOT_H

#include <sys/stat.h>

#include "base/str.h"

/* "DIR" or "DIR:ro". Per process, before its first server. */
WEIR_CHECKED weir_status weir_root_confine(const char *root);
void weir_root_forbid(void); /* no file access at all */

int weir_root_open(const char *path, int flags, mode_t mode); /* O_CLOEXEC is added */
int weir_root_stat(const char *path, struct stat *out);       /* follows links */
int weir_root_lstat(const char *path, struct stat *out);
int weir_root_mkdir(const char *path, mode_t mode);
int weir_root_rename(const char *from, const char *to);
int weir_root_unlink(const char *path, int flags); /* AT_REMOVEDIR: a folder */

#endif
