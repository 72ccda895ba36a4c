/* cli/predict/csv.c - rows of numbers as the input of a model.
 *
 * For a model with one input all columns of a row are one example. For several inputs the header
 * gives the column of each.
 */
#include "base/csv.h"
#include "base/arith.h"
#include "base/number.h"
#include "cli/predict/input.h"

enum { COLUMNS = 1 << 20 };

typedef struct sheet {
    WEIR_VEC(char *) names; /* header, if the first line is not numeric */
    WEIR_VEC(double) numbers;
    int64_t rows, columns;
    weir_csv csv; /* the current line */
} sheet;

static void sheet_fini(sheet *sheet)
{
    for (size_t i = 0; i < sheet->names.count; i++)
        weir_free(sheet->names.at[i]);
    weir_vec_fini(&sheet->names);
    weir_vec_fini(&sheet->numbers);
    weir_csv_fini(&sheet->csv);
}

static bool is_header(const weir_fields *cells)
{
    double number;
    for (size_t i = 0; i < cells->count; i++)
        if (!weir_parse_f64(cells->at[i], &number))
            return true;
    return false;
}

static void add_names(sheet *sheet)
{
    sheet->columns = (int64_t)sheet->csv.fields.count;
    for (size_t i = 0; i < sheet->csv.fields.count; i++)
        weir_vec_push(&sheet->names,
                      weir_strndup(sheet->csv.fields.at[i].at, sheet->csv.fields.at[i].length));
}

static weir_status add_row(sheet *sheet, int64_t line)
{
    const weir_fields *cells = &sheet->csv.fields;
    if (sheet->columns == 0)
        sheet->columns = (int64_t)cells->count;
    if ((int64_t)cells->count != sheet->columns)
        return weir_error(WEIR_INVALID_ARGUMENT, "line %lld has %zu cells, not %lld",
                          (long long)line, cells->count, (long long)sheet->columns);
    for (size_t i = 0; i < cells->count; i++) {
        double value;
        weir_str cell = cells->at[i];
        if (!weir_parse_f64(cell, &value))
            return weir_error(WEIR_INVALID_ARGUMENT, "line %lld, cell %zu: '%.*s' is not a number",
                              (long long)line, i + 1, (int)weir_min((int64_t)cell.length, 40),
                              cell.at);
        weir_vec_push(&sheet->numbers, value);
    }
    sheet->rows++;
    return WEIR_OK;
}

static weir_status read_line(sheet *sheet, weir_str text, int64_t line)
{
    if (weir_csv_split(&sheet->csv, text))
        return weir_error(WEIR_INVALID_ARGUMENT, "line %lld has a quote that is not closed",
                          (long long)line);
    if (sheet->csv.fields.count > COLUMNS)
        return weir_error(WEIR_INVALID_ARGUMENT, "line %lld has more than %d cells",
                          (long long)line, COLUMNS);
    if (line == 1 && is_header(&sheet->csv.fields)) {
        add_names(sheet);
        return WEIR_OK;
    }
    return add_row(sheet, line);
}

static weir_status parse(weir_str text, sheet *sheet)
{
    sheet->csv.between = ',';
    for (int64_t line = 1; text.length; line++) {
        const char *end = memchr(text.at, '\n', text.length);
        size_t length = end ? (size_t)(end - text.at) : text.length, taken = length + (end != NULL);
        weir_str row = {text.at, length - (length && text.at[length - 1] == '\r')};
        text = (weir_str){text.at + taken, text.length - taken};
        if (row.length)
            WEIR_TRY(read_line(sheet, row, line));
    }
    if (sheet->rows == 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "it has no rows of numbers");
    return WEIR_OK;
}

static weir_status fit(const weir_signature_tensor *want, const weir_shape *shape,
                       const double *numbers, weir_tensor *out)
{
    weir_tensor tensor;
    WEIR_TRY(weir_tensor_alloc(WEIR_DOUBLE, shape, &tensor));
    memcpy(tensor.data, numbers, weir_tensor_bytes(&tensor));
    return predict_fit(want, &(predict_how){.scale = 1}, false, &tensor, out);
}

static weir_status fit_column(const sheet *sheet, const weir_signature_tensor *want,
                              weir_tensor *out)
{
    int64_t column = -1;
    for (size_t i = 0; i < sheet->names.count; i++)
        if (strcmp(sheet->names.at[i], want->key) == 0)
            column = (int64_t)i;
    if (column < 0)
        return weir_error(WEIR_NOT_FOUND, "no column is named '%s', which the model takes",
                          want->key);
    WEIR_FREED double *numbers = WEIR_NEW_ARRAY(double, sheet->rows);
    for (int64_t row = 0; row < sheet->rows; row++)
        numbers[row] = sheet->numbers.at[row * sheet->columns + column];
    return fit(want, &(weir_shape){1, {sheet->rows}}, numbers, out);
}

weir_status predict_read_csv(const weir_signature *signature, weir_str text,
                             weir_tensor *out_tensors)
{
    sheet sheet = {0};
    weir_status status = parse(text, &sheet);
    if (!status && signature->input_count == 1)
        status = fit(&signature->inputs[0], &(weir_shape){2, {sheet.rows, sheet.columns}},
                     sheet.numbers.at, &out_tensors[0]);
    for (int i = 0; !status && signature->input_count > 1 && i < signature->input_count; i++)
        status = fit_column(&sheet, &signature->inputs[i], &out_tensors[i]);
    sheet_fini(&sheet);
    return status;
}
