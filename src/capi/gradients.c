/* capi/gradients.c - TF_AddGradients. */
#include "capi/capi_impl.h"
#include "grad/grad.h"

static weir_status take_edges(const TF_Output *from, int count, weir_edge *to)
{
    for (int i = 0; i < count; i++) {
        WEIR_TRY(weir_capi_check_output(from[i]));
        to[i] = weir_capi_edge(from[i]);
    }
    return WEIR_OK;
}

/* |dx| are the gradients of the outputs, as in the API. |edges| has room for all of them. */
static weir_status add(weir_graph *graph, const char *prefix, const TF_Output *y, int ny,
                       const TF_Output *x, int nx, const TF_Output *dx, weir_edge *edges,
                       weir_edge *out)
{
    weir_edge *ys = edges, *xs = ys + ny, *weights = xs + nx;
    WEIR_TRY(take_edges(y, ny, ys));
    WEIR_TRY(take_edges(x, nx, xs));
    if (dx)
        WEIR_TRY(take_edges(dx, ny, weights));
    weir_gradients what = {.prefix = prefix,
                           .y = ys,
                           .x = xs,
                           .dy = dx ? weights : NULL,
                           .y_count = ny,
                           .x_count = nx,
                           .must_reach = true};
    return weir_grad_add_gradients(graph, &what, out);
}

void TF_AddGradientsWithPrefix(TF_Graph *graph, const char *prefix, TF_Output *y, int ny,
                               TF_Output *x, int nx, TF_Output *dx, TF_Status *status,
                               TF_Output *dy)
{
    weir_edge *edges = WEIR_NEW_ARRAY(weir_edge, 2 * ny + 2 * nx);
    weir_edge *found = edges + 2 * ny + nx;
    weir_capi_lock(graph);
    if (weir_capi_end(status, add(graph->graph, prefix, y, ny, x, nx, dx, edges, found)))
        for (int i = 0; i < nx; i++)
            dy[i] = weir_capi_output(found[i]);
    weir_capi_unlock(graph);
    weir_free(edges);
}

void TF_AddGradients(TF_Graph *graph, TF_Output *y, int ny, TF_Output *x, int nx, TF_Output *dx,
                     TF_Status *status, TF_Output *dy)
{
    TF_AddGradientsWithPrefix(graph, NULL, y, ny, x, nx, dx, status, dy);
}
