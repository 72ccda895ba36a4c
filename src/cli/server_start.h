/* cli/server_start.h - start-up time-out of a server whose cluster is incomplete. */
#ifndef WEIR_CLI_SERVER_START_H
#define WEIR_CLI_SERVER_START_H

#include "dist/server.h"

typedef struct start_watch start_watch;

/* Watches whether the other tasks respond within |timeout_ms|; *out_fd becomes readable if one does
 * not. 0: no watch, *out_fd is -1. */
start_watch *start_watch_begin(weir_server *server, int64_t timeout_ms, int *out_fd);
/* Stops watching; takes null. Returns the missing tasks, or OK. */
WEIR_CHECKED weir_status start_watch_end(start_watch *watch);

#endif
