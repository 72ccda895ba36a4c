/* cli/run.c - weir run: a TensorFlow program on a cluster that is made for it. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/env.h"
#include "cli/cli.h"
#include "cli/run/plan.h"

static const char about[] =
    "Runs a TensorFlow 1.x program as a cluster, with no line changed: starts a weir server for\n"
    "each task and the program once per task, with TF_CONFIG set and, where the program defines\n"
    "them, --job_name, --task_index, --ps_hosts and --worker_hosts; tf.train.Server is the task's\n"
    "weir server. Output is marked by task. Parameter servers end when the workers are done; the\n"
    "first failure ends all, is shown last and gives the exit status.\n"
    "\n"
    "  weir run --ps 1 --workers 3 train.py --steps 1000\n"
    "  weir run -H a:2,b:2 --ps 1 --workers 3 --push train.py\n"
    "  srun -N4 -n8 weir run train.py          (each task of the step is a task of the cluster)\n"
    "  weir run train.py                       (where TF_CONFIG names cluster and task)\n"
    "\n"
    "In the program's arguments {job}, {index}, {ps_hosts}, {worker_hosts} and {cluster} are\n"
    "filled in for each task.";

static bool read_flags(const char *text, run_flags *out)
{
    static const char *const names[] = {"auto", "yes", "no"};
    for (int i = 0; i < 3; i++)
        if (strcmp(text, names[i]) == 0) {
            *out = (run_flags)i;
            return true;
        }
    return false;
}

int weir_cli_run(int argc, char **argv)
{
    run_options o = {.ps = -1, .workers = -1};
    const char *flags = "auto";
    bool agent = false;
    const weir_option options[] = {
        {"ps", 0, "N", "parameter servers (default: 1)", .index = &o.ps},
        {"workers", 'n', "N", "workers (default: 1)", .number = &o.workers},
        {"jobs", 0, "SPEC", "tasks by job instead, e.g. ps=1,chief=1,worker=3", .text = &o.jobs},
        {"layout", 0, "HOSTS", "who runs together: PS-W-W, PW-W, PW-PW...; one part for each host",
         .text = &o.layout},
        {"hosts", 'H', "A:SLOTS,...", "run there, over ssh (default: this machine)",
         .text = &o.hosts},
        {"ssh", 0, "COMMAND", "instead of 'ssh -o BatchMode=yes'", .text = &o.ssh},
        {"env", 'x', "N[=VALUE],...", "set these variables there too", .text = &o.env},
        {"push", 0, NULL, "copy weir and the program to the hosts first", .flag = &o.push},
        {"python", 0, "PATH", "the interpreter (default: WEIR_PYTHON, the program's #!, python3)",
         .text = &o.program.python},
        {"flags", 0, "auto|yes|no", "add the usual flags (default: those the program defines)",
         .text = &flags},
        {"no-ps-program", 0, NULL, "parameter servers are servers alone, without the program",
         .flag = &o.no_ps_program},
        {"restarts", 0, "N", "start a failed task again, so often (default: 0)",
         .index = &o.restarts},
        {"dry-run", 0, NULL, "say what would be started", .flag = &o.dry_run},
        {"agent", 0, NULL, "run one task for a weir run elsewhere, told by standard input",
         .flag = &agent},
    };
    const weir_usage usage = {
        .command = "run",
        .about = about,
        .options = options,
        .option_count = sizeof options / sizeof *options,
        .takes_words = true,
        .words = " PROGRAM [ARGUMENT...]",
        .ends_at_word = true,
    };
    weir_parsed parsed = weir_cli_parse(&usage, &argc, argv);
    if (parsed != WEIR_PARSED)
        return parsed == WEIR_PARSED_HELP ? WEIR_EXIT_OK : WEIR_EXIT_USAGE;
    if (agent)
        return run_agent();
    if (argc == 0)
        return weir_cli_misuse("run", "which program?");
    if (!read_flags(flags, &o.program.flags))
        return weir_cli_misuse("run", "--flags is auto, yes or no, not '%s'", flags);
    o.program.words = (const char *const *)argv;
    o.program.count = argc;
    return run_command(&o);
}
