/* cli/predict/result.c - prints predictions as a table of examples, CSV, or Serving's JSON. */
#include "cli/predict/result.h"

#include <stdio.h>

#include "cli/values.h"
#include "command/output.h"
#include "tensor/text.h"
#include "wire/json.h"

enum { ENDS = 3 };

/* The outputs to show. */
typedef struct shown {
    const char **keys;
    const weir_tensor **tensors;
    int count;
    int64_t rows; /* that all have; -1: not the same */
} shown;

static int pick(const weir_signature *signature, const weir_words *only, const weir_tensor *out,
                shown *shown)
{
    for (int k = 0; k < only->count; k++) {
        bool known = false;
        for (int i = 0; i < signature->output_count; i++)
            known = known || strcmp(signature->outputs[i].key, only->at[k]) == 0 ||
                    strcmp(signature->key, "graph") == 0; /* selected when the model was opened */
        if (!known)
            return weir_cli_fail("'weir inspect MODEL' names them.", "the model has no output '%s'",
                                 only->at[k]);
    }
    for (int i = 0; i < signature->output_count; i++) {
        bool wanted = only->count == 0 || strcmp(signature->key, "graph") == 0;
        for (int k = 0; k < only->count; k++)
            wanted = wanted || strcmp(signature->outputs[i].key, only->at[k]) == 0;
        if (!wanted)
            continue;
        int64_t rows = out[i].shape.rank ? out[i].shape.dims[0] : -1;
        shown->rows = shown->count == 0 || rows == shown->rows ? rows : -1;
        shown->keys[shown->count] = signature->outputs[i].key;
        shown->tensors[shown->count++] = &out[i];
    }
    return WEIR_EXIT_OK;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void print_columns(const shown *shown)
{
    weir_output *output = weir_output_begin(WEIR_OUTPUT_JSON);
    WEIR_BUF(buf);
    for (int i = 0; i < shown->count && shown->count > 1; i++) {
        weir_buf_adds(&buf, i ? ", " : "{");
        weir_json_put_string(&buf, weir_str_of(shown->keys[i]));
        weir_buf_adds(&buf, ": ");
        weir_json_add_tensor(&buf, shown->tensors[i]);
    }
    if (shown->count == 1)
        weir_json_add_tensor(&buf, shown->tensors[0]);
    else
        weir_buf_adds(&buf, "}");
    weir_output_json(output, "outputs", weir_view(&buf));
    weir_output_end(output);
}

static void print_rows(const shown *shown)
{
    printf("{\n  \"predictions\": [");
    for (int64_t row = 0; row < shown->rows; row++) {
        WEIR_BUF(buf);
        weir_buf_adds(&buf, row ? ",\n    " : "\n    ");
        for (int i = 0; i < shown->count && shown->count > 1; i++) {
            weir_buf_adds(&buf, i ? ", " : "{");
            weir_json_put_string(&buf, weir_str_of(shown->keys[i]));
            weir_buf_adds(&buf, ": ");
            weir_json_add_row(&buf, shown->tensors[i], row);
        }
        if (shown->count == 1)
            weir_json_add_row(&buf, shown->tensors[0], row);
        else
            weir_buf_addc(&buf, '}');
        fwrite(buf.at, 1, buf.length, stdout);
    }
    printf("\n  ]\n}\n");
}

/* ---- tables ---------------------------------------------------------------------------------- */

static weir_tensor row_of(const weir_tensor *tensor, int64_t row)
{
    weir_shape shape = {.rank = tensor->shape.rank - 1};
    for (int i = 0; i < shape.rank; i++)
        shape.dims[i] = tensor->shape.dims[i + 1];
    return weir_tensor_slice(tensor, row * weir_shape_product(&shape, 0, shape.rank), &shape);
}

/* A vector of several numbers may be class scores. */
static bool has_best(const weir_tensor *tensor)
{
    return tensor->shape.rank == 2 && tensor->shape.dims[1] > 1 &&
           weir_dtype_is_float(tensor->dtype);
}

static int64_t best_of(const weir_tensor *tensor, int64_t row)
{
    int64_t best = 0, n = tensor->shape.dims[1];
    double most = 0, value;
    for (int64_t i = 0; i < n; i++) {
        weir_values_get(tensor, row * n + i, 1, &value);
        if (i == 0 || value > most) {
            most = value;
            best = i;
        }
    }
    return best;
}

static void put_shortened(weir_output *output, const char *key, const weir_tensor *tensor,
                          int64_t row)
{
    weir_tensor part = row_of(tensor, row);
    WEIR_BUF(buf);
    weir_tensor_text(&part, ENDS, &buf);
    for (size_t i = 0; i < buf.length; i++)
        buf.at[i] = buf.at[i] == '\n' ? ' ' : buf.at[i];
    weir_output_str(output, key, weir_view(&buf));
    weir_tensor_release(&part);
}

static void print_table(const shown *shown, char *const *paths, int count)
{
    weir_output *output = weir_output_begin(WEIR_OUTPUT_TABLE);
    weir_output_table(output, NULL);
    for (int64_t row = 0; row < shown->rows; row++) {
        weir_output_row(output);
        if (count == shown->rows && count > 1)
            weir_output_text(output, "file", paths[row]);
        else
            weir_output_int(output, "example", row);
        for (int i = 0; i < shown->count; i++) {
            if (has_best(shown->tensors[i]))
                weir_output_int(output, "best", best_of(shown->tensors[i], row));
            put_shortened(output, shown->keys[i], shown->tensors[i], row);
        }
    }
    weir_output_end(output);
}

static void print_whole(const shown *shown)
{
    for (int i = 0; i < shown->count; i++) {
        WEIR_BUF(buf);
        weir_tensor_text(shown->tensors[i], ENDS, &buf);
        printf("%s: %s %s\n%s\n", shown->keys[i], weir_dtype_name((int)shown->tensors[i]->dtype),
               WEIR_SHAPE_STR(&shown->tensors[i]->shape), buf.at);
    }
}

/* ---- CSV ------------------------------------------------------------------------------------- */

/* Column names by output: "key", or "key_0", "key_1"... */
static void print_csv(const shown *shown)
{
    weir_output *output = weir_output_begin(WEIR_OUTPUT_CSV);
    weir_arena names;
    weir_arena_init(&names);
    weir_output_table(output, NULL);
    for (int64_t row = 0; row < shown->rows; row++) {
        weir_output_row(output);
        weir_output_int(output, "example", row);
        for (int i = 0; i < shown->count; i++) {
            int64_t count = weir_tensor_count(shown->tensors[i]) / shown->rows;
            for (int64_t c = 0; c < count; c++) {
                WEIR_BUF(name);
                WEIR_BUF(value);
                weir_buf_addf(&name, count > 1 ? "%s_%lld" : "%s", shown->keys[i], (long long)c);
                weir_element_text(shown->tensors[i], row * count + c, false, &value);
                weir_output_str(output, row ? "" : weir_arena_strdup(&names, name.at),
                                (weir_str){value.at ? value.at : "", value.length});
            }
        }
    }
    weir_output_end(output);
    weir_arena_fini(&names);
}

int predict_print(const weir_signature *signature, const weir_words *only, const weir_tensor *out,
                  int format, char *const *paths, int count)
{
    shown shown = {.keys = WEIR_NEW_ARRAY(const char *, signature->output_count + 1),
                   .tensors = WEIR_NEW_ARRAY(const weir_tensor *, signature->output_count + 1)};
    int status = pick(signature, only, out, &shown);
    if (status != WEIR_EXIT_OK)
        ;
    else if (format == WEIR_OUTPUT_JSON)
        shown.rows >= 0 ? print_rows(&shown) : print_columns(&shown);
    else if (shown.rows < 0 || (shown.rows == 0 && format == WEIR_OUTPUT_CSV))
        print_whole(&shown);
    else if (format == WEIR_OUTPUT_CSV)
        print_csv(&shown);
    else
        print_table(&shown, paths, count);
    weir_free(shown.keys);
    weir_free(shown.tensors);
    return status;
}
