/* capi/apidef.c - TF_ApiDefMap: descriptions and names of ops for a language.
 *
 * Every op of the OpList starts as visible under its own name; ApiDefs override that.
 */
#include <stdlib.h>

#include "capi/capi_impl.h"
#include "graph/proto.h"
#include "wire/messages.h"
#include "wire/text_tree.h"

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

static weir_status read_op(TF_ApiDefMap *map, const weir_msg_op_def *proto)
{
    weir_opdef *def = WEIR_ARENA_NEW(&map->arena, weir_opdef);
    WEIR_TRY(weir_opdef_from_proto(&map->arena, proto, def));
    if (!def->name || !*def->name)
        return weir_error(WEIR_INVALID_ARGUMENT, "Unparseable OpList");
    if (!weir_map_get(&map->by_op, weir_str_of(def->name)))
        weir_map_put(&map->by_op, weir_str_of(def->name), from_opdef(&map->arena, def));
    return WEIR_OK;
}

static weir_status read_ops(TF_ApiDefMap *map, weir_str op_list)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_op_list list;
    WEIR_TRY(weir_msg_op_list_read(op_list, &arena, &list));
    for (size_t i = 0; i < list.op.count; i++)
        WEIR_TRY(read_op(map, &list.op.at[i]));
    return WEIR_OK;
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

static bool is(const weir_text_field *field, const char *name)
{
    return strcmp(field->name, name) == 0;
}

static int visibility_of(const char *word)
{
    static const char *const words[] = {"DEFAULT_VISIBILITY", "VISIBLE", "SKIP", "HIDDEN"};
    for (int i = 0; word && i < 4; i++)
        if (strcmp(word, words[i]) == 0)
            return i;
    return 0;
}

static weir_status set_part(part *parts, int count, const weir_text_field *field, const char *op)
{
    const char *name = text_of(field->fields, "name"), *text;
    for (int i = 0; name && i < count; i++) {
        if (strcmp(parts[i].name, name) != 0)
            continue;
        if ((text = text_of(field->fields, "rename_to")))
            parts[i].rename_to = text;
        if ((text = text_of(field->fields, "description")))
            parts[i].description = text;
        return WEIR_OK;
    }
    return weir_error(WEIR_FAILED_PRECONDITION, "Missing argument or attribute %s in op %s",
                      name ? name : "without a name", op);
}

static void add_endpoint(api_def *def, const weir_text_field *field)
{
    const char *deprecated = text_of(field->fields, "deprecated");
    const char *at = text_of(field->fields, "deprecation_version");
    weir_vec_push(&def->endpoints,
                  (endpoint){text_of(field->fields, "name"),
                             deprecated && strcmp(deprecated, "true") == 0, at ? atoi(at) : 0});
}

/* Reorders the inputs: each exactly once. */
static weir_status set_order(weir_arena *arena, api_def *def, const weir_text_field *fields)
{
    int count = 0;
    const char **order = WEIR_ARENA_ARRAY(arena, const char *, def->in_count);
    for (; fields; fields = fields->next) {
        bool known = false;
        if (!is(fields, "arg_order"))
            continue;
        for (int i = 0; fields->value && i < def->in_count; i++)
            known |= strcmp(def->in[i].name, fields->value) == 0;
        if (!known || count == def->in_count)
            return weir_error(WEIR_FAILED_PRECONDITION, "Invalid arg_order for %s", def->op);
        order[count++] = fields->value;
    }
    if (count && count != def->in_count)
        return weir_error(WEIR_FAILED_PRECONDITION, "Invalid arg_order for %s", def->op);
    if (count)
        def->order = order;
    return WEIR_OK;
}

static weir_status set_field(api_def *def, const weir_text_field *field, bool *endpoints_replaced)
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
        if (is(field, texts[i].name))
            *(const char **)((char *)def + texts[i].offset) = field->value;
    if (is(field, "visibility") && visibility_of(field->value))
        def->visibility = visibility_of(field->value);
    if (is(field, "deprecation_version") && field->value)
        def->deprecated_at = atoi(field->value);
    if (is(field, "endpoint")) {
        if (!*endpoints_replaced)
            def->endpoints.count = 0;
        *endpoints_replaced = true;
        add_endpoint(def, field);
    }
    if (is(field, "in_arg"))
        return set_part(def->in, def->in_count, field, def->op);
    if (is(field, "out_arg"))
        return set_part(def->out, def->out_count, field, def->op);
    return is(field, "attr") ? set_part(def->attrs, def->attr_count, field, def->op) : WEIR_OK;
}

/* Ignores ops that are not in the list. */
static weir_status lay_over(TF_ApiDefMap *map, const weir_text_field *def)
{
    const char *name = text_of(def, "graph_op_name");
    api_def *api_def = name ? weir_map_get(&map->by_op, weir_str_of(name)) : NULL;
    bool endpoints_replaced = false;
    if (!api_def)
        return WEIR_OK;
    for (const weir_text_field *field = def; field; field = field->next)
        WEIR_TRY(set_field(api_def, field, &endpoints_replaced));
    return set_order(&map->arena, api_def, def);
}

static weir_status put(TF_ApiDefMap *map, weir_str source)
{
    weir_text_field *fields;
    WEIR_TRY(weir_text_parse(&map->arena, source, &fields));
    for (const weir_text_field *field = fields; field; field = field->next) {
        if (!is(field, "op") || field->value)
            return weir_error(WEIR_INVALID_ARGUMENT, "ApiDefs have no field '%s'", field->name);
        WEIR_TRY(lay_over(map, field->fields));
    }
    return WEIR_OK;
}

void TF_ApiDefMapPut(TF_ApiDefMap *map, const char *text, size_t text_len, TF_Status *status)
{
    weir_capi_end(status, put(map, (weir_str){text, text_len}));
}

/* ---- to bytes -------------------------------------------------------------------------------- */

static weir_str text(const char *str) /* of null: empty */
{
    return weir_str_of(str ? str : "");
}

static weir_msgs_api_def_arg describe_args(const part *parts, int count, weir_arena *arena)
{
    weir_msg_api_def_arg *args = WEIR_ARENA_ARRAY(arena, weir_msg_api_def_arg, count);
    for (int i = 0; i < count; i++)
        args[i] = (weir_msg_api_def_arg){.name = text(parts[i].name),
                                         .rename_to = text(parts[i].rename_to),
                                         .description = text(parts[i].description)};
    return (weir_msgs_api_def_arg){args, (size_t)count};
}

static weir_msgs_api_def_endpoint describe_endpoints(const api_def *def, weir_arena *arena)
{
    weir_msg_api_def_endpoint *endpoints =
        WEIR_ARENA_ARRAY(arena, weir_msg_api_def_endpoint, def->endpoints.count);
    for (size_t i = 0; i < def->endpoints.count; i++)
        endpoints[i] =
            (weir_msg_api_def_endpoint){.name = text(def->endpoints.at[i].name),
                                        .deprecated = def->endpoints.at[i].deprecated,
                                        .deprecation_version = def->endpoints.at[i].deprecated_at};
    return (weir_msgs_api_def_endpoint){endpoints, def->endpoints.count};
}

static void put_head(weir_buf *out, const api_def *def, weir_arena *arena)
{
    weir_msg_api_def_write(
        &(weir_msg_api_def){.graph_op_name = text(def->op),
                            .visibility = def->visibility,
                            .endpoint = describe_endpoints(def, arena),
                            .in_arg = describe_args(def->in, def->in_count, arena),
                            .out_arg = describe_args(def->out, def->out_count, arena)},
        out);
}

static void put_attr(weir_buf *out, const part *attr)
{
    size_t mark = weir_message_open(out, WEIR_FIELD_api_def_attr);
    weir_msg_api_def_attr_write(
        &(weir_msg_api_def_attr){.name = text(attr->name), .rename_to = text(attr->rename_to)},
        out);
    if (attr->otherwise) {
        size_t value = weir_message_open(out, WEIR_FIELD_api_def_attr_default_value);
        weir_attr_export(attr->otherwise, out);
        weir_message_close(out, value);
    }
    weir_msg_api_def_attr_write(&(weir_msg_api_def_attr){.description = text(attr->description)},
                                out);
    weir_message_close(out, mark);
}

static void put_texts(weir_buf *out, const api_def *def, weir_arena *arena)
{
    weir_str *order = WEIR_ARENA_ARRAY(arena, weir_str, def->order_count);
    for (int i = 0; i < def->order_count; i++)
        order[i] = text(def->order[i]);
    weir_msg_api_def_write(&(weir_msg_api_def){.summary = text(def->summary),
                                               .description = text(def->description),
                                               .description_prefix = text(def->prefix),
                                               .description_suffix = text(def->suffix),
                                               .arg_order = {order, (size_t)def->order_count},
                                               .deprecation_message = text(def->deprecation),
                                               .deprecation_version = def->deprecated_at},
                           out);
}

static void put_api_def(weir_buf *out, const api_def *def)
{
    WEIR_MESSAGE_ARENA(arena);
    put_head(out, def, &arena);
    for (int i = 0; i < def->attr_count; i++)
        put_attr(out, &def->attrs[i]);
    put_texts(out, def, &arena);
}

TF_Buffer *TF_ApiDefMapGet(TF_ApiDefMap *map, const char *name, size_t name_len, TF_Status *status)
{
    const api_def *def = weir_map_get(&map->by_op, (weir_str){name, name_len});
    weir_buf bytes = {0};
    weir_capi_end(status, WEIR_OK);
    if (!def)
        return NULL;
    put_api_def(&bytes, def);
    return weir_capi_buffer(&bytes);
}
