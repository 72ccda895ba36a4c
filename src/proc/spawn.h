/* proc/spawn.h - children whose output is read line by line. */
#ifndef WEIR_PROC_SPAWN_H
#define WEIR_PROC_SPAWN_H

#include "proc/lines.h"

/* Forks a child in a process group of its own, with |in| as its standard input and its
 * outputs piped to |out| and |err|. Returns 0 in the child, which then executes another
 * program, and -1 when out of processes or descriptors. The child gets SIGTERM when this
 * process exits. */
pid_t run_spawn(run_loop *loop, int in, run_lines *out, run_lines *err);

const char *run_binary(void); /* this program's own path */

#endif
