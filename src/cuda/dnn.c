/* cuda/dnn.c - convolutions by cuDNN: built once per shape, with the fastest configuration. */
#include "cuda/dnn.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "cuda/dnn_graph.h"
#include "math/elem.h"

enum { ADDRESSES = 4, ALIGNMENT = 16 };

/* The cached plan of a shape and pass. */
typedef struct plan {
    dnn_graph graph;
    dnn_desc ways[DNN_MOST_WAYS]; /* execution plans; null: not tried, or not supported */
    bool tried[DNN_MOST_WAYS];
    int64_t needs[DNN_MOST_WAYS]; /* bytes of workspace */
    dnn_desc way;                 /* the selected one; null: none is supported */
    int64_t need;                 /* of |way| */
} plan;

typedef struct block {
    cu_address at;
    int64_t bytes;
} block;

struct weir_dnn {
    const weir_dnn_functions *fn;
    weir_tuner *tuner;
    dnn_handle handle;
    const weir_cuda_functions *cuda;
    cu_stream stream;
    int64_t most;           /* bytes of a workspace */
    const int *recordings;  /* number of them */
    WEIR_VEC(block) blocks; /* workspaces, the last in use: recorded steps refer to earlier ones */
    weir_map plans;         /* by the convolution's parameters without its addresses */
};

weir_dnn *weir_dnn_create(weir_tuner *tuner, const weir_cuda_functions *cuda, cu_stream stream,
                          int64_t most, const int *recordings)
{
    weir_dnn made = {.fn = weir_dnn_open(),
                     .tuner = tuner,
                     .cuda = cuda,
                     .stream = stream,
                     .most = most,
                     .recordings = recordings};
    if (!made.fn || !tuner || made.fn->create(&made.handle) != 0 ||
        made.fn->set_stream(made.handle, stream) != 0)
        return NULL;
    weir_dnn *dnn = WEIR_NEW(weir_dnn);
    *dnn = made;
    return dnn;
}

static void free_blocks(weir_dnn *dnn)
{
    for (size_t i = 0; i < dnn->blocks.count; i++)
        dnn->cuda->free(dnn->blocks.at[i].at);
    dnn->blocks.count = 0;
}

void weir_dnn_destroy(weir_dnn *dnn)
{
    size_t at = 0;
    weir_str key;
    void *value;
    if (!dnn)
        return;
    while (weir_map_next(&dnn->plans, &at, &key, &value)) {
        dnn_graph_free(&((plan *)value)->graph);
        weir_free(value);
    }
    weir_map_fini(&dnn->plans);
    free_blocks(dnn);
    weir_vec_fini(&dnn->blocks);
    weir_free(dnn);
}

/* ---- workspaces ------------------------------------------------------------------------------ */

static block current(const weir_dnn *dnn)
{
    return dnn->blocks.count ? dnn->blocks.at[dnn->blocks.count - 1] : (block){0};
}

static bool allocate(const weir_dnn *dnn, int64_t bytes, block *out)
{
    *out = (block){.bytes = bytes};
    return dnn->cuda->alloc(&out->at, (size_t)bytes) == CU_SUCCESS;
}

/* Makes the current workspace large enough. */
static bool grow(weir_dnn *dnn, int64_t bytes)
{
    enum { STEP = 16 << 20 }; /* fewer and larger blocks */
    block new_block;
    if (bytes <= current(dnn).bytes)
        return true;
    if (!*dnn->recordings && dnn->cuda->stream_wait(dnn->stream) == CU_SUCCESS)
        free_blocks(dnn);
    if (!allocate(dnn, (bytes + STEP - 1) / STEP * STEP, &new_block))
        return false;
    weir_vec_push(&dnn->blocks, new_block);
    return true;
}

int64_t weir_dnn_held(const weir_dnn *dnn)
{
    int64_t bytes = 0;
    for (size_t i = 0; dnn && i < dnn->blocks.count; i++)
        bytes += dnn->blocks.at[i].bytes;
    return bytes;
}

/* ---- one configuration ----------------------------------------------------------------------- */

/* The execution plan of configuration |choice|; null if none fits a workspace. */
static dnn_desc get_way(const weir_dnn *dnn, plan *plan, int choice)
{
    dnn_graph *graph = &plan->graph;
    int64_t bytes = 0, count;
    if (plan->tried[choice])
        return plan->ways[choice];
    plan->tried[choice] = true;
    dnn_desc desc = dnn_begin(graph, DNN_PLAN);
    dnn_set(graph, desc, DNN_PLAN_HANDLE, DNN_IS_HANDLE, 1, &dnn->handle);
    dnn_set(graph, desc, DNN_PLAN_CONFIG, DNN_IS_DESC, 1, &graph->configs[choice]);
    dnn_end(graph, desc);
    bool fits = !graph->failed &&
                dnn->fn->desc_get(desc, DNN_PLAN_WORKSPACE, DNN_IS_INT64, 1, &count, &bytes) == 0 &&
                bytes <= dnn->most;
    graph->failed = false; /* another one may be supported */
    plan->needs[choice] = bytes;
    return plan->ways[choice] = fits ? desc : NULL;
}

static bool run_way(const weir_dnn *dnn, dnn_desc way, cu_address workspace,
                    const weir_gpu_convolution *c)
{
    void *scratch = (void *)(uintptr_t)workspace;
    int64_t ids[ADDRESSES] = {DNN_ID_X, DNN_ID_W, DNN_ID_Y, DNN_ID_BIAS};
    const void *addresses[ADDRESSES] = {c->x, c->w, c->y, c->bias};
    int64_t count = c->bias ? ADDRESSES : ADDRESSES - 1;
    dnn_desc pack;
    if (dnn->fn->desc_create(DNN_PACK, &pack) != 0)
        return false;
    bool ran = dnn->fn->desc_set(pack, DNN_PACK_IDS, DNN_IS_INT64, count, ids) == 0 &&
               dnn->fn->desc_set(pack, DNN_PACK_POINTERS, DNN_IS_POINTER, count, addresses) == 0 &&
               dnn->fn->desc_set(pack, DNN_PACK_WORKSPACE, DNN_IS_POINTER, 1, &scratch) == 0 &&
               dnn->fn->desc_finish(pack) == 0 && dnn->fn->execute(dnn->handle, way, pack) == 0;
    dnn->fn->desc_destroy(pack);
    return ran;
}

/* ---- selection ------------------------------------------------------------------------------- */

typedef struct choosing {
    const weir_dnn *dnn;
    plan *plan;
    const weir_gpu_convolution *convolution;
    block scratch; /* of ways that need more than the current workspace; freed when one is chosen */
} choosing;

static void free_scratch(choosing *choosing)
{
    const weir_dnn *dnn = choosing->dnn;
    if (choosing->scratch.bytes && dnn->cuda->stream_wait(dnn->stream) == CU_SUCCESS)
        dnn->cuda->free(choosing->scratch.at);
    choosing->scratch = (block){0};
}

static bool get_scratch(choosing *choosing, int64_t bytes, cu_address *out)
{
    block now = current(choosing->dnn);
    *out = now.at;
    if (bytes <= now.bytes)
        return true;
    if (bytes > choosing->scratch.bytes) {
        free_scratch(choosing);
        if (!allocate(choosing->dnn, bytes, &choosing->scratch))
            return choosing->scratch = (block){0}, false;
    }
    *out = choosing->scratch.at;
    return true;
}

static bool run_choice(void *arg, int choice)
{
    choosing *choosing = arg;
    cu_address workspace;
    dnn_desc way = get_way(choosing->dnn, choosing->plan, choice);
    return way && get_scratch(choosing, choosing->plan->needs[choice], &workspace) &&
           run_way(choosing->dnn, way, workspace, choosing->convolution);
}

static void add_numbers(weir_buf *text, const int64_t *numbers, int count)
{
    for (int i = 0; i < count; i++)
        weir_buf_addf(text, " %" PRId64, numbers[i]);
}

static void add_key(const weir_dnn *dnn, const weir_gpu_convolution *c, weir_buf *key)
{
    weir_buf_addf(key, "cudnn %d convolution %d %d %d", dnn->fn->version(), c->elem, (int)c->pass,
                  (c->bias != NULL) + (c->bias && c->relu));
    add_numbers(key, &c->batch, 4);
    add_numbers(key, c->in, 2);
    add_numbers(key, c->out, 2);
    add_numbers(key, c->taps, 2);
    add_numbers(key, c->stride, 2);
    add_numbers(key, c->dilation, 2);
    add_numbers(key, c->pad, 2);
}

static void find_result(const weir_gpu_convolution *c, weir_tuner_work *work)
{
    int64_t unit = weir_elem_size((weir_elem)c->elem);
    int64_t images[] = {c->batch * c->out[0] * c->out[1] * c->out_c,
                        c->batch * c->in[0] * c->in[1] * c->channels,
                        c->taps[0] * c->taps[1] * c->filter_c * c->out_c};
    void *results[] = {c->y, c->x, c->w};
    work->result = results[c->pass];
    work->bytes = (size_t)(images[c->pass] * unit);
}

static plan *make_plan(weir_dnn *dnn, const weir_gpu_convolution *convolution, const char *key)
{
    plan *made = WEIR_NEW(plan);
    made->graph.fn = dnn->fn;
    if (!dnn_graph_make(&made->graph, convolution, dnn->handle, NULL))
        return made;
    choosing choosing = {dnn, made, convolution, {0}};
    weir_tuner_work work = {.key = key,
                            .count = made->graph.config_count,
                            .run = run_choice,
                            .arg = &choosing,
                            .elem = convolution->elem};
    find_result(convolution, &work);
    int choice = weir_tuner_pick(dnn->tuner, &work);
    free_scratch(&choosing);
    made->way = choice < 0 ? NULL : made->ways[choice];
    made->need = choice < 0 ? 0 : made->needs[choice];
    return made;
}

static plan *get_plan(weir_dnn *dnn, const weir_gpu_convolution *convolution)
{
    weir_gpu_convolution shape;
    memset(&shape, 0, sizeof shape); /* including padding: it is the key */
    shape = *convolution;
    shape.x = shape.w = shape.y = NULL;
    shape.bias = convolution->bias ? "" : NULL;
    weir_str text = {(const char *)&shape, sizeof shape};
    plan *found = weir_map_get(&dnn->plans, text);
    if (found)
        return found;
    WEIR_BUF(key);
    add_key(dnn, convolution, &key);
    found = make_plan(dnn, convolution, key.at);
    weir_map_put(&dnn->plans, text, found);
    return found;
}

static bool is_aligned(const void *address)
{
    return (uintptr_t)address % ALIGNMENT == 0;
}

/* Whether the padding after the image exceeds the one before it. */
static bool is_uneven(const weir_gpu_convolution *c)
{
    bool uneven = false;
    for (int d = 0; d < 2; d++) {
        int64_t reach = (c->taps[d] - 1) * c->dilation[d] + 1;
        uneven |= (c->out[d] - 1) * c->stride[d] + reach - c->in[d] != 2 * c->pad[d];
    }
    return uneven;
}

weir_status weir_dnn_convolve(weir_dnn *dnn, const weir_gpu_convolution *convolution)
{
    const weir_gpu_convolution *c = convolution;
    if (!is_aligned(c->x) || !is_aligned(c->w) || !is_aligned(c->y) || !is_aligned(c->bias))
        return weir_error(WEIR_UNIMPLEMENTED, "cuDNN wants aligned tensors");
    if (c->elem == WEIR_E_f64 && c->pass != WEIR_GPU_FORWARD && is_uneven(c))
        return weir_error(WEIR_UNIMPLEMENTED, "cuDNN's only way for it is wrong");
    plan *plan = get_plan(dnn, convolution);
    if (plan->way && grow(dnn, plan->need) && run_way(dnn, plan->way, current(dnn).at, convolution))
        return WEIR_OK;
    plan->way = NULL; /* falls back to another method */
    return weir_error(WEIR_UNIMPLEMENTED, "cuDNN does not serve the convolution");
}

int weir_dnn_count_ways(const weir_gpu_convolution *convolution, const char *json)
{
    dnn_graph graph = {.fn = weir_dnn_open()};
    if (!graph.fn)
        return -1;
    dnn_desc device = dnn_begin(&graph, DNN_DEVICE);
    dnn_set(&graph, device, DNN_DEVICE_JSON, DNN_IS_CHAR, (int64_t)strlen(json) + 1, json);
    dnn_end(&graph, device);
    int ways = dnn_graph_make(&graph, convolution, NULL, device) ? graph.config_count : 0;
    dnn_graph_free(&graph);
    return ways;
}
