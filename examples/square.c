/* square.c - y = x * x and its gradient, through TensorFlow's C API.
 *
 *     cc square.c $(pkg-config --cflags --libs weir) -o square && ./square 3
 */
#include <stdio.h>
#include <stdlib.h>

#include <tensorflow/c/c_api.h>

static void check(TF_Status *s, const char *what)
{
    if (TF_GetCode(s) == TF_OK)
        return;
    fprintf(stderr, "%s: %s\n", what, TF_Message(s));
    exit(1);
}

int main(int argc, char **argv)
{
    TF_Status *s = TF_NewStatus();
    TF_Graph *graph = TF_NewGraph();

    TF_OperationDescription *d = TF_NewOperation(graph, "Placeholder", "x");
    TF_SetAttrType(d, "dtype", TF_FLOAT);
    TF_Output x = {TF_FinishOperation(d, s), 0};
    check(s, "x");

    d = TF_NewOperation(graph, "Mul", "y");
    TF_AddInput(d, x);
    TF_AddInput(d, x);
    TF_Output fetches[2] = {{TF_FinishOperation(d, s), 0}};
    check(s, "y");

    TF_AddGradients(graph, fetches, 1, &x, 1, NULL, s, &fetches[1]);
    check(s, "gradient");

    TF_SessionOptions *options = TF_NewSessionOptions();
    TF_Session *session = TF_NewSession(graph, options, s);
    check(s, "session");

    TF_Tensor *in = TF_AllocateTensor(TF_FLOAT, NULL, 0, sizeof(float)), *out[2];
    *(float *)TF_TensorData(in) = argc > 1 ? strtof(argv[1], NULL) : 3;
    TF_SessionRun(session, NULL, &x, &in, 1, fetches, out, 2, NULL, 0, NULL, s);
    check(s, "run");
    printf("y = %g, dy/dx = %g\n", *(float *)TF_TensorData(out[0]),
           *(float *)TF_TensorData(out[1]));

    TF_DeleteTensor(in);
    TF_DeleteTensor(out[0]);
    TF_DeleteTensor(out[1]);
    TF_DeleteSession(session, s);
    TF_DeleteSessionOptions(options);
    TF_DeleteGraph(graph);
    TF_DeleteStatus(s);
    return 0;
}
