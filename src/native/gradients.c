/* native/gradients.c - gradients of a builder's graph, which may be sparse. */
#include "capi/capi.h"
#include "grad/grad.h"
#include "weir/graph.h"

static weir_status take_edges(const TF_Output *from, int count, weir_edge *to)
{
    for (int i = 0; i < count; i++) {
        WEIR_TRY(weir_capi_check_output(from[i]));
        to[i] = weir_capi_edge(from[i]);
    }
    return WEIR_OK;
}

static weir_gradient gradient_of(weir_edge dense, const weir_slices *sparse)
{
    if (!sparse->values.node)
        return (weir_gradient){.values = weir_capi_output(dense)};
    return (weir_gradient){weir_capi_output(sparse->values), weir_capi_output(sparse->indices),
                           weir_capi_output(sparse->shape)};
}

static weir_status add_gradients(TF_Graph *graph, const TF_Output *y, int y_count,
                                 const TF_Output *x, int x_count, weir_gradient *out)
{
    weir_edge *edges = WEIR_NEW_ARRAY(weir_edge, y_count + 2 * x_count);
    weir_slices *slices = WEIR_NEW_ARRAY(weir_slices, x_count);
    weir_edge *xs = edges + y_count, *dx = xs + x_count;
    weir_status status = take_edges(y, y_count, edges);
    if (!status)
        status = take_edges(x, x_count, xs);
    if (!status)
        status = weir_grad_add_gradients(
            weir_capi_graph(graph),
            &(weir_gradients){
                .y = edges, .x = xs, .y_count = y_count, .x_count = x_count, .out_slices = slices},
            dx);
    for (int i = 0; i < x_count && !status; i++)
        out[i] = gradient_of(dx[i], &slices[i]);
    weir_free(edges);
    weir_free(slices);
    return status;
}

void weir_build_gradients(weir_builder *builder, const TF_Output *y, int y_count,
                          const TF_Output *x, int x_count, weir_gradient *out)
{
    for (int i = 0; i < x_count; i++)
        out[i] = (weir_gradient){0};
    if (TF_GetCode(weir_build_status(builder)) != TF_OK)
        return;
    TF_Graph *graph = weir_build_graph(builder);
    weir_capi_lock(graph);
    weir_status status = add_gradients(graph, y, y_count, x, x_count, out);
    weir_capi_unlock(graph);
    if (status)
        weir_build_fail(builder, (TF_Code)weir_status_code(status), weir_status_message(status));
    weir_status_free(status);
}
