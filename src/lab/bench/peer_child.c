/* lab/bench/peer_child.c - weir bench peer: one workload on one library, in rounds. */
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "lab/bench/flops.h"
#include "lab/bench/peer.h"
#include "lab/bench/workload.h"
#include "tensorflow/c/c_api.h"

enum { WARM_STEPS = 20, FEW_STEPS = 3, SHORT_NS = 1000000, INTRA = 0x10, INTER = 0x28 };

typedef struct peer_args {
    const char *folder, *workload, *library;
    long threads;
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

static weir_status check(const child *c, const char *what)
{
    if (c->api.TF_GetCode(c->status) == TF_OK)
        return WEIR_OK;
    return weir_error(WEIR_INTERNAL, "%s: %s", what, c->api.TF_Message(c->status));
}

static weir_status find(const child *c, const char *tensor, TF_Output *out)
{
    char name[WORKLOAD_NAME];
    int index = workload_output(tensor, name);
    *out = (TF_Output){c->api.TF_GraphOperationByName(c->graph, name), index};
    return out->oper ? WEIR_OK : weir_error(WEIR_NOT_FOUND, "the graph has no '%s'", name);
}

static weir_status import(child *c)
{
    TF_Buffer graph = {.data = c->w.graph.at, .length = c->w.graph.length};
    TF_Output init, step;
    c->graph = c->api.TF_NewGraph();
    c->api.TF_GraphImportGraphDef(c->graph, &graph, c->api.TF_NewImportGraphDefOptions(),
                                  c->status);
    WEIR_TRY(check(c, "import"));
    WEIR_TRY(find(c, c->w.init, &init));
    WEIR_TRY(find(c, c->w.step, &step));
    WEIR_TRY(find(c, c->w.loss, &c->loss));
    c->init = init.oper;
    c->step = step.oper;
    for (int i = 0; i < c->w.feed_count; i++) {
        const workload_feed *f = &c->w.feeds[i];
        WEIR_TRY(find(c, f->tensor, &c->feeds[i]));
        c->values[i] = c->api.TF_AllocateTensor(f->type, f->dims, f->rank, f->bytes.length);
        memcpy(c->api.TF_TensorData(c->values[i]), f->bytes.at, f->bytes.length);
    }
    return WEIR_OK;
}

static weir_status open_session(child *c, long threads)
{
    TF_SessionOptions *options = c->api.TF_NewSessionOptions();
    uint8_t n = (uint8_t)(threads < 127 ? threads : 127), config[] = {INTRA, n, INTER, n};
    if (threads > 0)
        c->api.TF_SetConfig(options, config, sizeof config, c->status);
    WEIR_TRY(check(c, "config"));
    c->session = c->api.TF_NewSession(c->graph, options, c->status);
    WEIR_TRY(check(c, "session"));
    const TF_Operation *const init[] = {c->init};
    c->api.TF_SessionRun(c->session, NULL, NULL, NULL, 0, NULL, NULL, 0, init, 1, NULL, c->status);
    return check(c, "init");
}

/* One step; the loss goes to |out_loss| when that is wanted. */
static weir_status step(child *c, double *out_loss)
{
    TF_Tensor *loss = NULL;
    c->api.TF_SessionRun(c->session, NULL, c->feeds, c->values, c->w.feed_count, &c->loss, &loss,
                         out_loss != NULL, &c->step, 1, NULL, c->status);
    WEIR_TRY(check(c, "step"));
    if (out_loss) {
        *out_loss = (double)*(const float *)c->api.TF_TensorData(loss);
        c->api.TF_DeleteTensor(loss);
    }
    return WEIR_OK;
}

static weir_status warm_up(child *c, double *out_first, double *out_last)
{
    for (int i = 0; i < WARM_STEPS; i++) {
        int64_t start = weir_now_ns();
        WEIR_TRY(step(c, i ? out_last : out_first));
        if (i + 1 >= FEW_STEPS && weir_now_ns() - start > 500000000)
            break; /* long steps are warm soon */
    }
    return WEIR_OK;
}

static double peak_mb(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)used.ru_maxrss / 1024;
}

/* Steps for |seconds|, timed one by one, or several at once where they are short. */
static weir_status run_round(child *c, double seconds)
{
    int64_t begin = weir_now_ns(), end = begin + (int64_t)(seconds * 1e9), at = begin;
    WEIR_TRY(step(c, NULL));
    int64_t one = weir_now_ns() - begin, together = one < SHORT_NS ? SHORT_NS / (one + 1) + 1 : 1;
    peer_times ms = {0};
    do {
        int64_t start = weir_now_ns();
        for (int64_t i = 0; i < together; i++)
            WEIR_TRY(step(c, NULL));
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

static weir_status measure(child *c, const peer_args *a)
{
    double first = 0, last = 0, seconds;
    bench_work work = {0};
    int64_t begin = weir_now_ns();
    c->api = own_api;
    if (a->library)
        WEIR_TRY(open_library(a->library, &c->api));
    double load_s = (double)(weir_now_ns() - begin) * 1e-9;
    c->status = c->api.TF_NewStatus();
    WEIR_TRY(workload_read(a->folder, a->workload, &c->w));
    begin = weir_now_ns();
    WEIR_TRY(import(c));
    WEIR_TRY(open_session(c, a->threads));
    double start_s = (double)(weir_now_ns() - begin) * 1e-9;
    WEIR_TRY(warm_up(c, &first, &last));
    if (!a->library)
        WEIR_TRY(bench_count_work(&c->w, &work));
    printf("ready %.6f %.6f %.9g %.9g %.9g %.9g %d %lld\n", load_s, start_s, first, last,
           work.flops, work.bytes, work.unknown, (long long)c->w.batch);
    fflush(stdout);
    while (scanf("%lf", &seconds) == 1)
        WEIR_TRY(run_round(c, seconds));
    return WEIR_OK;
}

/* Other libraries need not like to be closed: the process ends instead. */
static int run_peer(void *args, int argc, char **argv)
{
    child c = {0};
    weir_status s = measure(&c, args);
    int status = s ? weir_cli_fail_status(NULL, s) : WEIR_EXIT_OK;
    fflush(stdout);
    _Exit(status);
}

static const weir_option options[] = {
    {"folder", 0, "DIR", "where the workload is", WEIR_TEXT(peer_args, folder)},
    {"workload", 0, "NAME", "its name", WEIR_TEXT(peer_args, workload)},
    {"library", 0, "FILE", "instead of Weir", WEIR_TEXT(peer_args, library)},
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
