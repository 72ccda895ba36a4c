/* ops/parsing/lists.c - lists of features: the steps of sequence examples. */
#include <inttypes.h>

#include "base/arith.h"
#include "ops/parsing/features_impl.h"
#include "wire/messages.h"

/* The steps of the list that want |w| has in message |i|; *out_there is false when it is missing.
 */
static weir_status open_list(const weir_features *f, size_t w, int64_t i, weir_arena *arena,
                             weir_strs *out_steps, bool *out_there)
{
    weir_str value = f->found[(size_t)i * f->wants.count + w];
    weir_msg_feature_list list = {0};
    *out_there = value.at != NULL;
    weir_status damaged = weir_msg_feature_list_read(value, arena, &list);
    weir_status_free(damaged);
    if (damaged)
        return weir_features_error(f, &f->wants.at[w], i,
                                   "Can't parse serialized SequenceExample.");
    *out_steps = list.feature;
    return WEIR_OK;
}

/* Reads one step of message |i|. A step without a kind has no values of any type. */
static weir_status read_step(const weir_features *f, const weir_feature_want *w, int64_t i,
                             weir_str bytes, weir_feature *out)
{
    weir_str name = weir_features_name(f, i);
    if (!weir_feature_parse(bytes, out))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Name: %.*s, Feature list: %.*s, Index: %" PRId64
                          ".  Can't parse serialized SequenceExample.",
                          WEIR_STR_ARG(name), WEIR_STR_ARG(w->key), i);
    if (out->dtype && out->dtype != w->dtype)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Name: %.*s, Feature list: %.*s, Index: %" PRId64
                          ".  Data types don't match. Expected type: %s",
                          WEIR_STR_ARG(name), WEIR_STR_ARG(w->key), i, weir_dtype_name(w->dtype));
    return WEIR_OK;
}

/* What the lists of one want add up to. */
typedef struct totals {
    int64_t steps, values;           /* of all messages */
    int64_t most_steps, most_values; /* of one list, of one step */
} totals;

static weir_status measure(const weir_features *f, size_t w, totals *out)
{
    *out = (totals){0};
    for (int64_t i = 0; i < f->count; i++) {
        WEIR_MESSAGE_ARENA(arena);
        weir_strs steps;
        bool there;
        WEIR_TRY(open_list(f, w, i, &arena, &steps, &there));
        for (size_t k = 0; k < steps.count; k++) {
            weir_feature step;
            WEIR_TRY(read_step(f, &f->wants.at[w], i, steps.at[k], &step));
            out->values += step.count;
            out->most_values = weir_max(step.count, out->most_values);
        }
        out->steps += (int64_t)steps.count;
        out->most_steps = weir_max((int64_t)steps.count, out->most_steps);
    }
    return WEIR_OK;
}

/* ---- dense: [batch] + [most steps] + shape, short lists padded with zeros ---- */

static weir_status fill_dense_one(weir_features *f, size_t w, int64_t i, int64_t each,
                                  int64_t first, int64_t *out_steps)
{
    const weir_feature_want *want = &f->wants.at[w];
    weir_tensor *out = weir_out(f->call, want->out[0]);
    WEIR_MESSAGE_ARENA(arena);
    weir_strs steps;
    bool there;
    WEIR_TRY(open_list(f, w, i, &arena, &steps, &there));
    weir_str name = weir_features_name(f, i);
    if (!there && !want->may_miss)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Name: %.*s, Feature list '%.*s' is required but could not be found.  "
                          "Did you mean to include it in feature_list_dense_missing_assumed_empty "
                          "or feature_list_dense_defaults?",
                          WEIR_STR_ARG(name), WEIR_STR_ARG(want->key));
    *out_steps = (int64_t)steps.count;
    for (int64_t k = 0; k < *out_steps; k++) {
        weir_feature step;
        WEIR_TRY(read_step(f, want, i, steps.at[k], &step));
        if (step.count != each)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Name: %.*s, Key: %.*s, Index: %" PRId64
                              ".  Number of values != expected.  values size: %" PRId64
                              " but output shape: %s",
                              WEIR_STR_ARG(name), WEIR_STR_ARG(want->key), k, step.count,
                              WEIR_SHAPE_STR(&want->shape));
        weir_feature_copy(&step, out, first + k * each);
    }
    return WEIR_OK;
}

static weir_status fill_dense(weir_features *f, size_t w)
{
    const weir_feature_want *want = &f->wants.at[w];
    if (!weir_shape_known(&want->shape))
        return weir_error(WEIR_INVALID_ARGUMENT, "Shape %s is not fully defined",
                          WEIR_SHAPE_STR(&want->shape));
    if (want->shape.rank + 2 > WEIR_MAX_RANK)
        return weir_error(WEIR_INVALID_ARGUMENT, "too many dimensions: %s",
                          WEIR_SHAPE_STR(&want->shape));
    totals t;
    WEIR_TRY(measure(f, w, &t));
    weir_shape shape = WEIR_SCALAR;
    if (f->batched)
        weir_shape_append(&shape, f->count);
    weir_shape_append(&shape, t.most_steps);
    for (int d = 0; d < want->shape.rank; d++)
        weir_shape_append(&shape, want->shape.dims[d]);
    WEIR_TRY(weir_call_alloc(f->call, want->out[0], &shape));
    weir_tensor *out = weir_out(f->call, want->out[0]);
    weir_elements_zero(out->dtype, out->data, weir_tensor_count(out));
    weir_shape lengths = f->batched ? weir_shape_vector(f->count) : WEIR_SCALAR;
    if (want->out[1] >= 0)
        WEIR_TRY(weir_call_alloc(f->call, want->out[1], &lengths));
    int64_t each = weir_shape_count(&want->shape);
    for (int64_t i = 0; i < f->count; i++) {
        int64_t steps = 0;
        WEIR_TRY(fill_dense_one(f, w, i, each, i * t.most_steps * each, &steps));
        if (want->out[1] >= 0)
            ((int64_t *)weir_out(f->call, want->out[1])->data)[i] = steps;
    }
    return WEIR_OK;
}

/* ---- sparse: indices are (message,) step, place ---- */

static weir_status fill_sparse(weir_features *f, size_t w)
{
    const weir_feature_want *want = &f->wants.at[w];
    int rank = f->batched ? 3 : 2;
    totals t;
    WEIR_TRY(measure(f, w, &t));
    weir_shape indices = weir_shape_matrix(t.values, rank), values = weir_shape_vector(t.values),
               dense = weir_shape_vector(rank);
    WEIR_TRY(weir_call_alloc(f->call, want->out[0], &indices));
    WEIR_TRY(weir_call_alloc(f->call, want->out[1], &values));
    WEIR_TRY(weir_call_alloc(f->call, want->out[2], &dense));
    int64_t *index = weir_out(f->call, want->out[0])->data, at = 0;
    int64_t *shape = weir_out(f->call, want->out[2])->data;
    for (int64_t i = 0; i < f->count; i++) {
        WEIR_MESSAGE_ARENA(arena);
        weir_strs steps;
        bool there;
        WEIR_TRY(open_list(f, w, i, &arena, &steps, &there));
        for (size_t k = 0; k < steps.count; k++) {
            weir_feature step;
            WEIR_TRY(read_step(f, want, i, steps.at[k], &step));
            weir_feature_copy(&step, weir_out(f->call, want->out[1]), at);
            at += step.count;
            for (int64_t v = 0; v < step.count; v++) {
                if (f->batched)
                    *index++ = i;
                *index++ = (int64_t)k;
                *index++ = v;
            }
        }
    }
    if (f->batched)
        *shape++ = f->count;
    shape[0] = t.most_steps;
    shape[1] = t.most_values;
    return WEIR_OK;
}

/* ---- ragged: outer splits count steps, inner splits values ---- */

static weir_status fill_ragged(weir_features *f, size_t w)
{
    const weir_feature_want *want = &f->wants.at[w];
    totals t;
    WEIR_TRY(measure(f, w, &t));
    weir_shape values = weir_shape_vector(t.values), inner = weir_shape_vector(t.steps + 1);
    weir_shape outer = weir_features_splits(f);
    WEIR_TRY(weir_call_alloc(f->call, want->out[0], &values));
    WEIR_TRY(weir_call_alloc(f->call, want->out[1], &outer));
    WEIR_TRY(weir_call_alloc(f->call, want->out[2], &inner));
    weir_tensor *outers = weir_out(f->call, want->out[1]),
                *inners = weir_out(f->call, want->out[2]);
    int64_t at = 0, done = 0;
    weir_put_split(inners, 0, 0);
    if (weir_tensor_count(outers))
        weir_put_split(outers, 0, f->batched ? 0 : t.steps);
    for (int64_t i = 0; i < f->count; i++) {
        WEIR_MESSAGE_ARENA(arena);
        weir_strs steps;
        bool there;
        WEIR_TRY(open_list(f, w, i, &arena, &steps, &there));
        for (size_t k = 0; k < steps.count; k++) {
            weir_feature step;
            WEIR_TRY(read_step(f, want, i, steps.at[k], &step));
            weir_feature_copy(&step, weir_out(f->call, want->out[0]), at);
            at += step.count;
            weir_put_split(inners, ++done, at);
        }
        if (f->batched)
            weir_put_split(outers, i + 1, done);
    }
    return WEIR_OK;
}

weir_status weir_lists_run(weir_features *f)
{
    WEIR_TRY(weir_features_find(f));
    for (size_t w = 0; w < f->wants.count; w++)
        switch (f->wants.at[w].form) {
        case WEIR_SPARSE:
            WEIR_TRY(fill_sparse(f, w));
            break;
        case WEIR_RAGGED:
            WEIR_TRY(fill_ragged(f, w));
            break;
        default:
            WEIR_TRY(fill_dense(f, w));
        }
    return WEIR_OK;
}
