/* fuzz/graphdef.c - any bytes as a GraphDef: imported, exported, differentiated and run. */
#include <stddef.h>
#include <stdint.h>

#include "tensorflow/c/c_api.h"

enum { OPS_RUN = 16 };

/* Runs the first output of |op| with a time limit; whatever comes out is fine but a crash. */
static void run(TF_Session *session, TF_Operation *op, TF_Status *s)
{
    static const unsigned char limit[] = {0x10, 0xc8, 0x01}; /* RunOptions.timeout_in_ms: 200 */
    TF_Buffer *options = TF_NewBufferFromString(limit, sizeof limit);
    TF_Output fetch = {op, 0};
    TF_Tensor *out = NULL;
    TF_SessionRun(session, options, NULL, NULL, 0, &fetch, &out, 1, NULL, 0, NULL, s);
    if (out)
        TF_DeleteTensor(out);
    TF_DeleteBuffer(options);
}

static void run_some(TF_Graph *graph, TF_Status *s)
{
    TF_SessionOptions *options = TF_NewSessionOptions();
    TF_Session *session = TF_NewSession(graph, options, s);
    TF_Operation *op;
    size_t at = 0;
    for (int i = 0; session && i < OPS_RUN && (op = TF_GraphNextOperation(graph, &at)); i++)
        if (TF_OperationNumOutputs(op) > 0)
            run(session, op, s);
    if (session)
        TF_DeleteSession(session, s);
    TF_DeleteSessionOptions(options);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    TF_Status *s = TF_NewStatus();
    TF_Graph *graph = TF_NewGraph();
    TF_Buffer *bytes = TF_NewBufferFromString(data, size), *again = TF_NewBuffer();
    TF_ImportGraphDefOptions *options = TF_NewImportGraphDefOptions();
    TF_GraphImportGraphDef(graph, bytes, options, s);
    if (TF_GetCode(s) == TF_OK) {
        TF_GraphToGraphDef(graph, again, s);
        run_some(graph, s);
    }
    TF_DeleteImportGraphDefOptions(options);
    TF_DeleteBuffer(bytes);
    TF_DeleteBuffer(again);
    TF_DeleteGraph(graph);
    TF_DeleteStatus(s);
    return 0;
}
