/* cli/train/export.c - exports the trained model as a SavedModel.
 *
 * A single process saves it with its variables. In a cluster the variables may be on machines
 * without access to this disk: then the model is saved with their values as constants.
 */
#include <stdio.h>

#include "cli/train/work_impl.h"
#include "weir/saved_model.h"

/* The tensors of the signature, in |graph|. */
typedef struct exported {
    TF_Graph *graph;
    TF_Session *session; /* null: there are no variables */
    TF_Output input, output;
    const char *output_key;
} exported;

static void save(work *work, const exported *exported)
{
    weir_named_output inputs[] = {{"x", exported->input}},
                      outputs[] = {{exported->output_key, exported->output}};
    weir_save_signature signature = {
        .inputs = inputs, .input_count = 1, .outputs = outputs, .output_count = 1};
    weir_saved_model_save(work->o->export_dir,
                          &(weir_save_options){
                              .graph = exported->graph,
                              .session = exported->session,
                              .signatures = &signature,
                              .signature_count = 1,
                          },
                          work->status);
}

/* The output of the same name in another graph. */
static TF_Output twin(TF_Graph *in, TF_Output of)
{
    return (TF_Output){TF_GraphOperationByName(in, TF_OperationName(of.oper)), of.index};
}

static void save_frozen(work *work, const exported *model)
{
    TF_Output ends[] = {model->input, model->output};
    TF_Buffer *frozen = weir_graph_freeze(model->graph, model->session, ends, 2, work->status);
    if (!frozen)
        return;
    exported alone = {.graph = TF_NewGraph(), .output_key = model->output_key};
    TF_ImportGraphDefOptions *options = TF_NewImportGraphDefOptions();
    TF_GraphImportGraphDef(alone.graph, frozen, options, work->status);
    if (TF_GetCode(work->status) == TF_OK) {
        alone.input = twin(alone.graph, model->input);
        alone.output = twin(alone.graph, model->output);
        save(work, &alone);
    }
    TF_DeleteImportGraphDefOptions(options);
    TF_DeleteBuffer(frozen);
    TF_DeleteGraph(alone.graph);
}

int work_export(work *work)
{
    const weir_model_graph *graph = &work->test_graph;
    if (!work->o->export_dir || !work->chief)
        return WEIR_EXIT_OK;
    exported exported = {
        .graph = weir_build_graph(weir_trainer_builder(work->t)),
        .session = weir_trainer_session(work->t),
        .input = graph->feeds[0],
        .output = graph->logits.oper ? graph->logits : graph->loss,
        .output_key = graph->logits.oper ? "logits" : "loss",
    };
    if (work->job && *weir_job_name(work->job))
        save_frozen(work, &exported);
    else
        save(work, &exported);
    if (TF_GetCode(work->status) != TF_OK)
        return work_fail(work, "the SavedModel was not written", NULL);
    work_note(work, "SavedModel: %s", work->o->export_dir);
    return WEIR_EXIT_OK;
}
