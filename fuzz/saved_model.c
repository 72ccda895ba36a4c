/* fuzz/saved_model.c - any bytes as the file of a SavedModel and as a file with a graph. */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "weir/saved_model.h"

static void put_file(const char *path, const uint8_t *data, size_t size)
{
    FILE *f = fopen(path, "wb");
    if (f) {
        fwrite(data, 1, size, f);
        fclose(f);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char folder[64], file[96];
    snprintf(folder, sizeof folder, "/dev/shm/weir_fuzz_model_%d", (int)getpid());
    snprintf(file, sizeof file, "%s/saved_model.pb", folder);
    mkdir(folder, 0700);
    put_file(file, data, size);
    TF_Status *status = TF_NewStatus();
    weir_saved_model_delete(weir_saved_model_load(folder, NULL, 0, NULL, status));
    TF_Graph *graph = TF_NewGraph();
    weir_graph_read(graph, file, status);
    TF_DeleteGraph(graph);
    TF_DeleteStatus(status);
    unlink(file);
    rmdir(folder);
    return 0;
}
