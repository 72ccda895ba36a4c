/* ops/sparse/tensors_map.c - AddSparseToTensorsMap, AddManySparseToTensorsMap,
 * TakeManySparseFromTensorsMap: sparse tensors left under a number for a later step. */
#include "base/mutex.h"
#include "ops/common/infer_util.h"
#include "ops/sparse/rows.h"
#include "ops/state/named.h"

/* ---- the map ------------------------------------------------------------------------------------
 */

typedef struct tensors_map {
    weir_resource base;
    weir_mutex lock;
    /* By number; those taken are empty. */
    WEIR_VEC(weir_sparse_row) rows WEIR_GUARDED_BY(lock);
} tensors_map;

static const weir_resource_type map_type = {"N10tensorflow16SparseTensorsMapE",
                                            "sparse tensors map"};

static void map_destroy(weir_ref *ref)
{
    tensors_map *m = (tensors_map *)ref;
    for (size_t n = 0; n < m->rows.count; n++)
        weir_sparse_row_fini(&m->rows.at[n]);
    weir_vec_fini(&m->rows);
    weir_mutex_fini(&m->lock);
    weir_free(m);
}

static weir_status map_create(void *arg, weir_resource **out)
{
    tensors_map *m = WEIR_NEW(tensors_map);
    weir_ref_init(&m->base.ref, map_destroy);
    m->base.type = &map_type;
    weir_mutex_init(&m->lock);
    *out = &m->base;
    return WEIR_OK;
}

static weir_status open_map(weir_call *call, tensors_map **out)
{
    weir_resource *found;
    WEIR_TRY(weir_named_open(call, map_create, NULL, &found));
    *out = (tensors_map *)found;
    return WEIR_OK;
}

/* Takes the row over; its number is the handle. */
static int64_t map_add(tensors_map *m, weir_sparse_row *row)
{
    weir_mutex_lock(&m->lock);
    int64_t number = (int64_t)m->rows.count;
    weir_vec_push(&m->rows, *row);
    weir_mutex_unlock(&m->lock);
    return number;
}

static weir_status map_take(tensors_map *m, int64_t number, weir_sparse_row *out)
{
    bool found = false;
    weir_mutex_lock(&m->lock);
    if (number >= 0 && number < (int64_t)m->rows.count && m->rows.at[number].indices.buffer) {
        *out = m->rows.at[number];
        m->rows.at[number] = (weir_sparse_row){0};
        found = true;
    }
    weir_mutex_unlock(&m->lock);
    if (!found)
        return weir_error(WEIR_INVALID_ARGUMENT, "Unable to find SparseTensor: %" PRId64 " in map",
                          number);
    return WEIR_OK;
}

/* ---- adding -------------------------------------------------------------------------------------
 */

enum { ADD_T, CONTAINER, SHARED_NAME }; /* attrs, of all three ops */
enum { INDICES, VALUES, SHAPE };

static weir_status prepare(weir_prepare *p)
{
    return weir_named_prepare(p, CONTAINER, SHARED_NAME, WEIR_BY_NODE_NAME, &map_type);
}

static weir_status add_infer(weir_infer *i)
{
    WEIR_TRY(weir_sparse_infer(i, INDICES, VALUES, SHAPE, "sparse_"));
    i->out[0] = WEIR_SCALAR;
    return WEIR_OK;
}

static weir_status add(weir_call *call)
{
    tensors_map *m;
    WEIR_TRY(open_map(call, &m));
    weir_sparse_row row = {weir_tensor_share(weir_in(call, INDICES)),
                           weir_tensor_share(weir_in(call, VALUES)),
                           weir_tensor_share(weir_in(call, SHAPE))};
    *(int64_t *)weir_out(call, 0)->data = map_add(m, &row);
    weir_ref_release(&m->base.ref);
    return WEIR_OK;
}

static weir_status add_many_infer(weir_infer *i)
{
    const weir_tensor *shape = weir_infer_value(i, SHAPE);
    WEIR_TRY(weir_sparse_infer(i, INDICES, VALUES, SHAPE, "sparse_"));
    i->out[0] = weir_shape_vector(-1);
    if (!weir_infer_running(i))
        return WEIR_OK;
    i->out[0].dims[0] = weir_tensor_count(shape) > 0 ? *(const int64_t *)shape->data : 0;
    return weir_shape_check(&i->out[0]);
}

typedef struct adding {
    tensors_map *map;
    int64_t *handles;
} adding;

static weir_status add_row(void *arg, int64_t row, weir_sparse_row *r)
{
    adding *a = arg;
    a->handles[row] = map_add(a->map, r);
    return WEIR_OK;
}

static weir_status add_many(weir_call *call)
{
    adding a = {.handles = weir_out(call, 0)->data};
    weir_sparse s;
    WEIR_TRY(weir_sparse_read(call, INDICES, VALUES, SHAPE, &s));
    WEIR_TRY(open_map(call, &a.map));
    weir_status status = weir_sparse_each_row(&s, add_row, &a);
    weir_ref_release(&a.map->base.ref);
    return status;
}

/* ---- taking -------------------------------------------------------------------------------------
 */

static weir_status take_infer(weir_infer *i)
{
    WEIR_TRY(weir_infer_rank(i, 0, 1));
    i->out[0] = weir_shape_of_rank(2);
    i->out[1] = i->out[2] = weir_shape_vector(-1);
    return WEIR_OK;
}

static weir_status take(weir_call *call)
{
    const weir_tensor *handles = weir_in(call, 0);
    int64_t count = weir_tensor_count(handles);
    weir_dtype dtype = weir_dtype_base(call->site->out_types[1]);
    weir_sparse_row *rows = WEIR_NEW_ARRAY(weir_sparse_row, count);
    tensors_map *m;
    weir_status s = open_map(call, &m);
    if (!s) {
        for (int64_t r = 0; !s && r < count; r++) {
            s = map_take(m, ((const int64_t *)handles->data)[r], &rows[r]);
            if (!s)
                s = weir_sparse_row_check(&rows[r], dtype);
        }
        if (!s)
            s = weir_sparse_stack(call, &handles->shape, rows, count);
        weir_ref_release(&m->base.ref);
    }
    for (int64_t r = 0; r < count; r++)
        weir_sparse_row_fini(&rows[r]);
    weir_free(rows);
    return s;
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
