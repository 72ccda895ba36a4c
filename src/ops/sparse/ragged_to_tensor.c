/* ops/sparse/ragged_to_tensor.c - RaggedTensorToTensor: pads or truncates rows to one length.
 *
 * A ragged tensor comes as values and one partition per ragged dimension: the number of rows
 * (FIRST_DIM_SIZE, only first), the row of each value (VALUE_ROWIDS), or where rows begin
 * (ROW_SPLITS). The index of each row in the result is computed level by level; rows that do not
 * fit are dropped.
 */
#include "base/arith.h"
#include "ops/common/elements.h"
#include "ops/common/index.h"
#include "ops/common/infer_util.h"
#include "ops/common/ndcopy.h"

enum { T, TINDEX, TSHAPE, PARTITIONS, PARTITION_TYPES };
enum { SHAPE, VALUES, DEFAULT, FIRST_PARTITION }; /* inputs */

typedef enum kind { FIRST_DIM_SIZE, VALUE_ROWIDS, ROW_SPLITS, KINDS } kind;
static const char *const kind_names[] = {"FIRST_DIM_SIZE", "VALUE_ROWIDS", "ROW_SPLITS"};

static weir_status kind_of(const weir_site *site, int p, kind *out)
{
    const weir_attr *types = weir_site_list(site, PARTITION_TYPES);
    for (int k = 0; p < types->count && k < KINDS; k++)
        if (weir_str_is(types->ss[p], kind_names[k])) {
            *out = (kind)k;
            return WEIR_OK;
        }
    return weir_error(WEIR_INVALID_ARGUMENT, "Unknown string for partition info type");
}

static weir_status infer(weir_infer *infer)
{
    const weir_shape *values = infer->in[VALUES];
    weir_shape wanted = WEIR_UNKNOWN_SHAPE;
    int levels = 0;
    if (infer->in[SHAPE]->rank == 1)
        WEIR_TRY(weir_infer_value_as_shape(infer, SHAPE, &wanted));
    for (int p = 0; p < infer->in_count - FIRST_PARTITION; p++) {
        kind kind;
        WEIR_TRY(kind_of(infer->site, p, &kind));
        WEIR_TRY(weir_infer_rank(infer, FIRST_PARTITION + p, kind == FIRST_DIM_SIZE ? 0 : 1));
        levels += kind != FIRST_DIM_SIZE;
        if (kind == FIRST_DIM_SIZE && p > 0)
            return weir_error(WEIR_INVALID_ARGUMENT, "FIRST_DIM_SIZE must be first");
    }
    if (weir_infer_running(infer) || values->rank < 0)
        return WEIR_OK;
    if (wanted.rank < 0 && levels + values->rank <= WEIR_MAX_RANK)
        wanted = weir_shape_of_rank(levels + values->rank);
    for (int axis = 1; axis < values->rank; axis++) { /* trailing dims are those of the values */
        int at = wanted.rank - values->rank + axis;
        if (at >= 0 && wanted.dims[at] < 0)
            wanted.dims[at] = values->dims[axis];
    }
    infer->out[0] = wanted;
    return WEIR_OK;
}

/* ---- sizes ----------------------------------------------------------------------------------- */

static int64_t longest_run(const weir_tensor *ids)
{
    int64_t count = weir_tensor_count(ids), most = 0, run = 0;
    for (int64_t n = 0; n < count; n++) {
        run = n && weir_index_at(ids, n) == weir_index_at(ids, n - 1) ? run + 1 : 1;
        most = weir_max(run, most);
    }
    return most;
}

static int64_t longest_split(const weir_tensor *splits)
{
    int64_t most = 0;
    for (int64_t n = 1; n < weir_tensor_count(splits); n++) {
        int64_t length = weir_index_at(splits, n) - weir_index_at(splits, n - 1);
        most = weir_max(length, most);
    }
    return most;
}

/* The levels of a call: partitions except FIRST_DIM_SIZE, which only gives |rows|. */
typedef struct ragged {
    weir_call *call;
    int first, levels; /* first partition that is a level, and how many */
    int64_t rows;
    weir_shape shape; /* of the result */
} ragged;

static const weir_tensor *level_at(const ragged *ragged, int level)
{
    return weir_in(ragged->call, ragged->first + level);
}

static weir_status find_rows(ragged *ragged)
{
    kind kind;
    WEIR_TRY(kind_of(ragged->call->site, 0, &kind));
    const weir_tensor *first = weir_in(ragged->call, FIRST_PARTITION);
    ragged->first = FIRST_PARTITION + (kind == FIRST_DIM_SIZE);
    ragged->levels = ragged->call->site->in_count - ragged->first;
    if (kind == VALUE_ROWIDS)
        return weir_error(WEIR_INVALID_ARGUMENT, "Cannot handle VALUE_ROWIDS in first dimension.");
    if (kind == ROW_SPLITS && weir_tensor_count(first) == 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Row splits must have at least one value");
    ragged->rows = kind == FIRST_DIM_SIZE ? weir_index_at(first, 0) : weir_tensor_count(first) - 1;
    if (ragged->rows < 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "FIRST_DIM_SIZE must be >= 0, got %" PRId64,
                          ragged->rows);
    return WEIR_OK;
}

/* Requested dims if given; otherwise the number of rows, the longest row, the values' own dims. */
static weir_status find_shape(ragged *ragged)
{
    const weir_tensor *wanted = weir_in(ragged->call, SHAPE),
                      *values = weir_in(ragged->call, VALUES);
    bool open = wanted->shape.rank == 0;
    ragged->shape = weir_shape_vector(ragged->rows);
    for (int k = 0; k < ragged->levels; k++) {
        kind kind_;
        WEIR_TRY(kind_of(ragged->call->site, ragged->first - FIRST_PARTITION + k, &kind_));
        const weir_tensor *p = level_at(ragged, k);
        WEIR_TRY(weir_infer_append(&ragged->shape,
                                   kind_ == ROW_SPLITS ? longest_split(p) : longest_run(p)));
    }
    for (int axis = 1; axis < values->shape.rank; axis++)
        WEIR_TRY(weir_infer_append(&ragged->shape, values->shape.dims[axis]));
    if (!open && weir_tensor_count(wanted) != ragged->shape.rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "shape has %" PRId64 " dimensions, the ragged tensor has %d",
                          weir_tensor_count(wanted), ragged->shape.rank);
    for (int axis = 0; !open && axis < ragged->shape.rank; axis++)
        if (weir_int_at(wanted, axis) >= 0)
            ragged->shape.dims[axis] = weir_int_at(wanted, axis);
    return weir_shape_check(&ragged->shape);
}

/* ---- places ---------------------------------------------------------------------------------- */

/* One level down: maps |places| of rows in the result to those of their elements; -1: dropped. */
static weir_status split_level(const weir_tensor *splits, const int64_t *rows, int64_t row_count,
                               int64_t width, int64_t *out, int64_t count)
{
    int64_t total = 0;
    if (weir_tensor_count(splits) != row_count + 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Row splits of %" PRId64 " rows must have %" PRId64
                          " values, got %" PRId64,
                          row_count, row_count + 1, weir_tensor_count(splits));
    for (int64_t row = 0; row < row_count; row++) {
        int64_t begin = weir_index_at(splits, row), end = weir_index_at(splits, row + 1);
        if (begin != total || end < begin || end > count)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Invalid row split size: %" PRId64 " to %" PRId64 " of %" PRId64,
                              begin, end, count);
        for (; total < end; total++)
            out[total] =
                rows[row] >= 0 && total - begin < width ? rows[row] * width + total - begin : -1;
    }
    if (total != count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Row splits end at %" PRId64 ", there are %" PRId64 " values", total,
                          count);
    return WEIR_OK;
}

static weir_status rowid_level(const weir_tensor *ids, const int64_t *rows, int64_t row_count,
                               int64_t width, int64_t *out, int64_t count)
{
    int64_t place = 0;
    for (int64_t n = 0; n < count; n++) {
        int64_t id = weir_index_at(ids, n);
        if (id < 0 || id >= row_count)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Got current_value_rowid=%" PRId64
                              " which is not less than parent_output_index.size()=%" PRId64,
                              id, row_count);
        place = n && weir_index_at(ids, n - 1) == id ? place + 1 : 0;
        out[n] = rows[id] >= 0 && place < width ? rows[id] * width + place : -1;
    }
    return WEIR_OK;
}

/* Elements of |level|: the rows of the next level, or the values. */
static int64_t element_count(const ragged *ragged, int level, kind kind)
{
    const weir_tensor *p = level_at(ragged, level);
    return kind == VALUE_ROWIDS   ? weir_tensor_count(p)
           : weir_tensor_count(p) ? weir_index_at(p, weir_tensor_count(p) - 1)
                                  : 0;
}

/* |places| contains the rows' indices initially and the values' at the end. A client determines
 * their number, so they are in a tensor, whose allocation may be refused. */
static weir_status find_places(const ragged *ragged, weir_tensor *places)
{
    for (int level = 0; level < ragged->levels; level++) {
        kind kind;
        WEIR_TRY(kind_of(ragged->call->site, ragged->first - FIRST_PARTITION + level, &kind));
        const weir_tensor *p = level_at(ragged, level);
        int64_t elements = element_count(ragged, level, kind),
                width = ragged->shape.dims[level + 1];
        weir_shape vector = weir_shape_vector(elements);
        weir_tensor next;
        WEIR_TRY(weir_shape_check(&vector));
        WEIR_TRY(weir_tensor_alloc(WEIR_INT64, &vector, &next));
        int64_t rows = weir_tensor_count(places);
        weir_status status = kind == ROW_SPLITS
                                 ? split_level(p, places->data, rows, width, next.data, elements)
                                 : rowid_level(p, places->data, rows, width, next.data, elements);
        weir_tensor_release(places);
        *places = next;
        WEIR_TRY(status);
    }
    return WEIR_OK;
}

/* ---- filling --------------------------------------------------------------------------------- */

/* The default value is broadcast to the shape of one value. */
static weir_status fill_default(const ragged *ragged, weir_tensor *y)
{
    const weir_tensor *d = weir_in(ragged->call, DEFAULT);
    int64_t ds[WEIR_MAX_RANK], ys[WEIR_MAX_RANK];
    int lead = y->shape.rank - d->shape.rank;
    weir_ndcopy copy = {0};
    if (d->shape.rank > weir_in(ragged->call, VALUES)->shape.rank - 1 && d->shape.rank > 0)
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            "default_value.shape=%s and rt_input.flat_values.shape=%s are incompatible",
            WEIR_SHAPE_STR(&d->shape), WEIR_SHAPE_STR(&weir_in(ragged->call, VALUES)->shape));
    weir_shape_strides(&d->shape, ds);
    weir_shape_strides(&y->shape, ys);
    for (int k = 0; k < y->shape.rank; k++) {
        bool repeats = k < lead || d->shape.dims[k - lead] == 1;
        if (!repeats && d->shape.dims[k - lead] != y->shape.dims[k])
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "default_value.shape=%s cannot be broadcast to %s",
                              WEIR_SHAPE_STR(&d->shape), WEIR_SHAPE_STR(&y->shape));
        weir_ndcopy_add(&copy, y->shape.dims[k], ys[k], repeats ? 0 : ds[k - lead]);
    }
    weir_ndcopy_run(&ragged->call->run->par, y->dtype, y->data, d->data, &copy);
    return WEIR_OK;
}

static weir_status put_values(const ragged *ragged, weir_tensor *y, const weir_tensor *places)
{
    const int64_t *place = places->data;
    int64_t count = weir_tensor_count(places);
    const weir_tensor *values = weir_in(ragged->call, VALUES);
    int64_t run = weir_shape_product(&values->shape, 1, values->shape.rank);
    int64_t out_run = weir_shape_product(&y->shape, ragged->levels + 1, y->shape.rank);
    if (values->shape.rank < 1 || count > values->shape.dims[0] || run != out_run)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Ragged values of shape %s do not fit a result of shape %s",
                          WEIR_SHAPE_STR(&values->shape), WEIR_SHAPE_STR(&y->shape));
    for (int64_t n = 0; n < count; n++)
        if (place[n] >= 0)
            weir_elements_copy(y->dtype, weir_at(y, place[n] * run), weir_at(values, n * run), run);
    return WEIR_OK;
}

static weir_status run(weir_call *call)
{
    ragged ragged = {.call = call};
    WEIR_TRY(find_rows(&ragged));
    WEIR_TRY(find_shape(&ragged));
    WEIR_TRY(weir_call_alloc(call, 0, &ragged.shape));
    weir_tensor *y = weir_out(call, 0);
    if (weir_tensor_count(y) == 0)
        return WEIR_OK;
    WEIR_TRY(fill_default(&ragged, y));
    weir_shape rows = weir_shape_vector(ragged.rows);
    weir_tensor places;
    WEIR_TRY(weir_tensor_alloc(WEIR_INT64, &rows, &places));
    for (int64_t n = 0; n < ragged.rows; n++)
        ((int64_t *)places.data)[n] = n < ragged.shape.dims[0] ? n : -1;
    weir_status status = find_places(&ragged, &places);
    if (!status)
        status = put_values(&ragged, y, &places);
    weir_tensor_release(&places);
    return status;
}

const weir_op weir_op_ragged_tensor_to_tensor = {
    .name = "RaggedTensorToTensor",
    .in = "shape: Tshape; values: T; default_value: T; "
          "row_partition_tensors: num_row_partition_tensors * Tindex",
    .out = "result: T",
    .attrs = "T: type; Tindex: {int64, int32}; Tshape: {int64, int32}; "
             "num_row_partition_tensors: int >= 1; row_partition_types: list(string)",
    .infer = infer,
    .kernels = {{WEIR_CPU, "*", run, WEIR_OWN_OUTPUTS}},
};
