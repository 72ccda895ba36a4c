/* remote_session.c - runs a graph in another process: remote_session grpc://HOST:PORT.
 *
 * The other process is `weir server`, a program with TF_NewServer, or TensorFlow's server. The
 * variable lives there: a second program that runs the same graph finds it as the first left it.
 */
#include <stdio.h>

#include "weir/ops.h"
#include "weir/runner.h"

int main(int argc, char **argv)
{
    if (argc != 2)
        return fprintf(stderr, "usage: remote_session grpc://HOST:PORT\n"), 2;
    TF_Graph *graph = TF_NewGraph();
    weir_builder *b = weir_build_new(graph);
    weir_variable count = weir_build_variable(b, "count", weir_build_int32(b, "zero", 0));
    TF_Output there = weir_is_variable_initialized(b, "there", count.ref);
    TF_Output more = weir_assign_add(b, "more", count.ref, weir_build_int32(b, "one", 1), NULL);
    if (TF_GetCode(weir_build_status(b)) != TF_OK)
        return fprintf(stderr, "%s\n", TF_Message(weir_build_status(b))), 1;

    weir_runner *r =
        weir_runner_new(graph, &(weir_runner_options){.target = argv[1], .timeout_ms = 10000});
    if (!weir_runner_number(r, there))
        weir_runner_do(r, count.initialize);
    for (int i = 0; i < 3; i++)
        weir_runner_do(r, more.oper);
    printf("count is %g\n", weir_runner_number(r, count.value));
    int bad = TF_GetCode(weir_runner_status(r)) != TF_OK;
    if (bad)
        fprintf(stderr, "%s\n", TF_Message(weir_runner_status(r)));

    weir_runner_delete(r);
    weir_build_delete(b);
    TF_DeleteGraph(graph);
    return bad;
}
