/* cli/server_signals.h - signal handling of a running server. */
#ifndef WEIR_CLI_SERVER_SIGNALS_H
#define WEIR_CLI_SERVER_SIGNALS_H

#include <stdbool.h>

#include "base/status.h"

/* Blocks all handled signals in this thread and those it starts, and opens a
 * signalfd for them. Call before the server listens: connections may use up the
 * descriptors. */
WEIR_CHECKED weir_status weir_server_signals_open(int *out_fd);
/* Handles |signal_number|. False: the server should exit. */
bool weir_server_signal(int signal_number);

#endif
