/* ops/sparse/tensors_map.c - AddSparseToTensorsMap, AddManySparseToTensorsMap,
 * TakeManySparseFromTensorsMap: stores sparse tensors under a handle for a later step. */
#include "base/mutex.h"
#include "ops/common/infer_util.h"
#include "ops/sparse/rows.h"
#include "ops/state/named.h"

/* ---- the map --------------------------------------------------------------------------------- */

typedef struct tensors_map {
    weir_resource base;
    weir_mutex lock;
    /* By handle; taken ones are empty. */
    WEIR_VEC(weir_sparse_row) rows WEIR_GUARDED_BY(lock);
} tensors_map;

static const weir_resource_type map_type = {"N10tensorflow16SparseTensorsMapE",
                                            "sparse tensors map"};

static void map_destroy(weir_ref *ref)
{
    tensors_map *map = (tensors_map *)ref;
    for (size_t n = 0; n < map->rows.count; n++)
        weir_sparse_row_fini(&map->rows.at[n]);
    weir_vec_fini(&map->rows);
    weir_mutex_fini(&map->lock);
    weir_free(map);
}

static weir_status map_create(void *arg, weir_resource **out)
{
    tensors_map *map = WEIR_NEW(tensors_map);
    weir_ref_init(&map->base.ref, map_destroy);
    map->base.type = &map_type;
    weir_mutex_init(&map->lock);
    *out = &map->base;
    return WEIR_OK;
}

static weir_status open_map(weir_call *call, tensors_map **out)
{
    weir_resource *found;
    WEIR_TRY(weir_named_open(call, map_create, NULL, &found));
    *out = (tensors_map *)found;
    return WEIR_OK;
}

/* Takes ownership of the row; its number is the handle. */
static int64_t map_add(tensors_map *map, weir_sparse_row *row)
{
    weir_mutex_lock(&map->lock);
    int64_t number = (int64_t)map->rows.count;
    weir_vec_push(&map->rows, *row);
    weir_mutex_unlock(&map->lock);
    return number;
}

static weir_status map_take(tensors_map *map, int64_t number, weir_sparse_row *out)
{
    bool found = false;
    weir_mutex_lock(&map->lock);
    if (number >= 0 && number < (int64_t)map->rows.count && map->rows.at[number].indices.buffer) {
        *out = map->rows.at[number];
        map->rows.at[number] = (weir_sparse_row){0};
        found = true;
    }
    weir_mutex_unlock(&map->lock);
    if (!found)
        return weir_error(WEIR_INVALID_ARGUMENT, "Unable to find SparseTensor: %" PRId64 " in map",
                          number);
    return WEIR_OK;
}

/* ---- adding ---------------------------------------------------------------------------------- */

enum { ADD_T, CONTAINER, SHARED_NAME }; /* attrs, of all three ops */
enum { INDICES, VALUES, SHAPE };

static weir_status prepare(weir_prepare *preparation)
{
    return weir_named_prepare(preparation, CONTAINER, SHARED_NAME, WEIR_BY_NODE_NAME, &map_type);
}

static weir_status add_infer(weir_infer *infer)
{
    WEIR_TRY(weir_sparse_infer(infer, INDICES, VALUES, SHAPE, "sparse_"));
    infer->out[0] = WEIR_SCALAR;
    return WEIR_OK;
}

static weir_status add(weir_call *call)
{
    tensors_map *map;
    WEIR_TRY(open_map(call, &map));
    weir_sparse_row row = {weir_tensor_share(weir_in(call, INDICES)),
                           weir_tensor_share(weir_in(call, VALUES)),
                           weir_tensor_share(weir_in(call, SHAPE))};
    *(int64_t *)weir_out(call, 0)->data = map_add(map, &row);
    weir_ref_release(&map->base.ref);
    return WEIR_OK;
}

static weir_status add_many_infer(weir_infer *infer)
{
    const weir_tensor *shape = weir_infer_value(infer, SHAPE);
    WEIR_TRY(weir_sparse_infer(infer, INDICES, VALUES, SHAPE, "sparse_"));
    infer->out[0] = weir_shape_vector(-1);
    if (!weir_infer_running(infer))
        return WEIR_OK;
    infer->out[0].dims[0] = weir_tensor_count(shape) > 0 ? *(const int64_t *)shape->data : 0;
    return weir_shape_check(&infer->out[0]);
}

typedef struct adding {
    tensors_map *map;
    int64_t *handles;
} adding;

static weir_status add_row(void *arg, int64_t row, weir_sparse_row *sparse_row)
{
    adding *adding = arg;
    adding->handles[row] = map_add(adding->map, sparse_row);
    return WEIR_OK;
}

static weir_status add_many(weir_call *call)
{
    adding adding = {.handles = weir_out(call, 0)->data};
    weir_sparse sparse;
    WEIR_TRY(weir_sparse_read(call, INDICES, VALUES, SHAPE, &sparse));
    WEIR_TRY(open_map(call, &adding.map));
    weir_status status = weir_sparse_each_row(&sparse, add_row, &adding);
    weir_ref_release(&adding.map->base.ref);
    return status;
}

/* ---- taking ---------------------------------------------------------------------------------- */

static weir_status take_infer(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank(infer, 0, 1));
    infer->out[0] = weir_shape_of_rank(2);
    infer->out[1] = infer->out[2] = weir_shape_vector(-1);
    return WEIR_OK;
}

static weir_status take(weir_call *call)
{
    const weir_tensor *handles = weir_in(call, 0);
    int64_t count = weir_tensor_count(handles);
    weir_dtype dtype = weir_dtype_base(call->site->out_types[1]);
    WEIR_FREED weir_sparse_row *rows = WEIR_NEW_ARRAY(weir_sparse_row, count);
    tensors_map *map;
    weir_status status = open_map(call, &map);
    if (!status) {
        for (int64_t r = 0; !status && r < count; r++) {
            status = map_take(map, ((const int64_t *)handles->data)[r], &rows[r]);
            if (!status)
                status = weir_sparse_row_check(&rows[r], dtype);
        }
        if (!status)
            status = weir_sparse_stack(call, &handles->shape, rows, count);
        weir_ref_release(&map->base.ref);
    }
    for (int64_t r = 0; r < count; r++)
        weir_sparse_row_fini(&rows[r]);
    return status;
}

#define MAP_ATTRS "; container: string = \"\"; shared_name: string = \"\""
#define NAMED .prepare = prepare, .cleanup = weir_named_cleanup

const weir_op weir_op_add_sparse_to_tensors_map = {
    .name = "AddSparseToTensorsMap",
    .in = "sparse_indices: int64; sparse_values: T; sparse_shape: int64",
    .out = "sparse_handle: int64",
    .attrs = "T: type" MAP_ATTRS,
    .flags = WEIR_STATEFUL,
    .infer = add_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", add, 0, NAMED}},
};

const weir_op weir_op_add_many_sparse_to_tensors_map = {
    .name = "AddManySparseToTensorsMap",
    .in = "sparse_indices: int64; sparse_values: T; sparse_shape: int64",
    .out = "sparse_handles: int64",
    .attrs = "T: type" MAP_ATTRS,
    .flags = WEIR_STATEFUL,
    .infer = add_many_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", add_many, 0, NAMED}},
};

const weir_op weir_op_take_many_sparse_from_tensors_map = {
    .name = "TakeManySparseFromTensorsMap",
    .in = "sparse_handles: int64",
    .out = "sparse_indices: int64; sparse_values: dtype; sparse_shape: int64",
    .attrs = "dtype: type" MAP_ATTRS,
    .flags = WEIR_STATEFUL,
    .infer = take_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", take, WEIR_OWN_OUTPUTS, NAMED}},
};
