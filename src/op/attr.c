/* op/attr.c - copies, compares and formats attribute values. */
#include "op/attr.h"

#include <inttypes.h>

#include "tensor/tstring.h"

static void release_tensor(void *arg)
{
    weir_tensor_release(arg);
}

static const weir_tensor *copy_tensors(weir_arena *arena, const weir_tensor *from, int count)
{
    weir_tensor *to = WEIR_ARENA_ARRAY(arena, weir_tensor, count);
    for (int i = 0; i < count; i++) {
        to[i] = weir_tensor_share(&from[i]);
        weir_arena_defer(arena, release_tensor, &to[i]);
    }
    return to;
}

static const weir_named_attr *copy_named(weir_arena *arena, const weir_named_attr *from, int count)
{
    weir_named_attr *to = WEIR_ARENA_ARRAY(arena, weir_named_attr, count);
    for (int i = 0; i < count; i++) {
        to[i].name = weir_arena_strdup(arena, from[i].name);
        to[i].value = weir_attr_copy(arena, &from[i].value);
    }
    return to;
}

static const weir_func *copy_funcs(weir_arena *arena, const weir_func *from, int count)
{
    weir_func *to = WEIR_ARENA_ARRAY(arena, weir_func, count);
    for (int i = 0; i < count; i++)
        to[i] = (weir_func){weir_arena_strdup(arena, from[i].name), from[i].attr_count,
                            copy_named(arena, from[i].attrs, from[i].attr_count)};
    return to;
}

static const weir_str *copy_strs(weir_arena *arena, const weir_str *from, int count)
{
    weir_str *to = WEIR_ARENA_ARRAY(arena, weir_str, count);
    for (int i = 0; i < count; i++)
        to[i] = (weir_str){weir_arena_strndup(arena, from[i].at, from[i].length), from[i].length};
    return to;
}

static const void *copy_plain(weir_arena *arena, const void *from, size_t bytes)
{
    void *to = weir_arena_alloc(arena, bytes);
    if (bytes)
        memcpy(to, from, bytes);
    return to;
}

weir_attr weir_attr_copy(weir_arena *arena, const weir_attr *attr)
{
    weir_attr c = *attr;
    size_t count = attr->is_list ? (size_t)attr->count : 1;
    switch (attr->kind) {
    case WEIR_ATTR_STRING:
    case WEIR_ATTR_PLACEHOLDER:
        if (attr->is_list)
            c.ss = copy_strs(arena, attr->ss, attr->count);
        else
            c.s = *copy_strs(arena, &attr->s, 1);
        break;
    case WEIR_ATTR_SHAPE:
        c.shapes = copy_plain(arena, attr->shapes, count * sizeof(weir_shape));
        break;
    case WEIR_ATTR_TENSOR:
        c.tensors = copy_tensors(arena, attr->tensors, (int)count);
        break;
    case WEIR_ATTR_FUNC:
        c.funcs = copy_funcs(arena, attr->funcs, (int)count);
        break;
    case WEIR_ATTR_INT:
        if (attr->is_list)
            c.is = copy_plain(arena, attr->is, count * sizeof *attr->is);
        break;
    case WEIR_ATTR_FLOAT:
        if (attr->is_list)
            c.fs = copy_plain(arena, attr->fs, count * sizeof *attr->fs);
        break;
    case WEIR_ATTR_BOOL:
        if (attr->is_list)
            c.bs = copy_plain(arena, attr->bs, count * sizeof *attr->bs);
        break;
    case WEIR_ATTR_TYPE:
        if (attr->is_list)
            c.types = copy_plain(arena, attr->types, count * sizeof *attr->types);
        break;
    default:
        break;
    }
    return c;
}

static bool tensors_eq(const weir_tensor *a, const weir_tensor *b)
{
    if (a->dtype != b->dtype || !weir_shape_eq(&a->shape, &b->shape))
        return false;
    if (a->data == b->data)
        return true;
    if (weir_dtype_is_plain(a->dtype))
        return memcmp(a->data, b->data, weir_tensor_bytes(a)) == 0;
    bool same = a->dtype == WEIR_STRING;
    for (int64_t i = 0; same && i < weir_tensor_count(a); i++)
        same = weir_str_eq(weir_tstring_get((const weir_tstring *)a->data + i),
                           weir_tstring_get((const weir_tstring *)b->data + i));
    return same;
}

static bool funcs_eq(const weir_func *a, const weir_func *b)
{
    if (strcmp(a->name, b->name) != 0 || a->attr_count != b->attr_count)
        return false;
    for (int i = 0; i < a->attr_count; i++) {
        const weir_attr *other = weir_named_attr_find(b->attrs, b->attr_count, a->attrs[i].name);
        if (!other || !weir_attr_eq(&a->attrs[i].value, other))
            return false;
    }
    return true;
}

/* Element |i| of each. */
static bool element_eq(const weir_attr *a, const weir_attr *b, int i)
{
    switch (a->kind) {
    case WEIR_ATTR_STRING:
    case WEIR_ATTR_PLACEHOLDER:
        return a->is_list ? weir_str_eq(a->ss[i], b->ss[i]) : weir_str_eq(a->s, b->s);
    case WEIR_ATTR_INT:
        return a->is_list ? a->is[i] == b->is[i] : a->i == b->i;
    case WEIR_ATTR_FLOAT:
        return a->is_list ? memcmp(&a->fs[i], &b->fs[i], 4) == 0 : memcmp(&a->f, &b->f, 4) == 0;
    case WEIR_ATTR_BOOL:
        return a->is_list ? a->bs[i] == b->bs[i] : a->b == b->b;
    case WEIR_ATTR_TYPE:
        return a->is_list ? a->types[i] == b->types[i] : a->type == b->type;
    case WEIR_ATTR_SHAPE:
        return weir_shape_eq(&a->shapes[i], &b->shapes[i]);
    case WEIR_ATTR_TENSOR:
        return tensors_eq(&a->tensors[i], &b->tensors[i]);
    case WEIR_ATTR_FUNC:
        return funcs_eq(&a->funcs[i], &b->funcs[i]);
    default:
        return true;
    }
}

bool weir_attr_eq(const weir_attr *a, const weir_attr *b)
{
    if (a->is_list != b->is_list || (a->is_list && a->count != b->count))
        return false;
    if (a->is_list && a->count == 0)
        return true;
    if (a->kind != b->kind)
        return false;
    int count = a->is_list ? a->count : 1;
    for (int i = 0; i < count; i++)
        if (!element_eq(a, b, i))
            return false;
    return true;
}

const weir_attr *weir_named_attr_find(const weir_named_attr *attrs, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(attrs[i].name, name) == 0)
            return &attrs[i].value;
    return NULL;
}

static void element_text(const weir_attr *attr, int i, weir_buf *out)
{
    bool l = attr->is_list;
    weir_str text;
    switch (attr->kind) {
    case WEIR_ATTR_STRING:
    case WEIR_ATTR_PLACEHOLDER:
        text = l ? attr->ss[i] : attr->s;
        weir_buf_addf(out, "\"%.*s\"", WEIR_STR_ARG(text));
        break;
    case WEIR_ATTR_INT:
        weir_buf_addf(out, "%" PRId64, l ? attr->is[i] : attr->i);
        break;
    case WEIR_ATTR_FLOAT:
        weir_buf_addf(out, "%g", (double)(l ? attr->fs[i] : attr->f));
        break;
    case WEIR_ATTR_BOOL:
        weir_buf_adds(out, (l ? attr->bs[i] : attr->b) ? "true" : "false");
        break;
    case WEIR_ATTR_TYPE:
        weir_buf_adds(out, weir_dtype_enum(l ? attr->types[i] : attr->type));
        break;
    case WEIR_ATTR_SHAPE:
        weir_buf_adds(out, WEIR_SHAPE_STR(&attr->shapes[i]));
        break;
    case WEIR_ATTR_TENSOR:
        weir_buf_addf(out, "Tensor<type: %s shape: %s>", weir_dtype_name(attr->tensors[i].dtype),
                      WEIR_SHAPE_STR(&attr->tensors[i].shape));
        break;
    case WEIR_ATTR_FUNC:
        weir_buf_addf(out, "%s[]", attr->funcs[i].name);
        break;
    default:
        weir_buf_adds(out, "?");
    }
}

void weir_attr_text(const weir_attr *attr, weir_buf *out)
{
    if (!attr->is_list) {
        element_text(attr, 0, out);
        return;
    }
    weir_buf_addc(out, '[');
    for (int i = 0; i < attr->count; i++) {
        weir_buf_adds(out, i ? ", " : "");
        element_text(attr, i, out);
    }
    weir_buf_addc(out, ']');
}
