/* model/graph_file.c - graphs in files, binary and text. */
#include "model/graph_file.h"

#include <ctype.h>

#include "io/file.h"
#include "model/saved_model_impl.h"
#include "wire/message.h"

enum { GRAPH_VERSIONS = 4 };
static const char *const kind_names[] = {"GraphDef", "MetaGraphDef", "SavedModel"};

/* ---- which message it is --------------------------------------------------------------------- */

/* Serialised messages have control bytes within their first fields, texts never. */
bool weir_graph_looks_like_text(weir_str bytes)
{
    enum { ENOUGH = 4096 };
    for (size_t i = 0; i < bytes.length && i < ENOUGH; i++)
        if (iscntrl((unsigned char)bytes.at[i]) && !isspace((unsigned char)bytes.at[i]))
            return false;
    return bytes.length > 0;
}

/* A SavedModel starts with its version, a number; a MetaGraphDef has a GraphDef, and that versions,
 * where a GraphDef has a library of functions. */
static weir_graph_kind kind_of_bytes(weir_str bytes)
{
    weir_pb r = weir_pb_reader(bytes);
    if (weir_pb_next(&r) && r.field == WEIR_SAVED_MODEL_VERSION && r.type == WEIR_PB_VARINT)
        return WEIR_GRAPH_SAVED_MODEL;
    weir_str inner = weir_message_get(bytes, WEIR_META_GRAPH);
    return weir_message_get(inner, GRAPH_VERSIONS).length ? WEIR_GRAPH_META : WEIR_GRAPH_DEF;
}

/* By the first field's name, behind spaces and comments. */
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

static weir_status from_text(weir_graph_file *f)
{
    weir_str text = {f->bytes.at, f->bytes.length};
    weir_buf message = {0};
    f->text = true;
    f->kind = kind_of_text(text);
    weir_status s =
        weir_message_parse(weir_message_find(weir_str_of(kind_names[f->kind])), text, &message);
    weir_buf_fini(&f->bytes);
    f->bytes = message;
    return s;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Every field must make sense: a damaged file is not taken for a smaller graph. */
static weir_status check_fields(weir_str message, const char *name)
{
    weir_pb r = weir_pb_reader(message);
    while (weir_pb_next(&r))
        ;
    if (weir_pb_ok(&r))
        return WEIR_OK;
    return weir_error(WEIR_DATA_LOSS, "not a %s: its bytes make no sense at %zu of %zu", name,
                      (size_t)((const char *)r.at - message.at), message.length);
}

static weir_status find_graph(weir_graph_file *f)
{
    weir_str message = {f->bytes.at, f->bytes.length};
    WEIR_TRY(check_fields(message, kind_names[f->kind]));
    if (f->kind == WEIR_GRAPH_SAVED_MODEL)
        message = weir_message_get(message, WEIR_SAVED_MODEL_META_GRAPH);
    f->graph_def = f->kind == WEIR_GRAPH_DEF ? message : weir_message_get(message, WEIR_META_GRAPH);
    return check_fields(f->graph_def, kind_names[WEIR_GRAPH_DEF]);
}

static weir_status read_any(const char *path, weir_graph_file *f)
{
    if (weir_path_is_dir(path)) {
        f->kind = WEIR_GRAPH_SAVED_MODEL;
        WEIR_TRY(weir_model_read(path, &f->bytes));
        return find_graph(f);
    }
    WEIR_TRY(weir_file_read_all(path, WEIR_SAVED_MODEL_LIMIT, &f->bytes));
    weir_str bytes = {f->bytes.at, f->bytes.length};
    if (weir_graph_looks_like_text(bytes))
        WEIR_TRY_NOTE(from_text(f), " (in %s)", path);
    else
        f->kind = kind_of_bytes(bytes);
    WEIR_TRY_NOTE(find_graph(f), " (in %s)", path);
    return WEIR_OK;
}

weir_status weir_graph_file_read(const char *path, weir_graph_file *out_file)
{
    weir_graph_file f = {0};
    weir_status s = read_any(path, &f);
    if (s)
        weir_buf_fini(&f.bytes);
    else
        *out_file = f;
    return s;
}

/* ---- writing --------------------------------------------------------------------------------- */

static bool ends_in(const char *path, const char *ending)
{
    size_t n = strlen(path), e = strlen(ending);
    return n >= e && strcmp(path + n - e, ending) == 0;
}

weir_status weir_graph_file_write(const char *path, weir_str graph_def)
{
    WEIR_BUF(text);
    if (!ends_in(path, "txt"))
        return weir_file_write_all(path, graph_def.at, graph_def.length);
    WEIR_TRY(weir_message_print(weir_message_find(WEIR_STR("GraphDef")), graph_def, &text));
    return weir_file_write_all(path, text.at, text.length);
}
