/* lab/bench/steps.c - which workloads and peers there are, and their rounds. */
#include "lab/bench/steps.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/env.h"
#include "command/output.h"
#include "command/progress.h"
#include "io/file.h"
#include "lab/bench/measure.h"
#include "lab/bench/workload.h"

enum { ROUNDS = 7, MOST_PEERS = 8, MOST_THREADS = 8 };

typedef struct bench {
    const bench_args *a;
    char temporary[512]; /* a folder made for this run; "": none */
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

/* Ctrl-C ends the children by itself; here it ends the waiting for them. */
static void take_signals(void)
{
    struct sigaction act = {.sa_handler = note_signal};
    sigaction(SIGINT, &act, NULL);
    sigaction(SIGTERM, &act, NULL);
    signal(SIGPIPE, SIG_IGN);
}

/* ---- what is asked for ---------------------------------------------------------------------- */

static weir_status read_threads(bench *b)
{
    const char *at = b->a->threads;
    char *end;
    if (!at) {
        b->threads[b->thread_count++] = weir_cpu_count();
        return WEIR_OK;
    }
    for (;; at = end + 1) {
        long n = strtol(at, &end, 10);
        if (end == at || n < 1 || n > 127 || b->thread_count == MOST_THREADS ||
            (*end && *end != ','))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "--threads is up to %d numbers from 1 to 127, as '1,2', not '%s'",
                              MOST_THREADS, b->a->threads);
        b->threads[b->thread_count++] = (int)n;
        if (!*end)
            return WEIR_OK;
    }
}

static weir_status read_peers(bench *b)
{
    b->peers[b->peer_count++] = (peer){.kind = PEER_OWN, .name = "weir"};
    for (int i = 0; i < b->a->peers.count; i++) {
        if (b->peer_count == MOST_PEERS)
            return weir_error(WEIR_INVALID_ARGUMENT, "more than %d peers", MOST_PEERS - 1);
        WEIR_TRY(peer_read(b->a->peers.at[i], &b->peers[b->peer_count++]));
    }
    return WEIR_OK;
}

/* The jobs of a folder of graphs. */
static weir_status list_graphs(const char *folder, weir_paths *out)
{
    weir_paths files = {0};
    WEIR_TRY(weir_dir_list(folder, &files));
    for (size_t i = 0; i < files.count; i++) {
        size_t n = strlen(files.at[i]);
        if (n > 4 && strcmp(files.at[i] + n - 4, ".job") == 0)
            weir_vec_push(out, weir_strndup(files.at[i], n - 4));
    }
    weir_paths_fini(&files);
    return out->count ? WEIR_OK
                      : weir_error(WEIR_NOT_FOUND, "there are no *.job files in %s", folder);
}

/* Models that are quick enough to be measured unasked. */
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

static weir_status choose(bench *b, int argc, char **argv)
{
    if (b->a->graphs && !argc)
        return list_graphs(b->a->graphs, &b->names);
    for (int i = 0; i < argc; i++) {
        if (!b->a->graphs && !workload_is_model(argv[i]))
            return unknown(argv[i]);
        weir_vec_push(&b->names, weir_strdup(argv[i]));
    }
    for (int i = 0; !argc && i < workload_model_count(); i++)
        if (usual(workload_model_at(i).name))
            weir_vec_push(&b->names, weir_strdup(workload_model_at(i).name));
    return WEIR_OK;
}

/* Built-in models become graphs that every peer can read. */
static weir_status write_models(bench *b, const char *folder)
{
    for (size_t i = 0; i < b->names.count; i++)
        WEIR_TRY(workload_write(folder, b->names.at[i], b->a->batch));
    return WEIR_OK;
}

static weir_status make_workloads(bench *b)
{
    const char *tmp = weir_env_get()->tmpdir;
    b->folder = b->a->graphs;
    if (b->folder)
        return WEIR_OK;
    snprintf(b->temporary, sizeof b->temporary, "%s/weir-bench-XXXXXX", tmp ? tmp : "/tmp");
    if (!mkdtemp(b->temporary)) {
        b->temporary[0] = 0;
        return weir_error(WEIR_UNKNOWN, "cannot make a folder in %s", tmp ? tmp : "/tmp");
    }
    b->folder = b->temporary;
    return write_models(b, b->folder);
}

/* ---- rounds --------------------------------------------------------------------------------- */

static void measure_all(bench *b, const char *workload, int threads, peer_result *results)
{
    peer_process *processes[MOST_PEERS] = {0};
    double seconds = b->a->seconds / ROUNDS;
    for (int i = 0; i < b->peer_count; i++)
        if (b->peers[i].kind != PEER_PROGRAM)
            processes[i] = peer_start(&b->peers[i], b->folder, workload, threads, &results[i]);
    for (int r = 0; r < ROUNDS && !interrupted; r++) /* by turns, so that all meet the same noise */
        for (int i = 0; i < b->peer_count; i++) {
            if (processes[i] && !results[i].failure)
                peer_round(processes[i], seconds, &results[i]);
            weir_progress_add(1);
        }
    for (int i = 0; i < b->peer_count; i++)
        peer_end(processes[i]);
    for (int i = 0; i < b->peer_count && !interrupted; i++)
        if (b->peers[i].kind == PEER_PROGRAM)
            peer_run_program(&b->peers[i], workload, threads, b->a->seconds, &results[i]);
}

static void measure_workload(bench *b, const char *workload, int threads, const bench_peak *peak)
{
    peer_result results[MOST_PEERS] = {0};
    size_t first = b->all.count;
    weir_progress_note("%s", workload);
    measure_all(b, workload, threads, results);
    for (int i = 0; i < b->peer_count; i++) {
        measurement m = {.threads = threads, .r = results[i]};
        snprintf(m.workload, sizeof m.workload, "%s", workload);
        snprintf(m.peer, sizeof m.peer, "%s", b->peers[i].name);
        weir_vec_push(&b->all, m);
        measurement *own = &b->all.at[first];
        measurement_sum_up(&b->all.at[b->all.count - 1], peak, i ? own : NULL);
        own->times_first = 1;
    }
}

static weir_status measure(bench *b)
{
    int64_t rounds = (int64_t)b->names.count * b->peer_count * b->thread_count * ROUNDS;
    WEIR_TRY(make_workloads(b));
    for (int i = 0; i < b->thread_count; i++) {
        machine_peak p = {.threads = b->threads[i]};
        bench_measure_peak(p.threads, &p.peak);
        weir_vec_push(&b->peaks, p);
    }
    weir_progress_begin("bench", rounds, "rounds");
    for (size_t i = 0; i < b->names.count; i++)
        for (int k = 0; k < b->thread_count && !interrupted; k++)
            measure_workload(b, b->names.at[i], b->threads[k], &b->peaks.at[k].peak);
    weir_progress_end();
    return interrupted ? weir_error(WEIR_CANCELLED, "interrupted") : WEIR_OK;
}

/* ---- the command ---------------------------------------------------------------------------- */

static char *command_line(const bench *b)
{
    weir_buf text = {0};
    weir_buf_adds(&text, "weir bench");
    for (size_t i = 0; i < b->names.count; i++)
        weir_buf_addf(&text, " %s", b->names.at[i]);
    for (int i = 1; i < b->peer_count; i++)
        weir_buf_addf(&text, " --peer %s=%s", b->peers[i].name, b->peers[i].path);
    if (b->a->threads)
        weir_buf_addf(&text, " --threads %s", b->a->threads);
    return weir_buf_take(&text);
}

static weir_status show(bench *b)
{
    const bench_args *a = b->a;
    weir_status s = WEIR_OK;
    if (a->baseline)
        WEIR_TRY(measurements_compare(&b->all, a->baseline));
    measurements_show(&b->all, &b->peaks, a->format, a->baseline != NULL);
    if (a->save)
        WEIR_TRY(measurements_save(&b->all, a->save));
    if (a->out) {
        char *command = command_line(b);
        s = measurements_report(&b->all, &b->peaks, command, a->out, a->baseline != NULL);
        weir_free(command);
    }
    return s;
}

static int list(const bench_args *a)
{
    weir_paths names = {0};
    weir_status s = a->graphs ? list_graphs(a->graphs, &names) : WEIR_OK;
    if (s)
        return weir_cli_fail_status(NULL, s);
    weir_output *o = weir_output_begin(a->format);
    weir_output_table(o, NULL);
    for (size_t i = 0; i < names.count; i++) {
        weir_output_row(o);
        weir_output_text(o, "name", names.at[i]);
    }
    for (int i = 0; !a->graphs && i < workload_model_count(); i++) {
        workload_model m = workload_model_at(i);
        weir_output_row(o);
        weir_output_text(o, "name", m.name);
        weir_output_int(o, "batch", m.batch);
        weir_output_bool(o, "measured_unasked", usual(m.name));
        weir_output_text(o, "what", m.about);
    }
    weir_output_end(o);
    weir_paths_fini(&names);
    return WEIR_EXIT_OK;
}

static weir_status prepare_and_measure(bench *b, int argc, char **argv)
{
    WEIR_TRY(read_threads(b));
    WEIR_TRY(read_peers(b));
    WEIR_TRY(choose(b, argc, argv));
    if (b->a->export_to)
        return write_models(b, b->a->export_to);
    take_signals();
    WEIR_TRY(measure(b));
    return show(b);
}

static bool any_own_failure(const bench *b)
{
    for (size_t i = 0; i < b->all.count; i++)
        if (b->all.at[i].r.failure)
            return true;
    return false;
}

int bench_steps(void *args, int argc, char **argv)
{
    bench b = {.a = args};
    if (b.a->list)
        return list(b.a);
    if (b.a->export_to && b.a->graphs)
        return weir_cli_misuse("bench", "--export is of built-in models, not of --graphs");
    weir_status s = prepare_and_measure(&b, argc, argv);
    bool failed = any_own_failure(&b);
    if (b.temporary[0])
        weir_status_free(weir_dir_delete_all(b.temporary));
    weir_paths_fini(&b.names);
    weir_vec_fini(&b.peaks);
    measurements_fini(&b.all);
    if (s)
        return weir_cli_fail_status("'weir bench --list' names the workloads.", s);
    return failed ? WEIR_EXIT_FAILED : WEIR_EXIT_OK;
}
