/* lab/bench/command.c - weir bench: step times on this machine, and reproduction of experiments. */
#include <stdio.h>
#include <stdlib.h>

#include "base/env.h"
#include "command/command.h"
#include "command/output.h"
#include "command/precision.h"
#include "lab/bench/allreduce.h"
#include "lab/bench/experiment.h"
#include "lab/bench/input.h"
#include "lab/bench/peer.h"
#include "lab/bench/steps.h"
#include "lab/bench/task.h"
#include "lab/bench/wire.h"

/* ---- weir bench experiment ------------------------------------------------------------------- */

typedef struct experiment_args {
    bool list, quick, tiny, plain, no_tensorflow;
    const char *out, *data, *transports, *tensorflow;
    double mbit, delay;
    long steps;
    int format;
} experiment_args;

static int list_experiments(int format)
{
    weir_output *output = weir_output_begin(format);
    weir_output_table(output, NULL);
    for (int i = 0; i < experiment_count(); i++) {
        weir_output_row(output);
        weir_output_text(output, "name", experiment_at(i)->name);
        weir_output_text(output, "what", experiment_at(i)->title);
    }
    weir_output_end(output);
    return WEIR_EXIT_OK;
}

static int unknown(const char *name)
{
    const char *names[32];
    for (int i = 0; i < experiment_count(); i++)
        names[i] = experiment_at(i)->name;
    const char *meant = weir_cli_nearest(name, names, (size_t)experiment_count());
    return weir_cli_misuse("bench experiment", "there is no experiment '%s'; %s%s%s", name,
                           meant ? "did you mean '" : "--list names them", meant ? meant : "",
                           meant ? "'?" : "");
}

/* The command line that would repeat this run. */
static char *command_line(const experiment_args *args, const char *name)
{
    weir_buf buf = {0};
    weir_buf_addf(&buf, "weir bench experiment %s%s%s%s", name, args->tiny ? " --tiny" : "",
                  args->quick ? " --quick" : "", args->plain ? " --plain" : "");
    if (args->data)
        weir_buf_addf(&buf, " --data %s", args->data);
    if (args->steps)
        weir_buf_addf(&buf, " --steps %ld", args->steps);
    if (args->mbit > 0)
        weir_buf_addf(&buf, " --mbit %g", args->mbit);
    if (args->delay > 0)
        weir_buf_addf(&buf, " --delay %g", args->delay);
    if (args->transports)
        weir_buf_addf(&buf, " --transports %s", args->transports);
    if (args->tensorflow)
        weir_buf_addf(&buf, " --tensorflow %s", args->tensorflow);
    if (args->no_tensorflow)
        weir_buf_adds(&buf, " --no-tensorflow");
    return weir_buf_take(&buf);
}

/* Decides whether to run TensorFlow, too: if requested, or if installed. */
static int find_tensorflow(const experiment_args *args, experiment_options *options)
{
    const char *python = weir_env_get()->python ? weir_env_get()->python : "python3";
    const char *asked = args->tensorflow ? args->tensorflow : python;
    if (args->no_tensorflow || (args->tiny && !args->tensorflow))
        return WEIR_EXIT_OK;
    if (bench_tensorflow_find(asked, options->tensorflow_version))
        options->tensorflow = asked;
    else if (args->tensorflow)
        return weir_cli_fail(
            "Name an interpreter that imports tensorflow, or leave the option out.",
            "--tensorflow: %s has no TensorFlow", args->tensorflow);
    return WEIR_EXIT_OK;
}

/* In table format the path is the last line; other formats contain only data. */
static void say_where(int format, const char *folder)
{
    fflush(stdout);
    fprintf(format == WEIR_OUTPUT_TABLE ? stdout : stderr, "%s/report.html\n", folder);
    fflush(stdout);
}

static int fail(const experiment_options *options, weir_status status)
{
    int interrupted = options->field.interrupted;
    int failed = weir_cli_fail_status(interrupted ? "Its report was not written." : NULL, status);
    return interrupted ? 128 + interrupted : failed;
}

/* Runs one experiment and prints the path of its report. |io_printed| counts the reports printed so
 * far, of |count|: several form one JSON array. */
static int run_one(const experiment_args *args, const experiment *experiment, const char *folder,
                   int count, int *io_printed)
{
    experiment_options options = {
        .scale = args->tiny    ? SCALE_TINY
                 : args->quick ? SCALE_QUICK
                               : SCALE_FULL,
        .data = args->data,
        .transports = args->transports,
        .steps = args->steps,
        .format = args->format,
        .before = args->format != WEIR_OUTPUT_JSON || count == 1 ? ""
                  : *io_printed                                  ? ","
                                                                 : "[",
        .field = {.plain = args->plain, .link = {args->mbit, args->delay}}};
    WEIR_FREED char *command = command_line(args, experiment->name);
    int found = find_tensorflow(args, &options);
    if (found != WEIR_EXIT_OK)
        return found;
    weir_status status = experiment_do(experiment, &options, command, folder);
    *io_printed += options.printed;
    if (status)
        return fail(&options, status);
    say_where(args->format, folder);
    if (options.field.refused)
        fprintf(stderr, "weir: machines were not simulated: %s\n", options.field.why);
    return WEIR_EXIT_OK;
}

/* --out is the folder of a single experiment; several get a folder each in it. */
static char *folder_of(const experiment_args *args, const experiment *experiment, bool several)
{
    weir_buf path = {0};
    if (args->out && !several)
        weir_buf_adds(&path, args->out);
    else if (args->out)
        weir_buf_addf(&path, "%s/%s", args->out, experiment->name);
    else
        weir_buf_addf(&path, "bench-%s", experiment->name);
    return weir_buf_take(&path);
}

static int run_experiments(void *args, int argc, char **argv)
{
    const experiment_args *experiment_args = args;
    const experiment *chosen[64];
    int count = 0, printed = 0, status = WEIR_EXIT_OK;
    if (experiment_args->list)
        return list_experiments(experiment_args->format);
    if (!argc)
        return weir_cli_misuse("bench experiment", "which one? --list names them");
    bool all = argc == 1 && strcmp(argv[0], "all") == 0;
    for (int i = 0; i < (all ? experiment_count() : argc) && count < 64; i++) {
        chosen[count] = all ? experiment_at(i) : experiment_find(argv[i]);
        if (!chosen[count++])
            return unknown(argv[i]);
    }
    for (int i = 0; i < count && status == WEIR_EXIT_OK; i++) { /* first check all */
        WEIR_FREED char *folder = folder_of(experiment_args, chosen[i], count > 1);
        status = weir_cli_check_folder("--out", folder);
    }
    if (status != WEIR_EXIT_OK)
        return status;
    for (int i = 0; i < count && status == WEIR_EXIT_OK; i++) {
        WEIR_FREED char *folder = folder_of(experiment_args, chosen[i], count > 1);
        status = run_one(experiment_args, chosen[i], folder, count, &printed);
    }
    if (count > 1 && experiment_args->format == WEIR_OUTPUT_JSON)
        printf("%s]\n", printed ? "" : "["); /* also after a failure */
    return status;
}

static const weir_option experiment_options_table[] = {
#define AT(kind, field) WEIR_##kind(experiment_args, field)
    {"list", 'l', NULL, "list the experiments", AT(FLAG, list)},
    {"quick", 'q', NULL, "run a smaller, shorter version: about a minute on two processors",
     AT(FLAG, quick)},
    {"tiny", 0, NULL, "seconds, for tests", AT(FLAG, tiny), .hidden = true},
    {"out", 0, "DIR", "folder for the report (bench-NAME); for several: DIR/NAME", AT(TEXT, out),
     .hint = WEIR_HINT_FOLDER},
    {"data", 'd', "DIR", "training data (logreg, cnn: Fashion-MNIST if installed; else synthetic)",
     AT(TEXT, data), .hint = WEIR_HINT_FOLDER},
    {"steps", 's', "N", "global steps of every run, instead of the experiment's",
     AT(NUMBER, steps)},
    {"plain", 0, NULL, "do not simulate machines", AT(FLAG, plain)},
    {"mbit", 0, "N",
     "outgoing megabits per second of each simulated machine (1000; alexnet, logreg: 10000)",
     AT(REAL, mbit)},
    {"delay", 0, "MS", "outgoing delay of each simulated machine", AT(REAL, delay)},
    {"transports", 0, "LIST", "transports of tasks, unless the experiment sets them: shm,ucx,grpc",
     AT(TEXT, transports)},
    {"tensorflow", 0, "PYTHON",
     "repeat runs on this interpreter's TensorFlow (default: WEIR_PYTHON's or python3's, if any)",
     AT(TEXT, tensorflow), .hint = WEIR_HINT_FILE},
    {"no-tensorflow", 0, NULL, "run them on Weir only", AT(FLAG, no_tensorflow)},
    {"roads", 0, "LIST", "the old name of --transports", AT(TEXT, transports), .hidden = true},
    WEIR_OUTPUT_OPTION(experiment_args, format),
#undef AT
};

static const weir_command command_experiment = {
    .name = "experiment",
    .summary = "reproduce published experiments",
    .words = "[NAME...]",
    .about =
        "Runs experiments published for distributed TensorFlow, or 'all' of them, and writes a "
        "report for each: report.html with plots and tables beside the published figures, and "
        "the same data as CSV and JSON. Every task is a process, whose resource use is sampled "
        "ten times a second. Layouts with several machines are simulated (network namespaces, a "
        "rate set by tc, separate processors), which needs root and iproute2; otherwise all "
        "tasks are plain processes, and the report says so. If TensorFlow is installed, it runs "
        "selected layouts on the same machines, with columns beside Weir's.\n\n"
        "  weir bench experiment --list\n"
        "  weir bench experiment cnn --quick --out report  # takes minutes",
    WEIR_OPTIONS(experiment_options_table),
    WEIR_ARGS(experiment_args),
    .run = run_experiments,
};

/* ---- weir bench ------------------------------------------------------------------------------ */

static const weir_option options[] = {
#define AT(kind, field) WEIR_##kind(bench_args, field)
    {"list", 'l', NULL, "list the workloads", AT(FLAG, list)},
    {"peer", 'p', "NAME=FILE", "also measure this library or program; repeatable", AT(LIST, peers),
     .hint = WEIR_HINT_FILE},
    {"threads", 'j', "N,...", "thread counts, one run for each (all processors)",
     AT(TEXT, threads)},
    {"device", 0, "DRIVER",
     "measure Weir on devices (gpu, cuda, opencl), with the data on the device", AT(TEXT, device)},
    {"fed", 0, NULL, "with --device, feed the data from the host in every step", AT(FLAG, fed)},
    {"precision", 0, "TYPE", WEIR_PRECISION_HELP,
     WEIR_CHOICE(bench_args, precision, WEIR_PRECISIONS)},
    {"seconds", 's', "S", "measuring time for each workload and peer", AT(REAL, seconds)},
    {"batch", 'b', "N", "batch size of built-in models", AT(NUMBER, batch)},
    {"graphs", 'g', "DIR", "measure the graphs of this folder instead of built-in models",
     AT(TEXT, graphs), .hint = WEIR_HINT_FOLDER},
    {"export", 0, "DIR", "write the models as such graphs and exit", AT(TEXT, export_to),
     .hint = WEIR_HINT_FOLDER},
    {"save", 0, "FILE", "save the times as a baseline", AT(TEXT, save), .hint = WEIR_HINT_FILE},
    {"baseline", 0, "FILE", "compare with saved times", AT(TEXT, baseline), .hint = WEIR_HINT_FILE},
    {"out", 0, "DIR", "also write a report to this folder", AT(TEXT, out),
     .hint = WEIR_HINT_FOLDER},
    WEIR_OUTPUT_OPTION(bench_args, format),
#undef AT
};

static const weir_command *const subs[] = {&command_experiment,
                                           &bench_command_input,
                                           &bench_command_allreduce,
                                           &bench_command_wire,
                                           &bench_command_task,
                                           &bench_command_peer,
                                           NULL};

const weir_command weir_command_bench = {
    .name = "bench",
    .summary = "benchmark steps, or reproduce published experiments",
    .words = "[WORKLOAD...]",
    .hint = WEIR_HINT_MODEL,
    .about =
        "Measures training steps of built-in models or of graphs, on Weir and on peers, in "
        "alternating rounds of separate processes: the median step time and its quartiles, "
        "examples per second, the shares of this machine's measured peak arithmetic and memory "
        "rates, peak memory; on a device also the time by kind of kernel.\n\n"
        "A peer is a library with TensorFlow's C API (its name contains .so), which runs the "
        "same graphs, or a program that is called with --only WORKLOAD --seconds S and prints "
        "the milliseconds per step ('12.3 ms'); a .py file is run by WEIR_PYTHON or python3.\n\n"
        "  weir bench --list\n"
        "  weir bench logreg --seconds 0.2 --threads 1,2 --save before.json\n"
        "  weir bench logreg --seconds 0.2 --threads 1,2 --baseline before.json\n"
        "  weir bench --peer tensorflow=libtensorflow.so.2  # needs TensorFlow's library\n"
        "  weir bench logreg --device cpu --seconds 0.2",
    WEIR_OPTIONS(options),
    WEIR_ARGS(bench_args, .seconds = 3),
    .subs = subs,
    .run = bench_steps,
};
