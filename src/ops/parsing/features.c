/* ops/parsing/features.c - single features: finds them and creates their tensors. */
#include "base/arith.h"
#include "ops/parsing/features_impl.h"
#include "wire/messages.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

/* ---- requests and lookup --------------------------------------------------------------------- */

void weir_features_add(weir_features *f, weir_feature_want want)
{
    intptr_t number = (intptr_t)f->wants.count + 1;
    want.same = (int)(intptr_t)weir_map_put(&f->by_key, want.key, (void *)number) - 1;
    weir_vec_push(&f->wants, want);
}

void weir_features_fini(weir_features *f)
{
    weir_vec_fini(&f->wants);
    weir_map_fini(&f->by_key);
    weir_free(f->found);
    weir_arena_fini(&f->arena);
}

typedef struct visit {
    weir_features *f;
    weir_found *row;
} visit;

static void note(void *arg, weir_str key, weir_str value)
{
    visit *v = arg;
    int want = (int)(intptr_t)weir_map_get(&v->f->by_key, key) - 1;
    for (; want >= 0; want = v->f->wants.at[want].same)
        v->row[want].bytes =
            value.at ? value : WEIR_STR(""); /* the last occurrence of a repeated key counts */
}

weir_status weir_features_find(weir_features *f)
{
    size_t wants = f->wants.count;
    f->count = weir_tensor_count(f->inputs);
    f->found = WEIR_NEW_ARRAY(weir_found, (size_t)f->count * wants + 1);
    for (int64_t i = 0; i < f->count; i++) {
        visit v = {f, f->found + (size_t)i * wants};
        weir_str message = weir_str_at(f->inputs, i);
        if (!weir_features_visit(message, f->outer, note, &v))
            return weir_error(WEIR_INVALID_ARGUMENT, "Could not parse example input, value: '%.*s'",
                              WEIR_STR_ARG(message));
    }
    return WEIR_OK;
}

weir_str weir_features_name(const weir_features *f, int64_t i)
{
    return f->names && weir_tensor_count(f->names) > i ? weir_str_at(f->names, i)
                                                       : WEIR_STR("<unknown>");
}

weir_status weir_features_error(const weir_features *f, const weir_feature_want *w, int64_t i,
                                const char *fmt, ...)
{
    WEIR_BUF(text);
    weir_str name = weir_features_name(f, i);
    if (f->single)
        weir_buf_addf(&text, "Key: %.*s.  ", WEIR_STR_ARG(w->key));
    else
        weir_buf_addf(&text, "Name: %.*s, Key: %.*s, Index: %" PRId64 ".  ", WEIR_STR_ARG(name),
                      WEIR_STR_ARG(w->key), i);
    char rest[512];
    va_list args;
    va_start(args, fmt);
    vsnprintf(rest, sizeof rest, fmt, args);
    va_end(args);
    return weir_error(WEIR_INVALID_ARGUMENT, "%s%s", text.at, rest);
}

/* The feature of request |w| in message |i|. *out_there is false if it is missing. */
static weir_status get(const weir_features *f, size_t w, int64_t i, weir_arena *arena,
                       weir_feature *out, bool *out_there)
{
    const weir_feature_want *want = &f->wants.at[w];
    weir_str bytes = weir_features_found(f, w, i)->bytes;
    *out = (weir_feature){0};
    *out_there = false;
    if (!bytes.at)
        return WEIR_OK;
    if (!weir_feature_read(bytes, arena, out))
        return weir_features_error(f, want, i, "Can't parse serialized Example.");
    if (out->dtype == WEIR_DT_INVALID)
        return WEIR_OK; /* a feature without a kind counts as missing */
    if (out->dtype != want->dtype)
        return want->form == WEIR_DENSE
                   ? weir_features_error(f, want, i,
                                         "Data types don't match. Data type: %s but expected "
                                         "type: %s",
                                         weir_dtype_name(out->dtype), weir_dtype_name(want->dtype))
                   : weir_features_error(f, want, i,
                                         "Data types don't match. Expected type: %s, Actual type: "
                                         "%s",
                                         weir_dtype_name(want->dtype), weir_dtype_name(out->dtype));
    *out_there = true;
    return WEIR_OK;
}

/* The values of request |w| in all messages, in f->arena; empty for messages without it. */
static weir_status get_all(weir_features *f, size_t w, weir_feature **out)
{
    bool there;
    *out = WEIR_ARENA_ARRAY(&f->arena, weir_feature, f->count + 1);
    for (int64_t i = 0; i < f->count; i++)
        WEIR_TRY(get(f, w, i, &f->arena, &(*out)[i], &there));
    return WEIR_OK;
}

static weir_status missing(const weir_features *f, const weir_feature_want *w, int64_t i)
{
    if (f->plain_errors)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Feature: %.*s (data type: %s) is required but could not be found.",
                          WEIR_STR_ARG(w->key), weir_dtype_name(w->dtype));
    weir_str name = weir_features_name(f, i);
    return weir_error(WEIR_INVALID_ARGUMENT,
                      "Name: %.*s, Feature: %.*s (data type: %s) is required but could not be "
                      "found.",
                      WEIR_STR_ARG(name), WEIR_STR_ARG(w->key), weir_dtype_name(w->dtype));
}

/* ---- dense ----------------------------------------------------------------------------------- */

static bool is_variable(const weir_feature_want *w)
{
    return w->shape.rank > 0 && w->shape.dims[0] < 0;
}

static weir_shape with_batch(const weir_features *f, weir_shape shape)
{
    if (!f->batched)
        return shape;
    weir_shape s = {shape.rank + 1, {f->count}};
    memcpy(s.dims + 1, shape.dims, sizeof *s.dims * (size_t)shape.rank);
    return s;
}

static void copy_default(weir_tensor *out, int64_t first, const weir_tensor *from, int64_t count)
{
    size_t size = weir_dtype_size(out->dtype);
    char *to = (char *)out->data + (size_t)first * size;
    if (weir_tensor_count(from) == count) {
        weir_elements_copy(out->dtype, to, from->data, count);
        return;
    }
    for (int64_t i = 0; i < count; i++) /* one element is the padding for all */
        weir_elements_copy(out->dtype, to + (size_t)i * size, from->data, 1);
}

static weir_status check_dense(const weir_feature_want *w, size_t number)
{
    if (w->shape.rank + 1 > WEIR_MAX_RANK)
        return weir_error(WEIR_INVALID_ARGUMENT, "dense_shapes[%zu] has too many dimensions: %s",
                          number, WEIR_SHAPE_STR(&w->shape));
    for (int d = is_variable(w) ? 1 : 0; d < w->shape.rank; d++)
        if (w->shape.dims[d] < 0)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "dense_shapes[%zu] has unknown inner dimensions: %s", number,
                              WEIR_SHAPE_STR(&w->shape));
    if (is_variable(w) && weir_tensor_count(w->otherwise) != 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "dense_shape[%zu] is a variable length shape: %s, therefore "
                          "def_value[%zu] must contain a single element (the padding element).  "
                          "But its shape is: %s",
                          number, WEIR_SHAPE_STR(&w->shape), number,
                          WEIR_SHAPE_STR(&w->otherwise->shape));
    if (!is_variable(w) && weir_tensor_count(w->otherwise) > 0 &&
        !weir_shape_eq(&w->shape, &w->otherwise->shape))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "def_value[%zu].shape() == %s is not compatible with dense_shapes_[%zu] "
                          "== %s",
                          number, WEIR_SHAPE_STR(&w->otherwise->shape), number,
                          WEIR_SHAPE_STR(&w->shape));
    return WEIR_OK;
}

static const char *list_name(weir_dtype dtype)
{
    return dtype == WEIR_INT64 ? "int64_list" : dtype == WEIR_FLOAT ? "float_list" : "bytes_list";
}

static weir_status wrong_count(const weir_features *f, const weir_feature_want *w, int64_t i,
                               int64_t count)
{
    bool strings_over = w->dtype == WEIR_STRING && count > weir_shape_count(&w->shape);
    if (f->single)
        return weir_features_error(f, w, i, "Can't parse serialized Example: %s%s%s",
                                   strings_over ? "Parsing " : "Some ", list_name(w->dtype),
                                   strings_over ? " failed." : " slice was not parsed.");
    return weir_features_error(
        f, w, i, "Number of %s values != expected.  Values size: %" PRId64 " but output shape: %s",
        weir_dtype_name(w->dtype), count, WEIR_SHAPE_STR(&w->shape));
}

static weir_status wrong_stride(const weir_features *f, const weir_feature_want *w, int64_t i,
                                int64_t count, int64_t stride)
{
    if (f->single)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Error while parsing feature with key %.*s: number of elements should be "
                          "divisible by %" PRId64 ", found %" PRId64 " instead",
                          WEIR_STR_ARG(w->key), stride, count);
    return weir_features_error(f, w, i,
                               "Number of %s values is not a multiple of stride length. Saw "
                               "%" PRId64 " values but output shape is: %s",
                               weir_dtype_name(w->dtype), count, WEIR_SHAPE_STR(&w->shape));
}

static weir_status fill_fixed(weir_features *f, size_t w)
{
    const weir_feature_want *want = &f->wants.at[w];
    weir_shape shape = with_batch(f, want->shape);
    WEIR_TRY(weir_call_alloc(f->call, want->out[0], &shape));
    weir_tensor *out = weir_out(f->call, want->out[0]);
    int64_t each = weir_shape_count(&want->shape);
    for (int64_t i = 0; i < f->count; i++) {
        WEIR_MESSAGE_ARENA(arena);
        weir_feature feature;
        bool there;
        WEIR_TRY(get(f, w, i, &arena, &feature, &there));
        if (there && feature.count != each)
            return wrong_count(f, want, i, feature.count);
        if (there)
            weir_feature_copy(&feature, out, i * each);
        else if (weir_tensor_count(want->otherwise) == 0)
            return missing(f, want, i);
        else
            copy_default(out, i * each, want->otherwise, each);
    }
    return WEIR_OK;
}

static weir_status fill_variable(weir_features *f, size_t w)
{
    const weir_feature_want *want = &f->wants.at[w];
    int64_t stride = weir_shape_product(&want->shape, 1, want->shape.rank), most = 0;
    weir_feature *features;
    WEIR_TRY(get_all(f, w, &features));
    for (int64_t i = 0; i < f->count; i++) {
        int64_t count = features[i].count;
        if (stride == 0 ? count : count % stride)
            return wrong_stride(f, want, i, count, stride);
        most = weir_max(stride ? count / stride : 0, most);
    }
    weir_shape one = want->shape;
    one.dims[0] = most;
    weir_shape shape = with_batch(f, one);
    WEIR_TRY(weir_call_alloc(f->call, want->out[0], &shape));
    weir_tensor *out = weir_out(f->call, want->out[0]);
    int64_t each = most * stride;
    for (int64_t i = 0; i < f->count; i++) {
        int64_t count = features[i].count;
        weir_feature_copy(&features[i], out, i * each);
        copy_default(out, i * each + count, want->otherwise, each - count);
    }
    return WEIR_OK;
}

/* ---- sparse and ragged ----------------------------------------------------------------------- */

static void count_values(const weir_features *f, const weir_feature *features, int64_t *out_total,
                         int64_t *out_most)
{
    *out_total = *out_most = 0;
    for (int64_t i = 0; i < f->count; i++) {
        *out_total += features[i].count;
        *out_most = weir_max(features[i].count, *out_most);
    }
}

static weir_status fill_sparse(weir_features *f, size_t w)
{
    const weir_feature_want *want = &f->wants.at[w];
    int rank = f->batched ? 2 : 1;
    int64_t total, most, at = 0;
    weir_feature *features;
    WEIR_TRY(get_all(f, w, &features));
    count_values(f, features, &total, &most);
    weir_shape pairs = weir_shape_matrix(total, rank), values = weir_shape_vector(total),
               dense = weir_shape_vector(rank);
    WEIR_TRY(weir_call_alloc(f->call, want->out[0], &pairs));
    WEIR_TRY(weir_call_alloc(f->call, want->out[1], &values));
    WEIR_TRY(weir_call_alloc(f->call, want->out[2], &dense));
    int64_t *index = weir_out(f->call, want->out[0])->data;
    int64_t *shape = weir_out(f->call, want->out[2])->data;
    for (int64_t i = 0; i < f->count; i++) {
        weir_feature_copy(&features[i], weir_out(f->call, want->out[1]), at);
        at += features[i].count;
        for (int64_t k = 0; k < features[i].count; k++) {
            if (f->batched)
                *index++ = i;
            *index++ = k;
        }
    }
    if (f->batched)
        *shape++ = f->count;
    *shape = most;
    return WEIR_OK;
}

weir_shape weir_features_splits(const weir_features *f)
{
    if (f->batched)
        return weir_shape_vector(f->count + 1);
    return f->scalar_splits ? WEIR_SCALAR : weir_shape_vector(0);
}

void weir_put_split(weir_tensor *t, int64_t i, int64_t v)
{
    if (t->dtype == WEIR_INT32)
        ((int32_t *)t->data)[i] = (int32_t)v;
    else
        ((int64_t *)t->data)[i] = v;
}

static weir_status fill_ragged(weir_features *f, size_t w)
{
    const weir_feature_want *want = &f->wants.at[w];
    int64_t total, most, at = 0;
    weir_feature *features;
    WEIR_TRY(get_all(f, w, &features));
    count_values(f, features, &total, &most);
    weir_shape values = weir_shape_vector(total);
    weir_shape splits = weir_features_splits(f);
    WEIR_TRY(weir_call_alloc(f->call, want->out[0], &values));
    WEIR_TRY(weir_call_alloc(f->call, want->out[1], &splits));
    weir_tensor *to = weir_out(f->call, want->out[1]);
    if (weir_tensor_count(to))
        weir_put_split(to, 0, f->batched ? 0 : total);
    for (int64_t i = 0; i < f->count; i++) {
        weir_feature_copy(&features[i], weir_out(f->call, want->out[0]), at);
        at += features[i].count;
        if (f->batched)
            weir_put_split(to, i + 1, at);
    }
    return WEIR_OK;
}

weir_status weir_features_run(weir_features *f)
{
    size_t dense = 0;
    for (size_t w = 0; w < f->wants.count; w++)
        if (f->wants.at[w].form == WEIR_DENSE)
            WEIR_TRY(check_dense(&f->wants.at[w], dense++));
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
            WEIR_TRY(is_variable(&f->wants.at[w]) ? fill_variable(f, w) : fill_fixed(f, w));
        }
    return WEIR_OK;
}

/* ---- shape inference ------------------------------------------------------------------------- */

void weir_infer_sparse(weir_infer *i, weir_range indices, weir_range values, weir_range shapes,
                       int rank)
{
    for (int k = 0; k < indices.count; k++) {
        i->out[indices.start + k] = weir_shape_matrix(-1, rank);
        i->out[values.start + k] = weir_shape_vector(-1);
        i->out[shapes.start + k] = weir_shape_vector(rank);
    }
}

weir_status weir_infer_dense(weir_infer *i, weir_range out, int shapes, const weir_shape *batch)
{
    const weir_attr *list = weir_site_list(i->site, shapes);
    if (list->count != out.count)
        return weir_error(WEIR_INVALID_ARGUMENT, "len(dense_keys) != len(dense_shapes): %d vs. %d",
                          out.count, list->count);
    for (int k = 0; k < out.count; k++)
        WEIR_TRY(weir_infer_concat(batch, &list->shapes[k], &i->out[out.start + k]));
    return WEIR_OK;
}
