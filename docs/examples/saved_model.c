/* saved_model.c - a model for others: saved with a signature, loaded, asked: saved_model [FOLDER].
 */
#include <stdio.h>

#include "weir/ops.h"
#include "weir/runner.h"
#include "weir/saved_model.h"

/* 2 x + 1, in variables. */
static void save(const char *folder, TF_Status *status)
{
    TF_Graph *graph = TF_NewGraph();
    weir_builder *b = weir_build_new(graph);
    TF_Output x = weir_build_placeholder(b, "x", TF_FLOAT, 1, (int64_t[]){-1});
    weir_variable w = weir_build_variable(b, "w", weir_build_float(b, "two", 2));
    weir_variable c = weir_build_variable(b, "c", weir_build_float(b, "one", 1));
    TF_Output y = weir_add_v2(b, "y", weir_mul(b, "wx", w.value, x), c.value);

    weir_runner *r = weir_runner_new(graph, NULL);
    weir_runner_do(r, w.initialize);
    weir_runner_do(r, c.initialize);
    const weir_named_output in = {"x", x}, out = {"y", y};
    const weir_save_signature serve = {
        .inputs = &in, .input_count = 1, .outputs = &out, .output_count = 1};
    const weir_save_options options = {.graph = graph,
                                       .session = weir_runner_session(r),
                                       .signatures = &serve,
                                       .signature_count = 1};
    weir_saved_model_save(folder, &options, status);
    weir_runner_delete(r);
    weir_build_delete(b);
    TF_DeleteGraph(graph);
}

static void ask(const char *folder, TF_Status *status)
{
    weir_saved_model *m = weir_saved_model_load(folder, NULL, 0, NULL, status);
    if (!m)
        return;
    TF_Tensor *x = weir_make_tensor(TF_FLOAT, 1, (int64_t[]){3}, (float[]){1, 2, 3}), *y;
    weir_saved_model_predict(m, weir_saved_model_signature(m, NULL), &x, &y, status);
    if (TF_GetCode(status) == TF_OK) {
        const float *v = TF_TensorData(y);
        printf("%g %g %g\n", v[0], v[1], v[2]);
        TF_DeleteTensor(y);
    }
    TF_DeleteTensor(x);
    weir_saved_model_delete(m);
}

int main(int argc, char **argv)
{
    const char *folder = argc > 1 ? argv[1] : "saved_model";
    TF_Status *status = TF_NewStatus();
    save(folder, status);
    if (TF_GetCode(status) == TF_OK)
        ask(folder, status);
    int bad = TF_GetCode(status) != TF_OK;
    if (bad)
        fprintf(stderr, "%s\n", TF_Message(status));
    TF_DeleteStatus(status);
    return bad;
}
