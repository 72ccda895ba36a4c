/* cli/server_signals.h - what signals ask of a running server. */
#ifndef WEIR_CLI_SERVER_SIGNALS_H
#define WEIR_CLI_SERVER_SIGNALS_H

#include <stdbool.h>

#include "base/status.h"

/* Blocks every signal that a server answers, in this thread and those that it starts, and opens a
 * signalfd that tells of them. To be called before the server listens: connections may take every
 * descriptor that is left. */
WEIR_CHECKED weir_status weir_server_signals_open(int *out_fd);
/* Does what |signal_number| asks for. False: it asks the server to end. */
bool weir_server_signal(int signal_number);

#endif
