/* cli/train/export.c - the trained model as a SavedModel.
 *
 * Alone, with its variables. In a cluster the variables are elsewhere, perhaps on machines that do
 * not share this one's disk: there the model is saved with their values as constants.
 */
#include <stdio.h>

#include "cli/train/work_impl.h"
#include "weir/saved_model.h"

/* What the signature names, in |graph|. */
typedef struct exported {
    TF_Graph *graph;
    TF_Session *session; /* null: there are no variables */
    TF_Output input, output;
    const char *output_key;
} exported;

static void save(work *w, const exported *e)
{
    weir_named_output inputs[] = {{"x", e->input}}, outputs[] = {{e->output_key, e->output}};
    weir_save_signature signature = {
        .inputs = inputs, .input_count = 1, .outputs = outputs, .output_count = 1};
    weir_saved_model_save(w->o->export_dir,
                          &(weir_save_options){
                              .graph = e->graph,
                              .session = e->session,
                              .signatures = &signature,
                              .signature_count = 1,
                          },
                          w->status);
}

/* The output of the same name in another graph. */
static TF_Output twin(TF_Graph *in, TF_Output of)
{
    return (TF_Output){TF_GraphOperationByName(in, TF_OperationName(of.oper)), of.index};
}

static void save_frozen(work *w, const exported *e)
{
    TF_Output ends[] = {e->input, e->output};
    TF_Buffer *frozen = weir_graph_freeze(e->graph, e->session, ends, 2, w->status);
    if (!frozen)
        return;
    exported alone = {.graph = TF_NewGraph(), .output_key = e->output_key};
    TF_ImportGraphDefOptions *options = TF_NewImportGraphDefOptions();
    TF_GraphImportGraphDef(alone.graph, frozen, options, w->status);
    if (TF_GetCode(w->status) == TF_OK) {
        alone.input = twin(alone.graph, e->input);
        alone.output = twin(alone.graph, e->output);
        save(w, &alone);
    }
    TF_DeleteImportGraphDefOptions(options);
    TF_DeleteBuffer(frozen);
    TF_DeleteGraph(alone.graph);
}

int work_export(work *w)
{
    const weir_model_graph *g = &w->test_graph;
    if (!w->o->export_dir || !w->chief)
        return WEIR_EXIT_OK;
    exported e = {
        .graph = weir_build_graph(weir_trainer_builder(w->t)),
        .session = weir_trainer_session(w->t),
        .input = g->feeds[0],
        .output = g->logits.oper ? g->logits : g->loss,
        .output_key = g->logits.oper ? "logits" : "loss",
    };
    if (w->job && *weir_job_name(w->job))
        save_frozen(w, &e);
    else
        save(w, &e);
    if (TF_GetCode(w->status) != TF_OK)
        return work_fail(w, "the SavedModel was not written", NULL);
    work_note(w, "SavedModel: %s", w->o->export_dir);
    return WEIR_EXIT_OK;
}
