/* net/channel_process.h - the suite's server in a process of its own, for tests that kill it.
 *
 * A test's main calls be_server when its arguments are "--serve" and a descriptor.
 */
#ifndef WEIR_NET_CHANNEL_PROCESS_H
#define WEIR_NET_CHANNEL_PROCESS_H

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "net/channel_suite.h"

/* Starts this program as a server: it prints its port and serves until it is killed. */
static pid_t start_server(int *out_port)
{
    int ends[2];
    char fd[16];
    if (pipe(ends) != 0)
        return -1;
    snprintf(fd, sizeof fd, "%d", ends[1]);
    pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* a failing test leaves no server behind */
        execl("/proc/self/exe", "server", "--serve", fd, NULL);
        _exit(127);
    }
    close(ends[1]);
    CHECK_EQ(read(ends[0], out_port, sizeof *out_port), sizeof *out_port);
    close(ends[0]);
    return pid;
}

static int be_server(int fd)
{
    weir_rpc_server *server = serve(0);
    int port = weir_rpc_port(server);
    if (write(fd, &port, sizeof port) != sizeof port)
        return 1;
    close(fd);
    pause();
    return 0;
}

#endif
