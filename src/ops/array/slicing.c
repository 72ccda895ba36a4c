/* ops/array/slicing.c - x[begin:end:stride, ..., new axis, index]: resolves strided slices. */
#include "ops/array/slicing.h"
#include "base/arith.h"

#include "ops/common/elements.h"
#include "ops/common/infer_util.h"

enum { MAX_ENTRIES = 32 }; /* masks have 32 bits */

weir_slice_masks weir_slice_masks_of(const weir_site *site, int first_attr)
{
    return (weir_slice_masks){
        .begin = (uint32_t)weir_site_int(site, first_attr),
        .end = (uint32_t)weir_site_int(site, first_attr + 1),
        .ellipsis = (uint32_t)weir_site_int(site, first_attr + 2),
        .new_axis = (uint32_t)weir_site_int(site, first_attr + 3),
        .shrink = (uint32_t)weir_site_int(site, first_attr + 4),
    };
}

weir_status weir_slicing_check(weir_infer *infer, int in)
{
    const weir_shape *b = infer->in[in], *e = infer->in[in + 1], *shape = infer->in[in + 2];
    weir_shape vector = {1, {-1}}, all;
    weir_status bad = weir_infer_merge(&vector, b, &all);
    if (!bad)
        bad = weir_infer_merge(&all, e, &all);
    if (!bad)
        bad = weir_infer_merge(&all, shape, &all);
    if (bad) {
        weir_status_free(bad);
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Expected begin, end, and strides to be 1D equal size tensors, but got "
                          "shapes %s, %s, and %s instead.",
                          WEIR_SHAPE_STR(b), WEIR_SHAPE_STR(e), WEIR_SHAPE_STR(shape));
    }
    if (all.dims[0] >= MAX_ENTRIES)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "begin has %" PRId64 " entries, at most %d are allowed", all.dims[0],
                          MAX_ENTRIES - 1);
    return WEIR_OK;
}

/* One entry per dimension of the input, after expansion of the ellipsis. */
typedef struct dense {
    int64_t begin[WEIR_MAX_RANK], end[WEIR_MAX_RANK], stride[WEIR_MAX_RANK];
    bool begin_open[WEIR_MAX_RANK], end_open[WEIR_MAX_RANK]; /* masked: from, or to, the edge */
    bool shrink[WEIR_MAX_RANK];
    bool known; /* begin and end have values */
    int count;
    /* The result, in order: a dim of the input, or NEW_AXIS. */
    int result[WEIR_MAX_RANK + MAX_ENTRIES], result_count;
} dense;

enum { NEW_AXIS = -1 };

static void add_whole(dense *dense)
{
    int k = dense->count++;
    dense->begin[k] = dense->end[k] = 0;
    dense->stride[k] = 1;
    dense->begin_open[k] = dense->end_open[k] = true;
    dense->shrink[k] = false;
    dense->result[dense->result_count++] = k;
}

static weir_status add_entry(dense *dense, const weir_slice_masks *masks, const weir_tensor *begin,
                             const weir_tensor *end, const weir_tensor *strides, int entry,
                             int rank)
{
    uint32_t bit = 1u << entry;
    if (dense->count == rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Index out of range using input dim %d; input has only %d dims",
                          dense->count, rank);
    int k = dense->count++;
    dense->begin[k] = begin ? weir_int_at(begin, entry) : 0;
    dense->end[k] = end ? weir_int_at(end, entry) : 0;
    dense->stride[k] = weir_int_at(strides, entry);
    dense->begin_open[k] = masks->begin & bit;
    dense->end_open[k] = masks->end & bit;
    dense->shrink[k] = masks->shrink & bit;
    if (!dense->shrink[k])
        dense->result[dense->result_count++] = k;
    if (dense->stride[k] == 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "strides[%d] must be non-zero", k);
    return WEIR_OK;
}

/* An ellipsis covers the dims that the other entries leave; without one it is implied at the
 * end. */
static weir_status spell_out(const weir_slice_masks *masks, const weir_tensor *begin,
                             const weir_tensor *end, const weir_tensor *strides, int rank,
                             dense *out)
{
    int entries = (int)weir_tensor_count(strides), ellipses = 0, after = 0;
    *out = (dense){.known = begin && end};
    for (int e = 0; e < entries; e++) {
        bool is_ellipsis = masks->ellipsis >> e & 1;
        ellipses += is_ellipsis;
        after = is_ellipsis ? 0 : after + !(masks->new_axis >> e & 1);
    }
    if (ellipses > 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "Multiple ellipses in slice spec not allowed");
    for (int e = 0; e < entries; e++) {
        if (masks->ellipsis >> e & 1)
            while (out->count < rank - after)
                add_whole(out);
        else if (masks->new_axis >> e & 1)
            out->result[out->result_count++] = NEW_AXIS;
        else
            WEIR_TRY(add_entry(out, masks, begin, end, strides, e, rank));
    }
    while (out->count < rank)
        add_whole(out);
    return WEIR_OK;
}

/* Clamps a client's bound to the valid range: [0, dim] forwards, [-1, dim - 1]
 * backwards. */
static int64_t inside(int64_t x, int64_t dim, int64_t stride)
{
    int64_t low = stride > 0 ? 0 : -1, high = stride > 0 ? dim : dim - 1;
    return weir_clamp(x < 0 ? x + dim : x, low, high);
}

static int64_t steps(int64_t length, int64_t stride)
{
    if (length == 0 || (length < 0) != (stride < 0))
        return 0;
    return length / stride + (length % stride != 0);
}

static weir_status resolve_index(const dense *dense, int k, int64_t dim, weir_slicing *out)
{
    if (dense->stride[k] <= 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "only stride 1 allowed on non-range indexing.");
    out->size[k] = 1;
    if (!dense->known || dim < 0)
        return WEIR_OK;
    int64_t at = dense->begin_open[k] ? 0 : dense->begin[k];
    out->begin[k] = at < 0 ? at + dim : at;
    if (out->begin[k] < 0 || out->begin[k] >= dim)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "slice index %" PRId64 " of dimension %d out of bounds.", at, k);
    return WEIR_OK;
}

static weir_status resolve(const dense *dense, int k, int64_t dim, weir_slicing *out)
{
    int64_t stride = out->stride[k] = dense->stride[k];
    bool open = dense->begin_open[k] && dense->end_open[k];
    out->begin[k] = 0;
    out->size[k] = -1;
    if (dense->shrink[k])
        return resolve_index(dense, k, dim, out);
    if (dim < 0 || (!dense->known && !open))
        return WEIR_OK;
    int64_t first = stride > 0 ? 0 : dim - 1, last = stride > 0 ? dim : -1;
    int64_t begin = dense->begin_open[k] ? first : inside(dense->begin[k], dim, stride);
    int64_t end = dense->end_open[k] ? last : inside(dense->end[k], dim, stride);
    out->begin[k] = begin;
    out->size[k] = steps(end - begin, stride);
    return WEIR_OK;
}

weir_status weir_slicing_make(const weir_slice_masks *masks, const weir_tensor *begin,
                              const weir_tensor *end, const weir_tensor *strides,
                              const weir_shape *input, weir_slicing *out)
{
    dense dense;
    WEIR_TRY(spell_out(masks, begin, end, strides, input->rank, &dense));
    out->rank = input->rank;
    out->whole = true;
    for (int k = 0; k < input->rank; k++) {
        WEIR_TRY(resolve(&dense, k, input->dims[k], out));
        out->whole &= out->begin[k] == 0 && out->stride[k] == 1 && out->size[k] == input->dims[k];
    }
    out->shape = WEIR_SCALAR;
    for (int result_index = 0; result_index < dense.result_count; result_index++)
        WEIR_TRY(weir_infer_append(&out->shape, dense.result[result_index] == NEW_AXIS
                                                    ? 1
                                                    : out->size[dense.result[result_index]]));
    return WEIR_OK;
}

/* The loop nest over the selection; |at| gets the full tensor's offset of its first element. */
static weir_ndcopy nest(const weir_slicing *slicing, const weir_shape *full, bool put, int64_t *at)
{
    int64_t strides[WEIR_MAX_RANK], dense_stride = 1;
    weir_ndcopy copy = {.rank = slicing->rank};
    weir_shape_strides(full, strides);
    *at = 0;
    for (int axis = slicing->rank - 1; axis >= 0; axis--) {
        int64_t step = strides[axis] * slicing->stride[axis];
        copy.dim[axis] = put ? (weir_nddim){slicing->size[axis], step, dense_stride}
                             : (weir_nddim){slicing->size[axis], dense_stride, step};
        dense_stride *= slicing->size[axis];
        *at += strides[axis] * slicing->begin[axis];
    }
    return copy;
}

void weir_slicing_get(const weir_par *par, weir_dtype dtype, const weir_slicing *slicing,
                      const weir_shape *full, const void *x, void *part)
{
    int64_t at;
    weir_ndcopy copy = nest(slicing, full, false, &at);
    weir_ndcopy_run(par, dtype, part, (const char *)x + at * (int64_t)weir_dtype_size(dtype),
                    &copy);
}

void weir_slicing_put(const weir_par *par, weir_dtype dtype, const weir_slicing *slicing,
                      const weir_shape *full, void *x, const void *part)
{
    int64_t at;
    weir_ndcopy copy = nest(slicing, full, true, &at);
    weir_ndcopy_run(par, dtype, (char *)x + at * (int64_t)weir_dtype_size(dtype), part, &copy);
}
