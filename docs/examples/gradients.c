/* gradients.c - derivatives, and a training loop of one's own: the minimum of Rosenbrock's valley.
 */
#include <stdio.h>

#include "weir/ops.h"
#include "weir/runner.h"

/* (1 - x)^2 + 10 (y - x^2)^2, which is least at (1, 1). */
static TF_Output valley(weir_builder *b, TF_Output x, TF_Output y)
{
    TF_Output one = weir_build_float(b, "one", 1), ten = weir_build_float(b, "ten", 10);
    TF_Output far = weir_squared_difference(b, "far", one, x);
    TF_Output off = weir_squared_difference(b, "off", y, weir_square(b, "x2", x));
    return weir_add_v2(b, "valley", far, weir_mul(b, "steep", ten, off));
}

int main(void)
{
    TF_Graph *graph = TF_NewGraph();
    weir_builder *b = weir_build_new(graph);
    weir_variable x = weir_build_variable(b, "x", weir_build_float(b, "x0", -1));
    weir_variable y = weir_build_variable(b, "y", weir_build_float(b, "y0", 2));
    TF_Output z = valley(b, x.value, y.value);

    weir_gradient d[2];
    weir_build_gradients(b, &z, 1, WEIR_INPUTS(x.value, y.value), d);
    TF_Output rate = weir_build_float(b, "rate", 0.01f);
    TF_Operation *steps[] = {
        weir_apply_gradient_descent(b, "dx", x.ref, rate, d[0].values, NULL).oper,
        weir_apply_gradient_descent(b, "dy", y.ref, rate, d[1].values, NULL).oper,
    };
    TF_Operation *step = weir_build_group(b, "step", steps, 2);
    if (TF_GetCode(weir_build_status(b)) != TF_OK)
        return fprintf(stderr, "%s\n", TF_Message(weir_build_status(b))), 1;

    weir_runner *r = weir_runner_new(graph, NULL);
    weir_runner_do(r, x.initialize);
    weir_runner_do(r, y.initialize);
    printf("at (-1, 2): z = %g, dz/dx = %g, dz/dy = %g\n", weir_runner_number(r, z),
           weir_runner_number(r, d[0].values), weir_runner_number(r, d[1].values));
    for (int i = 0; i < 3000; i++)
        weir_runner_do(r, step);
    printf("least at (%.3f, %.3f)\n", weir_runner_number(r, x.value),
           weir_runner_number(r, y.value));
    if (TF_GetCode(weir_runner_status(r)) != TF_OK)
        return fprintf(stderr, "%s\n", TF_Message(weir_runner_status(r))), 1;

    weir_runner_delete(r);
    weir_build_delete(b);
    TF_DeleteGraph(graph);
    return 0;
}
