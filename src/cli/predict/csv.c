/* cli/predict/csv.c - rows of numbers as the input of a model.
 *
 * A model of one input takes all columns of a row as one example. A model of several takes from a
 * first line of names the column of each.
 */
#include "base/number.h"
#include "cli/predict/input.h"

enum { COLUMNS = 1 << 20 };

typedef struct sheet {
    WEIR_VEC(char *) names; /* of the first line, where it is not numbers */
    WEIR_VEC(double) numbers;
    int64_t rows, columns;
} sheet;

static void sheet_fini(sheet *s)
{
    for (size_t i = 0; i < s->names.count; i++)
        weir_free(s->names.at[i]);
    weir_vec_fini(&s->names);
    weir_vec_fini(&s->numbers);
}

/* Takes one cell off |line|; quotes around it are left out. */
static weir_str take_cell(weir_str *line)
{
    const char *comma = memchr(line->at, ',', line->length);
    weir_str cell = {line->at, comma ? (size_t)(comma - line->at) : line->length};
    size_t taken = cell.length + (comma ? 1 : 0);
    *line = (weir_str){line->at + taken, line->length - taken};
    if (cell.length > 1 && cell.at[0] == '"' && cell.at[cell.length - 1] == '"')
        cell = (weir_str){cell.at + 1, cell.length - 2};
    return cell;
}

static int64_t count_cells(weir_str line)
{
    int64_t n = 1;
    for (size_t i = 0; i < line.length; i++)
        n += line.at[i] == ',';
    return n;
}

static bool is_header(weir_str line)
{
    double number;
    while (line.length)
        if (!weir_parse_f64(take_cell(&line), &number))
            return true;
    return false;
}

static weir_status add_row(sheet *s, weir_str line, int64_t number)
{
    if (s->columns == 0)
        s->columns = count_cells(line);
    if (count_cells(line) != s->columns || s->columns > COLUMNS)
        return weir_error(WEIR_INVALID_ARGUMENT, "line %lld has %lld cells, not %lld",
                          (long long)number, (long long)count_cells(line), (long long)s->columns);
    for (int64_t c = 0; c < s->columns; c++) {
        double value;
        weir_str cell = take_cell(&line);
        if (!weir_parse_f64(cell, &value))
            return weir_error(WEIR_INVALID_ARGUMENT, "line %lld, cell %lld: '%.*s' is not a number",
                              (long long)number, (long long)c + 1,
                              (int)(cell.length < 40 ? cell.length : 40), cell.at);
        weir_vec_push(&s->numbers, value);
    }
    s->rows++;
    return WEIR_OK;
}

static weir_status parse(weir_str text, sheet *s)
{
    for (int64_t number = 1; text.length; number++) {
        const char *end = memchr(text.at, '\n', text.length);
        weir_str line = {text.at, end ? (size_t)(end - text.at) : text.length};
        size_t taken = line.length + (end ? 1 : 0);
        text = (weir_str){text.at + taken, text.length - taken};
        if (line.length && line.at[line.length - 1] == '\r')
            line.length--;
        if (line.length == 0)
            continue;
        if (number == 1 && is_header(line)) {
            s->columns = count_cells(line);
            for (int64_t c = 0; c < s->columns && c < COLUMNS; c++) {
                weir_str cell = take_cell(&line);
                weir_vec_push(&s->names, weir_strndup(cell.at, cell.length));
            }
            continue;
        }
        WEIR_TRY(add_row(s, line, number));
    }
    if (s->rows == 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "it has no rows of numbers");
    return WEIR_OK;
}

static weir_status fit(const weir_signature_tensor *want, const weir_shape *shape,
                       const double *numbers, weir_tensor *out)
{
    weir_tensor t;
    WEIR_TRY(weir_tensor_alloc(WEIR_DOUBLE, shape, &t));
    memcpy(t.data, numbers, weir_tensor_bytes(&t));
    return predict_fit(want, &(predict_how){.scale = 1}, false, &t, out);
}

static weir_status fit_column(const sheet *s, const weir_signature_tensor *want, weir_tensor *out)
{
    int64_t column = -1;
    for (size_t i = 0; i < s->names.count; i++)
        if (strcmp(s->names.at[i], want->key) == 0)
            column = (int64_t)i;
    if (column < 0)
        return weir_error(WEIR_NOT_FOUND, "no column is named '%s', which the model takes",
                          want->key);
    double *numbers = WEIR_NEW_ARRAY(double, s->rows);
    for (int64_t r = 0; r < s->rows; r++)
        numbers[r] = s->numbers.at[r * s->columns + column];
    weir_status status = fit(want, &(weir_shape){1, {s->rows}}, numbers, out);
    weir_free(numbers);
    return status;
}

weir_status predict_read_csv(const weir_signature *s, weir_str text, weir_tensor *out_tensors)
{
    sheet sheet = {0};
    weir_status status = parse(text, &sheet);
    if (!status && s->input_count == 1)
        status = fit(&s->inputs[0], &(weir_shape){2, {sheet.rows, sheet.columns}}, sheet.numbers.at,
                     &out_tensors[0]);
    for (int i = 0; !status && s->input_count > 1 && i < s->input_count; i++)
        status = fit_column(&sheet, &s->inputs[i], &out_tensors[i]);
    sheet_fini(&sheet);
    return status;
}
