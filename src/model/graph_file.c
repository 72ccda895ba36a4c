/* model/graph_file.c - reads and writes graph files, binary and text. */
#include "model/graph_file.h"

#include <ctype.h>

#include "io/file.h"
#include "model/saved_model_impl.h"

static const char *const kind_names[] = {"GraphDef", "MetaGraphDef", "SavedModel"};

/* ---- detection ------------------------------------------------------------------------------- */

/* Serialised messages contain control bytes in their first fields, text does not. */
bool weir_graph_looks_like_text(weir_str bytes)
{
    enum { ENOUGH = 4096 };
    for (size_t i = 0; i < bytes.length && i < ENOUGH; i++)
        if (iscntrl((unsigned char)bytes.at[i]) && !isspace((unsigned char)bytes.at[i]))
            return false;
    return bytes.length > 0;
}

/* A MetaGraphDef has a GraphDef with versions in the field where a GraphDef has a function
 * library. */
static bool is_meta_graph(weir_str bytes, weir_arena *arena)
{
    weir_msg_meta_graph_def meta;
    weir_msg_graph_def graph = {0};
    weir_status status = weir_msg_meta_graph_def_read(bytes, arena, &meta);
    if (!status)
        status = weir_msg_graph_def_read(meta.graph_def, arena, &graph);
    bool is = !status && graph.versions;
    weir_status_free(status);
    return is;
}

/* A SavedModel's first field is its version, an integer; the others have messages there. */
static weir_graph_kind kind_of_bytes(weir_str bytes)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_saved_model model;
    weir_status status = weir_msg_saved_model_read(bytes, &arena, &model);
    bool is_model = !status && model.saved_model_schema_version;
    weir_status_free(status);
    if (is_model)
        return WEIR_GRAPH_SAVED_MODEL;
    return is_meta_graph(bytes, &arena) ? WEIR_GRAPH_META : WEIR_GRAPH_DEF;
}

/* By the first field's name, after spaces and comments. */
static weir_graph_kind kind_of_text(weir_str text)
{
    size_t i = 0;
    while (i < text.length && (isspace((unsigned char)text.at[i]) || text.at[i] == '#'))
        if (text.at[i] != '#')
            i++;
        else
            while (i < text.length && text.at[i] != '\n')
                i++;
    size_t end = i;
    while (end < text.length && (isalnum((unsigned char)text.at[end]) || text.at[end] == '_'))
        end++;
    weir_str name = {text.at + i, end - i};
    for (int k = WEIR_GRAPH_SAVED_MODEL; k > WEIR_GRAPH_DEF; k--)
        if (weir_message_field_named(weir_message_find(weir_str_of(kind_names[k])), name))
            return (weir_graph_kind)k;
    return WEIR_GRAPH_DEF;
}

static weir_status from_text(weir_graph_file *file)
{
    weir_str text = {file->bytes.at, file->bytes.length};
    weir_buf message = {0};
    file->text = true;
    file->kind = kind_of_text(text);
    weir_status status =
        weir_message_parse(weir_message_find(weir_str_of(kind_names[file->kind])), text, &message);
    weir_buf_fini(&file->bytes);
    file->bytes = message;
    return status;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* The parser's error as DATA_LOSS: a damaged file must not pass as a smaller graph. */
static weir_status not_a(const char *name, weir_status read)
{
    if (!read)
        return WEIR_OK;
    weir_status lost = weir_error(WEIR_DATA_LOSS, "not a %s: %s", name, weir_status_message(read));
    weir_status_free(read);
    return lost;
}

/* The first graph of a SavedModel. */
static weir_status first_meta_graph(weir_str model, weir_arena *arena, weir_str *out)
{
    weir_msg_saved_model read;
    WEIR_TRY(not_a("SavedModel", weir_msg_saved_model_read(model, arena, &read)));
    *out = read.meta_graphs.count ? read.meta_graphs.at[0] : WEIR_STR("");
    return WEIR_OK;
}

static weir_status graph_of_meta(weir_str meta_graph, weir_arena *arena, weir_str *out)
{
    weir_msg_meta_graph_def read;
    WEIR_TRY(not_a("MetaGraphDef", weir_msg_meta_graph_def_read(meta_graph, arena, &read)));
    *out = read.graph_def.at ? read.graph_def : WEIR_STR("");
    return WEIR_OK;
}

static weir_status find_graph(weir_graph_file *file)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_str message = weir_view(&file->bytes);
    weir_msg_graph_def checked;
    if (file->kind == WEIR_GRAPH_SAVED_MODEL)
        WEIR_TRY(first_meta_graph(message, &arena, &message));
    if (file->kind != WEIR_GRAPH_DEF)
        WEIR_TRY(graph_of_meta(message, &arena, &message));
    file->graph_def = message;
    return not_a("GraphDef", weir_msg_graph_def_read(message, &arena, &checked));
}

static weir_status read_any(const char *path, weir_graph_file *file)
{
    if (weir_path_is_dir(path)) {
        file->kind = WEIR_GRAPH_SAVED_MODEL;
        WEIR_TRY(weir_model_read(path, &file->bytes));
        return find_graph(file);
    }
    WEIR_TRY(weir_file_read_all(path, WEIR_SAVED_MODEL_LIMIT, &file->bytes));
    weir_str bytes = {file->bytes.at, file->bytes.length};
    if (weir_graph_looks_like_text(bytes))
        WEIR_TRY_NOTE(from_text(file), " (in %s)", path);
    else
        file->kind = kind_of_bytes(bytes);
    WEIR_TRY_NOTE(find_graph(file), " (in %s)", path);
    return WEIR_OK;
}

weir_status weir_graph_file_read(const char *path, weir_graph_file *out_file)
{
    weir_graph_file file = {0};
    weir_status status = read_any(path, &file);
    if (status)
        weir_buf_fini(&file.bytes);
    else
        *out_file = file;
    return status;
}

/* ---- writing --------------------------------------------------------------------------------- */

static bool ends_in(const char *path, const char *ending)
{
    size_t length = strlen(path), e = strlen(ending);
    return length >= e && strcmp(path + length - e, ending) == 0;
}

weir_status weir_graph_file_write(const char *path, weir_str graph_def)
{
    WEIR_BUF(text);
    if (!ends_in(path, "txt"))
        return weir_file_write_all(path, graph_def.at, graph_def.length);
    WEIR_TRY(weir_message_print(weir_message_find(WEIR_STR("GraphDef")), graph_def, &text));
    return weir_file_write_all(path, text.at, text.length);
}
