/* cli/watch/signals.h - SIGUSR1 prints what steps wait for, SIGUSR2 traces the next ten steps. */
#ifndef WEIR_CLI_WATCH_SIGNALS_H
#define WEIR_CLI_WATCH_SIGNALS_H

/* To be called before any thread starts: they inherit that both signals are blocked. */
void watch_signals_block(void);
void watch_signals_start(void); /* a thread of its own takes them from now on */

#endif
