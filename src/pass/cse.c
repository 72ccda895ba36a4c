/* pass/cse.c - common subexpression elimination.
 *
 * Two nodes are equal if op, attrs, inputs, control inputs and device are. The walk is in
 * topological order, so duplicates are merged from the leaves up.
 */
#include "pass/pass_impl.h"

enum { LARGEST_CONST = 1 << 16 /* bytes; larger constants are not compared */ };

static bool eligible(const weir_node *node)
{
    if (weir_pass_is_const(node))
        return weir_tensor_bytes(weir_node_attr(node, "value")->tensor) <= LARGEST_CONST;
    weir_flow flow = weir_node_flow(node);
    if (flow == WEIR_FLOW_SWITCH || flow == WEIR_FLOW_ENTER)
        return !weir_dtype_is_ref(weir_edge_type(node->in[0])) &&
               (flow == WEIR_FLOW_SWITCH || weir_node_attr(node, "is_constant")->b);
    return weir_pass_pure(node) && node->site.out_count > 0 && node->site.in_count > 0;
}

static uint64_t mix(uint64_t hash, const void *bytes, size_t length)
{
    return weir_hash_bytes(bytes, length, hash);
}

static uint64_t hash_node(const weir_node *node)
{
    uint64_t hash = mix(0, node->site.def->name, strlen(node->site.def->name));
    for (int i = 0; i < node->site.in_count; i++) {
        int64_t key[] = {node->in[i].node->id, node->in[i].index};
        hash = mix(hash, key, sizeof key);
    }
    const weir_tensor *tensor = weir_pass_value((weir_edge){(weir_node *)node, 0});
    if (tensor && weir_dtype_is_plain(tensor->dtype))
        hash = mix(hash, tensor->data, weir_tensor_bytes(tensor));
    return hash;
}

static bool waits_for(const weir_node *node, const weir_node *from)
{
    for (size_t i = 0; i < node->controls.count; i++)
        if (node->controls.at[i] == from)
            return true;
    return false;
}

static bool same(const weir_node *a, const weir_node *b)
{
    if (a->site.def != b->site.def || a->site.in_count != b->site.in_count ||
        a->controls.count != b->controls.count || strcmp(a->site.device, b->site.device) != 0)
        return false;
    for (int i = 0; i < a->site.in_count; i++)
        if (a->in[i].node != b->in[i].node || a->in[i].index != b->in[i].index)
            return false;
    for (size_t i = 0; i < a->controls.count; i++)
        if (!waits_for(b, a->controls.at[i]))
            return false;
    for (int i = 0; i < a->site.def->attr_count; i++)
        if (!weir_attr_eq(&a->site.attrs[i], &b->site.attrs[i]))
            return false;
    return true;
}

static void merge(weir_node *node, weir_node *into)
{
    for (int i = 0; i < node->site.out_count; i++)
        weir_graph_replace((weir_edge){node, i}, (weir_edge){into, i});
    weir_pass_move_waiting(node, into);
    weir_graph_remove(node);
}

/* A hash table with open addressing, at most half full. */
static weir_node **slot_of(weir_node **table, size_t room, const weir_node *node)
{
    size_t at = hash_node(node) & (room - 1);
    while (table[at] && !same(table[at], node))
        at = (at + 1) & (room - 1);
    return &table[at];
}

weir_status weir_pass_cse(weir_graph *graph, const weir_pass_env *env)
{
    size_t count, room = 16;
    weir_node **order = weir_graph_order(graph, &count);
    while (room < 2 * count)
        room *= 2;
    weir_node **table = WEIR_NEW_ARRAY(weir_node *, room);
    for (size_t i = 0; i < count; i++) {
        weir_node *node = order[i];
        if (node->removed || !eligible(node))
            continue;
        weir_node **slot = slot_of(table, room, node);
        if (!*slot)
            *slot = node;
        else if (!weir_pass_kept(env, node))
            merge(node, *slot);
    }
    weir_free(table);
    weir_free(order);
    return WEIR_OK;
}
