/* cli/predict/predict.c - weir predict: runs a model on files. */
#include <stdio.h>
#include <unistd.h>

#include "cli/predict/input.h"
#include "cli/predict/model.h"
#include "cli/predict/result.h"
#include "command/output.h"
#include "command/progress.h"
#include "io/file.h"
#include "io/npy.h"

typedef struct predict_args {
    predict_choice choice;
    predict_how how;
    const char *save;
    long batch;
    int format;
} predict_args;

/* ---- batches --------------------------------------------------------------------------------- */

/* The number of examples, if equal for all inputs; else -1. */
static int64_t count_examples(const weir_signature *signature, const weir_tensor *in)
{
    int64_t examples = -1;
    for (int i = 0; i < signature->input_count; i++) {
        int64_t n = in[i].shape.rank ? in[i].shape.dims[0] : -1;
        bool open = signature->inputs[i].rank < 0 ||
                    (signature->inputs[i].rank > 0 && signature->inputs[i].dims[0] < 0);
        if (!open || n < 1 || (i > 0 && n != examples))
            return -1;
        examples = n;
    }
    return examples;
}

/* Rows [first, first + count) of |tensor|. */
static weir_tensor rows_of(const weir_tensor *tensor, int64_t first, int64_t count)
{
    weir_shape shape = tensor->shape;
    shape.dims[0] = count;
    return weir_tensor_slice(
        tensor, first * weir_shape_product(&tensor->shape, 1, tensor->shape.rank), &shape);
}

/* Copies the rows of |part| into |all|, which is first allocated for |examples|. */
static weir_status append(weir_tensor *all, const weir_tensor *part, int64_t first, int64_t count,
                          int64_t examples)
{
    if (part->shape.rank == 0 || part->shape.dims[0] != count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "an output of shape %s has not one row for each of %lld examples: run "
                          "them at once, with --batch 0",
                          WEIR_SHAPE_STR(&part->shape), (long long)count);
    weir_shape shape = part->shape;
    shape.dims[0] = examples;
    if (!all->buffer)
        WEIR_TRY(weir_tensor_alloc(part->dtype, &shape, all));
    if (!weir_shape_eq(&all->shape, &shape))
        return weir_error(WEIR_INVALID_ARGUMENT, "outputs of two batches have shapes %s and %s",
                          WEIR_SHAPE_STR(&all->shape), WEIR_SHAPE_STR(&shape));
    int64_t each = weir_shape_product(&shape, 1, shape.rank);
    weir_elements_copy(all->dtype,
                       (char *)all->data + (size_t)(first * each) * weir_dtype_size(all->dtype),
                       part->data, count * each);
    return WEIR_OK;
}

static weir_status run_batch(predict_model *model, const weir_tensor *in, int64_t first,
                             int64_t count, int64_t examples, weir_tensor *out)
{
    const weir_signature *signature = predict_model_signature(model);
    WEIR_FREED weir_tensor *part_in = WEIR_NEW_ARRAY(weir_tensor, signature->input_count + 1);
    WEIR_FREED weir_tensor *part_out = WEIR_NEW_ARRAY(weir_tensor, signature->output_count + 1);
    for (int i = 0; i < signature->input_count; i++)
        part_in[i] = rows_of(&in[i], first, count);
    weir_status status = predict_model_run(model, part_in, part_out);
    for (int i = 0; !status && i < signature->output_count; i++)
        status = append(&out[i], &part_out[i], first, count, examples);
    for (int i = 0; i < signature->input_count; i++)
        weir_tensor_release(&part_in[i]);
    for (int i = 0; i < signature->output_count; i++)
        weir_tensor_release(&part_out[i]);
    return status;
}

static weir_status run_all(predict_model *model, const weir_tensor *in, long batch,
                           weir_tensor *out)
{
    int64_t examples = count_examples(predict_model_signature(model), in);
    weir_status status = WEIR_OK;
    if (batch == 0 || examples <= batch)
        return predict_model_run(model, in, out);
    weir_progress_begin("predict", examples, "examples");
    for (int64_t at = 0; !status && at < examples; at += batch) {
        int64_t n = examples - at < batch ? examples - at : batch;
        status = run_batch(model, in, at, n, examples, out);
        weir_progress_add(n);
    }
    weir_progress_drop();
    return status;
}

/* ---- the command ----------------------------------------------------------------------------- */

static weir_status save(const char *path, const weir_signature *signature, const weir_tensor *out)
{
    WEIR_OWNED(weir_npz_writer) writer = NULL;
    WEIR_TRY(weir_npz_writer_create(path, &writer));
    for (int i = 0; i < signature->output_count; i++)
        WEIR_TRY(weir_npz_writer_add(writer, weir_str_of(signature->outputs[i].key), &out[i]));
    return weir_npz_writer_finish(WEIR_TAKE(writer));
}

static int run_model(const predict_args *args, predict_model *model, char *const *paths, int count)
{
    const weir_signature *signature = predict_model_signature(model);
    WEIR_FREED weir_tensor *in = WEIR_NEW_ARRAY(weir_tensor, signature->input_count + 1);
    WEIR_FREED weir_tensor *out = WEIR_NEW_ARRAY(weir_tensor, signature->output_count + 1);
    const char *cure = "'weir inspect MODEL' tells which inputs the model takes.";
    weir_status status = signature->output_count
                             ? WEIR_OK
                             : weir_error(WEIR_INVALID_ARGUMENT, "the model has no output");
    if (!status)
        status = predict_read(signature, &args->how, paths, count, in);
    if (status && weir_status_code(status) != WEIR_INVALID_ARGUMENT)
        cure = "INPUT is a file that can be read; 'weir help predict' lists the kinds.";
    if (!status)
        status = run_all(model, in, args->batch, out);
    if (!status && args->save) {
        cure = "Give --save a path that can be written.";
        status = save(args->save, signature, out);
    }
    int exit_status = WEIR_EXIT_OK;
    if (status)
        exit_status = weir_cli_fail_status(cure, status);
    else if (!args->save)
        exit_status =
            predict_print(signature, &args->choice.outputs, out, args->format, paths, count);
    for (int i = 0; i < signature->input_count; i++)
        weir_tensor_release(&in[i]);
    for (int i = 0; i < signature->output_count; i++)
        weir_tensor_release(&out[i]);
    return exit_status;
}

static int predict(void *args, int argc, char **argv)
{
    static const char cure[] =
        "MODEL is the folder of a SavedModel, or the file of a frozen graph; "
        "'weir inspect MODEL' shows what is there.";
    const predict_args *predict_args = args;
    if (access(argv[0], F_OK) != 0)
        return weir_cli_fail(cure, "there is nothing at '%s'", argv[0]);
    WEIR_OWNED(predict_model) model = NULL;
    weir_status status = predict_model_open(argv[0], &predict_args->choice, &model);
    if (status)
        return weir_cli_fail_status(cure, weir_file_note(status, argv[0]));
    return run_model(predict_args, model, argv + 1, argc - 1);
}

static const weir_option options[] = {
    WEIR_OUTPUT_OPTION(predict_args, format),
    {"signature", 's', "KEY", "signature to run (default: serving_default, or the only one)",
     WEIR_TEXT(predict_args, choice.signature)},
    {"tag", 0, "TAG", "tag of the graph to run; repeatable (default: serve)",
     WEIR_LIST(predict_args, choice.tags)},
    {"fetch", 'f', "NAME", "return only this output, or in a graph this node; repeatable",
     WEIR_LIST(predict_args, choice.outputs)},
    {"feed", 0, "NAME", "in a graph, the input node; repeatable (default: its placeholders)",
     WEIR_LIST(predict_args, choice.inputs)},
    {"batch", 'b', "N", "batch size; 0: all examples at once", WEIR_INDEX(predict_args, batch)},
    {"scale", 0, "X", "factor for pixel values if the model takes floats",
     WEIR_REAL(predict_args, how.scale)},
    {"save", 0, "FILE", "write the outputs to an .npz file instead of printing them",
     WEIR_TEXT(predict_args, save), .hint = WEIR_HINT_FILE},
};

const weir_command weir_command_predict = {
    .name = "predict",
    .summary = "run a SavedModel or frozen graph on a file",
    .words = "MODEL INPUT...",
    .least = 2,
    .about =
        "Runs a model on INPUT and prints its outputs. MODEL is the folder of a SavedModel or "
        "the file of a frozen graph. INPUT is JSON in TensorFlow Serving's format "
        "({\"instances\": [...]} or {\"inputs\": ...}; - reads standard input), an .npy, an "
        ".npz with an array per input, CSV, an IDX file, or images, which are resized to the "
        "model's input size. JSON output has TensorFlow Serving's format, {\"predictions\": "
        "[...]}.\n\n"
        "  weir predict export example.csv\n"
        "  echo \"{\\\"instances\\\": [[$(cat example.csv)]]}\" | weir predict export - -o json\n"
        "  weir predict export photo.jpg other.png  # needs files of yours",
    WEIR_OPTIONS(options),
    WEIR_ARGS(predict_args, .batch = 128, .how = {.scale = 1.0 / 255}),
    .hint = WEIR_HINT_FILE,
    .run = predict,
};
