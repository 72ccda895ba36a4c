/* place/colocate.c - merges nodes into colocation groups. */
#include "place/colocate.h"

static int leader(weir_place_groups *groups, int id)
{
    weir_place_group *of = groups->of;
    while (of[id].parent != id)
        id = of[id].parent = of[of[id].parent].parent;
    return id;
}

weir_place_group *weir_place_leader(weir_place_groups *groups, int id)
{
    return &groups->of[leader(groups, id)];
}

static weir_status together(weir_place_groups *groups, const weir_node *a, const weir_node *b)
{
    int x = leader(groups, a->id), y = leader(groups, b->id);
    if (x == y)
        return WEIR_OK;
    weir_place_group *into = &groups->of[x], *from = &groups->of[y];
    char first[WEIR_DEVICE_NAME_ROOM], second[WEIR_DEVICE_NAME_ROOM];
    const char *differ = weir_device_name_merge(&into->fixed, &from->fixed, false);
    if (!differ)
        differ = weir_device_name_merge(&into->want, &from->want, groups->soft);
    if (differ)
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            "Cannot colocate nodes {{colocation_node %s}} and {{colocation_node %s}}: "
            "Cannot merge devices with incompatible %s: '%s' and '%s'",
            a->site.name, b->site.name, differ, weir_device_name_text(&into->want, first),
            weir_device_name_text(&from->want, second));
    weir_device_name_override(&into->want, &into->fixed);
    into->late |= from->late;
    from->parent = x;
    return WEIR_OK;
}

/* ---- device requests ------------------------------------------------------------------------- */

static bool refers(int type)
{
    return weir_dtype_is_ref(type) || weir_dtype_base(type) == WEIR_RESOURCE;
}

/* The node that creates a variable or resource determines its device; users do not. */
static bool makes_resource(const weir_node *node)
{
    return node->site.in_count == 0 && node->site.out_count == 1 &&
           refers(node->site.out_types[0]) && weir_node_flow(node) != WEIR_FLOW_ARG;
}

static weir_status read_requests(weir_place_groups *groups)
{
    weir_device_name nothing;
    WEIR_TRY(weir_device_name_parse("", &nothing));
    for (size_t i = 0; i < groups->g->nodes.count; i++) {
        const weir_node *node = groups->g->nodes.at[i];
        weir_place_group *own = &groups->of[i];
        *own = (weir_place_group){(int)i, -1, nothing, nothing, false};
        if (node->removed)
            continue;
        WEIR_TRY_NOTE(weir_device_name_parse(
                          node->placed ? node->site.device : node->requested_device, &own->want),
                      " in node '%s'", node->site.name);
        if (node->placed || makes_resource(node))
            own->fixed = own->want;
    }
    return WEIR_OK;
}

/* ---- colocation ------------------------------------------------------------------------------ */

/* A class is named after a node, which need not exist. */
static weir_status follow_class(weir_place_groups *groups, weir_map *classes, weir_node *node)
{
    const weir_attr *attr = weir_named_attr_find(node->extra, node->extra_count, "_class");
    for (int i = 0; attr && attr->kind == WEIR_ATTR_STRING && attr->is_list && i < attr->count;
         i++) {
        if (attr->ss[i].length < 5 || memcmp(attr->ss[i].at, "loc:@", 5) != 0)
            continue;
        weir_str name = {attr->ss[i].at + 5, attr->ss[i].length - 5};
        weir_node *with = weir_graph_find(groups->g, name);
        if (!with)
            with = weir_map_get(classes, name);
        if (with)
            WEIR_TRY(together(groups, with, node));
        else
            weir_map_put(classes, name, node);
    }
    return WEIR_OK;
}

/* Ops that pass references to functions, which are placed separately, or to any device. */
static bool hands_on(const weir_node *node)
{
    weir_flow flow = weir_node_flow(node);
    if (flow == WEIR_FLOW_IDENTITY_N || flow == WEIR_FLOW_ARG || flow == WEIR_FLOW_RETVAL)
        return true;
    for (int i = 0; i < node->site.def->attr_count; i++)
        if (node->site.attrs[i].kind == WEIR_ATTR_FUNC)
            return true;
    return node->function != NULL;
}

/* The user of a reference is placed on its device, whatever it requested itself. */
static weir_status follow_reference(weir_place_groups *groups, const weir_node *from,
                                    const weir_node *user)
{
    weir_place_group *src = weir_place_leader(groups, from->id),
                     *dst = weir_place_leader(groups, user->id);
    if (!weir_device_name_agree(&src->fixed, &dst->fixed)) {
        char a[WEIR_DEVICE_NAME_ROOM], b[WEIR_DEVICE_NAME_ROOM];
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Cannot place the graph because a reference or resource edge connects "
                          "colocation groups with incompatible resource devices: %s vs %s. The "
                          "edge src node is name='%s' (op='%s'), and the dst node is name='%s' "
                          "(op='%s').",
                          weir_device_name_text(&src->fixed, a),
                          weir_device_name_text(&dst->fixed, b), from->site.name,
                          from->site.def->name, user->site.name, user->site.def->name);
    }
    if (!weir_device_name_agree(&src->want, &dst->want)) {
        dst->want = src->want;
        weir_device_name_override(&dst->want, &dst->fixed);
    }
    weir_status status = together(groups, from, user);
    return status
               ? weir_status_prefix(status,
                                    "Nodes were connected by a reference or resource connection "
                                    "(requiring them to be on the same device), but the two nodes "
                                    "were assigned two different devices: ")
               : WEIR_OK;
}

/* The source of a value that |edge| forwards. */
static weir_edge origin(weir_edge edge)
{
    while (weir_node_flow(edge.node) == WEIR_FLOW_IDENTITY_N)
        edge = edge.node->in[edge.index];
    return edge;
}

static weir_status follow_references(weir_place_groups *groups, const weir_node *node)
{
    for (int k = 0; k < node->site.in_count; k++) {
        if (!refers(node->site.in_types[k]))
            continue;
        const weir_node *from = origin(node->in[k]).node;
        if (!hands_on(from))
            WEIR_TRY(follow_reference(groups, from, node));
        else if (weir_node_flow(from) != WEIR_FLOW_ARG)
            weir_place_leader(groups, node->id)->late = true;
    }
    return WEIR_OK;
}

static weir_status join_groups(weir_place_groups *groups, weir_map *classes)
{
    for (size_t i = 0; i < groups->g->nodes.count; i++)
        if (!groups->g->nodes.at[i]->removed)
            WEIR_TRY(follow_class(groups, classes, groups->g->nodes.at[i]));
    for (size_t i = 0; i < groups->g->nodes.count; i++) {
        weir_node *node = groups->g->nodes.at[i];
        if (!node->removed && !hands_on(node))
            WEIR_TRY(follow_references(groups, node));
    }
    return WEIR_OK;
}

weir_status weir_place_colocate(weir_graph *graph, bool soft, weir_place_groups *out_groups)
{
    weir_place_groups groups = {graph, WEIR_NEW_ARRAY(weir_place_group, graph->nodes.count), soft};
    weir_map classes = {0};
    weir_status status = read_requests(&groups);
    if (!status)
        status = join_groups(&groups, &classes);
    weir_map_fini(&classes);
    if (status)
        weir_place_groups_fini(&groups);
    else
        *out_groups = groups;
    return status;
}

void weir_place_groups_fini(weir_place_groups *groups)
{
    weir_free(groups->of);
    *groups = (weir_place_groups){0};
}
