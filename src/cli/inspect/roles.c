/* cli/inspect/roles.c - detects a model's parameters among the tensors of a checkpoint. */
#include "cli/inspect/roles.h"

#include "base/arith.h"
#include "tensor/tstring.h"
#include "wire/messages.h"

static const char objects_key[] = "_CHECKPOINTABLE_OBJECT_GRAPH";

const char *inspect_role_name(inspect_role role)
{
    static const char *const names[INSPECT_ROLES] = {"parameter", "optimizer", "counter",
                                                     "metric",    "copy",      "other"};
    return names[role];
}

/* ---- by name --------------------------------------------------------------------------------- */

/* The part after the last '/', and the one before it. */
static weir_str last_part(weir_str name)
{
    size_t from = name.length;
    while (from > 0 && name.at[from - 1] != '/')
        from--;
    return (weir_str){name.at + from, name.length - from};
}

static weir_str before_last(weir_str name)
{
    size_t last = last_part(name).length;
    return (weir_str){name.at, name.length > last ? name.length - last - 1 : 0};
}

static bool begins(weir_str text, const char *with)
{
    size_t length = strlen(with);
    return text.length >= length && memcmp(text.at, with, length) == 0;
}

static bool same_shape(const weir_shape *a, const weir_shape *b)
{
    return a->rank == b->rank &&
           (a->rank <= 0 || memcmp(a->dims, b->dims, sizeof *a->dims * (size_t)a->rank) == 0);
}

/* Scalar names used by TensorFlow's training, optionally followed by a number. */
static bool is_counter(const weir_tensor_info *info)
{
    static const char *const names[] = {"global_step", "save_counter", "beta1_power",
                                        "beta2_power"};
    for (size_t i = 0; info->shape.rank == 0 && i < sizeof names / sizeof *names; i++)
        if (begins(last_part(info->name), names[i]))
            return true;
    return false;
}

/* "scope/w/Adam" is a slot of "w" or of "scope/w". */
static bool is_slot(const weir_map *by_name, const weir_tensor_info *info)
{
    weir_str owner = before_last(info->name);
    for (;;) {
        const inspect_variable *found = weir_map_get(by_name, owner);
        if (owner.length && found && same_shape(&found->info.shape, &info->shape))
            return true;
        const char *slash = owner.length ? memchr(owner.at, '/', owner.length) : NULL;
        if (!slash)
            return false;
        owner = (weir_str){slash + 1, owner.length - (size_t)(slash + 1 - owner.at)};
    }
}

void inspect_roles_by_name(inspect_variables *variables)
{
    weir_map by_name = {0};
    for (size_t i = 0; i < variables->count; i++)
        weir_map_put(&by_name, variables->at[i].info.name, &variables->at[i]);
    for (size_t i = 0; i < variables->count; i++) {
        inspect_variable *variable = &variables->at[i];
        variable->role = variable->info.dtype == WEIR_STRING  ? INSPECT_OTHER
                         : is_counter(&variable->info)        ? INSPECT_COUNTER
                         : is_slot(&by_name, &variable->info) ? INSPECT_OPTIMIZER
                                                              : INSPECT_PARAMETER;
    }
    weir_map_fini(&by_name);
}

/* ---- by the object graph --------------------------------------------------------------------- */

typedef weir_msg_trackable_object_graph objects;
typedef weir_msg_trackable_object_graph_trackable_object object;

/* Finds the variables of a checkpoint by their objects. */
typedef struct finder {
    const objects *graph;
    inspect_variables *variables;
    weir_map by_key; /* a key of the checkpoint to its inspect_variable */
} finder;

static const object *object_at(const finder *finder, int64_t id)
{
    return id >= 0 && id < (int64_t)finder->graph->nodes.count ? &finder->graph->nodes.at[id]
                                                               : NULL;
}

/* Sets |role| for the tensors that the object itself saves. */
static void mark(const finder *finder, int64_t id, inspect_role role)
{
    const object *object = object_at(finder, id);
    for (size_t i = 0; object && i < object->attributes.count; i++) {
        inspect_variable *variable =
            weir_map_get(&finder->by_key, object->attributes.at[i].checkpoint_key);
        if (variable && variable->role != INSPECT_OTHER)
            variable->role = role;
    }
}

/* The same for its children; optimisers and lists have no deeper levels. */
static void mark_family(const finder *finder, int64_t id, inspect_role role)
{
    const object *parent = object_at(finder, id);
    mark(finder, id, role);
    for (size_t i = 0; parent && i < parent->children.count; i++)
        mark(finder, parent->children.at[i].node_id, role);
}

/* Optimisers have an iteration counter, or state the owners of their slots. */
static bool is_optimizer(const object *object)
{
    bool counts = object->slot_variables.count > 0;
    for (size_t i = 0; i < object->children.count; i++)
        counts = counts || weir_str_is(object->children.at[i].local_name, "_iterations") ||
                 weir_str_is(object->children.at[i].local_name, "iter");
    return counts;
}

static void mark_optimizer(const finder *finder, const object *optimizer)
{
    for (size_t i = 0; i < optimizer->children.count; i++)
        if (!weir_str_is(optimizer->children.at[i].local_name, "_trainable_variables"))
            mark_family(finder, optimizer->children.at[i].node_id, INSPECT_OPTIMIZER);
    for (size_t i = 0; i < optimizer->slot_variables.count; i++)
        mark(finder, optimizer->slot_variables.at[i].slot_variable_node_id, INSPECT_OPTIMIZER);
}

/* The single tensor that an object saves; null if there is none or several. */
static inspect_variable *only_variable(const finder *finder, const object *object)
{
    return object && object->attributes.count == 1
               ? weir_map_get(&finder->by_key, object->attributes.at[0].checkpoint_key)
               : NULL;
}

/* Indexes parameters by the full names of their objects. */
static void index_full_names(const finder *finder, weir_map *by_full_name)
{
    for (size_t i = 0; i < finder->graph->nodes.count; i++) {
        const object *object = &finder->graph->nodes.at[i];
        inspect_variable *variable = only_variable(finder, object);
        if (variable && variable->role == INSPECT_PARAMETER)
            weir_map_put(by_full_name, object->attributes.at[0].full_name, variable);
    }
}

/* Keras exports every variable a second time, in a list of all: an entry of the list that also
 * exists elsewhere, by full name and shape, is a copy. */
static void mark_copies(const finder *finder, int64_t list_id)
{
    const object *list = object_at(finder, list_id);
    weir_map elsewhere = {0};
    mark_family(finder, list_id, INSPECT_COPY);
    index_full_names(finder, &elsewhere);
    for (size_t i = 0; list && i < list->children.count; i++) {
        const object *object = object_at(finder, list->children.at[i].node_id);
        inspect_variable *mine = only_variable(finder, object);
        const inspect_variable *other =
            mine ? weir_map_get(&elsewhere, object->attributes.at[0].full_name) : NULL;
        if (mine && !(other && same_shape(&other->info.shape, &mine->info.shape)))
            mine->role = INSPECT_PARAMETER;
    }
    weir_map_fini(&elsewhere);
}

static void mark_metrics(const finder *finder, int64_t id)
{
    const object *parent = object_at(finder, id);
    for (size_t i = 0; parent && i < parent->children.count; i++)
        mark_family(finder, parent->children.at[i].node_id, INSPECT_METRIC);
}

static void mark_child(const finder *finder, weir_str name, int64_t id)
{
    if (weir_str_is(name, "save_counter"))
        mark(finder, id, INSPECT_COUNTER);
    else if (weir_str_is(name, "_all_variables"))
        mark_copies(finder, id);
    else if (weir_str_is(name, "metrics") || weir_str_is(name, "_metrics"))
        mark_metrics(finder, id);
}

static void mark_objects(const finder *finder)
{
    for (size_t i = 0; i < finder->graph->nodes.count; i++)
        if (is_optimizer(&finder->graph->nodes.at[i]))
            mark_optimizer(finder, &finder->graph->nodes.at[i]);
    for (size_t i = 0; i < finder->graph->nodes.count; i++) {
        const object *object = &finder->graph->nodes.at[i];
        for (size_t j = 0; j < object->children.count; j++)
            mark_child(finder, object->children.at[j].local_name, object->children.at[j].node_id);
    }
}

/* False if the checkpoint has no valid object graph. */
static bool by_objects(weir_checkpoint *checkpoint, inspect_variables *variables)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_tensor tensor = {0};
    objects graph;
    finder finder = {&graph, variables, {0}};
    weir_status status = weir_checkpoint_read(checkpoint, weir_str_of(objects_key), NULL, &tensor);
    if (!status && (tensor.dtype != WEIR_STRING || weir_tensor_count(&tensor) != 1))
        status = weir_error(WEIR_DATA_LOSS, "no graph of objects");
    if (!status)
        status =
            weir_msg_trackable_object_graph_read(weir_tstring_get(tensor.data), &arena, &graph);
    for (size_t i = 0; !status && i < variables->count; i++)
        weir_map_put(&finder.by_key, variables->at[i].info.name, &variables->at[i]);
    if (!status)
        mark_objects(&finder);
    weir_map_fini(&finder.by_key);
    weir_tensor_release(&tensor);
    weir_status_free(status);
    return !status;
}

void inspect_roles_of_checkpoint(weir_checkpoint *checkpoint, inspect_variables *out_variables)
{
    for (size_t i = 0; i < weir_checkpoint_count(checkpoint); i++) {
        weir_tensor_info info = weir_checkpoint_at(checkpoint, i);
        inspect_role role = info.dtype == WEIR_STRING ? INSPECT_OTHER : INSPECT_PARAMETER;
        weir_vec_push(out_variables, ((inspect_variable){info, role}));
    }
    if (!by_objects(checkpoint, out_variables))
        inspect_roles_by_name(out_variables);
}

/* ---- sums ------------------------------------------------------------------------------------ */

int64_t inspect_count(const inspect_variables *variables, inspect_role role)
{
    int64_t count = 0;
    for (size_t i = 0; i < variables->count; i++)
        count += variables->at[i].role == role;
    return count;
}

int64_t inspect_elements(const inspect_variables *variables, inspect_role role)
{
    int64_t elements = 0;
    for (size_t i = 0; i < variables->count; i++)
        if (variables->at[i].role == role)
            elements += weir_max(weir_shape_count(&variables->at[i].info.shape), 0);
    return elements;
}

void inspect_role_fields(const inspect_variables *variables, weir_output *output)
{
    weir_output_int(output, "parameters", inspect_elements(variables, INSPECT_PARAMETER));
    weir_output_int(output, "optimizer_state", inspect_elements(variables, INSPECT_OPTIMIZER));
}
