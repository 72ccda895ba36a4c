/* lab/bench/steps.c - selects workloads and peers, and runs their rounds. */
#include "lab/bench/steps.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/env.h"
#include "command/output.h"
#include "command/precision.h"
#include "command/progress.h"
#include "io/file.h"
#include "lab/bench/measure.h"
#include "lab/bench/workload.h"
#include "session/accelerators.h"

enum { ROUNDS = MEASURE_ROUNDS, MOST_PEERS = 8, MOST_THREADS = 8 };

typedef struct bench {
    const bench_args *a;
    char temporary[512]; /* a folder created for this run; "": none */
    const char *folder;  /* where the workloads are */
    weir_paths names;
    peer peers[MOST_PEERS];
    int peer_count;
    int threads[MOST_THREADS], thread_count;
    machine_peaks peaks;
    measurements all;
} bench;

static volatile sig_atomic_t interrupted;

static void note_signal(int number)
{
    interrupted = number;
}

/* The children receive Ctrl-C themselves; here it ends the wait for them. */
static void take_signals(void)
{
    struct sigaction act = {.sa_handler = note_signal};
    sigaction(SIGINT, &act, NULL);
    sigaction(SIGTERM, &act, NULL);
    sigaction(SIGHUP, &act, NULL);
    signal(SIGPIPE, SIG_IGN);
}

/* ---- selection ------------------------------------------------------------------------------- */

static weir_status read_threads(bench *bench)
{
    const char *at = bench->a->threads;
    char *end;
    if (!at) {
        bench->threads[bench->thread_count++] = weir_cpu_count();
        return WEIR_OK;
    }
    for (;; at = end + 1) {
        long n = strtol(at, &end, 10);
        if (end == at || n < 1 || n > 127 || bench->thread_count == MOST_THREADS ||
            (*end && *end != ','))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "--threads is up to %d numbers from 1 to 127, as '1,2', not '%s'",
                              MOST_THREADS, bench->a->threads);
        bench->threads[bench->thread_count++] = (int)n;
        if (!*end)
            return WEIR_OK;
    }
}

static weir_status read_peers(bench *bench)
{
    bench->peers[bench->peer_count++] =
        (peer){.kind = PEER_OWN, .name = "weir", .device = bench->a->device, .fed = bench->a->fed};
    for (int i = 0; i < bench->a->peers.count; i++) {
        if (bench->peer_count == MOST_PEERS)
            return weir_error(WEIR_INVALID_ARGUMENT, "more than %d peers", MOST_PEERS - 1);
        WEIR_TRY(peer_read(bench->a->peers.at[i], &bench->peers[bench->peer_count++]));
    }
    return WEIR_OK;
}

/* The jobs in a folder of graphs. */
static weir_status list_graphs(const char *folder, weir_paths *out)
{
    weir_paths files = {0};
    WEIR_TRY(weir_dir_list(folder, &files));
    for (size_t i = 0; i < files.count; i++) {
        size_t length = strlen(files.at[i]);
        if (length > 4 && strcmp(files.at[i] + length - 4, ".job") == 0)
            weir_vec_push(out, weir_strndup(files.at[i], length - 4));
    }
    weir_paths_fini(&files);
    return out->count ? WEIR_OK
                      : weir_error(WEIR_NOT_FOUND, "there are no *.job files in %s", folder);
}

/* Models that are fast enough to be measured by default. */
static bool usual(const char *name)
{
    static const char *const names[] = {"logreg",           "mnist_cnn", "autoencoder_small",
                                        "stn_small",        "lstm_full", "lstm_sampled",
                                        "autoencoder_large"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static weir_status unknown(const char *name)
{
    const char *names[128];
    int count = workload_model_count() < 128 ? workload_model_count() : 128;
    for (int i = 0; i < count; i++)
        names[i] = workload_model_at(i).name;
    const char *meant = weir_cli_nearest(name, names, (size_t)count);
    return weir_error(WEIR_NOT_FOUND, "there is no workload '%s'%s%s%s", name,
                      meant ? "; did you mean '" : "", meant ? meant : "", meant ? "'?" : "");
}

static weir_status check_names(const bench *bench, int argc, char **argv)
{
    for (int i = 0; !bench->a->graphs && i < argc; i++)
        if (!workload_is_model(argv[i]))
            return unknown(argv[i]);
    return WEIR_OK;
}

static weir_status choose(bench *bench, int argc, char **argv)
{
    if (bench->a->graphs && !argc)
        return list_graphs(bench->a->graphs, &bench->names);
    for (int i = 0; i < argc; i++)
        weir_vec_push(&bench->names, weir_strdup(argv[i]));
    for (int i = 0; !argc && i < workload_model_count(); i++)
        if (usual(workload_model_at(i).name))
            weir_vec_push(&bench->names, weir_strdup(workload_model_at(i).name));
    return WEIR_OK;
}

/* Writes built-in models as graphs that every peer can read. */
static weir_status write_models(bench *bench, const char *folder)
{
    for (size_t i = 0; i < bench->names.count; i++)
        WEIR_TRY(workload_write(folder, bench->names.at[i], bench->a->batch));
    return WEIR_OK;
}

static weir_status make_workloads(bench *bench)
{
    const char *tmp = weir_env_get()->tmpdir;
    bench->folder = bench->a->graphs;
    if (bench->folder)
        return WEIR_OK;
    snprintf(bench->temporary, sizeof bench->temporary, "%s/weir-bench-XXXXXX", tmp ? tmp : "/tmp");
    if (!mkdtemp(bench->temporary)) {
        bench->temporary[0] = 0;
        return weir_error(WEIR_UNKNOWN, "cannot make a folder in %s; TMPDIR names another place",
                          tmp ? tmp : "/tmp");
    }
    bench->folder = bench->temporary;
    return write_models(bench, bench->folder);
}

/* ---- rounds ---------------------------------------------------------------------------------- */

static void measure_all(bench *bench, const char *workload, int threads, peer_result *results)
{
    peer_process *processes[MOST_PEERS] = {0};
    double seconds = bench->a->seconds / ROUNDS;
    for (int i = 0; i < bench->peer_count; i++)
        if (bench->peers[i].kind != PEER_PROGRAM)
            processes[i] =
                peer_start(&bench->peers[i], bench->folder, workload, threads, &results[i]);
    for (int r = 0; r < ROUNDS && !interrupted; r++) /* interleaved: equal noise for all */
        for (int i = 0; i < bench->peer_count && !interrupted; i++) {
            if (processes[i] && !results[i].failure)
                peer_round(processes[i], seconds, &results[i]);
            weir_progress_add(1);
        }
    if (bench->a->device && processes[0] && !results[0].failure && !interrupted)
        peer_time_kernels(processes[0], &results[0]);
    for (int i = 0; i < bench->peer_count; i++)
        (interrupted ? peer_kill : peer_end)(processes[i]);
    for (int i = 0; i < bench->peer_count && !interrupted; i++)
        if (bench->peers[i].kind == PEER_PROGRAM)
            peer_run_program(&bench->peers[i], workload, threads, bench->a->seconds, &results[i]);
}

static void measure_workload(bench *bench, const char *workload, int peak_at)
{
    const bench_peak *peak = &bench->peaks.at[peak_at].peak;
    int threads = bench->threads[peak_at];
    peer_result results[MOST_PEERS] = {0};
    size_t first = bench->all.count;
    weir_progress_note("%s", workload);
    measure_all(bench, workload, threads, results);
    for (int i = 0; i < bench->peer_count; i++) {
        measurement result_row = {.threads = threads, .r = results[i]};
        snprintf(result_row.workload, sizeof result_row.workload, "%s", workload);
        snprintf(result_row.peer, sizeof result_row.peer, "%s", bench->peers[i].name);
        weir_vec_push(&bench->all, result_row);
        measurement *own = &bench->all.at[first];
        measurement_sum_up(&bench->all.at[bench->all.count - 1], peak, i ? own : NULL);
        own->times_first = 1;
        if (own->r.device_gflops > 0) {
            bench->peaks.at[peak_at].device_gflops = own->r.device_gflops;
            bench->peaks.at[peak_at].device_gbytes = own->r.device_gbytes;
        }
    }
}

/* The CPU's peak does not apply to a device. */
static void no_peak(bench_peak *peak)
{
    for (int i = 0; i < WEIR_ISA_COUNT; i++)
        peak->gflops[i] = NAN;
    peak->gbytes = peak->trip_ns = NAN;
}

static weir_status measure(bench *bench)
{
    int64_t rounds = (int64_t)bench->names.count * bench->peer_count * bench->thread_count * ROUNDS;
    WEIR_TRY(make_workloads(bench));
    weir_progress_begin("the machine's peak", bench->thread_count, "thread counts");
    for (int i = 0; i < bench->thread_count && !interrupted; i++) {
        machine_peak peak = {.threads = bench->threads[i]};
        if (bench->a->device && strcmp(bench->a->device, "cpu") != 0)
            no_peak(&peak.peak);
        else
            bench_measure_peak(peak.threads, &interrupted, &peak.peak);
        weir_vec_push(&bench->peaks, peak);
        weir_progress_add(1);
    }
    weir_progress_drop();
    if (interrupted)
        return weir_error(WEIR_CANCELLED, "interrupted");
    weir_progress_begin("bench", rounds, "rounds");
    for (size_t i = 0; i < bench->names.count; i++)
        for (int k = 0; k < bench->thread_count && !interrupted; k++)
            measure_workload(bench, bench->names.at[i], k);
    weir_progress_end();
    return interrupted ? weir_error(WEIR_CANCELLED, "interrupted") : WEIR_OK;
}

/* ---- the command ----------------------------------------------------------------------------- */

static char *command_line(const bench *bench)
{
    weir_buf text = {0};
    weir_buf_adds(&text, "weir bench");
    for (size_t i = 0; i < bench->names.count; i++)
        weir_buf_addf(&text, " %s", bench->names.at[i]);
    for (int i = 1; i < bench->peer_count; i++)
        weir_buf_addf(&text, " --peer %s=%s", bench->peers[i].name, bench->peers[i].path);
    if (bench->a->threads)
        weir_buf_addf(&text, " --threads %s", bench->a->threads);
    if (bench->a->graphs)
        weir_buf_addf(&text, " --graphs %s", bench->a->graphs);
    weir_buf_addf(&text, " --seconds %g", bench->a->seconds);
    return weir_buf_take(&text);
}

static weir_status show(bench *bench)
{
    const bench_args *args = bench->a;
    weir_status status = WEIR_OK;
    if (args->baseline)
        WEIR_TRY(measurements_compare(&bench->all, args->baseline));
    measurements_show(&bench->all, &bench->peaks, args->format, args->baseline != NULL);
    if (args->save)
        WEIR_TRY(measurements_save(&bench->all, args->save));
    if (args->out) {
        WEIR_FREED char *command = command_line(bench);
        status = measurements_report(&bench->all, &bench->peaks, command, args->out,
                                     args->baseline != NULL);
    }
    return status;
}

static int list(const bench_args *args)
{
    weir_paths names = {0};
    weir_status status = args->graphs ? list_graphs(args->graphs, &names) : WEIR_OK;
    if (status)
        return weir_cli_fail_status(NULL, status);
    weir_output *output = weir_output_begin(args->format);
    weir_output_table(output, NULL);
    for (size_t i = 0; i < names.count; i++) {
        weir_output_row(output);
        weir_output_text(output, "name", names.at[i]);
    }
    for (int i = 0; !args->graphs && i < workload_model_count(); i++) {
        workload_model model = workload_model_at(i);
        weir_output_row(output);
        weir_output_text(output, "name", model.name);
        weir_output_int(output, "batch", model.batch);
        weir_output_bool(output, "by_default", usual(model.name));
        weir_output_text(output, "what", model.about);
    }
    weir_output_end(output);
    weir_paths_fini(&names);
    return WEIR_EXIT_OK;
}

static weir_status prepare_and_measure(bench *bench, int argc, char **argv)
{
    WEIR_TRY(read_threads(bench));
    WEIR_TRY(read_peers(bench));
    WEIR_TRY(choose(bench, argc, argv));
    if (bench->a->export_to)
        return write_models(bench, bench->a->export_to);
    take_signals();
    WEIR_TRY(measure(bench));
    return show(bench);
}

static bool any_own_failure(const bench *bench)
{
    for (size_t i = 0; i < bench->all.count; i++)
        if (bench->all.at[i].r.failure)
            return true;
    return false;
}

/* "gpu" is CUDA's, as for weir train. */
static weir_status check_device(const char *device)
{
    if (!device)
        return WEIR_OK;
    return weir_accelerators_check(strcmp(device, "gpu") == 0 ? "cuda" : device);
}

/* Checks the files to read or write before measuring. */
static int check_files(const bench_args *args)
{
    int code = args->out ? weir_cli_check_folder("--out", args->out) : WEIR_EXIT_OK;
    if (!code && args->save) {
        weir_str dir = weir_path_dir(args->save);
        WEIR_FREED char *folder =
            weir_strndup(dir.length ? dir.at : ".", dir.length ? dir.length : 1);
        code = weir_cli_check_folder("--save", folder);
    }
    if (!code && args->baseline && !weir_path_exists(args->baseline))
        code = weir_cli_fail("--baseline needs a file that --save wrote.", "there is no file '%s'",
                             args->baseline);
    return code;
}

int bench_steps(void *args, int argc, char **argv)
{
    bench bench = {.a = args};
    if (bench.a->list)
        return list(bench.a);
    if (bench.a->export_to && bench.a->graphs)
        return weir_cli_misuse("bench", "--export is of built-in models, not of --graphs");
    weir_cli_use_precision(bench.a->precision);
    weir_status status = check_device(bench.a->device);
    if (status)
        return weir_cli_fail_call("'weir device' lists the devices; --device cpu needs none.",
                                  status);
    int code = check_files(bench.a);
    if (code)
        return code;
    status = check_names(&bench, argc, argv);
    bool called_wrongly = status != WEIR_OK;
    if (!status)
        status = prepare_and_measure(&bench, argc, argv);
    bool failed = any_own_failure(&bench);
    if (bench.temporary[0])
        weir_status_free(weir_dir_delete_all(bench.temporary));
    weir_paths_fini(&bench.names);
    weir_vec_fini(&bench.peaks);
    measurements_fini(&bench.all);
    if (status)
        failed = weir_cli_fail_status(
            called_wrongly ? "'weir bench --list' names the workloads." : NULL, status);
    if (interrupted)
        return 128 + interrupted;
    if (called_wrongly)
        return WEIR_EXIT_USAGE;
    return failed ? WEIR_EXIT_FAILED : WEIR_EXIT_OK;
}
