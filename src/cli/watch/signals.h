/* cli/watch/signals.h - a server's actions on SIGUSR1 and SIGUSR2. */
#ifndef WEIR_CLI_WATCH_SIGNALS_H
#define WEIR_CLI_WATCH_SIGNALS_H

void watch_print_waits(void); /* prints the waits of running steps to standard error */
/* Traces the next ten steps into weir-trace-PID.json; returns at once. */
void watch_trace_steps(void);

#endif
