/* capi/apidef.c - TF_ApiDefMap: how ops are described and named in some language.
 *
 * Every op of the OpList starts as visible under its own name; texts of ApiDefs are laid over that.
 */
#include <stdlib.h>

#include "capi/capi_impl.h"
#include "graph/proto.h"
#include "wire/text_tree.h"

/* Fields of ApiDef and its parts. */
enum {
    API_OP = 1,
    API_VISIBILITY = 2,
    API_ENDPOINT = 3,
    API_IN = 4,
    API_OUT = 5,
    API_ATTR = 6,
    API_SUMMARY = 7,
    API_DESCRIPTION = 8,
    API_PREFIX = 9,
    API_SUFFIX = 10,
    API_ORDER = 11,
    API_DEPRECATION = 12,
    API_DEPRECATED_AT = 13,
};
enum { END_NAME = 1, END_DEPRECATED = 3, END_DEPRECATED_AT = 4 };
enum { PART_NAME = 1, PART_RENAME = 2, PART_DESCRIPTION = 3 }; /* of an argument */
enum { ATTR_NAME = 1, ATTR_RENAME = 2, ATTR_DEFAULT = 3, ATTR_DESCRIPTION = 4 };

typedef struct part {
    const char *name, *rename_to, *description;
    const weir_attr *otherwise; /* of attrs; null: none */
} part;

typedef struct endpoint {
    const char *name;
    bool deprecated;
    int deprecated_at;
} endpoint;

typedef struct api_def {
    const char *op;
    int visibility;
    WEIR_VEC(endpoint) endpoints;
    int in_count, out_count, attr_count, order_count;
    part *in, *out, *attrs;
    const char **order; /* names of inputs */
    const char *summary, *description, *prefix, *suffix, *deprecation;
    int deprecated_at;
} api_def;

struct TF_ApiDefMap {
    weir_arena arena; /* of everything but the vectors */
    weir_map by_op;   /* -> api_def */
};

/* ---- from signatures ------------------------------------------------------------------------- */

static part *parts_of(weir_arena *arena, const weir_argdef *args, int count)
{
    part *parts = WEIR_ARENA_ARRAY(arena, part, count);
    for (int i = 0; i < count; i++)
        parts[i] = (part){.name = args[i].name, .rename_to = args[i].name};
    return parts;
}

static api_def *from_opdef(weir_arena *arena, const weir_opdef *def)
{
    api_def *a = WEIR_ARENA_NEW(arena, api_def);
    a->op = def->name;
    a->visibility = 1;
    weir_vec_push(&a->endpoints, (endpoint){.name = def->name});
    a->in_count = a->order_count = def->in_count;
    a->in = parts_of(arena, def->in, def->in_count);
    a->out_count = def->out_count;
    a->out = parts_of(arena, def->out, def->out_count);
    a->order = WEIR_ARENA_ARRAY(arena, const char *, def->in_count);
    for (int i = 0; i < def->in_count; i++)
        a->order[i] = def->in[i].name;
    a->attr_count = def->attr_count;
    a->attrs = WEIR_ARENA_ARRAY(arena, part, def->attr_count);
    for (int i = 0; i < def->attr_count; i++)
        a->attrs[i] =
            (part){.name = def->attrs[i].name,
                   .rename_to = def->attrs[i].name,
                   .otherwise = def->attrs[i].has_default ? &def->attrs[i].otherwise : NULL};
    return a;
}

static weir_status read_ops(TF_ApiDefMap *map, weir_str op_list)
{
    weir_pb r = weir_pb_reader(op_list);
    while (weir_pb_next(&r)) {
        weir_opdef *def = WEIR_ARENA_NEW(&map->arena, weir_opdef);
        if (r.field != 1 || r.type != WEIR_PB_LEN)
            continue;
        WEIR_TRY(weir_opdef_read(&map->arena, r.bytes, def));
        if (!def->name)
            return weir_error(WEIR_INVALID_ARGUMENT, "Unparseable OpList");
        if (!weir_map_get(&map->by_op, weir_str_of(def->name)))
            weir_map_put(&map->by_op, weir_str_of(def->name), from_opdef(&map->arena, def));
    }
    return weir_pb_ok(&r) ? WEIR_OK : weir_error(WEIR_INVALID_ARGUMENT, "Unparseable OpList");
}

TF_ApiDefMap *TF_NewApiDefMap(TF_Buffer *op_list_buffer, TF_Status *status)
{
    TF_ApiDefMap *map = WEIR_NEW(TF_ApiDefMap);
    weir_arena_init(&map->arena);
    if (weir_capi_end(status, read_ops(map, weir_capi_bytes(op_list_buffer))))
        return map;
    TF_DeleteApiDefMap(map);
    return NULL;
}

void TF_DeleteApiDefMap(TF_ApiDefMap *map)
{
    weir_str key;
    void *def;
    if (!map)
        return;
    for (size_t at = 0; weir_map_next(&map->by_op, &at, &key, &def);)
        weir_vec_fini(&((api_def *)def)->endpoints);
    weir_map_fini(&map->by_op);
    weir_arena_fini(&map->arena);
    weir_free(map);
}

/* ---- from text ------------------------------------------------------------------------------- */

static const char *text_of(const weir_text_field *fields, const char *name)
{
    for (; fields; fields = fields->next)
        if (strcmp(fields->name, name) == 0)
            return fields->value;
    return NULL;
}

static bool is(const weir_text_field *f, const char *name)
{
    return strcmp(f->name, name) == 0;
}

static int visibility_of(const char *word)
{
    static const char *const words[] = {"DEFAULT_VISIBILITY", "VISIBLE", "SKIP", "HIDDEN"};
    for (int i = 0; word && i < 4; i++)
        if (strcmp(word, words[i]) == 0)
            return i;
    return 0;
}

static weir_status set_part(part *parts, int count, const weir_text_field *f, const char *op)
{
    const char *name = text_of(f->fields, "name"), *text;
    for (int i = 0; name && i < count; i++) {
        if (strcmp(parts[i].name, name) != 0)
            continue;
        if ((text = text_of(f->fields, "rename_to")))
            parts[i].rename_to = text;
        if ((text = text_of(f->fields, "description")))
            parts[i].description = text;
        return WEIR_OK;
    }
    return weir_error(WEIR_FAILED_PRECONDITION, "Missing argument or attribute %s in op %s",
                      name ? name : "without a name", op);
}

static void add_endpoint(api_def *a, const weir_text_field *f)
{
    const char *deprecated = text_of(f->fields, "deprecated");
    const char *at = text_of(f->fields, "deprecation_version");
    weir_vec_push(&a->endpoints,
                  (endpoint){text_of(f->fields, "name"),
                             deprecated && strcmp(deprecated, "true") == 0, at ? atoi(at) : 0});
}

/* The inputs in another order: every one exactly once. */
static weir_status set_order(weir_arena *arena, api_def *a, const weir_text_field *fields)
{
    int count = 0;
    const char **order = WEIR_ARENA_ARRAY(arena, const char *, a->in_count);
    for (; fields; fields = fields->next) {
        bool known = false;
        if (!is(fields, "arg_order"))
            continue;
        for (int i = 0; fields->value && i < a->in_count; i++)
            known |= strcmp(a->in[i].name, fields->value) == 0;
        if (!known || count == a->in_count)
            return weir_error(WEIR_FAILED_PRECONDITION, "Invalid arg_order for %s", a->op);
        order[count++] = fields->value;
    }
    if (count && count != a->in_count)
        return weir_error(WEIR_FAILED_PRECONDITION, "Invalid arg_order for %s", a->op);
    if (count)
        a->order = order;
    return WEIR_OK;
}

static weir_status set_field(api_def *a, const weir_text_field *f, bool *endpoints_replaced)
{
    static const struct {
        const char *name;
        size_t offset;
    } texts[] = {
        {"summary", offsetof(api_def, summary)},
        {"description", offsetof(api_def, description)},
        {"description_prefix", offsetof(api_def, prefix)},
        {"description_suffix", offsetof(api_def, suffix)},
        {"deprecation_message", offsetof(api_def, deprecation)},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (is(f, texts[i].name))
            *(const char **)((char *)a + texts[i].offset) = f->value;
    if (is(f, "visibility") && visibility_of(f->value))
        a->visibility = visibility_of(f->value);
    if (is(f, "deprecation_version") && f->value)
        a->deprecated_at = atoi(f->value);
    if (is(f, "endpoint")) {
        if (!*endpoints_replaced)
            a->endpoints.count = 0;
        *endpoints_replaced = true;
        add_endpoint(a, f);
    }
    if (is(f, "in_arg"))
        return set_part(a->in, a->in_count, f, a->op);
    if (is(f, "out_arg"))
        return set_part(a->out, a->out_count, f, a->op);
    return is(f, "attr") ? set_part(a->attrs, a->attr_count, f, a->op) : WEIR_OK;
}

/* Ops that the list does not have are passed over. */
static weir_status lay_over(TF_ApiDefMap *map, const weir_text_field *def)
{
    const char *name = text_of(def, "graph_op_name");
    api_def *a = name ? weir_map_get(&map->by_op, weir_str_of(name)) : NULL;
    bool endpoints_replaced = false;
    if (!a)
        return WEIR_OK;
    for (const weir_text_field *f = def; f; f = f->next)
        WEIR_TRY(set_field(a, f, &endpoints_replaced));
    return set_order(&map->arena, a, def);
}

static weir_status put(TF_ApiDefMap *map, weir_str text)
{
    weir_text_field *fields;
    WEIR_TRY(weir_text_parse(&map->arena, text, &fields));
    for (const weir_text_field *f = fields; f; f = f->next) {
        if (!is(f, "op") || f->value)
            return weir_error(WEIR_INVALID_ARGUMENT, "ApiDefs have no field '%s'", f->name);
        WEIR_TRY(lay_over(map, f->fields));
    }
    return WEIR_OK;
}

void TF_ApiDefMapPut(TF_ApiDefMap *map, const char *text, size_t text_len, TF_Status *status)
{
    weir_capi_end(status, put(map, (weir_str){text, text_len}));
}

/* ---- to bytes -------------------------------------------------------------------------------- */

static void put_args(weir_buf *out, uint32_t field, const part *parts, int count)
{
    for (int i = 0; i < count; i++) {
        size_t mark = weir_pb_begin(out, field);
        weir_pb_put_str(out, PART_NAME, parts[i].name);
        weir_pb_put_str(out, PART_RENAME, parts[i].rename_to);
        weir_pb_put_str_nz(out, PART_DESCRIPTION, parts[i].description);
        weir_pb_end(out, mark);
    }
}

static void put_attrs(weir_buf *out, const part *parts, int count)
{
    for (int i = 0; i < count; i++) {
        size_t mark = weir_pb_begin(out, API_ATTR);
        weir_pb_put_str(out, ATTR_NAME, parts[i].name);
        weir_pb_put_str(out, ATTR_RENAME, parts[i].rename_to);
        if (parts[i].otherwise) {
            size_t value = weir_pb_begin(out, ATTR_DEFAULT);
            weir_attr_export(parts[i].otherwise, out);
            weir_pb_end(out, value);
        }
        weir_pb_put_str_nz(out, ATTR_DESCRIPTION, parts[i].description);
        weir_pb_end(out, mark);
    }
}

static void put_endpoints(weir_buf *out, const api_def *a)
{
    for (size_t i = 0; i < a->endpoints.count; i++) {
        const endpoint *e = &a->endpoints.at[i];
        size_t mark = weir_pb_begin(out, API_ENDPOINT);
        weir_pb_put_str_nz(out, END_NAME, e->name);
        weir_pb_put_varint_nz(out, END_DEPRECATED, e->deprecated);
        weir_pb_put_varint_nz(out, END_DEPRECATED_AT, (uint64_t)e->deprecated_at);
        weir_pb_end(out, mark);
    }
}

static void put_api_def(weir_buf *out, const api_def *a)
{
    weir_pb_put_str(out, API_OP, a->op);
    weir_pb_put_varint_nz(out, API_VISIBILITY, (uint64_t)a->visibility);
    put_endpoints(out, a);
    put_args(out, API_IN, a->in, a->in_count);
    put_args(out, API_OUT, a->out, a->out_count);
    put_attrs(out, a->attrs, a->attr_count);
    weir_pb_put_str_nz(out, API_SUMMARY, a->summary);
    weir_pb_put_str_nz(out, API_DESCRIPTION, a->description);
    weir_pb_put_str_nz(out, API_PREFIX, a->prefix);
    weir_pb_put_str_nz(out, API_SUFFIX, a->suffix);
    for (int i = 0; i < a->order_count; i++)
        weir_pb_put_str(out, API_ORDER, a->order[i]);
    weir_pb_put_str_nz(out, API_DEPRECATION, a->deprecation);
    weir_pb_put_varint_nz(out, API_DEPRECATED_AT, (uint64_t)a->deprecated_at);
}

TF_Buffer *TF_ApiDefMapGet(TF_ApiDefMap *map, const char *name, size_t name_len, TF_Status *status)
{
    const api_def *a = weir_map_get(&map->by_op, (weir_str){name, name_len});
    weir_buf bytes = {0};
    weir_capi_end(status, WEIR_OK);
    if (!a)
        return NULL;
    put_api_def(&bytes, a);
    return weir_capi_buffer(&bytes);
}
