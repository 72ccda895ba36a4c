/* place/colocate.c - joining nodes into groups. */
#include "place/colocate.h"

static int leader(weir_place_groups *p, int id)
{
    weir_place_group *of = p->of;
    while (of[id].parent != id)
        id = of[id].parent = of[of[id].parent].parent;
    return id;
}

weir_place_group *weir_place_leader(weir_place_groups *p, int id)
{
    return &p->of[leader(p, id)];
}

static weir_status together(weir_place_groups *p, const weir_node *a, const weir_node *b)
{
    int x = leader(p, a->id), y = leader(p, b->id);
    if (x == y)
        return WEIR_OK;
    weir_place_group *into = &p->of[x], *from = &p->of[y];
    char first[WEIR_DEVICE_NAME_ROOM], second[WEIR_DEVICE_NAME_ROOM];
    const char *differ = weir_device_name_merge(&into->fixed, &from->fixed, false);
    if (!differ)
        differ = weir_device_name_merge(&into->want, &from->want, p->soft);
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

/* ---- what each node asks for ---------------------------------------------------------------- */

static bool refers(int type)
{
    return weir_dtype_is_ref(type) || weir_dtype_base(type) == WEIR_RESOURCE;
}

/* What makes a variable or a resource says where it is; its users cannot. */
static bool makes_resource(const weir_node *n)
{
    return n->site.in_count == 0 && n->site.out_count == 1 && refers(n->site.out_types[0]) &&
           weir_node_flow(n) != WEIR_FLOW_ARG;
}

static weir_status read_requests(weir_place_groups *p)
{
    weir_device_name nothing;
    WEIR_TRY(weir_device_name_parse("", &nothing));
    for (size_t i = 0; i < p->g->nodes.count; i++) {
        const weir_node *n = p->g->nodes.at[i];
        weir_place_group *own = &p->of[i];
        *own = (weir_place_group){(int)i, -1, nothing, nothing, false};
        if (n->removed)
            continue;
        WEIR_TRY_NOTE(
            weir_device_name_parse(n->placed ? n->site.device : n->requested_device, &own->want),
            " in node '%s'", n->site.name);
        if (n->placed || makes_resource(n))
            own->fixed = own->want;
    }
    return WEIR_OK;
}

/* ---- who goes together ---------------------------------------------------------------------- */

/* A class is named after a node, which need not be there. */
static weir_status follow_class(weir_place_groups *p, weir_map *classes, weir_node *n)
{
    const weir_attr *a = weir_named_attr_find(n->extra, n->extra_count, "_class");
    for (int i = 0; a && a->kind == WEIR_ATTR_STRING && a->is_list && i < a->count; i++) {
        if (a->ss[i].length < 5 || memcmp(a->ss[i].at, "loc:@", 5) != 0)
            continue;
        weir_str name = {a->ss[i].at + 5, a->ss[i].length - 5};
        weir_node *with = weir_graph_find(p->g, name);
        if (!with)
            with = weir_map_get(classes, name);
        if (with)
            WEIR_TRY(together(p, with, n));
        else
            weir_map_put(classes, name, n);
    }
    return WEIR_OK;
}

/* Ops that hand references on to functions, which are placed for themselves, or to everybody. */
static bool hands_on(const weir_node *n)
{
    weir_flow flow = weir_node_flow(n);
    if (flow == WEIR_FLOW_IDENTITY_N || flow == WEIR_FLOW_ARG || flow == WEIR_FLOW_RETVAL)
        return true;
    for (int i = 0; i < n->site.def->attr_count; i++)
        if (n->site.attrs[i].kind == WEIR_ATTR_FUNC)
            return true;
    return n->function != NULL;
}

/* The user of a reference goes where it is, whatever it asked for itself. */
static weir_status follow_reference(weir_place_groups *p, const weir_node *from,
                                    const weir_node *user)
{
    weir_place_group *src = weir_place_leader(p, from->id), *dst = weir_place_leader(p, user->id);
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
    weir_status s = together(p, from, user);
    return s ? weir_status_prefix(s, "Nodes were connected by a reference or resource connection "
                                     "(requiring them to be on the same device), but the two nodes "
                                     "were assigned two different devices: ")
             : WEIR_OK;
}

/* Who makes the value that |e| hands on. */
static weir_edge origin(weir_edge e)
{
    while (weir_node_flow(e.node) == WEIR_FLOW_IDENTITY_N)
        e = e.node->in[e.index];
    return e;
}

static weir_status follow_references(weir_place_groups *p, const weir_node *n)
{
    for (int k = 0; k < n->site.in_count; k++) {
        if (!refers(n->site.in_types[k]))
            continue;
        const weir_node *from = origin(n->in[k]).node;
        if (!hands_on(from))
            WEIR_TRY(follow_reference(p, from, n));
        else if (weir_node_flow(from) != WEIR_FLOW_ARG)
            weir_place_leader(p, n->id)->late = true;
    }
    return WEIR_OK;
}

static weir_status join_groups(weir_place_groups *p, weir_map *classes)
{
    for (size_t i = 0; i < p->g->nodes.count; i++)
        if (!p->g->nodes.at[i]->removed)
            WEIR_TRY(follow_class(p, classes, p->g->nodes.at[i]));
    for (size_t i = 0; i < p->g->nodes.count; i++) {
        weir_node *n = p->g->nodes.at[i];
        if (!n->removed && !hands_on(n))
            WEIR_TRY(follow_references(p, n));
    }
    return WEIR_OK;
}

weir_status weir_place_colocate(weir_graph *g, bool soft, weir_place_groups *out_groups)
{
    weir_place_groups p = {g, WEIR_NEW_ARRAY(weir_place_group, g->nodes.count), soft};
    weir_map classes = {0};
    weir_status s = read_requests(&p);
    if (!s)
        s = join_groups(&p, &classes);
    weir_map_fini(&classes);
    if (s)
        weir_place_groups_fini(&p);
    else
        *out_groups = p;
    return s;
}

void weir_place_groups_fini(weir_place_groups *p)
{
    weir_free(p->of);
    *p = (weir_place_groups){0};
}
