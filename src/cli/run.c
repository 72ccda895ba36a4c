/* cli/run.c - weir run: runs a TensorFlow program on a cluster that it starts. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/env.h"
#include "cli/numerics.h"
#include "cli/op_library.h"
#include "command/command.h"
#include "launch/plan.h"

typedef struct run_args {
    run_options o;
    int flags; /* of type run_flags */
    bool agent, check_numerics;
    const char *op_library;
} run_args;

/* The environment variable of the servers' --op-library. */
static const char OP_LIBRARY[] = "WEIR_SERVER_OP_LIBRARY";

/* Sets the servers' start-up time-out. */
static void pass_timeout(long seconds)
{
    char text[24];
    snprintf(text, sizeof text, "%ld", seconds);
    if (seconds)
        setenv("WEIR_SERVER_START_TIMEOUT", text, 1);
}

static int run(void *args, int argc, char **argv)
{
    run_args *run_args = args;
    if (run_args->agent)
        return run_agent();
    if (argc == 0)
        return weir_cli_misuse("run", "which program?");
    run_args->o.program.flags = (run_flags)run_args->flags;
    run_args->o.program.words = (const char *const *)argv;
    run_args->o.program.count = argc;
    pass_timeout(run_args->o.start_timeout);
    weir_cli_pass_ops(OP_LIBRARY, run_args->op_library);
    char *env = weir_cli_env_with_ops(run_args->o.env, OP_LIBRARY, run_args->op_library);
    WEIR_BUF(list); /* variables for other hosts */
    weir_buf_addf(&list, "%s", env);
    if (run_args->check_numerics)
        weir_buf_addf(&list, "%s%s", list.length ? "," : "", weir_cli_numerics_variable);
    weir_cli_check_numerics(run_args->check_numerics);
    run_args->o.env = list.length ? list.at : "";
    int status = run_command(&run_args->o);
    weir_free(env);
    return status;
}

static const weir_option options[] = {
    {"ps", 0, "N", "number of parameter servers (default: 1)", WEIR_INDEX(run_args, o.ps)},
    {"workers", 'n', "N", "number of workers (default: 1)", WEIR_NUMBER(run_args, o.workers)},
    {"jobs", 0, "SPEC", "number of tasks per job instead, e.g. ps=1,chief=1,worker=3",
     WEIR_TEXT(run_args, o.jobs)},
    {"layout", 0, "HOSTS", "which tasks share a host: PS-W-W, PW-W, PW-PW...; one part per host",
     WEIR_TEXT(run_args, o.layout)},
    {"hosts", 'H', "A:SLOTS,...", "hosts to run on, over ssh (default: this machine)",
     WEIR_TEXT(run_args, o.hosts)},
    {"ssh", 0, "COMMAND", "command to use instead of 'ssh -o BatchMode=yes'",
     WEIR_TEXT(run_args, o.ssh)},
    {"env", 'x', "N[=VALUE],...", "set these variables on the hosts too",
     WEIR_TEXT(run_args, o.env)},
    {"op-library", 0, "FILE[:FILE...]", WEIR_OP_LIBRARY_HELP, WEIR_TEXT(run_args, op_library),
     .hint = WEIR_HINT_FILE},
    {"check-numerics", 0, NULL, WEIR_CHECK_NUMERICS_HELP, WEIR_FLAG(run_args, check_numerics)},
    {"push", 0, NULL, "copy weir and the program to the hosts first", WEIR_FLAG(run_args, o.push)},
    {"python", 0, "PATH", "Python interpreter (default: WEIR_PYTHON, the program's #!, python3)",
     WEIR_TEXT(run_args, o.program.python), .hint = WEIR_HINT_FILE},
    {"flags", 0, NULL, "pass the usual cluster flags; auto: those that the program defines",
     WEIR_CHOICE(run_args, flags, "auto|yes|no")},
    {"tf1", 0, NULL,
     "make 'import tensorflow' import tensorflow.compat.v1, for TensorFlow 1.x programs",
     WEIR_FLAG(run_args, o.program.tf1)},
    {"logs", 0, "DIR", "write the output of each task to DIR/JOB-INDEX.log, with timestamps",
     WEIR_TEXT(run_args, o.logs), .hint = WEIR_HINT_FILE},
    {"no-ps-program", 0, NULL, "do not start the program on parameter servers",
     WEIR_FLAG(run_args, o.no_ps_program)},
    {"start-timeout", 0, "SECONDS",
     "exit with status 138 if a server is not ready within SECONDS; 0: no limit",
     WEIR_INDEX(run_args, o.start_timeout)},
    {"restarts", 0, "N", "restart each failed task up to N times",
     WEIR_INDEX(run_args, o.restarts)},
    {"dry-run", 0, NULL, "print what would be started", WEIR_FLAG(run_args, o.dry_run)},
    {"agent", 0, NULL, "run one task for a weir run elsewhere, told by standard input",
     WEIR_FLAG(run_args, agent), .hidden = true},
};

const weir_command weir_command_run = {
    .name = "run",
    .summary = "run a TensorFlow program as a cluster",
    .words = "PROGRAM [ARGUMENT...]",
    .about =
        "Runs an unmodified TensorFlow 1.x program as a cluster: starts a weir server and the "
        "program once per task, with TF_CONFIG set and, if the program defines them, "
        "--job_name, --task_index, --ps_hosts and --worker_hosts; tf.train.Server is the task's "
        "weir server. Each output line starts with its task's name. Parameter servers stop when "
        "the workers are done; the first failure stops all tasks, is shown last and determines "
        "the exit status.\n\n"
        "  weir run --ps 1 --workers 3 train.py --steps 1000  # needs a program of yours\n"
        "  weir run -H a:2,b:2 --ps 1 --workers 3 --push train.py  # needs several hosts\n"
        "  srun -N4 -n8 weir run train.py  # needs Slurm\n\n"
        "In a Slurm step each task of the step is a task of the cluster; if TF_CONFIG names a "
        "cluster and task, as in Kubernetes, that task is run. In the program's arguments "
        "{job}, {index}, {ps_hosts}, {worker_hosts} and {cluster} are replaced for each task.",
    WEIR_OPTIONS(options),
    WEIR_ARGS(run_args, .o = {.ps = -1, .workers = -1}),
    .hint = WEIR_HINT_FILE,
    .ends_at_word = true,
    .run = run,
};
