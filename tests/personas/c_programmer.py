"""Somebody who writes C, or has a program that uses TensorFlow's C API."""
TITLE = "A C programmer"
ABOUT = "Somebody who writes C, or has a program that was written for TensorFlow's C API."
FILES = {
    "hello.c": '''#include <stdio.h>
#include <tensorflow/c/c_api.h>
int main(void)
{
    printf("%s\\n", TF_Version());
    return 0;
}
''',
    "target.c": '''#include <stdio.h>
#include <stdlib.h>
#include <tensorflow/c/c_api.h>
int main(int argc, char **argv)
{
    TF_Status *status = TF_NewStatus();
    TF_SessionOptions *options = TF_NewSessionOptions();
    TF_Graph *graph = TF_NewGraph();
    TF_SetTarget(options, argv[1]);
    TF_Session *session = TF_NewSession(graph, options, status);
    printf("%s\\n", session ? "a session" : TF_Message(status));
    return session ? 0 : 1;
}
''',
}
TASKS = [
    dict(title="Does it compile?", line="cc hello.c -o hello -lweir && ./hello", shows=[r"^\d+\.\d+"]),
    dict(title="Which functions does it use?", line="weir abi hello", shows=[r"1 of 1 functions"], narrow=True),
    dict(title="A first graph", line="cc $EXAMPLES/first_graph.c -o first -lweir && ./first"),
    dict(title="A regression", line="cc $EXAMPLES/linear_regression.c -o fit -lweir -lm && ./fit"),
    dict(title="A target misspelt", line="cc target.c -o target -lweir && ./target grcp://localhost:2222", status=1,
         shows=[r"did you mean grpc://localhost:2222"]),
    dict(title="A server that is not there", line="./target grpc://localhost:1",
         shows=[r"a session"]),
    dict(title="What does an op take?", line="weir ops Conv2D", shows=[r"strides"], narrow=True),
    dict(title="The page about the C API", line="weir help c-api | head -12", shows=[r"C API"]),
    dict(title="Something that is no program", line="weir abi hello.c", status=1, shows=[r"hello.c"]),
    dict(title="Saved, then looked into", lines=20,
         line="cc $EXAMPLES/saved_model.c -o saved -lweir -lm && ./saved && ls"),
]
