/* native/gradients.c - gradients of a builder's graph, possibly sparse. */
#include "capi/capi.h"
#include "grad/grad.h"
#include "weir/graph.h"

/* Copies |count| outputs; those without a node stay empty if |may_lack| permits. */
static weir_status take_edges(const TF_Output *from, int count, bool may_lack, weir_edge *to)
{
    for (int i = 0; from && i < count; i++) {
        if (from[i].oper || !may_lack)
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

/* |edges| has room for everything in |what|. */
static weir_status differentiate(weir_graph *graph, const weir_derivative *what, weir_edge *edges,
                                 weir_slices *slices, weir_edge *dx)
{
    weir_edge *y = edges, *dy = y + what->y_count, *x = dy + what->y_count,
              *stop = x + what->x_count;
    WEIR_TRY(take_edges(what->y, what->y_count, false, y));
    WEIR_TRY(take_edges(what->dy, what->y_count, true, dy));
    WEIR_TRY(take_edges(what->x, what->x_count, false, x));
    WEIR_TRY(take_edges(what->stop, what->stop_count, false, stop));
    return weir_grad_add_gradients(graph,
                                   &(weir_gradients){.prefix = what->prefix,
                                                     .y = y,
                                                     .x = x,
                                                     .dy = what->dy ? dy : NULL,
                                                     .stop = stop,
                                                     .y_count = what->y_count,
                                                     .x_count = what->x_count,
                                                     .stop_count = what->stop_count,
                                                     .out_slices = slices},
                                   dx);
}

static weir_status add_gradients(weir_graph *graph, const weir_derivative *what, weir_gradient *out)
{
    size_t named = 2 * (size_t)what->y_count + (size_t)what->x_count + (size_t)what->stop_count;
    weir_edge *edges = WEIR_NEW_ARRAY(weir_edge, named + (size_t)what->x_count);
    weir_slices *slices = WEIR_NEW_ARRAY(weir_slices, what->x_count);
    weir_edge *dx = edges + named;
    weir_status status = differentiate(graph, what, edges, slices, dx);
    for (int i = 0; i < what->x_count && !status; i++)
        out[i] = gradient_of(dx[i], &slices[i]);
    weir_free(edges);
    weir_free(slices);
    return status;
}

void weir_add_gradients(TF_Graph *graph, const weir_derivative *what, weir_gradient *out,
                        TF_Status *status)
{
    weir_capi_lock(graph);
    weir_capi_end(status, add_gradients(weir_capi_graph(graph), what, out));
    weir_capi_unlock(graph);
}

void weir_build_gradients(weir_builder *builder, const TF_Output *y, int y_count,
                          const TF_Output *x, int x_count, weir_gradient *out)
{
    for (int i = 0; i < x_count; i++)
        out[i] = (weir_gradient){0};
    if (TF_GetCode(weir_build_status(builder)) != TF_OK)
        return;
    TF_Graph *graph = weir_build_graph(builder);
    weir_derivative what = {.y = y, .x = x, .y_count = y_count, .x_count = x_count};
    weir_capi_lock(graph);
    weir_status status = add_gradients(weir_capi_graph(graph), &what, out);
    weir_capi_unlock(graph);
    if (status)
        weir_build_fail(builder, (TF_Code)weir_status_code(status), weir_status_message(status));
    weir_status_free(status);
}
