/* io/root.h - which files this process may touch for its clients.
 *
 * Every function of file.h goes through those below. Unconfined, they are the system calls of their
 * names. Confined, a path is opened beneath one folder by openat2, so that neither ".." nor a
 * symbolic link, also one that is changed meanwhile, leads out of it: relative paths begin there,
 * absolute ones must name something in it. They return -1 and set errno: EACCES outside, EROFS
 * where nothing may be changed.
 */
#ifndef WEIR_IO_ROOT_H
#define WEIR_IO_ROOT_H

#include <sys/stat.h>

#include "base/str.h"

/* "DIR" or "DIR:ro". Of the process, before its first server. */
WEIR_CHECKED weir_status weir_root_confine(const char *root);
void weir_root_forbid(void); /* no file at all */

int weir_root_open(const char *path, int flags, mode_t mode); /* O_CLOEXEC is added */
int weir_root_stat(const char *path, struct stat *out);       /* follows links */
int weir_root_lstat(const char *path, struct stat *out);
int weir_root_mkdir(const char *path, mode_t mode);
int weir_root_rename(const char *from, const char *to);
int weir_root_unlink(const char *path, int flags); /* AT_REMOVEDIR: a folder */

#endif
