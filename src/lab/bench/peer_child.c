/* lab/bench/peer_child.c - weir bench peer: one workload on one library, in rounds. */
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "base/env.h"
#include "gpu/times.h"
#include "lab/bench/device_peak.h"
#include "lab/bench/flops.h"
#include "lab/bench/peer.h"
#include "lab/bench/workload.h"
#include "session/accelerators.h"
#include "tensorflow/c/c_api.h"

enum {
    WARM_STEPS = 20,
    FEW_STEPS = 3,
    SHORT_NS = 1000000,
    LONG_NS = 20000000,
    INTRA = 0x10,
    INTER = 0x28
};

typedef struct peer_args {
    const char *folder, *workload, *library;
    long threads;
    bool on_device, fed;
} peer_args;

typedef struct peer_api {
#define PEER_API(name) __typeof__(name) *name;
#include "lab/bench/peer_api.inc"
#undef PEER_API
} peer_api;

static const peer_api own_api = {
#define PEER_API(name) .name = name,
#include "lab/bench/peer_api.inc"
#undef PEER_API
};

typedef struct child {
    peer_api api;
    workload w;
    TF_Graph *graph;
    TF_Session *session;
    TF_Status *status;
    TF_Operation *init;
    const TF_Operation *step;
    TF_Output loss, feeds[WORKLOAD_MOST_FEEDS];
    TF_Tensor *values[WORKLOAD_MOST_FEEDS];
    bool device, on_device;                  /* runs on the device; the data are there */
    TF_Operation *fill[WORKLOAD_MOST_FEEDS]; /* with a device: copies a feed into its variable */
} child;

static weir_status open_library(const char *path, peer_api *out)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return weir_error(WEIR_NOT_FOUND, "%s", dlerror());
    const struct {
        const char *name;
        void **slot;
    } symbols[] = {
#define PEER_API(name) {#name, (void **)&out->name},
#include "lab/bench/peer_api.inc"
#undef PEER_API
    };
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        if (!(*symbols[i].slot = dlsym(library, symbols[i].name)))
            return weir_error(WEIR_NOT_FOUND, "%s has no %s", path, symbols[i].name);
    return WEIR_OK;
}

static weir_status check(const child *child, const char *what)
{
    if (child->api.TF_GetCode(child->status) == TF_OK)
        return WEIR_OK;
    return weir_error(WEIR_INTERNAL, "%s: %s", what, child->api.TF_Message(child->status));
}

static weir_status find(const child *child, const char *tensor, TF_Output *out)
{
    char name[WORKLOAD_NAME];
    int index = workload_output(tensor, name);
    *out = (TF_Output){child->api.TF_GraphOperationByName(child->graph, name), index};
    return out->oper ? WEIR_OK : weir_error(WEIR_NOT_FOUND, "the graph has no '%s'", name);
}

/* ---- with a device: feeds are variables in its memory ---------------------------------------- */

static TF_Operation *finish(child *child, TF_OperationDescription *desc)
{
    return TF_FinishOperation(desc, child->status);
}

static weir_status add_variable(child *child, int i, TF_ImportGraphDefOptions *options)
{
    const workload_feed *feed = &child->w.feeds[i];
    char name[WORKLOAD_NAME], text[32];
    int index = workload_output(feed->tensor, name);
    snprintf(text, sizeof text, "bench/value%d", i);
    TF_OperationDescription *desc = TF_NewOperation(child->graph, "Placeholder", text);
    TF_SetAttrType(desc, "dtype", feed->type);
    TF_SetAttrShape(desc, "shape", feed->dims, feed->rank);
    child->feeds[i] = (TF_Output){finish(child, desc), 0};
    WEIR_TRY(check(child, "placeholder"));
    snprintf(text, sizeof text, "bench/data%d", i);
    desc = TF_NewOperation(child->graph, "VariableV2", text);
    TF_SetAttrType(desc, "dtype", feed->type);
    TF_SetAttrShape(desc, "shape", feed->dims, feed->rank);
    TF_Output variable = {finish(child, desc), 0};
    WEIR_TRY(check(child, "variable"));
    snprintf(text, sizeof text, "bench/fill%d", i);
    desc = TF_NewOperation(child->graph, "Assign", text);
    TF_AddInput(desc, variable);
    TF_AddInput(desc, child->feeds[i]);
    child->fill[i] = finish(child, desc);
    WEIR_TRY(check(child, "assign"));
    snprintf(text, sizeof text, "bench/read%d", i);
    desc = TF_NewOperation(child->graph, "Identity", text);
    TF_AddInput(desc, variable);
    TF_Output read = {finish(child, desc), 0};
    child->api.TF_ImportGraphDefOptionsAddInputMapping(options, name, index, read);
    return check(child, "read");
}

static weir_status fill_variables(child *child)
{
    const TF_Operation *targets[WORKLOAD_MOST_FEEDS];
    for (int i = 0; i < child->w.feed_count; i++)
        targets[i] = child->fill[i];
    if (child->w.feed_count)
        child->api.TF_SessionRun(child->session, NULL, child->feeds, child->values,
                                 child->w.feed_count, NULL, NULL, 0, targets, child->w.feed_count,
                                 NULL, child->status);
    return check(child, "data");
}

static weir_status import(child *child)
{
    TF_Buffer graph = {.data = child->w.graph.at, .length = child->w.graph.length};
    TF_Output init, step;
    TF_ImportGraphDefOptions *options = child->api.TF_NewImportGraphDefOptions();
    child->graph = child->api.TF_NewGraph();
    for (int i = 0; i < child->w.feed_count && child->on_device; i++)
        WEIR_TRY(add_variable(child, i, options));
    child->api.TF_GraphImportGraphDef(child->graph, &graph, options, child->status);
    WEIR_TRY(check(child, "import"));
    WEIR_TRY(find(child, child->w.init, &init));
    WEIR_TRY(find(child, child->w.step, &step));
    WEIR_TRY(find(child, child->w.loss, &child->loss));
    child->init = init.oper;
    child->step = step.oper;
    for (int i = 0; i < child->w.feed_count; i++) {
        const workload_feed *feed = &child->w.feeds[i];
        if (!child->on_device)
            WEIR_TRY(find(child, feed->tensor, &child->feeds[i]));
        child->values[i] =
            child->api.TF_AllocateTensor(feed->type, feed->dims, feed->rank, feed->bytes.length);
        memcpy(child->api.TF_TensorData(child->values[i]), feed->bytes.at, feed->bytes.length);
    }
    return WEIR_OK;
}

static weir_status open_session(child *child, long threads)
{
    TF_SessionOptions *options = child->api.TF_NewSessionOptions();
    uint8_t n = (uint8_t)(threads < 127 ? threads : 127), config[] = {INTRA, n, INTER, n};
    if (threads > 0)
        child->api.TF_SetConfig(options, config, sizeof config, child->status);
    WEIR_TRY(check(child, "config"));
    child->session = child->api.TF_NewSession(child->graph, options, child->status);
    WEIR_TRY(check(child, "session"));
    const TF_Operation *const init[] = {child->init};
    child->api.TF_SessionRun(child->session, NULL, NULL, NULL, 0, NULL, NULL, 0, init, 1, NULL,
                             child->status);
    WEIR_TRY(check(child, "init"));
    return child->on_device ? fill_variables(child) : WEIR_OK;
}

/* Runs one step; stores the loss in |out_loss| if not null. */
static weir_status step(child *child, double *out_loss)
{
    TF_Tensor *loss = NULL;
    int feeds = child->on_device ? 0 : child->w.feed_count;
    child->api.TF_SessionRun(child->session, NULL, child->feeds, child->values, feeds, &child->loss,
                             &loss, out_loss != NULL, &child->step, 1, NULL, child->status);
    WEIR_TRY(check(child, "step"));
    if (out_loss) {
        *out_loss = (double)*(const float *)child->api.TF_TensorData(loss);
        child->api.TF_DeleteTensor(loss);
    }
    return WEIR_OK;
}

static weir_status warm_up(child *child, double *out_first, double *out_last)
{
    for (int i = 0; i < WARM_STEPS; i++) {
        int64_t start = weir_now_ns();
        WEIR_TRY(step(child, i ? out_last : out_first));
        if (i + 1 >= FEW_STEPS && weir_now_ns() - start > 500000000)
            break; /* long steps need little warm-up */
    }
    return WEIR_OK;
}

static double peak_mb(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)used.ru_maxrss / 1024;
}

/* Runs steps for |seconds|, timed one by one, or several at once if they are short. */
static weir_status run_round(child *child, double seconds)
{
    int64_t begin = weir_now_ns(), end = begin + (int64_t)(seconds * 1e9), at = begin;
    double loss, *last = child->device ? &loss : NULL;
    WEIR_TRY(step(child, last));
    bool fed = child->device && !child->on_device; /* feeds overlap with steps: time many */
    int64_t one = weir_now_ns() - begin, least = fed             ? 10 * LONG_NS
                                                 : child->device ? LONG_NS
                                                                 : SHORT_NS;
    int64_t together = one < least ? least / (one + 1) + 1 : 1;
    peer_times ms = {0};
    do { /* a fetch synchronises with the device */
        int64_t start = weir_now_ns();
        for (int64_t i = 0; i < together; i++)
            WEIR_TRY(step(child, i + 1 == together ? last : NULL));
        at = weir_now_ns();
        weir_vec_push(&ms, (double)(at - start) * 1e-6 / (double)together);
    } while (at < end && ms.count < PEER_MOST_TIMES);
    printf("round %.1f", peak_mb());
    for (size_t i = 0; i < ms.count; i++)
        printf(" %.6g", ms.at[i]);
    printf("\n");
    fflush(stdout);
    weir_vec_fini(&ms);
    return WEIR_OK;
}

/* Measures the kernels of a step. */
static weir_status time_kernels(child *child)
{
    enum { STEPS = 5, SHOWN = 400 };
    weir_gpu_unit *unit = weir_accelerator_at(0);
    weir_gpu_times times = {0};
    double loss, peak = unit ? (double)unit->peak / (1 << 20) : peak_mb(); /* of untimed steps */
    bool timed = unit && weir_gpu_times_begin(unit);
    for (int i = 0; i < STEPS && timed; i++)
        WEIR_TRY(step(child, &loss));
    if (timed)
        WEIR_TRY(weir_gpu_times_end(unit, &times));
    device_peak most = {0};
    const char *precision = weir_env_get()->precision;
    if (unit)
        weir_status_free(
            device_peak_measure(unit, precision && strcmp(precision, "bf16") == 0, &most));
    printf("kernels %.1f %.6g %.6g", peak, most.gflops, most.gbytes);
    for (int i = 0; i < times.count && i < SHOWN; i++)
        printf(" %.6g %.6g %s;", (double)times.at[i].calls / STEPS, times.at[i].ms / STEPS,
               times.at[i].name);
    printf("\n");
    fflush(stdout);
    weir_gpu_times_fini(&times);
    return WEIR_OK;
}

static weir_status measure(child *child, const peer_args *args)
{
    double first = 0, last = 0, seconds;
    bench_work work = {0};
    int64_t begin = weir_now_ns();
    child->api = own_api;
    child->on_device = args->on_device;
    child->device = args->on_device || args->fed;
    if (args->library)
        WEIR_TRY(open_library(args->library, &child->api));
    double load_s = (double)(weir_now_ns() - begin) * 1e-9;
    child->status = child->api.TF_NewStatus();
    WEIR_TRY(workload_read(args->folder, args->workload, &child->w));
    begin = weir_now_ns();
    WEIR_TRY(import(child));
    WEIR_TRY(open_session(child, args->threads));
    double start_s = (double)(weir_now_ns() - begin) * 1e-9;
    WEIR_TRY(warm_up(child, &first, &last));
    if (!args->library)
        WEIR_TRY(bench_count_work(&child->w, &work));
    printf("ready %.6f %.6f %.9g %.9g %.9g %.9g %d %lld\n", load_s, start_s, first, last,
           work.flops, work.bytes, work.unknown, (long long)child->w.batch);
    fflush(stdout);
    while (scanf("%lf", &seconds) == 1)
        WEIR_TRY(seconds > 0 ? run_round(child, seconds) : time_kernels(child));
    return WEIR_OK;
}

/* Other libraries may crash when closed: the process exits instead. */
static int run_peer(void *args, int argc, char **argv)
{
    child child = {0};
    weir_status result = measure(&child, args);
    int status = result ? weir_cli_fail_status(NULL, result) : WEIR_EXIT_OK;
    fflush(stdout);
    _Exit(status);
}

static const weir_option options[] = {
    {"folder", 0, "DIR", "where the workload is", WEIR_TEXT(peer_args, folder)},
    {"workload", 0, "NAME", "its name", WEIR_TEXT(peer_args, workload)},
    {"library", 0, "FILE", "instead of Weir", WEIR_TEXT(peer_args, library)},
    {"on-device", 0, NULL, "the data lie on a device", WEIR_FLAG(peer_args, on_device)},
    {"fed", 0, NULL, "the data come to a device in every step", WEIR_FLAG(peer_args, fed)},
    {"threads", 0, "N", "threads", WEIR_INDEX(peer_args, threads)},
};

const weir_command bench_command_peer = {
    .name = "peer",
    .summary = "one workload on one library",
    .about = "What weir bench starts; rounds are asked for on standard input.",
    WEIR_OPTIONS(options),
    WEIR_ARGS(peer_args, .folder = "."),
    .hidden = true,
    .run = run_peer,
};
