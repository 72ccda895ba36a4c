/* cli/server_signals.h - what signals ask of a running server. */
#ifndef WEIR_CLI_SERVER_SIGNALS_H
#define WEIR_CLI_SERVER_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/* Blocks every signal that a server answers, in this thread and those that it starts. */
void weir_server_signals_block(sigset_t *out_taken);
/* Does what |signal_number| asks for. False: it asks the server to end. */
bool weir_server_signal(int signal_number);

#endif
