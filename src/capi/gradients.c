/* capi/gradients.c - TF_AddGradients, and the gradients of weir/graph.h, which may be sparse. */
#include "capi/capi_impl.h"
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

/* As the API names things, |dx| weighs the outputs. |edges| has room for all of them. */
static weir_status add(weir_graph *g, const char *prefix, const TF_Output *y, int ny,
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
    return weir_grad_add_gradients(g, &what, out);
}

void TF_AddGradientsWithPrefix(TF_Graph *g, const char *prefix, TF_Output *y, int ny, TF_Output *x,
                               int nx, TF_Output *dx, TF_Status *status, TF_Output *dy)
{
    weir_edge *edges = WEIR_NEW_ARRAY(weir_edge, 2 * ny + 2 * nx);
    weir_edge *found = edges + 2 * ny + nx;
    weir_capi_lock(g);
    if (weir_capi_end(status, add(g->graph, prefix, y, ny, x, nx, dx, edges, found)))
        for (int i = 0; i < nx; i++)
            dy[i] = weir_capi_output(found[i]);
    weir_capi_unlock(g);
    weir_free(edges);
}

void TF_AddGradients(TF_Graph *g, TF_Output *y, int ny, TF_Output *x, int nx, TF_Output *dx,
                     TF_Status *status, TF_Output *dy)
{
    TF_AddGradientsWithPrefix(g, NULL, y, ny, x, nx, dx, status, dy);
}

/* ---- with sparse results --------------------------------------------------------------------- */

static weir_gradient gradient_of(weir_edge dense, const weir_slices *sparse)
{
    if (!sparse->values.node)
        return (weir_gradient){.values = weir_capi_output(dense)};
    return (weir_gradient){weir_capi_output(sparse->values), weir_capi_output(sparse->indices),
                           weir_capi_output(sparse->shape)};
}

static weir_status add_gradients(TF_Graph *g, const TF_Output *y, int y_count, const TF_Output *x,
                                 int x_count, weir_gradient *out)
{
    weir_edge *edges = WEIR_NEW_ARRAY(weir_edge, y_count + 2 * x_count);
    weir_slices *slices = WEIR_NEW_ARRAY(weir_slices, x_count);
    weir_edge *xs = edges + y_count, *dx = xs + x_count;
    weir_status s = take_edges(y, y_count, edges);
    if (!s)
        s = take_edges(x, x_count, xs);
    if (!s)
        s = weir_grad_add_gradients(
            g->graph,
            &(weir_gradients){
                .y = edges, .x = xs, .y_count = y_count, .x_count = x_count, .out_slices = slices},
            dx);
    for (int i = 0; i < x_count && !s; i++)
        out[i] = gradient_of(dx[i], &slices[i]);
    weir_free(edges);
    weir_free(slices);
    return s;
}

void weir_build_gradients(weir_builder *b, const TF_Output *y, int y_count, const TF_Output *x,
                          int x_count, weir_gradient *out)
{
    for (int i = 0; i < x_count; i++)
        out[i] = (weir_gradient){0};
    if (TF_GetCode(weir_build_status(b)) != TF_OK)
        return;
    TF_Graph *g = weir_build_graph(b);
    TF_Status *status = TF_NewStatus();
    weir_capi_lock(g);
    weir_status s = add_gradients(g, y, y_count, x, x_count, out);
    weir_capi_unlock(g);
    if (!weir_capi_end(status, s))
        weir_build_fail(b, TF_GetCode(status), TF_Message(status));
    TF_DeleteStatus(status);
}
