/* control_flow.c - a loop and a condition inside the graph: square roots by Newton's rule. */
#include <stdio.h>

#include "weir/ops.h"
#include "weir/runner.h"

/* while |guess^2 - x| > 1e-5: guess = (guess + x / guess) / 2. Loop variables are guess and x. */
static TF_Output newton(TF_Graph *graph, TF_Output guess, TF_Output x, TF_Status *status)
{
    TF_Output inputs[] = {guess, x}, outputs[2];
    TF_WhileParams loop = TF_NewWhile(graph, inputs, 2, status);
    if (TF_GetCode(status) != TF_OK)
        return (TF_Output){0};
    weir_builder *c = weir_build_new(loop.cond_graph), *b = weir_build_new(loop.body_graph);

    TF_Output square = weir_square(c, "square", loop.cond_inputs[0]);
    TF_Output off = weir_abs(c, "off", weir_sub(c, "sub", square, loop.cond_inputs[1]));
    loop.cond_output = weir_greater(c, "go_on", off, weir_build_float(c, "enough", 1e-5f));

    TF_Output ratio = weir_real_div(b, "ratio", loop.body_inputs[1], loop.body_inputs[0]);
    TF_Output sum = weir_add_v2(b, "sum", loop.body_inputs[0], ratio);
    loop.body_outputs[0] = weir_mul(b, "half", sum, weir_build_float(b, "0.5", 0.5f));
    loop.body_outputs[1] = weir_identity(b, "same", loop.body_inputs[1]);

    loop.name = "newton";
    TF_FinishWhile(&loop, status, outputs);
    weir_build_delete(c);
    weir_build_delete(b);
    return TF_GetCode(status) == TF_OK ? outputs[0] : (TF_Output){0};
}

int main(void)
{
    TF_Graph *graph = TF_NewGraph();
    TF_Status *status = TF_NewStatus();
    weir_builder *b = weir_build_new(graph);
    TF_Output x = weir_build_placeholder(b, "x", TF_FLOAT, 0, NULL);
    TF_Output size = weir_abs(b, "size", x);
    TF_Output root = newton(graph, weir_build_float(b, "first", 1), size, status);
    if (TF_GetCode(status) != TF_OK)
        return fprintf(stderr, "%s\n", TF_Message(status)), 1;
    /* Only one side of a switch runs; merge takes what came. */
    TF_Output zero = weir_build_float(b, "zero", 0);
    TF_Output positive = weir_greater(b, "positive", x, zero);
    weir_switch_outputs sides = weir_switch(b, "sides", root, positive);
    TF_Output none = weir_neg(b, "none", weir_ones_like(b, "one", sides.output_false));
    weir_merge_outputs either = weir_merge(b, "either", WEIR_INPUTS(none, sides.output_true));
    weir_gradient slope;
    weir_build_gradients(b, &root, 1, &x, 1, &slope); /* through the loop */
    if (TF_GetCode(weir_build_status(b)) != TF_OK)
        return fprintf(stderr, "%s\n", TF_Message(weir_build_status(b))), 1;

    weir_runner *r = weir_runner_new(graph, NULL);
    const float asked[] = {2, 9, -4}; /* which has none: -1 */
    for (int i = 0; i < 3; i++) {
        weir_runner_feed(r, x, weir_make_tensor(TF_FLOAT, 0, NULL, &asked[i]));
        printf("root of %g: %.4f, slope %.4f\n", asked[i], weir_runner_number(r, either.output),
               weir_runner_number(r, slope.values));
    }
    int bad = TF_GetCode(weir_runner_status(r)) != TF_OK;
    if (bad)
        fprintf(stderr, "%s\n", TF_Message(weir_runner_status(r)));
    weir_runner_delete(r);
    weir_build_delete(b);
    TF_DeleteStatus(status);
    TF_DeleteGraph(graph);
    return bad;
}
