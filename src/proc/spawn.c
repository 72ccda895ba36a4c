/* proc/spawn.c - fork and exec. */
#include "proc/spawn.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

const char *run_binary(void)
{
    static char path[4096];
    if (!path[0] && readlink("/proc/self/exe", path, sizeof path - 1) < 0)
        snprintf(path, sizeof path, "weir");
    return path;
}

/* Children must not outlive a killed launcher. */
static void become(const run_loop *loop, pid_t parent, int in, int out, int err)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(1);
    dup2(in, 0);
    dup2(out, 1);
    dup2(err, 2);
    run_loop_leave(loop);
}

pid_t run_spawn(run_loop *loop, int in, run_lines *out, run_lines *err)
{
    int outs[2], errs[2];
    if (pipe2(outs, O_CLOEXEC) < 0)
        return -1;
    if (pipe2(errs, O_CLOEXEC) < 0) {
        close(outs[0]);
        close(outs[1]);
        return -1;
    }
    pid_t parent = getpid(), pid = fork();
    if (pid == 0) {
        become(loop, parent, in, outs[1], errs[1]);
        return 0;
    }
    if (pid > 0)
        setpgid(pid, pid); /* in parent and child, whichever is first */
    close(outs[1]);
    close(errs[1]);
    run_lines_open(out, loop, outs[0]);
    run_lines_open(err, loop, errs[0]);
    return pid;
}
