/* ops/io/remap.c - GenerateVocabRemapping and LoadAndRemapMatrix: maps weights from one vocabulary
 * to another. */
#include <inttypes.h>

#include "io/stream.h"
#include "ops/io/io_impl.h"

/* ---- GenerateVocabRemapping: for each new word its line in the old file, or -1 ---- */

enum { OFFSET, COUNT, OLD_SIZE };

static weir_status infer_vocabulary(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank(infer, 0, 0));
    WEIR_TRY(weir_infer_rank(infer, 1, 0));
    infer->out[0] = weir_shape_vector(weir_site_int(infer->site, COUNT));
    infer->out[1] = WEIR_SCALAR;
    return WEIR_OK;
}

/* Lines of a file up to |most| (negative: all), each mapped to its number + 1 in |out_words|. */
static weir_status read_old(const char *path, int64_t most, weir_map *out_words)
{
    WEIR_OWNED(weir_stream) stream = NULL;
    WEIR_TRY(weir_stream_open(path, WEIR_PACKING_NONE, 0, &stream));
    WEIR_BUF(line);
    weir_status status = WEIR_OK;
    for (int64_t n = 0; !status && (most < 0 || n < most); n++) {
        status = weir_stream_line(stream, &line);
        if (!status)
            weir_map_put(out_words, weir_view(&line), (void *)(intptr_t)(n + 1));
    }
    if (weir_status_code(status) != WEIR_OUT_OF_RANGE)
        return status;
    weir_status_free(status);
    return WEIR_OK;
}

static weir_status look_up(weir_call *call, weir_stream *stream, const weir_map *words,
                           weir_buf *line)
{
    int64_t offset = weir_site_int(call->site, OFFSET), count = weir_site_int(call->site, COUNT);
    int64_t *out = weir_out(call, 0)->data;
    int32_t present = 0;
    for (int64_t n = 0; n < offset + count; n++) {
        weir_status status = weir_stream_line(stream, line);
        if (weir_status_code(status) == WEIR_OUT_OF_RANGE) {
            weir_status_free(status);
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "lookup table size must be larger than last new vocab entry's line");
        }
        WEIR_TRY(status);
        if (n < offset)
            continue;
        out[n - offset] = (intptr_t)weir_map_get(words, (weir_str){line->at, line->length}) - 1;
        present += out[n - offset] >= 0;
    }
    *(int32_t *)weir_out(call, 1)->data = present;
    return WEIR_OK;
}

static weir_status remap_vocabulary(weir_call *call)
{
    WEIR_OWNED(weir_stream) stream = NULL;
    weir_map words = {0};
    WEIR_BUF(line);
    char *fresh = weir_str_copy_at(weir_in(call, 0), 0),
         *old = weir_str_copy_at(weir_in(call, 1), 0);
    weir_status status = weir_stream_open(fresh, WEIR_PACKING_NONE, 0, &stream);
    if (!status)
        status = read_old(old, weir_site_int(call->site, OLD_SIZE), &words);
    if (!status)
        status = look_up(call, stream, &words, &line);
    weir_free(fresh);
    weir_free(old);
    weir_map_fini(&words);
    return status;
}

const weir_op weir_op_generate_vocab_remapping = {
    .name = "GenerateVocabRemapping",
    .in = "new_vocab_file: string; old_vocab_file: string",
    .out = "remapping: int64; num_present: int32",
    .attrs = "new_vocab_offset: int >= 0; num_new_vocab: int >= 0; old_vocab_size: int >= -1 = -1",
    .flags = WEIR_NO_FOLD,
    .infer = infer_vocabulary,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", remap_vocabulary, WEIR_EXPENSIVE}},
};

/* ---- LoadAndRemapMatrix: rows and columns of a saved matrix in another order ---- */

enum { NUM_ROWS, NUM_COLS };
enum { PATH_IN, NAME_IN, ROWS_IN, COLS_IN, VALUES_IN };

static weir_status infer_matrix(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank(infer, NAME_IN, 0));
    infer->out[0] = weir_shape_matrix(weir_site_int(infer->site, NUM_ROWS),
                                      weir_site_int(infer->site, NUM_COLS));
    return WEIR_OK;
}

/* Checks that no old index maps to two new ones. */
static weir_status check_unique(const weir_tensor *map, int64_t old_count)
{
    const int64_t *ids = map->data;
    int64_t *seen = WEIR_NEW_ARRAY(int64_t, old_count); /* new index + 1 */
    weir_status status = WEIR_OK;
    for (int64_t i = 0; i < weir_tensor_count(map) && !status; i++) {
        if (ids[i] < 0 || ids[i] >= old_count)
            continue;
        if (seen[ids[i]])
            status = weir_error(WEIR_UNIMPLEMENTED,
                                "Old ID %" PRId64 " is mapped to both new ID %" PRId64
                                " and %" PRId64 ", which is not supported.",
                                ids[i], seen[ids[i]] - 1, i);
        seen[ids[i]] = i + 1;
    }
    weir_free(seen);
    return status;
}

static weir_status check_matrix(weir_call *call, const weir_tensor *old)
{
    const weir_tensor *rows = weir_in(call, ROWS_IN), *cols = weir_in(call, COLS_IN);
    int64_t num_rows = weir_site_int(call->site, NUM_ROWS),
            num_cols = weir_site_int(call->site, NUM_COLS);
    weir_str name = weir_str_at(weir_in(call, NAME_IN), 0);
    if (old->shape.rank != 2 || old->dtype != WEIR_FLOAT)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Tensor %.*s has shape %s of type %s instead of a matrix of floats",
                          WEIR_STR_ARG(name), WEIR_SHAPE_STR(&old->shape),
                          weir_dtype_name(old->dtype));
    if (weir_tensor_count(cols) == 0 && old->shape.dims[1] != num_cols)
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            "Tensor %.*s has shape %s, where the size of its 2nd dimension is %" PRId64
            " instead of being equal to num_cols=%" PRId64,
            WEIR_STR_ARG(name), WEIR_SHAPE_STR(&old->shape), old->shape.dims[1], num_cols);
    if (weir_tensor_count(cols) > 0 && weir_tensor_count(cols) != num_cols)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Provided col_remapping, but its size is %" PRId64
                          " instead of being equal to num_cols=%" PRId64,
                          weir_tensor_count(cols), num_cols);
    for (int64_t i = 0; i < num_rows; i++)
        if (((const int64_t *)rows->data)[i] >= old->shape.dims[0])
            return weir_error(WEIR_INTERNAL,
                              "Extent in dimension 0 out of bounds: shape = %s, row %" PRId64,
                              WEIR_SHAPE_STR(&old->shape), ((const int64_t *)rows->data)[i]);
    WEIR_TRY(check_unique(rows, old->shape.dims[0]));
    return check_unique(cols, old->shape.dims[1]);
}

static weir_status fill_matrix(weir_call *call, const weir_tensor *old)
{
    const weir_tensor *cols = weir_in(call, COLS_IN), *values = weir_in(call, VALUES_IN);
    const int64_t *rows = weir_in(call, ROWS_IN)->data, *col = cols->data;
    const float *from = old->data, *fresh = values->data;
    weir_tensor *out = weir_out(call, 0);
    int64_t used = 0, have = weir_tensor_count(values), width = out->shape.dims[1];
    for (int64_t i = 0; i < weir_tensor_count(out); i++) {
        int64_t r = rows[i / width], k = weir_tensor_count(cols) ? col[i % width] : i % width;
        bool inside = r >= 0 && k >= 0;
        if (!inside && used == have)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "initializing_values contained %" PRId64
                              " elements, but more missing values remain.",
                              have);
        ((float *)out->data)[i] = !inside                  ? fresh[used++]
                                  : k < old->shape.dims[1] ? from[r * old->shape.dims[1] + k]
                                                           : 0;
    }
    if (used != have)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "initializing_values contained %" PRId64 " elements, but only %" PRId64
                          " elements were used to fill in missing values.",
                          have, used);
    return WEIR_OK;
}

/* The checkpoint name is a single string, in a tensor of any shape. */
static weir_status check_shapes(weir_call *call)
{
    const weir_tensor *path = weir_in(call, PATH_IN), *rows = weir_in(call, ROWS_IN),
                      *cols = weir_in(call, COLS_IN);
    int64_t num_rows = weir_site_int(call->site, NUM_ROWS);
    if (weir_tensor_count(path) != 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "The `ckpt_path` tensor must have exactly one element, got tensor of "
                          "shape %s",
                          WEIR_SHAPE_STR(&path->shape));
    if (rows->shape.rank != 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "The `row_remapping` tensor must be 1-D, got a tensor of shape %s",
                          WEIR_SHAPE_STR(&rows->shape));
    if (cols->shape.rank != 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "The `col_remapping` tensor must be 1-D, got a tensor of shape %s",
                          WEIR_SHAPE_STR(&cols->shape));
    if (weir_tensor_count(rows) != num_rows)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Size of row_remapping is %" PRId64
                          " instead of being equal to num_rows=%" PRId64,
                          weir_tensor_count(rows), num_rows);
    return WEIR_OK;
}

static weir_status load_matrix(weir_call *call)
{
    WEIR_TRY(check_shapes(call));
    WEIR_OWNED(weir_bundle) bundle = NULL;
    WEIR_FREED char *path = weir_str_copy_at(weir_in(call, PATH_IN), 0);
    weir_status status = weir_bundle_open(path, &bundle);
    WEIR_TRY(status);
    weir_tensor old;
    WEIR_TRY(weir_bundle_read(bundle, weir_str_at(weir_in(call, NAME_IN), 0), NULL, &old));
    status = check_matrix(call, &old);
    if (!status)
        status = fill_matrix(call, &old);
    weir_tensor_release(&old);
    return status;
}

const weir_op weir_op_load_and_remap_matrix = {
    .name = "LoadAndRemapMatrix",
    .in = "ckpt_path: string; old_tensor_name: string; row_remapping: int64; col_remapping: int64; "
          "initializing_values: float",
    .out = "output_matrix: float",
    .attrs = "num_rows: int >= 0; num_cols: int >= 1; max_rows_in_memory: int = -1",
    .flags = WEIR_STATEFUL,
    .infer = infer_matrix,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", load_matrix, WEIR_EXPENSIVE}},
};
