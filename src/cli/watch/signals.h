/* cli/watch/signals.h - what SIGUSR1 and SIGUSR2 ask of a server. */
#ifndef WEIR_CLI_WATCH_SIGNALS_H
#define WEIR_CLI_WATCH_SIGNALS_H

void watch_print_waits(void); /* prints what steps in flight wait for to standard error */
/* Traces the next ten steps into weir-trace-PID.json; returns at once. */
void watch_trace_steps(void);

#endif
