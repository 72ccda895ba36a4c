/* ops/parsing/lists.c - lists of features: the steps of sequence examples. */
#include <inttypes.h>

#include "base/arith.h"
#include "ops/parsing/features_impl.h"
#include "wire/messages.h"

/* Reads one step of message |i|. A step without a kind has no values of any type. */
static weir_status read_step(weir_features *f, const weir_feature_want *w, int64_t i,
                             weir_str bytes, weir_feature *out)
{
    weir_str name = weir_features_name(f, i);
    if (!weir_feature_read(bytes, &f->arena, out))
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

/* Reads the list of request |w| in message |i|, if present. */
static weir_status read_list(weir_features *f, size_t w, int64_t i, weir_found *found)
{
    weir_msg_feature_list list;
    weir_status damaged = weir_msg_feature_list_read(found->bytes, &f->arena, &list);
    weir_status_free(damaged);
    if (damaged)
        return weir_features_error(f, &f->wants.at[w], i,
                                   "Can't parse serialized SequenceExample.");
    weir_feature *steps = WEIR_ARENA_ARRAY(&f->arena, weir_feature, list.feature.count + 1);
    for (size_t k = 0; k < list.feature.count; k++)
        WEIR_TRY(read_step(f, &f->wants.at[w], i, list.feature.at[k], &steps[k]));
    found->steps = steps;
    found->count = (int64_t)list.feature.count;
    return WEIR_OK;
}

/* Totals over the lists of one request. */
typedef struct totals {
    int64_t steps, values;           /* of all messages */
    int64_t most_steps, most_values; /* of one list, of one step */
} totals;

/* Reads all lists of request |w|. */
static weir_status measure(weir_features *f, size_t w, totals *out)
{
    *out = (totals){0};
    for (int64_t i = 0; i < f->count; i++) {
        weir_found *list = weir_features_found(f, w, i);
        WEIR_TRY(read_list(f, w, i, list));
        for (int64_t k = 0; k < list->count; k++) {
            out->values += list->steps[k].count;
            out->most_values = weir_max(list->steps[k].count, out->most_values);
        }
        out->steps += list->count;
        out->most_steps = weir_max(list->count, out->most_steps);
    }
    return WEIR_OK;
}

/* ---- dense: [batch] + [most steps] + shape, short lists padded with zeros -------------------- */

static weir_status fill_dense_one(weir_features *f, size_t w, int64_t i, int64_t each,
                                  int64_t first, int64_t *out_steps)
{
    const weir_feature_want *want = &f->wants.at[w];
    weir_tensor *out = weir_out(f->call, want->out[0]);
    const weir_found *list = weir_features_found(f, w, i);
    weir_str name = weir_features_name(f, i);
    if (!list->bytes.at && !want->may_miss)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Name: %.*s, Feature list '%.*s' is required but could not be found.  "
                          "Did you mean to include it in feature_list_dense_missing_assumed_empty "
                          "or feature_list_dense_defaults?",
                          WEIR_STR_ARG(name), WEIR_STR_ARG(want->key));
    *out_steps = list->count;
    for (int64_t k = 0; k < list->count; k++) {
        const weir_feature *step = &list->steps[k];
        if (step->count != each)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Name: %.*s, Key: %.*s, Index: %" PRId64
                              ".  Number of values != expected.  values size: %" PRId64
                              " but output shape: %s",
                              WEIR_STR_ARG(name), WEIR_STR_ARG(want->key), k, step->count,
                              WEIR_SHAPE_STR(&want->shape));
        weir_feature_copy(step, out, first + k * each);
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

/* ---- sparse: indices are (message,) step, place ---------------------------------------------- */

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
        const weir_found *list = weir_features_found(f, w, i);
        for (int64_t k = 0; k < list->count; k++) {
            const weir_feature *step = &list->steps[k];
            weir_feature_copy(step, weir_out(f->call, want->out[1]), at);
            at += step->count;
            for (int64_t v = 0; v < step->count; v++) {
                if (f->batched)
                    *index++ = i;
                *index++ = k;
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

/* ---- ragged: outer splits count steps, inner splits values ----------------------------------- */

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
        const weir_found *list = weir_features_found(f, w, i);
        for (int64_t k = 0; k < list->count; k++) {
            const weir_feature *step = &list->steps[k];
            weir_feature_copy(step, weir_out(f->call, want->out[0]), at);
            at += step->count;
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
