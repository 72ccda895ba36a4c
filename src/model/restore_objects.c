/*
 * model/restore_objects.c - restores variables that a SavedModel's restore op omits.
 *
 * Object-based models (tf.saved_model.save of a Keras model) may use variables that their restore
 * op does not restore: it restores copies. The checkpoint maps the names of the variables' nodes to
 * its keys:
 *
 *   _CHECKPOINTABLE_OBJECT_GRAPH: TrackableObjectGraph { 1 nodes { 2 attributes {
 *       1 name "VARIABLE_VALUE"  2 full_name "dense/kernel"  3 checkpoint_key } } }
 */
#include "io/checkpoint.h"
#include "model/saved_model_impl.h"
#include "model/variables.h"
#include "tensor/tstring.h"

/* Assigns values to variables. */
typedef struct filling {
    weir_checkpoint *from;
    weir_map keys; /* a variable's name to its key, an owned char *; "" if ambiguous */
    WEIR_VEC(weir_edge) feeds;
    WEIR_VEC(weir_tensor) values;
    weir_nodes assigns;
} filling;

static void filling_fini(filling *filling)
{
    size_t at = 0;
    weir_str name;
    void *key;
    while (weir_map_next(&filling->keys, &at, &name, &key))
        weir_free(key);
    weir_map_fini(&filling->keys);
    for (size_t i = 0; i < filling->values.count; i++)
        weir_tensor_release(&filling->values.at[i]);
    weir_vec_fini(&filling->values);
    weir_vec_fini(&filling->feeds);
    weir_vec_fini(&filling->assigns);
    weir_checkpoint_destroy(filling->from);
}

/* ---- the checkpoint's keys ------------------------------------------------------------------- */

static void
note_attribute(filling *filling,
               const weir_msg_trackable_object_graph_trackable_object_serialized_tensor *attribute)
{
    if (!weir_str_is(attribute->name, "VARIABLE_VALUE") || !attribute->full_name.length)
        return;
    char *mine = weir_strndup(attribute->checkpoint_key.at, attribute->checkpoint_key.length);
    char *before = weir_map_put(&filling->keys, attribute->full_name, mine);
    if (before && strcmp(before, mine) != 0)
        *mine = 0;
    weir_free(before);
}

static weir_status note_objects(filling *filling, weir_str proto)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_trackable_object_graph objects;
    WEIR_TRY(weir_model_parsed(weir_msg_trackable_object_graph_read(proto, &arena, &objects)));
    for (size_t i = 0; i < objects.nodes.count; i++)
        for (size_t k = 0; k < objects.nodes.at[i].attributes.count; k++)
            note_attribute(filling, &objects.nodes.at[i].attributes.at[k]);
    return WEIR_OK;
}

static weir_status read_keys(filling *filling)
{
    static const weir_str objects = {"_CHECKPOINTABLE_OBJECT_GRAPH", 28};
    weir_tensor_info info;
    weir_tensor tensor;
    if (!weir_checkpoint_find(filling->from, objects, &info) || info.dtype != WEIR_STRING ||
        weir_shape_count(&info.shape) != 1)
        return WEIR_OK;
    WEIR_TRY(weir_checkpoint_read(filling->from, objects, NULL, &tensor));
    weir_status status = note_objects(filling, weir_tstring_get(tensor.data));
    weir_tensor_release(&tensor);
    return status;
}

/* ---- assigning ------------------------------------------------------------------------------- */

static weir_status add_node(weir_node *variable, const char *op, const weir_edge *in, int in_count,
                            weir_node **out)
{
    WEIR_BUF(name);
    weir_buf_addf(&name, "%s/fill/%s", variable->site.name, op);
    weir_named_attr dtype = {"dtype",
                             {.kind = WEIR_ATTR_TYPE, .type = weir_variable_dtype(variable)}};
    weir_node_spec spec = {.name = weir_graph_unique_name(variable->graph, name.at),
                           .op = op,
                           .in = in,
                           .in_count = in_count,
                           .attrs = &dtype,
                           .attr_count = 1,
                           .device = variable->requested_device};
    return weir_graph_add(variable->graph, &spec, out);
}

static weir_status add_variable(filling *filling, weir_node *variable, const char *key)
{
    weir_node *value, *assign;
    weir_tensor tensor;
    weir_tensor_info info;
    if (!weir_checkpoint_find(filling->from, weir_str_of(key), &info) ||
        info.dtype != weir_variable_dtype(variable))
        return WEIR_OK;
    WEIR_TRY(add_node(variable, "Placeholder", NULL, 0, &value));
    weir_edge in[] = {{variable, 0}, {value, 0}};
    WEIR_TRY(add_node(variable, "AssignVariableOp", in, 2, &assign));
    WEIR_TRY(weir_checkpoint_read(filling->from, weir_str_of(key), NULL, &tensor));
    weir_vec_push(&filling->feeds, in[1]);
    weir_vec_push(&filling->values, tensor);
    weir_vec_push(&filling->assigns, assign);
    return WEIR_OK;
}

static bool restores(const weir_node *restore, const weir_node *variable)
{
    for (int i = 0; i < restore->site.in_count; i++)
        if (restore->in[i].node == variable)
            return true;
    return false;
}

static weir_status add_variables(filling *filling, const weir_node *restore)
{
    weir_graph *graph = restore->graph;
    for (size_t i = 0, end = graph->nodes.count; i < end; i++) {
        weir_node *node = graph->nodes.at[i];
        if (node->removed || !weir_variable_is_resource(node) || restores(restore, node))
            continue;
        const char *key = weir_map_get(&filling->keys, weir_str_of(node->site.name));
        if (key && *key)
            WEIR_TRY(add_variable(filling, node, key));
    }
    return WEIR_OK;
}

static weir_status fill(filling *filling, weir_session *session, const weir_node *restore)
{
    WEIR_TRY(read_keys(filling));
    if (!filling->keys.count)
        return WEIR_OK;
    weir_mutex_lock(session->graph_lock);
    weir_status status = add_variables(filling, restore);
    weir_mutex_unlock(session->graph_lock);
    WEIR_TRY(status);
    weir_request request = {.feeds = filling->feeds.at,
                            .feed_values = filling->values.at,
                            .feed_count = (int)filling->feeds.count,
                            .targets = filling->assigns.at,
                            .target_count = (int)filling->assigns.count};
    return filling->assigns.count ? weir_session_run(session, &request, NULL) : WEIR_OK;
}

weir_status weir_model_restore_objects(weir_session *session, const weir_node *restore,
                                       const char *prefix)
{
    filling filling = {0};
    /* Graph-based models restore by their own ops, not by a function. */
    if (!restore->function && !weir_node_attr(restore, "f"))
        return WEIR_OK;
    weir_status status = weir_checkpoint_open(prefix, &filling.from);
    if (!status)
        status = fill(&filling, session, restore);
    filling_fini(&filling);
    return status;
}
