/* io/file.h - files and folders, with statuses in place of errno.
 *
 * Paths are local, with or without a leading "file://". A failed system call results in
 * TensorFlow's status code for its errno and the message "<path>; <text of errno>". Functions and
 * weir_rfile are thread-safe; a weir_wfile is for one thread.
 */
#ifndef WEIR_IO_FILE_H
#define WEIR_IO_FILE_H

#include "base/mem.h"
#include "base/str.h"

/* "PATH: " before the message, unless that names the file already. */
WEIR_CHECKED weir_status weir_file_note(weir_status status, const char *path);
/* An error for errno |err| of an operation on |path|. */
WEIR_CHECKED weir_status weir_file_error(const char *path, int err);
/* Turns a parser's error about a file's contents into DATA_LOSS; passes success through. */
WEIR_CHECKED weir_status weir_file_damaged(weir_status status);

/* An open file that is read at given offsets. */
typedef struct weir_rfile weir_rfile;
WEIR_CHECKED weir_status weir_rfile_open(const char *path, weir_rfile **out_file);
void weir_rfile_destroy(weir_rfile *file); /* takes null */
WEIR_OWNABLE(weir_rfile);
uint64_t weir_rfile_bytes(const weir_rfile *file); /* its size when it was opened */
const char *weir_rfile_path(const weir_rfile *file);
/* Reads exactly |length| bytes; OUT_OF_RANGE when the file is shorter. */
WEIR_CHECKED weir_status weir_rfile_read(weir_rfile *file, uint64_t offset, void *out,
                                         size_t length);
/* Reads up to |length| bytes; *out_length is 0 at the end of the file. */
WEIR_CHECKED weir_status weir_rfile_read_some(weir_rfile *file, uint64_t offset, void *out,
                                              size_t length, size_t *out_length);

/* A file written under a temporary name: it becomes visible with the commit. */
typedef struct weir_wfile weir_wfile;
WEIR_CHECKED weir_status weir_wfile_create(const char *path, weir_wfile **out_file);
/* Opens |path| itself for appending (created when absent): for logs that are read as they grow. */
WEIR_CHECKED weir_status weir_wfile_append(const char *path, weir_wfile **out_file);
WEIR_CHECKED weir_status weir_wfile_write(weir_wfile *file, const void *bytes, size_t length);
WEIR_CHECKED weir_status weir_wfile_flush(weir_wfile *file); /* to the system, not to the disk */
/* Syncs to disk, then renames durably. The file is closed whatever the outcome. */
WEIR_CHECKED weir_status weir_wfile_commit(weir_wfile *file);
void weir_wfile_destroy(weir_wfile *file); /* discards an uncommitted file; takes null */
WEIR_OWNABLE(weir_wfile);

/* The whole file, at most |most| bytes of it (RESOURCE_EXHAUSTED when it is larger). */
WEIR_CHECKED weir_status weir_file_read_all(const char *path, size_t most, weir_buf *out_bytes);
/* Replaces the file atomically: readers see the old bytes or the new ones. */
WEIR_CHECKED weir_status weir_file_write_all(const char *path, const void *bytes, size_t length);
/* Makes a small file that must not be there yet: of several processes only one succeeds. */
WEIR_CHECKED weir_status weir_file_create(const char *path, const void *bytes, size_t length);

bool weir_path_exists(const char *path);
bool weir_path_is_dir(const char *path);
WEIR_CHECKED weir_status weir_path_rename(const char *from, const char *to); /* replaces |to| */
/* Makes renames and new files in the folder of |path| durable (fsync). */
WEIR_CHECKED weir_status weir_path_sync(const char *path);
WEIR_CHECKED weir_status weir_path_delete(const char *path);    /* a file */
WEIR_CHECKED weir_status weir_dir_delete(const char *path);     /* an empty folder */
WEIR_CHECKED weir_status weir_dir_create(const char *path);     /* may exist */
WEIR_CHECKED weir_status weir_dir_create_all(const char *path); /* parents too; may exist */
WEIR_CHECKED weir_status weir_dir_delete_all(const char *path); /* with everything inside */
/* The part before the last '/', "" when there is none. */
weir_str weir_path_dir(const char *path);

/* Owned, terminated strings. */
typedef WEIR_VEC(char *) weir_paths;
void weir_paths_fini(weir_paths *paths);
WEIR_CHECKED weir_status weir_dir_list(const char *path, weir_paths *out_names); /* sorted */
/* Adds every path that matches |pattern| (?, *, [a-z], \x; none matches '/'), sorted. An unreadable
 * folder matches nothing. */
WEIR_CHECKED weir_status weir_glob(const char *pattern, weir_paths *out_paths);

#endif
