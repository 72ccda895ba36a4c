/* lab/bench/workload.c - reads workloads, and writes them from built-in models. */
#include "lab/bench/workload.h"

#include <stdio.h>
#include <stdlib.h>

#include "io/file.h"
#include "weir/data.h"
#include "weir/models.h"

enum { LARGEST = 1 << 30 };

int workload_output(const char *tensor, char out[WORKLOAD_NAME])
{
    const char *colon = strrchr(tensor, ':');
    snprintf(out, WORKLOAD_NAME, "%.*s", colon ? (int)(colon - tensor) : WORKLOAD_NAME - 1, tensor);
    return colon ? atoi(colon + 1) : 0;
}

/* ---- reading --------------------------------------------------------------------------------- */

static weir_status read_part(const char *folder, const char *name, const char *ending,
                             weir_buf *out)
{
    WEIR_BUF(path);
    weir_buf_addf(&path, "%s/%s%s", folder, name, ending);
    return weir_file_read_all(path.at, LARGEST, out);
}

/* "x:0 1 2 100 784 logreg.0.bin" */
static weir_status read_feed(const char *folder, const char *line, workload *workload)
{
    char file[WORKLOAD_NAME];
    int type, used, more;
    if (workload->feed_count == WORKLOAD_MOST_FEEDS)
        return weir_error(WEIR_INVALID_ARGUMENT, "more than %d feeds", WORKLOAD_MOST_FEEDS);
    workload_feed *feed = &workload->feeds[workload->feed_count];
    if (sscanf(line, "%255s %d %d%n", feed->tensor, &type, &feed->rank, &used) != 3 ||
        feed->rank < 0 || feed->rank > WORKLOAD_MOST_DIMS)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "a feed is 'TENSOR DTYPE RANK DIM... FILE', not "
                          "'%s'",
                          line);
    size_t bytes = TF_DataTypeSize((TF_DataType)type);
    for (int i = 0; i < feed->rank; i++, used += more) {
        long long dim;
        if (sscanf(line + used, " %lld%n", &dim, &more) != 1 || dim < 0 ||
            !weir_size_mul(bytes, (size_t)dim, &bytes))
            return weir_error(WEIR_INVALID_ARGUMENT, "bad dims in feed '%s'", line);
        feed->dims[i] = dim;
    }
    if (sscanf(line + used, " %255s", file) != 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "no file in feed '%s'", line);
    feed->type = (TF_DataType)type;
    WEIR_TRY(read_part(folder, file, "", &feed->bytes));
    workload->feed_count++;
    if (feed->bytes.length != bytes)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s has %zu bytes; the feed needs %zu", file,
                          feed->bytes.length, bytes);
    return WEIR_OK;
}

static weir_status read_line(const char *folder, const char *line, workload *workload)
{
    const struct {
        const char *key;
        char *into;
    } names[] = {{"init ", workload->init}, {"step ", workload->step}, {"loss ", workload->loss}};
    for (int i = 0; i < 3; i++)
        if (strncmp(line, names[i].key, 5) == 0) {
            snprintf(names[i].into, WORKLOAD_NAME, "%s", line + 5);
            return WEIR_OK;
        }
    return strncmp(line, "feed ", 5) == 0 ? read_feed(folder, line + 5, workload) : WEIR_OK;
}

weir_status workload_read(const char *folder, const char *name, workload *out)
{
    WEIR_BUF(job);
    char *rest = NULL;
    weir_status status = read_part(folder, name, ".pb", &out->graph);
    if (!status)
        status = read_part(folder, name, ".job", &job);
    for (char *line = status ? NULL : strtok_r(job.at ? job.at : "", "\n", &rest); line && !status;
         line = strtok_r(NULL, "\n", &rest))
        status = read_line(folder, line, out);
    if (!status && (!*out->init || !*out->step || !*out->loss))
        status = weir_error(WEIR_INVALID_ARGUMENT, "no init, step or loss");
    const workload_feed *first = out->feed_count ? &out->feeds[0] : NULL;
    out->batch = first && first->rank ? first->dims[0] : 1;
    return weir_status_prefix(status, "%s/%s.job: ", folder, name);
}

/* ---- writing --------------------------------------------------------------------------------- */

static weir_status from_tf(TF_Status *status)
{
    weir_status result = TF_GetCode(status) == TF_OK
                             ? WEIR_OK
                             : weir_error((weir_code)TF_GetCode(status), "%s", TF_Message(status));
    TF_DeleteStatus(status);
    return result;
}

static weir_status write_part(const char *folder, const char *name, const char *ending,
                              const void *bytes, size_t length)
{
    WEIR_BUF(path);
    weir_buf_addf(&path, "%s/%s%s", folder, name, ending);
    return weir_file_write_all(path.at, bytes, length);
}

static weir_status write_graph(const char *folder, const char *name, weir_trainer *trainer)
{
    TF_Status *status = TF_NewStatus();
    TF_Buffer *graph = TF_NewBuffer();
    TF_GraphToGraphDef(weir_build_graph(weir_trainer_builder(trainer)), graph, status);
    weir_status result = from_tf(status);
    if (!result)
        result = write_part(folder, name, ".pb", graph->data, graph->length);
    TF_DeleteBuffer(graph);
    return result;
}

static weir_status write_feed(const char *folder, const char *name, int i, TF_Output feed,
                              const TF_Tensor *value, weir_buf *job)
{
    char ending[32];
    snprintf(ending, sizeof ending, ".%d.bin", i);
    weir_buf_addf(job, "feed %s:%d %d %d", TF_OperationName(feed.oper), feed.index,
                  (int)TF_TensorType(value), TF_NumDims(value));
    for (int d = 0; d < TF_NumDims(value); d++)
        weir_buf_addf(job, " %lld", (long long)TF_Dim(value, d));
    weir_buf_addf(job, " %s%s\n", name, ending);
    return write_part(folder, name, ending, TF_TensorData(value), TF_TensorByteSize(value));
}

/* One batch of inputs for |in|. */
static weir_status one_batch(const weir_model_input *in, TF_Tensor *values[2])
{
    TF_Status *status = TF_NewStatus();
    weir_data_options options = {.source = "synthetic",
                                 .batch = in->batch,
                                 .type = in->type,
                                 .rank = in->rank,
                                 .label_type = in->label_type,
                                 .classes = in->classes};
    for (int i = 0; i < in->rank; i++)
        options.dims[i] = in->dims[i];
    weir_data *data = weir_data_open(&options, status);
    if (data)
        weir_data_next(data, &values[0], &values[1], status);
    weir_data_close(data);
    return from_tf(status);
}

static weir_status write_feeds(const char *folder, const weir_model *model,
                               const weir_model_options *options, const weir_model_graph *graph,
                               weir_buf *job)
{
    weir_model_input in;
    TF_Tensor *values[2] = {NULL, NULL};
    weir_model_input_with(model, options, &in);
    if (!in.type)
        return WEIR_OK;
    weir_status status = one_batch(&in, values);
    for (int i = 0; i < graph->feed_count && !status; i++)
        status = write_feed(folder, weir_model_name(model), i, graph->feeds[i], values[i], job);
    for (int i = 0; i < 2; i++)
        if (values[i])
            TF_DeleteTensor(values[i]);
    return status;
}

static weir_status write_model(const char *folder, const weir_model *model, weir_trainer *trainer,
                               long batch)
{
    weir_model_options options = {.batch = (int)batch};
    weir_model_graph graph;
    TF_Operation *init, *step;
    TF_Status *status = TF_NewStatus();
    WEIR_BUF(job);
    weir_model_build(model, trainer, &options, &graph);
    weir_trainer_end_graph(trainer, &init, &step, status);
    WEIR_TRY(from_tf(status));
    WEIR_TRY(write_graph(folder, weir_model_name(model), trainer));
    weir_buf_addf(&job, "init %s\nstep %s\nloss %s:%d\n", TF_OperationName(init),
                  TF_OperationName(step), TF_OperationName(graph.loss.oper), graph.loss.index);
    WEIR_TRY(write_feeds(folder, model, &options, &graph, &job));
    return write_part(folder, weir_model_name(model), ".job", job.at, job.length);
}

weir_status workload_write(const char *folder, const char *model, long batch)
{
    const weir_model *m = weir_model_find(model);
    if (!m)
        return weir_error(WEIR_NOT_FOUND, "there is no model '%s'", model);
    WEIR_TRY(weir_dir_create_all(folder));
    weir_trainer *trainer = weir_trainer_new(&(weir_trainer_options){0});
    weir_status status = write_model(folder, m, trainer, batch);
    weir_trainer_delete(trainer);
    return weir_status_prefix(status, "%s: ", model);
}

int workload_model_count(void)
{
    return weir_model_count();
}

workload_model workload_model_at(int i)
{
    const weir_model *model = weir_model_at(i);
    weir_model_input in;
    weir_model_input_of(model, &in);
    return (workload_model){weir_model_name(model), weir_model_about(model), in.batch};
}

bool workload_is_model(const char *name)
{
    return weir_model_find(name) != NULL;
}
