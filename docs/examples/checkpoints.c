/* checkpoints.c - variables that outlive their session: checkpoints [FOLDER]. */
#include <stdio.h>

#include "weir/ops.h"
#include "weir/runner.h"
#include "weir/saver.h"

static TF_Status *status;

static int failed(weir_runner *r)
{
    const TF_Status *s = TF_GetCode(status) != TF_OK ? status : weir_runner_status(r);
    if (TF_GetCode(s) != TF_OK)
        fprintf(stderr, "%s\n", TF_Message(s));
    return TF_GetCode(s) != TF_OK;
}

int main(int argc, char **argv)
{
    const char *folder = argc > 1 ? argv[1] : "checkpoints";
    char prefix[512];
    snprintf(prefix, sizeof prefix, "%s/powers", folder);

    status = TF_NewStatus();
    TF_Graph *graph = TF_NewGraph();
    weir_builder *b = weir_build_new(graph);
    weir_variable v = weir_build_variable(b, "power", weir_build_float(b, "one", 1));
    TF_Output two = weir_build_float(b, "two", 2);
    TF_Output twice = weir_assign(b, "twice", v.ref, weir_mul(b, "mul", v.value, two), NULL);
    weir_saver *saver = weir_saver_new(b, &(weir_saver_options){.keep = 3});
    if (TF_GetCode(weir_build_status(b)) != TF_OK)
        return fprintf(stderr, "%s\n", TF_Message(weir_build_status(b))), 1;

    weir_runner *r = weir_runner_new(graph, NULL);
    weir_runner_do(r, v.initialize);
    for (int step = 1; step <= 5; step++) {
        weir_runner_do(r, twice.oper);
        weir_saver_save(saver, weir_runner_session(r), prefix, step, status);
    }
    printf("the first session ends with %g\n", weir_runner_number(r, v.value));
    int bad = failed(r);
    weir_runner_delete(r);

    r = weir_runner_new(graph, NULL); /* its variables are not there yet */
    if (!bad && weir_saver_restore_latest(saver, weir_runner_session(r), folder, status))
        printf("the second begins with %g\n", weir_runner_number(r, v.value));
    snprintf(prefix, sizeof prefix, "%s/powers-3", folder);
    weir_saver_restore(saver, weir_runner_session(r), prefix, status);
    printf("step 3 was %g\n", weir_runner_number(r, v.value));
    bad |= failed(r);

    weir_runner_delete(r);
    weir_saver_delete(saver);
    weir_build_delete(b);
    TF_DeleteGraph(graph);
    TF_DeleteStatus(status);
    return bad;
}
