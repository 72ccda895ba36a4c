/* model/save.c - a graph and its variables saved as a SavedModel.
 *
 * The variables are saved first, by nodes that are added to the graph and saved with it, then the
 * assets, and last the file that makes the folder a SavedModel.
 */
#include "io/file.h"
#include "model/model_saver.h"
#include "model/saved_model_impl.h"
#include "tensor/proto.h"
#include "wire/message.h"

/* Further fields of the messages. */
enum { VARIABLE_NAME = 1, VARIABLE_INIT, VARIABLE_SNAPSHOT, VARIABLE_RESOURCE = 5 };
enum { VARIABLE_TRAINABLE = 7 };

typedef struct saving {
    const char *dir;
    const weir_model_parts *o;
    weir_graph *graph;
    weir_needed needed;
    weir_nodes variables;
    weir_model_saver saver; /* when there are variables */
} saving;

/* ---- what belongs to the model --------------------------------------------------------------- */

static weir_status need_outputs(saving *s, const weir_model_edge *all, int count)
{
    for (int i = 0; i < count; i++) {
        if (!all[i].key || !*all[i].key)
            return weir_error(WEIR_INVALID_ARGUMENT, "A tensor of a signature has no key");
        weir_needed_add(&s->needed, all[i].edge.node);
    }
    return WEIR_OK;
}

static weir_status mark_needed(saving *s)
{
    const weir_model_parts *o = s->o;
    for (int i = 0; i < o->signature_count; i++) {
        WEIR_TRY(need_outputs(s, o->signatures[i].inputs, o->signatures[i].input_count));
        WEIR_TRY(need_outputs(s, o->signatures[i].outputs, o->signatures[i].output_count));
    }
    for (int i = 0; i < o->asset_count; i++)
        weir_needed_add(&s->needed, o->assets[i].edge.node);
    if (o->init_op)
        weir_needed_add(&s->needed, o->init_op);
    return WEIR_OK;
}

/* Whether the session has a value of it: nodes that nothing runs may have none. */
static weir_status is_set(const saving *s, weir_node *variable, bool *out)
{
    weir_edge read;
    weir_tensor value = {0};
    pthread_mutex_lock(s->o->graph_lock);
    weir_status status = weir_variable_read(variable, &read);
    pthread_mutex_unlock(s->o->graph_lock);
    WEIR_TRY(status);
    weir_request request = {.fetches = &read, .fetch_count = 1};
    status = weir_session_run(s->o->session, &request, &value);
    weir_tensor_release(&value);
    *out = weir_status_code(status) != WEIR_FAILED_PRECONDITION;
    if (!*out) {
        weir_status_free(status);
        return WEIR_OK;
    }
    return status;
}

/* The rest of the graph, whose variables are saved when they are set. */
static weir_status add_rest(saving *s)
{
    weir_needed all = {0};
    weir_nodes variables = {0};
    weir_status status = WEIR_OK;
    pthread_mutex_lock(s->o->graph_lock);
    weir_needed_add_all(&all, s->graph);
    weir_variables_gather(s->graph, &all, &variables);
    pthread_mutex_unlock(s->o->graph_lock);
    for (size_t i = 0; i < variables.count && !status; i++) {
        bool set = s->o->session != NULL;
        if (weir_needed_has(&s->needed, variables.at[i]))
            continue;
        if (set)
            status = is_set(s, variables.at[i], &set);
        if (!status && set)
            weir_vec_push(&s->variables, variables.at[i]);
    }
    weir_vec_fini(&variables);
    weir_needed_fini(&s->needed);
    s->needed = all;
    return status;
}

/* The nodes that save the variables. */
static weir_status add_saver(saving *s)
{
    if (!s->variables.count)
        return WEIR_OK;
    if (!s->o->session)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "The model has variables ('%s'), but no session was given to save them",
                          s->variables.at[0]->site.name);
    WEIR_TRY(weir_model_saver_add(&s->variables, &s->saver));
    weir_needed_add(&s->needed, s->saver.save);
    weir_needed_add(&s->needed, s->saver.restore);
    return WEIR_OK;
}

static weir_status prepare(saving *s)
{
    pthread_mutex_lock(s->o->graph_lock);
    weir_status status = mark_needed(s);
    if (!status)
        weir_variables_gather(s->graph, &s->needed, &s->variables);
    pthread_mutex_unlock(s->o->graph_lock);
    if (!status && s->o->whole_graph)
        status = add_rest(s);
    WEIR_TRY(status);
    pthread_mutex_lock(s->o->graph_lock);
    status = add_saver(s);
    pthread_mutex_unlock(s->o->graph_lock);
    return status;
}

/* ---- files ----------------------------------------------------------------------------------- */

static char *path_in(const char *dir, const char *folder, const char *name)
{
    weir_buf path = {0};
    weir_buf_addf(&path, "%s/%s%s%s", dir, folder, *name ? "/" : "", name);
    return weir_buf_take(&path);
}

static weir_status make_folder(const char *dir, const char *folder)
{
    char *path = path_in(dir, folder, "");
    weir_status s = weir_dir_create_all(path);
    weir_free(path);
    return s;
}

static weir_status save_variables(saving *s)
{
    if (!s->variables.count)
        return WEIR_OK;
    WEIR_TRY(make_folder(s->dir, "variables"));
    char *prefix = path_in(s->dir, "variables", "variables");
    weir_edge feed = {s->saver.filename, 0}, fetch = {s->saver.save, 0};
    weir_tensor value = weir_tensor_string(weir_str_of(prefix)), saved = {0};
    weir_free(prefix);
    weir_request request = {.feeds = &feed,
                            .feed_values = &value,
                            .feed_count = 1,
                            .fetches = &fetch,
                            .fetch_count = 1};
    weir_status status = weir_session_run(s->o->session, &request, &saved);
    weir_tensor_release(&saved);
    weir_tensor_release(&value);
    return status;
}

static const char *file_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static weir_status copy_file(const char *from, const char *to)
{
    enum { PIECE = 1 << 20 };
    WEIR_OWNED(weir_rfile) in = NULL;
    WEIR_OWNED(weir_wfile) out = NULL;
    WEIR_TRY(weir_rfile_open(from, &in));
    WEIR_TRY(weir_wfile_create(to, &out));
    char *piece = weir_alloc(PIECE);
    size_t got = 1;
    weir_status s = WEIR_OK;
    for (uint64_t at = 0; got && !s; at += got) {
        s = weir_rfile_read_some(in, at, piece, PIECE, &got);
        if (!s)
            s = weir_wfile_write(out, piece, got);
    }
    weir_free(piece);
    return s ? s : weir_wfile_commit(WEIR_TAKE(out));
}

static weir_status save_assets(const saving *s)
{
    if (s->o->asset_count)
        WEIR_TRY(make_folder(s->dir, "assets"));
    for (int i = 0; i < s->o->asset_count; i++) {
        const char *from = s->o->assets[i].path;
        for (int k = 0; k < i; k++)
            if (strcmp(file_of(from), file_of(s->o->assets[k].path)) == 0 &&
                strcmp(from, s->o->assets[k].path) != 0)
                return weir_error(WEIR_INVALID_ARGUMENT, "Two assets have one name: %s and %s",
                                  s->o->assets[k].path, from);
        char *to = path_in(s->dir, "assets", file_of(from));
        weir_status status = copy_file(from, to);
        weir_free(to);
        WEIR_TRY(status);
    }
    return WEIR_OK;
}

/* ---- messages -------------------------------------------------------------------------------- */

static void put_name(weir_buf *out, uint32_t field, const weir_node *n, int index)
{
    weir_buf name = {0};
    weir_buf_addf(&name, index >= 0 ? "%s:%d" : "%s", n->site.name, index);
    weir_pb_put_bytes(out, field, name.at, name.length);
    weir_buf_fini(&name);
}

static void put_info(const saving *s, weir_buf *out)
{
    size_t info = weir_pb_begin(out, WEIR_META_INFO);
    for (int i = 0; i < s->o->tag_count; i++)
        weir_pb_put_str(out, WEIR_INFO_TAG, s->o->tags[i]);
    weir_pb_put_str(out, WEIR_INFO_WRITER, s->o->writer);
    weir_pb_end(out, info);
}

static void put_saver(const saving *s, weir_buf *out)
{
    enum { KEEP = 4, SHARDED = 5, HOURS = 6, V2 = 2 };
    size_t saver = weir_pb_begin(out, WEIR_META_SAVER);
    put_name(out, WEIR_SAVER_FILENAME, s->saver.filename, 0);
    put_name(out, WEIR_SAVER_SAVE, s->saver.save, 0);
    put_name(out, WEIR_SAVER_RESTORE, s->saver.restore, -1);
    weir_pb_put_varint(out, KEEP, 5);
    weir_pb_put_float(out, HOURS, 10000);
    weir_pb_put_varint(out, WEIR_SAVER_VERSION, V2);
    weir_pb_end(out, saver);
}

/* VariableDef: TensorFlow's loader takes a model without these for one without variables. */
static void put_variable(const saving *s, size_t i, weir_buf *out)
{
    const weir_node *v = s->variables.at[i];
    size_t value = weir_pb_begin(out, WEIR_LIST_VALUE);
    put_name(out, VARIABLE_NAME, v, 0);
    put_name(out, VARIABLE_INIT, s->saver.assigns.at[i], weir_variable_is_resource(v) ? -1 : 0);
    put_name(out, VARIABLE_SNAPSHOT, s->saver.reads.at[i], 0);
    weir_pb_put_varint_nz(out, VARIABLE_RESOURCE, weir_variable_is_resource(v));
    weir_pb_put_varint(out, VARIABLE_TRAINABLE, 1);
    weir_pb_end(out, value);
}

static void put_variables(const saving *s, weir_buf *out)
{
    size_t entry = weir_pb_begin(out, WEIR_META_COLLECTION);
    weir_pb_put_str(out, WEIR_MAP_KEY, "variables");
    size_t value = weir_pb_begin(out, WEIR_MAP_VALUE);
    size_t list = weir_pb_begin(out, WEIR_COLLECTION_BYTES);
    for (size_t i = 0; i < s->variables.count; i++)
        put_variable(s, i, out);
    weir_pb_end(out, list);
    weir_pb_end(out, value);
    weir_pb_end(out, entry);
}

/* In the collection that every loader looks at. As a signature, which newer ones take as well,
 * TensorFlow would make a function of it, and cannot when an asset's path is a placeholder. */
static void put_init(const weir_node *init, weir_buf *out)
{
    size_t entry = weir_pb_begin(out, WEIR_META_COLLECTION);
    weir_pb_put_str(out, WEIR_MAP_KEY, WEIR_INIT_COLLECTION);
    size_t value = weir_pb_begin(out, WEIR_MAP_VALUE);
    size_t list = weir_pb_begin(out, WEIR_COLLECTION_NODES);
    put_name(out, WEIR_LIST_VALUE, init, -1);
    weir_pb_end(out, list);
    weir_pb_end(out, value);
    weir_pb_end(out, entry);
}

static void put_tensors(const weir_model_edge *all, int count, uint32_t field, weir_buf *out)
{
    for (int i = 0; i < count; i++) {
        weir_edge e = all[i].edge;
        size_t entry = weir_pb_begin(out, field);
        weir_pb_put_str(out, WEIR_MAP_KEY, all[i].key);
        size_t info = weir_pb_begin(out, WEIR_MAP_VALUE);
        put_name(out, WEIR_INFO_NAME, e.node, e.index);
        weir_pb_put_varint(out, WEIR_INFO_TYPE, weir_edge_dtype(e));
        size_t shape = weir_pb_begin(out, WEIR_INFO_SHAPE);
        weir_shape_encode(weir_edge_shape(e), out);
        weir_pb_end(out, shape);
        weir_pb_end(out, info);
        weir_pb_end(out, entry);
    }
}

static void put_signature(const weir_model_signature *sig, weir_buf *out)
{
    size_t entry = weir_pb_begin(out, WEIR_META_SIGNATURE);
    weir_pb_put_str(out, WEIR_MAP_KEY, sig->key);
    size_t value = weir_pb_begin(out, WEIR_MAP_VALUE);
    put_tensors(sig->inputs, sig->input_count, WEIR_SIGNATURE_INPUTS, out);
    put_tensors(sig->outputs, sig->output_count, WEIR_SIGNATURE_OUTPUTS, out);
    weir_pb_put_str(out, WEIR_SIGNATURE_METHOD, sig->method);
    weir_pb_end(out, value);
    weir_pb_end(out, entry);
}

static void put_asset(const weir_model_file *a, weir_buf *out)
{
    weir_edge e = a->edge;
    size_t asset = weir_pb_begin(out, WEIR_META_ASSET);
    size_t info = weir_pb_begin(out, WEIR_ASSET_TENSOR);
    put_name(out, WEIR_INFO_NAME, e.node, e.index);
    weir_pb_end(out, info);
    weir_pb_put_str(out, WEIR_ASSET_FILE, file_of(a->path));
    weir_pb_end(out, asset);
}

static void put_model(const saving *s, weir_buf *out)
{
    const weir_model_parts *o = s->o;
    weir_pb_put_varint(out, WEIR_SAVED_MODEL_VERSION, 1);
    size_t meta = weir_pb_begin(out, WEIR_SAVED_MODEL_META_GRAPH);
    put_info(s, out);
    size_t graph = weir_pb_begin(out, WEIR_META_GRAPH);
    weir_graph_export_needed(s->graph, &s->needed, o->keep_devices, NULL, NULL, out);
    weir_pb_end(out, graph);
    if (s->variables.count) {
        put_saver(s, out);
        put_variables(s, out);
    }
    if (o->init_op)
        put_init(o->init_op, out);
    for (int i = 0; i < o->signature_count; i++)
        put_signature(&o->signatures[i], out);
    for (int i = 0; i < o->asset_count; i++)
        put_asset(&o->assets[i], out);
    weir_pb_end(out, meta);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static weir_status write_model(const saving *s)
{
    weir_buf model = {0}, text = {0};
    weir_status status = WEIR_OK;
    pthread_mutex_lock(s->o->graph_lock);
    put_model(s, &model);
    pthread_mutex_unlock(s->o->graph_lock);
    weir_str bytes = {model.at, model.length};
    if (s->o->text)
        status = weir_message_print(weir_message_find(WEIR_STR("SavedModel")), bytes, &text);
    const weir_buf *out = s->o->text ? &text : &model;
    char *path = path_in(s->dir, s->o->text ? "saved_model.pbtxt" : "saved_model.pb", "");
    if (!status)
        status = weir_file_write_all(path, out->at, out->length);
    weir_free(path);
    weir_buf_fini(&model);
    weir_buf_fini(&text);
    return status;
}

static weir_status check_folder(const char *dir)
{
    static const char *const files[] = {"saved_model.pb", "saved_model.pbtxt"};
    for (int i = 0; i < 2; i++) {
        char *path = path_in(dir, files[i], "");
        bool there = weir_path_exists(path);
        weir_free(path);
        if (there)
            return weir_error(WEIR_ALREADY_EXISTS, "%s has a SavedModel already", dir);
    }
    return weir_dir_create_all(dir);
}

static weir_status save(saving *s)
{
    WEIR_TRY(check_folder(s->dir));
    WEIR_TRY(prepare(s));
    WEIR_TRY(save_variables(s));
    WEIR_TRY(save_assets(s));
    return write_model(s);
}

weir_status weir_model_save(const char *dir, const weir_model_parts *parts)
{
    saving s = {.dir = dir, .o = parts, .graph = parts->graph};
    weir_status status = save(&s);
    weir_model_saver_fini(&s.saver);
    weir_vec_fini(&s.variables);
    weir_needed_fini(&s.needed);
    return status;
}
