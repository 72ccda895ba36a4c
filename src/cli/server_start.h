/* cli/server_start.h - a server that gives up when its cluster does not come together. */
#ifndef WEIR_CLI_SERVER_START_H
#define WEIR_CLI_SERVER_START_H

#include "dist/server.h"

typedef struct start_watch start_watch;

/* Watches whether the other tasks answer within |timeout_ms|; *out_fd can be read when one does
 * not. 0: nothing is watched, *out_fd is -1. */
start_watch *start_watch_begin(weir_server *server, int64_t timeout_ms, int *out_fd);
/* Ends it; takes null. Returns who was missing, or OK. */
WEIR_CHECKED weir_status start_watch_end(start_watch *watch);

#endif
