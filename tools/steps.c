/* tools/steps.c - steps GRAPHS NAME COUNT: initialises a graph and runs COUNT steps of it on one
 * thread, for tools/overheads, which counts the instructions that a step takes. The graph is
 * GRAPHS/NAME.pb, with GRAPHS/NAME.job beside it, as `tools/bench` and `weir bench --export` write
 * them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tensorflow/c/c_api.h>

enum { MOST_FEEDS = 8, MOST_DIMS = 8, NAME = 1024 };

typedef struct job {
    TF_Graph *graph;
    const TF_Operation *init, *step;
    TF_Output feeds[MOST_FEEDS];
    TF_Tensor *values[MOST_FEEDS];
    int feed_count;
} job;

static void check(bool fine, const char *what)
{
    if (fine)
        return;
    fprintf(stderr, "steps: %s\n", what);
    exit(1);
}

static char *content(const char *folder, const char *name, const char *suffix, size_t *out_length)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s%s", folder, name, suffix);
    FILE *file = fopen(path, "rb");
    check(file, path);
    fseek(file, 0, SEEK_END);
    *out_length = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*out_length + 1);
    check(bytes && fread(bytes, 1, *out_length, file) == *out_length, path);
    bytes[*out_length] = 0;
    fclose(file);
    return bytes;
}

/* "feed NAME:0 TYPE RANK DIM... FILE" */
static void add_feed(job *job, const char *folder, const char *line)
{
    char name[NAME], file[NAME];
    int type, rank, used;
    int64_t dims[MOST_DIMS];
    check(sscanf(line, "feed %1023s %d %d%n", name, &type, &rank, &used) == 3 &&
              rank <= MOST_DIMS && job->feed_count < MOST_FEEDS,
          line);
    char *at = (char *)line + used;
    for (int i = 0; i < rank; i++)
        dims[i] = strtoll(at, &at, 10);
    check(sscanf(at, " %1023s", file) == 1, line);
    *strchrnul(name, ':') = 0;
    size_t length;
    char *bytes = content(folder, file, "", &length);
    TF_Tensor *value = TF_AllocateTensor((TF_DataType)type, dims, rank, length);
    memcpy(TF_TensorData(value), bytes, length);
    free(bytes);
    job->feeds[job->feed_count] = (TF_Output){TF_GraphOperationByName(job->graph, name), 0};
    job->values[job->feed_count++] = value;
}

static void read_job(job *job, const char *folder, const char *name, TF_Status *status)
{
    size_t length;
    char *bytes = content(folder, name, ".pb", &length), *save = NULL, word[NAME];
    TF_Buffer *def = TF_NewBufferFromString(bytes, length);
    TF_ImportGraphDefOptions *options = TF_NewImportGraphDefOptions();
    job->graph = TF_NewGraph();
    TF_GraphImportGraphDef(job->graph, def, options, status);
    check(TF_GetCode(status) == TF_OK, TF_Message(status));
    TF_DeleteImportGraphDefOptions(options);
    TF_DeleteBuffer(def);
    free(bytes);
    char *text = content(folder, name, ".job", &length);
    for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
        if (sscanf(line, "init %1023s", word) == 1)
            job->init = TF_GraphOperationByName(job->graph, word);
        else if (sscanf(line, "step %1023s", word) == 1)
            job->step = TF_GraphOperationByName(job->graph, word);
        else if (strncmp(line, "feed ", 5) == 0)
            add_feed(job, folder, line);
    free(text);
}

int main(int argc, char **argv)
{
    check(argc == 4, "usage: steps GRAPHS NAME COUNT");
    TF_Status *status = TF_NewStatus();
    job job = {0};
    read_job(&job, argv[1], argv[2], status);
    TF_SessionOptions *options = TF_NewSessionOptions();
    TF_SetConfig(options, (const uint8_t[]){0x10, 1, 0x28, 1}, 4, status); /* one thread */
    TF_Session *session = TF_NewSession(job.graph, options, status);
    check(TF_GetCode(status) == TF_OK, TF_Message(status));
    for (int i = -1; i < atoi(argv[3]); i++) {
        TF_SessionRun(session, NULL, job.feeds, job.values, i < 0 ? 0 : job.feed_count, NULL, NULL,
                      0, i < 0 ? &job.init : &job.step, 1, NULL, status);
        check(TF_GetCode(status) == TF_OK, TF_Message(status));
    }
    TF_CloseSession(session, status);
    TF_DeleteSession(session, status);
    TF_DeleteSessionOptions(options);
    for (int i = 0; i < job.feed_count; i++)
        TF_DeleteTensor(job.values[i]);
    TF_DeleteGraph(job.graph);
    TF_DeleteStatus(status);
    return 0;
}
