/* op/attr.h - the values of node attributes.
 *
 * Attributes are allocated in their owner's arena (graph, plan, registry) and are read-only once
 * created. Tensors in them hold a reference that the arena releases.
 */
#ifndef WEIR_OP_ATTR_H
#define WEIR_OP_ATTR_H

#include "tensor/tensor.h"

typedef enum weir_attr_kind {
    WEIR_ATTR_NONE, /* not set; also the kind of a list with no elements read from the wire */
    WEIR_ATTR_STRING,
    WEIR_ATTR_INT,
    WEIR_ATTR_FLOAT,
    WEIR_ATTR_BOOL,
    WEIR_ATTR_TYPE,
    WEIR_ATTR_SHAPE,
    WEIR_ATTR_TENSOR,
    WEIR_ATTR_FUNC,
    WEIR_ATTR_PLACEHOLDER, /* only inside function bodies: the name is in s */
} weir_attr_kind;

typedef struct weir_func weir_func;

typedef struct weir_attr {
    uint8_t kind; /* weir_attr_kind */
    bool is_list;
    int32_t count; /* of a list */
    union {
        weir_str s;
        int64_t i;
        float f;
        bool b;
        int32_t type; /* weir_dtype */
        const weir_shape *shape;
        const weir_tensor *tensor;
        const weir_func *func;
        const weir_str *ss;
        const int64_t *is;
        const float *fs;
        const bool *bs;
        const int32_t *types;
        const weir_shape *shapes;
        const weir_tensor *tensors;
        const weir_func *funcs;
    };
} weir_attr;

typedef struct weir_named_attr {
    const char *name;
    weir_attr value;
} weir_named_attr;

/* A function by name, with the attrs that instantiate it. */
struct weir_func {
    const char *name;
    int32_t attr_count;
    const weir_named_attr *attrs;
};

/* Attributes by value, for builders: WEIR_ATTRS(weir_a_bool("transpose_a", true)). */
static inline weir_named_attr weir_a_bool(const char *name, bool v)
{
    return (weir_named_attr){name, {.kind = WEIR_ATTR_BOOL, .b = v}};
}
static inline weir_named_attr weir_a_int(const char *name, int64_t value)
{
    return (weir_named_attr){name, {.kind = WEIR_ATTR_INT, .i = value}};
}
static inline weir_named_attr weir_a_float(const char *name, float value)
{
    return (weir_named_attr){name, {.kind = WEIR_ATTR_FLOAT, .f = value}};
}
static inline weir_named_attr weir_a_type(const char *name, int value)
{
    return (weir_named_attr){name, {.kind = WEIR_ATTR_TYPE, .type = weir_dtype_base(value)}};
}
static inline weir_named_attr weir_a_str(const char *name, const char *value)
{
    return (weir_named_attr){name, {.kind = WEIR_ATTR_STRING, .s = {value, strlen(value)}}};
}
static inline weir_named_attr weir_a_shape(const char *name, const weir_shape *v)
{
    return (weir_named_attr){name, {.kind = WEIR_ATTR_SHAPE, .shape = v}};
}
static inline weir_named_attr weir_a_tensor(const char *name, const weir_tensor *value)
{
    return (weir_named_attr){name, {.kind = WEIR_ATTR_TENSOR, .tensor = value}};
}
static inline weir_named_attr weir_a_ints(const char *name, const int64_t *v, int count)
{
    return (weir_named_attr){name,
                             {.kind = WEIR_ATTR_INT, .is_list = true, .count = count, .is = v}};
}
static inline weir_named_attr weir_a_strs(const char *name, const weir_str *value, int count)
{
    return (weir_named_attr){
        name, {.kind = WEIR_ATTR_STRING, .is_list = true, .count = count, .ss = value}};
}
static inline weir_named_attr weir_a_types(const char *name, const int32_t *v, int count)
{
    return (weir_named_attr){name,
                             {.kind = WEIR_ATTR_TYPE, .is_list = true, .count = count, .types = v}};
}
static inline weir_named_attr weir_a_func(const char *name, const weir_func *func)
{
    return (weir_named_attr){name, {.kind = WEIR_ATTR_FUNC, .func = func}};
}
static inline weir_named_attr weir_a_attr(const char *name, const weir_attr *attr)
{
    return (weir_named_attr){name, *attr};
}

/* A deep copy into |arena|; tensors share their buffers. */
weir_attr weir_attr_copy(weir_arena *arena, const weir_attr *attr);
bool weir_attr_eq(const weir_attr *a, const weir_attr *b);
const weir_attr *weir_named_attr_find(const weir_named_attr *attrs, int count, const char *name);
/* A short readable form, for messages: "float", "[1,2]", "\"SAME\"". */
void weir_attr_text(const weir_attr *attr, weir_buf *out);

#endif
