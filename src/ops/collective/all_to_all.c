/* ops/collective/all_to_all.c - CollectiveAllToAllV2, CollectiveAllToAllV3: row i of each member's
 * value goes to member i. CollectiveReduceScatterV2: the received rows are reduced.
 */
#include <inttypes.h>
#include <stdio.h>

#include "ops/collective/ops_impl.h"
#include "ops/collective/ring.h"
#include "ops/common/elem_of.h"

enum { A2_TIMEOUT = 2, A3_TIMEOUT = 1, S2_MERGE = 1, S2_FINAL, S2_TIMEOUT = 4 };

typedef struct spread spread;

/* A receive from one member. */
typedef struct part {
    spread *of;
    int rank;
} part;

struct spread {
    weir_exchange x;
    bool reduces;
    weir_ring_spec spec; /* of a reduction */
    weir_tensor own;     /* the member's input: one chunk per member */
    weir_tensor came;    /* for a reduction: one chunk from each member */
    part *parts;         /* by rank */
    atomic_int missing;
};

static int64_t chunk_count(const spread *spread)
{
    return weir_tensor_count(&spread->own) / spread->x.what.group_size;
}

static char *chunk_at(const spread *spread, const weir_tensor *tensor, int rank)
{
    return (char *)tensor->data +
           (size_t)(rank * chunk_count(spread)) * weir_dtype_size(tensor->dtype);
}

/* Reduces all chunks in rank order. */
static void merge(spread *spread)
{
    weir_exchange *exchange = &spread->x;
    const weir_par *par = &exchange->call->run->par;
    weir_elem elem = weir_elem_of(exchange->out.dtype);
    int64_t count = chunk_count(spread);
    memcpy(exchange->out.data, spread->came.data, weir_tensor_bytes(&exchange->out));
    for (int i = 1; i < exchange->group->size; i++)
        weir_binary_flat(par, spread->spec.merge, elem, count, exchange->out.data,
                         chunk_at(spread, &spread->came, i), exchange->out.data, WEIR_BOTH_VARY);
    if (spread->spec.divides)
        weir_ring_divide(exchange, exchange->out.data, count);
}

static void put(spread *spread, int rank, const void *data)
{
    const weir_tensor *to = spread->reduces ? &spread->came : &spread->x.out;
    memcpy(chunk_at(spread, to, rank), data,
           (size_t)chunk_count(spread) * weir_dtype_size(to->dtype));
    if (atomic_fetch_sub(&spread->missing, 1) == 1 && spread->reduces)
        merge(spread);
}

static void came(weir_exchange *exchange, void *arg, const weir_tensor *tensor)
{
    (void)exchange;
    const part *part = arg;
    put(part->of, part->rank, tensor->data);
}

/* TensorFlow's members use keys without a separator. It has no CPU implementation of the
 * reduction. */
static void key_of(const spread *spread, int from, int to, char *out, size_t room)
{
    bool own = spread->reduces || spread->x.group->all_weir;
    snprintf(out, room, own ? ":%d:%d" : "%d%d", from, to);
}

static void exchange_with(spread *spread, int rank)
{
    weir_exchange *exchange = &spread->x;
    char key[48];
    key_of(spread, exchange->rank, rank, key, sizeof key);
    weir_exchange_give(exchange, rank, key, chunk_at(spread, &spread->own, rank),
                       chunk_count(spread), NULL, NULL);
    key_of(spread, rank, exchange->rank, key, sizeof key);
    weir_exchange_take(exchange, rank, key, chunk_count(spread), came, &spread->parts[rank]);
}

static void run(weir_exchange *exchange)
{
    spread *this_spread = (spread *)exchange;
    if (!chunk_count(this_spread))
        return;
    for (int i = 0; i < exchange->group->size; i++)
        if (i != exchange->rank)
            exchange_with(this_spread, i);
    put(this_spread, exchange->rank, chunk_at(this_spread, &this_spread->own, exchange->rank));
}

static void destroy(weir_exchange *exchange)
{
    spread *this_spread = (spread *)exchange;
    weir_tensor_release(&this_spread->own);
    weir_tensor_release(&this_spread->came);
    weir_free(this_spread->parts);
    weir_free(this_spread);
}

/* ---- starting -------------------------------------------------------------------------------- */

static weir_status check_rows(const weir_tensor *in, int32_t size, bool reduces)
{
    int64_t rows = in->shape.rank ? in->shape.dims[0] : 0;
    if (in->shape.rank && (reduces ? rows % size == 0 : rows == size))
        return WEIR_OK;
    return weir_error(WEIR_INVALID_ARGUMENT,
                      reduces ? "input's first dimension (%" PRId64
                                ") must be a multiple of the group size (%" PRId32 ")"
                              : "input to all-to-all first dimension size (%" PRId64
                                ") must be the same as the group size (%" PRId32 ")",
                      rows, size);
}

static weir_status allocate(spread *spread, const weir_tensor *in)
{
    spread->x.what.shape = in->shape;
    if (spread->reduces) {
        spread->x.what.shape.dims[0] /= spread->x.what.group_size;
        WEIR_TRY(weir_tensor_alloc(in->dtype, &in->shape, &spread->came));
    }
    return weir_tensor_alloc(in->dtype, &spread->x.what.shape, &spread->x.out);
}

/* |spec| for a reduction, else null. */
static void start(weir_call *call, weir_status status, weir_exchange first,
                  const weir_ring_spec *spec)
{
    const weir_tensor *in = weir_in(call, 0);
    if (!status)
        status = check_rows(in, first.what.group_size, spec != NULL);
    if (status) {
        weir_call_finish(call, status);
        return;
    }
    first.what.type = spec ? WEIR_COLLECTIVE_REDUCE_SCATTER : WEIR_COLLECTIVE_ALL_TO_ALL;
    spread *made = WEIR_NEW(spread);
    made->x = first;
    made->x.run = run;
    made->x.destroy = destroy;
    made->reduces = spec != NULL;
    if (spec)
        made->spec = *spec;
    made->own = weir_tensor_share(in);
    made->parts = WEIR_NEW_ARRAY(part, first.what.group_size);
    for (int i = 0; i < first.what.group_size; i++)
        made->parts[i] = (part){made, i};
    atomic_init(&made->missing, first.what.group_size);
    status = allocate(made, in);
    if (status)
        weir_exchange_refuse(&made->x, status);
    else
        weir_exchange_start(&made->x);
}

static void all_to_all_v2(weir_call *call)
{
    weir_exchange exchange;
    weir_status status = weir_collective_of_inputs(call, 1, A2_TIMEOUT, &exchange);
    start(call, status, exchange, NULL);
}

static void all_to_all_v3(weir_call *call)
{
    weir_exchange exchange;
    weir_status status = weir_collective_of_communicator(call, A3_TIMEOUT, &exchange);
    start(call, status, exchange, NULL);
}

static void reduce_scatter_v2(weir_call *call)
{
    weir_exchange exchange;
    weir_status status = weir_collective_of_inputs(call, 1, S2_TIMEOUT, &exchange);
    weir_ring_spec spec = {.reduces = true,
                           .merge = weir_collective_merge(weir_site_str(call->site, S2_MERGE)),
                           .divides = weir_str_is(weir_site_str(call->site, S2_FINAL), "Div")};
    start(call, status, exchange, &spec);
}

static weir_status infer_scatter(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank_at_least(infer, 0, 1));
    infer->out[0] = *infer->in[0];
    if (infer->out[0].rank > 0)
        infer->out[0].dims[0] = -1;
    return WEIR_OK;
}

/* ---- the ops --------------------------------------------------------------------------------- */

#define TYPES "T: {bfloat16, float, half, double, int32, int64}; "
#define GROUP_IN                                                                                   \
    "input: T; group_size: int32; group_key: int32; instance_key: int32; ordering_token: "         \
    "Nordering_token * resource"
#define GROUP_ATTRS                                                                                \
    "communication_hint: string = \"auto\"; timeout_seconds: float = 0.0; is_stateless: bool = "   \
    "false; Nordering_token: int >= 0 = 0"

const weir_op weir_op_collective_all_to_all_v2 = {
    .name = "CollectiveAllToAllV2",
    .in = GROUP_IN,
    .out = "data: T",
    .attrs = TYPES GROUP_ATTRS,
    .flags = WEIR_STATEFUL | WEIR_DISTRIBUTED,
    .infer = weir_infer_same_shape,
    .kernels = {{WEIR_CPU, "*", NULL, WEIR_ASYNC | WEIR_OWN_OUTPUTS, all_to_all_v2}},
};

const weir_op weir_op_collective_all_to_all_v3 = {
    .name = "CollectiveAllToAllV3",
    .in = "input: T; communicator: resource; group_assignment: int32",
    .out = "data: T",
    .attrs = TYPES "timeout_seconds: float = 0.0",
    .flags = WEIR_STATEFUL | WEIR_DISTRIBUTED,
    .infer = weir_infer_same_shape,
    .kernels = {{WEIR_CPU, "*", NULL, WEIR_ASYNC | WEIR_OWN_OUTPUTS, all_to_all_v3}},
};

const weir_op weir_op_collective_reduce_scatter_v2 = {
    .name = "CollectiveReduceScatterV2",
    .in = GROUP_IN,
    .out = "data: T",
    .attrs = TYPES "merge_op: {'Min', 'Max', 'Mul', 'Add'}; final_op: {'Id', 'Div'}; " GROUP_ATTRS
                   "; max_subdivs_per_device: int = -1",
    .flags = WEIR_STATEFUL | WEIR_DISTRIBUTED,
    .infer = infer_scatter,
    .kernels = {{WEIR_CPU, "*", NULL, WEIR_ASYNC | WEIR_OWN_OUTPUTS, reduce_scatter_v2}},
};
