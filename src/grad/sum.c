/* grad/sum.c - accumulates an output's gradients, dense and sparse. */
#include "grad/grad_impl.h"

static weir_sum *sum_of(weir_engine *engine, weir_edge to)
{
    weir_info *info = weir_engine_info(engine, to.node);
    if (!info->sums)
        info->sums = WEIR_ARENA_ARRAY(&engine->arena, weir_sum, to.node->site.out_count);
    return &info->sums[to.index];
}

void weir_sum_add(weir_engine *engine, weir_edge to, weir_edge dx)
{
    if (dx.node)
        weir_vec_push(&sum_of(engine, to)->dense, dx);
}

void weir_sum_add_slices(weir_engine *engine, weir_edge to, weir_slices dx)
{
    if (dx.values.node)
        weir_vec_push(&sum_of(engine, to)->sparse, dx);
}

bool weir_sum_any(weir_engine *engine, weir_edge of)
{
    weir_info *info = weir_engine_info(engine, of.node);
    return info->sums && info->sums[of.index].dense.count + info->sums[of.index].sparse.count > 0;
}

/* Element 0 of a vector, as a scalar. */
static weir_edge first_element(weir_grad *grad, weir_edge vector)
{
    weir_edge zero = weir_grad_const_int32(grad, (int32_t[]){0}, 1);
    weir_edge one = weir_grad_const_int32(grad, (int32_t[]){1}, 1);
    return weir_grad_op(grad, "StridedSlice", WEIR_IN(vector, zero, one, one),
                        WEIR_ATTRS(weir_a_int("shrink_axis_mask", 1)));
}

weir_edge weir_slices_dense(weir_grad *grad, const weir_slices *slices)
{
    return weir_grad_op(
        grad, "UnsortedSegmentSum",
        WEIR_IN(slices->values, slices->indices, first_element(grad, slices->shape)),
        WEIR_NO_ATTRS);
}

static weir_edge concat(weir_grad *grad, const weir_edge *parts, int count)
{
    weir_edge *in = WEIR_NEW_ARRAY(weir_edge, count + 1);
    memcpy(in, parts, (size_t)count * sizeof *in);
    in[count] = weir_grad_scalar(grad, WEIR_INT32, 0);
    weir_edge all = weir_grad_op(grad, "ConcatV2", in, count + 1, WEIR_NO_ATTRS);
    weir_free(in);
    return all;
}

static weir_edge as_int64(weir_grad *grad, weir_edge edge)
{
    if (!edge.node || weir_edge_dtype(edge) == WEIR_INT64)
        return edge;
    return weir_grad_op(grad, "Cast", WEIR_IN(edge), WEIR_ATTRS(weir_a_type("DstT", WEIR_INT64)));
}

static weir_slices join(weir_grad *grad, const weir_slices *slices, int count)
{
    bool mixed = false;
    for (int i = 1; i < count; i++)
        mixed |= weir_edge_dtype(slices[i].indices) != weir_edge_dtype(slices[0].indices);
    weir_edge *values = WEIR_NEW_ARRAY(weir_edge, count),
              *indices = WEIR_NEW_ARRAY(weir_edge, count);
    for (int i = 0; i < count; i++) {
        values[i] = slices[i].values;
        indices[i] = mixed ? as_int64(grad, slices[i].indices) : slices[i].indices;
    }
    weir_slices all = {concat(grad, values, count), concat(grad, indices, count), slices[0].shape};
    weir_free(values);
    weir_free(indices);
    return all;
}

bool weir_sum_slices(weir_grad *grad, weir_edge of, weir_slices *out_slices)
{
    if (!weir_sum_any(grad->engine, of))
        return false;
    weir_sum *sum = sum_of(grad->engine, of);
    if (sum->dense.count || grad->engine->status)
        return false;
    if (sum->sparse.count > 1) {
        sum->sparse.at[0] = join(grad, sum->sparse.at, (int)sum->sparse.count);
        sum->sparse.count = 1;
    }
    *out_slices = sum->sparse.at[0];
    return out_slices->values.node && out_slices->indices.node;
}

weir_edge weir_sum_dense(weir_grad *grad, weir_edge of)
{
    if (!weir_sum_any(grad->engine, of) || grad->engine->status)
        return (weir_edge){0};
    weir_sum *sum = sum_of(grad->engine, of);
    if (sum->sparse.count) {
        weir_slices all = sum->sparse.count > 1 ? join(grad, sum->sparse.at, (int)sum->sparse.count)
                                                : sum->sparse.at[0];
        sum->sparse.count = 0;
        weir_vec_push(&sum->dense, weir_slices_dense(grad, &all));
    }
    if (sum->dense.count > 1 && !grad->engine->status) {
        sum->dense.at[0] =
            weir_grad_op(grad, "AddN", sum->dense.at, (int)sum->dense.count, WEIR_NO_ATTRS);
        sum->dense.count = 1;
    }
    return sum->dense.at[0];
}
