/* cli/ckpt/ckpt.c - weir ckpt: lists, shows and converts checkpoints. */
#include "cli/ckpt/ckpt.h"

#include <stdio.h>
#include <string.h>

#include "cli/inspect/checkpoint.h"
#include "cli/inspect/inspect.h"
#include "cli/values.h"
#include "command/output.h"
#include "io/file.h"
#include "tensor/text.h"

weir_tensors *ckpt_open(const char *path)
{
    WEIR_FREED char *prefix = weir_cli_checkpoint_prefix(path);
    weir_tensors *tensors = NULL;
    if (!prefix) {
        weir_cli_fail("Give the prefix of a checkpoint (model.ckpt-1000), its folder, or an .npz.",
                      "there is no checkpoint at '%s'", path);
        return NULL;
    }
    weir_status status = weir_tensors_open(prefix, &tensors);
    if (status)
        weir_cli_fail_status("Give the prefix of a checkpoint (model.ckpt-1000), its folder, or an "
                             ".npz.",
                             weir_file_note(status, path));
    return tensors;
}

/* ---- list ------------------------------------------------------------------------------------ */

typedef struct list_args {
    int format;
} list_args;

static int list(void *args, int argc, char **argv)
{
    WEIR_OWNED(weir_tensors) tensors = ckpt_open(argv[0]);
    int64_t elements = 0;
    if (!tensors)
        return WEIR_EXIT_FAILED;
    weir_output *output = weir_output_begin(((list_args *)args)->format);
    weir_output_table(output, NULL);
    for (size_t i = 0; i < weir_tensors_count(tensors); i++) {
        weir_tensor_info info = weir_tensors_at(tensors, i);
        int64_t count = weir_shape_count(&info.shape);
        weir_output_row(output);
        weir_output_str(output, "name", info.name);
        inspect_dtype(output, "dtype", (int)info.dtype);
        weir_output_dims(output, "shape", info.shape.rank, info.shape.dims);
        weir_output_int(output, "elements", count);
        if (info.dtype == WEIR_STRING)
            weir_output_null(output, "bytes");
        else
            weir_output_bytes(output, "bytes", count * (int64_t)weir_dtype_wire_size(info.dtype));
        elements += info.dtype == WEIR_STRING ? 0 : count;
    }
    weir_output_remark(output, "%zu tensors, %lld elements", weir_tensors_count(tensors),
                       (long long)elements);
    weir_output_end(output);
    return WEIR_EXIT_OK;
}

static const weir_option list_options[] = {WEIR_OUTPUT_OPTION(list_args, format)};

const weir_command weir_command_ckpt_list = {
    .name = "list",
    .summary = "list the tensors of a checkpoint",
    .words = "CHECKPOINT",
    .least = 1,
    .most = 1,
    .about = "Lists the tensors of a checkpoint with their types and shapes. CHECKPOINT is a "
             "prefix, an index file, a folder (for its latest checkpoint), a V1 file, or an "
             ".npz.",
    WEIR_OPTIONS(list_options),
    WEIR_ARGS(list_args),
    .hint = WEIR_HINT_FILE,
    .run = list,
};

/* ---- show ------------------------------------------------------------------------------------ */

typedef struct show_args {
    int format;
    long ends;
    bool all;
} show_args;

static int no_tensor(const weir_tensors *tensors, const char *name)
{
    size_t count = weir_tensors_count(tensors);
    char **names = WEIR_NEW_ARRAY(char *, count + 1);
    for (size_t i = 0; i < count; i++)
        names[i] = weir_strndup(weir_tensors_at(tensors, i).name.at,
                                weir_tensors_at(tensors, i).name.length);
    const char *meant = weir_cli_nearest(name, (const char *const *)names, count);
    WEIR_BUF(cure);
    if (meant)
        weir_buf_addf(&cure, "Did you mean '%s'? ", meant);
    weir_buf_adds(&cure, "'weir ckpt list' names all.");
    int status = weir_cli_fail(cure.at, "there is no tensor '%s' in the checkpoint", name);
    for (size_t i = 0; i < count; i++)
        weir_free(names[i]);
    weir_free(names);
    return status;
}

static void show_text(const weir_tensor *tensor, const char *name, int64_t ends)
{
    WEIR_BUF(buf);
    weir_tensor_text(tensor, ends, &buf);
    printf("%s: %s %s\n%s\n", name, weir_dtype_name((int)tensor->dtype),
           WEIR_SHAPE_STR(&tensor->shape), buf.at);
}

static void show_json(const weir_tensor *tensor, const char *name)
{
    WEIR_BUF(buf);
    weir_output *output = weir_output_begin(WEIR_OUTPUT_JSON);
    weir_output_text(output, "name", name);
    inspect_dtype(output, "dtype", (int)tensor->dtype);
    weir_output_dims(output, "shape", tensor->shape.rank, tensor->shape.dims);
    weir_json_add_tensor(&buf, tensor);
    weir_output_json(output, "values", weir_view(&buf));
    weir_output_end(output);
}

/* One line per row of the first dimension. */
static void show_csv(const weir_tensor *tensor)
{
    int64_t rows = tensor->shape.rank ? tensor->shape.dims[0] : 1;
    int64_t columns = rows ? weir_tensor_count(tensor) / rows : 0;
    for (int64_t row = 0; row < rows; row++)
        for (int64_t column = 0; column < columns; column++) {
            WEIR_BUF(buf);
            weir_element_text(tensor, row * columns + column, false, &buf);
            fwrite(buf.at, 1, buf.length, stdout);
            fputs(column + 1 == columns ? "\r\n" : ",", stdout);
        }
}

static int show(void *args, int argc, char **argv)
{
    const show_args *show_args = args;
    WEIR_OWNED(weir_tensors) file = ckpt_open(argv[0]);
    size_t i = 0;
    weir_tensor tensor = {0};
    if (!file)
        return WEIR_EXIT_FAILED;
    if (!weir_tensors_find(file, weir_str_of(argv[1]), &i))
        return no_tensor(file, argv[1]);
    weir_status status = weir_tensors_read(file, i, &tensor);
    if (status)
        return weir_cli_fail_status("The file is damaged; is there an older checkpoint?", status);
    if (show_args->format == WEIR_OUTPUT_JSON)
        show_json(&tensor, argv[1]);
    else if (show_args->format == WEIR_OUTPUT_CSV)
        show_csv(&tensor);
    else
        show_text(&tensor, argv[1], show_args->all ? -1 : show_args->ends);
    weir_tensor_release(&tensor);
    return WEIR_EXIT_OK;
}

static const weir_option show_options[] = {
    WEIR_OUTPUT_OPTION(show_args, format),
    {"ends", 0, "N", "values to show at each end of a dimension", WEIR_NUMBER(show_args, ends)},
    {"all", 'a', NULL, "show every value", WEIR_FLAG(show_args, all)},
};

const weir_command weir_command_ckpt_show = {
    .name = "show",
    .summary = "print the values of one tensor",
    .words = "CHECKPOINT TENSOR",
    .least = 2,
    .most = 2,
    .about = "Prints the values of one tensor, abbreviated; JSON and CSV output has all values.",
    WEIR_OPTIONS(show_options),
    WEIR_ARGS(show_args, .ends = 3),
    .hint = WEIR_HINT_FILE,
    .run = show,
};

/* ---- convert --------------------------------------------------------------------------------- */

typedef struct convert_args {
    int to; /* 0: by the file name; else a weir_tensors_format plus one */
    int format;
} convert_args;

static int fail_convert(weir_status status, const char *to)
{
    weir_code code = weir_status_code(status);
    bool source = (code == WEIR_NOT_FOUND || code == WEIR_DATA_LOSS) &&
                  !strstr(weir_status_message(status), to);
    return weir_cli_fail_status(
        source ? "The checkpoint is damaged, or a file of it is missing; is there an older one?"
               : "Give a path that can be written and a format that has all of the types.",
        status);
}

static int convert(void *args, int argc, char **argv)
{
    const convert_args *convert_args = args;
    int to = convert_args->to;
    weir_tensors_format format = to                                 ? (weir_tensors_format)(to - 1)
                                 : inspect_ends_in(argv[1], ".npz") ? WEIR_TENSORS_NPZ
                                                                    : WEIR_TENSORS_V2;
    WEIR_OWNED(weir_tensors) from = ckpt_open(argv[0]);
    if (!from)
        return WEIR_EXIT_FAILED;
    weir_status status = weir_tensors_write(from, argv[1], format);
    if (status)
        return fail_convert(status, argv[1]);
    static const char *const names[] = {"V2", "V1", "npz"};
    if (convert_args->format == WEIR_OUTPUT_TABLE) {
        printf("%zu tensors to %s, format %s\n", weir_tensors_count(from), argv[1], names[format]);
        return WEIR_EXIT_OK;
    }
    weir_output *output = weir_output_begin(convert_args->format);
    weir_output_int(output, "tensors", (int64_t)weir_tensors_count(from));
    weir_output_text(output, "destination", argv[1]);
    weir_output_text(output, "format", names[format]);
    weir_output_end(output);
    return WEIR_EXIT_OK;
}

static const weir_option convert_options[] = {
    {"to", 't', "FORMAT", "output format; auto: npz if DESTINATION ends in .npz, else v2",
     WEIR_CHOICE(convert_args, to, "auto|v2|v1|npz")},
    WEIR_OUTPUT_OPTION(convert_args, format),
};

const weir_command weir_command_ckpt_convert = {
    .name = "convert",
    .summary = "convert a checkpoint to another format",
    .words = "CHECKPOINT DESTINATION",
    .least = 2,
    .most = 2,
    .about = "Writes the tensors of CHECKPOINT to DESTINATION: a V2 checkpoint (a prefix), a V1 "
             "checkpoint (a file), or an .npz of NumPy. Shards and slices are merged into whole "
             "tensors.",
    WEIR_OPTIONS(convert_options),
    WEIR_ARGS(convert_args),
    .hint = WEIR_HINT_FILE,
    .run = convert,
};

/* ---- the command ----------------------------------------------------------------------------- */

static const weir_command *const subs[] = {&weir_command_ckpt_list, &weir_command_ckpt_show,
                                           &weir_command_ckpt_diff, &weir_command_ckpt_convert,
                                           NULL};

const weir_command weir_command_ckpt = {
    .name = "ckpt",
    .summary = "list, compare, show and convert checkpoints",
    .about = "Works with TensorFlow checkpoints of both formats and with NumPy's .npz files.\n\n"
             "  weir ckpt list runs\n"
             "  weir ckpt show runs/model.ckpt-300 b\n"
             "  weir ckpt diff runs/model.ckpt-0 runs/model.ckpt-300 || echo they differ\n"
             "  weir ckpt convert runs weights.npz",
    .subs = subs,
};
