/*
 * model/restore_objects.c - variables that a SavedModel's restore op forgets.
 *
 * Models saved by objects (tf.saved_model.save of a Keras model) may serve variables that their
 * restore op does not know: it restores copies. The checkpoint says under which key it has which
 * variable, by the names that the variables' nodes have, too:
 *
 *   _CHECKPOINTABLE_OBJECT_GRAPH: TrackableObjectGraph { 1 nodes { 2 attributes {
 *       1 name "VARIABLE_VALUE"  2 full_name "dense/kernel"  3 checkpoint_key } } }
 */
#include "io/checkpoint.h"
#include "model/saved_model_impl.h"
#include "model/variables.h"
#include "tensor/tstring.h"

/* Values on their way to variables. */
typedef struct filling {
    weir_checkpoint *from;
    weir_map keys; /* a variable's name to its key, a char * that is owned; "" when two have it */
    WEIR_VEC(weir_edge) feeds;
    WEIR_VEC(weir_tensor) values;
    weir_nodes assigns;
} filling;

static void filling_fini(filling *f)
{
    size_t at = 0;
    weir_str name;
    void *key;
    while (weir_map_next(&f->keys, &at, &name, &key))
        weir_free(key);
    weir_map_fini(&f->keys);
    for (size_t i = 0; i < f->values.count; i++)
        weir_tensor_release(&f->values.at[i]);
    weir_vec_fini(&f->values);
    weir_vec_fini(&f->feeds);
    weir_vec_fini(&f->assigns);
    weir_checkpoint_destroy(f->from);
}

/* ---- what the checkpoint says ---------------------------------------------------------------- */

static void
note_attribute(filling *f,
               const weir_msg_trackable_object_graph_trackable_object_serialized_tensor *attribute)
{
    if (!weir_str_is(attribute->name, "VARIABLE_VALUE") || !attribute->full_name.length)
        return;
    char *mine = weir_strndup(attribute->checkpoint_key.at, attribute->checkpoint_key.length);
    char *before = weir_map_put(&f->keys, attribute->full_name, mine);
    if (before && strcmp(before, mine) != 0)
        *mine = 0;
    weir_free(before);
}

static weir_status note_objects(filling *f, weir_str proto)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_trackable_object_graph objects;
    WEIR_TRY(weir_model_parsed(weir_msg_trackable_object_graph_read(proto, &arena, &objects)));
    for (size_t i = 0; i < objects.nodes.count; i++)
        for (size_t k = 0; k < objects.nodes.at[i].attributes.count; k++)
            note_attribute(f, &objects.nodes.at[i].attributes.at[k]);
    return WEIR_OK;
}

static weir_status read_keys(filling *f)
{
    static const weir_str objects = {"_CHECKPOINTABLE_OBJECT_GRAPH", 28};
    weir_tensor_info info;
    weir_tensor t;
    if (!weir_checkpoint_find(f->from, objects, &info) || info.dtype != WEIR_STRING ||
        weir_shape_count(&info.shape) != 1)
        return WEIR_OK;
    WEIR_TRY(weir_checkpoint_read(f->from, objects, NULL, &t));
    weir_status status = note_objects(f, weir_tstring_get(t.data));
    weir_tensor_release(&t);
    return status;
}

/* ---- assigning ------------------------------------------------------------------------------- */

static weir_status add_node(weir_node *variable, const char *op, const weir_edge *in, int in_count,
                            weir_node **out)
{
    weir_buf name = {0};
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
    weir_status s = weir_graph_add(variable->graph, &spec, out);
    weir_buf_fini(&name);
    return s;
}

static weir_status add_variable(filling *f, weir_node *variable, const char *key)
{
    weir_node *value, *assign;
    weir_tensor t;
    weir_tensor_info info;
    if (!weir_checkpoint_find(f->from, weir_str_of(key), &info) ||
        info.dtype != weir_variable_dtype(variable))
        return WEIR_OK;
    WEIR_TRY(add_node(variable, "Placeholder", NULL, 0, &value));
    weir_edge in[] = {{variable, 0}, {value, 0}};
    WEIR_TRY(add_node(variable, "AssignVariableOp", in, 2, &assign));
    WEIR_TRY(weir_checkpoint_read(f->from, weir_str_of(key), NULL, &t));
    weir_vec_push(&f->feeds, in[1]);
    weir_vec_push(&f->values, t);
    weir_vec_push(&f->assigns, assign);
    return WEIR_OK;
}

static bool restores(const weir_node *restore, const weir_node *variable)
{
    for (int i = 0; i < restore->site.in_count; i++)
        if (restore->in[i].node == variable)
            return true;
    return false;
}

static weir_status add_variables(filling *f, const weir_node *restore)
{
    weir_graph *g = restore->graph;
    for (size_t i = 0, end = g->nodes.count; i < end; i++) {
        weir_node *n = g->nodes.at[i];
        if (n->removed || !weir_variable_is_resource(n) || restores(restore, n))
            continue;
        const char *key = weir_map_get(&f->keys, weir_str_of(n->site.name));
        if (key && *key)
            WEIR_TRY(add_variable(f, n, key));
    }
    return WEIR_OK;
}

static weir_status fill(filling *f, weir_session *s, const weir_node *restore)
{
    WEIR_TRY(read_keys(f));
    if (!f->keys.count)
        return WEIR_OK;
    pthread_mutex_lock(s->graph_lock);
    weir_status status = add_variables(f, restore);
    pthread_mutex_unlock(s->graph_lock);
    WEIR_TRY(status);
    weir_request request = {.feeds = f->feeds.at,
                            .feed_values = f->values.at,
                            .feed_count = (int)f->feeds.count,
                            .targets = f->assigns.at,
                            .target_count = (int)f->assigns.count};
    return f->assigns.count ? weir_session_run(s, &request, NULL) : WEIR_OK;
}

weir_status weir_model_restore_objects(weir_session *s, const weir_node *restore,
                                       const char *prefix)
{
    filling f = {0};
    /* Models of graphs restore by ops of their own, not by a function. */
    if (!restore->function && !weir_node_attr(restore, "f"))
        return WEIR_OK;
    weir_status status = weir_checkpoint_open(prefix, &f.from);
    if (!status)
        status = fill(&f, s, restore);
    filling_fini(&f);
    return status;
}
