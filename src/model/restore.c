/* model/restore.c - a model's variables restored, its initialiser run. */
#include "io/file.h"
#include "model/saved_model_impl.h"
#include "tensor/tstring.h"

/* ---- running --------------------------------------------------------------------------------- */

static weir_status find_node(const weir_graph *g, weir_str name, weir_node **out)
{
    const char *colon = memchr(name.at, ':', name.length);
    weir_str node = {name.at, colon ? (size_t)(colon - name.at) : name.length};
    *out = weir_graph_find(g, node);
    return *out ? WEIR_OK
                : weir_error(WEIR_NOT_FOUND,
                             "The SavedModel names a node '%.*s' that its graph "
                             "does not have",
                             WEIR_STR_ARG(node));
}

/* What is fed to the restoring and initialising ops. */
typedef struct feeds {
    int count;
    weir_edge *edges;
    weir_tensor *values;
} feeds;

static weir_status add_feed(feeds *f, const weir_graph *g, weir_str tensor, const char *value)
{
    weir_node *n;
    WEIR_TRY(find_node(g, tensor, &n));
    f->edges[f->count] = (weir_edge){n, 0};
    f->values[f->count++] = weir_tensor_string(weir_str_of(value));
    return WEIR_OK;
}

static weir_status add_path(feeds *f, const weir_graph *g, weir_str tensor, const char *dir,
                            const char *folder, weir_str file)
{
    weir_buf path = {0};
    weir_buf_addf(&path, "%s/%s/%.*s", dir, folder, WEIR_STR_ARG(file));
    weir_status s = add_feed(f, g, tensor, path.at);
    weir_buf_fini(&path);
    return s;
}

static weir_status run_op(weir_session *s, weir_str op, const feeds *f,
                          const weir_run_options *options)
{
    weir_node *target;
    WEIR_TRY(find_node(s->graph, op, &target));
    weir_request request = {.feeds = f->edges,
                            .feed_values = f->values,
                            .feed_count = f->count,
                            .targets = &target,
                            .target_count = 1,
                            .options = options};
    return weir_session_run(s, &request, NULL);
}

static bool has_variables(const char *dir)
{
    weir_buf path = {0};
    weir_buf_addf(&path, "%s/variables/variables.index", dir);
    bool there = weir_path_exists(path.at);
    weir_buf_fini(&path);
    return there;
}

static weir_status restore_variables(weir_session *s, const weir_meta_graph *m, const char *dir,
                                     const weir_run_options *options, feeds *f)
{
    weir_node *restore;
    WEIR_TRY(add_path(f, s->graph, m->filename_tensor, dir, "variables", WEIR_STR("variables")));
    WEIR_TRY(find_node(s->graph, m->restore_op, &restore));
    WEIR_TRY(run_op(s, m->restore_op, f, options));
    weir_tensor *prefix = &f->values[--f->count]; /* the initialiser is not fed the checkpoint */
    weir_str text = weir_tstring_get(prefix->data);
    char *path = weir_strndup(text.at, text.length);
    weir_status status = weir_model_restore_objects(s, restore, path);
    weir_free(path);
    weir_tensor_release(prefix);
    return status;
}

static weir_status run_starters(weir_session *s, const weir_meta_graph *m, const char *dir,
                                const weir_run_options *options, feeds *f)
{
    for (size_t i = 0; i < m->assets.count; i++)
        WEIR_TRY(
            add_path(f, s->graph, m->assets.at[i].tensor, dir, "assets", m->assets.at[i].file));
    if (m->restore_op.length && has_variables(dir))
        WEIR_TRY(restore_variables(s, m, dir, options, f));
    return m->init_op.length ? run_op(s, m->init_op, f, options) : WEIR_OK;
}

weir_status weir_model_restore(weir_session *s, const weir_meta_graph *m, const char *dir,
                               const weir_run_options *options)
{
    feeds f = {.edges = WEIR_NEW_ARRAY(weir_edge, m->assets.count + 1),
               .values = WEIR_NEW_ARRAY(weir_tensor, m->assets.count + 1)};
    weir_status status = run_starters(s, m, dir, options, &f);
    for (int i = 0; i < f.count; i++)
        weir_tensor_release(&f.values[i]);
    weir_free(f.edges);
    weir_free(f.values);
    return status;
}
