/* graph/proto.c - AttrValue and OpDef, both ways. */
#include "graph/proto.h"

#include <stdio.h>

#include "tensor/proto.h"
#include "tensor/values.h"

/* ---- AttrValue, reading --------------------------------------------------------------------- */

static weir_status unparseable(void)
{
    return weir_error(WEIR_INVALID_ARGUMENT, "Unparseable AttrValue");
}

static weir_str keep(weir_arena *arena, weir_str s)
{
    return (weir_str){weir_arena_strndup(arena, s.at, s.length), s.length};
}

static void release_tensor(void *arg)
{
    weir_tensor_release(arg);
}

static weir_status read_tensor(weir_arena *arena, weir_str bytes, weir_tensor *to)
{
    *to = (weir_tensor){0};
    WEIR_TRY(weir_tensor_parse(bytes, to));
    weir_arena_defer(arena, release_tensor, to);
    return WEIR_OK;
}

weir_status weir_named_attr_read(weir_arena *arena, weir_str entry, weir_named_attr *out)
{
    weir_pb r = weir_pb_reader(entry);
    *out = (weir_named_attr){.name = ""};
    weir_str value = {0};
    while (weir_pb_next(&r)) {
        if (r.field == 1 && r.type == WEIR_PB_LEN)
            out->name = keep(arena, r.bytes).at;
        else if (r.field == 2 && r.type == WEIR_PB_LEN)
            value = r.bytes;
    }
    if (!weir_pb_ok(&r))
        return unparseable();
    weir_status s = weir_attr_import(arena, value, &out->value);
    if (s && out->name[0] == '_') { /* an optimiser's note to itself: its form is its own affair */
        weir_status_free(s);
        out->value = (weir_attr){0};
        s = WEIR_OK;
    }
    return s;
}

static weir_status read_func(weir_arena *arena, weir_str bytes, weir_func *to)
{
    WEIR_VEC(weir_named_attr) attrs = {0};
    *to = (weir_func){.name = ""};
    weir_status s = WEIR_OK;
    weir_pb r = weir_pb_reader(bytes);
    while (!s && weir_pb_next(&r)) {
        if (r.field == 1 && r.type == WEIR_PB_LEN) {
            to->name = keep(arena, r.bytes).at;
        } else if (r.field == 2 && r.type == WEIR_PB_LEN) {
            weir_named_attr a;
            s = weir_named_attr_read(arena, r.bytes, &a);
            weir_vec_push(&attrs, a);
        }
    }
    if (!s && !weir_pb_ok(&r))
        s = unparseable();
    weir_named_attr *kept = WEIR_ARENA_ARRAY(arena, weir_named_attr, attrs.count);
    if (attrs.count)
        memcpy(kept, attrs.at, sizeof *kept * attrs.count);
    to->attrs = kept;
    to->attr_count = (int32_t)attrs.count;
    weir_vec_fini(&attrs);
    return s;
}

/* How many elements field |field| of a list has. */
static int count_list(weir_str bytes, uint32_t field, weir_pb_type element)
{
    int n = 0;
    weir_pb r = weir_pb_reader(bytes);
    while (weir_pb_next(&r)) {
        if (r.field != field)
            continue;
        weir_pb_packed p = {0};
        if (element == WEIR_PB_LEN)
            n++;
        else
            while (weir_pb_each(&r, element, &p))
                n++;
    }
    return n;
}

typedef struct list_kind {
    uint8_t field, kind, element, size;
} list_kind;

/* Elements of a ListValue by field number; strings, shapes, tensors and funcs are LEN. */
static const list_kind list_kinds[] = {
    {2, WEIR_ATTR_STRING, WEIR_PB_LEN, sizeof(weir_str)},
    {3, WEIR_ATTR_INT, WEIR_PB_VARINT, sizeof(int64_t)},
    {4, WEIR_ATTR_FLOAT, WEIR_PB_I32, sizeof(float)},
    {5, WEIR_ATTR_BOOL, WEIR_PB_VARINT, sizeof(bool)},
    {6, WEIR_ATTR_TYPE, WEIR_PB_VARINT, sizeof(int32_t)},
    {7, WEIR_ATTR_SHAPE, WEIR_PB_LEN, sizeof(weir_shape)},
    {8, WEIR_ATTR_TENSOR, WEIR_PB_LEN, sizeof(weir_tensor)},
    {9, WEIR_ATTR_FUNC, WEIR_PB_LEN, sizeof(weir_func)},
};

static void put_number(int kind, void *to, uint64_t v)
{
    if (kind == WEIR_ATTR_INT)
        *(int64_t *)to = (int64_t)v;
    else if (kind == WEIR_ATTR_BOOL)
        *(bool *)to = v != 0;
    else if (kind == WEIR_ATTR_TYPE)
        *(int32_t *)to = (int32_t)v;
    else
        memcpy(to, &v, sizeof(float));
}

static weir_status put_bytes(weir_arena *arena, int kind, void *to, weir_str bytes)
{
    switch (kind) {
    case WEIR_ATTR_SHAPE:
        return weir_shape_parse(bytes, to);
    case WEIR_ATTR_TENSOR:
        return read_tensor(arena, bytes, to);
    case WEIR_ATTR_FUNC:
        return read_func(arena, bytes, to);
    default:
        *(weir_str *)to = keep(arena, bytes);
        return WEIR_OK;
    }
}

static weir_status read_list(weir_arena *arena, weir_str bytes, weir_attr *out)
{
    const list_kind *k = NULL;
    int count = 0;
    for (size_t i = 0; i < sizeof list_kinds / sizeof *list_kinds && !count; i++) {
        k = &list_kinds[i];
        count = count_list(bytes, k->field, k->element);
    }
    *out = (weir_attr){.is_list = true, .count = count};
    if (!count)
        return WEIR_OK;
    out->kind = k->kind;
    char *to = weir_arena_zalloc(arena, (size_t)k->size * (size_t)count);
    out->is = (const int64_t *)(void *)to;
    int at = 0;
    weir_pb r = weir_pb_reader(bytes);
    while (weir_pb_next(&r)) {
        if (r.field != k->field)
            continue;
        if (k->element == WEIR_PB_LEN) {
            if (r.type != WEIR_PB_LEN)
                return unparseable();
            WEIR_TRY(put_bytes(arena, k->kind, to + (size_t)k->size * (size_t)at++, r.bytes));
            continue;
        }
        weir_pb_packed p = {0};
        while (weir_pb_each(&r, k->element, &p))
            put_number(k->kind, to + (size_t)k->size * (size_t)at++, p.value);
    }
    return weir_pb_ok(&r) ? WEIR_OK : unparseable();
}

static weir_status read_one(weir_arena *arena, const weir_pb *r, weir_attr *a)
{
    static const uint8_t kinds[] = {
        [2] = WEIR_ATTR_STRING, [3] = WEIR_ATTR_INT,         [4] = WEIR_ATTR_FLOAT,
        [5] = WEIR_ATTR_BOOL,   [6] = WEIR_ATTR_TYPE,        [7] = WEIR_ATTR_SHAPE,
        [8] = WEIR_ATTR_TENSOR, [9] = WEIR_ATTR_PLACEHOLDER, [10] = WEIR_ATTR_FUNC};
    static const uint8_t types[] = {[2] = WEIR_PB_LEN,    [3] = WEIR_PB_VARINT, [4] = WEIR_PB_I32,
                                    [5] = WEIR_PB_VARINT, [6] = WEIR_PB_VARINT, [7] = WEIR_PB_LEN,
                                    [8] = WEIR_PB_LEN,    [9] = WEIR_PB_LEN,    [10] = WEIR_PB_LEN};
    if (r->field == 1 && r->type == WEIR_PB_LEN)
        return read_list(arena, r->bytes, a);
    if (r->field < 2 || r->field > 10)
        return WEIR_OK;
    if (types[r->field] != r->type)
        return unparseable();
    *a = (weir_attr){.kind = kinds[r->field]};
    if (r->type != WEIR_PB_LEN) {
        put_number(a->kind, &a->i, r->value);
        return WEIR_OK;
    }
    if (a->kind == WEIR_ATTR_STRING || a->kind == WEIR_ATTR_PLACEHOLDER) {
        a->s = keep(arena, r->bytes);
        return WEIR_OK;
    }
    void *to = weir_arena_zalloc(arena, sizeof(weir_tensor) + sizeof(weir_func));
    a->shape = to;
    return put_bytes(arena, a->kind, to, r->bytes);
}

weir_status weir_attr_import(weir_arena *arena, weir_str bytes, weir_attr *out_attr)
{
    *out_attr = (weir_attr){0};
    weir_pb r = weir_pb_reader(bytes);
    while (weir_pb_next(&r))
        WEIR_TRY(read_one(arena, &r, out_attr));
    return weir_pb_ok(&r) ? WEIR_OK : unparseable();
}

/* ---- AttrValue, writing --------------------------------------------------------------------- */

static void put_named(weir_buf *out, uint32_t field, const weir_named_attr *a)
{
    size_t mark = weir_pb_begin(out, field);
    weir_pb_put_str(out, 1, a->name);
    size_t inner = weir_pb_begin(out, 2);
    weir_attr_export(&a->value, out);
    weir_pb_end(out, inner);
    weir_pb_end(out, mark);
}

void weir_named_attr_write(weir_buf *out, uint32_t field, const char *name, const weir_attr *value)
{
    put_named(out, field, &(weir_named_attr){name, *value});
}

static void put_func(weir_buf *out, const weir_func *f)
{
    weir_pb_put_str_nz(out, 1, f->name);
    for (int i = 0; i < f->attr_count; i++)
        put_named(out, 2, &f->attrs[i]);
}

static void put_message(weir_buf *out, uint32_t field, const weir_attr *a, int i)
{
    size_t mark = weir_pb_begin(out, field);
    if (a->kind == WEIR_ATTR_SHAPE) {
        weir_shape_encode(&a->shapes[i], out);
    } else if (a->kind == WEIR_ATTR_FUNC) {
        put_func(out, &a->funcs[i]);
    } else {
        weir_status s = weir_tensor_encode(&a->tensors[i], out);
        weir_status_free(s); /* only variants can fail, and no attr holds one */
    }
    weir_pb_end(out, mark);
}

static void put_list(weir_buf *out, const weir_attr *a)
{
    const list_kind *k = NULL;
    for (size_t i = 0; i < sizeof list_kinds / sizeof *list_kinds; i++)
        if (list_kinds[i].kind == a->kind)
            k = &list_kinds[i];
    if (!a->count || !k)
        return;
    if (k->element == WEIR_PB_LEN) {
        for (int i = 0; i < a->count; i++) {
            if (a->kind == WEIR_ATTR_STRING)
                weir_pb_put_bytes(out, k->field, a->ss[i].at, a->ss[i].length);
            else
                put_message(out, k->field, a, i);
        }
        return;
    }
    size_t mark = weir_pb_begin(out, k->field);
    for (int i = 0; i < a->count; i++) {
        if (a->kind == WEIR_ATTR_FLOAT)
            weir_buf_add(out, &a->fs[i], 4);
        else
            weir_varint_put(out, a->kind == WEIR_ATTR_INT    ? (uint64_t)a->is[i]
                                 : a->kind == WEIR_ATTR_BOOL ? a->bs[i]
                                                             : (uint64_t)a->types[i]);
    }
    weir_pb_end(out, mark);
}

void weir_attr_export(const weir_attr *a, weir_buf *out)
{
    if (a->is_list) {
        size_t mark = weir_pb_begin(out, 1);
        put_list(out, a);
        weir_pb_end(out, mark);
        return;
    }
    switch (a->kind) {
    case WEIR_ATTR_STRING:
        weir_pb_put_bytes(out, 2, a->s.at, a->s.length);
        break;
    case WEIR_ATTR_INT:
        weir_pb_put_varint(out, 3, (uint64_t)a->i);
        break;
    case WEIR_ATTR_FLOAT:
        weir_pb_put_float(out, 4, a->f);
        break;
    case WEIR_ATTR_BOOL:
        weir_pb_put_varint(out, 5, a->b);
        break;
    case WEIR_ATTR_TYPE:
        weir_pb_put_varint(out, 6, (uint64_t)a->type);
        break;
    case WEIR_ATTR_SHAPE:
        put_message(out, 7, a, 0);
        break;
    case WEIR_ATTR_TENSOR:
        put_message(out, 8, a, 0);
        break;
    case WEIR_ATTR_PLACEHOLDER:
        weir_pb_put_bytes(out, 9, a->s.at, a->s.length);
        break;
    case WEIR_ATTR_FUNC:
        put_message(out, 10, a, 0);
        break;
    default:
        break;
    }
}

/* ---- OpDef ---------------------------------------------------------------------------------- */

/* A default that is a tensor is written by its values, as TensorFlow's definitions have it. */
static void put_default(weir_buf *out, const weir_attr *a)
{
    if (a->kind != WEIR_ATTR_TENSOR || a->is_list) {
        weir_attr_export(a, out);
        return;
    }
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_tensor_proto tensor = {.dtype = (int32_t)a->tensor->dtype,
                                    .tensor_shape = weir_shape_to_proto(&a->tensor->shape, &arena)};
    weir_status_free(weir_values_write(a->tensor, &arena, &tensor)); /* defaults are plain */
    size_t mark = weir_message_open(out, WEIR_FIELD_attr_value_tensor);
    weir_msg_tensor_proto_write(&tensor, out);
    weir_message_close(out, mark);
}

static void put_arg(weir_buf *out, uint32_t field, const weir_opdef *def, const weir_argdef *a)
{
    size_t mark = weir_pb_begin(out, field);
    weir_pb_put_str(out, 1, a->name);
    weir_pb_put_varint_nz(out, 3, (uint64_t)a->dtype);
    if (a->type_attr >= 0)
        weir_pb_put_str(out, 4, def->attrs[a->type_attr].name);
    if (a->number_attr >= 0)
        weir_pb_put_str(out, 5, def->attrs[a->number_attr].name);
    if (a->type_list_attr >= 0)
        weir_pb_put_str(out, 6, def->attrs[a->type_list_attr].name);
    weir_pb_put_varint_nz(out, 16, a->is_ref);
    weir_pb_end(out, mark);
}

static const char *const attr_types[] = {
    [WEIR_ATTR_STRING] = "string", [WEIR_ATTR_INT] = "int",   [WEIR_ATTR_FLOAT] = "float",
    [WEIR_ATTR_BOOL] = "bool",     [WEIR_ATTR_TYPE] = "type", [WEIR_ATTR_SHAPE] = "shape",
    [WEIR_ATTR_TENSOR] = "tensor", [WEIR_ATTR_FUNC] = "func"};

static void put_attrdef(weir_buf *out, const weir_attrdef *a)
{
    size_t mark = weir_pb_begin(out, 4);
    weir_pb_put_str(out, 1, a->name);
    char type[32];
    snprintf(type, sizeof type, a->is_list ? "list(%s)" : "%s", attr_types[a->kind]);
    weir_pb_put_str(out, 2, type);
    if (a->has_default) {
        size_t inner = weir_pb_begin(out, 3);
        put_default(out, &a->otherwise);
        weir_pb_end(out, inner);
    }
    weir_pb_put_varint_nz(out, 5, a->has_min);
    if (a->has_min)
        weir_pb_put_varint_nz(out, 6, (uint64_t)a->min);
    if (a->allowed.kind) {
        size_t inner = weir_pb_begin(out, 7);
        weir_attr_export(&a->allowed, out);
        weir_pb_end(out, inner);
    }
    weir_pb_end(out, mark);
}

void weir_opdef_export(const weir_opdef *def, weir_buf *out)
{
    weir_pb_put_str(out, 1, def->name);
    for (int i = 0; i < def->in_count; i++)
        put_arg(out, 2, def, &def->in[i]);
    for (int i = 0; i < def->out_count; i++)
        put_arg(out, 3, def, &def->out[i]);
    for (int i = 0; i < def->attr_count; i++)
        put_attrdef(out, &def->attrs[i]);
    if (def->deprecated_at) {
        size_t mark = weir_pb_begin(out, 8);
        weir_pb_put_varint(out, 1, (uint64_t)def->deprecated_at);
        weir_pb_put_str_nz(out, 2, def->deprecation);
        weir_pb_end(out, mark);
    }
    weir_pb_put_varint_nz(out, 16, (def->flags & WEIR_AGGREGATE) != 0);
    weir_pb_put_varint_nz(out, 17, (def->flags & WEIR_STATEFUL) != 0);
    weir_pb_put_varint_nz(out, 18, (def->flags & WEIR_COMMUTATIVE) != 0);
    weir_pb_put_varint_nz(out, 19, (def->flags & WEIR_ALLOWS_UNINITIALIZED) != 0);
    for (int i = 0; i < def->control_output_count; i++)
        weir_pb_put_str(out, 20, def->control_outputs[i]);
    weir_pb_put_varint_nz(out, 21, (def->flags & WEIR_DISTRIBUTED) != 0);
}

static const char *text(weir_arena *arena, const weir_pb *r)
{
    return weir_arena_strndup(arena, r->bytes.at, r->bytes.length);
}

static void read_attrdef(weir_arena *arena, weir_str bytes, weir_attrdef *a)
{
    weir_pb r = weir_pb_reader(bytes);
    *a = (weir_attrdef){.name = ""};
    while (weir_pb_next(&r)) {
        if (r.type == WEIR_PB_LEN && r.field == 1)
            a->name = text(arena, &r);
        else if (r.type == WEIR_PB_LEN && r.field == 2) {
            weir_str type = r.bytes;
            if (type.length > 6 && memcmp(type.at, "list(", 5) == 0) {
                a->is_list = true;
                type = (weir_str){type.at + 5, type.length - 6};
            }
            for (int k = WEIR_ATTR_STRING; k <= WEIR_ATTR_FUNC; k++)
                if (weir_str_is(type, attr_types[k]))
                    a->kind = (uint8_t)k;
        } else if (r.type == WEIR_PB_LEN && (r.field == 3 || r.field == 7)) {
            weir_attr *to = r.field == 3 ? &a->otherwise : &a->allowed;
            weir_status s = weir_attr_import(arena, r.bytes, to);
            a->has_default |= r.field == 3 && !s;
            weir_status_free(s);
        } else if (r.type == WEIR_PB_VARINT && r.field == 5)
            a->has_min = r.value != 0;
        else if (r.type == WEIR_PB_VARINT && r.field == 6)
            a->min = weir_pb_int(&r);
    }
}

static int attr_index(const weir_opdef *def, weir_str name)
{
    for (int i = 0; i < def->attr_count; i++)
        if (weir_str_is(name, def->attrs[i].name))
            return i;
    return -1;
}

static weir_status read_arg(weir_arena *arena, const weir_opdef *def, weir_str bytes,
                            weir_argdef *a)
{
    weir_pb r = weir_pb_reader(bytes);
    *a = (weir_argdef){.name = "", .type_attr = -1, .number_attr = -1, .type_list_attr = -1};
    while (weir_pb_next(&r)) {
        if (r.field == 1 && r.type == WEIR_PB_LEN)
            a->name = text(arena, &r);
        else if (r.field == 3 && r.type == WEIR_PB_VARINT)
            a->dtype = (int32_t)r.value;
        else if (r.field == 4 && r.type == WEIR_PB_LEN)
            a->type_attr = (int16_t)attr_index(def, r.bytes);
        else if (r.field == 5 && r.type == WEIR_PB_LEN)
            a->number_attr = (int16_t)attr_index(def, r.bytes);
        else if (r.field == 6 && r.type == WEIR_PB_LEN)
            a->type_list_attr = (int16_t)attr_index(def, r.bytes);
        else if (r.field == 16 && r.type == WEIR_PB_VARINT)
            a->is_ref = r.value != 0;
    }
    bool typed =
        a->type_attr >= 0 || a->type_list_attr >= 0 || weir_dtype_valid(weir_dtype_base(a->dtype));
    if (!weir_pb_ok(&r) || !typed)
        return weir_error(WEIR_INVALID_ARGUMENT, "argument '%s' of '%s' has no type", a->name,
                          def->name);
    return WEIR_OK;
}

weir_status weir_opdef_read(weir_arena *arena, weir_str bytes, weir_opdef *out_def)
{
    weir_opdef def = {.name = ""};
    weir_pb r = weir_pb_reader(bytes);
    int controls = 0;
    while (weir_pb_next(&r)) {
        def.in_count += r.field == 2 && r.type == WEIR_PB_LEN;
        def.out_count += r.field == 3 && r.type == WEIR_PB_LEN;
        def.attr_count += r.field == 4 && r.type == WEIR_PB_LEN;
        controls += r.field == 20 && r.type == WEIR_PB_LEN;
        if (r.field == 1 && r.type == WEIR_PB_LEN)
            def.name = text(arena, &r);
        if (r.field == 17 && r.type == WEIR_PB_VARINT && r.value)
            def.flags |= WEIR_STATEFUL;
    }
    if (!weir_pb_ok(&r))
        return weir_error(WEIR_INVALID_ARGUMENT, "Unparseable OpDef");
    weir_attrdef *attrs = WEIR_ARENA_ARRAY(arena, weir_attrdef, def.attr_count);
    weir_argdef *in = WEIR_ARENA_ARRAY(arena, weir_argdef, def.in_count);
    weir_argdef *out = WEIR_ARENA_ARRAY(arena, weir_argdef, def.out_count);
    const char **names = WEIR_ARENA_ARRAY(arena, const char *, controls);
    def.attrs = attrs;
    def.in = in;
    def.out = out;
    def.control_outputs = names;
    r = weir_pb_reader(bytes);
    for (int n = 0; weir_pb_next(&r);)
        if (r.field == 4 && r.type == WEIR_PB_LEN)
            read_attrdef(arena, r.bytes, &attrs[n++]);
    r = weir_pb_reader(bytes);
    int i = 0, o = 0;
    while (weir_pb_next(&r)) {
        if (r.field == 2 && r.type == WEIR_PB_LEN)
            WEIR_TRY(read_arg(arena, &def, r.bytes, &in[i++]));
        else if (r.field == 3 && r.type == WEIR_PB_LEN)
            WEIR_TRY(read_arg(arena, &def, r.bytes, &out[o++]));
        else if (r.field == 20 && r.type == WEIR_PB_LEN)
            names[def.control_output_count++] = text(arena, &r);
    }
    *out_def = def;
    return WEIR_OK;
}
