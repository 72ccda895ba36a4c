/* native/files_test.c - round trips of SavedModels, frozen graphs, events, records and checkpoints
 * from C, without TensorFlow and without leaks. */
#include <stdio.h>
#include <unistd.h>

#include "base/test.h"
#include "io/file.h"
#include "tensorflow/c/c_api_experimental.h"
#include "weir/checkpoint.h"
#include "weir/events.h"
#include "weir/graph.h"
#include "weir/records.h"
#include "weir/saved_model.h"

static TF_Status *status;

#define CHECK_GOOD() CHECK_MSG(TF_GetCode(status) == TF_OK, "%s", TF_Message(status))
#define CHECK_BAD(code, text)                                                                      \
    do {                                                                                           \
        CHECK_EQ(TF_GetCode(status), code);                                                        \
        CHECK_MSG(strstr(TF_Message(status), text), "%s", TF_Message(status));                     \
    } while (0)

static void make_folder(char *out, size_t room, const char *name)
{
    snprintf(out, room, "weir_%s.%d", name, (int)getpid());
    weir_status_free(weir_dir_delete_all(out));
}

static TF_Tensor *vector(int count, const float *values)
{
    TF_Tensor *tensor = TF_AllocateTensor(TF_FLOAT, &(int64_t){count}, 1, (size_t)count * 4);
    memcpy(TF_TensorData(tensor), values, (size_t)count * 4);
    return tensor;
}

/* ---- a model: y = w * x, w in a variable of either kind ---- */

typedef struct line {
    TF_Graph *graph;
    TF_Session *session;
    TF_Output x, y;
} line;

static TF_Output add_variable(weir_builder *builder, bool resource, TF_Operation **out_init)
{
    TF_Output start = weir_build_float(builder, "start", 3);
    TF_OperationDescription *description =
        weir_build_begin(builder, resource ? "VarHandleOp" : "VariableV2", "w");
    TF_SetAttrType(description, "dtype", TF_FLOAT);
    TF_SetAttrShape(description, "shape", NULL, 0);
    TF_Output w = weir_build_end(builder, description);
    *out_init = weir_build_op(builder, resource ? "AssignVariableOp" : "Assign", "init",
                              WEIR_INPUTS(w, start))
                    .oper;
    if (!resource)
        return w;
    description = weir_build_begin(builder, "ReadVariableOp", "read");
    TF_AddInput(description, w);
    TF_SetAttrType(description, "dtype", TF_FLOAT);
    return weir_build_end(builder, description);
}

static line make_line(bool resource)
{
    line line = {.graph = TF_NewGraph()};
    TF_Operation *init;
    weir_builder *builder = weir_build_new(line.graph);
    line.x = weir_build_placeholder(builder, "x", TF_FLOAT, 1, &(int64_t){-1});
    line.y = weir_build_op(builder, "Mul", "y",
                           WEIR_INPUTS(add_variable(builder, resource, &init), line.x));
    CHECK_MSG(TF_GetCode(weir_build_status(builder)) == TF_OK, "%s",
              TF_Message(weir_build_status(builder)));
    weir_build_delete(builder);
    TF_SessionOptions *options = TF_NewSessionOptions();
    line.session = TF_NewSession(line.graph, options, status);
    TF_DeleteSessionOptions(options);
    TF_SessionRun(line.session, NULL, NULL, NULL, 0, NULL, NULL, 0, (const TF_Operation *[]){init},
                  1, NULL, status);
    CHECK_GOOD();
    return line;
}

static void end_line(line *line)
{
    TF_DeleteSession(line->session, status);
    TF_DeleteGraph(line->graph);
}

static void save_line(const line *line, const char *folder, bool text)
{
    weir_named_output in = {"x", line->x}, out = {"y", line->y};
    weir_save_signature signature = {
        .inputs = &in, .input_count = 1, .outputs = &out, .output_count = 1};
    weir_save_options options = {.graph = line->graph,
                                 .session = line->session,
                                 .signatures = &signature,
                                 .signature_count = 1,
                                 .text = text};
    weir_saved_model_save(folder, &options, status);
}

static void check_model(const char *folder)
{
    weir_saved_model *model = weir_saved_model_load(folder, NULL, 0, NULL, status);
    CHECK_GOOD();
    const weir_signature *signature = weir_saved_model_signature(model, NULL);
    CHECK_STR(signature->key, "serving_default");
    CHECK_STR(signature->inputs[0].name, "x:0");
    TF_Tensor *x = vector(2, (float[]){1, -2}), *y;
    weir_saved_model_predict(model, signature, &x, &y, status);
    CHECK_GOOD();
    CHECK_NEAR(((float *)TF_TensorData(y))[1], -6, 0);
    TF_DeleteTensor(y);
    TF_DeleteTensor(x);
    weir_saved_model_delete(model);
}

TEST(models_there_and_back)
{
    char folder[64];
    status = TF_NewStatus();
    for (int kind = 0; kind < 4; kind++) {
        make_folder(folder, sizeof folder, "model_test");
        line l = make_line(kind & 1);
        save_line(&l, folder, kind & 2);
        CHECK_GOOD();
        check_model(folder);
        save_line(&l, folder, false);
        CHECK_BAD(TF_ALREADY_EXISTS, folder);
        end_line(&l);
        CHECK_OK(weir_dir_delete_all(folder));
    }
    CHECK(!weir_saved_model_load("no_such_folder", NULL, 0, NULL, status));
    CHECK_BAD(TF_NOT_FOUND, "no_such_folder");
    TF_DeleteStatus(status);
}

TEST(frozen_graphs)
{
    status = TF_NewStatus();
    for (int resource = 0; resource < 2; resource++) {
        line l = make_line(resource);
        TF_Buffer *def = weir_graph_freeze(l.graph, l.session, &l.y, 1, status);
        CHECK_GOOD();
        end_line(&l);
        TF_Graph *graph = TF_NewGraph();
        TF_ImportGraphDefOptions *how = TF_NewImportGraphDefOptions();
        TF_GraphImportGraphDef(graph, def, how, status);
        CHECK_GOOD();
        TF_SessionOptions *options = TF_NewSessionOptions();
        TF_Session *session = TF_NewSession(graph, options, status);
        TF_Tensor *x = vector(1, (float[]){7}), *y;
        TF_SessionRun(session, NULL, &(TF_Output){TF_GraphOperationByName(graph, "x"), 0}, &x, 1,
                      &(TF_Output){TF_GraphOperationByName(graph, "y"), 0}, &y, 1, NULL, 0, NULL,
                      status);
        CHECK_GOOD();
        CHECK_NEAR(*(float *)TF_TensorData(y), 21, 0);
        TF_DeleteTensor(x);
        TF_DeleteTensor(y);
        TF_DeleteSession(session, status);
        TF_DeleteSessionOptions(options);
        TF_DeleteImportGraphDefOptions(how);
        TF_DeleteGraph(graph);
        TF_DeleteBuffer(def);
    }
    TF_DeleteStatus(status);
}

TEST(texts_of_graphs)
{
    char file[64];
    status = TF_NewStatus();
    snprintf(file, sizeof file, "weir_graph_test.%d.pbtxt", (int)getpid());
    line l = make_line(true);
    weir_graph_write(l.graph, file, status);
    CHECK_GOOD();
    TF_Graph *again = TF_NewGraph();
    weir_graph_read(again, file, status);
    CHECK_GOOD();
    CHECK(TF_GraphOperationByName(again, "y"));
    CHECK_OK(weir_file_write_all(file, "node {\n  nam: 3\n}\n", 18));
    weir_graph_read(again, file, status);
    CHECK_BAD(TF_INVALID_ARGUMENT, "line 2: nam");
    CHECK_BAD(TF_INVALID_ARGUMENT, file);
    TF_DeleteGraph(again);
    end_line(&l);
    unlink(file);
    TF_DeleteStatus(status);
}

TEST(event_files)
{
    char folder[64];
    status = TF_NewStatus();
    make_folder(folder, sizeof folder, "event_test");
    weir_event_writer *w = weir_event_writer_new(folder, ".x", status);
    CHECK_GOOD();
    TF_Tensor *values = vector(3, (float[]){1, 2, 3});
    weir_event_scalar(w, 1, "loss", 0.5f);
    weir_event_histogram(w, 1, "spread", values);
    weir_event_image(w, 1, "picture", 2, 2, 1, (const uint8_t *)"abcd");
    weir_event_text(w, 1, "note", "words");
    weir_event_writer_flush(w, status);
    CHECK_GOOD();
    weir_event_image(w, 1, "wrong", 2, 0, 1, (const uint8_t *)"");
    weir_event_scalar(w, 2, "loss", 0.25f); /* after a failure nothing is written */
    weir_event_writer_close(w, status);
    CHECK_BAD(TF_INVALID_ARGUMENT, "wrong");
    TF_DeleteTensor(values);
    CHECK_OK(weir_dir_delete_all(folder));
    TF_DeleteStatus(status);
}

TEST(record_files)
{
    char file[64];
    const void *record;
    size_t length;
    status = TF_NewStatus();
    snprintf(file, sizeof file, "weir_records_test.%d", (int)getpid());
    weir_records_writer *w = weir_records_create(file, "ZLIB", status);
    weir_records_add(w, "one", 3, status);
    weir_records_add(w, "", 0, status);
    weir_records_close(w, status);
    CHECK_GOOD();
    weir_records_reader *r = weir_records_open(file, "ZLIB", status);
    CHECK(weir_records_next(r, &record, &length, status) && length == 3);
    CHECK(memcmp(record, "one", 3) == 0);
    CHECK(weir_records_next(r, &record, &length, status) && length == 0);
    CHECK(!weir_records_next(r, &record, &length, status));
    CHECK_GOOD();
    weir_records_delete(r);
    r = weir_records_open(file, NULL, status); /* with the wrong compression */
    CHECK(!weir_records_next(r, &record, &length, status));
    CHECK_BAD(TF_DATA_LOSS, file);
    weir_records_delete(r);
    CHECK(!weir_records_open(file, "RAR", status));
    CHECK_BAD(TF_INVALID_ARGUMENT, "RAR");
    weir_records_drop(weir_records_create(file, "", status));
    unlink(file);
    TF_DeleteStatus(status);
}

TEST(checkpoints_without_a_graph)
{
    char folder[64], prefix[80], other[80];
    status = TF_NewStatus();
    make_folder(folder, sizeof folder, "ckpt_test");
    CHECK_OK(weir_dir_create_all(folder));
    CHECK(!weir_checkpoint_latest(folder, status));
    CHECK_GOOD();
    snprintf(prefix, sizeof prefix, "%s/model-1", folder);
    TF_Tensor *t = vector(2, (float[]){1, 2});
    weir_checkpoint_save(prefix, (const char *[]){"a"}, &t, 1, status);
    CHECK_GOOD();
    weir_checkpoint_advance(folder, prefix, 1, status);
    CHECK_GOOD();
    TF_Buffer *latest = weir_checkpoint_latest(folder, status);
    CHECK_STR((const char *)latest->data, prefix);
    TF_DeleteBuffer(latest);
    static const char *const to[] = {"v2", "v1", "a.npz"};
    for (int format = WEIR_CHECKPOINT_V2; format <= WEIR_CHECKPOINT_NPZ; format++) {
        snprintf(other, sizeof other, "%s/%s", folder, to[format]);
        weir_checkpoint_convert(prefix, other, (weir_checkpoint_format)format, status);
        CHECK_GOOD();
        snprintf(prefix, sizeof prefix, "%s", other); /* the next one is converted from it */
    }
    snprintf(other, sizeof other, "%s/back", folder);
    weir_checkpoint_convert(prefix, other, WEIR_CHECKPOINT_V2, status);
    TF_CheckpointReader *r = TF_NewCheckpointReader(other, status);
    CHECK_GOOD();
    TF_Tensor *back = TF_CheckpointReaderGetTensor(r, "a", status);
    CHECK_NEAR(((float *)TF_TensorData(back))[1], 2, 0);
    TF_DeleteTensor(back);
    TF_DeleteCheckpointReader(r);
    weir_checkpoint_delete(other, status);
    CHECK_GOOD();
    CHECK(!TF_NewCheckpointReader(other, status));
    TF_DeleteTensor(t);
    CHECK_OK(weir_dir_delete_all(folder));
    TF_DeleteStatus(status);
}

TEST_MAIN()
