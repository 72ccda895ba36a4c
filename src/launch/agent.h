/* launch/agent.h - runs one task for a remote launcher: the other side of peer.h. */
#ifndef WEIR_LAUNCH_AGENT_H
#define WEIR_LAUNCH_AGENT_H

#include "launch/local.h"

/* Runs the task by commands from |up| (taken over), and reports to |down|. Output is sent there too
 * if |forward|; else it is printed here, and only the last lines of a failure are sent. Returns the
 * program's exit status, 0 if it was stopped, 1 if the connection was lost. */
int run_agent_task(run_loop *loop, const run_local_options *options, int up, int down,
                   bool forward);

#endif
