/* cli/predict/result.c - predictions as a table of examples, as CSV, and as Serving's JSON. */
#include "cli/predict/result.h"

#include <stdio.h>

#include "cli/values.h"
#include "command/output.h"
#include "tensor/text.h"
#include "wire/json.h"

enum { ENDS = 3 };

/* The outputs that are shown. */
typedef struct shown {
    const char **keys;
    const weir_tensor **tensors;
    int count;
    int64_t rows; /* that all have; -1: not the same */
} shown;

static int pick(const weir_signature *s, const weir_words *only, const weir_tensor *out, shown *p)
{
    for (int k = 0; k < only->count; k++) {
        bool known = false;
        for (int i = 0; i < s->output_count; i++)
            known = known || strcmp(s->outputs[i].key, only->at[k]) == 0 ||
                    strcmp(s->key, "graph") == 0; /* those were chosen when it was opened */
        if (!known)
            return weir_cli_fail("'weir inspect MODEL' names them.", "the model has no output '%s'",
                                 only->at[k]);
    }
    for (int i = 0; i < s->output_count; i++) {
        bool wanted = only->count == 0 || strcmp(s->key, "graph") == 0;
        for (int k = 0; k < only->count; k++)
            wanted = wanted || strcmp(s->outputs[i].key, only->at[k]) == 0;
        if (!wanted)
            continue;
        int64_t rows = out[i].shape.rank ? out[i].shape.dims[0] : -1;
        p->rows = p->count == 0 || rows == p->rows ? rows : -1;
        p->keys[p->count] = s->outputs[i].key;
        p->tensors[p->count++] = &out[i];
    }
    return WEIR_EXIT_OK;
}

/* ---- JSON ---------------------------------------------------------------------------------------
 */

static void print_columns(const shown *p)
{
    weir_output *o = weir_output_begin(WEIR_OUTPUT_JSON);
    WEIR_BUF(b);
    for (int i = 0; i < p->count && p->count > 1; i++) {
        weir_buf_adds(&b, i ? ", " : "{");
        weir_json_put_string(&b, weir_str_of(p->keys[i]));
        weir_buf_adds(&b, ": ");
        weir_json_add_tensor(&b, p->tensors[i]);
    }
    if (p->count == 1)
        weir_json_add_tensor(&b, p->tensors[0]);
    else
        weir_buf_adds(&b, "}");
    weir_output_json(o, "outputs", weir_view(&b));
    weir_output_end(o);
}

static void print_rows(const shown *p)
{
    printf("{\n  \"predictions\": [");
    for (int64_t r = 0; r < p->rows; r++) {
        WEIR_BUF(b);
        weir_buf_adds(&b, r ? ",\n    " : "\n    ");
        for (int i = 0; i < p->count && p->count > 1; i++) {
            weir_buf_adds(&b, i ? ", " : "{");
            weir_json_put_string(&b, weir_str_of(p->keys[i]));
            weir_buf_adds(&b, ": ");
            weir_json_add_row(&b, p->tensors[i], r);
        }
        if (p->count == 1)
            weir_json_add_row(&b, p->tensors[0], r);
        else
            weir_buf_addc(&b, '}');
        fwrite(b.at, 1, b.length, stdout);
    }
    printf("\n  ]\n}\n");
}

/* ---- tables -------------------------------------------------------------------------------------
 */

static weir_tensor row_of(const weir_tensor *t, int64_t row)
{
    weir_shape shape = {.rank = t->shape.rank - 1};
    for (int i = 0; i < shape.rank; i++)
        shape.dims[i] = t->shape.dims[i + 1];
    return weir_tensor_slice(t, row * weir_shape_product(&shape, 0, shape.rank), &shape);
}

/* A vector of several numbers may be the scores of classes. */
static bool has_best(const weir_tensor *t)
{
    return t->shape.rank == 2 && t->shape.dims[1] > 1 && weir_dtype_is_float(t->dtype);
}

static int64_t best_of(const weir_tensor *t, int64_t row)
{
    int64_t best = 0, n = t->shape.dims[1];
    double most = 0, v;
    for (int64_t i = 0; i < n; i++) {
        weir_values_get(t, row * n + i, 1, &v);
        if (i == 0 || v > most) {
            most = v;
            best = i;
        }
    }
    return best;
}

static void put_shortened(weir_output *o, const char *key, const weir_tensor *t, int64_t row)
{
    weir_tensor part = row_of(t, row);
    WEIR_BUF(b);
    weir_tensor_text(&part, ENDS, &b);
    for (size_t i = 0; i < b.length; i++)
        b.at[i] = b.at[i] == '\n' ? ' ' : b.at[i];
    weir_output_str(o, key, weir_view(&b));
    weir_tensor_release(&part);
}

static void print_table(const shown *p, char *const *paths, int count)
{
    weir_output *o = weir_output_begin(WEIR_OUTPUT_TABLE);
    weir_output_table(o, NULL);
    for (int64_t r = 0; r < p->rows; r++) {
        weir_output_row(o);
        if (count == p->rows && count > 1)
            weir_output_text(o, "file", paths[r]);
        else
            weir_output_int(o, "example", r);
        for (int i = 0; i < p->count; i++) {
            if (has_best(p->tensors[i]))
                weir_output_int(o, "best", best_of(p->tensors[i], r));
            put_shortened(o, p->keys[i], p->tensors[i], r);
        }
    }
    weir_output_end(o);
}

static void print_whole(const shown *p)
{
    for (int i = 0; i < p->count; i++) {
        WEIR_BUF(b);
        weir_tensor_text(p->tensors[i], ENDS, &b);
        printf("%s: %s %s\n%s\n", p->keys[i], weir_dtype_name((int)p->tensors[i]->dtype),
               WEIR_SHAPE_STR(&p->tensors[i]->shape), b.at);
    }
}

/* ---- CSV ----------------------------------------------------------------------------------------
 */

/* Column names by output: "key", or "key_0", "key_1"... */
static void print_csv(const shown *p)
{
    weir_output *o = weir_output_begin(WEIR_OUTPUT_CSV);
    weir_arena names;
    weir_arena_init(&names);
    weir_output_table(o, NULL);
    for (int64_t r = 0; r < p->rows; r++) {
        weir_output_row(o);
        weir_output_int(o, "example", r);
        for (int i = 0; i < p->count; i++) {
            int64_t n = weir_tensor_count(p->tensors[i]) / p->rows;
            for (int64_t c = 0; c < n; c++) {
                WEIR_BUF(name);
                WEIR_BUF(value);
                weir_buf_addf(&name, n > 1 ? "%s_%lld" : "%s", p->keys[i], (long long)c);
                weir_element_text(p->tensors[i], r * n + c, false, &value);
                weir_output_str(o, r ? "" : weir_arena_strdup(&names, name.at),
                                (weir_str){value.at ? value.at : "", value.length});
            }
        }
    }
    weir_output_end(o);
    weir_arena_fini(&names);
}

int predict_print(const weir_signature *s, const weir_words *only, const weir_tensor *out,
                  int format, char *const *paths, int count)
{
    shown p = {.keys = WEIR_NEW_ARRAY(const char *, s->output_count + 1),
               .tensors = WEIR_NEW_ARRAY(const weir_tensor *, s->output_count + 1)};
    int status = pick(s, only, out, &p);
    if (status != WEIR_EXIT_OK)
        ;
    else if (format == WEIR_OUTPUT_JSON)
        p.rows >= 0 ? print_rows(&p) : print_columns(&p);
    else if (p.rows < 0 || (p.rows == 0 && format == WEIR_OUTPUT_CSV))
        print_whole(&p);
    else if (format == WEIR_OUTPUT_CSV)
        print_csv(&p);
    else
        print_table(&p, paths, count);
    weir_free(p.keys);
    weir_free(p.tensors);
    return status;
}
