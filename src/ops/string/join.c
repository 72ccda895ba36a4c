/* ops/string/join.c - StringJoin, ReduceJoin, UnsortedSegmentJoin: concatenation of strings. */
#include <inttypes.h>

#include "base/room.h"
#include "base/stop.h"
#include "ops/string/string_impl.h"

/* |bytes| are those of all texts that are being joined, with this one. False: they exceed the
 * memory limit, or the step was cancelled; the op ends then. */
static bool append(weir_buf *out, weir_str separator, bool first, weir_str text, size_t *bytes)
{
    *bytes += (first ? 0 : separator.length) + text.length;
    if (!weir_room_grants(*bytes) || weir_stopped())
        return false;
    if (!first)
        weir_buf_add(out, separator.at, separator.length);
    weir_buf_add(out, text.at, text.length);
    return true;
}

/* ---- StringJoin: element by element; scalars serve every element ---- */

static weir_status infer_join(weir_infer *infer)
{
    weir_shape merged = WEIR_UNKNOWN_SHAPE;
    bool unknown = false;
    for (int in = 0; in < infer->in_count; in++) {
        unknown |= infer->in[in]->rank < 0;
        if (infer->in[in]->rank > 0)
            WEIR_TRY(weir_infer_merge(&merged, infer->in[in], &merged));
    }
    if (!unknown)
        infer->out[0] = merged.rank < 0 ? WEIR_SCALAR : merged;
    return WEIR_OK;
}

static weir_status string_join(weir_call *call)
{
    weir_tensor *out = weir_out(call, 0);
    weir_str separator = weir_site_str(call->site, 1);
    WEIR_BUF(buf);
    for (int64_t i = 0; i < weir_tensor_count(out); i++) {
        size_t bytes = buf.length = 0;
        for (int in = 0; in < call->site->in_count; in++) {
            const weir_tensor *tensor = weir_in(call, in);
            weir_str text = weir_str_at(tensor, tensor->shape.rank ? i : 0);
            if (!append(&buf, separator, in == 0, text, &bytes))
                return WEIR_OK;
        }
        weir_str_put(out, i, weir_view(&buf));
    }
    return WEIR_OK;
}

const weir_op weir_op_string_join = {
    .name = "StringJoin",
    .in = "inputs: N * string",
    .out = "output: string",
    .attrs = "N: int >= 0; separator: string = \"\"",
    .infer = infer_join,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", string_join}},
};

/* ---- ReduceJoin: along dimensions, the first named one changing fastest ---- */

enum { KEEP_DIMS, SEPARATOR };

typedef struct dims {
    int count;
    int at[WEIR_MAX_RANK]; /* in the order given */
    bool reduced[WEIR_MAX_RANK];
} dims;

static weir_status read_dims(const weir_tensor *tensor, int rank, dims *out)
{
    *out = (dims){0};
    const int32_t *values = tensor->data;
    for (int64_t i = 0; i < weir_tensor_count(tensor); i++) {
        int axis = values[i] < 0 ? values[i] + rank : values[i];
        if (axis < 0 || axis >= rank)
            return weir_error(WEIR_OUT_OF_RANGE,
                              "Invalid reduction dimension %d for input with %d dimension(s)",
                              values[i], rank);
        if (out->reduced[axis])
            return weir_error(WEIR_INVALID_ARGUMENT, "Duplicate reduction dimension %d", axis);
        out->reduced[axis] = true;
        out->at[out->count++] = axis;
    }
    return WEIR_OK;
}

static weir_status infer_reduce(weir_infer *infer)
{
    const weir_tensor *indices = weir_infer_value(infer, 1);
    if (!indices || infer->in[0]->rank < 0)
        return WEIR_OK;
    dims dims;
    weir_shape out = WEIR_SCALAR;
    WEIR_TRY(read_dims(indices, infer->in[0]->rank, &dims));
    for (int k = 0; k < infer->in[0]->rank; k++)
        if (!dims.reduced[k])
            out.dims[out.rank++] = infer->in[0]->dims[k];
        else if (weir_site_bool(infer->site, KEEP_DIMS))
            out.dims[out.rank++] = 1;
    infer->out[0] = out;
    return WEIR_OK;
}

/* Advances |at| over |count| dims, |order|[0] fastest; false after the last. */
static bool step(const weir_shape *shape, const int *order, int count, int64_t *at)
{
    for (int k = 0; k < count; k++) {
        if (++at[order[k]] < shape->dims[order[k]])
            return true;
        at[order[k]] = 0;
    }
    return false;
}

static int64_t offset_of(const weir_shape *shape, const int64_t *at)
{
    int64_t offset = 0;
    for (int axis = 0; axis < shape->rank; axis++)
        offset = offset * shape->dims[axis] + at[axis];
    return offset;
}

static weir_status reduce_join(weir_call *call)
{
    const weir_tensor *in = weir_in(call, 0);
    weir_tensor *out = weir_out(call, 0);
    weir_str separator = weir_site_str(call->site, SEPARATOR);
    dims dims;
    WEIR_TRY(read_dims(weir_in(call, 1), in->shape.rank, &dims));
    int kept[WEIR_MAX_RANK], kept_count = 0; /* last first: out is row-major */
    for (int k = in->shape.rank - 1; k >= 0; k--)
        if (!dims.reduced[k])
            kept[kept_count++] = k;
    bool empty = weir_tensor_count(in) == 0;
    int64_t at[WEIR_MAX_RANK] = {0};
    WEIR_BUF(buf);
    for (int64_t o = 0; o < weir_tensor_count(out); o++, step(&in->shape, kept, kept_count, at)) {
        size_t bytes = buf.length = 0;
        bool first = true;
        do {
            if (!empty &&
                !append(&buf, separator, first, weir_str_at(in, offset_of(&in->shape, at)), &bytes))
                return WEIR_OK;
            first = false;
        } while (!empty && step(&in->shape, dims.at, dims.count, at));
        weir_str_put(out, o, weir_view(&buf));
    }
    return WEIR_OK;
}

const weir_op weir_op_reduce_join = {
    .name = "ReduceJoin",
    .in = "inputs: string; reduction_indices: int32",
    .out = "output: string",
    .attrs = "keep_dims: bool = false; separator: string = \"\"",
    .infer = infer_reduce,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", reduce_join}},
};

/* ---- UnsortedSegmentJoin: strings with the same id ---- */

static weir_status infer_segment(weir_infer *infer)
{
    const weir_shape *in = infer->in[0], *ids = infer->in[1];
    WEIR_TRY(weir_infer_rank(infer, 2, 0));
    if (in->rank < 0 || ids->rank < 0)
        return WEIR_OK;
    weir_shape prefix = weir_infer_sub(in, 0, ids->rank), merged;
    WEIR_TRY(weir_infer_merge(&prefix, ids, &merged));
    int64_t segments = -1;
    bool known = weir_infer_value_int(infer, 2, &segments);
    if (known && segments < 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Number of segments must be positive");
    weir_shape count = weir_shape_vector(segments);
    weir_shape rest = weir_infer_sub(in, ids->rank, in->rank);
    return weir_infer_concat(&count, &rest, &infer->out[0]);
}

static int64_t id_at(const weir_tensor *tensor, int64_t i)
{
    return tensor->dtype == WEIR_INT32 ? ((const int32_t *)tensor->data)[i]
                                       : ((const int64_t *)tensor->data)[i];
}

static weir_status segment_join(weir_call *call)
{
    const weir_tensor *in = weir_in(call, 0), *ids = weir_in(call, 1);
    weir_tensor *out = weir_out(call, 0);
    weir_str separator = weir_site_str(call->site, 0);
    int64_t segments = out->shape.dims[0], count = weir_tensor_count(ids);
    int64_t row = segments ? weir_tensor_count(out) / segments
                           : weir_shape_product(&in->shape, ids->shape.rank, in->shape.rank);
    size_t cells = (size_t)(segments * row);
    WEIR_FREED weir_buf *joined = WEIR_NEW_ARRAY(weir_buf, cells);
    WEIR_FREED bool *started = WEIR_NEW_ARRAY(bool, cells);
    weir_status status = WEIR_OK;
    size_t bytes = 0;
    bool goes_on = true;
    for (int64_t i = 0; i < count && goes_on; i++) {
        int64_t id = id_at(ids, i);
        if (id < 0 || id >= segments) {
            status = weir_error(WEIR_INVALID_ARGUMENT,
                                "segment_ids are not allowed to exceed num_segments or to have "
                                "negative values. Got segment_ids[%" PRId64 "] = %" PRId64
                                " and %" PRId64 " segments",
                                i, id, segments);
            break;
        }
        for (int64_t k = 0; k < row && goes_on; k++) {
            int64_t cell = id * row + k;
            goes_on = append(&joined[cell], separator, !started[cell], weir_str_at(in, i * row + k),
                             &bytes);
            started[cell] = true;
        }
    }
    for (size_t cell = 0; cell < cells; cell++)
        weir_str_put_buf(out, (int64_t)cell, &joined[cell]);
    return status;
}

const weir_op weir_op_unsorted_segment_join = {
    .name = "UnsortedSegmentJoin",
    .in = "inputs: string; segment_ids: Tindices; num_segments: Tnumsegments",
    .out = "output: string",
    .attrs = "separator: string = \"\"; Tindices: {int32, int64}; Tnumsegments: {int32, int64} = "
             "DT_INT32",
    .infer = infer_segment,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", segment_join}},
};
