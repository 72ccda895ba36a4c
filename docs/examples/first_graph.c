/* first_graph.c - a graph, a session, a result: softmax of a matrix product. */
#include <stdio.h>

#include "weir/ops.h"
#include "weir/runner.h"

int main(void)
{
    TF_Graph *graph = TF_NewGraph();
    weir_builder *b = weir_build_new(graph);
    const float weights[] = {1, 2, 3, 4, 5, 6};

    TF_Output x = weir_build_placeholder(b, "x", TF_FLOAT, 2, (int64_t[]){-1, 2});
    TF_Output w = weir_build_const(b, "w", TF_FLOAT, 2, (int64_t[]){2, 3}, weights);
    TF_Output y = weir_mat_mul(b, "y", x, w, NULL);
    TF_Output p = weir_softmax(b, "p", y);
    if (TF_GetCode(weir_build_status(b)) != TF_OK)
        return fprintf(stderr, "%s\n", TF_Message(weir_build_status(b))), 1;

    weir_runner *r = weir_runner_new(graph, NULL);
    weir_runner_feed(r, x, weir_make_tensor(TF_FLOAT, 2, (int64_t[]){1, 2}, (float[]){1, -0.5f}));
    TF_Tensor *product = weir_runner_get(r, y), *shares = weir_runner_get(r, p);
    if (TF_GetCode(weir_runner_status(r)) != TF_OK)
        return fprintf(stderr, "%s\n", TF_Message(weir_runner_status(r))), 1;
    const float *v = TF_TensorData(product), *s = TF_TensorData(shares);
    printf("y = %g %g %g\np = %.4f %.4f %.4f\n", v[0], v[1], v[2], s[0], s[1], s[2]);

    TF_DeleteTensor(product);
    TF_DeleteTensor(shares);
    weir_runner_delete(r);
    weir_build_delete(b);
    TF_DeleteGraph(graph);
    return 0;
}
