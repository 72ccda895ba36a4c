/* train/clip.c - gradients cut down: by value, by their norm, by the norm of all of them. */
#include "base/mem.h"
#include "weir/ops/array.h"
#include "weir/ops/math.h"
#include "weir/ops/nn.h"
#include "weir/train.h"

/* A number of the type of |like|. */
static TF_Output number(weir_builder *b, const char *name, float value, TF_Output like)
{
    TF_Output single = weir_build_float(b, name, value);
    if (!like.oper || TF_OperationOutputType(like) == TF_FLOAT)
        return single;
    return weir_cast(b, name, single, TF_OperationOutputType(like), NULL);
}

static TF_Output by_value(weir_builder *b, const weir_clip *c, TF_Output x)
{
    TF_Output high = number(b, "high", c->limit, x);
    TF_Output low = number(b, "low", c->low != 0 ? weir_float_of(c->low) : -c->limit, x);
    return weir_maximum(b, "clipped", weir_minimum(b, "below", x, high), low);
}

/* 0, 1, 2 ...: every axis of |x|. */
static TF_Output all_axes(weir_builder *b, TF_Output x)
{
    return weir_range(b, "axes", weir_build_int32(b, "first", 0), weir_rank(b, "rank", x),
                      weir_build_int32(b, "step", 1));
}

static TF_Output by_norm(weir_builder *b, const weir_clip *c, TF_Output x)
{
    TF_Output limit = number(b, "limit", c->limit > 0 ? c->limit : 0, x);
    TF_Output sum = weir_sum(b, "sum", weir_mul(b, "square", x, x), all_axes(b, x),
                             &(weir_sum_options){.keep_dims = true});
    TF_Output norm = weir_sqrt(b, "norm", sum);
    return weir_real_div(b, "clipped", weir_mul(b, "scaled", x, limit),
                         weir_maximum(b, "largest", norm, limit));
}

/* The norm of all elements of all gradients, as a float. */
static TF_Output global_norm(weir_builder *b, const weir_gradient *g, int count)
{
    TF_Output *halves = WEIR_NEW_ARRAY(TF_Output, count);
    for (int i = 0; i < count; i++) {
        halves[i] = weir_l2_loss(b, "half", g[i].values);
        if (halves[i].oper && TF_OperationOutputType(halves[i]) != TF_FLOAT)
            halves[i] = weir_cast(b, "half", halves[i], TF_FLOAT, NULL);
    }
    TF_Output all = weir_pack(b, "halves", halves, count, NULL);
    weir_free(halves);
    TF_Output sum = weir_sum(b, "sum", all, weir_build_int32(b, "axis", 0), NULL);
    return weir_sqrt(b, "global_norm", weir_mul(b, "squares", sum, weir_build_float(b, "two", 2)));
}

/* A norm that is not finite makes everything NaN, so that it is seen. */
static void by_global_norm(weir_builder *b, const weir_clip *c, weir_gradient *g, int count)
{
    TF_Output norm = global_norm(b, g, count), one = weir_build_float(b, "one", 1);
    TF_Output limit = weir_build_float(b, "limit", c->limit);
    TF_Output least = weir_minimum(b, "least", weir_real_div(b, "inverse", one, norm),
                                   weir_real_div(b, "most", one, limit));
    TF_Output scale = weir_add_v2(b, "scale", weir_mul(b, "finite", limit, least),
                                  weir_sub(b, "nothing", norm, norm));
    for (int i = 0; i < count; i++) {
        TF_Output by = scale;
        if (by.oper && TF_OperationOutputType(g[i].values) != TF_FLOAT)
            by = weir_cast(b, "scale", scale, TF_OperationOutputType(g[i].values), NULL);
        g[i].values = weir_mul(b, "clipped", g[i].values, by);
    }
}

void weir_build_clip(weir_builder *b, const weir_clip *c, weir_gradient *g, int count)
{
    if (c->kind == WEIR_CLIP_NONE || !count || TF_GetCode(weir_build_status(b)) != TF_OK)
        return;
    weir_build_push_scope(b, "clip");
    if (c->kind == WEIR_CLIP_BY_GLOBAL_NORM)
        by_global_norm(b, c, g, count);
    else
        for (int i = 0; i < count; i++)
            g[i].values = (c->kind == WEIR_CLIP_BY_VALUE ? by_value : by_norm)(b, c, g[i].values);
    weir_build_pop_scope(b);
}
