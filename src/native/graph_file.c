/* native/graph_file.c - weir/saved_model.h: frozen graphs, graphs in files, messages as text. */
#include "model/graph_file.h"
#include "capi/capi.h"
#include "model/freeze.h"
#include "weir/saved_model.h"
#include "wire/message.h"

static weir_status read_graph(TF_Graph *graph, const char *path)
{
    weir_graph_file file;
    WEIR_TRY(weir_graph_file_read(path, &file));
    weir_capi_lock(graph);
    weir_status status = weir_graph_import(weir_capi_graph(graph), file.graph_def, NULL, NULL);
    weir_capi_unlock(graph);
    weir_buf_fini(&file.bytes);
    return status;
}

void weir_graph_read(TF_Graph *graph, const char *path, TF_Status *status)
{
    weir_capi_end(status, read_graph(graph, path));
}

void weir_graph_write(TF_Graph *graph, const char *path, TF_Status *status)
{
    WEIR_BUF(def);
    weir_capi_lock(graph);
    weir_graph_export(weir_capi_graph(graph), &def);
    weir_capi_unlock(graph);
    weir_capi_end(status, weir_graph_file_write(path, weir_view(&def)));
}

static weir_status freeze(TF_Graph *graph, TF_Session *session, const TF_Output *outputs, int count,
                          weir_buf *out_def)
{
    weir_edge *edges = WEIR_NEW_ARRAY(weir_edge, count);
    weir_status status = WEIR_OK;
    for (int i = 0; i < count && !status; i++) {
        status = weir_capi_check_output(outputs[i]);
        edges[i] = weir_capi_edge(outputs[i]);
    }
    weir_freeze what = {.graph = weir_capi_graph(graph),
                        .graph_lock = weir_capi_graph_lock(graph),
                        .session = session ? weir_capi_session(session) : NULL,
                        .outputs = edges,
                        .output_count = count};
    if (!status)
        status = weir_freeze_graph(&what, out_def);
    weir_free(edges);
    return status;
}

TF_Buffer *weir_graph_freeze(TF_Graph *graph, TF_Session *session, const TF_Output *outputs,
                             int output_count, TF_Status *status)
{
    WEIR_BUF(def);
    bool frozen = weir_capi_end(status, freeze(graph, session, outputs, output_count, &def));
    return frozen ? weir_capi_buffer(&def) : NULL;
}

/* ---- messages -------------------------------------------------------------------------------- */

typedef weir_status (*converter)(const weir_message_type *type, weir_str in, weir_buf *out);

static weir_status convert(converter run, const char *type, const TF_Buffer *in, TF_Buffer *out)
{
    const weir_message_type *message_type = weir_message_find(weir_str_of(type));
    WEIR_BUF(bytes);
    if (!message_type)
        return weir_error(WEIR_NOT_FOUND, "There is no message type '%s'", type);
    weir_status status = run(message_type, weir_capi_bytes(in), &bytes);
    if (!status)
        return weir_capi_fill(out, &bytes);
    return status;
}

void weir_message_to_text(const char *type, const TF_Buffer *message, TF_Buffer *out,
                          TF_Status *status)
{
    weir_capi_end(status, convert(weir_message_print, type, message, out));
}

void weir_message_from_text(const char *type, const TF_Buffer *text, TF_Buffer *out,
                            TF_Status *status)
{
    weir_capi_end(status, convert(weir_message_parse, type, text, out));
}
