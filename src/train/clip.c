/* train/clip.c - gradient clipping: by value, by norm, by global norm. */
#include "base/mem.h"
#include "weir/ops/array.h"
#include "weir/ops/math.h"
#include "weir/ops/nn.h"
#include "weir/train.h"

/* A scalar of the type of |like|. */
static TF_Output number(weir_builder *builder, const char *name, float value, TF_Output like)
{
    TF_Output single = weir_build_float(builder, name, value);
    if (!like.oper || TF_OperationOutputType(like) == TF_FLOAT)
        return single;
    return weir_cast(builder, name, single, TF_OperationOutputType(like), NULL);
}

static TF_Output by_value(weir_builder *builder, const weir_clip *clip, TF_Output x)
{
    TF_Output high = number(builder, "high", clip->limit, x);
    TF_Output low =
        number(builder, "low", clip->low != 0 ? weir_float_of(clip->low) : -clip->limit, x);
    return weir_maximum(builder, "clipped", weir_minimum(builder, "below", x, high), low);
}

/* 0, 1, 2 ...: every axis of |x|. */
static TF_Output all_axes(weir_builder *builder, TF_Output x)
{
    return weir_range(builder, "axes", weir_build_int32(builder, "first", 0),
                      weir_rank(builder, "rank", x), weir_build_int32(builder, "step", 1));
}

static TF_Output by_norm(weir_builder *builder, const weir_clip *clip, TF_Output x)
{
    TF_Output limit = number(builder, "limit", clip->limit > 0 ? clip->limit : 0, x);
    TF_Output sum = weir_sum(builder, "sum", weir_mul(builder, "square", x, x),
                             all_axes(builder, x), &(weir_sum_options){.keep_dims = true});
    TF_Output norm = weir_sqrt(builder, "norm", sum);
    return weir_real_div(builder, "clipped", weir_mul(builder, "scaled", x, limit),
                         weir_maximum(builder, "largest", norm, limit));
}

/* The norm of all elements of all gradients, as a float. */
static TF_Output global_norm(weir_builder *builder, const weir_gradient *gradients, int count)
{
    TF_Output *halves = WEIR_NEW_ARRAY(TF_Output, count);
    for (int i = 0; i < count; i++) {
        halves[i] = weir_l2_loss(builder, "half", gradients[i].values);
        if (halves[i].oper && TF_OperationOutputType(halves[i]) != TF_FLOAT)
            halves[i] = weir_cast(builder, "half", halves[i], TF_FLOAT, NULL);
    }
    TF_Output all = weir_pack(builder, "halves", halves, count, NULL);
    weir_free(halves);
    TF_Output sum = weir_sum(builder, "sum", all, weir_build_int32(builder, "axis", 0), NULL);
    return weir_sqrt(builder, "global_norm",
                     weir_mul(builder, "squares", sum, weir_build_float(builder, "two", 2)));
}

/* A non-finite norm makes everything NaN, so that it is noticed. */
static void by_global_norm(weir_builder *builder, const weir_clip *clip, weir_gradient *gradients,
                           int count)
{
    TF_Output norm = global_norm(builder, gradients, count),
              one = weir_build_float(builder, "one", 1);
    TF_Output limit = weir_build_float(builder, "limit", clip->limit);
    TF_Output least = weir_minimum(builder, "least", weir_real_div(builder, "inverse", one, norm),
                                   weir_real_div(builder, "most", one, limit));
    TF_Output scale = weir_add_v2(builder, "scale", weir_mul(builder, "finite", limit, least),
                                  weir_sub(builder, "nothing", norm, norm));
    for (int i = 0; i < count; i++) {
        TF_Output by = scale;
        if (by.oper && TF_OperationOutputType(gradients[i].values) != TF_FLOAT)
            by = weir_cast(builder, "scale", scale, TF_OperationOutputType(gradients[i].values),
                           NULL);
        gradients[i].values = weir_mul(builder, "clipped", gradients[i].values, by);
    }
}

void weir_build_clip(weir_builder *builder, const weir_clip *clip, weir_gradient *gradients,
                     int count)
{
    if (clip->kind == WEIR_CLIP_NONE || !count || TF_GetCode(weir_build_status(builder)) != TF_OK)
        return;
    weir_build_push_scope(builder, "clip");
    if (clip->kind == WEIR_CLIP_BY_GLOBAL_NORM)
        by_global_norm(builder, clip, gradients, count);
    else
        for (int i = 0; i < count; i++)
            gradients[i].values = (clip->kind == WEIR_CLIP_BY_VALUE ? by_value : by_norm)(
                builder, clip, gradients[i].values);
    weir_build_pop_scope(builder);
}
