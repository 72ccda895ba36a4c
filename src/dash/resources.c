/* dash/resources.c - variables with their sizes, and queues with their lengths. */
#include <inttypes.h>

#include "base/mem.h"
#include "dash/dash_impl.h"
#include "op/resource_each.h"
#include "state/queue.h"
#include "state/var.h"
#include "wire/json.h"

typedef struct resource_list {
    WEIR_VEC(weir_resource *) at; /* retained */
    WEIR_VEC(char *) names;
} resource_list;

enum { MOST = 20000 };

static void collect(void *arg, weir_str container, weir_str name, weir_resource *resource)
{
    resource_list *list = arg;
    if (list->at.count == MOST)
        return;
    weir_ref_retain(&resource->ref);
    weir_vec_push(&list->at, resource);
    weir_vec_push(&list->names, weir_strndup(name.at, name.length));
}

/* Copies the list, so that the manager's lock is not held while it is formatted. */
static resource_list all_of(weir_dash *dash)
{
    resource_list list = {0};
    if (dash->resources)
        weir_resources_each(dash->resources, collect, &list);
    return list;
}

static void list_fini(resource_list *list)
{
    for (size_t i = 0; i < list->at.count; i++) {
        weir_ref_release(&list->at.at[i]->ref);
        weir_free(list->names.at[i]);
    }
    weir_vec_fini(&list->at);
    weir_vec_fini(&list->names);
}

static bool is_variable(const weir_resource *resource)
{
    return resource->type == &weir_var_type || resource->type == &weir_legacy_var_type;
}

/* Bytes and shape of a value; 0 bytes and the declared shape: not initialised. Does not take a
 * reference, which would make the next update copy the value. */
static size_t look_at(weir_resource *resource, weir_shape *out_shape)
{
    weir_var *variable = (weir_var *)resource;
    weir_mutex_lock(&variable->lock);
    bool set = variable->value.buffer != NULL;
    size_t bytes = set ? weir_tensor_bytes(&variable->value) : 0;
    *out_shape = set ? variable->value.shape : variable->shape;
    weir_mutex_unlock(&variable->lock);
    return bytes;
}

static void put_variable(const char *name, weir_resource *resource, weir_buf *out)
{
    weir_shape shape;
    size_t bytes = look_at(resource, &shape);
    weir_buf_adds(out, "{\"name\":");
    weir_json_put_string(out, weir_str_of(name));
    weir_buf_addf(out, ",\"type\":\"%s\",\"shape\":\"%s\",\"bytes\":%zu},",
                  weir_dtype_name(((weir_var *)resource)->dtype), WEIR_SHAPE_STR(&shape), bytes);
}

static void put_queue(const char *name, weir_resource *resource, weir_buf *out)
{
    weir_queue *queue = (weir_queue *)resource;
    weir_buf_adds(out, "{\"name\":");
    weir_json_put_string(out, weir_str_of(name));
    weir_buf_addf(out, ",\"size\":%" PRId64 ",\"capacity\":%" PRId64 ",\"closed\":%s},",
                  weir_queue_size(queue), weir_queue_capacity(queue),
                  weir_queue_closed(queue) ? "true" : "false");
}

static void drop_comma(weir_buf *out)
{
    if (out->at[out->length - 1] == ',')
        out->length--;
}

dash_queue_sums dash_put_queues(weir_dash *dash, weir_buf *out)
{
    dash_queue_sums sums = {0};
    resource_list list = all_of(dash);
    weir_buf_addc(out, '[');
    for (size_t i = 0; i < list.at.count; i++) {
        weir_resource *resource = list.at.at[i];
        weir_shape shape;
        if (resource->type == &weir_queue_type && ++sums.queues <= 200)
            put_queue(list.names.at[i], resource, out);
        if (!is_variable(resource))
            continue;
        sums.variables++;
        sums.variable_bytes += (int64_t)look_at(resource, &shape);
    }
    drop_comma(out);
    weir_buf_addc(out, ']');
    list_fini(&list);
    return sums;
}

void dash_each_queue(weir_dash *dash,
                     void (*fn)(void *arg, weir_str name, int64_t size, int64_t capacity),
                     void *arg)
{
    resource_list list = all_of(dash);
    for (size_t i = 0; i < list.at.count; i++)
        if (list.at.at[i]->type == &weir_queue_type)
            fn(arg, weir_str_of(list.names.at[i]), weir_queue_size((weir_queue *)list.at.at[i]),
               weir_queue_capacity((weir_queue *)list.at.at[i]));
    list_fini(&list);
}

void dash_get_resources(weir_dash *dash, const weir_http_request *request, weir_http_reply *reply)
{
    resource_list list = all_of(dash);
    weir_buf *out = &reply->body;
    weir_buf_adds(out, "{\"variables\":[");
    for (size_t i = 0; i < list.at.count; i++)
        if (is_variable(list.at.at[i]))
            put_variable(list.names.at[i], list.at.at[i], out);
    drop_comma(out);
    weir_buf_adds(out, "],\"queues\":[");
    for (size_t i = 0; i < list.at.count; i++)
        if (list.at.at[i]->type == &weir_queue_type)
            put_queue(list.names.at[i], list.at.at[i], out);
    drop_comma(out);
    weir_buf_adds(out, "]}");
    list_fini(&list);
    dash_json(reply);
}
