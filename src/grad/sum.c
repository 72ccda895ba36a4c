/* grad/sum.c - gradients that arrive for an output, dense and sparse, and their sum. */
#include "grad/grad_impl.h"

static weir_sum *sum_of(weir_engine *e, weir_edge to)
{
    weir_info *info = weir_engine_info(e, to.node);
    if (!info->sums)
        info->sums = WEIR_ARENA_ARRAY(&e->arena, weir_sum, to.node->site.out_count);
    return &info->sums[to.index];
}

void weir_sum_add(weir_engine *e, weir_edge to, weir_edge dx)
{
    if (dx.node)
        weir_vec_push(&sum_of(e, to)->dense, dx);
}

void weir_sum_add_slices(weir_engine *e, weir_edge to, weir_slices dx)
{
    if (dx.values.node)
        weir_vec_push(&sum_of(e, to)->sparse, dx);
}

bool weir_sum_any(weir_engine *e, weir_edge of)
{
    weir_info *info = weir_engine_info(e, of.node);
    return info->sums && info->sums[of.index].dense.count + info->sums[of.index].sparse.count > 0;
}

/* Element 0 of a vector, as a scalar. */
static weir_edge first_element(weir_grad *g, weir_edge vector)
{
    weir_edge zero = weir_grad_const_int32(g, (int32_t[]){0}, 1);
    weir_edge one = weir_grad_const_int32(g, (int32_t[]){1}, 1);
    return weir_grad_op(g, "StridedSlice", WEIR_IN(vector, zero, one, one),
                        WEIR_ATTRS(weir_a_int("shrink_axis_mask", 1)));
}

weir_edge weir_slices_dense(weir_grad *g, const weir_slices *s)
{
    return weir_grad_op(g, "UnsortedSegmentSum",
                        WEIR_IN(s->values, s->indices, first_element(g, s->shape)), WEIR_NO_ATTRS);
}

static weir_edge concat(weir_grad *g, const weir_edge *parts, int count)
{
    weir_edge *in = WEIR_NEW_ARRAY(weir_edge, count + 1);
    memcpy(in, parts, (size_t)count * sizeof *in);
    in[count] = weir_grad_scalar(g, WEIR_INT32, 0);
    weir_edge all = weir_grad_op(g, "ConcatV2", in, count + 1, WEIR_NO_ATTRS);
    weir_free(in);
    return all;
}

static weir_edge as_int64(weir_grad *g, weir_edge e)
{
    if (!e.node || weir_edge_dtype(e) == WEIR_INT64)
        return e;
    return weir_grad_op(g, "Cast", WEIR_IN(e), WEIR_ATTRS(weir_a_type("DstT", WEIR_INT64)));
}

static weir_slices join(weir_grad *g, const weir_slices *s, int count)
{
    bool mixed = false;
    for (int i = 1; i < count; i++)
        mixed |= weir_edge_dtype(s[i].indices) != weir_edge_dtype(s[0].indices);
    weir_edge *values = WEIR_NEW_ARRAY(weir_edge, count),
              *indices = WEIR_NEW_ARRAY(weir_edge, count);
    for (int i = 0; i < count; i++) {
        values[i] = s[i].values;
        indices[i] = mixed ? as_int64(g, s[i].indices) : s[i].indices;
    }
    weir_slices all = {concat(g, values, count), concat(g, indices, count), s[0].shape};
    weir_free(values);
    weir_free(indices);
    return all;
}

bool weir_sum_slices(weir_grad *g, weir_edge of, weir_slices *out_slices)
{
    if (!weir_sum_any(g->engine, of))
        return false;
    weir_sum *sum = sum_of(g->engine, of);
    if (sum->dense.count || g->engine->status)
        return false;
    if (sum->sparse.count > 1) {
        sum->sparse.at[0] = join(g, sum->sparse.at, (int)sum->sparse.count);
        sum->sparse.count = 1;
    }
    *out_slices = sum->sparse.at[0];
    return out_slices->values.node && out_slices->indices.node;
}

weir_edge weir_sum_dense(weir_grad *g, weir_edge of)
{
    if (!weir_sum_any(g->engine, of) || g->engine->status)
        return (weir_edge){0};
    weir_sum *sum = sum_of(g->engine, of);
    if (sum->sparse.count) {
        weir_slices all = sum->sparse.count > 1 ? join(g, sum->sparse.at, (int)sum->sparse.count)
                                                : sum->sparse.at[0];
        sum->sparse.count = 0;
        weir_vec_push(&sum->dense, weir_slices_dense(g, &all));
    }
    if (sum->dense.count > 1 && !g->engine->status) {
        sum->dense.at[0] =
            weir_grad_op(g, "AddN", sum->dense.at, (int)sum->dense.count, WEIR_NO_ATTRS);
        sum->dense.count = 1;
    }
    return sum->dense.at[0];
}
