/* graph/import_read.c - the parts of a GraphDef. */
#include "graph/import_impl.h"
#include "graph/proto.h"

static weir_status invalid(void)
{
    return weir_error(WEIR_INVALID_ARGUMENT, "Invalid GraphDef");
}

static void set_gradient(weir_importing *im, weir_str entry)
{
    weir_str function = {0}, gradient = {0};
    weir_pb r = weir_pb_reader(entry);
    while (weir_pb_next(&r)) {
        if (r.field == 1 && r.type == WEIR_PB_LEN)
            function = r.bytes;
        else if (r.field == 2 && r.type == WEIR_PB_LEN)
            gradient = r.bytes;
    }
    weir_function *f = weir_map_get(&im->graph->functions, function);
    if (f)
        f->gradient = weir_arena_strndup(&f->arena, gradient.at, gradient.length);
}

static weir_status read_library(weir_importing *im, weir_str bytes)
{
    weir_pb r = weir_pb_reader(bytes);
    while (weir_pb_next(&r)) {
        if (r.field == 1 && r.type == WEIR_PB_LEN) {
            weir_function *f;
            WEIR_TRY(weir_function_import(r.bytes, &f));
            weir_status s = weir_graph_add_function(im->graph, f);
            weir_function_release(f);
            WEIR_TRY(s);
        } else if (r.field == 2 && r.type == WEIR_PB_LEN) {
            set_gradient(im, r.bytes);
        }
    }
    return weir_pb_ok(&r) ? WEIR_OK : invalid();
}

static bool read_versions(weir_importing *im, weir_str bytes)
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

static weir_status check_versions(const weir_importing *im)
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

weir_status weir_import_read(weir_importing *im, weir_str bytes)
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
    im->inputs = WEIR_ARENA_ARRAY(&im->arena, weir_import_input *, im->count);
    int n = 0;
    r = weir_pb_reader(bytes);
    while (weir_pb_next(&r))
        if (r.field == 1 && r.type == WEIR_PB_LEN)
            WEIR_TRY(weir_nodedef_read(&im->arena, r.bytes, &im->defs[n++]));
    return WEIR_OK;
}
