/* graph/import.c - a GraphDef becomes nodes of a graph.
 *
 * Nodes may come in any order, and loops have back edges: a node is added when all its inputs are
 * there; a Merge does not wait for inputs that come from NextIteration, which are put in at the
 * end. An error takes back everything that was added.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "graph/graph_impl.h"
#include "graph/proto.h"

typedef struct input {
    const weir_input_map *mapped; /* taken from outside */
    int source;                   /* index of the NodeDef otherwise */
    int index;                    /* -1: control */
    bool back;                    /* a loop's back edge */
} input;

typedef struct importing {
    weir_graph *g;
    const weir_import *how;
    weir_import_results *results;
    weir_arena arena;
    weir_function_node *defs;
    weir_node **made;   /* one per def */
    const char **names; /* after prefix and uniquifying */
    input **inputs;
    int count;
    weir_map by_name; /* -> index + 1 */
    int producer, min_consumer;
    WEIR_VEC(int) bad_consumers;
} importing;

/* ---- reading -------------------------------------------------------------------------------- */

static weir_status invalid(void)
{
    return weir_error(WEIR_INVALID_ARGUMENT, "Invalid GraphDef");
}

static void set_gradient(importing *im, weir_str entry)
{
    weir_str function = {0}, gradient = {0};
    weir_pb r = weir_pb_reader(entry);
    while (weir_pb_next(&r)) {
        if (r.field == 1 && r.type == WEIR_PB_LEN)
            function = r.bytes;
        else if (r.field == 2 && r.type == WEIR_PB_LEN)
            gradient = r.bytes;
    }
    weir_function *f = weir_map_get(&im->g->functions, function);
    if (f)
        f->gradient = weir_arena_strndup(&f->arena, gradient.at, gradient.length);
}

static weir_status read_library(importing *im, weir_str bytes)
{
    weir_pb r = weir_pb_reader(bytes);
    while (weir_pb_next(&r)) {
        if (r.field == 1 && r.type == WEIR_PB_LEN) {
            weir_function *f;
            WEIR_TRY(weir_function_import(r.bytes, &f));
            weir_status s = weir_graph_add_function(im->g, f);
            weir_function_release(f);
            WEIR_TRY(s);
        } else if (r.field == 2 && r.type == WEIR_PB_LEN) {
            set_gradient(im, r.bytes);
        }
    }
    return weir_pb_ok(&r) ? WEIR_OK : invalid();
}

static bool read_versions(importing *im, weir_str bytes)
{
    weir_pb r = weir_pb_reader(bytes);
    while (weir_pb_next(&r)) {
        if (r.field == 1)
            im->producer = (int)r.value;
        else if (r.field == 2)
            im->min_consumer = (int)r.value;
        weir_pb_packed p = {0};
        while (r.field == 3 && weir_pb_each(&r, WEIR_PB_VARINT, &p))
            weir_vec_push(&im->bad_consumers, (int)p.value);
    }
    return weir_pb_ok(&r);
}

static weir_status check_versions(const importing *im)
{
    if (im->min_consumer > WEIR_GRAPH_VERSION)
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            "GraphDef min consumer version %d above current version %d for weir. Please "
            "upgrade.",
            im->min_consumer, WEIR_GRAPH_VERSION);
    for (size_t i = 0; i < im->bad_consumers.count; i++)
        if (im->bad_consumers.at[i] == WEIR_GRAPH_VERSION)
            return weir_error(WEIR_INVALID_ARGUMENT, "GraphDef disallows consumer version %d",
                              WEIR_GRAPH_VERSION);
    return WEIR_OK;
}

static weir_status read_graph(importing *im, weir_str bytes)
{
    weir_pb r = weir_pb_reader(bytes);
    while (weir_pb_next(&r)) {
        if (r.type != WEIR_PB_LEN)
            continue;
        im->count += r.field == 1;
        if (r.field == 2)
            WEIR_TRY(read_library(im, r.bytes));
        if (r.field == 4 && !read_versions(im, r.bytes))
            return invalid();
    }
    if (!weir_pb_ok(&r))
        return invalid();
    WEIR_TRY(check_versions(im));
    im->defs = WEIR_ARENA_ARRAY(&im->arena, weir_function_node, im->count);
    im->made = WEIR_ARENA_ARRAY(&im->arena, weir_node *, im->count);
    im->names = WEIR_ARENA_ARRAY(&im->arena, const char *, im->count);
    im->inputs = WEIR_ARENA_ARRAY(&im->arena, input *, im->count);
    int n = 0;
    r = weir_pb_reader(bytes);
    while (weir_pb_next(&r))
        if (r.field == 1 && r.type == WEIR_PB_LEN)
            WEIR_TRY(weir_nodedef_read(&im->arena, r.bytes, &im->defs[n++]));
    return WEIR_OK;
}

/* ---- names ---------------------------------------------------------------------------------- */

static bool valid_name(const char *s)
{
    if (!isalnum((unsigned char)*s) && *s != '.' && *s != '_')
        return false;
    for (; *s; s++)
        if (!isalnum((unsigned char)*s) && !strchr("_.\\-/>", *s))
            return false;
    return true;
}

static bool taken(const importing *im, const char *name)
{
    return weir_graph_find(im->g, weir_str_of(name)) != NULL;
}

static bool prefix_taken(const importing *im, const char *prefix)
{
    size_t n = strlen(prefix);
    for (size_t i = 0; i < im->g->nodes.count; i++) {
        const char *name = im->g->nodes.at[i]->site.name;
        if (strncmp(name, prefix, n) == 0 && (name[n] == 0 || name[n] == '/'))
            return true;
    }
    return false;
}

static const char *join(importing *im, const char *prefix, const char *name)
{
    size_t a = strlen(prefix), b = strlen(name);
    char *s = weir_arena_alloc(&im->arena, a + b + 2);
    snprintf(s, a + b + 2, "%s/%s", prefix, name);
    return s;
}

static const char *unique(importing *im, const char *name)
{
    for (int k = 1;; k++) {
        char *s = weir_arena_alloc(&im->arena, strlen(name) + 16);
        sprintf(s, "%s_%d", name, k);
        if (!taken(im, s) && !weir_map_get(&im->by_name, weir_str_of(s)))
            return s;
    }
}

static weir_status name_nodes(importing *im)
{
    const char *prefix = im->how->prefix;
    bool prefixed = prefix && *prefix;
    if (prefixed && prefix[strlen(prefix) - 1] == '/')
        prefix = weir_arena_strndup(&im->arena, prefix, strlen(prefix) - 1);
    if (prefixed && !valid_name(prefix))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Imported node name prefix '%s/' would lead to invalid node names",
                          prefix);
    if (prefixed && im->how->uniquify_prefix && prefix_taken(im, prefix)) {
        char *s = NULL;
        for (int k = 1; !s || prefix_taken(im, s); k++) {
            s = weir_arena_alloc(&im->arena, strlen(prefix) + 16);
            sprintf(s, "%s_%d", prefix, k);
        }
        prefix = s;
    }
    for (int i = 0; i < im->count; i++) {
        const char *name = im->defs[i].name;
        if (!valid_name(name))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Node '%s': Node name contains invalid characters", name);
        if (weir_map_put(&im->by_name, weir_str_of(name), (void *)(intptr_t)(i + 1)))
            return weir_error(WEIR_INVALID_ARGUMENT, "Node '%s' is not unique", name);
        im->names[i] = prefixed ? join(im, prefix, name) : name;
        if (taken(im, im->names[i]) && !im->how->uniquify_names)
            return weir_error(WEIR_INVALID_ARGUMENT, "Node name '%s' already exists in the Graph",
                              im->names[i]);
    }
    for (int i = 0; i < im->count; i++)
        if (taken(im, im->names[i]))
            im->names[i] = unique(im, im->names[i]);
    return WEIR_OK;
}

/* Colocation names other nodes: they follow the renaming. */
static void rename_classes(importing *im)
{
    for (int i = 0; i < im->count; i++)
        for (int k = 0; k < im->defs[i].attr_count; k++) {
            weir_named_attr *a = &im->defs[i].attrs[k];
            if (strcmp(a->name, "_class") != 0 || a->value.kind != WEIR_ATTR_STRING ||
                !a->value.is_list)
                continue;
            weir_str *ss = (weir_str *)a->value.ss;
            for (int c = 0; c < a->value.count; c++) {
                if (ss[c].length < 5 || memcmp(ss[c].at, "loc:@", 5) != 0)
                    continue;
                weir_str name = {ss[c].at + 5, ss[c].length - 5};
                intptr_t at = (intptr_t)weir_map_get(&im->by_name, name);
                if (!at)
                    continue;
                size_t n = strlen(im->names[at - 1]) + 6;
                char *s = weir_arena_alloc(&im->arena, n);
                snprintf(s, n, "loc:@%s", im->names[at - 1]);
                ss[c] = (weir_str){s, n - 1};
            }
        }
}

/* ---- inputs --------------------------------------------------------------------------------- */

static const weir_input_map *find_map(importing *im, weir_str name, int index)
{
    for (int i = 0; i < im->how->input_map_count; i++) {
        const weir_input_map *m = &im->how->input_map[i];
        if (m->src_index == index && weir_str_is(name, m->src_name)) {
            if (im->results && im->results->input_map_used)
                im->results->input_map_used[i] = true;
            return m;
        }
    }
    return NULL;
}

static weir_status parse_input(importing *im, int node, const char *s, input *out)
{
    *out = (input){.source = -1};
    bool control = *s == '^';
    weir_str name = weir_str_of(control ? s + 1 : s);
    if (control) {
        out->index = -1;
    } else {
        const char *colon = strrchr(s, ':');
        if (colon && isdigit((unsigned char)colon[1])) {
            char *end;
            long k = strtol(colon + 1, &end, 10);
            if (*end || k > INT32_MAX)
                return weir_error(WEIR_INVALID_ARGUMENT, "Node '%s': bad input '%s'",
                                  im->defs[node].name, s);
            out->index = (int)k;
            name.length = (size_t)(colon - s);
        }
    }
    out->mapped = find_map(im, name, out->index);
    if (out->mapped)
        return WEIR_OK;
    out->source = (int)(intptr_t)weir_map_get(&im->by_name, name) - 1;
    weir_node *old = out->source < 0 && im->how->extend ? weir_graph_find(im->g, name) : NULL;
    if (old) {
        weir_input_map *m = WEIR_ARENA_NEW(&im->arena, weir_input_map);
        m->dst = (weir_edge){old, out->index};
        out->mapped = m;
        return WEIR_OK;
    }
    if (out->source < 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Node '%s': Unknown input node '%s'",
                          im->defs[node].name, s);
    const weir_registry *ops = im->g->registry;
    out->back = weir_registry_flow(ops, im->defs[node].op) == WEIR_FLOW_MERGE &&
                weir_registry_flow(ops, im->defs[out->source].op) == WEIR_FLOW_NEXT_ITERATION;
    return WEIR_OK;
}

static weir_status parse_inputs(importing *im)
{
    for (int i = 0; i < im->count; i++) {
        weir_function_node *d = &im->defs[i];
        im->inputs[i] = WEIR_ARENA_ARRAY(&im->arena, input, d->in_count);
        bool controls = false;
        for (int k = 0; k < d->in_count; k++) {
            WEIR_TRY(parse_input(im, i, d->in[k], &im->inputs[i][k]));
            bool control = im->inputs[i][k].index < 0;
            if (controls && !control)
                return weir_error(WEIR_INVALID_ARGUMENT,
                                  "Node '%s': Control dependencies must come "
                                  "after regular dependencies",
                                  d->name);
            controls |= control;
        }
    }
    return WEIR_OK;
}

/* ---- adding --------------------------------------------------------------------------------- */

static weir_status input_edge(importing *im, int to, const input *in, weir_edge *out)
{
    *out = in->mapped ? in->mapped->dst : (weir_edge){im->made[in->source], in->index};
    if (out->index >= out->node->site.out_count)
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            "Node '%s': Connecting to invalid output %d of source node %s which has %d "
            "outputs.",
            im->names[to], out->index, out->node->site.name, out->node->site.out_count);
    return WEIR_OK;
}

/* An op that was removed is there only for graphs made before that. */
static weir_status check_deprecation(const importing *im, const char *name)
{
    const weir_op *op = weir_registry_find(im->g->registry, weir_str_of(name));
    if (!op || !op->deprecated_at || im->producer < op->deprecated_at)
        return WEIR_OK;
    return weir_error(WEIR_UNIMPLEMENTED,
                      "Op %s is not available in GraphDef version %d. It has been removed in "
                      "version %d. %s.",
                      name, im->producer, op->deprecated_at, op->deprecation);
}

static weir_status add_node(importing *im, int i, weir_arena *scratch)
{
    weir_function_node *d = &im->defs[i];
    WEIR_TRY(check_deprecation(im, d->op));
    weir_edge *in = WEIR_ARENA_ARRAY(scratch, weir_edge, d->in_count);
    int room = d->in_count + im->how->control_count, ins = 0, controls = 0;
    weir_node **before = WEIR_ARENA_ARRAY(scratch, weir_node *, room);
    weir_edge stand_in = {0}; /* where a back edge will come */
    for (int k = 0; k < d->in_count; k++) {
        const input *p = &im->inputs[i][k];
        if (p->index < 0) {
            before[controls++] = p->mapped ? p->mapped->dst.node : im->made[p->source];
            continue;
        }
        if (p->back) {
            in[ins++] = (weir_edge){0};
            continue;
        }
        WEIR_TRY(input_edge(im, i, p, &in[ins]));
        stand_in = in[ins++];
    }
    for (int k = 0; k < ins; k++)
        if (!in[k].node)
            in[k] = stand_in;
    for (int k = 0; k < im->how->control_count; k++)
        before[controls++] = im->how->controls[k];
    const char *device =
        *d->device || !im->how->default_device ? d->device : im->how->default_device;
    return weir_graph_add(im->g,
                          &(weir_node_spec){.name = im->names[i],
                                            .op = d->op,
                                            .in = in,
                                            .in_count = ins,
                                            .attrs = d->attrs,
                                            .attr_count = d->attr_count,
                                            .controls = before,
                                            .control_count = controls,
                                            .device = device,
                                            .any_shapes = im->how->any_shapes},
                          &im->made[i]);
}

/* The nodes that could be added now. The first of the GraphDef comes first, so that nodes keep its
 * order as far as their inputs allow. */
typedef struct heap {
    int *at, count;
} heap;

static void heap_put(heap *h, int value)
{
    int i = h->count++;
    for (; i && h->at[(i - 1) / 2] > value; i = (i - 1) / 2)
        h->at[i] = h->at[(i - 1) / 2];
    h->at[i] = value;
}

static int heap_take(heap *h)
{
    int first = h->at[0], last = h->at[--h->count], i = 0;
    for (int child; (child = 2 * i + 1) < h->count; i = child) {
        if (child + 1 < h->count && h->at[child + 1] < h->at[child])
            child++;
        if (h->at[child] >= last)
            break;
        h->at[i] = h->at[child];
    }
    h->at[i] = last;
    return first;
}

/* Adds every node whose inputs are there, until none is left. */
static weir_status add_nodes(importing *im)
{
    int *pending = WEIR_ARENA_ARRAY(&im->arena, int, im->count);
    int *uses = WEIR_ARENA_ARRAY(&im->arena, int, im->count + 1); /* offsets into |users| */
    for (int i = 0; i < im->count; i++)
        for (int k = 0; k < im->defs[i].in_count; k++) {
            const input *p = &im->inputs[i][k];
            if (p->mapped || p->back)
                continue;
            pending[i]++;
            uses[p->source + 1]++;
        }
    for (int i = 0; i < im->count; i++)
        uses[i + 1] += uses[i];
    int *users = WEIR_ARENA_ARRAY(&im->arena, int, uses[im->count]);
    int *fill = WEIR_ARENA_ARRAY(&im->arena, int, im->count);
    heap ready = {.at = WEIR_ARENA_ARRAY(&im->arena, int, im->count)};
    for (int i = 0; i < im->count; i++) {
        for (int k = 0; k < im->defs[i].in_count; k++) {
            const input *p = &im->inputs[i][k];
            if (!p->mapped && !p->back)
                users[uses[p->source] + fill[p->source]++] = i;
        }
        if (!pending[i])
            heap_put(&ready, i);
    }
    int done = 0;
    for (; ready.count; done++) {
        int i = heap_take(&ready);
        weir_arena scratch;
        weir_arena_init(&scratch);
        weir_status s = add_node(im, i, &scratch);
        weir_arena_fini(&scratch);
        WEIR_TRY(s);
        for (int u = uses[i]; u < uses[i + 1]; u++)
            if (--pending[users[u]] == 0)
                heap_put(&ready, users[u]);
    }
    for (int i = 0; done < im->count && i < im->count; i++)
        if (pending[i])
            return weir_error(WEIR_INVALID_ARGUMENT, "%d nodes in a cycle, '%s' among them",
                              im->count - done, im->defs[i].name);
    return WEIR_OK;
}

/* ---- loops ---------------------------------------------------------------------------------- */

/* What holds for both shapes: differing dims become unknown. */
static weir_shape relax(const weir_shape *a, const weir_shape *b)
{
    if (a->rank < 0 || a->rank != b->rank)
        return WEIR_UNKNOWN_SHAPE;
    weir_shape s = *a;
    for (int i = 0; i < s.rank; i++)
        if (a->dims[i] != b->dims[i])
            s.dims[i] = -1;
    return s;
}

enum { MOST_ROUNDS = 6 };

/* Shapes around a loop: what Enter and NextIteration agree on, found by going round until it is
 * stable. Merge nodes keep what was found; everything after them is inferred anew. */
static void settle_loops(importing *im)
{
    for (int round = 0; round < MOST_ROUNDS; round++) {
        bool changed = false;
        for (int i = 0; i < im->count; i++)
            for (int k = 0; k < im->defs[i].in_count; k++) {
                if (!im->inputs[i][k].back)
                    continue;
                weir_node *merge = im->made[i];
                weir_shape s = relax(&merge->out_shapes[0], weir_edge_shape(merge->in[k]));
                if (round == MOST_ROUNDS - 1)
                    s = WEIR_UNKNOWN_SHAPE;
                if (!weir_shape_eq(&s, &merge->out_shapes[0])) {
                    merge->out_shapes[0] = s;
                    changed = true;
                }
            }
        if (!changed)
            return;
        size_t count;
        weir_node **order = weir_graph_order(im->g, &count);
        for (size_t i = 0; i < count; i++)
            if (weir_node_flow(order[i]) != WEIR_FLOW_MERGE)
                weir_status_free(weir_node_infer(order[i]));
        weir_free(order);
    }
}

static weir_status close_loops(importing *im)
{
    bool any = false;
    for (int i = 0; i < im->count; i++)
        for (int k = 0; k < im->defs[i].in_count; k++) {
            const input *p = &im->inputs[i][k];
            if (!p->back)
                continue;
            weir_edge e;
            WEIR_TRY(input_edge(im, i, p, &e));
            weir_graph_set_input(im->made[i], k, e);
            any = true;
        }
    if (any)
        settle_loops(im);
    return WEIR_OK;
}

/* ---- results -------------------------------------------------------------------------------- */

static weir_status find_returns(importing *im)
{
    const weir_import *how = im->how;
    for (int i = 0; i < how->return_node_count; i++) {
        intptr_t at = (intptr_t)weir_map_get(&im->by_name, weir_str_of(how->return_nodes[i]));
        if (!at)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Requested return node '%s' not found in graph def",
                              how->return_nodes[i]);
        if (im->results && im->results->nodes)
            im->results->nodes[i] = im->made[at - 1];
    }
    for (int i = 0; i < how->return_edge_count; i++) {
        const weir_return_edge *r = &how->return_edges[i];
        const weir_input_map *mapped = find_map(im, weir_str_of(r->name), r->index);
        intptr_t at = (intptr_t)weir_map_get(&im->by_name, weir_str_of(r->name));
        if (!mapped && !at)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Requested return tensor '%s:%d' not found in graph "
                              "def",
                              r->name, r->index);
        if (!mapped && r->index >= im->made[at - 1]->site.out_count)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Invalid return output %d of node '%s', which has %d "
                              "output(s)",
                              r->index, r->name, im->made[at - 1]->site.out_count);
        if (im->results && im->results->edges)
            im->results->edges[i] = mapped ? mapped->dst : (weir_edge){im->made[at - 1], r->index};
    }
    return WEIR_OK;
}

static weir_status import_all(importing *im, weir_str graph_def)
{
    WEIR_TRY(read_graph(im, graph_def));
    WEIR_TRY(name_nodes(im));
    rename_classes(im);
    WEIR_TRY(parse_inputs(im));
    WEIR_TRY(add_nodes(im));
    WEIR_TRY(close_loops(im));
    return find_returns(im);
}

weir_status weir_graph_import(weir_graph *g, weir_str graph_def, const weir_import *how,
                              weir_import_results *results)
{
    static const weir_import plain = {0};
    importing im = {.g = g, .how = how ? how : &plain, .results = results};
    weir_arena_init(&im.arena);
    size_t first = g->nodes.count;
    weir_status s = import_all(&im, graph_def);
    if (s)
        weir_graph_truncate(g, first);
    else if (im.producer)
        g->producer = first == 0 || im.producer < g->producer ? im.producer : g->producer;
    weir_vec_fini(&im.bad_consumers);
    weir_map_fini(&im.by_name);
    weir_arena_fini(&im.arena);
    return s;
}
