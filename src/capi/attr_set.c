/* capi/attr_set.c - setters of attrs, for nodes and eager ops. */
#include "capi/build_impl.h"
#include "graph/graph.h"

void weir_attr_set_init(weir_attr_set *set)
{
    *set = (weir_attr_set){0};
    weir_arena_init(&set->arena);
}

void weir_attr_set_fini(weir_attr_set *set)
{
    weir_vec_fini(&set->attrs);
    weir_status_free(set->error);
    weir_arena_fini(&set->arena);
}

void weir_attr_set_fail(weir_attr_set *set, weir_status status)
{
    if (set->error)
        weir_status_free(status);
    else
        set->error = status;
}

const weir_attr *weir_attr_set_find(const weir_attr_set *set, const char *name)
{
    return weir_named_attr_find(set->attrs.at, (int)set->attrs.count, name);
}

static void refuse_change(weir_attr_set *set, const char *name, const weir_attr *had,
                          const weir_attr *value)
{
    WEIR_BUF(was);
    WEIR_BUF(is);
    weir_attr_text(had, &was);
    weir_attr_text(value, &is);
    weir_attr_set_fail(set, weir_error(WEIR_INVALID_ARGUMENT,
                                       "Inconsistent values for attr '%s' %s vs. %s", name,
                                       was.at ? was.at : "", is.at ? is.at : ""));
}

void weir_attr_set_put(weir_attr_set *set, const char *name, const weir_attr *value)
{
    const weir_attr *had = weir_attr_set_find(set, name);
    if (!had)
        weir_vec_push(&set->attrs, (weir_named_attr){weir_arena_strdup(&set->arena, name),
                                                     weir_attr_copy(&set->arena, value)});
    else if (!set->lenient && !weir_attr_eq(had, value))
        refuse_change(set, name, had, value);
}

void weir_attr_set_follow(weir_attr_set *set, const char *name, const weir_attr *value)
{
    weir_attr *had = (weir_attr *)weir_attr_set_find(set, name);
    if (had && set->lenient && !weir_attr_eq(had, value))
        *had = weir_attr_copy(&set->arena, value);
    else
        weir_attr_set_put(set, name, value);
}

/* ---- one value ------------------------------------------------------------------------------- */

void weir_attr_set_string(weir_attr_set *set, const char *name, const void *value, size_t length)
{
    weir_attr attr = {.kind = WEIR_ATTR_STRING, .s = {value, length}};
    weir_attr_set_put(set, name, &attr);
}

void weir_attr_set_int(weir_attr_set *set, const char *name, int64_t value)
{
    weir_attr attr = {.kind = WEIR_ATTR_INT, .i = value};
    weir_attr_set_put(set, name, &attr);
}

void weir_attr_set_float(weir_attr_set *set, const char *name, float value)
{
    weir_attr attr = {.kind = WEIR_ATTR_FLOAT, .f = value};
    weir_attr_set_put(set, name, &attr);
}

void weir_attr_set_bool(weir_attr_set *set, const char *name, bool value)
{
    weir_attr attr = {.kind = WEIR_ATTR_BOOL, .b = value};
    weir_attr_set_put(set, name, &attr);
}

void weir_attr_set_type(weir_attr_set *set, const char *name, TF_DataType value)
{
    weir_attr attr = {.kind = WEIR_ATTR_TYPE, .type = (int32_t)value};
    weir_attr_set_put(set, name, &attr);
}

void weir_attr_set_placeholder(weir_attr_set *set, const char *name, const char *value)
{
    weir_attr attr = {.kind = WEIR_ATTR_PLACEHOLDER, .s = weir_str_of(value)};
    weir_attr_set_put(set, name, &attr);
}

void weir_attr_set_func(weir_attr_set *set, const char *name, const char *value, size_t length)
{
    weir_func func = {.name = weir_arena_strndup(&set->arena, value, length)};
    weir_attr attr = {.kind = WEIR_ATTR_FUNC, .func = &func};
    weir_attr_set_put(set, name, &attr);
}

weir_status weir_attr_set_shape(weir_attr_set *set, const char *name, const int64_t *dims, int rank)
{
    weir_shape shape;
    WEIR_TRY(weir_shape_make(dims, rank < 0 ? -1 : rank, &shape));
    weir_attr attr = {.kind = WEIR_ATTR_SHAPE, .shape = &shape};
    weir_attr_set_put(set, name, &attr);
    return WEIR_OK;
}

/* A copy: the client may change the tensor's bytes afterwards. */
weir_status weir_attr_set_tensor(weir_attr_set *set, const char *name, const TF_Tensor *value)
{
    weir_tensor copy;
    WEIR_TRY(weir_tensor_clone(&value->t, &copy));
    weir_attr attr = {.kind = WEIR_ATTR_TENSOR, .tensor = &copy};
    weir_attr_set_put(set, name, &attr);
    weir_tensor_release(&copy);
    return WEIR_OK;
}

weir_status weir_attr_set_proto(weir_attr_set *set, const char *name, weir_str proto)
{
    weir_attr attr;
    weir_status status = weir_attr_import(&set->arena, proto, &attr);
    if (status) {
        weir_status_free(status);
        return weir_error(WEIR_INVALID_ARGUMENT, "Unparseable AttrValue proto");
    }
    weir_attr_set_put(set, name, &attr);
    return WEIR_OK;
}

/* ---- lists ----------------------------------------------------------------------------------- */

static weir_attr list_of(weir_attr_kind kind, int count)
{
    return (weir_attr){.kind = (uint8_t)kind, .is_list = true, .count = count > 0 ? count : 0};
}

void weir_attr_set_strings(weir_attr_set *set, const char *name, const void *const *values,
                           const size_t *lengths, int count)
{
    weir_attr attr = list_of(WEIR_ATTR_STRING, count);
    weir_str *at = WEIR_ARENA_ARRAY(&set->arena, weir_str, attr.count);
    for (int i = 0; i < attr.count; i++)
        at[i] = (weir_str){values[i], lengths[i]};
    attr.ss = at;
    weir_attr_set_put(set, name, &attr);
}

void weir_attr_set_ints(weir_attr_set *set, const char *name, const int64_t *values, int count)
{
    weir_attr attr = list_of(WEIR_ATTR_INT, count);
    attr.is = values;
    weir_attr_set_put(set, name, &attr);
}

void weir_attr_set_floats(weir_attr_set *set, const char *name, const float *values, int count)
{
    weir_attr attr = list_of(WEIR_ATTR_FLOAT, count);
    attr.fs = values;
    weir_attr_set_put(set, name, &attr);
}

void weir_attr_set_bools(weir_attr_set *set, const char *name, const unsigned char *values,
                         int count)
{
    weir_attr attr = list_of(WEIR_ATTR_BOOL, count);
    bool *at = WEIR_ARENA_ARRAY(&set->arena, bool, attr.count);
    for (int i = 0; i < attr.count; i++)
        at[i] = values[i] != 0;
    attr.bs = at;
    weir_attr_set_put(set, name, &attr);
}

void weir_attr_set_types(weir_attr_set *set, const char *name, const TF_DataType *values, int count)
{
    weir_attr attr = list_of(WEIR_ATTR_TYPE, count);
    int32_t *at = WEIR_ARENA_ARRAY(&set->arena, int32_t, attr.count);
    for (int i = 0; i < attr.count; i++)
        at[i] = (int32_t)values[i];
    attr.types = at;
    weir_attr_set_put(set, name, &attr);
}

weir_status weir_attr_set_shapes(weir_attr_set *set, const char *name, const int64_t *const *dims,
                                 const int *ranks, int count)
{
    weir_attr attr = list_of(WEIR_ATTR_SHAPE, count);
    weir_shape *at = WEIR_ARENA_ARRAY(&set->arena, weir_shape, attr.count);
    for (int i = 0; i < attr.count; i++)
        WEIR_TRY(weir_shape_make(dims[i], ranks[i] < 0 ? -1 : ranks[i], &at[i]));
    attr.shapes = at;
    weir_attr_set_put(set, name, &attr);
    return WEIR_OK;
}

weir_status weir_attr_set_tensors(weir_attr_set *set, const char *name, TF_Tensor *const *values,
                                  int count)
{
    weir_attr attr = list_of(WEIR_ATTR_TENSOR, count);
    weir_tensor *at = WEIR_ARENA_ARRAY(&set->arena, weir_tensor, attr.count);
    weir_status status = WEIR_OK;
    for (int i = 0; !status && i < attr.count; i++)
        status = weir_tensor_clone(&values[i]->t, &at[i]);
    attr.tensors = at;
    if (!status)
        weir_attr_set_put(set, name, &attr);
    for (int i = 0; i < attr.count; i++)
        weir_tensor_release(&at[i]);
    return status;
}
