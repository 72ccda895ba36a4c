/* launch/ssh.h - a cluster on remote hosts, each task run by an agent over ssh. */
#ifndef WEIR_LAUNCH_SSH_H
#define WEIR_LAUNCH_SSH_H

#include "launch/plan.h"

int run_hosts(const run_options *options, const run_places *places); /* returns the exit status */

#endif
