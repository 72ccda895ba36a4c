/* cli/inspect/pipe.h - reads a pipe to its end, so that its contents can be read like a file. */
#ifndef WEIR_CLI_INSPECT_PIPE_H
#define WEIR_CLI_INSPECT_PIPE_H

#include "base/status.h"

/* Whether |path| is read in sequence only: a pipe ("<(command)", /dev/stdin), socket or device. */
bool inspect_is_pipe(const char *path);
/* Reads it until its writers close it; *out_fd, which the caller closes, has its contents. */
WEIR_CHECKED weir_status inspect_pipe_read(const char *path, int *out_fd);

#endif
