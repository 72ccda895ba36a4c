/* ops/collective/communicator.c - CollectiveInitializeCommunicator: a member's group, stored for
 * subsequent ops. */
#include <inttypes.h>

#include "base/fingerprint.h"
#include "op/resource.h"
#include "ops/collective/ops_impl.h"
#include "tensor/handle.h"

typedef struct communicator {
    weir_resource base;
    int32_t group_key, rank, size;
    _Atomic int32_t instances; /* number of ops that ran on it */
} communicator;

static const weir_resource_type type = {"N10tensorflow30CollectiveGroupResourceE",
                                        "collective group"};

static void destroy(weir_ref *ref)
{
    weir_free(ref);
}

static weir_status read_scalars(weir_call *call, int32_t out[3])
{
    static const char *const names[] = {"group_key", "rank", "group_size"};
    for (int i = 0; i < 3; i++) {
        const weir_tensor *tensor = weir_in(call, i);
        if (tensor->shape.rank > 0)
            return weir_error(WEIR_INVALID_ARGUMENT, "Unexpected dimensions on input %s, got %s",
                              names[i], WEIR_SHAPE_STR(&tensor->shape));
        out[i] = *(const int32_t *)tensor->data;
    }
    if (out[2] <= 0 || out[1] < 0 || out[1] >= out[2])
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "rank %" PRId32 " is not one of a group of %" PRId32, out[1], out[2]);
    return WEIR_OK;
}

static weir_status initialize(weir_call *call)
{
    int32_t given[3];
    WEIR_TRY(read_scalars(call, given));
    communicator *made = WEIR_NEW(communicator);
    weir_ref_init(&made->base.ref, destroy);
    made->base.type = &type;
    made->group_key = given[0];
    made->rank = given[1];
    made->size = given[2];
    weir_handle *handle =
        weir_handle_create(weir_call_device(call), "Anonymous", call->site->name, type.name);
    handle->object = &made->base.ref;
    weir_call_set(call, 0, weir_tensor_from_handle(handle));
    return WEIR_OK;
}

/* The row that contains |rank|. */
static weir_status find_row(const weir_tensor *rows, int32_t rank, int64_t *out)
{
    if (rows->shape.rank != 2)
        return weir_error(WEIR_INVALID_ARGUMENT, "Expected a matrix for group_assignment, got %s",
                          WEIR_SHAPE_STR(&rows->shape));
    for (int64_t i = 0; i < weir_tensor_count(rows); i++)
        if (((const int32_t *)rows->data)[i] == rank) {
            *out = i / rows->shape.dims[1];
            return WEIR_OK;
        }
    return weir_error(WEIR_INVALID_ARGUMENT,
                      "group_assignment has no group for the member of rank %" PRId32, rank);
}

static int32_t key_of_row(const communicator *in, int64_t row, int64_t size)
{
    if (size == in->size)
        return in->group_key;
    int64_t parts[] = {in->group_key, row, size};
    uint64_t hash = weir_fingerprint64((weir_str){(const char *)parts, sizeof parts});
    return (int32_t)(hash & INT32_MAX);
}

weir_status weir_collective_of_communicator(weir_call *call, int timeout_attr, weir_exchange *out)
{
    const weir_handle *handle = weir_tensor_handle(weir_in(call, 1));
    const weir_tensor *rows = weir_in(call, 2);
    int64_t row;
    *out = (weir_exchange){.call = call};
    if (!handle || !handle->object || ((const weir_resource *)handle->object)->type != &type)
        return weir_error(WEIR_INVALID_ARGUMENT, "Input communicator is not a collective group");
    communicator *in = (communicator *)handle->object;
    WEIR_TRY(find_row(rows, in->rank, &row));
    int64_t size = rows->shape.dims[1];
    int64_t key[] = {size, key_of_row(in, row, size), atomic_fetch_add(&in->instances, 1)};
    return weir_collective_begin(call, key, timeout_attr, out);
}

const weir_op weir_op_collective_initialize_communicator = {
    .name = "CollectiveInitializeCommunicator",
    .in = "group_key: int32; rank: int32; group_size: int32",
    .out = "communicator: resource",
    .attrs = "communication_hint: string = \"auto\"; timeout_seconds: float = 0.0",
    .flags = WEIR_STATEFUL | WEIR_DISTRIBUTED,
    .infer = weir_infer_scalar,
    .kernels = {{WEIR_CPU, "*", initialize, WEIR_OWN_OUTPUTS | WEIR_CHEAP}},
};
