/* native/saved_model_save.c - weir_saved_model_save: converts its options for model/. */
#include "capi/capi.h"
#include "model/saved_model.h"
#include "weir/saved_model.h"

static weir_status take_edges(weir_arena *arena, const weir_named_output *from, int count,
                              const weir_model_edge **out)
{
    weir_model_edge *edges = WEIR_ARENA_ARRAY(arena, weir_model_edge, count + 1);
    for (int i = 0; i < count; i++) {
        WEIR_TRY(weir_capi_check_output(from[i].output));
        edges[i] = (weir_model_edge){from[i].key, weir_capi_edge(from[i].output)};
    }
    *out = edges;
    return WEIR_OK;
}

static weir_status take_signature(weir_arena *arena, const weir_save_signature *from,
                                  weir_model_signature *out)
{
    *out =
        (weir_model_signature){.key = from->key ? from->key : "serving_default",
                               .method = from->method ? from->method : "tensorflow/serving/predict",
                               .input_count = from->input_count,
                               .output_count = from->output_count};
    WEIR_TRY(take_edges(arena, from->inputs, from->input_count, &out->inputs));
    return take_edges(arena, from->outputs, from->output_count, &out->outputs);
}

static weir_status take_signatures(weir_arena *arena, const weir_save_options *options,
                                   const weir_model_signature **out)
{
    int count = options->signature_count;
    weir_model_signature *all = WEIR_ARENA_ARRAY(arena, weir_model_signature, count + 1);
    for (int i = 0; i < count; i++)
        WEIR_TRY(take_signature(arena, &options->signatures[i], &all[i]));
    *out = all;
    return WEIR_OK;
}

static weir_status take_assets(weir_arena *arena, const weir_save_options *options,
                               const weir_model_file **out)
{
    weir_model_file *all = WEIR_ARENA_ARRAY(arena, weir_model_file, options->asset_count + 1);
    for (int i = 0; i < options->asset_count; i++) {
        const weir_save_asset *from = &options->assets[i];
        WEIR_TRY(weir_capi_check_output(from->tensor));
        all[i] = (weir_model_file){weir_capi_edge(from->tensor), from->path};
    }
    *out = all;
    return WEIR_OK;
}

static weir_status save(weir_arena *arena, const char *dir, const weir_save_options *options)
{
    static const char *const serve[] = {"serve"};
    weir_model_parts parts = {
        .graph = weir_capi_graph(options->graph),
        .graph_lock = weir_capi_graph_lock(options->graph),
        .session = options->session ? weir_capi_session(options->session) : NULL,
        .tags = options->tag_count ? options->tags : serve,
        .tag_count = options->tag_count ? options->tag_count : 1,
        .signature_count = options->signature_count,
        .asset_count = options->asset_count,
        .init_op = weir_capi_node(options->init_op),
        .writer = TF_Version(),
        .whole_graph = options->whole_graph,
        .keep_devices = options->keep_devices,
        .text = options->text,
    };
    WEIR_TRY(take_signatures(arena, options, &parts.signatures));
    WEIR_TRY(take_assets(arena, options, &parts.assets));
    return weir_model_save(dir, &parts);
}

void weir_saved_model_save(const char *dir, const weir_save_options *options, TF_Status *status)
{
    weir_arena arena;
    weir_arena_init(&arena);
    weir_capi_end(status, save(&arena, dir, options));
    weir_arena_fini(&arena);
}
